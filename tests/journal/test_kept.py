"""Journals that an earlier engine wrote: they verify, fold and are ruled again as they were.

The files in `kept/` were written before rows held codes and values (schema 1): five houses, every
call, every kind of decision and refusal; `pit` is a desk with its dice. What is ruled otherwise
today stands in `expected.toml`.
"""

from __future__ import annotations

import gzip
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from boxman.journal.audit import Audit
from boxman.journal.export import is_export, read_rows
from boxman.journal.row import Row
from boxman.journal.verify import verify
from boxman.rules.book import houses, is_example
from boxman.table.call import DECLARED

KEPT = Path(__file__).parent / "kept"
WRITTEN = sorted(path.name.removesuffix(".jsonl.gz") for path in KEPT.glob("*.jsonl.gz"))


@cache
def journals(house: str) -> tuple[tuple[bytes, ...], ...]:
    found: list[list[bytes]] = []
    for line in gzip.decompress((KEPT / f"{house}.jsonl.gz").read_bytes()).splitlines(True):
        if is_export(line):
            found.append([])
        found[-1].append(line)
    return tuple(map(tuple, found))


def rows(house: str) -> Iterator[Row]:
    for journal in journals(house):
        yield from read_rows(journal)


def test_every_house_and_every_call_was_kept() -> None:
    assert {house for house in houses() if not is_example(house)} <= set(WRITTEN)
    said = {type(row.call) for house in WRITTEN for row in rows(house)}
    missing = [kind.__name__ for kind in DECLARED if kind not in said]
    assert missing == SINCE


SINCE = ["RunSides", "DiceLand", "AskFor", "PassOver", "Restart", "SettleUp", "Act"]
"""Calls that there were not when these journals were written."""


@pytest.mark.parametrize("house", WRITTEN)
def test_a_kept_journal_is_sound(house: str) -> None:
    for journal in journals(house):
        found = verify(journal)
        assert found.problems == ()
        assert found.rows == len(journal) - 1


@pytest.mark.parametrize("house", WRITTEN)
def test_a_kept_journal_is_ruled_as_it_was(house: str) -> None:
    """Each difference is one of those that are written down, and all of those are found."""
    wanted = {
        place: each["what"]
        for each in expected("differences")
        for place in each.get("rows") or [f"{each['table']} {each['row']}"]
        if place.startswith(house)
    }
    cited = [each for each in expected("clauses") if each["house"] == house]
    gone = {clause for each in cited for clause in each.get("gone", ())}
    new = {clause for each in cited for clause in each.get("new", ())}
    found, without, with_ = {}, set(), set()
    for journal in journals(house):
        seen = Audit()
        for row in read_rows(journal):
            differs = seen.look(row)
            if differs is None:
                continue
            then, now = set(differs.clauses_then), set(differs.clauses_now)
            if differs.what == "clauses" and then - now <= gone and now - then <= new:
                without, with_ = without | (then - now), with_ | (now - then)
            else:
                found[f"{row.table} {row.number}"] = differs.what
    assert found == wanted
    assert (without, with_) == (gone, new), "expected.toml lists clauses that no row shows"


@cache
def expected(what: str) -> list[dict[str, Any]]:
    """What `expected*.toml` list: rows ruled otherwise, and clauses cited otherwise alone."""
    tables = [tomllib.loads(path.read_text()) for path in sorted(KEPT.glob("expected*.toml"))]
    found = [each for table in tables for each in table.get(what, ())]
    assert all(each["why"] for each in found)
    return found


def test_what_was_told_is_kept_word_for_word() -> None:
    refused = [row for row in rows("nsw") if row.ruling.refusal is not None]
    told = {row.ruling.refusal.sentence for row in refused if row.ruling.refusal is not None}
    assert "at most 20 behind a 10 Win Line" in told
    assert all(row.schema == 1 for row in refused)
