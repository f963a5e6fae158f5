"""`boxman simulate`: a strategy under a house's full rules, sampled or solved exactly.

The words of the command line and what does not go together; the answers are elsewhere.
"""

from __future__ import annotations

from typing import Annotated

import typer

from boxman.cli.errors import UserError, read_limits, read_numbers, read_settings

MOST_HOURS = 10_000


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
    first: Annotated[
        int, typer.Option(help="The number of the first session: a later part of a run.")
    ] = 0,
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
    from boxman.cli.simulate_answers import (
        compared,
        one_session,
        played,
        solved,
        told_apart,
    )
    from boxman.cli.simulate_asked import Asked, told
    from boxman.cli.simulate_shown import Shown
    from boxman.cli.simulate_sweep import sweep as swept

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
    _together(
        {"--exact": exact, "--compare": comparing, "--sweep": sweep, "--session": bool(session)},
        {"--parquet": bool(parquet), "--first": bool(first), "--json": json, "--csv": csv},
    )
    asked = Asked(
        house,
        {
            "bankroll": bankroll,
            "rolls": round(hours * rolls_per_hour) if hours else rolls,
            "shooters": shooters,
            "rolls_per_hour": rolls_per_hour,
            "shooter": shooter,
            "end": end,
            "chip": chip,
            **read_limits(limits),
            "stop_win": stop_win,
            "stop_loss": stop_loss,
            "settings": read_settings(settings or []),
        },
        {
            "sessions": sessions,
            "seed": seed,
            "executor": executor,
            "threads": threads or None,
            "cluster": cluster or None,
            **({"first": first} if first else {}),
        },
        ever=ever,
    )
    shown = Shown(output, parquet, json=json, csv=csv)
    given = read_numbers(parameters or [])
    with told():
        if sweep:
            swept(asked, words, given, shown, exact=exact)
            return
        if len(words) > 1 and not comparing:
            raise UserError("several strategies are compared with --compare")
        found = [asked.strategy(word, given) for word in words]
        if comparing:
            if len(found) < 2:
                raise UserError("name at least two strategies to compare")
            compared(asked, told_apart(found, words), shown)
        elif session:
            one_session(asked, found[0], session, shown)
        elif not (exact and solved(asked, found[0], shown)):
            played(asked, found[0], shown)


_ALONE = {
    "--exact": ("--compare", "--session", "--parquet", "--first"),
    "--compare": ("--sweep", "--session", "--parquet", "--first"),
    "--sweep": ("--session", "--parquet", "--first"),
    "--session": ("--parquet", "--json", "--csv"),
}
"""What each way to ask has no place for."""


def _together(asked: dict[str, bool], more: dict[str, bool]) -> None:
    """Refuse words that do not go together, rather than leave one of them unheard."""
    given = asked | more
    for word, others in _ALONE.items():
        for other in others:
            if given[word] and given[other]:
                raise UserError(f"{word} and {other} do not go together; leave one of them out")
