"""Running simulations: the same bits however they are cut, and what a user meets on the way."""

from __future__ import annotations

import threading
from collections import Counter
from functools import partial
from typing import Any

import msgspec
import pytest

from boxman.report.terminal import text
from boxman.sim import dice, felt_samples, run
from boxman.sim.executors import choose
from boxman.sim.executors.automaton import ENGINES, AutomatonPlayer
from boxman.sim.executors.generic import GENERIC, KernelPlayer
from boxman.sim.executors.reference import ReferencePlayer
from boxman.sim.run import Progress, SlowExecutorWarning, compare, replay, simulate
from boxman.sim.samples import SAMPLE
from boxman.sim.words import summary
from boxman.strategy.api import Strategy, StrategyError, strategy
from boxman.strategy.automaton import explore
from boxman.strategy.library import named
from boxman.strategy.reference import play
from boxman.strategy.session import session
from boxman.strategy.spots import BUY, FIELD, HARD, PASS, PASS_ODDS, PLACE
from tests.limits import FIVES

SHORT = session("rws", bankroll=100, rolls=60)
MOLLY = named("molly")
LINE = named("pass-odds(odds=2)")
"""A strategy that is explored in no time."""


def digest(end: str = "face", chosen: Strategy = LINE, **options: Any) -> str:
    played = msgspec.structs.replace(SHORT, end=end)
    return simulate(chosen, played, **{"sessions": 200, "seed": 3, **options}).digest()


def test_pieces_threads_and_executors_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = digest()
    assert digest(threads=1) == digest(threads=3) == expected
    assert digest(executor="numba") == expected
    assert digest(executor="kernel") == expected
    assert digest(executor="reference") == expected
    monkeypatch.setattr(run, "FIRST", 37)
    name, pace = ENGINES["numpy"]
    monkeypatch.setitem(ENGINES, "numpy", (name, pace._replace(piece=1)))
    assert digest(threads=2) == expected
    assert digest(seed=4) != expected


def test_a_long_run_goes_over_to_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = simulate(LINE, SHORT, 20_000, 3, executor="numpy")
    monkeypatch.setattr(run, "LONG_RUN", 1)
    # Compiled in this process already: the mark says it can be had at once.
    monkeypatch.setattr(run.warm, "is_ready", lambda name: True)
    found = simulate(LINE, SHORT, 20_000, 3)
    assert found.executor == "automaton, NumPy + automaton, Numba"
    assert found.digest() == expected.digest()


def test_the_result_says_what_happened() -> None:
    found = simulate(LINE, SHORT, 1_000, 3)
    assert found.executor == "automaton, NumPy"
    assert not found.reasons
    assert not found.partial
    assert (found.sessions, found.asked, found.sampled) == (1_000, 1_000, 1_000)
    assert 0 < found.ruin < 1
    # What the wagers made is what the sessions made, but for those still up.
    assert sum(each.staked for each in found.wagers) == found.staked
    refused = {(each.code, each.spot) for each in found.refusals}
    assert ("rail-short", "pass.odds") in refused
    assert all(each.cites for each in found.refusals)


@strategy
def spends(t: Any) -> None:
    """Reads its cash, so that no automaton plays it; asks for too much after a seven."""
    t.bet(FIELD, 10 if t.cash > 50 else 5)
    if t.last == 7:
        t.bet(PASS, 100_000)


PLAYED = {"numpy": named("pass-odds(odds=2)"), "kernel": spends, "reference": spends}


@pytest.mark.parametrize("executor", PLAYED)
@pytest.mark.parametrize("end", ["face", "value"])
def test_parts_of_a_run_merge_to_the_run(executor: str, end: str) -> None:
    """Played apart, as on two machines: every figure, wager and refusal."""
    played, where = PLAYED[executor], msgspec.structs.replace(SHORT, end=end)
    part = partial(simulate, played, where, seed=3, executor=executor)
    whole = part(sessions=120)
    late, early = part(sessions=70, first=50), part(sessions=50)
    assert late.spans == ((50, 120),)
    assert not {late.digest(), early.digest()} & {whole.digest()}
    for merged in (late.merged(early), early.merged(late)):
        assert merged.digest() == whole.digest()
        for name in ("spans", "wagers", "refusals", "refused_in", "possible", "sampled"):
            assert getattr(merged, name) == getattr(whole, name), name
    assert whole.refusals
    with pytest.raises(ValueError, match="sessions 50 to 119 are in both parts"):
        whole.merged(late)


def test_sessions_whose_number_does_not_exist() -> None:
    last = simulate(LINE, SHORT, 1, 3, first=dice.SESSIONS - 1)
    rail = play(LINE, SHORT, dice.stream(3, dice.SESSIONS - 1)).net
    assert (last.nets, last.worst) == ((rail,), dice.SESSIONS - 1)
    for first in (-1, dice.SESSIONS - 1):
        with pytest.raises(ValueError, match="do not fit"):
            simulate(LINE, SHORT, 2, 3, first=first)


@pytest.mark.parametrize("executor", ["kernel", "reference"])
def test_refusals_are_counted_in_every_session(
    executor: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also behind the sessions that wagers are counted in."""
    monkeypatch.setattr(felt_samples, "SESSIONS", 50)
    found = simulate(spends, SHORT, 300, 3, executor=executor)
    assert found.refused_in == 300 > found.sampled == 50
    wanted: Counter[tuple[str, str, tuple[str, ...]]] = Counter()
    for number in range(300):
        for each in play(spends, SHORT, dice.stream(3, number)).refusals:
            wanted[each.code, each.spot, each.cites] += each.count
    assert {(r.code, r.spot, r.cites): r.count for r in found.refusals} == wanted


@strategy(twelves=0)
def rarely(t: Any) -> None:
    """Asks for too much after five twelves in a row, once in sixty million rolls."""
    t.bet(FIELD, 10)
    t.twelves = min(t.twelves + 1, 5) if t.last == 12 else 0
    if t.twelves == 5:
        t.bet(HARD[6], 100_000)


def test_a_refusal_that_did_not_come_is_told_as_possible() -> None:
    rich = simulate(rarely, session("rws", bankroll=10_000, rolls=40), 500, 3)
    assert not rich.refusals
    assert [(each.code, each.spot, each.count) for each in rich.possible] == [
        ("over-maximum", "hard.6", 0)
    ]
    assert all(each.cites for each in rich.possible)
    assert "Not refused in the first 500 sessions, but possible" in text(summary(rich))
    # Money for four of the forty rolls may run out, whether or not it did in these sessions.
    poor = simulate(rarely, session("rws", bankroll=40, rolls=40), 500, 3)
    short = {(each.code, each.spot) for each in poor.refusals + poor.possible}
    assert ("rail-short", "field") in short
    assert not {each.code for each in rich.possible} & {"rail-short"}


@strategy
def keeps(t: Any) -> None:
    """Made again by the rolls themselves."""
    t.bet(PLACE[6], 12)
    t.bet(HARD[8], 5)
    t.stay_up(PLACE[6])
    t.stay_up(HARD[8])


@strategy
def moves(t: Any) -> None:
    """Fees paid and handed back, stakes raised, lowered and taken down."""
    if t.puck:
        t.bet(BUY[4], 40)
    if t.last == 5:
        t.press(BUY[4], 20)
    if t.last == 9:
        t.regress(BUY[4], 40)
    if t.last == 3:
        t.down(BUY[4])
    t.bet(FIELD, 10)


@pytest.mark.parametrize(
    ("house", "played"),
    [
        ("rws", named("molly(comes=1)")),
        ("nsw", named("buy-4-10")),
        ("adelaide", named("lay-4-10")),
        ("rws", named("hammerlock")),
        ("rws", keeps),
        ("nsw", moves),
        ("perth-crapless", moves),
    ],
)
@pytest.mark.parametrize("end", ["face", "run-out"])
def test_samples_are_the_same_by_the_reference(house: str, played: Strategy, end: str) -> None:
    """Bets, stakes, fees, wins and refusals of every wager."""
    short = session(house, **FIVES, bankroll=150, rolls=60, end=end)
    quick = simulate(played, short, 30, 3, executor="numpy")
    slow = simulate(played, short, 30, 3, executor="reference")
    assert quick.sampled == slow.sampled == 30
    assert quick.wagers == slow.wagers
    assert {(r.code, r.spot, r.cites): r.count for r in quick.refusals} == {
        (r.code, r.spot, r.cites): r.count for r in slow.refusals
    }
    # What was paid and what was put down is all there is to the stakes of a session.
    assert sum(wager.staked for wager in quick.wagers) == quick.staked == slow.staked


@pytest.mark.parametrize("end", ["face", "run-out"])
@pytest.mark.parametrize("played", [LINE, moves], ids=["line", "moves"])
def test_samples_of_compiled_sessions_are_the_same(played: Strategy, end: str) -> None:
    short = session("nsw", **FIVES, bankroll=150, rolls=60, end=end)
    one, other = (simulate(played, short, 200, 3, executor=name) for name in ("numpy", "numba"))
    assert one.wagers == other.wagers
    assert (one.refusals, one.possible) == (other.refusals, other.possible)


def test_few_sessions_of_very_many_rolls_are_played_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(run, "LONG_SESSION", 3_000)
    long = session("rws", bankroll=100_000, rolls=3_000)
    found = simulate(LINE, long, 3, 5)
    assert found.executor == "automaton, Numba"
    assert found.digest() == simulate(LINE, long, 3, 5, executor="numpy").digest()


def test_a_sample_where_nobody_ever_throws() -> None:
    """Without a line wager a player of his own gets no dice: nothing but what was put down."""
    alone = session("adelaide", shooter="self", minimum=1)
    found = simulate(keeps, alone, 5, 3, executor="numpy")
    assert found.ended("no shooter") == 5
    assert found.wagers == simulate(keeps, alone, 5, 3, executor="reference").wagers


def test_what_is_expected_counts_stakes_that_are_made_again() -> None:
    deep = session("rws", bankroll=100_000, rolls=50)
    found = simulate(keeps, deep, 3_000, 3)
    assert found.expected is not None
    assert found.staked / found.sessions == pytest.approx(found.expected.staked, rel=0.01)
    assert abs(found.mean - found.expected.net) < 4.5 * found.error


@pytest.mark.parametrize("end", ["value", "run-out"])
def test_a_pass_line_that_is_decided_or_valued_keeps_its_edge(end: str) -> None:
    found = simulate(named("pass"), session("rws", rolls=50, end=end), 10, 3)
    assert found.expected is not None
    assert found.expected.edge == pytest.approx(7 / 495, abs=1e-12)


def test_a_sample_does_not_grow_with_the_run() -> None:
    found = simulate(named("pass"), session("rws", rolls=10), SAMPLE + 500, 1)
    assert found.sampled == SAMPLE


def test_what_is_expected_of_very_many_rolls_is_not_rolled_one_by_one() -> None:
    """A pass line bet is made every 3.3758 rolls (557/165) and loses 7/495 of itself."""
    deep = session("rws", bankroll=10**9, rolls=10**9)
    player, _ = choose(named("pass"), deep, "numpy")
    found = player.expected()
    assert found is not None
    assert found.net / -(10**9 * 1000 * 165 / 557 * 7 / 495) == pytest.approx(1, abs=1e-6)


def test_what_is_expected_of_a_pass_line() -> None:
    """One roll wins on 8 of 36 and loses on 4, with the rest at face; of many rolls, and with the
    rest at its value of one too, the house keeps 7/495 a bet."""
    for end, net in (("face", 1_000 * (8 - 4) / 36), ("value", -1_000 * 7 / 495)):
        one = simulate(named("pass"), session("rws", rolls=1, end=end), 10, 1).expected
        assert one is not None
        assert one.net == pytest.approx(net)
        assert one.staked == 1_000
    many = simulate(named("pass"), session("rws", rolls=20_000), 10, 1, executor="numpy").expected
    assert many is not None
    assert many.edge == pytest.approx(7 / 495, rel=2e-3)


def test_any_session_can_be_replayed() -> None:
    found = simulate(LINE, SHORT, 500, 3)
    for number, net in (
        (found.worst, found.nets[0]),
        (found.typical, found.median),
        (found.luckiest, found.nets[-1]),
    ):
        played = replay(LINE, SHORT, 3, number)
        assert played.net == net
        assert played.transcript().startswith("house rws")


def test_compared_on_the_same_dice() -> None:
    strategies = [named("pass"), named("pass-odds"), named("iron-cross")]
    found = compare(strategies, SHORT, 400, 3)
    assert [each.digest() for each in found.results] == [
        simulate(each, SHORT, 400, 3).digest() for each in strategies
    ]
    assert [(pair.one, pair.other) for pair in found.pairs] == [
        (strategies[a].name, strategies[b].name) for a, b in ((0, 1), (0, 2), (1, 2))
    ]
    one, other = found.results[0], found.results[2]
    assert found.pairs[1].mean == pytest.approx(one.mean - other.mean)
    assert sum(found.pairs[1].counts) == 400
    assert "95" in found._repr_html_()


def test_the_first_summary_comes_early() -> None:
    seen: list[tuple[int, int]] = []

    def watch(progress: Progress) -> None:
        (so_far,) = progress.summary()
        assert so_far.partial
        seen.append((progress.done, so_far.sessions))

    simulate(named("pass"), session("rws", rolls=10), 30_000, 1, progress=watch)
    assert seen[0] == (run.FIRST, run.FIRST)
    assert run.FIRST >= 10_000


def test_cancelled_it_gives_what_there_is() -> None:
    stop = threading.Event()
    found = simulate(LINE, SHORT, 50_000, 3, progress=lambda progress: stop.set(), cancel=stop)
    assert found.partial
    assert found.sessions == run.FIRST
    assert found.asked == 50_000
    assert found.digest() == simulate(LINE, SHORT, run.FIRST, 3).digest()


def test_interrupted_it_gives_what_there_is() -> None:
    def interrupt(progress: Progress) -> None:
        raise KeyboardInterrupt

    found = simulate(LINE, SHORT, 50_000, 3, progress=interrupt)
    assert found.partial
    assert found.sessions == run.FIRST


@strategy
def careful(t: Any) -> None:
    """Asks for odds it cannot pay when it is poor, so that something is refused."""
    t.bet(PASS, 10 if t.cash > 60 else 5)
    t.bet(PASS_ODDS, 30)


def test_a_strategy_that_reads_its_cash_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen, reasons = choose(careful, SHORT)
    assert isinstance(chosen, KernelPlayer)
    assert "t.cash" in reasons[0]
    assert "test_run.py" in reasons[0]
    monkeypatch.setattr(run.warm, "is_ready", lambda name: True)
    found = simulate(careful, SHORT, 300, 3)
    assert found.executor == "generic kernel"
    assert found.digest() == simulate(careful, SHORT, 300, 3, executor="reference").digest()


class Compiling:
    """Another process that compiles; the cache is ready after it was asked so often."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, asked: int) -> None:
        self.left = asked
        self.begun: list[str] = []
        monkeypatch.setattr(run.warm, "is_ready", self.is_ready)
        monkeypatch.setattr(run.warm, "start", self.start)

    def is_ready(self, name: str) -> bool:
        self.left -= 1
        return self.left < 0

    def start(self, name: str) -> Any:
        self.begun.append(name)
        return self

    def poll(self) -> None:
        """It still runs."""


def test_the_reference_plays_until_the_kernel_is_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = simulate(careful, SHORT, 700, 3, executor="reference")
    compiling = Compiling(monkeypatch, 9)
    monkeypatch.setattr(run, "GENERIC_RUN", 1)
    found = simulate(careful, SHORT, 700, 3, threads=1)
    assert set(compiling.begun) == {GENERIC}
    assert found.executor == "reference + generic kernel"
    assert found.digest() == expected.digest()
    # What both refused is told once.
    assert found.refused_in == 700
    assert found.refusals == expected.refusals
    assert {each.code for each in found.refusals} >= {"rail-short"}


def test_a_short_run_does_not_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    compiling = Compiling(monkeypatch, 1_000)
    found = simulate(careful, SHORT, 30, 3)
    assert (found.executor, compiling.begun) == ("reference", [])


@strategy
def fraction(t: Any) -> None:
    """Nothing in its source tells that the compiler will not have it."""
    t.bet(PASS, (10, 5)[t.cash < 60])
    t.press(PASS, (1, "2")[t.cash < 0])


def test_a_strategy_found_late_not_to_compile_stays_where_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = simulate(fraction, SHORT, 700, 3, executor="reference")
    Compiling(monkeypatch, 9)
    monkeypatch.setattr(run, "GENERIC_RUN", 1)
    with pytest.warns(SlowExecutorWarning, match=r"played on the reference.*test_run\.py:\d+"):
        found = simulate(fraction, SHORT, 700, 3, threads=1)
    assert found.executor == "reference"
    assert len(found.reasons) == 2
    assert found.digest() == expected.digest()


@strategy(log=0)
def talks(t: Any) -> None:
    t.bet(FIELD, 5 if t.cash > 90 else 10)
    if {10: 1, 11: 1}.get(t.last, 0):
        t.bet(PASS, 10)


def test_a_strategy_that_does_not_compile_is_played_with_a_warning() -> None:
    with pytest.warns(SlowExecutorWarning, match=r"played on the reference.*test_run\.py:\d+"):
        found = simulate(talks, SHORT, 20, 3)
    assert found.executor == "reference"
    assert len(found.reasons) == 2
    for number in range(3):
        assert play(talks, SHORT, dice.stream(3, number)).net in found.nets


@pytest.mark.parametrize("states", [118, pytest.param(600, marks=pytest.mark.soak)])
def test_more_than_the_budget_hands_over_near_ruin(
    monkeypatch: pytest.MonkeyPatch, states: int
) -> None:
    """Where bands of low cash are not known, lanes that come there are played by the kernel."""
    from boxman.sim.executors import automaton

    ends = ("face", "run-out", "value") if states > 118 else ("face",)
    expected = {end: digest(end, MOLLY) for end in ends}
    short = partial(explore, states=states)
    monkeypatch.setattr(automaton, "explore", short)
    chosen, reasons = choose(MOLLY, SHORT)
    assert isinstance(chosen, AutomatonPlayer)
    assert chosen.name == "automaton, NumPy, hand-over to generic kernel"
    assert len(reasons) == 1
    assert f"more than {states} states" in reasons[0]
    assert digest(chosen=MOLLY, executor="numba") == expected["face"]
    assert {end: digest(end, MOLLY) for end in expected} == expected
    # Wherever the puck was, what is refused by the same clauses is told once.
    told = [(r.code, r.spot, r.cites) for r in chosen.sample(3, 200).refusals]
    assert ("rail-short", "pass.odds") in {kind[:2] for kind in told}
    assert len(set(told)) == len(told)


def test_an_exception_is_told_with_session_and_roll() -> None:
    @strategy(turns=0)
    def breaks(t: Any) -> None:
        t.bet(PASS, 10)
        t.turns += 1
        if t.cash < 40 and t.turns > 20:
            t.bet(PASS_ODDS, 10 // (t.puck - t.puck))

    with pytest.raises(
        StrategyError, match=r"session \d+.*test_run\.py:\d+.*ZeroDivisionError"
    ) as told:
        simulate(breaks, SHORT, 200, 3)
    lines = told.value.trace.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[-1].startswith("ZeroDivisionError")
    # From the strategy's own line on: nothing of the program that called it.
    assert next(line for line in lines if line.startswith("  File")).count("test_run.py") == 1
    assert "The above exception" not in told.value.trace


def test_what_cannot_be_asked_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one session"):
        simulate(LINE, SHORT, 0)
    with pytest.raises(ValueError, match="a seed is a whole number"):
        simulate(LINE, SHORT, 1, -1)
    with pytest.raises(ValueError, match="no executor fast; there are auto, numpy"):
        simulate(LINE, SHORT, 1, 1, executor="fast")
    with pytest.raises(StrategyError, match=r"by numpy: .*t\.cash.*has no automaton"):
        simulate(named("percent"), SHORT, 1, 1, executor="numpy")


def test_the_reference_player_travels_without_its_felts() -> None:
    import pickle

    player = ReferencePlayer(LINE, SHORT)
    player.play(3, 0, 1)
    chosen, _ = choose(LINE, SHORT)
    sent = pickle.loads(pickle.dumps(chosen))
    assert (sent.play(3, 0, 50).net == chosen.play(3, 0, 50).net).all()
    assert sent.explored is None


def test_a_strategy_that_fails_at_once_is_not_called_slow(recwarn: Any) -> None:
    @strategy
    def wrong(t: Any) -> None:
        t.bet(PASS, t.cash / 50)

    with pytest.raises(StrategyError, match=r"session 0: .*use // to divide"):
        simulate(wrong, SHORT, 20, 3)
    assert not recwarn.list
