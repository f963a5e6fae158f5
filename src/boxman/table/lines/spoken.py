"""Calls as lines: read and written by the patterns they are declared with.

It knows the sides of a table and no call: a player who says what is the crew's is read too, so that
the ruling can say whose it is.
"""

from __future__ import annotations

import re

import msgspec

from boxman.rules.duties import STATIONS
from boxman.table import calls  # noqa: F401  (declares them)
from boxman.table.call import DECLARED, Call, Declared, speaker_of, spoken_lines
from boxman.table.lines.fields import Made, read_station
from boxman.table.lines.pattern import Line
from boxman.table.lines.words import Cursor, NotationError
from boxman.words import phrase

RESERVED_WORDS = frozenset(
    (
        *(*STATIONS, "stickperson", "boxperson", "baseperson", "guest", "all", "everyone"),
        *("house", "table", "dice", "puck", "ok", "refused", "warned", "nothing"),
    )
)
_NAME = re.compile(r"[^\W\d][\w-]*")

Ways = dict[str, list[tuple[Line, Declared]]]


def _ways(*sides: str) -> Ways:
    """The lines of these sides by verb: those that are told by more words first."""
    found: Ways = {}
    for declared, line in spoken_lines():
        if line.side in sides:
            found.setdefault(line.verb, []).append((line, declared))
    for lines in found.values():
        lines.sort(key=lambda way: not way[0].head)
    return found


PLAYER_LINES = _ways("player")
CREW_LINES = _ways("crew")
STATIONED = _ways("crew", "station")
BARE = _ways("")


def read_spoken(cursor: Cursor) -> Call:
    """Read one call from its first word on."""
    first = cursor.take("a call")
    name = first.text
    if name in STATIONS:
        return _read_crew(cursor, name, STATIONED)
    if name in BARE:
        return _read(cursor, BARE[name], name)
    if name in RESERVED_WORDS or not _NAME.fullmatch(name):
        raise NotationError(
            first.column, phrase("lines.expected-a-players-name-house", name=f"{name!r}")
        )
    if cursor.accept("for"):
        # somebody named to do the work of a station: kim for box calls no roll ...
        station = read_station(cursor)
        done = _read_crew(cursor, station, STATIONED)
        return msgspec.structs.replace(done, by=station, stand_in=name)
    verb = cursor.peek()
    if verb in CREW_LINES and _is_crews(cursor, verb):
        return _read_crew(cursor, name, CREW_LINES)  # the ruling says that it is not for players
    verb = cursor.take("what a player does").text
    if verb not in PLAYER_LINES:
        cursor.fail(phrase("lines.is-not-something-a-player", verb=f"{verb!r}"), 1)
    return _read(cursor, PLAYER_LINES[verb], name)


def _is_crews(cursor: Cursor, verb: str) -> bool:
    """Whether these words are a call of the crew, whoever says them."""
    rest = cursor.words[cursor.index + 1 :]
    return verb not in PLAYER_LINES or any(line.spoken(rest) for line, _ in CREW_LINES[verb])


def _read_crew(cursor: Cursor, station: str, ways: Ways) -> Call:
    verb = cursor.take("what the station does").text
    return _read(cursor, ways.get(verb, []), station, verb)


def _read(cursor: Cursor, ways: list[tuple[Line, Declared]], speaker: str, verb: str = "") -> Call:
    """Read the line that these words begin; who speaks needs no name where it is the usual one."""
    for line, declared in ways:
        if line.head and not cursor.accept(*line.head):
            continue
        made: Made = {}
        if line.lead:
            made[line.lead] = "" if speaker == declared.speaks else speaker
        found = declared.kind(**line.read(cursor, made))
        if cursor.more and (joined := _apart(getattr(found, "spot", ""), cursor)):
            cursor.fail(
                phrase("lines.a-wager-is-one-word", peek=f"{cursor.peek()!r}", wager=joined)
            )
        cursor.finish()
        return found
    cursor.fail(
        phrase("lines.is-not-something-the-does", verb=f"{verb!r}", speaker=speaker),
        1,
    )


def _apart(spot: str, cursor: Cursor) -> str:
    """The wager that was meant where it was written in two words: place 6, dont pass, pass odds."""
    rest = cursor.peek()
    if not spot or cursor.words[cursor.index - 1].text != spot:
        return ""
    if rest.isdecimal() or rest == "odds":
        return f"{spot}.{rest}"
    return f"{spot}_{rest}" if spot in ("dont", "any") else ""


def write_spoken(call: Call) -> str:
    """Write one call; reading it back gives the same call."""
    declared = DECLARED[type(call)]
    lines = declared.lines
    line = lines[0] if len(lines) == 1 else declared.line(call)
    text = line.write(call)
    if line.lead:
        text = f"{speaker_of(declared, line, call)} {text}"
    if call.stand_in:
        station, _, rest = text.partition(" ")
        return f"{call.stand_in} for {station} {rest}"
    return text
