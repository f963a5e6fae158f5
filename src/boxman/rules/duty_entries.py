"""Facts about people and throws entered into the ledger; entries.py does the same for money."""

from __future__ import annotations

from boxman.rules import duties
from boxman.rules.book import Stated
from boxman.rules.facts import Fact
from boxman.rules.ledger import Ledger


class DutyEntries:
    """One method for each kind of duty: which questions it answers."""

    ledger: Ledger

    def _enter_role(self, fact: duties.Role, stated: Stated) -> None:
        self.ledger.enter(("role", fact.station), (fact.name,), stated)

    def _enter_may(self, fact: duties.May, stated: Stated) -> None:
        # A power is a grant: two clauses that name different people both give it. Two that name
        # some of the same and not all contradict each other.
        if fact.who:
            self.ledger.enter(("may", fact.call, fact.reason), tuple(fact.needs), stated)
        for station in fact.who:
            question = ("may by", fact.call, fact.reason, station)
            self.ledger.enter(question, tuple(sorted(fact.who)), stated)

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

    def _enter_confirm(self, fact: duties.Confirm, stated: Stated) -> None:
        self.ledger.enter(("confirm", fact.what), (tuple(sorted(fact.who)), fact.need), stated)
        if fact.until:
            self.ledger.enter(("confirm", f"{fact.what} until"), fact.until, stated)

    def _enter_record(self, fact: duties.Record, stated: Stated) -> None:
        self.ledger.enter(("record", fact.what), (tuple(sorted(fact.who)), fact.person), stated)

    def _enter_notice(self, fact: duties.NoticeTime, stated: Stated) -> None:
        self.ledger.enter(("notice", fact.of), fact.minutes, stated)

    def _enter_favour(self, fact: duties.Favour, stated: Stated) -> None:
        self._enter_fields("favour", fact, stated)

    def _enter_closing(self, fact: duties.Closing, stated: Stated) -> None:
        self._enter_fields("closing", fact, stated)

    def _enter_dice(self, fact: duties.Dice, stated: Stated) -> None:
        self._enter_fields("dice", fact, stated)

    def _enter_crew(self, fact: duties.Crew, stated: Stated) -> None:
        value = (fact.stick, fact.dealer, fact.box)
        self.ledger.enter(("crew", str(fact.sides)), value, stated)
        if fact.who:
            self.ledger.enter(("crew", f"{fact.sides} by"), tuple(fact.who), stated)

    def _enter_centre(self, fact: duties.Centre, stated: Stated) -> None:
        self.ledger.enter(("centre", "spots"), tuple(sorted(fact.spots)), stated)

    def _enter_fixed(self, fact: duties.Fixed, stated: Stated) -> None:
        self.ledger.enter(("fixed", fact.setting), True, stated)

    def _enter_voucher(self, fact: duties.Voucher, stated: Stated) -> None:
        self.ledger.enter(("voucher", fact.rule), True, stated)

    def _enter_dispute(self, fact: duties.Dispute, stated: Stated) -> None:
        self.ledger.enter(("dispute", fact.rule), True, stated)

    def _enter_sign(self, fact: duties.Sign, stated: Stated) -> None:
        self.ledger.enter(("sign", fact.shows), fact.text, stated)

    def _enter_advice(self, fact: duties.Advice, stated: Stated) -> None:
        self.ledger.enter(("advice", "allowed"), fact.allowed, stated)

    def _enter_idle(self, fact: duties.Idle, stated: Stated) -> None:
        self.ledger.enter(("idle", "rounds"), fact.rounds, stated)

    def _enter_conduct(self, fact: duties.Conduct, stated: Stated) -> None:
        self.ledger.enter(("conduct", fact.rule), True, stated)

    def _enter_fields(self, kind: str, fact: Fact, stated: Stated) -> None:
        """Each key that is stated answers a question of its own."""
        for field in fact.__struct_fields__:
            value = getattr(fact, field)
            if field not in ("when", "despite") and value:
                plain = tuple(value) if isinstance(value, list) else value
                self.ledger.enter((kind, field), plain, stated)
