"""What waits at a table for somebody of the crew, each with what the viewer may do about it.

Each thing that waits is one sentence with the house's names for its stations. What may be done is
tried on the desk, like everything a console offers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import msgspec

from boxman.journal.codec import EveryCall
from boxman.journal.pit_calls import Attest, Enter, Second
from boxman.pit.live.desk import Desk
from boxman.pit.live.stations import tag_of
from boxman.pit.told.console import Speaker, may, wire
from boxman.pit.told.phrases import titled
from boxman.pit.told.view import notices
from boxman.rules.layout import Layout
from boxman.table.call import DECLARED, Call, answers
from boxman.table.calls import DecideFaces
from boxman.table.calls.disputes import STEPS, WANTED
from boxman.table.floor.dice_set import uninspected
from boxman.table.floor.people import STICK, Matter
from boxman.table.floor.powers import station_name
from boxman.table.floor.throw import IN_DISPUTE, thrown
from boxman.table.lines.fields import OneOf
from boxman.table.said.notation import write_call
from boxman.words.amounts import in_money
from boxman.words.say import has, phrase


class Crew:
    """The stations somebody works at one table, and what he may say from them."""

    def __init__(self, desk: Desk, speakers: Sequence[Speaker], at: int) -> None:
        self.desk, self.speakers, self.at = desk, speakers, at

    def say(self, label: str, call: Call) -> list[dict[str, object]]:
        """A button for every station of his from which this would be taken. Somebody who works
        several of them is told from which he would say it."""
        several = len(self.speakers) > 1
        return [
            {
                "station": speaker.role,
                "name": titled(self.desk.layout, speaker.role) if several else "",
                "label": label,
                "call": wire(call),
            }
            for speaker in self.speakers
            if may(self.desk, speaker, call, self.at)
        ]

    def ask(self, label: str, call: Call) -> list[dict[str, object]]:
        """The same, where more has to be asked first; the call stands for any of its kind."""
        form = {"call": None, "form": tag_of(call)}
        return [{**each, **form} for each in self.say(label, call)]

    def answer(self, matter: Matter) -> Iterator[list[dict[str, object]]]:
        """The buttons of each call that answers what waits, last what anybody may say once."""
        table = self.desk.table
        noted = []
        for call in answers(self.desk.layout, table, matter):
            made = self.say(_answer(call), call)
            if DECLARED[type(call)].powers or call.half_of(table):
                yield made
            else:
                noted += made[:1]
        yield noted


def _answer(call: Call) -> str:
    """What a button says that answers something with this call."""
    tag, declared = tag_of(call), DECLARED[type(call)]
    if not has(f"answers.{tag}"):
        return phrase(f"calls.{tag}")
    values = {
        name: phrase(f"choices.{tag}.{name}.{value}") if isinstance(kind, OneOf) else value
        for name, kind in declared.fields.items()
        if (value := getattr(call, name))
    }
    told = phrase(f"answers.{tag}", **values)
    return told[0].upper() + told[1:]


def waiting(desk: Desk, speakers: Sequence[Speaker], at: int) -> list[dict[str, object]]:
    """Everything that waits, the most urgent first."""
    if desk.table.floor.closed:
        return []
    crew = Crew(desk, speakers, at)
    parts = (_faces, _dice, _confirmations, _proposals, _disputes, _hand, _notices)
    return [each for part in parts for each in part(desk, crew)]


def _names(layout: Layout, stations: Iterable[str], last: str) -> str:
    return f" {last} ".join(
        phrase("pit.matters.the", station=station_name(layout, station)) for station in stations
    )


def _money(desk: Desk, amount: int) -> str:
    return in_money(desk.layout.currency, amount)


def _to_decide(
    desk: Desk, crew: Crew, words: str, reason: str, faces: tuple[int, int] | None
) -> dict[str, object]:
    """Faces that staff decide: as they were called, where that is known, or otherwise."""
    power = desk.layout.procedure.power("decide faces", reason)
    who = _names(desk.layout, power.who if power else (), "or")
    does = []
    if faces is not None:
        first, second = faces
        it_was = phrase("pit.matters.it-was", first=first, second=second)
        does += crew.say(it_was, DecideFaces(first=first, second=second))
    does += crew.ask(phrase("pit.matters.decide-the-faces"), DecideFaces(first=1, second=2))
    does += crew.say(phrase("pit.matters.no-roll"), DecideFaces())
    return _item("faces", phrase("pit.matters.decides", words=words, who=who), does)


def _faces(desk: Desk, crew: Crew) -> Iterator[dict[str, object]]:
    """Faces in dispute, entered and not seen, or seen differently."""
    layout, table, book = desk.layout, desk.table, desk.book
    entered, last = book.entered, book.last
    stick, box = station_name(layout, STICK), station_name(layout, "box")
    if table.phase in IN_DISPUTE:
        reason, faces = "call it" if table.phase == "call it" else "", None
        words = phrase("pit.matters.the-faces-are-in")
        if reason:
            words = phrase("pit.matters.the-asks-for-the", stick=stick)
        if entered is not None:
            faces = first, second = entered.call.first, entered.call.second
            words += phrase("pit.matters.was-entered", first=first, second=second)
        yield _to_decide(desk, crew, words, reason, faces)
    elif table.floor.contested and not thrown(table) and last is not None:
        seat, (first, second) = table.floor.contested, last
        words = phrase("pit.matters.the-last-faces", seat=seat, first=first, second=second)
        yield _to_decide(desk, crew, words, "", last)
    elif entered is not None:
        first, second = entered.call.first, entered.call.second
        seen = Attest(first=first, second=second)
        does = [
            *crew.say(phrase("pit.matters.saw", first=first, second=second), seen),
            *crew.ask(phrase("pit.matters.saw-other-faces"), seen),
        ]
        yield _item(
            "entered",
            phrase(
                "pit.matters.the-entered-the-confirms",
                stick=stick,
                first=first,
                second=second,
                box=box,
            ),
            does,
        )
    elif book.differ is not None:
        entered_as, seen_as = ("-".join(map(str, faces)) for faces in book.differ)
        text = phrase(
            "pit.matters.the-saw-the-entered",
            box=box,
            seen_as=seen_as,
            stick=stick,
            entered_as=entered_as,
        )
        yield _item(
            "differ",
            text,
            crew.ask(phrase("pit.matters.enter-the-faces"), Enter(first=1, second=2)),
        )


def _dice(desk: Desk, crew: Crew) -> Iterator[dict[str, object]]:
    """Dice that nobody has looked over, that are off the table, or due to be changed."""
    layout, dice = desk.layout, desk.table.floor.dice
    left = _names(layout, uninspected(layout, dice), "and")
    words = [
        (left, phrase("pit.matters.the-dice-wait-to", names=left)),
        (dice.off, phrase("pit.matters.a-die-is-off")),
        (dice.found, phrase("pit.matters.a-die-was-found")),
        (dice.due and not dice.deferred, phrase("pit.matters.a-new-set-of")),
        (dice.due and dice.deferred, phrase("pit.matters.a-new-set-of-dice")),
        (dice.play < 2 and not dice.due, phrase("pit.matters.a-die-is-missing")),
    ]
    text = " ".join(words for so, words in words if so)
    if text:
        yield _item("dice", text, list(chain(*crew.answer(dice))))


def _confirmations(desk: Desk, crew: Crew) -> Iterator[dict[str, object]]:
    """Late and spoken wagers, calls on, stakes found late."""
    layout, late = desk.layout, desk.table.phase == "out"
    confirm = layout.procedure.confirm
    for waits in desk.table.floor.pending:
        rule = None
        if waits.what != "found":
            own = confirm.of("late" if late and waits.what == "spoken" else waits.what)
            rule = own or confirm.of(waits.what) or confirm.late
        need = rule.need if rule else "any"
        who = rule.who if rule else layout.procedure.roles
        left = [station for station in who if station not in waits.by]
        name = layout.spots[waits.spot].name
        what = phrase("pit.matters.calls-on", seat=waits.seat, name=name)
        if waits.amount:
            amount = _money(desk, waits.amount)
            seat, how = waits.seat, waits.what
            what = phrase(f"pit.matters.bets.{how}", seat=seat, amount=amount, name=name)
        names = _names(layout, left, "and" if need == "all" else "or")
        does = list(chain(*crew.answer(waits)))
        several = 2 if need == "all" and left[1:] else 1
        # Whoever may give the one word that is wanted knows that he may.
        words = "asks" if does and several == 1 else "confirms"
        text = phrase(f"pit.matters.{words}", what=what, names=names, several=several)
        yield _item("confirm", text, does, f"{waits.seat} {waits.spot}")


def _proposals(desk: Desk, crew: Crew) -> Iterator[dict[str, object]]:
    for waits in desk.book.waiting:
        said = write_call(msgspec.convert(waits.call, EveryCall))
        text = phrase(
            "pit.matters.the-asks-for-a", role=station_name(desk.layout, waits.role), said=said
        )
        does = [
            *crew.say(phrase("pit.matters.agree"), Second(of=waits.id, agree=True)),
            *crew.say(phrase("pit.matters.do-not-agree"), Second(of=waits.id, agree=False)),
        ]
        yield _item("second", text, does, waits.id)


def _disputes(desk: Desk, crew: Crew) -> Iterator[dict[str, object]]:
    """Disputes that are not closed, with the steps that are due."""
    for dispute in desk.table.floor.disputes:
        seat, step, judge = dispute.seat, dispute.step, dispute.judge
        if step == "close":
            continue
        by = phrase("pit.matters.by-the", judge=station_name(desk.layout, judge)) if judge else ""
        come = phrase(f"pit.matters.come.{step}") + (by if step != "open" else "")
        for wanted in WANTED:
            if wanted in dispute.asked and step in STEPS[wanted].due:
                come += phrase(f"pit.matters.requested.{wanted}")
        yield _item(
            "dispute",
            phrase("pit.matters.disputes-it", seat=seat, about=dispute.about, come=come),
            list(chain(*crew.answer(dispute))),
            f"{seat} {dispute.about}",
            about=dispute.about,
        )


def _hand(desk: Desk, crew: Crew) -> Iterator[dict[str, object]]:
    """Dice that nobody has."""
    hand = desk.table.hand
    if hand.shooter or not desk.table.present:
        return
    text = phrase("pit.matters.nobody-has-the-dice")
    if hand.offered:
        text = phrase("pit.matters.the-dice-are-offered", offered=hand.offered)
    yield _item("hand", text, list(chain(*crew.answer(hand))))


def _notices(desk: Desk, crew: Crew) -> Iterator[dict[str, object]]:
    """Signs with a running clock; when it has run, what they announce can be done."""
    hang = desk.table.floor.notices
    for each, shown in zip(notices(desk.layout, desk.table, desk.book), hang, strict=True):
        # One reason that is taken is enough.
        does: list[dict[str, object]] = next(filter(None, crew.answer(shown)), [])
        yield _item("notice", str(each["text"]), does, str(each["text"]), until=each["until"])


def _item(
    what: str, text: str, does: list[dict[str, object]], which: str = "", **more: object
) -> dict[str, object]:
    """`which` of its kind it is: a page keeps it in its place while its words change."""
    return {"what": what, "id": f"{what} {which}", "text": text, "does": does, **more}
