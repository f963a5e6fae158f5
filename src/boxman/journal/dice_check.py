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
from boxman.table.calls import Call, CallRoll, DiceRest
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

SECRET = re.compile("[0-9a-f]{64}")
HANDS = range(1, 2**63)
"""Numbers that a hand may have: each is one higher than the last."""
HOUSE_DICE = "house"
"""The dice of a table whose throws are to be proved, as the setup in its first row names them."""
NOBODY = Station("")

CONCERNS = frozenset(
    str(kind.__struct_config__.tag) for kind in (Rolled, NoRolled, Reversed, Handed, PuckOff)
)
"""Decisions that say something about dice."""
ROLLED = str(Rolled.__struct_config__.tag)


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
        by = f", by {who}" if who else ""
        return (
            f"row {self.row}: {self.what}{ground}{by}: the throw {self.first}-{self.second} of "
            f"row {self.throw} did not stand"
        )


class Cut(msgspec.Struct, frozen=True, kw_only=True):
    """A hand that a start of the server ended, for an inspector: a house that starts again
    whenever its next throw does not suit it shows here."""

    row: int
    hand: int
    throws: int
    words: int
    """How often players had added words."""

    @property
    def text(self) -> str:
        return (
            f"row {self.row}: the house opened again and showed hand {self.hand} after "
            f"{self.throws} throws and {self.words} words of players"
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
        self.hand, self.commitment = 0, ""
        self.checked = 0
        """Throws that agree or not with a secret shown afterwards."""
        self.rolls = 0
        """Rolls that were settled."""
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
                    yield DiceProblem(number, "words were added after the first throw")
                elif not self.commitment:
                    yield DiceProblem(number, "words were added to dice that are not fixed")
                self._entropy.append((seat, text))
            case Throw():
                yield from self._throw(number, call)
            case Reveal():
                yield from self._reveal(number, call, restarted)
        if self.house and isinstance(call, CallRoll):
            yield from self._called(number, call, decisions)
        for decision in decisions:
            yield from self._decided(number, call, decision, station)

    def end(self) -> Iterator[DiceProblem]:
        """There are no more rows. A throw and its call are stored together or not at all."""
        if self.waiting is not None:
            yield self._uncalled(self.waiting)

    # -- the protocol --------------------------------------------------------------------------

    def _commit(self, number: int, call: Commit) -> Iterator[DiceProblem]:
        hand, before = call.hand, self.hand
        if self.commitment:
            yield DiceProblem(number, f"hand {before} was never shown")
        if hand not in HANDS:
            yield DiceProblem(number, f"{hand} is no number of a hand")
        elif hand <= before:
            yield DiceProblem(number, f"hand {hand} comes after hand {before}")
        elif hand != before + 1:
            yield DiceProblem(number, f"hand {hand} follows hand {before}: a hand is left out")
        if call.commitment in self._shown:
            yield DiceProblem(number, f"the secret of hand {hand} was shown for an earlier hand")
        self.house = True
        self.hand, self.commitment = hand, call.commitment
        self._entropy, self._throws, self._over = [], [], False

    def _throw(self, number: int, call: Throw) -> Iterator[DiceProblem]:
        where = f"throw {call.index} of hand {call.hand}"
        if self.house and not self.commitment:
            yield DiceProblem(number, f"{where} stands under no commitment: anybody knew it")
        elif self.house and (call.hand != self.hand or call.index != len(self._throws)):
            yield DiceProblem(number, f"{where} is out of order")
        elif self.house and self._throws and self._ended():
            yield DiceProblem(number, f"{where} comes after the hand was over and not shown")
        if call.first not in FACES or call.second not in FACES:
            yield DiceProblem(number, f"{call.first}-{call.second} is no throw of two dice")
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
            yield DiceProblem(number, f"hand {hand} was never committed to")
            return
        if restarted:
            throws, words = len(self._throws), len(self._entropy)
            self.cut.append(Cut(row=number, hand=hand, throws=throws, words=words))
        elif not self._throws or self._ended() is False:
            yield DiceProblem(number, f"hand {hand} was shown before it was over")
        fixed, self.commitment = self.commitment, ""
        self._shown.add(fixed)
        if not SECRET.fullmatch(call.secret):
            yield DiceProblem(number, f"the secret of hand {hand} is not 64 hexadecimal digits")
            return
        secret = bytes.fromhex(call.secret)
        if commitment_of(secret) != fixed:
            yield DiceProblem(number, f"the secret of hand {hand} is not the one committed to")
            return
        if hand not in HANDS:
            return  # said when it was committed to
        stream = faces(secret, self.table, hand, self._entropy)
        for thrown in self._throws:
            thrown.proved = (next(stream), next(stream)) == (thrown.first, thrown.second)
            if not thrown.proved:
                yield DiceProblem(thrown.number, f"{thrown} is not what the secret gives")
            self.proved += thrown.proved and thrown.settled
            self.checked += 1

    # -- rolls ---------------------------------------------------------------------------------

    def _called(
        self, number: int, call: CallRoll, decisions: Sequence[AnyDecision]
    ) -> Iterator[DiceProblem]:
        """The throw that is called here becomes the last one; it is nobody's second roll."""
        thrown, self.waiting = self.waiting, None
        called = f"{call.first}-{call.second} was called"
        self._last = None
        if thrown is None:
            yield DiceProblem(number, f"{called}, and nobody threw it")
        elif (thrown.first, thrown.second) != (call.first, call.second):
            yield DiceProblem(number, f"{called}, but {thrown} was thrown")
        elif not any(isinstance(each, Rolled | NoRolled) for each in decisions):
            yield DiceProblem(number, f"{called}, and nothing followed")
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
                yield DiceProblem(number, f"{faces} was settled, and nobody threw it")
            return
        if sorted((roll.first, roll.second)) != sorted((last.first, last.second)):
            yield DiceProblem(number, f"{faces} was settled, but {last} was thrown")
            return
        if last.stands:
            yield DiceProblem(number, f"{faces} was thrown once and settled twice")
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
        return DiceProblem(thrown.number, f"{thrown} was thrown, and never called")
