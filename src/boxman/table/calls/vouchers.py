"""The call of promotional vouchers."""

from __future__ import annotations

from boxman.rules.layout import Layout
from boxman.table.call import BESIDE, Call, ConsoleEntry, call
from boxman.table.lines.fields import Money, SeatName
from boxman.table.rulings import Followed, change, refuse
from boxman.table.said.saying import saying
from boxman.table.state import Table
from boxman.table.wagers import chips_only, seat_at


@call(
    "{by} gives {seat} a voucher of {amount}",
    stations=BESIDE,
    console=ConsoleEntry(300, ("seat",), ("amount",)),
)
class GiveVoucher(Call, frozen=True, kw_only=True):
    """The house gives a player a promotional voucher."""

    seat: SeatName
    amount: Money

    def rule(self, layout: Layout, table: Table) -> Followed:
        cites = layout.procedure.voucher.one_wager
        if not cites:
            refuse("no-vouchers", chips_only(layout))
        seat_at(layout, table, self.seat)
        if type(self.amount) is not int or self.amount <= 0:
            refuse("not-an-amount", cites, "voucher")
        held = {**table.floor.vouchers}
        held[self.seat] = (*held.get(self.seat, ()), self.amount)
        words = saying("voucher", seat=self.seat, amount=self.amount)
        return [change(table, words, cites, vouchers=held)], []
