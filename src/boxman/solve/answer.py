"""An answer: the chance or the loss, the first bet, the policy, and what mistakes cost.

Computed from the solved values when asked for; the card is in card.py, the comparison with the
library in compare.py, words and pages in words.py and page.py. Amounts are minor units.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

import msgspec
import numpy as np

from boxman.chips import MINOR
from boxman.chips import format_amount as money
from boxman.solve.card import Card, card_of
from boxman.solve.compare import LibraryChance, compared
from boxman.solve.goals import Goal, Hourly, Last, Reach
from boxman.solve.iterate import Hour, SolvedValues
from boxman.solve.model import Model
from boxman.solve.pieces import words_of
from boxman.strategy.library.policy import Policy, table_of
from boxman.strategy.session import Session
from boxman.words import phrase

UNLIMITED = 10**15
"""A step wider than any rail: what is done does not depend on it."""


class Mistake(NamedTuple):
    """Something else done once, best play before and after."""

    when: str
    words: str
    best: str
    """What would have been best."""
    value: float
    cost: float


class Answer:
    """Everything about the best play of one question."""

    values: SolvedValues | None = None
    hour: Hour | None = None
    agreed = 0
    """Rulings on pairs of wagers that agreed with the wagers one by one."""
    seconds = 0.0

    def __init__(self, session: Session, goal: Goal, model: Model) -> None:
        self.session, self.goal, self.model = session, goal, model

    def __repr__(self) -> str:
        return f"<Answer {self.goal.words()}: {self.value:.6g}>"

    def _repr_html_(self) -> str:
        from boxman.solve.page import answer_html

        return answer_html(self)

    # -- figures -------------------------------------------------------------------------------

    @property
    def value(self) -> float:
        """The chance of the goal; for the hour the loss an hour, in currency units."""
        if self.hour is not None:
            assert isinstance(self.goal, Hourly)
            return -self.hour.gain * self.goal.rolls_per_hour / MINOR
        assert self.values is not None
        return self.values.at(self.session.bankroll)

    @property
    def loses(self) -> float:
        """The chance of losing everything, or so much that no bet can be paid."""
        if self.values is None:
            return 1.0
        return 1.0 - self.value if isinstance(self.goal, Last) else self.values.broke

    @property
    def gap(self) -> float:
        """By how much any single act could better this: the certificate."""
        if self.hour is not None:
            low, high = self.hour.bounds
            return high - low
        assert self.values is not None
        return self.values.gap

    @property
    def first(self) -> str:
        """The first bet, in words."""
        return (
            words_of(self.model.done(self.first_act))
            if self.first_act >= 0
            else phrase("solve.acts.nothing")
        )

    @property
    def first_act(self) -> int:
        if self.hour is not None:
            return int(self.hour.best[0])
        assert self.values is not None
        return self.values.act(self.session.bankroll)

    @property
    def menu(self) -> str:
        """The wagers and stakes it was solved over."""
        return self.model.pieces.menu.words()

    def at(self, bankroll: int) -> float:
        """The chance from another bankroll, below the goal, in minor units."""
        assert self.values is not None, "for the hour a bankroll has no part"
        return self.values.at(bankroll)

    def curve(self) -> list[tuple[int, float]]:
        """The chance by what is on the rail at a come-out."""
        if self.values is None:
            return []
        grid = self.values.grid
        top = min(int(grid.tops[0]), grid.width)
        return [(grid.rail(place), float(self.values.value[0, place])) for place in range(top)]

    # -- what else could be done ---------------------------------------------------------------

    def choices(self, rail: int, position: int = 0) -> list[tuple[str, float]]:
        """All acts that can be paid here, in words, with what they are worth; best first."""
        assert self.values is not None
        return [
            (words_of(self.model.done(act)), value)
            for value, act in self.values.acts(rail, position)
        ]

    @cached_property
    def mistakes(self) -> list[Mistake]:
        """What something else done once costs: at first, on the points after it, and with half of
        the bankroll or half of what is missing; best play before and after."""
        if self.first_act < 0:
            return []
        if self.hour is not None:
            return self._for_the_hour(self.hour)
        assert self.values is not None
        values, start = self.values, self.session.bankroll
        found = self._others(values, 0, start, phrase("solve.mistakes.first"))
        if values.then is not None:
            left = start - int(self.model.need[self.first_act])
            found += self._by_point(
                (self.model.positions[each].puck, self._others(values.then, each, left))
                for each in self.then()
            )
        for rail in self._elsewhere():
            when = phrase("solve.mistakes.come-out", rail=rail)
            found += self._others(values, 0, rail, when, (0.5, 2))
        return found

    def _elsewhere(self) -> list[int]:
        """Half of the bankroll, and half way to the goal: whole chips."""
        start, chip = self.session.bankroll, self.session.chip
        ends = [0, self.goal.target] if isinstance(self.goal, Reach) else [0]
        found = [(start + end) // 2 // chip * chip for end in ends]
        return [rail for rail in found if rail != start]

    def _others(
        self,
        values: SolvedValues,
        position: int,
        rail: int,
        when: str = "",
        shares: tuple[float, ...] = (0, 0.5, 2, 4, 1e9),
    ) -> list[Mistake]:
        """Acts that put down another share of what the best one does, the cheapest first."""
        model, best = self.model, values.act(rail, position)
        need = int(model.need[best]) if best >= 0 else 0
        acts = values.acts(rail, position)
        # A felt that is left bare waits: on it something has to be put down.
        ranked = [each for each in acts if position or model.need[each[1]] > 0]
        if best < 0 or not ranked:
            return []
        # Where it is best to add nothing, a part of the rail or all of it.
        amounts = [share * need for share in shares] if need else [rail / 8, rail / 2, rail]
        words, worth = words_of(model.done(best)), values.worth(best, rail)
        found: dict[str, Mistake] = {}
        for wanted in amounts:
            value, act = min(ranked, key=lambda each: (abs(model.need[each[1]] - wanted), -each[0]))
            done = words_of(model.done(act))
            if act != best and done != words:
                found.setdefault(done, Mistake(when, done, words, value, max(0.0, worth - value)))
        return sorted(found.values(), key=lambda each: each.cost)

    def _for_the_hour(self, hour: Hour) -> list[Mistake]:
        """The same where it is money that is lost: by position, the act that costs most and one
        between."""
        model, promised = self.model, hour.promised
        found: list[tuple[int, list[Mistake]]] = []
        for position in (0, *self.then()):
            best = int(hour.best[position])
            acts = range(model.first[position], model.first[position + 1])
            ranked = sorted(acts, key=lambda act: -promised[act])
            words = words_of(model.done(best))
            here: dict[str, Mistake] = {}
            for act in (ranked[len(ranked) // 2], ranked[-1]):
                done, cost = words_of(model.done(act)), float(promised[best] - promised[act])
                if done != words:
                    made = Mistake("", done, words, float(promised[act]) / MINOR, cost / MINOR)
                    here.setdefault(done, made)
            found.append((model.positions[position].puck, list(here.values())))
        first = [each._replace(when=phrase("solve.mistakes.first")) for each in found[0][1]]
        return [*first, *self._by_point(found[1:])]

    def _by_point(self, found: Iterable[tuple[int, list[Mistake]]]) -> list[Mistake]:
        """Mistakes on points, those that are alike together."""
        alike: dict[tuple[str, str, str], list[tuple[int, Mistake]]] = {}
        for puck, made in found:
            for each in made:
                key = (each.words, each.best, f"{each.cost:.9f}")
                alike.setdefault(key, []).append((puck, each))
        return [
            each[0][1]._replace(
                when=phrase("solve.mistakes.point", pucks=tuple(puck for puck, _ in each))
            )
            for each in sorted(alike.values(), key=lambda each: each[0][0])
        ]

    def then(self) -> list[int]:
        """The positions the first bet leads to with nothing won or lost, by puck."""
        model, act = self.model, self.first_act
        span = slice(model.out[act], model.out[act + 1])
        nothing = model.change[span] == -model.need[act]
        found = {int(each) for each in model.next[span][nothing]} - {0}
        return sorted(found, key=lambda each: model.positions[each].puck)

    @cached_property
    def card(self) -> Card | None:
        """A short card, coarse on purpose, with what that costs."""
        return None if self.values is None else card_of(self.values, self.session.bankroll)

    @cached_property
    def library(self) -> list[LibraryChance]:
        """The library's strategies for the same goal, best first."""
        return compared(self)

    # -- the policy ----------------------------------------------------------------------------

    def policy(self, name: str = "best") -> Policy:
        """What to do in every position, as a file and a strategy."""
        model = self.model
        if self.hour is not None:
            layers = [self.hour.best.astype(np.int32)[:, None]]
            rest, step, width, goals = 0, UNLIMITED, 1, [UNLIMITED] * len(model.positions)
        else:
            assert self.values is not None
            values, grid = self.values, self.values.grid
            layers = values.layers or [values.best]
            rest, step, width = grid.rest, grid.step, grid.width
            goals = [grid.rail(int(top)) for top in grid.tops]
        used = sorted({int(act) for layer in layers for act in np.unique(layer) if act >= 0})
        number = np.full(model.acts + 1, -1, np.int32)
        number[used] = np.arange(len(used), dtype=np.int32)
        chosen = b"".join(number[layer].astype("<i4").tobytes() for layer in layers)
        if isinstance(self.goal, Last):
            # Nobody has lasted before the last roll, however much there is.
            goals = [UNLIMITED] * len(model.positions)
        return Policy(
            name=name,
            about=self.about(),
            positions=[
                (puck, tuple((wager.spot, wager.stake) for wager in wagers))
                for puck, wagers in model.positions
            ],
            acts=[
                tuple((done.what, done.spot, done.amount) for done in model.done(act))
                for act in used
            ],
            freed=[(*key, back) for key, back in model.freed.items()],
            loose=[
                (puck, wager.spot, wager.stake)
                for puck, wagers in model.positions
                for wager in wagers
                if model.pieces.refund(puck, wager) is not None
            ],
            goals=goals,
            rest=rest,
            step=step,
            width=width,
            rolls=getattr(self.goal, "rolls", 0) if self.values and self.values.layers else 0,
            calls=model.pieces.menu.calls,
            chosen=chosen,
        )

    def about(self) -> dict[str, object]:
        """What was asked, and the answer, for the head of a file."""
        session = self.session
        return {
            **table_of(session, self.model.pieces.layout.digest),
            "bankroll": money(session.bankroll),
            "goal": self.goal.words(),
            "menu": self.menu,
            "value": self.value,
        }

    def figures(self) -> dict[str, object]:
        """Everything for programs."""
        card = self.card
        return {
            **self.about(),
            "wanted": msgspec.to_builtins(self.goal),
            "loses": self.loses,
            "first": self.first,
            "card": card.figures() if card else None,
            "mistakes": [each._asdict() for each in self.mistakes],
            "library": [each._asdict() for each in self.library],
            "curve": [[rail / MINOR, chance] for rail, chance in self.curve()],
            "certificate": {
                "gap": self.gap,
                "pairs_of_wagers_tried": self.agreed,
                "positions": len(self.model.positions),
                "acts": self.model.acts,
                "step": money(self.model.step),
                "seconds": self.seconds,
            },
        }
