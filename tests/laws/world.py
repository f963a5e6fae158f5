"""A house to be explored: its table, its people, and every call that somebody might make there.

The calls are those of the registry with what it would try of each. A slice is the throw and one
theme beside it; money is kept out by bounds: one stake a spot, one line wager a seat, rails that
never run dry. Of causes and reasons one stands for all that the rules treat alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations
from typing import NamedTuple

import msgspec

from boxman.rules.compile import load
from boxman.rules.duties import STATIONS
from boxman.rules.procedure import CauseRule
from boxman.table import calls as c
from boxman.table.call import DECLARED, Call
from boxman.table.floor.people import PLAYER, STICK
from boxman.table.floor.throws import LACKING, needs_close
from boxman.table.opening import Open, open_table
from boxman.table.ruling import rule
from boxman.table.state import Table
from tests.floor import HOUSES

NAMES = ("ann", "bob", "cid", "dan")
STAKE, RAIL, PLACES = 1200, 10**11, 8
ROLLS = ((4, 2), (4, 3), (1, 2))
"""A point, a seven, and craps."""
GROUNDS = [g for house in HOUSES.values() for g in (*house.void, *house.due, *house.may)]
OTHERS = [g for house in HOUSES.values() for g in house.others]
LATER = 10**6
"""When a notice that was put up at the beginning has long run out."""

THROW = (c.DiceOut, c.DiceLand, c.DiceRest, c.CallRoll, c.CallNoRoll, c.CloseBets)
HAND = (c.OfferDice, c.TakeDice, c.DeclineDice, c.PassOver, c.PassDice, c.OrderPass, c.CancelPoint)
LINE = (c.Bet, c.TakeDown)
FACES = (c.DisputeFaces, c.CallIt, c.DecideFaces)
SHOOT = (c.OfferDice, c.TakeDice)
CALLED = (c.CloseBets, c.CallRoll)
"""A throw without its moments; bets are closed before it only where the text asks for it."""
BACK = (c.Overrule, c.VoidRoll, c.OpenDispute)
SLICES: dict[str, tuple[type[Call], ...]] = {
    "custody": (*THROW, *HAND, *LINE, *FACES, c.Leave, c.BuyIn),
    "turn": (*HAND, *LINE, *CALLED, c.Leave, c.BuyIn),
    "grounds": (*THROW, *SHOOT, *LINE, *FACES),
    "confirm": (*THROW, *SHOOT, *LINE, c.Say, c.Confirm, c.SetWorking, c.PlaceFor, c.Object),
    "people": (*CALLED, c.DiceOut, c.CallNoRoll, *HAND, *LINE, c.Sanction, c.Leave),
    "barred": (
        *(*CALLED, c.DiceOut, c.DiceRest, *LINE, *SHOOT, c.Sanction, c.StayUp, c.SetWorking),
        *(c.Find, c.Say, c.Confirm, c.PlaceFor, c.Object),
    ),
    "consent": (
        *(c.ShowNotice, c.Agree, c.PostLimits, c.CloseTable, c.Tell),
        *(c.Sanction, c.Leave, c.BuyIn),
    ),
    "back": (*CALLED, c.DiceOut, c.CallNoRoll, *LINE, *BACK),
    "hands": (*CALLED, c.Bet, *SHOOT, c.PassDice, *BACK),
    "leavers": (*CALLED, c.Bet, *SHOOT, c.Leave, c.BuyIn, *BACK),
    "disputes": (
        *(*CALLED, c.Leave, c.Overrule),
        *(c.OpenDispute, c.AskFor, c.JudgeDispute, c.Tell),
    ),
    "set": (*CALLED, c.DiceOut, c.CallNoRoll, c.Bet, *SHOOT, c.PassDice, c.HandleDice),
    "close": (*THROW, *LINE, *SHOOT, c.CloseTable, c.Tell, c.ShowNotice, c.CashOut),
    "signs": (
        *(c.Bet, c.TakeDown, c.ShowNotice, c.Agree, c.PostLimits, c.KeepLimits, c.ChangeStick),
        *(c.Choose, c.Leave),
    ),
    "grants": (c.CallRoll, *LINE, c.PostLimits, c.GrantLimits, c.Tell, c.CashOut, c.Leave),
    "vouchers": (c.CallRoll, *LINE, c.GiveVoucher, c.Reduce, c.VoidRoll),
    "stakes": (*(*THROW, *SHOOT, *LINE, c.Find, c.Confirm, c.Reduce, c.GiveBack, c.GiveVoucher),),
}
"""The parts that procedure is cut into; each has the throw, as far as it has to do with it."""
WHERE = {"vouchers": ("nsw",), "grants": ("nsw", "perth-crapless")}
"""Parts of some houses alone: New South Wales has vouchers (1.1), and limits of one's own by 7.4 as
Perth by 5.8."""
PAIRS = tuple(
    f"{one}+{other}"
    for one, other in combinations(SLICES, 2)
    if {*SLICES[one]} & {*SLICES[other]} - {*THROW, *SHOOT, *LINE}
)
"""Parts that share a call besides those of the throw."""
SHOOTING = {"back", "disputes", "grants", "vouchers"}
"""Parts in which one player has the dice from the beginning."""
SIGNED = ("signs", "grants")
"""Parts with a sign of their own, a unit on it, and stakes of several amounts."""
SHOWN = (*SIGNED, "consent")
"""Parts in which other limits are shown and posted."""
TOGETHER = "together"
"""All parts at once: far too many tables to see all, so that walks are taken there."""
ELSEWHERE = {
    c.Sit: "with a return",
    c.LinkPartners: "amounts of two players together",
    c.Record: "notes, and with a sanction that wants one",
    c.StandIn: "who speaks, not what follows",
    c.RunSides: "which places are open",
}
"""Calls that no slice makes, and what they belong to."""
ONE_VOICE = (c.Sanction, c.OrderPass)
"""Calls of which no rule asks later who made them and why: one person and one reason stand for
all of which the text asks the same."""
BLAMED = ("grounds", "custody", TOGETHER)
"""Parts in which everybody is named for what made a throw none; in the others a stranger."""
RANKED = ("grounds", "back", "disputes", TOGETHER)
"""Parts in which it matters who called a no roll, or corrected a call."""
OTHER_SPOTS = {
    "barred": ("place.6",),
    "back": ("field",),
    "confirm": ("place.6",),
    **dict.fromkeys(SIGNED, ("field", "place.6")),
    "stakes": ("field",),
    "vouchers": ("field", "place.6"),
    TOGETHER: ("field", "place.6"),
}
"""A wager besides the line, where a slice needs one."""
AMOUNTS = (1000, 1200, 2500, 3000)
"""What is bet on it where limits are the matter."""
OTHERS_DO = (*HAND, c.Bet)
"""What is said of a third player where turns are not the matter: that one bets on the line and
has the dice."""
LATE = ("confirm", "stakes", TOGETHER)
"""Where wagers are tried while the dice are out: they wait there, in every order of being said."""
UNIT, HIGHER = 500, 2500
"""Of the parts with a sign: the posted unit, and the other minimum that is shown and posted."""
FOUND = (STAKE, 60_000)
"""Stakes that are found: one within the limits and one above them."""
FOUND_ODD = {"place.6": 1300, "buy.4": 2100}
"""Stakes that are found and that chips cannot pay: at seven to six, or a commission of five %."""
VOUCHER = 1200


def parts(house: str, *names: str) -> list[str]:
    """The parts of a house, or those of these that are its."""
    return [
        name
        for name in names or SLICES
        if all(house in WHERE.get(part, (house,)) for part in name.split("+"))
    ]


class World:
    """A table of a house with its players, at the start of a part, or of two with a + between."""

    def __init__(self, house: str, players: int, theme: str) -> None:
        self.house, self.theme, self.names = house, theme, NAMES[:players]
        self.parts = frozenset(theme.split("+"))
        self.layout = load(house, chip=100)
        self.opening = Open(
            house=house,
            chip=100,
            minimum=1000,
            maximum=50_000,
            unit=UNIT if self.of(*SIGNED) and "unit" in self.layout.limits else 0,
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
        self.line = sorted(spots.value if spots is not None else (), key="pass".__ne__)
        self.others = () if self.of("turn", TOGETHER) else self.names[1:-1]
        self.stake = HIGHER if self.of(*SIGNED) else STAKE
        self.said: list[Call] = []
        for name in self.names:
            self._say(c.BuyIn(seat=name, amount=RAIL, by=PLAYER))
        needed = self.procedure.dice.inspected
        for station in needed.value if needed is not None else ():
            self._say(c.HandleDice(by=station, event="inspected"))
        if self.parts <= SHOOTING:  # whose turn it is is not the matter there
            ann = self.names[0]
            for name in (ann, self.names[-1]) if self.of("disputes") else (ann,):
                self._say(c.Bet(seat=name, spot=self.line[0], amount=self.stake, by=PLAYER))
            self._say(c.OfferDice(by=STICK, seat=ann))
            self._say(c.TakeDice(seat=ann, by=PLAYER))
        self.whole = self.table.floor.dice.play + self.table.floor.dice.bowl
        self.causes = self._causes()
        chosen = [SLICES[part] for part in SLICES if self.of(part, TOGETHER)]
        kinds = dict.fromkeys(chain(*chosen))
        if c.DiceRest not in kinds and not needs_close(self.layout):
            kinds.pop(c.CloseBets, None)
        self.kinds = tuple(kinds)
        self.stations = {kind: self._stations(kind) for kind in self.kinds}

    def of(self, *parts: str) -> bool:
        """Whether it is a world of one of these parts."""
        return not self.parts.isdisjoint(parts)

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
        if self.of("grounds"):
            return list(self.procedure.causes)
        return [name for key, name in found.items() if self.of("set", TOGETHER) or not key[3]]

    def _stations(self, kind: type[Call]) -> list[str]:
        """Who may make it: powers do not change, so nobody else is tried."""
        declared = DECLARED[kind]
        powers = {*declared.powers, *declared.also}
        who = {w for p in self.procedure.granted if p.call in powers for w in p.who}
        named = [s for s in declared.stations if s != PLAYER]
        held = [s for s in named if s in who]
        if not powers:
            held = named if kind in (c.Confirm, c.Tell) else named[:1]
        if kind in (c.CallNoRoll, c.Overrule, c.VoidRoll) and not self.of(*RANKED):
            held = held[:1]
        return [*([PLAYER] if PLAYER in declared.stations else []), *held]

    def calls(self, table: Table) -> Iterator[tuple[Call, ...]]:
        """Everything that is tried at a table: calls, or two where one alone has no meaning."""
        for said in self._calls(table):
            if getattr(said[-1], "seat", "") not in self.others or isinstance(said[-1], OTHERS_DO):
                yield said

    def _calls(self, table: Table) -> Iterator[tuple[Call, ...]]:
        for kind in self.kinds:
            if kind is c.BuyIn:
                for place, name in enumerate(self.names, 1):
                    if self._leaves(name) and name not in table.seats.keys() - table.floor.away:
                        back = c.BuyIn(seat=name, amount=RAIL, by=PLAYER)
                        yield back, c.Sit(seat=name, place=place, by=PLAYER)
            elif kind is c.Bet:
                yield from ((call,) for call in self._bets(table))
            elif kind is c.TakeDown:
                for seat in table.seats.values():
                    for spot in seat.wagers:
                        yield (c.TakeDown(seat=seat.name, spot=spot, by=PLAYER),)
            elif kind is c.Find:
                yield from ((call,) for call in self._finds(table))
            elif kind in (c.Say, c.PlaceFor, c.GiveVoucher, c.Reduce):
                yield from ((call,) for call in self._with_chips(kind, table))
            elif kind in (c.ShowNotice, c.PostLimits, c.GrantLimits) and self.of(*SHOWN):
                yield from ((call,) for call in self._limits(kind))
                if kind is c.ShowNotice and self.of("consent", "close"):
                    yield from ((call,) for call in self._tried(kind, table))
            elif kind is c.CallNoRoll and self.of("grounds"):
                yield from ((call,) for call in self._grounds(table))
            elif kind is c.Sanction:
                yield from ((*self._noted(call), call) for call in self._tried(kind, table))
            elif kind is c.CloseTable:
                for call in self._tried(kind, table):
                    yield (call,)
                    if table.floor.notices:
                        yield (msgspec.structs.replace(call, at=LATER),)
            else:
                yield from ((call,) for call in self._tried(kind, table))

    def _noted(self, call: Call) -> Iterator[Call]:
        """What has to be noted of somebody before this is done, where the text wants it noted."""
        assert isinstance(call, c.Sanction)
        power = self.procedure.powers[call.what][call.reason]
        times = max(
            [{"noted": 1, "noted twice": 2}.get(need, 0) for need in power.needs], default=0
        )
        for station in self.procedure.records[call.reason].who[:1] if times else ():
            note = c.Record(by=station, what=call.reason, person=call.seat)
            yield from [note] * times

    def _bets(self, table: Table) -> Iterator[Call]:
        if table.phase not in ("open", "closed") and not self.of(*LATE):
            return
        for seat in table.seats.values():
            last = seat.name == self.names[-1]
            both = self.of("custody", TOGETHER) and seat.name not in self.others
            lines = self.line if both else self.line[:1]
            waits = any(each.seat == seat.name for each in table.floor.pending)
            if not waits and not any(spot in seat.wagers for spot in self.line):
                for spot in (
                    lines if not last or not self.of("confirm", "vouchers", *SIGNED) else ()
                ):
                    yield c.Bet(seat=seat.name, spot=spot, amount=self.stake, by=PLAYER)
            if not last:
                continue
            for spot in dict.fromkeys(chain(*(OTHER_SPOTS.get(part, ()) for part in self.parts))):
                if spot not in seat.wagers and not waits:
                    for amount in AMOUNTS if self.of(*SIGNED) else (STAKE,):
                        yield c.Bet(seat=seat.name, spot=spot, amount=amount, by=PLAYER)
                    held = table.floor.vouchers.get(seat.name)
                    if self.of("stakes", "vouchers", TOGETHER) and held:
                        half = {"amount": 2 * VOUCHER, "voucher": VOUCHER}
                        yield c.Bet(seat=seat.name, spot=spot, by=PLAYER, **half)

    def _finds(self, table: Table) -> Iterator[Call]:
        stakes = self.of("stakes", TOGETHER)
        name = self.names[-1 if stakes else 0]
        seat = table.seats.get(name)
        if seat is None or "field" in seat.wagers or table.floor.pending:
            return
        spots = ["field"]
        if stakes and table.puck and "pass" in seat.wagers and "pass.odds" not in seat.wagers:
            spots.append("pass.odds")
        if stakes and table.floor.ground == LACKING and table.hand.shooter == name:
            spots = ["pass"]  # with which the throw is one after all
        for spot in spots:
            for amount in FOUND if stakes else FOUND[:1]:
                for before in (False, True):
                    yield c.Find(by="box", seat=name, spot=spot, amount=amount, before=before)
        if stakes and not {*FOUND_ODD} & {*seat.wagers}:
            for spot, amount in FOUND_ODD.items():
                yield c.Find(by="box", seat=name, spot=spot, amount=amount)

    def _with_chips(self, kind: type[Call], table: Table) -> Iterator[Call]:
        """Calls of the last player's chips, one amount each."""
        name = self.names[-1]
        seat = table.seats.get(name)
        if seat is None:
            return
        waits = {each.spot for each in table.floor.pending}
        if kind is c.Say and "place.6" not in seat.wagers and not waits:
            yield c.Say(seat=name, spot="place.6", amount=STAKE, by=PLAYER)
        if kind is c.PlaceFor and "place.6" not in {*seat.wagers, *waits}:
            yield c.PlaceFor(by="dealer", seat=name, spot="place.6", amount=STAKE)
        given = any(wager.voucher for wager in seat.wagers.values())
        if kind is c.GiveVoucher and not given and not table.floor.vouchers.get(name):
            yield c.GiveVoucher(by="box", seat=name, amount=VOUCHER)
        if kind is c.Reduce:
            for spot, wager in seat.wagers.items():
                if wager.stake < STAKE:
                    continue
                for to in (wager.stake // 2, wager.stake // 2 - 100):
                    yield c.Reduce(seat=name, spot=spot, to=to, by=PLAYER)

    def _limits(self, kind: type[Call]) -> Iterator[Call]:
        """Two minimums, now and long after; limits of one's own above and below the maximum."""
        for by in self.stations[kind]:
            if kind is c.GrantLimits:
                for low, high in ((1000, 60_000), (1000, 40_000), (500, 60_000), (0, 0)):
                    yield c.GrantLimits(by=by, seat=self.names[-1], minimum=low, maximum=high)
                continue
            for minimum in (1000, HIGHER):
                unit = self.opening.unit
                said = {"by": by, "minimum": minimum, "maximum": 50_000, "unit": unit}
                if kind is c.ShowNotice:
                    yield c.ShowNotice(what="limits", **said)
                    continue
                for reason in dict.fromkeys(("", *self.procedure.powers["post limits"])):
                    for at in (0, LATER):
                        yield c.PostLimits(**said, reason=reason, at=at)

    def _grounds(self, table: Table) -> Iterator[Call]:
        """Every ground that any house has, and one that none has."""
        every = dict.fromkeys((*self.procedure.causes, *GROUNDS, "looks"))
        for by in self.stations[c.CallNoRoll]:
            for cause in every:
                yield c.CallNoRoll(by=by, cause=cause, person="zoe" if cause in OTHERS else "")
            yield c.CallNoRoll(by=by, cause="meddling", person=self.names[-1])
            yield c.CallNoRoll(by=by)

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
        """Faces of three kinds, one amount to cash out, and of causes one of each kind."""
        cause = getattr(call, "cause", "")
        reason = call.reason if isinstance(call, c.VoidRoll) else ""
        if cause and cause not in self.causes:
            return
        if reason in self.procedure.causes and reason not in self.causes:
            return
        if isinstance(call, c.VoidRoll) and (call.forfeit or not self._first_reason(call)):
            return
        if isinstance(call, ONE_VOICE) and not self.of(TOGETHER) and not self._first_of(call):
            return
        if isinstance(call, c.CallNoRoll | c.VoidRoll) and call.person:
            people = ("", *self.names[:2])
            if not self.of(*BLAMED):
                rule = self.procedure.causes.get(cause or reason)
                people = self.names[:1] if rule and rule.whose == "player" else ("zoe",)
            for person in people:
                yield msgspec.structs.replace(call, person=person)
            return
        if isinstance(call, c.CashOut):  # a part of the rail, which so never runs dry
            yield msgspec.structs.replace(call, amount=STAKE)
            return
        faces = getattr(call, "first", 0), getattr(call, "second", 0)
        rolls = ROLLS[:2] if self.of("hands", "leavers") else ROLLS
        for first, second in rolls if faces[0] and not cause else (faces,):
            fields = {"first": first, "second": second} if faces != (0, 0) else {}
            yield msgspec.structs.replace(call, **fields)

    def _first_reason(self, call: c.VoidRoll) -> bool:
        """Whether no earlier reason to void is treated alike."""
        powers = self.procedure.powers["void round" if call.whole_round else "void roll"]
        alike = [name for name in powers if name and name != "cause"]
        return call.reason in self.procedure.causes or call.reason in alike[:1]

    def _first_of(self, call: c.Sanction | c.OrderPass) -> bool:
        """Whether no earlier reason asks for the same, and nobody named earlier may make it."""
        powers = self.procedure.powers[
            "order to pass" if isinstance(call, c.OrderPass) else call.what
        ]
        power = powers.get(call.reason)
        if power is None or call.by not in power.who:
            return False
        alike = [name for name, each in powers.items() if each.needs == power.needs]
        return (call.reason, call.by) == (alike[0], powers[alike[0]].who[0])

    def _leaves(self, name: str) -> bool:
        """Where much else is the matter, one player leaves and the other stays."""
        return name == self.names[-1] or not self.of("leavers", "disputes", "grants")

    def _bounded(self, table: Table, call: Call) -> bool:
        match call:
            case c.Leave():
                return self._leaves(call.seat)
            case c.OpenDispute():
                return call.seat == self.names[-1] and not table.floor.disputes
            case c.Tell():
                return call.whom not in self.names[:-1]
            case c.DisputeFaces():  # of a roll already called it is like overruling
                return table.phase not in ("open", "closed") or self.of(TOGETHER)
            case c.StayUp() | c.SetWorking():
                return call.seat == self.names[-1] and not table.floor.pending
            case c.KeepLimits() | c.AskFor():
                return call.seat == self.names[-1]
            case c.JudgeDispute():
                return not call.seat
            case c.Choose():
                return call.setting == next(iter(self.layout.settings))
            case c.ShowNotice():
                return call.what == "closing" and not table.floor.notices
            case c.GiveBack():
                return call.seat == self.names[-1]
            case c.HandleDice():
                dice = table.floor.dice
                if call.event == "new set":
                    return bool(dice.lost or dice.off or dice.found or dice.held)
                return call.event != "off" or dice.off + dice.found + dice.lost < 2
        return True


def _by_player(call: Call) -> Call:
    """A seat's call at a table with a crew of people; who asks for the old die is its speaker."""
    if isinstance(call, c.HandleDice):
        return call
    return msgspec.structs.replace(call, by=PLAYER if hasattr(call, "seat") else call.by)


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
    wagering: frozenset[str] = frozenset()
    """Who had a stake up when new limits were shown, or has made one since."""
    favoured: frozenset[str] = frozenset()
    """Who was wagering at a change of limits, and has not left since."""
    voided: str = ""
    """Who voided the last throw by an order or by deciding its faces."""
    given: int = 0
    """What vouchers were given since the last roll."""
