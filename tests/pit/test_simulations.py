"""Simulations that pages ask for: right answers, and limits on time, size, queue and memory."""

from __future__ import annotations

import linecache
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest
from fastapi import HTTPException
from httpx import Client

from boxman.pit.backroom import simulations as rooms
from boxman.pit.backroom import steps as replaying
from boxman.pit.backroom.coaching import BOOK, FOLDER, HOUSE, Coaches, sweep
from boxman.pit.backroom.steps import told
from boxman.rules.book import read_book
from boxman.rules.compile import load
from boxman.rules.favours import proposed
from boxman.rules.layout import Posted
from boxman.sim.run import replay
from boxman.solve import coach
from boxman.strategy.library import named
from boxman.strategy.session import Session
from tests.pit.serving import Served

FIELD = {"text": "bet 10 field", "name": "field"}
FOREVER = {
    "house": "nsw",
    "strategies": [{"name": "percent"}],
    "sessions": rooms.SESSIONS,
    "rolls": rooms.ROLLS,
    "bankroll": 100_000,
}
"""It reads its bankroll: nothing exact, and more rolls than anybody waits for."""


@pytest.fixture
def backroom(monkeypatch: pytest.MonkeyPatch) -> Iterator[rooms.Backroom]:
    """A backroom of its own for each test; nothing of it is left running."""
    made = rooms.Backroom()
    monkeypatch.setattr(rooms, "backroom", made)
    yield made
    made.close()
    for job in made.jobs.values():
        if job.process is not None:
            job.process.wait(10)


@pytest.fixture
def client(backroom: rooms.Backroom, server: Served) -> Iterator[Client]:
    with Client(base_url=server.url, timeout=60) as made:
        yield made


def until(ready: Callable[[], Any], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


def ended(client: Client, number: str) -> dict[str, Any]:
    """A simulation when nothing more comes."""
    seen: dict[str, Any] = {}

    def done() -> bool:
        seen.update(client.get(f"/api/simulations/{number}").json())
        return seen["state"] not in ("waiting", "running")

    until(done)
    return seen


def test_a_simulation_agrees_with_the_exact_answer(client: Client) -> None:
    asked = {
        "house": "nsw",
        "strategies": [FIELD, {"name": "pass"}],
        "bankroll": 100_000,
        "minimum": 1_000,
        "rolls": 20,
        "sessions": 4_000,
        "seed": 5,
    }
    job = client.post("/api/simulations", json=asked)
    assert job.status_code == 202
    found = ended(client, job.json()["id"])
    assert found["state"] == "done", found
    exact, result = found["exact"][0], found["results"][0]
    # A field that pays 2 to 1 on two and twelve keeps 1/18 of each stake.
    assert exact["mean"] == pytest.approx(-20 * 1000 / 18, rel=1e-9)
    assert abs(result["mean"] - exact["mean"]) < 4 * result["error"]
    for each in (exact, result):
        assert each["picture"].startswith('<figure class="drawn">')
    # Both on the same dice: the pair is told too.
    assert len(found["pairs"]) == 1
    assert found["pairs"][0].startswith("Field against Pass (unit 10) on the same dice: ")
    # Figures are told with sign and currency.
    assert dict(exact["rows"])["Mean"] == "−$11.11"
    path = f"/api/simulations/{found['id']}/replay"
    shown = client.get(f"{path}?session={result['which']['worst']}").json()
    assert shown["rolls"] == 20
    assert shown["rows"][0]["view"]["house"] == "nsw"
    nets = client.get(f"{path}?session={result['which']['best']}").json()["net"]
    assert nets > shown["net"]
    assert client.get(f"{path}?session=4000").status_code == 422
    assert client.get(f"{path}?strategy=2").status_code == 422


# -- limits ------------------------------------------------------------------------------------


def test_a_run_that_takes_too_long_is_stopped_and_says_so(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "SECONDS", 4)
    found = ended(client, client.post("/api/simulations", json=FOREVER).json()["id"])
    assert found["state"] == "stopped"
    assert "it took 4 seconds, the longest a page may run" in found["words"]
    assert found["progress"] < 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("sessions", rooms.SESSIONS + 1),
        ("sessions", 0),
        ("rolls", rooms.ROLLS + 1),
        ("bankroll", rooms.MOST_MONEY + 1),
        ("seed", 2**63),
        ("strategies", []),
        ("strategies", [{"name": "pass"}] * 4),
        ("strategies", [{"text": "bet 10 field\n" * 400}]),
        ("strategies", [{"name": "p" * 81}]),
        ("other", 1),
    ],
)
def test_what_is_too_large_is_refused_at_the_door(
    client: Client, backroom: rooms.Backroom, field: str, value: object
) -> None:
    asked = {"house": "nsw", "strategies": [{"name": "pass"}], field: value}
    assert client.post("/api/simulations", json=asked).status_code == 422
    assert not backroom.jobs


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A queue that is soon full."""
    monkeypatch.setattr(rooms, "WAITING", 8)


def test_one_visitor_does_not_fill_the_queue_nor_one_address(
    client: Client, server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    greedy = server.person().guest("greedy")
    asked = [greedy.http.post("/api/simulations", json=FOREVER) for _ in range(rooms.EACH + 1)]
    assert [each.status_code for each in asked] == [202] * rooms.EACH + [429]
    assert server.person().guest("modest").http.post("/api/simulations", json=FOREVER).is_success
    monkeypatch.setattr(rooms, "OF_AN_ADDRESS", rooms.EACH + 1)
    refused = client.post("/api/simulations", json=FOREVER)
    assert refused.status_code == 429
    assert "your address" in refused.json()["message"]


@pytest.mark.usefixtures("short")
def test_a_full_queue_says_so_and_takes_again_when_there_is_room(client: Client) -> None:
    jobs = [client.post("/api/simulations", json=FOREVER) for _ in range(rooms.WAITING)]
    assert {job.status_code for job in jobs} == {202}
    refused = client.post("/api/simulations", json=FOREVER)
    assert refused.status_code == 429
    assert "too many simulations wait" in refused.json()["message"]
    # One works at a time; the others wait.
    first, second, *_ = [job.json()["id"] for job in jobs]
    until(lambda: client.get(f"/api/simulations/{first}").json()["state"] == "running")
    assert client.get(f"/api/simulations/{second}").json()["state"] == "waiting"
    # A cancelled one makes room, and the next begins.
    assert client.delete(f"/api/simulations/{first}").json()["state"] == "stopped"
    until(lambda: client.get(f"/api/simulations/{second}").json()["state"] == "running")
    assert client.post("/api/simulations", json=FOREVER).status_code == 202


def test_old_answers_are_forgotten(
    client: Client, backroom: rooms.Backroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "KEPT", 3)
    ids = []
    for _ in range(5):
        ids.append(client.post("/api/simulations", json=FOREVER).json()["id"])
        client.delete(f"/api/simulations/{ids[-1]}")
    assert len(backroom.jobs) <= 4
    gone = client.get(f"/api/simulations/{ids[0]}")
    assert gone.status_code == 404
    assert "run it again" in gone.json()["message"]


def test_a_worker_is_another_process_of_low_priority_and_dies_when_stopped(
    client: Client, backroom: rooms.Backroom
) -> None:
    number = client.post("/api/simulations", json=FOREVER).json()["id"]
    until(lambda: backroom.jobs[number].process is not None)
    process = backroom.jobs[number].process
    assert process is not None
    assert process.pid != os.getpid()
    until(lambda: os.getpriority(os.PRIO_PROCESS, process.pid) >= 10, 5)
    backroom.close()
    assert process.wait(10) != 0
    assert client.get(f"/api/simulations/{number}").json()["state"] == "stopped"


@pytest.mark.parametrize("house", ["nsw", "rws"])
def test_limits_that_are_not_named_favour_nobody(
    client: Client, monkeypatch: pytest.MonkeyPatch, house: str
) -> None:
    taken: list[dict[str, Any]] = []

    def take(_: rooms.Backroom, question: dict[str, Any], *who: object, **how: object) -> rooms.Job:
        taken.append(question["session"])
        return rooms.Job(question)

    monkeypatch.setattr(rooms.Backroom, "take", take)
    posted = proposed(load(house))
    simulation = {"strategies": [FIELD], "sessions": 1, "rolls": 1}
    best = {"goal": "reach", "target": 30_100}
    for path, asked in (("/api/simulations", simulation), ("/api/solve", best)):
        for given in ({}, {"minimum": 100, "maximum": 200}):
            answer = client.post(path, json={"house": house, **asked, **given})
            assert answer.status_code == 202, answer.text
            limits = [taken[-1][name] for name in ("minimum", "maximum")]
            assert limits == (list(given.values()) or [posted.minimum, posted.maximum])


def test_replays_are_few_at_a_time_and_short(
    client: Client, backroom: rooms.Backroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {"house": "nsw", "strategies": [FIELD], "sessions": 5, "rolls": 5}
    number = client.post("/api/simulations", json=asked).json()["id"]
    ended(client, number)
    with ExitStack() as others:
        for place in range(rooms.AT_ONCE):
            others.enter_context(backroom.replaying("", str(place)))
        assert client.get(f"/api/simulations/{number}/replay").status_code == 429
    # One has one turn, an address leaves others theirs, who runs the house has what there is.
    with backroom.replaying("ann", "one"), backroom.replaying("bob", "one"):
        for who in ("ann", "eve", ""):
            with pytest.raises(HTTPException), backroom.replaying(who, "one"):
                pass
        for who, address, boss in (("ann", "two", False), ("boss", "one", True)):
            with backroom.replaying(who, address, boss):
                pass
    monkeypatch.setattr(rooms, "REPLAY_SECONDS", 0.01)
    late = client.get(f"/api/simulations/{number}/replay")
    assert late.status_code == 422
    assert "took too long" in late.json()["message"]
    # What failed gave its place back.
    monkeypatch.setattr(rooms, "REPLAY_SECONDS", 20)
    assert client.get(f"/api/simulations/{number}/replay").json()["rolls"] == 5


def test_a_worker_has_no_more_memory_than_it_may_have() -> None:
    """With nearly nothing allowed it says so, in a sentence, and ends."""
    session = msgspec.to_builtins(Session(house="nsw", bankroll=100_000, rolls=50))
    asked = {"session": session, "strategies": [FIELD], "sessions": 10, "seed": 1}
    program = (
        "import numpy, boxman.sim.exact, boxman.sim.run, boxman.pit.backroom.worker as s;"
        "s._answers = lambda *a: iter([bytearray(2**30)]);"
        "s.MEMORY = 500 * 2**20; s.main()"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        input=msgspec.json.encode(asked),
        capture_output=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        check=False,
    )
    assert b"more memory than a page may use" in ran.stdout, ran.stderr


def test_a_worker_ends_with_a_server_that_is_killed() -> None:
    """Also one that says nothing for long: no pipe would tell it."""
    silent = (
        "import os, threading, time, boxman.pit.backroom.worker as s;"
        "threading.Thread(target=s._stay_with, args=(os.getppid(),), daemon=True).start();"
        "print('begun', flush=True); time.sleep(30); print('still here')"
    )
    program = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {silent!r}])"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, env=env) as made:
        assert made.stdout is not None
        assert made.stdout.readline() == b"begun\n"
        made.kill()
        # The pipe is the worker's too: it ends when the last of them does.
        assert made.stdout.read() == b""


@pytest.mark.usefixtures("short")
def test_the_queue_is_one_for_all_threads(backroom: rooms.Backroom) -> None:
    """Many asking at once never get past the limit together."""
    taken: list[int] = []

    def ask() -> None:
        try:
            backroom.take({"session": {}, "strategies": [], "sessions": 1, "seed": 1})
            taken.append(202)
        except rooms.HTTPException as error:
            taken.append(error.status_code)

    backroom.turn.acquire()  # nothing begins meanwhile
    askers = [threading.Thread(target=ask) for _ in range(3 * rooms.WAITING)]
    for each in askers:
        each.start()
    for each in askers:
        each.join()
    assert taken.count(202) == rooms.WAITING
    assert taken.count(429) == 2 * rooms.WAITING
    backroom.close()
    backroom.turn.release()


# -- strategies --------------------------------------------------------------------------------


def test_a_coach_leaves_no_folder_behind(
    backroom: rooms.Backroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Read, failed, stopped, or never taken."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(coach, "TableCoach", lambda path: path.read_bytes())
    given: list[rooms.Job] = []

    def take(question: dict[str, Any], *who: object, seconds: int) -> rooms.Job:
        if len(given) == 4:
            raise HTTPException(429, "too many wait")
        given.append(rooms.Job(question))
        return given[-1]

    monkeypatch.setattr(backroom, "take", take)
    coaches, layout = Coaches(backroom), load("rws")
    posted = Posted(minimum=500, maximum=100_000)

    def ask(target: int) -> object:
        return coaches.ask(read_book("rws"), layout, posted, target, ("", "", False))

    def folders() -> list[Path]:
        return [each for own in tmp_path.iterdir() for each in own.iterdir()]

    assert list(tmp_path.iterdir()) == []
    for target in range(4):
        assert ask(target) is given[target]
    with pytest.raises(HTTPException):
        ask(4)
    assert len(folders()) == 4
    for place, job in enumerate(given[:3]):
        written = Path(job.question["coach"])
        assert (written.parent / HOUSE).read_text() == read_book("rws").text
        written.write_bytes(BOOK.encode())
        job.state = ("done", "failed", "stopped")[place]
    assert ask(0) == ask(0) == BOOK.encode()
    # What a killed process left is swept away; what one that lives works in is not.
    (tmp_path / f"{FOLDER}of-the-dead").mkdir()
    (tmp_path / f"{FOLDER}of-the-dead" / HOUSE).touch()
    sweep()
    assert folders() == [Path(given[3].question["coach"]).parent]
    backroom.stop(given[3])
    ask(0)
    assert folders() == []
    # What was stopped is told once, then asked for anew; it was begun anew in silence, for ever.
    assert ask(2) is given[2]
    with pytest.raises(HTTPException):
        ask(2)
    assert coaches.folder is not None
    coaches.folder.cleanup()


def test_what_is_wrong_with_a_strategy_is_said_with_its_place(client: Client) -> None:
    def problem(**asked: str) -> Any:
        return client.post("/api/strategies/check", json=asked).json()["problem"]

    assert problem(text="when come-out: bet 10 pass") is None
    assert problem(name="molly(odds=1)") is None
    wrong = problem(text="when come-out: bet 10 pass\nwhen point on: bte 10 field")
    assert (wrong["line"], wrong["column"]) == (2, 16)
    assert "bte" in wrong["sentence"]
    wrong = problem(text="use nosuch")
    assert (wrong["line"], wrong["column"]) == (1, 1)
    assert "no strategy is called nosuch" in wrong["sentence"]
    assert "unit=x is not a parameter" in problem(name="pass(unit=x)")["sentence"]
    assert "name or a text" in problem()["sentence"]
    # No file is read for a page.
    for path in ("/etc/passwd", "./own.py"):
        assert "is not a strategy; write a name" in problem(name=path)["sentence"]
    asked = {"house": "nsw", "strategies": [{"text": "bet ten field"}]}
    refused = client.post("/api/simulations", json=asked)
    assert refused.status_code == 422
    assert "line 1, column 5: ten" in refused.json()["message"]
    refused = client.post("/api/simulations", json={**asked, "house": "/etc"})
    assert refused.status_code == 404


def test_checking_leaves_nothing_behind(client: Client) -> None:
    before = len(linecache.cache)
    for n in range(1, 20):
        client.post("/api/strategies/check", json={"text": f"bet {n * 5} field"})
    assert len(linecache.cache) == before


# -- what is shown -----------------------------------------------------------------------------


def test_a_replay_is_told_in_sentences_with_the_houses_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = Session(house="nsw", minimum=500, bankroll=30_000, rolls=12)
    played = replay(named("molly"), session, 1, 3)
    shown = told(played)
    rows = shown["rows"]
    assert rows[0]["text"] == "ann buys $300 in chips. ann puts $10 on Win Line."
    assert rows[0]["rail"] == 29_000
    assert [row["roll"] for row in rows if row["dice"]] == list(range(1, 13))
    for row in rows:
        assert "{" not in row["text"]
        assert "pass.odds" not in row["text"]
        assert row["text"].endswith(".")
    # Rail and stakes at face are what it came to.
    last = rows[-1]["view"]["seats"][0]
    worth = last["rail"] + sum(wager["stake"] for wager in last["wagers"])
    assert shown["net"] == worth - 30_000
    assert shown["end"] == "all rolls were thrown"
    monkeypatch.setattr(replaying, "REPLAYED", 4)
    cut = told(played)
    assert (cut["shown"], cut["rolls"], cut["rows"][-1]["roll"]) == (4, 12, 4)
