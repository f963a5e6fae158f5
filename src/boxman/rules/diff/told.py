"""What a house says of people and throws, in words: what `boxman diff` compares."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal, TypeVar, get_args

import msgspec

from boxman.rules.duties import Awaited, Handled
from boxman.rules.layout import Layout
from boxman.rules.ledger import Cited, Cites, join
from boxman.rules.procedure import marked
from boxman.words import phrase
from boxman.words.say import has

K = TypeVar("K")
Duties = dict[str, Cited[object]]
"""What a house says, by what it is about, in words."""

DISORDER = ("disorder", "disruption")
"""One word for all of the disturbances."""
DISTURBANCES = ("unrest", "fire", "riot", "brawl", "robbery", "act-of-god")
"""Kinds of disorder, which another text has one word for."""
MORE_DICE = ("set", "more")
"""The equipment that makes a number of dice the least there may be; told with that number."""


PASSES = ("may_pass_after_a_round", "may_pass_after_any_roll")
"""When a shooter may pass the dice; where both are stated, one of them is a reading."""


def listed(things: Iterable[object], word: Literal["and", "or"] = "and") -> str:
    """Things as one lists them: 4, 5 and 6."""
    words = [str(each) for each in things]
    return phrase(f"joined.{word}").join(
        [", ".join(words[:-1]), words[-1]] if len(words) > 1 else words
    )


def _worded(rule: Cited[object] | Cites, name: str = "") -> Cited[object]:
    """A duty as it is told; of one that is only stated there are the clauses."""
    if isinstance(rule, tuple):
        return Cited(True, rule)
    stations = rule.value if isinstance(rule.value, tuple) else (rule.value,)
    if all(has(f"diff.words.stations.{each}") for each in stations):
        return Cited(people(map(str, stations)), rule.cites)
    for key in (f"diff.duties.said-of.{name}.{rule.value}", f"diff.duties.said.{rule.value}"):
        if has(key):
            return Cited(phrase(key), rule.cites)
    return rule


def word(section: str, name: str) -> str:
    """A word of a rulebook as people say it: that of the phrase book, or its own."""
    key = f"diff.words.{section}.{name}"
    return phrase(f"diff.words.{section}.{name}") if has(key) else _spaced(name)


def people(stations: Iterable[str]) -> str:
    return listed(word("stations", each) for each in stations)


def said(section: str, rules: Mapping[K, Cited[str]]) -> dict[K, Cited[str]]:
    """Rules whose values are words of a rulebook, in words of people."""
    return {key: Cited(word(section, rule.value), rule.cites) for key, rule in rules.items()}


def _stated(duties: msgspec.Struct) -> dict[str, Cited[object] | Cites | None]:
    """What is said of each duty in which houses can differ."""
    common = marked(type(duties), "common")
    return {n: said for n, said in msgspec.structs.asdict(duties).items() if n not in common}


def _named(kind: str, rules: Mapping[str, Cited[object] | Cites | None]) -> Duties:
    """Duties of a kind by what they are called."""
    return {
        phrase(f"diff.duties.{kind}.{name}"): _worded(rule, name)
        for name, rule in rules.items()
        if rule
    }


def _noted(side: Layout) -> Duties:
    """What is noted, and by whom; a stake outside the limits is told with these."""
    found: Duties = {}
    in_play = {case.replace(" ", "-") for case, _ in side.recognise}
    for what, note in side.procedure.records.items():
        if what not in in_play:
            who = tuple(word("stations", each) for each in note.who)
            by = phrase("diff.duties.named" if note.person else "diff.duties.noted", who=who)
            label = phrase("diff.duties.record", what=word("records", what))
            before = found[label].cites if label in found else ()
            found[label] = Cited(by, join(before, note.cites))
    return found


def duties_of(side: Layout) -> Duties:
    """Duties of staff and players."""
    of = side.procedure
    found = _confirmed(side) | _noted(side) | _named("notice", _notices(side))
    if of.dice.recovered is not None and of.dice.recovered.value == "held":
        # One that is kept back is not had back.
        found |= _named("dice", {"original": Cited(False, of.dice.recovered.cites)})
    for kind in ("favour", "dice", "dispute", "conduct"):
        found |= _named(kind, _stated(getattr(of, kind)))
    more = of.equipment.get(MORE_DICE)
    if of.dice.set is not None and more is not None:
        least = phrase("diff.at-least", n=of.dice.set.value)
        found |= _named("dice", {"set": Cited(least, join(of.dice.set.cites, more.cites))})
    if of.dice.renew is not None and of.dice.lost is not None:
        renew = Cited[object](of.dice.renew.value, join(of.dice.lost.cites, of.dice.renew.cites))
        found |= _named("dice", {"renew": renew})
    found |= _hands_off(side)
    vouchers = _stated(of.voucher)
    found |= _named("voucher", vouchers)
    if not any(vouchers.values()):  # chips alone: no voucher is anything here
        none = Cited(phrase("diff.not-taken"), _chips(side))
        found |= _named("voucher", dict.fromkeys(vouchers, none))
    overrule = join(*(power.cites for power in of.granted if power.call == "overrule"))
    found |= _named("equipment", {"miscall": Cited(phrase("diff.nobody-has-to"), overrule)})
    found |= _things(side, handled=True)
    alone: dict[str, Cited[object] | Cites | None] = {"closing": of.closing, "advice": of.advice}
    middle = Cited[object](tuple(of.centre), join(*of.centre.values())) if of.centre else None
    alone |= {"idle": of.idle, "centre": _by_name(side, middle)}
    found |= _named("alone", alone)
    for sides, crew in of.crew.items():
        wanted = listed(phrase(f"diff.crew.{each}", n=n) for each, n in crew.counts.items() if n)
        found[phrase("diff.duties.crew", sides=sides)] = Cited(wanted, crew.cites)
        if crew.who:
            by = people(crew.who)
            found[phrase("diff.duties.crew-by", sides=sides)] = Cited(by, crew.who_cites)
    found |= {phrase("diff.duties.sign", what=what): rule for what, rule in of.signs.items()}
    for name, cites in of.fixed.items():
        found[phrase("diff.duties.fixed", setting=word("settings", name))] = Cited(True, cites)
    return found


def _hands_off(side: Layout) -> Duties:
    """Which wagers nobody touches, and from when: the widest that is said."""
    conduct, said = side.procedure.conduct, {"at-rest": side.resting.get("remove", ())}
    for which in ("hands_off_losing_wagers", "hands_off_until_settled"):  # the wider one last
        said[which] = getattr(conduct, which)
    told = [Cited(phrase(f"diff.duties.hands-off.{which}"), c) for which, c in said.items() if c]
    return _named("conduct", {"hands_off_until_settled": told[-1]} if told else {})


def equipped(side: Layout) -> Duties:
    """What the things at a table are or have."""
    return _things(side, handled=False)


def _things(side: Layout, *, handled: bool) -> Duties:
    """What things are or what is done with them, in one order whatever that of the text."""
    found: dict[str, dict[str, Cites]] = {}
    for (what, thing), rule in sorted(side.procedure.equipment.items()):
        if (what, thing) == MORE_DICE or (what in get_args(Handled)) != handled:
            continue
        told = word("equipment", thing.partition(".")[0])
        told = phrase("diff.may-be-there", thing=told) if rule.value else told
        things = found.setdefault(what, {})
        things[told] = join(things.get(told, ()), rule.cites)
    told_of = {what: Cited(listed(each), join(*each.values())) for what, each in found.items()}
    return _named("equipment", told_of)


def _confirmed(side: Layout) -> Duties:
    """Who confirms what, and wagers until when; calls on close as all calls do."""
    confirm, made, chips = side.procedure.confirm, side.betting["make"], _chips(side)
    none, only_late = phrase("diff.not-taken"), phrase("diff.only-late")
    by: dict[Awaited, Cited[object]] = {
        "late": Cited(none, made.cites),
        "spoken": Cited(none, chips),
        "on": Cited(phrase("diff.nobody"), _called_on(side)),
    }
    until: dict[Awaited, Cited[object]] = {what: by[what] for what in ("late", "spoken")}
    if confirm.late is not None:
        by["spoken"] = until["spoken"] = Cited(only_late, confirm.late.cites)
    for what in get_args(Awaited):
        rule = confirm.of(what)
        if rule is None:
            continue
        who = tuple(word("stations", each) for each in rule.who)
        by[what] = Cited(phrase(f"diff.duties.confirmed-by.{rule.need}", who=who), rule.cites)
        # What was called out before the throw and waits still is late from then on.
        ends = confirm.late if what == "spoken" and confirm.late is not None else rule
        if what != "on":
            moment = word("moments", ends.until or ("rest" if ends is confirm.late else made.value))
            until[what] = Cited(moment, ends.until_cites or ends.cites)
    told = {phrase(f"diff.duties.confirm.{what}"): rule for what, rule in by.items()}
    return told | {phrase(f"diff.duties.confirm-until.{what}"): r for what, r in until.items()}


def _chips(side: Layout) -> Cites:
    """The clauses by which stakes are chips."""
    return side.principles.get("chips only") or side.principles["chips"]


def _notices(side: Layout) -> dict[str, Cited[object]]:
    """Minutes of notice of every change, also where a text says it of another one: none where
    somebody may do it at any time; of a higher unit as of a higher minimum, where there are units;
    at an empty table none unless it is said."""
    of, notice = side.procedure, side.procedure.notice
    found: dict[str, Cited[object]] = {}
    for call, names in (("post limits", ("minimum_up", "limits")), ("close table", ("closing",))):
        free = next((p for p in of.granted if p.call == call and not p.reason), None)
        if free is not None and "notice" not in free.needs:
            found |= dict.fromkeys(names, Cited(0, free.cites))
    if notice.limits is not None:  # of any change, so of these
        found |= dict.fromkeys(("minimum_up", "unit_up", "limits"), notice.limits)
    found |= {name: rule for name, rule in _stated(notice).items() if isinstance(rule, Cited)}
    up = found.get("minimum_up")
    if up is not None:
        empty = next((p for p in of.granted if "no players" in p.needs), None)
        none = Cited(0, empty.cites if empty is not None else up.cites)
        found = {"unit_up": up, "minimum_up_at_an_empty_table": none} | found
    if "unit" not in side.limits:
        found["unit_up"] = Cited(phrase("diff.no-multiples"), side.silence)
    return found


def reversals(side: Layout) -> dict[tuple[str, str], Cited[object]]:
    """What becomes of wagers when a roll is taken back, by the kind of the reason."""
    of = side.procedure
    kinds = {reason: power.kind for reason, power in of.powers["void roll"].items()}
    found = {kinds.get(reason, reason): rule for reason, rule in of.reversals.items()}
    for all_of_them in DISORDER:
        if all_of_them in found:
            found = dict.fromkeys(DISTURBANCES, found.pop(all_of_them)) | found
    return {("", kind): _worded(rule) for kind, rule in found.items()}


def _called_on(side: Layout) -> Cites:
    """The clauses by which a wager may be called on."""
    return next((s.markers["on"].cites for s in side.spots.values() if s.markers["on"].allow), ())


def _spaced(name: str) -> str:
    """A word of a rulebook as one says it; 3-4-5 is no words."""
    return re.sub(r"(?<=[a-zA-Z])[-_](?=[a-zA-Z])", " ", name)


def _by_name(side: Layout, rule: Cited[object] | Cites | None) -> Cited[object] | Cites | None:
    """A duty about wagers tells them by their names."""
    if isinstance(rule, Cited) and isinstance(rule.value, tuple):
        names = [side.spots[spot].name for spot in rule.value if spot in side.spots]
        return Cited(listed(names), rule.cites) if names else rule
    return rule


def throwing(side: Layout) -> Duties:
    """Who throws, and how the dice are read."""
    of, shooter = side.procedure, side.procedure.shooter
    found: Duties = {}
    passes = [(name, cites) for name in PASSES if (cites := getattr(shooter, name))]
    if passes:
        when = "both" if len(passes) > 1 else passes[0][0]
        cites = join(*(each for _, each in passes))
        found |= _named("shooter", {PASSES[0]: Cited(when, cites)})
    if of.eligible.roll:  # asked for at the throw, so not before, unless a clause says so
        found[phrase("diff.duties.eligible.taking")] = Cited(False, of.eligible.roll)
    for kind in ("order", "eligible", "shooter", "no_shooter"):
        rules = {n: rule for n, rule in _stated(getattr(of, kind)).items() if n not in PASSES}
        found |= _named(kind, {name: _by_name(side, rule) for name, rule in rules.items()})
    decide = of.power("decide faces")
    if decide is not None:
        by = phrase("diff.duties.decided", who=people(decide.who))
        found |= _named("faces", {"cocked": Cited(by, decide.cites)})
    return found | _named("faces", {"cocked": of.cocked})
