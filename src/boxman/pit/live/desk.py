"""The desk: one writer per table. It hears a command, rules, makes the rows, and after they are
stored says what stands.

Nothing here waits, reads a clock or knows a socket: time, entropy and the store are arguments. The
order is fixed: hear, rule, append durably, tell. Between `hear` and `saved` a ruling exists for the
desk alone; `shown` is what others may see.
"""

from __future__ import annotations

import copy
from collections import OrderedDict
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import NamedTuple

import msgspec

from boxman.journal.codec import EveryCall, plain, table_digest
from boxman.journal.editions import Edition
from boxman.journal.fold import (
    EVERY,
    KEPT,
    NOTEBOOK,
    checkpoint_of,
    due,
)
from boxman.journal.pit_calls import (
    AddEntropy,
    AnyPitCall,
    Attest,
    Commit,
    Enter,
    Propose,
    Restart,
    Reveal,
    Second,
    Throw,
)
from boxman.journal.row import DESK, Head, JournalError, Row, Ruled, Station, head_of, next_row
from boxman.journal.store import Change, Journal
from boxman.pit.live import leaving, pairs, terms
from boxman.pit.live.cup import Cup
from boxman.pit.live.ids import check_same, of_desk
from boxman.pit.live.loading import first_notes, notebook_bytes, read_table
from boxman.pit.live.notebook import Notebook, Setup, begin, chips_moved, note
from boxman.pit.live.stations import HOUSE, PLAYER, spoken
from boxman.rules.book import Book, read_book
from boxman.rules.layout import Layout
from boxman.table.call import DECLARED
from boxman.table.calls import CallRoll, DiceOut, DiceRest
from boxman.table.opening import UNIFORM, Open, Opening, open_table, uniform
from boxman.table.ruling import rule
from boxman.table.rulings import Refusal, Ruling
from boxman.table.state import PHASES, Rolled, Table
from boxman.words import phrase
from boxman.words.say import Value

REMEMBERED = 20_000
"""Call ids that a desk knows without asking the journal. A repeated older one is caught by the
store, which takes no id twice."""
PRELOADED = 5_000
"""How many of them it knows after a restart."""
ENTROPY_LENGTH = 64
OPENED = "opened"
"""The kind of record that says which live table of a house was opened last."""
ENTROPY_EACH, ENTROPY_ALL = 5, 500
"""Words that one seat, and all together, add to a hand."""

Check = Callable[["Desk", "Command"], Refusal | None]
"""What the house asks before the rules are asked: a player's own brakes, the cage."""


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """A call on its way to the desk: who makes it, from where, and its id."""

    id: str
    station: Station
    call: EveryCall
    stand_in: str = ""
    """The name of somebody who does the work of a station he was named for."""


class DeskStep(NamedTuple):
    """One row with the table on either side of it."""

    row: Row
    before: Table
    after: Table
    book: Notebook


class Heard(NamedTuple):
    """What came of a command: the row that answers it, and all rows made, to be stored together."""

    row: Row
    steps: tuple[DeskStep, ...]
    moves: tuple[tuple[str, int], ...] = ()
    """Chips that the cage pays out or takes in with them, in the same commit."""


def _beside(
    journal: Journal, rows: list[Row], layout: Layout, others: Callable[[str], Mapping[str, Layout]]
) -> Refusal | None:
    """Store the first rows of a table whose house wants its prices uniform; or why it cannot stand
    beside those that are open. Where another process opens one meanwhile, all are looked at again.
    """
    while True:
        last = journal.records.get(OPENED, layout.house)
        unlike = uniform(layout, others)
        if unlike is not None:
            return unlike
        opens = Change(OPENED, layout.house, last, rows[0].table.encode())
        if journal.records.change([opens], rows=rows):
            return None
        if journal.records.get(OPENED, layout.house) == last:
            raise JournalError(phrase("pit.house.there-is-a-table", name=rows[0].table))


class Desk:
    """One live table."""

    def __init__(
        self,
        name: str,
        rules: Edition,
        table: Table,
        book: Notebook,
        head: Head,
        *,
        journal: Journal,
        clock: Callable[[], int],
        entropy: Callable[[int], bytes],
        check: Check | None = None,
    ) -> None:
        self.name, self.layout, self.rulebook = name, rules.layout, rules.book
        self.table, self.book, self.head = table, book, head
        self.journal, self.clock, self.check = journal, clock, check
        self.cup = Cup(name, journal.records, entropy)
        self.shown = (table, book, head)
        """What is stored, and may be seen."""
        self.broken = ""
        """Why nothing more is heard, if that is so."""
        self.ids: OrderedDict[str, Row | None] = OrderedDict()
        """The last call ids with their rows; None where the row is in the journal alone."""
        self._steps: list[DeskStep] = []
        self.since = 0
        """Rows that were folded when the table was loaded."""

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
        rulebook: Book | None = None,
        others: Callable[[str], Mapping[str, Layout]] = lambda _: {},
    ) -> tuple[Desk | None, Opening]:
        """Open a table and store its first rows; a refused opening opens none.

        The rulebook is that of the house unless one is given; its text is kept in the journal.
        `others` finds the tables of the house that it would stand beside.
        """
        rulebook = rulebook or read_book(call.house)
        opening = open_table(call, rulebook)
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
            notes=first_notes(setup),
        )
        desk = cls(
            name,
            Edition(rulebook, layout),
            opening.table,
            begin(row),
            head_of(row),
            journal=journal,
            clock=clock,
            entropy=entropy,
            check=check,
        )
        desk._commit()
        steps, desk._steps = desk._steps, []
        journal.keep_edition(rulebook.text)
        rows = [row, *(step.row for step in steps)]
        if setup.practice or UNIFORM not in layout.principles:
            journal.append(rows)
        elif (unlike := _beside(journal, rows, layout, others)) is not None:
            return None, Opening(call, refusal=unlike)
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
    ) -> Desk | None:
        """A table as its journal leaves it, under its own edition; None if there is none of the
        name. NoRules if this engine cannot compile that edition."""
        read = read_table(journal, name)
        if read is None:
            return None
        rules = read.rules(journal)
        if not rules.kept:  # from here on it goes by what its house says now
            journal.keep_edition(rules.book.text)
        desk = cls(
            name,
            rules,
            read.table,
            read.book,
            read.head,
            journal=journal,
            clock=clock,
            entropy=entropy,
            check=check,
        )
        before_these = max(0, read.head.number - len(read.rows) - PRELOADED)
        for entry in journal.entries(name, before_these, PRELOADED):
            desk.ids[entry.id] = None
        desk.ids.update((row.id, row) for row in read.rows)
        desk.since = len(read.rows)
        return desk

    def restart(self) -> tuple[DeskStep, ...]:
        """A server takes the table over: dice fixed before are shown, and others are fixed.

        Whoever has a copy of an older journal, or was there before it was restored, may know them.
        """
        dice = self.book.dice
        thrown = bool(dice.commitment) and not self.table.floor.closed
        if thrown or self.since >= EVERY:
            call = Restart(id=f"restart+{self.head.number}", head=self.head.hash)
            self._write(call.id, Station(HOUSE), call, Ruled(cites=(terms.DICE,)), keep=not thrown)
        if thrown:
            self._show()
            self._commit(keep=self.since >= EVERY)
        steps, self._steps = tuple(self._steps), []
        if steps:
            self.journal.append([step.row for step in steps])
            self.saved(steps)
            self.keep(steps)
        return steps

    # -- hearing -------------------------------------------------------------------------------

    def hear(self, command: Command) -> Heard:
        """Rule on a command. The rows are not stored yet: nobody may be told before `saved`."""
        if command.id in self.ids:
            known = self.ids[command.id] or self.journal.find(self.name, command.id)
            assert known is not None, f"row of {command.id} is gone"
            check_same(command.station.role, command.call, known)
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
        now, book = self.clock(), self.book
        station = command.station
        at = self.book.seconds(now)
        # What the house says for a seat is said in the player's name.
        role = PLAYER if station.role == HOUSE and station.seat else station.role
        call = spoken(command.call, role, station.seat, command.id, at, command.stand_in)
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
        return Heard(first, steps, chips_moved(book, self.book))

    def _for_those_gone(self, call_id: str, at: int) -> None:
        """What is left to say for somebody who has left, said by the desk in his name."""
        number, said = 0, True
        while said:
            said = False
            for seat, wish in leaving.still_to_say(self.layout, self.table, self.book):
                call = spoken(wish, PLAYER, seat, of_desk(f"gone{number}", call_id), at)
                if rule(self.layout, self.table, call).refusal is None:
                    station = Station(HOUSE, seat, self.book.people.get(seat, ""))
                    self._rule(call.id, station, call)
                    number, said = number + 1, True
                    break

    def _rule(self, call_id: str, station: Station, call: EveryCall) -> Row:
        """Ask the rules, and write down what they say."""
        return self._write(call_id, station, call, rule(self.layout, self.table, call))

    def _write(
        self,
        call_id: str,
        station: Station,
        call: EveryCall,
        ruling: Ruling | Ruled,
        why: str = "",
        keep: bool = False,
    ) -> Row:
        at, notes = self.clock(), {why: "yes"} if why else {}

        def made() -> Row:
            return next_row(
                self.head,
                table=self.name,
                id=call_id,
                at=at,
                station=station,
                ruling=ruling,
                call=call,
                house=self.layout.house,
                edition=self.layout.digest,
                notes=notes,
            )

        row, before = made(), self.table
        if isinstance(ruling, Ruling):
            self.table = ruling.after
        self.book = note(self.book, row, before, self.table)
        if keep or due(head_of(row)):
            # What will be kept after this row is named in it: the chain vouches for both.
            kept = sha256(notebook_bytes(row.number, self.book)).hexdigest()
            notes[KEPT] = f"{table_digest(self.table)} {kept}"
            row = made()
        self.head = head_of(row)
        self.ids[call_id] = row
        if len(self.ids) > REMEMBERED:
            self.ids.popitem(last=False)
        self._steps.append(DeskStep(row, before, self.table, self.book))
        return row

    def _unheard(self, call: EveryCall, station: Station) -> Refusal | None:
        """Why a call is not for the rules to answer at a table with these dice, if it is not."""
        if station.role == PLAYER:
            owner = self.book.people.get(station.seat, station.person)
            if owner != station.person:
                return _refusal("not-your-seat", terms.SEAT, seat=station.seat)
            gone = leaving.refusal(self.book, station.seat, call)
            if gone is not None:
                return gone
        elif not self.book.setup.practice:
            book = self.book
            alone = pairs.refusal(book.gave, book.people, self.table, station, call)
            if alone is not None:
                return alone
        source, faces = self.book.setup.dice, DECLARED[type(call)].faces
        if source == "hand":
            if isinstance(call, Throw):
                return _refusal("not-now", terms.DICE, "by hand")
            if faces == "called":
                return _refusal("not-confirmed", terms.DICE)
            return None
        if faces == "called" or isinstance(call, Enter | Attest):
            return _refusal("house-dice", terms.DICE)
        if faces == "disputed" or (faces == "overruled" and source == "house"):
            return _refusal("house-dice", terms.DICE, faces)
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

    def _unfit(self, call: EveryCall, station: Station) -> Refusal | None:
        """Why a call that is not for the rules alone cannot stand now, if it cannot."""
        match call:
            case Throw():
                # Whether a roll may be called now: any faces serve to ask that.
                asked = CallRoll(by="stick", at=call.at, first=1, second=2)
                return rule(self.layout, self.table, asked).refusal
            case Enter():
                return rule(self.layout, self.table, call.called(call.id, call.at)).refusal
            case Attest():
                waits = self.book.entered
                if waits is not None:
                    called = waits.call.called(call.id, call.at)
                    return rule(self.layout, self.table, called).refusal
                return _refusal("nothing-waits", terms.DICE, "faces")
            case AddEntropy():
                return self._unfit_words(call)
            case Second():
                return self._unfit_second(call, station)
        return _refusal("not-your-station", terms.STATION)

    def _pit(self, call_id: str, station: Station, call: EveryCall, at: int) -> Row:
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
            first, second = self.cup.throw(dice.hand, dice.commitment, dice.entropy, index)
        if PHASES.index(self.table.phase) < PHASES.index("out"):
            out = DiceOut(id=of_desk("out", call_id), by=station.role, at=at)
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
            rest = DiceRest(id=of_desk("rest", call_id), by=station.role, at=at)
            self._rule(rest.id, station, rest)
        called = CallRoll(
            id=of_desk("call", call_id), by=station.role, at=at, first=first, second=second
        )
        self._rule(called.id, station, called)
        return row

    def _enter(self, call_id: str, station: Station, call: Enter, at: int) -> Row:
        row = self._write(call_id, station, call, Ruled(cites=(terms.DICE,)))
        for phase, kind in (("out", DiceOut), ("rest", DiceRest)):
            if PHASES.index(self.table.phase) < PHASES.index(phase):
                said = kind(id=of_desk(phase, call_id), by=station.role, at=at)
                self._rule(said.id, station, said)
        return row

    def _attest(self, call_id: str, station: Station, call: Attest, at: int) -> Row:
        waits = self.book.entered
        assert waits is not None
        row = self._write(call_id, station, call, Ruled(cites=(terms.DICE,)))
        # Which die is called first is nothing that two people need to agree on.
        if sorted((waits.call.first, waits.call.second)) == sorted((call.first, call.second)):
            stick = Station("stick", person=waits.person)
            called = waits.call.called(of_desk("call", call_id), at)
            self._rule(called.id, stick, called)
        return row

    def _unfit_words(self, call: AddEntropy) -> Refusal | None:
        if self.book.setup.dice != "house" or self.book.dice.throws:
            return _refusal("not-now", terms.ENTROPY, "entropy")
        if not call.text or len(call.text) > ENTROPY_LENGTH:
            return _refusal("bad-words", terms.ENTROPY, most=ENTROPY_LENGTH)
        # Each seat has a few of its own: nobody can keep others from adding theirs.
        own = sum(1 for seat, _ in self.book.dice.entropy if seat == call.seat)
        if own >= ENTROPY_EACH or len(self.book.dice.entropy) >= ENTROPY_ALL:
            return _refusal("bad-words", terms.ENTROPY, "enough")
        if call.seat not in self.table.seats:
            return _refusal("not-seated", terms.ENTROPY, "entropy")
        return None

    def _commit(self, keep: bool = False) -> None:
        """A new hand: its dice are fixed, and the hash of their secret is written down."""
        if self.book.setup.dice != "house":
            return
        hand = self.book.dice.hand + 1
        call = Commit(id=f"commit+{hand}", hand=hand, commitment=self.cup.fix(hand))
        self._write(call.id, Station(HOUSE), call, Ruled(cites=(terms.DICE,)), keep=keep)

    def _show(self) -> None:
        """The secret of the hand under way is shown."""
        dice = self.book.dice
        secret = self.cup.secret(dice.hand, dice.commitment).hex()
        call = Reveal(id=f"reveal+{dice.hand}", hand=dice.hand, secret=secret)
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
        if over:
            self._show()
            self._commit()

    # -- a second person -----------------------------------------------------------------------

    def _wants_second(self, call: EveryCall) -> bool:
        return self.book.setup.second_person and call.grave

    def _propose(self, call_id: str, station: Station, call: EveryCall) -> Row:
        trial = rule(self.layout, self.table, call)
        if trial.refusal is not None:
            return self._write(call_id, station, call, trial)
        wrapped = Propose(id=call_id, by=station.role, at=call.at, call=plain(call))
        return self._write(call_id, station, wrapped, Ruled(cites=(terms.SECOND,)), DESK)

    def _unfit_second(self, call: Second, station: Station) -> Refusal | None:
        waits = next((each for each in self.book.waiting if each.id == call.of), None)
        if waits is None:
            return _refusal("nothing-waits", terms.SECOND, "call")
        if waits.person == station.person and not self.book.setup.practice:
            return _refusal("second-person", terms.SECOND)
        return None

    def _second(self, call_id: str, station: Station, call: Second, at: int) -> Row:
        waits = next(each for each in self.book.waiting if each.id == call.of)
        row = self._write(call_id, station, call, Ruled(cites=(terms.SECOND,)), DESK)
        if call.agree:
            proposed = msgspec.convert(waits.call, EveryCall)
            again = msgspec.structs.replace(proposed, id=of_desk("call", call_id), at=at)
            self._rule(again.id, Station(waits.role, waits.seat, waits.person), again)
        return row

    # -- storing -------------------------------------------------------------------------------

    def saved(self, steps: tuple[DeskStep, ...]) -> None:
        """These rows are durable: what they made may be seen."""
        last = steps[-1]
        self.shown = (last.after, last.book, head_of(last.row))

    def keep(
        self, steps: tuple[DeskStep, ...], seal: Callable[[str, Head], None] | None = None
    ) -> None:
        """Keep a checkpoint if one of these stored rows is due for it. May be slow: no hurry."""
        for step in steps:
            head = head_of(step.row)
            if KEPT in step.row.notes:
                self.journal.keep(checkpoint_of(self.name, head, step.after))
                value = notebook_bytes(head.number, step.book)
                self.journal.records.put(NOTEBOOK, self.name, value)
                if seal is not None:
                    seal(self.name, head)


def _refusal(code: str, term: str, why: str = "", **values: Value) -> Refusal:
    return Refusal(code, (term,), why, values=values)
