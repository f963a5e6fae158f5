"""The laws hold at every house for every order of calls, as far as a bounded search goes.

The whole search is `make soak`; its figures are in docs/reliability.md.
"""

from __future__ import annotations

from typing import Any

import pytest

from boxman.rules.book import houses
from boxman.table.call import DECLARED
from boxman.table.opening import Open
from tests.laws.explore import Explorer
from tests.laws.world import ELSEWHERE, SLICES, World

STATES = {"custody": 250, "set": 150}
"""How far a search goes here."""


@pytest.mark.parametrize("theme", SLICES)
@pytest.mark.parametrize("house", houses())
def test_the_laws_hold(house: str, theme: str) -> None:
    found = Explorer(World(house, 2, theme), STATES.get(theme, 100)).run()
    told = [f"{b.law} ({b.how})\n" + "\n".join(b.lines) for b in found.breaches()]
    assert told == []
    assert not found.unlike  # tables that count as one answer every call alike


def test_every_call_is_tried_or_belongs_elsewhere() -> None:
    tried = {kind for kinds in SLICES.values() for kind in kinds}
    spoken = {kind for kind, each in DECLARED.items() if each.lines} - {Open}
    assert spoken == tried | ELSEWHERE.keys()
    assert not tried & ELSEWHERE.keys()


def nothing(*_: Any, **__: Any) -> None:
    """A check that lets everything pass."""


FAULTS = [
    ("1a", "custody", "adelaide", {"ruling.check_moves": nothing}),
    ("1c", "custody", "nsw", {"floor.throws.check_shooter": lambda *_: ""}),
    ("2c", "custody", "nsw", {"floor.shooters.may_be_asked": lambda _, t: [*t.seats.values()]}),
    ("3a", "custody", "adelaide", {"calls.throw.release": nothing, "ruling.check_moves": nothing}),
    ("3b", "set", "nsw", {"calls.throw.voided": lambda *_: []}),
    ("4a", "back", "adelaide", {"calls.correcting.thrown": lambda _: False}),
    ("8a", "people", "nsw", {"ruling.follow": lambda *_: []}),
    ("8c", "people", "newzealand", {"ruling.check_excluded": nothing}),
    ("9b", "set", "rws", {"floor.throws.check_dice": nothing}),
    ("9d", "set", "perth-crapless", {"calls.dice.check_decided": nothing}),
]
"""A law, where it is looked for, and what is broken of the table so that it has to be found."""


@pytest.mark.parametrize(("law", "theme", "house", "fault"), FAULTS, ids=[f[0] for f in FAULTS])
def test_a_law_bites(
    law: str, theme: str, house: str, fault: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for where, broken in fault.items():
        monkeypatch.setattr(f"boxman.table.{where}", broken)
    found = Explorer(World(house, 2, theme), 1500).run(until=law)
    assert any(each.startswith(law) for each, _ in found.broken)
    shortest = next(each for each in found.breaches() if each.law.startswith(law))
    assert len(shortest.lines) > 3  # told as a transcript


@pytest.mark.soak
@pytest.mark.parametrize("theme", SLICES)
@pytest.mark.parametrize("house", houses())
def test_the_laws_hold_far_and_wide(house: str, theme: str) -> None:
    """Three players, and two to the end where that can be reached."""
    for players in (2, 3):
        found = Explorer(World(house, players, theme), 50_000).run()
        print(f"{house} {theme}, {players} players: {found.figures}, {found.compared} compared")
        assert [(each.law, each.how, each.lines) for each in found.breaches()] == []
        assert not found.unlike
