"""Clause cases: transcripts that prove, clause by clause, that a ruling cites what it should.

A file under tests/clauses/<house>/ holds cases. A case begins with a comment `-- clause {id}` (or
several ids) and runs until the next one. It passes if no line differs from what it states and every
clause it is named for is among the citations it states.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from boxman.rules.compile import compiled
from boxman.table.lines.words import NotationError
from boxman.table.opening import BookCompiler
from boxman.table.said.transcript import Transcript

FOLDER = Path(__file__).parent / "clauses"
_HEAD = re.compile(r"-- clause((?: \{[^{}]*\})+)")


class Case(NamedTuple):
    house: str
    clauses: tuple[str, ...]
    path: str
    line: int
    lines: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{Path(self.path).name}:{self.line} {{{self.clauses[0]}}}"


@lru_cache
def cases(house: str) -> tuple[Case, ...]:
    return tuple(case for path in sorted((FOLDER / house).glob("*.craps")) for case in read(path))


def read(path: Path) -> Iterator[Case]:
    house = path.parent.name
    head: tuple[str, ...] = ()
    start, lines = 0, []
    for number, text in enumerate([*path.read_text().splitlines(), "-- clause {end}"], 1):
        match = _HEAD.match(text)
        if match is None:
            lines.append(text)
            continue
        if head:
            yield Case(house, head, str(path.relative_to(FOLDER.parent)), start, tuple(lines))
        elif any(line.strip() and not line.startswith("--") for line in lines):
            raise AssertionError(f"{path}: lines before the first `-- clause` comment")
        head, start, lines = tuple(re.findall(r"\{([^{}]*)\}", match.group(1))), number, []


def run(case: Case, rulebook: str | None = None, compiler: BookCompiler = compiled) -> str:
    """Play a case; the problem found, or nothing. A rulebook path replaces the house's own."""
    play = Transcript(words=True)
    play.compiler = compiler
    stated: set[str] = set()
    for offset, text in enumerate(case.lines, 1):
        if rulebook is not None:
            text = re.sub(rf"^house {re.escape(case.house)}\b", f"house {rulebook}", text)
        try:
            result = play.play(text)
        except NotationError as error:
            return f"line {case.line + offset}: {error}"
        if result.difference is not None:
            return (
                f"line {case.line + offset}: {text}\n  {result.difference.problem}\n"
                f"  followed: {result.difference.followed}"
            )
        for expected in result.line.expected or []:
            stated.update(expected.cites)
    missing = [clause for clause in case.clauses if clause not in stated]
    return f"states no citation of {{{missing[0]}}}" if missing else ""


def played(*lines: str) -> Transcript:
    """A table on which these lines were said, all as they state."""
    play = Transcript(words=True)
    for line in lines:
        result = play.play(line)
        assert result.difference is None, f"{line}: {result.difference}"
        refused = result.ruling is not None and result.ruling.refusal is not None
        assert not refused or " : refused" in line, f"{line}: {result.ruling}"
    return play
