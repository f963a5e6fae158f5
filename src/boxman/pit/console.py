"""What each station of the crew may say now, with the reasons it may give and why not.

The rules are asked, never copied: a call without arguments is tried on the table as it stands; a
call with arguments is listed with the reasons for which the rulebook gives this station the power.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from boxman.journal.codec import EveryCall
from boxman.pit import terms
from boxman.pit.notebook import Notebook
from boxman.pit.stations import KINDS, MAY_SAY
from boxman.rules.layout import Layout
from boxman.table.calls import (
    CallNoRoll,
    CallRoll,
    CancelPoint,
    CloseBets,
    DecideFaces,
    DiceOut,
    DiceRest,
    OfferDice,
    Overrule,
    TakeDice,
)
from boxman.table.floor_calls import ChangeStick
from boxman.table.people import GUEST, STICK
from boxman.table.powers import check_power
from boxman.table.ruling import rule
from boxman.table.rulings import Refusal, Refused
from boxman.table.shooters import turn
from boxman.table.state import Table


class Entry(NamedTuple):
    """A kind of call as a console shows it."""

    label: str
    powers: tuple[str, ...] = ()
    """The powers it may need, any of which lets it stand on the console."""


ENTRIES: dict[str, Entry] = {
    "offerdice": Entry("Offer the dice", ("offer dice",)),
    "closebets": Entry("No more bets", ("close bets",)),
    "diceout": Entry("Dice out"),
    "throw": Entry("Throw the dice"),
    "enter": Entry("Enter the faces"),
    "attest": Entry("Confirm the faces"),
    "dicerest": Entry("Dice at rest"),
    "callroll": Entry("Call the roll", ("call roll",)),
    "callnoroll": Entry("Call no roll", ("no roll",)),
    "callit": Entry("Call it"),
    "decidefaces": Entry("Decide the faces", ("decide faces",)),
    "confirm": Entry("Confirm a wager or a call"),
    "placefor": Entry("Bet for a player", ("place for player",)),
    "find": Entry("A stake found in play"),
    "giveback": Entry("Give back a mistake", ("give back",)),
    "overrule": Entry("Overrule the last call", ("overrule",)),
    "voidroll": Entry("Void a roll or a round", ("void roll", "void round")),
    "second": Entry("Agree as second person"),
    "takedice": Entry("The stick throws"),
    "orderpass": Entry("Order the shooter to pass", ("order to pass",)),
    "cancelpoint": Entry("Cancel the point"),
    "sanction": Entry(
        "Act against a player", ("exclude", "refuse wagers", "void wagers", "vacate")
    ),
    "linkpartners": Entry("Hold two players together", ("link partners",)),
    "shownotice": Entry("Show a notice", ("post limits", "close table")),
    "postlimits": Entry("Post limits", ("post limits",)),
    "grantlimits": Entry("Grant a player limits", ("grant limits",)),
    "keeplimits": Entry("Old limits for a player", ("keep limits", "end kept limits")),
    "judgedispute": Entry("A dispute", ("decide dispute", "review dispute", "inspect dispute")),
    "handledice": Entry(
        "The set of dice", ("handle dice", "inspect dice", "check die", "allow old dice")
    ),
    "givevoucher": Entry("Give a voucher"),
    "standin": Entry("Name a stand-in", ("stand in",)),
    "changestick": Entry("Another stickperson"),
    "choose": Entry("Another setting"),
    "record": Entry("Make a note"),
    "tell": Entry("Tell somebody outside"),
    "closetable": Entry("Close the table", ("close table",)),
}

_OWN = ("id", "by", "at", "stand_in", "hand", "index")
"""Fields that the server fills in."""


def fields_of(tag: str) -> list[str]:
    """What a call needs to be told besides who makes it."""
    if tag == "throw":
        return []
    return [name for name in KINDS[tag].__struct_fields__ if name not in _OWN]


def console(layout: Layout, table: Table, book: Notebook, station: str) -> list[dict[str, Any]]:
    """Everything one station of the crew may say, enabled or with the reason why not."""
    listed = []
    for tag, entry in ENTRIES.items():
        if tag not in MAY_SAY.get(station, ()) or not _here(book, tag):
            continue
        powers = _reasons(layout, station, entry)
        refusal = _standing(layout, table, book, station, tag, entry, powers)
        listed.append(
            {
                "call": tag,
                "label": entry.label,
                "enabled": refusal is None,
                "why": refusal.sentence if refusal else "",
                "clauses": list(refusal.cites) if refusal else [],
                "reasons": powers,
                "fields": fields_of(tag),
                **_defaults(layout, table, book, tag),
            }
        )
    return listed


def _here(book: Notebook, tag: str) -> bool:
    """Whether a call belongs to a table with these dice and these settings."""
    if book.setup.dice == "hand":
        return tag not in ("throw", "callroll")
    if tag == "second":
        return book.setup.second_person
    return tag not in ("enter", "attest", "callroll", "callit")


def _reasons(layout: Layout, station: str, entry: Entry) -> list[str]:
    """The reasons for which the rulebook gives this station one of the powers."""
    found = [
        reason
        for (power, reason), given in layout.procedure.powers.items()
        if power in entry.powers and station in given.who and reason
    ]
    if "no roll" in entry.powers:
        found += [
            name
            for name, cause in layout.procedure.causes.items()
            if cause.effect != "never" and (station in cause.who or not cause.who)
        ]
    return list(dict.fromkeys(found))


def _standing(
    layout: Layout,
    table: Table,
    book: Notebook,
    station: str,
    tag: str,
    entry: Entry,
    reasons: list[str],
) -> Refusal | None:
    """Why the call would be refused now whatever its arguments, if it would."""
    sample = _sample(layout, table, station, tag, reasons)
    if sample is not None:
        refusal = rule(layout, table, sample).refusal
        if refusal is not None and not _argument(refusal):
            return refusal
        return None
    if entry.powers and not reasons:
        return _powerless(layout, station, entry)
    if tag == "throw":
        trial = rule(layout, table, CallRoll(by="stick", first=1, second=2))
        return trial.refusal
    if tag == "attest" and book.entered is None:
        return Refusal("nothing-waits", "no faces wait to be confirmed", (terms.DICE,))
    if tag == "second" and not book.waiting:
        return Refusal("nothing-waits", "no call waits for a second person", (terms.SECOND,))
    if tag == "confirm" and not table.floor.pending:
        cites = layout.principles["area"]
        return Refusal("nothing-waits", "nothing waits to be confirmed", cites)
    return None


def _powerless(layout: Layout, station: str, entry: Entry) -> Refusal | None:
    """Why a station has none of these powers, if it has none."""
    refusals = []
    for power in entry.powers:
        given = [reason for known, reason in layout.procedure.powers if known == power]
        for reason in given or [""]:
            try:
                check_power(layout, power, station, reason)
            except Refused as refused:
                refusals.append(refused.refusal)
            else:
                return None
    return refusals[0]


_ARGUMENTS = ("no-such-cause", "name-missing", "person-missing", "no-such-reason", "not-next")


def _argument(refusal: Refusal) -> bool:
    """Whether another argument might pass."""
    return refusal.code in _ARGUMENTS


def _sample(
    layout: Layout, table: Table, station: str, tag: str, reasons: list[str]
) -> EveryCall | None:
    """The call with arguments that stand for any, where one such call tells for all."""
    match tag:
        case "closebets":
            return CloseBets(by=station)
        case "diceout":
            return DiceOut(by=station)
        case "dicerest":
            return DiceRest(by=station)
        case "cancelpoint":
            return CancelPoint(by=station)
        case "changestick":
            return ChangeStick(by=station)
        case "takedice":
            return TakeDice(by=station, seat=STICK)
        case "decidefaces":
            return DecideFaces(by=station, first=1, second=2)
        case "overrule":
            return Overrule(by=station, first=1, second=2)
        case "callnoroll":
            return CallNoRoll(by=station, cause=reasons[0] if reasons else "")
        case "offerdice":
            return OfferDice(by=station, seat=next_seat(layout, table))
    return None


def next_seat(layout: Layout, table: Table) -> str:
    """Whom the dice go to next, if anybody."""
    if table.hand.shooter == GUEST:
        return ""
    hand = table.hand
    if hand.shooter:
        passed = msgspec.structs.replace(hand, shooter="", former=hand.shooter)
        table = msgspec.structs.replace(table, hand=passed)
    line = turn(layout, table)
    return line[0].name if line else ""


def _defaults(layout: Layout, table: Table, book: Notebook, tag: str) -> dict[str, Any]:
    """Arguments a console may fill in by itself."""
    match tag:
        case "offerdice":
            return {"with": {"seat": next_seat(layout, table)}}
        case "confirm" if table.floor.pending:
            waits = table.floor.pending[0]
            return {"with": {"seat": waits.seat, "spot": waits.spot}}
        case "attest" if book.entered is not None:
            faces = book.entered.call
            return {"with": {"first": faces.first, "second": faces.second}}
        case "second" if book.waiting:
            return {"with": {"of": book.waiting[0].id}}
    return {}
