"""The dice of `dice`, compiled: one block of one session, or of 64 sessions side by side.

The same bits as in Python. Lanes are written as plain loops over short arrays of 32-bit words,
which the compiler turns into vector instructions. Needs Numba.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boxman.sim import dice
from boxman.sim.compiled import compiled, need_numba

inlined: Any = need_numba().njit(inline="always", nogil=True, error_model="numpy")
U32, U64 = np.uint32, np.uint64
MASK, SHIFT, FACES = U64(dice.MASK), U64(32), U64(dice.FACES)
M0, M1 = U64(dice.MULTIPLIERS[0]), U64(dice.MULTIPLIERS[1])
W0, W1 = U32(dice.WEYL[0]), U32(dice.WEYL[1])
LEAST = U32(dice.LEAST)
DIGITS = dice.DIGITS
ROUNDS = dice.ROUNDS

LANES = 64
"""Sessions side by side in a compiled kernel."""


@inlined  # type: ignore[untyped-decorator]
def philox(k0: Any, k1: Any, a0: Any, a1: Any, a2: Any, a3: Any) -> Any:
    """Ten rounds on 32-bit words."""
    for _ in range(ROUNDS):
        p0 = M0 * U64(a0)
        p1 = M1 * U64(a2)
        a0 = U32(p1 >> SHIFT) ^ a1 ^ k0
        a2 = U32(p0 >> SHIFT) ^ a3 ^ k1
        a1 = U32(p1)
        a3 = U32(p0)
        k0 = U32(k0 + W0)
        k1 = U32(k1 + W1)
    return a0, a1, a2, a3


@inlined  # type: ignore[untyped-decorator]
def split(word: Any, buffer: Any, start: Any) -> Any:
    """Write the five rolls of a word; True if it may be used."""
    for digit in range(DIGITS):
        product = U64(word) * FACES
        buffer[start + digit] = np.uint8(product >> SHIFT)
        word = U32(product)
    return word >= LEAST


@inlined  # type: ignore[untyped-decorator]
def five_of(word: Any) -> Any:
    """The five rolls of a word, a byte each and the first one lowest; True if it may be used."""
    found = U64(0)
    for digit in range(DIGITS):
        product = U64(word) * FACES
        found |= (product >> SHIFT) << U64(8 * digit)
        word = U32(product)
    return found, word >= LEAST


@compiled
def redraw(seed: Any, session: Any, number: Any, place: Any, buffer: Any, start: Any) -> None:
    """The five rolls of a word that could not be used, by further attempts."""
    attempt = U32(0)
    usable = False
    while not usable:
        attempt = U32(attempt + U32(1))
        drawn = philox(
            U32(seed & MASK),
            U32(seed >> SHIFT),
            U32(number),
            attempt,
            U32(session & MASK),
            U32(session >> SHIFT),
        )
        word = drawn[0]
        if place == 1:
            word = drawn[1]
        elif place == 2:
            word = drawn[2]
        elif place == 3:
            word = drawn[3]
        usable = split(word, buffer, start)


@compiled
def five_again(seed: Any, session: Any, number: Any, place: Any) -> Any:
    """The same as bytes of one word, the first roll lowest."""
    buffer = np.empty(DIGITS, np.uint8)
    redraw(seed, session, number, place, buffer, 0)
    found = U64(0)
    for digit in range(DIGITS):
        found |= U64(buffer[digit]) << U64(8 * digit)
    return found


@compiled
def fill20(seed: Any, session: Any, number: Any, buffer: Any) -> None:
    """The twenty rolls of a block; all three numbers are unsigned 64-bit."""
    a0, a1, a2, a3 = philox(
        U32(seed & MASK),
        U32(seed >> SHIFT),
        U32(number),
        U32(0),
        U32(session & MASK),
        U32(session >> SHIFT),
    )
    if not split(a0, buffer, 0):
        redraw(seed, session, number, 0, buffer, 0)
    if not split(a1, buffer, 5):
        redraw(seed, session, number, 1, buffer, 5)
    if not split(a2, buffer, 10):
        redraw(seed, session, number, 2, buffer, 10)
    if not split(a3, buffer, 15):
        redraw(seed, session, number, 3, buffer, 15)


@compiled
def fill_lanes(seed: Any, session: Any, number: Any, words: Any, rolls: Any) -> None:
    """Block `number` of LANES sessions from `session` on: `rolls[i, lane]`.

    `words` is room for four words a lane; what it holds afterwards means nothing.
    """
    k0 = U32(seed & MASK)
    k1 = U32(seed >> SHIFT)
    for lane in range(LANES):
        own = session + U64(lane)
        a0, a1, a2, a3 = philox(k0, k1, U32(number), U32(0), U32(own & MASK), U32(own >> SHIFT))
        words[0, lane] = a0
        words[1, lane] = a1
        words[2, lane] = a2
        words[3, lane] = a3
    bad = U32(0)
    for place in range(4):
        row = words[place]
        for digit in range(DIGITS):
            found = rolls[place * DIGITS + digit]
            for lane in range(LANES):
                product = U64(row[lane]) * FACES
                found[lane] = np.uint8(product >> SHIFT)
                row[lane] = U32(product)
        for lane in range(LANES):
            bad |= U32(row[lane] < LEAST)
    if bad != U32(0):
        redrawn = np.empty(DIGITS, np.uint8)
        for place in range(4):
            for lane in range(LANES):
                if words[place, lane] < LEAST:
                    redraw(seed, session + U64(lane), U64(number), place, redrawn, 0)
                    for digit in range(DIGITS):
                        rolls[place * DIGITS + digit, lane] = redrawn[digit]
