"""The automaton's kernels against the reference, session by session and to the cent."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest

from boxman.dice import BY_TOTAL, KINDS, ROLLS
from boxman.rules.book import houses
from boxman.sim import dice
from boxman.sim.executors import choose
from boxman.sim.executors.automaton import AutomatonPlayer, smallest, variant
from boxman.sim.executors.numba_lanes import NumbaAutomaton
from boxman.sim.executors.numpy_lanes import NumpyAutomaton
from boxman.sim.executors.reference import ReferencePlayer
from boxman.sim.executors.tables import Tables, build
from boxman.sim.lanes import Lanes
from boxman.strategy.api import strategy
from boxman.strategy.automaton import explore
from boxman.strategy.ends import ENDS
from boxman.strategy.library import ENTRIES, named
from boxman.strategy.reference import play
from boxman.strategy.session import Session, session
from boxman.strategy.spots import BUY, FIELD, PASS, PLACE
from tests.limits import FIVES

FIGURES = ("net", "rolls", "sevens", "ending", "drawdown", "staked")
SEED = 20


def one_by_one(player: ReferencePlayer, count: int) -> Lanes:
    return player.play(SEED, 0, count)


def same(one: Lanes, other: Lanes) -> None:
    one, other = one.in_minor_units(), other.in_minor_units()
    for name in FIGURES:
        differ = np.flatnonzero(getattr(one, name) != getattr(other, name))
        assert not len(differ), (name, differ[:5], getattr(one, name)[differ[:5]])


def by_hand(bankroll: int, rolls: int) -> Tables:
    """A unit on the pass line in every come-out, written down without any table."""
    points = (4, 5, 6, 8, 9, 10)
    state = {0: 0, **{point: number + 1 for number, point in enumerate(points)}}
    count, kinds = len(state), len(KINDS)
    pre, landed = np.zeros((count, kinds), np.int64), np.zeros((count, kinds), np.int64)
    seven = np.zeros((count, kinds), np.int64)
    edges = []
    for puck, row in state.items():
        for number, kind in enumerate(KINDS):
            total = kind.total
            wins = total in (7, 11) if not puck else total == puck
            loses = total in (2, 3, 12) if not puck else total == 7
            pre[row, number] = 2 if wins else 0
            # Felt 0 is bare; felt 1 has the unit on it.
            landed[row, number] = 0 if wins or loses else 1
            seven[row, number] = bool(puck) and total == 7
            if wins or loses:
                edges += [(row, number, 1, 0, -1, -1, 1), (row, number, 0, -1, 0, 4, 0)]
            else:
                following = state[total] if not puck else row
                edges.append((row, number, 0, following, 0, -1, 0))
    source, kind, least, following, act, end, staked = np.array(edges).T
    automaton = SimpleNamespace(
        rolls=BY_TOTAL,
        pre=pre,
        pre_staked=np.zeros_like(pre),
        landed=landed,
        seven=seven,
        landed_felt=np.array([0, 1]),
        felt=np.ones(count, np.int64),
        edge_from=source,
        edge_kind=kind,
        edge_least=least,
        edge_next=following,
        edge_act=act,
        edge_end=end,
        edge_staked=staked,
        start_least=np.array([1, 0]),
        start_next=np.array([0, -1]),
        start_act=np.array([-1, 0]),
        start_end=np.array([-1, 4]),
        start_staked=np.array([1, 0]),
    )
    return build(automaton, Session(house="", chip=1, bankroll=bankroll, rolls=rolls, end="face"))


def pass_line(seed: int, number: int, bankroll: int, rolls: int) -> tuple[int, ...]:
    """The same in a dozen lines: worth, rolls, sevens, ending, drawdown, staked."""
    rail, puck, up = bankroll, 0, False
    highest, deepest, staked, sevens = bankroll, 0, 0, 0
    for count, roll in enumerate(dice.rolls(seed, number, 0, rolls)):
        if not up:
            if not rail:
                return -bankroll, count, sevens, 4, deepest, staked
            rail, up, staked = rail - 1, True, staked + 1
        total = ROLLS[roll].total
        if total == puck or (not puck and total in (7, 11)):
            rail, puck, up = rail + 2, 0, False
        elif (puck and total == 7) or (not puck and total in (2, 3, 12)):
            sevens += puck > 0
            puck, up = 0, False
        elif not puck:
            puck = total
        worth = rail + up
        highest = max(highest, worth)
        deepest = max(deepest, highest - worth)
    return rail + up - bankroll, rolls, sevens, 0, deepest, staked


@pytest.mark.parametrize("automaton", [NumpyAutomaton, NumbaAutomaton])
@pytest.mark.parametrize(("bankroll", "rolls"), [(3, 200), (50, 41), (1, 1), (2, 20), (9, 21)])
def test_a_pass_line_written_by_hand(automaton: Any, bankroll: int, rolls: int) -> None:
    tables = by_hand(bankroll, rolls)
    assert tables.quick is not None
    lanes = automaton(tables).play(SEED, 5, 200).in_minor_units()
    for place in range(200):
        found = tuple(int(getattr(lanes, name)[place]) for name in FIGURES)
        assert found == pass_line(SEED, 5 + place, bankroll, rolls)


def test_the_exact_form_alone_gives_the_same() -> None:
    """Where the numbers do not fit the quick form's words, the exact form plays everything."""
    tables = by_hand(9, 100)
    alone = msgspec.structs.replace(tables, quick=None)
    wide = msgspec.structs.replace(
        alone,
        exact=msgspec.structs.replace(
            tables.exact,
            places=tables.exact.places.astype(np.int64),
            bands=tables.exact.bands.astype(np.int64),
        ),
    )
    expected = NumpyAutomaton(tables).play(SEED, 0, 300)
    for form in (alone, wide):
        same(NumpyAutomaton(form).play(SEED, 0, 300), expected)
        same(NumbaAutomaton(form).play(SEED, 0, 300), expected)


def test_amounts_that_do_not_fit_have_no_quick_form() -> None:
    # A buy of 990,015 units at a stroke, beside a field of 1: 20 bits are not there.
    @strategy
    def large(t: Any) -> None:
        t.bet(FIELD, 1)
        t.bet(PLACE[6], 990_018)

    played = session("rws", bankroll=3_000_000, minimum=1, maximum=1_000_000, rolls=30)
    tables = build(explore(large, played), played)
    assert tables.quick is None
    expected = one_by_one(ReferencePlayer(large, played), 40)
    same(NumpyAutomaton(tables).play(SEED, 0, 40), expected)
    same(NumbaAutomaton(tables).play(SEED, 0, 40), expected)


# A strategy or two that offers something new to each part of the kernels.
SESSIONS: list[tuple[str, str, dict[str, Any]]] = [
    ("rws", "molly", {"bankroll": 60}),
    ("rws", "molly(comes=1)", {}),
    ("rws", "mix", {"bankroll": 100, "shooters": 5}),
    ("nsw", "molly(comes=1)", {"bankroll": 200, "stop_win": 100, "stop_loss": 120}),
    ("nsw", "pass-odds", {"bankroll": 40, "rolls": 300, "stop_win": 35, "count": "face"}),
    ("rws", "molly(comes=1)", {"bankroll": 200, "stop_win": 60, "end": "run-out"}),
    ("rws", "pass-odds", {"bankroll": 80, "stop_win": 50, "end": "value"}),
    ("adelaide", "iron-cross", {"bankroll": 150, "minimum": 5}),
    ("newzealand", "dolly", {"bankroll": 150, "shooter": "self"}),
    ("perth-crapless", "crapless-molly", {"bankroll": 120, "end": "run-out"}),
    ("rws", "molly(comes=1)", {"bankroll": 80, "end": "run-out", "shooters": 4}),
    ("rws", "pass-odds", {"bankroll": 80, "end": "value", "shooter": "self"}),
    ("rws", "martingale", {"bankroll": 60, "end": "run-out"}),
]


@pytest.mark.parametrize(("house", "name", "options"), SESSIONS)
def test_equal_to_the_reference(house: str, name: str, options: dict[str, Any]) -> None:
    played = session(house, **{"rolls": 120, **FIVES, **options})
    chosen, reasons = choose(named(name), played)
    assert isinstance(chosen, AutomatonPlayer), reasons
    assert not reasons
    reference = one_by_one(ReferencePlayer(named(name), played), 60)
    quick, compiled = chosen.play(SEED, 0, 60), chosen.using("numba").play(SEED, 0, 60)
    same(quick, reference)
    same(compiled, reference)
    quick = quick.in_minor_units()
    if played.end == "value":
        counts = np.bincount(quick.landed + 1)
        landed = {n - 1: int(count) for n, count in enumerate(counts) if count}
        assert chosen.value(landed) == reference.value
    # And the reference executor is the reference table.
    for number in (0, 1, 2):
        true = play(named(name), played, dice.stream(SEED, number))
        assert (true.net, true.rolls, ENDS.index(true.end), true.drawdown, true.staked) == tuple(
            int(getattr(quick, field)[number])
            for field in ("net", "rolls", "ending", "drawdown", "staked")
        )


def test_fees_paid_on_placing_lower_the_worth() -> None:
    """A buy's commission is gone at once: the kernels carry it beside the stakes."""

    @strategy
    def buys(t: Any) -> None:
        t.bet(PASS, 10)
        if t.puck:
            t.bet(BUY[4], 20)
            t.bet(BUY[10], 20)

    fees = False
    for house in houses():
        played = session(house, **FIVES, bankroll=150, rolls=100, stop_win=60, stop_loss=70)
        chosen, _ = choose(buys, played)
        assert isinstance(chosen, AutomatonPlayer)
        assert chosen.tables.quick is not None
        fees = fees or bool(len(chosen.tables.quick.fee))
        reference = one_by_one(ReferencePlayer(buys, played), 60)
        same(chosen.play(SEED, 0, 60), reference)
        same(chosen.using("numba").play(SEED, 0, 60), reference)
    assert fees


@pytest.mark.parametrize("stop", [10**9 - 1, 3 * 10**9, 10**13])
def test_stops_further_away_than_words_reach(stop: int) -> None:
    for name, house in (("pass", "rws"), ("buy-4-10", "nsw")):
        played = session(house, **FIVES, rolls=45, bankroll=100, stop_win=stop, stop_loss=stop)
        chosen, _ = choose(named(name), played)
        assert chosen.tables.quick is not None
        reference = one_by_one(ReferencePlayer(named(name), played), 40)
        same(chosen.play(SEED, 0, 40), reference)
        same(chosen.using("numba").play(SEED, 0, 40), reference)


def test_a_session_of_many_rolls_has_the_quick_form_too() -> None:
    played = session("rws", rolls=70_003, bankroll=100_000)
    chosen, _ = choose(named("pass"), played)
    assert chosen.tables.quick is not None
    reference = one_by_one(ReferencePlayer(named("pass"), played), 2)
    same(chosen.play(SEED, 0, 2), reference)
    same(chosen.using("numba").play(SEED, 0, 2), reference)
    # But not one in which 32 bits could run over.
    longer = session("rws", rolls=2_000_000_000, bankroll=100)
    assert build(chosen.explored, longer).quick is None


def test_not_even_the_first_wager() -> None:
    played = session("rws", bankroll=5, minimum=10, rolls=50)
    chosen, _ = choose(named("pass"), played)
    lanes = chosen.play(SEED, 0, 70)
    same(lanes, chosen.using("numba").play(SEED, 0, 70))
    assert (lanes.net == 0).all()
    assert (lanes.rolls == 0).all()
    assert (lanes.ending == ENDS.index("broke")).all()


def test_variants_of_the_kernel_are_told_apart() -> None:
    for name in ("lanes", "lanes-fees", "lanes-stops", "lanes-wide-fees-stops", "lanes-plain"):
        assert variant(smallest(name)) == name


@pytest.mark.soak
@pytest.mark.parametrize("house", houses())
@pytest.mark.parametrize("name", sorted(ENTRIES))
def test_every_strategy_of_the_library_in_every_house(house: str, name: str) -> None:
    for bankroll in (20, 75, 500):
        played = session(house, **FIVES, bankroll=bankroll, rolls=150)
        chosen, _ = choose(named(name), played)
        reference = one_by_one(ReferencePlayer(named(name), played), 64)
        same(chosen.play(SEED, 0, 64), reference)
        if isinstance(chosen, AutomatonPlayer):
            same(chosen.using("numba").play(SEED, 0, 64), reference)
