"""What players must be shown, for every screen to use: limits, prices, notices with their time."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache, partial
from typing import NamedTuple

from boxman.chips import format_flat
from boxman.rules.cell import ZERO, Cell, kinds_of
from boxman.rules.duties import PowerName
from boxman.rules.layout import FeeRule, Layout, Spot, classes_of
from boxman.rules.ledger import join
from boxman.table.floor.people import Announced, Kept
from boxman.table.floor.personal import MINUTE, OVER, own_limits
from boxman.table.floor.standing import hangs
from boxman.table.lines.fields import clock_time
from boxman.table.state import Cites, Table
from boxman.words import phrase, say, spoken
from boxman.words.amounts import in_money


class Shown(NamedTuple):
    """One thing on a sign."""

    what: str
    text: str
    cites: Cites


def signs(layout: Layout, table: Table) -> list[Shown]:
    """Everything the house must show at this table now."""
    posted = table.posted
    found = [
        Shown(
            f"limits {group}".rstrip(),
            _limits(layout, low, high, _units(layout, posted.unit, group), group),
            _asked(layout, _units(layout, posted.unit, group), group),
        )
        for group, low, high in (("", posted.minimum, posted.maximum), *posted.classes)
    ]
    found += [sign for spot in layout.spots.values() if (sign := _posted(layout, spot)).text]
    found += [_odds(layout, spot) for spot in layout.spots.values() if spot.behind is not None]
    given = {name: own for name, own in table.floor.grants.items() if own != OVER}
    for name, own in sorted(given.items()):
        power = layout.procedure.power("grant limits")
        low, high = own_limits(posted, own)
        text = _limits(layout, low, high, _units(layout, posted.unit))
        if groups := tuple(group for group, _, _ in posted.classes):  # those bind everybody
            text = phrase("signs.as-posted", limits=text, groups=groups)
        text = f"{name}: {text}"
        asked = join(power.cites, *power.needed.values()) if power else layout.silence
        found.append(Shown("personal limits", text, asked))
    found += [
        _kept(layout, name, each)
        for name, kept in sorted(table.floor.kept.items())
        for each in kept.each
    ]
    found += [_notice(layout, table, notice) for notice in table.floor.notices]
    found += _rounding(layout)
    if table.hand.no_rolls:
        found += _no_rolls(layout, table)
    signs = layout.procedure.signs.items()
    return found + [Shown(what, rule.value, rule.cites) for what, rule in signs]


def _kept(layout: Layout, name: str, kept: Kept) -> Shown:
    """The old minimum that a player keeps after a change, and until when at the latest."""
    power, ends = layout.procedure.power("keep limits"), layout.procedure.favour.minutes
    text = _in_money(layout, "kept", minimum=kept.minimum)
    if unit := _units(layout, kept.unit):
        text = _in_money(layout, "limits-units", limits=text, unit=unit)
    for group, low, _ in kept.classes:
        text = _in_money(layout, "kept-class", limits=text, group=group, minimum=low)
    if ends is not None:
        when = clock_time(kept.since + ends.value * MINUTE)
        text = phrase("signs.kept-until", limits=text, when=when)
    cites = join(power.cites if power else layout.silence, ends.cites if ends else ())
    return Shown("kept limits", f"{name}: {text}", cites)


def _rounding(layout: Layout) -> list[Shown]:
    """How wins and fees are rounded that chips cannot pay, where a house has chosen to."""
    found = []
    for key, rounded in (("rounded", layout.round_win), ("fee-rounded", layout.round_fee)):
        chosen = rounded.chosen
        if chosen is not None and rounded.value not in ("exact", chosen.default):
            text = _in_money(layout, f"{key}-{rounded.value}", chip=layout.chip)
            found.append(Shown(chosen.name.replace("_", " "), text, chosen.cites))
    return found


def _units(layout: Layout, posted: int, group: str = "") -> int:
    """The unit that binds a stake, where the house has one; odds have limits of their own. A house
    that has to show one shows the smallest chip where no other is posted."""
    if "unit" not in layout.limits or "odds" in group:
        return 0
    return posted or (layout.chip if "units shown" in layout.principles else 0)


def _in_money(layout: Layout, key: str, **values: object) -> str:
    """What a sign says of amounts, in the money of the house."""
    return say(f"signs.{key}", values, money=partial(in_money, layout.currency))


def _limits(
    layout: Layout, minimum: int, maximum: int, unit: int, group: str = "", way: str = "limits"
) -> str:
    """Limits as a sign has them, with their unit and what they ask multiples of."""
    text = _in_money(layout, way, minimum=minimum, maximum=maximum)
    if unit:
        text = _in_money(layout, f"{way}-units", limits=text, unit=unit)
    if "multiple" in layout.limits and "odds" not in group:
        text = _in_money(layout, f"{way}-multiples", limits=text, minimum=minimum)
    return text


def _asked(layout: Layout, unit: int, group: str) -> Cites:
    """The clauses by which limits are shown, and what they ask for besides."""
    wanted = ["minimum", "maximum", *(["unit"] if unit else [])]
    wanted += ["multiple"] if "multiple" in layout.limits and "odds" not in group else []
    return join(*(layout.limits[bound].cites for bound in wanted))


def _no_rolls(layout: Layout, table: Table) -> list[Shown]:
    """How often the shooter's throw did not count, where the dice may be taken away for it."""
    hand = table.hand
    text = phrase("signs.no-rolls", shooter=hand.shooter, n=hand.no_rolls)
    return [
        Shown("no rolls", text, power.cites)
        for power in layout.procedure.powers["order to pass"].values()
        if "repeated" in power.needs
    ]


def _posted(layout: Layout, spot: Spot) -> Shown:
    """A price on the sign, with the clauses that want it there."""
    things = ("prices", "bonus-prices") if spot.collection is not None else ("prices",)
    return _wanted(layout, price(spot), *things)


def _wanted(layout: Layout, shown: Shown, *things: str) -> Shown:
    """What is shown, with the clauses that want one of these things on a sign."""
    rules = [layout.procedure.equipment.get(("sign", thing)) for thing in things]
    return shown._replace(cites=join(shown.cites, *(rule.cites for rule in rules if rule)))


def price(spot: Spot) -> Shown:
    """The odds a spot pays, always with "to"."""
    return _price(spot, spoken())


@lru_cache(1024)
def _price(spot: Spot, _language: str) -> Shown:
    wins = list(_wins(spot))
    cites = join(*(cell.said for _, cell in wins))
    text = _paid(spot, wins)
    if (collection := spot.collection) is not None and collection.priced:
        cites = join(cites, *collection.priced)
        told = (collection.prices_text() if collection.ends else text, collection.steps_text())
        text = "; ".join(filter(None, told))
    if any(cell.lost for _, cell in wins):
        text = phrase("signs.each-part", price=text)
    if text and spot.fee is not None:
        text, cites = _with_commission(spot.fee, text, cites)
    return Shown(f"price {spot.id}", f"{spot.name}: {text}" if text else "", cites)


def _wins(spot: Spot) -> Iterator[tuple[str, Cell]]:
    """Every cell that pays, with what a sign names it by: its point, its faces or its total."""
    by_point = spot.is_odds and spot.shape.by_point
    named = _by_faces(spot)
    for puck, row in spot.rows.items():
        for kind, cell in zip(kinds_of(row), row, strict=True):
            if cell is not None and cell.win > 0:
                yield str(puck if by_point else kind if named else kind.total), cell


def _paid(spot: Spot, wins: list[tuple[str, Cell]]) -> str:
    """The odds, and where there are several those on which numbers."""
    paid: dict[str, list[str]] = {}
    for number, cell in wins:
        paid.setdefault(spot.odds(_listed(spot, cell)), []).append(number)
    several = len(paid) > 1
    return "; ".join(
        phrase("signs.on", what=odds, numbers=tuple(dict.fromkeys(numbers))) if several else odds
        for odds, numbers in paid.items()
    )


def _with_commission(fee: FeeRule, price: str, cites: Cites) -> tuple[str, Cites]:
    """A price with the commission that is charged for it, and whether the house keeps that."""
    kept = fee.charged != "win" and not fee.refund
    key = f"signs.commission.{'kept' if kept else fee.charged}"
    text = phrase(key, price=price, rate=fee.rate * 100, base=fee.base)
    return text, join(cites, fee.cites, fee.refund_cites if kept else ())


def _by_faces(spot: Spot) -> bool:
    """Whether a one-roll wager pays by the faces, and not all rolls of a total alike."""
    if not spot.shape.one_roll:
        return False
    for row in spot.rows.values():
        paid: dict[int, Fraction] = {}
        for kind, cell in zip(kinds_of(row), row, strict=True):
            win = cell.win if cell is not None else ZERO
            if paid.setdefault(kind.total, win) != win:
                return True
    return False


def _listed(spot: Spot, cell: Cell) -> Fraction:
    """The odds as the house lists them: of a wager made of others, those of the part that hit
    where the others lose, and of the whole stake where its price speaks of that."""
    share = spot.share
    if share is None or not cell.lost:
        return cell.win
    return cell.win * Fraction(sum(share.units), share.units[share.parts.index(cell.part)])


def _odds(layout: Layout, spot: Spot) -> Shown:
    assert spot.behind is not None
    numbers: dict[str, list[str]] = {}
    for n, limit in spot.behind.limits.items():
        flat = format_flat(limit.lifted)
        upto = phrase(f"signs.odds.{limit.measure}", flat=flat)
        if limit.amount:
            upto = _in_money(layout, "odds.amount", amount=limit.amount, flat=flat)
        if limit.excess:
            base = format_flat(limit.times)
            upto = phrase(f"signs.odds.excess.{limit.excess_over}", upto=upto, base=base)
        numbers.setdefault(upto, []).append(str(n))
    limits = spot.behind.limits.values()
    cites = join(*(limit.cites for limit in limits), *(limit.excess_cites for limit in limits))
    words = "; ".join(
        phrase("signs.on", what=upto, numbers=tuple(ns)) for upto, ns in numbers.items()
    )
    shown = Shown(f"odds {spot.id}", f"{spot.name}: {words}", cites)
    return _wanted(layout, shown, f"odds-limit.{spot.behind.flat.partition('.')[0]}")


def _notice(layout: Layout, table: Table, notice: Announced) -> Shown:
    what, group = notice.about
    power: PowerName = "close table" if what == "closing" else "post limits"
    wanted = hangs(layout, table, notice)
    when = clock_time(notice.due(wanted.value if wanted else 0))
    text = phrase("signs.closes", when=when)
    if what != "closing":
        posted = table.posted
        members = [s for s in layout.spots.values() if group in classes_of(s)]
        now = dict.fromkeys(map(posted.limits_of, members)) or [(posted.minimum, posted.maximum)]
        unit = _units(layout, posted.unit if group else notice.unit, group)
        limits = _limits(layout, notice.minimum, notice.maximum, unit, group, "figures")
        text = phrase("signs.new-limits", limits=limits, when=when)
        unit = _units(layout, posted.unit, group)
        old = [_limits(layout, *each, unit, group, "figures") for each in now if any(each)]
        if old:  # odds have none until some are posted
            text = phrase("signs.until-then", new=text, now=tuple(old))
    title = f"notice of {what}" + (f" {group}" if group else "")
    given = join(*(each.cites for each in layout.procedure.powers[power].values()))
    return Shown(title, text, (wanted.cites if wanted else given) or layout.silence)
