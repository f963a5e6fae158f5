"""`rule`: the one door through which a table is asked anything.

It never raises for anything a person can do. A refused ruling leaves the table as it was; an
accepted one holds the decisions and the table they make.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from boxman.chips import format_amount as money
from boxman.rules.duties import STATIONS
from boxman.rules.layout import Layout
from boxman.rules.ledger import join
from boxman.table.calls import (
    Bet,
    BuyIn,
    Call,
    CallIt,
    CallNoRoll,
    CallRoll,
    CancelPoint,
    CashOut,
    CloseBets,
    DecideFaces,
    DeclineDice,
    DiceOut,
    DiceRest,
    DisputeFaces,
    Find,
    GiveBack,
    OfferDice,
    OrderPass,
    Overrule,
    PassDice,
    Reduce,
    SetWorking,
    Sit,
    StayUp,
    TakeDice,
    TakeDown,
    VoidRoll,
)
from boxman.table.dice_set import check_dice, rule_handle_dice
from boxman.table.floor import (
    PLAYER,
    check_open,
    hand_call,
    rule_confirm,
    rule_give_voucher,
    rule_judge,
    rule_link,
    rule_object,
    rule_open_dispute,
    rule_place_for,
    rule_record,
    rule_sanction,
    rule_say,
    rule_stand_in,
    rule_tell,
)
from boxman.table.floor_calls import (
    Agree,
    ChangeStick,
    Choose,
    CloseTable,
    Confirm,
    GiveVoucher,
    GrantLimits,
    HandleDice,
    JudgeDispute,
    KeepLimits,
    Leave,
    LinkPartners,
    Object,
    OpenDispute,
    PlaceFor,
    PostLimits,
    Record,
    Sanction,
    Say,
    ShowNotice,
    StandIn,
    Tell,
)
from boxman.table.markers import rule_set_working, rule_stay_up
from boxman.table.mistakes import rule_give_back
from boxman.table.notices import (
    rule_agree,
    rule_change_stick,
    rule_choose,
    rule_close,
    rule_grant,
    rule_keep,
    rule_leave,
    rule_post,
    rule_show_notice,
)
from boxman.table.powers import AUTOMATIC, check_power
from boxman.table.rulings import Refusal, Refused, Ruling, refuse
from boxman.table.shooters import (
    rule_bet_at_hand,
    rule_cancel_point,
    rule_decline,
    rule_offer,
    rule_order_pass,
    rule_pass,
    rule_sit,
    rule_take,
)
from boxman.table.speakers import check_speaker, check_stand_in, stood_in
from boxman.table.state import (
    PHASES,
    BoughtIn,
    CashedOut,
    Cites,
    Phased,
    Table,
    apply,
)
from boxman.table.throws import (
    check_closed,
    rule_call_it,
    rule_call_roll,
    rule_decide_faces,
    rule_dispute_faces,
    rule_no_roll,
    rule_overrule,
    rule_void_roll,
)
from boxman.table.wagers import Followed, rule_find, rule_reduce, rule_take_down, seat_at


def rule(layout: Layout, table: Table, call: Call) -> Ruling:
    """Rule on one call."""
    try:
        if table.floor.closed and type(call) not in AFTER_CLOSING:
            check_open(layout, table, "")
        if call.by not in SPEAKERS:
            check_speaker(layout, call)
        if call.stand_in:
            check_stand_in(layout, table, call)
        decisions, warnings = RULES[type(call)](layout, table, call)
    except Refused as refused:
        return Ruling(call, table, refusal=_hands_off(layout, table, call, refused.refusal))
    after = table
    for decision in decisions:
        after = apply(after, decision)
    if call.stand_in:
        acted = stood_in(layout, after, call)
        decisions = [*decisions, acted]
        after = apply(after, acted)
    return Ruling(call, after, tuple(decisions), tuple(warnings))


SPEAKERS = frozenset((*AUTOMATIC, PLAYER, *STATIONS))
AFTER_CLOSING = (CashOut, Leave, Record, Tell, OpenDispute, JudgeDispute)


def _hands_off(layout: Layout, table: Table, call: Call, refusal: Refusal) -> Refusal:
    """A player who reaches for chips before all is settled is told the rule of conduct."""
    rule = layout.procedure.rules.get(("conduct", "hands off until settled"))
    settling = table.phase in ("rest", "disputed", "call it")
    if rule is None or call.by != PLAYER or not settling or refusal.code != "bets-closed":
        return refusal
    return msgspec.structs.replace(refusal, cites=join(refusal.cites, rule.cites))


def _buy_in(layout: Layout, table: Table, call: BuyIn) -> Followed:
    if type(call.amount) is not int or call.amount <= 0 or call.amount % layout.chip:
        refuse(
            "not-in-chips",
            f"{money(call.amount)} cannot be made with chips of {money(layout.chip)}",
            layout.principles["chips"],
            f"buy in for a multiple of {money(layout.chip)}",
        )
    floor = table.floor
    if call.seat in floor.barred:
        refuse("barred", f"{call.seat} may not play here", floor.barred[call.seat], "ask the house")
    if call.seat not in table.seats and floor.places and len(table.seats) >= floor.places:
        side = layout.procedure.rules.get(("crew", str(floor.sides))) if floor.sides == 1 else None
        refuse(
            "table-full",
            f"all {floor.places} places are taken",
            side.cites if side else layout.principles["chips"],
            "wait for a place",
        )
    return [BoughtIn(call.seat, call.amount, layout.principles["chips"])], []


def _cash_out(layout: Layout, table: Table, call: CashOut) -> Followed:
    seat = seat_at(layout, table, call.seat)
    amount = call.amount or seat.rail
    if amount % layout.chip:
        refuse(
            "not-in-chips",
            f"{money(amount)} cannot be made with chips of {money(layout.chip)}",
            layout.principles["chips"],
        )
    if amount > seat.rail or amount <= 0:
        refuse(
            "rail-short",
            f"{seat.name} has {money(seat.rail)} on the rail",
            layout.principles["chips"],
            "take down wagers first",
        )
    return [CashedOut(seat.name, amount, layout.principles["chips"])], []


def _close_bets(layout: Layout, table: Table, call: CloseBets) -> Followed:
    cites: Cites = ()
    if ("close bets", "") in layout.procedure.powers:
        cites = check_power(layout, "close bets", call.by)
    made, warnings = _phase(layout, table, "closed")
    return [Phased("closed", join(made[0].cites, cites))], warnings


def _dice_out(layout: Layout, table: Table, call: DiceOut) -> Followed:
    check_closed(layout, table)
    check_dice(layout, table, call.by)
    return _phase(layout, table, "out")


def _dice_rest(layout: Layout, table: Table, call: DiceRest) -> Followed:
    check_closed(layout, table)
    made = _phase(layout, table, "rest")
    if call.by not in AUTOMATIC and table.phase != "out":
        cites = layout.betting["make"].cites
        refuse("not-now", "the dice have not left the shooter's hand", cites, "say dice out first")
    return made


def _phase(layout: Layout, table: Table, phase: str) -> Followed:
    cites = layout.betting["make"].cites
    if PHASES.index(phase) <= PHASES.index(table.phase):
        refuse("already-so", PAST[table.phase], cites)
    return [Phased(phase, cites)], []


PAST = {
    "closed": "bets are closed already",
    "out": "the dice are out already",
    "rest": "the dice are at rest already",
    "disputed": "the faces are in dispute",
    "call it": "the stick has asked for the faces",
}


def _set_working(layout: Layout, table: Table, call: SetWorking) -> Followed:
    return hand_call(layout, table, call) or rule_set_working(layout, table, call)


RULES: dict[type[Call], Callable[[Layout, Table, Any], Followed]] = {
    Bet: rule_bet_at_hand,
    TakeDown: rule_take_down,
    Reduce: rule_reduce,
    SetWorking: _set_working,
    StayUp: rule_stay_up,
    Find: rule_find,
    GiveBack: rule_give_back,
    BuyIn: _buy_in,
    CashOut: _cash_out,
    CloseBets: _close_bets,
    DiceOut: _dice_out,
    DiceRest: _dice_rest,
    CallRoll: rule_call_roll,
    CallNoRoll: rule_no_roll,
    Sit: rule_sit,
    OfferDice: rule_offer,
    TakeDice: rule_take,
    DeclineDice: rule_decline,
    PassDice: rule_pass,
    OrderPass: rule_order_pass,
    CancelPoint: rule_cancel_point,
    CallIt: rule_call_it,
    DisputeFaces: rule_dispute_faces,
    DecideFaces: rule_decide_faces,
    Overrule: rule_overrule,
    VoidRoll: rule_void_roll,
    Say: rule_say,
    Confirm: rule_confirm,
    PlaceFor: rule_place_for,
    Object: rule_object,
    Record: rule_record,
    Tell: rule_tell,
    ShowNotice: rule_show_notice,
    Agree: rule_agree,
    PostLimits: rule_post,
    GrantLimits: rule_grant,
    KeepLimits: rule_keep,
    ChangeStick: rule_change_stick,
    Leave: rule_leave,
    Sanction: rule_sanction,
    LinkPartners: rule_link,
    OpenDispute: rule_open_dispute,
    JudgeDispute: rule_judge,
    HandleDice: rule_handle_dice,
    StandIn: rule_stand_in,
    GiveVoucher: rule_give_voucher,
    CloseTable: rule_close,
    Choose: rule_choose,
}
