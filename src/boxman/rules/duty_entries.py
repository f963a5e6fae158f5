"""Facts about people and throws entered into the ledger; entries.py does the same for money."""

from __future__ import annotations

from boxman.rules import duties
from boxman.rules.book import Stated
from boxman.rules.ledger import Ledger


class DutyEntries:
    """One method for each kind of duty: which questions it answers."""

    ledger: Ledger

    def _enter_role(self, fact: duties.Role, stated: Stated) -> None:
        self.ledger.enter(("role", fact.station), (fact.name,), stated)

    def _enter_may(self, fact: duties.May, stated: Stated) -> None:
        value = (tuple(fact.who), tuple(fact.needs))
        self.ledger.enter(("may", fact.call, fact.reason), value, stated)

    def _enter_cause(self, fact: duties.Cause, stated: Stated) -> None:
        value = (fact.effect, tuple(fact.who), fact.person)
        self.ledger.enter(("cause", fact.cause), value, stated)

    def _enter_timing(self, fact: duties.Timing, stated: Stated) -> None:
        self.ledger.enter(("timing", fact.call), fact.before, stated)

    def _enter_face(self, fact: duties.Face, stated: Stated) -> None:
        self.ledger.enter(("face", fact.die), fact.reads, stated)

    def _enter_reversal(self, fact: duties.Reversal, stated: Stated) -> None:
        self.ledger.enter(("reversal", fact.reason), fact.wagers, stated)

    def _enter_order(self, fact: duties.Order, stated: Stated) -> None:
        for key in ("first", "then", "later"):
            if getattr(fact, key):
                self.ledger.enter(("order", key), getattr(fact, key), stated)

    def _enter_eligible(self, fact: duties.Eligible, stated: Stated) -> None:
        if fact.spots:
            self.ledger.enter(("eligible", "spots"), tuple(sorted(fact.spots)), stated)
        for at in fact.at:
            self.ledger.enter(("eligible", at), True, stated)
        if fact.lacking:
            self.ledger.enter(("eligible", "lacking"), fact.lacking, stated)

    def _enter_shooter(self, fact: duties.Shooter, stated: Stated) -> None:
        self.ledger.enter(("shooter", fact.rule), True, stated)

    def _enter_no_shooter(self, fact: duties.NoShooter, stated: Stated) -> None:
        self.ledger.enter(("no_shooter", "then"), fact.then, stated)
        if fact.returns:
            self.ledger.enter(("no_shooter", "returns"), tuple(fact.returns), stated)
