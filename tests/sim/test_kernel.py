"""The generic kernel: every strategy and spot of every house ends as on the reference."""

from __future__ import annotations

import ast
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boxman.dice import BY_TOTAL, ROLLS
from boxman.report.terminal import text
from boxman.rules.book import houses
from boxman.rules.compile import load
from boxman.rules.layout import Posted
from boxman.sim import felt_samples
from boxman.sim.dice import blocks, stream
from boxman.sim.executors.generic import KernelPlayer
from boxman.sim.executors.still_up import StillUp
from boxman.sim.kernel import words as w
from boxman.sim.kernel.acts import LAPSED
from boxman.sim.kernel.arrays import house_words
from boxman.sim.kernel.check import NotCompiled, in_a_word
from boxman.sim.kernel.places import NoRoomError, SpotPlaces
from boxman.sim.kernel.run import Kernel
from boxman.sim.lanes import ROWS, Lanes
from boxman.sim.run import simulate
from boxman.sim.words import summary
from boxman.strategy.api import Strategy, StrategyError, strategy
from boxman.strategy.library import ENTRIES, named
from boxman.strategy.reference import play
from boxman.strategy.session import session
from boxman.strategy.spots import FIELD, INDEX, PASS, PASS_ODDS, SPOTS
from tests.bonus_auditor import MODELS, Model
from tests.limits import FIVES
from tests.sim.kernel_cases import (
    counted,
    flats,
    hold_together,
    refusals,
    wild,
    with_variables,
)

HOUSES = [*houses(), *map(str, sorted((Path(__file__).parents[1] / "houses").glob("*.md")))]
"""Those of the box, and the test houses with wagers of every shape."""


@pytest.mark.parametrize("name", ENTRIES)
def test_library_as_on_the_reference(name: str) -> None:
    """At two houses each, all in turn; the soak has every house."""
    chosen = named(name)
    first, second = ((list(ENTRIES).index(name) + n) % len(houses()) for n in (0, 2))
    poor = session(houses()[first], **FIVES, bankroll=60, rolls=40, end="value")
    hold_together(Kernel(chosen, poor), chosen, first, range(1))
    rich = session(houses()[second], **FIVES, bankroll=700, rolls=40, shooter="self", end="run-out")
    hold_together(Kernel(chosen, rich), chosen, second, range(1, 2))


@pytest.mark.parametrize("house", ["newzealand", "nsw"])
def test_a_point_that_lapses_is_left_to_the_reference(house: str) -> None:
    """Nothing is up after a field bet, so the point of a player who shoots ends with it."""
    chosen, alone = named("field-parlay"), session(house, **FIVES, rolls=40, shooter="self")
    handed = Kernel(chosen, alone).run(3, 0, 6)
    assert set(handed.error) == {LAPSED}
    lanes = KernelPlayer(chosen, alone).play(3, 0, 6)
    played = [play(chosen, alone, stream(3, number)) for number in range(6)]
    assert [(each.net, each.seven_outs) for each in played] == [
        *zip(lanes.net, lanes.sevens, strict=True)
    ]
    assert not any(each.seven_outs for each in played)
    # Whoever has a line wager up at every throw stays in the kernel.
    assert not Kernel(named("pass"), alone).run(3, 0, 6).error.any()


@pytest.mark.soak
@pytest.mark.parametrize("name", ENTRIES)
def test_library_for_long(name: str) -> None:
    chosen = named(name)
    for house in houses():
        for bankroll in (40, 100, 300, 1000):
            for shooter in ("guest", "self"):
                for end in ("run-out", "value"):
                    where = session(house, **FIVES, bankroll=bankroll, shooter=shooter, end=end)
                    hold_together(Kernel(chosen, where), chosen, bankroll, range(20))


@strategy(spot=0, x=1)
def only(t: Any) -> None:
    """One spot again and again, with whatever it needs under it."""
    if t.offers(PASS):
        flats(t)
    t.bet(t.spot, t.fit(t.spot, 20))
    t.x = (t.x * 1103515245 + 12345) & 0x7FFFFFFF
    what = (t.x >> 8) % 8
    if what == 0:
        t.stay_up(t.spot)
    elif what == 1:
        t.turn_on(t.spot)
    elif what == 2:
        t.turn_off(t.spot)
    elif what == 3:
        t.press(t.spot, t.unit(t.spot))
    elif what == 4:
        t.regress(t.spot, t.low(t.spot))
    elif what == 5:
        t.odds_max()


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: Path(house).stem)
def test_every_spot_of_every_house(house: str) -> None:
    """None is left out for want of code or of room: hops, collectors, whatever a rulebook has."""
    chosen = session(house, **FIVES, bankroll=5000, rolls=45)
    spots = load(house).spots
    played_on: set[str] = set()
    kernel, still_up = Kernel(only, chosen), StillUp(chosen)
    for number, spot in enumerate(spots):
        one = with_variables(only, spot=INDEX[spot])
        if INDEX[spot] >= len(SPOTS):
            kernel = at_its_place(kernel, one)
        kernel.start[w.VARIABLES] = in_a_word(INDEX[spot])
        if spot in MODELS and Path(house).stem == "bonus":
            number = paid_in(MODELS[spot])
        for played in hold_together(kernel, one, 11, range(number, number + 1), still_up):
            played_on |= {name for name, each in played.wagers.items() if each.wins or each.losses}
    assert played_on == set(spots)


def paid_in(model: Model) -> int:
    """A session of seed 11 in which a bonus made at once comes far enough to be paid."""
    numbers = np.arange(2000, dtype=np.uint64)
    rolled = blocks(11, numbers, 0, 2, paired=False).reshape(-1, len(numbers))
    hands = [[ROLLS[each] for each in hand] for hand in rolled.T.tolist()]
    return next(n for n, hand in enumerate(hands) if (model(hand) or -1) > 0)


def at_its_place(kernel: Kernel, chosen: Strategy) -> Kernel:
    """The same compiled code with places for what this strategy names."""
    made = copy(kernel)
    made.places = SpotPlaces(kernel.layout, chosen)
    made.house = house_words(kernel.layout, kernel.posted, made.places)
    return made


def test_arrays_hold_every_spot_and_every_cell() -> None:
    posted = Posted(minimum=500, maximum=100_000)
    for house in houses():
        layout = load(house)
        places = SpotPlaces(layout, only)
        words = house_words(layout, posted, places)
        placed = [spot for spot in layout.spots.values() if INDEX[spot.id] < len(SPOTS)]
        for spot in placed:
            flags = words[w.TERMS + INDEX[spot.id] * w.TERM_WORDS]
            assert flags & w.OFFERED, (house, spot.id)
            for puck, row in spot.rows.items():
                at = w.CELLS + puck * w.KINDS * w.STRIDE + INDEX[spot.id]
                for kind, roll in enumerate(BY_TOTAL.rolls):
                    cell = row[layout.rolls.index(roll)]
                    assert (words[at + kind * w.STRIDE] == w.NOTHING) == (cell is None)
        offered = [s for s in SPOTS if words[w.TERMS + INDEX[s] * w.TERM_WORDS] & w.OFFERED]
        assert set(offered) == {spot.id for spot in placed} == set(places)


def test_a_price_without_room_is_named() -> None:
    layout = load("adelaide", {"price.two": "99999999 to 1"})
    assert issubclass(NoRoomError, NotCompiled)  # so that the reference plays there
    with pytest.raises(NoRoomError, match="two pays 99999999"):
        house_words(layout, Posted(minimum=500, maximum=100_000), SpotPlaces(layout, only))


def test_any_cut_gives_the_same() -> None:
    chosen = session("rws", bankroll=150, rolls=60)
    kernel = Kernel(wild, chosen)
    whole = kernel.run(3, 100, 60)
    pieces = [(100, 1), (101, 26), (127, 33)]
    with ThreadPoolExecutor(3) as pool:
        parts = list(pool.map(lambda piece: kernel.run(3, *piece), pieces))
    for name in Lanes.__struct_fields__[:ROWS]:
        joined = np.concatenate([getattr(part.lanes, name) for part in parts])
        assert (joined == getattr(whole.lanes, name)).all()
    for name in ("felt", "error"):
        joined = np.concatenate([getattr(part, name) for part in parts])
        assert (joined == getattr(whole, name)).all()
    together: dict[tuple[str, str, tuple[int, int]], tuple[int, int]] = {}
    for part in parts:
        for kind, (count, first) in (part.lanes.refused or {}).items():
            before, earliest = together.get(kind, (0, first))
            together[kind] = before + count, earliest
    assert together == whole.lanes.refused


def test_large_seeds_and_sessions() -> None:
    chosen = session("rws", bankroll=300, rolls=45)
    kernel = Kernel(named("molly"), chosen)
    for seed, number in ((2**64 - 1, 5), (2**63, 2**40), (0, 2**63 - 1)):
        played = play(named("molly"), chosen, stream(seed, number))
        assert kernel.run(seed, number, 1).lanes.net[0] == played.net
        assert KernelPlayer(named("molly"), chosen).play(seed, number, 1).net[0] == played.net


def test_the_kernel_knows_nothing_of_the_table() -> None:
    """Only so does its agreement with the table mean anything."""
    room = Path(w.__file__).parent
    for path in room.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            elif isinstance(node, ast.Import):
                names = [each.name for each in node.names]
            for name in names:
                assert not name.startswith("boxman.table"), path.name
                assert name not in ("boxman.strategy.reference", "boxman.strategy.worth"), path.name


# -- what goes wrong ------------------------------------------------------------------------------


@strategy
def divides_late(t: Any) -> None:
    t.bet(PASS, 10 // (t.shooters - 3))


@strategy
def no_spot(t: Any) -> None:
    if t.rolls > 4:
        t.bet(t.puck - 1, 10)


@strategy
def no_spot_read(t: Any) -> None:
    if t.rolls > 4:
        t.won(94)


@strategy
def raises(t: Any) -> None:
    if t.last == 12:
        raise ValueError("boxcars")


@strategy
def too_many(t: Any) -> None:
    if t.shooters == 2:
        while not t.bet(PASS_ODDS, 1):
            t.down(PASS)


@strategy
def many(t: Any) -> None:
    for _ in range(480):
        t.bet(FIELD, 10)
        t.down(FIELD)
    t.bet(FIELD, 10)


@strategy
def no_odds(t: Any) -> None:
    t.bet(6, 10)
    if t.last == 11:
        t.odds_on(6, 2)


@strategy
def too_large(t: Any) -> None:
    t.bet(PASS, 10)
    if t.shooters == 1:
        t.odds(10**12)
        t.fit(PASS, 10**16)
        t.press(PASS, 10**15)


WRONG = [divides_late, no_spot, no_spot_read, raises, too_many, no_odds]


@pytest.mark.parametrize("chosen", WRONG, ids=lambda each: each.name)
def test_sessions_that_go_wrong_are_those_of_the_reference(chosen: Strategy) -> None:
    where = session("rws", bankroll=500, rolls=30)
    run = Kernel(chosen, where).run(2, 0, 25)
    raised = []
    for number in range(25):
        try:
            played = play(chosen, where, stream(2, number))
        except StrategyError:
            raised.append(True)
        else:
            raised.append(False)
            assert run.lanes.net[number] == played.net
    assert (run.error != 0).tolist() == raised
    assert any(raised)


def test_many_acts_are_left_to_the_reference() -> None:
    """The kernel counts roughly; what may be too many for it need not be too many."""
    where = session("rws", bankroll=500, rolls=3)
    assert Kernel(many, where).run(2, 0, 2).error.all()
    player = KernelPlayer(many, where)
    assert player.play(2, 0, 1).net[0] == play(many, where, stream(2, 0)).net


def test_numbers_beyond_the_kernel_are_left_to_the_reference() -> None:
    where = session("rws", bankroll=500, rolls=30)
    run = Kernel(too_large, where).run(2, 0, 25)
    for number in range(25):
        played = play(too_large, where, stream(2, number))
        assert run.error[number] or run.lanes.net[number] == played.net
    assert run.error.any()
    assert not run.error.all()


@pytest.mark.parametrize("house", houses())
@pytest.mark.parametrize("chosen", [wild, named("percent")], ids=lambda each: each.name)
def test_refusals_with_their_clauses(house: str, chosen: Strategy) -> None:
    """As many of each kind as on the reference, where one code may rest on several clauses."""
    where = session(house, **FIVES, bankroll=80, rolls=60)
    few, slow = (simulate(chosen, where, 8, 9, executor=name) for name in ("kernel", "reference"))
    assert few.refused_in == slow.refused_in == 8
    told = [
        {(each.code, each.spot, each.cites): each.count for each in found.refusals}
        for found in (few, slow)
    ]
    assert told[0] == told[1]
    assert all(each.cites and each.sentence for each in few.refusals)


def test_a_result_shows_refusals_of_many_sessions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(felt_samples, "FELTS", 500)
    where = session("rws", bankroll=80, rolls=60)
    found = simulate(wild, where, 100, 9, executor="kernel")
    assert 0 < found.sampled < found.refused_in == 100, "so many felts are counted in fewer"
    assert refusals(found) == counted(Kernel(wild, where).run(9, 0, 100))
    assert "Refused in all sessions" in text(summary(found))
