"""The dice of a simulation: roll i of session s under a seed, asked for in any order.

Philox4x32-10 (Salmon, Moraes, Dror and Shaw, 2011) turns (seed; block, attempt, session) into four
words of 32 bits. A word gives five rolls of 36: it is multiplied by 36 and the whole part taken,
five times. What remains of the word after that tells whether it may be used: of the 2**32 words
71 * 36**5 are taken, each quintuple of rolls by exactly 71 words; a word that may not be used is
drawn again with the next attempt. So a block holds twenty rolls, and nothing depends on how the
sessions are cut into pieces.

A roll is its place in `boxman.dice.ROLLS`. This module gives them in Python and in NumPy;
`dice_numba` gives the same bits compiled. It knows nothing of tables or wagers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from boxman.words import phrase

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

ROUNDS = 10
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
WEYL = (0x9E3779B9, 0xBB67AE85)
MASK = 0xFFFFFFFF

FACES = 36
DIGITS = 5
"""Rolls in a word."""
WORDS = 4
BLOCK = WORDS * DIGITS
"""Rolls in a block."""
LEAST = (1 << 32) % FACES**DIGITS
"""A word may be used if at least this remains of it after its five rolls."""
SEEDS = 1 << 64
"""Seeds are less than this."""
SESSIONS = 1 << 63
"""The numbers of sessions are less than this: they are counted in signed words."""


def philox(counter: tuple[int, int, int, int], key: tuple[int, int]) -> tuple[int, int, int, int]:
    """Ten rounds of Philox4x32."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(ROUNDS):
        p0, p1 = MULTIPLIERS[0] * c0, MULTIPLIERS[1] * c2
        c0, c1, c2, c3 = (p1 >> 32) ^ c1 ^ k0, p1 & MASK, (p0 >> 32) ^ c3 ^ k1, p0 & MASK
        k0, k1 = (k0 + WEYL[0]) & MASK, (k1 + WEYL[1]) & MASK
    return c0, c1, c2, c3


def split(word: int) -> tuple[list[int], bool]:
    """The five rolls of a word, and whether it may be used."""
    rolls = []
    for _ in range(DIGITS):
        word *= FACES
        rolls.append(word >> 32)
        word &= MASK
    return rolls, word >= LEAST


def words(seed: int, session: int, block: int, attempt: int = 0) -> tuple[int, int, int, int]:
    """The four words of a block."""
    if not 0 <= seed < SEEDS:
        raise ValueError(phrase("sim.wrong.a-seed-is-a-whole", seed=seed))
    if not 0 <= session < SESSIONS:
        raise ValueError(phrase("sim.wrong.a-session-is-a-whole", session=session))
    return philox(
        (block, attempt, session & MASK, session >> 32),
        (seed & MASK, seed >> 32),
    )


def block(seed: int, session: int, number: int) -> list[int]:
    """The twenty rolls of a block."""
    found: list[int] = []
    for place, word in enumerate(words(seed, session, number)):
        rolls, usable = split(word)
        attempt = 0
        while not usable:
            attempt += 1
            rolls, usable = split(words(seed, session, number, attempt)[place])
        found += rolls
    return found


def stream(seed: int, session: int) -> Iterator[int]:
    """The rolls of a session, without end."""
    number = 0
    while True:
        yield from block(seed, session, number)
        number += 1


def rolls(seed: int, session: int, first: int = 0, count: int = BLOCK) -> list[int]:
    """Rolls `first` to `first + count - 1` of a session, counted from 0.

    >>> rolls(7, 4711, 1000, 5) == rolls(7, 4711, 990, 15)[10:]
    True
    """
    if count <= 0:
        return []
    found: list[int] = []
    for number in range(first // BLOCK, (first + count - 1) // BLOCK + 1):
        found += block(seed, session, number)
    start = first % BLOCK
    return found[start : start + count]


def lanes(seed: int, sessions: npt.NDArray[np.uint64], number: Any) -> npt.NDArray[np.uint8]:
    """Block `number` of many sessions at once: roll by session, as an array of twenty rows.

    The number may be an array too: another block of each session.
    """
    import numpy as np

    numbers = np.broadcast_to(np.asarray(number, np.uint64), sessions.shape)
    out = np.empty((BLOCK, len(sessions)), np.uint8)
    bad = _singles(_words(seed, sessions, numbers, 0), out)
    redrawn = [(lane, place) for place in range(WORDS) for lane in bad[place]]
    attempt = 0
    while redrawn:
        attempt += 1
        lane, place = np.array(redrawn).T
        words = _words(seed, sessions[lane], numbers[lane], attempt)
        again = np.empty((BLOCK, len(redrawn)), np.uint8)
        bad = _singles(words, again)
        for digit in range(DIGITS):
            row = place * DIGITS + digit
            out[row, lane] = again[row, np.arange(len(redrawn))]
        still = [set(each) for each in bad]
        redrawn = [each for n, each in enumerate(redrawn) if n in still[each[1]]]
    return out


def blocks(
    seed: int, sessions: npt.NDArray[np.uint64], number: int, count: int, *, paired: bool
) -> npt.NDArray[Any]:
    """Some blocks of many sessions, from `number` on: by block, roll and session.

    Paired, a row holds two rolls, 36 times the first and the second: ten rows a block. Words that
    may not be used are redrawn for all blocks together.
    """
    import numpy as np

    rows, kind = (BLOCK // 2, np.uint16) if paired else (BLOCK, np.uint8)
    out = np.empty((count, rows, len(sessions)), kind)
    split = _pairs if paired else _singles
    bad_lanes, bad_blocks = [], []
    begun = _Begun(seed, sessions)
    for block in range(count):
        bad = split(begun.words(number + block), out[block])
        again = sorted({lane for each in bad for lane in each})
        bad_lanes += again
        bad_blocks += [block] * len(again)
    if bad_lanes:
        at = np.array(bad_blocks)
        rolls = lanes(seed, sessions[bad_lanes], (at + number).astype(np.uint64))
        if paired:
            rolls = rolls[::2].astype(np.uint16) * np.uint16(FACES) + rolls[1::2]
        out[at, :, bad_lanes] = rolls.T
    return out


def _singles(words: Any, out: Any) -> list[list[int]]:
    """Write the five rolls of each word; by word, the lanes that may not be used."""
    import numpy as np

    room = np.empty(out.shape[1], np.uint64)
    bad = []
    for place, word in enumerate(words):
        for row in out[place * DIGITS : (place + 1) * DIGITS]:
            _take(word, FACES, room, row)
        bad.append(np.flatnonzero(word < LEAST).tolist())
    return bad


def _pairs(words: Any, out: Any) -> list[list[int]]:
    """Write two rolls a row; by word, the lanes that may not be used.

    Two words have five pairs: a word is taken apart in steps of 36 * 36, and the roll that is left
    of one goes with the first of the next.
    """
    import numpy as np

    room, between = np.empty(out.shape[1], np.uint64), np.empty(out.shape[1], np.uint16)
    two = FACES * FACES
    bad = []
    for place, word in enumerate(words):
        row = place // 2 * DIGITS
        if place % 2 == 0:
            _take(word, two, room, out[row])
            _take(word, two, room, out[row + 1])
            _take(word, FACES, room, out[row + 2])
        else:
            _take(word, FACES, room, between)
            np.multiply(out[row + 2], np.uint16(FACES), out[row + 2])
            np.add(out[row + 2], between, out[row + 2])
            _take(word, two, room, out[row + 3])
            _take(word, two, room, out[row + 4])
        bad.append(np.flatnonzero(word < LEAST).tolist())
    return bad


def _take(word: Any, faces: int, room: Any, out: Any) -> None:
    """Take one of so many faces out of each word."""
    import numpy as np

    np.multiply(word, np.uint64(faces), word)
    np.right_shift(word, np.uint64(32), room)
    out[:] = room
    np.bitwise_and(word, np.uint64(MASK), word)


def _words(
    seed: int, sessions: npt.NDArray[np.uint64], number: Any, attempt: int
) -> tuple[npt.NDArray[np.uint64], ...]:
    """The four words of a block of many sessions.

    Words of 32 bits live in arrays of 64, so that a product keeps its high half.
    """
    import numpy as np

    count = len(sessions)
    mask, shift = np.uint64(MASK), np.uint64(32)
    c0, c1 = number.copy(), np.full(count, attempt, np.uint64)
    c2, c3 = sessions & mask, sessions >> shift
    return _rounds(c0, c1, c2, c3, seed, 0)


def _rounds(c0: Any, c1: Any, c2: Any, c3: Any, seed: int, first: int) -> tuple[Any, ...]:
    """The rounds from `first` on, in place."""
    import numpy as np

    mask, shift = np.uint64(MASK), np.uint64(32)
    m0, m1 = (np.uint64(multiplier) for multiplier in MULTIPLIERS)
    p0, p1 = np.empty_like(c0), np.empty_like(c0)
    for number in range(first, ROUNDS):
        k0, k1 = (np.uint64(key) for key in _keys(seed, number))
        np.multiply(c0, m0, p0)
        np.multiply(c2, m1, p1)
        np.right_shift(p1, shift, c0)
        np.bitwise_xor(c0, c1, c0)
        np.bitwise_xor(c0, k0, c0)
        np.right_shift(p0, shift, c2)
        np.bitwise_xor(c2, c3, c2)
        np.bitwise_xor(c2, k1, c2)
        np.bitwise_and(p1, mask, c1)
        np.bitwise_and(p0, mask, c3)
    return c0, c1, c2, c3


def _keys(seed: int, number: int) -> tuple[int, int]:
    """The keys of a round, counted from 0."""
    return (seed + number * WEYL[0]) & MASK, ((seed >> 32) + number * WEYL[1]) & MASK


class _Begun:
    """What the first two rounds have in common for all blocks of some sessions.

    In the first round the block number and the session meet different halves of the words, so for
    sessions below 2**32 half of two rounds is one number for all sessions, and the other half the
    same in every block.
    """

    def __init__(self, seed: int, sessions: npt.NDArray[np.uint64]) -> None:
        import numpy as np

        self.seed, self.sessions = seed, sessions
        self.plain = not len(sessions) or int(sessions.max()) > MASK
        mask, shift = np.uint64(MASK), np.uint64(32)
        product = sessions * np.uint64(MULTIPLIERS[1]) if not self.plain else sessions
        self.c1 = product & mask
        second = ((product >> shift) ^ np.uint64(_keys(seed, 0)[0])) * np.uint64(MULTIPLIERS[0])
        self.high, self.c3 = second >> shift, second & mask

    def words(self, number: int) -> tuple[Any, ...]:
        """The four words of a block, at the first attempt."""
        import numpy as np

        if self.plain:
            numbers = np.full(len(self.sessions), number, np.uint64)
            return _words(self.seed, self.sessions, numbers, 0)
        first = MULTIPLIERS[0] * number
        k0, k1 = _keys(self.seed, 1)
        second = MULTIPLIERS[1] * ((first >> 32) ^ _keys(self.seed, 0)[1])
        c0 = self.c1 ^ np.uint64((second >> 32) ^ k0)
        c2 = self.high ^ np.uint64((first & MASK) ^ k1)
        c1 = np.full(len(self.sessions), second & MASK, np.uint64)
        return _rounds(c0, c1, c2, self.c3.copy(), self.seed, 2)
