"""What a house says of people and throws, in words: what `boxman diff` compares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar, get_args

import msgspec

from boxman.rules.duties import Awaited
from boxman.rules.layout import Layout
from boxman.rules.ledger import Cited, Cites
from boxman.rules.procedure import Procedure
from boxman.words import phrase
from boxman.words.say import has

K = TypeVar("K")
Duties = dict[str, Cited[object]]
"""What a house says, by what it is about, in words."""

DISTURBANCES = ("disruption", "unrest", "fire", "riot", "brawl", "robbery", "act-of-god")
"""Kinds of disorder, which another text has one word for."""
UNTOLD = frozenset(
    (
        *("numbered", "onward", "kept", "next_takes_the_dice"),
        *("one_at_a_time", "takes_the_dice", "keeps_the_dice", "passes_on_a_seven_out"),
        "the_stick_too",
    )
)
"""Duties that every house has, stated or not, or that a text states anew for later: the same rule
in a house that states it once."""


def listed(things: Iterable[object]) -> str:
    """Things as one lists them: 4, 5 and 6."""
    words = [str(each) for each in things]
    return phrase("joined.and").join(
        [", ".join(words[:-1]), words[-1]] if len(words) > 1 else words
    )


def _worded(rule: Cited[object] | Cites) -> Cited[object]:
    """A duty as it is told; of one that is only stated there are the clauses."""
    if isinstance(rule, tuple):
        return Cited(True, rule)
    stations = rule.value if isinstance(rule.value, tuple) else (rule.value,)
    if all(has(f"diff.words.stations.{each}") for each in stations):
        return Cited(people(map(str, stations)), rule.cites)
    key = f"diff.duties.said.{rule.value}"
    return Cited(phrase(key), rule.cites) if has(key) else rule


def word(section: str, name: str) -> str:
    """A word of a rulebook as people say it: that of the phrase book, or its own."""
    key = f"diff.words.{section}.{name}"
    return phrase(f"diff.words.{section}.{name}") if has(key) else _spaced(name)


def people(stations: Iterable[str]) -> str:
    return listed(word("stations", each) for each in stations)


def said(section: str, rules: Mapping[K, Cited[str]]) -> dict[K, Cited[str]]:
    """Rules whose values are words of a rulebook, in words of people."""
    return {key: Cited(word(section, rule.value), rule.cites) for key, rule in rules.items()}


def _named(kind: str, rules: Mapping[str, Cited[object] | Cites | None]) -> Duties:
    """Duties of a kind by what they are called."""
    return {
        phrase(f"diff.duties.{kind}.{name}"): _worded(rule)
        for name, rule in rules.items()
        if rule and name not in UNTOLD
    }


def duties_of(side: Layout) -> Duties:
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
            by = people(crew.who)
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


def throwing(side: Layout) -> Duties:
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
