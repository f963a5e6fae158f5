"""Nothing in a catalogue is forgotten, nothing is claimed without a case."""

from __future__ import annotations

import pytest

from boxman.rules.book import houses, read_book
from tests.cases import cases
from tests.conformance import catalogue, proofs, rows, wants_case
from tests.sides import one_sided
from tests.tools.docs import DOCS, conformance, picture


@pytest.mark.parametrize("house", houses())
def test_the_rulebook_has_every_row_in_order(house: str) -> None:
    clauses = [c.id for c in read_book(house).clauses.values() if c.sort == "clause"]
    assert clauses == [row["clause"] for row in catalogue(house)]


@pytest.mark.parametrize("house", houses())
def test_every_row_has_a_case(house: str) -> None:
    proof = proofs(house)
    missing = [row.clause for row in rows(house) if wants_case(row) and row.clause not in proof]
    assert missing == []


@pytest.mark.parametrize("house", houses())
def test_every_clause_gap_and_term_with_facts_has_a_case(house: str) -> None:
    proof = proofs(house)
    told = ("sign", "advice", "equipment")  # these are proved by test_signs.py and test_diff.py
    stated = {s.clause for s in read_book(house).facts if s.kind not in told}
    assert [clause for clause in sorted(stated) if clause not in proof] == []


@pytest.mark.parametrize("house", houses())
def test_every_case_is_named_for_clauses_that_exist(house: str) -> None:
    clauses = read_book(house).clauses
    for case in cases(house):
        assert all(clause in clauses for clause in case.clauses), case.name


@pytest.mark.parametrize("house", houses())
def test_none_is_only_for_what_the_catalogue_calls_physical_or_display(house: str) -> None:
    for row in rows(house):
        if row.status in ("physical", "shown"):
            assert row.handling in ("physical", "display"), row.clause


def test_the_document_is_up_to_date() -> None:
    assert (DOCS / "conformance.md").read_text() == conformance(), "run make docs"


def test_the_picture_is_up_to_date() -> None:
    assert (DOCS / "picture.svg").read_text() == picture(), "run make docs"


@pytest.mark.soak
@pytest.mark.parametrize("house", houses())
def test_what_is_called_enforced_is_shown_from_both_sides(house: str) -> None:
    assert one_sided(house) == []
