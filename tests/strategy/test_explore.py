"""Explored strategies: the automata against the reference, session by session; budgets; reasons."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest

from boxman.dice import BY_TOTAL, KINDS, ROLLS, parse_roll
from boxman.rules.book import houses
from boxman.strategy.api import StrategyError, strategy, together
from boxman.strategy.automaton import Automaton, explore
from boxman.strategy.ends import ENDS
from boxman.strategy.explore import NOT_KNOWN, TooLarge, Unbounded
from boxman.strategy.felt import Felts, NotExplored
from boxman.strategy.library import named, names
from boxman.strategy.reference import Played, play
from boxman.strategy.session import Session, session
from boxman.strategy.spots import COME, FIELD, PASS, PLACE
from tests.limits import FIVES
from tests.strategy.deep import Deep

NAMES = ("pass-odds", "doey-dont", "martingale", "place-6-8", "lay-4-10", "iron-cross")


@strategy
def molly(t: Any) -> None:
    """As DESIGN has it."""
    if t.coming_out:
        t.bet(PASS, 10)
    elif t.count(COME) < 2:
        t.bet(COME, 10)
    t.odds(2)


def dice_of(seed: int, rolls: int) -> list[int]:
    source = random.Random(seed)
    return [source.randrange(36) for _ in range(rolls)]


def figures(played: Played) -> dict[str, Any]:
    return {
        "worth": played.worth,
        "rolls": played.rolls,
        "sevens": played.seven_outs,
        "end": played.end,
        "staked": played.staked,
        "refused": Counter({(r.code, r.spot, r.cites): r.count for r in played.refusals}),
    }


def lane(automaton: Automaton, options: Session, dice: list[int]) -> dict[str, Any] | None:
    """One session looked up in the automaton, by its definition; None where it does not know."""
    cash = options.bankroll
    edge = next(e for e, least in enumerate(automaton.start_least) if cash >= least)
    refused = Counter(said[:3] for said in automaton.start_refusals[edge])
    state, cash = int(automaton.start_next[edge]), cash + int(automaton.start_act[edge])
    staked, end = int(automaton.start_staked[edge]), int(automaton.start_end[edge])
    rolls = sevens = 0
    felt = int(automaton.felt[state]) if state >= 0 else 0
    while end < 0:
        at = (state, BY_TOTAL.number[dice[rolls]])
        rolls += 1
        sevens += int(automaton.seven[at])
        cash += int(automaton.pre[at])
        staked += int(automaton.pre_staked[at])
        felt = int(automaton.landed_felt[automaton.landed[at]])
        if rolls == options.rolls:
            end = 0
            break
        edge = int(automaton.edge_first[at])
        last = edge + int(automaton.edge_many[at]) - 1
        assert automaton.edge_least[last] == 0
        while cash < automaton.edge_least[edge]:
            edge += 1
        assert edge <= last
        assert (automaton.edge_from[edge], automaton.edge_kind[edge]) == at
        refused += Counter(said[:3] for said in automaton.edge_refusals[edge])
        staked += int(automaton.edge_staked[edge])
        cash += int(automaton.edge_act[edge])
        state, end = int(automaton.edge_next[edge]), int(automaton.edge_end[edge])
        felt = int(automaton.felt[state]) if state >= 0 else 0
    if end == NOT_KNOWN:
        return None
    return {
        "worth": cash + felt,
        "rolls": rolls,
        "sevens": sevens,
        "end": ENDS[end],
        "staked": staked,
        "refused": refused,
    }


def compare(house: str, shooter: str, chosen: Iterable[str], sessions: int) -> None:
    """With too little for the next bet as with plenty, to the cent and the last refusal."""
    source = random.Random(f"{house} {shooter}")
    ends: Counter[str] = Counter()
    for name in chosen:
        made = named(name)
        bankroll = source.choice([35, 60, 111, 150, 260])
        options = session(house, **FIVES, bankroll=bankroll, rolls=60, shooter=shooter)
        try:
            automaton = explore(made, options)
        except NotExplored:
            continue
        if automaton.unknown:
            continue
        for seed in range(sessions):
            dice = dice_of(seed + bankroll, options.rolls)
            wanted = figures(play(made, options, dice))
            assert lane(automaton, options, dice) == wanted, name
            ends[wanted["end"]] += 1
    assert ends["broke"] if shooter == "guest" else ends["no shooter"]


@pytest.mark.parametrize("shooter", ["guest", "self"])
@pytest.mark.parametrize("house", houses())
def test_the_automata_play_the_sessions_of_the_reference(house: str, shooter: str) -> None:
    compare(house, shooter, NAMES + (("molly",) if house == "rws" else ()), 3)


@pytest.mark.soak
@pytest.mark.parametrize("shooter", ["guest", "self"])
@pytest.mark.parametrize("house", houses())
def test_all_the_library_plays_the_sessions_of_the_reference(house: str, shooter: str) -> None:
    compare(house, shooter, names(), 20)


@strategy(losses=0)
def stubborn(t: Any) -> None:
    """Many bets a turn, take-downs before and after them, and a memory: hard on bands."""
    if t.lost_total:
        t.losses = (t.losses + 1) % 3
    t.down(PLACE[8])
    t.bet(PASS, 25)
    t.bet(PLACE[8], 6 + 6 * t.losses)
    t.bet(FIELD, 15)
    t.press(FIELD, 5)
    t.regress(PLACE[8], 6)
    t.bet(PLACE[5], 10)
    if not t.bet(PLACE[9], 20):
        t.bet(PLACE[9], 5)


@pytest.mark.parametrize(
    "house",
    [
        house if n % 2 else pytest.param(house, marks=pytest.mark.soak)
        for n, house in enumerate(houses())
    ],
)
def test_every_bankroll_down_to_nothing_is_exact(house: str) -> None:
    options = session(house, bankroll=500, rolls=40, minimum=5)
    automaton = explore(stubborn, options)
    for bankroll in range(5, 130, 5):
        poor = session(house, bankroll=bankroll, rolls=40, minimum=5)
        dice = dice_of(bankroll, 40)
        assert lane(automaton, poor, dice) == figures(play(stubborn, poor, dice)), bankroll


def test_molly_has_the_states_it_should(whole_molly: Automaton) -> None:
    """A felt of molly is a puck and at most two comes, all with their odds.

    With the puck off, none, one or two comes stand on the six numbers. With a point, none of them
    stands on the point itself, and there is one in the area unless two stand on numbers.
    """
    off = sum(comb(6, comes) for comes in range(3))
    on = 6 * sum(comb(5, comes) for comes in range(3))
    assert Deep(whole_molly).states == off + on == 118
    assert whole_molly.states > 118


def test_the_line_alone_is_seven_states_with_its_exact_edge() -> None:
    @strategy
    def line(t: Any) -> None:
        t.bet(PASS, 10)

    made = Deep(explore(line, session("rws")))
    assert made.states == 7
    # Money is conserved on every edge: the change of the rail and of the felt is won less lost.
    ways = np.array([kind.ways for kind in KINDS])
    chance = _stationary(made)
    net = sum(
        chance[state] * Fraction(int(ways[kind]), 36) * Fraction(int(made.change[state, kind]))
        for state in range(7)
        for kind in range(15)
    )
    # One line wager is made for every come-out: -7/495 of the stake each, by the classic sum.
    bets = sum(
        (chance[state] * Fraction(int(ways[kind]), 36))
        for state in range(7)
        for kind in range(15)
        if made.staked[state, kind]
    )
    assert net / bets == 1000 * Fraction(-7, 495)
    assert chance[made.start] < 1


def _stationary(made: Deep) -> list[Fraction]:
    """The long-run chance of each state, exactly."""
    size = made.states
    rows = [[Fraction(0)] * size for _ in range(size)]
    for state in range(size):
        for kind, each in enumerate(KINDS):
            rows[int(made.next[state, kind])][state] += Fraction(each.ways, 36)
    for state in range(size):
        rows[state][state] -= 1
    rows[-1] = [Fraction(1)] * size
    right = [Fraction(0)] * (size - 1) + [Fraction(1)]
    for column in range(size):
        pivot = next(r for r in range(column, size) if rows[r][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        right[column], right[pivot] = right[pivot], right[column]
        for row in range(size):
            if row != column and rows[row][column]:
                factor = rows[row][column] / rows[column][column]
                right[row] -= factor * right[column]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[column], strict=True)]
    return [right[n] / rows[n][n] for n in range(size)]


@pytest.fixture(scope="module")
def whole_molly() -> Automaton:
    """Everything there is to molly, poor rails too."""
    return explore(molly, session("rws", bankroll=60, rolls=60))


@pytest.mark.parametrize("states", [118, 200, 700, 1200])
def test_a_budget_that_ends_among_poor_rails_says_so_and_is_right_above(
    states: int, whole_molly: Automaton
) -> None:
    """Nothing that was explored is lost, and what is known is what the whole automaton knows."""
    options = session("rws", bankroll=60, rolls=60)
    part, whole = explore(molly, options, states=states), whole_molly
    assert part.unknown.startswith(f"molly has more than {states:,} states")
    assert not whole.unknown
    assert part.deep == whole.deep == Deep(part).states == Deep(whole).states
    assert (Deep(part).next == Deep(whole).next).all()
    known = 0
    for seed in range(60):
        dice = dice_of(seed, options.rolls)
        found = lane(part, options, dice)
        if found is not None:
            known += 1
            assert found == lane(whole, options, dice) == figures(play(molly, options, dice))
    assert known < 60
    assert known or states < 700


def test_a_state_gives_its_table_variables_and_what_a_roll_settles() -> None:
    automaton = explore(named("martingale"), session("rws"))
    felt, variables = automaton.state(int(automaton.start_next[0]))
    assert {wager.spot: wager.stake for wager in felt.wagers.values()} == {"pass": 10_00}
    assert set(variables) == set(automaton.strategy.variables)
    seven = next(n for n, kind in enumerate(KINDS) if kind.total == 7)
    (settled,) = automaton.settled(int(automaton.start_next[0]), seven)
    assert (settled.spot, settled.stake, settled.won, settled.lost) == ("pass", 10_00, 10_00, 0)
    six = next(n for n, kind in enumerate(KINDS) if kind.total == 6)
    landed = int(automaton.landed[automaton.start_next[0], six])
    assert automaton.explorer.felts.all[landed].puck == 6
    assert automaton.value(landed) == 10_00 * Fraction(-1, 11)


# -- what cannot be explored ---------------------------------------------------------------------


@pytest.mark.parametrize("word", ["cash", "net", "rolls", "shooters", "shooter_rolls"])
def test_what_is_not_on_the_felt_is_named_with_its_line(word: str) -> None:
    # The attribute is an argument, so that one function serves all five.
    made = strategy(lambda t: t.bet(PASS, 10) and getattr(t, word) and None)
    with pytest.raises(Unbounded, match=rf"test_explore.py:{made.line}: .* t.{word} is not"):
        explore(made, session("rws"))


def test_a_read_that_only_some_felts_lead_to_is_found() -> None:
    @strategy
    def late(t: Any) -> None:
        t.bet(PASS, 10)
        if t.puck == 4 and t.last == 11 and t.cash:
            t.bet(FIELD, 10)

    with pytest.raises(Unbounded) as caught:
        explore(late, session("rws"))
    assert caught.value.attribute == "cash"


def test_a_counter_without_bounds_is_too_large_and_is_named() -> None:
    @strategy(turns=0, side=0)
    def counts(t: Any) -> None:
        t.turns = t.turns + 1
        t.side = t.last
        t.bet(PASS, 10)

    with pytest.raises(TooLarge, match=r"counts has more than 3,000 states \(t.turns took"):
        explore(counts, session("rws"), states=3000)
    with pytest.raises(TooLarge, match=r"more than the work of 0 rulings: .* states so far"):
        explore(counts, session("rws"), rulings=0)


def test_how_far_it_is_explored_does_not_depend_on_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = [explore(named("molly"), session("nsw", **FIVES), rulings=8_000)]
    quick = Felts.rule

    def slow(self: Felts, *asked: Any) -> Any:
        sum(range(3_000))
        return quick(self, *asked)

    monkeypatch.setattr(Felts, "rule", slow)
    found.append(explore(named("molly"), session("nsw", **FIVES), rulings=8_000))
    assert "8,000 rulings" in found[0].unknown
    assert found[0].unknown == found[1].unknown
    assert found[0].explorer.states[-1][1] == found[1].explorer.states[-1][1]


def test_an_exception_is_told_with_the_shortest_rolls_that_lead_to_it() -> None:
    @strategy
    def fails(t: Any) -> None:
        t.bet(PASS, 10)
        if t.puck == 10 and t.last == 3:
            t.bet(FIELD, 10 // (t.last - 3))

    with pytest.raises(StrategyError, match="ZeroDivisionError") as caught:
        explore(fails, session("rws"))
    told = str(caught.value).split(", after ")[1].split(":")[0]
    rolls = [parse_roll(word) for word in told.split()]
    assert [roll.total for roll in rolls] == [10, 3]
    with pytest.raises(StrategyError, match="after roll 2: ZeroDivisionError"):
        play(fails, session("rws"), [ROLLS.index(roll) for roll in rolls])


def test_together_has_the_felts_of_both() -> None:
    @strategy
    def line(t: Any) -> None:
        t.bet(PASS, 10)

    @strategy
    def side(t: Any) -> None:
        t.bet(FIELD, 10)

    both, alone = (Deep(explore(x, session("rws"))) for x in (together(line, side), line))
    assert both.states == alone.states
    assert (both.felt == alone.felt + 10_00).all()


def test_without_numpy_there_is_one_clear_message() -> None:
    script = (
        "import sys; sys.modules['numpy'] = None\n"
        "from boxman.strategy.automaton import MissingLibraryError, explore\n"
        "from boxman.strategy.library import named\n"
        "from boxman.strategy.session import session\n"
        "try:\n    explore(named('pass'), session())\n"
        "except MissingLibraryError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (
        done.stdout
        == "an automaton needs NumPy, which is not installed: pip install 'boxman[sim]'\n"
    ), done.stderr
