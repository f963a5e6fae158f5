"""Dealer school: every answer checked against somebody else than the drill itself.

Payouts are settled a second time by the auditor, which never reads a rulebook; a wager that may
come down is taken down by playing the story again on a fresh table; grounds of no roll are called
at a table and the engine says what they do.
"""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest
from fastapi import HTTPException

from boxman.pit.told.drills import EFFECTS, KINDS, LEVELS, WHO, Drill, Given, ask, judge, make
from boxman.pit.told.throws import seen
from boxman.rules.book import houses, read_book
from boxman.rules.compile import load
from boxman.rules.layout import Layout
from boxman.table.calls import Bet, BuyIn, CallNoRoll, CallRoll, CloseBets
from boxman.table.floor.throws import needs_close
from boxman.table.opening import Open, open_table
from boxman.table.ruling import rule
from boxman.table.rulings import Ruling
from boxman.table.state import NoRolled, Rolled, Settled, Table
from boxman.words.say import texts
from tests.auditor import Auditor
from tests.test_auditor import follow

SEEDS = range(24)


def section(name: str) -> dict[str, str]:
    """The phrases of a section of the book, by name."""
    return {
        key.removeprefix(name): text for key, text in texts("en").items() if key.startswith(name)
    }


SAID = {each: section("pit.school.effects.")[each] for each in EFFECTS}
SEEN, GOOD = section("pit.seen."), tuple(section("pit.good.").values())


def _opened(house: str) -> Table:
    table = open_table(Open(house=house, chip=100, minimum=500, maximum=50_000)).table
    assert table is not None
    return table


def _signed(answer: str) -> int:
    return round(float(answer) * 100)


def _audited(house: str, layout: Layout, drill: Drill) -> int:
    """The net of a payout as the auditor has it, which must be the drill's answer."""
    table = _opened(house)
    auditor = Auditor(house, chip=100, minimum=500, maximum=50_000)
    for call in drill.story:
        ruling = rule(layout, table, call)
        assert ruling.accepted
        table = ruling.after
        if isinstance(call, CallRoll):
            auditor.roll(call.first, call.second)
        else:
            follow(auditor, ruling)
    assert drill.roll is not None
    decided = auditor.roll(drill.roll.first, drill.roll.second).values()
    net = sum(each.paid - each.taken for each in decided)
    assert net == _signed(drill.answer), drill.question
    return net


@pytest.mark.parametrize("house", houses())
def test_payouts_are_what_the_auditor_pays(house: str) -> None:
    layout = load(house)
    nets = Counter[bool]()
    for seed in SEEDS:
        nets[_audited(house, layout, make(house, "payout", seed)) > 0] += 1
    assert nets[True]
    assert nets[False]


@pytest.mark.parametrize("house", houses())
def test_a_wager_that_may_come_down_comes_down(house: str) -> None:
    layout = load(house)
    answers = Counter[str]()
    for seed in SEEDS:
        drill = make(house, "down", seed)
        table = _opened(house)
        for call in drill.story[:-1]:
            table = rule(layout, table, call).after
        taken: Ruling = rule(layout, table, drill.story[-1])
        assert taken.accepted == (drill.answer == "yes"), f"seed {seed}: {drill.question}"
        back = taken.after.seats[WHO].rail > table.seats[WHO].rail
        assert back == (drill.answer == "yes")
        answers[drill.answer] += 1
    # Neither answer can be guessed.
    assert min(answers["yes"], answers["no"]) >= len(SEEDS) // 4


def _effect(house: str, cause: str) -> str:
    """What the engine does with a throw on this ground, called and not called."""
    layout, table = load(house), _opened(house)
    for call in (
        BuyIn(seat=WHO, amount=10_000),
        Bet(seat=WHO, spot="pass", amount=1_000),
        *([CloseBets()] if needs_close(layout) else []),
    ):
        table = rule(layout, table, call).after
    person = "somebody" if cause else ""
    rolled = rule(layout, table, CallRoll(first=4, second=2, cause=cause, person=person))
    called = rule(layout, table, CallNoRoll(cause=cause, person=person))
    if rolled.after.floor.ground == cause != "":
        # No total is taken: the throw waits, and nothing but the call of no roll ends it.
        assert not any(isinstance(each, NoRolled | Rolled) for each in rolled.decisions)
        assert not rule(layout, rolled.after, CallRoll(first=4, second=2)).accepted
        assert rule(layout, rolled.after, CallNoRoll(cause=cause, person=person)).accepted
        return "must"
    assert rolled.accepted, rolled.refusal
    if any(isinstance(each, NoRolled) for each in rolled.decisions):
        return "void"
    assert any(isinstance(each, Rolled) for each in rolled.decisions)
    return "may" if called.accepted and cause else "never"


@pytest.mark.parametrize("house", houses())
def test_grounds_of_no_roll_are_the_engines_own(house: str) -> None:
    asked: dict[str, Counter[str]] = {}
    for seed in range(150):
        drill = make(house, "noroll", seed)
        assert drill.options == tuple(SAID.values())
        assert SAID[_effect(house, drill.cause)] == drill.answer, drill.question
        asked.setdefault(drill.answer, Counter())[drill.cause] += 1
    causes = load(house).procedure.causes
    assert {each for every in asked.values() for each in every} - {""} == set(causes)
    # Good throws are among them, and no answer is right nearly always.
    assert asked[SAID["never"]][""] >= 10
    assert max(sum(every.values()) for every in asked.values()) <= 100


def test_every_ground_is_told_as_it_is_seen() -> None:
    for house in houses():
        layout, book = load(house), read_book(house)
        for cause in layout.procedure.causes:
            assert cause in SEEN
            assert seen(layout, book, cause) == SEEN[cause]
    for sentence in (*SEEN.values(), *GOOD):
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert "-" not in sentence
        # A question does not give its answer away.
        assert "roll:" not in sentence
        assert "No roll" not in sentence
    # A house of one's own may have other words: the title of the clause stands in.
    layout, book = load("adelaide"), read_book("adelaide")
    causes = {"odd": layout.procedure.causes["off-table"]}
    procedure = msgspec.structs.replace(layout.procedure, causes=causes)
    other = msgspec.structs.replace(layout, procedure=procedure)
    assert seen(other, book, "odd") == "Off the table."


@pytest.mark.parametrize("house", houses())
def test_answers_are_judged_and_explained_by_clauses(house: str) -> None:
    book = read_book(house)
    for kind in KINDS:
        for seed in range(3):
            drill: Drill = make(house, kind, seed)
            asked = ask(house, kind, seed)
            assert asked["question"] == drill.question
            assert "answer" not in asked
            given = {"house": house, "kind": kind, "seed": seed}
            told = judge(Given(**given, answer=drill.answer))
            assert told["right"]
            assert told["clauses"]
            assert all(each["id"] in book.clauses for each in told["clauses"])
            wrong = next((each for each in drill.options if each != drill.answer), "77777.77")
            told = judge(Given(**given, answer=wrong))
            assert not told["right"]
            # Both are shown, money with its sign and currency.
            said = f"+{book.house.currency}77,777.77" if not drill.options else wrong
            assert told["verdict"].startswith(f"Not quite. You said {said}; it is ")
            if asked["view"]:
                lying = [wager["stake"] for wager in asked["view"]["seats"][0]["wagers"]]
                assert asked["stakes"].count(book.house.currency) == len(lying)


def test_amounts_are_read_as_people_write_them() -> None:
    drill = make("nsw", "payout", 5)
    given = {"house": "nsw", "kind": "payout", "seed": 5}
    loss = drill.answer.startswith("-")
    plain = drill.answer.lstrip("-")
    sign = "−" if loss else "+"
    for text in (f"{sign}{plain}", f"{sign}${plain}", f" {sign} {plain}.00 "):
        assert judge(Given(**given, answer=text))["right"]
    assert judge(Given(**given, answer="0.00"))["verdict"].startswith("Not quite. You said $0;")
    for text in ("abc", "", "1o", "5.001", "--5x", "$"):
        with pytest.raises(HTTPException) as refused:
            judge(Given(**given, answer=text))
        assert refused.value.status_code == 422
        assert "is no amount" in refused.value.detail
    with pytest.raises(HTTPException) as refused:
        judge(Given(house="nsw", kind="down", seed=5, answer="maybe"))
    assert "yes; no" in refused.value.detail


@pytest.mark.parametrize("house", houses())
def test_propositions_and_levels_are_what_the_auditor_pays_and_powers_what_the_book_gives(
    house: str,
) -> None:
    layout, facts = load(house), [fact for fact in read_book(house).facts if fact.kind == "may"]
    for seed in SEEDS[:8]:
        for level, (least, most) in LEVELS.items():
            drill = make(house, "payout", seed, level)
            assert drill.ruling is not None
            decided = [each for each in drill.ruling.decisions if isinstance(each, Settled)]
            assert least <= len(decided) <= most
            _audited(house, layout, make(house, "prop", seed, level))
        drill = make(house, "authority", seed)
        power, station = drill.cause.split("/")
        given = any(
            fact.fact.call == power and station in fact.fact.who and not fact.fact.reason
            for fact in facts
        )
        assert drill.answer == ("yes" if given else "no")
