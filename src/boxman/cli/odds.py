"""`boxman odds`: the price list of a house, one wager in full, or all houses side by side."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boxman.cli.errors import UserError, read_settings

if TYPE_CHECKING:
    from boxman.odds.quote import Odds
    from boxman.rules.layout import Layout

SHOWN_IN_FULL = 4
"""Up to so many wagers, if named, are followed by everything there is to say of them."""


def odds(
    house: Annotated[
        str, typer.Argument(help="A house by name, or the path of a rulebook file.")
    ] = "",
    spots: Annotated[
        list[str] | None,
        typer.Argument(
            help="Wagers: place.6, place (all of them), pass.odds.6, a name on the felt."
        ),
    ] = None,
    stake: Annotated[
        str, typer.Option(help="A stake: the edge once wins are rounded, and favourable stakes.")
    ] = "",
    chip: Annotated[str, typer.Option(help="The smallest chip of the table.")] = "1",
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="A house setting, name=value; repeatable.")
    ] = None,
    times: Annotated[
        str,
        typer.Option("--odds", help="Line and come wagers with odds: a multiple, or most."),
    ] = "",
    added: Annotated[
        str, typer.Option(help="Line and come wagers raised on their number, a multiple of them.")
    ] = "",
    split: Annotated[str, typer.Option(help="The parts of a wager split by name, like 3/1.")] = "",
    collected: Annotated[
        str, typer.Option(help="Totals that bonus wagers have already, like 2,3,4.")
    ] = "",
    compare: Annotated[
        bool, typer.Option("--compare", help="All houses side by side, best and worst marked.")
    ] = False,
    lengths: Annotated[
        bool, typer.Option("--lengths", help="With --json: P(L = n) up to 200 and the tail.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON, fractions as text.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print comma-separated values.")] = False,
) -> None:
    """What every wager of a house is worth, exactly, with its clauses."""
    from boxman.chips import AmountError, parse_amount
    from boxman.odds.chain import NeverDecidedError
    from boxman.odds.names import WagerError
    from boxman.odds.pay import StakeError
    from boxman.rules.compile import load

    if json and csv:
        raise UserError("choose one of --json and --csv")
    if lengths and not json:
        raise UserError("--lengths goes with --json")
    given = read_settings(settings or [])
    words = spots or []
    try:
        unit = parse_amount(chip)
        amount = parse_amount(stake) if stake else 0
        if amount % unit:
            raise UserError(f"a stake of {stake} cannot be made with chips of {chip}")
        if compare:
            if stake or times or added or split or collected or lengths:
                raise UserError("--compare sets exact prices side by side; leave the rest out")
            _compare(house, words, given, unit, json, csv)
            return
        if not house:
            raise UserError(f"name a house: {_houses()}; or say --compare")
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
        from boxman.odds.text import full_text, price_list_text

        typer.echo(price_list_text(layout, wagers, amount, _width()))
        if words and len(wagers) <= SHOWN_IN_FULL:
            for each in wagers:
                typer.echo(f"\n{full_text(each)}")


def _width() -> int:
    """The columns of the terminal; a pipe has room."""
    from shutil import get_terminal_size

    return get_terminal_size((160, 24)).columns


def _houses() -> str:
    from boxman.rules.book import houses

    return ", ".join(houses())


def _chosen(
    layout: Layout, words: list[str], times: str, added: str, split: str, collected: str
) -> list[Odds]:
    """The wagers asked for, and the combinations made of them."""
    from boxman.odds.names import names, select
    from boxman.odds.quote import MOST, Odds, Split, WithOdds, partly_collected
    from boxman.rules.shapes import COLLECTOR, LINE, TRAVELLING

    chosen = select(layout, words) if words else names(layout)
    special = bool(times or added or split or collected)
    # Asked only for combinations, nobody wants the whole list before them.
    found = [Odds(layout, name) for name in chosen] if words or not special else []
    spots = [layout.spots[name] for name in chosen if name in layout.spots]
    if times or added:
        much = MOST if times == MOST else _multiple(times or "0", "--odds")
        more = _multiple(added or "0", "--added")
        flats = [spot.id for spot in spots if spot.shape in (LINE, TRAVELLING)]
        found += [WithOdds(layout, flat, much, more) for flat in _some(flats, "takes odds")]
    if split:
        parts = _whole(split, "/", "--split", "3/1")
        named = [spot.id for spot in spots if spot.share is not None and spot.share.named]
        found += [Split(layout, name, parts) for name in _some(named, "is split by name here")]
    if collected:
        totals = _whole(collected, ",", "--collected", "2,3,4")
        bonus = [spot for spot in spots if spot.shape is COLLECTOR]
        able = [spot.id for spot in bonus if words or set(totals) <= set(spot.bits)]
        found += [
            partly_collected(layout, name, totals)
            for name in _some(able, f"collects {', '.join(map(str, totals))} here")
        ]
    return found


def _some(names: list[str], what: str) -> list[str]:
    if not names:
        raise UserError(f"none of these wagers {what}")
    return names


def _multiple(text: str, option: str) -> Fraction:
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        value = Fraction(-1)
    if value < 0:
        raise UserError(f"{option} is a multiple like 2 or 2.5, not {text}")
    return value


def _whole(text: str, sign: str, option: str, example: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(sign)]
    if not all(part.isdecimal() and len(part) < 10 for part in parts):
        raise UserError(f"{option} is written like {example}, not {text}")
    return tuple(int(part) for part in parts)


def _compare(
    house: str, words: list[str], given: dict[str, str], chip: int, json: bool, csv: bool
) -> None:
    """All houses, the named one first and under its settings."""
    from boxman.odds.compare import compare, side_by_side
    from boxman.odds.names import WagerError, select
    from boxman.odds.quote import price_list
    from boxman.rules.book import houses
    from boxman.rules.shapes import FAMILIES, family

    word = house.removesuffix(".*")
    if house and house not in houses() and {word, f"{word}.*", family(house)} & set(FAMILIES):
        # All houses are compared anyway, so the first word may be a wager.
        house, words = "", [house, *words]
    if given and not house:
        raise UserError("say which house the settings are for")
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
        from boxman.odds.text import compared_text

        typer.echo(compared_text(layouts, rows))


def _print_json(value: Any) -> None:
    import msgspec

    typer.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def _print_csv(rows: Iterable[list[str]]) -> None:
    import csv
    import io

    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    typer.echo(text.getvalue(), nl=False)
