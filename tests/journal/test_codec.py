"""Values survive their bytes: every call, decision and table that the clause cases bring about.

The cases are every clause of every house, so there is no kind of decision they leave out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import UNSET, UnsetType

from boxman.journal import row as rows_module
from boxman.journal.audit import Audit
from boxman.journal.codec import (
    EveryCall,
    canonical,
    keep_order,
    read_call,
    read_table,
)
from boxman.journal.fold import fold
from boxman.journal.row import (
    SCHEMA,
    Head,
    Row,
    Ruled,
    Station,
    UnreadableRow,
    body_of,
    digest,
    entry_of,
    head_of,
    line_of,
    next_row,
    read_row,
    split_line,
)
from boxman.journal.scribe import Scribe
from boxman.rules.book import houses
from boxman.table.calls import Bet, Call, CloseBets
from boxman.table.opening import Opening
from boxman.table.ruling import rule
from boxman.table.said.transcript import Transcript
from boxman.table.state import AnyDecision, Decision, Placed, Table
from tests.cases import Case, cases
from tests.journal.evening import Evening


class Played(msgspec.Struct):
    """One table of a case: its rows and where it ended."""

    rows: list[Row]
    table: Table
    lines: list[str]


def play(lines: tuple[str, ...], name: str) -> Iterator[Played]:
    """The tables of a case, each with a row for every ruling."""
    transcript = Transcript()
    current: Played | None = None
    for text in lines:
        result = transcript.play(text)
        for ruling in (*result.crew, result.ruling):
            if ruling is None or (isinstance(ruling, Opening) and ruling.table is None):
                continue
            if isinstance(ruling, Opening):
                if current is not None:
                    yield current
                assert ruling.table is not None
                current = Played([], ruling.table, [])
            assert current is not None
            assert transcript.layout is not None
            assert transcript.table is not None
            head = head_of(current.rows[-1]) if current.rows else Head()
            current.rows.append(
                next_row(
                    head,
                    table=name,
                    id=f"{head.number + 1}",
                    at=1_000 * head.number,
                    station=Station(ruling.call.by or "player", getattr(ruling.call, "seat", "")),
                    ruling=ruling,
                    house=transcript.layout.house,
                    edition=transcript.layout.digest,
                )
            )
            current.table = transcript.table
    if current is not None:
        yield current


def _kinds(base: type) -> set[type]:
    found: set[type] = set()
    for kind in base.__subclasses__():
        found |= {kind, *_kinds(kind)}
    return {kind for kind in found if kind.__module__.startswith("boxman.")}


def test_the_unions_name_every_kind() -> None:
    assert set(get_args(EveryCall)) == _kinds(Call)
    assert set(get_args(AnyDecision)) == _kinds(Decision)


SAMPLE = 6
"""`make test` takes every so many cases; `make soak` takes all."""


def survives(case: Case) -> None:
    """A case put into a journal and taken out again: the same bytes, values, rulings, lines."""
    for played in play(case.lines, case.house):
        audit, scribe = Audit(), Scribe()
        lines, again = [], []
        for row in played.rows:
            body, hashed = split_line(canonical(row))
            assert digest(body) == hashed == row.hash
            stored = read_row(body, hashed)
            assert stored == row, case.name
            assert canonical(stored) == line_of(body, hashed), case.name
            found = audit.look(stored)
            assert found is None, f"{case.name}: {found}"
            assert audit.table is not None
            audit.table = read_table(keep_order(audit.table))  # a restart after every row
            lines.append(scribe.line(stored))
            again.append(stored)
        assert fold(again) == played.table, case.name
        assert scribe.unwritten == [], f"{case.name}: {lines}"
        _same_at_rest(played.table)
        transcript = Transcript()
        for line in lines:
            result = transcript.play(line)
            assert result.difference is None, f"{case.name}: {line}: {result.difference}"


def _same_at_rest(table: Table) -> None:
    again = read_table(keep_order(table))
    assert again == table
    assert list(again.seats) == list(table.seats)
    for name, seat in table.seats.items():
        assert list(again.seats[name].wagers) == list(seat.wagers)


@pytest.mark.parametrize("house", houses())
def test_cases_survive_the_journal(house: str) -> None:
    chosen = cases(house)[::SAMPLE]
    assert len(chosen) > 10
    for case in chosen:
        survives(case)


def _takes_back(case: Case) -> bool:
    return any(re.search(r"overrules to|voids the ro", line) for line in case.lines)


def test_a_roll_is_taken_back_after_a_restart() -> None:
    """What stood before the roll, and before the round, is at hand after a restart too."""
    chosen = [case for house in houses() for case in cases(house) if _takes_back(case)]
    assert len(chosen) > 10
    for case in chosen:
        survives(case)


@pytest.mark.soak
@pytest.mark.parametrize("house", houses())
def test_every_case_survives_the_journal(house: str) -> None:
    for case in cases(house):
        survives(case)


# -- every kind, by its type -------------------------------------------------------------------

TEXT = st.text(st.characters(codec="utf-8"), max_size=8)
ATOMS: dict[Any, st.SearchStrategy[Any]] = {
    str: TEXT,
    int: st.integers(-(2**63), 2**63 - 1),
    bool: st.booleans(),
    type(None): st.none(),
    UnsetType: st.just(UNSET),
    Any: st.one_of(TEXT, st.integers(-99, 99), st.booleans()),
    object: st.one_of(TEXT, st.integers(-99, 99), st.booleans()),
}


def values(kind: Any, depth: int = 2) -> st.SearchStrategy[Any]:
    """Values of a type as the records declare it."""
    if kind in ATOMS:
        return ATOMS[kind]
    origin, inner = get_origin(kind), get_args(kind)
    if origin is tuple and inner[-1] is ...:
        return st.lists(values(inner[0], depth), max_size=3).map(tuple)
    if origin is tuple:
        return st.tuples(*(values(part, depth) for part in inner))
    if origin is Literal:
        return st.sampled_from(inner)
    if origin is frozenset:
        return st.frozensets(values(inner[0], depth), max_size=3)
    if origin in (dict, Mapping):
        return st.dictionaries(TEXT, values(inner[1], depth), max_size=3)
    if inner:  # a union; a table in a table ends somewhere
        parts = [part for part in inner if depth or part is not Table]
        return st.one_of(*(values(part, depth) for part in parts))
    assert issubclass(kind, msgspec.Struct), kind
    hints = get_type_hints(kind)
    below = depth - (kind is Table)
    fields = {name: values(hints[name], below) for name in kind.__struct_fields__}
    return st.builds(kind, **fields)


@pytest.mark.parametrize("kind", get_args(EveryCall), ids=lambda kind: kind.__name__)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_every_kind_of_call_survives(kind: type, data: st.DataObject) -> None:
    call = data.draw(values(kind))
    again = read_call(canonical(call))
    assert again == call
    assert type(again) is kind
    assert canonical(again) == canonical(call)


@pytest.mark.parametrize("kind", get_args(AnyDecision), ids=lambda kind: kind.__name__)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_every_kind_of_decision_survives(kind: type, data: st.DataObject) -> None:
    decision = data.draw(values(kind))
    again = msgspec.json.decode(canonical(decision), type=AnyDecision)
    assert again == decision
    assert type(again) is kind
    assert canonical(again) == canonical(decision)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(table=values(Table))
def test_any_table_survives(table: Table) -> None:
    _same_at_rest(table)
    assert read_table(canonical(table)) == table


def test_the_bytes_of_a_row_are_what_they_say() -> None:
    """Spelled out by hand: anybody can check a row with any JSON and SHA-256."""
    row = next_row(
        Head(4, "a" * 64),
        table="one",
        id="01J",
        at=1_700_000_000_123,
        station=Station("player", "ann"),
        call=CloseBets(id="01J", by="stick", at=7),
        ruling=Ruled(decisions=(Placed("ann", "pass", 1000, 0, ("1.2",)),)),
        house="somewhere",
        edition="e" * 64,
        notes={"b": "2", "a": "1"},
    )
    call = canonical(row.call).decode()
    decision = (
        '{"type":"placed","seat":"ann","spot":"pass","amount":1000,"fee":0,"cites":["1.2"],'
        '"split":[],"found":"","voucher":0,"counts":-1}'
    )
    body = (
        '{"table":"one","number":5,"id":"01J","at":1700000000123,'
        '"station":{"role":"player","seat":"ann"},'
        f'"call":{call},"ruling":{{"decisions":[{decision}]}},"notes":{{"a":"1","b":"2"}},'
        f'"house":"somewhere","edition":"{"e" * 64}","engine":"{row.engine}","schema":{SCHEMA},'
        f'"previous":"{"a" * 64}"}}'
    ).encode()
    assert body_of(row) == body
    assert row.hash == sha256(body).hexdigest()
    assert canonical(row) == body[:-1] + f',"hash":"{row.hash}"}}'.encode()
    assert call.startswith('{"type":"closebets","id":"01J","by":"stick","at":7')


def test_what_is_stored_is_what_was_hashed() -> None:
    """The bytes themselves, not the same row written a second time; and both are equal."""
    for row in Evening(seed=5).rows(300):
        first, again = entry_of(row), entry_of(row)
        assert sha256(first.body).hexdigest() == row.hash
        assert first == again, "what is stored twice is written again"


def test_the_order_of_sets_and_dictionaries_does_not_matter() -> None:
    one = {"b": frozenset({("x", "y"), ("a", "b")}), "a": {"z": 1, "y": 2}}
    other = {"a": {"y": 2, "z": 1}, "b": frozenset({("a", "b"), ("x", "y")})}
    assert canonical(one) == canonical(other)


def test_rulings_do_not_depend_on_what_a_restart_forgets() -> None:
    """A folded table rules on the next calls exactly as the live one does."""
    evening = Evening(seed=3)
    rows = evening.rows(120)
    stored = fold(read_row(body_of(row), row.hash) for row in rows)
    resting = read_table(keep_order(evening.table))
    live = evening.table
    for row in evening.rows(200)[:200]:
        made = rule(evening.layout, live, row.call)
        for restored in (stored, resting):
            again = rule(evening.layout, restored, row.call)
            assert (again.decisions, again.warnings, again.refusal) == (
                made.decisions,
                made.warnings,
                made.refusal,
            )
        live = made.after
        stored = rule(evening.layout, stored, row.call).after
        resting = rule(evening.layout, resting, row.call).after


# -- other schemas -----------------------------------------------------------------------------


def _older(row: Row, schema: int) -> tuple[bytes, str]:
    """A row as an earlier engine might have written it, with the seat under another name."""
    plain: dict[str, Any] = msgspec.json.decode(canonical(row))
    plain["schema"] = schema
    plain["call"]["player"] = plain["call"].pop("seat")
    del plain["hash"]
    body = msgspec.json.encode(plain)
    return body, digest(body)


def _bet() -> Row:
    return next_row(
        Head(),
        table="one",
        id="1",
        at=1,
        station=Station("player", "ann"),
        call=Bet(seat="ann", spot="pass", amount=1000),
        ruling=Ruled(),
        house="somewhere",
        edition="e" * 64,
    )


def test_an_older_row_is_brought_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    def up(plain: dict[str, Any]) -> dict[str, Any]:
        call = dict(plain["call"])
        call["seat"] = call.pop("player")
        return plain | {"call": call, "schema": plain["schema"] + 1}

    monkeypatch.setitem(rows_module.UPCASTS, SCHEMA - 1, up)
    body, hashed = _older(_bet(), SCHEMA - 1)
    row = read_row(body, hashed)
    assert row.call == Bet(seat="ann", spot="pass", amount=1000)
    assert row.hash == hashed
    assert row.schema == SCHEMA


def test_rows_that_cannot_be_read_say_why() -> None:
    body, hashed = _older(_bet(), SCHEMA - 1)
    with pytest.raises(UnreadableRow, match="row 1 of one cannot be read"):
        read_row(body, hashed)
    body, hashed = _older(_bet(), SCHEMA + 1)
    with pytest.raises(UnreadableRow, match=f"schema {SCHEMA + 1}.* use a later one"):
        read_row(body, hashed)
    with pytest.raises(UnreadableRow, match="not a row of a journal"):
        read_row(b"{}", "0" * 64)
    with pytest.raises(UnreadableRow, match="not a row of a journal"):
        read_row(b"[1, 2", "0" * 64)
    with pytest.raises(UnreadableRow, match="ends with its hash"):
        split_line(b'{"table":"one"}')
