"""Sessions counted up: whole numbers only, so that parts merge to the same bits in any order.

A `Counts` says how often each value came and in which session first; that is a histogram from which
mean, moments, percentiles and the worst, the median and the luckiest session follow exactly. A
`Tally` is what is kept of sessions; its size depends on how many different results there are, not
on how many sessions were played.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import numpy as np

from boxman.sim.lanes import Ints, Lanes, RefusedCounts
from boxman.strategy.ends import ENDS
from boxman.words import phrase

NEVER = np.iinfo(np.int64).max
DENSE = 1 << 20
"""Up to this span of values, counting goes by an array of all of them."""


class Counts(msgspec.Struct, frozen=True):
    """How often each value came, and the first session it came in."""

    values: Ints
    """Different and ascending; the other two are by value."""
    counts: Ints
    firsts: Ints

    @staticmethod
    def none() -> Counts:
        empty = np.zeros(0, np.int64)
        return Counts(empty, empty, empty)

    @staticmethod
    def of(values: Ints, first: int | None = None, unit: int = 1) -> Counts:
        """Count values, given in units; those of the sessions from `first` on, if that matters."""
        if not len(values):
            return Counts.none()
        lowest, highest = int(values.min()), int(values.max())
        if highest - lowest >= DENSE:
            found, at, counts = np.unique(values, return_index=True, return_counts=True)
            firsts = at.astype(np.int64) + first if first is not None else np.zeros_like(found)
            return Counts(found * unit, counts.astype(np.int64), firsts)
        places = values - lowest
        counts = np.bincount(places)
        firsts = np.zeros(len(counts), np.int64)
        if first is not None:
            # Written from the last to the first, so that the first stays.
            firsts[places[::-1]] = np.arange(first + len(values) - 1, first - 1, -1)
        kept = np.flatnonzero(counts)
        return Counts((kept + lowest) * unit, counts[kept].astype(np.int64), firsts[kept])

    def merged(self, other: Counts) -> Counts:
        """Both together."""
        values, places = np.unique(np.concatenate([self.values, other.values]), return_inverse=True)
        counts = np.zeros(len(values), np.int64)
        np.add.at(counts, places, np.concatenate([self.counts, other.counts]))
        firsts = np.full(len(values), NEVER, np.int64)
        np.minimum.at(firsts, places, np.concatenate([self.firsts, other.firsts]))
        return Counts(values, counts, firsts)

    @property
    def number(self) -> int:
        return int(self.counts.sum())

    def power(self, exponent: int) -> int:
        """The sum of all values to a power, exactly."""
        pairs = zip(self.values.tolist(), self.counts.tolist(), strict=True)
        return sum(value**exponent * count for value, count in pairs)


class Tally(msgspec.Struct, frozen=True):
    """What is kept of sessions that were played; money in minor units."""

    nets: Counts
    drawdowns: Counts
    lengths: dict[int, Counts]
    """How many rolls the sessions had, by how they ended."""
    staked: int
    sevens: int
    landed: dict[int, int]
    """How often each felt was left behind; only where an automaton knows its felts."""
    value: Fraction
    """What wagers still up are worth beyond face, where the executor said so."""
    refused: RefusedCounts | None
    """What the table refused; None where not all executors counted it."""
    spans: tuple[tuple[int, int], ...]
    """Which sessions these are: from one to before another, ascending and apart."""

    @staticmethod
    def none() -> Tally:
        return Tally(Counts.none(), Counts.none(), {}, 0, 0, {}, Fraction(0), {}, ())

    @staticmethod
    def of(lanes: Lanes, first: int, *, landed: bool = False) -> Tally:
        """Count up the sessions from `first` on."""
        span = int(lanes.rolls.max(initial=0)) + 1
        ends = np.bincount(lanes.ending * span + lanes.rolls, minlength=span * len(ENDS))
        lengths = {}
        for ending, row in enumerate(ends.reshape(-1, span)):
            kept = np.flatnonzero(row)
            if len(kept):
                lengths[ending] = Counts(kept, row[kept].astype(np.int64), np.zeros_like(kept))
        felts: dict[int, int] = {}
        if landed and len(lanes.landed):
            left = np.bincount(lanes.landed + 1)
            felts = {int(felt) - 1: int(left[felt]) for felt in np.flatnonzero(left)}
        return Tally(
            nets=Counts.of(lanes.net, first, lanes.unit),
            drawdowns=Counts.of(lanes.drawdown, unit=lanes.unit),
            lengths=lengths,
            staked=int(lanes.staked.sum()) * lanes.unit,
            sevens=int(lanes.sevens.sum()),
            landed=felts,
            value=lanes.value,
            refused=lanes.refused,
            spans=((first, first + len(lanes.net)),),
        )

    def merged(self, other: Tally) -> Tally:
        """Both together; the order makes no difference."""
        lengths = dict(self.lengths)
        for ending, counts in other.lengths.items():
            lengths[ending] = lengths[ending].merged(counts) if ending in lengths else counts
        landed = dict(self.landed)
        for felt, count in other.landed.items():
            landed[felt] = landed.get(felt, 0) + count
        return Tally(
            nets=self.nets.merged(other.nets),
            drawdowns=self.drawdowns.merged(other.drawdowns),
            lengths=lengths,
            staked=self.staked + other.staked,
            sevens=self.sevens + other.sevens,
            landed=landed,
            value=self.value + other.value,
            refused=_both(self.refused, other.refused),
            spans=joined(self.spans, other.spans),
        )

    @property
    def sessions(self) -> int:
        return self.nets.number


def _both(one: RefusedCounts | None, other: RefusedCounts | None) -> RefusedCounts | None:
    if one is None or other is None:
        return None
    found = dict(one)
    for kind, (count, first) in other.items():
        before, earlier = found.get(kind, (0, first))
        found[kind] = before + count, min(earlier, first)
    return found


def joined(
    one: tuple[tuple[int, int], ...], other: tuple[tuple[int, int], ...]
) -> tuple[tuple[int, int], ...]:
    """Both together; no session may be in both.

    >>> joined(((0, 10), (30, 40)), ((10, 20),))
    ((0, 20), (30, 40))
    """
    found: list[tuple[int, int]] = []
    for begin, end in sorted([*one, *other]):
        if found and begin < found[-1][1]:
            both = f"{begin:,} to {min(end, found[-1][1]) - 1:,}"
            raise ValueError(phrase("sim.wrong.sessions-are-in-both-parts", both=both))
        if found and begin == found[-1][1]:
            found[-1] = found[-1][0], end
        else:
            found.append((begin, end))
    return tuple(found)


def differences(one: Lanes, other: Lanes, first: int) -> Counts:
    """How two strategies fared with the same dice, session by session."""
    return Counts.of(one.net * one.unit - other.net * other.unit, first)


def shares(counts: Counts, wanted: tuple[float, ...]) -> list[Any]:
    """The least values that these shares of all do not exceed."""
    if not len(counts.values):
        return [0 for _ in wanted]
    running = np.cumsum(counts.counts)
    total = int(running[-1])
    found = []
    for share in wanted:
        # Rounded up in whole sessions: the median of four is the second.
        rank = min(total, max(1, -(-int(share * 1_000_000) * total // 1_000_000)))
        found.append(int(counts.values[np.searchsorted(running, rank)]))
    return found
