"""Explore a strategy: play it once from every felt it can reach, under every kind of roll.

What comes out is an automaton (automaton.py) that holds every rule of the house, because the
reference table made it. A strategy can be explored if what it does depends only on the felt, the
last roll and its own variables; one that reads its cash or counts rolls cannot, and is told so with
the line. Exploring has a budget of states and of work, counted in rulings of the table: what can be
explored does not depend on the machine.

After a roll, what a strategy's acts lead to depends on the cash only by thresholds: bets that pass
with some cash pass with more, bets refused for want of chips are refused with less. So each state
and kind of roll has a few bands, the highest for a rail deep enough for everything, the lowest down
to nothing. The highest are explored first; refused bets can lead to states no deep rail ever saw,
and those come after. Where the budget ends among them, a last band says that it is not known what
so little money leads to.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import takewhile
from typing import NamedTuple

from boxman.dice import Roll
from boxman.strategy.api import Strategy
from boxman.strategy.check import Watch, check
from boxman.strategy.ends import BROKE, ENDS, GOES_ON, NO_SHOOTER
from boxman.strategy.felt import (
    DEEP,
    Answers,
    Felt,
    FeltChair,
    Felts,
    Landed,
    NotExplored,
    Put,
    TellsFaces,
    same_answers,
)
from boxman.strategy.located import located
from boxman.strategy.patience import patience
from boxman.strategy.proposals import SHORT
from boxman.strategy.session import Session
from boxman.strategy.spots import SPOTS
from boxman.strategy.view import WatchedTurn
from boxman.table.rulings import Refusal
from boxman.words import phrase

STATES = 20_000
RULINGS = 200_000
"""About five seconds of a core of 2026."""
TURN = 2.5
"""A turn of the strategy takes as long as so many rulings."""
NOT_KNOWN = len(ENDS)
"""The end of a band below those that were explored."""
Variables = tuple[int, ...]
RefusedSaid = tuple[str, str, tuple[str, ...], str]
"""Code, spot, clauses, sentence."""


class Unbounded(NotExplored):
    """It reads something an automaton does not have."""

    def __init__(self, attribute: str) -> None:
        super().__init__(phrase("strategy.wrong.t-is-not-part-of", attribute=attribute))
        self.attribute = attribute


class TooLarge(NotExplored):
    """It has more states, or takes more work, than the budget allows."""


class DeepChair(FeltChair):
    """A chair whose rail is never read."""

    def tally(self, name: str) -> int:
        raise Unbounded(name)


class Band(NamedTuple):
    """What the acts lead to with at least so much cash, and less than the band above needs."""

    least: int
    """Cash after the roll, before the acts."""
    next: int
    """The state, or -1 where the player is broke."""
    act: int
    """The change of the cash by the acts."""
    end: int
    staked: int
    refused: tuple[RefusedSaid, ...]
    put: tuple[Put, ...]


UNKNOWN = Band(0, -1, 0, NOT_KNOWN, 0, (), ())


class Bands(NamedTuple):
    """Bands of one felt and one set of variables, and what was asked about the roll before."""

    answers: Answers
    found: tuple[Band, ...]


class Explorer:
    """States of one strategy at one table, found one after the other."""

    def __init__(
        self,
        strategy: Strategy,
        session: Session,
        states: int = STATES,
        rulings: int = RULINGS,
        felts: Felts | None = None,
    ) -> None:
        check(strategy)
        self.strategy = strategy
        self.session = session
        self.felts = felts or Felts(session)
        self.states_allowed = states
        self.rulings_allowed = rulings
        self._ruled_before = self.felts.rulings
        self.names = tuple(strategy.variables)
        self.variables = dict(strategy.variables)
        self.chair = DeepChair(self.felts, 0)
        self.turn = WatchedTurn(self.chair, self.variables)
        self._tops: dict[tuple[int, Variables], list[Bands]] = {}
        """The highest bands, by what was asked about the roll before; then all bands."""
        self._whole: dict[tuple[int, Variables], list[Bands]] = {}
        self.at: tuple[int, int] | None = None
        """The state and kind of roll at hand."""
        self.origin: list[tuple[int, int] | None] = []
        self.index: dict[tuple[int, Variables], int] = {}
        self.states: list[tuple[Felt, Variables]] = []
        self.halts: list[bool] = []
        self.landed: list[list[Landed]] = []
        """By state, what each kind of roll leaves behind; empty where nobody throws."""
        self.bands: list[list[tuple[Band, ...]]] = []
        """By state, the bands of each kind of roll, highest first."""
        self.start: tuple[Band, ...] = ()
        self.deep = 0
        """How many states a deep rail comes to; they are the first."""
        self.unknown = ""
        """Why there are bands that end as not known; nothing where all are known."""
        self.watch = Watch(strategy)

    def run(self) -> None:
        """Explore until no state is left; raises where not even deep rails can be followed."""
        values = tuple(self.strategy.variables.values())
        with patience(self.chair):
            self.start = _cut(self._top(self.felts.start, values, None).found)
            self._deep()
            self.deep = len(self.states)
            try:
                self.at = None
                self.start = self._all(self.felts.start, values, None).found
                self._poor()
            except TooLarge as error:
                self.unknown = str(error)
                self._forget()
        self.watch.over()

    def _forget(self) -> None:
        """Leave out states that even a deep rail cannot be followed from, and what leads there."""
        lost = set(range(len(self.landed), len(self.states)))
        more = lost
        while more:
            more = {
                number
                for number, row in enumerate(self.bands)
                if number not in lost and any(bands[0].next in lost for bands in row)
            }
            lost |= more
        for _ in range(len(self.landed), len(self.states)):
            self.landed.append([])
            self.bands.append([])
        for number in lost:
            # Nothing leads here any more, so nobody throws here.
            self.landed[number], self.bands[number], self.halts[number] = [], [], True
        self.start = _cut(self.start, lost)
        self.bands = [[_cut(bands, lost) for bands in row] for row in self.bands]

    def _deep(self) -> None:
        """What deep rails lead to."""
        while len(self.landed) < len(self.states):
            number = len(self.landed)
            felt, values = self.states[number]
            landed, bands = [], []
            if not self.halts[number]:
                for kind in range(len(self.felts.rolls.kinds)):
                    self.at = (number, kind)
                    landed.append(self.felts.roll(felt, kind))
                    found = self._top(landed[-1].felt, values, landed[-1]).found
                    bands.append(_cut(found))
            self.landed.append(landed)
            self.bands.append(bands)
            self._check_work()

    def _poor(self) -> None:
        """What every rail leads to, down to an empty one."""
        number = 0
        while number < len(self.states):
            self._deep()
            values = self.states[number][1]
            for kind, landed in enumerate(self.landed[number]):
                self.at = (number, kind)
                self.bands[number][kind] = self._all(landed.felt, values, landed).found
            self._check_work()
            number += 1

    def _top(self, felt: Felt, values: Variables, landed: Landed | None) -> Bands:
        """What the strategy does after a roll with a deep rail."""
        known = self._tops.setdefault((felt.index, values), [])
        for bands in known:
            if same_answers(landed, bands.answers):
                return bands
        band = self._band(felt, values, landed, DEEP)
        known.append(Bands(tuple(self.chair.reads.items()), (band,)))
        return known[-1]

    def _all(self, felt: Felt, values: Variables, landed: Landed | None) -> Bands:
        """What it does with any rail."""
        known = self._whole.setdefault((felt.index, values), [])
        for bands in known:
            if same_answers(landed, bands.answers):
                return bands
        answers, found = self._top(felt, values, landed)
        asked = dict(answers)
        while found[-1].least > 0:
            found += (self._band(felt, values, landed, found[-1].least - 1),)
            asked |= self.chair.reads
        known.append(Bands(tuple(asked.items()), found))
        return known[-1]

    def _band(self, felt: Felt, values: Variables, landed: Landed | None, cash: int) -> Band:
        """Let the strategy act once, with this much on the rail."""
        chair = self.chair
        self._perform(felt, values, landed, cash)
        least, act = cash - chair.low, chair.rail - cash
        refused = tuple((r.code, SPOTS[spot], r.cites, _said(r)) for r, spot in chair.refused)
        after, put = chair.felt, tuple(chair.put)
        if chair.short and not after.wagers:
            return Band(least, -1, act, BROKE, chair.staked, refused, put)
        held = self.felts.ready(after)
        after, more = held or self.felts.left(after)
        act += more
        number = self._state(after, tuple(self.variables.values()), held is None)
        end = NO_SHOOTER if held is None else GOES_ON
        return Band(least, number, act, end, chair.staked, refused, put)

    def _perform(self, felt: Felt, values: Variables, landed: Landed | None, rail: int) -> None:
        chair = self.chair
        self.variables.update(zip(self.names, values, strict=True))
        chair.acts = chair.staked = 0
        chair.turns += 1
        chair.reads = {}
        chair.rail = chair.low = rail
        chair.sit(felt, landed)
        try:
            self.strategy.function(self.turn)
        except Unbounded as error:
            raise self._unbounded(error) from error
        except TellsFaces:
            raise  # felts that are asked about faces are wanted
        except Exception as error:
            raise located(self.strategy, error, self._when()) from error

    def _state(self, felt: Felt, values: Variables, halted: bool) -> int:
        """The number of a state, new or known."""
        key = (felt.index, values)
        found = self.index.get(key)
        if found is None:
            if len(self.states) >= self.states_allowed:
                raise TooLarge(
                    phrase(
                        "strategy.wrong.has-more-than-states",
                        name=self.strategy.name,
                        states_allowed=f"{self.states_allowed:,}",
                        growing=self._growing(),
                    )
                )
            found = self.index[key] = len(self.states)
            self.states.append((felt, values))
            self.halts.append(halted)
            self.origin.append(self.at)
        return found

    def _growing(self) -> str:
        """Which variable has the most values, for the message."""
        kinds = {
            name: len({values[n] for _, values in self.states}) for n, name in enumerate(self.names)
        }
        name = max(kinds, key=kinds.__getitem__, default="")
        felts = len({felt.index for felt, _ in self.states})
        if not name:
            return phrase("strategy.wrong.felts", felts=f"{felts:,}")
        took = {"name": name, "kinds": f"{kinds[name]:,}", "felts": f"{felts:,}"}
        return phrase("strategy.wrong.t-took-values", **took)

    def _when(self) -> str:
        """The shortest way to where the strategy is now, roll by roll."""
        rolls = self.path()
        if not rolls:
            return phrase("strategy.wrong.at-its-first-turn")
        return phrase("strategy.wrong.after", rolls=" ".join(map(str, rolls)))

    def path(self) -> list[Roll]:
        """Rolls that lead to the turn at hand; with them the reference shows the same."""
        rolls: list[Roll] = []
        at = self.at
        while at is not None:
            rolls.append(self.felts.rolls.rolls[at[1]])
            at = self.origin[at[0]]
        return rolls[::-1]

    def _unbounded(self, error: Unbounded) -> Unbounded:
        told = located(self.strategy, error, phrase("strategy.wrong.while-exploring"))
        made = Unbounded(error.attribute)
        made.args = told.args
        return made

    def _check_work(self) -> None:
        done = self.felts.rulings - self._ruled_before + TURN * self.chair.turns
        if done > self.rulings_allowed:
            raise TooLarge(
                phrase(
                    "strategy.wrong.takes-more-than-the-work",
                    name=self.strategy.name,
                    rulings_allowed=f"{self.rulings_allowed:,}",
                    n=f"{len(self.states):,}",
                    growing=self._growing(),
                )
            )


def _cut(bands: tuple[Band, ...], lost: Collection[int] = ()) -> tuple[Band, ...]:
    """Bands as far as it is known where they lead, and one that says so below them."""
    known = tuple(takewhile(lambda band: band.next not in lost, bands))
    return known if known and not known[-1].least else (*known, UNKNOWN)


def _said(refusal: Refusal) -> str:
    """The sentence; a band holds for many rails, so it cannot say how much was on one."""
    return (
        phrase("strategy.wrong.not-enough-chips-on-the")
        if refusal.code == SHORT
        else refusal.sentence
    )
