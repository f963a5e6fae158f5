"""Explore a strategy: play it once from every felt it can reach, under the fifteen kinds of roll.

What comes out is an automaton (automaton.py) that holds every rule of the house, because the
reference table made it. A strategy can be explored if what it does depends only on the felt, the
last roll and its own variables; one that reads its cash or counts rolls cannot, and is told so with
the line. Exploring has a budget of states and of processor time.
"""

from __future__ import annotations

from collections import Counter
from time import thread_time
from typing import NamedTuple

from boxman.dice import KINDS, Roll
from boxman.strategy.api import Strategy, StrategyError
from boxman.strategy.check import Watch, check
from boxman.strategy.felt import DEEP, FACES, Answers, Felt, FeltChair, Felts, Landed, same_answers
from boxman.strategy.patience import patience
from boxman.strategy.reference import located
from boxman.strategy.session import Session
from boxman.strategy.spots import SPOTS
from boxman.strategy.view import WatchedTurn

STATES = 20_000
SECONDS = 5
Values = tuple[int, ...]
RefusedKey = tuple[str, str, tuple[str, ...]]
"""Code, spot, clauses."""


class NotExplored(StrategyError):
    """Why a strategy has no automaton."""


class Unbounded(NotExplored):
    """It reads something an automaton does not have."""

    def __init__(self, attribute: str) -> None:
        super().__init__(f"t.{attribute} is not part of the felt, so the strategy has no automaton")
        self.attribute = attribute


class TooLarge(NotExplored):
    """It has more states, or takes longer, than the budget allows."""


class DeepChair(FeltChair):
    """A chair whose rail is never empty and never read."""

    def tally(self, name: str) -> int:
        raise Unbounded(name)


class Step(NamedTuple):
    """From one state over one kind of roll to the next."""

    next: int
    cash: int
    low: int
    seven: bool
    landed: int
    pre: int
    staked: int
    refused: tuple[tuple[RefusedKey, int], ...]


class Acted(NamedTuple):
    """What a strategy made of a felt: the state after it, and the change of the rail."""

    state: int
    cash: int
    low: int
    staked: int
    refused: tuple[tuple[RefusedKey, int], ...]


class Explorer:
    """States of one strategy at one table, found one after the other."""

    def __init__(
        self,
        strategy: Strategy,
        session: Session,
        states: int = STATES,
        seconds: float = SECONDS,
        felts: Felts | None = None,
    ) -> None:
        check(strategy)
        self.strategy = strategy
        self.session = session
        self.felts = felts or Felts(session)
        self.states_allowed = states
        self.until = thread_time() + seconds
        self.names = tuple(strategy.variables)
        self.variables = dict(strategy.variables)
        self.chair = DeepChair(self.felts, 0)
        self.turn = WatchedTurn(self.chair, self.variables)
        self._same: dict[tuple[int, Values], list[tuple[Answers, Acted]]] = {}
        """What it did, by what it asked about the roll before."""
        self.at: tuple[int, int] | None = None
        """The state and kind of roll at hand."""
        self.origin: list[tuple[int, int] | None] = []
        self.index: dict[tuple[int, Values], int] = {}
        self.states: list[tuple[Felt, Values]] = []
        self.halts: list[bool] = []
        self.steps: list[list[Step] | None] = []
        self.watch = Watch(strategy)
        with patience(self.chair):
            self.start = self.acted(self.felts.start, tuple(strategy.variables.values()), None)

    def state(self, felt: Felt, values: Values, halted: bool) -> int:
        """The number of a state, new or known."""
        key = (felt.index, values)
        found = self.index.get(key)
        if found is None:
            if len(self.states) >= self.states_allowed:
                raise TooLarge(
                    f"{self.strategy.name} has more than {self.states_allowed:,} states"
                    f" ({self._growing()})"
                )
            found = self.index[key] = len(self.states)
            self.states.append((felt, values))
            self.halts.append(halted)
            self.origin.append(self.at)
            self.steps.append(None)
        return found

    def _growing(self) -> str:
        """Which variable has the most values, for the message."""
        kinds = {
            name: len({values[n] for _, values in self.states}) for n, name in enumerate(self.names)
        }
        name = max(kinds, key=kinds.__getitem__, default="")
        felts = len({felt.index for felt, _ in self.states})
        most = f"t.{name} took {kinds[name]:,} values, " if name else ""
        return f"{most}{felts:,} felts"

    def perform(self, felt: Felt, values: Values, landed: Landed | None, rail: int) -> None:
        """Let the strategy act once, with this much on the rail."""
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
        except Exception as error:
            raise located(self.strategy, error, self._when()) from error

    def acted(self, felt: Felt, values: Values, landed: Landed | None) -> Acted:
        """Let the strategy act once on a deep rail."""
        key = (felt.index, values)
        known = self._same.setdefault(key, [])
        for answers, acted in known:
            if same_answers(landed, answers):
                return acted
        self.perform(felt, values, landed, DEEP)
        chair = self.chair
        refused: tuple[tuple[RefusedKey, int], ...] = ()
        if chair.refused:
            refused = tuple(
                Counter((r.code, SPOTS[spot], r.cites) for r, spot in chair.refused).items()
            )
        cash, low = chair.rail - DEEP, chair.low - DEEP
        after = chair.felt
        held = self.felts.ready(after)
        if held is not None:
            after, more = held
            cash += more
        number = self.state(after, tuple(self.variables.values()), held is None)
        acted = Acted(number, cash, low, chair.staked, refused)
        known.append((tuple(chair.reads.items()), acted))
        return acted

    def _when(self) -> str:
        """The shortest way to where the strategy is now, roll by roll."""
        rolls = self.path()
        return f"after {' '.join(map(str, rolls))}" if rolls else "at its first turn"

    def path(self) -> list[Roll]:
        """Rolls that lead to the turn at hand; with them the reference shows the same."""
        rolls: list[Roll] = []
        at = self.at
        while at is not None:
            rolls.append(FACES[at[1]])
            at = self.origin[at[0]]
        return rolls[::-1]

    def _unbounded(self, error: Unbounded) -> Unbounded:
        told = located(self.strategy, error, "while exploring")
        made = Unbounded(error.attribute)
        made.args = told.args
        made.trace = told.trace
        return made

    def expand(self, number: int) -> list[Step]:
        """The steps of one state, found if they are not known."""
        known = self.steps[number]
        if known is not None:
            return known
        felt, values = self.states[number]
        steps = []
        if not self.halts[number]:
            for kind in range(len(KINDS)):
                self.at = (number, kind)
                landed = self.felts.roll(felt, kind)
                acted = self.acted(landed.felt, values, landed)
                steps.append(
                    Step(
                        acted.state,
                        landed.cash + acted.cash,
                        landed.cash + acted.low,
                        landed.seven_out,
                        landed.felt.index,
                        landed.cash,
                        landed.staked + acted.staked,
                        acted.refused,
                    )
                )
        self.steps[number] = steps
        return steps

    def run(self) -> None:
        """Explore until no state is left."""
        with patience(self.chair):
            self._run()
        self.watch.over()

    def _run(self) -> None:
        number = 0
        while number < len(self.states):
            if self.steps[number] is None:
                self.expand(number)
                if thread_time() > self.until:
                    raise self.out_of_time()
            number += 1

    def out_of_time(self) -> TooLarge:
        return TooLarge(
            f"{self.strategy.name} was not explored within its time: "
            f"{len(self.states):,} states so far ({self._growing()})"
        )
