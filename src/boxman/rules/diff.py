"""What differs between two compiled houses, spot by spot and cell by cell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple, TypeVar

from boxman.chips import format_ratio
from boxman.dice import BY_FACES, BY_TOTAL, Rolls
from boxman.rules.cell import Cell
from boxman.rules.ids import family, number
from boxman.rules.layout import ACTS, Layout, OddsLimit, SettingRule, ShareRule, Spot
from boxman.rules.ledger import Cited, Cites, join, show
from boxman.rules.procedure import Power, Procedure
from boxman.rules.shapes import Collection
from boxman.rules.told import (
    DISORDER,
    DISTURBANCES,
    Duties,
    duties_of,
    listed,
    people,
    reversals,
    said,
    throwing,
    word,
)
from boxman.words import phrase
from boxman.words.say import has

K = TypeVar("K")
OWN_REASON = ("decide faces", "no roll")
"""Powers that, given without a reason, are not for every case: a face may be decided and the throw
not voided, and a bare no roll is a call of its own."""
REASONS = ("no players", "all agree", "notice")
"""What a power wants that its reason, or the minutes of notice, tell already."""


class HouseDifference(NamedTuple):
    """One thing that two houses see differently, with the clauses on both sides."""

    spot: str
    what: str
    first: str
    second: str
    first_cites: Cites
    second_cites: Cites


def differences(first: Layout, second: Layout) -> list[HouseDifference]:
    """Everything that differs, in the order of the felt, then the table around it."""
    found: list[HouseDifference] = []
    order = [*first.spots, *(spot for spot in second.spots if spot not in first.spots)]
    for name in order:
        one, two = first.spots.get(name), second.spots.get(name)
        if one is None or two is None:
            found.append(
                HouseDifference(
                    name,
                    phrase("diff.offer"),
                    one.name if one else phrase("diff.absent"),
                    two.name if two else phrase("diff.absent"),
                    one.offer_cites if one else (),
                    two.offer_cites if two else (),
                )
            )
        else:
            found += _spot(first, second, one, two)
    return found + _table(first, second) + _procedure(first, second)


def _spot(first: Layout, second: Layout, one: Spot, two: Spot) -> list[HouseDifference]:
    found = _compare(one.id, str, _acts(one), _acts(two))
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
    return found + _compare(one.id, str, mine, theirs, "diff.none")


def _acts(spot: Spot) -> Duties:
    """What a wager is called, when it may be made or taken down, when it works."""
    found: Duties = {phrase("diff.name"): Cited(spot.name, spot.offer_cites)}
    for act in ACTS:
        window = spot.windows[act]
        when = "on" if window.value == "any" and _ends_with_the_point(spot) else window.value
        said = Cited(phrase(f"diff.windows.{when}"), window.cites)
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
    unit = " or unit" if limit.excess else ""
    return phrase(f"diff.limits.{limit.measure}{unit}", n=limit.shown)


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
                    a_cites or (a.said if a else ()),
                    b_cites or (b.said if b else ()),
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


def _compare(
    where: str,
    what: Callable[[K], str],
    ones: Mapping[K, Cited[object]],
    twos: Mapping[K, Cited[object]],
    absent: str = "diff.silent",
) -> list[HouseDifference]:
    """Two sets of rules question by question; a rule one of them lacks is `absent`."""
    found = []
    for key in dict.fromkeys([*ones, *twos]):
        a, b = ones.get(key), twos.get(key)
        said = [show(rule.value) if rule else phrase(absent) for rule in (a, b)]
        if said[0] != said[1]:
            cites = [rule.cites if rule else () for rule in (a, b)]
            found.append(HouseDifference(where, what(key), said[0], said[1], cites[0], cites[1]))
    return found


def _together(
    where: str,
    what: Callable[[str, str], str],
    ones: Mapping[tuple[str, str], Cited[object]],
    twos: Mapping[tuple[str, str], Cited[object]],
    absent: str = "diff.silent",
) -> list[HouseDifference]:
    """The same of topics with their cases: cases that differ alike are one row."""
    alike: dict[tuple[str, HouseDifference], list[str]] = {}
    for row in _compare(where, "\n".join, ones, twos, absent):
        topic, _, case = row.what.partition("\n")
        words = [word("reasons", case)] if case else []
        alike.setdefault((topic, row._replace(what="")), []).extend(words)
    return [
        row._replace(what=what(topic, listed(sorted(cases))))
        for (topic, row), cases in alike.items()
    ]


def _until(rules: Mapping[str, Cited[str]]) -> dict[str, Cited[str]]:
    """Until when something may be done."""
    return {
        act: Cited(phrase(f"diff.until.{r.value}"), r.cites) if has(f"diff.until.{r.value}") else r
        for act, r in rules.items()
    }


def _table(first: Layout, second: Layout) -> list[HouseDifference]:
    found: list[HouseDifference] = []
    points = [
        {
            "": Cited(
                listed(side.points),
                join(*(m.cites[:1] for m in side.puck[0] if m.event == "point")),
            )
        }
        for side in (first, second)
    ]
    found += _compare("table", lambda _: phrase("diff.points"), points[0], points[1])
    found += _compare(
        "table",
        lambda act: phrase(f"diff.betting.{act}"),
        _until(first.betting),
        _until(second.betting),
    )
    sums = [
        said("ways", {"win": side.round_win, "fee": side.round_fee}) for side in (first, second)
    ]
    found += _compare("table", lambda sum_: phrase(f"diff.rounded.{sum_}"), sums[0], sums[1])
    found += _compare(
        "table",
        lambda key: phrase(f"diff.found.{key[1]}", case=key[0]),
        _recognised(first),
        _recognised(second),
    )
    found += _compare(
        "table",
        lambda bound: phrase("diff.outside", bound=bound),
        said("found-as", first.limits),
        said("found-as", second.limits),
    )
    lowered = [
        {"up": Cited(phrase(f"diff.lowered.{_paid_by(side)}"), side.principles.get(LATE, ()))}
        for side in (first, second)
    ]
    found += _compare("table", lambda _: phrase("diff.lowered-maximum"), lowered[0], lowered[1])
    return found + _settings(first, second)


def _recognised(side: Layout) -> dict[tuple[str, str], Cited[str]]:
    """What becomes of a stake that staff find; one that misses the posted unit counts up to it,
    unless a clause says otherwise."""
    found = said("found-as", side.recognise)
    unit = side.limits.get("unit")
    lower = Cited(phrase("diff.no-multiples"), ())
    if unit is not None:
        lower = Cited(phrase("diff.lower-unit"), unit.cites)
    return {("not a multiple", time): lower for time in ("first", "later")} | found


LATE = "maximum when settled"


def _paid_by(side: Layout) -> str:
    """Which maximum a stake is paid by that was up when it changed."""
    return "late" if LATE in side.principles else "made"


def _settings(first: Layout, second: Layout) -> list[HouseDifference]:
    """What the houses may choose, where their choices or what they choose unasked differ."""
    rules = [
        {name: Cited(_choices(side, rule), rule.cites) for name, rule in side.setting_rules.items()}
        for side in (first, second)
    ]
    found = _compare(
        "table",
        lambda name: phrase("diff.setting", name=word("settings", name)),
        rules[0],
        rules[1],
        absent="diff.no-choice",
    )
    more = [
        {"more": Cited(phrase("diff.forbidden"), side.fee_only)} if side.fee_only else {}
        for side in (first, second)
    ]
    return found + _compare("table", lambda _: phrase("diff.more-than-the-fee"), more[0], more[1])


def _choices(side: Layout, rule: SettingRule) -> str:
    """What a setting may be, and what it is where nobody says. A fee that nothing may go beyond is
    not rounded up."""
    if rule.type == "price":
        return phrase("diff.above-the-list")
    barred = "up" if rule.name == "fee_rounding" and side.fee_only else ""
    named = [word(f"chosen.{rule.name}", str(each)) for each in rule.choices if each != barred]
    if len(named) == 1:
        return phrase("diff.one-choice", default=named[0])
    choices = listed(named, "or") if named else phrase(f"diff.choice-of.{rule.type}")
    if rule.type != "sign" and (rule.least is not None or rule.most is not None):
        most = rule.most if rule.most is not None else phrase("diff.any-number")
        choices = phrase("diff.between", least=rule.least or 0, most=most)
    default = word(f"chosen.{rule.name}", show(rule.default))
    return phrase("diff.choices", choices=choices, default=default)


def _procedure(first: Layout, second: Layout) -> list[HouseDifference]:
    """Who may do what, what voids a throw, and the other duties, where they differ."""
    one, two = first.procedure, second.procedure
    powers = [_powers(side, other) for side, other in ((one, two), (two, one))]
    found = _together(
        "people",
        lambda call, reason: (
            phrase("diff.who-may-for", power=word("powers", call), reason=reason)
            if reason
            else phrase("diff.who-may", power=word("powers", call))
        ),
        powers[0],
        powers[1],
        "diff.nobody",
    )
    found += _compare(
        "throws",
        lambda name: phrase("diff.throw", cause=word("causes", name)),
        _grounds(one),
        _grounds(two),
    )
    noted = phrase("diff.duties.record", what="")
    found += [
        row if not row.what.startswith(noted) else _noted(row)
        for row in _compare("procedure", str, duties_of(first), duties_of(second))
    ]
    found += _together(
        "procedure",
        lambda _, reason: phrase("diff.duties.taken-back", why=reason),
        reversals(first),
        reversals(second),
    )
    return found + _compare("shooter", str, throwing(first), throwing(second))


def _noted(row: HouseDifference) -> HouseDifference:
    """That staff do not note a thing is not that nothing is said of it."""
    none, silent = phrase("diff.duties.not-noted"), phrase("diff.silent")
    sides = [none if text == silent else text for text in (row.first, row.second)]
    return row._replace(first=sides[0], second=sides[1])


def _powers(one: Procedure, two: Procedure) -> dict[tuple[str, str], Cited[object]]:
    """Who may do what, by the kind of the reason, in every case that either house tells apart."""
    cases = dict.fromkeys((power.call, power.kind) for side in (one, two) for power in side.granted)
    for call, kind in list(cases):
        if kind in DISORDER:  # one word for all of them
            del cases[call, kind]
            cases |= dict.fromkeys((call, each) for each in DISTURBANCES)
    found: dict[tuple[str, str], Cited[object]] = {}
    for call, kind in cases:
        given = [power for power in one.granted if power.call == call]
        same = [power for power in given if power.kind == kind]
        if not same and call not in OWN_REASON:
            same = [power for power in given if not power.reason]
        if not same and kind in DISTURBANCES:
            same = [power for power in given if power.kind == "disorder"]
        renew = one.dice.renew
        if same:
            words, cites = _who(same), join(*(power.cites for power in same))
            shown = call == "close table" and kind not in ("empty", "notice") and not same[0].reason
            if shown and one.notice.closing:
                words = "; ".join([words, phrase("needs.notice")])
                cites = join(cites, one.notice.closing.cites)
            found[call, kind] = Cited(words, cites)
        elif given and not kind:
            reasons = listed(dict.fromkeys(word("reasons", power.kind) for power in given))
            every = join(*(power.cites for power in given))
            words = phrase("diff.only-for", who=_people(given), reasons=reasons)
            found[call, kind] = Cited(words, every)
        elif call == "allow old dice" and renew is not None and renew.value != "at once":
            found[call, kind] = Cited(phrase("diff.goes-on"), renew.cites)
    return found


def _people(powers: Iterable[Power]) -> str:
    return people(sorted(set().union(*(power.who for power in powers))))


def _who(powers: list[Power]) -> str:
    """Who has a power, and what it wants besides."""
    needs = dict.fromkeys(need for power in powers for need in power.needs if need not in REASONS)
    wanted = [phrase(f"needs.{need}") for need in needs]
    return "; ".join([_people(powers), *wanted])


def _grounds(of: Procedure) -> dict[str, Cited[str]]:
    """What may befall a throw, by its kind: two words for the same ground are one. Where faces may
    be decided void, a throw that cannot be read is one."""
    void = of.power("decide faces", "void")
    found = {} if void is None else {"unreadable": Cited(phrase("diff.throws.may"), void.cites)}
    return found | {
        kind: Cited(phrase(f"diff.throws.{cause.effect}"), cause.cites)
        for cause in of.causes.values()
        for kind in cause.kind
        if cause.whose != "no line"  # told of the shooter
    }


# -- under the names of the wagers -------------------------------------------------------------


class Alike(NamedTuple):
    """Wagers that differ alike, or a part of the procedure, under what both houses call them."""

    head: str
    spots: list[str]
    rows: list[HouseDifference]


def grouped(one: Layout, two: Layout, rows: Iterable[HouseDifference]) -> list[Alike]:
    """Differences under the names of the wagers; numbers that differ alike are told once."""
    by_spot: dict[str, list[HouseDifference]] = {}
    for row in rows:
        by_spot.setdefault(row.spot, []).append(row)
    alike: dict[object, list[str]] = {}
    for spot, found in by_spot.items():
        key = (family(spot), tuple(_told(spot, row) for row in found))
        alike.setdefault(key, []).append(spot)
    return [
        Alike(_head(one, two, spots), spots, _for_all([by_spot[spot] for spot in spots]))
        for spots in alike.values()
    ]


def _for_all(found: list[list[HouseDifference]]) -> list[HouseDifference]:
    """The rows of wagers that differ alike, said for all of them, with the clauses of each."""
    if len(found) == 1:
        return found[0]
    return [
        HouseDifference(
            *(same[0].spot, *_told(same[0].spot, same[0])),
            join(*(row.first_cites for row in same)),
            join(*(row.second_cites for row in same)),
        )
        for same in zip(*found, strict=True)
    ]


def _told(spot: str, row: HouseDifference) -> tuple[str, str, str]:
    """What a row says, without the number of its wager: in names, and in what is told."""
    if row.what in (phrase("diff.name"), phrase("diff.offer")):
        return row.what, _without(spot, row.first, "…"), _without(spot, row.second, "…")
    return _without(spot, row.what, phrase("diff.its-number")), row.first, row.second


def _without(spot: str, text: str, instead: str) -> str:
    """A text with something instead of a wager's number; of a hop it is the two faces."""
    own = str(number(spot) or "")
    return re.sub(_pattern(own), instead, text) if own else text


def _pattern(own: str) -> str:
    return rf"(?<!\d)({own}|{'-'.join(own)})(?!\d)"


def _head(one: Layout, two: Layout, spots: list[str]) -> str:
    """What both houses call these wagers, the first with all of their numbers."""
    if has(f"diff.heads.{spots[0]}"):
        return phrase(f"diff.heads.{spots[0]}")
    heads = []
    for layout in (one, two):
        names = {spot: layout.spots[spot].name for spot in spots if spot in layout.spots}
        found = (re.search(_pattern(str(number(spot))), name) for spot, name in names.items())
        numbers = listed(each[0] for each in found if each)
        heads += [_without(spot, name, numbers) for spot, name in list(names.items())[:1]]
    return " / ".join(dict.fromkeys(heads))
