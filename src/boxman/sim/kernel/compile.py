"""A strategy compiled alone: machine code at an address that the engine calls every turn.

Plain helper functions and other strategies it calls are compiled with it. Nothing of a user's is
ever kept on disk, because constants and helpers may change without its file changing. Needs Numba.
"""

from __future__ import annotations

import types
import weakref
from typing import Any

from numba.core import ir
from numba.core import types as kinds
from numba.core.errors import NumbaError

from boxman.sim.compiled import need_numba
from boxman.sim.kernel.check import NotCompiled, check, compiler_says, in_a_word, placed
from boxman.sim.kernel.turn import TurnType
from boxman.sim.kernel.whole import Compiler
from boxman.strategy.api import Strategy
from boxman.words import phrase

njit: Any = need_numba().njit
_plain: Any = kinds.unliteral
_HELPER = {
    "error_model": "python",
    "forceinline": True,
    "no_cfunc_wrapper": True,
    "no_cpython_wrapper": True,
    "pipeline_class": Compiler,
}
"""A helper is written out where it is called; nobody calls it from outside."""


class Compiled:
    """A strategy as machine code."""

    def __init__(self, strategy: Strategy) -> None:
        check(strategy)
        self.name = strategy.name
        self.variables = tuple(strategy.variables)
        self.start = in_a_word(tuple(strategy.variables.values()))
        try:
            parts: dict[Any, Any] = {}
            play = _jitted(strategy.function, parts)

            def turn(t: Any) -> None:
                play(t)

            self._code = njit(turn, error_model="python")
            self._code.compile((TurnType(self.variables),))
        except NumbaError as error:
            raise compiler_says(strategy, error) from error
        for part in parts.values():
            _check_written(strategy, part)
        (made,) = self._code.overloads.values()
        name = made.fndesc.llvm_func_name
        self.address: int = made.library.get_pointer_to_function(name)


def _check_written(strategy: Strategy, part: Any) -> None:
    """Variables are whole numbers: the compiler alone would cut off what is behind the point."""
    for made in part.overloads.values():
        known = made.type_annotation.typemap
        for block in made.type_annotation.blocks.values():
            for step in block.find_insts(ir.SetAttr):
                kind = _plain(known[step.value.name])
                if not isinstance(kind, kinds.Integer | kinds.Boolean):
                    place = placed(strategy, part.py_func, step.loc.line)
                    why = phrase("sim.kernel.written", name=step.attr, kind=kind)
                    raise NotCompiled(f"{place}: {why}")


_KNOWN: weakref.WeakKeyDictionary[Strategy, Compiled] = weakref.WeakKeyDictionary()


def compiled_strategy(strategy: Strategy) -> Compiled:
    """The strategy compiled; NotCompiled, with file, line and reason, if that cannot be done."""
    found = _KNOWN.get(strategy)
    if found is None:
        found = _KNOWN[strategy] = Compiled(strategy)
    return found


def _short(code: types.CodeType) -> types.CodeType:
    """Code whose numbers 64 bits hold."""
    consts = tuple(
        _short(each) if isinstance(each, types.CodeType) else in_a_word(each)
        for each in code.co_consts
    )
    return code if consts == code.co_consts else code.replace(co_consts=consts)


def _jitted(function: Any, known: dict[Any, Any]) -> Any:
    """A function compiled together with the plain functions and strategies it uses."""
    if function in known:
        return known[function]

    def inside(value: Any) -> Any:
        if isinstance(value, Strategy):
            return _jitted(value.function, known)
        if isinstance(value, types.FunctionType):
            return _jitted(value, known)
        return in_a_word(value)

    names = set()
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        names |= set(code.co_names)
        codes += [each for each in code.co_consts if isinstance(each, types.CodeType)]
    scope = dict(function.__globals__)
    cells = tuple(types.CellType() for _ in function.__closure__ or ())
    defaults = in_a_word(function.__defaults__)
    own = types.FunctionType(_short(function.__code__), scope, function.__name__, defaults, cells)
    if function.__kwdefaults__:
        own.__kwdefaults__ = {k: in_a_word(v) for k, v in function.__kwdefaults__.items()}
    own.__module__ = function.__module__
    own.__qualname__ = function.__qualname__
    known[function] = made = njit(own, **_HELPER)
    for name in names:
        if name in scope:
            scope[name] = inside(scope[name])
    for cell, old in zip(cells, function.__closure__ or (), strict=True):
        cell.cell_contents = inside(old.cell_contents)
    return made


__all__ = ["Compiled", "NotCompiled", "compiled_strategy"]
