"""Simulations that pages ask for: one worker process at a time, with limits and a short queue.

The worker is another program (worker.py), run at low priority, so that live tables never
notice. Questions and answers live in memory; the address of the page holds the whole question, so
nothing is lost with them.
"""

from __future__ import annotations

import atexit
import contextlib
import linecache
import os
import secrets
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, HTTPException, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from boxman.pit.people.quotas import address_of
from boxman.pit.web.api.houses import layout_of
from boxman.pit.web.costs import READING, REQUEST
from boxman.pit.web.guard import SESSION
from boxman.rules.book import house_files
from boxman.strategy.api import StrategyError
from boxman.strategy.library import ENTRIES, named
from boxman.strategy.session import Session, SessionError
from boxman.strategy.shown import said
from boxman.strategy.text import TextError, read
from boxman.words import phrase, say, spoken

simulations = APIRouter(prefix="/api", tags=["simulations"])
Data = dict[str, Any]
SECONDS = 60
"""A simulation that takes longer is stopped; what it has found is kept and called partial."""
REPLAY_SECONDS, HAND_SECONDS = 20, 60
"""What one answer may take; a shared hand's worker counts its own seconds of the processor."""
LARGEST = 2**24
"""Bytes of one answer."""
AT_ONCE, AT_ONCE_OF_AN_ADDRESS = 3, 2
"""Replays and shared hands that are played at the same time; they are short and do not queue. One
visitor has one."""
WAITING, KEPT_FREE = 40, 4
EACH, OF_AN_ADDRESS = 2, 30
"""Simulations that wait: in all, besides them of those who run the house, of one, of an address."""
KEPT = 80
SESSIONS, ROLLS = 1_000_000, 2_000
TEXT = 4_000
MOST_MONEY = 10**10
USUAL = Session(house="")
"""What a question says nothing of: the same here, on the command line and in the library."""


class OneStrategy(BaseModel):
    """A strategy of the library by name, perhaps with parameters, or a text of one's own."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field("", max_length=80)
    text: str = Field("", max_length=TEXT)


class SimulationOrder(BaseModel):
    """A simulation to run; amounts in minor units."""

    model_config = ConfigDict(extra="forbid")
    house: str = Field(max_length=80)
    settings: dict[str, str] = {}
    strategies: list[OneStrategy] = Field(min_length=1, max_length=3)
    bankroll: int = Field(USUAL.bankroll, gt=0, le=MOST_MONEY)
    chip: int = Field(USUAL.chip, gt=0, le=10**6)
    minimum: int = Field(0, ge=0, le=MOST_MONEY)
    maximum: int = Field(0, ge=0, le=MOST_MONEY)
    """Where none are named, the least usual limits at which no wager favours the player."""
    rolls: int = Field(USUAL.rolls, ge=1, le=ROLLS)
    stop_win: int = Field(0, ge=0, le=MOST_MONEY)
    stop_loss: int = Field(0, ge=0, le=MOST_MONEY)
    end: str = Field(USUAL.end, pattern="^(value|face|run-out)$")
    """What wagers still up at the end count: what they are worth, their face, or played out."""
    sessions: int = Field(2_000, ge=1, le=SESSIONS)
    seed: int = Field(1, ge=0, lt=2**63)


class Job:
    """One question, where it stands, and what is known so far."""

    def __init__(
        self, question: Data, visitor: str = "", address: str = "", seconds: int = 0
    ) -> None:
        self.id = secrets.token_urlsafe(9)
        self.visitor, self.address = visitor, address
        self.seconds = seconds or SECONDS
        self.question = question
        self.state = "waiting"
        self.known: Data = {"exact": [], "results": [], "pairs": [], "progress": 0, "why": ""}
        self.process: subprocess.Popen[bytes] | None = None

    def told(self) -> Data:
        """As the page sees it."""
        why = self.known["why"]
        words = say(f"pit.states.{self.state}{'-why' if why else ''}", {"why": why})
        return {"id": self.id, "state": self.state, "words": words, **self.known}

    def hear(self, line: bytes) -> None:
        """One line of the worker."""
        answer = msgspec.json.decode(line)
        if "error" in answer:
            self.known["error"] = answer["error"]
        elif "exact" in answer:
            self.known["exact"] = [*self.known["exact"], answer["exact"]]
        else:
            done = answer.pop("done", False)
            self.known.update(answer)
            if done:
                self.state = "done"


class Backroom:
    """The queue and its one worker at a time."""

    def __init__(self) -> None:
        self.jobs: OrderedDict[str, Job] = OrderedDict()
        self.lock = threading.Lock()
        self.turn = threading.Semaphore(1)
        self.playing: list[tuple[str, str]] = []
        """Who has something replayed now, and from where."""

    def take(
        self,
        question: Data,
        visitor: str = "",
        address: str = "",
        own: bool = False,
        seconds: int = 0,
    ) -> Job:
        """A new question, or 429 when too many wait: in all, of one visitor, or of one address.
        Who runs the house (`own`) waits behind nobody's quota."""
        job = Job(question, visitor, address, seconds)
        with self.lock:
            for known in self.jobs.values():
                # The same question has the same answer: its dice are in it.
                if known.state == "done" and known.question == question:
                    return known
            wait = [each for each in self.jobs.values() if each.state in ("waiting", "running")]
            if len(wait) >= WAITING + KEPT_FREE * own:
                raise HTTPException(429, phrase("pit.house.too-many-simulations-wait"))
            if visitor and not own and sum(each.visitor == visitor for each in wait) >= EACH:
                raise HTTPException(429, phrase("pit.house.simulations-of-yours-wait", each=EACH))
            if not own and sum(each.address == address for each in wait) >= OF_AN_ADDRESS:
                raise HTTPException(429, phrase("pit.house.enough-simulations-from-your"))
            self.jobs[job.id] = job
            for old in list(self.jobs):
                if len(self.jobs) > KEPT and self.jobs[old].state not in ("waiting", "running"):
                    del self.jobs[old]
        threading.Thread(target=self._work, args=(job,), daemon=True).start()
        return job

    @contextlib.contextmanager
    def replaying(self, visitor: str, address: str, own: bool = False) -> Iterator[None]:
        """A turn to have something replayed, or 429 when others are."""
        me = (visitor, address)
        with self.lock:
            here = [each for each in self.playing if each[1] == address]
            many = (visitor and me in here) or len(here) >= AT_ONCE_OF_AN_ADDRESS
            if len(self.playing) >= AT_ONCE or (many and not own):
                raise HTTPException(429, phrase("pit.house.other-replays-are-being"))
            self.playing.append(me)
        try:
            yield
        finally:
            with self.lock:
                self.playing.remove(me)

    def find(self, number: str) -> Job:
        """A question by its id, or 404."""
        job = self.jobs.get(number)
        if job is None:
            raise HTTPException(404, phrase("pit.house.there-is-no-such-simulation"))
        return job

    def stop(self, job: Job, why: str = "") -> None:
        """Cancel: what is known stays."""
        if job.state in ("waiting", "running"):
            job.state = "stopped"
            job.known["why"] = why
        if job.process is not None:
            job.process.kill()

    def close(self) -> None:
        """The server stops: so do the workers."""
        for job in list(self.jobs.values()):
            self.stop(job)

    def _work(self, job: Job) -> None:
        with self.turn:
            if job.state != "waiting":
                return
            job.state = "running"
            with worker(job.question) as process:
                job.process = process
                if job.state != "running":
                    process.kill()
                why = phrase("pit.house.it-took-seconds-the", seconds=job.seconds)
                clock = threading.Timer(job.seconds, self.stop, [job, why])
                clock.start()
                try:
                    assert process.stdout is not None
                    for line in process.stdout:
                        if line.endswith(b"\n"):  # a worker that is killed leaves half a line
                            job.hear(line)
                finally:
                    clock.cancel()
                    process.kill()
            if job.state == "running":
                job.state = "failed"
                job.known.setdefault("error", phrase("pit.wrong.worker-stopped"))


def worker(question: Data) -> subprocess.Popen[bytes]:
    """The worker at work on a question."""
    process = subprocess.Popen(
        [sys.executable, "-m", "boxman.pit.backroom.worker", str(os.getpid())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            "BOXMAN_HOUSES": ",".join(house_files()),
        },
    )
    with contextlib.suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, process.pid, 10)
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(msgspec.json.encode(question))
        process.stdin.close()
    return process


backroom = Backroom()
atexit.register(backroom.close)


@simulations.get("/strategies", openapi_extra=READING)
def strategies(house: str = "") -> Data:
    """The strategies of the library; of a house those that it can be played at."""
    spots = set(layout_of(house).spots) if house else None
    return {
        "session": {name: getattr(USUAL, name) for name in ("bankroll", "chip", "rolls", "end")},
        "strategies": [
            {
                "name": each.name,
                "title": said(each.name),
                "call": each.call,
                "parameters": each.parameters,
                "summary": each.summary,
                "source": each.source,
                "needs": list(each.needs),
            }
            for each in ENTRIES.values()
            if spots is None or spots >= set(each.needs)
        ],
    }


@simulations.post("/strategies/check", openapi_extra=READING)
def check(asked: OneStrategy) -> Data:
    """What is wrong with a strategy, and where; nothing is run."""
    return {"problem": problem(asked)}


def problem(asked: OneStrategy) -> Data | None:
    """The first thing that is wrong, in a text with its line and column."""
    try:
        if asked.text:
            made = read(asked.text)
            # Asked at every pause of somebody's typing: leave no source behind.
            linecache.cache.pop(made.function.__code__.co_filename, None)
        elif asked.name:
            named(asked.name)
        else:
            return {"sentence": phrase("pit.house.a-strategy-has-a")}
    except TextError as error:
        return {"line": error.line, "column": error.column, "sentence": error.sentence}
    except StrategyError as error:
        return {"sentence": str(error)}
    return None


@simulations.post("/simulations", openapi_extra=READING, status_code=202)
def run(asked: SimulationOrder, request: Request) -> Data:
    """Ask for a simulation; look at it by its id."""
    pairs = [f"{name}={value}" for name, value in asked.settings.items()]
    layout_of(asked.house, pairs, asked.chip)
    for each in asked.strategies:
        if (wrong := problem(each)) is not None:
            where = (
                phrase("pit.house.line-column", line=wrong["line"], column=wrong["column"])
                if "line" in wrong
                else ""
            )
            raise HTTPException(422, f"{where}{wrong['sentence']}")
    figures = asked.model_dump(exclude={"strategies", "sessions", "seed"})
    try:
        session = Session(**figures)
    except SessionError as error:
        raise HTTPException(422, str(error)) from None
    question = {
        "session": msgspec.to_builtins(session),
        "strategies": [each.model_dump() for each in asked.strategies],
        "sessions": asked.sessions,
        "seed": asked.seed,
        "language": spoken(),
    }
    return backroom.take(question, *asker(request)).told()


def asker(request: Request) -> tuple[str, str, bool]:
    """Who asks, from where, and whether he runs the house."""
    address = address_of(request.client)
    house = getattr(request.app.state, "house", None)
    session = house.door.session(request.cookies.get(SESSION)) if house is not None else None
    if session is None:
        return "", address, False
    return session.person, address, session.administrator


@simulations.get("/simulations/{number}", openapi_extra=REQUEST)
def look(number: str) -> Data:
    """How far it is, and what is known."""
    return backroom.find(number).told()


@simulations.delete("/simulations/{number}", openapi_extra=REQUEST)
def cancel(number: str) -> Data:
    """Stop it; what is known stays."""
    job = backroom.find(number)
    backroom.stop(job)
    return job.told()


@simulations.get("/simulations/{number}/replay", openapi_extra=REQUEST)
def replay(
    number: str,
    request: Request,
    strategy: Annotated[int, Query(ge=0, le=2)] = 0,
    session: Annotated[int, Query(ge=0, lt=SESSIONS)] = 0,
) -> Response:
    """One session roll by roll, for the felt."""
    job = backroom.find(number)
    if strategy >= len(job.question["strategies"]):
        raise HTTPException(422, phrase("pit.house.there-is-no-such"))
    if session >= job.question["sessions"]:
        raise HTTPException(
            422, phrase("pit.house.there-are-sessions", sessions=job.question["sessions"])
        )
    with backroom.replaying(*asker(request)):
        question = {**job.question, "replay": (strategy, session)}
        answer = one_answer(question, REPLAY_SECONDS)
    if isinstance(answer, str):
        raise HTTPException(422, answer or phrase("pit.house.the-replay-took-too"))
    return answer


def one_answer(question: Data, seconds: float) -> Response | str:
    """The one answer of a worker, as it came: whatever is in it, this process does not unfold it.
    Else what was wrong; nothing, if it took too long or would be too large."""
    with worker(question) as process:
        clock = threading.Timer(seconds, process.kill)
        clock.start()
        try:
            assert process.stdout is not None
            line = process.stdout.readline(LARGEST)
        finally:
            clock.cancel()
            process.kill()
    if not line.endswith(b"\n"):
        return ""
    if line.startswith(b'{"error":'):
        return str(msgspec.json.decode(line)["error"])
    return Response(line, media_type="application/json")
