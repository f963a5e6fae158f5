"""The automatic crew: it makes the calls a person there would make, through the same door.

`next_call` is pure: from a table and what is remembered of it to the next thing somebody of the
crew says, and how long he takes. Whoever runs it says it. It has the stations' own powers and no
others; a house that gives a power to nobody gives none to it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

import msgspec

from boxman.journal.codec import EveryCall
from boxman.journal.pit_calls import Attest, Throw
from boxman.pit.live.notebook import Notebook
from boxman.pit.live.stations import MAY_SAY, tag_of
from boxman.rules.layout import Layout
from boxman.table.call import CREW
from boxman.table.calls import (
    CallNoRoll,
    CallRoll,
    CancelPoint,
    CloseBets,
    Confirm,
    DecideFaces,
    DiceOut,
    HandleDice,
    JudgeDispute,
    OfferDice,
    OrderPass,
    PassOver,
    TakeDice,
)
from boxman.table.floor.people import GUEST, STICK
from boxman.table.floor.shooters import eligible, may_be_asked, turn
from boxman.table.floor.throw import IN_DISPUTE, THROWN
from boxman.table.floor.throws import needs_close
from boxman.table.ruling import rule
from boxman.table.state import Table

PATIENCE = 45_000
"""Milliseconds a shooter without a line wager keeps the dice waiting."""
NOBODY: Mapping[str, int] = {}


class Next(NamedTuple):
    """What the crew says next: from which station, which call, after how many milliseconds."""

    station: str
    call: EveryCall
    wait: int


def next_call(
    layout: Layout,
    table: Table,
    book: Notebook,
    now: int,
    ready: Mapping[str, int] = NOBODY,
    away: Collection[str] = (),
) -> Next | None:
    """The next call of the automatic crew, or None while it waits for somebody.

    `ready` says who wants the throw and since when; who is `away` is not waited for.
    """
    setup = book.setup
    if table.floor.closed or not setup.automatic:
        return None
    for found in (
        _answers(layout, table, book),
        _dice_in_order(layout, table, book),
        _throw(layout, table, book, now, ready, away),
    ):
        if found is not None and found.station in setup.automatic:
            return found
    return None


def _can(layout: Layout, table: Table, station: str, call: EveryCall) -> bool:
    """Whether the rules would take this call from this station now."""
    if tag_of(call) not in MAY_SAY[station]:
        return False
    return rule(layout, table, msgspec.structs.replace(call, by=station)).refusal is None


def _first(layout: Layout, table: Table, book: Notebook, call: EveryCall, wait: int) -> Next | None:
    """The call from the lowest automatic station whose power it is."""
    for station in CREW:
        if station in book.setup.automatic and _can(layout, table, station, call):
            return Next(station, call, wait)
    return None


def _answers(layout: Layout, table: Table, book: Notebook) -> Next | None:
    """What waits for an answer: spoken wagers, calls on, faces, disputes."""
    step = book.setup.step
    for waits in table.floor.pending:
        call = Confirm(seat=waits.seat, spot=waits.spot)
        for station in ("dealer", "box"):
            if station in waits.by or station not in book.setup.automatic:
                continue
            if _can(layout, table, station, call):
                return Next(station, call, step // 2)
    if book.entered is not None and "box" in book.setup.automatic:
        return Next(
            "box", Attest(first=book.entered.call.first, second=book.entered.call.second), step
        )
    disputed = table.phase in IN_DISPUTE or table.floor.contested
    if disputed and book.last is not None:
        first, second = book.last
        found = _first(layout, table, book, DecideFaces(first=first, second=second), step * 2)
        if found is not None:
            return found
    if any(dispute.step == "open" for dispute in table.floor.disputes):
        return _first(layout, table, book, JudgeDispute(step="decide"), step * 4)
    return None


def _dice_in_order(layout: Layout, table: Table, book: Notebook) -> Next | None:
    """A set of dice that is looked over, whole and not due to be changed."""
    dice, step = table.floor.dice, book.setup.step
    needed = layout.procedure.dice.inspected
    if needed is not None:
        for station in needed.value:
            if station not in dice.inspected and station in book.setup.automatic:
                call = HandleDice(event="inspected")
                return (
                    Next(station, call, step // 2) if _can(layout, table, station, call) else None
                )
    if dice.due and not dice.deferred:
        return _first(layout, table, book, HandleDice(event="new set"), step)
    if dice.play < 2:
        for event in ("found", "checked", "chosen"):
            found = _first(layout, table, book, HandleDice(event=event), step)
            if found is not None:
                return found
    return None


def _throw(
    layout: Layout,
    table: Table,
    book: Notebook,
    now: int,
    ready: Mapping[str, int],
    away: Collection[str],
) -> Next | None:
    """The stick's round: offer the dice, close bets, let them go, throw."""
    step = book.setup.step
    found = _shooter(layout, table, book, now, ready, away)
    if found is not None:
        return found
    if not _may_throw(layout, table) and not _asked(table, book, ready):
        return _reopen(layout, table, book)
    if table.floor.contested and table.phase in ("open", "closed"):
        return None  # bets are not closed for a throw that waits for somebody to decide
    if table.phase == "open":
        wait = _until_throw(table, book, now, ready, away)
        # Bets are not closed for dice that somebody has yet to look over.
        closed = msgspec.structs.replace(table, phase="closed")
        if wait is None or not _can(layout, closed, STICK, DiceOut()):
            return None
        if needs_close(layout):
            return _first(layout, table, book, CloseBets(), wait)
        return _first(layout, table, book, DiceOut(), wait)
    if table.phase == "closed":
        return _first(layout, table, book, DiceOut(), step)
    if table.floor.ground in layout.procedure.causes and table.phase in THROWN:
        # What was stated of a throw binds it.
        return _first(layout, table, book, CallNoRoll(cause=table.floor.ground), step)
    if table.phase in ("out", "rest") and book.setup.dice != "hand":
        asked = CallRoll(by=STICK, first=1, second=2)
        return None if rule(layout, table, asked).refusal else Next(STICK, Throw(), step)
    return None


def _reopen(layout: Layout, table: Table, book: Notebook) -> Next | None:
    """Bets were closed and nobody can throw now: the throw that never was is called no roll."""
    if table.phase in ("open", *IN_DISPUTE) or table.hand.offered or book.entered:
        return None
    for name, cause in layout.procedure.causes.items():
        if not cause.person and cause.effect != "never":
            found = _first(layout, table, book, CallNoRoll(cause=name), book.setup.step * 4)
            if found is not None:
                return found
    return None


def _asked(table: Table, book: Notebook, ready: Mapping[str, int]) -> bool:
    """With the guest as shooter, somebody seated may let a roll pass without a wager."""
    seated = {book.people.get(name, "") for name in table.seats}
    return table.hand.shooter == GUEST and table.phase == "open" and bool(seated & ready.keys())


def _may_throw(layout: Layout, table: Table) -> bool:
    hand = table.hand
    if not any(seat.wagers for seat in table.seats.values()):
        return hand.shooter == GUEST and table.phase != "open"  # the throw is under way
    if hand.shooter in (GUEST, STICK):
        return True
    shooter = table.seats.get(hand.shooter)
    return shooter is not None and eligible(layout, shooter)


def people_at(table: Table, book: Notebook) -> set[str]:
    """The persons at the table who can bet or have bet."""
    people = {
        book.people.get(name, "")
        for name, seat in table.seats.items()
        if (seat.rail or seat.wagers) and name not in book.leaving
    }
    return {person for person in people if person and not person.startswith("auto:")}


def asking(
    table: Table, book: Notebook, ready: Mapping[str, int], away: Collection[str] = ()
) -> tuple[str, int] | None:
    """Who asked for the throw and until when the others are waited for; None if nobody did.

    The shooter asks, or anybody where no player here has the dice.
    """
    humans = people_at(table, book) - set(away)
    shooter = book.people.get(table.hand.shooter, "")
    askers = {shooter} if shooter in humans else humans
    asked = [(ready[person], person) for person in askers & ready.keys()]
    if not asked:
        return None
    since, who = min(asked)
    if humans <= ready.keys():
        return who, since
    window = book.setup.window
    return who, book.thrown + window if window else since + book.setup.patience


def _until_throw(
    table: Table, book: Notebook, now: int, ready: Mapping[str, int], away: Collection[str]
) -> int | None:
    """How long bets stay open; None while the players have not said that they are ready."""
    setup = book.setup
    humans = people_at(table, book)
    if setup.window:
        left = max(0, book.thrown + setup.window - now)
        return 0 if humans and humans - set(away) <= ready.keys() else left
    if not humans:
        return setup.step * 8  # so many that whoever looks on can follow
    found = asking(table, book, ready, away)
    return None if found is None else max(0, found[1] - now)


def _shooter(
    layout: Layout,
    table: Table,
    book: Notebook,
    now: int,
    ready: Mapping[str, int],
    away: Collection[str],
) -> Next | None:
    """The dice go to somebody, or what the house says happens when nobody wants them."""
    hand, step = table.hand, book.setup.step
    if hand.shooter == GUEST:
        return None
    if hand.shooter == STICK:  # throws on unless somebody who can throw was not asked
        return _offer(layout, table, book)
    if hand.shooter:
        shooter = table.seats.get(hand.shooter)
        if shooter is not None and eligible(layout, shooter):
            return None
        return _offer(layout, table, book) or _ordered_on(layout, table, book, now)
    if hand.offered:
        asked = book.people.get(hand.offered, "")
        if asked not in away or asked.startswith("auto:"):
            return None
        # Nobody waits for somebody who is away: the dice go on.
        return _first(layout, table, book, PassOver(seat=hand.offered), PATIENCE)
    offered = _offer(layout, table, book)
    if offered is not None:
        return offered
    last: list[EveryCall] = []
    if any(seat.wagers for seat in table.seats.values()):
        last = [TakeDice(seat=STICK), CancelPoint()]
    # All were asked: who wants the dice thrown is asked again.
    asking_again = may_be_asked(layout, table)
    last += [OfferDice(seat=s.name) for s in asking_again if book.people.get(s.name, "") in ready]
    said = (_first(layout, table, book, call, step) for call in last)
    return next((each for each in said if each is not None), None)


def _ordered_on(layout: Layout, table: Table, book: Notebook, now: int) -> Next | None:
    """A shooter who cannot throw is ordered to pass the dice, once patience is over."""
    wait = max(0, book.thrown + PATIENCE - now)
    for reason in layout.procedure.powers["order to pass"]:
        call = OrderPass(seat=table.hand.shooter, reason=reason)
        found = _first(layout, table, book, call, wait)
        if found is not None and len(table.present) > 1:
            return found
    return None


def _offer(layout: Layout, table: Table, book: Notebook) -> Next | None:
    hand = table.hand
    if hand.shooter not in ("", STICK):
        passed = msgspec.structs.replace(hand, shooter="", former=hand.shooter)
        line = turn(layout, msgspec.structs.replace(table, hand=passed))
    else:
        line = turn(layout, table)
    for seat in line[:1]:
        return _first(layout, table, book, OfferDice(seat=seat.name), book.setup.step)
    return None
