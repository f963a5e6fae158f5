"""An automaton made ready for the kernels: flat arrays in the largest common unit of money.

Two forms of the same thing. The *exact* one answers everything: from a configuration and a kind of
roll what the roll does, then by the cash in hand which band of the strategy's act applies. The
*quick* one knows only the top band, what the strategy does with enough money, packed into one word
a roll: sessions run on it block by block, and a block in which money could have been short, or a
stop could have been reached, is thrown away and played again in the exact form.

This module knows no dice and plays nothing. It can be pickled and sent to another machine.
"""

from __future__ import annotations

from math import gcd
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from boxman.dice import ROLLS
from boxman.sim.dice import BLOCK
from boxman.sim.lanes import Ints
from boxman.strategy.automaton import Automaton
from boxman.strategy.ends import NO_SHOOTER
from boxman.strategy.session import Session

PackedWords = npt.NDArray[np.int32]

COLUMNS = len(ROLLS)
"""Words in a row of the quick form: by roll, not kind, which saves a lookup."""
SEVEN_BIT = 15
"""In the quick form what a roll stakes is below this bit, and a seven-out is this bit."""


PRE, WORTH, LANDED, AGAIN, SEVEN, FIRST = range(6)
"""Columns of a place: what the roll brings to the rail, what lies on the felt after it, which felt
that is, what the roll itself stakes (a wager that stays up is made again), whether it is a
seven-out, and the first of its bands."""
LEAST, NEXT, ACT, STAKED, END, UP, LEFT = range(7)
"""Columns of a band: the least cash after the roll for it, the configuration after the act, the
change of cash by the act, what it stakes, the end of the session (-1: it goes on), what then lies
on the felt, and which felt that is where the session ends."""
GAINED, STILL_UP, LEFT_AT = range(3)
"""Columns of what is left when everything that may be taken down is."""
RECORD = 8
"""Columns are padded to this, so that a record does not straddle lines of the cache."""


class Exact(msgspec.Struct, frozen=True):
    """The exact form; money in units."""

    places: Ints
    """One record for each configuration * kinds + kind of roll."""
    bands: Ints
    """One record for each band; those of a place follow each other from much cash to none."""
    felt: Ints
    """What lies on the felt in a configuration."""
    down: Ints
    """By felt that a roll leaves: what the rail gains when everything that may be taken down is,
    what is still up then, and which felt that is. Empty where no stop is counted so."""
    kind: Ints
    """The kind of each of the 36 rolls: the automaton tells fifteen apart, or all 21."""

    @property
    def kinds(self) -> int:
        """How many kinds of roll there are."""
        return int(self.kind.max()) + 1

    @property
    def ways(self) -> Ints:
        """How many of the 36 rolls give each kind."""
        return np.bincount(self.kind)


class Quick(msgspec.Struct, frozen=True):
    """The quick form, by row * 36 + roll; the row after the last is where ended sessions rest."""

    move: PackedWords
    """The change of cash above `shift` bits, the next row's offset below."""
    effect: PackedWords
    """The change of worth by the roll above 16 bits, what is staked and a seven-out below."""
    fee: PackedWords
    """What the act costs beyond the stakes; empty where nothing ever does."""
    shift: int
    margin: int
    """Cash below this after an act may have been too little during it."""


class Tables(msgspec.Struct, frozen=True):
    """Everything the kernels need of a strategy in a session."""

    unit: int
    """Minor units in one unit of these tables."""
    exact: Exact
    quick: Quick | None
    """Absent where the numbers do not fit its words; then the exact form does all."""
    bankroll: int
    rolls: int
    shooters: int
    stop_win: int
    stop_loss: int
    start: int
    """The configuration after the strategy's first act; then its cash, stakes and end."""
    cash: int
    staked: int
    ended: int
    start_band: int
    start_up: int
    """What lies on the felt then, and which felt it is where nobody throws at all."""
    start_left: int
    refunds: int = 0
    """How much more than at face there can be once everything is down: fees that come back."""

    @property
    def stops(self) -> bool:
        return bool(self.shooters or self.stop_win or self.stop_loss)


def build(explored: Automaton, session: Session) -> Tables:
    """Tables from an automaton; where it ends as NOT_KNOWN somebody else has to play."""
    band = next(b for b, least in enumerate(explored.start_least) if session.bankroll >= least)
    staked = np.asarray(explored.edge_staked, np.int64)
    again = np.asarray(explored.pre_staked, np.int64)
    unit = session.bankroll
    down = explored.down() if session.takes_down else np.zeros((0, 3), np.int64)
    for amounts in (
        *(down[:, GAINED], down[:, STILL_UP]),
        *(explored.pre, explored.edge_act, explored.landed_felt, explored.felt, staked, again),
        *(explored.start_act[band : band + 1], explored.start_staked[band : band + 1]),
    ):
        unit = gcd(unit, int(np.gcd.reduce(np.asarray(amounts, np.int64), axis=None, initial=0)))
    order = np.lexsort((-explored.edge_least, explored.edge_kind, explored.edge_from))
    kinds = len(explored.rolls.kinds)
    keys = (np.asarray(explored.edge_from, np.int64) * kinds + explored.edge_kind)[order]
    rows = len(explored.felt)
    landed = np.asarray(explored.landed, np.int64).ravel()

    def in_units(amounts: Any) -> Ints:
        return np.asarray(amounts, np.int64).ravel() // unit

    places = np.zeros((rows * kinds, RECORD), np.int64)
    places[:, PRE] = in_units(explored.pre)
    places[:, WORTH] = in_units(np.asarray(explored.landed_felt)[landed])
    places[:, LANDED] = landed
    places[:, AGAIN] = in_units(again)
    places[:, SEVEN] = np.asarray(explored.seven).ravel()
    # A configuration in which nobody throws has no bands and is never rolled in.
    first = np.searchsorted(keys, np.arange(rows * kinds))
    places[:, FIRST] = np.clip(first, 0, max(0, len(order) - 1))
    bands = np.zeros((len(order), RECORD), np.int64)
    # Rounded up: cash comes in units, so at least 7.5 means at least 8.
    bands[:, LEAST] = -(-np.asarray(explored.edge_least, np.int64)[order] // unit)
    bands[:, NEXT] = np.asarray(explored.edge_next)[order]
    bands[:, ACT] = in_units(explored.edge_act)[order]
    bands[:, STAKED] = in_units(staked)[order]
    bands[:, END] = np.asarray(explored.edge_end)[order]
    felt = in_units(explored.felt)
    bands[:, UP] = np.where(bands[:, NEXT] >= 0, felt[bands[:, NEXT]], 0)
    bands[:, LEFT] = -1
    for band_number in np.flatnonzero(bands[:, END] == NO_SHOOTER).tolist():
        bands[band_number, LEFT] = explored.state(int(bands[band_number, NEXT]))[0].index
    if not len(bands):
        # Nobody ever throws; the kernels still want something to point to.
        bands = np.zeros((1, RECORD), np.int64)
    faces = np.asarray(explored.landed_felt, np.int64)[: len(down)]
    refunds = (down[:, GAINED] + down[:, STILL_UP] - faces).max(initial=0) // unit
    down[:, :LEFT_AT] //= unit
    kind = np.array(explored.rolls.number, np.int64)
    exact = Exact(_short(places), _short(bands), felt, down, kind)
    start, ended = int(explored.start_next[band]), int(explored.start_end[band])
    return Tables(
        unit=unit,
        exact=exact,
        quick=_quick(
            exact,
            (session.bankroll + int(explored.start_staked[band])) // unit,
            session.rolls,
        ),
        bankroll=session.bankroll // unit,
        rolls=session.rolls,
        shooters=session.shooters,
        stop_win=-(-session.stop_win // unit),
        stop_loss=-(-session.stop_loss // unit),
        start=start,
        cash=(session.bankroll + int(explored.start_act[band])) // unit,
        staked=int(explored.start_staked[band]) // unit,
        ended=ended,
        start_band=band,
        start_up=int(felt[start]) if start >= 0 else 0,
        start_left=explored.state(start)[0].index if ended == NO_SHOOTER else -1,
        refunds=int(refunds),
    )


def _short(records: Ints) -> Any:
    """Records in 32 bits where they fit: they are looked up all over the place."""
    fits = int(np.abs(records).max(initial=0)) < 1 << 31
    return records.astype(np.int32) if fits else records


def _quick(exact: Exact, begin: int, rolls: int) -> Quick | None:
    """The top bands in packed words, or None where they do not fit.

    `begin` is what the money of a session counts from: the bankroll and the first stakes.
    """
    rows, kinds = len(exact.felt), exact.kinds
    places = exact.places.astype(np.int64).reshape(rows, kinds, RECORD)
    top = exact.bands.astype(np.int64)[places[:, :, FIRST]]
    felt = exact.felt[:, None]
    pre = places[:, :, PRE]
    cash = pre + top[:, :, ACT]
    worth = pre + places[:, :, WORTH] - felt
    fee = worth - (cash + top[:, :, UP] - felt)
    staked = top[:, :, STAKED] + places[:, :, AGAIN]
    margin = int(np.max(top[:, :, LEAST] + top[:, :, ACT], initial=0))
    shift = int((rows + 1) * COLUMNS).bit_length()
    room = int(np.abs(cash).max()) + 1
    by_roll = room + sum(int(np.abs(each).max()) for each in (worth, fee, staked))
    fits = (
        room.bit_length() < 32 - shift
        and int(np.abs(worth).max()) < 1 << 15
        and int(np.abs(fee).max()) < 1 << 24
        and int(staked.max()) * BLOCK < 1 << SEVEN_BIT
        # An act that ends a session however much money there is has no place in quick words.
        and not bool((top[:, :, END] >= 0).any())
        and begin + rolls * by_roll < 1 << 31
    )
    if not fits:
        return None
    seven = places[:, :, SEVEN]
    move = (cash << shift) | (top[:, :, NEXT] * COLUMNS)
    effect = (worth << 16) | staked | (seven << SEVEN_BIT)
    rest = np.full((1, COLUMNS), rows * COLUMNS, np.int64)
    nothing = np.zeros((1, COLUMNS), np.int64)

    def packed(words: Ints, last: Ints) -> PackedWords:
        whole = np.concatenate([words[:, exact.kind], last]).ravel()
        return (whole & 0xFFFFFFFF).astype(np.uint32).view(np.int32)

    return Quick(
        move=packed(move, rest),
        effect=packed(effect, nothing),
        fee=packed(fee, nothing) if fee.any() else np.zeros(0, np.int32),
        shift=shift,
        margin=margin,
    )
