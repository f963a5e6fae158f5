"""Servers to attack: some for all tests that leave them as they were, others for one test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.attack.server import Server
from tests.tools import postgres
from tests.tools.reliability import PAGE, record

SECTION = "Attacked from outside"


@pytest.fixture(scope="session", autouse=True)
def figures(request: pytest.FixtureRequest) -> Iterator[None]:
    """A soak that finds nothing says how much it tried, file by file."""
    yield
    asked = request.config.option
    if request.session.testsfailed or (asked.markexpr, asked.keyword) != ("soak", ""):
        return
    mine = [each for each in request.session.items if each.path.parent == Path(__file__).parent]
    found = Counter(f"`{each.path.name}`" for each in mine)
    _, _, after = PAGE.read_text().partition(f"## {SECTION}\n")
    for line in after.partition("\n## ")[0].splitlines():
        name, _, count = line.removeprefix("- ").partition(": ")
        if line.startswith("- `") and name not in found:
            found[name] = int(count.split()[0])
    words = "attacks besides those of `make test`, all withstood"
    record(SECTION, [f"{name}: {count} {words}" for name, count in sorted(found.items())])


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A house on SQLite for all tests whose people have names of their own."""
    with Server(tmp_path_factory.mktemp("house")) as server:
        yield server


@pytest.fixture(scope="session")
def dear(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The same where a password takes its usual time: for attacks in the middle of it."""
    with Server(tmp_path_factory.mktemp("dear"), dear=True) as server:
        yield server


@pytest.fixture(scope="session")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The same with the rates a house has by default, a name, a proxy, another origin, a word for
    its metrics, and little time for a request."""
    settings = {
        "request_rate": 20,
        "command_rate": 20,
        "sign_in_rate": 0.2,
        "request_seconds": 2,
        "hosts": ["craps.example"],
        "metrics_token": "a word",
        "proxies": ["127.0.0.78"],
        "origins": ["https://club.example"],
    }
    with Server(tmp_path_factory.mktemp("strict"), **settings) as server:
        yield server


@pytest.fixture(scope="session")
def pair(
    tmp_path_factory: pytest.TempPathFactory, databases: Callable[[], str]
) -> Iterator[tuple[Server, Server]]:
    """Two processes on one PostgreSQL."""
    database = databases()
    with Server(tmp_path_factory.mktemp("one"), database) as one:
        one.boss()
        with Server(tmp_path_factory.mktemp("other"), database) as other:
            other.boss_cookies = one.boss_cookies
            yield one, other


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Start houses of a test's own; they are stopped at its end."""
    made: list[Server] = []

    def start(database: str = "", **settings: object) -> Server:
        folder = tmp_path / f"house{len(made)}"
        folder.mkdir()
        made.append(Server(folder, database, **settings))
        return made[-1].start()

    yield start
    for server in made:
        server.stop()


@pytest.fixture(scope="session")
def databases() -> Iterator[Callable[[], str]]:
    """New databases on a PostgreSQL server, removed when all servers that use them are gone."""
    made: list[str] = []
    with postgres.server() as running:

        def new() -> str:
            made.append(running.database())
            return made[-1]

        yield new
        for name in made:
            running.give_back(name)


@pytest.fixture
def database(databases: Callable[[], str]) -> str:
    """A new database of PostgreSQL."""
    return databases()
