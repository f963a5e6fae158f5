"""A shape is one module: what a roll makes of a wager is asked of `step`, and of nobody else."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import boxman
from boxman.dice import KINDS
from boxman.rules import facts, shapes
from boxman.rules.book import houses
from boxman.rules.compile import load
from boxman.rules.families import FAMILIES
from boxman.rules.shapes import SHAPES, Shape

ROOT = Path(boxman.__file__).parent
NAMED = {name for name, value in vars(shapes).items() if isinstance(value, Shape)}


def test_a_module_for_each_shape() -> None:
    assert len(NAMED) == 9
    assert {row.shape for row in FAMILIES.values()} <= {getattr(shapes, name) for name in NAMED}
    modules = {type(shape).__module__ for shape in SHAPES.values()}
    files = {path.stem for path in (ROOT / "rules" / "shapes").glob("*.py")}
    assert {module.rpartition(".")[2] for module in modules} == files - {"__init__", "shape"}
    allowed = facts.FamilyFact.__annotations__["shape"]
    assert all(word in SHAPES for word in ast.literal_eval(allowed.removeprefix("Literal")))


def test_only_the_rules_know_shapes_by_name() -> None:
    """A new shape touches no other room."""
    found = []
    for path in sorted(ROOT.rglob("*.py")):
        if path.is_relative_to(ROOT / "rules"):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
                "boxman.rules.shapes"
            ):
                found += [f"{path.name}: {each.name}" for each in node.names]
            if isinstance(node, ast.Compare) and "shape.name" in ast.unparse(node):
                found.append(f"{path.name}: {ast.unparse(node)}")
    assert found == []


@pytest.mark.parametrize("house", houses())
def test_a_step_is_the_cell_but_for_wagers_that_remember(house: str) -> None:
    layout = load(house)
    for spot in layout.spots.values():
        for puck in (0, *layout.points):
            for kind in range(len(layout.rolls.kinds)):
                memory, cell = spot.step(puck, 0, kind)
                row = spot.rows[puck][kind]
                if not spot.shape.remembers or row is None or row.verdict == "lose":
                    assert (memory, cell) == (0, row)
                else:
                    assert spot.shown(memory) == [layout.rolls.kinds[kind].total]
                    assert cell is row


def test_a_collection_wins_with_its_last_number_and_begins_anew() -> None:
    spot = load("perth-crapless").spots["small"]
    assert spot.collection is not None
    memory = 0
    for total in (2, 6, 4, 6, 5):
        kind = next(index for index, kind in enumerate(KINDS) if kind.total == total)
        memory, cell = spot.step(0, memory, kind)
        assert cell is not None
        assert cell.verdict == "collect"
    assert spot.shown(memory) == [2, 4, 5, 6]
    three = next(index for index, kind in enumerate(KINDS) if kind.total == 3)
    seven = next(index for index, kind in enumerate(KINDS) if kind.total == 7)
    after, cell = spot.step(0, memory, three)
    assert cell is not None
    assert (after, cell.verdict, cell.net) == (0, "win", spot.rows[0][three].win)  # type: ignore[union-attr]
    after, cell = spot.step(0, memory, seven)
    assert cell is not None
    assert (after, cell.verdict, cell.net) == (0, "lose", -1)
