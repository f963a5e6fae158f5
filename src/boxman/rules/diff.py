"""What differs between two compiled houses, spot by spot and cell by cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple, TypeVar, get_args

import msgspec

from boxman.chips import format_ratio
from boxman.dice import BY_FACES, BY_TOTAL, Rolls
from boxman.rules.cell import Cell
from boxman.rules.duties import Awaited
from boxman.rules.layout import ACTS, Layout, OddsLimit, SettingRule, ShareRule, Spot
from boxman.rules.ledger import Cited, Cites, join, show
from boxman.rules.procedure import Procedure
from boxman.rules.shapes import Collection
from boxman.words import phrase
from boxman.words.say import has

K = TypeVar("K")
Duties = dict[str, Cited[object]]
"""What a house says, by what it is about, in words."""
OWN_REASON = ("decide faces", "no roll")
"""Powers that, given without a reason, are not for every case: a face may be decided and the throw
not voided, and a bare no roll is a call of its own."""

DISTURBANCES = ("disruption", "unrest", "fire", "riot", "brawl", "robbery", "act-of-god")
"""Kinds of disorder, which another text has one word for."""


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
        said = Cited(phrase(f"diff.windows.{window.value}"), window.cites)
        found[phrase("diff.may-be", act=act)] = said
    for side, words in enumerate(("off", "on")):
        works = phrase("diff.works" if spot.works[side] else "diff.sleeps")
        found[phrase(f"diff.with-the-puck.{words}")] = Cited(works, spot.works_cites[side])
    for call in ("on", "off"):
        found[phrase(f"diff.called.{call}")] = Cited(_marker(spot, call), spot.markers[call].cites)
    return found


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


def _kept(side: Layout, spot: Spot) -> Duties:
    """What becomes of a winner, and what a wager is made of."""
    again = "unasked" if spot.unasked else "asked" if spot.again_cites else "never"
    found: Duties = {
        phrase("diff.winner"): Cited(phrase(f"diff.winners.{again}"), spot.again_cites)
    }
    if spot.share is not None:
        made = zip(spot.share.parts, spot.share.units, strict=True)
        words = phrase(
            f"diff.shares.{spot.share.divide}{'-named' if spot.share.named else ''}",
            parts=", ".join(f"{unit} {side.spots[part].name}" for part, unit in made),
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
    return {phrase("diff.fee"): Cited(said, fee.cites)}


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


def listed(things: Iterable[object]) -> str:
    """Things as one lists them: 4, 5 and 6."""
    words = [str(each) for each in things]
    return phrase("joined.and").join(
        [", ".join(words[:-1]), words[-1]] if len(words) > 1 else words
    )


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


def _until(rules: Mapping[str, Cited[str]]) -> dict[str, Cited[str]]:
    """Until when something may be done."""
    return {
        act: Cited(phrase(f"diff.until.{r.value}"), r.cites) if has(f"diff.until.{r.value}") else r
        for act, r in rules.items()
    }


def _table(first: Layout, second: Layout) -> list[HouseDifference]:
    found = []
    points = [", ".join(map(str, layout.points)) for layout in (first, second)]
    if points[0] != points[1]:
        found.append(HouseDifference("table", phrase("diff.points"), points[0], points[1], (), ()))
    found += _compare(
        "table",
        lambda act: phrase(f"diff.betting.{act}"),
        _until(first.betting),
        _until(second.betting),
    )
    sums = [
        _said("ways", {"win": side.round_win, "fee": side.round_fee}) for side in (first, second)
    ]
    found += _compare("table", lambda sum_: phrase(f"diff.rounded.{sum_}"), sums[0], sums[1])
    found += _compare(
        "table",
        lambda key: phrase(f"diff.found.{key[1]}", case=key[0]),
        _said("found-as", first.recognise),
        _said("found-as", second.recognise),
    )
    found += _compare(
        "table",
        lambda bound: phrase("diff.outside", bound=bound),
        _said("found-as", first.limits),
        _said("found-as", second.limits),
    )
    lowered = [
        {"up": Cited(phrase(f"diff.lowered.{_paid_by(side)}"), side.principles.get(LATE, ()))}
        for side in (first, second)
    ]
    found += _compare("table", lambda _: phrase("diff.lowered-maximum"), lowered[0], lowered[1])
    return found + _settings(first, second)


LATE = "maximum when settled"


def _paid_by(side: Layout) -> str:
    """Which maximum a stake is paid by that was up when it changed."""
    return "late" if LATE in side.principles else "made"


def _settings(first: Layout, second: Layout) -> list[HouseDifference]:
    """What the houses may choose, where their choices or what they choose unasked differ."""
    rules = [
        {name: Cited(_choices(rule), rule.cites) for name, rule in side.setting_rules.items()}
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


def _choices(rule: SettingRule) -> str:
    """What a setting may be, and what it is where nobody says."""
    if rule.type == "price":
        return phrase("diff.above-the-list")
    named = [word(f"chosen.{rule.name}", str(each)) for each in rule.choices]
    choices = listed(named) if named else phrase(f"diff.choice-of.{rule.type}")
    if rule.least is not None or rule.most is not None:
        most = rule.most if rule.most is not None else phrase("diff.any-number")
        choices = phrase("diff.between", least=rule.least or 0, most=most)
    default = word(f"chosen.{rule.name}", show(rule.default))
    return phrase("diff.choices", choices=choices, default=default)


def _procedure(first: Layout, second: Layout) -> list[HouseDifference]:
    """Who may do what, what voids a throw, and the other duties, where they differ."""
    one, two = first.procedure, second.procedure
    powers = [_powers(side, other) for side, other in ((one, two), (two, one))]
    found = _compare(
        "people",
        lambda key: (
            phrase("diff.who-may-for", power=word("powers", key[0]), reason=word("reasons", key[1]))
            if key[1]
            else phrase("diff.who-may", power=word("powers", key[0]))
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
    found += _compare("procedure", str, _duties(first), _duties(second))
    return found + _compare("shooter", str, _throwing(first), _throwing(second))


def _powers(one: Procedure, two: Procedure) -> dict[tuple[str, str], Cited[str]]:
    """Who may do what, by the kind of the reason, in every case that either house tells apart."""
    cases = dict.fromkeys((power.call, power.kind) for side in (one, two) for power in side.granted)
    found: dict[tuple[str, str], Cited[str]] = {}
    for call, kind in cases:
        given = [power for power in one.granted if power.call == call]
        same = [power for power in given if power.kind == kind]
        if not same and call not in OWN_REASON:
            same = [power for power in given if not power.reason]
        if not same and kind in DISTURBANCES:
            same = [power for power in given if power.kind == "disorder"]
        if same:
            who = sorted(set().union(*(power.who for power in same)))
            found[call, kind] = Cited(_people(who), join(*(power.cites for power in same)))
        elif given and not kind:
            reasons = listed(dict.fromkeys(word("reasons", power.kind) for power in given))
            every = join(*(power.cites for power in given))
            found[call, kind] = Cited(phrase("diff.only-for", reasons=reasons), every)
    return found


def _grounds(of: Procedure) -> dict[str, Cited[str]]:
    """What may befall a throw, by its kind: two words for the same ground are one. Where faces may
    be decided void, a throw that cannot be read is one."""
    void = of.power("decide faces", "void")
    found = {} if void is None else {"unreadable": Cited(phrase("diff.throws.may"), void.cites)}
    return found | {
        kind: Cited(phrase(f"diff.throws.{cause.effect}"), cause.cites)
        for cause in of.causes.values()
        for kind in cause.kind
    }


UNTOLD = frozenset(
    (
        *("numbered", "onward", "kept", "next_takes_the_dice"),
        *("one_at_a_time", "takes_the_dice", "keeps_the_dice", "passes_on_a_seven_out"),
        "the_stick_too",
    )
)
"""Duties that every house has, stated or not, or that a text states anew for later: the same rule
in a house that states it once."""


def _worded(rule: Cited[object] | Cites) -> Cited[object]:
    """A duty as it is told; of one that is only stated there are the clauses."""
    if isinstance(rule, tuple):
        return Cited(True, rule)
    stations = rule.value if isinstance(rule.value, tuple) else (rule.value,)
    if all(has(f"diff.words.stations.{each}") for each in stations):
        return Cited(_people(map(str, stations)), rule.cites)
    key = f"diff.duties.said.{rule.value}"
    return Cited(phrase(key), rule.cites) if has(key) else rule


def word(section: str, name: str) -> str:
    """A word of a rulebook as people say it: that of the phrase book, or its own."""
    key = f"diff.words.{section}.{name}"
    return phrase(f"diff.words.{section}.{name}") if has(key) else _spaced(name)


def _people(stations: Iterable[str]) -> str:
    return listed(word("stations", each) for each in stations)


def _said(section: str, rules: Mapping[K, Cited[str]]) -> dict[K, Cited[str]]:
    """Rules whose values are words of a rulebook, in words of people."""
    return {key: Cited(word(section, rule.value), rule.cites) for key, rule in rules.items()}


def _named(kind: str, rules: Mapping[str, Cited[object] | Cites | None]) -> Duties:
    """Duties of a kind by what they are called."""
    return {
        phrase(f"diff.duties.{kind}.{name}"): _worded(rule)
        for name, rule in rules.items()
        if rule and name not in UNTOLD
    }


def _duties(side: Layout) -> Duties:
    """Duties of staff and players."""
    of, nobody = side.procedure, phrase("diff.nobody")
    chips = side.principles.get("chips only") or side.principles["chips"]
    found: Duties = {
        phrase("diff.duties.confirm.late"): Cited(nobody, side.betting["make"].cites),
        phrase("diff.duties.confirm.spoken"): Cited(nobody, chips),
        phrase("diff.duties.confirm.on"): Cited(nobody, _called_on(side)),
        phrase("diff.duties.confirm-until.late"): Cited(
            phrase("diff.not-taken"), side.betting["make"].cites
        ),
        phrase("diff.duties.voucher.one_wager"): Cited(False, chips),
    }
    for what in get_args(Awaited):
        confirm = of.confirm.of(what)
        if confirm is not None:
            who = tuple(word("stations", each) for each in confirm.who)
            by = phrase(f"diff.duties.confirmed-by.{confirm.need}", who=who)
            found[phrase(f"diff.duties.confirm.{what}")] = Cited(by, confirm.cites)
            if confirm.until or what == "late":
                until = word("moments", confirm.until or "rest")
                cites = confirm.until_cites or confirm.cites
                found[phrase(f"diff.duties.confirm-until.{what}")] = Cited(until, cites)
    for what, note in of.records.items():
        who = tuple(word("stations", each) for each in note.who)
        by = phrase("diff.duties.named" if note.person else "diff.duties.noted", who=who)
        found[phrase("diff.duties.record", what=word("records", what))] = Cited(by, note.cites)
    free = next((p for p in of.granted if p.call == "post limits" and not p.reason), None)
    if free is not None and "notice" not in free.needs:  # at any time, but for what is told below
        found |= _named("notice", {"limits": Cited(0, free.cites)})
    if of.notice.limits is not None:  # of any change, so of these
        found |= _named("notice", dict.fromkeys(("minimum_up", "unit_up"), of.notice.limits))
    found |= _named("dice", _old_die(of))
    for kind in ("notice", "favour", "dice", "voucher", "dispute", "conduct"):
        found |= _named(kind, msgspec.structs.asdict(getattr(of, kind)))
    alone: dict[str, Cited[object] | Cites | None] = {"closing": of.closing, "advice": of.advice}
    alone |= {"idle": of.idle, "centre": _by_name(side, of.centre)}
    found |= _named("alone", alone)
    for sides, crew in of.crew.items():
        count = {"stick": crew.stick, "dealer": crew.dealer, "box": crew.box}
        wanted = listed(phrase(f"diff.crew.{each}", n=n) for each, n in count.items() if n)
        found[phrase("diff.duties.crew", sides=sides)] = Cited(wanted, crew.cites)
        if crew.who:
            by = _people(crew.who)
            found[phrase("diff.duties.crew-by", sides=sides)] = Cited(by, crew.who_cites)
    found |= {phrase("diff.duties.sign", what=what): rule for what, rule in of.signs.items()}
    kinds = {reason: power.kind for reason, power in of.powers["void roll"].items()}
    reversals = dict(of.reversals)
    if "disorder" in reversals:
        reversals = dict.fromkeys(DISTURBANCES, reversals["disorder"]) | reversals
    for reason, back in reversals.items():
        why = word("reasons", kinds.get(reason, reason))
        found[phrase("diff.duties.taken-back", why=why)] = _worded(back)
    for name, cites in of.fixed.items():
        found[phrase("diff.duties.fixed", setting=word("settings", name))] = Cited(True, cites)
    return found


def _called_on(side: Layout) -> Cites:
    """The clauses by which a wager may be called on."""
    return next((s.markers["on"].cites for s in side.spots.values() if s.markers["on"].allow), ())


def _old_die(of: Procedure) -> dict[str, Cited[object] | Cites | None]:
    """What a text says of the die that left the table without saying it twice: one that is kept
    back is not had back, and one that may be asked for goes to the shooter."""
    recovered, original = of.dice.recovered, of.dice.original
    if recovered is not None and recovered.value == "held":
        return {"original": Cited(False, recovered.cites)}
    return {"returned": Cited("shooter", original.cites)} if original is not None else {}


def _spaced(name: str) -> str:
    """A word of a rulebook as one says it."""
    return name.replace("-", " ").replace("_", " ")


def _by_name(side: Layout, rule: Cited[object] | Cites | None) -> Cited[object] | Cites | None:
    """A duty about wagers tells them by their names."""
    if isinstance(rule, Cited) and isinstance(rule.value, tuple):
        names = [side.spots[spot].name for spot in rule.value if spot in side.spots]
        return Cited(listed(names), rule.cites) if names else rule
    return rule


def _throwing(side: Layout) -> Duties:
    """Who throws, and how the dice are read."""
    of, shooter = side.procedure, side.procedure.shooter
    wider = {"may_pass_after_a_round": shooter.may_pass_after_any_roll}
    found = _named("shooter", wider)  # after any roll is after a round too
    if of.eligible.roll:  # asked for at the throw, so not before, unless a clause says so
        found[phrase("diff.duties.eligible.taking")] = Cited(False, of.eligible.roll)
    for kind in ("order", "eligible", "shooter", "no_shooter"):
        rules = msgspec.structs.asdict(getattr(of, kind))
        found |= _named(kind, {name: _by_name(side, rule) for name, rule in rules.items()})
    return found | _named("faces", {"cocked": of.cocked})
