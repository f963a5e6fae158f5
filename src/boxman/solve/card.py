"""A card a person can carry: one share of the chips to bet, one rule for the rest, and the cost.

Best play has an act for every amount; nobody carries that. A card is a rule of two lines: bet a
share of what you have, and once something is stuck put behind it nothing, what brings you to the
goal, or all you can. Every such rule of a small family is followed from the bankroll, exactly, and
the best of them is the card: what it costs against best play is its own value, not a guess.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import NamedTuple

import numpy as np

from boxman.chips import MINOR
from boxman.sim.lanes import Ints
from boxman.solve.iterate import SolvedValues, at_start
from boxman.solve.kernels import Game, Places, Reals, fast, worth
from boxman.words import phrase, say

SHARES = tuple(map(Fraction, ("0", "1/20", "1/12", "1/10", "1/8", "1/6", "1/4", "1/3", "1/2", "1")))
NONE, TO_GOAL, ALL = 0, 1, 2
MORE = {
    NONE: "solve.card.add-nothing",
    TO_GOAL: "solve.card.add-to-goal",
    ALL: "solve.card.add-all",
}
EXAMPLES = 8
"""Amounts for which a card says what its rule comes to."""
SWEEPS = 2_000


class CardRow(NamedTuple):
    """What the rule comes to with some amounts, all of it counted: first, then by point."""

    rail: int
    high: int
    """The last of the amounts."""
    bet: str
    then: tuple[tuple[str, str], ...]
    """Points, and what is added on them."""


class Card(NamedTuple):
    """A rule in words, what it comes to, its chance and what that is below best play's."""

    rule: str
    rows: tuple[CardRow, ...]
    value: float
    cost: float

    def figures(self) -> dict[str, object]:
        rows = [
            {
                "with": row.rail / MINOR,
                "to": row.high / MINOR,
                "bet": row.bet,
                "then": dict(row.then),
            }
            for row in self.rows
        ]
        return {"rule": self.rule, "rows": rows, "value": self.value, "cost": self.cost}


def ruled(
    best: Places,
    share: float,
    more: int,
    stakes: Ints,
    wins: Ints,
    risk: Ints,
    value: Reals,
    tops: Ints,
    game: Game,
) -> None:
    """The act of a rule for every position and rail; of acts that fit it alike, the best."""
    first, need, out, following, change, chance, seen = game
    for position in range(len(first) - 1):
        begin, end = first[position], first[position + 1]
        stuck = stakes[position] > 0
        for rail in range(seen[position]):
            goal = tops[0] - rail
            chosen, promised = -1, -1.0
            fits = (-1, -1)
            for act in range(begin, end):
                cost = need[act]
                if cost > rail:
                    break
                if not stuck:
                    if cost == 0 or risk[act] == 0:
                        continue
                    # The least that may bring the goal, else the most within the share.
                    if cost > share * rail:
                        fit = (0, -cost)
                    elif wins[act] >= goal:
                        fit = (2, -cost)
                    else:
                        fit = (1, cost)
                elif more == 0 or (more == 1 and wins[act] >= goal):
                    fit = (1, -cost)
                else:
                    fit = (0, wins[act] if more == 1 else cost)
                if fit < fits and chosen >= 0:
                    continue
                got = worth(value, act, rail, 1.0, out, following, change, chance)
                if chosen < 0 or fit > fits or got > promised:
                    chosen, promised, fits = act, got, fit
            if chosen < 0 and begin < end and need[begin] <= rail:
                chosen = begin
            best[position, rail] = chosen


def reached(best: Places, start: int, game: Game) -> Ints:
    """The positions and rails that chosen acts come to from a rail on the empty felt."""
    _, _, out, following, change, _, seen = game
    count, width = best.shape
    known = np.zeros((count, width), np.bool_)
    found = np.zeros(count * width, np.int64)
    found[0] = start
    known[0, start] = True
    many, done = 1, 0
    while done < many:
        position, rail = found[done] // width, found[done] % width
        done += 1
        act = best[position, rail]
        if act < 0:
            continue
        for o in range(out[act], out[act + 1]):
            then, to = following[o], rail + change[o]
            if to < seen[then] and not known[then, to]:
                known[then, to] = True
                found[many] = then * width + to
                many += 1
    return found[:many]


def sweep(value: Reals, new: Reals, best: Places, places: Ints, game: Game) -> float:
    """One sweep along chosen acts over some places, from `value` into `new`; the largest change."""
    _, _, out, following, change, chance, _ = game
    moved = 0.0
    width = value.shape[1]
    for n in range(len(places) - 1, -1, -1):
        position, rail = places[n] // width, places[n] % width
        act = best[position, rail]
        got = 0.0
        if act >= 0:
            got = worth(value, act, rail, 1.0, out, following, change, chance)
        moved = max(moved, abs(got - new[position, rail]))
        new[position, rail] = got
    return moved


def card_of(values: SolvedValues, bankroll: int) -> Card | None:
    """The best rule of the family, from this bankroll."""
    grid, model = values.grid, values.model
    start = grid.place(bankroll)
    if start >= grid.seen[0]:
        return None
    stakes = np.array([position.stake for position in model.positions])
    wins = np.maximum.reduceat(grid.change, model.out[:-1])
    found: tuple[float, Fraction, int, Places] | None = None
    for share, more in product(SHARES, MORE):
        best = np.full(values.best.shape, -1, np.int32)
        fast(ruled)(
            *(best, float(share), more, stakes, wins, model.risk, values.follows),
            *(grid.tops, grid.game),
        )
        value = _followed(values, best, start)
        if value is not None and (found is None or value > found[0] + 1e-12):
            found = value, share, more, best
    if found is None:
        return None
    value, share, more, best = found
    cost = max(0.0, at_start(values.value, grid, bankroll) - value)
    rows = _rows(values, best, bankroll)
    return Card(_words(share, more, rows), rows, value, cost)


def _followed(values: SolvedValues, best: Places, start: int) -> float | None:
    """What the acts of a rule are worth from the bankroll; None where that does not settle."""
    grid = values.grid
    places = fast(reached)(best, start, grid.game)
    step = fast(sweep)
    own = grid.values() if values.end is None else values.end.copy()
    if values.rolls:
        for _ in range(values.rolls):
            new = own.copy()
            step(own, new, best, places, grid.game)
            own = new
        return float(own[0, start])
    for _ in range(SWEEPS):
        if step(own, own, best, places, grid.game) < 1e-14:
            return float(own[0, start])
    return None


def _rows(values: SolvedValues, best: Places, bankroll: int) -> tuple[CardRow, ...]:
    grid = values.grid
    top = int(grid.seen[0])
    places = {top * n // EXAMPLES for n in range(1, EXAMPLES)} | {grid.place(bankroll)}
    rows: list[CardRow] = []
    for place in sorted(places):
        row = _row(values, best, place)
        if row is None:
            continue
        if rows and rows[-1][2:] == row[2:] and _constant(values, best, rows[-1].rail, place):
            rows[-1] = rows[-1]._replace(high=row.high)
        else:
            rows.append(row)
    return tuple(rows)


def _constant(values: SolvedValues, best: Places, rail: int, place: int) -> bool:
    """Whether the rule says one thing from a rail up to a column."""
    first = values.grid.place(rail)
    if len(set(best[0, first : place + 1].tolist())) > 1:
        return False
    said = _row(values, best, place)
    return all(
        (row := _row(values, best, each)) is not None and said is not None and row[2:] == said[2:]
        for each in range(first, place)
    )


def _row(values: SolvedValues, best: Places, place: int) -> CardRow | None:
    from boxman.solve.answer import words_of

    grid, model = values.grid, values.model
    act = int(best[0, place])
    if act < 0 or place <= 0:
        return None
    then: dict[str, list[int]] = {}
    span = slice(model.out[act], model.out[act + 1])
    for position, change in zip(model.next[span], model.change[span], strict=True):
        rail = place + change // grid.step
        if position and change == -model.need[act] and rail < grid.seen[position]:
            more = int(best[position, rail])
            words = words_of(model.done(more)) if more >= 0 else words_of(())
            then.setdefault(words, []).append(model.positions[position].puck)
    told = [(", ".join(map(str, sorted(pucks))), words) for words, pucks in then.items()]
    rail = int(grid.rail(place))
    return CardRow(rail, rail, words_of(model.done(act)), tuple(told))


def _words(share: Fraction, more: int, rows: tuple[CardRow, ...]) -> str:
    """The rule as it is carried."""
    kind = "least" if not share else "all" if share == 1 else "share"
    told = {"share": str(share), "more": phrase(MORE[more])}
    then = "-then" if any(row.then for row in rows) else ""
    return say(f"solve.card.{kind}{then}", told)
