"""Calls of every kind with arguments nobody would think of: always ruled on, never a fault."""

from __future__ import annotations

import random
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec
import pytest

from boxman.journal.audit import Audit
from boxman.journal.row import Station
from boxman.pit.live.desk import Command
from boxman.pit.live.notebook import Setup
from boxman.pit.live.stations import CALL_KINDS, MAY_SAY, PLAYER
from boxman.pit.web.hearing import Said, Unheard, read_spoken
from boxman.rules.book import houses
from boxman.table.accounts import imbalance
from tests.pit.test_desk import Evening

WORDS = ("ann", "bob", "pass", "field", "place.6", "come", "all", "", "nobody", "limits", "closing")
WORDS += ("decide", "exclude", "void wagers", "inspected", "off", "on", "delay", "fraud", "payout")
WORDS += ("touching", "box", "stick", "c1", "device", "fire", "off-table", "asked", "vacate")
NUMBERS = (0, 1, 2, 3, 6, 7, 500, 600, 1000, 10_000, 999_999, 10**12)


def any_value(chance: random.Random, kind: Any) -> Any:
    """A value of about the right type."""
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if get_origin(kind) is Literal:
        kind = str
    if kind is bool:
        return chance.random() < 0.5
    if kind is int:
        return chance.choice(NUMBERS)
    if kind is str:
        return chance.choice(WORDS)
    return [chance.choice(NUMBERS) for _ in range(chance.randrange(4))]


def any_call(chance: random.Random, tag: str) -> dict[str, Any]:
    """A call of one kind as it might come over the wire."""
    call: dict[str, Any] = {"type": tag}
    for field in msgspec.structs.fields(CALL_KINDS[tag]):
        if field.name not in ("id", "by", "at", "stand_in") and chance.random() < 0.9:
            call[field.name] = any_value(chance, field.type)
    return call


@pytest.mark.parametrize("dice", ["house", "hand"])
@pytest.mark.parametrize("house", houses())
def test_nothing_said_is_a_fault(house: str, dice: str) -> None:
    chance = random.Random(f"{house} {dice}")
    shooter = chance.choice(("guest", "players"))
    evening = Evening(house, shooter=shooter, dice=dice, second_person=chance.random() < 0.5)
    heard = 0
    for number in range(2_500):
        evening.now += chance.randrange(60_000)
        role = chance.choice(list(MAY_SAY)[:-1])
        if chance.random() < 0.5:
            role = chance.choice((PLAYER, "stick", "box"))
        tag = chance.choice(sorted(MAY_SAY[role]))
        if chance.random() < 0.4:
            tag = "bet" if role == PLAYER else "throw" if role == "stick" else "attest"
        if tag == "closetable" and number < 2_000:
            continue  # not so early
        seat = chance.choice(("ann", "bob")) if role == PLAYER else ""
        call = any_call(chance, tag)
        try:
            spoken = read_spoken(Said(do="call", call=call), role, seat)
        except Unheard:
            continue
        station = Station(role, seat, seat or f"the {role}")
        command = Command(id=f"f{number}", station=station, call=spoken)
        result = evening.desk.hear(command)
        evening.journal.append([step.row for step in result.steps])
        evening.desk.saved(result.steps)
        if result.row.refused:
            assert result.row.cites
        heard += 1
        assert imbalance(evening.desk.table) == 0
        if evening.desk.table.floor.closed:
            break
    assert heard > 1_000
    loaded = evening.restart()
    assert loaded.table == evening.desk.table
    assert loaded.book == evening.desk.book
    audit = Audit()
    assert [d for row in evening.rows() if (d := audit.look(row))] == []
    assert isinstance(evening.setup, Setup)


def test_a_fault_of_ours_leaves_nothing_half_done(monkeypatch: pytest.MonkeyPatch) -> None:
    from boxman.journal.pit_calls import Throw
    from boxman.pit.live import desk as module
    from boxman.table.calls import CallRoll
    from boxman.table.ruling import rule

    evening = Evening("nsw")
    before = (evening.desk.table, evening.desk.book, evening.desk.head)
    asked = []

    def broken(layout: Any, table: Any, call: Any) -> Any:
        if isinstance(call, CallRoll):
            asked.append(call)
            if len(asked) > 1:
                raise RuntimeError("a fault")
        return rule(layout, table, call)

    monkeypatch.setattr(module, "rule", broken)
    with pytest.raises(RuntimeError):
        evening.say("stick", Throw(), id="broken")
    assert (evening.desk.table, evening.desk.book, evening.desk.head) == before
    assert "broken" not in evening.desk.ids
    monkeypatch.undo()
    assert evening.code(evening.say("stick", Throw(), id="broken")) == "ok"
