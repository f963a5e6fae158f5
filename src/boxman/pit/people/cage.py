"""The cage: play chips are issued to people and taken back. There is no payment code.

What somebody holds here moves in the same commit as the row that moves it, in whichever process,
and the store refuses to go below nothing: who buys in twice at once is paid once. Practice tables
give chips to anybody.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from boxman.chips import format_amount as money
from boxman.journal.store import Change
from boxman.pit.live import terms
from boxman.pit.people.acts import Acts
from boxman.table.rulings import Refusal
from boxman.words import phrase


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """What the cage has issued to one person, less what it took back."""

    issued: int = 0
    movements: tuple[tuple[int, int, str], ...] = ()
    """The last ones: when, how much, by whom."""


KEPT = 100
TRIES = 100
"""How often an account is read again that others change at the same moment."""
FILLED = "chips"
"""The record that says that what everybody holds is kept by the store."""


class CageError(ValueError):
    """What the cage does not do, in one sentence."""


class Cage:
    """Everybody's chips."""

    def __init__(self, acts: Acts) -> None:
        self.acts, self.clock = acts, acts.clock
        self.records, self.chips = acts.journal.records, acts.journal.chips

    def begin(self, brought: Callable[[str], int]) -> None:
        """The first opening of a house that kept its cage in another way: what everybody holds is
        what was issued less what was brought to live tables."""
        if self.records.get("house", FILLED) is not None:
            return
        for person, _ in self.records.list("cage"):
            # Who was paid twice by such a house owes it nothing.
            self.chips.begin(person, max(0, self.account(person).issued - brought(person)))
        self.records.add("house", FILLED, b"yes")

    def account(self, person: str) -> Account:
        """One person's account."""
        kept = self.records.get("cage", person)
        return msgspec.json.decode(kept, type=Account) if kept else Account()

    def balance(self, person: str) -> int:
        """What somebody may bring to a live table."""
        return self.chips.held(person)

    def move(self, person: str, amount: int, by: str) -> int:
        """Issue chips, or take some back (below nothing); the new balance."""
        for _ in range(TRIES):
            kept = self.records.get("cage", person)
            old = msgspec.json.decode(kept, type=Account) if kept else Account()
            held = self.chips.held(person)
            if held + amount < 0:
                raise CageError(
                    phrase("pit.people.holds-and-no-more", person=person, held=money(held))
                )
            moves = (*old.movements, (self.clock(), amount, by))[-KEPT:]
            new = msgspec.json.encode(Account(issued=old.issued + amount, movements=moves))
            if self.acts.write(
                "issue chips" if amount > 0 else "take back chips",
                by=by,
                about=person,
                changes=[Change("cage", person, kept, new)],
                moves=[(person, amount)],
                details={"amount": str(abs(amount)), "issued": str(old.issued + amount)},
            ):
                return self.chips.held(person)
        raise CageError(phrase("pit.people.the-account-is-busy"))

    def refusal(self, person: str, amount: int, practice: bool, most: int) -> Refusal | None:
        """Why somebody cannot buy in for this, if he cannot."""
        if practice:
            if amount <= most:
                return None
            return Refusal("over-issue", (terms.CAGE,), values={"most": most})
        left = self.balance(person)
        if amount <= left:
            return None
        return Refusal("cage-short", (terms.CAGE,), values={"amount": max(left, 0)})
