"""A function written again with other names for its variables, and with it all that it calls.

A variable is an attribute of the turn, so its name stands in the code of the strategy, of helpers
and of strategies that those call, and of functions inside any of them. All are followed. It knows
code objects and no strategy: what else can be followed is told by whoever asks.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterator
from types import CellType, CodeType, FunctionType

ATTRIBUTES = ("LOAD_ATTR", "STORE_ATTR")

FollowCode = Callable[[object, Callable[[FunctionType], FunctionType]], object]
"""What becomes of a thing that is no function, given how functions are written again."""


class TwoMeanings(ValueError):
    """A name that stands for something else too; the message is the name."""


def rewritten(function: FunctionType, names: dict[str, str], follow: FollowCode) -> FunctionType:
    """The function with these names exchanged; the same function where it has none of them."""
    known: dict[FunctionType, FunctionType] = {}

    def anew(value: object) -> object:
        if isinstance(value, FunctionType):
            return again(value)
        if isinstance(value, tuple):
            parts = tuple(anew(each) for each in value)
            changed = any(a is not b for a, b in zip(parts, value, strict=True))
            return parts if changed and type(value) is tuple else value
        return follow(value, again)

    def again(made: FunctionType) -> FunctionType:
        if made in known:
            return known[made]
        if not _says(made, names, follow, set()):
            known[made] = made
            return made
        cells = tuple(CellType() for _ in made.__closure__ or ())
        scope = dict(made.__globals__)
        code = _exchanged(made.__code__, names)
        found = FunctionType(code, scope, made.__name__, made.__defaults__, cells)
        found.__kwdefaults__, found.__doc__ = made.__kwdefaults__, made.__doc__
        found.__module__, found.__qualname__ = made.__module__, made.__qualname__
        known[made] = found
        for name in _mentioned(made.__code__):
            if name in scope:
                scope[name] = anew(scope[name])
        for cell, old in zip(cells, made.__closure__ or (), strict=True):
            try:
                cell.cell_contents = anew(old.cell_contents)
            except ValueError:  # not bound yet
                continue
        return found

    return again(function)


def _says(
    function: FunctionType, names: dict[str, str], follow: FollowCode, seen: set[int]
) -> bool:
    """Whether a function, or anything it calls, has one of the names as an attribute."""
    if id(function) in seen:
        return False
    seen.add(id(function))
    if any(_has(code, names) for code in _codes(function.__code__)):
        return True
    values = [function.__globals__.get(name) for name in _mentioned(function.__code__)]
    for cell in function.__closure__ or ():
        try:
            values.append(cell.cell_contents)
        except ValueError:
            continue
    inner: list[FunctionType] = []

    def noted(value: FunctionType) -> FunctionType:
        inner.append(value)
        return value

    while values:
        value = values.pop()
        if isinstance(value, tuple):
            values += value
        elif isinstance(value, FunctionType):
            inner.append(value)
        else:
            follow(value, noted)
    return any(_says(each, names, follow, seen) for each in inner)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """The code of a function and of those inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _mentioned(code: CodeType) -> set[str]:
    """Every name in the code of a function that may stand for something outside."""
    return {name for each in _codes(code) for name in each.co_names}


def _has(code: CodeType, names: dict[str, str]) -> bool:
    """Whether code has one of the names as an attribute; then it may mean nothing else."""
    steps = [step for step in dis.get_instructions(code) if step.argval in names]
    if not any(step.opname in ATTRIBUTES for step in steps):
        return False
    for step in steps:
        if step.opname not in ATTRIBUTES and step.opcode in (*dis.hasname, *dis.hasconst):
            raise TwoMeanings(str(step.argval))
    return True


def _exchanged(code: CodeType, names: dict[str, str]) -> CodeType:
    inside = tuple(
        _exchanged(each, names) if isinstance(each, CodeType) else each for each in code.co_consts
    )
    said = code.co_names
    if _has(code, names):
        said = tuple(names.get(each, each) for each in said)
    return code.replace(co_names=said, co_consts=inside)
