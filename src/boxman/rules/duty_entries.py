"""Facts about people and throws: entered into the ledger, and the procedure made of its answers.

entries.py and compile.py do the same for money.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, TypeVar, get_args

import msgspec

from boxman.rules import duties
from boxman.rules.book import BookError, Stated
from boxman.rules.facts import Fact
from boxman.rules.ids import nearest
from boxman.rules.ledger import Cited, Cites, Ledger, LedgerAnswer, Question
from boxman.rules.procedure import (
    CauseRule,
    Conduct,
    Confirmed,
    ConfirmRule,
    CrewRule,
    Dice,
    Disputes,
    Eligible,
    Favour,
    NoShooter,
    NoticeMinutes,
    Order,
    Power,
    Procedure,
    RecordRule,
    Shooter,
    Vouchers,
)
from boxman.words import phrase

D = TypeVar("D", bound=msgspec.Struct)
_fields = lru_cache(msgspec.structs.fields)


def enter_duty(ledger: Ledger, stated: Stated) -> None:
    """Write down which questions about people and throws a fact answers."""
    kind, fact = stated.kind, stated.fact
    match fact:
        case duties.Role():
            answers: dict[str | int, object] = {fact.station: (fact.name,)}
            if fact.defines:
                ledger.enter(("role defined", fact.station), True, stated)
        case duties.May():
            # A power is a grant: two clauses that name different people both give it. Two that
            # name some of the same and not all contradict each other. What it wants adds up.
            if fact.who and not fact.defines:
                ledger.enter(("may", fact.call, fact.reason), True, stated)
            for need in fact.needs:
                ledger.enter(("need", fact.call, fact.reason, need), True, stated)
            if fact.kind:
                ledger.enter(("may kind", fact.call, fact.reason), fact.kind, stated)
            for station in fact.who:
                question = ("may by", fact.call, fact.reason, station)
                ledger.enter(question, tuple(sorted(fact.who)), stated)
            return
        case duties.CauseFact():
            answers = {fact.cause: (fact.effect, fact.who, fact.person)}
            if fact.whose:
                ledger.enter(("cause whose", fact.cause), fact.whose, stated)
            if fact.kind:
                ledger.enter(("cause kind", fact.cause), fact.kind, stated)
        case duties.ConfirmFact():
            answers = {fact.what: fact.need} if fact.need else {}
            for station in fact.who:
                ledger.enter(("confirm by", fact.what, station), True, stated)
            if fact.until:
                ledger.enter(("confirm until", fact.what), fact.until, stated)
        case duties.Equipment():
            for thing in fact.has:
                ledger.enter((kind, fact.what, thing), fact.may, stated)
            return
        case duties.CrewFact():
            answers = {fact.sides: (fact.stick, fact.dealer, fact.box)}
            if fact.who:
                ledger.enter(("crew by", fact.sides), fact.who, stated)
        case _:
            answers = _answers(fact)
    for key, value in answers.items():
        ledger.enter((kind, key), value, stated)


def _answers(fact: Fact) -> dict[str | int, object]:
    """What a fact answers that is only about one thing."""
    match fact:
        case duties.Timing():
            late: dict[str | int, object] = {"no roll, void": fact.before} if fact.void else {}
            return {fact.call: fact.before, **late}
        case duties.FaceFact():
            return {fact.die: fact.reads}
        case duties.Reversal():
            return {fact.reason: fact.wagers}
        case duties.RecordFact():
            return {fact.what: (tuple(sorted(fact.who)), fact.person)}
        case duties.NoticeTime():
            return {fact.of: fact.minutes}
        case duties.Fixed():
            return {fact.setting: True}
        case duties.Centre():
            return dict.fromkeys(fact.spots, True)
        case duties.Sign():
            return {fact.shows: fact.text}
    return _stated(fact)


def _stated(fact: Fact) -> dict[str | int, object]:
    """A fact that answers by its keys, each that is stated; or by the words of a key."""
    found: dict[str | int, object] = {}
    for field in _fields(type(fact)):
        value = getattr(fact, field.name)
        if field.name == "rule":
            found[value] = True
        elif field.name == "at":
            found |= dict.fromkeys(value, True)
        elif field.name == "spots":
            found |= {"spots": tuple(sorted(value))} if value else {}
        elif field.name not in ("when", "despite") and (value or field.required):
            found[field.name] = value
    return found


class _Said:
    """The answers of a ledger by their kind; what is taken from here counts as asked."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.questions = defaultdict[str, list[Question]](list)
        for question in ledger.answers:
            self.questions[question[0]].append(question)

    def of(self, kind: str) -> Iterator[tuple[Any, LedgerAnswer]]:
        """What is said of a kind, by the key of its question, in the order of the text."""
        for question in self.questions[kind]:
            answer = self.ledger.ask(question)
            assert answer is not None
            yield question[1] if len(question) == 2 else question[1:], answer

    def cited(self, kind: str) -> dict[Any, Cited[Any]]:
        return {key: Cited(answer.value, answer.cites) for key, answer in self.of(kind)}

    def duties(self, of: type[D], kind: str) -> D:
        """Each answer of a kind as an attribute: what is said, or for a rule only where."""
        named = {each.encode_name: each for each in _fields(of)}
        said = [(named[key], rule) for key, rule in self.cited(kind).items()]
        return of(**{each.name: r.cites if each.default == () else r for each, r in said})

    def roles(self) -> dict[str, Cited[str]]:
        """What each station is called, with the clauses that say who that is."""
        defined = self.cited("role defined")
        return {
            station: Cited(answer.value[0], defined[station].cites if station in defined else ())
            for station, answer in self.of("role")
        }

    def granted(self) -> tuple[Power, ...]:
        given = defaultdict[Question, dict[str, Cites]](dict)
        for (call, reason, station), answer in self.of("may by"):
            given[call, reason][station] = answer.cites
        needed = defaultdict[Question, dict[duties.Need, Cites]](dict)
        for (call, reason, need), answer in self.of("need"):
            needed[call, reason][need] = answer.cites
        kinds = self.cited("may kind")
        found = []
        for key, answer in self.of("may"):
            wants = needed[key]
            who = {"who": tuple(given[key]), "given": given[key]}
            kind = kinds[key].value if key in kinds else key[1]
            found.append(answer.whole(Power, **who, needs=tuple(wants), needed=wants, kind=kind))
        return tuple(found)

    def confirmed(self) -> Confirmed:
        until = self.cited("confirm until")
        given = defaultdict[str, dict[str, Cites]](dict)
        for (what, station), answer in self.of("confirm by"):
            given[what][station] = answer.cites
        for what in (*given, *until):
            self.ledger.need(("confirm", what), None, "books.say-need-in-a-confirm")
        made = {}
        for key, answer in self.of("confirm"):
            ends = until.get(key, Cited("", ()))
            more = {"who": tuple(sorted(given[key])), "given": given[key]}
            more |= {"until": ends.value, "until_cites": ends.cites}
            made[key] = answer.whole(ConfirmRule, **more)
        return Confirmed(**made)

    def causes(self) -> dict[str, CauseRule]:
        whose, kinds = self.cited("cause whose"), self.cited("cause kind")
        made = {}
        for key, answer in self.of("cause"):
            kind = kinds[key].value if key in kinds else (key,)
            by = whose[key].value if key in whose else ""
            made[key] = answer.whole(CauseRule, whose=by, kind=kind)
        return made

    def reversals(self, granted: Iterable[Power]) -> dict[str, Cited[Any]]:
        """What becomes of wagers, by the reasons for which somebody may take a roll back."""
        taken = {power.reason for power in granted if power.call in ("void roll", "void round")}
        found = self.cited("reversal")
        for reason in found:
            if reason not in taken:
                stated = self.ledger.answers["reversal", reason].stated[0]
                raise BookError(
                    self.ledger.book.path,
                    stated.line,
                    stated.clause,
                    phrase("books.nobody-takes-back", reason=reason),
                    phrase("books.say-who-takes-back", reason=reason),
                    "unused",
                )
        return found

    def crews(self) -> dict[int, CrewRule]:
        by = self.cited("crew by")
        made = {}
        for sides, answer in self.of("crew"):
            opens = by.get(sides, Cited((), ()))
            made[sides] = answer.whole(CrewRule, who=opens.value, who_cites=opens.cites)
        return made


def procedure_of(ledger: Ledger, settings: Iterable[str], known: Iterable[str]) -> Procedure:
    """People and throws; whatever the rulebook does not say is nobody's power.

    `known` are the spots a duty may name: those offered and those the settings leave out.
    """
    said = _Said(ledger)
    for kind, key in (("eligible", "spots"), ("no_shooter", "returns")):
        answer = ledger.ask((kind, key))
        _check_spots(ledger, answer.value if answer else (), answer, set(known))
    for spot, answer in said.of("centre"):
        _check_spots(ledger, (spot,), answer, set(known))
    granted = said.granted()
    timing = ledger.ask(("timing", "no roll"))
    void = ledger.ask(("timing", "no roll, void"))
    fixed = {name: ledger.ask(("fixed", name)) for name in settings}
    return Procedure(
        roles=said.roles(),
        named={station: answer.cites for station, answer in said.of("role")},
        powers={
            call: {power.reason: power for power in granted if power.call == call}
            for call in get_args(duties.PowerName)
        },
        granted=granted,
        causes=said.causes(),
        late=timing.cites if timing else (),
        late_void=void.cites if void else (),
        cocked=said.cited("face").get("cocked"),
        reversals=said.reversals(granted),
        order=said.duties(Order, "order"),
        eligible=said.duties(Eligible, "eligible"),
        shooter=said.duties(Shooter, "shooter"),
        no_shooter=said.duties(NoShooter, "no_shooter"),
        confirm=said.confirmed(),
        records={key: a.whole(RecordRule, who=a.value[0]) for key, a in said.of("record")},
        notice=said.duties(NoticeMinutes, "notice"),
        favour=said.duties(Favour, "favour"),
        closing=said.cited("closing").get("wagers"),
        dice=said.duties(Dice, "dice"),
        crew=said.crews(),
        voucher=said.duties(Vouchers, "voucher"),
        dispute=said.duties(Disputes, "dispute"),
        signs=said.cited("sign"),
        equipment=said.cited("equipment"),
        advice=said.cited("advice").get("allowed"),
        idle=said.cited("idle").get("rounds"),
        conduct=said.duties(Conduct, "conduct"),
        centre={spot: answer.cites for spot, answer in said.of("centre")},
        fixed={name: answer.cites for name, answer in fixed.items() if answer is not None},
    )


def _check_spots(
    ledger: Ledger, spots: Iterable[str], answer: LedgerAnswer | None, known: set[str]
) -> None:
    """Refuse a duty that names a spot the rulebook does not have."""
    for spot in spots:
        if spot not in known:
            assert answer is not None
            stated = answer.stated[0]
            raise BookError(
                ledger.book.path,
                stated.line,
                stated.clause,
                phrase("books.the-fact-names-which-is", kind=stated.kind, spot=spot),
                nearest(spot, known) or phrase("books.name-spots-that-are-offered"),
            )
