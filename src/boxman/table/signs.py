"""What players must be shown, for every screen to use: limits, prices, notices with their time."""

from __future__ import annotations

from typing import NamedTuple

from boxman.chips import format_amount as money
from boxman.chips import format_ratio
from boxman.dice import KINDS
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
    for name, (low, high) in sorted(table.floor.grants.items()):
        power = layout.procedure.powers.get(("grant limits", ""))
        text = f"{name}: minimum {money(low)}, maximum {money(high)}"
        found.append(Shown("personal limits", text, power.cites if power else layout.listed))
    if table.floor.notice is not None:
        found.append(_notice(layout, table))
    if table.hand.no_rolls:
        found += _no_rolls(layout, table)
    for (kind, what), rule in layout.procedure.rules.items():
        if kind == "sign":
            found.append(Shown(what, str(rule.value), rule.cites))
    return found


def _no_rolls(layout: Layout, table: Table) -> list[Shown]:
    """How often the shooter's throw did not count, where the dice may be taken away for it."""
    hand = table.hand
    text = f"{hand.shooter}: {hand.no_rolls} no roll{'s' if hand.no_rolls > 1 else ''}"
    return [
        Shown("no rolls", text, power.cites)
        for (call, _), power in layout.procedure.powers.items()
        if call == "order to pass" and "repeated" in power.needs
    ]


def price(spot: Spot) -> Shown:
    """The odds a spot pays, always with "to"."""
    paid: dict[str, list[str]] = {}
    cites: Cites = ()
    by_point = spot.is_odds and spot.shape.by_point
    for puck, row in spot.rows.items():
        for kind, cell in zip(KINDS, row, strict=True):
            if cell is not None and cell.win > 0:
                odds = format_ratio(cell.net if cell.part else cell.win)
                paid.setdefault(odds, []).append(str(puck if by_point else kind.total))
                cites = join(cites, cell.said)
    several = len(paid) > 1
    text = "; ".join(
        f"{odds} on {', '.join(dict.fromkeys(totals))}" if several else odds
        for odds, totals in paid.items()
    )
    return Shown(f"price {spot.id}", f"{spot.name}: {text}" if text else "", cites)


def _odds(spot: Spot) -> Shown:
    assert spot.behind is not None
    times: dict[int, list[str]] = {}
    for n, limit in spot.behind.limits.items():
        times.setdefault(limit.lifted, []).append(str(n))
    cites = join(*(limit.cites for limit in spot.behind.limits.values()))
    words = "; ".join(f"up to {k} times on {', '.join(ns)}" for k, ns in times.items())
    return Shown(f"odds {spot.id}", f"{spot.name}: {words}", cites)


def _notice(layout: Layout, table: Table) -> Shown:
    assert table.floor.notice is not None
    what, at, low, high, _ = table.floor.notice
    keys = ("closing",) if what == "closing" else ("minimum up", "limits")
    rules = [r for key in keys if (r := layout.procedure.rules.get(("notice", key)))]
    minutes = max((rule.value for rule in rules), default=0)
    until = at + minutes * 60
    when = f"{until // 3600:02d}:{until // 60 % 60:02d}"
    now = f"{money(table.posted.minimum)}-{money(table.posted.maximum)}"
    text = f"closes at {when}"
    if what != "closing":
        text = f"{money(low)}-{money(high)} from {when}, {now} until then"
    return Shown(f"notice of {what}", text, join(*(r.cites for r in rules)) or layout.listed)
