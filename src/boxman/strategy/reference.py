"""A session played on the reference table: every proposal ruled, every roll settled there.

This is the chair all others are held to. It is slow and says everything: refusals with their
clauses, figures by wager, and the session as a transcript that `boxman replay` runs.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import msgspec

from boxman.chips import format_amount as money
from boxman.dice import ROLLS
from boxman.strategy.api import Strategy
from boxman.strategy.course import SessionChair, played
from boxman.strategy.ends import Ended
from boxman.strategy.proposals import SHORT, UNCOUNTED, call_for, leaving
from boxman.strategy.session import SEAT, Session, opened, opening_lines, ready
from boxman.strategy.spots import INDEX, SPOTS
from boxman.strategy.view import DOWN, open_ranges
from boxman.table.automatic import CLOSING, calling
from boxman.table.calls import Call, StayUp
from boxman.table.floor.throws import needs_close
from boxman.table.ruling import rule
from boxman.table.rulings import Ruling
from boxman.table.said.notation import write_call
from boxman.table.stakes import Range
from boxman.table.state import Placed, Returned, Rolled, Seat, Settled, Table, Wager


class WagerFigures(msgspec.Struct, frozen=True):
    """What became of the wagers on one spot; a come counts where it was decided."""

    spot: str
    bets: int = 0
    staked: int = 0
    fees: int = 0
    wins: int = 0
    losses: int = 0
    pushes: int = 0
    won: int = 0
    lost: int = 0
    beyond: float = 0.0
    """What is still up at the end is worth beyond its face, where that was asked for."""

    @property
    def net(self) -> int:
        return self.won - self.lost - self.fees


class Played(Ended, frozen=True, kw_only=True):
    """A session that was played at the table itself, wager by wager."""

    strategy: str
    session: Session
    wagers: dict[str, WagerFigures]
    lines: tuple[str, ...] = ()

    def _repr_html_(self) -> str:
        from boxman.report.page import notebook
        from boxman.strategy.shown import played_parts

        return notebook(f"{self.strategy} at {self.session.house}", *played_parts(self))

    def transcript(self) -> str:
        """The session in the notation; the last line states the rail it ends with."""
        return "\n".join(self.lines) + "\n"


class TableChair(SessionChair):
    """A chair at the reference table."""

    def __init__(self, session: Session, keep_lines: bool = False) -> None:
        self.session = session
        self.layout, self.table = opened(session)
        self.close = needs_close(self.layout)
        self.rail, self.staked = self.seat.rail, 0
        self.refusals = {}
        self.figures: dict[str, dict[str, int]] = {}
        self.beyond: dict[str, Fraction] = {}
        """What is still up at the end is worth beyond its face, where that counts."""
        self.ruling: Ruling | None = None
        """The last one."""
        self.lines: list[str] | None = opening_lines(session) if keep_lines else None

    @property
    def seat(self) -> Seat:
        return self.table.seats[SEAT]

    @property
    def puck(self) -> int:  # type: ignore[override]
        return self.table.puck

    @property
    def stake(self) -> int:
        return sum(wager.stake for wager in self.seat.wagers.values())

    @property
    def bare(self) -> bool:
        return not self.seat.wagers

    def wager(self, spot: int) -> Wager | None:
        return self.seat.wagers.get(SPOTS[spot])

    def ranges(self, spot: int) -> tuple[Range, ...]:
        return open_ranges(self.layout, self.table, self.seat, SPOTS[spot])

    def limits(self) -> tuple[int, int]:
        return self.table.posted.minimum, self.table.posted.maximum

    def propose(self, what: int, spot: int, amount: int) -> bool:
        ruling = self.say(call_for(what, spot, amount))
        refusal = ruling.refusal
        if refusal is None:
            return True
        if refusal.code != UNCOUNTED:
            self.short = self.short or refusal.code == SHORT
            self.count_refusal(refusal, spot)
        return False

    def say(self, call: Call) -> Ruling:
        """Put one call to the table and keep the books."""
        ruling = rule(self.layout, self.table, call)
        self.table, self.ruling = ruling.after, ruling
        self.rail = self.seat.rail
        if self.lines is not None and call is not CLOSING:
            self.lines.append(write_call(call))
        for made in ruling.decisions:
            if type(made) is Placed:
                self._note(made.spot, bets=1, staked=made.amount, fees=made.fee)
                self.staked += made.amount
            elif type(made) is Returned:
                self._note(made.spot, fees=-made.fee)
            elif type(made) is Settled:
                kind = "wins" if made.paid else "losses" if made.taken else "pushes"
                self._note(made.spot, won=made.paid, lost=made.taken, **{kind: 1})
        return ruling

    def _note(self, spot: str, **more: int) -> None:
        figures = self.figures.setdefault(spot, {})
        for name, amount in more.items():
            figures[name] = figures.get(name, 0) + amount

    def _crew(self, call: Call) -> Table:
        ruling = self.say(call)
        assert ruling.accepted, f"the crew was refused: {ruling.refusal}"
        return self.table

    def ready(self) -> bool:
        return ready(self.layout, self.table, self._crew)

    def roll(self, number: int) -> None:
        if self.close:
            self._crew(CLOSING)
        dice = ROLLS[number]
        ruling = self.say(calling(dice))
        assert ruling.accepted, f"the roll was refused: {ruling.refusal}"
        self.last, self.last_hard = dice.total, dice.hard
        self.won, self.lost, self.new_shooter = {}, {}, False
        for made in ruling.decisions:
            if type(made) is Settled:
                spot = INDEX[made.spot]
                if made.paid:
                    self.won[spot] = made.paid
                if made.taken:
                    self.lost[spot] = made.taken
            elif type(made) is Rolled:
                self.new_shooter = made.event == "seven-out"
        self.rolled()

    def _down(self) -> tuple[list[Call], int]:
        """The calls that take down what may be, and what is on the rail after them."""
        table = self.table
        calls: list[Call] = []
        for spot in leaving(self.layout, [INDEX[name] for name in self.seat.wagers]):
            if SPOTS[spot] in table.seats[SEAT].wagers:
                call = call_for(DOWN, spot, 0)
                ruling = rule(self.layout, table, call)
                if ruling.refusal is None:
                    table = ruling.after
                    calls.append(call)
        return calls, table.seats[SEAT].rail

    @property
    def counted(self) -> int:
        return self._down()[1]

    def take_down(self) -> None:
        for call in self._down()[0]:
            self.say(call)

    def let_go(self) -> None:
        for wager in self.seat.wagers.values():
            if wager.stays:
                self.say(StayUp(seat=SEAT, spot=wager.spot, stays=False))

    def value(self) -> Fraction:
        from boxman.strategy.felt import Felts
        from boxman.strategy.worth import values_by_spot

        felts = Felts(self.session, by_faces=True)
        self.beyond = values_by_spot(felts, felts.of(self.table)[0])
        return sum(self.beyond.values(), Fraction(0))


def play(
    strategy: Strategy, session: Session, dice: Iterable[int], keep_lines: bool = False
) -> Played:
    """Play one session with these dice, each a number from 0 to 35."""
    chair = TableChair(session, keep_lines)
    ended = played(strategy, chair, dice)
    if chair.lines is not None:
        chair.lines[-1] += f" : {SEAT} rail {money(chair.rail)}"
    return Played(
        strategy=strategy.name,
        session=session,
        wagers={
            spot: WagerFigures(
                spot=spot, beyond=float(chair.beyond.get(spot, 0)), **chair.figures.get(spot, {})
            )
            for spot in sorted({*chair.figures, *chair.beyond}, key=INDEX.__getitem__)
        },
        lines=tuple(chair.lines or ()),
        **msgspec.structs.asdict(ended),
    )
