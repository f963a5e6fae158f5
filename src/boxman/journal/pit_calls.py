"""What a live table writes down besides the calls of the game: dice and second persons.

None of these moves a chip, but for the last settlement of a table without rules. The house's dice
are committed to before a shooter's first bet, thrown from a keyed stream, and the key is shown when
the shooter is out, so that anybody with the rows can check every throw. This module knows the
arithmetic of that; where secrets come from it does not.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from typing import Annotated

from boxman.table.call import ABOVE, BESIDE, ENTERED, Call, ConsoleEntry, call
from boxman.table.calls import CallRoll
from boxman.table.floor.people import PLAYER
from boxman.table.lines.fields import (
    Cause,
    FieldKind,
    FirstFace,
    OneOf,
    PersonName,
    SeatName,
    SecondFace,
    Total,
)
from boxman.table.state import Table

LABEL = b"boxman dice 1"
PROTOCOL = 2
"""How the house fixes, throws and shows its dice; it stands in the notes of a table's first row.
Since 2 every start of a server shows the hand under way and fixes another."""
FACES = 6
FAIR = 252
"""Bytes from here on are thrown away: 252 is the highest multiple of six a byte holds."""


@call()
class Commit(Call, frozen=True, kw_only=True):
    """The house fixes the dice of one hand: the hash of a secret is shown."""

    hand: int
    commitment: str


@call(stations=(PLAYER,))
class AddEntropy(Call, frozen=True, kw_only=True):
    """A seat adds words of its own to the dice of a hand, before its first throw."""

    seat: SeatName
    text: str


@call(stations=("stick",), console=ConsoleEntry(40, only="dice of the house"))
class Throw(Call, frozen=True, kw_only=True):
    """The dice of the house come to rest. Whoever asks for a throw leaves the rest out."""

    hand: int = 0
    index: int = 0
    """The throws of a hand are counted from 0."""
    first: int = 0
    second: int = 0


@call()
class Reveal(Call, frozen=True, kw_only=True):
    """The hand is over: its secret is shown."""

    hand: int
    secret: str


@call()
class Restart(Call, frozen=True, kw_only=True):
    """A server takes the table over from the journal: dice that were fixed before are shown and
    thrown no more, so that a copy of the journal that was restored does not throw them again."""

    head: str
    """Where the chain stood: the hash of the row before."""


@call(
    stations=("stick",),
    console=ConsoleEntry(50, fills=("faces",), only="dice by hand"),
)
class Enter(Call, frozen=True, kw_only=True):
    """Dice thrown by hand: the stick enters the faces, which count when the box confirms them."""

    first: FirstFace
    second: SecondFace
    total: Total = 0
    cause: Cause = ""
    person: PersonName = ""
    cocked: bool = False

    def half_of(self, table: Table) -> str:
        return ENTERED

    def called(self, call_id: str, at: int) -> CallRoll:
        """The call of the roll that these faces become."""
        return CallRoll(
            id=call_id,
            by="stick",
            at=at,
            first=self.first,
            second=self.second,
            total=self.total,
            cause=self.cause,
            person=self.person,
            cocked=self.cocked,
        )


@call(
    stations=ABOVE,
    console=ConsoleEntry(60, fills=("faces",), only="dice by hand"),
)
class Attest(Call, frozen=True, kw_only=True):
    """The box saw the same faces, or others: then they are entered anew."""

    first: FirstFace
    second: SecondFace

    def half_of(self, table: Table) -> str:
        return ENTERED


@call()
class Propose(Call, frozen=True, kw_only=True):
    """A call that this table wants a second person for; it waits."""

    call: dict[str, object]


@call(
    stations=BESIDE,
    console=ConsoleEntry(
        170,
        ("of", "agree"),
        only="second person",
    ),
)
class Second(Call, frozen=True, kw_only=True):
    """A second person agrees to a call that waits, or does not."""

    of: Annotated[str, FieldKind("the id of a call", label="which-call")]
    """The id of the call that waits."""
    agree: Annotated[bool, OneOf((True, False), "you")] = True


@call()
class SettleUp(Call, frozen=True, kw_only=True):
    """A table whose rulebook the engine cannot compile: all chips go back, and it closes."""


@call()
class Act(Call, frozen=True, kw_only=True):
    """Something was done to the house: people, cage, quotas, keys. It is no row of a table."""

    what: str
    about: str = ""
    """Whom or what it concerns."""
    details: dict[str, str] = {}


AnyPitCall = (
    Commit
    | AddEntropy
    | Throw
    | Reveal
    | Enter
    | Attest
    | Propose
    | Second
    | Restart
    | SettleUp
    | Act
)


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
