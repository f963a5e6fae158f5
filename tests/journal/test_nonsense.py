"""Journals that are well chained and make no sense: one sentence each, never a traceback."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from boxman.cli import app
from boxman.journal.export import export
from boxman.journal.row import GENESIS, digest, line_of
from tests.journal.evening import Evening as Plain
from tests.journal.test_dice import _chained, _evening

VALUES: list[Any] = [None, 0, -1, 7, 2**70, "", "nobody", [], {}, True, 1.5, [[1]], {"a": 1}]
COMMANDS = (["verify"], ["audit"], ["replay"], ["replay", "--at", "40"], ["replay", "--json"])


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Everything in a JSON value that could be something else."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in pairs:
        yield (*path, key)
        if isinstance(inner, dict | list):
            yield from _places(inner, (*path, key))


def _told(tmp_path: Path, lines: list[bytes]) -> None:
    file = tmp_path / "t.jsonl"
    file.write_bytes(b"".join(lines))
    for command, *options in COMMANDS:
        result = CliRunner().invoke(app, [command, str(file), *options])
        fault = result.exception
        assert fault is None or isinstance(fault, SystemExit), (command, repr(fault))
        if result.exit_code == 2:
            assert len(result.stderr.strip().splitlines()) == 1, result.stderr


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    lines = list(export(_evening().journal, "t"))
    rows = [msgspec.json.decode(line) for line in lines if b'"call"' in line][:50]
    del rows[0]["notes"]["engine"]  # no promise of rulebooks: the rows stand alone here
    return rows


@pytest.mark.parametrize("seed", range(12))
def test_anything_in_any_row_may_be_nonsense(
    rows: list[dict[str, Any]], seed: int, tmp_path: Path
) -> None:
    chance = random.Random(seed)
    for _ in range(3):
        copy = msgspec.json.decode(msgspec.json.encode(rows))
        row = chance.choice(copy)
        path = chance.choice(
            [path for path in _places(row) if path[0] in ("call", "ruling", "notes", "station")]
        )
        place = row
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = chance.choice(VALUES)
        _told(tmp_path, _chained(copy))


@pytest.mark.parametrize(
    "decision",
    [
        {"type": "settled", "seat": "nobody", "spot": "field", "verdict": "win", "stake": 1,
         "paid": 1, "taken": 0, "returned": 1, "cites": []},
        {"type": "settled", "seat": "ann", "spot": "no.such", "verdict": "win", "stake": 1,
         "paid": 1, "taken": 0, "returned": 1, "cites": []},
        {"type": "reversed", "why": "fraud", "cites": []},
        {"type": "reversed", "why": "fraud", "cites": [], "whole_round": True},
        {"type": "rolled", "first": 9, "second": -4, "puck": 99, "event": "?", "cites": []},
        {"type": "moved", "seat": "ann", "spot": "field", "to": "moon", "cites": []},
        {"type": "unseated", "seat": "nobody", "cites": []},
    ],
    ids=lambda decision: str(decision["type"]),
)  # fmt: skip
def test_a_decision_that_cannot_be(decision: dict[str, Any], tmp_path: Path) -> None:
    evening = Plain()
    rows = [msgspec.to_builtins(row) for row in evening.rows(30)]
    rows[20]["ruling"] = {"decisions": [decision]}
    previous, lines = GENESIS, []
    for row in rows:
        row["previous"] = previous
        del row["hash"]
        body = msgspec.json.encode(row)
        previous = digest(body)
        lines.append(line_of(body, previous) + b"\n")
    header = {"boxman": "journal", "format": 1, "table": "one", "rows": 30, "head": previous}
    _told(tmp_path, [msgspec.json.encode(header) + b"\n", *lines])
