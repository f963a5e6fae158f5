"""Where chips go: a decision as transfers between cage, bank, rail and wager, and their sum."""

from __future__ import annotations

from boxman.table.state import (
    AnyDecision,
    BoughtIn,
    CashedOut,
    Moved,
    Placed,
    Returned,
    Settled,
    Table,
)


def transfers(decision: AnyDecision) -> list[tuple[str, str, int]]:
    """The chips a decision moves, as (from, to, amount) between cage, bank, rail and wager."""
    match decision:
        case BoughtIn(seat, amount):
            moves = [("cage", f"rail {seat}", amount)]
        case CashedOut(seat, amount):
            moves = [(f"rail {seat}", "cage", amount)]
        case Placed(seat, spot, amount, fee, voucher=voucher):
            moves = [
                (f"rail {seat}", f"wager {seat} {spot}", amount - voucher),
                ("bank", f"wager {seat} {spot}", voucher),
                (f"rail {seat}", "bank", fee),
            ]
        case Returned(seat, spot, amount, fee, voucher=voucher):
            moves = [
                (f"wager {seat} {spot}", f"rail {seat}", amount - voucher),
                (f"wager {seat} {spot}", "bank", voucher),
                ("bank", f"rail {seat}", fee),
            ]
        case Settled(seat, spot, _, _, paid, taken, returned, voucher=voucher):
            moves = [
                ("bank", f"rail {seat}", paid),
                (f"wager {seat} {spot}", "bank", taken + voucher),
                (f"wager {seat} {spot}", f"rail {seat}", returned),
            ]
        case Moved(seat, spot, to, stake=stake):
            moves = [(f"wager {seat} {spot}", f"wager {seat} {to}", stake)]
        case _:
            moves = []
    return [move for move in moves if move[2]]


def imbalance(table: Table) -> int:
    """The sum of all chips over all accounts; anything but zero is a fault of ours."""
    chips = sum(
        seat.rail + sum(wager.stake for wager in seat.wagers.values())
        for seat in table.seats.values()
    )
    return chips + table.bank + table.cage
