"""The executors are rows: lists are made from those, and no other file tells them apart."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import boxman
from boxman.sim.executors import EXECUTORS, NAMES, choose
from boxman.sim.executors.player import Player
from boxman.strategy.library import named
from boxman.strategy.session import session

PACKAGE = Path(boxman.__file__).parent
DOCUMENT = Path(__file__).parents[2] / "docs" / "strategies.md"


def test_the_document_lists_the_rows() -> None:
    told = [line for line in DOCUMENT.read_text().splitlines() if line.startswith("| `")]
    for row in EXECUTORS:
        assert f"| `{row.name}` | {row.what} |" in told


@pytest.mark.parametrize("name", NAMES)
def test_each_gives_a_player(name: str) -> None:
    player, _ = choose(named("pass"), session(rolls=10), name)
    assert isinstance(player, Player)
    assert player.pace.piece > 0
    assert player.cut(5).session.rolls == 5
    assert player.slow == (name == "reference")


def test_nobody_else_tells_players_apart() -> None:
    """Neither by class nor by name: what differs is asked of the player."""
    names = {each.name for each in EXECUTORS}
    asked = 0
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text()
        assert not re.search(r"\b(Automaton|Kernel|Reference)Player\b", text) or (
            path.parent.name == "executors"
        ), path
        if "sim.executors import" not in text or path.parent.name == "executors":
            continue
        asked += 1
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Compare):
                words = {each.value for each in ast.walk(node) if isinstance(each, ast.Constant)}
                assert not words & names, f"{path}:{node.lineno} asks for an executor by name"
    assert asked >= 3
