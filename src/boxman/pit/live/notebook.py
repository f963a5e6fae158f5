"""What a desk remembers of a table besides the table: dice in hand, last rolls, who sits where.

It is a fold of the journal's rows like the table itself, so a restart finds it again. It knows
no rule, no clock and no secret.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from boxman.journal.pit_calls import (
    AddEntropy,
    Attest,
    Commit,
    Enter,
    Propose,
    Reveal,
    Second,
    Throw,
)
from boxman.journal.row import Row
from boxman.pit.live.pairs import Gave
from boxman.pit.live.pairs import after as given
from boxman.table.calls import Leave
from boxman.table.state import (
    BoughtIn,
    CashedOut,
    NoRolled,
    Reversed,
    Rolled,
    Seated,
    Table,
    Unseated,
)

KEEP = 50
"""How many of the last rolls are at hand."""
DAY = 24 * 60 * 60 * 1000
DAYS = 3
"""For how many days a person's results stay in the notebook."""


class Setup(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a live table is run; it stands in the notes of the row that opened the table."""

    title: str = ""
    practice: bool = True
    """Guests may sit, chips are issued to anybody, aids may be shown."""
    dice: Literal["house", "hand", "scripted"] = "house"
    script: tuple[tuple[int, int], ...] = ()
    automatic: tuple[str, ...] = ("stick", "dealer", "box")
    """The stations that the automatic crew works."""
    players: tuple[str, ...] = ()
    """Strategies of automatic players."""
    window: int = 0
    """Milliseconds for bets between two throws; 0: until the players are ready."""
    patience: int = 8_000
    """Milliseconds that others at the table get when somebody wants the dice thrown."""
    step: int = 600
    """Milliseconds between two calls of the automatic crew."""
    second_person: bool = False
    """Calls that take back or void a settled roll wait for a second person."""
    usual: int = 30_000
    """What somebody usually buys in for: what a page offers first."""
    buy_in: int = 100_000
    """The most that somebody without an account of chips buys in for."""


class HandDice(msgspec.Struct, frozen=True):
    """The house's dice of the hand being thrown."""

    hand: int = 0
    commitment: str = ""
    entropy: tuple[tuple[str, str], ...] = ()
    throws: int = 0
    shown: tuple[int, str, str] | None = None
    """The last hand that was shown: its number, commitment and secret."""


class Waiting(msgspec.Struct, frozen=True):
    """A call that waits for a second person."""

    id: str
    role: str
    person: str
    seat: str
    call: dict[str, object]


class Entered(msgspec.Struct, frozen=True):
    """Faces the stick entered and the box has not seen yet."""

    id: str
    person: str
    call: Enter


class Notebook(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about a live table that is not the table."""

    setup: Setup = Setup()
    opened: int = 0
    """When the table was opened, in milliseconds since 1970."""
    opener: str = ""
    """Who opened it."""
    evening: int = 0
    """The seconds that the evening was old then: calls are timed from its beginning."""
    dice: HandDice = HandDice()
    last: tuple[int, int] | None = None
    event: str = ""
    history: tuple[tuple[int, int, str], ...] = ()
    people: dict[str, str] = {}
    """Persons by seat, for as long as the table knows the seat."""
    bought: dict[str, int] = {}
    """Chips that persons have brought to this table and not taken away."""
    results: dict[str, dict[str, int]] = {}
    """What persons won here, by day."""
    leaving: tuple[str, ...] = ()
    """Seats whose players have left and whose wagers stand until they are decided. The floor knows
    them as `away`, but not those who left a table before it did: their rows do not say so."""
    gave: Gave = {}
    """Who gave a half of what two people do."""
    entered: Entered | None = None
    differ: tuple[tuple[int, int], tuple[int, int]] | None = None
    """The faces the stick entered and the others that the box saw, until they are entered anew."""
    waiting: tuple[Waiting, ...] = ()
    thrown: int = 0
    """When the last throw was settled."""

    def seconds(self, now: int) -> int:
        """The time of a call, in seconds since the evening began."""
        return self.evening + max(0, now - self.opened) // 1000


def chips_moved(before: Notebook, after: Notebook) -> tuple[tuple[str, int], ...]:
    """What the cage pays out or takes in between two states of a live table, by account.

    Guests and automatic players, whose names have a colon, play with chips of no account.
    """
    if after.bought is before.bought or after.setup.practice:
        return ()
    return tuple(
        (person, before.bought.get(person, 0) - brought)
        for person, brought in after.bought.items()
        if brought != before.bought.get(person, 0) and ":" not in person
    )


def begin(row: Row) -> Notebook:
    """The notebook of a table that this row opened."""
    setup = msgspec.json.decode(row.notes.get("setup", "{}"), type=Setup)
    return Notebook(
        setup=setup,
        opened=row.at,
        opener=row.station.person,
        evening=row.opens.at,
        thrown=row.at,
    )


def worth(table: Table, seat: str) -> int:
    """What a seat has won or lost at this table, its wagers counted at their face."""
    found = table.seats.get(seat)
    if found is None:
        return 0
    felt = sum(wager.stake - wager.voucher for wager in found.wagers.values())
    return found.rail + felt - found.bought


def note(book: Notebook, row: Row, before: Table, after: Table) -> Notebook:
    """The notebook after one more row."""
    if row.ruling.refusal is not None:
        return book
    changes: dict[str, object] = {}
    match row.call:
        case Commit(hand=hand, commitment=commitment):
            changes["dice"] = HandDice(hand, commitment, shown=book.dice.shown)
        case AddEntropy(seat=seat, text=text):
            entropy = (*book.dice.entropy, (seat, text))
            changes["dice"] = msgspec.structs.replace(book.dice, entropy=entropy)
        case Throw(first=first, second=second):
            changes["dice"] = msgspec.structs.replace(book.dice, throws=book.dice.throws + 1)
            changes["last"] = (first, second)
        case Reveal(hand=hand, secret=secret):
            shown = (hand, book.dice.commitment, secret)
            changes["dice"] = msgspec.structs.replace(book.dice, shown=shown, commitment="")
        case Enter() as call:
            changes["entered"] = Entered(row.id, row.station.person, call)
            changes["differ"] = None
            changes["last"] = (call.first, call.second)
        case Attest(first=first, second=second):
            changes["entered"] = None
            if book.entered is not None:
                faces = (book.entered.call.first, book.entered.call.second)
                same = sorted(faces) == sorted((first, second))
                changes["differ"] = None if same else (faces, (first, second))
        case Propose(call=proposed):
            station = row.station
            waits = Waiting(row.id, station.role, station.person, station.seat, proposed)
            changes["waiting"] = (*book.waiting, waits)
        case Second(of=of):
            changes["waiting"] = tuple(each for each in book.waiting if each.id != of)
    if row.ruling.decisions:
        _decided(book, row, before, after, changes)
    gave = given(book.gave, before, after, row.station, row.call)
    if gave is not book.gave:
        changes["gave"] = gave
    return msgspec.structs.replace(book, **changes) if changes else book


def _decided(
    book: Notebook, row: Row, before: Table, after: Table, changes: dict[str, object]
) -> None:
    people, leaving, history = book.people, book.leaving, book.history
    if isinstance(row.call, Leave) and row.call.seat not in leaving:
        leaving = (*leaving, row.call.seat)
    for decision in row.ruling.decisions:
        match decision:
            case Rolled(first=first, second=second, event=event):
                history = (*history, (first, second, event))[-KEEP:]
                changes.update(last=(first, second), event=event, history=history, thrown=row.at)
                changes.update(entered=None, differ=None)
            case NoRolled():
                changes.update(event="no roll", thrown=row.at, entered=None, differ=None)
            case Reversed():
                old = decision.past(before)
                assert old is not None
                changes["history"] = history = history[: old.rolls - before.rolls or None]
            case BoughtIn(seat=seat, amount=amount) | CashedOut(seat=seat, amount=amount):
                sign = 1 if type(decision) is BoughtIn else -1
                people = _chips(book, row, seat, sign * amount, people, changes)
                leaving = _without(leaving, seat) if sign > 0 else leaving
            case Seated(seat=seat):
                if row.station.seat == seat:
                    people = {**people, seat: row.station.person}
                leaving = _without(leaving, seat)
            case Unseated(seat=seat):
                leaving = _without(leaving, seat)
    if before.seats is not after.seats:
        _results(book, row, before, after, people, changes)
    if people is not book.people:
        changes["people"] = people
    if leaving != book.leaving:
        changes["leaving"] = leaving


def _without(leaving: tuple[str, ...], seat: str) -> tuple[str, ...]:
    return tuple(name for name in leaving if name != seat)


def _chips(
    book: Notebook,
    row: Row,
    seat: str,
    amount: int,
    people: dict[str, str],
    changes: dict[str, object],
) -> dict[str, str]:
    """Somebody brought chips, or took some away; who sits where after that."""
    person = row.station.person if row.station.seat == seat else people.get(seat, "")
    if not person:
        return people
    held = changes.get("bought", book.bought)
    assert isinstance(held, dict)
    changes["bought"] = {**held, person: held.get(person, 0) + amount}
    return {**people, seat: person}


def _results(
    book: Notebook,
    row: Row,
    before: Table,
    after: Table,
    people: dict[str, str],
    changes: dict[str, object],
) -> None:
    results = None
    for name, seat in before.seats.items():
        if after.seats.get(name) is seat or name not in people:
            continue
        won = worth(after, name) - worth(before, name) if name in after.seats else 0
        if not won:
            continue
        if results is None:
            results = dict(book.results)
        today = row.at // DAY
        own = {
            day: net
            for day, net in results.get(people[name], {}).items()
            if int(day) > today - DAYS
        }
        own[str(today)] = own.get(str(today), 0) + won
        results[people[name]] = own
    if results is not None:
        changes["results"] = results
