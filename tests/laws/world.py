"""A house to be explored: its table, its people, and every call that somebody might make there.

The calls are those of the registry with what it would try of each. A slice is the throw and one
theme beside it; money is kept out by bounds: one stake a spot, one line wager a seat, rails that
never run dry. Of causes and reasons one stands for all that the rules treat alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from boxman.rules.compile import load
from boxman.rules.duties import STATIONS
from boxman.rules.procedure import CauseRule
from boxman.table import calls as c
from boxman.table.call import DECLARED, Call
from boxman.table.floor.people import PLAYER
from boxman.table.opening import Open, open_table
from boxman.table.ruling import rule
from boxman.table.state import Table

NAMES = ("ann", "bob", "cid", "dan")
STAKE, RAIL, PLACES = 1200, 10**11, 8
ROLLS = ((4, 2), (4, 3), (1, 2))
"""A point, a seven, and craps."""
LATER = 10**6
"""When a notice that was put up at the beginning has long run out."""

THROW = (c.DiceOut, c.DiceLand, c.DiceRest, c.CallRoll, c.CallNoRoll, c.CloseBets)
HAND = (c.OfferDice, c.TakeDice, c.DeclineDice, c.PassDice, c.OrderPass, c.CancelPoint)
LINE = (c.Bet, c.TakeDown)
FACES = (c.DisputeFaces, c.CallIt, c.DecideFaces)
SLICES: dict[str, tuple[type[Call], ...]] = {
    "custody": (*THROW, *HAND, *LINE, *FACES, c.Leave, c.BuyIn),
    "people": (
        *THROW,
        *HAND,
        *LINE,
        c.Sanction,
        c.StayUp,
        c.SetWorking,
        c.Find,
        c.Confirm,
        c.Agree,
    ),
    "back": (
        *(*THROW, *LINE, c.OfferDice, c.TakeDice, c.PassDice, c.Leave),
        *(c.Overrule, c.VoidRoll, c.OpenDispute),
    ),
    "set": (*THROW, *LINE, c.OfferDice, c.TakeDice, c.PassDice, c.HandleDice),
    "close": (
        *THROW,
        *LINE,
        c.OfferDice,
        c.TakeDice,
        c.CloseTable,
        c.Tell,
        c.ShowNotice,
        c.CashOut,
    ),
}
ELSEWHERE = {
    c.Reduce: "money",
    c.GiveBack: "money",
    c.PlaceFor: "money",
    c.Object: "money",
    c.Say: "confirmations",
    c.GiveVoucher: "money",
    c.Sit: "with a return",
    c.ChangeStick: "limits",
    c.JudgeDispute: "route of a dispute, without the dice",
    c.LinkPartners: "money",
    c.Record: "notes",
    c.StandIn: "who speaks, not what follows",
    c.GrantLimits: "limits",
    c.KeepLimits: "limits",
    c.PostLimits: "limits",
    c.Choose: "limits",
}
"""Calls that no slice makes, and what they belong to."""
OTHER_SPOTS = {"people": "place.6", "back": "field"}
"""A wager besides the line, where a slice needs one."""


class World:
    """A table of a house with its players, at the start of a slice."""

    def __init__(self, house: str, players: int, theme: str) -> None:
        self.house, self.theme, self.names = house, theme, NAMES[:players]
        self.layout = load(house, chip=100)
        self.opening = Open(
            house=house,
            chip=100,
            minimum=1000,
            maximum=50_000,
            by_hand=True,
            shooter="players",
            crew=(1, 2, 1),
            by="manager" if self.layout.procedure.crew else "",
            places=PLACES,
        )
        opened = open_table(self.opening)
        assert opened.layout is not None, opened.refusal
        assert opened.table is not None
        self.layout, self.table = opened.layout, opened.table
        self.procedure = self.layout.procedure
        spots = self.procedure.eligible.spots
        self.line = spots.value if spots is not None else ()
        self.said: list[Call] = []
        for name in self.names:
            self._say(c.BuyIn(seat=name, amount=RAIL, by=PLAYER))
        needed = self.procedure.dice.inspected
        for station in needed.value if needed is not None else ():
            self._say(c.HandleDice(by=station, event="inspected"))
        self.whole = self.table.floor.dice.play + self.table.floor.dice.bowl
        self.causes = self._causes()
        self.kinds = SLICES[theme]
        self.stations = {kind: self._stations(kind) for kind in self.kinds}

    def _say(self, call: Call) -> None:
        ruling = rule(self.layout, self.table, call)
        assert ruling.accepted, ruling.refusal
        self.said.append(call)
        self.table = ruling.after

    def _causes(self) -> list[str]:
        """One cause of each kind that the rules treat otherwise."""

        def alike(cause: CauseRule) -> tuple[str, bool, str, bool]:
            return cause.effect, cause.person, cause.whose, cause.cause == "off-table"

        found = {alike(each): name for name, each in self.procedure.causes.items()}
        return [name for key, name in found.items() if self.theme == "set" or not key[3]]

    def _stations(self, kind: type[Call]) -> list[str]:
        """Who may make it: powers do not change, so nobody else is tried."""
        declared = DECLARED[kind]
        powers = {*declared.powers, *declared.also}
        who = {w for p in self.procedure.granted if p.call in powers for w in p.who}
        named = [s for s in declared.stations if s != PLAYER]
        held = [s for s in named if s in who] if powers else named[:1]
        return [*([PLAYER] if PLAYER in declared.stations else []), *held]

    def calls(self, table: Table) -> Iterator[tuple[Call, ...]]:
        """Everything that is tried at a table: calls, or two where one alone has no meaning."""
        for kind in self.kinds:
            if kind is c.BuyIn:
                for place, name in enumerate(self.names, 1):
                    if name not in table.seats:
                        back = c.BuyIn(seat=name, amount=RAIL, by=PLAYER)
                        yield back, c.Sit(seat=name, place=place, by=PLAYER)
            elif kind is c.Bet:
                yield from ((call,) for call in self._bets(table))
            elif kind is c.TakeDown:
                for seat in table.seats.values():
                    for spot in seat.wagers:
                        yield (c.TakeDown(seat=seat.name, spot=spot, by=PLAYER),)
            elif kind is c.Find:
                yield (c.Find(by="box", seat=self.names[0], spot="field", amount=STAKE),)
            else:
                yield from ((call,) for call in self._tried(kind, table))

    def _bets(self, table: Table) -> Iterator[Call]:
        lines = self.line if self.theme == "custody" else self.line[:1]
        other = OTHER_SPOTS.get(self.theme)
        for seat in table.seats.values():
            if not any(spot in seat.wagers for spot in self.line):
                for spot in lines:
                    yield c.Bet(seat=seat.name, spot=spot, amount=STAKE, by=PLAYER)
            if other and seat.name == self.names[-1] and other not in seat.wagers:
                yield c.Bet(seat=seat.name, spot=other, amount=STAKE, by=PLAYER)

    def _tried(self, kind: type[Call], table: Table) -> Iterator[Call]:
        seen = set()
        for station in self.stations[kind]:
            for who in tuple(table.seats) if station == PLAYER else (station,):
                for call in kind.tries(self.layout, table, who):
                    for made in self._represented(call):
                        made = made if made.by in STATIONS else _by_player(made)
                        if made not in seen and self._bounded(table, made):
                            seen.add(made)
                            yield made

    def _represented(self, call: Call) -> Iterator[Call]:
        """Faces of three kinds, and of causes one of each kind."""
        cause = getattr(call, "cause", "")
        reason = call.reason if isinstance(call, c.VoidRoll) else ""
        if cause and cause not in self.causes:
            return
        if reason in self.procedure.causes and reason not in self.causes:
            return
        if isinstance(call, c.VoidRoll) and (call.forfeit or not self._first_reason(call)):
            return
        if isinstance(call, c.CallNoRoll | c.VoidRoll) and call.person:
            for person in ("", *self.names[:2]):
                yield msgspec.structs.replace(call, person=person)
            return
        faces = getattr(call, "first", 0), getattr(call, "second", 0)
        for first, second in ROLLS if faces[0] and not cause else (faces,):
            fields = {"first": first, "second": second} if faces != (0, 0) else {}
            yield msgspec.structs.replace(call, **fields)

    def _first_reason(self, call: c.VoidRoll) -> bool:
        """Whether no earlier reason to void is treated alike."""
        powers = self.procedure.powers["void round" if call.whole_round else "void roll"]
        alike = [name for name in powers if name and name != "cause"]
        return call.reason in self.procedure.causes or call.reason in alike[:1]

    def _bounded(self, table: Table, call: Call) -> bool:
        match call:
            case c.OpenDispute():
                return call.about == "roll" and not table.floor.disputes
            case c.DisputeFaces():  # of a roll already called it is like overruling
                return table.phase not in ("open", "closed")
            case c.StayUp() | c.SetWorking():
                return call.seat == self.names[-1] and not table.floor.pending
            case c.ShowNotice():
                return call.what == "closing" and table.floor.notice is None
            case c.HandleDice():
                dice = table.floor.dice
                if call.event == "new set":
                    return bool(dice.lost or dice.off or dice.found)
                return call.event != "off" or dice.off + dice.found + dice.lost < 2
        return True


def _by_player(call: Call) -> Call:
    """A seat's call at a table with a crew of people; who asks for the old die is its speaker."""
    if isinstance(call, c.HandleDice):
        return call
    late = {"at": LATER} if isinstance(call, c.CloseTable) else {}
    return msgspec.structs.replace(call, by=PLAYER if hasattr(call, "seat") else call.by, **late)


class Ghost(NamedTuple):
    """What a law remembers and the table need not."""

    ground: str = ""
    """A ground for a no roll stated of the throw under way."""
    off: bool = False
    """A die left the table, and nobody has chosen another or checked it since."""
    last: str = ""
    """Who lost or gave up the dice last."""
    asked: frozenset[str] = frozenset()
    """Who was offered them since."""
    lacked: bool = False
    """The throw under way was released by somebody without a line wager."""
