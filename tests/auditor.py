"""A second, deliberately naive model of craps settlement, kept apart from the engine.

It knows what happens to money, nothing about who may bet when: whatever the engine accepted
is told to it with bet(), take(), find() and mark(), and roll() then answers what every wager
gets. Amounts are whole minor units (cents). It raises rather than guess when asked something
that none of the houses can be asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

Seat = int | str
Key = tuple[Seat, str]
Price = tuple[int, int]  # (7, 6) is seven to six
Split = tuple[int, int] | None  # New Zealand C & E: craps part, eleven part

# True odds: taken odds and buy to win, laid odds and lay to lose. The same everywhere; only
# Perth has points other than the six usual ones.
TRUE_TO_WIN: dict[int, Price] = {
    **{2: (6, 1), 3: (3, 1), 4: (2, 1), 5: (3, 2), 6: (6, 5)},
    **{8: (6, 5), 9: (3, 2), 10: (2, 1), 11: (3, 1), 12: (6, 1)},
}
TRUE_TO_LOSE = {4: (1, 2), 5: (2, 3), 6: (5, 6), 8: (5, 6), 9: (2, 3), 10: (1, 2)}

# The other prices, by house: kind of wager -> number (one-roll wagers: total) -> price.
# "single" holds two, three, eleven and twelve. Flat wagers pay even money and are not listed.

ADELAIDE: dict[str, dict[int, Price]] = {
    "place": {4: (9, 5), 5: (7, 5), 6: (7, 6), 8: (7, 6), 9: (7, 5), 10: (9, 5)},
    "lose": {4: (5, 11), 5: (5, 8), 6: (4, 5), 8: (4, 5), 9: (5, 8), 10: (5, 11)},
    "hard": {4: (7, 1), 6: (9, 1), 8: (9, 1), 10: (7, 1)},
    "big": {6: (1, 1), 8: (1, 1)},
    "field": {2: (2, 1), 3: (1, 1), 4: (1, 1), 9: (1, 1), 10: (1, 1), 11: (1, 1), 12: (2, 1)},
    "any_seven": {7: (4, 1)},
    "any_craps": {2: (7, 1), 3: (7, 1), 12: (7, 1)},
    "single": {2: (32, 1), 3: (15, 1), 11: (15, 1), 12: (32, 1)},
}

NEWZEALAND: dict[str, dict[int, Price]] = {
    "place": {4: (9, 5), 5: (7, 5), 6: (7, 6), 8: (7, 6), 9: (7, 5), 10: (9, 5)},
    "hard": {4: (7, 1), 6: (9, 1), 8: (9, 1), 10: (7, 1)},
    "big": {6: (1, 1), 8: (1, 1)},
    "field": {2: (2, 1), 3: (1, 1), 4: (1, 1), 9: (1, 1), 10: (1, 1), 11: (1, 1), 12: (2, 1)},
    "any_seven": {7: (4, 1)},
    "any_craps": {2: (7, 1), 3: (7, 1), 12: (7, 1)},
    "single": {2: (30, 1), 3: (15, 1), 11: (15, 1), 12: (30, 1)},
}

NSW: dict[str, dict[int, Price]] = {
    "place": {4: (9, 5), 5: (7, 5), 6: (7, 6), 8: (7, 6), 9: (7, 5), 10: (9, 5)},
    "lose": {4: (5, 11), 5: (5, 8), 6: (4, 5), 8: (4, 5), 9: (5, 8), 10: (5, 11)},
    "hard": {4: (15, 2), 6: (19, 2), 8: (19, 2), 10: (15, 2)},
    "big": {6: (1, 1), 8: (1, 1)},
    "field": {2: (2, 1), 3: (1, 1), 4: (1, 1), 9: (1, 1), 10: (1, 1), 11: (1, 1), 12: (2, 1)},
    "any_seven": {7: (4, 1)},
    "any_craps": {2: (15, 2), 3: (15, 2), 12: (15, 2)},
    "single": {2: (33, 1), 3: (16, 1), 11: (16, 1), 12: (33, 1)},
}

RWS: dict[str, dict[int, Price]] = {
    "place": {4: (9, 5), 5: (7, 5), 6: (7, 6), 8: (7, 6), 9: (7, 5), 10: (9, 5)},
    "hard": {4: (7, 1), 6: (9, 1), 8: (9, 1), 10: (7, 1)},
    "field": {2: (2, 1), 3: (1, 1), 4: (1, 1), 9: (1, 1), 10: (1, 1), 11: (1, 1), 12: (2, 1)},
    "any_seven": {7: (4, 1)},
    "any_craps": {2: (7, 1), 3: (7, 1), 12: (7, 1)},
    "single": {2: (30, 1), 3: (15, 1), 11: (15, 1), 12: (30, 1)},
}

PERTH: dict[str, dict[int, Price]] = {
    "place": {
        **{2: (25, 5), 3: (13, 5), 4: (9, 5), 5: (7, 5), 6: (7, 6)},
        **{8: (7, 6), 9: (7, 5), 10: (9, 5), 11: (13, 5), 12: (25, 5)},
    },
    "hard": {4: (7, 1), 6: (9, 1), 8: (9, 1), 10: (7, 1)},
    "any_hard": {4: (4, 1), 6: (4, 1), 8: (4, 1), 10: (4, 1)},
    "big": {6: (1, 1), 8: (1, 1)},
    "field": {2: (2, 1), 3: (1, 1), 4: (1, 1), 9: (1, 1), 10: (1, 1), 11: (1, 1), 12: (3, 1)},
    "any_seven": {7: (4, 1)},
    "any_craps": {2: (7, 1), 3: (7, 1), 12: (7, 1)},
    "single": {2: (30, 1), 3: (15, 1), 11: (15, 1), 12: (30, 1)},
}

AMERICAN: dict[str, dict[int, Price]] = {
    "place": {4: (9, 5), 5: (7, 5), 6: (7, 6), 8: (7, 6), 9: (7, 5), 10: (9, 5)},
    "lose": {4: (5, 11), 5: (5, 8), 6: (4, 5), 8: (4, 5), 9: (5, 8), 10: (5, 11)},
    "hard": {4: (7, 1), 6: (9, 1), 8: (9, 1), 10: (7, 1)},
    "big": {6: (1, 1), 8: (1, 1)},
    "field": {2: (2, 1), 3: (1, 1), 4: (1, 1), 9: (1, 1), 10: (1, 1), 11: (1, 1), 12: (2, 1)},
    "any_seven": {7: (4, 1)},
    "any_craps": {2: (7, 1), 3: (7, 1), 12: (7, 1)},
    "single": {2: (30, 1), 3: (15, 1), 11: (15, 1), 12: (30, 1)},
    # How often a number has to come, and what that pays.
    "repeat": {
        **{2: (2, 40), 3: (3, 50), 4: (4, 65), 5: (5, 80), 6: (6, 90)},
        **{8: (6, 90), 9: (5, 80), 10: (4, 65), 11: (3, 50), 12: (2, 40)},
    },
}
FIRE = {4: 24, 5: 249, 6: 999}  # by different points made
HOT_HAND = {9: 20, 10: 80}  # by different totals

PRICES = {
    **{"adelaide": ADELAIDE, "newzealand": NEWZEALAND, "nsw": NSW, "rws": RWS, "perth": PERTH},
    "american": AMERICAN,
}

SINGLE = {"two": 2, "three": 3, "eleven": 11, "twelve": 12}

# Composite wagers each house takes.
COMPOSITES = {
    "adelaide": {"horn", "world", "c_and_e"},
    "newzealand": {"horn", "horn_high", "world", "c_and_e"},
    "nsw": {"horn", "horn_high", "c_and_e"},
    "rws": {"horn", "horn_high", "c_and_e"},
    "perth": {"horn"},
    "american": {"horn", "horn_high", "world", "c_and_e"},
}

# How many wagers each of them is paid as; where the text says so, a stake divides into as many.
PARTS = {"c_and_e": 2, "horn": 4, "horn_high": 5, "world": 5}

# The bonus bets (Perth, American): the totals to collect, and the price by pay list.
COLLECT = {
    "small": {2, 3, 4, 5, 6},
    "tall": {8, 9, 10, 11, 12},
    "all": {2, 3, 4, 5, 6, 8, 9, 10, 11, 12},
}
BONUS_PRICE = {
    "small": {1: 30, 2: 31, 3: 32, 4: 33, 5: 34},
    "tall": {1: 30, 2: 31, 3: 32, 4: 33, 5: 34},
    "all": {1: 150, 2: 160, 3: 165, 4: 170, 5: 175},
}

# The craps total that leaves a fresh don't wager undecided. Perth has no don't side.
BARRED = {"adelaide": 12, "newzealand": 12, "nsw": 2, "rws": 12, "american": 12}

# Kinds asleep while the puck is off, unless called on. The same kinds, and no others, may be
# called on or off; only Perth lets a few more be called off.
ASLEEP = {
    "adelaide": {"place", "buy", "come.odds", "hard"},
    "newzealand": {"place", "buy", "come.odds", "hard"},
    "nsw": {"place", "buy", "come.odds", "hard"},
    "rws": {"place", "buy", "lay", "hard"},
    "perth": {"place", "buy", "come.odds"},
    "american": {"place", "buy", "come.odds", "hard"},
}
PERTH_CALLS = {"place", "buy", "come.odds", "pass.odds", "hard", "any_hard", "big"}

LINE = {"pass", "dont_pass", "pass.odds", "dont_pass.odds"}
ODDS = {"pass.odds", "dont_pass.odds", "come.odds", "dont_come.odds"}


@dataclass
class Outcome:
    verdict: str  # win, lose, push, return or move
    paid: int
    taken: int
    returned: int
    to: str | None = None


@dataclass
class Wager:
    stake: int
    call: str = ""  # "", "on" or "off"
    found: bool = False
    split: Split = None
    counts: int = 0  # of a stake that was found


@cache
def parse(spot: str) -> tuple[str, int]:
    """("come.odds", 6) from "come.odds.6"; the number is 0 where the spot has none."""
    head, _, tail = spot.rpartition(".")
    if tail.isdigit():
        return head, int(tail)
    return spot, 0


class Auditor:
    def __init__(
        self,
        house: str,
        *,
        chip: int = 100,
        settings: dict[str, object] | None = None,
        minimum: int = 100,
        maximum: int = 10**9,
    ) -> None:
        if house == "perth-crapless":
            house = "perth"
        if house not in PRICES:
            raise ValueError(f"no such house: {house}")
        wanted = settings or {}
        self.house = house
        self.prices = PRICES[house]
        self.asleep = set(ASLEEP[house])
        self.barred = int(str(wanted.get("bar", BARRED.get(house, 0))))
        self.rate = Fraction(int(str(wanted.get("commission", 5))), 100)
        self.fee_way = str(wanted.get("commission_rounding", "down"))
        self.fee_on_win = house == "american" and wanted.get("commission_taken") != "placement"
        if house == "american":
            if wanted.get("field_12") == "triple":
                self.prices = AMERICAN | {"field": AMERICAN["field"] | {12: (3, 1)}}
            if str(wanted.get("place_works")).lower() in ("true", "on"):
                self.asleep -= {"place", "buy"}
            if str(wanted.get("hard_works")).lower() in ("true", "on"):
                self.asleep -= {"hard"}
        self.chip = chip
        self.minimum = minimum
        self.maximum = maximum
        self.multiples = house == "adelaide" and bool(wanted.get("multiples", False))
        self.bonus_list = int(str(wanted.get("bonus_list", 1)))
        if wanted.get("bonus") == "34-175":
            self.bonus_list = 5
        self.layout = int(str(wanted.get("layout", 1)))
        self.puck = 0
        self.wagers: dict[Key, Wager] = {}
        self.warned: set[Seat] = set()
        self.collected: dict[str, set[int]] = {"small": set(), "tall": set(), "all": set()}
        self.come: dict[str, list[int]] = {}  # what counts for other bonus bets, as it came
        self.points = {4, 5, 6, 8, 9, 10}
        if house == "perth":
            self.points |= {2, 3, 11, 12}

    def bet(self, seat: Seat, spot: str, amount: int, split: Split = None) -> None:
        if not self.offered(spot):
            raise ValueError(f"{self.house} has no {spot}")
        if amount <= 0:
            raise ValueError(f"stake of {amount}")
        if split is not None:
            if (self.house, spot) != ("newzealand", "c_and_e") or sum(split) != amount:
                raise ValueError(f"cannot split {amount} on {spot} as {split}")
        elif (self.house, spot) == ("newzealand", "c_and_e"):
            if amount % 2:
                raise ValueError(f"the split of {amount} must be named")
            split = (amount // 2, amount // 2)
        wager = self.wagers.setdefault((seat, spot), Wager(0))
        wager.stake += amount
        wager.found = False
        if split is not None:
            craps, eleven = wager.split or (0, 0)
            wager.split = (craps + split[0], eleven + split[1])

    def find(self, seat: Seat, spot: str, amount: int, split: Split = None) -> None:
        old = self.wagers.get((seat, spot), Wager(0))
        before = old.counts if old.found else old.stake
        self.bet(seat, spot, amount, split)
        wager = self.wagers[seat, spot]
        wager.found = True
        counts = wager.stake
        if self.limited(spot, wager):
            if counts < self.minimum and seat in self.warned:
                counts = before
            counts = min(counts, self.maximum)
        while counts not in (0, before) and not self.paid_exactly(spot, counts, wager.split):
            counts -= self.chip
        wager.counts = counts

    def paid_exactly(self, spot: str, counts: int, split: Split) -> bool:
        """Whether chips can pay the fee on a stake and, where nothing is rounded, what it wins."""
        parts = PARTS.get(parse(spot)[0], 1) if split is None else 1
        one_figure = self.house == "adelaide" or (self.house == "nsw" and parts != 5)
        if counts % (parts * self.chip) and not one_figure:
            return False
        if self.house == "american":  # rounds its wins (2.7) and its commission (4.5)
            return True
        if self.fee(spot, counts * 1200) % (self.chip * 1200):
            return False
        if self.house not in ("perth", "rws"):
            return True
        wins = [
            self.result(spot, Fraction(counts), split, d1, d2)
            for d1 in range(1, 7)
            for d2 in range(1, 7)
        ]
        return not any(win % self.chip for win in wins if win is not None and win > 0)

    def take(self, seat: Seat, spot: str, amount: int, split: Split = None) -> None:
        wager = self.wagers[seat, spot]
        if not 0 < amount <= wager.stake:
            raise ValueError(f"cannot take {amount} from {wager.stake}")
        if amount == wager.stake:
            del self.wagers[seat, spot]
            if spot in COLLECT and not self.up(spot):
                self.collected[spot].clear()
            if not self.up(spot):
                self.come.pop(spot, None)
            return
        if wager.split is not None:
            craps, eleven = wager.split
            if split is None:  # both parts shrink in proportion
                share = Fraction(amount * craps, wager.stake)
                if share.denominator != 1:
                    raise ValueError(f"the split of {amount} must be named")
                split = (int(share), amount - int(share))
            wager.split = (craps - split[0], eleven - split[1])
        wager.stake -= amount
        wager.found = wager.found and wager.counts < wager.stake  # what did not count goes first

    def mark(self, seat: Seat, spot: str, call: str) -> None:
        wager = self.wagers[seat, spot]
        kind, _ = parse(spot)
        if call not in ("on", "off"):
            raise ValueError(f"unknown call: {call}")
        if kind not in (PERTH_CALLS if self.house == "perth" else ASLEEP[self.house]):
            raise ValueError(f"{spot} cannot be called {call} in {self.house}")
        if self.house in ("rws", "american"):  # either call holds until the puck turns
            wager.call = call
        elif call == "off":  # an off that ends an on call merely lifts its button (X9, P-17)
            lifts = self.house == "adelaide" or wager.call == "on"  # Adelaide knows no other off
            wager.call = "" if lifts else "off"
        else:  # with a point on, or where nothing sleeps, it only undoes an off call
            sleeps = self.puck == 0 and kind in self.asleep
            wager.call = "on" if sleeps else ""

    def fee(self, spot: str, total_stake: int) -> int:
        kind, number = parse(spot)
        if kind == "buy":
            base = Fraction(total_stake)
        elif kind == "lay":
            base = total_stake * Fraction(*TRUE_TO_LOSE[number])
        else:
            base = Fraction(0)
        owed = base * self.rate
        if self.house == "american":
            if self.fee_on_win:
                return 0
            return self.charged(owed)
        if owed.denominator != 1:
            raise ArithmeticError(f"5% of {base} is not a whole amount")
        return int(owed)

    def charged(self, owed: Fraction) -> int:
        """A commission in chips: what they cannot make is dropped, or a whole one is taken."""
        chips = owed / self.chip
        return self.chip * (-(-chips // 1) if self.fee_way == "up" else chips // 1)

    def roll(self, d1: int, d2: int) -> dict[Key, Outcome]:
        total = d1 + d2
        for kind, needed in COLLECT.items():
            if self.up(kind) and total in needed:
                self.collected[kind].add(total)
        for spot in {name for _, name in self.wagers}:
            kind, number = parse(spot)
            counts = (kind == "repeat" and total == number) or (kind == "hot_hand" and total != 7)
            if counts or (kind == "fire" and self.puck == total):
                self.come.setdefault(spot, []).append(total)

        outcomes: dict[Key, Outcome] = {}
        for (seat, spot), wager in self.wagers.items():
            outcome = self.settle(seat, spot, wager, d1, d2)
            if outcome is not None:
                outcomes[seat, spot] = outcome

        # Take everything settled off the table first, then put the moved ones on their numbers.
        gone = {key: self.wagers.pop(key) for key in outcomes}
        for (seat, spot), outcome in outcomes.items():
            wager = gone[seat, spot]
            if outcome.to is not None:
                assert (seat, outcome.to) not in self.wagers
                self.wagers[seat, outcome.to] = wager
            elif self.limited(spot, wager) and wager.stake < self.minimum:
                self.warned.add(seat)

        for kind, needed in COLLECT.items():
            if total == 7 or self.collected[kind] == needed:
                self.collected[kind].clear()
        for _, spot in outcomes:
            self.come.pop(spot, None)

        before = self.puck
        if self.puck == 0 and total in self.points:
            self.puck = total
        elif self.puck != 0 and total in (7, self.puck):
            self.puck = 0
        if (before == 0) != (self.puck == 0):
            for wager in self.wagers.values():
                if self.house in ("rws", "american") or wager.call == "on":
                    wager.call = ""
        return outcomes

    def settle(self, seat: Seat, spot: str, wager: Wager, d1: int, d2: int) -> Outcome | None:
        kind, number = parse(spot)
        total = d1 + d2
        stake = wager.stake

        if kind in ("come", "dont_come") and number == 0 and total in self.points:
            return Outcome("move", 0, 0, 0, to=f"{kind}.{total}")

        counted = wager.counts if wager.found else stake

        def result(part: int) -> Fraction | None:
            return self.result(spot, Fraction(part), wager.split, d1, d2)

        net = result(counted)
        if net is None:
            return None
        if not self.awake(kind, wager):
            # Odds cannot outlive the wager they support; anything else just sleeps on.
            return Outcome("return", 0, 0, stake) if kind in ODDS else None
        if not counted:
            return Outcome("return", 0, 0, stake)
        if net > 0:
            # Odds have no minimum (X30), so no multiples of it are asked of them either.
            multiples = self.multiples and kind not in ODDS
            paid = self.payable(net, counted, multiples, result)
            if self.fee_on_win and kind in ("buy", "lay"):
                paid -= self.charged((stake if kind == "buy" else net) * self.rate)
            return Outcome("win", paid, 0, stake)
        if net == 0:
            return Outcome("push", 0, 0, stake)
        return Outcome("lose", 0, -int(net), stake + int(net))

    def result(self, spot: str, stake: Fraction, split: Split, d1: int, d2: int) -> Fraction | None:
        """What the roll makes of a working stake, won or lost; None if it decides nothing."""
        kind, number = parse(spot)
        total = d1 + d2
        pair = d1 == d2
        point = self.puck if kind in LINE else number  # 0: none yet

        if kind in ("pass", "come") and point == 0:
            if total == 7 or (total == 11 and self.house != "perth"):
                return stake
            if total in (2, 3, 12) and self.house != "perth":
                return -stake
        elif kind in ("dont_pass", "dont_come") and point == 0:
            if total in (7, 11):
                return -stake
            if total in (2, 3, 12) and total != self.barred:
                return stake
        elif kind in ("pass", "come", "pass.odds", "come.odds"):
            if total == point:
                return stake * Fraction(*TRUE_TO_WIN[point]) if kind in ODDS else stake
            if total == 7:
                return -stake
        elif kind in ("dont_pass", "dont_come", "dont_pass.odds", "dont_come.odds"):
            if total == point:
                return -stake
            if total == 7:
                return stake * Fraction(*TRUE_TO_LOSE[point]) if kind in ODDS else stake
        elif kind == "buy":
            if total == number:
                return stake * Fraction(*TRUE_TO_WIN[number])
            if total == 7:
                return -stake
        elif kind == "lay":
            if total == number:
                return -stake
            if total == 7:
                return stake * Fraction(*TRUE_TO_LOSE[number])
        elif kind in ("place", "big"):
            if total == number:
                return stake * self.price(kind, number)
            if total == 7:
                return -stake
        elif kind == "lose":
            if total == number:
                return -stake
            if total == 7:
                return stake * self.price("lose", number)
        elif kind == "hard":
            if total == number and pair:
                return stake * self.price("hard", number)
            if total in (number, 7):
                return -stake
        elif kind == "any_hard":
            if total in (4, 6, 8, 10) and pair:
                return stake * self.price("any_hard", total)
            if total in (4, 6, 8, 10, 7):
                return -stake
        elif kind in COLLECT:
            if total == 7:
                return -stake
            if self.collected[kind] == COLLECT[kind]:
                return stake * BONUS_PRICE[kind][self.bonus_list]
        elif kind in ("repeat", "hot_hand", "fire"):
            return self.bonus(spot, stake, total)
        elif kind == "hop":
            if {d1, d2} == {number // 10, number % 10}:
                return stake * (30 if pair else 15)
            return -stake
        elif kind in ("horn", "horn_high", "world", "c_and_e"):
            net = Fraction(0)
            for name, part in self.parts(kind, number, stake, split).items():
                net += self.result(name, part, None, d1, d2) or 0
            return net
        elif kind in SINGLE:
            return stake * self.price("single", total) if total == SINGLE[kind] else -stake
        else:  # field, any_seven, any_craps
            return stake * self.price(kind, total) if total in self.prices[kind] else -stake
        return None

    def bonus(self, spot: str, stake: Fraction, total: int) -> Fraction | None:
        """Bonus bets that count: what has come stands in `come`, this roll included."""
        kind, number = parse(spot)
        come = self.come.get(spot, [])
        if kind == "repeat":
            times, pays = AMERICAN["repeat"][number]
            return -stake if total == 7 else stake * pays if len(come) == times else None
        prices = FIRE if kind == "fire" else HOT_HAND
        size = len(set(come))
        over = total == 7 and (kind == "hot_hand" or self.puck != 0)
        if over or size == max(prices):
            return stake * prices[size] if size in prices else -stake
        return None

    def parts(self, kind: str, number: int, stake: Fraction, split: Split) -> dict[str, Fraction]:
        """The single wagers a composite is made of."""
        if kind == "c_and_e":
            if split is not None:
                return {"any_craps": Fraction(split[0]), "eleven": Fraction(split[1])}
            return {"any_craps": stake / 2, "eleven": stake / 2}
        unit = stake / 4 if kind == "horn" else stake / 5
        parts = {"two": unit, "three": unit, "eleven": unit, "twelve": unit}
        if kind == "world":
            parts["any_seven"] = unit
        if kind == "horn_high":
            parts[{2: "two", 3: "three", 11: "eleven", 12: "twelve"}[number]] += unit
        return parts

    def payable(
        self,
        net: Fraction,
        stake: int,
        multiples: bool,
        result: Callable[[int], Fraction | None],
    ) -> int:
        """The win as paid out in chips."""
        if self.house in ("rws", "perth"):
            if net.denominator != 1:
                raise ArithmeticError(f"{self.house} cannot pay {net} exactly")
            return int(net)
        if self.house == "american":
            return int(net // self.chip) * self.chip
        lower = stake - stake % self.minimum
        if multiples and net % self.chip != 0 and lower not in (0, stake):
            net = result(lower) or Fraction(0)
        return -(-net // self.chip) * self.chip

    def awake(self, kind: str, wager: Wager) -> bool:
        if wager.call != "":
            return wager.call == "on"
        return self.puck != 0 or kind not in self.asleep

    def limited(self, spot: str, wager: Wager) -> bool:
        """Whether the table limits touch this stake: it was found, and it is not odds."""
        limits_bind = self.house in ("adelaide", "perth")
        return limits_bind and wager.found and parse(spot)[0] not in ODDS

    def up(self, spot: str) -> bool:
        return any(name == spot for _, name in self.wagers)

    def price(self, kind: str, number: int) -> Fraction:
        return Fraction(*self.prices[kind][number])

    def offered(self, spot: str) -> bool:
        kind, number = parse(spot)
        if self.house == "perth" and (kind.startswith("dont_") or kind == "lay"):
            return False
        if kind in LINE or spot in ("come", "dont_come"):
            return number == 0
        if kind in ("come", "dont_come", "come.odds", "dont_come.odds", "buy", "lay"):
            return number in self.points
        if kind in COLLECT:
            return self.house == "american" or (self.house == "perth" and self.layout != 5)
        if kind in ("fire", "hot_hand"):
            return self.house == "american" and number == 0
        if kind == "hop":
            faces = 1 <= number % 10 <= number // 10 <= 6
            return self.house == "american" and faces
        if kind == "repeat":
            return self.house == "american" and number in AMERICAN["repeat"]
        if kind in ("horn", "horn_high", "world", "c_and_e"):
            named = number in (2, 3, 11, 12)
            return kind in COMPOSITES[self.house] and named == (kind == "horn_high")
        if kind in ("place", "lose", "hard", "big"):
            return kind in self.prices and number in self.prices[kind]
        return number == 0 and (kind in SINGLE or (kind in self.prices and kind != "single"))
