"""Journals that break the protocol of the dice, as a house that cheats would write them: every row
hashed and chained anew. The real evening they are made of was played at a real server."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.attack.play import own_table, throws
from tests.attack.server import Server

Rows = list[dict[str, Any]]
Journal = tuple[list[dict[str, Any]], Rows]
HANDS = 2
OTHER = "a rulebook of somebody's own\n"


def _exported(server: Server, table: str) -> Journal:
    """The header with the rulebooks, and the rows, of an export."""
    done = server.run("export", table, "--database", server.database)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    first = next(place for place, line in enumerate(lines) if "call" in line)
    return lines[:first], lines[first:]


@pytest.fixture(scope="module")
def evening(house: Server) -> Journal:
    """Two whole hands, and two throws of a third."""
    guest, table = own_table(house)
    with guest.at(table) as seat:
        shown = 0
        while shown < HANDS:
            throws(seat, 1)
            shown = sum(row["call"]["type"] == "reveal" for row in seat.heard if row["is"] == "row")
        throws(seat, 2)
    return _exported(house, table)


def _written(journal: Journal, path: Path) -> Path:
    """A file of these rows, numbered and chained anew, with a header that agrees."""
    before, rows = journal
    previous, lines = "0" * 64, []
    for number, row in enumerate(rows, 1):
        plain = {**row, "number": number, "id": f"r{number}", "previous": previous}
        del plain["hash"]
        body = json.dumps(plain, separators=(",", ":"), ensure_ascii=False).encode()
        previous = hashlib.sha256(body).hexdigest()
        lines.append(body[:-1] + b',"hash":"' + previous.encode() + b'"}')
    header = {**before[0], "rows": len(rows), "head": previous}
    head = [json.dumps(each, separators=(",", ":")).encode() for each in (header, *before[1:])]
    path.write_bytes(b"\n".join([*head, *lines]) + b"\n")
    return path


def _places(rows: Rows, *kinds: str) -> list[int]:
    return [place for place, row in enumerate(rows) if row["call"]["type"] in kinds]


def _without(rows: Rows, *kinds: str) -> Rows:
    return [row for row in rows if row["call"]["type"] not in kinds]


# -- what a house could try: what it writes, and what is said of it ----------------------------


def _never_committed(rows: Rows) -> Rows:
    return _without(rows, "commit", "throw", "reveal")


def _no_longer_committed(rows: Rows) -> Rows:
    shown = _places(rows, "reveal")[0] + 1
    return rows[:shown] + _never_committed(rows[shown:])


def _secret_public(rows: Rows) -> Rows:
    """Thrown on from a hand whose secret is shown."""
    shown = _places(rows, "reveal")[0] + 1
    index = rows[_places(rows[:shown], "throw")[-1]]["call"]["index"]
    rest = _without(rows[shown:], "commit", "reveal")
    for number, place in enumerate(_places(rest, "throw"), index + 1):
        rest[place]["call"].update(hand=1, index=number)
    return rows[:shown] + rest


def _two_left_uncalled(rows: Rows) -> Rows:
    gone = _places(rows, "callroll")[1:3]
    return [row for place, row in enumerate(rows) if place not in gone]


def _overruled(rows: Rows) -> Rows:
    place = next(p for p in _places(rows, "callroll") if rows[p]["call"]["first"] != 6)
    row = copy.deepcopy(rows[place])
    row["call"] = {"type": "overrule", "first": 6, "second": 6, "by": "box"}
    back = {"type": "reversed", "why": "overruled", "cites": ["1"]}
    rolled = {"type": "rolled", "first": 6, "second": 6, "puck": 0, "event": "", "cites": ["1"]}
    row["ruling"] = {"decisions": [back, rolled]}
    return [*rows[: place + 1], row, *rows[place + 1 :]]


def _set_up_later(rows: Rows) -> Rows:
    """The row that says whose dice are thrown comes after one that was refused."""
    first = copy.deepcopy(rows[0])
    first["notes"], first["ruling"] = {}, {"refusal": {"code": "x", "message": "x"}}
    return _never_committed([first, *rows])


def _setup_refused(rows: Rows) -> Rows:
    rows[0]["ruling"] = {"refusal": {"code": "x", "message": "x"}}
    return _never_committed(rows)


def _other_faces(rows: Rows) -> Rows:
    roll = rows[_places(rows, "callroll")[0]]["ruling"]["decisions"][0]
    roll.update(first=1, second=2 if {roll["first"], roll["second"]} != {1, 2} else 3)
    return rows


def _index_left_out(rows: Rows) -> Rows:
    rows[_places(rows, "throw")[-1]]["call"]["index"] += 1
    return rows


def _hand_of(number: int) -> Callable[[Rows], Rows]:
    def numbered(rows: Rows) -> Rows:
        for row in rows:
            if row["call"].get("hand") == 1:
                row["call"]["hand"] = number
        return rows

    return numbered


def _secret_used_again(rows: Rows) -> Rows:
    first, second = _places(rows, "commit")[:2]
    rows[second]["call"]["commitment"] = rows[first]["call"]["commitment"]
    return rows


def _never_shown(rows: Rows) -> Rows:
    del rows[_places(rows, "reveal")[0]]
    return rows


def _shown_too_soon(rows: Rows) -> Rows:
    """The next throw does not suit: the hand is ended before it."""
    shown, commit = _places(rows, "reveal")[0], _places(rows, "commit")[0]
    return [*rows[: commit + 1], rows[shown], *rows[commit + 1 :]]


def _restarted_elsewhere(rows: Rows) -> Rows:
    """The same by a start of the server that names another row than it follows."""
    shown, commit = _places(rows, "reveal")[0], _places(rows, "commit")[0]
    start = {**rows[shown], "call": {"type": "restart", "head": "1" * 64}}
    return [*rows[: commit + 1], start, rows[shown], *rows[commit + 1 :]]


def _other_secret(rows: Rows) -> Rows:
    rows[_places(rows, "reveal")[0]]["call"]["secret"] = "0" * 64
    return rows


def _words_too_late(rows: Rows) -> Rows:
    place = _places(rows, "callroll")[0]
    words = {"type": "addentropy", "seat": "ann", "text": "late"}
    late = {**rows[place], "call": words, "ruling": {}}
    return [*rows[: place + 1], late, *rows[place + 1 :]]


def _refused_and_paid(rows: Rows) -> Rows:
    """A roll that was refused, and settled all the same: nobody looks at the dice of refusals."""
    row = copy.deepcopy(rows[_places(rows, "callroll")[0]])
    row["ruling"]["refusal"] = {"code": "house-dice", "cites": ["1"]}
    return [*rows, row]


def _called_twice(rows: Rows) -> Rows:
    place = _places(rows, "callroll")[0]
    return [*rows[: place + 1], copy.deepcopy(rows[place]), *rows[place + 1 :]]


def _committed_after(rows: Rows) -> Rows:
    """What was thrown is fixed afterwards."""
    throw, commit = _places(rows, "throw")[0], _places(rows, "commit")[0]
    late = rows[commit]
    return [*rows[:commit], *rows[commit + 1 : throw + 1], late, *rows[throw + 1 :]]


def _another_rulebook(rows: Rows) -> Rows:
    """From here on another rulebook pays, which is there to be read too."""
    for row in rows[_places(rows, "callroll")[0] :]:
        row["edition"] = hashlib.sha256(OTHER.encode()).hexdigest()
    return rows


def _no_word_of_dice(rows: Rows) -> Rows:
    del rows[0]["notes"]["setup"]
    return _never_committed(rows)


def _no_such_protocol(rows: Rows) -> Rows:
    rows[0]["notes"]["dice"] = "3"
    return rows


def _dice_of_nobody(rows: Rows) -> Rows:
    """A word for the dice that no table has: no way out of the counts."""
    setup = json.loads(rows[0]["notes"]["setup"]) | {"dice": "House"}
    rows[0]["notes"]["setup"] = json.dumps(setup)
    return _never_committed(rows)


TRICKS: dict[str, tuple[Callable[[Rows], Rows], str]] = {
    "never committed": (_never_committed, "was called, and nobody threw it"),
    "two left uncalled": (_two_left_uncalled, "was thrown, and never called"),
    "overruled to 6-6": (_overruled, "6-6 was settled, but"),
    "refused and paid": (_refused_and_paid, "is refused, and decides something all the same"),
    "another rulebook": (_another_rulebook, "than the table was opened with"),
    "set up later": (_set_up_later, "is set up in another row than the first"),
    "hand 2**70": (_hand_of(2**70), "is no number of a hand"),
    "no longer committed": (_no_longer_committed, "was called, and nobody threw it"),
    "secret public": (_secret_public, "stands under no commitment"),
    "set-up refused": (_setup_refused, "was called, and nobody threw it"),
    "other faces": (_other_faces, "was settled, but"),
    "index left out": (_index_left_out, "is out of order"),
    "hand -5": (_hand_of(-5), "is no number of a hand"),
    "hand left out": (_hand_of(9), "hand 9 follows hand 0"),
    "secret used again": (_secret_used_again, "was shown for an earlier hand"),
    "never shown": (_never_shown, "hand 1 was never shown"),
    "shown too soon": (_shown_too_soon, "hand 1 was shown before it was over"),
    "restarted elsewhere": (_restarted_elsewhere, "at another row than this one follows"),
    "other secret": (_other_secret, "is not the one committed to"),
    "words too late": (_words_too_late, "words were added after the first throw"),
    "called twice": (_called_twice, "was called, and nobody threw it"),
    "committed after": (_committed_after, "stands under no commitment"),
    "no word of dice": (_no_word_of_dice, "does not say how it is run"),
    "dice of nobody": (_dice_of_nobody, "does not say how it is run"),
    "no such protocol": (_no_such_protocol, "protocol 3 is not known here"),
}
SAMPLE = 5
"""Of these many in `make test`, the others in `make soak`: each takes a process."""


def test_an_evening_chained_anew_and_otherwise_as_it_was_is_sound(
    house: Server, evening: Journal, tmp_path: Path
) -> None:
    done = house.run("verify", str(_written(evening, tmp_path / "honest")))
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    "name",
    [
        name if place < SAMPLE else pytest.param(name, marks=pytest.mark.soak)
        for place, name in enumerate(TRICKS)
    ],
)
def test_what_the_protocol_forbids_is_named(
    house: Server, evening: Journal, tmp_path: Path, name: str
) -> None:
    trick, said = TRICKS[name]
    before, rows = copy.deepcopy(evening)
    digest = hashlib.sha256(OTHER.encode()).hexdigest()
    before.append({"boxman": "edition", "digest": digest, "text": OTHER})
    done = house.run("verify", str(_written((before, trick(rows)), tmp_path / "forged")))
    told = (done.stdout + done.stderr).decode()
    assert (done.returncode, "Traceback" in told) == (1, False), told
    assert said in told, told


def test_a_journal_writes_nothing_of_its_own_on_the_terminal_of_who_reads_it(
    house: Server, evening: Journal, tmp_path: Path
) -> None:
    """What moves the cursor, or begins a line, would make an unsound journal look sound."""
    lie = "\r\n\x1b[2J\x1b]0;x\x07\u202eall rows are sound"
    before, rows = copy.deepcopy(evening)
    before[0]["table"] = lie
    for row in rows:
        row["table"] = row["station"]["person"] = lie
        for decision in row["ruling"].get("decisions", ()):
            decision["cites"] = [lie]
    file = str(_written((before, rows), tmp_path / "lie"))
    for words in (
        ("verify", file),
        ("audit", file),
        ("replay", file),
        ("replay", file, "--at", "9"),
    ):
        done = house.run(*words)
        told = (done.stdout + done.stderr).decode()
        assert "rows are sound" in told, words
        assert not any(line.startswith("\\x1b") for line in told.splitlines()), words
        assert not set(lie[:-18]) & set(told) - set("\n[]20;xJ"), words
    (tmp_path / lie[2:]).write_text("what is this")
    done = house.run("replay", str(tmp_path / lie[2:]))
    assert (done.returncode, b"\x1b" in done.stderr) == (2, False)


def test_nobody_decides_the_faces_of_the_house_s_dice_at_a_live_table(house: Server) -> None:
    ann = house.person("overruler", 100_000, ("box", "stick"))
    table = house.live_table()
    ann.post(f"/api/tables/{table}/sit", 200, buy_in=50_000)
    with ann.at(table) as seat:
        seat.say("handledice", "box", event="inspected")
        seat.say("handledice", "box", event="placed")
        seat.say("bet", spot="pass", amount=500)
        seat.say("closebets", "stick")
        assert seat.say("throw", "stick")["refused"] is None
        for station, kind in (("box", "overrule"), ("stick", "callroll"), ("stick", "enter")):
            refused = seat.say(kind, station, first=6, second=6)["refused"]
            assert refused["code"] == "house-dice", kind
