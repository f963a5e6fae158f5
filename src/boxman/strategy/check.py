"""What no strategy may do, whatever runs it: hidden chance, clocks, files, hidden memory.

A strategy is played many times from the same felt and must do the same each time. So randomness,
clocks, input and output are refused by name, imports and changed globals too. What only a compiler
cannot take is not judged here.
"""

from __future__ import annotations

import ast
import builtins
import dis
import inspect
import textwrap
import types
from collections.abc import Iterator
from typing import cast
from weakref import WeakSet

from boxman.strategy.api import Play, Strategy, StrategyError, used_by
from boxman.words import phrase

_CHANCE = ("random", "secrets", "_random")
_CLOCKS = ("time", "datetime")
_WORLD = ("os", "sys", "io", "socket", "subprocess", "threading", "asyncio", "pathlib", "shutil")
_REASONS = {
    **dict.fromkeys(_CHANCE, "strategy.wrong.chance"),
    **dict.fromkeys(_CLOCKS, "strategy.wrong.clock"),
    **dict.fromkeys(_WORLD, "strategy.wrong.world"),
}
_BUILTINS = ("open", "input", "exec", "eval", "compile", "__import__", "globals", "setattr", "id")


_passed: WeakSet[Strategy] = WeakSet()


def check(strategy: Strategy) -> None:
    """Raise StrategyError, with the place and the reason, for what no strategy may do."""
    if strategy not in _passed:
        _check(strategy)
        _passed.add(strategy)


def _check(strategy: Strategy) -> None:
    seen: set[int] = set()
    waiting: list[Play] = [strategy.function]
    while waiting:
        function = waiting.pop()
        if id(function) in seen:
            continue
        seen.add(id(function))
        for line, problem in _problems(function):
            code: types.CodeType = function.__code__
            own = code.co_filename == strategy.function.__code__.co_filename
            place = strategy.place(line) if own else f"{code.co_filename}:{line}"
            raise StrategyError(f"{place}: {strategy.name}: {problem}", fatal=True)
        for _, value in used_by(function):
            for each in value if isinstance(value, tuple) else (value,):
                if isinstance(each, Strategy):
                    waiting.append(each.function)
                elif isinstance(each, types.FunctionType):
                    waiting.append(each)


def _reason(value: object) -> str:
    """Why a module, or something of it, has no place in a strategy."""
    module = value.__name__ if isinstance(value, types.ModuleType) else ""
    if not module and callable(value) and not isinstance(value, Strategy):
        module = (
            getattr(value, "__module__", None) or type(getattr(value, "__self__", 0)).__module__
        )
    if not module and not isinstance(value, type):
        module = type(value).__module__
    root = str(module).split(".")[0]
    if "random" in str(module).split("."):
        root = "random"
    return phrase(_REASONS[root]) if root in _REASONS else ""


def _problems(function: Play) -> Iterator[tuple[int, str]]:
    """Lines of a function with what is wrong there."""
    made = cast(types.FunctionType, function)
    code = made.__code__
    known = dict(used_by(function))
    yield from _code_problems(code, known, made.__globals__)
    yield from _source_problems(function)


def _code_problems(
    code: types.CodeType, known: dict[str, object], names: dict[str, object]
) -> Iterator[tuple[int, str]]:
    line = code.co_firstlineno
    for step in dis.get_instructions(code):
        line = step.starts_line or line
        name = str(step.argval)
        match step.opname:
            case "IMPORT_NAME":
                why = phrase(
                    _REASONS.get(name.split(".")[0], "strategy.wrong.import-at-the-top-of")
                )
                yield line, phrase("strategy.wrong.import-inside-a-strategy", name=name, why=why)
            case "STORE_GLOBAL" | "DELETE_GLOBAL":
                yield line, _memory(name)
            case "STORE_DEREF" if name in code.co_freevars:
                yield line, _memory(name)
            case "LOAD_GLOBAL" | "LOAD_DEREF" | "LOAD_NAME":
                value = known.get(name)
                if name in _BUILTINS and name not in names and hasattr(builtins, name):
                    yield line, phrase("strategy.wrong.has-no-place-in-a", name=name)
                elif value is not None and (why := _reason(value)):
                    yield line, phrase("strategy.wrong.has-no-place-in-a-2", name=name, why=why)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _code_problems(constant, known, names)


def _memory(name: str) -> str:
    return phrase("strategy.wrong.is-changed-outside-the-strategy", name=name)


def _source_problems(function: Play) -> Iterator[tuple[int, str]]:
    """What only the source shows: attributes and items of outer things written to."""
    made = cast(types.FunctionType, function)
    try:
        lines, first = inspect.getsourcelines(made)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, TypeError, SyntaxError, IndentationError):
        return
    code = made.__code__
    local = {*code.co_varnames, *code.co_cellvars}
    for node in ast.walk(tree):
        if isinstance(node, ast.While) and _endless(node):
            yield first + node.lineno - 1, phrase("strategy.wrong.this-loop-never-ends-it")
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
            targets = [node.target]
        for target in targets:
            root: ast.expr = target
            while isinstance(root, (ast.Attribute, ast.Subscript)):
                root = root.value
            if root is not target and isinstance(root, ast.Name) and root.id not in local:
                yield first + target.lineno - 1, _memory(root.id)


def _endless(loop: ast.While) -> bool:
    """A loop on a constant truth with no way out."""
    true = isinstance(loop.test, ast.Constant) and bool(loop.test.value)
    return true and not any(
        isinstance(node, (ast.Break, ast.Return, ast.Raise)) for node in ast.walk(loop)
    )


class Watch:
    """Sees whether lists and the like outside a strategy change while it plays."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        self.seen = self._look()

    def _look(self) -> dict[str, str]:
        kinds = (list, dict, set, bytearray)
        return {
            name: repr(value)
            for name, value in used_by(self.strategy.function)
            if isinstance(value, kinds)
        }

    def over(self) -> None:
        """Refuse a strategy that remembered something outside its variables."""
        for name, text in self._look().items():
            if self.seen.get(name) != text:
                place = self.strategy.place(self.strategy.line)
                reason = _memory(name)
                raise StrategyError(f"{place}: {self.strategy.name}: {reason}", fatal=True)
