"""Where a strategy went wrong: its own file and line, told as its author knows the place."""

from __future__ import annotations

import traceback
from pathlib import Path
from types import CodeType

from boxman.strategy.api import Strategy, StrategyError
from boxman.strategy.patience import EndlessTurn

_PACKAGE = Path(__file__).parents[1].as_posix() + "/"
_LIBRARY = _PACKAGE + "strategy/library"


def is_engine(file: str) -> bool:
    """Whether a file is part of the program and not somebody's strategy."""
    path = Path(file).as_posix()
    return path.startswith(_PACKAGE) and not path.startswith(_LIBRARY)


def line_of(strategy: Strategy, error: BaseException) -> str:
    """Where in a strategy an exception came from, as its author knows the place."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not is_engine(frame.filename)]
    if not own:
        return strategy.place(strategy.line)
    frame = own[-1]
    code: CodeType = strategy.function.__code__
    if strategy.places and frame.filename == code.co_filename:
        return strategy.place(frame.lineno or 0)
    return f"{frame.filename}:{frame.lineno}"


def _trace(error: Exception) -> str:
    """The true traceback, from the strategy's own first line on."""
    told = traceback.TracebackException.from_exception(error)
    own = [n for n, frame in enumerate(told.stack) if not is_engine(frame.filename)]
    del told.stack[: own[0] if own else 0]
    return "".join(told.format())


def located(strategy: Strategy, error: Exception, when: str) -> StrategyError:
    """One message for what went wrong in a strategy: file, line, when and why."""
    known = isinstance(error, StrategyError | EndlessTurn)
    reason = str(error) if known else f"{type(error).__name__}: {error}"
    trace = "" if known else _trace(error)
    place = line_of(strategy, error)
    endless = isinstance(error, EndlessTurn)
    return StrategyError(f"{place}: {strategy.name}, {when}: {reason}", trace, endless)
