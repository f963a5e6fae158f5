"""What players must be shown, for every screen to use: limits, prices, notices with their time."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from boxman.chips import format_amount as money
from boxman.chips import format_ratio
from boxman.rules.cell import Cell, kinds_of
from boxman.rules.layout import Layout, Spot
from boxman.rules.ledger import join
from boxman.table.state import Cites, Table


class Shown(NamedTuple):
    """One thing on a sign."""

    what: str
    text: str
    cites: Cites


def signs(layout: Layout, table: Table) -> list[Shown]:
    """Everything the house must show at this table now."""
    posted = table.posted
    limits = [layout.limits["minimum"].cites, layout.limits["maximum"].cites]
    text = f"minimum {money(posted.minimum)}, maximum {money(posted.maximum)}"
    if posted.unit and "unit" in layout.limits:
        text += f", units of {money(posted.unit)}"
        limits.append(layout.limits["unit"].cites)
    if "multiple" in layout.limits:
        text += f", in multiples of {money(posted.minimum)}"
        limits.append(layout.limits["multiple"].cites)
    found = [Shown("limits", text, join(*limits))]
    found += [
        Shown(f"limits {name}", f"minimum {money(low)}, maximum {money(high)}", join(*limits))
        for name, low, high in posted.classes
    ]
    found += [price(spot) for spot in layout.spots.values() if price(spot).text]
    found += [_odds(spot) for spot in layout.spots.values() if spot.behind is not None]
    for name, own in sorted(table.floor.grants.items()):
        power = layout.procedure.power("grant limits")
        text = f"{name}: minimum {money(own.minimum)}, maximum {money(own.maximum)}"
        found.append(Shown("personal limits", text, power.cites if power else layout.silence))
    if table.floor.notice is not None:
        found.append(_notice(layout, table))
    if table.hand.no_rolls:
        found += _no_rolls(layout, table)
    signs = layout.procedure.signs.items()
    return found + [Shown(what, rule.value, rule.cites) for what, rule in signs]


def _no_rolls(layout: Layout, table: Table) -> list[Shown]:
    """How often the shooter's throw did not count, where the dice may be taken away for it."""
    hand = table.hand
    text = f"{hand.shooter}: {hand.no_rolls} no roll{'s' if hand.no_rolls > 1 else ''}"
    return [
        Shown("no rolls", text, power.cites)
        for power in layout.procedure.powers["order to pass"].values()
        if "repeated" in power.needs
    ]


def price(spot: Spot) -> Shown:
    """The odds a spot pays, always with "to"."""
    paid: dict[str, list[str]] = {}
    cites: Cites = ()
    by_point = spot.is_odds and spot.shape.by_point
    for puck, row in spot.rows.items():
        for kind, cell in zip(kinds_of(row), row, strict=True):
            if cell is not None and cell.win > 0:
                odds = format_ratio(_listed(spot, cell))
                paid.setdefault(odds, []).append(str(puck if by_point else kind.total))
                cites = join(cites, cell.said)
    several = len(paid) > 1
    text = "; ".join(
        f"{odds} on {', '.join(dict.fromkeys(totals))}" if several else odds
        for odds, totals in paid.items()
    )
    if text and spot.share is not None:
        text += ", each on its part of the stake"
    if text and spot.fee is not None:
        text += f", commission {spot.fee.rate * 100}% of the {spot.fee.base}"
        cites = join(cites, spot.fee.cites)
    return Shown(f"price {spot.id}", f"{spot.name}: {text}" if text else "", cites)


def _listed(spot: Spot, cell: Cell) -> Fraction:
    """The odds as the house lists them: of a wager made of others, those of the part that hit."""
    share = spot.share
    if share is None or not cell.part:
        return cell.win
    return cell.win * Fraction(sum(share.units), share.units[share.parts.index(cell.part)])


def _odds(spot: Spot) -> Shown:
    assert spot.behind is not None
    times: dict[str, list[str]] = {}
    for n, limit in spot.behind.limits.items():
        upto = f"up to {limit.lifted} times" if limit.measure == "stake" else _to_win(limit.lifted)
        upto += " or the next payable amount" if limit.excess else ""
        times.setdefault(upto, []).append(str(n))
    limits = spot.behind.limits.values()
    cites = join(*(limit.cites for limit in limits), *(limit.excess_cites for limit in limits))
    words = "; ".join(f"{upto} on {', '.join(ns)}" for upto, ns in times.items())
    return Shown(f"odds {spot.id}", f"{spot.name}: {words}", cites)


def _to_win(times: int) -> str:
    return f"to win up to {times} times the flat"


def _figures(minimum: int, maximum: int, unit: int) -> str:
    """Limits as a sign has them, with their unit if there is one."""
    return f"{money(minimum)}-{money(maximum)}" + (f" in units of {money(unit)}" if unit else "")


def _notice(layout: Layout, table: Table) -> Shown:
    notice = table.floor.notice
    assert notice is not None
    what = notice.what
    rules = layout.procedure.notice.of(what)
    minutes = max((rule.value for rule in rules), default=0)
    until = notice.since + minutes * 60
    when = f"{until // 3600:02d}:{until // 60 % 60:02d}"
    now = _figures(table.posted.minimum, table.posted.maximum, table.posted.unit)
    text = f"closes at {when}"
    if what != "closing":
        text = f"{_figures(*notice.limits)} from {when}, {now} until then"
    return Shown(f"notice of {what}", text, join(*(r.cites for r in rules)) or layout.silence)
