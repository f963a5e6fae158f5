"""What differs between two compiled houses, spot by spot and cell by cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from boxman.chips import format_ratio
from boxman.dice import KINDS
from boxman.rules.layout import ACTS, DONE, Cell, Layout, Spot
from boxman.rules.ledger import Cites, show

ABSENT = "not offered"


class Difference(NamedTuple):
    """One thing that two houses see differently, with the clauses on both sides."""

    spot: str
    what: str
    first: str
    second: str
    first_cites: Cites
    second_cites: Cites


def differences(first: Layout, second: Layout) -> list[Difference]:
    """Everything that differs, in the order of the felt, then the table around it."""
    found: list[Difference] = []
    order = [*first.spots, *(spot for spot in second.spots if spot not in first.spots)]
    for name in order:
        one, two = first.spots.get(name), second.spots.get(name)
        if one is None or two is None:
            found.append(
                Difference(
                    name,
                    "offer",
                    one.name if one else ABSENT,
                    two.name if two else ABSENT,
                    one.offer_cites if one else (),
                    two.offer_cites if two else (),
                )
            )
        else:
            found += _spot(one, two)
    return found + _table(first, second) + _procedure(first, second)


def _spot(one: Spot, two: Spot) -> list[Difference]:
    found = []
    if one.name != two.name:
        found.append(_row(one, "name", one.name, two.name, one.offer_cites, two.offer_cites))
    for act in ACTS:
        a, b = one.windows[act], two.windows[act]
        if a.value != b.value:
            words = f"may be {DONE[act]} with the puck"
            found.append(_row(one, words, a.value, b.value, a.cites, b.cites))
    for side, words in enumerate(("off", "on")):
        if one.works[side] != two.works[side]:
            found.append(
                _row(
                    one,
                    f"with the puck {words}",
                    "works" if one.works[side] else "sleeps",
                    "works" if two.works[side] else "sleeps",
                    one.works_cites[side],
                    two.works_cites[side],
                )
            )
    for call in ("on", "off"):
        m, n = one.markers[call], two.markers[call]
        a2, b2 = _marker(one, call), _marker(two, call)
        if a2 != b2:
            found.append(_row(one, f"called {call}", a2, b2, m.cites, n.cites))
    found += _cells(one, two)
    found += _limits(one, two)
    if one.fee or two.fee:
        a3, b3 = _fee(one), _fee(two)
        if a3 != b3:
            cites = [spot.fee.cites if spot.fee else () for spot in (one, two)]
            found.append(_row(one, "fee", a3, b3, cites[0], cites[1]))
    return found


def _row(spot: Spot, what: str, a: str, b: str, a_cites: Cites, b_cites: Cites) -> Difference:
    return Difference(spot.id, what, a, b, a_cites, b_cites)


def _marker(spot: Spot, call: str) -> str:
    rule = spot.markers[call]
    if not rule.allow:
        return "not at all"
    return f"puck {rule.puck}, for {rule.scope}, lasts {rule.lasts}"


def _fee(spot: Spot) -> str:
    if spot.fee is None:
        return "none"
    back = "given back" if spot.fee.refund else "kept"
    return f"{spot.fee.rate * 100}% of {spot.fee.base} at {spot.fee.charged}, {back} on removal"


def verdict_words(cell: Cell | None) -> str:
    if cell is None:
        return "stands"
    if cell.verdict == "win":
        return f"wins {format_ratio(cell.net)}"
    if cell.verdict == "move":
        return f"moves to {cell.to}"
    if cell.verdict == "collect":
        return f"collects, {format_ratio(cell.win)} when complete"
    return {"lose": "loses", "push": "pushes", "bar": "is barred"}[cell.verdict]


def _cells(one: Spot, two: Spot) -> list[Difference]:
    """Cells that differ, those of the same kind joined over totals and pucks."""
    groups: dict[tuple[str, str], tuple[list[str], Cites, Cites]] = {}
    for puck in sorted(set(one.rows) | set(two.rows)):
        rows = [
            [
                bar if bar is not None and bar.verdict == "bar" else cell
                for cell, bar in zip(
                    spot.rows.get(puck, _EMPTY), spot.stays.get(puck, _EMPTY), strict=True
                )
            ]
            for spot in (one, two)
        ]
        for kind, a, b in zip(KINDS, *rows, strict=True):
            words = (verdict_words(a), verdict_words(b))
            if words[0] != words[1]:
                where, a_cites, b_cites = groups.setdefault(words, ([], (), ()))
                where.append(f"{kind}" + (f" (puck {puck})" if one.shape.by_point else ""))
                groups[words] = (
                    where,
                    a_cites or (a.said if a else ()),
                    b_cites or (b.said if b else ()),
                )
    return [
        _row(one, f"on {', '.join(dict.fromkeys(where))}", a, b, a_cites, b_cites)
        for (a, b), (where, a_cites, b_cites) in groups.items()
    ]


_EMPTY: tuple[Cell | None, ...] = (None,) * len(KINDS)


def _limits(one: Spot, two: Spot) -> list[Difference]:
    if one.behind is None or two.behind is None:
        return []
    found = []
    for n in sorted(set(one.behind.limits) & set(two.behind.limits)):
        a, b = one.behind.limits[n], two.behind.limits[n]
        words = [
            f"{limit.measure} up to {limit.lifted} times the flat"
            + (", or the next payable unit" if limit.excess else "")
            for limit in (a, b)
        ]
        if words[0] != words[1]:
            found.append(_row(one, f"limit on {n}", words[0], words[1], a.cites, b.cites))
    return found


def _compare(
    where: str,
    what: Callable[[Any], str],
    ones: Mapping[Any, Any],
    twos: Mapping[Any, Any],
    words: Callable[[Any], str] = lambda rule: show(rule.value),
    absent: str = "-",
) -> list[Difference]:
    """Two sets of rules question by question; a rule one of them lacks is `absent`."""
    found = []
    for key in dict.fromkeys([*ones, *twos]):
        a, b = ones.get(key), twos.get(key)
        said = [words(rule) if rule else absent for rule in (a, b)]
        if said[0] != said[1]:
            cites = [rule.cites if rule else () for rule in (a, b)]
            found.append(Difference(where, what(key), said[0], said[1], cites[0], cites[1]))
    return found


def _table(first: Layout, second: Layout) -> list[Difference]:
    found = []
    points = [", ".join(map(str, layout.points)) for layout in (first, second)]
    if points[0] != points[1]:
        found.append(Difference("table", "points", points[0], points[1], (), ()))
    found += _compare(
        "table", lambda act: f"players may {act} until the", first.betting, second.betting
    )
    sums = [{"win": side.round_win, "fee": side.round_fee} for side in (first, second)]
    found += _compare(
        "table", lambda sum_: f"a {sum_} chips cannot pay is rounded", sums[0], sums[1]
    )
    found += _compare(
        "table",
        lambda key: f"a stake {key[0]} found in play, {key[1]} time",
        first.recognise,
        second.recognise,
    )
    found += _compare(
        "table", lambda bound: f"a stake outside the posted {bound}", first.limits, second.limits
    )
    return found


def _procedure(first: Layout, second: Layout) -> list[Difference]:
    """Who may do what, what voids a throw, and the other duties, where they differ."""
    one, two = first.procedure, second.procedure
    found = _compare(
        "people",
        lambda key: f"who may {key[0]}" + (f" for {key[1]}" if key[1] else ""),
        one.powers,
        two.powers,
        lambda power: ", ".join(sorted(power.who)),
        "nobody",
    )
    found += _compare(
        "throws",
        lambda name: f"a throw with {name}",
        one.causes,
        two.causes,
        lambda c: str(c.effect),
    )
    found += _compare("procedure", lambda key: f"{key[0]}: {key[1]}", one.rules, two.rules)
    for part in ("order", "eligible", "no_shooter", "faces"):
        title = part.replace("_", " ")
        sides = [{f"{title}: {key}": r for key, r in getattr(p, part).items()} for p in (one, two)]
        found += _compare("shooter", str, sides[0], sides[1])
    return found
