"""What differs in one wager that two houses have: names, windows, cells, limits, fees."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from boxman.chips import format_flat, format_ratio
from boxman.dice import BY_FACES, BY_TOTAL, Rolls
from boxman.rules.cell import Cell
from boxman.rules.diff.row import HouseDifference, compare
from boxman.rules.diff.told import Duties, listed
from boxman.rules.layout import ACTS, Layout, OddsLimit, ShareRule, Spot
from boxman.rules.ledger import Cited, Cites, join
from boxman.rules.shapes import Collection
from boxman.words import phrase


def spot_differences(first: Layout, second: Layout, one: Spot, two: Spot) -> list[HouseDifference]:
    found = compare(one.id, str, _acts(one), _acts(two))
    found += _cells(one, two) + _limits(one, two)
    mine, theirs = (
        _fee(spot) | _kept(side, spot) | collecting(spot)
        for side, spot in ((first, one), (second, two))
    )
    if one.share and two.share:
        if _parts(one.share) == _parts(two.share):  # the same wagers, whatever they are called
            mine.pop(phrase("diff.made-of"))
            theirs.pop(phrase("diff.made-of"))
        mine, theirs = _divided(one.share) | mine, _divided(two.share) | theirs
    if all(
        spot.behind and (not all(spot.works) or spot.markers["off"].allow) for spot in (one, two)
    ):
        mine, theirs = mine | _asleep(one), theirs | _asleep(two)
    return found + compare(one.id, str, mine, theirs, "diff.none")


def _acts(spot: Spot) -> Duties:
    """What a wager is called, when it may be made or taken down, when it works."""
    found: Duties = {phrase("diff.name"): Cited(spot.name, spot.offer_cites)}
    for act in ACTS:
        window = spot.windows[act]
        when = "on" if window.value == "any" and _ends_with_the_point(spot) else window.value
        cites = join(window.cites, spot.bars.get(act, ()))
        said = Cited(phrase(f"diff.windows.{when}"), cites)
        found[phrase("diff.may-be", act=act)] = said
    for side, words in enumerate(("off", "on")):
        works = phrase("diff.works" if spot.works[side] else "diff.sleeps")
        found[phrase(f"diff.with-the-puck.{words}")] = Cited(works, spot.works_cites[side])
    for call in ("on", "off"):
        found[phrase(f"diff.called.{call}")] = Cited(_marker(spot, call), spot.markers[call].cites)
    return found


def _ends_with_the_point(spot: Spot) -> bool:
    """Whether a wager is made with the puck on and never lies there with the puck off: whatever
    turns it decides the wager, or moves it."""
    return spot.windows["make"].value == "on" and all(
        cell is not None
        for puck in spot.rows
        if puck
        for kind, cell in zip(BY_TOTAL.kinds, _seen(spot, puck, BY_TOTAL), strict=True)
        if str(kind).rpartition(" ")[2] in ("7", str(puck))
    )


def rules_of(side: Layout, spot: Spot) -> Duties:
    """All that is said of one wager besides what rolls do to it."""
    found = _acts(spot) | _limited(spot) | _kept(side, spot) | collecting(spot)
    found.pop(phrase("diff.name"))
    return found | _fee(spot) if spot.fee is not None else found


def _limited(spot: Spot) -> Duties:
    """How much may lie behind a wager, numbers with the same limit together."""
    groups: dict[tuple[str, Cites], list[int]] = {}
    for n, limit in (spot.behind.limits if spot.behind is not None else {}).items():
        cites = join(limit.cites, limit.excess_cites)
        groups.setdefault((_limit(limit), cites), []).append(n)
    return {
        phrase("diff.limit-on", numbers=listed(numbers)): Cited(words, cites)
        for (words, cites), numbers in groups.items()
    }


def _limit(limit: OddsLimit) -> str:
    unit = limit.excess_over and f" {limit.excess_over} unit"
    base = format_flat(limit.times)
    return phrase(f"diff.limits.{limit.measure}{unit}", most=limit.shown, base=base)


def _divided(share: ShareRule) -> Duties:
    """How a stake of several parts divides."""
    way = "named" if share.named else share.divide
    return {phrase("diff.parts"): Cited(phrase(f"diff.divided.{way}"), share.cites)}


def _parts(share: ShareRule) -> dict[str, int]:
    """What a wager is made of."""
    return dict(zip(share.parts, share.units, strict=True))


def _kept(side: Layout, spot: Spot) -> Duties:
    """What becomes of a winner, and what a wager is made of."""
    again = "unasked" if spot.unasked else "asked" if spot.again_cites else "never"
    found: Duties = {
        phrase("diff.winner"): Cited(phrase(f"diff.winners.{again}"), spot.again_cites)
    }
    if spot.share is not None:
        made = _parts(spot.share).items()
        words = phrase(
            f"diff.shares.{spot.share.divide}{'-named' if spot.share.named else ''}",
            parts=", ".join(f"{unit} × {side.spots[part].name}" for part, unit in made),
        )
        found[phrase("diff.made-of")] = Cited(words, spot.share.cites)
    return found


def _asleep(spot: Spot) -> Duties:
    """What becomes of odds that sleep when their flat is decided."""
    assert spot.behind is not None
    words = phrase(f"diff.asleep-odds.{'back' if spot.behind.asleep else 'stand'}")
    return {phrase("diff.asleep"): Cited(words, spot.behind.asleep_cites)}


def collecting(spot: Spot) -> dict[str, Cited[str]]:
    """What a wager with a memory collects, pays by how much it has, and until when it is joined."""
    found: dict[str, Cited[str]] = {}
    collection, gate = spot.collection, spot.gate
    if collection is not None:
        found[phrase("diff.collects")] = Cited(_collected(collection), ())
        for size, (odds, cites) in sorted(collection.ends.items()):
            far = collection.far_text([size])
            found[phrase("diff.with-collected", size=far)] = Cited(format_ratio(odds), cites)
        if collection.steps:
            cites = join((), *(cites for _, cites in collection.steps.values()))
            found[phrase("diff.on-the-way")] = Cited(collection.steps_text(), cites)
    if gate is not None:
        found[phrase("diff.joined")] = Cited(phrase(f"diff.gates.{gate.until}"), gate.cites)
    return found


def _collected(collection: Collection) -> str:
    """What is collected, how often, and how much of it is enough."""
    items, often = collection.items, collection.times
    if collection.together:
        return phrase("diff.collected.together", times=often[0])
    each = [
        phrase("diff.collected.each", item=i, times=n) for i, n in zip(items, often, strict=True)
    ]
    how = "differ" if len(set(often)) > 1 else "often" if often[0] > 1 else "once"
    words = phrase(f"diff.collected.{how}", items=listed(items), times=often[0], each=each)
    if collection.enough < len(items):
        words = phrase("diff.collected.enough", words=words, enough=collection.enough)
    return phrase("diff.collected.in-a-row", words=words) if collection.in_a_row else words


def _marker(spot: Spot, call: str) -> str:
    rule = spot.markers[call]
    if not rule.allow:
        return phrase("diff.not-at-all")
    return phrase("diff.marker", puck=rule.puck, scope=rule.scope, lasts=rule.lasts)


def _fee(spot: Spot) -> Duties:
    fee = spot.fee
    if fee is None:
        return {phrase("diff.fee"): Cited(phrase("diff.no-fee"), ())}
    key = "won" if fee.charged == "win" else "back" if fee.refund else "kept"
    said = phrase(f"diff.fees.{key}", rate=fee.rate * 100, base=fee.base)
    cites = join(fee.cites, fee.charged_cites, () if key == "won" else fee.refund_cites)
    return {phrase("diff.fee"): Cited(said, cites)}


def verdict_words(
    cell: Cell | None, odds: Callable[[Fraction], str] = format_ratio, paid: bool = False
) -> str:
    """What a roll does to a wager; prices in lowest terms, so that equal ones read alike. `paid`:
    it may be paid when it is ended."""
    if cell is None:
        return phrase("diff.verdicts.stay")
    if cell.verdict == "win":
        return phrase("diff.verdicts.win", ratio=odds(cell.net))
    if cell.verdict == "move":
        return phrase("diff.verdicts.move", to=cell.to)
    if cell.verdict == "collect":
        how = "collect" if cell.num else "collects"
        return phrase(f"diff.verdicts.{how}", ratio=odds(cell.win))
    if cell.verdict == "lose" and paid:
        return phrase("diff.verdicts.ends")
    return phrase(f"diff.verdicts.{cell.verdict}")


def _cells(one: Spot, two: Spot) -> list[HouseDifference]:
    """Cells that differ, those of the same kind joined over totals and pucks."""
    groups: dict[tuple[str, str], tuple[dict[str, list[int]], Cites, Cites]] = {}
    both = set(one.rows) & set(two.rows)
    # A point that only one house has differs for what is decided by the point, and for no other.
    pucks = sorted(set(one.rows) | set(two.rows) if one.shape.by_point else both)
    told = BY_FACES if one.by_faces or two.by_faces else BY_TOTAL
    for puck in pucks:
        rows = [_seen(spot, puck, told) for spot in (one, two)]
        for kind, a, b in zip(told.kinds, *rows, strict=True):
            words = (_cell(one, puck, a), _cell(two, puck, b))
            if words[0] != words[1] and (a or b):
                where, a_cites, b_cites = groups.setdefault(words, ({}, (), ()))
                where.setdefault(str(kind), []).append(puck)
                groups[words] = (
                    where,
                    join(a_cites, a.said if a else ()),
                    join(b_cites, b.said if b else ()),
                )
    points = [puck for puck in pucks if puck]
    return [
        HouseDifference(
            one.id, _when(where, points if one.shape.by_point else []), a, b, a_cites, b_cites
        )
        for (a, b), (where, a_cites, b_cites) in groups.items()
    ]


def _seen(spot: Spot, puck: int, told: Rolls) -> list[Cell | None]:
    """What each kind of roll does to a spot, whichever kinds its house tells apart."""
    if puck not in spot.rows:
        return [None] * len(told.kinds)
    own = BY_FACES if len(spot.rows[puck]) == len(BY_FACES.kinds) else BY_TOTAL
    found = []
    for roll in told.rolls:
        cell, bar = spot.rows[puck][own.index(roll)], spot.stays[puck][own.index(roll)]
        found.append(bar if bar is not None and bar.verdict == "bar" else cell)
    return found


def _cell(spot: Spot, puck: int, cell: Cell | None) -> str:
    if puck not in spot.rows:
        return phrase("diff.no-such-point")
    if cell and cell.verdict == "move":
        return phrase("diff.moves")
    return verdict_words(cell, paid=spot.paid_at_its_end)


def _when(where: dict[str, list[int]], points: list[int]) -> str:
    """The rolls of a difference, and with which puck where that matters."""
    by_puck: dict[str, list[str]] = {}
    for kind, pucks in _hard_and_easy(where).items():
        on = [puck for puck in pucks if puck]
        parts = [phrase("diff.come-out")] if 0 in pucks else []
        if on == points:
            parts.append(phrase("diff.any-point"))
        elif on:
            parts.append(phrase("diff.point", points=listed(on)))
        by_puck.setdefault(phrase("joined.and").join(parts) if points else "", []).append(kind)
    return "; ".join(
        phrase("diff.on-when", rolls=_rolls(kinds), when=when)
        if when
        else phrase("diff.on", rolls=_rolls(kinds))
        for when, kinds in by_puck.items()
    )


def _rolls(kinds: Iterable[str]) -> str:
    """Kinds of rolls as one lists them."""
    return listed(
        phrase(f"diff.rolls.{way}", total=total) if way in ("hard", "easy") else kind
        for kind in kinds
        for way, _, total in [kind.rpartition(" ")]
    )


def _hard_and_easy(where: dict[str, list[int]]) -> dict[str, list[int]]:
    """A total that differs in the same way thrown hard or easy is told once."""
    found: dict[str, list[int]] = {}
    for kind, pucks in where.items():
        way, _, total = kind.rpartition(" ")
        other = {"easy": f"hard {total}", "hard": f"easy {total}"}.get(way)
        same = other is not None and where.get(other) == pucks
        found[total if same else kind] = pucks
    return found


def _limits(one: Spot, two: Spot) -> list[HouseDifference]:
    if one.behind is None or two.behind is None:
        return []
    groups: dict[tuple[str, str], tuple[list[int], Cites, Cites]] = {}
    for n in sorted(set(one.behind.limits) & set(two.behind.limits)):
        a, b = one.behind.limits[n], two.behind.limits[n]
        first, second = _limit(a), _limit(b)
        if first != second:
            numbers, a_cites, b_cites = groups.setdefault((first, second), ([], (), ()))
            groups[first, second] = (
                [*numbers, n],
                join(a_cites, a.cites, a.excess_cites),
                join(b_cites, b.cites, b.excess_cites),
            )
    return [
        HouseDifference(
            one.id,
            phrase("diff.limit-on", numbers=listed(numbers)),
            first,
            second,
            a_cites,
            b_cites,
        )
        for (first, second), (numbers, a_cites, b_cites) in groups.items()
    ]
