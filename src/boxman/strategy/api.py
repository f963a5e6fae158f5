"""What a strategy is: a function of the turn it sees, with declared whole-number variables.

It knows nothing of tables or houses; it only proposes. `strategy` makes one, `together` composes
several. Variables of strategies that a function calls by name are declared for it, so that
`molly(t); field(t)` inside another strategy needs no further words.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Collection, Iterator
from itertools import count
from typing import cast, overload

from boxman.strategy.renaming import FollowCode, TwoMeanings, rewritten
from boxman.words import phrase

Play = Callable[..., object]
"""A function of the turn."""
Needs = tuple[tuple[str, ...], ...]
"""Wagers a strategy cannot do without, in groups: of each a house must offer one."""


class StrategyError(ValueError):
    """What is wrong with a strategy, in one message that names the place."""

    def __init__(self, message: str, trace: str = "", fatal: bool = False) -> None:
        super().__init__(message)
        self.trace = trace
        """The true traceback as text, where an exception of Python was the cause."""
        self.fatal = fatal
        """No executor may try it: it is forbidden everywhere, or its turn does not end."""


class Strategy:
    """A function of the turn, with its variables. Calling it runs the function."""

    def __init__(
        self,
        function: Play,
        variables: dict[str, int] | None = None,
        name: str = "",
        places: dict[int, tuple[int, int]] | None = None,
        file: str = "",
        needs: Needs = (),
    ) -> None:
        code = getattr(function, "__code__", None)
        if not isinstance(code, types.CodeType):
            raise StrategyError(
                phrase("strategy.wrong.a-strategy-is-a-plain", function=f"{function!r}")
            )
        if code.co_argcount != 1 or code.co_kwonlyargcount:
            where = f"{code.co_filename}:{code.co_firstlineno}"
            raise StrategyError(phrase("strategy.wrong.a-strategy-takes-the-turn", where=where))
        self.function = function
        self.name = name or function.__name__
        self.doc = (function.__doc__ or "").strip()
        self.file = file or code.co_filename
        self.line = code.co_firstlineno
        self.places = places
        """For generated functions: the line and column of the text behind each line of code."""
        self.needs = needs
        self.variables = _all_variables(self, function, dict(variables or {}))

    def __call__(self, t: object) -> object:
        return self.function(t)

    def __repr__(self) -> str:
        return f"<Strategy {self.name}>"

    def place(self, line: int) -> str:
        """A line of the function as the author knows it: file:line, or file:line:column."""
        if self.places:
            nearest = max((n for n in self.places if n <= line), default=min(self.places))
            row, column = self.places[nearest]
            return f"{self.file}:{row}:{column}"
        return f"{self.file}:{line}"

    def named(self, name: str) -> Strategy:
        """The same strategy under another name."""
        return self.needing(self.needs, name)

    def needing(self, needs: Needs, name: str = "") -> Strategy:
        """The same strategy, which cannot do without these wagers."""
        named = name or self.name
        return Strategy(self.function, self.variables, named, self.places, self.file, needs)

    def renamed(self, /, **names: str) -> Strategy:
        """The same strategy with variables of other names: renamed(level="second_level")."""
        kept = set(self.variables) - set(names)
        for old, new in names.items():
            if old not in self.variables:
                raise StrategyError(
                    phrase("strategy.wrong.has-no-variable", name=self.name, old=old)
                )
            if new in kept or list(names.values()).count(new) > 1:
                raise StrategyError(
                    phrase("strategy.wrong.has-a-variable-already", name=self.name, new=new)
                )
        try:
            function = rewritten(cast(types.FunctionType, self.function), names, _inside(names))
        except TwoMeanings as error:
            raise StrategyError(
                phrase("strategy.wrong.uses-for-something-else-too", name=self.name, error=error)
            ) from None
        variables = {names.get(each, each): value for each, value in self.variables.items()}
        return Strategy(function, variables, self.name, self.places, self.file, self.needs)

    def apart(self, taken: Collection[str], number: int) -> Strategy:
        """The same strategy, its variables renamed where their names are taken."""
        names: dict[str, str] = {}
        for each in self.variables:
            if each in taken:
                unlike = {*taken, *self.variables, *names.values()}
                names[each] = next(
                    new for n in count(number) if (new := f"{each}_{n}") not in unlike
                )
        return self.renamed(**names) if names else self


def _inside(names: dict[str, str]) -> FollowCode:
    """How strategies that a strategy calls are renamed with it."""
    known: dict[Strategy, Strategy] = {}

    def follow(value: object, again: Callable[[types.FunctionType], types.FunctionType]) -> object:
        if not isinstance(value, Strategy):
            return value
        function = again(cast(types.FunctionType, value.function))
        if function is value.function:
            return value
        if value not in known:
            variables = {names.get(each, each): first for each, first in value.variables.items()}
            known[value] = Strategy(function, variables, value.name, value.places, value.file)
        return known[value]

    return follow


def used_by(function: Play) -> Iterator[tuple[str, object]]:
    """The global and enclosing names a function uses, with what they are."""
    made = cast(types.FunctionType, function)
    code = made.__code__
    cells = dict(zip(code.co_freevars, made.__closure__ or (), strict=True))
    for name, cell in cells.items():
        try:
            yield name, cell.cell_contents
        except ValueError:  # not bound yet
            continue
    for name in code.co_names:
        if name in made.__globals__:
            yield name, made.__globals__[name]


def parts_of(function: Play) -> list[Strategy]:
    """The strategies a function calls by name, or holds in a tuple of its own."""
    found: list[Strategy] = []
    for _, value in used_by(function):
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, Strategy) and each not in found:
                found.append(each)
    return found


def _all_variables(whole: Strategy, function: Play, own: dict[str, int]) -> dict[str, int]:
    """A strategy's own variables and those of the strategies it calls."""
    from boxman.strategy.view import Turn

    where = f"{whole.file}:{whole.line}"
    for name, value in own.items():
        if type(value) is not int:
            raise StrategyError(
                phrase(
                    "strategy.wrong.variable-is-a-whole-number",
                    where=where,
                    name=name,
                    value=f"{value!r}",
                )
            )
        if hasattr(Turn, name) or name.startswith("_"):
            raise StrategyError(phrase("strategy.wrong.taken", where=where, name=name))
    owner: dict[str, str] = {}
    variables = dict(own)
    for part in parts_of(function):
        for name, value in part.variables.items():
            if name in own:
                continue
            if name in owner:
                raise StrategyError(
                    phrase(
                        "strategy.wrong.and-both-have-a-variable",
                        where=where,
                        owner=owner[name],
                        name=part.name,
                        name_2=name,
                    )
                )
            owner[name] = part.name
            variables[name] = value
    return variables


@overload
def strategy(function: Play, /) -> Strategy: ...
@overload
def strategy(**variables: int) -> Callable[[Play], Strategy]: ...
def strategy(
    function: Play | None = None, /, **variables: int
) -> Strategy | Callable[[Play], Strategy]:
    """Make a strategy of a function, with its variables: `@strategy` or `@strategy(level=0)`.

    >>> from boxman.strategy.spots import FIELD
    >>> @strategy(level=0)
    ... def field(t):
    ...     t.bet(FIELD, 10)
    >>> field.name, field.variables
    ('field', {'level': 0})
    """
    if function is not None:
        return Strategy(function)
    return lambda made: Strategy(made, variables)


def together(*parts: Strategy, name: str = "") -> Strategy:
    """Several strategies as one, each acting in turn; variables of one name stay apart.

    >>> from boxman.strategy.spots import FIELD, PASS
    >>> line = strategy(lambda t: t.bet(PASS, 10))
    >>> side = strategy(lambda t: t.bet(FIELD, 5))
    >>> together(line, side, name="both")
    <Strategy both>
    """
    if not parts:
        raise StrategyError(phrase("strategy.wrong.together-needs-at-least-one"))
    chosen: list[Strategy] = []
    taken: set[str] = set()
    for number, part in enumerate(parts, 1):
        if not isinstance(part, Strategy):
            raise StrategyError(
                phrase("strategy.wrong.together-takes-strategies-not", part=f"{part!r}")
            )
        chosen.append(part.apart(taken, number))
        taken |= set(chosen[-1].variables)
    # A chain of pairs, not a loop over a tuple: a compiler can follow it.
    whole = chosen[0]
    for second in chosen[1:]:
        whole = _pair(whole, second)
    return whole.named(name or " + ".join(part.name for part in parts))


def _pair(first: Strategy, second: Strategy) -> Strategy:
    def both(t: object) -> None:
        first(t)
        second(t)

    return Strategy(both)
