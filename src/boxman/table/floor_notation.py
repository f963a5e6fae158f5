"""The notation of calls about people, signs and the set of dice."""

from __future__ import annotations

from boxman.chips import format_amount as money
from boxman.rules.duties import STATIONS
from boxman.table.calls import Call
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
from boxman.table.words import Cursor, read_limits, word

DICE_WORDS = {
    "inspected": ("inspects", "the", "dice"),
    "off": ("reports", "a", "die", "off"),
    "chosen": ("gives", "another", "die"),
    "found": ("finds", "the", "die"),
    "checked": ("checks", "the", "die"),
    "rejected": ("rejects", "the", "die"),
    "lost": ("gives", "up", "the", "die"),
    "new set": ("brings", "a", "new", "set"),
    "old dice": ("allows", "the", "old", "dice"),
}
SANCTION_WORDS = {
    "exclude": ("excludes",),
    "refuse wagers": ("refuses", "wagers", "of"),
    "void wagers": ("voids", "wagers", "of"),
    "vacate": ("asks", "to", "leave"),
}
STEP_WORDS = {
    "decide": "decides",
    "review": "reviews",
    "inspect": "inspects",
    "close": "closes",
}


def read_player(cursor: Cursor, seat: str, verb: str) -> Call | None:
    """What a player says about people and signs; None if it is something else."""
    if verb == "says":
        amount = cursor.amount()
        return Say(seat=seat, amount=amount, spot=cursor.take("a spot").text)
    if verb == "objects":
        cursor.want("to")
        return Object(seat=seat, spot=cursor.take("a spot").text)
    if verb == "agrees":
        return Agree(seat=seat)
    if verb == "leaves":
        return Leave(seat=seat)
    if verb == "disputes":
        return OpenDispute(seat=seat, about=cursor.take("what is disputed").text)
    if verb == "asks":
        cursor.want("for", "the", "old", "die")
        return HandleDice(by=seat, event="asked")
    return None


def read_staff(cursor: Cursor, station: str, verb: str) -> Call:
    """What staff say about people, signs and the set of dice."""
    for event, words in DICE_WORDS.items():
        if verb == words[0] and cursor.accept(*words[1:]):
            return HandleDice(by=station, event=event)
    for what, words in SANCTION_WORDS.items():
        if verb == words[0] and cursor.accept(*words[1:]):
            seat = cursor.take("a player").text
            reason = cursor.take("a reason").text if cursor.accept("for") else ""
            return Sanction(by=station, what=what, seat=seat, reason=reason)
    for step, does in STEP_WORDS.items():
        if verb == does and cursor.accept("dispute"):
            whose = cursor.take("a player").text if cursor.accept("of") else ""
            return JudgeDispute(by=station, step=step, seat=whose, note=_note(cursor))
    if verb in ("shows", "posts", "grants", "keeps", "ends", "announces"):
        return _read_limits(cursor, station, verb)
    if verb == "confirms":
        seat = cursor.take("a player").text
        return Confirm(by=station, seat=seat, spot=cursor.take("a spot").text)
    if verb == "bets":
        amount = cursor.amount()
        spot = cursor.take("a spot").text
        cursor.want("for")
        return PlaceFor(by=station, seat=cursor.take("a player").text, spot=spot, amount=amount)
    if verb == "records":
        what = cursor.take("what is noted").text
        person = cursor.take("a person").text if cursor.accept("by") else ""
        return Record(by=station, what=what, person=person, note=_note(cursor))
    if verb == "opens":
        cursor.want("dispute", "of")
        seat = cursor.take("a player").text
        cursor.want("about")
        return OpenDispute(by=station, seat=seat, about=cursor.take("what is disputed").text)
    if verb == "tells":
        return Tell(by=station, whom=cursor.take("inspector, surveillance or a player").text)
    if verb == "links":
        first = cursor.take("a player").text
        cursor.want("and")
        return LinkPartners(by=station, first=first, second=cursor.take("a player").text)
    if verb == "closes":
        cursor.want("the", "table")
        reason = cursor.take("a reason").text if cursor.accept("for") else ""
        return CloseTable(by=station, reason=reason)
    if verb == "changes":
        return ChangeStick(by=station)
    if verb == "sets":
        name, equals, value = cursor.take("name=value").text.partition("=")
        if not equals or not value:
            cursor.fail(f"expected name=value, not {name!r}", 1)
        return Choose(by=station, setting=name, value=value)
    if verb == "names":
        person = cursor.take("a person").text
        cursor.want("for")
        return StandIn(by=station, person=person, station=cursor.take("a station").text)
    if verb == "gives":
        seat = cursor.take("a player").text
        cursor.want("a", "voucher", "of")
        return GiveVoucher(by=station, seat=seat, amount=cursor.amount())
    cursor.fail(
        f"{verb!r} is not something the {station} does; expected calls, closes, offers, decides, "
        "overrules, voids, finds, confirms, bets, records, shows, posts or another of the notation",
        1,
    )


def _note(cursor: Cursor) -> str:
    return cursor.take("a note").text if cursor.accept("because") else ""


def _read_limits(cursor: Cursor, station: str, verb: str) -> Call:
    if verb == "announces":
        cursor.want("closing")
        return ShowNotice(by=station, what="closing")
    if verb in ("keeps", "ends"):
        cursor.want("limits", "for")
        seat = cursor.take("a player").text
        return KeepLimits(by=station, seat=seat, keep=verb == "keeps")
    if verb == "grants":
        seat = cursor.take("a player").text
        if cursor.accept("up", "to"):
            return GrantLimits(by=station, seat=seat, maximum=cursor.amount())
        low, high = read_limits(cursor)
        return GrantLimits(by=station, seat=seat, minimum=low, maximum=high)
    cursor.want("limits")
    low, high = read_limits(cursor)
    unit = cursor.amount() if cursor.accept("unit") else 0
    if verb == "shows":
        return ShowNotice(by=station, what="limits", minimum=low, maximum=high, unit=unit)
    reason = cursor.take("a reason").text if cursor.accept("for") else ""
    return PostLimits(by=station, minimum=low, maximum=high, unit=unit, reason=reason)


def write_floor(call: Call) -> str:
    """Write one of these calls; reading it back gives the same call."""
    by = call.by or "dealer"
    match call:
        case Say(seat=seat, amount=amount, spot=spot):
            return f"{seat} says {money(amount)} {spot}"
        case Object(seat=seat, spot=spot):
            return f"{seat} objects to {spot}"
        case Agree(seat=seat):
            return f"{seat} agrees"
        case Leave(seat=seat):
            return f"{seat} leaves"
        case OpenDispute(by=station, seat=seat, about=about) if station in STATIONS:
            return f"{station} opens dispute of {seat} about {word(about)}"
        case OpenDispute(seat=seat, about=about):
            return f"{seat} disputes {word(about)}"
        case HandleDice(event="asked"):
            return f"{call.by} asks for the old die"
        case HandleDice(event=event):
            return f"{by} {' '.join(DICE_WORDS[event])}"
        case Sanction(what=what, seat=seat, reason=reason):
            words = f"{by} {' '.join(SANCTION_WORDS[what])} {seat}"
            return words + (f" for {word(reason)}" if reason else "")
        case JudgeDispute(step=step, seat=seat, note=note):
            words = f"{by} {STEP_WORDS[step]} dispute" + (f" of {seat}" if seat else "")
            return words + (f' because "{note}"' if note else "")
        case Confirm(seat=seat, spot=spot):
            return f"{by} confirms {seat} {spot}"
        case PlaceFor(seat=seat, spot=spot, amount=amount):
            return f"{by} bets {money(amount)} {spot} for {seat}"
        case Record(what=what, person=person, note=note):
            words = f"{by} records {word(what)}" + (f" by {word(person)}" if person else "")
            return words + (f' because "{note}"' if note else "")
        case Tell(whom=whom):
            return f"{by} tells {word(whom)}"
        case LinkPartners(first=first, second=second):
            return f"{by} links {first} and {second}"
        case CloseTable(reason=reason):
            return f"{by} closes the table" + (f" for {word(reason)}" if reason else "")
        case ChangeStick():
            return f"{by} changes"
        case Choose(setting=setting, value=value):
            return f"{by} sets {word(f'{setting}={value}')}"
        case StandIn(person=person, station=station):
            return f"{by} names {word(person)} for {station}"
        case GiveVoucher(seat=seat, amount=amount):
            return f"{by} gives {seat} a voucher of {money(amount)}"
    return _write_limits(call, by)


def _write_limits(call: Call, by: str) -> str:
    match call:
        case ShowNotice(what="closing"):
            return f"{by} announces closing"
        case KeepLimits(seat=seat, keep=keep):
            return f"{by} {'keeps' if keep else 'ends'} limits for {seat}"
        case GrantLimits(seat=seat, minimum=0, maximum=high):
            return f"{by} grants {seat} up to {money(high)}"
        case GrantLimits(seat=seat, minimum=low, maximum=high):
            return f"{by} grants {seat} {money(low)}-{money(high)}"
        case ShowNotice(minimum=low, maximum=high, unit=unit):
            words = f"{by} shows limits {money(low)}-{money(high)}"
            return words + (f" unit {money(unit)}" if unit else "")
        case PostLimits(minimum=low, maximum=high, unit=unit, reason=reason):
            words = f"{by} posts limits {money(low)}-{money(high)}"
            words += f" unit {money(unit)}" if unit else ""
            return words + (f" for {word(reason)}" if reason else "")
    raise AssertionError(f"no notation for {call!r}")
