"""Dice of simulations: published answers, an exact split, no pattern, the same bits everywhere."""

from __future__ import annotations

from itertools import islice, product

import numpy as np
import pytest

from boxman.dice import BY_TOTAL
from boxman.sim import dice
from boxman.sim.dice_numba import LANES, fill20, fill_lanes, philox

U32, U64 = np.uint32, np.uint64

# The three vectors for philox4x32 with ten rounds in Random123's tests/kat_vectors:
# counter, key, answer (https://github.com/DEShawResearch/random123).
KNOWN = [
    (
        "00000000 00000000 00000000 00000000",
        "00000000 00000000",
        "6627e8d5 e169c58d bc57ac4c 9b00dbd8",
    ),
    (
        "ffffffff ffffffff ffffffff ffffffff",
        "ffffffff ffffffff",
        "408f276d 41c83b0e a20bc7c6 6d5451fd",
    ),
    (
        "243f6a88 85a308d3 13198a2e 03707344",
        "a4093822 299f31d0",
        "d16cfe09 94fdcceb 5001e420 24126ea1",
    ),
]


def words(text: str) -> tuple[int, ...]:
    return tuple(int(word, 16) for word in text.split())


@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN)
def test_known_answers(counter: str, key: str, answer: str) -> None:
    c, k = words(counter), words(key)
    assert dice.philox(c, k) == words(answer)  # type: ignore[arg-type]
    compiled = philox(*(U32(word) for word in k), *(U32(word) for word in c))
    assert tuple(int(word) for word in compiled) == words(answer)
    if c[1] == 0:
        # A block number, no attempt, a session: what the lanes draw.
        drawn = dice._words(
            k[0] | k[1] << 32, np.array([c[2] | c[3] << 32], U64), np.array([c[0]], U64), c[1]
        )
        assert tuple(int(word[0]) for word in drawn) == words(answer)


def test_the_split_is_exact() -> None:
    """Of 2**32 words those are used whose product with 36**5 leaves at least `LEAST`.

    The words that give the quintuple v are those with v * 2**32 <= word * 36**5 < (v + 1) * 2**32.
    Of that interval the part used has the length 2**32 - LEAST, which is 71 * 36**5: any
    such interval holds exactly 71 multiples of 36**5, whatever v is.
    """
    quintuples = dice.FACES**dice.DIGITS
    assert (2**32 - dice.LEAST) % quintuples == 0
    assert (2**32 - dice.LEAST) // quintuples == 71
    assert quintuples > dice.LEAST
    # And `split` is that: the digits of the high half, the low half left over.
    generator = np.random.default_rng(5)
    edges = [0, 1, 71, 2**31, 2**32 - 1, *generator.integers(0, 2**32, 20_000).tolist()]
    for word in edges:
        rolls, usable = dice.split(word)
        high, low = divmod(word * quintuples, 2**32)
        assert usable == (low >= dice.LEAST)
        number = 0
        for roll in rolls:
            number = number * 36 + roll
        assert number == high
    # Counted for some quintuples at the edges and in the middle, word by word.
    for v in (0, 1, 12_345_678, quintuples - 1):
        first, last = -(-v * 2**32 // quintuples), ((v + 1) * 2**32 - 1) // quintuples
        assert sum(dice.split(word)[1] for word in range(first, last + 1)) == 71


def redrawn(seed: int, count: int) -> list[int]:
    """Sessions whose first block has a word that may not be used."""
    drawn = dice._words(seed, np.arange(count, dtype=U64), np.zeros(count, U64), 0)
    low = [(word * U64(36**5)) & U64(dice.MASK) for word in drawn]
    return sorted({int(s) for left in low for s in np.flatnonzero(left < dice.LEAST)})


def test_the_same_bits_in_python_numpy_and_numba() -> None:
    again = redrawn(9, 20_000)
    assert len(again) > 20
    for seed, sessions, number in (
        (9, again[:40], 0),
        (2**64 - 1, [0, 1, 2**32 - 1, 2**32, 2**63 - 1], 2**32 - 1),
        (0, [0, 7, 4711], 9),
    ):
        lanes = dice.lanes(seed, np.array(sessions, U64), number)
        buffer = np.empty(20, np.uint8)
        for lane, session in enumerate(sessions):
            fill20(U64(seed), U64(session), U64(number), buffer)
            assert dice.block(seed, session, number) == buffer.tolist() == lanes[:, lane].tolist()


def test_lanes_side_by_side_are_the_sessions_one_by_one() -> None:
    room, rolls = np.empty((4, LANES), U32), np.empty((20, LANES), np.uint8)
    for first in (0, redrawn(9, 20_000)[3] - 5, 2**32 - 32):
        fill_lanes(U64(9), U64(first), U64(0), room, rolls)
        for lane in range(LANES):
            assert rolls[:, lane].tolist() == dice.block(9, first + lane, 0)


def test_any_roll_of_any_session_can_be_asked_for() -> None:
    whole = list(islice(dice.stream(7, 4711), 100))
    assert dice.rolls(7, 4711, 0, 100) == whole
    for first, count in product((0, 1, 19, 20, 33), (1, 2, 20, 41)):
        assert dice.rolls(7, 4711, first, count) == whole[first : first + count]
    assert dice.rolls(7, 4711, 3, 0) == []
    numbers = np.array([0, 1, 4], U64)
    lanes = dice.lanes(7, np.full(3, 4711, U64), numbers)
    for lane, number in enumerate(numbers.tolist()):
        assert lanes[:, lane].tolist() == whole[number * 20 : number * 20 + 20]


def test_blocks_drawn_together_are_the_blocks_one_by_one() -> None:
    again = redrawn(9, 20_000)[:5]
    for sessions in ([*again, 0, 1, 2**32 - 1], [*again, 2**32, 2**63 - 1]):
        lanes = np.array(sessions, U64)
        singles = dice.blocks(9, lanes, 0, 3, paired=False)
        pairs = dice.blocks(9, lanes, 0, 3, paired=True)
        for lane, session in enumerate(sessions):
            for number in range(3):
                rolls = dice.block(9, session, number)
                assert singles[number, :, lane].tolist() == rolls
                both = [36 * a + b for a, b in zip(rolls[::2], rolls[1::2], strict=True)]
                assert pairs[number, :, lane].tolist() == both


def test_a_seed_out_of_range_is_refused() -> None:
    with pytest.raises(ValueError, match="a seed is a whole number from 0"):
        dice.block(-1, 0, 0)


def chi_square(counts: np.ndarray) -> float:
    """The statistic against equal chances, as a z-score (Wilson and Hilferty)."""
    expected = counts.sum() / counts.size
    free = counts.size - 1
    statistic = float(((counts - expected) ** 2).sum() / expected)
    return ((statistic / free) ** (1 / 3) - (1 - 2 / (9 * free))) / (2 / (9 * free)) ** 0.5


@pytest.mark.parametrize("seed", [1, 2**40 + 3])
def test_no_pattern(seed: int) -> None:
    """Singles, pairs of rolls, neighbouring sessions, seeds: |z| < 4, a chance of 1 in 16,000."""
    blocks = [dice.lanes(seed, np.arange(16_384, dtype=U64), n) for n in range(6)]
    rolls = np.concatenate(blocks).astype(np.int64)
    pairs = {
        "following": (rolls[:-1], rolls[1:]),
        "neighbours": (rolls[:, :-1], rolls[:, 1:]),
        "other seed": (
            np.concatenate(blocks[:1]).astype(np.int64),
            dice.lanes(seed + 1, np.arange(16_384, dtype=U64), 0).astype(np.int64),
        ),
    }
    assert abs(chi_square(np.bincount(rolls.ravel(), minlength=36))) < 4
    for name, (one, other) in pairs.items():
        counts = np.bincount((one * 36 + other).ravel(), minlength=36 * 36)
        assert abs(chi_square(counts)) < 4, name


def test_kinds_come_as_often_as_their_ways() -> None:
    rolls = dice.lanes(3, np.arange(16_384, dtype=U64), 0).ravel()
    counts = np.bincount(np.array(BY_TOTAL.number)[rolls], minlength=15)
    from boxman.dice import KINDS

    for kind, count in zip(KINDS, counts.tolist(), strict=True):
        share = kind.ways / 36
        assert abs(count - share * len(rolls)) < 4.5 * (len(rolls) * share * (1 - share)) ** 0.5


@pytest.mark.soak
def test_all_words_split_exactly() -> None:
    """All 2**32 words: each of the 36**5 quintuples is given by 71 of them."""
    from boxman.sim.compiled import need_numba

    @need_numba().njit(nogil=True)
    def count_all(counts: np.ndarray) -> int:  # pragma: no cover
        refused = 0
        for number in range(2**32):
            word = U64(number)
            value = U64(0)
            for _ in range(5):
                word = word * U64(36)
                value = value * U64(36) + (word >> U64(32))
                word = word & U64(0xFFFFFFFF)
            if word >= U64(1868800):
                counts[value] += np.uint8(1)
            else:
                refused += 1
        return refused

    counts = np.zeros(36**5, np.uint8)
    assert count_all(counts) == 2**32 - 71 * 36**5 == dice.LEAST
    assert (counts == 71).all()
