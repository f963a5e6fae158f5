"""Where the dice of a live table come from: the house's own, hands, or a script.

The house's own: for each hand a secret from the operating system, kept before its hash is shown;
faces by HMAC-SHA-256 with exact rejection (`journal/pit_calls.py` has the arithmetic, so that
anybody can check it). This module knows secrets and nothing of tables.
"""

from __future__ import annotations

from collections.abc import Callable

from boxman.journal.pit_calls import commitment_of, throw_of
from boxman.journal.store import Records

SECRET = 32
"""Bytes of a secret."""
KIND = "secret"


class Cup:
    """The secrets of one table's hands. `entropy` is `os.urandom`, or a test's own."""

    def __init__(self, table: str, records: Records, entropy: Callable[[int], bytes]) -> None:
        self.table, self._records, self._entropy = table, records, entropy
        self._known: dict[int, bytes] = {}

    def prepare(self, hand: int) -> None:
        """Make the secret of a hand and keep it, before anything is said of it."""
        self.secret(hand)

    def secret(self, hand: int) -> bytes:
        """The secret of a hand; made and kept if there is none yet."""
        known = self._known.get(hand)
        if known is not None:
            return known
        key = f"{self.table}/{hand}"
        made = self._entropy(SECRET)
        if not self._records.add(KIND, key, made):
            kept = self._records.get(KIND, key)
            assert kept is not None
            made = kept
        self._known = {hand: made, **{n: s for n, s in self._known.items() if n >= hand - 1}}
        return made

    def commitment(self, hand: int) -> str:
        """What is shown of a hand's secret before its first bet."""
        return commitment_of(self.secret(hand))

    def throw(self, hand: int, entropy: tuple[tuple[str, str], ...], index: int) -> tuple[int, int]:
        """The faces of one throw of a hand."""
        return throw_of(self.secret(hand), self.table, hand, entropy, index)
