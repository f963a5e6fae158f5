"""The loops of best play, compiled by Numba: what every act promises, core of all goals.

`value[position, rail]` is what a position is worth with so much on the rail, in steps; a rail
beyond the last column has reached the goal and is worth 1. A game is a tuple of arrays: `first` act
of each position, what an act needs on the rail, `out` where its rolls begin, and of each roll the
position that follows, the change of the rail and the chance; then the columns that are looked at,
by position. The loops know neither houses nor wagers. Needs Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from boxman.sim.compiled import compiled, need_numba, part
from boxman.sim.lanes import Ints

Places = NDArray[np.int32]
"""Acts, positions or ranks."""
Reals = NDArray[np.float64]
Game = tuple[Ints, Ints, Ints, Places, Ints, Reals, Ints]
Loop = TypeVar("Loop", bound=Callable[..., object])


@partial(part, inline=True)
def worth(
    value: Reals,
    act: int,
    rail: int,
    beyond: float,
    out: Ints,
    following: Places,
    change: Ints,
    chance: Reals,
) -> float:
    """What an act promises with so much on the rail where `value` follows."""
    width = value.shape[1]
    got = 0.0
    for o in range(out[act], out[act + 1]):
        to = rail + change[o]
        got += chance[o] * (beyond if to >= width else value[following[o], to])
    return got


@part
def bettered(
    value: Reals, row: Reals, acts: Places, position: int, margin: float, game: Game
) -> None:
    """Raise a row to the most that the acts of its position promise; `acts` says which one does.

    Of equal acts the first, which is the cheapest, is kept.
    """
    first, need, out, following, change, chance, tops = game
    width, top = value.shape[1], tops[position]
    promised = np.zeros(width)
    for act in range(first[position], first[position + 1]):
        low = need[act]
        if low >= top:
            break
        for rail in range(low, top):
            promised[rail] = 0.0
        for o in range(out[act], out[act + 1]):
            to, by, p = value[following[o]], change[o], chance[o]
            inside = min(top, width - by)
            for rail in range(low, inside):
                promised[rail] += p * to[rail + by]
            for rail in range(max(low, inside), top):
                promised[rail] += p
        for rail in range(low, top):
            if promised[rail] > row[rail] + margin:
                row[rail] = promised[rail]
                acts[rail] = act


def look(value: Reals, best: Places, game: Game) -> float:
    """Look at all acts, position by position, in place; the largest gain."""
    gain, tops = 0.0, game[-1]
    got = np.zeros(value.shape[1])
    for position in range(len(value) - 1, -1, -1):
        row = value[position]
        got[:] = row
        bettered(value, got, best[position], position, 1e-15, game)
        for rail in range(tops[position]):
            gain = max(gain, got[rail] - row[rail])
            row[rail] = got[rail]
    return gain


def most(value: Reals, found: Reals, game: Game) -> float:
    """The best any single act promises where `value` follows; by how much it betters `value`."""
    gap, tops = 0.0, game[-1]
    acts = np.zeros(value.shape[1], np.int32)
    for position in range(len(value)):
        bettered(value, found[position], acts, position, 0.0, game)
        for rail in range(tops[position]):
            gap = max(gap, found[position, rail] - value[position, rail])
    return gap


def back(old: Reals, new: Reals, best: Places, game: Game) -> None:
    """One roll back: `new` is the most that an act promises when `old` is worth what follows.

    Nothing can be done where no act can be paid: that is worth nothing. Columns that are not looked
    at are left alone.
    """
    for position in range(len(old)):
        row, top = new[position], game[-1][position]
        row[:top] = -1.0
        best[position, :top] = -1
        bettered(old, row, best[position], position, 1e-14, game)
        for rail in range(top):
            row[rail] = max(row[rail], 0.0)


def follow(old: Reals, new: Reals, best: Places, game: Game, beyond: float) -> float:
    """One sweep along chosen acts, perhaps in place; the largest change. Without one, none."""
    _, _, out, following, change, chance, tops = game
    moved = 0.0
    for position in range(len(old) - 1, -1, -1):
        for rail in range(tops[position] - 1, -1, -1):
            act = best[position, rail]
            if act >= 0:
                got = worth(old, act, rail, beyond, out, following, change, chance)
                moved = max(moved, abs(got - new[position, rail]))
                new[position, rail] = got
    return moved


def choose(
    value: Reals, found: Reals, best: Places, rank: Places, number: int, game: Game, tie: float
) -> int:
    """Choose, one step further from the goal, acts among the best that may lead nearer to it.

    Greed alone may choose to wait for ever: a wager that is off promises as much as any, and wins
    nothing. Grown from the goal outward, every choice has a way there. The cheapest comes first.
    """
    first, need, out, following, change, chance, tops = game
    chosen = 0
    width = value.shape[1]
    for position in range(len(value)):
        for act in range(first[position], first[position + 1]):
            for rail in range(need[act], tops[position]):
                if rank[position, rail] >= 0 or found[position, rail] <= tie:
                    continue
                leads = False
                for o in range(out[act], out[act + 1]):
                    to, then = rail + change[o], following[o]
                    if to >= width or to >= tops[then] or (0 <= rank[then, to] < number):
                        leads = True
                        break
                if not leads:
                    continue
                got = worth(value, act, rail, 1.0, out, following, change, chance)
                if got >= found[position, rail] - tie:
                    rank[position, rail] = number
                    best[position, rail] = act
                    chosen += 1
    return chosen


def reached(best: Places, start: int, known: NDArray[np.bool_], found: Ints, game: Game) -> Ints:
    """The positions and rails that chosen acts come to from a rail on the empty felt. `known` is
    false everywhere, before and after."""
    _, _, out, following, change, _, seen = game
    width = best.shape[1]
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
    for n in range(many):
        known[found[n] // width, found[n] % width] = False
    return found[:many].copy()


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


def visited(
    visits: Reals, best: Places, places: Ints, rolls: int, small: float, game: Game
) -> None:
    """How often chosen acts come to each place, from the first of them; added to `visits`."""
    _, _, out, following, change, chance, seen = game
    width = visits.shape[1]
    here, then = np.zeros(visits.shape), np.zeros(visits.shape)
    here[places[0] // width, places[0] % width] = 1.0
    for _ in range(rolls):
        left = 0.0
        for n in range(len(places)):
            position, rail = places[n] // width, places[n] % width
            mass, act = here[position, rail], best[position, rail]
            here[position, rail] = 0.0
            visits[position, rail] += mass
            if mass > 0.0 and act >= 0:
                for o in range(out[act], out[act + 1]):
                    to, after = rail + change[o], following[o]
                    if to < seen[after]:
                        then[after, to] += mass * chance[o]
                        left += mass * chance[o]
        here, then = then, here
        if left < small:
            break


def promised(value: Reals, acts: Ints, game: Game) -> Reals:
    """What an act for every column promises where `value` follows; none promises nothing."""
    _, _, out, following, change, chance, _ = game
    found = np.zeros(len(acts))
    for rail in range(len(acts)):
        if acts[rail] >= 0:
            found[rail] = worth(value, acts[rail], rail, 1.0, out, following, change, chance)
    return found


def fast(function: Loop) -> Loop:
    """A loop of this room compiled; an error that says how to get Numba where it is missing."""
    need_numba()
    made: Loop = compiled(function)
    return made
