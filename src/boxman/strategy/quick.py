"""Sessions over felts ruled on before: exactly the reference's results, many times sooner.

The strategy itself still runs as plain Python at every turn, so it may read its cash and count what
it likes. It is what near-ruin lanes of an automaton go on in, and what strategies that cannot be
compiled are simulated with. A session may begin at any state an automaton was in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import msgspec

from boxman.dice import ROLLS
from boxman.strategy.api import Strategy
from boxman.strategy.check import check
from boxman.strategy.explore import RefusedKey
from boxman.strategy.felt import Felt, FeltChair, Felts, Put
from boxman.strategy.patience import patience
from boxman.strategy.reference import act, next_roll, stopped
from boxman.strategy.session import RUN_OUT, RUN_OUT_ROLLS, VALUE, Session
from boxman.strategy.spots import SPOTS
from boxman.strategy.view import Turn
from boxman.table.rulings import Refusal

KIND_OF_ROLL = tuple(roll.kind for roll in ROLLS)


class Quick(msgspec.Struct, frozen=True, kw_only=True):
    """How a session ended; as `Played` of the reference, without figures by wager."""

    worth: int
    rail: int
    felt: int
    rolls: int
    run_out: int
    seven_outs: int
    end: str
    highest: int
    lowest: int
    drawdown: int
    staked: int
    refusals: dict[RefusedKey, int]
    value: Fraction | None = None


class Noted:
    """What was put down, decided and refused in sessions over the same felts."""

    def __init__(self) -> None:
        self.rolled: Counter[tuple[int, int]] = Counter()
        """By felt and kind of roll."""
        self.put: Counter[Put] = Counter()
        """By the strategy; what rolls put down is in what they made of a felt."""
        self.refused: Counter[RefusedKey] = Counter()
        self.said: dict[RefusedKey, str] = {}
        """The sentence, as it was said the first time."""
        self.first: dict[tuple[str, str, Any], Refusal] = {}
        """The first of its code on a spot, for one way of proposing with the puck in one place."""


class From(msgspec.Struct, frozen=True, kw_only=True):
    """Where a session goes on: after the strategy has acted, before a roll."""

    felt: Felt
    variables: dict[str, int]
    rail: int
    rolls: int
    seven_outs: int
    shooter_rolls: int = 0
    highest: int
    lowest: int
    drawdown: int = 0
    staked: int = 0


class _Chair(FeltChair):
    """A chair that knows how the session stands."""

    rolls = seven_outs = shooter_rolls = 0
    bankroll = 0
    noted: Noted | None = None

    @property
    def worth(self) -> int:
        return self.rail + self.felt.stake

    def propose(self, what: int, spot: int, amount: int) -> bool:
        if self.noted is None:
            return super().propose(what, spot, amount)
        before, up = len(self.refused), spot in self.felt.wagers
        done = super().propose(what, spot, amount)
        for refusal, _ in self.refused[before:]:
            # A bet on top of another is a way of its own.
            way = (what + up, self.felt.puck)
            self.noted.first.setdefault((refusal.code, SPOTS[spot], way), refusal)
        return done

    def tally(self, name: str) -> int:
        match name:
            case "cash":
                return self.rail
            case "net":
                return self.worth - self.bankroll
            case "rolls":
                return self.rolls
            case "shooters":
                return self.seven_outs
            case _:
                return self.shooter_rolls


def play_quick(
    strategy: Strategy,
    session: Session,
    dice: Iterable[int],
    felts: Felts,
    begin: From | None = None,
    noted: Noted | None = None,
) -> Quick:
    """Play one session, or the rest of one; `felts` of the same table may be shared by many.

    With `begin`, the first of the dice is the roll that follows that state.
    """
    check(strategy)
    chair = _Chair(felts, session.bankroll)
    chair.bankroll = session.bankroll
    chair.noted = noted
    with patience(chair):
        return _play(strategy, session, iter(dice), chair, begin)


def _play(
    strategy: Strategy, session: Session, throws: Iterator[int], chair: _Chair, begin: From | None
) -> Quick:
    felts = chair.felts
    refusals: Counter[RefusedKey] = Counter()
    highest = lowest = session.bankroll
    drawdown = 0
    if begin is None:
        turn = Turn(chair, dict(strategy.variables))
        chair.sit(felts.start, None)
    else:
        turn = Turn(chair, dict(begin.variables))
        chair.felt, chair.rail, chair.staked = begin.felt, begin.rail, begin.staked
        chair.rolls, chair.seven_outs = begin.rolls, begin.seven_outs
        chair.shooter_rolls = begin.shooter_rolls
        highest, lowest, drawdown = begin.highest, begin.lowest, begin.drawdown
        if begin.felt.ready is False:
            return _over(chair, session, throws, "no shooter", refusals, begin)
        _roll(chair, felts, next_roll(throws, chair.rolls))
    while True:
        worth = chair.worth
        if worth > highest:
            highest = worth
        elif worth < lowest:
            lowest = worth
        if highest - worth > drawdown:
            drawdown = highest - worth
        end = stopped(session, chair.rolls, chair.seven_outs, worth)
        if end:
            break
        act(strategy, turn, chair, chair.rolls)
        if chair.noted is not None:
            _note(chair, chair.noted)
        if chair.refused:
            refusals.update((r.code, SPOTS[spot], r.cites) for r, spot in chair.refused)
            if chair.short and not chair.felt.wagers:
                end = "broke"
                break
        held = felts.ready(chair.felt)
        if held is None:
            end = "no shooter"
            chair.felt, given = felts.left(chair.felt)
            chair.rail += given
            break
        chair.felt = held[0]
        chair.rail += held[1]
        _roll(chair, felts, next_roll(throws, chair.rolls))
    series = From(
        felt=chair.felt,
        variables={},
        rail=0,
        rolls=0,
        seven_outs=0,
        highest=highest,
        lowest=lowest,
        drawdown=drawdown,
    )
    return _over(chair, session, throws, end, refusals, series)


def _note(chair: _Chair, noted: Noted) -> None:
    noted.put.update(chair.put)
    for refusal, spot in chair.refused:
        key = (refusal.code, SPOTS[spot], refusal.cites)
        noted.refused[key] += 1
        noted.said.setdefault(key, refusal.sentence)


def _roll(chair: _Chair, felts: Felts, number: int) -> None:
    landed = felts.roll(chair.felt, KIND_OF_ROLL[number])
    if chair.noted is not None:
        chair.noted.rolled[chair.felt.index, KIND_OF_ROLL[number]] += 1
    chair.rail += landed.cash
    chair.staked += landed.staked
    chair.rolls += 1
    chair.shooter_rolls += 1
    if landed.seven_out:
        chair.seven_outs += 1
        chair.shooter_rolls = 0
    chair.sit(landed.felt, landed)


def _over(
    chair: _Chair,
    session: Session,
    throws: Iterator[int],
    end: str,
    refusals: Counter[RefusedKey],
    series: From,
) -> Quick:
    rolls, seven_outs = chair.rolls, chair.seven_outs
    felts = chair.felts
    worth = chair.worth
    highest, lowest = max(series.highest, worth), min(series.lowest, worth)
    drawdown = max(series.drawdown, highest - worth)
    value = None
    if session.end == RUN_OUT:
        chair.felt = felts.let_go(chair.felt)
        for _ in range(RUN_OUT_ROLLS):
            held = felts.ready(chair.felt) if chair.felt.wagers else None
            if held is None:
                break
            chair.felt = held[0]
            chair.rail += held[1]
            _roll(chair, felts, next_roll(throws, chair.rolls))
    elif session.end == VALUE:
        from boxman.strategy.worth import value_of_felt

        value = value_of_felt(felts, chair.felt)
    return Quick(
        worth=chair.worth,
        rail=chair.rail,
        felt=chair.felt.stake,
        rolls=rolls,
        run_out=chair.rolls - rolls,
        seven_outs=seven_outs,
        end=end,
        highest=highest,
        lowest=lowest,
        drawdown=drawdown,
        staked=chair.staked,
        refusals=dict(refusals),
        value=value,
    )
