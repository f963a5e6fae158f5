"""What a table's coach needs of an answer: every position with its acts, and what they are worth.

It is written where the question was solved and read where somebody plays, in another process; there
the best act is looked up beside the one that lies on the felt. It knows wagers as spots with
stakes, and no table.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from boxman.solve.answer import Answer
from boxman.solve.pieces import Done, house_names, words_of
from boxman.strategy.view import BET

Up = tuple[tuple[str, int], ...]
"""Wagers by spot, with their stakes in minor units."""


class CoachAdvice(NamedTuple):
    """The best act here and what lies on the felt, in words, with their chances."""

    best: str
    chance: float
    yours: str
    your_chance: float | None
    """None where what is up is not on the menu it was solved over."""


class CoachBook(msgspec.Struct, frozen=True, kw_only=True):
    """Positions, acts and values of one solved goal."""

    target: int
    names: dict[str, str]
    """The house's names of wagers."""
    positions: list[tuple[int, Up]]
    first: list[int]
    """By position, its first act; one more at the end."""
    acts: list[tuple[str, Up]]
    """What is done, in words, and what is up then."""
    need: list[int]
    out: list[int]
    rest: int
    step: int
    width: int
    arrays: bytes
    """Following positions, changes in steps, chances; then values and chosen acts by position."""

    def write(self, path: str | Path) -> None:
        Path(path).write_bytes(zlib.compress(msgspec.msgpack.encode(self), 1))


def coach_book(answer: Answer) -> CoachBook:
    """What a coach needs of an answer for a goal without a limit of rolls."""
    assert answer.values is not None
    spots = answer.model.pieces.layout.spots.values()
    model, grid = answer.model, answer.values.grid
    with house_names(model.pieces.layout):
        words = [words_of(model.done(act)) for act in range(model.acts)]
    ups = [tuple(sorted((w.spot, w.stake) for w in model.up(act))) for act in range(model.acts)]
    return CoachBook(
        target=grid.target,
        names={spot.id: spot.name for spot in spots},
        positions=[
            (puck, tuple((wager.spot, wager.stake) for wager in wagers))
            for puck, wagers in model.positions
        ],
        first=model.first.tolist(),
        acts=list(zip(words, ups, strict=True)),
        need=model.need.tolist(),
        out=model.out.tolist(),
        rest=grid.rest,
        step=grid.step,
        width=grid.width,
        arrays=b"".join(
            each.astype(kind).tobytes()
            for each, kind in (
                (model.next, "<i4"),
                (grid.change, "<i8"),
                (model.chance, "<f8"),
                (answer.values.value, "<f8"),
                (answer.values.best, "<i4"),
            )
        ),
    )


class TableCoach:
    """Looks acts up in a book."""

    def __init__(self, path: str | Path) -> None:
        data = zlib.decompress(Path(path).read_bytes())
        self.book = book = msgspec.msgpack.decode(data, type=CoachBook)
        self.index = {place: n for n, place in enumerate(book.positions)}
        self.stuck = {(puck, *each) for puck, wagers in book.positions for each in wagers}
        rolls, shape = (book.out[-1],), (len(book.positions), book.width)
        kinds = (("<i4", rolls), ("<i8", rolls), ("<f8", rolls), ("<f8", shape), ("<i4", shape))
        # The arrays lie one after the other, as columns of one record would.
        found = np.frombuffer(book.arrays, [(f"f{n}", *kind) for n, kind in enumerate(kinds)])[0]
        self.next, self.change, self.chance, self.value, self.best = found

    def advice(
        self,
        puck: int,
        up: Mapping[str, int],
        rail: int,
        *,
        fees: int = 0,
        staged: int = 0,
        held: Collection[str] = (),
    ) -> CoachAdvice | None:
        """What is best where these wagers are up or staged, and so much is on the rail.

        `staged` is what of them is still on the rail, `fees` what was paid for them, `held` the
        spots of contracts. None where no chips are left to advise on, or a contract of such a
        stake is not in the book.
        """
        book = self.book
        stuck = tuple(sorted((s, n) for s, n in up.items() if (puck, s, n) in self.stuck))
        position = self.index.get((puck, stuck))
        if position is None or not set(held) <= {spot for spot, _ in stuck}:
            return None
        before = rail + fees + sum(up.values()) - sum(stake for _, stake in stuck) - staged
        column = (before - book.rest) // book.step
        acts = range(book.first[position], book.first[position + 1])
        paid = [act for act in acts if book.need[act] <= before]
        if column < 0 or not paid:
            return None
        worth = {act: self._worth(act, column) for act in paid}
        # Chosen outward from the goal: among equals one that does not wait for ever.
        best = int(self.best[position, min(column, book.width - 1)])
        best = best if best in worth else max(paid, key=worth.__getitem__)
        wanted = tuple(sorted(up.items()))
        mine = next((act for act in paid if book.acts[act][1] == wanted), None)
        return CoachAdvice(
            best=book.acts[best][0],
            chance=worth[best],
            yours=words_of(
                tuple(
                    Done(BET, book.names.get(spot, spot), stake)
                    for spot, stake in wanted
                    if (spot, stake) not in stuck
                )
            ),
            your_chance=None if mine is None else worth[mine],
        )

    def _worth(self, act: int, column: int) -> float:
        span = slice(self.book.out[act], self.book.out[act + 1])
        to = column + self.change[span]
        inside = np.minimum(to, self.book.width - 1)
        value = np.where(to >= self.book.width, 1.0, self.value[self.next[span], inside])
        return float((self.chance[span] * value).sum())
