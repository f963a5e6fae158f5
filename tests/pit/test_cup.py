"""The house's dice: fair by counting, fixed beforehand, checked afterwards by anybody."""

from __future__ import annotations

import hashlib
import hmac
import os
from collections import Counter
from itertools import islice

import pytest

from boxman.journal.memory import MemoryRecords
from boxman.journal.pit_calls import (
    AddEntropy,
    Commit,
    DiceCheck,
    Reveal,
    Throw,
    commitment_of,
    faces,
    throw_of,
)
from boxman.pit.cup import Cup
from boxman.table.calls import Call

SECRET = bytes(range(32))


def test_every_face_has_as_many_bytes_as_the_next() -> None:
    kept = [byte for byte in range(256) if byte < 252]
    assert Counter(byte % 6 + 1 for byte in kept) == dict.fromkeys(range(1, 7), 42)


def test_the_stream_is_what_the_document_says() -> None:
    # docs/serving.md, "Dice": worked out here again from the words alone.
    words = b"".join(
        len(part).to_bytes(4, "big") + part for part in (b"ann", b"luck", b"bob", b"more")
    )
    head = b"boxman dice 1" + b"\0" + (2).to_bytes(4, "big") + b"t1" + (3).to_bytes(8, "big")
    head += hashlib.sha256(words).digest()
    wanted: list[int] = []
    block = 0
    while len(wanted) < 200:
        digest = hmac.new(SECRET, head + block.to_bytes(8, "big"), hashlib.sha256).digest()
        wanted += [byte % 6 + 1 for byte in digest if byte < 252]
        block += 1
    entropy = [("ann", "luck"), ("bob", "more")]
    assert list(islice(faces(SECRET, "t1", 3, entropy), 200)) == wanted[:200]
    assert throw_of(SECRET, "t1", 3, entropy, 7) == (wanted[14], wanted[15])


def test_the_commitment_is_what_the_document_says() -> None:
    wanted = hashlib.sha256(b"boxman dice 1\0commit\0" + SECRET).hexdigest()
    assert commitment_of(SECRET) == wanted


def test_faces_and_pairs_are_even_in_a_long_stream() -> None:
    # Chi-square: 5 and 35 degrees of freedom; these bounds are passed once in a million streams.
    stream = list(islice(faces(SECRET, "even", 1, []), 120_000))
    single = sum((n - 20_000) ** 2 / 20_000 for n in Counter(stream).values())
    assert single < 36.5
    pairs = Counter(zip(stream[::2], stream[1::2], strict=True))
    expected = 60_000 / 36
    assert sum((pairs[a, b] - expected) ** 2 / expected for a, b in pairs) < 92
    assert len(pairs) == 36


@pytest.mark.parametrize("change", ["secret", "table", "hand", "words", "speaker"])
def test_everything_that_goes_in_changes_the_dice(change: str) -> None:
    base = (SECRET, "t1", 1, [("ann", "x")])
    other = {
        "secret": (bytes(32), "t1", 1, [("ann", "x")]),
        "table": (SECRET, "t2", 1, [("ann", "x")]),
        "hand": (SECRET, "t1", 2, [("ann", "x")]),
        "words": (SECRET, "t1", 1, [("ann", "y")]),
        "speaker": (SECRET, "t1", 1, [("an", "nx")]),
    }[change]
    assert list(islice(faces(*base), 40)) != list(islice(faces(*other), 40))


def test_a_secret_is_kept_before_it_is_spoken_of() -> None:
    records = MemoryRecords()
    cup = Cup("t1", records, os.urandom)
    shown = cup.commitment(1)
    kept = records.get("secret", "t1/1")
    assert kept is not None
    assert commitment_of(kept) == shown
    # Another process, or this one after a restart, goes on with the same secret.
    again = Cup("t1", records, os.urandom)
    assert again.commitment(1) == shown
    assert again.throw(1, (), 4) == cup.throw(1, (), 4)
    assert cup.commitment(2) != shown


def _hand() -> list[Call]:
    entropy = [("ann", "luck")]
    calls: list[Call] = [Commit(hand=1, commitment=commitment_of(SECRET))]
    calls.append(AddEntropy(seat="ann", text="luck"))
    for index in range(5):
        first, second = throw_of(SECRET, "t1", 1, entropy, index)
        calls.append(Throw(hand=1, index=index, first=first, second=second))
    calls.append(Reveal(hand=1, secret=SECRET.hex()))
    return calls


def _problems(calls: list[Call]) -> list[tuple[int, str]]:
    check = DiceCheck("t1")
    return [tuple(each) for n, call in enumerate(calls, 1) for each in check.look(n, call)]


def test_an_honest_hand_is_found_honest() -> None:
    check = DiceCheck("t1")
    assert [each for n, call in enumerate(_hand(), 1) for each in check.look(n, call)] == []
    assert check.checked == 5


def test_another_face_is_found_where_it_is() -> None:
    for at in range(2, 7):
        for first in range(1, 7):
            calls = _hand()
            throw = calls[at]
            assert isinstance(throw, Throw)
            if throw.first == first:
                continue
            calls[at] = Throw(hand=1, index=at - 2, first=first, second=throw.second)
            assert [number for number, _ in _problems(calls)] == [at + 1]


def test_other_tricks_are_found() -> None:
    other = bytes(32)
    calls = _hand()
    assert _problems([*calls[:-1], Reveal(hand=1, secret=other.hex())])  # another secret
    assert _problems([calls[0], *calls[2:]])  # the player's words left out
    assert _problems([*calls[:3], *calls[4:]])  # a throw left out
    assert _problems([*calls[:4], calls[1], *calls[4:]])  # words added under way
    assert _problems(calls[1:])  # never committed to
    anew = Commit(hand=2, commitment=commitment_of(other))
    assert _problems([*calls[:-1], anew])  # a hand that is never shown
