"""The cage: play chips are issued to people and taken back. There is no payment code.

What somebody holds is what the cage issued less what he has brought to live tables, which the
tables' journals say. Practice tables give chips to anybody.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from boxman.chips import format_amount as money
from boxman.journal.store import Records
from boxman.pit import terms
from boxman.table.rulings import Refusal


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """What the cage has issued to one person, less what it took back."""

    issued: int = 0
    movements: tuple[tuple[int, int, str], ...] = ()
    """The last ones: when, how much, by whom."""


KEPT = 100
AtTables = Callable[[str], int]
"""The chips a person has brought to live tables and not taken away."""


class CageError(ValueError):
    """What the cage does not do, in one sentence."""


class Cage:
    """Everybody's chips."""

    def __init__(self, records: Records, clock: Callable[[], int], at_tables: AtTables) -> None:
        self.records, self.clock, self.at_tables = records, clock, at_tables

    def account(self, person: str) -> Account:
        """One person's account."""
        kept = self.records.get("cage", person)
        return msgspec.json.decode(kept, type=Account) if kept else Account()

    def balance(self, person: str) -> int:
        """What somebody may bring to a live table."""
        return self.account(person).issued - self.at_tables(person)

    def move(self, person: str, amount: int, by: str) -> int:
        """Issue chips, or take some back (below nothing); the new balance."""
        for _ in range(10):
            kept = self.records.get("cage", person)
            old = msgspec.json.decode(kept, type=Account) if kept else Account()
            left = old.issued + amount - self.at_tables(person)
            if left < 0:
                raise CageError(f"{person} holds {money(left - amount)} and no more")
            moves = (*old.movements, (self.clock(), amount, by))[-KEPT:]
            new = msgspec.json.encode(Account(issued=old.issued + amount, movements=moves))
            if kept is None:
                done = self.records.add("cage", person, new)
            else:
                done = self.records.swap("cage", person, kept, new)
            if done:
                return left
        raise CageError("the account is busy; try again")

    def refusal(self, person: str, amount: int, practice: bool, most: int) -> Refusal | None:
        """Why somebody cannot buy in for this, if he cannot."""
        if practice:
            if amount <= most:
                return None
            return Refusal(
                "over-issue",
                f"practice chips are issued up to {money(most)} at a time",
                (terms.CAGE,),
                f"buy in for {money(most)} or less",
            )
        left = self.balance(person)
        if amount <= left:
            return None
        return Refusal(
            "cage-short",
            f"the cage has issued you {money(max(left, 0))}",
            (terms.CAGE,),
            "ask the cage for chips",
        )
