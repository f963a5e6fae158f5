"""Where the dice of a live table come from: the house's own, hands, or a script.

The house's own: for each hand a new secret from the operating system, kept before its hash is
shown; faces by HMAC-SHA-256 with exact rejection (`journal/pit_calls.py` has the arithmetic, so
that anybody can check it). This module knows secrets and nothing of tables.
"""

from __future__ import annotations

from collections.abc import Callable

from boxman.journal.pit_calls import commitment_of, throw_of
from boxman.journal.row import JournalError
from boxman.journal.store import Records
from boxman.words import phrase

SECRET = 32
"""Bytes of a secret."""
KIND = "secret"


class Cup:
    """The secrets of one table's hands. `entropy` is `os.urandom`, or a test's own."""

    def __init__(self, table: str, records: Records, entropy: Callable[[int], bytes]) -> None:
        self.table, self._records, self._entropy = table, records, entropy
        self._known: tuple[str, bytes] = ("", b"")

    def fix(self, hand: int) -> str:
        """Fix the dice of a hand: a new secret is kept, and its commitment may be shown.

        Always a new one: what an older copy of the records holds somebody may have seen thrown.
        It is kept under its commitment, so that nobody's secret takes the place of another's.
        """
        secret = self._entropy(SECRET)
        commitment = commitment_of(secret)
        self._records.put(KIND, f"{self.table}/{hand}/{commitment}", secret)
        self._known = (commitment, secret)
        return commitment

    def secret(self, hand: int, commitment: str) -> bytes:
        """The secret of a hand that was committed to."""
        if self._known[0] != commitment:
            name = f"{self.table}/{hand}"
            kept = self._records.get(KIND, f"{name}/{commitment}") or self._records.get(KIND, name)
            if kept is None or commitment_of(kept) != commitment:
                raise JournalError(
                    phrase("journal.wrong.secret-is-gone", hand=hand, table=self.table)
                )
            self._known = (commitment, kept)
        return self._known[1]

    def throw(
        self, hand: int, commitment: str, entropy: tuple[tuple[str, str], ...], index: int
    ) -> tuple[int, int]:
        """The faces of one throw of a hand."""
        return throw_of(self.secret(hand, commitment), self.table, hand, entropy, index)
