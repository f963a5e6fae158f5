"""`boxman debug`: walk through one session of a strategy, line by line and roll by roll."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from boxman.cli.errors import (
    UserError,
    no_houses,
    proposed_limits,
    read_limits,
    read_numbers,
    read_settings,
)
from boxman.words import phrase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boxman.strategy.debug import DebugStep, TableShown
    from boxman.strategy.ends import Ended


def debug(
    strategy: Annotated[str, typer.Argument()],
    house: Annotated[str, typer.Option("--house")] = "",
    bankroll: Annotated[str, typer.Option("--bankroll")] = "500",
    rolls: Annotated[int, typer.Option("--rolls")] = 200,
    seed: Annotated[int, typer.Option("--seed")] = 1,
    session: Annotated[int, typer.Option("--session")] = 0,
    shooters: Annotated[int, typer.Option("--shooters")] = 0,
    stop_win: Annotated[str, typer.Option("--stop-win")] = "0",
    stop_loss: Annotated[str, typer.Option("--stop-loss")] = "0",
    count: Annotated[str, typer.Option("--count")] = "rail",
    chip: Annotated[str, typer.Option("--chip")] = "1",
    limits: Annotated[str, typer.Option("--limits")] = "",
    shooter: Annotated[str, typer.Option("--shooter")] = "guest",
    end: Annotated[
        str,
        typer.Option("--end"),
    ] = "value",
    settings: Annotated[list[str] | None, typer.Option("--set")] = None,
    parameters: Annotated[
        list[str] | None,
        typer.Option("--with"),
    ] = None,
    json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    """Step through one session of a strategy, ruling by ruling.

    It shows which line bet what, each ruling with its clause, and the table after each roll.
    """
    from boxman.chips import AmountError
    from boxman.cli.simulate_asked import tell_unit
    from boxman.sim.dice import rolls as thrown
    from boxman.sim.dice import stream
    from boxman.strategy.api import StrategyError
    from boxman.strategy.debug import steps
    from boxman.strategy.library import find
    from boxman.strategy.session import SessionError, learn_house
    from boxman.strategy.session import session as make

    no_houses([strategy])
    try:
        thrown(seed, session, 0, 1)  # a seed or a session that there is not is told at once
        played = make(
            house,
            bankroll=bankroll,
            rolls=rolls,
            shooters=shooters,
            stop_win=stop_win,
            stop_loss=stop_loss,
            count=count,
            chip=chip,
            **read_limits(limits or proposed_limits(house, read_settings(settings or []), chip)),
            shooter=shooter,
            end=end,
            settings=read_settings(settings or []),
        )
        learn_house(house, played.settings)
        found = find(strategy, read_numbers(parameters or []))
        tell_unit(found, played.minimum)
        walk = steps(found, played, stream(seed, session))
        _json(walk) if json else _walk(walk)
    except StrategyError as error:
        if error.trace:
            typer.echo(error.trace.rstrip(), err=True)
        raise UserError(str(error)) from None
    except (SessionError, AmountError, ValueError) as error:
        raise UserError(str(error)) from None


def _json(walk: Iterator[DebugStep]) -> None:
    import msgspec

    from boxman.strategy.ends import Ended

    for step in walk:
        row = _ended(step) if isinstance(step, Ended) else step
        sys.stdout.write(msgspec.json.encode(row).decode() + "\n")


def _ended(ended: Ended) -> dict[str, object]:
    names = ("end", "rolls", "seven_outs", "worth", "net")
    return {"step": "over", **{name: getattr(ended, name) for name in names}}


def _walk(walk: Iterator[DebugStep]) -> None:
    """Show steps; at a terminal, wait after each roll."""
    from boxman.strategy.debug import Proposed, Thrown

    asks = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
    if asks:
        typer.echo(phrase("cli.debug.help"))
    left = 1
    to_refusal = False
    for step in walk:
        for line in _lines(step):
            typer.echo(line)
        if isinstance(step, Proposed) and not step.accepted and to_refusal:
            to_refusal, left = False, 1
        if not asks or not isinstance(step, Thrown) or to_refusal:
            continue
        left -= 1
        if left > 0:
            continue
        word = _ask()
        if word == "q":
            return
        asks = word != "a"
        to_refusal = word == "r"
        left = int(word) if word.isdecimal() and int(word) else 1


def _ask() -> str:
    while True:
        try:
            word = input("> ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            return "q"
        if word in ("", "q", "r", "a") or word.isdecimal():
            return word
        typer.echo(phrase("cli.debug.help"))


def _lines(step: DebugStep) -> list[str]:
    """A step as lines for people."""
    from boxman.chips import format_amount as money
    from boxman.strategy.debug import Acted, Proposed, Thrown

    match step:
        case Proposed():
            lines = [f"  {step.place}  {step.source}", f"    {step.call} : {step.said}"]
            return lines + ([f"    {step.remedy}"] if step.remedy else [])
        case Acted():
            variables = ", ".join(f"{name} {value}" for name, value in step.variables.items())
            words = f"  {_standing(step.standing)}"
            return [f"{words}; {variables}" if variables else words]
        case Thrown():
            again = phrase("cli.debug.running-out") if step.run_out else ""
            head = phrase("cli.debug.roll", roll=step.roll, dice=step.dice, again=again)
            return [f"{head} : {step.said}", f"  {_standing(step.standing)}"]
        case _:
            return [
                phrase(
                    "cli.debug.over-after-rolls-and",
                    end=step.end,
                    rolls=step.rolls,
                    seven_outs=step.seven_outs,
                    worth=money(step.worth),
                    net=money(step.net),
                )
            ]


def _standing(standing: TableShown) -> str:
    from boxman.chips import format_amount as money

    puck = phrase("cli.debug.puck", puck=standing.puck or phrase("cli.debug.puck-off"))
    up = ", ".join(
        f"{spot} {money(stake)}{phrase('cli.debug.off') if spot in standing.off else ''}"
        for spot, stake in standing.wagers.items()
    )
    return phrase(
        "cli.debug.rail",
        puck=puck,
        rail=money(standing.rail),
        up=up or phrase("cli.debug.nothing-up"),
    )
