"""A session step by step: which line of a strategy proposed what, and what the table said.

The same loop in the same chair as `play`'s, with somebody watching: a debugged session is the very
session that is played with the same dice. It prints nothing; whoever walks the steps shows them.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Iterable, Iterator
from types import CodeType

import msgspec

from boxman.dice import ROLLS
from boxman.strategy.api import Strategy, parts_of
from boxman.strategy.course import course
from boxman.strategy.ends import Ended
from boxman.strategy.library.taking import check_taken
from boxman.strategy.located import is_engine
from boxman.strategy.patience import patience
from boxman.strategy.proposals import call_for
from boxman.strategy.reference import TableChair
from boxman.strategy.session import Session
from boxman.table.said.items import items_of, write_items
from boxman.table.said.notation import write_call


class TableShown(msgspec.Struct, frozen=True, kw_only=True):
    """The table as the player sees it; amounts in minor units."""

    puck: int
    rail: int
    wagers: dict[str, int]
    off: tuple[str, ...]
    """Wagers that are called off."""


class Proposed(msgspec.Struct, frozen=True, kw_only=True, tag="proposed", tag_field="step"):
    """One proposal and the ruling on it."""

    place: str
    """The line of the strategy, file:line."""
    source: str
    """What stands there."""
    call: str
    accepted: bool
    said: str
    """What followed, as the notation writes it."""
    code: str = ""
    sentence: str = ""
    remedy: str = ""
    cites: tuple[str, ...] = ()


class Acted(msgspec.Struct, frozen=True, kw_only=True, tag="acted", tag_field="step"):
    """The strategy has done what it wanted before a roll."""

    roll: int
    """The roll that comes next, from 1."""
    variables: dict[str, int]
    standing: TableShown


class Thrown(msgspec.Struct, frozen=True, kw_only=True, tag="thrown", tag_field="step"):
    """A roll, and the table after it."""

    roll: int
    dice: str
    said: str
    cites: tuple[str, ...]
    run_out: bool
    standing: TableShown


DebugStep = Proposed | Acted | Thrown | Ended


class DebugChair(TableChair):
    """A chair that notes every proposal with the line it came from."""

    def __init__(self, strategy: Strategy, session: Session) -> None:
        super().__init__(session)
        self.codes = _codes(strategy)
        self.running_out = False
        self._steps: list[DebugStep] = []

    def told(self) -> list[DebugStep]:
        """What happened since this was last asked."""
        told, self._steps = self._steps, []
        return told

    def propose(self, what: int, spot: int, amount: int) -> bool:
        place, source = self._place()
        before = self.table
        done = super().propose(what, spot, amount)
        ruling = self.ruling
        assert ruling is not None
        refusal = ruling.refusal
        self._steps.append(
            Proposed(
                place=place,
                source=source,
                call=write_call(call_for(what, spot, amount)),
                accepted=refusal is None,
                said=write_items(items_of(self.layout, before, ruling)),
                code=refusal.code if refusal else "",
                sentence=refusal.sentence if refusal else "",
                remedy=refusal.remedy if refusal else "",
                cites=ruling.cites,
            )
        )
        return done

    def acted(self) -> None:
        variables = dict(self.variables)
        self._steps.append(
            Acted(roll=self.rolls + 1, variables=variables, standing=self.standing())
        )

    def roll(self, number: int) -> None:
        before = self.table
        super().roll(number)
        assert self.ruling is not None
        self._steps.append(
            Thrown(
                roll=self.rolls,
                dice=str(ROLLS[number]),
                said=write_items(items_of(self.layout, before, self.ruling)),
                cites=self.ruling.cites,
                run_out=self.running_out,
                standing=self.standing(),
            )
        )

    def let_go(self) -> None:
        super().let_go()
        self.running_out = True

    def _place(self) -> tuple[str, str]:
        """The line of the strategy that is acting, or else of whatever acts for it."""
        frame = sys._getframe(2)
        while frame.f_back is not None and is_engine(frame.f_code.co_filename):
            frame = frame.f_back
        acting = frame
        while acting.f_back is not None and acting.f_code not in self.codes:
            acting = acting.f_back
        if acting.f_code in self.codes:
            frame = acting
        file, line = frame.f_code.co_filename, frame.f_lineno
        source = linecache.getline(file, line).strip()
        owner = self.codes.get(frame.f_code)
        return (owner.place(line) if owner else f"{file}:{line}"), source

    def standing(self) -> TableShown:
        seat = self.seat
        return TableShown(
            puck=self.table.puck,
            rail=seat.rail,
            wagers={wager.spot: wager.stake for wager in seat.wagers.values()},
            off=tuple(wager.spot for wager in seat.wagers.values() if wager.marker == "off"),
        )


def _codes(strategy: Strategy) -> dict[CodeType, Strategy]:
    """The code of a strategy and of all it is made of; composition itself has no line to show."""
    found: dict[CodeType, Strategy] = {}
    waiting = [strategy]
    while waiting:
        part = waiting.pop()
        code: CodeType = part.function.__code__
        if code not in found:
            waiting += parts_of(part.function)
            if not is_engine(code.co_filename):
                found[code] = part
    return found


def steps(strategy: Strategy, session: Session, dice: Iterable[int]) -> Iterator[DebugStep]:
    """Play one session with these dice and tell it step by step."""
    check_taken(strategy, session)
    chair = DebugChair(strategy, session)
    going = course(strategy, chair, dice)
    while chair.ended is None:
        try:
            with patience(chair):
                next(going, None)
        finally:
            # What was proposed before an exception is told before the exception is.
            yield from chair.told()
    yield chair.ended
