"""Whatever is done to an exported journal is found, and found where it was done."""

from __future__ import annotations

import random
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import msgspec
import pytest

from boxman.journal.audit import Audit
from boxman.journal.codec import UNREADABLE
from boxman.journal.editions import NoRules
from boxman.journal.export import export, is_export, read_rows
from boxman.journal.memory import MemoryJournal
from boxman.journal.pit_calls import AddEntropy, Throw
from boxman.journal.row import (
    DESK,
    Head,
    JournalError,
    Row,
    Ruled,
    Station,
    digest,
    head_of,
    line_of,
    next_row,
    split_line,
)
from boxman.journal.scribe import Scribe
from boxman.journal.seal import (
    HouseKey,
    SealError,
    genuine,
    read_public,
    read_seals,
    write_seal,
)
from boxman.journal.verify import verify
from boxman.table.calls import Bet, CallRoll
from boxman.table.rulings import Refusal
from boxman.table.state import Settled
from tests.journal.evening import START, Evening, Hand, export_of

COUNT = 40


@pytest.fixture(scope="module")
def lines() -> list[bytes]:
    journal = MemoryJournal()
    journal.append(Evening(seed=7).rows(COUNT))
    return list(export(journal, "one"))


def test_a_genuine_journal_is_sound(lines: list[bytes]) -> None:
    found = verify(lines)
    assert found.sound
    assert found.rows == COUNT
    assert found.head == Head(COUNT, split_line(lines[-1][:-1])[1])
    assert is_export(lines[0])
    assert len(lines) == COUNT + 1


def _first(lines: list[bytes]) -> tuple[int, int]:
    """Where the first problem is: line and row."""
    found = verify(lines)
    assert not found.sound
    return found.problems[0].line, found.problems[0].number


def _leaves(value: object, path: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    """The place of every value in a JSON object."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _leaves(inner, (*path, index))
    else:
        yield path


def _changed(line: bytes, path: tuple[object, ...]) -> bytes:
    """The same row with one value changed."""
    plain = msgspec.json.decode(line)
    place = plain
    for step in path[:-1]:
        place = place[step]
    old = place[path[-1]]
    if isinstance(old, bool) or old is None:
        new: object = not old
    elif isinstance(old, int):
        new = old + 1
    else:
        new = ("1" if old[:1] == "0" else "0") + old[1:] if len(old) == 64 else old + "x"
    place[path[-1]] = new
    return msgspec.json.encode(plain) + b"\n"


def test_every_field_of_every_row_changed_is_found_there(lines: list[bytes]) -> None:
    tried = 0
    for number in range(1, COUNT + 1):
        for path in _leaves(msgspec.json.decode(lines[number])):
            line = _changed(lines[number], path)
            assert line != lines[number]
            mutated = [*lines[:number], line, *lines[number + 1 :]]
            at, row = _first(mutated)
            assert at == number + 1, path
            if path not in (("number",), ("table",)):
                assert row == number, path
            tried += 1
    assert tried > COUNT * 15


def test_every_field_changed_with_its_hash_made_anew_is_found(lines: list[bytes]) -> None:
    """Whoever can hash can change one row so that it is right in itself, but not the next."""
    for number in range(1, COUNT + 1):
        for path in _leaves(msgspec.json.decode(lines[number])):
            if path == ("hash",):
                continue
            plain = msgspec.json.decode(_changed(lines[number], path))
            del plain["hash"]
            body = msgspec.json.encode(plain)
            line = line_of(body, digest(body)) + b"\n"
            found = verify([*lines[:number], line, *lines[number + 1 :]])
            assert not found.sound, path
            assert found.problems[0].line in (number + 1, number + 2), path


def test_any_byte_changed_is_found(lines: list[bytes]) -> None:
    generator = random.Random(5)
    for _ in range(1_500):
        number = generator.randrange(len(lines))
        line = bytearray(lines[number])
        at = generator.randrange(len(line))
        line[at] ^= 1 << generator.randrange(8)
        mutated = [*lines[:number], bytes(line), *lines[number + 1 :]]
        again = list(BytesIO(b"".join(mutated)))
        if number == 0 and not _readable(again[0]):
            with pytest.raises(JournalError, match="line 1"):
                verify(again)
            continue
        found = verify(again)
        assert not found.sound, (number, at)
        # The header is judged by what follows it; a row where it stands.
        assert number == 0 or found.problems[0].line in (number + 1, number + 2)


def _readable(line: bytes) -> bool:
    try:
        plain = msgspec.json.decode(line)
    except UNREADABLE:
        return False
    typed = {"boxman": str, "format": int, "table": str, "rows": int, "head": str}
    named = set(plain) <= set(typed) and {"table", "rows", "head"} <= set(plain)
    return named and (plain.get("boxman", "journal"), plain.get("format", 2)) in (
        ("journal", 1),
        ("journal", 2),
    )


@pytest.mark.parametrize("number", range(1, COUNT + 1))
def test_a_row_dropped_repeated_or_cut_is_found_there(lines: list[bytes], number: int) -> None:
    dropped = [*lines[:number], *lines[number + 1 :]]
    found = verify(dropped)
    assert found.problems[0].number == number
    assert "missing" in found.problems[0].problem
    repeated = [*lines[: number + 1], *lines[number:]]
    at, row = _first(repeated)
    assert (at, row) == (number + 2, number)
    cut = lines[:number]
    found = verify(cut)
    assert found.problems[0].number == number
    assert "missing at the end" in found.problems[0].problem
    half = [*lines[:number], lines[number][: len(lines[number]) // 2]]
    assert _first(half) == (number + 1, number)
    whole_but_newline = [*lines[:number], lines[number][:-1]]
    found = verify(whole_but_newline)
    assert not found.sound
    assert found.problems[0].number == number


@pytest.mark.parametrize("number", range(1, COUNT))
def test_rows_swapped_or_moved_are_found_there(lines: list[bytes], number: int) -> None:
    swapped = [*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]]
    assert _first(swapped) == (number + 1, number)
    moved = [*lines[:number], *lines[number + 1 :], lines[number]]
    assert _first(moved) == (number + 1, number)


def test_rows_of_another_table_are_found(lines: list[bytes]) -> None:
    journal = MemoryJournal()
    journal.append(Evening("two", seed=7).rows(COUNT))
    other = list(export(journal, "two"))
    for number in (1, 20, COUNT):
        found = verify([*lines[:number], other[number], *lines[number + 1 :]])
        assert found.problems[0].line == number + 1
        assert found.problems[0].problem == "the row is of table two"
    found = verify([lines[0], *other[1:]])
    assert not found.sound


def test_a_call_ruled_on_twice_is_found() -> None:
    evening = Evening()
    rows = evening.rows(6)
    last = next_row(
        evening.head,
        table="one",
        id=rows[2].id,
        at=START,
        station=Station("stick"),
        call=rows[2].call,
        ruling=Ruled(),
        house="nsw",
        edition="e" * 64,
    )
    found = verify(export_of([*rows, last]))
    assert [(p.number, p.problem) for p in found.problems] == [
        (7, f"call {rows[2].id} is ruled on in row 3 already")
    ]


def test_a_file_that_is_no_export_is_refused() -> None:
    for bad in ([], [b"house nsw\n"], [b"{}\n"], [b'{"boxman":"journal","format":2}\n']):
        with pytest.raises(JournalError, match="line 1"):
            verify(bad)
    with pytest.raises(JournalError, match="no table two in this journal; there are none"):
        list(export(MemoryJournal(), "two"))


# -- seals -------------------------------------------------------------------------------------


@pytest.fixture
def key(tmp_path: Path) -> HouseKey:
    return HouseKey.create(tmp_path / "house.key")


def _rewritten(seed: int) -> tuple[list[bytes], list[bytes], list[Row]]:
    """A journal, and another one that is sound in itself and written in its place."""
    made = []
    for number in (seed, seed + 1):
        journal = MemoryJournal()
        rows = Evening(seed=number).rows(COUNT)
        journal.append(rows)
        made.append(list(export(journal, "one")))
    return made[0], made[1], list(read_rows(made[0]))


def test_a_seal_is_signed_by_its_house_and_says_what_it_says(key: HouseKey) -> None:
    seal = key.seal("one", Head(3, "a" * 64), START)
    assert genuine(seal, key.public)
    for field, value in (
        ("table", "two"),
        ("number", 4),
        ("hash", "b" * 64),
        ("at", START + 1),
        ("signature", "0" * 128),
        ("signature", "no"),
        ("key", "0" * 64),
    ):
        assert not genuine(msgspec.structs.replace(seal, **{field: value}), key.public), field
    assert not genuine(seal, "0" * 64)
    assert read_seals([write_seal(seal), b"\n"], "seals").seals == (seal,)
    with pytest.raises(SealError, match="seals:2: this is no seal"):
        read_seals([write_seal(seal), b"{}\n"], "seals")


def test_a_whole_chain_written_anew_is_found_by_a_seal(key: HouseKey) -> None:
    genuine_lines, forged, rows = _rewritten(11)
    seals = [key.seal("one", head_of(rows[number - 1]), START) for number in (10, 30, COUNT)]
    seals.append(key.seal("elsewhere", Head(5, "c" * 64), START))
    found = verify(genuine_lines, seals, key.public)
    assert found.sound
    assert found.seals == 3
    assert verify(forged).sound  # the chain alone cannot tell
    found = verify(forged, seals, key.public)
    assert [problem.number for problem in found.problems] == [10, 30, COUNT]
    assert all("written anew" in problem.problem for problem in found.problems)


def test_a_journal_cut_with_its_header_is_found_by_a_seal(key: HouseKey) -> None:
    _, _, rows = _rewritten(11)
    seals = [key.seal("one", head_of(rows[-1]), START)]
    short = export_of(rows[:-5])
    assert verify(short).sound
    found = verify(short, seals, key.public)
    assert [problem.number for problem in found.problems] == [COUNT]
    assert "ends at row 35" in found.problems[0].problem


def test_a_seal_of_another_house_proves_nothing(key: HouseKey, tmp_path: Path) -> None:
    lines, _, rows = _rewritten(11)
    other = HouseKey.create(tmp_path / "other.key")
    found = verify(lines, [other.seal("one", head_of(rows[3]), START)], key.public)
    assert [problem.problem for problem in found.problems] == [
        "its seal is not signed with this key"
    ]


def test_a_house_keeps_its_key_to_itself(tmp_path: Path) -> None:
    path = tmp_path / "house.key"
    made = HouseKey.create(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert HouseKey.load(path).public == made.public
    with pytest.raises(SealError, match="is there already"):
        HouseKey.create(path)
    assert HouseKey.at(path).public == made.public
    assert HouseKey.at(tmp_path / "second.key").public != made.public
    path.chmod(0o640)
    with pytest.raises(SealError, match="can be read by others: chmod 600"):
        HouseKey.load(path)
    bad = tmp_path / "bad.key"
    bad.write_text("nothing")
    bad.chmod(0o600)
    with pytest.raises(SealError, match="holds no Ed25519 private key"):
        HouseKey.load(bad)
    with pytest.raises(SealError, match="cannot be read"):
        HouseKey.load(tmp_path / "none")
    public = tmp_path / "house.pub"
    public.write_text(made.public + "\n")
    assert read_public(public) == made.public
    with pytest.raises(SealError, match="holds no public key"):
        read_public(bad)


# -- audit and notation ------------------------------------------------------------------------


def test_an_audit_agrees_with_what_the_engine_ruled(lines: list[bytes]) -> None:
    audit = Audit()
    for row in read_rows(lines):
        assert audit.look(row) is None
    assert (audit.rows, audit.ruled, audit.desk) == (COUNT, COUNT, 0)
    assert audit.editions == {}


def _first_paid(rows: list[Row]) -> tuple[int, int]:
    for index, row in enumerate(rows):
        for number, decision in enumerate(row.ruling.decisions):
            if isinstance(decision, Settled) and decision.paid:
                return index, number
    raise AssertionError("nobody won")


def test_an_audit_names_what_would_be_ruled_differently(lines: list[bytes]) -> None:
    rows = list(read_rows(lines))
    index, which = _first_paid(rows)
    decisions = list(rows[index].ruling.decisions)
    paid = decisions[which]
    assert isinstance(paid, Settled)
    decisions[which] = msgspec.structs.replace(paid, paid=paid.paid + 100)
    ruling = msgspec.structs.replace(rows[index].ruling, decisions=tuple(decisions))
    rows[index] = msgspec.structs.replace(rows[index], ruling=ruling, edition="f" * 64)
    audit = Audit()
    found = [difference for row in rows if (difference := audit.look(row))]
    assert found[0].number == index + 1
    assert found[0].what == "table"
    # Nothing else is ruled otherwise, but the tables kept later are not those of these rows.
    later = [number for number in range(index + 2, COUNT + 1) if number % 5 == 0]
    assert [(each.number, each.what) for each in found[1:]] == [
        (number, "table") for number in later
    ]
    assert audit.checkpoints == COUNT // 5
    assert found[0].journal != found[0].now
    assert set(paid.cites) <= set(found[0].clauses_then) & set(found[0].clauses_now)
    assert audit.editions == {"f" * 64: index + 1}


def test_an_audit_finds_a_refusal_that_no_rule_makes() -> None:
    evening = Evening()
    rows = evening.rows(4)
    call = Bet(seat="ann", spot="field", amount=500)
    refusal = Refusal("own-limit", ("term-1",))
    for notes, count in (({}, 1), ({DESK: "brakes"}, 0)):
        row = next_row(
            evening.head,
            table="one",
            id="x",
            at=START,
            station=Station("player", "ann"),
            call=call,
            ruling=Ruled(refusal=refusal),
            house="nsw",
            edition=evening.layout.digest,
            notes=notes,
        )
        audit = Audit()
        found = [difference for each in (*rows, row) if (difference := audit.look(each))]
        assert len(found) == count
        assert audit.desk == 1 - count
        if found:
            assert found[0].what == "table"
            assert "own-limit" in found[0].journal
            assert "ok" in found[0].now


def test_a_journal_in_the_notation_holds_every_row(lines: list[bytes]) -> None:
    rows = list(read_rows(lines))
    written = list(Scribe().write(rows))
    assert written[0].startswith("house nsw")
    rolls = [row.call for row in rows if isinstance(row.call, CallRoll)]
    said = [line for line in written if line.startswith("stick calls ")]
    assert len(said) == len(rolls) > 0
    for call, line in zip(rolls, said, strict=True):
        assert line.startswith(f"stick calls {call.first}-{call.second} ")
    refused = [line for row, line in zip(rows, written, strict=True) if row.refused]
    assert refused
    assert all("refused" in line for line in refused)


def test_what_the_notation_has_no_words_for_stands_in_comments() -> None:
    hand = Hand()
    hand.play(0)
    hand.add(Throw(hand=1, index=0, first=1, second=2))
    hand.add(AddEntropy(seat="bob", text="a\nb"))
    refusal = Refusal("own-limit", ("term-1",), values={"what": "no\nmore"})
    hand.add(Bet(seat="ann", spot="pass", amount=-5), refusal=refusal)
    scribe = Scribe()
    written = list(scribe.write(hand.rows))
    assert scribe.unwritten == []
    assert written[4].startswith("-- commit hand 1 commitment ")
    assert written[5] == "-- addentropy seat ann text lucky"
    assert written[6].startswith("-- throw hand 1 first ")
    assert written[8].startswith("-- ann bets -0.05 pass : refused own-limit")
    assert all(len(line.splitlines()) == 1 for line in written)


def test_a_rulebook_that_is_gone_is_said_so(lines: list[bytes], tmp_path: Path) -> None:
    rows = list(read_rows(lines))
    call = msgspec.structs.replace(rows[0].call, house=str(tmp_path / "mine.md"))
    opening = msgspec.structs.replace(rows[0], call=call)
    with pytest.raises(NoRules, match=r"does not have the rulebook of one .*mine"):
        Scribe().line(opening)
    with pytest.raises(NoRules, match="mine"):
        Audit().look(opening)


def test_a_table_opened_by_other_rules_is_written_and_marked(lines: list[bytes]) -> None:
    rows = list(read_rows(lines))
    ruling = msgspec.structs.replace(rows[0].ruling, cites=("not-a-clause",))
    rows[0] = msgspec.structs.replace(rows[0], ruling=ruling)
    scribe = Scribe()
    written = list(scribe.write(rows))
    assert written[0].startswith("house nsw")
    assert scribe.unwritten in ([], [1])
    assert any(line.startswith("stick calls") for line in written)
    audit = Audit()
    found = audit.look(rows[0])
    assert found is not None
    assert found.what == "clauses"
    assert "not-a-clause" in found.clauses_then
