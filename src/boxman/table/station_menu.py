"""What a station may do now, so that a screen for the crew needs to know no rules.

Each move is written as the notation writes it behind the station's name; FACES, AMOUNT and LIMITS
stand for what the person fills in. Every call the crew has is tried on the table as it is, which
costs nothing but time: a ruling changes no table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from boxman.rules.duties import STATIONS
from boxman.rules.layout import Layout
from boxman.table import calls, floor_calls
from boxman.table.calls import Call
from boxman.table.dice_set import POWERS as DICE_EVENTS
from boxman.table.floor import SANCTIONS, STEPS
from boxman.table.menu import menu
from boxman.table.notation import write_call
from boxman.table.powers import station_name
from boxman.table.ruling import rule
from boxman.table.state import Cites, Table

FACES, AMOUNT, LIMITS = "FACES", "AMOUNT", "LIMITS"


class StationMenu(msgspec.Struct, frozen=True, kw_only=True):
    """Everything one station may do now, each move with the clauses it would rest on."""

    station: str
    name: str
    moves: dict[str, Cites]


def station_menu(layout: Layout, table: Table, station: str, at: int = 0) -> StationMenu:
    """What this station may do at this time."""
    moves: dict[str, Cites] = {}
    for kind in CANDIDATES:
        for call in candidates(layout, table, station, kind, at):
            move = move_of(call)
            if move in moves:
                continue
            ruling = rule(layout, table, call)
            if ruling.accepted:
                moves[move] = ruling.cites
    return StationMenu(station=station, name=station_name(layout, station), moves=moves)


def move_of(call: Call) -> str:
    """A call without the station's name, and without what is left to the person to fill in."""
    match call:
        case calls.CallRoll():
            return f"calls {FACES}"
        case calls.Overrule(first=first) if first:
            return f"overrules to {FACES}"
        case calls.DecideFaces(first=first) if first:
            return f"decides {FACES}"
        case calls.CallNoRoll(cause=cause):
            call = calls.CallNoRoll(by=call.by, cause=cause)
        case calls.OrderPass(seat=seat, reason=reason):
            call = calls.OrderPass(by=call.by, seat=seat, reason=reason)
        case calls.VoidRoll(reason=reason, whole_round=whole, forfeit=forfeit):
            call = calls.VoidRoll(by=call.by, reason=reason, whole_round=whole, forfeit=forfeit)
        case calls.Find(seat=seat):
            return f"finds {AMOUNT} for {seat}"
        case calls.GiveBack(seat=seat, spot=spot):
            call = calls.GiveBack(by=call.by, seat=seat, spot=spot)
        case floor_calls.PlaceFor(seat=seat):
            return f"bets {AMOUNT} for {seat}"
        case floor_calls.Record(what=what):
            call = floor_calls.Record(by=call.by, what=what)
        case floor_calls.ShowNotice(what="limits"):
            return f"shows limits {LIMITS}"
        case floor_calls.PostLimits(reason=reason):
            return f"posts limits {LIMITS}" + (f" for {reason}" if reason else "")
        case floor_calls.GrantLimits(seat=seat):
            return f"grants {seat} {LIMITS}"
        case floor_calls.StandIn(station=station):
            return f"names somebody for {station}"
        case floor_calls.GiveVoucher(seat=seat):
            return f"gives {seat} a voucher of {AMOUNT}"
        case floor_calls.JudgeDispute(step=step):
            call = floor_calls.JudgeDispute(by=call.by, step=step)
    return write_call(call).partition(" ")[2]


def candidates(
    layout: Layout, table: Table, by: str, kind: type[Call], at: int = 0
) -> Iterator[Call]:
    """Every call of a kind that a station might make, with people and reasons filled in.

    Whatever is accepted of this kind is accepted with one of these reasons for one of these people.
    """
    for call in CANDIDATES[kind](layout, table, by):
        yield msgspec.structs.replace(call, at=at) if at else call


def _reasons(layout: Layout, power: str) -> list[str]:
    return [reason for name, reason in layout.procedure.powers if name == power]


# -- the throw and the dice ------------------------------------------------------------------------


def _plain(kind: type[Call]) -> Candidates:
    """A call that names nobody and nothing."""

    def only(layout: Layout, table: Table, by: str) -> Iterator[Call]:
        yield kind(by=by)

    return only


def _by_stick(kind: type[Call]) -> Candidates:
    """A call of the stickperson alone, whom no power is asked for."""

    def only(layout: Layout, table: Table, by: str) -> Iterator[Call]:
        if by == "stick":
            yield kind(by=by)

    return only


def _call_roll(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    yield calls.CallRoll(by=by, first=1, second=1)


def _no_roll(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    for cause in ("", *layout.procedure.causes):
        yield calls.CallNoRoll(by=by, cause=cause, person="somebody" if cause else "")


def _decide_faces(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    for first in (0, 1):
        yield calls.DecideFaces(by=by, first=first, second=first)


def _overrule(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    for first in (0, 1):
        yield calls.Overrule(by=by, first=first, second=first)


def _void_roll(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    person = next(iter(table.seats), "somebody")
    for power, whole in (("void roll", False), ("void round", True)):
        causes = () if whole else layout.procedure.causes
        for reason in dict.fromkeys((*_reasons(layout, power), *causes)):
            for forfeit in (False, True):
                yield calls.VoidRoll(
                    by=by,
                    reason=reason,
                    person=person,
                    note="note",
                    forfeit=forfeit,
                    whole_round=whole,
                )


def _offer(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    for seat in table.seats:
        yield calls.OfferDice(by=by, seat=seat)


def _order_pass(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    for seat in table.seats:
        for reason in _reasons(layout, "order to pass"):
            yield calls.OrderPass(by=by, seat=seat, reason=reason, note="note")


def _take(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    if by == "stick":
        yield calls.TakeDice(seat=by)


def _handle_dice(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    for event in DICE_EVENTS:
        if event != "asked":
            yield floor_calls.HandleDice(by=by, event=event)


# -- wagers for players, confirmations, records, sanctions, disputes -------------------------------


def _confirm(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    for pending in table.floor.pending:
        yield floor_calls.Confirm(by=by, seat=pending.seat, spot=pending.spot)


def _place_for(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    for name in table.seats:
        for spot, choice in menu(layout, table, name).choices.items():
            if choice.bet:
                amount = choice.bet[0][0]
                yield floor_calls.PlaceFor(by=by, seat=name, spot=spot, amount=amount)


def _find(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    for name in table.seats:
        for spot in layout.spots:
            for amount in (table.posted.minimum, layout.chip):
                yield calls.Find(by=by, seat=name, spot=spot, amount=amount)
    # A spot may take other amounts only; and what is found need not be what its owner may bet now.
    replace = msgspec.structs.replace
    deep = {name: replace(seat, rail=10**12) for name, seat in table.seats.items()}
    floor = replace(table.floor, barred={}, partners=())
    opened = replace(table, phase="open", seats=deep, floor=floor)
    for name in table.seats:
        for spot, choice in menu(layout, opened, name).choices.items():
            if choice.bet:
                low, _, step = choice.bet[0]
                for amount in (low, low + step, 2 * low):
                    yield calls.Find(by=by, seat=name, spot=spot, amount=amount)


def _give_back(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    for seat in table.seats.values():
        for spot in seat.wagers:
            yield calls.GiveBack(by=by, seat=seat.name, spot=spot)


def _tell(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    for whom in (*table.seats, "inspector", "surveillance"):
        yield floor_calls.Tell(by=by, whom=whom)


def _voucher(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    for name in table.seats:
        yield floor_calls.GiveVoucher(by=by, seat=name, amount=layout.chip)


def _sanction(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    for name in table.seats:
        for what in SANCTIONS:
            for reason in _reasons(layout, what):
                yield floor_calls.Sanction(by=by, what=what, seat=name, reason=reason)


def _link(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    for name in table.seats:
        for other in table.seats:
            if other != name:
                yield floor_calls.LinkPartners(by=by, first=name, second=other)


def _record(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    for kind, what in layout.procedure.rules:
        if kind == "record":
            for person in (*table.seats, "somebody", ""):
                yield floor_calls.Record(by=by, what=what, person=person)


def _open_dispute(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    for name in table.seats:
        yield floor_calls.OpenDispute(by=by, seat=name, about="payout")


def _judge(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    for step in STEPS:
        for name in dict.fromkeys((*(each[0] for each in table.floor.disputes), "")):
            yield floor_calls.JudgeDispute(by=by, step=step, seat=name)


def _stand_in(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    for station in STATIONS:
        yield floor_calls.StandIn(by=by, person="somebody", station=station)


# -- limits, notices, closing ----------------------------------------------------------------------


def _show_notice(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    low, high, unit = table.posted.minimum, table.posted.maximum, table.posted.unit
    yield floor_calls.ShowNotice(by=by, what="limits", minimum=low, maximum=high, unit=unit)
    yield floor_calls.ShowNotice(by=by, what="closing")


def _post(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    shown = table.floor.notice
    limits = [(table.posted.minimum, table.posted.maximum, table.posted.unit)]
    if shown is not None and shown[0] == "limits":
        limits.insert(0, shown[2:])
    for reason in dict.fromkeys(("", *_reasons(layout, "post limits"))):
        for low, high, unit in limits:
            yield floor_calls.PostLimits(by=by, minimum=low, maximum=high, unit=unit, reason=reason)


def _grant(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    low, high = table.posted.minimum, table.posted.maximum
    for name in table.seats:
        yield floor_calls.GrantLimits(by=by, seat=name, minimum=low, maximum=high)
        yield floor_calls.GrantLimits(by=by, seat=name, maximum=high)


def _keep(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    for name in table.seats:
        for keep in (True, False):
            yield floor_calls.KeepLimits(by=by, seat=name, keep=keep)


def _close(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    for reason in dict.fromkeys(("", *_reasons(layout, "close table"))):
        yield floor_calls.CloseTable(by=by, reason=reason)


def _choose(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    for setting, value in layout.settings.items():
        yield floor_calls.Choose(by=by, setting=setting, value=str(value))


Candidates = Callable[[Layout, Table, str], Iterator[Call]]

CANDIDATES: dict[type[Call], Candidates] = {
    calls.CloseBets: _plain(calls.CloseBets),
    calls.DiceOut: _by_stick(calls.DiceOut),
    calls.DiceRest: _by_stick(calls.DiceRest),
    calls.CallRoll: _call_roll,
    calls.CallIt: _plain(calls.CallIt),
    calls.CallNoRoll: _no_roll,
    calls.DecideFaces: _decide_faces,
    calls.Overrule: _overrule,
    calls.VoidRoll: _void_roll,
    calls.OfferDice: _offer,
    calls.OrderPass: _order_pass,
    calls.CancelPoint: _plain(calls.CancelPoint),
    calls.TakeDice: _take,
    floor_calls.HandleDice: _handle_dice,
    floor_calls.Confirm: _confirm,
    floor_calls.PlaceFor: _place_for,
    calls.Find: _find,
    calls.GiveBack: _give_back,
    floor_calls.Tell: _tell,
    floor_calls.GiveVoucher: _voucher,
    floor_calls.Sanction: _sanction,
    floor_calls.LinkPartners: _link,
    floor_calls.Record: _record,
    floor_calls.OpenDispute: _open_dispute,
    floor_calls.JudgeDispute: _judge,
    floor_calls.StandIn: _stand_in,
    floor_calls.ShowNotice: _show_notice,
    floor_calls.PostLimits: _post,
    floor_calls.GrantLimits: _grant,
    floor_calls.KeepLimits: _keep,
    floor_calls.ChangeStick: _plain(floor_calls.ChangeStick),
    floor_calls.CloseTable: _close,
    floor_calls.Choose: _choose,
}
"""For every kind of call the crew has, those of them worth trying on a table."""
