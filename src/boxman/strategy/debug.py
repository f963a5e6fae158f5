"""A session step by step: which line of a strategy proposed what, and what the table said.

The steps come from the reference table itself, so a debugged session is the very session that
`play` plays with the same dice. It prints nothing; whoever walks the steps shows them.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Iterable, Iterator
from types import CodeType

import msgspec

from boxman.dice import ROLLS
from boxman.strategy.api import Strategy, parts_of
from boxman.strategy.check import check
from boxman.strategy.patience import patience
from boxman.strategy.reference import (
    TableChair,
    act,
    call_for,
    is_engine,
    next_roll,
    run_out,
    stopped,
)
from boxman.strategy.session import RUN_OUT, Session
from boxman.strategy.view import Turn
from boxman.table.items import items_of, write_items
from boxman.table.notation import write_call


class Standing(msgspec.Struct, frozen=True, kw_only=True):
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
    standing: Standing


class Thrown(msgspec.Struct, frozen=True, kw_only=True, tag="thrown", tag_field="step"):
    """A roll, and the table after it."""

    roll: int
    dice: str
    said: str
    cites: tuple[str, ...]
    run_out: bool
    standing: Standing


class Over(msgspec.Struct, frozen=True, kw_only=True, tag="over", tag_field="step"):
    """How the session ended."""

    end: str
    rolls: int
    seven_outs: int
    worth: int
    net: int


Step = Proposed | Acted | Thrown | Over


class DebugChair(TableChair):
    """A chair that notes every proposal with the line it came from."""

    def __init__(self, strategy: Strategy, session: Session) -> None:
        super().__init__(session)
        self.codes = _codes(strategy)
        self.proposed: list[Proposed] = []

    def propose(self, what: int, spot: int, amount: int) -> bool:
        place, source = self._place()
        before = self.table
        done = super().propose(what, spot, amount)
        ruling = self.ruling
        assert ruling is not None
        refusal = ruling.refusal
        self.proposed.append(
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

    def standing(self) -> Standing:
        seat = self.seat
        return Standing(
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


def steps(strategy: Strategy, session: Session, dice: Iterable[int]) -> Iterator[Step]:
    """Play one session with these dice and tell it step by step."""
    check(strategy)
    chair = DebugChair(strategy, session)
    variables = dict(strategy.variables)
    turn = Turn(chair, variables)
    throws = iter(dice)
    while True:
        end = stopped(session, chair.rolls, chair.seven_outs, chair.worth)
        if end:
            break
        chair.short = False
        try:
            with patience(chair):
                act(strategy, turn, chair, chair.rolls)
        finally:
            # What was proposed before an exception is told before the exception is.
            said, chair.proposed = chair.proposed, []
            yield from said
        yield Acted(roll=chair.rolls + 1, variables=dict(variables), standing=chair.standing())
        if chair.short and not chair.seat.wagers:
            end = "broke"
            break
        if not chair.ready():
            end = "no shooter"
            break
        yield _thrown(chair, next_roll(throws, chair.rolls), False)
    rolls, seven_outs = chair.rolls, chair.seven_outs
    if session.end == RUN_OUT:
        for number in run_out(chair, throws):
            yield _thrown(chair, number, True)
    worth = chair.worth
    yield Over(
        end=end,
        rolls=rolls,
        seven_outs=seven_outs,
        worth=worth,
        net=worth - session.bankroll,
    )


def _thrown(chair: DebugChair, number: int, run_out: bool) -> Thrown:
    before = chair.table
    ruling = chair.roll(number)
    return Thrown(
        roll=chair.rolls,
        dice=str(ROLLS[number]),
        said=write_items(items_of(chair.layout, before, ruling)),
        cites=ruling.cites,
        run_out=run_out,
        standing=chair.standing(),
    )
