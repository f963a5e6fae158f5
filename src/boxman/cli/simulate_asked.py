"""What `boxman simulate` was asked: the session and the run that all its answers have in common.

It knows how a user is told what was wrong, and how he stops what takes too long; it plays nothing.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from boxman.cli.errors import UserError

if TYPE_CHECKING:
    from boxman.sim.exact import Solved
    from boxman.strategy.api import Strategy
    from boxman.strategy.automaton import Automaton
    from boxman.strategy.session import Session


class Asked:
    """What is common to every run of one command."""

    def __init__(
        self, house: str, options: dict[str, Any], how: dict[str, Any], *, ever: bool = False
    ) -> None:
        self.house, self.options = house, options
        self.how = how
        """How to play, as `sim.run` takes it."""
        self.ever = ever
        self.stop = threading.Event()
        """Set when the user wants no more."""

    def strategy(self, word: str, given: dict[str, int]) -> Strategy:
        from boxman.strategy.library import find

        return find(word, given)

    def session(self, **other: Any) -> Session:
        from boxman.strategy.session import session

        return session(self.house, **{**self.options, **other})

    def solve(self, one: Strategy, session: Session) -> tuple[Automaton, Solved]:
        """The exact answer, or NotSolved."""
        from boxman.sim.exact import explored, solve

        if self.ever and not (session.stop_win or session.shooters):
            raise UserError(
                "--ever needs something that ends the session, --stop-win or --shooters: without "
                "it, a game the house has an edge in goes on until the player is broke, with "
                "certainty"
            )
        automaton = explored(one, session)
        return automaton, solve(automaton, session, ever=self.ever)

    @contextmanager
    def stoppable(self) -> Iterator[None]:
        """Ctrl-C is noted as well as raised: raised inside compiled code it would be lost."""

        def stopped(*_: Any) -> None:
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


@contextmanager
def told() -> Iterator[None]:
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
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise UserError(str(error)) from None
        raise UserError(
            "simulations and exact sessions need NumPy, which is not installed: "
            "pip install 'boxman[sim]'"
        ) from None
    except (SessionError, AmountError, ValueError, ImportError, ConnectionError) as error:
        raise UserError(str(error)) from None
    except KeyboardInterrupt:
        raise UserError("stopped before there was anything to show") from None
