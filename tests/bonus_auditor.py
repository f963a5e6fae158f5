"""A naive second model of the bonus house, written from the sentences of its clauses.

It keeps, for every kind of wager that is up, all rolls since it was first made, and goes through
them from the beginning whenever it is asked; it has no memories, steps or machines. Nothing here
is imported from the engine. `BonusAuditor` is told what the table accepted, like its elder
brother in `tests/auditor.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

from tests.auditor import Key, Outcome, Seat, Split, Wager, parse

Roll = tuple[int, int]
Model = Callable[[Sequence[Roll]], Fraction | None]
"""What a wager made before these rolls has won or lost by them; None while it stands."""
Paid = tuple[list[Fraction], bool]
"""What each roll paid of a stake, or took (below 0), and whether the wager is over."""
POINTS = (4, 5, 6, 8, 9, 10)
HALF = Fraction(1, 2)
LOST = Fraction(-1)

# -- wagers that are paid once, when they are over -----------------------------------------------


def collects(wanted: set[int], times: int, prices: dict[int, int], hard: bool = False) -> Model:
    """Totals, each so often, before a seven; `prices` by how many of them."""

    def model(rolls: Sequence[Roll]) -> Fraction | None:
        seen: Counter[int] = Counter()
        for first, second in rolls:
            if first + second == 7:
                return Fraction(prices.get(sum(seen[t] >= times for t in wanted), -1))
            if not hard or first == second:
                seen[first + second] += 1
            if all(seen[t] >= times for t in wanted):
                return Fraction(prices[len(wanted)])
        return None

    return model


def points(prices: dict[int, int], most: int, line: bool = False, alike: bool = False) -> Model:
    """Points made by one shooter, different ones or not; with `line` come-out wins as well."""

    def model(rolls: Sequence[Roll]) -> Fraction | None:
        point, made = 0, []
        for total in map(sum, rolls):
            if point and total == 7:
                return Fraction(prices.get(len(made) if alike else len(set(made)), -1))
            if point and total == point:
                made.append(point)
                point = 0
            elif not point and total in POINTS:
                point = total
            elif not point and line and total in (7, 11):
                made.append(total)
            if (len(made) if alike else len(set(made))) == most:
                return Fraction(prices[most])
        return None

    return model


def replay(rolls: Sequence[Roll]) -> Fraction | None:
    """How often each point was made by the seven-out; the best price of any."""
    prices = {
        4: (120, 1000),
        5: (95, 500),
        6: (70, 100),
        8: (70, 100),
        9: (95, 500),
        10: (120, 1000),
    }
    point, made = 0, Counter[int]()
    for total in map(sum, rolls):
        if point and total == 7:
            paid = [prices[p][min(often, 4) - 3] for p, often in made.items() if often >= 3]
            return Fraction(max(paid, default=-1))
        if point == total:
            made[point] += 1
            point = 0
        elif not point and total in POINTS:
            point = total
    return None


def any_four(rolls: Sequence[Roll]) -> Fraction | None:
    for place, total in enumerate(map(sum, rolls)):
        has = len({sum(roll) for roll in rolls[: place + 1]} & set(POINTS))
        if total == 7:
            return Fraction(0 if has == 3 else -1)
        if has == 4:
            return Fraction(3, 2)
    return None


def uptown(rolls: Sequence[Roll]) -> Fraction | None:
    totals = [sum(roll) for roll in rolls]
    for place, total in enumerate(totals):
        if total == 7:
            return Fraction(-1)
        if total < 7 and totals[: place + 1].count(total) == total:
            return Fraction(20 if total == 2 else 14)
    return None


def twice_hard(rolls: Sequence[Roll]) -> Fraction | None:
    for before, roll in zip([(0, 0), *rolls[:-1]], rolls, strict=True):
        if sum(roll) == 7:
            return Fraction(-1)
        if roll == before and roll[0] == roll[1] and sum(roll) in (4, 6, 8, 10):
            return Fraction(50)
    return None


def jackpot(rolls: Sequence[Roll]) -> Fraction | None:
    """How often one shooter throws, the seven-out counted; 51 are paid at the fiftieth already,
    as whatever comes next is one."""
    point = 0
    for count, total in enumerate(map(sum, rolls), 1):
        if point and total == 7:
            for least, pays in ((45, 29), (40, 11), (32, 6), (24, 4), (16, 2), (8, 0)):
                if count >= least:
                    return Fraction(pays)
            return LOST
        if count == 50:
            return Fraction(99)
        if not point and total in POINTS:
            point = total
        elif total == point:
            point = 0
    return None


LOW, HIGH = {2, 3, 4, 5, 6}, {8, 9, 10, 11, 12}
REPEATS = {2: (2, 40), 3: (3, 50), 6: (6, 90), 8: (6, 90), 11: (3, 50), 12: (2, 40)}
"""How often a number has to come, and what that pays."""
MODELS: dict[str, Model] = {
    "replay": replay,
    "any_four": any_four,
    "uptown": uptown,
    "twice_hard": twice_hard,
    "jackpot": jackpot,
    "small": collects(LOW, 1, {5: 34}),
    "tall": collects(HIGH, 1, {5: 34}),
    "all": collects(LOW | HIGH, 1, {10: 175}),
    **{f"repeat.{n}": collects({n}, often, {1: pays}) for n, (often, pays) in REPEATS.items()},
    "doubles": collects({2, 4, 6, 8, 10, 12}, 1, {3: 4, 4: 8, 5: 15, 6: 100}, hard=True),
    "hot_hand": collects(LOW | HIGH, 1, {9: 20, 10: 80}),
    "flaming": collects({2, 3, 11, 12}, 1, {4: 70}),
    "sizzling": collects(set(POINTS), 1, {6: 12}),
    "fire": points({4: 24, 5: 249, 6: 999}, 6),
    "sharp": points({3: 3, 4: 6, 5: 20}, 5, alike=True),
    "ride": points(
        {3: 1, 4: 2, 5: 4, 6: 6, 7: 12, 8: 20, 9: 30, 10: 40, 11: 75}, 11, line=True, alike=True
    ),
}

# -- wagers that are paid for a part and stay up -------------------------------------------------


def by_point(rolls: Sequence[Roll]) -> Paid:
    """The second different point and the later ones are paid as they are made."""
    point, made, paid = 0, set[int](), []
    for total in map(sum, rolls):
        pays = Fraction(0)
        if point and total == 7:
            return [*paid, Fraction(0) if len(made) == 6 else LOST], True
        if point and total == point:
            if point not in made:
                made.add(point)
                pays = Fraction({2: 2, 3: 5, 4: 15, 5: 50, 6: 250}.get(len(made), 0))
            point = 0
        elif not point and total in POINTS:
            point = total
        paid.append(pays)
    return paid, False


def thirds(rolls: Sequence[Roll]) -> Paid:
    """Every third roll pays a half, the twelfth 2 to 1 and ends it."""
    paid = []
    for count, total in enumerate(map(sum, rolls), 1):
        if total == 7:
            return [*paid, LOST], True
        if count == 12:
            return [*paid, Fraction(2)], True
        paid.append(Fraction(0) if count % 3 else HALF)
    return paid, False


def outside(rolls: Sequence[Roll]) -> Paid:
    """The second 4 and the second 10 pay 2 to 1, the third of each 5 to 1."""
    paid = []
    totals = [sum(roll) for roll in rolls]
    for place, total in enumerate(totals):
        if total == 7:
            return [*paid, LOST], True
        often = totals[: place + 1].count(total) if total in (4, 10) else 0
        paid.append(Fraction({2: 2, 3: 5}.get(often, 0)))
    return paid, False


STAYING: dict[str, Callable[[Sequence[Roll]], Paid]] = {
    "by_point": by_point,
    "thirds": thirds,
    "outside": outside,
}

# -- the auditor -----------------------------------------------------------------------------------

BUYS = {2: Fraction(6), 3: Fraction(3), 11: Fraction(3), 12: Fraction(6)}


class BonusAuditor:
    """What the bonus house makes of chips on its layout."""

    house = "bonus"

    def __init__(self, *, chip: int, minimum: int, maximum: int) -> None:
        self.chip, self.minimum, self.maximum = chip, minimum, maximum
        self.puck = 0
        self.wagers: dict[Key, Wager] = {}
        self.warned: set[Seat] = set()
        self.collected: dict[str, set[int]] = {}
        self.come: dict[str, list[Roll]] = {}
        """By spot, the rolls since it was first made."""

    def offered(self, spot: str) -> bool:
        kind, number = parse(spot)
        if kind in ("buy", "lay"):
            return number in BUYS
        if kind == "easy":
            return number in (4, 6, 8, 10)
        return spot in MODELS or spot in STAYING or spot in ("pass", "muggsy")

    def bet(self, seat: Seat, spot: str, amount: int, split: Split = None) -> None:
        if not self.offered(spot) or amount <= 0 or split is not None:
            raise ValueError(f"the bonus house takes no {amount} on {spot} as {split}")
        self.come.setdefault(spot, [])
        wager = self.wagers.setdefault((seat, spot), Wager(0))
        wager.stake += amount
        wager.found = False

    def find(self, seat: Seat, spot: str, amount: int, split: Split = None) -> None:
        """What is under the minimum or above the maximum goes back in the end."""
        old = self.wagers.get((seat, spot), Wager(0))
        before = old.counts if old.found else old.stake
        self.bet(seat, spot, amount, split)
        wager = self.wagers[seat, spot]
        wager.found = True
        under = wager.stake < self.minimum
        wager.counts = before if under else min(wager.stake, self.maximum)

    def take(self, seat: Seat, spot: str, amount: int, split: Split = None) -> None:
        wager = self.wagers[seat, spot]
        wager.stake -= amount
        wager.found = wager.found and wager.counts < wager.stake  # what did not count goes first
        if not wager.stake:
            del self.wagers[seat, spot]
            self.forget()

    def mark(self, seat: Seat, spot: str, call: str) -> None:
        raise ValueError(f"{spot} cannot be called {call}")

    def fee(self, spot: str, stake: int) -> int:
        """5% of what a bought or laid number would win, as far as chips can pay it."""
        kind, number = parse(spot)
        if kind not in ("buy", "lay"):
            return 0
        win = stake * (BUYS[number] if kind == "buy" else 1 / BUYS[number])
        return self.chips(win / 20)

    def chips(self, amount: Fraction) -> int:
        return int(amount // self.chip) * self.chip

    def forget(self) -> None:
        """Rolls are kept only for wagers that are up."""
        up = {spot for _, spot in self.wagers}
        self.come = {spot: rolls for spot, rolls in self.come.items() if spot in up}

    def roll(self, d1: int, d2: int) -> dict[Key, Outcome]:
        for rolls in self.come.values():
            rolls.append((d1, d2))
        outcomes: dict[Key, Outcome] = {}
        for (seat, spot), wager in list(self.wagers.items()):
            net, over = self.result(spot, d1, d2)
            outcome = self.settle(wager, net, over)
            if outcome is None:
                continue
            outcomes[seat, spot] = outcome
            if wager.found and wager.stake < self.minimum:
                self.warned.add(seat)
            if over:
                del self.wagers[seat, spot]
        self.forget()
        total = d1 + d2
        if self.puck == 0 and total in POINTS:
            self.puck = total
        elif self.puck != 0 and total in (7, self.puck):
            self.puck = 0
        return outcomes

    def settle(self, wager: Wager, net: Fraction, over: bool) -> Outcome | None:
        counts = wager.counts if wager.found else wager.stake
        back = wager.stake if over else 0
        if not over and not (net and counts):
            return None
        if not counts:
            return Outcome("return", 0, 0, back)
        if net < 0:
            return Outcome("lose", 0, counts, back - counts)
        return Outcome("win" if net else "push", self.chips(counts * net), 0, back)

    def result(self, spot: str, d1: int, d2: int) -> tuple[Fraction, bool]:
        """What the last roll makes of a stake, and whether it is over with it."""
        if spot in MODELS:
            once = MODELS[spot](self.come[spot])
            return (Fraction(0), False) if once is None else (once, True)
        if spot in STAYING:
            paid, over = STAYING[spot](self.come[spot])
            return paid[-1], over
        plain = self.plain(spot, d1 + d2, d1 == d2)
        return (Fraction(0), False) if plain is None else (plain, True)

    def plain(self, spot: str, total: int, pair: bool) -> Fraction | None:
        """The wagers that one roll decides, or the first of two."""
        kind, number = parse(spot)
        if kind == "pass":
            wins = (self.puck,) if self.puck else (7, 11)
            loses = (7,) if self.puck else (2, 3, 12)
            return Fraction(1) if total in wins else LOST if total in loses else None
        if kind == "muggsy":
            if self.puck:
                return Fraction(3) if total == 7 else LOST
            return Fraction(2) if total == 7 else None if total in POINTS else LOST
        if kind == "easy":
            if total == number and not pair:
                return Fraction(3) if number in (4, 10) else Fraction(3, 2)
            return LOST if total in (number, 7) else None
        if kind == "buy":
            return BUYS[number] if total == number else LOST if total == 7 else None
        return 1 / BUYS[number] if total == 7 else LOST if total == number else None
