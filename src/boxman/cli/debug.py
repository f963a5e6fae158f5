"""`boxman debug`: walk through one session of a strategy, line by line and roll by roll."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from boxman.cli.errors import UserError, read_limits, read_numbers, read_settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boxman.strategy.debug import Standing, Step

HELP = (
    "Enter: next roll | a number: so many rolls | r: to the next refusal | a: to the end | q: quit"
)


def debug(
    strategy: Annotated[
        str, typer.Argument(help="A name of the library like molly(odds=3), or a strategy file.")
    ],
    house: Annotated[
        str, typer.Option("--house", help="A house by name, or the path of a rulebook file.")
    ] = "",
    bankroll: Annotated[str, typer.Option("--bankroll", help="Chips to begin with.")] = "500",
    rolls: Annotated[int, typer.Option("--rolls", help="Rolls at most.")] = 200,
    seed: Annotated[int, typer.Option("--seed", help="The seed of the dice.")] = 1,
    session: Annotated[
        int, typer.Option("--session", help="Which session of that seed, as simulate counts them.")
    ] = 0,
    shooters: Annotated[
        int, typer.Option("--shooters", help="End after so many seven-outs; 0: never.")
    ] = 0,
    stop_win: Annotated[
        str, typer.Option("--stop-win", help="Stop when so much ahead; 0: never.")
    ] = "0",
    stop_loss: Annotated[
        str, typer.Option("--stop-loss", help="Stop when so much behind; 0: never.")
    ] = "0",
    chip: Annotated[str, typer.Option("--chip", help="The smallest chip.")] = "1",
    limits: Annotated[str, typer.Option("--limits", help="Minimum-maximum.")] = "5-1000",
    shooter: Annotated[str, typer.Option("--shooter", help="Who shoots: guest or self.")] = "guest",
    end: Annotated[
        str, typer.Option("--end", help="Wagers still up at the end: face, run-out or value.")
    ] = "face",
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="A house setting, name=value; repeatable.")
    ] = None,
    parameters: Annotated[
        list[str] | None,
        typer.Option("--with", help="A parameter of the strategy, name=number; repeatable."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per step.")] = False,
) -> None:
    """Step through a session: which line bet what, each ruling with its clause, each roll."""
    from boxman.chips import AmountError
    from boxman.sim.dice import rolls as thrown
    from boxman.sim.dice import stream
    from boxman.strategy.api import StrategyError
    from boxman.strategy.debug import steps
    from boxman.strategy.library import find
    from boxman.strategy.session import SessionError
    from boxman.strategy.session import session as make

    try:
        thrown(seed, session, 0, 1)  # a seed or a session that there is not is told at once
        played = make(
            house,
            bankroll=bankroll,
            rolls=rolls,
            shooters=shooters,
            stop_win=stop_win,
            stop_loss=stop_loss,
            chip=chip,
            **read_limits(limits),
            shooter=shooter,
            end=end,
            settings=read_settings(settings or []),
        )
        found = find(strategy, read_numbers(parameters or []))
        walk = steps(found, played, stream(seed, session))
        _json(walk) if json else _walk(walk)
    except StrategyError as error:
        if error.trace:
            typer.echo(error.trace.rstrip(), err=True)
        raise UserError(str(error)) from None
    except (SessionError, AmountError, ValueError) as error:
        raise UserError(str(error)) from None


def _json(walk: Iterator[Step]) -> None:
    import msgspec

    from boxman.table.record import number

    encoder = msgspec.json.Encoder(decimal_format="number")
    for step in walk:
        row = msgspec.to_builtins(step)
        for place in (row, row.get("standing", {})):
            for name in ("rail", "worth", "net"):
                if name in place:
                    place[name] = number(place[name])
        if "standing" in row:
            wagers = row["standing"]["wagers"]
            row["standing"]["wagers"] = {spot: number(stake) for spot, stake in wagers.items()}
        sys.stdout.write(encoder.encode(row).decode() + "\n")


def _walk(walk: Iterator[Step]) -> None:
    """Show steps; at a terminal, wait after each roll."""
    from boxman.strategy.debug import Proposed, Thrown

    asks = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
    if asks:
        typer.echo(HELP)
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
        typer.echo(HELP)


def _lines(step: Step) -> list[str]:
    """A step as lines for people."""
    from boxman.chips import format_amount as money
    from boxman.strategy.debug import Acted, Over, Proposed, Thrown

    match step:
        case Proposed():
            lines = [f"  {step.place}  {step.source}", f"    {step.call} : {step.said}"]
            return lines + ([f"    {step.remedy}"] if step.remedy else [])
        case Acted():
            variables = ", ".join(f"{name} {value}" for name, value in step.variables.items())
            words = f"  {_standing(step.standing)}"
            return [f"{words}; {variables}" if variables else words]
        case Thrown():
            again = " (running out)" if step.run_out else ""
            head = f"roll {step.roll}: {step.dice}{again}"
            return [f"{head} : {step.said}", f"  {_standing(step.standing)}"]
        case Over():
            return [
                f"over ({step.end}) after {step.rolls} rolls and {step.seven_outs} seven-outs: "
                f"{money(step.worth)}, net {money(step.net)}"
            ]


def _standing(standing: Standing) -> str:
    from boxman.chips import format_amount as money

    puck = f"puck {standing.puck or 'off'}"
    up = ", ".join(
        f"{spot} {money(stake)}{' (off)' if spot in standing.off else ''}"
        for spot, stake in standing.wagers.items()
    )
    return f"{puck}; rail {money(standing.rail)}; {up or 'nothing up'}"
