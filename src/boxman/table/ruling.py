"""`rule`: the one door through which a table is asked anything.

It never raises for anything a person can do. A refused ruling leaves the table as it was; an
accepted one holds the decisions and the table they make.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from boxman.chips import format_amount as money
from boxman.dice import FACES, Roll
from boxman.rules.layout import Layout
from boxman.rules.ledger import join
from boxman.table.calls import (
    Bet,
    BuyIn,
    Call,
    CallNoRoll,
    CallRoll,
    CashOut,
    CloseBets,
    DiceOut,
    DiceRest,
    Find,
    Reduce,
    SetWorking,
    StayUp,
    TakeDown,
)
from boxman.table.rulings import Notice, Refused, Ruling, refuse
from boxman.table.settle import settle
from boxman.table.state import (
    PHASES,
    AnyDecision,
    Asked,
    BoughtIn,
    CashedOut,
    Cites,
    NoRolled,
    Phased,
    Settled,
    Table,
    apply,
)
from boxman.table.wagers import (
    Followed,
    rule_bet,
    rule_find,
    rule_reduce,
    rule_set_working,
    rule_stay_up,
    rule_take_down,
    seat_at,
)


def rule(layout: Layout, table: Table, call: Call) -> Ruling:
    """Rule on one call."""
    try:
        decisions, warnings = _RULES[type(call)](layout, table, call)
    except Refused as refused:
        return Ruling(call, table, refusal=refused.refusal)
    after = table
    for decision in decisions:
        after = apply(after, decision)
    return Ruling(call, after, tuple(decisions), tuple(warnings))


def _buy_in(layout: Layout, table: Table, call: BuyIn) -> Followed:
    if type(call.amount) is not int or call.amount <= 0 or call.amount % layout.chip:
        refuse(
            "not-in-chips",
            f"{money(call.amount)} cannot be made with chips of {money(layout.chip)}",
            layout.principles["chips"],
            f"buy in for a multiple of {money(layout.chip)}",
        )
    return [BoughtIn(call.seat, call.amount, layout.principles["chips"])], []


def _cash_out(layout: Layout, table: Table, call: CashOut) -> Followed:
    seat = seat_at(layout, table, call.seat)
    amount = call.amount or seat.rail
    if amount > seat.rail or amount <= 0:
        refuse(
            "rail-short",
            f"{seat.name} has {money(seat.rail)} on the rail",
            layout.principles["chips"],
            "take down wagers first",
        )
    return [CashedOut(seat.name, amount, layout.principles["chips"])], []


def _close_bets(layout: Layout, table: Table, call: CloseBets) -> Followed:
    return _phase(layout, table, "closed")


def _dice_out(layout: Layout, table: Table, call: DiceOut) -> Followed:
    if table.phase == "open" and needs_close(layout):
        refuse(
            "bets-open",
            "bets are still open",
            layout.betting["make"].cites,
            "close bets before the throw",
        )
    return _phase(layout, table, "out")


def _dice_rest(layout: Layout, table: Table, call: DiceRest) -> Followed:
    return _phase(layout, table, "rest")


def _phase(layout: Layout, table: Table, phase: str) -> Followed:
    cites = layout.betting["make"].cites
    if PHASES.index(phase) <= PHASES.index(table.phase):
        refuse("already-so", f"the throw is past that: it is {table.phase}", cites)
    return [Phased(phase, cites)], []


def needs_close(layout: Layout) -> bool:
    """Whether this house calls "no more bets" before a throw."""
    return bool(layout.betting["make"].value == "call")


def _call_roll(layout: Layout, table: Table, call: CallRoll) -> Followed:
    if call.first not in FACES or call.second not in FACES:
        refuse(
            "no-such-face",
            f"{call.first}-{call.second} is not a roll of two dice",
            layout.principles["total"],
            "a die shows 1 to 6",
        )
    if table.phase == "open" and needs_close(layout):
        refuse(
            "bets-open",
            "bets are still open",
            layout.betting["make"].cites,
            "close bets before the throw",
        )
    decisions = settle(layout, table, Roll(call.first, call.second))
    again = [
        (decision, wager)
        for decision in decisions
        if type(decision) is Settled
        and decision.paid
        and (wager := table.seats[decision.seat].wagers[decision.spot]).stays
    ]
    warnings: list[Notice] = []
    if again:
        after = table
        for decision in decisions:
            after = apply(after, decision)
        for won, wager in again:
            bet = Bet(seat=won.seat, spot=won.spot, amount=wager.stake, split=wager.split)
            ruling = rule(layout, after, bet)
            cites = layout.spots[won.spot].again_cites
            if ruling.refusal is not None:
                reason = ruling.refusal
                warnings.append(
                    Notice(
                        "not-up-again",
                        f"{won.seat} {won.spot} does not stay up: {reason.sentence}",
                        join(cites, reason.cites),
                    )
                )
                continue
            made: list[AnyDecision] = [
                *(_citing(placed, cites) for placed in ruling.decisions),
                Asked(won.seat, won.spot, True, cites),
            ]
            decisions += made
            warnings += ruling.warnings
            for decision in made:
                after = apply(after, decision)
    return decisions, warnings


def _citing(placed: AnyDecision, cites: Cites) -> AnyDecision:
    return msgspec.structs.replace(placed, cites=join(cites, placed.cites))


def _call_no_roll(layout: Layout, table: Table, call: CallNoRoll) -> Followed:
    return [NoRolled(layout.principles["no roll"])], []


_RULES: dict[type[Call], Callable[[Layout, Table, Any], Followed]] = {
    Bet: rule_bet,
    TakeDown: rule_take_down,
    Reduce: rule_reduce,
    SetWorking: rule_set_working,
    StayUp: rule_stay_up,
    Find: rule_find,
    BuyIn: _buy_in,
    CashOut: _cash_out,
    CloseBets: _close_bets,
    DiceOut: _dice_out,
    DiceRest: _dice_rest,
    CallRoll: _call_roll,
    CallNoRoll: _call_no_roll,
}
