"""What waits at a table for somebody of the crew, each with what the viewer may do about it.

Each thing that waits is one sentence with the house's names for its stations. What may be done is
tried on the desk, like everything a console offers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from boxman.chips import format_amount
from boxman.journal.codec import EveryCall
from boxman.journal.pit_calls import Attest, Enter, Second
from boxman.pit.console import Speaker, may, wire
from boxman.pit.desk import Desk
from boxman.pit.phrases import EVENTS, STEPS, titled
from boxman.pit.stations import tag_of
from boxman.pit.view import notices
from boxman.rules.layout import Layout
from boxman.table.calls import CancelPoint, DecideFaces, OfferDice, TakeDice
from boxman.table.floor import COME, DUE, dispute_at, rule_of
from boxman.table.floor_calls import (
    CloseTable,
    Confirm,
    HandleDice,
    JudgeDispute,
    PostLimits,
    Tell,
)
from boxman.table.notation import write_call
from boxman.table.people import GUEST, STICK
from boxman.table.powers import station_name


class Crew:
    """The stations somebody works at one table, and what he may say from them."""

    def __init__(self, desk: Desk, speakers: Sequence[Speaker], at: int) -> None:
        self.desk, self.speakers, self.at = desk, speakers, at

    def say(self, label: str, call: EveryCall) -> list[dict[str, Any]]:
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

    def ask(self, label: str, call: EveryCall) -> list[dict[str, Any]]:
        """The same, where more has to be asked first; the call stands for any of its kind."""
        made = self.say(label, call)
        return [
            {"station": each["station"], "label": each["label"], "form": tag_of(call)}
            for each in made
        ]


def waiting(desk: Desk, speakers: Sequence[Speaker], at: int) -> list[dict[str, Any]]:
    """Everything that waits, the most urgent first."""
    crew = Crew(desk, speakers, at)
    parts = (_faces, _dice, _confirmations, _proposals, _disputes, _hand, _notices)
    return [each for part in parts for each in part(desk, crew)]


def _names(layout: Layout, stations: Iterable[str], last: str) -> str:
    return f" {last} ".join(f"the {station_name(layout, station)}" for station in stations)


def _money(desk: Desk, amount: int) -> str:
    return f"{desk.layout.currency}{format_amount(amount)}"


def _faces(desk: Desk, crew: Crew) -> Iterator[dict[str, Any]]:
    """Faces in dispute, entered and not seen, or seen differently."""
    layout, table, book = desk.layout, desk.table, desk.book
    entered = book.entered
    stick, box = station_name(layout, STICK), station_name(layout, "box")
    if table.phase in ("disputed", "call it"):
        reason = "call it" if table.phase == "call it" else ""
        power = layout.procedure.powers.get(("decide faces", reason))
        who = _names(layout, power.who if power else (), "or")
        words = "The faces are in dispute"
        if table.phase == "call it":
            words = f"The {stick} asks for the faces"
        does = []
        if entered is not None:
            first, second = entered.call.first, entered.call.second
            words += f" ({first}-{second} was entered)"
            does += crew.say(f"It was {first}-{second}", DecideFaces(first=first, second=second))
        does += crew.ask("Decide the faces", DecideFaces(first=1, second=2))
        does += crew.say("No roll", DecideFaces())
        yield _item("faces", f"{words}: {who} decides.", does)
    elif entered is not None:
        first, second = entered.call.first, entered.call.second
        seen = Attest(first=first, second=second)
        does = [*crew.say(f"Saw {first}-{second}", seen), *crew.ask("Saw other faces", seen)]
        yield _item("entered", f"The {stick} entered {first}-{second}: the {box} confirms.", does)
    elif book.differ is not None:
        entered_as, seen_as = ("-".join(map(str, faces)) for faces in book.differ)
        text = (
            f"The {box} saw {seen_as}, the {stick} entered {entered_as}: the faces are entered "
            "again, or disputed."
        )
        yield _item("differ", text, crew.ask("Enter the faces", Enter(first=1, second=2)))


def _dice(desk: Desk, crew: Crew) -> Iterator[dict[str, Any]]:
    """Dice that nobody has looked over, that are off the table, or due to be changed."""
    layout, dice = desk.layout, desk.table.floor.dice
    needed = rule_of(layout, "dice", "inspected")
    if needed is not None:
        left = [who for who in needed.value if who not in dice.inspected]
        if left:
            text = f"The dice wait to be inspected by {_names(layout, left, 'and')}."
            yield _item("dice", text, crew.say("Inspected", HandleDice(event="inspected")))
    words = [
        (dice.off, "A die is off the table."),
        (dice.found, "A die was found and waits to be checked."),
        (dice.due and not dice.deferred, "A new set of dice is due."),
        (dice.due and dice.deferred, "A new set of dice is due when the shooter ends."),
        (dice.play < 2 and not dice.due, "A die is missing for the throw."),
    ]
    text = " ".join(words for so, words in words if so)
    if text:
        does = [
            button
            for event, label in EVENTS.items()
            if event not in ("inspected", "off")
            for button in crew.say(label[0].upper() + label[1:], HandleDice(event=event))
        ]
        yield _item("dice", text, does)


def _confirmations(desk: Desk, crew: Crew) -> Iterator[dict[str, Any]]:
    """Late and spoken wagers, calls on."""
    layout, late = desk.layout, desk.table.phase == "out"
    for waits in desk.table.floor.pending:
        kinds = ("late" if late and waits.what == "spoken" else waits.what, waits.what, "late")
        rule = next((found for kind in kinds if (found := rule_of(layout, "confirm", kind))), None)
        who, need = rule.value if rule else ((), "any")
        left = [station for station in who if station not in waits.by]
        name = layout.spots[waits.spot].name
        what = f"{waits.seat} calls {name} on"
        if waits.amount:
            how = {"late": "puts down late", "spoken": "calls out"}[waits.what]
            what = f"{waits.seat} {how} {_money(desk, waits.amount)} on {name}"
        names = _names(layout, left, "and" if need == "all" else "or")
        does = crew.say("Confirm", Confirm(seat=waits.seat, spot=waits.spot))
        confirm = "confirm" if need == "all" and left[1:] else "confirms"
        yield _item("confirm", f"{what}: {names} {confirm} it.", does)


def _proposals(desk: Desk, crew: Crew) -> Iterator[dict[str, Any]]:
    for waits in desk.book.waiting:
        said = write_call(msgspec.convert(waits.call, EveryCall))
        text = f"The {station_name(desk.layout, waits.role)} asks for a second person: {said}."
        does = [
            *crew.say("Agree", Second(of=waits.id, agree=True)),
            *crew.say("Do not agree", Second(of=waits.id, agree=False)),
        ]
        yield _item("second", text, does)


def _disputes(desk: Desk, crew: Crew) -> Iterator[dict[str, Any]]:
    """Disputes that are not closed, with the steps that are due."""
    table, layout = desk.table, desk.layout
    for number, (seat, about, step, judge) in enumerate(table.floor.disputes):
        if step == "close":
            continue
        does = []
        for name, words in STEPS.items():
            if step in DUE[name] and dispute_at(table, seat, name) == number:
                does += crew.say(words.split()[0].capitalize(), JudgeDispute(step=name, seat=seat))
        if rule_of(layout, "dispute", "told of the inspector") and seat not in table.floor.told:
            # Anybody may say it: one button is enough.
            does += crew.say(f"Tell {seat} of the inspector", Tell(whom=seat))[:1]
        by = f" by the {station_name(layout, judge)}" if judge else ""
        come = "waits to be decided" if step == "open" else f"{COME[step]}{by}"
        yield _item("dispute", f"{seat} disputes “{about}”; it {come}.", does, about=about)


def _hand(desk: Desk, crew: Crew) -> Iterator[dict[str, Any]]:
    """Dice that nobody has."""
    hand = desk.table.hand
    if hand.shooter == GUEST or hand.shooter or not desk.table.seats:
        return
    if hand.offered:
        yield _item("hand", f"The dice are offered to {hand.offered}.", [])
        return
    does = [
        button
        for seat in desk.table.seats
        for button in crew.say(f"Offer them to {seat}", OfferDice(seat=seat))
    ]
    does += crew.say("The stick throws", TakeDice(seat=STICK))
    does += crew.say("Cancel the point", CancelPoint())
    yield _item("hand", "Nobody has the dice.", does)


def _notices(desk: Desk, crew: Crew) -> Iterator[dict[str, Any]]:
    """Signs with a running clock; when it has run, what they announce can be done."""
    for each in notices(desk.layout, desk.table, desk.book):
        shown = desk.table.floor.notice
        assert shown is not None
        does: list[dict[str, Any]] = []
        powers = {"closing": "close table"}.get(each["what"], "post limits")
        for power, reason in desk.layout.procedure.powers:
            if power != powers or does:
                continue
            if each["what"] == "closing":
                does = crew.say("Close the table", CloseTable(reason=reason))
            else:
                _, _, low, high, unit = shown
                limits = PostLimits(minimum=low, maximum=high, unit=unit, reason=reason)
                does = crew.say("Post these limits", limits)
        yield _item("notice", each["text"], does, until=each["until"])


def _item(what: str, text: str, does: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {"what": what, "text": text, "does": does, **more}
