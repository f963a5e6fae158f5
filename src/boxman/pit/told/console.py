"""What each station of the crew may say now, why not, and with which words and figures.

The rules are asked, never copied: every call that a station might make is tried on the desk as it
stands, with the people and reasons there are, and a trial writes nothing. So what is offered here
would be taken, and what is not offered would be refused for the reason told.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from boxman.journal.pit_calls import Attest, Enter, Second, Throw
from boxman.journal.row import Station
from boxman.pit.live import terms
from boxman.pit.live.desk import Desk
from boxman.pit.live.stations import CALL_KINDS, MAY_SAY, spoken, tag_of
from boxman.table.call import DECLARED, Call, ConsoleEntry, least
from boxman.table.rulings import Refusal
from boxman.table.said.explain import as_sentence
from boxman.table.said.station_menu import candidates
from boxman.words.say import Value, has, phrase


class Speaker(NamedTuple):
    """Who speaks, and from which station."""

    role: str
    person: str
    stand_in: str = ""
    """The person again, where he was named at the table to do this station's work."""


CONSOLE_ENTRIES: dict[str, ConsoleEntry] = {
    tag: entry for tag, kind in CALL_KINDS.items() if (entry := DECLARED[kind].console) is not None
}
CONSOLE_ENTRIES = dict(sorted(CONSOLE_ENTRIES.items(), key=lambda each: each[1].rank))
"""Every call of the crew as a console shows it, in the order of the console."""

ROLE = ("not-your-call", "no-such-power", "not-your-station")
"""Refusals that rest on the station alone."""
ARGUMENT = ("no-such-reason", "no-such-cause", "cause-missing", "no-cause", "no-such-station")
"""Refusals that rest on what was filled in."""


class Tried(NamedTuple):
    """A call as it was tried, and what the desk would say."""

    call: Call
    refusal: Refusal | None


def tried(desk: Desk, speaker: Speaker, tag: str, at: int) -> Iterator[Tried]:
    """Every call of a kind that this station might make now, with its answer."""
    station = Station(speaker.role, person=speaker.person)
    for call in _calls(desk, speaker, tag):
        said = spoken(call, speaker.role, "", "", at, speaker.stand_in)
        yield Tried(said, desk.trial(station, said))


def may(desk: Desk, speaker: Speaker, call: Call, at: int) -> bool:
    """Whether the desk would take this call now."""
    if tag_of(call) not in MAY_SAY[speaker.role]:
        return False
    said = spoken(call, speaker.role, "", "", at, speaker.stand_in)
    return desk.trial(Station(speaker.role, person=speaker.person), said) is None


def _calls(desk: Desk, speaker: Speaker, tag: str) -> Iterator[Call]:
    declared = DECLARED[CALL_KINDS[tag]]
    if not declared.lines:
        yield from _own_calls(desk, declared.kind)
        return
    found = False
    for call in candidates(desk.layout, desk.table, speaker.role, declared.kind):
        found = True
        yield call
    if not found and not has(f"nothing.{tag}"):
        yield from least(declared, desk.layout, desk.table)


def _own_calls(desk: Desk, kind: type[Call]) -> Iterator[Call]:
    """Calls that the desk itself rules on: dice of the house, faces entered, second persons."""
    entered = desk.book.entered.call if desk.book.entered is not None else Enter(first=1, second=2)
    if kind is Throw:
        yield Throw()
    elif kind is Enter:
        yield Enter(first=1, second=2)
    elif kind is Attest:
        yield Attest(first=entered.first, second=entered.second)
    elif kind is Second:
        for waits in desk.book.waiting:
            yield Second(of=waits.id, agree=True)
            yield Second(of=waits.id, agree=False)


def console(desk: Desk, speaker: Speaker, at: int) -> list[dict[str, object]]:
    """Everything one station of the crew may say, enabled or with the reason why not."""
    listed = []
    for tag in CONSOLE_ENTRIES:
        if tag not in MAY_SAY[speaker.role] or not _here(desk, tag):
            continue
        refusal = _why_not(desk, speaker, tag, at)
        listed.append(
            {
                "call": tag,
                "label": phrase(f"calls.{tag}"),
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
    setup, only = desk.book.setup, CONSOLE_ENTRIES[tag].only
    if only == "second person":
        return setup.second_person
    by_hand = setup.dice == "hand"
    return not only or (only == "dice by hand") == by_hand


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
    if refusals[0].code == "settings-hold":
        return Refusal(refusals[0].code, refusals[0].cites, "all")
    # Why the right person cannot do it says more than that for one reason he is not the one.
    for codes in ((*ROLE, *ARGUMENT), ARGUMENT):
        telling = [refusal for refusal in refusals if refusal.code not in codes]
        if telling:
            return telling[0]
    return refusals[0]


def _has_power(desk: Desk, role: str, tag: str) -> bool:
    """Whether any clause gives this station a power that calls of a kind rest on."""
    declared = DECLARED[CALL_KINDS[tag]]
    powers = (*declared.powers, *declared.also)
    procedure = desk.layout.procedure
    if "no roll" in powers and any(role in cause.who for cause in procedure.causes.values()):
        return True
    held = [power for power in procedure.granted if power.call in powers]
    return not powers or any(role in power.who for power in held)


def _nothing(desk: Desk, tag: str) -> Refusal:
    layout = desk.layout
    nothing: dict[str, Value] = {"call": tag}
    if CONSOLE_ENTRIES[tag].only == "second person":
        return Refusal("nothing-waits", (terms.SECOND,), "console", values=nothing)
    if not desk.table.seats or not has(f"nothing.{tag}"):
        return Refusal("nobody-there", layout.principles["chips"])
    return Refusal("nothing-waits", layout.principles["area"], "console", values=nothing)


def wire(call: Call, without: tuple[str, ...] = ()) -> dict[str, object]:
    """A call as a page sends it: who makes it and when is the server's to say."""
    plain: dict[str, object] = msgspec.to_builtins(call)
    for name in ("id", "by", "at", "stand_in", *without):
        plain.pop(name, None)
    return plain
