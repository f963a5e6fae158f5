"""`boxman simulate`: a strategy under a house's full rules, sampled or solved exactly.

The words of the command line and what does not go together; the answers are elsewhere.
"""

from __future__ import annotations

from typing import Annotated

import typer

from boxman.cli.errors import (
    UserError,
    no_houses,
    proposed_limits,
    read_limits,
    read_numbers,
    read_settings,
)
from boxman.sim.executors import AUTO
from boxman.words import phrase

MOST_HOURS = 10_000


def simulate(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="STRATEGY...",
        ),
    ],
    house: Annotated[str, typer.Option()] = "",
    bankroll: Annotated[str, typer.Option()] = "500",
    rolls: Annotated[int, typer.Option()] = 200,
    sessions: Annotated[int, typer.Option()] = 100_000,
    seed: Annotated[int, typer.Option()] = 1,
    first: Annotated[int, typer.Option()] = 0,
    exact: Annotated[
        bool,
        typer.Option("--exact"),
    ] = False,
    ever: Annotated[bool, typer.Option("--ever")] = False,
    comparing: Annotated[bool, typer.Option("--compare")] = False,
    sweep: Annotated[bool, typer.Option("--sweep")] = False,
    shooters: Annotated[int, typer.Option()] = 0,
    stop_win: Annotated[str, typer.Option()] = "0",
    stop_loss: Annotated[str, typer.Option()] = "0",
    count: Annotated[str, typer.Option()] = "rail",
    hours: Annotated[float, typer.Option()] = 0.0,
    rolls_per_hour: Annotated[int, typer.Option()] = 100,
    shooter: Annotated[str, typer.Option()] = "guest",
    end: Annotated[str, typer.Option()] = "value",
    chip: Annotated[str, typer.Option()] = "1",
    limits: Annotated[str, typer.Option()] = "",
    settings: Annotated[list[str] | None, typer.Option("--set")] = None,
    parameters: Annotated[
        list[str] | None,
        typer.Option("--with"),
    ] = None,
    session: Annotated[
        str,
        typer.Option(),
    ] = "",
    output: Annotated[
        str,
        typer.Option("-o", "--output"),
    ] = "",
    json: Annotated[bool, typer.Option("--json")] = False,
    csv: Annotated[bool, typer.Option("--csv")] = False,
    parquet: Annotated[str, typer.Option()] = "",
    executor: Annotated[str, typer.Option()] = AUTO,
    threads: Annotated[int, typer.Option()] = 0,
    cluster: Annotated[str, typer.Option()] = "",
) -> None:
    """Find out how a strategy does under the full rules of a house.

    It plays many sessions, or solves the session exactly with --exact.
    """
    from boxman.cli.simulate_answers import (
        compared,
        one_session,
        played,
        solved,
        told_apart,
    )
    from boxman.cli.simulate_asked import SimulateOptions, told
    from boxman.cli.simulate_shown import AnswerFiles
    from boxman.cli.simulate_sweep import sweep as swept

    no_houses(words)
    if sessions < 1:
        raise UserError(phrase("cli.simulate.at-least-one-session", sessions=sessions))
    if threads < 0:
        raise UserError(phrase("cli.simulate.threads-are-or-more", threads=threads))
    if ever and not exact:
        raise UserError(phrase("cli.simulate.ever-goes-with-exact"))
    _together(
        {"--exact": exact, "--compare": comparing, "--sweep": sweep, "--session": bool(session)},
        {"--parquet": bool(parquet), "--first": bool(first), "--json": json, "--csv": csv},
    )
    chosen = read_settings(settings or [])
    posted = read_limits(limits or proposed_limits(house, chosen, chip))
    asked = SimulateOptions(
        house,
        {
            "bankroll": bankroll,
            "rolls": _rolls(hours, rolls_per_hour) if hours else rolls,
            "shooters": shooters,
            "rolls_per_hour": rolls_per_hour,
            "shooter": shooter,
            "end": end,
            "chip": chip,
            "minimum": posted["minimum"],
            "maximum": posted["maximum"],
            "stop_win": stop_win,
            "stop_loss": stop_loss,
            "count": count,
            "settings": chosen,
        },
        {
            "sessions": sessions,
            "seed": seed,
            "executor": executor,
            "threads": threads or None,
            "cluster": cluster or None,
        },
        first=first,
        ever=ever,
    )
    shown = AnswerFiles(output, parquet, json=json, csv=csv)
    given = read_numbers(parameters or [])
    with told():
        if sweep:
            swept(asked, words, given, shown, exact=exact)
            asked.tell_units()
            return
        if (len(words) > 1) != comparing:
            wrong = "name-at-least-two" if comparing else "several-strategies-are-compared"
            raise UserError(phrase(f"cli.simulate.{wrong}"))
        found = [asked.strategy(word, given) for word in words]
        if comparing:
            compared(asked, told_apart(found, words), shown)
        elif session:
            one_session(asked, found[0], session, shown)
        elif not (exact and solved(asked, found[0], shown)):
            played(asked, found[0], shown)
        asked.tell_units()


def _rolls(hours: float, rolls_per_hour: int) -> int:
    if not 0 <= hours <= MOST_HOURS or rolls_per_hour < 1:
        raise UserError(phrase("cli.simulate.a-time-is-a"))
    return round(hours * rolls_per_hour)


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
    if given["--json"] and given["--csv"]:
        raise UserError(phrase("cli.simulate.choose-one-of-json"))
    for word, others in _ALONE.items():
        for other in others:
            if given[word] and given[other]:
                raise UserError(phrase("cli.simulate.and-do-not-go", word=word, other=other))
