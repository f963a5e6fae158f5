"""Random games, settled twice: by the table and by the auditor, to the cent.

`tests/auditor.py` is a naive second model of every spot of every house, written from the readings;
`tests/bonus_auditor.py` one of the bonus wagers of a test house, written from its sentences.
It is told what the table accepted and answers what each roll does; here both must agree on every
verdict, sum, move and puck, and every spot of every house must have been won and lost on the way.
What a game does is chosen from the menu, so that every call in it is one a player could make.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from boxman.dice import ROLLS, Roll
from boxman.rules.book import houses
from boxman.rules.layout import Layout
from boxman.table.accounts import imbalance
from boxman.table.calls import (
    Bet,
    BuyIn,
    Call,
    CallNoRoll,
    CallRoll,
    CloseBets,
    Find,
    Reduce,
    SetWorking,
    StayUp,
    TakeDown,
)
from boxman.table.floor.throws import needs_close
from boxman.table.opening import Open, open_table
from boxman.table.ruling import rule
from boxman.table.rulings import Ruling
from boxman.table.said.menu import Choice, KnownMenus, menu
from boxman.table.stakes import Range
from boxman.table.state import Marked, Moved, Placed, Returned, Settled, Table
from tests.auditor import COLLECT, ODDS, Auditor, Split, parse
from tests.bonus_auditor import BonusAuditor

SEATS = ("ann", "bob")
DEEP = 100_000_00
"""A rail that never runs dry within a game."""

FINE = 120
"""Stakes are multiplied by this so that 5% of any possible win is a whole number."""

SELDOM = {*ODDS, "come", "dont_come", "fire", "replay"}

BONUS = str(Path(__file__).parent / "houses" / "bonus.md")
OWN = {"bonus": BONUS}
"""Houses that do not come with Boxman."""

AnyAuditor = Auditor | BonusAuditor

Verdict = tuple[str, int, int, int, str | None]


class Setup(NamedTuple):
    """One way to open a house, and how many games of how many rolls are played on it."""

    house: str
    chip: int = 100
    minimum: int = 500
    maximum: int = 1_000_00
    settings: dict[str, Any] = {}
    games: int = 6
    rolls: int = 60
    sevens: tuple[float, ...] = (1.0, 1.0, 0.4, 0.1)
    """How often sevens come, to choose from: with few, long games and full collections happen."""
    patient: bool = False
    """Nobody takes anything down."""

    def __str__(self) -> str:
        words = [self.house, f"chip={self.chip}"]
        return " ".join(words + [f"{name}={value}" for name, value in self.settings.items()])


TABLES = [
    Setup("adelaide", games=22),
    Setup("adelaide", chip=250, minimum=1000, settings={"multiples": "on"}, games=10),
    Setup("adelaide", settings={"odds_pass": "1", "odds_come": "3", "odds_dont_come": "2"}),
    Setup("newzealand", games=22),
    Setup("newzealand", chip=50, settings={"odds_pass": "2", "odds_dont_pass": "2"}),
    Setup("newzealand", settings={"odds_come": "2", "odds_dont_come": "2"}),
    Setup("nsw", games=22),
    Setup("nsw", chip=500, minimum=1000, settings={"multiples": "on"}),
    Setup("nsw", chip=200, minimum=1000),
    Setup("rws", games=24),
    Setup("rws", chip=25, minimum=1000, games=15),
    *(
        Setup("perth-crapless", games=9, settings={"layout": str(n), "bonus_list": str(n)})
        for n in range(1, 5)
    ),
    Setup("perth-crapless", games=3, settings={"layout": "5"}),
    Setup("perth-crapless", chip=50, settings={"odds_pass": "3", "odds_come": "2"}),
    Setup("american", games=40),
    Setup("american", chip=50, settings={"commission": 4, "commission_taken": "placement"}),
    Setup(
        "american",
        settings={"odds": "10", "bar": 2, "field_12": "triple", "bonus": "34-175"}
        | {"place_works": "on", "hard_works": "on", "stay_up": "off", "commission_rounding": "up"},
    ),
    Setup("bonus", games=20),
    Setup("bonus", games=50, sevens=(0.3, 0.2, 0.1, 0.05), patient=True),
    Setup("bonus", chip=250, minimum=1000, games=10),
]


def auditor_of(
    house: str, *, chip: int, minimum: int, maximum: int, settings: dict[str, Any]
) -> AnyAuditor:
    """The second model of a house, at a table with these limits."""
    if house in OWN:
        return BonusAuditor(chip=chip, minimum=minimum, maximum=maximum)
    return Auditor(house, chip=chip, minimum=minimum, maximum=maximum, settings=settings)


# -- telling the auditor -----------------------------------------------------------------------


def follow(auditor: AnyAuditor, ruling: Ruling) -> None:
    """Tell the auditor what the table accepted; what a roll settles it works out by itself."""
    call = ruling.call
    for decision in ruling.decisions:
        match decision:
            case Placed(seat=seat, spot=spot, amount=amount, split=split):
                split = _pair(split)
                tell = auditor.find if isinstance(call, Find) else auditor.bet
                tell(seat, spot, amount, split)
            case Returned(seat=seat, spot=spot, amount=amount):
                auditor.take(seat, spot, amount)
            case Marked(seat=seat, spot=spot) if isinstance(call, SetWorking):
                auditor.mark(seat, spot, call.call)
            case Marked(seat=seat, spot=spot, marker="on"):
                auditor.mark(seat, spot, "on")  # it came under the marker of one like it


def _pair(split: tuple[int, ...]) -> Split:
    return (split[0], split[1]) if split else None


def told(ruling: Ruling) -> dict[tuple[str, str], Verdict]:
    """What the table says a roll did to each wager it concerned."""
    found: dict[tuple[str, str], Verdict] = {}
    for decision in ruling.decisions:
        match decision:
            case Settled(seat=seat, spot=spot, verdict=verdict):
                assert (seat, spot) not in found
                sums = (decision.paid, decision.taken, decision.returned)
                found[seat, spot] = (verdict, *sums, None)
                assert decision.taken + decision.returned in (decision.stake, 0)
            case Moved(seat=seat, spot=spot, to=to):
                assert (seat, spot) not in found
                found[seat, spot] = ("move", 0, 0, 0, to)
    return found


def audited(auditor: AnyAuditor, roll: Roll) -> dict[tuple[str, str], Verdict]:
    """What the auditor says it did."""
    return {
        (str(seat), spot): (o.verdict, o.paid, o.taken, o.returned, o.to)
        for (seat, spot), o in auditor.roll(roll.first, roll.second).items()
    }


def stakes(table: Table) -> dict[tuple[str, str], int]:
    """Every wager on the layout."""
    return {
        (seat.name, wager.spot): wager.stake
        for seat in table.seats.values()
        for wager in seat.wagers.values()
    }


def audited_stakes(auditor: AnyAuditor) -> dict[tuple[str, str], int]:
    return {(str(seat), spot): wager.stake for (seat, spot), wager in auditor.wagers.items()}


# -- a game ------------------------------------------------------------------------------------


@cache
def _prepared(layout: Layout) -> tuple[KnownMenus, dict[str, set[str]]]:
    """Menus of a layout, and the spots that one act can change at once: a flat and its odds."""
    flats = {name: spot.behind.flat if spot.behind else name for name, spot in layout.spots.items()}
    close: dict[str, set[str]] = {}
    for name, flat in flats.items():
        close.setdefault(flat, {flat}).add(name)
    return KnownMenus(layout), {name: close[flat] for name, flat in flats.items()}


class Game:
    """A table, the auditor beside it, and players who do anything the menu offers."""

    def __init__(self, setup: Setup, seed: int) -> None:
        self.setup = setup
        self.random = random.Random(f"{setup} {seed}")
        opening = open_table(
            Open(
                house=OWN.get(setup.house, setup.house),
                chip=setup.chip,
                minimum=setup.minimum,
                maximum=setup.maximum,
                settings=setup.settings,
            )
        )
        assert opening.layout is not None
        assert opening.table is not None
        self.layout: Layout = opening.layout
        self.table: Table = opening.table
        self.known, self.close = _prepared(opening.layout)
        on = {name: value == "on" or value for name, value in setup.settings.items()}
        self.auditor = auditor_of(
            setup.house,
            chip=setup.chip,
            minimum=setup.minimum,
            maximum=setup.maximum,
            settings=on,
        )
        self.lines: list[str] = []
        self.seen: Counter[tuple[str, str]] = Counter()
        self.acts: Counter[str] = Counter()
        sevens = self.random.choice(setup.sevens)
        self.weights = [sevens if roll.total == 7 else 1.0 for roll in ROLLS]
        for seat in SEATS:
            self.call(BuyIn(seat=seat, amount=DEEP))

    def call(self, call: Call) -> Ruling:
        """Make a call that must be accepted, and tell the auditor."""
        ruling = rule(self.layout, self.table, call)
        self.lines.append(repr(call))
        assert ruling.accepted, f"{call} is refused: {ruling.refusal}\n" + self.story()
        self.table = ruling.after
        if not isinstance(call, CallRoll):
            follow(self.auditor, ruling)
        self.acts[type(call).__name__] += 1
        return ruling

    def story(self) -> str:
        return f"{self.setup}\n" + "\n".join(self.lines[-30:])

    def play(self) -> None:
        for _ in range(self.setup.rolls):
            self.act(self.random.choice(SEATS), self.random.randint(1, 10))
            self.roll()

    # -- what players do -----------------------------------------------------------------------

    def act(self, seat: str, times: int) -> None:
        """Do some things that one menu offers, each with another wager."""
        choices = self.choices(seat)
        touched: set[str] = set()
        for _ in range(times):
            act, able = self.random.choice(ACTS[2:] if self.setup.patient else ACTS)
            families: dict[str, list[Choice]] = {}
            for choice in choices:
                if able(choice) and self.close[choice.spot].isdisjoint(touched):
                    families.setdefault(parse(choice.spot)[0], []).append(choice)
            if families:
                # What travels, and the odds behind it, comes to each number only now and then.
                weights = [4 if kind in SELDOM else 1 for kind in families]
                members = self.random.choices(list(families.values()), weights)[0]
                choice = self.random.choice(members)
                act(self, seat, choice)
                touched |= self.close[choice.spot]
                if act is Game.mark:  # the call may have counted for other wagers too
                    choices = self.choices(seat)
        if self.random.random() < 0.2:
            self.find(seat)

    def choices(self, seat: str) -> list[Choice]:
        """What the menu offers, in the order of the layout."""
        found = menu(self.layout, self.table, seat, known=self.known).choices
        return [found[name] for name in self.layout.spots if name in found]

    def amount(self, ranges: tuple[Range, ...]) -> int:
        """An amount of a menu: an end of a range, or one of its lower steps."""
        low, high, step = self.random.choice(ranges)
        steps = (high - low) // step
        return low + step * self.random.choice((0, 0, steps, *range(1, min(steps, 12) + 1)))

    def bet(self, seat: str, choice: Choice) -> None:
        amount = self.amount(choice.bet)
        split: tuple[int, ...] = ()
        if choice.parts:
            chips = amount // self.layout.chip
            least = 0 if choice.spot in self.table.seats[seat].wagers else 1
            first = self.random.randint(least, chips - least) * self.layout.chip
            split = (first, amount - first)
        self.call(Bet(seat=seat, spot=choice.spot, amount=min(amount, DEEP), split=split))

    def lower(self, seat: str, choice: Choice) -> None:
        self.call(Reduce(seat=seat, spot=choice.spot, to=self.amount(choice.lower)))

    def take_down(self, seat: str, choice: Choice) -> None:
        self.call(TakeDown(seat=seat, spot=choice.spot))

    def mark(self, seat: str, choice: Choice) -> None:
        only = self.random.random() < 0.5
        spot = choice.spot if self.random.random() < 0.8 else "all"
        call = self.random.choice(choice.calls)
        only = only and spot != "all"  # all, only: the bonus wager of that name
        self.call(SetWorking(seat=seat, spot=spot, call=call, only=only))

    def keep(self, seat: str, choice: Choice) -> None:
        assert choice.keep is not None
        self.call(StayUp(seat=seat, spot=choice.spot, stays=choice.keep))

    def find(self, seat: str) -> None:
        """Chips that nobody checked: a stake under the minimum, over the maximum, or within."""
        wagers = self.table.seats[seat].wagers
        spots = [
            spot
            for spot in self.layout.spots.values()
            if spot.may("raise" if spot.id in wagers else "make", self.table.puck)
            and (spot.behind is None or spot.behind.flat in wagers)
            and not (spot.share and spot.share.named)
            and not (spot.gate and spot.gate.group in self.table.latched)
        ]
        spot = self.random.choice(spots)
        old = wagers[spot.id].stake if spot.id in wagers else 0
        bounds = self.layout.bounds(self.table.posted, spot, self.table.puck)
        step = self.layout.chip
        under = (bounds.minimum - 1) // step * step
        within = -(-max(bounds.minimum, 1) // step) * step + step * self.random.randint(0, 3)
        over = (bounds.maximum // step + self.random.randint(1, 9)) * step
        totals = [within]
        if self.layout.recognise["under minimum", "first"].value != "refuse":
            totals.append(under)  # odds have no minimum, and no maximum but the flat's
            totals.append(over)
        if spot.behind is not None:  # as much as the flat is within any limit of odds
            flat = wagers[spot.behind.flat]
            totals = [] if flat.found else [flat.stake]
        totals = [total for total in totals if total > old]
        if totals:
            amount = self.random.choice(totals) - old
            self.call(Find(seat=seat, spot=spot.id, amount=amount))

    # -- the roll --------------------------------------------------------------------------------

    def roll(self) -> None:
        if needs_close(self.layout):
            self.call(CloseBets())
        if self.random.random() < 0.05:
            self.call(CallNoRoll())
            self.roll()
            return
        roll = self.random.choices(ROLLS, self.weights)[0]
        ruling = self.call(CallRoll(first=roll.first, second=roll.second))
        table, audit = told(ruling), audited(self.auditor, roll)
        assert table == audit, "\n".join(
            [
                f"{key}: table {table.get(key)}, auditor {audit.get(key)}"
                for key in {**table, **audit}
                if table.get(key) != audit.get(key)
            ]
            + [self.story()]
        )
        follow(self.auditor, ruling)  # what stayed up was made again
        assert self.table.puck == self.auditor.puck, self.story()
        assert stakes(self.table) == audited_stakes(self.auditor), self.story()
        assert imbalance(self.table) == 0, self.story()
        self.compare_fees()
        self.compare_bonus()
        for (_, spot), verdict in table.items():
            self.seen[spot, verdict[0]] += 1
            self.seen[self.layout.spots[spot].family, verdict[0]] += 1

    def compare_fees(self) -> None:
        """5% of what counts of a stake."""
        for seat in self.table.seats.values():
            for wager in seat.wagers.values():
                audit = self.auditor.wagers[seat.name, wager.spot]
                counts = audit.counts if audit.found else wager.stake
                rounds = self.auditor.house in ("american", "bonus")  # to chips, by itself
                fine = 1 if rounds else FINE
                owed = self.auditor.fee(wager.spot, counts * fine) // fine
                assert wager.fee == owed, self.story()

    def compare_bonus(self) -> None:
        for name, totals in self.auditor.collected.items():
            if name in self.layout.spots:
                memory = self.table.collected.get(name, 0)
                assert set(self.layout.spots[name].shown(memory)) == totals, self.story()
        warned = {seat.name for seat in self.table.seats.values() if seat.warned}
        assert warned == self.auditor.warned, self.story()


ACTS: list[tuple[Callable[[Game, str, Choice], None], Callable[[Choice], object]]] = [
    (Game.lower, lambda choice: choice.lower),
    (Game.take_down, lambda choice: choice.take_down),
    *[(Game.mark, lambda choice: choice.calls)] * 2,
    (Game.keep, lambda choice: choice.keep is not None),
    *[(Game.bet, lambda choice: choice.bet)] * 8,
]
"""What players do, as often as it stands here, and with which choices."""


def played(
    setup: Setup, first_seed: int, games: int
) -> tuple[Counter[tuple[str, str]], Counter[str]]:
    seen: Counter[tuple[str, str]] = Counter()
    acts: Counter[str] = Counter()
    for seed in range(first_seed, first_seed + games):
        game = Game(setup, seed)
        game.play()
        seen += game.seen
        acts += game.acts
    return seen, acts


def expected_verdicts(layout: Layout) -> set[tuple[str, str]]:
    """What every spot of a house must meet with: won, lost, moved; sleeping odds handed back."""
    found = set()
    for spot in layout.spots.values():
        # Hops and counting bonus bets are too many and too rare to see each of them.
        rare = spot.kind.by_faces or (spot.collection is not None and spot.id not in COLLECT)
        name = spot.family if rare else spot.id
        for row in spot.rows.values():
            found |= {(name, cell.verdict) for cell in row if cell is not None}
        if spot.gate is not None:
            found |= {(name, "win"), (name, "lose")}
            found -= {(name, "collect"), (name, "clear")}
        if spot.behind is not None and spot.behind.asleep and not all(spot.works):
            found |= {(spot.family, "return")}
    return found


@pytest.mark.parametrize("house", [*houses(), *OWN])
def test_random_games(house: str) -> None:
    """Thousands of rolls a house; every spot is won, lost, and moved where it moves."""
    seen: Counter[tuple[str, str]] = Counter()
    acts: Counter[str] = Counter()
    expected: set[tuple[str, str]] = set()
    for setup in TABLES:
        if setup.house == house:
            more, done = played(setup, 0, setup.games)
            seen += more
            acts += done
            expected |= expected_verdicts(Game(setup, 0).layout)
    assert acts["CallRoll"] >= 1800
    missing = sorted(expected - set(seen))
    assert not missing, f"never seen in {acts['CallRoll']} rolls: {missing}"
    for act in ("Bet", "Reduce", "TakeDown", "SetWorking", "StayUp", "Find", "CallNoRoll"):
        # At the bonus house nothing is called on or off.
        assert acts[act] >= 50 or (house in OWN and act == "SetWorking"), act


@pytest.mark.soak
@pytest.mark.parametrize("setup", TABLES, ids=str)
def test_many_random_games(setup: Setup) -> None:
    played(setup, 1000, 200)


def test_the_auditor_knows_every_spot() -> None:
    for house in [*houses(), *OWN]:
        auditor = auditor_of(house, chip=100, minimum=100, maximum=10**9, settings={})
        layout = open_table(Open(house=OWN.get(house, house))).layout
        assert layout is not None
        assert [spot for spot in layout.spots if not auditor.offered(spot)] == []


def test_the_auditor_stands_alone() -> None:
    """It reads neither the rulebooks nor the engine, or the comparison would mean nothing."""
    import tests.auditor
    import tests.bonus_auditor

    for model in (tests.auditor, tests.bonus_auditor):
        assert model.__file__ is not None
        with open(model.__file__, encoding="utf-8") as file:
            assert "boxman" not in "".join(line for line in file if "import" in line)
