"""What `boxman simulate` answers on strategies as they are: played, compared, solved, one session.

Each is computed by `sim` and handed to `Shown` in every form it has.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from boxman.cli.errors import UserError
from boxman.cli.simulate_asked import SimulateHow, SimulateOptions
from boxman.cli.simulate_shown import (
    CRAPS,
    CSV,
    HTML,
    JSON,
    PARQUET,
    AnswerFiles,
    as_csv,
    busy,
    progress,
    say_partial,
    something,
    write,
)
from boxman.words import phrase

if TYPE_CHECKING:
    from boxman.report.parts import Part
    from boxman.sim.results import Comparison, Result
    from boxman.strategy.api import Strategy
    from boxman.strategy.session import Session


FACE_SESSIONS = 20_000
FACE_SESSIONS_SLOWLY = 200
"""Sessions played once more to tell what counting at face would say."""


def played(asked: SimulateOptions, one: Strategy, shown: AnswerFiles) -> None:
    """Many sessions of one strategy."""
    from boxman.sim.run import simulate as run
    from boxman.sim.words import summary

    shown.takes(HTML, JSON, CSV, PARQUET)
    with asked.stoppable(), progress() as watch:
        result = run(
            *(one, asked.session()),
            progress=watch,
            cancel=asked.stop,
            first=asked.first,
            **asked.how,
        )
        told = _at_face(asked, one, result)
    something(result)

    def page() -> str:
        from boxman.sim.page import result_page

        return result_page(result, _fan(one, result.session, result.seed))

    shown.show(
        {JSON: lambda: result.to_json().decode(), CSV: result.to_csv, HTML: page},
        lambda: [*summary(result), *told],
        result.to_parquet,
    )
    say_partial(result)


def _at_face(asked: SimulateOptions, one: Strategy, result: Result) -> list[Part]:
    """What counting a stop-win at face would make of it, in some sessions on the same dice."""
    from boxman.report.parts import Sentence
    from boxman.sim.run import simulate as run
    from boxman.sim.words import face_told

    if not result.session.takes_down:
        return []
    most = FACE_SESSIONS_SLOWLY if result.reasons else FACE_SESSIONS
    how: SimulateHow = {**asked.how, "sessions": min(asked.how["sessions"], most)}
    rail, face = (
        run(one, asked.session(count=count), cancel=asked.stop, first=asked.first, **how).share(
            "win"
        )
        for count in ("rail", "face")
    )
    return [Sentence(face_told(rail, face, how["sessions"]))]


def _fan(one: Strategy, session: Session, seed: int) -> dict[str, list[tuple[float, float]]]:
    from boxman.sim.executors import choose
    from boxman.sim.fan import fan

    return fan(choose(one, session)[0], seed)


def told_apart(found: Sequence[Strategy], words: Sequence[str]) -> list[Strategy]:
    """Strategies of one name, like `play` of two files, are called what the user called them."""
    names = [one.name for one in found]
    if len(set(names)) < len(names):
        names = [
            f"{word} ({words[:n].count(word) + 1})" if words.count(word) > 1 else word
            for n, word in enumerate(words)
        ]
    return [one.named(name) for one, name in zip(found, names, strict=True)]


def compared(asked: SimulateOptions, found: Sequence[Strategy], shown: AnswerFiles) -> None:
    """Several strategies on the same dice."""
    from boxman.sim.run import compare
    from boxman.sim.words import comparison

    shown.takes(HTML, JSON, CSV)
    with asked.stoppable(), progress() as watch:
        answer = compare(found, asked.session(), progress=watch, cancel=asked.stop, **asked.how)
    something(answer.results[0])

    def page() -> str:
        from boxman.sim.page import comparison_page

        session, seed = asked.session(), answer.results[0].seed
        return comparison_page(answer, {one.name: _fan(one, session, seed) for one in found})

    pairs = [
        (p.one, p.other, p.mean / 100, *(x / 100 for x in p.interval), p.better, p.even)
        for p in answer.pairs
    ]
    heads = ("one", "other", "mean", "low", "high", "better", "even")
    shown.show(
        {JSON: lambda: _comparison_json(answer), CSV: lambda: as_csv(heads, pairs), HTML: page},
        lambda: comparison(answer),
    )
    say_partial(answer.results[0])


def _comparison_json(answer: Comparison) -> str:
    import msgspec

    pairs = [
        {
            "one": pair.one,
            "other": pair.other,
            "mean": pair.mean,
            "error": pair.error,
            "interval": pair.interval,
            "better": pair.better,
            "even": pair.even,
        }
        for pair in answer.pairs
    ]
    figures = [result.figures() for result in answer.results]
    return msgspec.json.encode({"results": figures, "pairs": pairs}).decode()


def solved(asked: SimulateOptions, one: Strategy, shown: AnswerFiles) -> bool:
    """Solve it; where that cannot be done say why, and let it be simulated."""
    import msgspec

    from boxman.sim.exact import NotSolved, bankroll_for
    from boxman.sim.page import exact_page
    from boxman.sim.words import exact_summary

    shown.takes(HTML, JSON, CSV)
    session = asked.session()
    try:
        with busy(phrase("cli.simulate.solving-exactly")):
            automaton, answer = asked.solve(one, session)
            sure = asked.ever or answer.ends["broke"] == 0 or automaton is None
            needed = None if sure or automaton is None else bankroll_for(automaton, session)
            face = None
            if session.takes_down:
                face = asked.solve(one, asked.session(count="face"))[1].ends["win"]
    except NotSolved as error:
        typer.echo(phrase("cli.simulate.not-solved-exactly-here", error=error), err=True)
        return False
    parts = exact_summary(one.name, session, answer, needed, ever=asked.ever, face=face)

    def as_json() -> str:
        figures = {
            "strategy": one.name,
            "mean": answer.mean,
            "deviation": answer.deviation,
            "ends": answer.ends,
            "win_at_face": face,
            "rolls": answer.rolls,
            "loss_an_hour": answer.loss_an_hour(session.rolls_per_hour),
            "bankroll_95": needed,
            "mass": answer.mass,
            "configurations": answer.configurations,
            "nets": {str(net): chance for net, chance in answer.nets.items()},
            "broke_by": answer.broke_by,
        }
        return msgspec.json.encode(figures).decode()

    nets = [(net / 100, chance) for net, chance in sorted(answer.nets.items())]
    shown.show(
        {
            JSON: as_json,
            CSV: lambda: as_csv(("net", "probability"), nets),
            HTML: lambda: exact_page(one.name, session, answer, parts),
        },
        lambda: parts,
    )
    return True


def one_session(asked: SimulateOptions, one: Strategy, which: str, shown: AnswerFiles) -> None:
    """A session as a transcript that the table runs to the same cent."""
    from boxman.sim.run import replay
    from boxman.sim.run import simulate as run

    shown.takes(CRAPS)
    session, seed = asked.session(), asked.how["seed"]
    if which in ("worst", "median", "luckiest"):
        with asked.stoppable(), progress() as watch:
            result = run(
                *(one, session),
                progress=watch,
                cancel=asked.stop,
                first=asked.first,
                **asked.how,
            )
        something(result)
        say_partial(result)
        number = {
            "worst": result.worst,
            "median": result.typical,
            "luckiest": result.luckiest,
        }[which]
    elif re.fullmatch(r"\d{1,18}", which):
        number = int(which)
    else:
        raise UserError(phrase("cli.simulate.a-session-is-a", which=which))
    head = phrase("cli.simulate.session-of-seed", number=number, seed=seed, one=one.name)
    text = f"{head}\n{replay(one, session, seed, number).transcript()}"
    if shown.output:
        write(shown.output, text)
    else:
        typer.echo(text, nl=not text.endswith("\n"))
