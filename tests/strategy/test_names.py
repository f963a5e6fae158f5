"""A class of strategies and simulations has a name of its own in the whole house."""

from __future__ import annotations

import ast
from pathlib import Path

import boxman

PACKAGE = Path(boxman.__file__).parent
SHARED = {
    "Act": "an act of a policy; an act of a person",
    "Node": "a turn that is followed; a part of a pattern; a part of the cloth",
    "Place": "a place of a policy; a place in a line",
    "Result": "of a simulation; a fact of a rulebook; of a transcript",
    "Session": "at a table; at the door",
}
"""Names that still mean more than one thing; the list only becomes shorter."""


def test_no_class_has_two_meanings() -> None:
    places: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(path.relative_to(PACKAGE).as_posix())
    twice = {
        name: found
        for name, found in places.items()
        if len(found) > 1 and any(each.startswith(("strategy/", "sim/")) for each in found)
    }
    assert set(twice) <= set(SHARED), {name: twice[name] for name in set(twice) - set(SHARED)}
