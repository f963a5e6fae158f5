"""`boxman simulate --sweep`: every combination of ranges, one line each.

A range is of a parameter of the strategy, or of the session. It knows nothing of how a
combination is played or solved.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from itertools import product
from operator import mul
from typing import TYPE_CHECKING, NamedTuple, cast

import typer

from boxman.chips import MINOR
from boxman.cli.errors import UserError
from boxman.cli.simulate_asked import SimulateOptions
from boxman.cli.simulate_shown import CSV, JSON, AnswerFiles, as_csv, progress
from boxman.words import phrase

if TYPE_CHECKING:
    from boxman.strategy.session import SessionOptions

SWEPT = re.compile(r"([A-Za-z][\w-]*)=(\d+)\.\.(\d+)(?::(\d+))?")
SESSION_OPTIONS = ("bankroll", "rolls", "shooters", "stop_win", "stop_loss", "minimum", "maximum")
SWEEP_STEPS = 10
"""A wide range is cut into so many steps where none is given."""
MOST_COMBINATIONS = 1_000
"""Combinations."""
AMOUNTS = ("bankroll", "stop_win", "stop_loss", "minimum", "maximum")
"""Those that are swept in currency units; JSON has them in minor units like all amounts."""


class SweptFigures(NamedTuple):
    """The figures of one combination; amounts in minor units until they are shown."""

    net: float
    error: float
    deviation: float
    broke: float
    ahead: float
    loss_an_hour: float
    how: str

    def in_units(self) -> SweptFigures:
        money = {name: getattr(self, name) / MINOR for name in MONEY}
        return self._replace(**money)


MONEY = ("net", "error", "deviation", "loss_an_hour")
"""Figures that are amounts."""


def sweep(
    asked: SimulateOptions,
    words: Sequence[str],
    given: dict[str, int],
    shown: AnswerFiles,
    *,
    exact: bool,
) -> None:
    """Play or solve every combination; stopped, show those that were done."""
    from boxman.report.parts import grid
    from boxman.sim.run import Progress

    name, axes = _axes(words)
    shown.takes(JSON, CSV)
    cells = list(product(*axes.values()))
    began = time.perf_counter()
    unsolved: list[str] = []
    rows: list[tuple[tuple[int, ...], SweptFigures]] = []
    try:
        with asked.stoppable(), progress("combinations") as watch:
            for cell in cells:
                if asked.stop.is_set():
                    break
                if watch is not None:
                    passed = time.perf_counter() - began
                    watch(Progress(len(rows), len(cells), passed, "", lambda: ()))
                chosen = dict(zip(axes, cell, strict=True))
                rows.append((cell, _figures(asked, name, given, chosen, exact, unsolved)))
    except KeyboardInterrupt:
        if not rows:
            raise
    if unsolved:
        many = phrase(
            "cli.simulate.of-combinations-were-simulated",
            n=f"{len(unsolved):,}",
            n_2=f"{len(rows):,}",
        )
        typer.echo(f"{many}: {unsolved[0]}", err=True)
    heads = (*axes, *SweptFigures._fields)

    def as_json() -> str:
        import msgspec

        units = [MINOR if name in AMOUNTS else 1 for name in axes]
        found = [
            dict(zip(heads, (*map(mul, cell, units), *row), strict=True)) for cell, row in rows
        ]
        return msgspec.json.encode(found).decode()

    shown.show(
        {
            JSON: as_json,
            CSV: lambda: as_csv(heads, [(*cell, *row.in_units()) for cell, row in rows]),
        },
        lambda: [grid("", heads, [_in_words(cell, row.in_units()) for cell, row in rows])],
    )
    if asked.stop.is_set():
        typer.echo(
            phrase(
                "cli.simulate.stopped-after-of-combinations",
                n=f"{len(rows):,}",
                n_2=f"{len(cells):,}",
            ),
            err=True,
        )


def _in_words(cell: Sequence[int], row: SweptFigures) -> list[str]:
    net, error, deviation, broke, ahead, hourly, how = row
    return [
        *map(str, cell),
        *(f"{value:,.2f}" for value in (net, error, deviation)),
        *(f"{value:.3%}" for value in (broke, ahead)),
        f"{hourly:,.2f}",
        how,
    ]


def _axes(words: Sequence[str]) -> tuple[str, dict[str, list[int]]]:
    """The strategy, and the values of each name that is swept."""
    names = [word for word in words if not SWEPT.fullmatch(word)]
    ranges = [match for word in words if (match := SWEPT.fullmatch(word))]
    if len(names) != 1 or not ranges:
        raise UserError(phrase("cli.simulate.a-sweep-is-written", words=" ".join(words)))
    axes: dict[str, list[int]] = {}
    combinations = 1
    for match in ranges:
        name = match[1].replace("-", "_")
        if name in axes:
            raise UserError(phrase("cli.simulate.has-two-ranges-give", match=match[1]))
        values = _range(match)
        combinations *= len(values)
        if combinations > MOST_COMBINATIONS:
            raise UserError(
                phrase(
                    "cli.simulate.combinations-or-more-are",
                    combinations=f"{combinations:,}",
                    most_combinations=f"{MOST_COMBINATIONS:,}",
                )
            )
        axes[name] = list(values)
    return names[0], axes


def _range(match: re.Match[str]) -> Sequence[int]:
    low, high = int(match[2]), int(match[3])
    if high < low:
        raise UserError(phrase("cli.simulate.goes-from-high-to", match=match[0]))
    wide = -(-(high - low) // SWEEP_STEPS) if high - low > 2 * SWEEP_STEPS else 1
    step = int(match[4]) if match[4] else wide
    if step < 1:
        raise UserError(phrase("cli.simulate.has-no-step-leave", match=match[0]))
    values = range(low, high + 1, step)
    if values[-1] == high or len(values) > MOST_COMBINATIONS:
        return values
    return [*values, high]


def _figures(
    asked: SimulateOptions,
    name: str,
    given: dict[str, int],
    chosen: dict[str, int],
    exact: bool,
    unsolved: list[str],
) -> SweptFigures:
    """The figures of one combination; why it was not solved is noted."""
    from boxman.sim.exact import NotSolved
    from boxman.sim.run import simulate as run
    from boxman.strategy.api import StrategyError

    options = {key: value for key, value in chosen.items() if key in SESSION_OPTIONS}
    parameters = {key: value for key, value in chosen.items() if key not in SESSION_OPTIONS}
    words = " ".join(f"{key}={value}" for key, value in chosen.items())
    try:
        one = asked.strategy(name, {**given, **parameters})
        session = asked.session(**cast("SessionOptions", options))
    except StrategyError as error:
        swept = ", ".join(option.replace("_", "-") for option in SESSION_OPTIONS)
        also = phrase("cli.simulate.of-the-session-may", swept=swept) if parameters else ""
        raise UserError(f"{error}{also}") from None
    except ValueError as error:
        raise UserError(f"{words}: {error}") from None
    if exact:
        try:
            _, solved = asked.solve(one, session)
        except NotSolved as error:
            unsolved.append(str(error))
        else:
            return SweptFigures(
                *(solved.mean, 0.0, solved.deviation),
                *(solved.ends["broke"], solved.at_least(1)),
                *(solved.loss_an_hour(session.rolls_per_hour), "exact"),
            )
    result = run(one, session, cancel=asked.stop, first=asked.first, **asked.how)
    if not result.sessions:
        raise KeyboardInterrupt
    how = phrase("cli.simulate.sessions", sessions=f"{result.sessions:,}")
    return SweptFigures(
        *(result.mean, result.error, result.deviation),
        *(result.ruin, result.ahead, result.loss_an_hour),
        phrase("cli.simulate.in-part", how=how) if result.partial else how,
    )
