"""What a station may do now, so that a screen for the crew needs to know no rules.

Each move is written as the notation writes it behind the station's name; FACES, AMOUNT and LIMITS
stand for what the person fills in. Every call the crew has is tried on the table as it is, which
costs nothing but time: a ruling changes no table.
"""

from __future__ import annotations

from collections.abc import Iterator

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
    for call in _calls(layout, table, station):
        move = move_of(call)
        if move in moves:
            continue
        ruling = rule(layout, table, msgspec.structs.replace(call, at=at))
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


def _calls(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    """Every call a station can make, with people and reasons filled in."""
    yield from _throw(layout, table, by)
    yield from _people(layout, table, by)
    yield from _signs(layout, table, by)


def _reasons(layout: Layout, power: str) -> list[str]:
    return [reason for name, reason in layout.procedure.powers if name == power]


def _throw(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    """The throw and the dice."""
    seats = list(table.seats)
    yield calls.CloseBets(by=by)
    yield calls.CallRoll(by=by, first=1, second=1)
    yield calls.CallIt(by=by)
    for cause in ("", *layout.procedure.causes):
        yield calls.CallNoRoll(by=by, cause=cause, person="somebody" if cause else "")
    for first in (0, 1):
        yield calls.DecideFaces(by=by, first=first, second=first)
        yield calls.Overrule(by=by, first=first, second=first)
    for power, whole in (("void roll", False), ("void round", True)):
        causes = () if whole else layout.procedure.causes
        for reason in dict.fromkeys((*_reasons(layout, power), *causes)):
            for forfeit in (False, True):
                yield calls.VoidRoll(
                    by=by,
                    reason=reason,
                    person=seats[0] if seats else "somebody",
                    note="note",
                    forfeit=forfeit,
                    whole_round=whole,
                )
    for seat in seats:
        yield calls.OfferDice(by=by, seat=seat)
        for reason in _reasons(layout, "order to pass"):
            yield calls.OrderPass(by=by, seat=seat, reason=reason, note="note")
    yield calls.CancelPoint(by=by)
    if by == "stick":
        yield calls.TakeDice(seat=by)
    for event in DICE_EVENTS:
        if event != "asked":
            yield floor_calls.HandleDice(by=by, event=event)


def _people(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    """Wagers for players, confirmations, records, sanctions, disputes."""
    seats = list(table.seats)
    for pending in table.floor.pending:
        yield floor_calls.Confirm(by=by, seat=pending.seat, spot=pending.spot)
    for name in seats:
        for spot, choice in menu(layout, table, name).choices.items():
            if choice.bet:
                amount = choice.bet[0][0]
                yield floor_calls.PlaceFor(by=by, seat=name, spot=spot, amount=amount)
        for spot in layout.spots:
            for amount in (table.posted.minimum, layout.chip):
                yield calls.Find(by=by, seat=name, spot=spot, amount=amount)
        for spot in table.seats[name].wagers:
            yield calls.GiveBack(by=by, seat=name, spot=spot)
        yield floor_calls.Tell(by=by, whom=name)
        yield floor_calls.GiveVoucher(by=by, seat=name, amount=layout.chip)
        for what in SANCTIONS:
            for reason in _reasons(layout, what):
                yield floor_calls.Sanction(by=by, what=what, seat=name, reason=reason)
        for other in seats:
            if other != name:
                yield floor_calls.LinkPartners(by=by, first=name, second=other)
    for kind, what in layout.procedure.rules:
        if kind == "record":
            for person in (*seats, "somebody", ""):
                yield floor_calls.Record(by=by, what=what, person=person)
    for whom in ("inspector", "surveillance"):
        yield floor_calls.Tell(by=by, whom=whom)
    for step in STEPS:
        for name in ("", *seats):
            yield floor_calls.JudgeDispute(by=by, step=step, seat=name)
    for station in STATIONS:
        yield floor_calls.StandIn(by=by, person="somebody", station=station)


def _signs(layout: Layout, table: Table, by: str) -> Iterator[Call]:
    """Limits, notices, closing."""
    posted, shown = table.posted, table.floor.notice
    low, high, unit = posted.minimum, posted.maximum, posted.unit
    yield floor_calls.ShowNotice(by=by, what="limits", minimum=low, maximum=high, unit=unit)
    yield floor_calls.ShowNotice(by=by, what="closing")
    limits = [(low, high, unit)]
    if shown is not None and shown[0] == "limits":
        limits.append(shown[2:])
    for reason in dict.fromkeys(("", *_reasons(layout, "post limits"))):
        for least, most, step in limits:
            yield floor_calls.PostLimits(
                by=by, minimum=least, maximum=most, unit=step, reason=reason
            )
    for name in table.seats:
        yield floor_calls.GrantLimits(by=by, seat=name, minimum=low, maximum=high)
        yield floor_calls.GrantLimits(by=by, seat=name, maximum=high)
        for keep in (True, False):
            yield floor_calls.KeepLimits(by=by, seat=name, keep=keep)
    yield floor_calls.ChangeStick(by=by)
    for reason in dict.fromkeys(("", *_reasons(layout, "close table"))):
        yield floor_calls.CloseTable(by=by, reason=reason)
