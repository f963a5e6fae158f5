"""The worker of the strategy page: one question on standard input, answers as JSON lines.

`python -m boxman.pit.backroom.worker` runs beside the server, so that live tables never notice. The
exact answer comes first where there is one; then sessions on dice that are common to all
strategies, with a summary every little while. It knows no server and no clock but its own pace.
"""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from collections.abc import Iterator
from contextvars import copy_context
from queue import Queue
from threading import Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING

import msgspec

from boxman.pit.told.figures import exact_told, last_told, pair_told, result_told
from boxman.rules.book import add_houses
from boxman.solve.budget import TooManyActs
from boxman.solve.goals import Hourly, Last, NotSolvable, Reach
from boxman.solve.menu import MenuError
from boxman.strategy.api import Strategy, StrategyError
from boxman.strategy.session import Session, SessionError, opened
from boxman.strategy.shown import said
from boxman.words import ENGLISH, phrase, speaking

if TYPE_CHECKING:
    from boxman.sim.exact import Solved

Data = dict[str, object]
PAUSE = 0.3
"""Seconds between two words on how far it is."""
MEMORY = 3 * 2**30
"""Bytes a worker may have for its data; a page has no claim to the machine."""
HAND_MEMORY, HAND_SECONDS = 2**29, 10
"""What a rulebook that came with a link may take: bytes, and seconds of the processor."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """One strategy: a name of the library, perhaps with parameters, or a text."""

    name: str = ""
    text: str = ""


class StrategyQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """What the page asks."""

    session: Session
    strategies: tuple[Wanted, ...]
    sessions: int
    seed: int
    replay: tuple[int, int] | None = None
    """A strategy and the number of one of its sessions, to be played for the felt."""


class SolveQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """What the page of best play asks."""

    session: Session
    goal: Reach | Last | Hourly
    menu: str = ""
    stakes: str = ""
    budget: int
    coach: str = ""
    """A file to which what a table's coach needs is written; then nothing else is told."""


def main() -> None:
    """Answer the question on standard input."""
    limit(MEMORY)
    try:
        asked = msgspec.json.decode(sys.stdin.buffer.read())
        with speaking(asked.get("language", ENGLISH)):
            for answer in _asked(asked):
                _tell(answer)
    except (StrategyError, SessionError, NotSolvable, MenuError, msgspec.MsgspecError) as error:
        if isinstance(error, TooManyActs):
            _tell({"fits": error.fits})
        _tell({"error": error.why if isinstance(error, TooManyActs) else str(error)})
    except MemoryError:
        _tell({"error": phrase("pit.house.this-takes-more-memory")})
    except ImportError as error:
        _tell({"error": phrase("pit.house.simulations-need-the-extra", error=error)})


def _asked(asked: Data) -> Iterator[Data]:
    if "hand" in asked:
        yield _hand(str(asked["hand"]))
        return
    if "goal" in asked:
        yield from _solved(msgspec.convert(asked, SolveQuestion))
        return
    question = msgspec.convert(asked, StrategyQuestion)
    opened(question.session)  # so that a text may name its wagers
    made = [_strategy(each, n) for n, each in enumerate(question.strategies)]
    yield from _replay(question, made) if question.replay else _answers(question, made)


def limit(most: int, seconds: int = 0) -> None:
    """Data beyond this is refused by the system, as a MemoryError; after so many seconds of the
    processor, if any are said, it ends the process."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
        if seconds:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def _tell(answer: Data) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
    sys.stdout.buffer.flush()


def _strategy(wanted: Wanted, number: int) -> Strategy:
    from boxman.strategy.library import named
    from boxman.strategy.text import read

    return (
        read(wanted.text, wanted.name or f"text {number + 1}")
        if wanted.text
        else named(wanted.name)
    )


def _answers(question: StrategyQuestion, strategies: list[Strategy]) -> Iterator[Data]:
    from boxman.sim.exact import NotSolved

    exact: dict[str, Solved] = {}
    for each in strategies:
        try:
            exact[each.name] = _solve(each, question.session)
            told = exact_told(each.name, exact[each.name], question.session)
        except (NotSolved, StrategyError) as error:
            told = {"title": said(each.name), "why_not": str(error)}
        yield {"exact": told}
    yield from _simulated(question, strategies, exact)


def _solve(strategy: Strategy, session: Session) -> Solved:
    """The whole distribution, if the strategy does not look at its bankroll."""
    from boxman.sim.exact import explored, solve
    from boxman.strategy.explore import RULINGS

    return solve(explored(strategy, session, RULINGS), session)


def _simulated(
    question: StrategyQuestion, strategies: list[Strategy], exact: dict[str, Solved]
) -> Iterator[Data]:
    """Sessions on common dice, in a thread, so that summaries can be told meanwhile."""
    from boxman.sim.executors import choose
    from boxman.sim.fan import fan
    from boxman.sim.run import Progress, SlowExecutorWarning, compare

    warnings.simplefilter("ignore", SlowExecutorWarning)
    news: Queue[Data | BaseException] = Queue()

    def told(progress: Progress) -> None:
        results = [result_told(each) for each in progress.summary()]
        news.put({"progress": progress.done / progress.total, "results": results})

    def work() -> None:
        try:
            found = compare(
                strategies,
                question.session,
                question.sessions,
                question.seed,
                threads=1,
                progress=told,
            )
            results = [result_told(each) for each in found.results]
            pairs = [pair_told(each, question.session) for each in found.pairs]
            news.put({"progress": 1, "results": results, "pairs": pairs})
            fans = {
                each.name: fan(choose(each, question.session)[0], question.seed)
                for each in strategies
            }
            news.put({**last_told(found.results, exact, fans), "done": True})
        except BaseException as error:
            news.put(error)

    # The language that is spoken here is spoken there too.
    Thread(target=copy_context().run, args=(work,), daemon=True).start()
    while True:
        answer = news.get()
        if isinstance(answer, BaseException):
            raise answer
        yield answer
        if "done" in answer:
            return


def _solved(question: SolveQuestion) -> Iterator[Data]:
    """Best play: how far it is every little while, then the answer."""
    from boxman.pit.told.solved import answer_told
    from boxman.solve.question import solve_session

    last = -PAUSE

    def told(words: str) -> None:
        nonlocal last
        if monotonic() - last >= PAUSE:
            last = monotonic()
            _tell({"told": words})

    answer = solve_session(
        *(question.session, question.goal, question.menu, question.stakes),
        budget=question.budget,
        keep=False,
        progress=told,
    )
    if question.coach:
        from boxman.solve.coach import coach_book

        coach_book(answer).write(question.coach)
        yield {"progress": 1, "done": True}
        return
    yield from answer_told(answer)
    yield {"progress": 1, "done": True}


def _replay(question: StrategyQuestion, strategies: list[Strategy]) -> Iterator[Data]:
    """One session on the reference table, as steps a felt can show."""
    from boxman.pit.backroom.steps import told
    from boxman.sim.run import replay

    assert question.replay is not None
    number, index = question.replay
    yield told(replay(strategies[number], question.session, question.seed, index))


def _hand(code: str) -> Data:
    """A shared hand played by the rulebook that came with it."""
    from boxman.journal.editions import no_texts
    from boxman.pit.told.seen.hands import HandError, played_again

    limit(HAND_MEMORY, HAND_SECONDS)
    try:
        return played_again(code, no_texts)
    except HandError as error:
        return {"error": str(error)}


def _stay_with(server: int) -> None:
    """End with the server, also with one that is killed: nobody else would stop this."""
    while os.getppid() == server:
        sleep(1)
    os._exit(1)


if __name__ == "__main__":
    Thread(target=_stay_with, args=(int(sys.argv[1]),), daemon=True).start()
    add_houses(filter(None, os.environ.get("BOXMAN_HOUSES", "").split(",")))
    main()
