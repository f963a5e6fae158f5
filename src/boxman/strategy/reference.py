"""A session played on the reference table: every proposal ruled, every roll settled there.

This is the executor all others are held to. It is slow and says everything: refusals with their
clauses, figures by wager, and the session as a transcript that `boxman replay` runs.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from types import CodeType

import msgspec

from boxman.chips import format_amount as money
from boxman.dice import ROLLS
from boxman.strategy.api import Strategy, StrategyError
from boxman.strategy.check import check
from boxman.strategy.patience import EndlessTurn, patience
from boxman.strategy.session import (
    RUN_OUT,
    RUN_OUT_ROLLS,
    SEAT,
    VALUE,
    Session,
    opened,
    opening_lines,
    ready,
)
from boxman.strategy.spots import INDEX, SPOTS
from boxman.strategy.view import BET, DOWN, OFF, ON, REDUCE, Chair, Turn, open_ranges
from boxman.table.calls import (
    Bet,
    Call,
    CallRoll,
    CloseBets,
    Reduce,
    SetWorking,
    StayUp,
    TakeDown,
)
from boxman.table.notation import write_call
from boxman.table.ruling import rule
from boxman.table.rulings import Ruling
from boxman.table.stakes import Range
from boxman.table.state import Placed, Returned, Rolled, Seat, Settled, Table, Wager
from boxman.table.throws import needs_close

SHORT = "rail-short"
UNCOUNTED = "already-so"
"""A proposal that would change nothing is no refusal worth showing."""


class RefusedHere(msgspec.Struct, frozen=True):
    """Proposals the table refused for one reason."""

    code: str
    spot: str
    cites: tuple[str, ...]
    sentence: str
    """As it was said the first time."""
    count: int

    @property
    def order(self) -> tuple[int, str, str, tuple[str, ...]]:
        """Where it stands among others: the most frequent first."""
        return -self.count, self.code, self.spot, self.cites


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

    @property
    def net(self) -> int:
        return self.won - self.lost - self.fees


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """A session that was played; amounts in minor units."""

    strategy: str
    session: Session
    worth: int
    """Rail and wagers at face, in the end."""
    rail: int
    felt: int
    rolls: int
    run_out: int
    """Rolls after the end until wagers still up were decided."""
    seven_outs: int
    end: str
    highest: int
    """Of the worth at the start, after each roll, and in the end before any run-out."""
    lowest: int
    drawdown: int
    """The deepest fall of the worth from its highest until then."""
    staked: int
    refusals: tuple[RefusedHere, ...]
    wagers: dict[str, WagerFigures]
    value: Fraction | None = None
    """What the wagers still up are worth beyond their face, where the session asks for it."""
    lines: tuple[str, ...] = ()

    @property
    def net(self) -> int:
        return self.worth - self.session.bankroll

    def _repr_html_(self) -> str:
        from boxman.strategy.page import played_html

        return played_html(self)

    def transcript(self) -> str:
        """The session in the notation; the last line states the rail it ends with."""
        return "\n".join(self.lines) + "\n"


class TableChair(Chair):
    """A chair at the reference table."""

    def __init__(self, session: Session, keep_lines: bool = False) -> None:
        self.session = session
        self.layout, self.table = opened(session)
        self.close = needs_close(self.layout)
        self.rolls = self.seven_outs = self.shooter_rolls = 0
        self.won: dict[int, int] = {}
        self.lost: dict[int, int] = {}
        self.acts = 0
        self.short = False
        """Whether a proposal of this turn was refused for want of chips."""
        self.refusals: dict[tuple[str, str, tuple[str, ...]], tuple[int, str]] = {}
        self.figures: dict[str, dict[str, int]] = {}
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
    def felt(self) -> int:
        return sum(wager.stake for wager in self.seat.wagers.values())

    @property
    def worth(self) -> int:
        return self.seat.rail + self.felt

    def wager(self, spot: int) -> Wager | None:
        return self.seat.wagers.get(SPOTS[spot])

    def ranges(self, spot: int) -> tuple[Range, ...]:
        return open_ranges(self.layout, self.table, self.seat, SPOTS[spot])

    def limits(self) -> tuple[int, int]:
        return self.table.posted.minimum, self.table.posted.maximum

    def tally(self, name: str) -> int:
        match name:
            case "cash":
                return self.seat.rail
            case "net":
                return self.worth - self.session.bankroll
            case "rolls":
                return self.rolls
            case "shooters":
                return self.seven_outs
            case _:
                return self.shooter_rolls

    def propose(self, what: int, spot: int, amount: int) -> bool:
        ruling = self.say(call_for(what, spot, amount))
        refusal = ruling.refusal
        if refusal is None:
            return True
        if refusal.code != UNCOUNTED:
            self.short = self.short or refusal.code == SHORT
            key = (refusal.code, SPOTS[spot], refusal.cites)
            count, sentence = self.refusals.get(key, (0, refusal.sentence))
            self.refusals[key] = (count + 1, sentence)
        return False

    def say(self, call: Call) -> Ruling:
        """Put one call to the table and keep the books."""
        ruling = rule(self.layout, self.table, call)
        self.table = ruling.after
        self.ruling = ruling
        if self.lines is not None and not isinstance(call, CloseBets):
            self.lines.append(write_call(call))
        for made in ruling.decisions:
            if type(made) is Placed:
                self._note(made.spot, bets=1, staked=made.amount, fees=made.fee)
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
        """The dice are in a hand that may throw them."""
        return ready(self.layout, self.table, self._crew)

    def roll(self, number: int) -> Ruling:
        """One of the 36 rolls."""
        if self.close:
            self._crew(CloseBets(by="automatic crew"))
        dice = ROLLS[number]
        ruling = self.say(CallRoll(first=dice.first, second=dice.second))
        assert ruling.accepted, f"the roll was refused: {ruling.refusal}"
        self.last, self.last_hard = dice.total, dice.hard
        self.won, self.lost = {}, {}
        seven_out = False
        for made in ruling.decisions:
            if type(made) is Settled:
                spot = INDEX[made.spot]
                if made.paid:
                    self.won[spot] = made.paid
                if made.taken:
                    self.lost[spot] = made.taken
            elif type(made) is Rolled:
                seven_out = made.event == "seven-out"
        self.rolls += 1
        self.new_shooter = seven_out
        self.shooter_rolls += 1
        if seven_out:
            self.seven_outs += 1
            self.shooter_rolls = 0
        return ruling


def call_for(what: int, spot: int, amount: int) -> Call:
    """The call a proposal makes at the table."""
    name = SPOTS[spot]
    if what == BET:
        return Bet(seat=SEAT, spot=name, amount=amount)
    if what == REDUCE:
        return Reduce(seat=SEAT, spot=name, to=amount)
    if what == DOWN:
        return TakeDown(seat=SEAT, spot=name)
    if what in (ON, OFF):
        # One spot is called "all"; without `only` the word means every wager.
        only = name == "all"
        return SetWorking(seat=SEAT, spot=name, call="on" if what == ON else "off", only=only)
    return StayUp(seat=SEAT, spot=name)


def stopped(session: Session, rolls: int, seven_outs: int, worth: int) -> str:
    """Why a session ends before the next turn, if it does."""
    if rolls >= session.rolls:
        return "rolls"
    if session.shooters and seven_outs >= session.shooters:
        return "shooters"
    net = worth - session.bankroll
    if session.stop_win and net >= session.stop_win:
        return "win"
    if session.stop_loss and net <= -session.stop_loss:
        return "loss"
    return ""


def act(strategy: Strategy, turn: Turn, chair: Chair, rolls: int) -> None:
    """Let a strategy act once; what it raises becomes one message with the true place."""
    chair.acts = 0
    chair.turns += 1
    try:
        strategy.function(turn)
    except Exception as error:
        raise located(strategy, error, f"after roll {rolls}") from error


_PACKAGE = Path(__file__).parents[1].as_posix() + "/"
_LIBRARY = _PACKAGE + "strategy/library"


def is_engine(file: str) -> bool:
    """Whether a file is part of the program and not somebody's strategy."""
    path = Path(file).as_posix()
    return path.startswith(_PACKAGE) and not path.startswith(_LIBRARY)


def line_of(strategy: Strategy, error: BaseException) -> str:
    """Where in a strategy an exception came from, as its author knows the place."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not is_engine(frame.filename)]
    if not own:
        return strategy.place(strategy.line)
    frame = own[-1]
    code: CodeType = strategy.function.__code__
    if strategy.places and frame.filename == code.co_filename:
        return strategy.place(frame.lineno or 0)
    return f"{frame.filename}:{frame.lineno}"


def _trace(error: Exception) -> str:
    """The true traceback, from the strategy's own first line on."""
    told = traceback.TracebackException.from_exception(error)
    own = [n for n, frame in enumerate(told.stack) if not is_engine(frame.filename)]
    del told.stack[: own[0] if own else 0]
    return "".join(told.format())


def located(strategy: Strategy, error: Exception, when: str) -> StrategyError:
    """One message for what went wrong in a strategy: file, line, when and why."""
    known = isinstance(error, StrategyError | EndlessTurn)
    reason = str(error) if known else f"{type(error).__name__}: {error}"
    trace = "" if known else _trace(error)
    place = line_of(strategy, error)
    endless = isinstance(error, EndlessTurn)
    return StrategyError(f"{place}: {strategy.name}, {when}: {reason}", trace, endless)


def play(
    strategy: Strategy, session: Session, dice: Iterable[int], keep_lines: bool = False
) -> Played:
    """Play one session with these dice, each a number from 0 to 35."""
    check(strategy)
    chair = TableChair(session, keep_lines)
    with patience(chair):
        return _play(strategy, session, iter(dice), chair)


def _play(strategy: Strategy, session: Session, throws: Iterator[int], chair: TableChair) -> Played:
    turn = Turn(chair, dict(strategy.variables))
    highest = lowest = chair.worth
    drawdown = 0
    while True:
        worth = chair.worth
        highest, lowest = max(highest, worth), min(lowest, worth)
        drawdown = max(drawdown, highest - worth)
        end = stopped(session, chair.rolls, chair.seven_outs, worth)
        if end:
            break
        chair.short = False
        act(strategy, turn, chair, chair.rolls)
        if chair.short and not chair.seat.wagers:
            end = "broke"
            break
        if not chair.ready():
            end = "no shooter"
            break
        chair.roll(next_roll(throws, chair.rolls))
    worth = chair.worth
    highest, lowest = max(highest, worth), min(lowest, worth)
    drawdown = max(drawdown, highest - worth)
    rolls, seven_outs = chair.rolls, chair.seven_outs
    value = None
    if session.end == RUN_OUT:
        for number in run_out(chair, throws):
            chair.roll(number)
    elif session.end == VALUE:
        from boxman.strategy.felt import Felts
        from boxman.strategy.worth import value_beyond_face

        value = value_beyond_face(Felts(session), chair.table)
    lines: tuple[str, ...] = ()
    if chair.lines is not None:
        chair.lines[-1] += f" : {SEAT} rail {money(chair.seat.rail)}"
        lines = tuple(chair.lines)
    wagers = {
        spot: WagerFigures(spot=spot, **chair.figures[spot])
        for spot in sorted(chair.figures, key=INDEX.__getitem__)
    }
    return Played(
        strategy=strategy.name,
        session=session,
        worth=chair.worth,
        rail=chair.seat.rail,
        felt=chair.felt,
        rolls=rolls,
        run_out=chair.rolls - rolls,
        seven_outs=seven_outs,
        end=end,
        highest=highest,
        lowest=lowest,
        drawdown=drawdown,
        staked=sum(each.staked for each in wagers.values()),
        refusals=tuple(
            RefusedHere(*key, sentence, count) for key, (count, sentence) in chair.refusals.items()
        ),
        wagers=wagers,
        value=value,
        lines=lines,
    )


def next_roll(throws: Iterator[int], rolls: int) -> int:
    """The next of the dice."""
    number = next(throws, None)
    if number is None:
        raise StrategyError(f"the dice ended after {rolls} rolls")
    return number


def run_out(chair: TableChair, throws: Iterator[int]) -> Iterator[int]:
    """The rolls, without the strategy, until nothing is up; nothing is made again.

    Whoever asks for the next roll has to throw it first.
    """
    for wager in chair.seat.wagers.values():
        if wager.stays:
            chair.say(StayUp(seat=SEAT, spot=wager.spot, stays=False))
    for _ in range(RUN_OUT_ROLLS):
        if not chair.seat.wagers or not chair.ready():
            break
        yield next_roll(throws, chair.rolls)
