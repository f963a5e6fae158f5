"""Finding a strategy: by name with parameters, in a Python file, in the text form, as a policy.

What goes wrong is one sentence that says what was asked for, where, and what would be right.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from boxman.rules.ids import nearest
from boxman.strategy.api import Strategy, StrategyError
from boxman.strategy.library.catalogue import ENTRIES, called
from boxman.strategy.library.policy import SUFFIX as POLICY_SUFFIX
from boxman.strategy.library.policy import read_policy
from boxman.words import phrase

TEXT_SUFFIX = ".strategy"
_CALL = re.compile(r"\s*([A-Za-z][\w-]*)\s*(?:\(([^()]*)\))?\s*")
_PARAMETER = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*(-?\d+)\s*")


def names() -> list[str]:
    """The names of all strategies of the library."""
    return list(ENTRIES)


def find(text: str, chosen: Mapping[str, int] | None = None) -> Strategy:
    """A strategy by name, or in a file; parameters and variables may be chosen beside it.

    For a name they are parameters of the maker; for a file they are first values of variables.
    """
    path, wanted = _split(text)
    if not _is_file(path):
        return named(text, chosen)
    values = {**wanted, **(chosen or {})}
    found = load_file(path)
    for key in values:
        if key not in found.variables:
            known = ", ".join(found.variables) or "none"
            raise StrategyError(
                phrase("strategy.wrong.has-no-variable-it-has", path=path, key=key, known=known)
            )
    if not values:
        return found
    name = called(found.name, dict(values))
    variables = {**found.variables, **values}
    return Strategy(found.function, variables, name, found.places, found.file, found.needs)


def _is_file(text: str) -> bool:
    return text.endswith((".py", TEXT_SUFFIX, POLICY_SUFFIX)) or "/" in text or "\\" in text


def _split(text: str) -> tuple[str, dict[str, int]]:
    """A path or name and the parameters behind it."""
    match = re.fullmatch(r"\s*(.*?)\s*(?:\(([^()]*)\))?\s*", text, re.S)
    assert match is not None
    return match.group(1), _parameters(match.group(1), match.group(2) or "")


def _parameters(name: str, text: str) -> dict[str, int]:
    values: dict[str, int] = {}
    for part in text.split(",") if text.strip() else ():
        match = _PARAMETER.fullmatch(part)
        if match is None:
            raise StrategyError(
                phrase(
                    "strategy.wrong.is-not-a-parameter-write",
                    name=name,
                    value=part.strip() or "nothing",
                )
            )
        if match.group(1) in values:
            raise StrategyError(
                phrase("strategy.wrong.is-given-twice", name=name, group=match.group(1))
            )
        values[match.group(1)] = int(match.group(2))
    return values


def named(text: str, chosen: Mapping[str, int] | None = None) -> Strategy:
    """A strategy of the library, like `molly` or `molly(unit=25, odds=3)`.

    >>> named("pass-odds(odds=3)").name
    'pass-odds(unit=10, odds=3)'
    """
    match = _CALL.fullmatch(text)
    if match is None:
        raise StrategyError(phrase("strategy.wrong.is-not-a-strategy-write", text=text))
    name = match.group(1).replace("_", "-").lower()
    listed = ENTRIES.get(name)
    if listed is None:
        hint = nearest(name, ENTRIES) or phrase(
            "strategy.wrong.the-library-has", entries=", ".join(sorted(ENTRIES))
        )
        raise StrategyError(
            phrase("strategy.wrong.no-strategy-is-called", group=match.group(1), hint=hint)
        )
    values = {**_parameters(name, match.group(2) or ""), **(chosen or {})}
    for key, value in values.items():
        if key not in listed.parameters:
            hint = nearest(key, listed.parameters) or phrase(
                "strategy.wrong.it-has", parameters=", ".join(listed.parameters)
            )
            raise StrategyError(
                phrase("strategy.wrong.has-no-parameter", name=name, key=key, hint=hint)
            )
        if value < 0 or value > 1_000_000:
            raise StrategyError(
                phrase("strategy.wrong.is-it-may-be-0", name=name, key=key, value=value)
            )
    return listed.make(**values)


def unit_of(one: Strategy) -> int:
    """The unit of a strategy of the library, which its name holds; 0 for others.

    >>> unit_of(named("pass-odds(odds=3)"))
    10
    """
    listed = one.name.partition("(")[0] in ENTRIES
    return _split(one.name)[1].get("unit", 0) if listed else 0


def load_file(path: str | Path) -> Strategy:
    """The strategy of a user's file: Python with one strategy, the text form, or a policy."""
    path = Path(path)
    if not path.is_file():
        raise StrategyError(phrase("strategy.wrong.there-is-no-file", path=path))
    if path.suffix == TEXT_SUFFIX:
        from boxman.strategy.text import read_file

        return read_file(path)
    if path.suffix == POLICY_SUFFIX:
        return read_policy(path).strategy(path.stem)
    if path.suffix != ".py":
        raise StrategyError(
            phrase(
                "strategy.wrong.a-strategy-is-a-py",
                path=path,
                text_suffix=TEXT_SUFFIX,
                policy_suffix=POLICY_SUFFIX,
            )
        )
    return _load_python(path)


def _load_python(path: Path) -> Strategy:
    """Import a file and take its strategy: the only one, or the one called `play`.

    Strategies it imported from elsewhere do not count.
    """
    module_name = f"boxman_strategy_file_{path.stem}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except StrategyError:
        raise
    except SyntaxError as error:
        raise StrategyError(
            f"{error.filename}:{error.lineno}:{error.offset}: {error.msg}"
        ) from error
    except (Exception, SystemExit) as error:
        raise StrategyError(f"{_where(error, path)}: {type(error).__name__}: {error}") from error
    finally:
        sys.modules.pop(module_name, None)
    found = {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, Strategy) and not name.startswith("_")
    }
    if not found:
        raise StrategyError(phrase("strategy.wrong.has-no-strategy-write-strategy", path=path))
    own = {name: value for name, value in found.items() if _is_own(value, module_name)}
    left = own or found
    if "play" in found:
        return found["play"]
    if len(left) > 1:
        raise StrategyError(
            phrase(
                "strategy.wrong.has-strategies-call-the-one",
                path=path,
                n=len(left),
                left=", ".join(left),
            )
        )
    return next(iter(left.values()))


def _is_own(made: Strategy, module_name: str) -> bool:
    return getattr(made.function, "__module__", "") in (module_name, Strategy.__module__)


def _where(error: BaseException, path: Path) -> str:
    """The innermost line of the user's file that an error came through."""
    line, trace = 1, error.__traceback__
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename) == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    return f"{path}:{line}"
