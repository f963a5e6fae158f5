"""What each station of the crew may say now, why not, and with which words and figures.

The rules are asked, never copied: every call that a station might make is tried on the desk as it
stands, with the people and reasons there are, and a trial writes nothing. So what is offered here
would be taken, and what is not offered would be refused for the reason told.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from boxman.journal.codec import EveryCall
from boxman.journal.pit_calls import Attest, Enter, Second, Throw
from boxman.journal.row import Station
from boxman.pit import terms
from boxman.pit.desk import Desk
from boxman.pit.stations import KINDS, MAY_SAY, spoken, tag_of
from boxman.table.calls import OrderPass, VoidRoll
from boxman.table.explain import as_sentence
from boxman.table.floor_calls import LinkPartners, PlaceFor, Record, Sanction
from boxman.table.rulings import Refusal
from boxman.table.speakers import STAFF
from boxman.table.station_menu import candidates


class Speaker(NamedTuple):
    """Who speaks, and from which station."""

    role: str
    person: str
    stand_in: str = ""
    """The person again, where he was named at the table to do this station's work."""


class Entry(NamedTuple):
    """A kind of call as a console shows it."""

    label: str
    choices: tuple[str, ...] = ()
    """What is chosen, each from what the choices before it leave."""
    fills: tuple[str, ...] = ()
    """What is typed, or tapped."""
    nothing: str = ""
    """Why not, where there is nothing to say it of."""


ENTRIES: dict[str, Entry] = {
    "offerdice": Entry("Offer the dice", ("seat",)),
    "closebets": Entry("No more bets"),
    "diceout": Entry("Dice out"),
    "throw": Entry("Throw the dice"),
    "enter": Entry("Enter the faces", fills=("faces",)),
    "attest": Entry("Confirm the faces", fills=("faces",)),
    "dicerest": Entry("Dice at rest"),
    "callnoroll": Entry("Call no roll", ("cause",), ("person",)),
    "callit": Entry("Call it"),
    "decidefaces": Entry("Decide the faces", ("throw",), ("faces",)),
    "confirm": Entry(
        "Confirm a wager or a call", ("seat", "spot"), (), "nothing waits to be confirmed"
    ),
    "placefor": Entry("Bet for a player", ("seat", "spot"), ("amount",)),
    "find": Entry("A stake found in play", ("seat", "spot"), ("amount",)),
    "giveback": Entry("Give back a mistake", ("seat", "spot"), ("amount",), "no wager is up"),
    "overrule": Entry("Overrule the last call", ("throw",), ("faces",)),
    "voidroll": Entry(
        "Void a roll or a round", ("whole_round", "reason", "forfeit"), ("person", "note")
    ),
    "second": Entry(
        "Agree as second person", ("of", "agree"), (), "no call waits for a second person"
    ),
    "takedice": Entry("The stick throws"),
    "orderpass": Entry("Order the shooter to pass", ("seat", "reason"), ("note",)),
    "cancelpoint": Entry("Cancel the point"),
    "opendispute": Entry("Open a dispute for a player", ("seat",), ("about",)),
    "judgedispute": Entry("Work on a dispute", ("seat", "step"), ("note",)),
    "sanction": Entry("Act against a player", ("what", "seat", "reason")),
    "linkpartners": Entry("Hold two players together", ("first", "second")),
    "shownotice": Entry("Show a notice", ("what",), ("minimum", "maximum", "unit")),
    "postlimits": Entry("Post limits", ("reason",), ("minimum", "maximum", "unit")),
    "grantlimits": Entry("Grant a player limits", ("seat",), ("minimum", "maximum")),
    "keeplimits": Entry("Old limits for a player", ("seat", "keep")),
    "handledice": Entry("The set of dice", ("event",)),
    "givevoucher": Entry("Give a voucher", ("seat",), ("amount",)),
    "standin": Entry("Name a stand-in", ("station",), ("person",)),
    "changestick": Entry("Another stickperson"),
    "choose": Entry("Another setting", ("setting",)),
    "record": Entry("Make a note", ("what", "person"), ("note",)),
    "tell": Entry("Tell somebody", ("whom",)),
    "closetable": Entry("Close the table", ("reason",)),
}

ROLE = ("not-your-call", "no-such-power", "not-your-station")
"""Refusals that rest on the station alone."""
ARGUMENT = ("no-such-reason", "no-such-cause", "cause-missing", "no-cause", "no-such-station")
"""Refusals that rest on what was filled in."""
MORE = {
    "handledice": ("inspect dice", "check die", "allow old dice"),
    "judgedispute": ("review dispute", "inspect dispute"),
    "keeplimits": ("end kept limits",),
    "shownotice": ("close table",),
}
"""Powers that some of these calls need, besides those that every call of the kind rests on."""


class Tried(NamedTuple):
    """A call as it was tried, and what the desk would say."""

    call: EveryCall
    refusal: Refusal | None


def tried(desk: Desk, speaker: Speaker, tag: str, at: int) -> Iterator[Tried]:
    """Every call of a kind that this station might make now, with its answer."""
    station = Station(speaker.role, person=speaker.person)
    for call in _calls(desk, speaker, tag):
        said = spoken(call, speaker.role, "", "", at, speaker.stand_in)
        yield Tried(said, desk.trial(station, said))


def may(desk: Desk, speaker: Speaker, call: EveryCall, at: int) -> bool:
    """Whether the desk would take this call now."""
    if tag_of(call) not in MAY_SAY[speaker.role]:
        return False
    said = spoken(call, speaker.role, "", "", at, speaker.stand_in)
    return desk.trial(Station(speaker.role, person=speaker.person), said) is None


def _calls(desk: Desk, speaker: Speaker, tag: str) -> Iterator[EveryCall]:
    table, book = desk.table, desk.book
    match tag:
        case "throw":
            yield Throw()
        case "enter":
            yield Enter(first=1, second=2)
        case "attest":
            seen = book.entered.call if book.entered is not None else Enter(first=1, second=2)
            yield Attest(first=seen.first, second=seen.second)
        case "second":
            for waits in book.waiting:
                for agree in (True, False):
                    yield Second(of=waits.id, agree=agree)
        case _:
            found = candidates(desk.layout, table, speaker.role, KINDS[tag])  # type: ignore[arg-type]
            first = next(found, None)
            if first is None:
                yield from _least(desk, tag)
                return
            yield first  # type: ignore[misc]
            yield from found  # type: ignore[misc]


def _least(desk: Desk, tag: str) -> Iterator[EveryCall]:
    """A call to learn the reason from, where the house has nothing to fill it in with."""
    seat = next(iter(desk.table.seats), "")
    if tag == "placefor" and seat:
        yield PlaceFor(seat=seat, spot=next(iter(desk.layout.spots)), amount=desk.layout.chip)
    elif tag == "orderpass" and seat:
        yield OrderPass(seat=seat, reason="")
    elif tag == "sanction" and seat:
        yield Sanction(what="exclude", seat=seat)
    elif tag == "linkpartners" and seat:
        yield LinkPartners(first=seat, second=seat)
    elif tag == "voidroll":
        yield VoidRoll(reason="")
    elif tag == "record":
        yield Record(what="")


def console(desk: Desk, speaker: Speaker, at: int) -> list[dict[str, Any]]:
    """Everything one station of the crew may say, enabled or with the reason why not."""
    listed = []
    for tag, entry in ENTRIES.items():
        if tag not in MAY_SAY[speaker.role] or not _here(desk, tag):
            continue
        refusal = _why_not(desk, speaker, tag, at)
        listed.append(
            {
                "call": tag,
                "label": entry.label,
                "enabled": refusal is None,
                "why": as_sentence(sentence(refusal), desk.table.seats) if refusal else "",
                "clauses": list(refusal.cites) if refusal else [],
                "never": refusal is not None and refusal.code in ROLE,
            }
        )
    return listed


def sentence(refusal: Refusal) -> str:
    """A refusal in words, with what to do."""
    words = refusal.sentence
    return f"{words}: {refusal.remedy}" if refusal.remedy else words


def _here(desk: Desk, tag: str) -> bool:
    """Whether a call belongs to a table with these dice and these settings."""
    setup = desk.book.setup
    if tag == "second":
        return setup.second_person
    if setup.dice == "hand":
        return tag != "throw"
    return tag not in ("enter", "attest", "callit")


def _why_not(desk: Desk, speaker: Speaker, tag: str, at: int) -> Refusal | None:
    """Why every such call would be refused now, if every one would: the most telling reason."""
    refusals: list[Refusal] = []
    powerless = not _has_power(desk, speaker.role, tag)
    for _, refusal in tried(desk, speaker, tag, at):
        if refusal is None:
            return None
        refusals.append(refusal)
        if powerless and refusal.code in ROLE:
            return refusal
    if not refusals:
        return _nothing(desk, tag)
    if tag == "choose":
        words = "what was chosen when the table opened holds until it closes"
        return Refusal(refusals[0].code, words, refusals[0].cites)
    # Why the right person cannot do it says more than that for one reason he is not the one.
    for codes in ((*ROLE, *ARGUMENT), ARGUMENT):
        telling = [refusal for refusal in refusals if refusal.code not in codes]
        if telling:
            return telling[0]
    return refusals[0]


def _has_power(desk: Desk, role: str, tag: str) -> bool:
    """Whether any clause gives this station a power that calls of a kind rest on."""
    kind = KINDS[tag]
    powers = (*STAFF.get(kind, ()), *MORE.get(tag, ()))  # type: ignore[arg-type]
    procedure = desk.layout.procedure
    if tag == "callnoroll" and any(role in cause.who for cause in procedure.causes.values()):
        return True
    held = [given for (name, _), given in procedure.powers.items() if name in powers]
    return not powers or any(role in given.who for given in held)


def _nothing(desk: Desk, tag: str) -> Refusal:
    layout = desk.layout
    words = ENTRIES[tag].nothing
    if tag == "second":
        return Refusal("nothing-waits", words, (terms.SECOND,))
    if not desk.table.seats or not words:
        return Refusal("nobody-there", "nobody sits at the table", layout.principles["chips"])
    return Refusal("nothing-waits", words, layout.principles["area"])


def wire(call: EveryCall, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """A call as a page sends it: who makes it and when is the server's to say."""
    plain: dict[str, Any] = msgspec.to_builtins(call)
    for name in ("id", "by", "at", "stand_in", *without):
        plain.pop(name, None)
    return plain
