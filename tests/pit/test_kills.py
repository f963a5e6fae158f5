"""A serving process is killed under load, again and again: what it acknowledged is stored, once."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from boxman.journal.audit import Audit
from boxman.journal.export import export
from boxman.journal.open import open_journal
from boxman.journal.verify import verify
from tests.tools import postgres
from tests.tools.reliability import record

ROOT = Path(__file__).parents[2]
PLAYERS = 4


class Process:
    """A serving process on one database."""

    def __init__(self, where: str, url: str = "", source: Path = ROOT / "src") -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.address = f"127.0.0.1:{self.port}"
        free = {f"BOXMAN_{name}": "0" for name in ("REQUEST_RATE", "COMMAND_RATE", "SIGN_IN_RATE")}
        options = ["--database", where, "--log", "error"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "boxman", "serve", "--port", str(self.port), *options],
            env=os.environ | free | {"PYTHONPATH": str(source), "BOXMAN_URL": url},
            stdout=subprocess.DEVNULL,
            cwd=ROOT,
        )

    def ready(self) -> Process:
        for _ in range(600):
            try:
                if (
                    httpx.get(f"http://{self.address}/readyz", timeout=5, verify=False).status_code
                    == 200
                ):
                    return self
            except httpx.HTTPError:
                assert self.process.poll() is None, "the server did not start"
                time.sleep(0.05)
        raise AssertionError("the server never became ready")

    def end(self, number: int) -> int:
        self.process.send_signal(number)
        return self.process.wait(30)


class Hasty(threading.Thread):
    """A player who says one thing after the other, and what is unanswered once more."""

    def __init__(self, name: str, cookie: str, acknowledged: dict[str, dict[str, Any]]) -> None:
        super().__init__(daemon=True)
        self.who, self.cookie, self.acknowledged = name, cookie, acknowledged
        self.address = self.table = ""
        self.count = 0
        self.unanswered: dict[str, str] = {}

    def aim(self, address: str, table: str) -> Hasty:
        again = Hasty(self.who, self.cookie, self.acknowledged)
        again.count, again.unanswered = self.count, self.unanswered
        again.address, again.table = address, table
        return again

    def run(self) -> None:
        url = f"ws://{self.address}/ws/tables/{self.table}"
        try:
            with connect(
                url,
                additional_headers={"Cookie": self.cookie},
                compression=None,
                max_queue=None,
                close_timeout=1,
            ) as line:
                for text in list(self.unanswered.values()):
                    line.send(text)
                while True:
                    if len(self.unanswered) < 8:
                        self._say(line)
                    self._hear(json.loads(line.recv(timeout=10)))
        except (ConnectionClosed, OSError, TimeoutError):
            pass

    def _say(self, line: Any) -> None:
        for _ in range(4):
            self.count += 1
            call_id = f"{self.who}-{self.count}"
            call: dict[str, Any] = {"type": "bet", "spot": "field", "amount": 500}
            if self.count % 3 == 0:
                call = {"type": "takedown", "spot": "field"}
            text = json.dumps({"do": "call", "id": call_id, "call": call})
            self.unanswered[call_id] = text
            line.send(text)

    def _hear(self, messages: Any) -> None:
        for message in messages if isinstance(messages, list) else [messages]:
            if message["is"] == "answer":
                first = self.acknowledged.setdefault(message["id"], message)
                assert first == message, "two answers to one call"
                self.unanswered.pop(message["id"], None)


def kill_and_check(where: str, kills: int, seed: int, shared: bool = False) -> tuple[int, int]:
    """Kill the server again and again; how many calls were acknowledged, and how many rows."""
    chance = random.Random(seed)
    acknowledged: dict[str, dict[str, Any]] = {}
    players: list[Hasty] = []
    table = ""
    for kill in range(kills):
        server = Process(where).ready()
        with httpx.Client(base_url=f"http://{server.address}", timeout=60, verify=False) as client:
            if not table:
                body = {"house": "nsw", "automatic": [], "buy_in": 10**9}
                table = client.post("/api/tables", json=body).json()["table"]
                for number in range(PLAYERS):
                    client.cookies.clear()
                    sat = client.post(
                        f"/api/tables/{table}/sit", json={"name": f"p{number}", "buy_in": 10**8}
                    )
                    assert sat.status_code == 200, sat.text
                    cookie = f"boxman_session={client.cookies['boxman_session']}"
                    players.append(Hasty(f"p{number}", cookie, acknowledged))
            else:
                for _ in range(200):  # a dead process's tables are taken within seconds
                    if client.get(f"/api/tables/{table}").status_code == 200:
                        break
                    time.sleep(0.1)
        players = [player.aim(server.address, table) for player in players]
        for player in players:
            player.start()
        enough, until = len(acknowledged) + chance.randrange(10, 150), time.monotonic() + 20
        while len(acknowledged) < enough and time.monotonic() < until:
            time.sleep(0.002)
        code = server.end(signal.SIGKILL)
        assert code == -signal.SIGKILL, f"kill {kill}: the server ended by itself with {code}"
        for player in players:
            player.join(60)
            assert not player.is_alive()
    return _check(where, table, acknowledged)


def _check(where: str, table: str, acknowledged: dict[str, dict[str, Any]]) -> tuple[int, int]:
    journal = open_journal(where, read_only=True)
    try:
        rows = {row.id.split("/", 1)[-1]: row for row in journal.rows(table)}
        count = journal.head(table).number
        assert len(rows) == count, "an id is stored twice"
        for call_id, answer in acknowledged.items():
            row = rows.get(call_id)
            assert row is not None, f"{call_id} was acknowledged and is not stored"
            assert row.number == answer["number"]
            assert row.refused == (answer["refused"] is not None)
        sound = verify(export(journal, table))
        assert sound.sound, sound.problems[:3]
        audit = Audit()
        for row in journal.rows(table):
            assert audit.look(row) is None
    finally:
        journal.close()
    return len(acknowledged), count


def test_killed_servers_lose_nothing(tmp_path: Path) -> None:
    told, rows = kill_and_check(str(tmp_path / "house.db"), kills=3, seed=11)
    assert told > 100
    assert rows >= told


def test_a_server_that_is_told_to_stop_loses_nothing(tmp_path: Path) -> None:
    where = str(tmp_path / "house.db")
    server = Process(where).ready()
    acknowledged: dict[str, dict[str, Any]] = {}
    with httpx.Client(base_url=f"http://{server.address}", timeout=60, verify=False) as client:
        table = client.post("/api/tables", json={"house": "nsw", "automatic": []}).json()["table"]
        client.post(f"/api/tables/{table}/sit", json={"name": "p0"})
        cookie = f"boxman_session={client.cookies['boxman_session']}"
    player = Hasty("p0", cookie, acknowledged).aim(server.address, table)
    player.start()
    while len(acknowledged) <= 10:
        assert player.is_alive()
        time.sleep(0.05)
    assert server.end(signal.SIGTERM) == 0
    player.join(60)
    told, _ = _check(where, table, acknowledged)
    assert told > 10


def test_another_process_takes_over_the_tables_of_a_dead_one() -> None:
    with postgres.server() as database:
        where = database.database()
        first, second = Process(where, "http://first").ready(), Process(where, "http://second")
        second.ready()
        with httpx.Client(timeout=60, verify=False) as client:
            made = client.post(
                f"http://{first.address}/api/tables", json={"house": "nsw", "automatic": []}
            )
            table = made.json()["table"]
            sat = client.post(f"http://{first.address}/api/tables/{table}/sit", json={"name": "p0"})
            assert sat.status_code == 200
            elsewhere = client.get(f"http://{second.address}/api/tables/{table}")
            assert (elsewhere.status_code, elsewhere.json()["code"]) == (503, "elsewhere")
            assert "http://first" in elsewhere.json()["message"]
            before = client.get(f"http://{first.address}/api/tables/{table}").json()
            first.end(signal.SIGKILL)
            for _ in range(1200):
                answer = client.get(f"http://{second.address}/api/tables/{table}")
                if answer.status_code == 200:
                    break
                time.sleep(0.05)
            assert answer.status_code == 200, "nobody took the table over"
            after = answer.json()
            # The house opens again: the dice fixed before are shown, and others are fixed.
            assert after["number"] == before["number"] + 3
            assert after["view"]["seats"] == before["view"]["seats"]
        second.end(signal.SIGTERM)


@pytest.mark.soak
def test_two_hundred_kills(tmp_path: Path) -> None:
    seed = int(os.environ.get("BOXMAN_SEED", "0")) or random.SystemRandom().randrange(10**6)
    told, rows = kill_and_check(str(tmp_path / "house.db"), kills=200, seed=seed)
    with postgres.server() as database:
        more, stored = kill_and_check(database.database(), kills=50, seed=seed + 1)
    record(
        "Serving processes killed under load",
        [
            f"SQLite: 200 SIGKILLs, {told:,} commands acknowledged, {rows:,} rows; seed {seed}",
            f"PostgreSQL: 50 SIGKILLs, {more:,} commands acknowledged, {stored:,} rows; seed "
            f"{seed + 1}",
            "no acknowledged command lost or doubled; every journal verified and audited",
        ],
    )
