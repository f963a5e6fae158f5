"""What a strategy may not contain if it is to be compiled, said in our words with file and line.

A compiler's own messages are long and speak of types. This reads the source of the strategy and of
all it calls, and names the first line the compiler could not take, or would take for something
else. What is left the compiler says itself; of that only the innermost line is kept. A strategy
that cannot be compiled is no mistake: the reference plays it, more slowly.
"""

from __future__ import annotations

import ast
import builtins
import dis
import enum
import hashlib
import inspect
import re
import textwrap
import types
from collections.abc import Iterator
from typing import Any

from boxman.strategy.api import Strategy, used_by
from boxman.strategy.check import check as check_everywhere
from boxman.strategy.spots import spelt
from boxman.words import phrase, say


class NotCompiled(ValueError):
    """Why a strategy cannot be compiled: the message names file, line and reason."""


LONGEST = 10_000
"""Steps of the longest strategy that is compiled: the compiler takes a second for a thousand."""
ACTS = ("bet", "press", "regress", "down", "turn_on", "turn_off", "stay_up")
_CALLS = {"abs", "bool", "divmod", "enumerate", "int", "len", "max", "min", "range", "round", "zip"}
_WORDS: dict[type[ast.AST], str] = {
    ast.Dict: "dictionary",
    ast.DictComp: "dictionary",
    ast.Set: "set",
    ast.SetComp: "set",
    ast.List: "list",
    ast.ListComp: "list",
    ast.GeneratorExp: "generator",
    ast.Yield: "generator",
    ast.YieldFrom: "generator",
    ast.Await: "await",
    ast.AsyncFor: "async",
    ast.AsyncWith: "async",
    ast.JoinedStr: "text",
    ast.Try: "try",
    ast.TryStar: "try",
    ast.With: "with",
    ast.Lambda: "function",
    ast.AsyncFunctionDef: "function",
    ast.ClassDef: "class",
    ast.Delete: "del",
    ast.Import: "import",
    ast.ImportFrom: "import",
    ast.Global: "global",
    ast.Nonlocal: "nonlocal",
    ast.Starred: "starred",
    ast.Match: "match",
}
"""What no compiled strategy has, by the name under which the book says so."""


def check(strategy: Strategy) -> None:
    """Raise NotCompiled for what the compiler would not take, or would take wrongly."""
    check_everywhere(strategy)
    seen: set[int] = set()
    steps = 0
    waiting: list[Any] = [strategy.function]
    while waiting:
        function = waiting.pop()
        if id(function) in seen:
            continue
        seen.add(id(function))
        steps += len(function.__code__.co_code) // 2
        if steps > LONGEST:
            line = function.__code__.co_firstlineno
            why = phrase("sim.kernel.too-long", most=LONGEST)
            raise NotCompiled(f"{placed(strategy, function, line)}: {why}")
        for line, problem in _problems(function):
            raise NotCompiled(f"{placed(strategy, function, line)}: {problem}")
        for _, value in used_by(function):
            if isinstance(value, Strategy):
                waiting.append(value.function)
            elif isinstance(value, types.FunctionType):
                waiting.append(value)


def numbers_in(strategy: Strategy) -> set[int]:
    """Every whole number a strategy names: written in it, or in what it uses."""
    found: set[int] = set()
    seen: set[int] = set()
    waiting: list[Any] = [strategy.function, *strategy.variables.values()]
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, int):
            found.add(value)
        elif isinstance(value, tuple):
            waiting += value
        elif isinstance(value, types.CodeType):
            waiting += value.co_consts
        elif isinstance(value, Strategy):
            waiting.append(value.function)
        elif isinstance(value, types.FunctionType):
            waiting += [value.__code__, *(used for _, used in used_by(value))]
            waiting += value.__defaults__ or ()
            waiting += (value.__kwdefaults__ or {}).values()
    return found


WORD = 2**63
_NO_LETTER = ord("@") << 56


def in_a_word(value: Any) -> Any:
    """A number as 64 bits hold it: that of a wager with a long id is made from its letters.

    No id begins with the sign that these begin with; other numbers are left as they are, and
    tuples are looked through.

    >>> from boxman.strategy.spots import spot
    >>> in_a_word(spot("hop.43")) == spot("hop.43"), in_a_word(spot("repeat.12")) < WORD
    (True, True)
    """
    if type(value) is tuple:
        return tuple(map(in_a_word, value))
    if type(value) is not int or value < WORD:
        return value
    try:
        id = spelt(value)
    except IndexError:
        return value
    return _NO_LETTER | int.from_bytes(hashlib.blake2b(id.encode(), digest_size=7).digest(), "big")


def placed(strategy: Strategy, function: Any, line: int) -> str:
    """A line of a strategy, or of a function it calls, as its author knows it."""
    own: Any = strategy.function
    same = function.__code__.co_filename == own.__code__.co_filename
    return strategy.place(line) if same else f"{function.__code__.co_filename}:{line}"


def _problems(function: Any) -> Iterator[tuple[int, str]]:
    """Lines of a function with what the compiler does not take there."""
    first = function.__code__.co_firstlineno
    for name, value in used_by(function):
        problem = _outer(value)
        if problem:
            words = phrase("sim.kernel.name-is", name=name, what=problem)
            yield _line_of(function, name), words
    flags = function.__code__.co_flags
    if flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        yield first, phrase("sim.kernel.not.generator")
    try:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, TypeError, SyntaxError):
        return  # no source to read: the compiler has the word
    body: list[Any]
    if function.__name__ == "<lambda>":
        body = [node.body for node in ast.walk(tree) if isinstance(node, ast.Lambda)]
    else:
        # The file may have changed since: then there is no source to read either.
        body = next((n.body for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)), [])
    outer = dict(used_by(function))
    for statement in body:
        for node in ast.walk(statement):
            problem = _problem(node, outer)
            if problem:
                yield first + getattr(node, "lineno", 1) - 1, problem


def _line_of(function: Any, name: str) -> int:
    """The line on which a name is first used."""
    line: int = function.__code__.co_firstlineno
    for step in dis.get_instructions(function):
        line = step.starts_line or line
        if step.argval == name and step.opname.startswith(("LOAD_GLOBAL", "LOAD_DEREF")):
            break
    return line


def _outer(value: Any) -> str:
    """What is wrong with a thing from outside the function, if anything."""
    if isinstance(value, Strategy | types.FunctionType | types.BuiltinFunctionType | type):
        return ""
    if isinstance(value, bool | int | float | enum.IntEnum):
        return (
            ""
            if not isinstance(value, int) or abs(in_a_word(value)) < WORD
            else phrase("sim.kernel.too-large")
        )
    if isinstance(value, tuple):
        kinds = {type(each) for each in value}
        if kinds <= {int} or kinds <= {float}:
            return ""
        if kinds == {tuple} and all(not _outer(each) for each in value):
            return ""
        return phrase("sim.kernel.other-tuple")
    if isinstance(value, types.ModuleType):
        return (
            ""
            if value.__name__ in ("math", "boxman.strategy.spots")
            else phrase("sim.kernel.module")
        )
    return phrase("sim.kernel.other-type", kind=type(value).__name__)


def _problem(node: ast.AST, outer: dict[str, Any]) -> str:
    what = _WORDS.get(type(node), "")
    if isinstance(node, ast.FunctionDef):
        what = "function"
    if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
        # A lone text, like a docstring, does nothing; asserts and raises may say why.
        return ""
    if what:
        return phrase(f"sim.kernel.not.{what}")
    if isinstance(node, ast.Call):
        if node.keywords and any(word.arg is None for word in node.keywords):
            return phrase("sim.kernel.not-compiled", what="**")
        if isinstance(node.func, ast.Name) and node.func.id not in outer:
            called = getattr(builtins, node.func.id, None)
            raised = isinstance(called, type) and issubclass(called, Exception)
            if called is not None and not raised and node.func.id not in _CALLS:
                return phrase("sim.kernel.not-compiled", what=f"{node.func.id}()")
    if isinstance(node, ast.While) and not _acts_within(node):
        return phrase("sim.kernel.for-ever")
    return ""


def _acts_within(loop: ast.While) -> bool:
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ACTS
        for node in ast.walk(loop)
    )


def compiler_says(strategy: Strategy, error: Exception) -> NotCompiled:
    """The innermost line and reason of a compiler's message."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    file, line = _innermost(strategy, text)
    own: Any = strategy.function
    same = file == own.__code__.co_filename
    place = strategy.place(line) if same else f"{file}:{line}"
    return NotCompiled(f"{place}: {_reason(text)}")


def _innermost(strategy: Strategy, text: str) -> tuple[str, int]:
    """The place of the strategy that the compiler stumbled over."""
    files = {}
    waiting: list[Any] = [strategy.function]
    while waiting:
        function = waiting.pop()
        name = function.__code__.co_filename
        if (name, function) in files:
            continue
        files[name, function] = True
        for _, value in used_by(function):
            if isinstance(value, Strategy):
                waiting.append(value.function)
            elif isinstance(value, types.FunctionType):
                waiting.append(value)
    known = {name for name, _ in files}
    for found in re.finditer(r"at (.+?) \((\d+)\)|File \"(.+?)\", line (\d+)", text):
        file, line = found.group(1) or found.group(3), int(found.group(2) or found.group(4))
        for name in known:
            if name == file or name.endswith("/" + file.lstrip("./")):
                return name, line
    code = strategy.function.__code__
    return code.co_filename, code.co_firstlineno


_OWN = re.compile(r"boxman:([\w-]+)\|([^|\n]*)\|([^|\n]*)\|")
"""A reason of ours among the compiler's lines: a key of the book, a name, a kind."""


def our_reason(key: str, name: str = "", kind: object = "") -> str:
    """A reason that comes back through the compiler, to be told by `compiler_says`."""
    return f"boxman:{key}|{name}|{kind}|"


_ATTRIBUTE = re.compile(r"Unknown attribute '(\w+)' of type Turn")


def _reason(text: str) -> str:
    """One sentence out of many lines."""
    own = _OWN.search(text)
    if own:
        key, name, kind = own.groups()
        return say(f"sim.kernel.{key}", {"name": name, "kind": kind})
    attribute = _ATTRIBUTE.search(text)
    if attribute:
        name = attribute.group(1)
        return phrase("sim.kernel.no-attribute", name=name)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    skipped = ("Failed in", "During", "File", ">>>", "There are", "- Of which", "No implementation")
    for line in lines:
        if not line.startswith(skipped):
            return phrase("sim.kernel.compiler-says", line=line.rstrip(":"))
    return phrase("sim.kernel.compiler")
