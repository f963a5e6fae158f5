"""`boxman simulate --sweep`: every combination of ranges, one line each.

A range is of a parameter of the strategy, or of the session. It knows nothing of how a
combination is played or solved.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from itertools import product
from typing import Any

import typer

from boxman.cli.errors import UserError
from boxman.cli.simulate_asked import Asked
from boxman.cli.simulate_shown import CSV, JSON, Shown, as_csv, progress

SWEPT = re.compile(r"([A-Za-z][\w-]*)=(\d+)\.\.(\d+)(?::(\d+))?")
SESSION_OPTIONS = ("bankroll", "rolls", "shooters", "stop_win", "stop_loss", "minimum", "maximum")
STEPS = 10
"""A wide range is cut into so many steps where none is given."""
MOST = 1_000
"""Combinations."""
FIGURES = ("net", "error", "deviation", "broke", "ahead", "loss_an_hour", "how")


def sweep(
    asked: Asked, words: Sequence[str], given: dict[str, int], shown: Shown, *, exact: bool
) -> None:
    """Play or solve every combination; stopped, show those that were done."""
    from boxman.sim.run import Progress
    from boxman.sim.words import columns

    name, axes = _axes(words)
    shown.takes(JSON, CSV)
    cells = list(product(*axes.values()))
    began = time.perf_counter()
    unsolved: list[str] = []
    rows: list[tuple[Any, ...]] = []
    try:
        with asked.stoppable(), progress("combinations") as watch:
            for cell in cells:
                if asked.stop.is_set():
                    break
                if watch is not None:
                    passed = time.perf_counter() - began
                    watch(Progress(len(rows), len(cells), passed, "", lambda: ()))
                chosen = dict(zip(axes, cell, strict=True))
                rows.append((*cell, *_figures(asked, name, given, chosen, exact, unsolved)))
    except KeyboardInterrupt:
        if not rows:
            raise
    if unsolved:
        many = f"{len(unsolved):,} of {len(rows):,} combinations were simulated, not solved exactly"
        typer.echo(f"{many}: {unsolved[0]}", err=True)
    heads = (*axes, *FIGURES)

    def as_json() -> str:
        import msgspec

        return msgspec.json.encode([dict(zip(heads, row, strict=True)) for row in rows]).decode()

    shown.show(
        {JSON: as_json, CSV: lambda: as_csv(heads, rows)},
        lambda: columns([heads, *(_in_words(row, len(axes)) for row in rows)]),
    )
    if asked.stop.is_set():
        typer.echo(f"stopped after {len(rows):,} of {len(cells):,} combinations", err=True)


def _in_words(row: Sequence[Any], axes: int) -> list[str]:
    net, error, deviation, broke, ahead, hourly, how = row[axes:]
    return [
        *(str(value) for value in row[:axes]),
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
        raise UserError(
            "a sweep is written STRATEGY --sweep NAME=LOW..HIGH ..., like odds=0..5 or "
            f"bankroll=200..2000:200; {' '.join(words)} is not"
        )
    axes: dict[str, list[int]] = {}
    combinations = 1
    for match in ranges:
        name = match[1].replace("-", "_")
        if name in axes:
            raise UserError(f"{match[1]} has two ranges; give it one")
        values = _range(match)
        combinations *= len(values)
        if combinations > MOST:
            raise UserError(
                f"{combinations:,} combinations or more are too many; at most {MOST:,}: "
                "give a wider step, like bankroll=200..2000:200"
            )
        axes[name] = list(values)
    return names[0], axes


def _range(match: re.Match[str]) -> Sequence[int]:
    low, high = int(match[2]), int(match[3])
    if high < low:
        raise UserError(f"{match[0]} goes from high to low; turn it round")
    wide = -(-(high - low) // STEPS) if high - low > 2 * STEPS else 1
    step = int(match[4]) if match[4] else wide
    if step < 1:
        raise UserError(f"{match[0]} has no step; leave it out or give one above 0")
    values = range(low, high + 1, step)
    if values[-1] == high or len(values) > MOST:
        return values
    return [*values, high]


def _figures(
    asked: Asked,
    name: str,
    given: dict[str, int],
    chosen: dict[str, int],
    exact: bool,
    unsolved: list[str],
) -> tuple[Any, ...]:
    """The figures of one combination, in currency units; why it was not solved is noted."""
    from boxman.sim.exact import NotSolved
    from boxman.sim.run import simulate as run
    from boxman.strategy.api import StrategyError

    options = {key: value for key, value in chosen.items() if key in SESSION_OPTIONS}
    parameters = {key: value for key, value in chosen.items() if key not in SESSION_OPTIONS}
    words = " ".join(f"{key}={value}" for key, value in chosen.items())
    try:
        one = asked.strategy(name, {**given, **parameters})
        session = asked.session(**options)
    except StrategyError as error:
        swept = ", ".join(option.replace("_", "-") for option in SESSION_OPTIONS)
        also = f"; of the session {swept} may be swept" if parameters else ""
        raise UserError(f"{error}{also}") from None
    except ValueError as error:
        raise UserError(f"{words}: {error}") from None
    if exact:
        try:
            _, solved = asked.solve(one, session)
        except NotSolved as error:
            unsolved.append(str(error))
        else:
            return (
                *(solved.mean / 100, 0.0, solved.deviation / 100),
                *(solved.ends["broke"], solved.at_least(1)),
                *(solved.loss_an_hour(session.rolls_per_hour) / 100, "exact"),
            )
    result = run(one, session, cancel=asked.stop, **asked.how)
    if not result.sessions:
        raise KeyboardInterrupt
    how = f"{result.sessions:,} sessions"
    return (
        *(result.mean / 100, result.error / 100, result.deviation / 100),
        *(result.ruin, result.ahead, result.loss_an_hour / 100),
        f"{how} (partial)" if result.partial else how,
    )
