"""The house's dice: fair by counting, and fixed before they are spoken of."""

from __future__ import annotations

import hashlib
import hmac
import os
from collections import Counter
from itertools import islice

import pytest

from boxman.journal.memory import MemoryRecords
from boxman.journal.pit_calls import commitment_of, faces, throw_of
from boxman.journal.row import JournalError
from boxman.pit.live.cup import Cup

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
    shown = cup.fix(1)
    kept = records.get("secret", f"t1/1/{shown}")
    assert kept is not None
    assert commitment_of(kept) == shown
    # Another process goes on with the same secret, if it is to.
    again = Cup("t1", records, os.urandom)
    assert again.secret(1, shown) == kept
    assert again.throw(1, shown, (), 4) == cup.throw(1, shown, (), 4)
    # And whoever fixes the same hand once more, because the first was never stored, fixes others.
    assert again.fix(1) != shown
    assert cup.secret(1, shown) == Cup("t1", records, os.urandom).secret(1, shown) == kept


def test_a_secret_kept_by_an_older_boxman_is_found() -> None:
    records = MemoryRecords()
    records.put("secret", "t1/7", SECRET)
    assert Cup("t1", records, os.urandom).secret(7, commitment_of(SECRET)) == SECRET


def test_a_secret_that_is_lost_or_another_is_said_so() -> None:
    records = MemoryRecords()
    for _ in range(2):
        with pytest.raises(JournalError, match="the secret of hand 7 at t1 is not among"):
            Cup("t1", records, os.urandom).secret(7, commitment_of(SECRET))
        records.put("secret", "t1/7", bytes(32))
