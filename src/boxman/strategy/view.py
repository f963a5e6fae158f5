"""The turn a strategy sees: what it may read, and the acts by which it proposes.

Amounts are whole currency units. Nothing is decided here: a `Chair` takes the proposals to a table
(reference.py) or to a felt that was ruled on before (felt.py). Reads that only some chairs can
answer, such as the cash on the rail, are asked of the chair.
"""

from __future__ import annotations

from contextlib import suppress
from math import lcm

from boxman.chips import MINOR
from boxman.rules.layout import Layout, Spot
from boxman.strategy.api import StrategyError
from boxman.strategy.spots import INDEX, SPOTS, is_spot
from boxman.table.markers import works
from boxman.table.stakes import Range, odds_number, stake_ranges
from boxman.table.state import Seat, Table, Wager
from boxman.table.wagers import is_closed
from boxman.words import phrase

BET, REDUCE, DOWN, ON, OFF, STAY = range(6)
"""What may be proposed."""
ACTS_IN_A_TURN = 1_000
_FLATS = [
    (INDEX[flat], INDEX[odds])
    for odds in SPOTS
    if ".odds" in odds and (flat := odds.replace(".odds", "")) in INDEX
]
_ODDS_OF = dict(_FLATS)
_TRAVELLED = {
    INDEX[area]: tuple(
        i for i, s in enumerate(SPOTS) if s.startswith(f"{area}.") and ".odds" not in s
    )
    for area in ("come", "dont_come")
}


class Chair:
    """Where proposals go. A chair knows the table in front of it, and the roll before this turn."""

    layout: Layout
    puck: int = 0
    last: int = 0
    last_hard: bool = False
    new_shooter: bool = True
    won: dict[int, int] = {}
    """What spots won at the last roll, in minor units."""
    lost: dict[int, int] = {}
    turns: int = 0
    """Turns begun."""
    acts: int = 0
    """Acts in this turn."""
    reads: dict[tuple[str, int], int] = {}
    """What a watched turn was asked about the last roll, and answered."""

    def wager(self, spot: int) -> Wager | None:
        """What lies on a spot."""
        raise NotImplementedError

    def ranges(self, spot: int) -> tuple[Range, ...]:
        """The whole stakes a spot could take now, in minor units."""
        raise NotImplementedError

    def propose(self, what: int, spot: int, amount: int) -> bool:
        """Put a proposal to the table; an amount in minor units."""
        raise NotImplementedError

    def limits(self) -> tuple[int, int]:
        """The posted minimum and maximum."""
        raise NotImplementedError

    def tally(self, name: str) -> int:
        """Cash, net, rolls, shooters or rolls of this shooter."""
        raise NotImplementedError


class Turn:
    """What a strategy sees and may do before a roll; `t` in every strategy.

    Declared variables are attributes: read `t.level`, write `t.level = 2`.
    """

    __slots__ = ("_chair", "_variables")

    _chair: Chair
    _variables: dict[str, int]

    def __init__(self, chair: Chair, variables: dict[str, int]) -> None:
        object.__setattr__(self, "_chair", chair)
        object.__setattr__(self, "_variables", variables)

    # -- variables -----------------------------------------------------------------------------

    def __getattr__(self, name: str) -> int:
        try:
            return self._variables[name]
        except KeyError:
            raise StrategyError(_unknown(name, self._variables)) from None

    def __setattr__(self, name: str, value: int) -> None:
        if name not in self._variables:
            if hasattr(Turn, name):
                raise StrategyError(phrase("strategy.wrong.t-can-be-read-not", name=name))
            raise StrategyError(_unknown(name, self._variables))
        if type(value) is not int:
            if type(value) is not bool:
                raise StrategyError(
                    phrase("strategy.wrong.t-is-a-whole-number", name=name, value=f"{value!r}")
                )
            value = int(value)
        self._variables[name] = value

    # -- the table -----------------------------------------------------------------------------

    @property
    def puck(self) -> int:
        """The point, 0 with the puck off."""
        return self._chair.puck

    @property
    def coming_out(self) -> bool:
        """Whether the next roll is a come-out roll."""
        return not self._chair.puck

    @property
    def last(self) -> int:
        """The total of the last roll, 0 before the first."""
        return self._chair.last

    @property
    def last_hard(self) -> bool:
        """Whether the last roll was a pair with a hard way: 4, 6, 8 or 10."""
        return self._chair.last_hard

    @property
    def new_shooter(self) -> bool:
        """Whether this is the first turn, or the turn after a seven-out."""
        return self._chair.new_shooter

    @property
    def minimum(self) -> int:
        """The posted minimum, rounded up to a whole unit."""
        return -(-self._chair.limits()[0] // MINOR)

    @property
    def maximum(self) -> int:
        """The posted maximum, rounded down to a whole unit."""
        return self._chair.limits()[1] // MINOR

    def on(self, spot: int) -> int:
        """The stake on a spot, 0 if there is none; rounded down."""
        wager = self._chair.wager(_checked(spot))
        return wager.stake // MINOR if wager else 0

    def won(self, spot: int) -> int:
        """What a spot won at the last roll; rounded down."""
        return self._chair.won.get(_checked(spot), 0) // MINOR

    def lost(self, spot: int) -> int:
        """What a spot lost at the last roll; rounded down."""
        return self._chair.lost.get(_checked(spot), 0) // MINOR

    @property
    def won_total(self) -> int:
        """What all spots won at the last roll; rounded down."""
        return sum(self._chair.won.values()) // MINOR

    @property
    def lost_total(self) -> int:
        """What all spots lost at the last roll; rounded down."""
        return sum(self._chair.lost.values()) // MINOR

    def count(self, spot: int) -> int:
        """How many wagers: for come and don't come with those that travelled, else 0 or 1."""
        chair = self._chair
        found = 1 if chair.wager(_checked(spot)) else 0
        for number in _TRAVELLED.get(spot, ()):
            found += 1 if chair.wager(number) else 0
        return found

    def offers(self, spot: int) -> bool:
        """Whether this table has the spot at all."""
        return is_spot(spot) and SPOTS[spot] in self._chair.layout.spots

    def working(self, spot: int) -> bool:
        """Whether there is a wager that takes part in the next roll."""
        chair = self._chair
        wager = chair.wager(_checked(spot))
        return wager is not None and works(chair.layout.spots[wager.spot], wager, chair.puck)

    def low(self, spot: int) -> int:
        """The least whole stake the spot takes now, 0 if none."""
        return fit(self._chair.ranges(_checked(spot)), 1, False)

    def high(self, spot: int) -> int:
        """The highest whole stake the spot takes now, 0 if none."""
        return highest(self._chair.ranges(_checked(spot)))

    def unit(self, spot: int) -> int:
        """The step between whole stakes the spot takes now, 0 if it takes none."""
        ranges = self._chair.ranges(_checked(spot))
        return lcm(ranges[0][2], MINOR) // MINOR if ranges else 0

    def fit(self, spot: int, amount: int) -> int:
        """The least allowed whole stake of at least this amount, else the highest, else 0."""
        return fit(self._chair.ranges(_checked(spot)), amount, True)

    # -- the player's own accounts -------------------------------------------------------------

    @property
    def cash(self) -> int:
        """The chips on the rail; rounded down."""
        return self._chair.tally("cash") // MINOR

    @property
    def net(self) -> int:
        """Rail and wagers less the bankroll; rounded down."""
        return self._chair.tally("net") // MINOR

    @property
    def rolls(self) -> int:
        """Rolls so far."""
        return self._chair.tally("rolls")

    @property
    def shooters(self) -> int:
        """Seven-outs so far."""
        return self._chair.tally("shooters")

    @property
    def shooter_rolls(self) -> int:
        """Rolls since the last seven-out."""
        return self._chair.tally("shooter_rolls")

    # -- acts ----------------------------------------------------------------------------------

    def _act(self, what: int, spot: int, amount: int) -> bool:
        chair = self._chair
        _acting(chair)
        return chair.propose(what, spot, amount)

    def bet(self, spot: int, amount: int) -> bool:
        """Make a wager, if nothing lies on the spot."""
        amount = _whole(amount)
        if self._chair.wager(_checked(spot)) or not amount:
            _acting(self._chair)
            return False
        return self._act(BET, spot, amount * MINOR)

    def press(self, spot: int, by: int) -> bool:
        """Raise a wager that is up."""
        by = _whole(by)
        if not self._chair.wager(_checked(spot)) or not by:
            _acting(self._chair)
            return False
        return self._act(BET, spot, by * MINOR)

    def regress(self, spot: int, to: int) -> bool:
        """Lower a wager to a smaller stake; nothing happens if it is not larger."""
        to = _whole(to)
        wager = self._chair.wager(_checked(spot))
        if wager is None or wager.stake <= to * MINOR:
            _acting(self._chair)
            return False
        return self._act(REDUCE, spot, to * MINOR)

    def down(self, spot: int) -> bool:
        """Take a wager down, if there is one."""
        return self._if_up(DOWN, spot)

    def turn_on(self, spot: int) -> bool:
        """Call a wager on."""
        return self._if_up(ON, spot)

    def turn_off(self, spot: int) -> bool:
        """Call a wager off."""
        return self._if_up(OFF, spot)

    def stay_up(self, spot: int) -> bool:
        """Ask that a wager be made again at once when it wins."""
        return self._if_up(STAY, spot)

    def _if_up(self, what: int, spot: int) -> bool:
        if not self._chair.wager(_checked(spot)):
            _acting(self._chair)
            return False
        return self._act(what, spot, 0)

    def odds(self, multiple: int) -> bool:
        """Raise the odds behind every flat with a number to a multiple of it."""
        done = False
        for flat, _ in _FLATS:
            done = self.odds_on(flat, multiple) or done
        return done

    def odds_on(self, flat: int, multiple: int) -> bool:
        """Raise the odds behind one flat to a multiple of it, once it has its number."""
        wager = self._chair.wager(_checked(flat))
        return wager is not None and self._odds_to(flat, wager.stake * _whole(multiple))

    def odds_max(self) -> bool:
        """Raise the odds behind every flat with a number as far as the house takes them."""
        done = False
        for flat, odds in _FLATS:
            if self._chair.wager(flat):
                most = max((high for _, high, _ in self._chair.ranges(odds)), default=0)
                done = self._odds_to(flat, most) or done
        return done

    def _odds_to(self, flat: int, stake: int) -> bool:
        """Odds behind a flat that is up, raised to a stake in minor units."""
        chair = self._chair
        odds = _ODDS_OF.get(flat, -1)
        if odds < 0:
            if flat in _TRAVELLED:
                return False  # in the area: no number yet
            raise StrategyError(
                phrase("strategy.wrong.there-are-no-odds-behind", spots=SPOTS[flat])
            )
        if "." not in SPOTS[flat] and not chair.puck:
            return False  # the line has no number on the come-out
        up = chair.wager(odds)
        more = stake - (up.stake if up else 0)
        return more > 0 and self._act(BET, odds, more)


class WatchedTurn(Turn):
    """A turn that notes what the strategy asked about the last roll, in `reads` of its chair.

    After any other roll that leaves the same felt behind and gives the same answers, it would do
    the same.
    """

    __slots__ = ()

    @property
    def last(self) -> int:
        self._chair.reads["last", 0] = self._chair.last
        return self._chair.last

    @property
    def last_hard(self) -> bool:
        self._chair.reads["hard", 0] = self._chair.last_hard
        return self._chair.last_hard

    @property
    def new_shooter(self) -> bool:
        self._chair.reads["new", 0] = self._chair.new_shooter
        return self._chair.new_shooter

    def won(self, spot: int) -> int:
        won = self._chair.won.get(_checked(spot), 0)
        self._chair.reads["won", spot] = won
        return won // MINOR

    def lost(self, spot: int) -> int:
        lost = self._chair.lost.get(_checked(spot), 0)
        self._chair.reads["lost", spot] = lost
        return lost // MINOR

    @property
    def won_total(self) -> int:
        self._chair.reads["won total", 0] = won = sum(self._chair.won.values())
        return won // MINOR

    @property
    def lost_total(self) -> int:
        self._chair.reads["lost total", 0] = lost = sum(self._chair.lost.values())
        return lost // MINOR


def _acting(chair: Chair) -> None:
    """Count an act; a turn has an end."""
    chair.acts += 1
    if chair.acts > ACTS_IN_A_TURN:
        raise StrategyError(
            phrase("strategy.wrong.more-than-acts-in-one", acts_in_a_turn=f"{ACTS_IN_A_TURN:,}")
        )


def _checked(spot: int) -> int:
    """A spot by its number; a family has no spot for every number."""
    if type(spot) is int and is_spot(spot):
        return spot
    if type(spot) is int and spot > 0:
        with suppress(IndexError):  # a number that spells an id was made by `spot("...")`
            raise StrategyError(phrase("strategy.wrong.no-house-has", spot=SPOTS[spot]))
    raise StrategyError(phrase("strategy.wrong.is-no-spot-use-the", spot=f"{spot!r}"))


def _whole(amount: int) -> int:
    if type(amount) is not int:
        raise StrategyError(
            phrase("strategy.wrong.amounts-are-whole-currency-units", amount=f"{amount!r}")
        )
    return amount


def _unknown(name: str, variables: dict[str, int]) -> str:
    from boxman.rules.ids import nearest

    words = [word for word in dir(Turn) if not word.startswith("_")]
    hint = nearest(name, [*words, *variables])
    return phrase(
        "strategy.wrong.there-is-no-t",
        name=name,
        value=hint or phrase("strategy.wrong.declare-it-strategy-0", name=name),
    )


def fit(ranges: tuple[Range, ...], amount: int, or_highest: bool) -> int:
    """The least whole unit in these ranges of at least an amount; else the highest, if asked."""
    found = 0
    wanted = amount * MINOR
    for low, high, step in ranges:
        stake = low if wanted <= low else low + -(-(wanted - low) // step) * step
        for _ in range(MINOR):
            if stake % MINOR == 0 or stake > high:
                break
            stake += step
        if stake <= high and stake % MINOR == 0 and (not found or stake < found):
            found = stake
    if found:
        return found // MINOR
    return highest(ranges) if or_highest else 0


def highest(ranges: tuple[Range, ...]) -> int:
    """The highest whole unit in these ranges, 0 if there is none."""
    found = 0
    for low, high, step in ranges:
        stake = high
        for _ in range(MINOR):
            if stake % MINOR == 0 or stake < low:
                break
            stake -= step
        if stake >= low and stake % MINOR == 0:
            found = max(found, stake)
    return found // MINOR


def open_ranges(layout: Layout, table: Table, seat: Seat, name: str) -> tuple[Range, ...]:
    """The whole stakes a spot could take now if the rail were deep enough."""
    spot: Spot | None = layout.spots.get(name)
    if spot is None:
        return ()
    act = "raise" if name in seat.wagers else "make"
    if is_closed(layout, table, act) or not spot.may(act, table.puck):
        return ()
    if spot.behind is not None and (
        spot.behind.flat not in seat.wagers or not odds_number(spot, table.puck)
    ):
        return ()
    if spot.gate is not None and spot.gate.group in table.latched:
        return ()
    ranges = stake_ranges(layout, table, seat, spot)
    if spot.share is not None and spot.share.named:
        # A strategy names no parts, so only what divides evenly is taken.
        ranges = [_even(each, layout.chip * len(spot.share.parts)) for each in ranges]
    return tuple(each for each in ranges if each[0] <= each[1])


def _even(stakes: Range, whole: int) -> Range:
    """The multiples of an amount in a range."""
    low, high, step = stakes
    while low % whole and low <= high:
        low += step
    wide = lcm(step, whole)
    return low, low + (high - low) // wide * wide, wide
