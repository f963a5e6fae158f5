"""What waits at a table for somebody of the crew, each with what the viewer may do about it.

Each thing that waits is one sentence with the house's names for its stations. What may be done is
tried on the desk, like everything a console offers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from boxman.chips import format_amount
from boxman.journal.codec import EveryCall
from boxman.journal.pit_calls import Attest, Enter, Second
from boxman.pit.live.desk import Desk
from boxman.pit.live.stations import tag_of
from boxman.pit.told.console import Speaker, may, wire
from boxman.pit.told.phrases import titled
from boxman.pit.told.view import notices
from boxman.rules.layout import Layout
from boxman.table.calls import (
    CancelPoint,
    CloseTable,
    Confirm,
    DecideFaces,
    HandleDice,
    JudgeDispute,
    OfferDice,
    PostLimits,
    TakeDice,
    Tell,
)
from boxman.table.calls.dice import EVENTS
from boxman.table.calls.disputes import STEPS, WANTED, AskedName, AskFor, dispute_at
from boxman.table.floor.people import GUEST, STICK
from boxman.table.floor.powers import station_name
from boxman.table.said.notation import write_call
from boxman.words import phrase


class Crew:
    """The stations somebody works at one table, and what he may say from them."""

    def __init__(self, desk: Desk, speakers: Sequence[Speaker], at: int) -> None:
        self.desk, self.speakers, self.at = desk, speakers, at

    def say(self, label: str, call: EveryCall) -> list[dict[str, object]]:
        """A button for every station of his from which this would be taken."""
        return [
            {"station": speaker.role, "label": self._label(label, speaker), "call": wire(call)}
            for speaker in self.speakers
            if may(self.desk, speaker, call, self.at)
        ]

    def _label(self, label: str, speaker: Speaker) -> str:
        """Somebody who works several stations is told from which he would say it."""
        if len(self.speakers) == 1:
            return label
        return f"{label} ({titled(self.desk.layout, speaker.role)})"

    def ask(self, label: str, call: EveryCall) -> list[dict[str, object]]:
        """The same, where more has to be asked first; the call stands for any of its kind."""
        made = self.say(label, call)
        return [
            {"station": each["station"], "label": each["label"], "form": tag_of(call)}
            for each in made
        ]


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
    return f"{desk.layout.currency}{format_amount(amount)}"


def _faces(desk: Desk, crew: Crew) -> Iterator[dict[str, object]]:
    """Faces in dispute, entered and not seen, or seen differently."""
    layout, table, book = desk.layout, desk.table, desk.book
    entered = book.entered
    stick, box = station_name(layout, STICK), station_name(layout, "box")
    if table.phase in ("disputed", "call it"):
        reason = "call it" if table.phase == "call it" else ""
        power = layout.procedure.power("decide faces", reason)
        who = _names(layout, power.who if power else (), "or")
        words = phrase("pit.matters.the-faces-are-in")
        if table.phase == "call it":
            words = phrase("pit.matters.the-asks-for-the", stick=stick)
        does = []
        if entered is not None:
            first, second = entered.call.first, entered.call.second
            words += phrase("pit.matters.was-entered", first=first, second=second)
            does += crew.say(
                phrase("pit.matters.it-was", first=first, second=second),
                DecideFaces(first=first, second=second),
            )
        does += crew.ask(phrase("pit.matters.decide-the-faces"), DecideFaces(first=1, second=2))
        does += crew.say(phrase("pit.matters.no-roll"), DecideFaces())
        yield _item("faces", phrase("pit.matters.decides", words=words, who=who), does)
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
    needed = layout.procedure.dice.inspected
    if needed is not None:
        left = [who for who in needed.value if who not in dice.inspected]
        if left:
            text = phrase("pit.matters.the-dice-wait-to", layout=_names(layout, left, "and"))
            yield _item(
                "dice",
                text,
                crew.say(
                    phrase("pit.matters.inspected"),
                    HandleDice(event="inspected"),
                ),
            )
    words = [
        (dice.off, phrase("pit.matters.a-die-is-off")),
        (dice.found, phrase("pit.matters.a-die-was-found")),
        (dice.due and not dice.deferred, phrase("pit.matters.a-new-set-of")),
        (dice.due and dice.deferred, phrase("pit.matters.a-new-set-of-dice")),
        (dice.play < 2 and not dice.due, phrase("pit.matters.a-die-is-missing")),
    ]
    text = " ".join(words for so, words in words if so)
    if text:
        does = [
            button
            for event, each in EVENTS.items()
            if each.power is not None and event not in ("inspected", "off")
            for button in crew.say(_event(event), HandleDice(event=event))
        ]
        yield _item("dice", text, does)


def _event(event: str) -> str:
    told = phrase(f"choices.handledice.event.{event}")
    return told[0].upper() + told[1:]


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
        does = crew.say(phrase("pit.matters.confirm"), Confirm(seat=waits.seat, spot=waits.spot))
        several = 2 if need == "all" and left[1:] else 1
        text = phrase("pit.matters.confirms", what=what, names=names, several=several)
        yield _item("confirm", text, does)


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
        yield _item("second", text, does)


def _disputes(desk: Desk, crew: Crew) -> Iterator[dict[str, object]]:
    """Disputes that are not closed, with the steps that are due."""
    table, layout = desk.table, desk.layout
    for number, dispute in enumerate(table.floor.disputes):
        seat, step, judge = dispute.seat, dispute.step, dispute.judge
        if step == "close":
            continue
        does = []
        for name, each in STEPS.items():
            if step in each.due and dispute_at(table, seat, name) == number:
                does += crew.say(
                    phrase(f"pit.matters.steps.{name}"), JudgeDispute(step=name, seat=seat)
                )
        for wanted in WANTED:
            if step in STEPS[wanted].due and _on_request(layout, wanted, dispute.about):
                # Anybody who may write it down: one button is enough.
                ask = phrase(f"pit.matters.requests.{wanted}", seat=seat)
                does += crew.say(ask, AskFor(seat=seat, step=wanted))[:1]
        if layout.procedure.dispute.told_of_the_inspector and seat not in table.floor.told:
            # Anybody may say it: one button is enough.
            does += crew.say(phrase("pit.matters.tell", seat=seat), Tell(whom=seat))[:1]
        by = phrase("pit.matters.by-the", judge=station_name(layout, judge)) if judge else ""
        come = phrase(f"pit.matters.come.{step}") + (by if step != "open" else "")
        for wanted in WANTED:
            if wanted in dispute.asked and step in STEPS[wanted].due:
                come += phrase(f"pit.matters.requested.{wanted}")
        yield _item(
            "dispute",
            phrase("pit.matters.disputes-it", seat=seat, about=dispute.about, come=come),
            does,
            about=dispute.about,
        )


def _on_request(layout: Layout, step: AskedName, about: str) -> bool:
    """Whether a step of a dispute is taken only when its complainant asks for it."""
    powers = layout.procedure.powers[STEPS[step].power]
    power = powers.get(about) or powers.get("")
    return power is not None and "asked" in power.needs


def _hand(desk: Desk, crew: Crew) -> Iterator[dict[str, object]]:
    """Dice that nobody has."""
    hand = desk.table.hand
    if hand.shooter == GUEST or hand.shooter or not desk.table.seats:
        return
    if hand.offered:
        yield _item("hand", phrase("pit.matters.the-dice-are-offered", offered=hand.offered), [])
        return
    does = [
        button
        for seat in desk.table.seats
        for button in crew.say(phrase("pit.matters.offer", seat=seat), OfferDice(seat=seat))
    ]
    does += crew.say(phrase("calls.takedice"), TakeDice(seat=STICK))
    does += crew.say(phrase("calls.cancelpoint"), CancelPoint())
    yield _item("hand", phrase("pit.matters.nobody-has-the-dice"), does)


def _notices(desk: Desk, crew: Crew) -> Iterator[dict[str, object]]:
    """Signs with a running clock; when it has run, what they announce can be done."""
    hang = desk.table.floor.notices
    for each, shown in zip(notices(desk.layout, desk.table, desk.book), hang, strict=True):
        does: list[dict[str, object]] = []
        powers = desk.layout.procedure.powers
        for reason in powers["close table" if each["what"] == "closing" else "post limits"]:
            if does:
                break
            if each["what"] == "closing":
                does = crew.say(phrase("calls.closetable"), CloseTable(reason=reason))
            else:
                low, high, unit = shown.limits
                limits = PostLimits(
                    minimum=low, maximum=high, unit=unit, group=shown.group, reason=reason
                )
                does = crew.say(phrase("pit.matters.post"), limits)
        yield _item("notice", each["text"], does, until=each["until"])


def _item(what: str, text: str, does: list[dict[str, object]], **more: object) -> dict[str, object]:
    return {"what": what, "text": text, "does": does, **more}
