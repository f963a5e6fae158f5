"""What no rulebook speaks of but a live table needs: terms of the house, with ids to cite.

A refusal of the pit cites one of these, as a refusal of the game cites a clause.
"""

from __future__ import annotations

from typing import NamedTuple

from boxman.journal import editions
from boxman.words import phrase


class Term(NamedTuple):
    """One term of the house; its words are in the book."""

    id: str

    @property
    def title(self) -> str:
        return phrase(f"terms.{self.id}.title")

    @property
    def text(self) -> str:
        return phrase(f"terms.{self.id}.text")


STATION = "pit-station"
SECOND = "pit-second-person"
DICE = "pit-dice"
ENTROPY = "pit-own-words"
CAGE = "pit-cage"
LOSS = "pit-own-loss-limit"
TIME = "pit-own-time-limit"
PAUSE = "pit-time-out"
EXCLUDED = "pit-self-exclusion"
SEAT = "pit-seat"
LEAVING = "pit-leaving"
PAIR = "pit-two-people"
EDITION = editions.TERM

TERMS: dict[str, Term] = {
    each: Term(each)
    for each in (
        *(STATION, SECOND, DICE, ENTROPY, CAGE, LOSS, TIME, PAUSE, EXCLUDED, SEAT, LEAVING, PAIR),
        EDITION,
    )
}
