"""What `boxman simulate` was asked: the session and the run that all its answers have in common.

It knows how a user is told what was wrong, and how he stops what takes too long; it plays nothing.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypedDict, Unpack

import typer

from boxman.cli.errors import UserError
from boxman.words import phrase, say

if TYPE_CHECKING:
    from boxman.sim.exact import Solved
    from boxman.strategy.api import Strategy
    from boxman.strategy.automaton import Automaton
    from boxman.strategy.session import Session, SessionOptions


class SimulateHow(TypedDict):
    """How often, on which dice and by what."""

    sessions: int
    seed: int
    executor: str
    threads: int | None
    cluster: str | None


class SimulateOptions:
    """What is common to every run of one command."""

    def __init__(
        self,
        house: str,
        options: SessionOptions,
        how: SimulateHow,
        *,
        first: int = 0,
        ever: bool = False,
    ) -> None:
        self.house, self.options = house, options
        self.how, self.first = how, first
        """How to play, as `sim.run` takes it, and from which session on."""
        self.ever = ever
        self.found: dict[str, Strategy] = {}
        """By name, the strategies that were asked for."""
        self.stop = threading.Event()
        """Set when the user wants no more."""

    def strategy(self, word: str, given: dict[str, int]) -> Strategy:
        from boxman.strategy.library import find
        from boxman.strategy.session import learn_house

        learn_house(self.house, self.options["settings"])
        found = find(word, given)
        self.found.setdefault(found.name, found)
        return found

    def tell_units(self) -> None:
        """Once there is an answer: which units were below the minimum."""
        from boxman.chips import parse_amount

        for one in self.found.values():
            tell_unit(one, parse_amount(str(self.options["minimum"])))

    def session(self, **other: Unpack[SessionOptions]) -> Session:
        from boxman.strategy.session import session

        options: SessionOptions = {**self.options, **other}
        return session(self.house, **options)

    def solve(self, one: Strategy, session: Session) -> tuple[Automaton | None, Solved]:
        """The exact answer, or NotSolved; without an automaton where chips are read."""
        from boxman.sim.exact import NotSolved, explored, solve
        from boxman.sim.followed import followed

        if self.ever and not (session.stop_win or session.shooters):
            raise UserError(phrase("cli.common.ever-needs-something-that"))
        try:
            automaton = explored(one, session)
        except NotSolved as error:
            try:
                return None, followed(one, session, ever=self.ever)
            except NotSolved as second:
                raise NotSolved(f"{error}; {second}") from None
        return automaton, solve(automaton, session, ever=self.ever)

    @contextmanager
    def stoppable(self) -> Iterator[None]:
        """Ctrl-C is noted as well as raised: raised inside compiled code it would be lost."""

        def stopped(*_: object) -> None:
            self.stop.set()
            raise KeyboardInterrupt

        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGINT, stopped)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


def tell_unit(one: Strategy, minimum: int) -> None:
    """Say that a unit below the minimum is played as another."""
    from boxman.chips import MINOR
    from boxman.strategy.library.finding import unit_of

    unit = unit_of(one) * MINOR
    if 0 < unit < minimum:
        values = {"one": one.name, "unit": unit, "minimum": minimum}
        typer.echo(say("cli.simulate.unit-raised", values), err=True)


@contextmanager
def told() -> Iterator[None]:
    """One message for what a user can get wrong in a strategy, a session or an installation."""
    import warnings

    from boxman.chips import AmountError
    from boxman.strategy.api import StrategyError
    from boxman.strategy.session import SessionError

    def shown(message: Warning | str, *_: object, **__: object) -> None:
        typer.echo(str(message), err=True)

    try:
        with warnings.catch_warnings():
            warnings.showwarning = shown
            yield
    except StrategyError as error:
        if error.trace:
            typer.echo(error.trace.rstrip(), err=True)
        raise UserError(str(error)) from None
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise UserError(str(error)) from None
        raise UserError(phrase("cli.common.simulations-and-exact-sessions")) from None
    except (SessionError, AmountError, ValueError, ImportError, ConnectionError) as error:
        raise UserError(str(error)) from None
    except KeyboardInterrupt:
        raise UserError(phrase("cli.common.stopped-before-there-was")) from None
