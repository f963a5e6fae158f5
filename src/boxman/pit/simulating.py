"""The worker of the strategy page: one question on standard input, answers as JSON lines.

`python -m boxman.pit.simulating` runs beside the server, so that live tables never notice. The
exact answer comes first where there is one; then sessions on dice that are common to all
strategies, with a summary every little while. It knows no server and no clock but its own pace.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from queue import Queue
from threading import Thread
from typing import Any

import msgspec

from boxman.chips import format_amount as money
from boxman.pit.aids import felt_view
from boxman.strategy.api import Strategy, StrategyError
from boxman.strategy.session import SEAT, Session, SessionError

Data = dict[str, Any]
CELLS = 40
REPLAYED = 1_500
"""Lines of a replay at most."""
SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """One strategy: a name of the library, perhaps with parameters, or a text."""

    name: str = ""
    text: str = ""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What the page asks."""

    session: Session
    strategies: tuple[Wanted, ...]
    sessions: int
    seed: int
    replay: tuple[int, int] | None = None
    """A strategy and the number of one of its sessions, to be played for the felt."""


def main() -> None:
    """Answer the question on standard input."""
    try:
        question = msgspec.json.decode(sys.stdin.buffer.read(), type=Question)
        made = [_strategy(each, n) for n, each in enumerate(question.strategies)]
        answers = _replay(question, made) if question.replay else _answers(question, made)
        for answer in answers:
            _tell(answer)
    except (StrategyError, SessionError, msgspec.MsgspecError) as error:
        _tell({"error": str(error)})
    except ImportError as error:
        _tell({"error": f"simulations need the extra: pip install 'boxman[sim]' ({error})"})


def _tell(answer: Data) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
    sys.stdout.buffer.flush()


def _strategy(wanted: Wanted, number: int) -> Strategy:
    from boxman.strategy.library import named
    from boxman.strategy.text import TextError, read

    if not wanted.text:
        return named(wanted.name)
    try:
        return read(wanted.text, wanted.name or f"strategy {number + 1}")
    except TextError as error:
        raise StrategyError(f"line {error.line}, column {error.column}: {error.sentence}") from None


def _answers(question: Question, strategies: list[Strategy]) -> Iterator[Data]:
    yield {"names": [each.name for each in strategies]}
    for number, each in enumerate(strategies):
        yield {"exact": _exact(each, question.session), "strategy": number}
    yield from _simulated(question, strategies)


def _exact(strategy: Strategy, session: Session) -> Data | None:
    """The whole distribution, if the strategy does not look at its bankroll."""
    from boxman.sim.exact import NotSolved, explored, solve

    try:
        solved = solve(explored(strategy, session), session)
    except (NotSolved, StrategyError) as error:
        return {"why_not": str(error)}
    return {
        "mean": solved.mean,
        "deviation": solved.deviation,
        "rolls": solved.rolls,
        "broke": solved.ends.get("broke", 0.0),
        "ahead": solved.at_least(1),
        "percentiles": [solved.percentile(share) for share in SHARES],
        "cells": cells(solved.nets),
        "ends": solved.ends,
    }


def summary(result: Any) -> Data:
    """The figures of one strategy so far."""
    return {
        "name": result.strategy,
        "sessions": result.sessions,
        "mean": result.mean,
        "error": result.error,
        "deviation": result.deviation,
        "broke": result.ruin,
        "ahead": result.ahead,
        "rolls": result.rolls / result.sessions,
        "staked": result.staked / result.sessions,
        "percentiles": list(result.percentiles(SHARES)),
        "cells": result.histogram(CELLS),
        "executor": result.executor,
        "reasons": list(result.reasons),
        "refused": [
            {"sentence": each.sentence, "spot": each.spot, "times": each.count}
            for each in result.refusals[:5]
        ],
        "which": {"worst": result.worst, "median": result.typical, "best": result.luckiest},
    }


def cells(shares: Any) -> list[tuple[int, int, float]]:
    """A histogram of at most CELLS cells of equal width: from, to, how much; none is lost.

    >>> cells({-100: 1, 0: 2, 100: 1})
    [(-100, 0, 1.0), (0, 100, 2.0), (100, 200, 1.0)]
    """
    low, high = min(shares), max(shares)
    step = 100
    while (high - low) // step >= CELLS:
        step = step * 2 if str(step)[0] in "15" else step * 5 // 2
    first = low // step * step
    made = [0.0] * ((high - first) // step + 1)
    for net, amount in shares.items():
        made[(net - first) // step] += amount
    return [(first + n * step, first + (n + 1) * step, each) for n, each in enumerate(made)]


def _simulated(question: Question, strategies: list[Strategy]) -> Iterator[Data]:
    """Sessions on common dice, in a thread, so that summaries can be told meanwhile."""
    from boxman.sim.run import Progress, SlowExecutorWarning, compare

    warnings.simplefilter("ignore", SlowExecutorWarning)
    news: Queue[Data | BaseException] = Queue()

    def told(progress: Progress) -> None:
        results = [summary(each) for each in progress.summary()]
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
        except BaseException as error:
            news.put(error)
        else:
            news.put({"progress": 1, **_compared(found), "done": True})

    Thread(target=work, daemon=True).start()
    while True:
        answer = news.get()
        if isinstance(answer, BaseException):
            raise answer
        yield answer
        if "done" in answer:
            return


def _compared(found: Any) -> Data:
    return {
        "results": [summary(each) for each in found.results],
        "pairs": [
            {
                "one": pair.one,
                "other": pair.other,
                "mean": pair.mean,
                "interval": list(pair.interval),
                "better": pair.better,
            }
            for pair in found.pairs
        ],
    }


def _replay(question: Question, strategies: list[Strategy]) -> Iterator[Data]:
    """One session on the reference table, as rows a felt can show."""
    from boxman.sim.run import replay
    from boxman.table.transcript import Transcript, write_result

    assert question.replay is not None
    number, index = question.replay
    session = question.session
    played = replay(strategies[number], session, question.seed, index)
    transcript, rows = Transcript(), []
    for line in played.transcript().splitlines()[:REPLAYED]:
        result = transcript.play(line.partition(" : ")[0])
        if transcript.layout is None or transcript.table is None or not result.line.words:
            continue
        if SEAT in transcript.table.seats:
            view = felt_view(transcript.layout, transcript.table, SEAT)
            words = " ".join(write_result(result).split())
            rows.append({"text": words, "rail": view["seats"][0]["rail"], "view": view})
    net = money(abs(played.worth - session.bankroll))
    sign = "-" if played.worth < session.bankroll else "+"
    yield {"rows": rows, "net": f"{sign}{net}", "rolls": played.rolls, "end": played.end}


if __name__ == "__main__":
    main()
