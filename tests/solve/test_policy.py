"""A policy as a file and a strategy: it keeps what was promised, on the table's own felts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from typing import Any

import msgspec
import pytest

from boxman.rules.book import houses
from boxman.sim.exact import NotSolved, explored
from boxman.sim.executors import choose
from boxman.sim.followed import followed
from boxman.sim.run import simulate
from boxman.solve import solve
from boxman.solve.answer import Answer
from boxman.strategy.api import StrategyError, strategy, together
from boxman.strategy.debug import steps
from boxman.strategy.felt import Felts
from boxman.strategy.library import find
from boxman.strategy.library.policy import policy_of, read_policy
from boxman.strategy.quick import play_quick
from boxman.strategy.reference import play
from boxman.strategy.session import session
from boxman.strategy.spots import FIELD, PASS
from tests.limits import FIVES

ROOT = Path(__file__).parents[2]
QUESTIONS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("rws", "pass,odds", "5..60:5", {"bankroll": 60, "reach": 120}),
    ("nsw", "dont_pass,odds", "5,10 odds=6,12", {"bankroll": 30, "reach": 60}),
    ("adelaide", "place.6,place.8,calls", "6,12", {"bankroll": 24, "reach": 40, "minimum": 6}),
    ("newzealand", "pass,come,odds", "5 odds=most", {"bankroll": 20, "reach": 40}),
    ("rws", "buy.4,lay.10,hard.6", "buy=20 lay=40 hard=5", {"bankroll": 100, "reach": 140}),
    ("perth-crapless", "pass,odds", "5,10", {"bankroll": 20, "reach": 40, "rolls": 12}),
    ("nsw", "pass,odds,field", "5,10 odds=most", {"bankroll": 20, "ahead": 8}),
    ("rws", "pass,dont_pass", "5", {"bankroll": 25, "last": 15, "at_least": 5}),
    ("rws", "pass,field", "5", {"bankroll": 15, "reach": 30, "shooter": "self"}),
    ("nsw", "dont_pass,field", "5", {"bankroll": 15, "reach": 30, "shooter": "self"}),
    ("perth-crapless", "pass,place.6", "6", {"bankroll": 18, "reach": 30, "shooter": "self"}),
]


def asked(question: tuple[str, str, str, dict[str, Any]]) -> Answer:
    house, menu, stakes, options = question
    return solve(house, menu, stakes, **{"minimum": 5, "maximum": 1000, **options})


def chance(answer: Answer, name: str = "best") -> float:
    """The chance of the goal, from the policy's own exact session on the felts."""
    goal: Any = answer.goal
    options = {"rolls": goal.rolls} if goal.rolls else {}
    played = answer.session
    there = session(
        played.house,
        bankroll=played.bankroll // 100,
        minimum=played.minimum // 100,
        shooter=played.shooter,
        **options,
    )
    found = followed(answer.policy(name).strategy(), there, ever=not goal.rolls)
    assert found.mass == pytest.approx(1, abs=1e-12)
    if hasattr(goal, "target"):
        return found.at_least(goal.target - played.bankroll)
    return found.ends["rolls"]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: f"{q[0]} {q[1]}")
def test_what_is_promised_is_kept(question: tuple[str, str, str, dict[str, Any]]) -> None:
    answer = asked(question)
    assert 0 < answer.value < 1
    assert chance(answer) == pytest.approx(answer.value, abs=1e-12)


@pytest.mark.soak
def test_what_is_promised_is_kept_at_full_size() -> None:
    for house in houses():
        answer = solve(house, bankroll=300, reach=600)
        assert chance(answer) == pytest.approx(answer.value, abs=1e-12), house


def throws(seed: int) -> Iterator[int]:
    dice = random.Random(seed)
    while True:
        yield dice.randrange(36)


def test_sessions_come_out_so(tmp_path: Path) -> None:
    answer = asked(QUESTIONS[0])
    path = tmp_path / "best.policy"
    answer.policy().write(path)
    best = find(str(path))
    played = session("rws", bankroll=60, stop_win=60, rolls=100_000)
    felts, dice, sessions = Felts(played), throws(7), 2_000
    won = sum(play_quick(best, played, dice, felts).end == "win" for _ in range(sessions))
    error = sqrt(answer.value * (1 - answer.value) / sessions)
    assert abs(won / sessions - answer.value) < 4 * error


def test_it_is_refused_nothing_but_for_want_of_chips() -> None:
    for question in QUESTIONS:
        answer = asked(question)
        played = session(
            question[0],
            bankroll=answer.session.bankroll // 100,
            minimum=answer.session.minimum // 100,
            rolls=60,
            shooter=answer.session.shooter,
        )
        for seed in range(5):
            game = play(answer.policy().strategy(), played, throws(seed))
            assert [each.code for each in game.refusals if each.code != "rail-short"] == []


def test_a_file_reads_back(tmp_path: Path) -> None:
    answer = asked(QUESTIONS[1])
    path = tmp_path / "best.policy"
    answer.policy("mine").write(path)
    assert read_policy(path) == answer.policy("mine")
    found = find(str(path))
    assert found.name == "best"
    assert policy_of(found) == answer.policy("mine")
    assert b'"goal":"reach 60"' in path.read_bytes().partition(b"\n")[0]


@pytest.mark.parametrize(
    ("there", "words"),
    [
        ({"house": "nsw"}, "solved for house rws, and this session has house nsw"),
        ({"minimum": 10}, "solved for limits 5-1000, and this session has limits 10-1000"),
        ({"chip": 5}, "chips of 1, and this session has chips of 5"),
        ({"shooter": "self"}, "the shooter guest, and this session has the shooter self"),
        ({"bankroll": 40}, "a bankroll of 40 is there already"),
        ({"rolls": 7}, "solved for 12 rolls, and this session has 7"),
    ],
)
def test_a_policy_is_played_where_it_was_solved_for(there: dict[str, Any], words: str) -> None:
    """By all who play strategies, and inside of others too."""
    best = solve("rws", "pass", "5", bankroll=20, reach=40, rolls=12).policy().strategy()
    played = session(**{"house": "rws", "bankroll": 20, **FIVES, **there})
    for one in (best, together(best, find("pass(unit=10)"))):
        for tried in (choose, explored, lambda *asked: next(steps(*asked, iter(())))):
            with pytest.raises(StrategyError, match=words):
                tried(one, played)
    choose(best, session("rws", bankroll=15))


def test_a_policy_of_a_rulebook_that_was_changed_is_refused(tmp_path: Path) -> None:
    """Under one name the text decides; under two names one text is one house."""
    text = (ROOT / "src" / "boxman" / "rulebooks" / "rws.md").read_text()
    own, same = tmp_path / "own.md", tmp_path / "same.md"
    for path in (own, same):
        path.write_text(text)
    best = solve(str(own), "pass", "5", bankroll=20, reach=40).policy().strategy()
    choose(best, session(str(own), bankroll=20))
    choose(best, session(str(same), bankroll=20))
    own.write_text(text + "\n")
    with pytest.raises(StrategyError, match="is not the one it was solved for"):
        choose(best, session(str(own), bankroll=20))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is no policy"),
        (b"[1]\nx", "is no policy"),
        (b"\xff\xfe\nx", "is no policy"),
        (b'{"policy": 99}\nx', "another version"),
        (b'{"policy": 1}\nnonsense', "damaged"),
    ],
)
def test_other_files_are_told_apart(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "best.policy"
    path.write_bytes(data)
    with pytest.raises(StrategyError, match=words):
        find(str(path))


def test_strategies_that_read_their_chips_are_followed() -> None:
    """Not policies only: the last unit on the field, until it is gone or doubled."""

    @strategy
    def all_in(t: Any) -> None:
        t.bet(FIELD, t.cash or 5)

    @strategy
    def counts(t: Any) -> None:
        if t.rolls < 2:
            t.bet(FIELD, 5)

    @strategy
    def shooters(t: Any) -> None:
        t.bet(PASS, 5 + t.shooters)

    once = followed(all_in, session("rws", bankroll=10, stop_win=10), ever=True)
    layout_wins = once.ends["win"]
    assert layout_wins == pytest.approx(16 / 36, abs=1e-12)
    two = followed(counts, session("rws", bankroll=10, rolls=9))
    assert two.rolls == pytest.approx(9)
    assert two.nets[-1000] == pytest.approx((20 / 36) ** 2, abs=1e-12)

    @strategy
    def line(t: Any) -> None:
        t.bet(PASS, min(t.cash, 5))

    for end, mean in (("value", -500 * 7 / 495), ("face", 500 * 4 / 36)):
        played = session("rws", bankroll=5, stop_win=5, rolls=1, end=end)
        assert followed(line, played).mean == pytest.approx(mean)
    with pytest.raises(NotSolved, match="shooters"):
        followed(shooters, session("rws", bankroll=10))


def test_many_sessions_are_looked_up_and_come_out_as_on_the_reference() -> None:
    for number, rolls in ((0, 80), (0, 5), (1, 80), (3, 80)):
        question = QUESTIONS[number]
        answer = asked(question)
        best = answer.policy().strategy()
        played = msgspec.structs.replace(answer.session, stop_win=1500, rolls=rolls)
        fast, _ = choose(best, played)
        slow, _ = choose(best, played, "reference")
        assert not fast.slow
        assert slow.slow
        ours, theirs = fast.play(3, 5, 120), slow.play(3, 5, 120)
        for name in ("net", "rolls", "sevens", "ending", "drawdown", "staked"):
            assert getattr(ours, name).tolist() == getattr(theirs, name).tolist(), name
        assert ours.value == theirs.value  # of what is still up
        assert ours.value or rolls == 80


def test_a_simulation_of_a_policy() -> None:
    answer = asked(QUESTIONS[0])
    played = session("rws", bankroll=60, stop_win=60, rolls=2_000)
    result = simulate(answer.policy().strategy(), played, sessions=20_000, seed=11)
    won = sum(count for _, count in result.lengths["win"]) / result.sessions
    error = sqrt(answer.value * (1 - answer.value) / result.sessions)
    assert abs(won - answer.value) < 4 * error
