"""What a live table writes down besides the calls of the game: dice and second persons.

None of these moves a chip. The house's dice are committed to before a shooter's first bet, thrown
from a keyed stream, and the key is shown when the shooter is out, so that anybody with the rows can
check every throw. This module knows the arithmetic of that; where secrets come from it does not.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from boxman.table.calls import Call

LABEL = b"boxman dice 1"
FACES = 6
FAIR = 252
"""Bytes from here on are thrown away: 252 is the highest multiple of six a byte holds."""


class Commit(Call, frozen=True, kw_only=True):
    """The house fixes the dice of one hand: the hash of a secret is shown."""

    hand: int
    commitment: str


class AddEntropy(Call, frozen=True, kw_only=True):
    """A seat adds words of its own to the dice of a hand, before its first throw."""

    seat: str
    text: str


class Throw(Call, frozen=True, kw_only=True):
    """The dice of the house come to rest. Whoever asks for a throw leaves the rest out."""

    hand: int = 0
    index: int = 0
    """The throws of a hand are counted from 0."""
    first: int = 0
    second: int = 0


class Reveal(Call, frozen=True, kw_only=True):
    """The hand is over: its secret is shown."""

    hand: int
    secret: str


class Enter(Call, frozen=True, kw_only=True):
    """Dice thrown by hand: the stick enters the faces, which count when the box confirms them."""

    first: int
    second: int
    total: int = 0
    cause: str = ""
    person: str = ""
    cocked: bool = False


class Attest(Call, frozen=True, kw_only=True):
    """The box saw the same faces, or others: then they are entered anew."""

    first: int
    second: int


class Propose(Call, frozen=True, kw_only=True):
    """A call that this table wants a second person for; it waits."""

    call: dict[str, Any]


class Second(Call, frozen=True, kw_only=True):
    """A second person agrees to a call that waits, or does not."""

    of: str
    """The id of the call that waits."""
    agree: bool = True


AnyPitCall = Commit | AddEntropy | Throw | Reveal | Enter | Attest | Propose | Second


# -- arithmetic --------------------------------------------------------------------------------


def commitment_of(secret: bytes) -> str:
    """What is shown before the first bet of a hand.

    >>> commitment_of(bytes(32))[:16]
    'f814c6cb37bc23f9'
    """
    return hashlib.sha256(LABEL + b"\0commit\0" + secret).hexdigest()


def faces(
    secret: bytes, table: str, hand: int, entropy: Iterable[tuple[str, str]]
) -> Iterator[int]:
    """The faces of one hand, one after the other, each exactly as likely as the next.

    Block n is HMAC-SHA-256 under the secret of the label, the table, the hand, the seats' words
    and n; each byte below 252 is a face, the others are skipped.
    """
    words = hashlib.sha256()
    for seat, text in entropy:
        for part in (seat.encode(), text.encode()):
            words.update(len(part).to_bytes(4, "big") + part)
    name = table.encode()
    head = LABEL + b"\0" + len(name).to_bytes(4, "big") + name + hand.to_bytes(8, "big")
    head += words.digest()
    block = 0
    while True:
        for byte in hmac.digest(secret, head + block.to_bytes(8, "big"), "sha256"):
            if byte < FAIR:
                yield byte % FACES + 1
        block += 1


def throw_of(
    secret: bytes, table: str, hand: int, entropy: Iterable[tuple[str, str]], index: int
) -> tuple[int, int]:
    """The two faces of one throw of a hand."""
    stream = faces(secret, table, hand, entropy)
    for _ in range(2 * index):
        next(stream)
    return next(stream), next(stream)


class DiceProblem(NamedTuple):
    """A row at which the dice are not what was committed to."""

    number: int
    problem: str


class DiceCheck:
    """Walks the calls of one table in order and checks every throw of every hand shown."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.hand, self.commitment, self.number = 0, "", 0
        self.entropy: list[tuple[str, str]] = []
        self.throws: list[tuple[int, int, int]] = []
        self.checked = 0
        """Throws that were checked against a secret shown."""
        self.called: tuple[int, int] | None = None

    def look(self, number: int, call: Call) -> Iterator[DiceProblem]:
        """Look at one accepted call."""
        match call:
            case Commit(hand=hand, commitment=commitment):
                if self.commitment:
                    yield DiceProblem(number, f"hand {self.hand} was never shown")
                if hand <= self.hand:
                    yield DiceProblem(number, f"hand {hand} comes after hand {self.hand}")
                self.hand, self.commitment, self.entropy, self.throws = hand, commitment, [], []
            case AddEntropy(seat=seat, text=text):
                if self.throws:
                    yield DiceProblem(number, "words were added after the first throw")
                self.entropy.append((seat, text))
            case Throw(hand=hand, index=index, first=first, second=second):
                if hand != self.hand or index != len(self.throws):
                    yield DiceProblem(number, f"throw {index} of hand {hand} is out of order")
                self.throws.append((number, first, second))
            case Reveal(hand=hand, secret=secret):
                yield from self._shown(number, hand, secret)

    def _shown(self, number: int, hand: int, secret: str) -> Iterator[DiceProblem]:
        if hand != self.hand or not self.commitment:
            yield DiceProblem(number, f"hand {hand} was never committed to")
            return
        key = bytes.fromhex(secret)
        if commitment_of(key) != self.commitment:
            yield DiceProblem(number, f"the secret of hand {hand} is not the one committed to")
            return
        stream = faces(key, self.table, hand, self.entropy)
        for at, first, second in self.throws:
            if (next(stream), next(stream)) != (first, second):
                yield DiceProblem(at, f"{first}-{second} is not what the secret gives")
            self.checked += 1
        self.commitment = ""
