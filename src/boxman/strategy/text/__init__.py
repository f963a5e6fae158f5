"""Strategies without code: a small text form that becomes a strategy like any other.

    >>> made = read('''
    ... when come-out: bet 10 pass
    ... otherwise: odds 2x
    ... ''', "line")
    >>> made.name, made.variables
    ('line', {})

The grammar is in docs/strategies.md. A text is read (reading), written back (writing) or turned
into Python (python), which the explorer and the compiler take like handwritten code.
"""

from __future__ import annotations

import hashlib
import linecache
from pathlib import Path
from typing import Any

from boxman.strategy.api import Needs, Strategy, StrategyError
from boxman.strategy.text.nodes import Declaration, Program, acts
from boxman.strategy.text.python import python_source
from boxman.strategy.text.reading import parse
from boxman.strategy.text.tokens import TextError
from boxman.strategy.text.writing import write
from boxman.strategy.view import Turn
from boxman.words import phrase

__all__ = ["TextError", "format_text", "parse", "read", "read_file"]


def read(text: str, name: str = "strategy", file: str = "") -> Strategy:
    """The strategy a text describes. What is wrong raises TextError with line and column."""
    program = parse(text)
    for part in program.parts:
        if isinstance(part, Declaration) and hasattr(Turn, part.name):
            raise TextError(
                part.line,
                part.column,
                phrase("strategy.text.means-something-already", name=part.name),
                phrase("strategy.text.choose-another-name"),
            )
    used, strategies = _used(program)
    source, places = python_source(program, used)
    digest = hashlib.sha256(f"{name}\0{text}".encode()).hexdigest()[:12]
    filename = f"<{name}.strategy {digest}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    space: dict[str, Any] = {**strategies, "__name__": __name__}
    exec(compile(source, filename, "exec"), space)
    function = space["play"]
    function.__doc__ = _first_comment(program)
    file = file or f"{name}.strategy"
    return Strategy(function, program.variables, name, places, file, _needs(program))


def _needs(program: Program) -> Needs:
    """One of what it bets on; nothing where it uses another strategy, or odds are all it says."""
    made = [act for act in acts(program.parts) if act.verb in ("bet", "bet about", "use")]
    if any(act.verb == "use" for act in made):
        return ()
    spots = tuple(dict.fromkeys(spot for act in made for spot in act.spots))
    return (spots,) if spots else ()


LARGEST = 1 << 16
"""Characters of the largest text that is read as a strategy."""


def read_file(path: Path) -> Strategy:
    """The strategy of a text file, named after it."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            text = file.read(LARGEST + 1)  # some files have no end
    except UnicodeDecodeError as error:
        raise StrategyError(phrase("strategy.text.not-a-text-in-utf", path=path)) from error
    if len(text) > LARGEST:
        raise StrategyError(
            phrase("strategy.text.too-large-for-a-strategy", path=path, most=LARGEST)
        )
    try:
        return read(text, path.stem, str(path))
    except TextError as error:
        place = f"{path}:{error.line}:{error.column}"
        raise StrategyError(f"{place}: {error.sentence}") from error


def format_text(text: str) -> str:
    """The same text in its usual form; formatting it again changes nothing.

    >>> print(format_text("when come-out : bet 10 pass,bet 5 field"), end="")
    when come-out:
        bet 10 pass
        bet 5 field
    """
    return write(parse(text))


def _used(program: Program) -> tuple[dict[str, str], dict[str, Strategy]]:
    """The strategies a text uses, under names of their own in the generated code."""
    from boxman.strategy.library import named

    names: dict[str, str] = {}
    found: dict[str, Strategy] = {}
    taken = set(program.variables)
    for act in acts(program.parts):
        if act.verb != "use" or act.name in names:
            continue
        try:
            made = named(act.name)
        except StrategyError as error:
            raise TextError(act.line, act.column, str(error)) from error
        names[act.name] = f"used_{len(names) + 1}"
        found[names[act.name]] = made.apart(taken, len(names))
        taken |= set(found[names[act.name]].variables)
    return names, found


def _first_comment(program: Program) -> str:
    """The comment a text begins with."""
    lines = []
    for part in program.parts:
        text = getattr(part, "text", "")
        if not text:
            break
        lines.append(text)
    return "\n".join(lines)
