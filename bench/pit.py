"""The pit under load: acknowledged latency, durable commands a second, memory, against a raw echo.

The server runs in a process of its own; the clients in this one, on the same machine. Every command
is ruled on with the full rules and acknowledged only when it is durable.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import httpx
import uvicorn
import websockets
from fastapi import FastAPI, WebSocket, WebSocketDisconnect

ROOT = Path(__file__).parents[1]


@contextmanager
def serving(database: str, **settings: str) -> Iterator[tuple[str, int]]:
    """A serving process: its address and its process id."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    free = {"BOXMAN_REQUEST_RATE": "0", "BOXMAN_COMMAND_RATE": "0", "BOXMAN_SIGN_IN_RATE": "0"}
    environment = {**os.environ, **free, "PYTHONPATH": str(ROOT / "src"), **settings}
    command = [
        sys.executable,
        *os.environ.get("PROF", "").split(),
        "-m",
        "boxman",
        "serve",
        "--port",
        str(port),
    ]
    server = subprocess.Popen(
        [*command, "--database", database, "--log", "error"],
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    try:
        for _ in range(200):
            try:
                httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=1).raise_for_status()
                break
            except httpx.HTTPError:
                time.sleep(0.1)
        yield f"127.0.0.1:{port}", server.pid
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(20)


class Player:
    """A client at a table that bets and takes down again, and times every acknowledgement."""

    def __init__(self, address: str, table: str, cookie: str) -> None:
        self.url, self.cookie = f"ws://{address}/ws/tables/{table}", cookie
        self.sent: dict[str, float] = {}
        self.times: list[float] = []
        self.count = 0
        self.up = False
        self.acknowledged = asyncio.Event()

    async def connect(self) -> None:
        self.socket = await websockets.connect(
            self.url,
            additional_headers={"Cookie": self.cookie},
            compression=None,
            max_queue=None,
            ping_interval=None,
        )
        self.reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            async for text in self.socket:
                assert isinstance(text, str)
                # Rows of others are not read here: only answers are looked for.
                at = text.find('"is":"answer"')
                while at >= 0:
                    start = text.index('"id":"', at) + 6
                    call_id = text[start : text.index('"', start)]
                    self.times.append(time.perf_counter() - self.sent.pop(call_id))
                    self.acknowledged.set()
                    at = text.find('"is":"answer"', start)
        except websockets.ConnectionClosed:
            pass

    async def command(self) -> None:
        self.count += 1
        call_id = f"{self.count}"
        call = {"type": "takedown", "spot": "field"}
        if not self.up:
            call = {"type": "bet", "spot": "field", "amount": 500}  # type: ignore[dict-item]
        self.up = not self.up
        self.sent[call_id] = time.perf_counter()
        await self.socket.send(json.dumps({"do": "call", "id": call_id, "call": call}))

    async def at_pace(self, seconds: float, every: float, offset: float) -> None:
        await asyncio.sleep(offset)
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            began = time.perf_counter()
            await self.command()
            await asyncio.sleep(max(0.0, every - (time.perf_counter() - began)))

    async def flat_out(self, seconds: float) -> None:
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            self.acknowledged.clear()
            await self.command()
            await self.acknowledged.wait()


async def seated(
    address: str, tables: int, players: int, watchers: int = 0, window: int = 0
) -> list[Player]:
    """Open tables, sit players down, connect their sockets."""
    found: list[Player] = []
    async with httpx.AsyncClient(base_url=f"http://{address}", timeout=60) as client:
        for number in range(tables):
            client.cookies.clear()
            body: dict[str, Any] = {"house": HOUSE, "name": f"t{number}", "buy_in": 10**9}
            body.update({"crew": "automatic", "window": window, "pace": 0.5})
            if not window:
                body["automatic"] = []
            made = await client.post("/api/tables", json=body)
            made.raise_for_status()
            table = made.json()["table"]
            for seat in range(players + watchers):
                client.cookies.clear()
                name = f"p{seat}"
                if seat < players:
                    sat = await client.post(
                        f"/api/tables/{table}/sit", json={"name": name, "buy_in": 10**7}
                    )
                else:
                    sat = await client.post(f"/api/tables/{table}/watch")
                sat.raise_for_status()
                cookie = f"boxman_session={client.cookies['boxman_session']}"
                found.append(Player(address, table, cookie))
    for player in found:
        await player.connect()
    await asyncio.sleep(1)
    return found


HOUSE = "nsw"


def p99(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)]


async def paced(address: str, seconds: float) -> tuple[float, float, float]:
    """25 tables x 8 players x 2 commands a second: p50, p99 in ms, commands a second."""
    players = await seated(address, 25, 8, window=4)
    for player in players:
        player.times.clear()
    began = time.perf_counter()
    await asyncio.gather(
        *(p.at_pace(seconds, 0.5, 0.5 * n / len(players)) for n, p in enumerate(players))
    )
    await asyncio.sleep(1)
    times = [each for player in players for each in player.times]
    assert not any(player.sent for player in players), "a command was never acknowledged"
    rate = len(times) / (time.perf_counter() - began - 1)
    await close(players)
    return median(times) * 1000, p99(times) * 1000, rate


async def flat_out(address: str, seconds: float) -> tuple[float, float]:
    """25 tables x 8 players as fast as they are acknowledged: commands a second, p99 in ms."""
    players = await seated(address, 25, 8)
    for player in players:
        player.times.clear()
    began = time.perf_counter()
    await asyncio.gather(*(player.flat_out(seconds) for player in players))
    gone = time.perf_counter() - began
    times = [each for player in players for each in player.times]
    await close(players)
    return len(times) / gone, p99(times) * 1000


async def crowd(address: str, pid: int, seconds: float) -> tuple[float, float]:
    """50 tables with 10 sockets each, a command a second from every seat: memory (MB), p99 (ms)."""
    players = await seated(address, 50, 10)
    for player in players:
        player.times.clear()
    await asyncio.gather(
        *(p.at_pace(seconds, 1.0, n / len(players)) for n, p in enumerate(players))
    )
    await asyncio.sleep(1)
    status = Path(f"/proc/{pid}/status").read_text()
    memory = int(status.split("VmRSS:")[1].split()[0]) / 1024
    times = [each for player in players for each in player.times]
    await close(players)
    return memory, p99(times) * 1000


async def flooded(address: str, seconds: float) -> tuple[float, float]:
    """10 tables x 8 players x 2 commands a second, in quiet and while somebody else shouts at one
    of the tables, never reads, is cut off and comes again: both p99 in ms."""
    players = await seated(address, 10, 8)
    url = players[0].url
    async with httpx.AsyncClient(base_url=f"http://{address}", timeout=60) as client:
        watched = await client.post(f"/api/tables/{url.rsplit('/', 1)[1]}/watch")
        watched.raise_for_status()
        cookie = f"boxman_session={client.cookies['boxman_session']}"
    found = []
    for shouting in (False, True):
        for player in players:
            player.times.clear()
        line = [sys.executable, __file__, "flood", url, cookie]
        flood = subprocess.Popen(line) if shouting else None
        await asyncio.gather(
            *(p.at_pace(seconds, 0.5, 0.5 * n / len(players)) for n, p in enumerate(players))
        )
        for _ in range(300):
            if any(player.sent for player in players):
                await asyncio.sleep(0.1)
        if flood is not None:
            assert flood.poll() is None, "the flood ran dry"
            flood.kill()
            flood.wait()
        assert not any(player.sent for player in players), "a command was never acknowledged"
        found.append(p99([each for player in players for each in player.times]) * 1000)
    await close(players)
    return found[0], found[1]


def flood(url: str, cookie: str) -> None:
    """Shout without end at a table, and read nothing."""
    sys.path.insert(0, str(ROOT))
    from tests.attack.client import Visitor, frame

    port, table = int(url.split(":")[2].split("/")[0]), url.rsplit("/", 1)[1]
    visitor = Visitor(port)
    name, _, value = cookie.partition("=")
    visitor.cookies = {name: value}
    block = b"".join(frame(b'{"do":"ping"}') for _ in range(500))
    while True:
        try:
            seat = visitor.at(table)
            seat.line.shout(block, 1_000_000)
        except OSError:
            pass


async def close(players: list[Player]) -> None:
    await asyncio.gather(*(player.socket.close() for player in players))


# -- a raw echo ----------------------------------------------------------------------------------


def echo_server(port: int) -> None:
    """The same server with nothing behind it: what comes is sent back."""
    app = FastAPI()

    @app.websocket("/")
    async def echo(line: WebSocket) -> None:
        await line.accept()
        try:
            while True:
                await line.send_text(await line.receive_text())
        except WebSocketDisconnect:
            pass

    uvicorn.run(
        app,
        port=port,
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        log_level="error",
    )


async def echoed(port: int, sockets: int, seconds: float) -> float:
    """Messages a second that come back."""
    text = json.dumps({"do": "call", "id": "1", "call": {"type": "bet", "amount": 500}})
    counts = [0] * sockets

    async def one(number: int) -> None:
        async with websockets.connect(f"ws://127.0.0.1:{port}/", compression=None) as line:
            end = time.perf_counter() + seconds
            while time.perf_counter() < end:
                await line.send(text)
                await line.recv()
                counts[number] += 1

    await asyncio.gather(*(one(number) for number in range(sockets)))
    return sum(counts) / seconds


def echo_rate(seconds: float) -> float:
    """How fast the bare server is on this machine now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen([sys.executable, __file__, "echo", str(port)])
    try:
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.1)
        return asyncio.run(echoed(port, 200, seconds))
    finally:
        server.terminate()
        server.wait(20)


# -- what is reported ------------------------------------------------------------------------------

REPEATS = 3
BY_DEFAULT = {"BOXMAN_REQUEST_RATE": "20"}
"""Brakes that the house has unless somebody turns them off."""


def rows() -> list[tuple[str, str, str]]:
    """What, measured, wanted: medians of three runs."""
    found: list[tuple[str, str, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        times, rates, ratios, tails = [], [], [], []
        for number in range(REPEATS):
            with serving(f"{folder}/paced{number}.db") as (address, _):
                _, tail, _ = asyncio.run(paced(address, 10))
                times.append(tail)
            with serving(f"{folder}/flat{number}.db") as (address, _):
                rate, tail = asyncio.run(flat_out(address, 6))
            rates.append(rate)
            tails.append(tail)
            ratios.append(rate / echo_rate(3))
        found.append(
            (
                "25 tables x 8 players x 2 commands a second, SQLite: acknowledged p99",
                f"{median(times):.0f} ms",
                "within 50 ms",
            )
        )
        found.append(
            (
                "flat out, 25 tables x 8 players, SQLite",
                f"{median(rates):,.0f} durable commands a second (p99 {median(tails):.0f} ms)",
                "at least 1,500",
            )
        )
        found.append(
            (
                "the same against a raw echo of the same server",
                f"1 : {1 / median(ratios):.1f}",
                "at least 1 : 10",
            )
        )
        with serving(f"{folder}/crowd.db") as (address, pid):
            memory, tail = asyncio.run(crowd(address, pid, 8))
        found.append(
            (
                "50 tables, 500 sockets, 1 command a second each",
                f"{memory:.0f} MB, p99 {tail:.0f} ms",
                "within 300 MB",
            )
        )
        with serving(f"{folder}/flood.db", BOXMAN_COMMAND_RATE="20", **BY_DEFAULT) as (address, _):
            quiet, loud = asyncio.run(flooded(address, 10))
        found.append(
            (
                "80 players, somebody floods a socket: their p99",
                f"{loud:.0f} ms (in quiet {quiet:.0f} ms)",
                "within twice the quiet one and 20 ms",
            )
        )
    found += postgres_rows()
    return found


def postgres_rows() -> list[tuple[str, str, str]]:
    """The same flat out on a PostgreSQL that is started for it."""
    sys.path.insert(0, str(ROOT))
    from tests.tools import postgres

    rates = []
    with postgres.server(synced=True) as server:
        for _ in range(REPEATS):
            with serving(server.database()) as (address, _):
                rates.append(asyncio.run(flat_out(address, 6))[0])
    told = f"{median(rates):,.0f} durable commands a second"
    return [("flat out, 25 tables x 8 players, PostgreSQL", told, "at least 1,000")]


if __name__ == "__main__":
    if sys.argv[1:2] == ["echo"]:
        echo_server(int(sys.argv[2]))
    elif sys.argv[1:2] == ["flood"]:
        flood(*sys.argv[2:4])
    else:
        for row in rows():
            print(" | ".join(row))
