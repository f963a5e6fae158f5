"""One server for the tests that only speak to it; its log is quiet."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
from argon2 import PasswordHasher

from boxman.pit.logs import log
from boxman.pit.people import door
from tests.pit.serving import Person, Served, served, set_up


@pytest.fixture(scope="session", autouse=True)
def _quiet() -> None:
    log.level = logging.CRITICAL


@pytest.fixture(scope="session", autouse=True)
def _cheap_passwords() -> Iterator[None]:
    """Passwords are hashed as ever, but with little work: the tests make many accounts."""
    with pytest.MonkeyPatch.context() as patch:
        cheap = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
        patch.setattr(door, "hasher", lambda: cheap)
        patch.setattr(door, "_NOBODY", cheap.hash("nobody's"))
        yield


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served() as running:
        yield running


@pytest.fixture(scope="module")
def boss(server: Served) -> Person:
    return set_up(server)
