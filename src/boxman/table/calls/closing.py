"""The call that closes the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from boxman.rules.layout import Layout
from boxman.rules.ledger import join
from boxman.table.call import CREW, Call, ConsoleEntry, call
from boxman.table.calls.limits import shown_for
from boxman.table.floor.powers import check_power
from boxman.table.floor.standing import check_needs
from boxman.table.floor.throw import SETTLED
from boxman.table.lines.fields import Reason
from boxman.table.rulings import Followed, change, refuse
from boxman.table.state import AnyDecision, Table
from boxman.table.wagers import give_back, left_over


@call(
    "{by} closes the table [for {reason}]",
    stations=CREW,
    powers=("close table",),
    moves={place: (place,) for place in SETTLED},
    console=ConsoleEntry(360, ("reason",)),
)
class CloseTable(Call, frozen=True, kw_only=True):
    """The table closes."""

    reason: Reason = ""

    def rule(self, layout: Layout, table: Table) -> Followed:
        cites = check_power(layout, "close table", self.by, self.reason)
        check_needs(layout, table, "close table", self.reason, {})
        power = layout.procedure.power("close table", self.reason)
        notice = layout.procedure.notice.closing
        wants = notice is not None and (power is None or not self.reason or "notice" in power.needs)
        if wants and table.seats:
            assert notice is not None
            cites = join(cites, notice.cites)
            if not shown_for(table, "closing", notice.value, self.at):
                refuse("notice-due", cites, "closing", value=notice.value)
        rule = layout.procedure.closing
        cites = cites or layout.silence
        why = join(cites, rule.cites) if rule else cites
        made: list[AnyDecision] = [
            give_back(layout, seat, layout.spots[name], 0, "table closed", why)
            for seat in table.seats.values()
            for name in seat.wagers
        ]
        made += left_over(layout, table, made)
        return [*made, change(table, "closed", cites, closed=True)], []

    @classmethod
    def tries(cls, layout: Layout, table: Table, by: str) -> Iterator[Self]:
        for reason in dict.fromkeys(("", *layout.procedure.powers["close table"])):
            yield cls(by=by, reason=reason)
