"""Stores for the contract suite: each test gets an empty one of every kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from boxman.journal.memory import MemoryJournal
from boxman.journal.store import Journal
from tests.tools import postgres

KINDS = ("memory", "sqlite", "postgres")


@pytest.fixture(scope="session")
def server() -> Iterator[postgres.Server]:
    with postgres.server() as running:
        yield running


@pytest.fixture
def database(server: postgres.Server) -> Iterator[str]:
    """The address of an empty PostgreSQL database."""
    dsn = server.database()
    yield dsn
    server.give_back(dsn)


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a journal of each kind is: what `open_journal` takes."""
    if request.param == "memory":
        return "memory:"
    if request.param == "sqlite":
        return str(tmp_path / "journal.db")
    return str(request.getfixturevalue("database"))


@pytest.fixture
def opener(place: str) -> Iterator[Callable[[], Journal]]:
    """Opens the same journal, once or again."""
    from boxman.journal.open import open_journal

    opened: list[Journal] = []
    memory = MemoryJournal()

    def again() -> Journal:
        journal = memory if place == "memory:" else open_journal(place)
        opened.append(journal)
        return journal

    yield again
    for journal in opened:
        journal.close()


@pytest.fixture
def journal(opener: Callable[[], Journal]) -> Journal:
    return opener()
