"""Exact sessions of strategies that read their chips: every rail followed on its own.

A strategy that looks at its cash has no automaton, but where it keeps to few amounts it has few
(felt, rail) to be in, and each is played once on felts the reference table ruled on. One that also
counts rolls is followed roll by roll. The answer has the form of `exact`; it knows no policy.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from time import thread_time
from typing import Any, NamedTuple

import numpy as np

from boxman.dice import Rolls
from boxman.sim.exact import FOREVER, GIVEN_UP, NotSolved, Solved
from boxman.strategy.api import Strategy
from boxman.strategy.check import check
from boxman.strategy.ends import BY_WIN, ENDS, stopped
from boxman.strategy.felt import Felt, FeltChair, Felts
from boxman.strategy.library.policy import policy_of
from boxman.strategy.located import located
from boxman.strategy.patience import patience
from boxman.strategy.session import RUN_OUT, VALUE, Session
from boxman.strategy.view import Turn
from boxman.strategy.worth import value_of_felt
from boxman.words import phrase

STATES = 1_000_000
"""Turns that are followed, at most."""
UNBOUNDED = 50_000
"""The same where nothing keeps the rail from growing: there seldom is an end to come to."""
SECONDS = 60
LOOK = 256
"""Turns from one look at the clock to the next, which costs as much as a turn."""
Node = tuple[Felt, int, tuple[int, ...]]
"""What a roll left: the felt, the rail, the strategy's variables."""


class _Chair(FeltChair):
    """A chair that says its rail, and notes whether anybody counted rolls."""

    rolls = 0
    counted = False
    bankroll = 0

    def tally(self, name: str) -> int:
        if name == "cash":
            return self.rail
        if name == "net":
            return self.rail + self.felt.stake - self.bankroll
        if name == "rolls":
            self.counted = True
            return self.rolls
        raise NotSolved(phrase("sim.wrong.t-counts-what-no-felt", name=name))


class TurnEnd(NamedTuple):
    """How a session ends at a turn, and with what; no end where it goes on."""

    end: str
    worth: int
    beyond: Fraction = Fraction(0)
    """What is left up is worth beyond its face."""


GOES_ON = TurnEnd("", 0)


class _Follower:
    """Turns played one after the other, each only once."""

    def __init__(self, strategy: Strategy, session: Session, seconds: float) -> None:
        check(strategy)
        self.strategy, self.session = strategy, session
        self.felts = Felts(session, by_faces=True)
        self.rolls = self.felts.rolls
        self.chair = _Chair(self.felts, session.bankroll)
        self.chair.bankroll = session.bankroll
        self.variables = dict(strategy.variables)
        self.turn = Turn(self.chair, self.variables)
        self.until = thread_time() + seconds
        self.turns = 0
        bounded = session.stop_win or policy_of(strategy) is not None
        self.most = STATES if bounded else UNBOUNDED
        self.limited = False
        """Whether turns are of one roll, so that the last one is known."""

    def beyond(self, felt: Felt) -> Fraction:
        """What is left up is worth beyond its face, where the session counts that."""
        return value_of_felt(self.felts, felt) if self.session.end == VALUE else Fraction(0)

    def played(self, node: Node, landed: Any, rolls: int) -> tuple[TurnEnd, list[Any]]:
        """One turn: how the session ends there, if it does, or what each roll leaves."""
        felt, rail, values = node
        chair, session = self.chair, self.session
        worth = rail + felt.stake
        down = self.felts.down(felt) if session.takes_down else None
        nets = (worth - session.bankroll, (rail + down.cash if down else worth) - session.bankroll)
        limits = (session.rolls if self.limited else rolls + 1, 0)
        end = stopped(rolls, 0, *nets, *limits, session.stop_win, session.stop_loss)
        if end >= 0:
            if end == BY_WIN and down:
                worth, felt = rail + down.cash + down.felt.stake, down.felt
            return TurnEnd(ENDS[end], worth, self.beyond(felt)), []
        self.turns += 1
        if self.turns > self.most or (self.turns % LOOK == 0 and thread_time() > self.until):
            raise NotSolved(phrase("sim.wrong.over-felts-and-rails-too", turns=f"{self.turns:,}"))
        chair.sit(felt, landed)
        chair.rail, chair.rolls, chair.staked = rail, rolls, 0
        for name, value in zip(self.variables, values, strict=True):
            self.variables[name] = value
        chair.acts = 0
        chair.turns += 1
        try:
            self.strategy.function(self.turn)
        except NotSolved:
            raise
        except Exception as error:
            raise located(
                self.strategy, error, phrase("sim.wrong.after-roll", rolls=rolls)
            ) from error
        if chair.short and not chair.felt.wagers:
            return TurnEnd("broke", chair.rail), []
        held = self.felts.ready(chair.felt)
        if held is None:
            left, cash = self.felts.left(chair.felt)
            return TurnEnd("no shooter", chair.rail + cash + left.stake, self.beyond(left)), []
        after, cash = held[0], chair.rail + held[1]
        kept = tuple(self.variables.values())
        rolled = [self.felts.roll(after, kind) for kind in range(len(self.rolls.kinds))]
        return GOES_ON, [((each.felt, cash + each.cash, kept), each) for each in rolled]


def _chances(rolls: Rolls) -> Any:
    """The chance of each kind of roll."""
    return np.array([kind.ways for kind in rolls.kinds]) / 36


class _Books:
    """What sessions ended with so far."""

    def __init__(self, bankroll: int) -> None:
        self.bankroll = bankroll
        self.nets: dict[int, float] = defaultdict(float)
        self.value = 0.0
        self.ends = dict.fromkeys(ENDS, 0.0)
        self.rolls = 0.0
        self.broke_by: list[float] = []

    def over(self, ended: TurnEnd, share: float) -> None:
        self.ends[ended.end] += share
        self.nets[ended.worth - self.bankroll] += share
        self.value += float(ended.beyond) * share

    def solved(self, left: float, turns: int) -> Solved:
        mass = sum(self.nets.values()) + left
        figures = (self.rolls, self.broke_by, mass, turns, self.value)
        return Solved(dict(self.nets), self.ends, *figures)


class CountsRolls(NotSolved):
    """The turns of every roll are others."""

    def __init__(self) -> None:
        super().__init__(phrase("sim.wrong.t-rolls-is-read-so"))


def followed(
    strategy: Strategy, session: Session, *, ever: bool = False, seconds: float = SECONDS
) -> Solved:
    """The whole distribution of a session of a strategy that reads its chips, or NotSolved.

    Without a limit of rolls, whoever bets nothing more has ended with what is on the rail.
    """
    if session.shooters or session.end == RUN_OUT:
        raise NotSolved(phrase("sim.wrong.a-strategy-that-reads-its"))
    follower = _Follower(strategy, session, seconds)
    try:
        with patience(follower.chair):
            turns = _turns(follower, session)
    except CountsRolls:
        if ever:
            raise NotSolved(phrase("sim.wrong.t-rolls-is-read-so-2")) from None
        with patience(follower.chair):
            return _roll_by_roll(follower, session)
    return _pushed(turns, session, ever=ever)


def _key(node: Node, landed: Any, *, asks: bool) -> tuple[Any, ...]:
    """Turns with the same key come out the same; most strategies may ask about the last roll."""
    felt, rail, values = node
    told: tuple[Any, ...] = ()
    if asks and landed is not None:
        amounts = (tuple(sorted(each.items())) for each in (landed.won, landed.lost))
        told = (*amounts, landed.total, landed.hard, landed.seven_out)
    return felt.index, rail, values, told


class Turns(NamedTuple):
    """Turns that do not count rolls, each played once."""

    table: Any
    """By turn and kind of roll, the turn after it."""
    ending: list[TurnEnd]
    """How the session ends there, if it does, and with what."""
    worths: Any
    beyond: list[Fraction]
    """What is up before the turn is worth beyond its face, where that counts."""
    up: Any
    """Whether anything is up at the roll."""
    staked: Any
    """By turn and kind of roll, what is put up in the turn and by the roll."""
    sevens: Any
    """By turn and kind of roll, whether it is a seven-out."""
    rolls: Rolls
    """The kinds of roll that were told apart."""


def _turns(follower: _Follower, session: Session) -> Turns:
    asks = policy_of(follower.strategy) is None
    values = tuple(follower.strategy.variables.values())
    nodes: list[tuple[Node, Any]] = [((follower.felts.start, session.bankroll, values), None)]
    index = {_key(*nodes[0], asks=asks): 0}
    rows: list[list[int]] = []
    ending: list[TurnEnd] = []
    up: list[bool] = []
    staked: list[list[int]] = []
    sevens: list[list[bool]] = []
    kinds = len(follower.rolls.kinds)
    nothing = [0] * kinds
    while len(rows) < len(nodes):
        node, landed = nodes[len(rows)]
        ended, rolled = follower.played(node, landed, 0)
        if follower.chair.counted:
            raise CountsRolls
        ending.append(ended)
        up.append(not ended.end and bool(follower.chair.felt.wagers))
        row = []
        for each in rolled:
            key = _key(*each, asks=asks)
            if key not in index:
                index[key] = len(nodes)
                nodes.append(each)
            row.append(index[key])
        rows.append(row or nothing)
        put = follower.chair.staked
        staked.append([put + each.staked for _, each in rolled] or nothing)
        sevens.append([each.seven_out for _, each in rolled] or [False] * kinds)
    worths = np.array([rail + felt.stake for (felt, rail, _), _ in nodes])
    beyond = [follower.beyond(felt) for (felt, _, _), _ in nodes]
    return Turns(
        *(np.array(rows), ending, worths, beyond),
        *(np.array(up), np.array(staked), np.array(sevens), follower.rolls),
    )


def turns_of(strategy: Strategy, session: Session, seconds: float = SECONDS) -> Turns:
    """Every turn a strategy can come to, played once, or NotSolved."""
    follower = _Follower(strategy, session, seconds)
    with patience(follower.chair):
        return _turns(follower, session)


def _idle(turns: Turns, over: Any) -> Any:
    """The turns after which nothing is ever bet."""
    busy = turns.up | over
    while True:
        more = busy | busy[turns.table].any(axis=1)
        if (more == busy).all():
            return ~busy
        busy = more


def _pushed(turns: Turns, session: Session, *, ever: bool) -> Solved:
    """Probability pushed along the turns."""
    ending = list(turns.ending)
    table, worths, ways = turns.table, turns.worths, _chances(turns.rolls)
    over = np.array([bool(each.end) for each in ending])
    by_rolls = [TurnEnd("rolls", *each) for each in zip(worths.tolist(), turns.beyond, strict=True)]
    if ever:
        for place in np.flatnonzero(_idle(turns, over)):
            ending[place] = by_rolls[place]
            over[place] = True
    books = _Books(session.bankroll)
    mass: Any = np.zeros(len(worths))
    mass[0] = 1.0
    for number in range(FOREVER if ever else session.rolls + 1):
        if not ever and number == session.rolls:
            for place in np.flatnonzero(mass):
                books.over(by_rolls[place], float(mass[place]))
            mass[:] = 0.0
            break
        for place in np.flatnonzero(over & (mass > 0)):
            books.over(ending[place], float(mass[place]))
        mass[over] = 0.0
        books.broke_by.append(books.ends["broke"])
        live = float(mass.sum())
        if live <= (GIVEN_UP if ever else 0.0):
            break
        books.rolls += live
        spread = (mass[:, None] * ways[None, :]).ravel()
        mass = np.bincount(table.ravel(), spread, minlength=len(worths))
    return books.solved(float(mass.sum()), len(worths))


def _roll_by_roll(follower: _Follower, session: Session) -> Solved:
    """Every turn played at every roll."""
    follower.limited, follower.most = True, STATES
    ways = _chances(follower.rolls)
    asks = policy_of(follower.strategy) is None
    values = tuple(follower.strategy.variables.values())
    start: Node = (follower.felts.start, session.bankroll, values)
    now: dict[Any, tuple[Node, Any, float]] = {_key(start, None, asks=asks): (start, None, 1.0)}
    books = _Books(session.bankroll)
    for number in range(session.rolls + 1):
        after: dict[Any, tuple[Node, Any, float]] = {}
        for node, landed, share in now.values():
            ended, rolled = follower.played(node, landed, number)
            if ended.end:
                books.over(ended, share)
                continue
            books.rolls += share
            for kind, each in enumerate(rolled):
                key = _key(*each, asks=asks)
                before = after[key][2] if key in after else 0.0
                after[key] = (*each, before + share * float(ways[kind]))
        books.broke_by.append(books.ends["broke"])
        now = after
    return books.solved(0.0, follower.turns)
