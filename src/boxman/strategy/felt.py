"""Felts: what lies on the layout for one seat, each ruled on by the reference table only once.

A felt is a table without the money on the rail (its signature). `Felts` remembers what every act
and every kind of roll made of every felt so far: the next felt, the change of the rail, what was
won and lost, or the refusal. Whatever the house's rules are, the reference table said it; here it
is only looked up again. The rail enters in one place: a bet that the chips do not reach for is
refused, and the table says so with its clauses.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import msgspec

from boxman.dice import BY_TOTAL, KINDS
from boxman.odds.chain import Chain
from boxman.odds.machine import State
from boxman.strategy.api import StrategyError
from boxman.strategy.proposals import SHORT, UNCOUNTED, call_for, leaving
from boxman.strategy.session import SEAT, Session, opened, ready
from boxman.strategy.spots import INDEX, SPOTS
from boxman.strategy.view import DOWN, Chair, open_ranges
from boxman.table.automatic import CLOSING, calling
from boxman.table.calls import Call, StayUp
from boxman.table.floor.throws import needs_close
from boxman.table.ruling import rule
from boxman.table.rulings import Refusal, Ruling
from boxman.table.signature import Signature, signature
from boxman.table.stakes import Range
from boxman.table.state import Placed, Returned, Rolled, Settled, Table, Wager
from boxman.words import phrase

DEEP = 10**15
"""A rail nothing empties."""


class NotExplored(StrategyError):
    """Why a strategy has no automaton."""


class TellsFaces(NotExplored):
    """A wager that tells more kinds of roll apart than these felts are asked about."""


class Felt:
    """What lies on the layout, and what became of it whenever somebody asked."""

    __slots__ = (
        *("acts", "down", "index", "left", "open", "puck", "ready", "rolls", "stake", "table"),
        "wagers",
    )

    def __init__(self, index: int, table: Table, kinds: int = len(KINDS)) -> None:
        self.index = index
        self.table = table
        self.puck = table.puck
        wagers = table.seats[SEAT].wagers
        self.wagers: dict[int, Wager] = {INDEX[name]: wager for name, wager in wagers.items()}
        self.stake = sum(wager.stake for wager in wagers.values())
        self.acts: dict[tuple[int, int, int], FeltAct] = {}
        self.rolls: list[Landed | None] = [None] * kinds
        self.open: dict[int, tuple[Range, ...]] = {}
        self.ready: tuple[Felt, int] | bool | None = None
        self.left: tuple[Felt, int] | None = None
        self.down: TakenDown | None = None


class Put(NamedTuple):
    """What was put down on one spot, or taken up again; amounts in minor units."""

    spot: str
    bets: int
    staked: int
    fees: int


class TakenDown(NamedTuple):
    """A felt without what may be taken down."""

    felt: Felt
    cash: int
    """What the rail gains: stakes, and fees that are handed back."""
    put: tuple[Put, ...]


class FeltAct(NamedTuple):
    """What an act made of a felt, if the rail was deep enough."""

    felt: Felt
    cash: int
    """The change of the rail."""
    refusal: Refusal | None
    staked: int
    put: tuple[Put, ...] = ()


class SettledHere(NamedTuple):
    """One wager decided by a roll; amounts in minor units."""

    spot: str
    stake: int
    won: int
    lost: int
    returned: int


class Landed(NamedTuple):
    """What a roll made of a felt."""

    felt: Felt
    cash: int
    won: dict[int, int]
    lost: dict[int, int]
    seven_out: bool
    total: int
    hard: bool
    staked: int
    """Made again because it was to stay up."""
    put: tuple[Put, ...]
    settled: tuple[SettledHere, ...]
    """What it decided, wager by wager."""


Answers = tuple[tuple[tuple[str, int], int], ...]


def same_answers(landed: Landed | None, answers: Answers) -> bool:
    """Whether a roll gives these answers to what was asked about it."""
    for (what, spot), answer in answers:
        if landed is None:
            now = 1 if what == "new" else 0
        elif what == "won":
            now = landed.won.get(spot, 0)
        elif what == "lost":
            now = landed.lost.get(spot, 0)
        elif what == "last":
            now = landed.total
        elif what == "new":
            now = landed.seven_out
        elif what == "hard":
            now = landed.hard
        else:
            now = sum((landed.won if what == "won total" else landed.lost).values())
        if now != answer:
            return False
    return True


class Felts:
    """All felts of one table seen so far."""

    def __init__(self, session: Session, *, by_faces: bool = False) -> None:
        self.session = session
        self.layout, table = opened(session)
        self.rolls = self.layout.rolls if by_faces else BY_TOTAL
        """The kinds of roll that felts are asked about."""
        self.close = needs_close(self.layout)
        self.bankroll = session.bankroll
        self._known: dict[Signature, Felt] = {}
        self.all: list[Felt] = []
        self.rulings = 0
        """How often the table was asked."""
        self._short: dict[tuple[str, bool], Refusal] = {}
        self.values: dict[tuple[int, tuple[Wager, ...], int], Fraction] = {}
        """What wagers are worth beyond their face, as far as somebody asked (worth.py)."""
        self.chains: dict[tuple[str, bool], Chain[State]] = {}
        """What becomes of bonus wagers, as far as that needed it."""
        self.start = self.of(table)[0]

    def of(self, table: Table) -> tuple[Felt, int]:
        """The felt of a table, and how much more is on its rail than on a deep one."""
        cash = table.seats[SEAT].rail - DEEP
        # The first roll of the evening cites one clause more and is otherwise like any other.
        table = msgspec.structs.replace(table, rolls=1)
        sign = signature(table, SEAT)
        felt = self._known.get(sign)
        if felt is None:
            if self.rolls is not self.layout.rolls:
                self._check(table)
            felt = Felt(len(self.all), with_rail(table, DEEP), len(self.rolls.kinds))
            self._known[sign] = felt
            self.all.append(felt)
        return felt, cash

    def _check(self, table: Table) -> None:
        """Felts asked about totals only are quicker; a wager on faces is not for them."""
        for name in table.seats[SEAT].wagers:
            if self.layout.spots[name].by_faces:
                raise TellsFaces(phrase("strategy.wrong.tells-rolls-of-one-total", name=name))

    def rule(self, table: Table, call: Call) -> Ruling:
        """What the reference table says, counted."""
        self.rulings += 1
        return rule(self.layout, table, call)

    def act(self, felt: Felt, what: int, spot: int, amount: int) -> FeltAct:
        """What an act makes of a felt."""
        key = (what, spot, amount)
        known = felt.acts.get(key)
        if known is None:
            ruling = self.rule(felt.table, call_for(what, spot, amount))
            if ruling.refusal is not None:
                known = FeltAct(felt, 0, ruling.refusal, 0)
            else:
                put = _put(ruling)
                staked = sum(each.staked for each in put)
                known = FeltAct(*self.of(ruling.after), None, staked, put)
            felt.acts[key] = known
        return known

    def short(self, felt: Felt, call: Call, act: FeltAct, rail: int) -> Refusal:
        """What the table says to a bet the rail does not reach; its amounts are of the first."""
        key = (str(getattr(call, "spot", "")), -act.cash > act.staked)
        known = self._short.get(key)
        if known is None:
            known = self.rule(with_rail(felt.table, rail), call).refusal
            assert known is not None
            assert known.code == SHORT, known
            self._short[key] = known
        return known

    def roll(self, felt: Felt, kind: int) -> Landed:
        """What a kind of roll makes of a felt whose dice are in a hand."""
        known = felt.rolls[kind]
        if known is None:
            dice = self.rolls.rolls[kind]
            ruling = self._ruled(felt, kind)
            won, lost, seven_out = {}, {}, False
            settled = []
            for made in ruling.decisions:
                if type(made) is Settled:
                    amounts = (made.stake, made.paid, made.taken, made.returned)
                    settled.append(SettledHere(made.spot, *amounts))
                    if made.paid:
                        won[INDEX[made.spot]] = made.paid
                    if made.taken:
                        lost[INDEX[made.spot]] = made.taken
                elif type(made) is Rolled:
                    seven_out = made.event == "seven-out"
            after, cash = self.of(ruling.after)
            put = _put(ruling)
            staked = sum(each.staked for each in put)
            known = Landed(
                *(after, cash, won, lost, seven_out, dice.total, dice.hard, staked, put),
                tuple(settled),
            )
            felt.rolls[kind] = known
        return known

    def _ruled(self, felt: Felt, kind: int) -> Ruling:
        """A roll as the reference table rules on it."""
        table = felt.table
        if self.close:
            table = self.rule(table, CLOSING).after
        dice = self.rolls.rolls[kind]
        ruling = self.rule(table, calling(dice))
        assert ruling.accepted, f"the roll was refused: {ruling.refusal}"
        return ruling

    def ready(self, felt: Felt) -> tuple[Felt, int] | None:
        """The felt with the dice in a hand, and the change of the rail; None if nobody throws."""
        known = felt.ready
        if known is None:
            held = [felt.table]
            felt.ready = False
            if ready(self.layout, felt.table, self._saying(held)):
                felt.ready = self.of(held[0])
            else:
                felt.left = self.of(held[0])
                assert not felt.left[0].ready
                felt.left[0].ready = False
            known = felt.ready
        return known if isinstance(known, tuple) else None

    def left(self, felt: Felt) -> tuple[Felt, int]:
        """A felt that nobody throws at as it is left, and the change of the rail.

        A house may cancel the point then and hand wagers back.
        """
        assert felt.ready is False
        return felt.left or (felt, 0)

    def _saying(self, held: list[Table]) -> Callable[[Call], Table]:
        def say(call: Call) -> Table:
            ruling = self.rule(held[0], call)
            assert ruling.accepted, f"the crew was refused: {ruling.refusal}"
            held[0] = ruling.after
            return ruling.after

        return say

    def down(self, felt: Felt) -> TakenDown:
        """A felt once everything on it that may be taken down is."""
        if felt.down is None:
            left, cash = felt, 0
            put: tuple[Put, ...] = ()
            for spot in leaving(self.layout, felt.wagers):
                if spot in left.wagers:
                    made = self.act(left, DOWN, spot, 0)
                    left, cash, put = made.felt, cash + made.cash, put + made.put
            felt.down = TakenDown(left, cash, put)
        return felt.down

    def let_go(self, felt: Felt) -> Felt:
        """The felt with nothing on it to be made again."""
        table = felt.table
        for wager in table.seats[SEAT].wagers.values():
            if wager.stays:
                stays = StayUp(seat=SEAT, spot=wager.spot, stays=False)
                table = self.rule(table, stays).after
        return self.of(table)[0]


def _put(ruling: Ruling) -> tuple[Put, ...]:
    """What a ruling puts down and takes up, spot by spot, as the reference keeps its books."""
    found = []
    for made in ruling.decisions:
        if type(made) is Placed:
            found.append(Put(made.spot, 1, made.amount, made.fee))
        elif type(made) is Returned and made.fee:
            found.append(Put(made.spot, 0, 0, -made.fee))
    return tuple(found)


def with_rail(table: Table, rail: int) -> Table:
    """A table as if its player had this much on the rail, with nothing to look back on."""
    seat = msgspec.structs.replace(table.seats[SEAT], rail=rail, bought=0)
    return msgspec.structs.replace(
        table, seats={**table.seats, SEAT: seat}, bank=0, cage=0, before=None, round_start=None
    )


class FeltChair(Chair):
    """A chair before felts, with a rail of its own."""

    def __init__(self, felts: Felts, rail: int) -> None:
        self.felts = felts
        self.layout = felts.layout
        self.acts = 0
        self.felt = felts.start
        self.puck = 0
        self.rail = rail
        self.low = rail
        """The lowest the rail was in this turn."""
        self.staked = 0
        self.put: list[Put] = []
        """What was put down in this turn, and taken up."""
        self.short = False
        self.reads: dict[tuple[str, int], int] = {}
        self.refused: list[tuple[Refusal, int]] = []
        """Refusals of this turn, with their spots."""
        self.won: dict[int, int] = {}
        self.lost: dict[int, int] = {}

    def sit(self, felt: Felt, landed: Landed | None) -> None:
        """Take the turn before a felt that a roll left behind; None before the first roll."""
        self.felt = felt
        self.puck = felt.puck
        self.short = False
        if self.refused:
            self.refused = []
        self.put = []
        if landed is None:
            self.last, self.last_hard, self.new_shooter = 0, False, True
            self.won, self.lost = {}, {}
        else:
            self.won, self.lost = landed.won, landed.lost
            self.last, self.last_hard = landed.total, landed.hard
            self.new_shooter = landed.seven_out

    def wager(self, spot: int) -> Wager | None:
        return self.felt.wagers.get(spot)

    def ranges(self, spot: int) -> tuple[Range, ...]:
        felt = self.felt
        known = felt.open.get(spot)
        if known is None:
            table = felt.table
            known = open_ranges(self.layout, table, table.seats[SEAT], SPOTS[spot])
            felt.open[spot] = known
        return known

    def limits(self) -> tuple[int, int]:
        posted = self.felt.table.posted
        return posted.minimum, posted.maximum

    def propose(self, what: int, spot: int, amount: int) -> bool:
        made = self.felt.acts.get((what, spot, amount))
        if made is None:
            made = self.felts.act(self.felt, what, spot, amount)
        refusal = made.refusal
        if refusal is None:
            rail = self.rail + made.cash
            if rail >= 0:
                self.rail = rail
                if rail < self.low:
                    self.low = rail
                self.felt = made.felt
                self.staked += made.staked
                self.put += made.put
                return True
            refusal = self.felts.short(self.felt, call_for(what, spot, amount), made, self.rail)
            self.short = True
        elif refusal.code == UNCOUNTED:
            return False
        self.refuse(what, spot, refusal)
        return False

    def refuse(self, what: int, spot: int, refusal: Refusal) -> None:
        """Keep a refusal in mind."""
        self.refused.append((refusal, spot))
