"""A table as its people see it: everything a page needs, so that a page needs to know no rule.

Shared parts are the same for everybody; a player's menu, the calls of a station and what a person
is told of himself are his own. Money is in minor units. This module knows no socket.
"""

from __future__ import annotations

from itertools import compress
from operator import is_not

import msgspec

from boxman.pit.live.notebook import Notebook, Setup
from boxman.pit.people.door import shown_name
from boxman.rules.duties import STATIONS
from boxman.rules.layout import Layout
from boxman.table.floor.people import Announced
from boxman.table.floor.signs import signs
from boxman.table.floor.standing import hangs
from boxman.table.json import VERSION, house_json, seat_json, state_json
from boxman.table.said.menu import Choice, KnownMenus, Menu, fresh_of, menu
from boxman.table.state import Seat, Table
from boxman.words import phrase
from boxman.words.amounts import in_money

COLOURS = 8


def seat_view(layout: Layout, table: Table, book: Notebook, seat: Seat) -> dict[str, object]:
    """One seat, with what the pit knows of its person. A guest may have anybody's name: who has an
    account is marked, where guests play."""
    person = book.people.get(seat.name, "")
    return {
        **seat_json(layout, table, seat),
        "colour": (seat.place - 1) % COLOURS if seat.place else 0,
        "automatic": person.startswith("auto:"),
        "account": book.setup.practice and shown_name(person) == person != "",
        "leaving": seat.name in book.leaving,
    }


def advises(layout: Layout, setup: Setup) -> bool:
    """Whether players are shown hints, statistics and past rolls at a table."""
    rule = layout.procedure.advice
    return setup.practice or rule is None or rule.value


def fixed(name: str, layout: Layout, book: Notebook) -> dict[str, object]:
    """What does not change while the table is open."""
    setup = book.setup
    by_hand = not set(setup.automatic) >= {"stick", "box"}
    return {
        "version": VERSION,
        "table": name,
        "name": setup.title or name,
        **house_json(layout),
        "kind": "practice" if setup.practice else "live",
        "crew": "by hand" if by_hand else "automatic",
        "automatic": list(setup.automatic),
        "dice_source": setup.dice,
        "window": setup.window,
        "buy_in_usual": setup.usual,
        "buy_in_most": setup.buy_in if setup.practice else None,
        "second_person": setup.second_person,
        "advice": advises(layout, setup),
        "stations": {
            station: layout.procedure.roles[station].value
            if station in layout.procedure.roles
            else station
            for station in STATIONS
        },
        "causes": [name for name, c in layout.procedure.causes.items() if c.effect != "never"],
    }


def shared(layout: Layout, table: Table, book: Notebook) -> dict[str, object]:
    """What everybody sees and every row may change, the seats apart."""
    floor = table.floor
    dice = book.dice
    shown = dice.shown
    return {
        **state_json(layout, table),
        "dice": book.last,
        "event": book.event,
        "pending": [
            {"what": p.what, "seat": p.seat, "spot": p.spot, "amount": p.amount, "by": list(p.by)}
            for p in floor.pending
        ],
        "notices": notices(layout, table, book),
        "disputes": [
            {"seat": each.seat, "about": each.about, "step": each.step, "by": each.judge}
            for each in floor.disputes
        ],
        "history": [list(roll) for roll in book.history] if advises(layout, book.setup) else [],
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


def notices(layout: Layout, table: Table, book: Notebook) -> list[dict[str, object]]:
    """Signs with a clock: since when, and until when they have to hang (milliseconds)."""
    return [_notice(layout, table, book, each) for each in table.floor.notices]


def _notice(layout: Layout, table: Table, book: Notebook, notice: Announced) -> dict[str, object]:
    what, low, high = notice.what, notice.minimum, notice.maximum
    wanted = hangs(layout, table, notice)
    minutes = wanted.value if wanted else 0
    limits = " to ".join(in_money(layout.currency, each) for each in (low, high))
    if notice.group:
        limits += f" ({notice.group})"
    text = (
        phrase("pit.view.the-table-will-close")
        if what == "closing"
        else phrase("pit.view.new-limits", limits=limits)
    )
    return {
        "what": what,
        "text": text,
        "minimum": low,
        "maximum": high,
        "since": book.opened + (notice.since - book.evening) * 1000,
        "until": book.opened + (notice.due(minutes) - book.evening) * 1000,
        "agreed": sorted(table.floor.agreed),
    }


def whole(
    name: str,
    layout: Layout,
    table: Table,
    book: Notebook,
    hanging: list[dict[str, object]] | None = None,
) -> dict[str, object]:
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
    return table.posted, table.floor.notices, table.floor.grants, voids


def sign_list(layout: Layout, table: Table) -> list[dict[str, object]]:
    """What players must be shown."""
    return [
        {"what": sign.what, "text": sign.text, "cites": list(sign.cites)}
        for sign in signs(layout, table)
    ]


def changed(
    layout: Layout, before: Table, was: Notebook, after: Table, now: Notebook
) -> dict[str, object]:
    """What a row changed of what everybody sees: whole keys, and the seats that are different."""
    made: dict[str, object] = {}
    if was is not now or any(
        getattr(before, key) is not getattr(after, key) for key in _SHARED_OF_TABLE
    ):
        old, new = shared(layout, before, was), shared(layout, after, now)
        made = {key: value for key, value in new.items() if value != old[key]}
    every = before.puck != after.puck
    fresh = _freshly(layout, before, after)
    if was.leaving != now.leaving:
        fresh |= {*was.leaving} ^ {*now.leaving}
    if before.floor is not after.floor:
        fresh |= before.floor.barred.keys() ^ after.floor.barred.keys()
    if before.seats is not after.seats or every or fresh:
        seats = [
            seat_view(layout, after, now, seat)
            for name, seat in after.seats.items()
            if every or before.seats.get(name) is not seat or name in fresh
        ]
        if seats:
            made["seats"] = seats
        gone = [name for name in before.seats if name not in after.seats]
        if gone:
            made["gone"] = gone
    if hanging_of(before) != hanging_of(after):
        made["signs"] = sign_list(layout, after)
    return made


_SHARED_OF_TABLE = ("phase", "puck", "rolls", "hand", "collected", "latched", "posted", "floor")
"""What of a table `shared` shows; seats are told one by one."""


def _freshly(layout: Layout, before: Table, after: Table) -> set[str]:
    """The seats that have other chips than before that could be handed back now."""
    if before.phase != after.phase:
        return {
            name
            for name in after.seats
            if fresh_of(layout, before, name) != fresh_of(layout, after, name)
        }
    if before.fresh is after.fresh or after.phase != "open":
        return set()
    old, new = before.fresh, after.fresh
    changes = [each for place, each in new.items() if old.get(place) is not each]
    changes += [each for place, each in old.items() if place not in new]
    return {each.seat for each in changes}


FACES = "disputes the faces"


def menu_of(layout: Layout, table: Table, book: Notebook, seat: str, at: int) -> Menu | None:
    """What one seat may do; None for somebody without a seat."""
    if seat not in table.seats:
        return None
    known = _KNOWN.get(id(layout))
    if known is None:
        known = _KNOWN[id(layout)] = KnownMenus(layout)
    if len(known) > MOST_KNOWN:
        known.clear()
    own = menu(layout, table, seat, at, known)
    if FACES in own.moves and book.setup.dice != "hand":
        # The house's dice show what they were fixed to show: that is checked, not disputed.
        moves = tuple(move for move in own.moves if move != FACES)
        return msgspec.structs.replace(own, moves=moves)
    return own


_KNOWN: dict[int, KnownMenus] = {}
"""Choices worked out before, by layout; each keeps its layout, so that the id stays its own."""
MOST_KNOWN = 20_000


def menu_view(own: Menu | None) -> dict[str, object] | None:
    """A menu as a page gets it."""
    if own is None:
        return None
    return {"rail": own.rail, "moves": own.moves, "choices": own.choices}


def menu_changes(old: Menu, new: Menu) -> dict[str, object]:
    """What is different in a menu: choices that changed, None for those that are gone."""
    had, have = old.choices, new.choices
    # Most are the very same: that is found without a step of Python for each.
    other = compress(have.items(), map(is_not, map(had.get, have), have.values()))
    choices: dict[str, Choice | None] = {
        spot: choice for spot, choice in other if had.get(spot) != choice
    }
    choices.update(dict.fromkeys(had.keys() - have.keys()))
    return {"rail": new.rail, "moves": new.moves, "choices": choices}
