"""The course of a session: the one loop that every chair in Python goes through.

Stop checks, the strategy's acts, broke, the dice in a hand that may throw them, the roll; in the
end what is still up. It knows no rule of the table: that is the chair's, be it at the table itself
(reference.py), before felts ruled on earlier (quick.py) or with somebody watching (debug.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import chain

from boxman.strategy.api import Strategy, StrategyError
from boxman.strategy.check import check
from boxman.strategy.ends import (
    BROKE,
    BY_WIN,
    ENDS,
    GOES_ON,
    NO_SHOOTER,
    RUN_OUT_ROLLS,
    Ended,
    RefusedHere,
    RefusedKey,
    stopped,
)
from boxman.strategy.located import located
from boxman.strategy.patience import patience
from boxman.strategy.session import RUN_OUT, VALUE, Session
from boxman.strategy.spots import SPOTS
from boxman.strategy.view import Chair, Turn
from boxman.table.rulings import Refusal
from boxman.words import phrase


class SessionChair(Chair):
    """A chair in which a whole session is played."""

    session: Session
    rolls = seven_outs = shooter_rolls = 0
    rail: int
    staked: int
    """All that was ever put up."""
    short = False
    """Whether a proposal of this turn was refused for want of chips."""
    ended: Ended | None = None

    variables: dict[str, int]
    refusals: dict[RefusedKey, RefusedHere]

    @property
    def stake(self) -> int:
        """What is up, at face."""
        raise NotImplementedError

    @property
    def bare(self) -> bool:
        """Whether nothing is up."""
        raise NotImplementedError

    @property
    def worth(self) -> int:
        return self.rail + self.stake

    @property
    def counted(self) -> int:
        """What would be on the rail with everything down that may be taken down."""
        raise NotImplementedError

    def take_down(self) -> None:
        """Take down what may be: enough was won."""
        raise NotImplementedError

    def acted(self) -> None:
        """The strategy has done what it wanted before the roll."""

    def ready(self) -> bool:
        """Get the dice into a hand that may throw them; False if nobody will throw."""
        raise NotImplementedError

    def roll(self, number: int) -> None:
        """One of the 36 rolls."""
        raise NotImplementedError

    def let_go(self) -> None:
        """The strategy is gone: nothing is made again."""
        raise NotImplementedError

    def value(self) -> Fraction:
        """What is up is worth so much beyond its face."""
        raise NotImplementedError

    def rolled(self) -> None:
        """Count a roll."""
        self.rolls += 1
        if self.new_shooter:
            self.seven_outs += 1
            self.shooter_rolls = 0
        else:
            self.shooter_rolls += 1

    def count_refusal(self, refusal: Refusal, spot: int) -> None:
        """Count a refusal."""
        key = (refusal.code, SPOTS[spot], refusal.cites)
        known = self.refusals.get(key)
        sentence, count = (known.sentence, known.count) if known else (refusal.sentence, 0)
        self.refusals[key] = RefusedHere(*key, sentence, count + 1)

    def tally(self, name: str) -> int:
        match name:
            case "cash":
                return self.rail
            case "net":
                return self.worth - self.session.bankroll
            case "rolls":
                return self.rolls
            case "shooters":
                return self.seven_outs
            case _:
                return self.shooter_rolls


def course(strategy: Strategy, chair: SessionChair, dice: Iterable[int]) -> Iterator[None]:
    """A session in a chair, roll by roll; when it is over the chair knows how it ended."""
    check(strategy)
    session = chair.session
    bankroll = session.bankroll
    limits = (session.rolls, session.shooters, session.stop_win, session.stop_loss)
    throws = chain(dice, _no_more(chair))
    chair.variables = dict(strategy.variables)
    act, turn = strategy.function, Turn(chair, chair.variables)
    highest = lowest = bankroll
    drawdown = 0
    end = GOES_ON
    while True:
        worth = chair.worth
        if worth > highest:
            highest = worth
        elif worth < lowest:
            lowest = worth
        if highest - worth > drawdown:
            drawdown = highest - worth
        if end >= 0:
            break
        held = chair.counted if session.takes_down else worth
        nets = (worth - bankroll, held - bankroll)
        end = stopped(chair.rolls, chair.seven_outs, *nets, *limits)
        if end >= 0:
            if end == BY_WIN and session.takes_down:
                chair.take_down()
            continue
        chair.short = False
        chair.acts = 0
        chair.turns += 1
        try:
            act(turn)
        except Exception as error:
            raise located(
                strategy, error, phrase("strategy.wrong.after-roll", rolls=chair.rolls)
            ) from error
        chair.acted()
        if chair.short and chair.bare:
            end = BROKE
        elif not chair.ready():
            end = NO_SHOOTER
        else:
            chair.roll(next(throws))
            yield
    rolls, seven_outs = chair.rolls, chair.seven_outs
    if session.end == RUN_OUT:
        chair.let_go()
        for _ in range(RUN_OUT_ROLLS):
            if chair.bare or not chair.ready():
                break
            chair.roll(next(throws))
            yield
    chair.ended = Ended(
        bankroll=bankroll,
        worth=chair.worth,
        rail=chair.rail,
        felt=chair.stake,
        rolls=rolls,
        run_out=chair.rolls - rolls,
        seven_outs=seven_outs,
        end=ENDS[end],
        highest=highest,
        lowest=lowest,
        drawdown=drawdown,
        staked=chair.staked,
        refusals=tuple(chair.refusals.values()),
        value=chair.value() if session.end == VALUE else None,
    )


def played(strategy: Strategy, chair: SessionChair, dice: Iterable[int]) -> Ended:
    """How a session in a chair ended."""
    with patience(chair):
        for _ in course(strategy, chair, dice):
            pass
    assert chair.ended is not None
    return chair.ended


def _no_more(chair: SessionChair) -> Iterator[int]:
    """Where the dice end before the session does."""
    yield from ()
    raise StrategyError(phrase("strategy.wrong.the-dice-ended-after-rolls", rolls=chair.rolls))
