"""`boxman odds`: the price list of a house, one wager in full, or all houses side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

from boxman.cli.errors import UserError, read_settings
from boxman.words import phrase

if TYPE_CHECKING:
    from boxman.odds.quote import Odds
    from boxman.rules.layout import Layout, Spot

SHOWN_IN_FULL = 4
"""Up to so many wagers, if named, are followed by everything there is to say of them."""


def odds(
    house: Annotated[str, typer.Argument()] = "",
    spots: Annotated[
        list[str] | None,
        typer.Argument(),
    ] = None,
    stake: Annotated[str, typer.Option()] = "",
    chip: Annotated[str, typer.Option()] = "1",
    settings: Annotated[list[str] | None, typer.Option("--set")] = None,
    times: Annotated[
        str,
        typer.Option("--odds"),
    ] = "",
    added: Annotated[str, typer.Option()] = "",
    split: Annotated[str, typer.Option()] = "",
    collected: Annotated[str, typer.Option()] = "",
    compare: Annotated[bool, typer.Option("--compare")] = False,
    lengths: Annotated[
        bool,
        typer.Option("--lengths"),
    ] = False,
    json: Annotated[bool, typer.Option("--json")] = False,
    csv: Annotated[bool, typer.Option("--csv")] = False,
) -> None:
    """Show the exact odds of every wager of a house, with clauses."""
    from boxman.chips import AmountError, parse_amount
    from boxman.odds.chain import NeverDecidedError
    from boxman.odds.names import WagerError
    from boxman.odds.pay import StakeError
    from boxman.rules.compile import load

    if json and csv:
        raise UserError(phrase("cli.odds.choose-one-of-json"))
    if lengths and not json:
        raise UserError(phrase("cli.odds.lengths-goes-with-json"))
    given = read_settings(settings or [])
    words = spots or []
    try:
        unit = parse_amount(chip)
        amount = parse_amount(stake) if stake else 0
        if amount % unit:
            raise UserError(phrase("cli.odds.a-stake-of-cannot", stake=stake, chip=chip))
        if compare:
            if any((stake, times, added, split, collected, lengths)):
                raise UserError(phrase("cli.odds.compare-sets-exact-prices"))
            _compare(house, words, given, unit, json, csv)
            return
        if not house:
            raise UserError(phrase("cli.odds.name-a-house-or", houses=_houses()))
        layout = load(house, given, unit)
        wagers = _chosen(layout, words, times, added, split, collected)
        if amount and words:
            for each in wagers:
                each.at(amount)
        _print(layout, wagers, amount, words, json, csv, lengths)
    except (AmountError, WagerError, StakeError, NeverDecidedError) as error:
        raise UserError(str(error)) from None


def _print(
    layout: Layout,
    wagers: list[Odds],
    amount: int,
    words: list[str],
    json: bool,
    csv: bool,
    lengths: bool,
) -> None:
    if json:
        from boxman.odds.data import house_data

        _print_json(house_data(layout, wagers, amount, lengths))
    elif csv:
        from boxman.odds.data import csv_rows

        _print_csv(csv_rows(wagers, amount))
    else:
        from boxman.odds.text import full_parts, price_list_parts
        from boxman.report.terminal import text

        parts = price_list_parts(layout, wagers, amount)
        if words and len(wagers) <= SHOWN_IN_FULL:
            for each in wagers:
                parts += full_parts(each)
        typer.echo(text(parts))


def _houses() -> str:
    from boxman.rules.book import houses

    return ", ".join(houses())


def _chosen(
    layout: Layout, words: list[str], times: str, added: str, split: str, collected: str
) -> list[Odds]:
    """The wagers asked for, and the combinations made of them."""
    from boxman.odds.names import names, select
    from boxman.odds.quote import Odds, Split

    chosen = select(layout, words) if words else names(layout)
    special = bool(times or added or split or collected)
    # Asked only for combinations, nobody wants the whole list before them.
    found = [Odds(layout, name) for name in chosen] if words or not special else []
    spots = [layout.spots[name] for name in chosen if name in layout.spots]
    if times or added:
        found += _with_odds(layout, spots, times, added)
    if split:
        parts = _whole(split, "/", "--split", "3/1")
        named = [spot.id for spot in spots if spot.share is not None and spot.share.named]
        split_by = phrase("cli.odds.is-split-by-name")
        found += [Split(layout, name, parts) for name in _some(named, split_by)]
    if collected:
        found += _collected(layout, spots, collected, bool(words))
    return found


def _with_odds(layout: Layout, spots: list[Spot], times: str, added: str) -> Iterator[Odds]:
    """Flats with odds behind them."""
    from boxman.odds.quote import MOST_ODDS, WithOdds

    much = MOST_ODDS if times == MOST_ODDS else _multiple(times or "0", "--odds")
    more = _multiple(added or "0", "--added")
    flats = [spot.id for spot in spots if spot.shape.flat]
    for flat in _some(flats, phrase("cli.odds.takes-odds")):
        yield WithOdds(layout, flat, much, more)


def _collected(layout: Layout, spots: list[Spot], text: str, named: bool) -> Iterator[Odds]:
    """Collectors that have some of their totals; of wagers nobody named, those that want them."""
    from boxman.odds.quote import partly_collected

    totals = _whole(text, ",", "--collected", "2,3,4")
    bonus = [(spot.id, spot.collection.items) for spot in spots if spot.collection is not None]
    able = [name for name, items in bonus if named or set(totals) <= set(items)]
    what = phrase("cli.odds.collects-here", totals=", ".join(map(str, totals)))
    for name in _some(able, what):
        yield partly_collected(layout, name, totals)


def _some(names: list[str], what: str) -> list[str]:
    if not names:
        raise UserError(phrase("cli.odds.none-of-these-wagers", what=what))
    return names


def _multiple(text: str, option: str) -> Fraction:
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        value = Fraction(-1)
    if value < 0:
        raise UserError(phrase("cli.odds.is-a-multiple-like", option=option, text=text))
    return value


def _whole(text: str, sign: str, option: str, example: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(sign)]
    if not all(part.isdecimal() and len(part) < 10 for part in parts):
        raise UserError(
            phrase("cli.odds.is-written-like-not", option=option, example=example, text=text)
        )
    return tuple(int(part) for part in parts)


def _compare(
    house: str, words: list[str], given: dict[str, str], chip: int, json: bool, csv: bool
) -> None:
    """All houses, the named one first and under its settings."""
    from boxman.odds.compare import compare, side_by_side
    from boxman.odds.names import WagerError, select
    from boxman.odds.quote import price_list
    from boxman.rules.book import houses
    from boxman.rules.families import FAMILIES
    from boxman.rules.ids import family

    word = house.removesuffix(".*")
    if house and house not in houses() and {word, f"{word}.*", family(house)} & set(FAMILIES):
        # All houses are compared anyway, so the first word may be a wager.
        house, words = "", [house, *words]
    if given and not house:
        raise UserError(phrase("cli.odds.say-which-house-the"))
    layouts = side_by_side(house, given, chip)
    wanted: dict[str, None] = {}
    for each in words:
        found: list[str] = []
        problem = ""
        for layout in layouts.values():
            try:
                found += select(layout, [each])
            except WagerError as error:
                problem = problem or str(error)
        if not found:
            raise UserError(problem)
        wanted |= dict.fromkeys(found)
    rows = compare({name: price_list(each) for name, each in layouts.items()}, list(wanted))
    if json:
        from boxman.odds.data import compared_data

        _print_json(compared_data(layouts, rows))
    elif csv:
        from boxman.odds.data import compared_rows

        _print_csv(compared_rows(layouts, rows))
    else:
        from boxman.odds.text import compared_parts
        from boxman.report.terminal import text

        typer.echo(text(compared_parts(layouts, rows)))


def _print_json(value: object) -> None:
    import msgspec

    typer.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def _print_csv(rows: Iterable[list[str]]) -> None:
    import csv
    import io

    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    typer.echo(text.getvalue(), nl=False)
