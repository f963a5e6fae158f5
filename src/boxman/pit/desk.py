"""The desk: one writer per table. It hears a command, rules, makes the rows, and after they are
stored says what stands.

Nothing here waits, reads a clock or knows a socket: time, entropy and the store are arguments. The
order is fixed: hear, rule, append durably, tell. Between `hear` and `saved` a ruling exists for the
desk alone; `shown` is what others may see.
"""

from __future__ import annotations

import copy
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from boxman.journal.codec import EveryCall, plain
from boxman.journal.fold import after as folded
from boxman.journal.fold import checkpoint_of, due, opened
from boxman.journal.pit_calls import (
    AddEntropy,
    AnyPitCall,
    Attest,
    Commit,
    Enter,
    Propose,
    Reveal,
    Second,
    Throw,
)
from boxman.journal.row import DESK, Head, JournalError, Row, Ruled, Station, head_of, next_row
from boxman.journal.store import Journal
from boxman.pit import leaving, pairs, terms
from boxman.pit.cup import Cup
from boxman.pit.notebook import Notebook, Setup, begin, note
from boxman.pit.stations import HOUSE, PLAYER, spoken
from boxman.rules.compile import load
from boxman.rules.layout import Layout
from boxman.table.calls import (
    CallIt,
    CallRoll,
    DiceOut,
    DiceRest,
    DisputeFaces,
    Overrule,
    VoidRoll,
)
from boxman.table.floor_calls import Sanction
from boxman.table.opening import Open, Opening, open_table
from boxman.table.ruling import rule
from boxman.table.rulings import Refusal, Ruling
from boxman.table.state import PHASES, Rolled, Table

REMEMBERED = 20_000
"""Call ids that a desk knows without asking the journal. A repeated older one is caught by the
store, which takes no id twice."""
PRELOADED = 5_000
"""How many of them it knows after a restart."""
ENTROPY_LENGTH = 64
NOTEBOOK = "notebook"

Check = Callable[["Desk", "Command"], Refusal | None]
"""What the house asks before the rules are asked: a player's own brakes, the cage."""


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """A call on its way to the desk: who makes it, from where, and its id."""

    id: str
    station: Station
    call: EveryCall
    stand_in: str = ""
    """The name of somebody who does the work of a station he was named for."""


class Step(NamedTuple):
    """One row with the table on either side of it."""

    row: Row
    before: Table
    after: Table
    book: Notebook


class Heard(NamedTuple):
    """What came of a command: the row that answers it, and all rows made, to be stored together."""

    row: Row
    steps: tuple[Step, ...]


class Desk:
    """One live table."""

    def __init__(
        self,
        name: str,
        layout: Layout,
        table: Table,
        book: Notebook,
        head: Head,
        *,
        journal: Journal,
        clock: Callable[[], int],
        entropy: Callable[[int], bytes],
        check: Check | None = None,
    ) -> None:
        self.name, self.layout = name, layout
        self.table, self.book, self.head = table, book, head
        self.journal, self.clock, self.check = journal, clock, check
        self.cup = Cup(name, journal.records, entropy)
        self.shown = (table, book, head)
        """What is stored, and may be seen."""
        self.source = layout.house
        """The house by name, or the path of its rulebook, as the table was opened."""
        self.broken = ""
        """Why nothing more is heard, if that is so."""
        self.ids: OrderedDict[str, Row | None] = OrderedDict()
        """The last call ids with their rows; None where the row is in the journal alone."""
        self._steps: list[Step] = []

    # -- opening and loading -------------------------------------------------------------------

    @classmethod
    def open(
        cls,
        name: str,
        call: Open,
        setup: Setup,
        person: str,
        *,
        journal: Journal,
        clock: Callable[[], int],
        entropy: Callable[[int], bytes],
        check: Check | None = None,
    ) -> tuple[Desk | None, Opening]:
        """Open a table and store its first rows; a refused opening opens none."""
        opening = open_table(call)
        if opening.layout is None or opening.table is None:
            return None, opening
        layout = opening.layout
        row = next_row(
            Head(),
            table=name,
            id="open",
            at=clock(),
            station=Station(HOUSE, person=person),
            ruling=opening,
            house=layout.house,
            edition=layout.digest,
            notes={"setup": msgspec.json.encode(setup).decode()},
        )
        desk = cls(
            name,
            layout,
            opening.table,
            begin(row),
            head_of(row),
            journal=journal,
            clock=clock,
            entropy=entropy,
            check=check,
        )
        desk.source = call.house
        desk._commit()
        steps, desk._steps = desk._steps, []
        journal.append([row, *(step.row for step in steps)])
        desk.shown = (desk.table, desk.book, desk.head)
        return desk, opening

    @classmethod
    def load(
        cls,
        name: str,
        *,
        journal: Journal,
        clock: Callable[[], int],
        entropy: Callable[[int], bytes],
        check: Check | None = None,
        layouts: Callable[[Open], Layout] | None = None,
    ) -> Desk | None:
        """A table as its journal leaves it; None if there is none of the name."""
        first = next(iter(journal.rows(name, 0, 1)), None)
        if first is None:
            return None
        assert isinstance(first.call, Open)
        layout = (layouts or layout_of)(first.call)
        table, book, head = opened(first), begin(first), head_of(first)
        kept = journal.records.get(NOTEBOOK, name)
        if kept is not None:
            number, kept_book = msgspec.json.decode(kept, type=tuple[int, Notebook])
            found = journal.checkpoint(name, number)
            if found is not None and found.number == number:
                table, book, head = found.state, kept_book, Head(number, found.hash)
        rows: list[Row] = []
        for row in journal.rows(name, head.number):
            if row.previous != head.hash:
                raise JournalError(
                    f"the journal of {name} is broken at row {row.number}: `boxman verify` says "
                    "more; the table stays closed until that is cleared up"
                )
            before, table = table, folded(table, row.ruling)
            book, head = note(book, row, before, table), head_of(row)
            rows.append(row)
        desk = cls(
            name,
            layout,
            table,
            book,
            head,
            journal=journal,
            clock=clock,
            entropy=entropy,
            check=check,
        )
        desk.source = first.call.house
        before_these = max(0, head.number - len(rows) - PRELOADED)
        for entry in journal.entries(name, before_these, PRELOADED):
            desk.ids[entry.id] = None
        desk.ids.update((row.id, row) for row in rows)
        return desk

    # -- hearing -------------------------------------------------------------------------------

    def hear(self, command: Command) -> Heard:
        """Rule on a command. The rows are not stored yet: nobody may be told before `saved`."""
        if command.id in self.ids:
            known = self.ids[command.id] or self.journal.find(self.name, command.id)
            assert known is not None, f"row of {command.id} is gone"
            return Heard(known, ())
        if self.broken:
            raise JournalError(self.broken)
        before = (self.table, self.book, self.head)
        try:
            return self._heard(command)
        except BaseException:
            # A fault of ours must not leave half a ruling behind.
            self.table, self.book, self.head = before
            for step in self._steps:
                self.ids.pop(step.row.id, None)
            self._steps = []
            raise

    def _heard(self, command: Command) -> Heard:
        now = self.clock()
        station = command.station
        at = self.book.seconds(now)
        call = spoken(command.call, station.role, station.seat, command.id, at, command.stand_in)
        refusal = self.check(self, command) if self.check is not None else None
        refusal = refusal or self._unheard(call, station)
        if refusal is not None:
            first = self._write(command.id, station, call, Ruled(refusal=refusal), DESK)
        elif isinstance(call, AnyPitCall):
            first = self._pit(command.id, station, call, at)
        elif self._wants_second(call):
            first = self._propose(command.id, station, call)
        else:
            first = self._rule(command.id, station, call)
        self._after_roll()
        if self.book.leaving:
            self._for_those_gone(command.id, at)
        steps, self._steps = tuple(self._steps), []
        return Heard(first, steps)

    def _for_those_gone(self, call_id: str, at: int) -> None:
        """What is left to say for somebody who has left, said by the desk in his name."""
        number, said = 0, True
        while said:
            said = False
            for seat, wish in leaving.still_to_say(self.layout, self.table, self.book):
                call = spoken(wish, PLAYER, seat, f"{call_id}+gone{number}", at)
                if rule(self.layout, self.table, call).refusal is None:
                    station = Station(HOUSE, seat, self.book.people.get(seat, ""))
                    self._rule(call.id, station, call)
                    number, said = number + 1, True
                    break

    def _rule(self, call_id: str, station: Station, call: Any) -> Row:
        """Ask the rules, and write down what they say."""
        return self._write(call_id, station, call, rule(self.layout, self.table, call))

    def _write(
        self,
        call_id: str,
        station: Station,
        call: EveryCall,
        ruling: Ruling | Ruled,
        why: str = "",
    ) -> Row:
        row = next_row(
            self.head,
            table=self.name,
            id=call_id,
            at=self.clock(),
            station=station,
            ruling=ruling,
            call=call,
            house=self.layout.house,
            edition=self.layout.digest,
            notes={why: "yes"} if why else None,
        )
        before = self.table
        if isinstance(ruling, Ruling):
            self.table = ruling.after
        self.book = note(self.book, row, before, self.table)
        self.head = head_of(row)
        self.ids[call_id] = row
        if len(self.ids) > REMEMBERED:
            self.ids.popitem(last=False)
        self._steps.append(Step(row, before, self.table, self.book))
        return row

    def _unheard(self, call: EveryCall, station: Station) -> Refusal | None:
        """Why a call is not for the rules to answer at a table with these dice, if it is not."""
        if station.role == PLAYER:
            owner = self.book.people.get(station.seat, station.person)
            if owner != station.person:
                return _refusal("not-your-seat", f"{station.seat} is somebody else", terms.SEAT)
            gone = leaving.refusal(self.book, station.seat, call)
            if gone is not None:
                return gone
        elif not self.book.setup.practice:
            book = self.book
            alone = pairs.refusal(book.gave, book.people, self.table, station, call)
            if alone is not None:
                return alone
        source = self.book.setup.dice
        if source == "hand":
            if isinstance(call, Throw):
                return _refusal("not-now", "the dice are thrown by hand here", terms.DICE, "enter")
            if isinstance(call, CallRoll):
                return _refusal(
                    "not-confirmed",
                    "faces thrown by hand are entered, and count when the box saw them too",
                    terms.DICE,
                    "enter the faces",
                )
            return None
        if isinstance(call, CallRoll | Enter | Attest):
            return _refusal("house-dice", "the house's dice are thrown, not called", terms.DICE)
        if isinstance(call, DisputeFaces | CallIt):
            return _refusal(
                "house-dice",
                "the faces of the house's dice are fixed by the commitment",
                terms.DICE,
                "check them when the hand is shown, or dispute the payout",
            )
        return None

    # -- dice ----------------------------------------------------------------------------------

    def glance(self) -> Desk:
        """The desk as it is stored and shown, to try calls on: what is heard later does not move
        it, and nothing it is asked is written."""
        still = copy.copy(self)
        still.table, still.book, still.head = self.shown
        return still

    def trial(self, station: Station, call: EveryCall) -> Refusal | None:
        """Why this call would be refused now, if it would; nothing is written."""
        refusal = self._unheard(call, station)
        if refusal is not None:
            return refusal
        if isinstance(call, AnyPitCall):
            return self._unfit(call, station)
        return rule(self.layout, self.table, call).refusal

    def _unfit(self, call: Any, station: Station) -> Refusal | None:
        """Why a call that is not for the rules alone cannot stand now, if it cannot."""
        match call:
            case Throw():
                # Whether a roll may be called now: any faces serve to ask that.
                asked = CallRoll(by="stick", at=call.at, first=1, second=2)
                return rule(self.layout, self.table, asked).refusal
            case Enter():
                return rule(self.layout, self.table, _called(call, call.id, call.at)).refusal
            case Attest():
                waits = self.book.entered
                if waits is not None:
                    called = _called(waits.call, call.id, call.at)
                    return rule(self.layout, self.table, called).refusal
                words, remedy = "no faces wait to be confirmed", "wait for the stick"
                return _refusal("nothing-waits", words, terms.DICE, remedy)
            case AddEntropy():
                return self._unfit_words(call)
            case Second():
                return self._unfit_second(call, station)
        return _refusal("not-your-station", "the desk alone writes that", terms.STATION)

    def _pit(self, call_id: str, station: Station, call: Any, at: int) -> Row:
        refusal = self._unfit(call, station)
        if refusal is not None:
            if isinstance(call, Throw):  # its faces are the desk's to write, not the stick's
                call = Throw(id=call_id, by=station.role, at=at)
            return self._write(call_id, station, call, Ruled(refusal=refusal), DESK)
        match call:
            case Throw():
                return self._throw(call_id, station, at)
            case Enter():
                return self._enter(call_id, station, call, at)
            case Attest():
                return self._attest(call_id, station, call, at)
            case Second():
                return self._second(call_id, station, call, at)
        assert isinstance(call, AddEntropy)
        return self._write(call_id, station, call, Ruled(cites=(terms.ENTROPY,)), DESK)

    def _throw(self, call_id: str, station: Station, at: int) -> Row:
        """The house's dice: out, thrown, at rest and called, in one batch of rows."""
        dice, setup = self.book.dice, self.book.setup
        index = dice.throws
        if setup.dice == "scripted":
            first, second = setup.script[index % len(setup.script)]
        else:
            first, second = self.cup.throw(dice.hand, dice.entropy, index)
        if PHASES.index(self.table.phase) < PHASES.index("out"):
            out = DiceOut(id=f"{call_id}+out", by=station.role, at=at)
            self._rule(out.id, station, out)
        call = Throw(
            id=call_id,
            by=station.role,
            at=at,
            hand=dice.hand,
            index=index,
            first=first,
            second=second,
        )
        row = self._write(call_id, station, call, Ruled(cites=(terms.DICE,)))
        if self.table.phase == "out":
            rest = DiceRest(id=f"{call_id}+rest", by=station.role, at=at)
            self._rule(rest.id, station, rest)
        called = CallRoll(id=f"{call_id}+call", by=station.role, at=at, first=first, second=second)
        self._rule(called.id, station, called)
        return row

    def _enter(self, call_id: str, station: Station, call: Enter, at: int) -> Row:
        row = self._write(call_id, station, call, Ruled(cites=(terms.DICE,)))
        for phase, kind in (("out", DiceOut), ("rest", DiceRest)):
            if PHASES.index(self.table.phase) < PHASES.index(phase):
                said = kind(id=f"{call_id}+{phase}", by=station.role, at=at)
                self._rule(said.id, station, said)
        return row

    def _attest(self, call_id: str, station: Station, call: Attest, at: int) -> Row:
        waits = self.book.entered
        assert waits is not None
        row = self._write(call_id, station, call, Ruled(cites=(terms.DICE,)))
        # Which die is called first is nothing that two people need to agree on.
        if sorted((waits.call.first, waits.call.second)) == sorted((call.first, call.second)):
            stick = Station("stick", person=waits.person)
            self._rule(f"{call_id}+call", stick, _called(waits.call, f"{call_id}+call", at))
        return row

    def _unfit_words(self, call: AddEntropy) -> Refusal | None:
        if self.book.setup.dice != "house" or self.book.dice.throws:
            return _refusal(
                "not-now",
                "the dice of this hand are under way",
                terms.ENTROPY,
                "add your words before the next hand's first throw",
            )
        if not call.text or len(call.text) > ENTROPY_LENGTH:
            return _refusal(
                "bad-words",
                f"words for the dice are 1 to {ENTROPY_LENGTH} characters",
                terms.ENTROPY,
            )
        if len(self.book.dice.entropy) >= 100:
            return _refusal("bad-words", "enough words were added to this hand", terms.ENTROPY)
        if call.seat not in self.table.seats:
            return _refusal(
                "not-seated", "only somebody seated adds words", terms.ENTROPY, "buy in first"
            )
        return None

    def _commit(self) -> None:
        """A new hand: its dice are fixed, and the hash of their secret is written down."""
        if self.book.setup.dice != "house":
            return
        hand = self.book.dice.hand + 1
        call = Commit(id=f"commit+{hand}", hand=hand, commitment=self.cup.commitment(hand))
        self._write(call.id, Station(HOUSE), call, Ruled(cites=(terms.DICE,)))

    def _after_roll(self) -> None:
        """When the dice leave the shooter, the hand is shown and a new one is fixed."""
        dice = self.book.dice
        if not dice.commitment or not dice.throws or not self._steps:
            return
        before, after = self._steps[0].before.hand.shooter, self.table.hand.shooter
        over = before != after or any(
            type(decision) is Rolled and decision.event == "seven-out"
            for step in self._steps
            for decision in step.row.ruling.decisions
        )
        if not over:
            return
        secret = self.cup.secret(dice.hand).hex()
        call = Reveal(id=f"reveal+{dice.hand}", hand=dice.hand, secret=secret)
        self._write(call.id, Station(HOUSE), call, Ruled(cites=(terms.DICE,)))
        self._commit()

    # -- a second person -----------------------------------------------------------------------

    def _wants_second(self, call: EveryCall) -> bool:
        return self.book.setup.second_person and (
            isinstance(call, Overrule | VoidRoll)
            or (isinstance(call, Sanction) and call.what == "void wagers")
        )

    def _propose(self, call_id: str, station: Station, call: EveryCall) -> Row:
        trial = rule(self.layout, self.table, call)
        if trial.refusal is not None:
            return self._write(call_id, station, call, trial)
        wrapped = Propose(id=call_id, by=station.role, at=call.at, call=plain(call))
        return self._write(call_id, station, wrapped, Ruled(cites=(terms.SECOND,)), DESK)

    def _unfit_second(self, call: Second, station: Station) -> Refusal | None:
        waits = next((each for each in self.book.waiting if each.id == call.of), None)
        if waits is None:
            return _refusal("nothing-waits", "no such call waits", terms.SECOND)
        if waits.person == station.person and not self.book.setup.practice:
            words = "a second person is somebody else"
            return _refusal("second-person", words, terms.SECOND, "ask another")
        return None

    def _second(self, call_id: str, station: Station, call: Second, at: int) -> Row:
        waits = next(each for each in self.book.waiting if each.id == call.of)
        row = self._write(call_id, station, call, Ruled(cites=(terms.SECOND,)), DESK)
        if call.agree:
            proposed = msgspec.convert(waits.call, EveryCall)
            again = msgspec.structs.replace(proposed, id=f"{call_id}+call", at=at)
            self._rule(again.id, Station(waits.role, waits.seat, waits.person), again)
        return row

    # -- storing -------------------------------------------------------------------------------

    def saved(self, steps: tuple[Step, ...]) -> None:
        """These rows are durable: what they made may be seen."""
        last = steps[-1]
        self.shown = (last.after, last.book, head_of(last.row))

    def keep(
        self, steps: tuple[Step, ...], seal: Callable[[str, Head], None] | None = None
    ) -> None:
        """Keep a checkpoint if one of these stored rows is due for it. May be slow: no hurry."""
        for step in steps:
            head = head_of(step.row)
            if due(head):
                self.journal.keep(checkpoint_of(self.name, head, step.after))
                value = msgspec.json.encode((head.number, step.book))
                self.journal.records.put(NOTEBOOK, self.name, value)
                if seal is not None:
                    seal(self.name, head)


def layout_of(call: Open) -> Layout:
    """The compiled house of a table that was opened before."""
    return load(call.house, call.settings, call.chip)


def _called(entered: Enter, call_id: str, at: int) -> CallRoll:
    return CallRoll(
        id=call_id,
        by="stick",
        at=at,
        first=entered.first,
        second=entered.second,
        total=entered.total,
        cause=entered.cause,
        person=entered.person,
        cocked=entered.cocked,
    )


def _refusal(code: str, sentence: str, term: str, remedy: str = "") -> Refusal:
    return Refusal(code, sentence, (term,), remedy)
