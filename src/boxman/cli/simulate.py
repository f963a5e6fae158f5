"""`boxman simulate`: a strategy under a house's full rules, sampled or solved exactly."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boxman.cli.errors import UserError, read_numbers, read_settings

if TYPE_CHECKING:
    from boxman.sim.results import Comparison, Result
    from boxman.sim.run import Progress
    from boxman.strategy.api import Strategy
    from boxman.strategy.session import Session

SWEPT = re.compile(r"([A-Za-z]\w*)=(\d+)\.\.(\d+)(?::(\d+))?")
SESSION_OPTIONS = ("bankroll", "rolls", "shooters", "stop_win", "stop_loss", "minimum", "maximum")
MOST_HOURS = 10_000
STEPS = 10
"""A wide range of a sweep is cut into so many steps where none is given."""


def simulate(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="STRATEGY...",
            help="A name of the library like molly(odds=3), a .py or .strategy file; several with "
            "--compare; after --sweep also ranges like odds=0..5 or bankroll=200..2000:200.",
        ),
    ],
    house: Annotated[
        str, typer.Option(help="A house by name, or the path of a rulebook file.")
    ] = "",
    bankroll: Annotated[str, typer.Option(help="Chips to begin with.")] = "500",
    rolls: Annotated[int, typer.Option(help="Rolls at most.")] = 200,
    sessions: Annotated[int, typer.Option(help="How many sessions are played.")] = 100_000,
    seed: Annotated[int, typer.Option(help="The seed of the dice.")] = 1,
    exact: Annotated[
        bool, typer.Option("--exact", help="Solve it without sampling, if that can be done.")
    ] = False,
    ever: Annotated[
        bool, typer.Option("--ever", help="With --exact: without a limit of rolls.")
    ] = False,
    comparing: Annotated[
        bool, typer.Option("--compare", help="Several strategies on the same dice.")
    ] = False,
    sweep: Annotated[
        bool, typer.Option("--sweep", help="Every combination of the ranges given.")
    ] = False,
    shooters: Annotated[int, typer.Option(help="End after so many seven-outs; 0: never.")] = 0,
    stop_win: Annotated[str, typer.Option(help="Stop when so much ahead; 0: never.")] = "0",
    stop_loss: Annotated[str, typer.Option(help="Stop when so much behind; 0: never.")] = "0",
    hours: Annotated[
        float, typer.Option(help="A limit of time instead of rolls, at --rolls-per-hour.")
    ] = 0.0,
    rolls_per_hour: Annotated[int, typer.Option(help="How fast the table is.")] = 100,
    shooter: Annotated[str, typer.Option(help="Who shoots: guest or self.")] = "guest",
    end: Annotated[
        str, typer.Option(help="Wagers still up at the end: face, run-out or value.")
    ] = "face",
    chip: Annotated[str, typer.Option(help="The smallest chip of the table.")] = "1",
    limits: Annotated[str, typer.Option(help="Minimum-maximum.")] = "5-1000",
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="A house setting, name=value; repeatable.")
    ] = None,
    parameters: Annotated[
        list[str] | None,
        typer.Option("--with", help="A parameter of the strategy, name=number; repeatable."),
    ] = None,
    session: Annotated[
        str,
        typer.Option(
            help="Write one session as a transcript: its number, or worst, median, luckiest."
        ),
    ] = "",
    output: Annotated[
        str, typer.Option("-o", "--output", help="A file: .html, .json, .csv, .parquet, .craps.")
    ] = "",
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print comma-separated values.")] = False,
    parquet: Annotated[str, typer.Option(help="Write the distribution to a Parquet file.")] = "",
    executor: Annotated[
        str, typer.Option(help="auto, numpy, numba, kernel or reference.")
    ] = "auto",
    threads: Annotated[int, typer.Option(help="Threads; 0: one for each core.")] = 0,
    cluster: Annotated[
        str, typer.Option(help="local, or the address of a Dask scheduler like tcp://host:8786.")
    ] = "",
) -> None:
    """How a strategy does under the full rules of a house: exactly, or by many sessions."""
    if json and csv:
        raise UserError("choose one of --json and --csv")
    if sessions < 1:
        raise UserError(f"at least one session is needed, not {sessions}")
    if not 0 <= hours <= MOST_HOURS or (hours and rolls_per_hour < 1):
        raise UserError("a time is a number of hours above 0, at so many rolls an hour")
    if threads < 0:
        raise UserError(f"threads are 1 or more, or 0 for one a core, not {threads}")
    if ever and not exact:
        raise UserError("--ever goes with --exact: a simulation has a last roll")
    if exact and (session or parquet):
        raise UserError("--exact plays no sessions: leave --session and --parquet out")
    low, dash, high = limits.partition("-")
    if not dash:
        raise UserError(f"limits are written minimum-maximum, like 5-1000, not {limits}")
    options: dict[str, Any] = {
        "bankroll": bankroll,
        "rolls": round(hours * rolls_per_hour) if hours else rolls,
        "shooters": shooters,
        "rolls_per_hour": rolls_per_hour,
        "shooter": shooter,
        "end": end,
        "chip": chip,
        "minimum": low,
        "maximum": high,
        "settings": read_settings(settings or []),
    }
    options |= {
        name: amount
        for name, amount in (("stop_win", stop_win), ("stop_loss", stop_loss))
        if amount != "0"
    }
    asked = Asked(house, options, sessions, seed, executor, threads, cluster)
    shown = Shown(output, json=json, csv=csv)
    given = read_numbers(parameters or [])
    with _told():
        if sweep:
            _sweep(asked, words, given, shown, exact=exact)
            return
        if len(words) > 1 and not comparing:
            raise UserError("several strategies are compared with --compare")
        found = [asked.strategy(word, given) for word in words]
        if comparing:
            if exact or session or parquet:
                raise UserError("--compare plays on common dice; leave the rest out")
            if len(found) < 2:
                raise UserError("name at least two strategies to compare")
            _show_comparison(asked, found, shown)
            return
        one = found[0]
        if session:
            _write_session(asked, one, session, output)
            return
        if exact and _exact(asked, one, shown, ever=ever):
            return
        _show(asked, one, shown, parquet)


class Asked:
    """What is common to every run of one command."""

    def __init__(
        self,
        house: str,
        options: dict[str, Any],
        sessions: int,
        seed: int,
        executor: str,
        threads: int,
        cluster: str,
    ) -> None:
        self.house, self.options = house, options
        self.sessions, self.seed = sessions, seed
        self.executor, self.threads, self.cluster = executor, threads, cluster

    def strategy(self, word: str, given: dict[str, int]) -> Strategy:
        from boxman.strategy.library import find

        return find(word, given)

    def session(self, **other: Any) -> Session:
        from boxman.strategy.session import session

        return session(self.house, **{**self.options, **other})

    def how(self) -> dict[str, Any]:
        """How to play, as `sim.run` takes it."""
        return {
            "sessions": self.sessions,
            "seed": self.seed,
            "executor": self.executor,
            "threads": self.threads or None,
            "cluster": self.cluster or None,
        }


class Shown:
    """Where an answer goes: into a file by its name, and on the screen in one form."""

    def __init__(self, output: str, *, json: bool, csv: bool) -> None:
        self.output, self.kind = output, Path(output).suffix.lower()
        self.printed = ".json" if json else ".csv" if csv else ""

    def takes(self, *kinds: str) -> None:
        """Refuse a file that cannot be written, before anything is played for it."""
        if self.output and self.kind not in kinds:
            words = f"{', '.join(kinds[:-1])} or {kinds[-1]}"
            raise UserError(f"this is written as {words}, not as {self.output}")
        if self.output and not Path(self.output).parent.is_dir():
            raise UserError(f"{self.output} cannot be written: there is no such folder")

    def show(self, forms: dict[str, Callable[[], str]], words: Callable[[], str]) -> None:
        """Write the file, if one was named, and print what was asked for."""
        if self.output:
            _write(self.output, forms[self.kind]())
        if self.printed:
            typer.echo(forms[self.printed](), nl=self.printed == ".json")
        elif not self.output:
            typer.echo(words())


@contextmanager
def _told() -> Iterator[None]:
    """One message for what a user can get wrong in a strategy, a session or an installation."""
    import warnings

    from boxman.chips import AmountError
    from boxman.strategy.api import StrategyError
    from boxman.strategy.session import SessionError

    def shown(message: Warning | str, *_: Any, **__: Any) -> None:
        typer.echo(str(message), err=True)

    try:
        with warnings.catch_warnings():
            warnings.showwarning = shown
            yield
    except StrategyError as error:
        if error.trace:
            typer.echo(error.trace.rstrip(), err=True)
        raise UserError(str(error)) from None
    except (SessionError, AmountError, ValueError, ImportError, ConnectionError) as error:
        raise UserError(str(error)) from None
    except KeyboardInterrupt:
        raise UserError("stopped before there was anything to show") from None


@contextmanager
def _progress() -> Iterator[Any]:
    """A bar with rate and time left on a terminal; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    bars = Bars(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[so_far]}"),
        console=Console(stderr=True),
        transient=True,
    )
    with bars:
        task = bars.add_task("sessions", total=None, rate="", so_far="")

        def watch(now: Progress) -> None:
            known = now.summary()
            so_far = (
                f"net {known[0].mean / 100:,.2f} ± {known[0].error / 100:,.2f}" if known else ""
            )
            rate = f"{now.rate:,.0f}/s"
            bars.update(task, total=now.total, completed=now.done, rate=rate, so_far=so_far)

        yield watch


def _show(asked: Asked, one: Strategy, shown: Shown, parquet: str) -> None:
    from boxman.sim.run import simulate as run
    from boxman.sim.words import summary

    shown.takes(".html", ".json", ".csv", ".parquet")
    with _progress() as watch:
        result = run(one, asked.session(), progress=watch, **asked.how())
    _something(result)
    if parquet:
        result.to_parquet(parquet)
    if shown.kind == ".parquet":
        result.to_parquet(shown.output)
    else:
        shown.show(
            {
                ".json": lambda: result.to_json().decode(),
                ".csv": result.to_csv,
                ".html": lambda: _result_page(result, one),
            },
            lambda: summary(result),
        )
    _say_partial(result)


def _result_page(result: Result, one: Strategy) -> str:
    from boxman.sim.page import result_page

    return result_page(result, _fan(one, result.session, result.seed))


def _fan(one: Strategy, session: Session, seed: int) -> dict[str, list[float]]:
    from boxman.sim.fan import fan
    from boxman.sim.players import choose

    return fan(choose(one, session)[0], seed)


def _write(output: str, text: str) -> None:
    try:
        Path(output).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{output} cannot be written: {error.strerror}") from None


def _show_comparison(asked: Asked, found: Sequence[Strategy], shown: Shown) -> None:
    from boxman.sim.run import compare
    from boxman.sim.words import comparison

    shown.takes(".html", ".json", ".csv")
    with _progress() as watch:
        compared = compare(found, asked.session(), progress=watch, **asked.how())
    _something(compared.results[0])

    def page() -> str:
        from boxman.sim.page import comparison_page

        spreads = {one.name: _fan(one, asked.session(), asked.seed) for one in found}
        return comparison_page(compared, spreads)

    pairs = [
        (p.one, p.other, p.mean / 100, *(x / 100 for x in p.interval), p.better, p.even)
        for p in compared.pairs
    ]
    shown.show(
        {
            ".json": lambda: _comparison_json(compared),
            ".csv": lambda: _rows(("one", "other", "mean", "low", "high", "better", "even"), pairs),
            ".html": page,
        },
        lambda: comparison(compared),
    )
    _say_partial(compared.results[0])


def _comparison_json(compared: Comparison) -> str:
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
        for pair in compared.pairs
    ]
    figures = [result.figures() for result in compared.results]
    return msgspec.json.encode({"results": figures, "pairs": pairs}).decode()


def _something(result: Result) -> None:
    if not result.sessions:
        raise KeyboardInterrupt


def _say_partial(result: Result) -> None:
    if result.partial:
        typer.echo(f"stopped after {result.sessions:,} of {result.asked:,} sessions", err=True)


def _rows(heads: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows(rows)
    return text.getvalue()


@contextmanager
def _busy(doing: str) -> Iterator[None]:
    """A sign on a terminal that something takes its time."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(doing):
        yield


def _exact(asked: Asked, one: Strategy, shown: Shown, *, ever: bool) -> bool:
    """Solve it; where that cannot be done say why, and let it be simulated."""
    import msgspec

    from boxman.sim.exact import NotSolved, bankroll_for, explored, solve
    from boxman.sim.page import exact_page
    from boxman.sim.words import exact_summary

    shown.takes(".html", ".json", ".csv")
    session = asked.session()
    if ever and not (session.stop_win or session.shooters):
        raise UserError(
            "--ever needs something that ends the session, --stop-win or --shooters: without it, "
            "a game the house has an edge in goes on until the player is broke, with certainty"
        )
    try:
        with _busy("solving exactly"):
            automaton = explored(one, session)
            solved = solve(automaton, session, ever=ever)
            broke = solved.ends["broke"]
            needed = None if ever or broke == 0 else bankroll_for(automaton, session)
    except NotSolved as error:
        typer.echo(f"not solved exactly: {error}; here is a simulation instead", err=True)
        return False
    words = exact_summary(one.name, session, solved, needed, ever=ever)

    def as_json() -> str:
        figures = {
            "strategy": one.name,
            "mean": solved.mean,
            "deviation": solved.deviation,
            "ends": solved.ends,
            "rolls": solved.rolls,
            "loss_an_hour": solved.loss_an_hour(session.rolls_per_hour),
            "bankroll_95": needed,
            "mass": solved.mass,
            "configurations": solved.configurations,
            "nets": {str(net): chance for net, chance in solved.nets.items()},
            "broke_by": solved.broke_by,
        }
        return msgspec.json.encode(figures).decode()

    nets = [(net / 100, chance) for net, chance in sorted(solved.nets.items())]
    shown.show(
        {
            ".json": as_json,
            ".csv": lambda: _rows(("net", "probability"), nets),
            ".html": lambda: exact_page(one.name, session, solved, words),
        },
        lambda: words,
    )
    return True


def _write_session(asked: Asked, one: Strategy, which: str, output: str) -> None:
    """A session as a transcript that the table runs to the same cent."""
    from boxman.sim.run import replay
    from boxman.sim.run import simulate as run

    session = asked.session()
    if which in ("worst", "median", "luckiest"):
        with _progress() as watch:
            result = run(one, session, progress=watch, **asked.how())
        number = {
            "worst": result.worst,
            "median": result.typical,
            "luckiest": result.luckiest,
        }[which]
    elif re.fullmatch(r"\d{1,18}", which):
        number = int(which)
    else:
        raise UserError(f"a session is a number, worst, median or luckiest, not {which}")
    played = replay(one, session, asked.seed, number)
    head = f"-- session {number} of seed {asked.seed}: {one.name}"
    text = f"{head}\n{played.transcript()}"
    if output:
        _write(output, text)
    else:
        typer.echo(text, nl=not text.endswith("\n"))


def _sweep(
    asked: Asked, words: Sequence[str], given: dict[str, int], shown: Shown, *, exact: bool
) -> None:
    """Every combination of the ranges: one line each."""
    names = [word for word in words if not SWEPT.fullmatch(word)]
    ranges = [SWEPT.fullmatch(word) for word in words if SWEPT.fullmatch(word)]
    if len(names) != 1 or not ranges:
        raise UserError(
            "a sweep is written STRATEGY --sweep NAME=LOW..HIGH ..., like odds=0..5 or "
            f"bankroll=200..2000:200; {' '.join(words)} is not"
        )
    shown.takes(".json", ".csv")
    axes = {match[1]: _range(match) for match in ranges if match}
    cells = list(product(*axes.values()))
    if len(cells) > 1_000:
        raise UserError(f"{len(cells):,} combinations are too many; at most 1,000")
    rows = []
    with _progress() as watch:
        for done, cell in enumerate(cells):
            rows.append(_cell(asked, names[0], given, dict(zip(axes, cell, strict=True)), exact))
            if watch is not None:
                from boxman.sim.run import Progress

                watch(Progress(done + 1, len(cells), 0.0, "", lambda: ()))
    heads = (*axes, "net", "error", "deviation", "broke", "ahead", "loss_an_hour", "how")

    def as_json() -> str:
        import msgspec

        return msgspec.json.encode([dict(zip(heads, row, strict=True)) for row in rows]).decode()

    def as_words() -> str:
        from boxman.sim.words import columns

        found = [
            (
                *(str(value) for value in row[: len(axes)]),
                *(f"{value:,.2f}" for value in row[len(axes) : len(axes) + 3]),
                *(f"{value:.3%}" for value in row[len(axes) + 3 : len(axes) + 5]),
                f"{row[-2]:,.2f}",
                row[-1],
            )
            for row in rows
        ]
        return columns([heads, *found])

    shown.show({".json": as_json, ".csv": lambda: _rows(heads, rows)}, as_words)


def _range(match: re.Match[str]) -> list[int]:
    low, high = int(match[2]), int(match[3])
    if high < low:
        raise UserError(f"{match[0]} goes from high to low; turn it round")
    wide = -(-(high - low) // STEPS) if high - low > 2 * STEPS else 1
    step = int(match[4]) if match[4] else wide
    if step < 1:
        raise UserError(f"{match[0]} has no step; leave it out or give one above 0")
    values = list(range(low, high + 1, step))
    return values if values[-1] == high else [*values, high]


def _cell(
    asked: Asked, name: str, given: dict[str, int], chosen: dict[str, int], exact: bool
) -> tuple[Any, ...]:
    """One combination: its values and its figures, in currency units."""
    from boxman.sim.exact import NotSolved, explored, solve
    from boxman.sim.run import simulate as run

    options = {key: value for key, value in chosen.items() if key in SESSION_OPTIONS}
    parameters = {key: value for key, value in chosen.items() if key not in SESSION_OPTIONS}
    one = asked.strategy(name, {**given, **parameters})
    session = asked.session(**options)
    values = tuple(chosen.values())
    if exact:
        try:
            solved = solve(explored(one, session), session)
        except NotSolved:
            pass
        else:
            hourly = solved.loss_an_hour(session.rolls_per_hour) / 100
            spread = (solved.mean / 100, 0.0, solved.deviation / 100)
            chances = (solved.ends["broke"], solved.at_least(1))
            return (*values, *spread, *chances, hourly, "exact")
    result = run(one, session, **asked.how())
    spread = (result.mean / 100, result.error / 100, result.deviation / 100)
    return (
        *values,
        *spread,
        result.ruin,
        result.ahead,
        result.loss_an_hour / 100,
        f"{result.sessions:,} sessions",
    )
