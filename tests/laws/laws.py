"""The laws: what must hold of every ruling and of every table that can be reached.

A law is a function that yields what breaks it, named by its number. What the texts say and a law
needs is read from the table of houses of the naive model (tests/floor/houses.py), not from the
rulebooks. Besides the twelve laws: 13, what a refusal proposes can be done; 14, chips add up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from boxman.rules.duties import RANKS
from boxman.table import calls as c
from boxman.table.accounts import imbalance
from boxman.table.call import Call
from boxman.table.floor.people import STICK
from boxman.table.ruling import rule
from boxman.table.rulings import Refusal, Ruling
from boxman.table.said.items import items_of
from boxman.table.state import Asked, Marked, NoRolled, Placed, Reversed, Rolled, Settled, Table
from tests.floor import HOUSES
from tests.laws.world import SIGNED, UNIT, Ghost, World

THROWN = ("out", "landed", "rest", "disputed", "call it")
Broken = tuple[str, str]
"""The law, and how."""
CRASH = "0 nothing breaks a table"


class Step(NamedTuple):
    """A ruling with everything a law may ask about."""

    before: Table
    ghost: Ghost
    call: Call
    ruling: Ruling
    after: Table

    def made(self, *kinds: type) -> bool:
        return any(type(decision) in kinds for decision in self.ruling.decisions)


class Way(NamedTuple):
    """Calls one after another, up to the first that is refused or breaks the table."""

    said: tuple[Call, ...]
    steps: list[Step]
    table: Table
    """The table after the last of them that was taken."""
    ghost: Ghost
    refusal: Refusal | None = None
    crash: str = ""

    @property
    def done(self) -> bool:
        """Whether all of them were taken."""
        return self.refusal is None and not self.crash


def follow(world: World, table: Table, ghost: Ghost, said: Iterable[Call]) -> Way:
    """What becomes of a table when these calls are made."""
    said, steps, refusal, crash = tuple(said), list[Step](), None, ""
    for call in said:
        try:
            ruling = rule(world.layout, table, call)
        except Exception as error:
            crash = f"{type(error).__name__}: {error}"
            break
        if (refusal := ruling.refusal) is not None:
            break
        steps.append(Step(table, ghost, call, ruling, ruling.after))
        table, ghost = ruling.after, ghost_after(world, ghost, steps[-1])
    return Way(said, steps, table, ghost, refusal, crash)


def tried(world: World, table: Table, ghost: Ghost) -> list[Way]:
    """Every call that somebody might make here, and what becomes of it."""
    return [follow(world, table, ghost, said) for said in world.calls(table)]


def has_line(world: World, table: Table, name: str) -> bool:
    seat = table.seats.get(name)
    return seat is not None and any(spot in seat.wagers for spot in world.line)


def may_be_asked(world: World, table: Table, name: str) -> bool:
    """Who the texts let be asked after the first shooter: holders of a line wager; at Perth
    everybody while the puck is off."""
    if name not in table.seats or name in table.floor.excluded | table.floor.away:
        return False
    if has_line(world, table, name):
        return True
    anybody = world.house == "perth-crapless" and not table.puck
    return anybody and name not in table.floor.barred


def of_a_way(world: World, way: Way) -> Broken | None:
    """The first law that calls break one after another, if any."""
    if way.crash:
        return CRASH, way.crash
    return next((broken for step in way.steps for broken in of_a_ruling(world, step)), None)


def of_a_ruling(world: World, step: Step) -> Iterator[Broken]:
    """Laws of one accepted ruling."""
    for law in LAWS:
        yield from law(world, step)
    if imbalance(step.after):
        yield "14 chips add up", ""


def _throw(world: World, s: Step) -> Iterator[Broken]:
    before, after, hand = s.before, s.after, s.before.hand
    if before.phase in THROWN and not s.made(Rolled, NoRolled, Reversed):
        if after.hand.shooter != hand.shooter:
            yield "1a a throw keeps its shooter", type(s.call).__name__
        if after.phase not in THROWN or after.floor.closed:
            yield "1b a throw is decided and not dropped", type(s.call).__name__
    released = before.phase not in THROWN and (after.phase in THROWN or s.made(Rolled))
    if released and not s.made(Reversed):
        name = hand.shooter
        lawful = bool(name) and (name == STICK or has_line(world, before, name))
        voids = world.house == "rws" and not s.made(Rolled)
        if not lawful and not (name and voids) and not isinstance(s.call, c.Overrule):
            yield "1c dice leave a hand that may throw", name or "nobody"
    if s.made(Rolled) and not s.made(Reversed):
        if not hand.shooter:
            yield "1d a settled roll was thrown by somebody", type(s.call).__name__
        if s.ghost.lacked:
            yield "1e a settled roll was thrown by somebody eligible", type(s.call).__name__


def _custody(world: World, s: Step) -> Iterator[Broken]:
    before, ghost, hand = s.before, s.ghost, s.before.hand
    if isinstance(s.call, c.TakeDice) and s.call.seat != STICK and hand.offered != s.call.seat:
        yield "2a nobody takes dice that were not offered", ""
    if after_taker := s.after.hand.shooter:
        taken = after_taker not in ("", STICK, hand.shooter) and not s.made(Reversed)
        if taken and not isinstance(s.call, c.TakeDice):
            yield "2a nobody takes dice that were not offered", type(s.call).__name__
    if not isinstance(s.call, c.OfferDice):
        return
    name = s.call.seat
    others = {n for n in world.names if n != name and may_be_asked(world, before, n)}
    if before.phase in THROWN:
        yield "2b no offer while dice are thrown", ""
    if ghost.last and name == ghost.last and others - ghost.asked:
        yield "2c dice come back when all others were asked", ""
    if ghost.last and ghost.last != STICK and name not in (ghost.last, *ghost.asked):
        at = world.names.index(ghost.last)
        order = world.names[at + 1 :] + world.names[:at]
        if set(order[: order.index(name)]) & (others - ghost.asked):
            yield "2d clockwise from the last shooter", ""
    if ghost.last and not may_be_asked(world, before, name):
        yield "2e the offer is for those the text names", ""


def _no_roll(world: World, s: Step) -> Iterator[Broken]:
    hand = s.before.hand
    if s.made(NoRolled) and not s.made(Reversed) and not hand.shooter:
        yield "3a a no roll needs a throw", type(s.call).__name__
    if s.made(Rolled) and not s.made(Reversed) and s.ghost.ground:
        yield "3b a ground that was stated binds the throw", s.ghost.ground
    false = getattr(s.call, "cause", "") or getattr(s.call, "reason", "")
    cause = world.procedure.causes.get(false)
    no_line = cause is not None and cause.whose == "no line" and not s.ghost.lacked
    if no_line and hand.shooter and has_line(world, s.before, hand.shooter):
        yield "3c a ground known to be false is refused", false
    if cause is not None and cause.whose == "other":
        of = s.before.before if s.made(Reversed) and s.before.before is not None else s.before
        threw = of.hand.shooter
        if threw and getattr(s.call, "person", "") == threw:
            yield "3c a ground known to be false is refused", false
        if s.after.hand.no_rolls > hand.no_rolls and not s.made(Reversed):
            yield "3d what others did counts against nobody", false


def _back(world: World, s: Step) -> Iterator[Broken]:
    over = RANKS.get(s.ghost.voided, -1) >= RANKS.get(s.call.by, -1)
    if s.ghost.voided and over and isinstance(s.call, c.Overrule) and s.made(Rolled):
        yield "4f what was voided from above is no miscall", s.ghost.voided
    if not s.made(Reversed):
        return
    whole = isinstance(s.call, c.VoidRoll) and s.call.whole_round
    if s.before.phase in THROWN and not whole:
        yield "4a an order concerns the throw it is given for", type(s.call).__name__
    name = s.after.hand.shooter
    if name and name != STICK and name not in s.after.seats:
        yield "4b nobody has the dice who is gone", type(s.call).__name__
    backs = [d for d in s.ruling.decisions if isinstance(d, Reversed)]
    missed = s.before.at_no_roll is not None and isinstance(s.call, c.Overrule)
    if missed and not backs[0].no_roll:
        yield "4a an order concerns the throw it is given for", "a no roll"
    again = [(d.first, d.second) for d in s.ruling.decisions if isinstance(d, Rolled)]
    if again and not missed and sorted(again[0]) == sorted(s.before.faces):
        yield "4g a roll is not settled again as it was", type(s.call).__name__


def _told(world: World, s: Step) -> Iterator[Broken]:
    """What is printed is what the table became."""
    if not s.made(Reversed, NoRolled, Rolled):
        return
    words = [item.words for item in items_of(world.layout, s.before, s.ruling) if item.written]
    pucks = [each for each in words if each.startswith("puck ")]
    shown = f"puck {s.after.puck or 'off'}"
    if pucks[-1:] not in ([], [shown]) or (not pucks and s.before.puck != s.after.puck):
        yield "4c the puck that is printed is the table's", type(s.call).__name__
    if s.made(Reversed):
        for name in {*s.before.seats, *s.after.seats}:
            sides = [t.seats[name].wagers if name in t.seats else {} for t in (s.before, s.after)]
            for spot in {*sides[0], *sides[1]}:
                one, two = sides[0].get(spot), sides[1].get(spot)
                same = one is not None and two is not None and one.stake == two.stake
                if not same and not any(each.startswith(f"{name} {spot} ") for each in words):
                    yield "4d every chip that moves is told", spot
    changed = s.after.hand.shooter != s.before.hand.shooter
    if changed and not any(
        "dice" in each or "shooter" in each or "throw" in each for each in words
    ):
        yield "4e who has the dice is told", type(s.call).__name__


def _excluded(world: World, s: Step) -> Iterator[Broken]:
    gone = s.before.floor.excluded
    if not gone:
        return
    for decision in s.ruling.decisions:
        mine = getattr(decision, "seat", "") in gone
        on = isinstance(decision, Marked) and decision.marker == "on"
        asks = isinstance(decision, Asked) and decision.stays
        if mine and (on or asks or isinstance(decision, Placed)):
            yield "8c nothing is done in the name of the excluded", type(s.call).__name__
    if isinstance(s.call, c.OfferDice) and s.call.seat in gone:
        yield "8b an excluded person is offered nothing", ""
    if isinstance(s.call, c.Agree) and s.call.seat in gone:
        yield "8c nothing is done in the name of the excluded", "agrees"
    if s.before.phase not in THROWN and s.after.phase in THROWN and s.after.hand.shooter in gone:
        yield "8a an excluded person throws nothing", ""


def _dice(world: World, s: Step) -> Iterator[Broken]:
    dice = s.before.floor.dice
    released = s.before.phase not in THROWN and (s.after.phase in THROWN or s.made(Rolled))
    released = released and not s.made(Reversed)  # a throw put right was made before
    if released and s.ghost.off:
        yield "9b a die that left the table is checked first", ""
    if released and dice.play < 2:
        yield "9b a die that left the table is checked first", "short"
    if isinstance(s.call, c.OfferDice) and s.before.hand.former:
        short = world.procedure.dice.offered and dice.play + dice.bowl < world.whole
        if short or (dice.due and not dice.deferred):
            yield "9a a set is complete before it is offered", ""
    if isinstance(s.call, c.HandleDice):
        if s.call.event == "asked" and s.call.by != s.before.hand.shooter:
            yield "9c only the shooter asks for the old die", ""
        if s.call.event == "new set" and s.before.phase in THROWN:
            yield "9d a set is not changed in the air", ""


def _confirmed(world: World, s: Step) -> Iterator[Broken]:
    before, house, decisions = s.before, HOUSES[world.house], s.ruling.decisions
    placed = any(isinstance(each, Placed) for each in decisions)
    on = any(isinstance(each, Marked) and each.marker == "on" for each in decisions)
    spoken = isinstance(s.call, c.Say)
    late = isinstance(s.call, c.Bet) and before.phase in THROWN
    if placed and (spoken or late):
        yield "5a what waits for a word has no effect before it", type(s.call).__name__
    if on and isinstance(s.call, c.SetWorking) and house.on:
        yield "5a what waits for a word has no effect before it", "on"
    if isinstance(s.call, c.Confirm) and (placed or on):
        waited = [w for w in before.floor.pending if w.seat == s.call.seat]
        found = any(each.what == "found" for each in waited)
        if not found and before.phase not in ("open", "closed", "out"):
            yield "5b what is confirmed too late is refused", before.phase
        given = {s.call.by}.union(*(each.by for each in waited))
        if placed and not found and house.late_both and not set(house.late) <= given:
            yield "5c all confirm who have to", s.call.by
    if s.made(Rolled, NoRolled, Reversed) and (s.after.floor.pending or s.after.floor.placed_for):
        yield "5d what waits ends with its throw", type(s.call).__name__


TIMES = {"nsw": 2, "perth-crapless": 1, "newzealand": 1.25, "rws": 5}
"""How much may stand behind a Pass wager on a point of six (NSW 6.1.5.1, Perth 4.30, Resorts World
Sentosa App.D; New Zealand 4.1(e)(i): as much, or what chips can pay next: behind 12, whose win of
14.40 they cannot, 15 for 18)."""


STEPS = {
    **{key: {"buy.4": 2000} for key in ("adelaide", "newzealand", "nsw")},
    "rws": {"buy.4": 2000, "place.6": 600},
    "perth-crapless": {"place.6": 600},
}
"""Stakes whose commission (5 %, in chips of 1) or win (7 to 6) can be paid exactly, where a house
rounds neither: Adelaide 14(d), New Zealand 4.13 and NSW 6.1.24 let nothing more be charged."""


def _found(world: World, s: Step) -> Iterator[Broken]:
    """Adelaide 14(g) and Perth 5.7 let the maximum count, Resorts World Sentosa (gap-16) nothing;
    by New South Wales 7.2 a stake not rejected is valid."""
    before = s.before
    for each in s.ruling.decisions:
        if not isinstance(each, Placed) or not isinstance(s.call, c.Find | c.Confirm):
            continue
        wager = s.after.seats[each.seat].wagers[each.spot]
        counts = wager.stake if wager.counts < 0 else wager.counts
        most = before.posted.maximum
        step = STEPS.get(world.house, {}).get(each.spot, 1)
        if counts % step:
            yield "6d a found stake counts as far as it can be paid", each.spot
        if counts > most and world.house in ("adelaide", "perth-crapless", "rws"):
            yield "6a a found stake counts as it would at the door", each.spot
        times = TIMES.get(world.house)
        if each.spot == "pass.odds" and times is not None:
            flat = s.after.seats[each.seat].wagers["pass"].stake
            if counts > times * flat:
                yield "6a a found stake counts as it would at the door", each.spot
        if isinstance(s.call, c.Find) and before.phase in ("rest", "disputed", "call it"):
            yield "6b a stake found after rest wants a second person", ""
        late = isinstance(s.call, c.Find) and before.phase in THROWN and not s.call.before
        if late and counts == each.amount <= most:
            yield "6c in the air only what lay there before is found", ""
    if isinstance(s.call, c.Confirm):
        mine = [w for w in before.floor.pending if w.what == "found" and s.call.by in w.by]
        if mine and s.made(Placed):
            yield "6b a stake found after rest wants a second person", "the same"


def _slips(table: Table, name: str) -> int:
    """What somebody's vouchers are worth, in hand and on the layout."""
    on = sum(wager.voucher for wager in table.seats[name].wagers.values())
    return on + sum(table.floor.vouchers.get(name, ()))


def _vouchers(world: World, s: Step) -> Iterator[Broken]:
    """Until something is decided nobody's chips and nobody's vouchers become more or fewer."""
    for each in s.ruling.decisions:
        if isinstance(each, Settled) and not s.made(Reversed):
            wager = s.before.seats[each.seat].wagers.get(each.spot)
            if wager is not None and each.returned > wager.stake - wager.voucher:
                yield "7b only winnings of a voucher are chips", each.spot
    old = s.before.before
    if s.made(Reversed) and not s.made(Rolled) and old is not None:
        name = world.names[-1]
        there = name in s.after.seats and name in old.seats
        if there and _slips(s.after, name) != _slips(old, name) + s.ghost.given:
            yield "7c a roll taken back leaves vouchers as before it", type(s.call).__name__
    moved = (c.BuyIn, c.CashOut, c.Leave, c.GiveVoucher)
    if s.made(Settled, Reversed) or isinstance(s.call, moved):
        return
    for name, seat in s.before.seats.items():
        now = s.after.seats.get(name)
        if now is None:
            continue
        chips = [
            each.rail + sum(w.stake - w.voucher + w.fee for w in each.wagers.values())
            for each in (seat, now)
        ]
        if chips[0] != chips[1] or _slips(s.before, name) != _slips(s.after, name):
            yield "7a a voucher is not turned into chips", type(s.call).__name__


def _grounds(world: World, s: Step) -> Iterator[Broken]:
    house = HOUSES[world.house]
    known = ("", *house.void, *house.due, *house.may)
    if isinstance(s.call, c.CallNoRoll) and s.call.cause not in known:
        yield "10a a ground the text does not name is refused", s.call.cause


MINUTES = {"nsw": 20, "perth-crapless": 10}
"""How long a higher minimum is shown before it binds (NSW 7.3, Perth 5.2(c))."""


def _limits(world: World, s: Step) -> Iterator[Broken]:
    before, floor, call = s.before, s.before.floor, s.call
    if isinstance(call, c.PostLimits) and world.house in MINUTES and before.seats:
        notice = floor.sign("limits", call.group)
        shown = notice is not None and notice.minimum == call.minimum
        waited = shown and call.at - notice.since >= 60 * MINUTES[world.house]
        here = set(before.seats) - floor.away - floor.excluded  # who is excluded plays no more
        agreed = not here or (shown and here <= floor.agreed)
        free = world.house == "perth-crapless" and agreed
        if call.minimum > before.posted.minimum and not waited and not free:
            yield "11a a higher minimum is shown first", ""
    if isinstance(call, c.GrantLimits) and (call.minimum or call.maximum):
        if world.house == "nsw" and call.maximum <= before.posted.maximum:
            yield "11b a player is only allowed to exceed the maximum", ""
        if world.house == "perth-crapless" and "surveillance" not in floor.told:
            yield "11b surveillance is told of limits of one's own", ""
    if isinstance(call, c.KeepLimits) and call.keep and call.seat not in s.ghost.favoured:
        yield "11c who keeps limits was wagering", ""
    if isinstance(call, c.Choose):
        yield "11d a setting holds while the table is open", call.setting
    if isinstance(call, c.Bet) and world.of(*SIGNED):
        own = call.seat in floor.grants or call.seat in floor.kept
        seat = s.after.seats[call.seat]
        over = seat.wagers[call.spot].stake - before.posted.minimum
        # New South Wales 7.1 and Perth 5.1 have units on the sign; elsewhere none binds.
        units = world.house in MINUTES
        if not own and (over < 0 or (units and over % UNIT)):
            yield "12a a posted minimum and unit bind", str(call.amount)


LAWS = (
    *(_throw, _custody, _no_roll, _back, _told, _confirmed, _found, _vouchers),
    *(_excluded, _dice, _grounds, _limits),
)


def of_a_table(world: World, table: Table, ghost: Ghost, ways: list[Way]) -> Iterator[Broken]:
    """Laws of a table, with every call that was tried there."""
    calls = [way.said[-1] for way in ways if way.done]
    hand, excluded = table.hand, table.floor.excluded
    if hand.offered and (hand.offered not in table.seats or hand.offered in table.floor.away):
        yield "2f an offer ends with its player", ""
    if hand.offered in excluded:
        yield "8b an excluded person is offered nothing", "still offered"
    if hand.shooter in excluded and table.phase not in THROWN:
        yield "8a an excluded person throws nothing", "keeps the dice"
    kinds = {type(call) for call in calls}
    decides = {c.CallRoll, c.CallNoRoll, c.DecideFaces}
    if table.phase in THROWN and not table.floor.closed and not kinds & decides:
        yield "1f a throw can be decided", table.phase
    idle = not hand.shooter and not hand.offered and not table.floor.closed
    idle = idle and table.phase == "open" and _can_be_offered(world, table)
    asked = any(may_be_asked(world, table, name) for name in world.names)
    if idle and c.OfferDice in world.kinds and c.OfferDice not in kinds and ghost.last and asked:
        yield "2g a willing player can be asked again", ""
    ready = hand.shooter in table.seats and has_line(world, table, hand.shooter)
    if world.of("grounds") and table.phase == "out" and ready:
        house = HOUSES[world.house]
        said = {call.cause for call in calls if isinstance(call, c.CallNoRoll)}
        for cause in {*house.void, *house.due, *house.may} - said - {house.ineligible}:
            yield "10b every ground of the text is a word", cause
    for waits in table.floor.pending:
        seat = table.seats.get(waits.seat)
        if seat is None or (waits.what == "on" and waits.spot not in seat.wagers):
            yield "5e what waits is about somebody and something", waits.what
    for refusal in (way.refusal for way in ways):
        if refusal is not None and _idle_remedy(world, table, kinds, refusal):
            yield "13 a remedy can be followed", f"{refusal.code}: {refusal.remedy}"
        if refusal is not None and " ".join(refusal.remedy.split()) != refusal.remedy:
            yield "13b a remedy names whom it is about", f"{refusal.code}: {refusal.remedy}"


def _can_be_offered(world: World, table: Table) -> bool:
    """Whether the set of dice is whole and inspected, as far as the text asks for it."""
    dice, house = table.floor.dice, HOUSES[world.house]
    seen = {*dice.inspected} | ({"dealer"} if STICK in dice.inspected else set())
    ready = not house.inspected_first or set(house.inspectors) <= seen
    return ready and dice.play + dice.bowl >= world.whole and not dice.due


def _idle_remedy(world: World, table: Table, kinds: set[type], refusal: Refusal) -> bool:
    """Whether what a refusal of the throw proposes cannot be done here."""
    if table.floor.closed or not set(table.seats) - table.floor.barred.keys():
        return False
    match refusal.remedy:
        case "offer the dice":
            offered = bool(table.hand.offered) or c.OfferDice in kinds
            line = not table.puck and bool(kinds & {c.Bet, c.BuyIn})
            turns = c.OfferDice in world.kinds
            return turns and not offered and not line and _can_be_offered(world, table)
        case "the stickperson takes the dice":
            return c.TakeDice in world.kinds and c.TakeDice not in kinds
        case "cancel the point":
            return c.CancelPoint in world.kinds and c.CancelPoint not in kinds
        case "call the roll, or no roll":
            return not kinds & {c.CallRoll, c.CallNoRoll}
        case "let staff decide":
            return c.DecideFaces in world.kinds and not kinds & {c.DecideFaces, c.CallNoRoll}
        case "give the shooter another die" | "bring a new set":
            return c.HandleDice in world.kinds and c.HandleDice not in kinds
    return False


def ghost_after(world: World, ghost: Ghost, s: Step) -> Ghost:
    """What is remembered after a ruling."""
    ground, off, last, asked, lacked, wagering, favoured, voided, given = ghost
    before, after = s.before, s.after
    if s.made(Reversed):
        ordered = isinstance(s.call, c.VoidRoll | c.DecideFaces) and s.made(NoRolled)
        # Whoever corrects a no roll to a roll says that no die had left the table.
        on = any(isinstance(d, Reversed) and d.no_roll for d in s.ruling.decisions)
        off = (ghost.off and not on) or getattr(s.call, "reason", "") == "off-table"
        return Ghost(off=off, voided=s.call.by if ordered else "")
    if s.made(Rolled, NoRolled):
        ground, lacked = "", False
        ordered = isinstance(s.call, c.VoidRoll | c.DecideFaces) and s.made(NoRolled)
        voided = s.call.by if ordered else ""
        given = 0 if s.made(Rolled) else given
    elif after.at_no_roll is None:
        voided = ""
    if before.phase not in THROWN and after.phase in THROWN:
        name = before.hand.shooter
        lacked = name != STICK and not has_line(world, before, name)
        ground = ""
    elif lacked and has_line(world, after, before.hand.shooter):
        lacked = False  # in the air that is one that is found to have lain there
    cause = getattr(s.call, "cause", "")
    if cause and after.phase in THROWN:
        ground = cause
    # Another die is in play, or the one that was checked; or a new set, and the old dice are gone.
    old, new = before.floor.dice, after.floor.dice
    came = new.play > old.play
    if isinstance(s.call, c.HandleDice):
        if s.call.event == "off" and before.phase in THROWN:
            ground = ground or "off-table"
        seen = came or s.call.event in ("chosen", "checked", "new set")
        off = s.call.event == "off" or (off and not seen)
    elif came or (old.beside and not new.beside):
        off = False
    elif s.made(NoRolled) and "off-table" in (cause, getattr(s.call, "reason", ""), ghost.ground):
        off = off or ghost.ground != "off-table"
    was, now = before.hand.shooter, after.hand.shooter
    # While the stick throws for want of a shooter, everybody was asked as before.
    if was and was != now and (was != STICK or s.made(Rolled)):
        last, asked = was if was != STICK else (before.hand.former or STICK), frozenset()
    if isinstance(s.call, c.OfferDice):
        asked = asked | {s.call.seat}
    if now and now != STICK:
        last, asked = "", frozenset()
    if isinstance(s.call, c.ShowNotice) and s.call.what == "limits":
        hang = {n.group: (n.minimum, n.unit) for n in before.floor.notices if n.what == "limits"}
        again = hang.pop(s.call.group, None) == (s.call.minimum, s.call.unit)
        if not again and not hang:
            wagering = frozenset()  # the same limits, and others, have been shown till now
    if isinstance(s.call, c.Leave):
        wagering, favoured = wagering - {s.call.seat}, favoured - {s.call.seat}
    if world.of(*SIGNED) and (after.floor.notice is not None or isinstance(s.call, c.PostLimits)):
        wagering |= {seat.name for seat in after.present if seat.wagers}
    if isinstance(s.call, c.PostLimits):
        favoured |= wagering  # each change has its own offer (Perth 5.3)
    if isinstance(s.call, c.GiveVoucher):
        given += s.call.amount
    return Ghost(ground, off, last, asked, lacked, wagering, favoured, voided, given)
