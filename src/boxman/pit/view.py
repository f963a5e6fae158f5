"""A table as its people see it: everything a page needs, so that a page needs to know no rule.

Shared parts are the same for everybody; a player's menu, the calls of a station and what a person
is told of himself are his own. Money is in minor units. This module knows no socket.
"""

from __future__ import annotations

from typing import Any

import msgspec

from boxman.chips import format_amount as money
from boxman.pit.console import console
from boxman.pit.notebook import Notebook
from boxman.rules.duties import STATIONS
from boxman.rules.layout import Layout
from boxman.table.markers import works
from boxman.table.menu import Choice, Known, Menu, menu
from boxman.table.mistakes import fresh_of
from boxman.table.signs import signs
from boxman.table.state import Seat, Table

COLOURS = 8


def seat_view(layout: Layout, table: Table, book: Notebook, seat: Seat) -> dict[str, Any]:
    """One seat: chips on the rail and wagers on the felt."""
    puck = table.puck
    fresh = fresh_of(table, seat.name)
    return {
        "name": seat.name,
        "colour": (seat.place - 1) % COLOURS if seat.place else 0,
        "place": seat.place,
        "rail": seat.rail,
        "automatic": book.people.get(seat.name, "").startswith("auto:"),
        "barred": seat.name in table.floor.barred,
        "wagers": [
            {
                "spot": wager.spot,
                "stake": wager.stake,
                "fee": wager.fee,
                "marker": wager.marker,
                "working": works(layout.spots[wager.spot], wager, puck),
                "stays": wager.stays,
                "locked": not layout.spots[wager.spot].may("remove", puck),
                "voucher": wager.voucher,
                "fresh": fresh.get(wager.spot, 0),
                "split": wager.split,
            }
            for wager in seat.wagers.values()
        ],
    }


def fixed(name: str, layout: Layout, book: Notebook) -> dict[str, Any]:
    """What does not change while the table is open."""
    setup = book.setup
    by_hand = not set(setup.automatic) >= {"stick", "box"}
    rule = layout.procedure.rules.get(("advice", "allowed"))
    return {
        "table": name,
        "name": setup.title or name,
        "house": layout.house,
        "title": layout.title,
        "currency": layout.currency,
        "chip": layout.chip,
        "kind": "practice" if setup.practice else "live",
        "crew": "by hand" if by_hand else "automatic",
        "automatic": list(setup.automatic),
        "points": list(layout.points),
        "settings": {key: str(value) for key, value in layout.settings.items()},
        "dice_source": setup.dice,
        "window": setup.window,
        "buy_in_usual": setup.usual,
        "buy_in_most": setup.buy_in if setup.practice else None,
        "second_person": setup.second_person,
        "advice": setup.practice or rule is None or bool(rule.value),
        "stations": {
            station: str(layout.procedure.roles[station].value)
            if station in layout.procedure.roles
            else station
            for station in STATIONS
        },
        "causes": [name for name, c in layout.procedure.causes.items() if c.effect != "never"],
    }


def shared(layout: Layout, table: Table, book: Notebook) -> dict[str, Any]:
    """What everybody sees and every row may change, the seats apart."""
    floor = table.floor
    dice = book.dice
    shown = dice.shown
    return {
        "phase": table.phase,
        "puck": table.puck,
        "rolls": table.rolls,
        "dice": book.last,
        "event": book.event,
        "hand": {
            "shooter": table.hand.shooter,
            "offered": table.hand.offered,
            "former": table.hand.former,
            "declined": list(table.hand.declined),
        },
        "collected": {
            spot: [total for total, bit in layout.spots[spot].bits.items() if mask & bit]
            for spot, mask in table.collected.items()
        },
        "latched": sorted(table.latched),
        "posted": posted_view(table),
        "pending": [
            {"what": p.what, "seat": p.seat, "spot": p.spot, "amount": p.amount, "by": list(p.by)}
            for p in floor.pending
        ],
        "notices": notices(layout, table, book),
        "disputes": [
            {"seat": seat, "about": about, "step": step, "by": by}
            for seat, about, step, by in floor.disputes
        ],
        "closed": floor.closed,
        "places": floor.places,
        "history": [list(roll) for roll in book.history],
        "commitment": {
            "hand": dice.hand,
            "hash": dice.commitment,
            "throws": dice.throws,
            "entropy": [list(words) for words in dice.entropy],
            "last": {"hand": shown[0], "hash": shown[1], "secret": shown[2]} if shown else None,
        }
        if book.setup.dice == "house"
        else None,
        "entered": [book.entered.call.first, book.entered.call.second] if book.entered else None,
        "proposals": [
            {"id": w.id, "by": w.role, "call": str(w.call.get("type", ""))} for w in book.waiting
        ],
        "dice_set": msgspec.to_builtins(floor.dice),
    }


def posted_view(table: Table) -> dict[str, Any]:
    """The limits that bind."""
    posted = table.posted
    return {
        "minimum": posted.minimum,
        "maximum": posted.maximum,
        "unit": posted.unit,
        "classes": [list(each) for each in posted.classes],
    }


def notices(layout: Layout, table: Table, book: Notebook) -> list[dict[str, Any]]:
    """Signs with a clock: since when, and until when they have to hang (milliseconds)."""
    notice = table.floor.notice
    if notice is None:
        return []
    what, at, low, high, _ = notice
    keys = ("closing",) if what == "closing" else ("minimum up", "limits")
    rules = [r for key in keys if (r := layout.procedure.rules.get(("notice", key)))]
    minutes = max((int(rule.value) for rule in rules), default=0)
    since = book.opened + (at - book.evening) * 1000
    limits = f"{money(low)} to {money(high)}"
    text = "The table will close." if what == "closing" else f"New limits: {limits}."
    return [
        {
            "what": what,
            "text": text,
            "minimum": low,
            "maximum": high,
            "since": since,
            "until": since + minutes * 60_000,
            "agreed": sorted(table.floor.agreed),
        }
    ]


def whole(
    name: str,
    layout: Layout,
    table: Table,
    book: Notebook,
    hanging: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """The whole of what everybody sees. Signs cost most: who has them at hand gives them."""
    return {
        **fixed(name, layout, book),
        **shared(layout, table, book),
        "seats": [seat_view(layout, table, book, seat) for seat in table.seats.values()],
        "signs": hanging if hanging is not None else sign_list(layout, table),
    }


def hanging_of(table: Table) -> tuple[object, ...]:
    """What the signs of a table depend on."""
    hand = table.hand
    voids = (hand.shooter, hand.no_rolls) if hand.no_rolls else ()
    return table.posted, table.floor.notice, table.floor.grants, voids


def sign_list(layout: Layout, table: Table) -> list[dict[str, Any]]:
    """What players must be shown."""
    return [
        {"what": sign.what, "text": sign.text, "cites": list(sign.cites)}
        for sign in signs(layout, table)
    ]


def changed(
    layout: Layout, before: Table, was: Notebook, after: Table, now: Notebook
) -> dict[str, Any]:
    """What a row changed of what everybody sees: whole keys, and the seats that are different."""
    made: dict[str, Any] = {}
    if before is not after or was is not now:
        old, new = shared(layout, before, was), shared(layout, after, now)
        made = {key: value for key, value in new.items() if value != old[key]}
    every = before.puck != after.puck
    moved = before.phase != after.phase or before.fresh is not after.fresh
    if before.seats is not after.seats or every or moved:
        seats = [
            seat_view(layout, after, now, seat)
            for name, seat in after.seats.items()
            if every
            or before.seats.get(name) is not seat
            or (moved and fresh_of(before, name) != fresh_of(after, name))
        ]
        if seats:
            made["seats"] = seats
        gone = [name for name in before.seats if name not in after.seats]
        if gone:
            made["gone"] = gone
    if hanging_of(before) != hanging_of(after):
        made["signs"] = sign_list(layout, after)
    return made


def menu_of(layout: Layout, table: Table, seat: str, at: int) -> Menu | None:
    """What one seat may do; None for somebody without a seat."""
    if seat not in table.seats:
        return None
    _, known = _KNOWN.setdefault(id(layout), (layout, {}))
    if len(known) > MOST_KNOWN:
        known.clear()
    return menu(layout, table, seat, at, known)


_KNOWN: dict[int, tuple[Layout, Known]] = {}
"""Choices worked out before, by layout; the layout is kept so that its id stays its own."""
MOST_KNOWN = 20_000


def menu_view(own: Menu | None) -> dict[str, Any] | None:
    """A menu as a page gets it."""
    if own is None:
        return None
    return {"rail": own.rail, "moves": own.moves, "choices": own.choices}


def menu_changes(old: Menu, new: Menu) -> dict[str, Any]:
    """What is different in a menu: choices that changed, None for those that are gone."""
    choices: dict[str, Choice | None] = {
        spot: choice
        for spot, choice in new.choices.items()
        if (had := old.choices.get(spot)) is not choice and had != choice
    }
    choices.update((spot, None) for spot in old.choices if spot not in new.choices)
    return {"rail": new.rail, "moves": new.moves, "choices": choices}


def staff_view(
    layout: Layout, table: Table, book: Notebook, stations: tuple[str, ...]
) -> list[dict[str, Any]]:
    """For each station of the crew that the viewer works, what it may say."""
    return [
        {"station": station, "calls": console(layout, table, book, station)}
        for station in stations
        if station in STATIONS
    ]
