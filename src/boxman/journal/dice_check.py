"""Whether the dice of a house are what it fixed beforehand, and every roll one of its throws.

At a table with the house's dice throws and rolls are one to one. A roll that nobody threw, or a
throw that was never called, is a dice trick however well the rows are chained. A throw whose call
did not stand (no roll, overruled, void) may be in order: such throws are listed, with who did it
and on which ground, for an inspector. This module knows rows and arithmetic, and no rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from boxman.dice import FACES
from boxman.journal.pit_calls import (
    AddEntropy,
    Commit,
    Restart,
    Reveal,
    Throw,
    commitment_of,
    faces,
)
from boxman.journal.row import Station
from boxman.table.calls import Call, CallNoRoll, CallRoll, DiceOut, DiceRest
from boxman.table.floor.people import GUEST
from boxman.table.state import (
    AnyDecision,
    Decision,
    Handed,
    NoRolled,
    PuckOff,
    Reversed,
    Rolled,
)
from boxman.words import phrase

SECRET = re.compile("[0-9a-f]{64}")
HANDS = range(1, 2**63)
"""Numbers that a hand may have: each is one higher than the last."""
HOUSE_DICE = "house"
"""The dice of a table whose throws are to be proved, as the setup in its first row names them."""
SOURCES = (HOUSE_DICE, "hand", "scripted")
"""All words for whose dice are thrown."""
NOBODY = Station("")

CONCERNS = frozenset(
    str(kind.__struct_config__.tag) for kind in (Rolled, NoRolled, Reversed, Handed, PuckOff)
)
"""Decisions that say something about dice."""
ROLLED, REVERSED = (str(kind.__struct_config__.tag) for kind in (Rolled, Reversed))
THROWN = frozenset(str(kind.__struct_config__.tag) for kind in (DiceOut, CallRoll, CallNoRoll))
"""Calls with which a throw begins, should the moments before them be left out."""


class DiceProblem(NamedTuple):
    """A row at which the dice are not what was committed to."""

    number: int
    problem: str


class Fallen(msgspec.Struct, frozen=True, kw_only=True):
    """A throw of the house's dice whose call did not stand, for an inspector to look into."""

    throw: int
    """The row of the throw."""
    first: int
    second: int
    row: int
    """The row in which its call fell."""
    what: str
    """no roll, overruled, void."""
    ground: str = ""
    role: str = ""
    person: str = ""

    @property
    def text(self) -> str:
        ground = f" ({self.ground})" if self.ground else ""
        who = " ".join(part for part in (self.role, self.person) if part)
        by = phrase("journal.wrong.by", who=who) if who else ""
        return phrase(
            "journal.wrong.row-the-throw-of-row",
            row=self.row,
            what=self.what,
            ground=ground,
            by=by,
            first=self.first,
            second=self.second,
            throw=self.throw,
        )


class Cut(msgspec.Struct, frozen=True, kw_only=True):
    """A hand that a start of the server ended, for an inspector: a house that starts again
    whenever its next throw does not suit it shows here."""

    row: int
    hand: int
    throws: int
    words: int
    """How often players had added words."""
    rows: int = 0
    """What was said since it was fixed: whoever fixes the dice anew may know the wagers."""

    @property
    def text(self) -> str:
        return phrase(
            "journal.wrong.row-the-house-opened-again",
            row=self.row,
            hand=self.hand,
            throws=self.throws,
            words=self.words,
            rows=self.rows,
        )


class _Thrown:
    """A throw on its way: called or not, settled or not, shown or not."""

    __slots__ = ("first", "number", "proved", "second", "settled", "stands")

    def __init__(self, number: int, first: int, second: int) -> None:
        self.number, self.first, self.second = number, first, second
        self.proved = self.settled = self.stands = False

    def __str__(self) -> str:
        return f"{self.first}-{self.second}"


class DiceCheck:
    """Walks the accepted calls of one table in order; `look` says what is wrong with the dice."""

    def __init__(self, table: str, source: str = "", shooter: str = GUEST) -> None:
        self.table = table
        self.house = source == HOUSE_DICE
        """Whether every roll has to be a throw: from the opening, or from a first commitment."""
        self.hand, self.commitment, self._fixed = 0, "", 0
        self.checked = 0
        """Throws that agree or not with a secret shown afterwards."""
        self.rolls = 0
        """Rolls that were settled."""
        self._counted = False
        """Whether the last throw is among them: one that is settled again is the same roll."""
        self.proved = 0
        """Those of them that are throws of a hand shown."""
        self.fallen: list[Fallen] = []
        self.cut: list[Cut] = []
        self.waiting: _Thrown | None = None
        """A throw that is not called yet."""
        self._last: _Thrown | None = None
        """The throw of the last call."""
        self._round: list[_Thrown] = []
        """The throws settled since the come-out."""
        self._pucks = (0, 0)
        """Where the puck is, and where it was before the last roll."""
        self._entropy: list[tuple[str, str]] = []
        self._throws: list[_Thrown] = []
        self._shown: set[str] = set()
        self._shooter = self._threw = shooter
        """Who has the dice, and who had them at the last throw."""
        self._restarted = False
        """The row before was a start of the server."""
        self._over: bool | None = False
        """Whether the hand ended since its last throw; None if a roll was taken back since, and
        with it perhaps a change of shooters."""

    def look(
        self,
        number: int,
        call: Call,
        decisions: Sequence[AnyDecision] = (),
        station: Station = NOBODY,
    ) -> Iterator[DiceProblem]:
        """Look at one accepted call and what was decided on it."""
        if self.waiting is not None and not isinstance(call, CallRoll | DiceRest):
            # Nothing may be said between seeing the dice and settling them.
            yield self._uncalled(self.waiting)
            self.waiting = None
        restarted, self._restarted = self._restarted, isinstance(call, Restart)
        match call:
            case Commit():
                yield from self._commit(number, call)
            case AddEntropy(seat=seat, text=text):
                if self._throws:
                    yield DiceProblem(number, phrase("journal.wrong.words-were-added-after-the"))
                elif not self.commitment:
                    yield DiceProblem(number, phrase("journal.wrong.words-were-added-to-dice"))
                self._entropy.append((seat, text))
            case Throw():
                yield from self._throw(number, call)
            case Reveal():
                yield from self._reveal(number, call, restarted)
        if self.house and isinstance(call, CallRoll):
            yield from self._called(number, call, decisions)
        for decision in decisions:
            yield from self._decided(number, call, decision, station)

    def count(self, kind: str, decided: Sequence[str]) -> None:
        """Count the rolls of dice that are not the house's: what was called, and what decided."""
        if kind in THROWN and REVERSED not in decided:
            self._counted = False
        if ROLLED in decided and not self._counted:
            self.rolls, self._counted = self.rolls + 1, True

    def end(self) -> Iterator[DiceProblem]:
        """There are no more rows. A throw and its call are stored together or not at all."""
        if self.waiting is not None:
            yield self._uncalled(self.waiting)

    # -- the protocol --------------------------------------------------------------------------

    def _commit(self, number: int, call: Commit) -> Iterator[DiceProblem]:
        hand, before = call.hand, self.hand
        if self.commitment:
            yield DiceProblem(number, phrase("journal.wrong.hand-was-never-shown", before=before))
        if hand not in HANDS:
            yield DiceProblem(number, phrase("journal.wrong.is-no-number-of-a", hand=hand))
        elif hand <= before:
            yield DiceProblem(
                number, phrase("journal.wrong.hand-comes-after-hand", hand=hand, before=before)
            )
        elif hand != before + 1:
            yield DiceProblem(
                number, phrase("journal.wrong.hand-follows-hand-a-hand", hand=hand, before=before)
            )
        if call.commitment in self._shown:
            yield DiceProblem(number, phrase("journal.wrong.the-secret-of-hand-was", hand=hand))
        self.house = True
        self.hand, self.commitment, self._fixed = hand, call.commitment, number
        self._entropy, self._throws, self._over = [], [], False

    def _throw(self, number: int, call: Throw) -> Iterator[DiceProblem]:
        where = phrase("journal.wrong.throw-of-hand", index=call.index, hand=call.hand)
        if self.house and not self.commitment:
            yield DiceProblem(
                number, phrase("journal.wrong.stands-under-no-commitment-anybody", where=where)
            )
        elif self.house and (call.hand != self.hand or call.index != len(self._throws)):
            yield DiceProblem(number, phrase("journal.wrong.is-out-of-order", where=where))
        elif self.house and self._throws and self._ended():
            yield DiceProblem(number, phrase("journal.wrong.comes-after-the-hand-was", where=where))
        if call.first not in FACES or call.second not in FACES:
            yield DiceProblem(
                number,
                phrase("journal.wrong.is-no-throw-of-two", first=call.first, second=call.second),
            )
        if self.house:
            self.waiting = _Thrown(number, call.first, call.second)
            self._throws.append(self.waiting)
        self._threw, self._over = self._shooter, False

    def _ended(self) -> bool | None:
        """Whether the dice have left the shooter since the last throw; None if nobody can say."""
        return True if self._shooter != self._threw else self._over

    def _reveal(self, number: int, call: Reveal, restarted: bool) -> Iterator[DiceProblem]:
        hand = call.hand
        if hand != self.hand or not self.commitment:
            yield DiceProblem(
                number, phrase("journal.wrong.hand-was-never-committed-to", hand=hand)
            )
            return
        if restarted:
            throws, words = len(self._throws), len(self._entropy)
            rows = number - self._fixed - 2  # the start itself is none of them
            self.cut.append(Cut(row=number, hand=hand, throws=throws, words=words, rows=rows))
        elif not self._throws or self._ended() is False:
            yield DiceProblem(number, phrase("journal.wrong.hand-was-shown-before-it", hand=hand))
        fixed, self.commitment = self.commitment, ""
        self._shown.add(fixed)
        if not SECRET.fullmatch(call.secret):
            yield DiceProblem(number, phrase("journal.wrong.the-secret-of-hand-is", hand=hand))
            return
        secret = bytes.fromhex(call.secret)
        if commitment_of(secret) != fixed:
            yield DiceProblem(number, phrase("journal.wrong.the-secret-of-hand-is-2", hand=hand))
            return
        if hand not in HANDS:
            return  # said when it was committed to
        stream = faces(secret, self.table, hand, self._entropy)
        for thrown in self._throws:
            thrown.proved = (next(stream), next(stream)) == (thrown.first, thrown.second)
            if not thrown.proved:
                yield DiceProblem(
                    thrown.number, phrase("journal.wrong.is-not-what-the-secret", thrown=thrown)
                )
            self.proved += thrown.proved and thrown.settled
            self.checked += 1

    # -- rolls ---------------------------------------------------------------------------------

    def _called(
        self, number: int, call: CallRoll, decisions: Sequence[AnyDecision]
    ) -> Iterator[DiceProblem]:
        """The throw that is called here becomes the last one; it is nobody's second roll."""
        thrown, self.waiting = self.waiting, None
        called = phrase("journal.wrong.was-called", first=call.first, second=call.second)
        self._last = None
        if thrown is None:
            yield DiceProblem(number, phrase("journal.wrong.and-nobody-threw-it", called=called))
        elif (thrown.first, thrown.second) != (call.first, call.second):
            yield DiceProblem(
                number, phrase("journal.wrong.but-was-thrown", called=called, thrown=thrown)
            )
        elif not any(isinstance(each, Rolled | NoRolled) for each in decisions):
            yield DiceProblem(number, phrase("journal.wrong.and-nothing-followed", called=called))
        else:
            self._last = thrown

    def _decided(
        self, number: int, call: Call, decision: Decision, station: Station
    ) -> Iterator[DiceProblem]:
        match decision:
            case Rolled():
                self.rolls += 1
                if self.house:
                    yield from self._settled(number, call, decision)
                self._pucks = (decision.puck, self._pucks[0])
                if decision.event == "seven-out":
                    self._over = True
            case NoRolled(cause=cause) if isinstance(call, CallRoll):
                if self._last is not None:
                    self._fall(self._last, number, "no roll", cause, station)
            case Reversed():
                what = "overruled" if decision.why == "overruled" else "void"
                ground = "" if what == "overruled" else decision.why
                back = self._round if decision.whole_round else self._round[-1:]
                for thrown in back:
                    self._fall(thrown, number, what, ground, station)
                self._round = [] if decision.whole_round else self._round[:-1]
                self._pucks = (0 if decision.whole_round else self._pucks[1], 0)
                self._over = None
            case PuckOff():
                self._pucks = (0, self._pucks[1])
            case Handed(hand=hand):
                self._shooter = hand.shooter

    def _settled(self, number: int, call: Call, roll: Rolled) -> Iterator[DiceProblem]:
        """A roll has to be the last throw, called just now or taken back and settled again."""
        last, faces = self._last, f"{roll.first}-{roll.second}"
        if last is None:
            if not isinstance(call, CallRoll):  # else it is said already
                yield DiceProblem(
                    number, phrase("journal.wrong.was-settled-and-nobody-threw", faces=faces)
                )
            return
        if sorted((roll.first, roll.second)) != sorted((last.first, last.second)):
            yield DiceProblem(
                number, phrase("journal.wrong.was-settled-but-was-thrown", faces=faces, last=last)
            )
            return
        if last.stands:
            yield DiceProblem(
                number, phrase("journal.wrong.was-thrown-once-and-settled", faces=faces)
            )
            return
        if last.settled:
            self.rolls -= 1  # the same roll, settled again
        else:
            self.proved += last.proved
        last.stands = last.settled = True
        if not self._pucks[0]:
            self._round = []
        self._round.append(last)

    def _fall(self, thrown: _Thrown, number: int, what: str, ground: str, station: Station) -> None:
        thrown.stands = False
        self.fallen.append(
            Fallen(
                throw=thrown.number,
                first=thrown.first,
                second=thrown.second,
                row=number,
                what=what,
                ground=ground,
                role=station.role,
                person=station.person,
            )
        )

    @staticmethod
    def _uncalled(thrown: _Thrown) -> DiceProblem:
        return DiceProblem(
            thrown.number, phrase("journal.wrong.was-thrown-and-never-called", thrown=thrown)
        )
