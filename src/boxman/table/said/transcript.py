"""Run a transcript: read lines, make the calls, check what is expected, write what follows.

The automatic crew makes the calls a transcript leaves out, through the same door. One line at a
time is in memory, so a transcript may be as long as the evening.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from boxman.chips import format_amount as money
from boxman.rules.book import Book, read_book
from boxman.rules.compile import compiled
from boxman.rules.layout import Layout
from boxman.table.automatic import CLOSING
from boxman.table.call import DECLARED, Call
from boxman.table.calls import Bet
from boxman.table.floor.people import PLAYER
from boxman.table.floor.throws import needs_close
from boxman.table.lines.words import NotationError, Word
from boxman.table.opening import BookCompiler, Open, Opening, open_table
from boxman.table.ruling import rule
from boxman.table.rulings import Ruling
from boxman.table.said.items import Item, compare, items_of, opening_items, reworded, write_items
from boxman.table.said.notation import LineParts, read_call, split_line, write_call
from boxman.table.state import Table
from boxman.words import phrase, say

_TIME = re.compile(r"\d{1,2}:\d\d(:\d\d)?")
WIDTH = 34
"""The column at which results are written."""


class Difference(NamedTuple):
    """A line whose expectation is not what followed."""

    number: int
    text: str
    problem: str
    followed: str


class PlayedLine(NamedTuple):
    """A line that was run."""

    number: int
    line: LineParts
    call: Call | None
    ruling: Ruling | Opening | None
    crew: tuple[Ruling, ...]
    items: list[Item]
    difference: Difference | None
    reworded: str = ""
    """A sentence that the line quotes and that is said otherwise, where that is no difference."""


class Transcript:
    """A table being played from lines of text. Codes and clauses must be what the lines state;
    quoted sentences too if `words` is asked for."""

    def __init__(self, words: bool = False) -> None:
        self.words = words
        self.by_hand = False
        self.refused = False
        """The last table was not opened."""
        self.at = 0
        self.book: Book | None = None
        """The rulebook that tables open with, if not the one their house has now."""
        self.compiler: BookCompiler = compiled
        """What makes a layout of it."""
        self.folder = ""
        """Where a rulebook is looked for that is not where the line says."""
        self.layout: Layout | None = None
        self.table: Table | None = None
        self.number = 0

    def run(self, lines: Iterable[str]) -> Iterator[PlayedLine]:
        """Run lines one by one. A line that cannot be read raises NotationError."""
        for text in lines:
            yield self.play(text.rstrip("\r\n"))

    def play(self, text: str) -> PlayedLine:
        """Run one line."""
        self.number += 1
        line = split_line(text)
        if not line.words:
            if line.expected is not None:
                raise NotationError(1, phrase("lines.expected-a-call-before-the"))
            return PlayedLine(self.number, line, None, None, (), [], None)
        words = line.words
        if _TIME.fullmatch(words[0].text):
            self.at = _clock(words[0], self.at)
            words = words[1:]
            if not words:
                raise NotationError(len(text) + 1, phrase("lines.expected-a-call-after-the"))
        call = read_call(words, len(text.rstrip()) + 1)
        if self.at:
            call = msgspec.structs.replace(call, at=self.at)
        if isinstance(call, Open):
            opening = open_table(call, self.book or self._book(call.house), self.compiler)
            if opening.layout is not None:
                self.layout, self.table = opening.layout, opening.table
                self.by_hand = call.by_hand
            self.refused = opening.layout is None
            return self._result(line, text, call, opening, (), opening_items(opening))
        if self.layout is None or self.table is None:
            none = "lines.the-table-was-refused" if self.refused else "lines.the-first-line-opens-a"
            raise NotationError(line.words[0].column, say(none, {}))
        call = self._resolved(call)
        crew = self._crew(call)
        before = self.table
        ruling = rule(self.layout, before, call)
        refusal = ruling.refusal
        if refusal is not None and refusal.code == "no-such-spot" and line.expected is None:
            named = next((w for w in words if w.text.lower() == _spot_of(call).lower()), words[-1])
            raise NotationError(named.column, f"{refusal.sentence}; {refusal.remedy}".strip("; "))
        self.table = ruling.after
        items = items_of(self.layout, before, ruling)
        return self._result(line, text, call, ruling, crew, items)

    def _book(self, house: str) -> Book:
        """The file of that name beside the transcript, wherever one stands, or that of a house."""
        beside = Path(self.folder, house)
        own = self.folder and house.endswith(".md") and beside.exists()
        return read_book(str(beside) if own else house)

    def _result(
        self,
        line: LineParts,
        text: str,
        call: Call,
        ruling: Ruling | Opening,
        crew: tuple[Ruling, ...],
        items: list[Item],
    ) -> PlayedLine:
        problem = compare(line.expected, items + self._facts()) if line.expected else ""
        other = reworded(line.expected, items) if line.expected else ""
        if self.words:
            problem, other = problem or other, ""
        difference = None
        if problem:
            difference = Difference(self.number, text, problem, write_items(items))
        return PlayedLine(self.number, line, call, ruling, crew, items, difference, other)

    def _facts(self) -> list[Item]:
        """What may be asked of the table after any line: rails, stakes, the puck."""
        table = self.table
        if table is None:
            return []
        items = [Item(f"puck {table.puck or 'off'}", (), written=False)]
        for seat in table.seats.values():
            items.append(Item(f"{seat.name} rail {money(seat.rail)}", (), written=False))
            items += [
                Item(f"{seat.name} {wager.spot} is {money(wager.stake)}", (), written=False)
                for wager in seat.wagers.values()
            ]
        return items

    def _resolved(self, call: Call) -> Call:
        """Names as the table knows them: quoted areas as spots, the crew by its stations."""
        assert self.layout is not None
        if self.by_hand and not call.by:
            call = msgspec.structs.replace(call, by=DECLARED[type(call)].speaks or PLAYER)
        if isinstance(call, Bet) and call.area:
            area = self.layout.areas.get(call.area)
            spot = area.value if area else self.layout.names.get(call.area, call.spot)
            return msgspec.structs.replace(call, spot=spot)
        spot = getattr(call, "spot", "")
        if spot and spot not in self.layout.spots and spot.lower() in self.layout.names:
            return msgspec.structs.replace(call, spot=self.layout.names[spot.lower()])
        return call

    def _crew(self, call: Call) -> tuple[Ruling, ...]:
        """The calls the automatic crew makes before this one."""
        layout, table = self.layout, self.table
        assert layout is not None
        assert table is not None
        if self.by_hand:
            return ()
        rolls = DECLARED[type(call)].faces == "called"
        if rolls and table.phase == "open" and needs_close(layout):
            ruling = rule(layout, table, CLOSING)
            self.table = ruling.after
            return (ruling,)
        return ()


def _clock(word: Word, before: int) -> int:
    """The time that a word says, in seconds, not before another."""
    parts = [int(part) for part in word.text.split(":")]
    if parts[0] > 23 or max(parts[1:]) > 59:
        raise NotationError(word.column, phrase("lines.there-is-no-time", text=word.text))
    at = parts[0] * 3600 + parts[1] * 60 + (parts[2] if len(parts) > 2 else 0)
    while at < before:
        at += 24 * 3600  # past midnight
    return at


def _spot_of(call: Call) -> str:
    return str(getattr(call, "spot", ""))


def write_result(result: PlayedLine) -> str:
    """A line with what followed, in the notation; reading it back changes nothing."""
    comment = f"-- {result.line.comment}" if result.line.comment else ""
    if result.call is None:
        return comment
    text = write_call(result.call)
    if _TIME.fullmatch(result.line.words[0].text):
        text = f"{result.line.words[0].text} {text}"
    line = f"{text:<{WIDTH}} : {write_items(result.items)}"
    return f"{line}    {comment}" if comment else line
