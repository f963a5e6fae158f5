"""Every duty a rulebook can state is asked by somebody, and a fact can state nothing else."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args, get_type_hints

import msgspec

import boxman
from boxman.rules import duties
from boxman.rules.procedure import DUTIES, ByKey, ByWord, Confirmed, NoticeMinutes, Procedure

SOURCE = Path(boxman.__file__).parent
READERS = [path for path in sorted(SOURCE.rglob("*.py")) if path.parent.name != "rules"]
"""The compiler and `diff` go through all duties, so what they do says nothing."""


def kinds() -> dict[str, type[msgspec.Struct]]:
    """The records of duties a procedure is made of, by the attribute they stand under."""
    hints = get_type_hints(Procedure)
    return {
        name: hint
        for name, hint in hints.items()
        if isinstance(hint, type) and issubclass(hint, (ByKey, ByWord))
    }


def _record(node: ast.expr) -> str:
    """`conduct` of an expression that ends in `procedure.conduct`."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute | ast.Name):
        owner = node.value.attr if isinstance(node.value, ast.Attribute) else node.value.id
        return node.attr if owner == "procedure" else ""
    return ""


def _pairs(node: ast.Assign) -> Iterator[tuple[ast.expr, ast.expr]]:
    for target in node.targets:
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            yield from zip(target.elts, node.value.elts, strict=True)
        else:
            yield target, node.value


def asked(source: str) -> set[tuple[str, str]]:
    """Duties read by name: of `procedure.kind`, or of a name it was given in the same function."""
    found: set[tuple[str, str]] = set()
    for scope in ast.walk(ast.parse(source)):
        if not isinstance(scope, ast.FunctionDef):
            continue
        nodes = list(ast.walk(scope))
        named = {
            target.id: _record(value)
            for node in nodes
            if isinstance(node, ast.Assign)
            for target, value in _pairs(node)
            if isinstance(target, ast.Name) and _record(value)
        }
        for node in nodes:
            if isinstance(node, ast.Attribute):
                name = node.value.id if isinstance(node.value, ast.Name) else ""
                kind = _record(node.value) or named.get(name, "")
                found |= {(kind, node.attr)} if kind else set()
                found |= {("procedure", node.attr)} if _record(node) else set()
    return found


def test_every_duty_is_asked_by_name() -> None:
    found = set().union(*(asked(path.read_text()) for path in READERS))
    wanted = {
        (kind, field) for kind, record in kinds().items() for field in record.__struct_fields__
    }
    assert len(wanted) > 40
    wanted |= {("procedure", name) for name in Procedure.__struct_fields__}
    assert wanted - found == set()


def test_a_duty_that_nobody_reads_would_be_noticed() -> None:
    read = "def f(layout):\n    rules, x = layout.procedure.dice, 1\n    return rules.set\n"
    assert ("dice", "set") in asked(read)
    assert ("dice", "lost") not in asked(read + "def g(rules):\n    return rules.lost\n")


def test_every_power_is_asked_by_name() -> None:
    """Somewhere its name is said, apart from the words for it."""
    said = {
        node.value
        for path in READERS
        if path.name != "powers.py"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant)
    }
    assert set(get_args(duties.PowerName)) - said == set()


def test_facts_and_records_have_the_same_words() -> None:
    """Where a fact is written by hand beside its record."""
    words = {
        kind: {field.encode_name for field in msgspec.structs.fields(record)}
        for kind, record in (("notice", NoticeMinutes), ("confirm", Confirmed))
    }
    assert words["notice"] == set(get_args(get_type_hints(duties.NoticeTime)["of"]))
    assert words["confirm"] == set(get_args(duties.Awaited))


def test_the_facts_that_are_made_take_what_their_duties_need() -> None:
    dice = get_type_hints(DUTIES["dice"])
    assert dice["inspected"] == tuple[duties.AnyStation, ...]
    assert get_args(dice["renew"]) == ("", "at once", "when the shooter ends", "only then")
    assert get_type_hints(DUTIES["favour"])["leaving"] is bool
    assert "passes on a seven-out" in get_args(get_type_hints(DUTIES["shooter"])["rule"])
    stated = msgspec.convert({"at": ["taking"], "spots": ["pass"]}, DUTIES["eligible"])
    assert stated.at == ("taking",)  # type: ignore[attr-defined]
