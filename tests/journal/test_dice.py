"""Dice that the protocol forbids are found, however well the rows are chained.

A house that cheats writes its own rows, and hashes them too: every forgery here is a real evening
of a desk, changed and chained anew from the first row on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from boxman.journal.dice_check import Fallen
from boxman.journal.export import export
from boxman.journal.pit_calls import (
    AddEntropy,
    Attest,
    Commit,
    Enter,
    Reveal,
    Throw,
    commitment_of,
    throw_of,
)
from boxman.journal.row import GENESIS, digest, line_of
from boxman.journal.verify import Verified, verify
from boxman.table.calls import (
    Bet,
    BuyIn,
    CallNoRoll,
    CallRoll,
    DiceOut,
    DiceRest,
    Overrule,
    VoidRoll,
)
from boxman.table.rulings import Refusal
from boxman.table.state import NoRolled, Reversed, Rolled
from tests.journal.evening import Hand, export_of
from tests.pit.test_desk import Evening

HANDS = 3
Rows = list[dict[str, Any]]


def _evening() -> Evening:
    """An evening with a few whole hands, a void roll, and a hand that is not over."""
    evening = Evening("nsw", practice=False)
    evening.say("player", BuyIn(seat="ann", amount=1_000_000))
    while evening.desk.book.dice.hand <= HANDS or evening.desk.book.dice.throws < 3:
        evening.say("player", Bet(seat="ann", spot="field", amount=500))
        evening.say("stick", Throw())
    return evening


@pytest.fixture(scope="module")
def rows() -> Rows:
    lines = list(export(_evening().journal, "t"))
    rows = [msgspec.json.decode(line) for line in lines if b'"call"' in line]
    del rows[0]["notes"]["engine"]  # no promise of rulebooks: the rows stand alone here
    return rows


def _chained(rows: Rows) -> list[bytes]:
    """Rows numbered, hashed and chained anew, with a header that agrees."""
    previous, lines = GENESIS, []
    for number, row in enumerate(rows, 1):
        plain = {**row, "number": number, "id": f"r{number}", "previous": previous}
        del plain["hash"]
        body = msgspec.json.encode(plain)
        previous = digest(body)
        lines.append(line_of(body, previous) + b"\n")
    header = {"boxman": "journal", "format": 1, "table": "t", "rows": len(rows), "head": previous}
    return [msgspec.json.encode(header) + b"\n", *lines]


def _kind(row: dict[str, Any]) -> str:
    return str(row["call"]["type"])


def _places(rows: Rows, kind: str) -> list[int]:
    return [place for place, row in enumerate(rows) if _kind(row) == kind]


def _found(rows: Rows) -> Verified:
    return verify(_chained(rows), most=10_000)


def test_an_honest_evening_is_sound_chained_anew_or_not(rows: Rows) -> None:
    found = _found(rows)
    assert found.problems == ()
    throws = len(_places(rows, "throw"))
    last_hand = sum(row["call"].get("hand") == HANDS + 1 for row in rows if _kind(row) == "throw")
    assert found.dice == "house"
    assert (found.rolls, found.proved) == (throws, throws - last_hand)
    assert 0 < last_hand < throws
    assert found.fallen == ()


# -- each trick: what is done to the rows, and what is said of it ------------------------------


def _never_committed(rows: Rows) -> Rows:
    return [row for row in rows if _kind(row) not in ("commit", "throw", "reveal")]


def _no_longer_committed(rows: Rows) -> Rows:
    shown = _places(rows, "reveal")[0]
    return rows[: shown + 1] + _never_committed(rows[shown + 1 :])


def _secret_public(rows: Rows) -> Rows:
    """The throws of the second hand are thrown on from the first, whose secret is shown."""
    shown = _places(rows, "reveal")[0]
    kept = [row for row in rows[shown + 1 :] if _kind(row) not in ("commit", "reveal")]
    index = rows[_places(rows[:shown], "throw")[-1]]["call"]["index"]
    for row in kept:
        if _kind(row) == "throw":
            index += 1
            row["call"].update(hand=1, index=index)
    return rows[: shown + 1] + kept


def _two_left_uncalled(rows: Rows) -> Rows:
    """Two throws that do not suit are never called: the next ones count."""
    for place in _places(rows, "callroll")[1:3][::-1]:
        del rows[place]
    return rows


def _last_uncalled(rows: Rows) -> Rows:
    return rows[: _places(rows, "throw")[-1] + 1]


def _called_without_effect(rows: Rows) -> Rows:
    rows[_places(rows, "callroll")[1]]["ruling"] = {}
    return rows


def _other_faces_settled(rows: Rows) -> Rows:
    """The right faces are called, others are settled."""
    roll = rows[_places(rows, "callroll")[1]]["ruling"]["decisions"][0]
    roll.update(first=6, second=6 if (roll["first"], roll["second"]) != (6, 6) else 5)
    return rows


def _other_faces_called(rows: Rows) -> Rows:
    """The right faces are settled, others were called."""
    call = rows[_places(rows, "callroll")[1]]["call"]
    call.update(first=6, second=6 if (call["first"], call["second"]) != (6, 6) else 5)
    return rows


def _settled_twice(rows: Rows) -> Rows:
    decisions = rows[_places(rows, "callroll")[1]]["ruling"]["decisions"]
    decisions.append(decisions[0])
    return rows


def _overruled_to_six_six(rows: Rows) -> Rows:
    place = next(
        place
        for place in _places(rows, "callroll")
        if (rows[place]["call"]["first"], rows[place]["call"]["second"]) != (6, 6)
    )
    row = msgspec.json.decode(msgspec.json.encode(rows[place]))
    row["call"] = {"type": "overrule", "first": 6, "second": 6, "by": "box"}
    back = {"type": "reversed", "why": "overruled", "cites": ["1"]}
    rolled = {"type": "rolled", "first": 6, "second": 6, "puck": 0, "event": "", "cites": ["1"]}
    row["ruling"] = {"decisions": [back, rolled]}
    return [*rows[: place + 1], row, *rows[place + 1 :]]


def _decided_faces(rows: Rows) -> Rows:
    """A roll that staff decide out of nothing."""
    row = msgspec.json.decode(msgspec.json.encode(_overruled_to_six_six(rows)))
    place = _places(row, "overrule")[0]
    row[place]["call"]["type"] = "decidefaces"
    del row[place]["ruling"]["decisions"][0]
    return list(row)


def _index_left_out(rows: Rows) -> Rows:
    rows[_places(rows, "throw")[1]]["call"]["index"] += 1
    return rows


def _hand_used_again(rows: Rows) -> Rows:
    rows[_places(rows, "commit")[1]]["call"]["hand"] = 1
    return rows


def _hand_left_out(rows: Rows) -> Rows:
    rows[_places(rows, "commit")[1]]["call"]["hand"] = 5
    return rows


def _secret_used_again(rows: Rows) -> Rows:
    first, second = _places(rows, "commit")[:2]
    rows[second]["call"]["commitment"] = rows[first]["call"]["commitment"]
    return rows


def _never_shown(rows: Rows) -> Rows:
    del rows[_places(rows, "reveal")[0]]
    return rows


def _shown_too_soon(rows: Rows) -> Rows:
    """In the middle of a hand, when the next throw does not suit, its dice are thrown away."""
    place = _places(rows, "callroll")[0]
    shown, commit = _places(rows, "reveal")[0], _places(rows, "commit")[1]
    hasty = [rows[shown], rows[commit]]
    return [*rows[: place + 1], *hasty, *rows[place + 1 :]]


def _shown_before_a_throw(rows: Rows) -> Rows:
    """The words that were added do not suit: the hand is shown, and another fixed."""
    commit = _places(rows, "commit")[0]
    shown = rows[_places(rows, "reveal")[0]]
    return [*rows[: commit + 1], shown, *rows[commit + 1 :]]


def _thrown_on_after_the_end(rows: Rows) -> Rows:
    """A hand that is over is not shown but thrown on."""
    shown = _places(rows, "reveal")[0]
    index = rows[_places(rows[:shown], "throw")[-1]]["call"]["index"]
    rest = rows[shown + 2 :]
    for row in rest:
        if _kind(row) == "throw":
            index += 1
            row["call"].update(hand=1, index=index)
    return rows[:shown] + rest


def _bet_between(rows: Rows) -> Rows:
    """Somebody bets between the throw and its call."""
    throw, bet = _places(rows, "throw")[1], _places(rows, "bet")[1]
    return [*rows[: throw + 1], rows[bet], *rows[throw + 1 :]]


def _other_secret(rows: Rows) -> Rows:
    rows[_places(rows, "reveal")[0]]["call"]["secret"] = "0" * 64
    return rows


def _secret_of_another_form(rows: Rows) -> Rows:
    rows[_places(rows, "reveal")[0]]["call"]["secret"] = "not hexadecimal"
    return rows


def _late_words(rows: Rows) -> Rows:
    place = _places(rows, "callroll")[0]
    row = msgspec.json.decode(msgspec.json.encode(rows[place]))
    row["call"] = {"type": "addentropy", "seat": "ann", "text": "late"}
    row["ruling"] = {}
    return [*rows[: place + 1], row, *rows[place + 1 :]]


def _setup_of_no_sense(rows: Rows) -> Rows:
    rows[0]["notes"]["setup"] = "[1"
    return _never_committed(rows)


@pytest.mark.parametrize(
    ("trick", "said"),
    [
        (_never_committed, "was called, and nobody threw it"),
        (_no_longer_committed, "was called, and nobody threw it"),
        (_secret_public, "stands under no commitment"),
        (_two_left_uncalled, "was thrown, and never called"),
        (_last_uncalled, "was thrown, and never called"),
        (_called_without_effect, "and nothing followed"),
        (_other_faces_settled, "was settled, but"),
        (_other_faces_called, "was called, but"),
        (_settled_twice, "was thrown once and settled twice"),
        (_overruled_to_six_six, "6-6 was settled, but"),
        (_decided_faces, "6-6 was settled, but"),
        (_index_left_out, "is out of order"),
        (_hand_used_again, "hand 1 comes after hand 1"),
        (_hand_left_out, "hand 5 follows hand 1"),
        (_secret_used_again, "was shown for an earlier hand"),
        (_never_shown, "hand 1 was never shown"),
        (_shown_too_soon, "hand 1 was shown before it was over"),
        (_shown_before_a_throw, "hand 1 was shown before it was over"),
        (_thrown_on_after_the_end, "after the hand was over and not shown"),
        (_bet_between, "was thrown, and never called"),
        (_other_secret, "is not the one committed to"),
        (_secret_of_another_form, "is not 64 hexadecimal digits"),
        (_late_words, "words were added after the first throw"),
        (_setup_of_no_sense, "was called, and nobody threw it"),
    ],
    ids=lambda value: value.__name__[1:] if callable(value) else "",
)
def test_what_the_protocol_forbids_is_found(
    rows: Rows, trick: Callable[[Rows], Rows], said: str
) -> None:
    copy: Rows = msgspec.json.decode(msgspec.json.encode(rows))
    found = _found(trick(copy))
    assert not found.sound
    assert all(problem.problem.startswith("dice: ") for problem in found.problems), found.problems
    assert any(said in problem.problem for problem in found.problems), found.problems


def test_rolls_that_nobody_threw_are_each_named_and_counted(rows: Rows) -> None:
    found = _found(_never_committed(rows))
    assert len(found.problems) == len(_places(rows, "callroll"))
    assert (found.rolls, found.proved) == (len(found.problems), 0)


def test_two_uncalled_throws_are_named_where_they_stand(rows: Rows) -> None:
    copy: Rows = msgspec.json.decode(msgspec.json.encode(rows))
    throws = _places(rows, "throw")[1:3]
    found = _found(_two_left_uncalled(copy))
    # The first keeps its number; before the second one row is gone.
    assert [problem.number for problem in found.problems] == [throws[0] + 1, throws[1]]


@pytest.mark.parametrize("hand", [-5, 0, 2**63, 2**70])
def test_numbers_out_of_range_are_a_sentence(rows: Rows, hand: int) -> None:
    copy: Rows = msgspec.json.decode(msgspec.json.encode(rows))
    for row in copy:
        if row["call"].get("hand") == 1:
            row["call"]["hand"] = hand
    assert any("is no number of a hand" in each.problem for each in _found(copy).problems)


@pytest.mark.parametrize("face", [0, 7, -1, 2**70])
def test_faces_out_of_range_are_a_sentence(rows: Rows, face: int) -> None:
    copy: Rows = msgspec.json.decode(msgspec.json.encode(rows))
    copy[_places(rows, "throw")[0]]["call"]["first"] = face
    assert any("is no throw of two dice" in each.problem for each in _found(copy).problems)


# -- what did not stand ------------------------------------------------------------------------


def test_throws_whose_call_did_not_stand_are_listed() -> None:
    evening = Evening("adelaide", practice=False)
    evening.say("player", BuyIn(seat="ann", amount=1_000_000))
    evening.say("stick", Throw())
    thrown = evening.desk.book.last
    assert thrown is not None
    call = VoidRoll(reason="riot", note="chairs flew")
    for who in ("box", "supervisor", "senior", "manager"):
        void = evening.say(who, call, person="bea")
        if void.ruling.refusal is None:
            break
    found = verify(export(evening.journal, "t"))
    assert found.problems == ()
    throw = next(row for row in evening.rows() if isinstance(row.call, Throw))
    assert found.fallen == (
        Fallen(
            throw=throw.number,
            first=thrown[0],
            second=thrown[1],
            row=void.number,
            what="void",
            ground="riot",
            role=who,
            person="bea",
        ),
    )
    text = found.fallen[0].text
    assert f"row {void.number}: void (riot), by {who} bea" in text
    assert f"{thrown[0]}-{thrown[1]} of row {throw.number} did not stand" in text


def test_a_whole_round_taken_back_lists_every_throw_of_it() -> None:
    hand = Hand()
    hand.add(Commit(hand=1, commitment=commitment_of(hand.secret)))
    pucks = (6, 6, 0, 8, 8)
    for index, puck in enumerate(pucks):
        first, second = throw_of(hand.secret, "one", 1, (), index)
        hand.add(Throw(hand=1, index=index, first=first, second=second))
        rolled = Rolled(first, second, puck, "", ("1",))
        hand.add(CallRoll(first=first, second=second), decisions=(rolled,))
    back = Reversed("fraud", ("1",), whole_round=True)
    hand.add(VoidRoll(reason="fraud", whole_round=True), decisions=(back,))
    found = verify(export_of(hand.rows))
    assert found.sound
    # The second round began with the fourth throw.
    assert [fallen.throw for fallen in found.fallen] == [4 + 2 + 2 * 3, 4 + 2 + 2 * 4]


def test_a_call_that_becomes_no_roll_is_listed_and_no_roll_is_missed() -> None:
    hand = Hand()
    hand.play(0)
    first, second = throw_of(hand.secret, "one", 1, [("ann", "lucky")], 0)
    hand.add(Throw(hand=1, index=0, first=first, second=second))
    hand.add(CallRoll(first=first, second=second), decisions=(NoRolled(("1",), "shooter"),))
    found = verify(export_of(hand.rows))
    assert found.sound
    assert (found.rolls, [f"{f.what} {f.ground}" for f in found.fallen]) == (0, ["no roll shooter"])


# -- rows by themselves ------------------------------------------------------------------------


def _verified(hand: Hand) -> Verified:
    return verify(export_of(hand.rows))


def test_throws_are_proved_when_the_secret_is_shown() -> None:
    hand = Hand()
    hand.play(8)
    assert (_verified(hand).throws, _verified(hand).rolls, _verified(hand).proved) == (0, 8, 0)
    hand.add(Reveal(hand=1, secret=hand.secret.hex()))
    found = _verified(hand)
    assert found.sound
    assert (found.throws, found.rolls, found.proved) == (8, 8, 8)


@pytest.mark.parametrize("at", range(5))
@pytest.mark.parametrize("first", range(1, 7))
def test_another_face_is_found_where_it_is(at: int, first: int) -> None:
    hand = Hand()
    hand.play(0)
    true = throw_of(hand.secret, "one", 1, [("ann", "lucky")], at)
    for index in range(5):
        thrown = throw_of(hand.secret, "one", 1, [("ann", "lucky")], index)
        if index == at:
            thrown = (first, true[1])
        hand.add(Throw(hand=1, index=index, first=thrown[0], second=thrown[1]))
        hand.call(*thrown, "seven-out" if index == 4 else "")
    hand.add(Reveal(hand=1, secret=hand.secret.hex()))
    found = _verified(hand)
    wrong = [] if first == true[0] else [4 + 2 + 2 * at + 1]
    assert [problem.number for problem in found.problems] == wrong
    assert found.proved == 5 - len(wrong)


def test_a_players_words_left_out_are_found() -> None:
    hand = Hand()
    hand.add(Commit(hand=1, commitment=commitment_of(hand.secret)))
    wrong = 0
    for index in range(6):
        thrown = throw_of(hand.secret, "one", 1, [("ann", "lucky")], index)
        wrong += thrown != throw_of(hand.secret, "one", 1, (), index)
        hand.add(Throw(hand=1, index=index, first=thrown[0], second=thrown[1]))
        hand.call(*thrown, "seven-out" if index == 5 else "")
    hand.add(Reveal(hand=1, secret=hand.secret.hex()))
    assert len(_verified(hand).problems) == wrong > 0


def test_a_refused_call_uses_no_throw_up() -> None:
    hand = Hand()
    hand.play(0)
    first, second = throw_of(hand.secret, "one", 1, [("ann", "lucky")], 0)
    hand.add(Throw(hand=1, index=0, first=first, second=second))
    other = first % 6 + 1
    refusal = Refusal("bets-closed", "not now", ("term-1",))
    hand.add(CallRoll(first=other, second=second), refusal=refusal)
    hand.call(first, second)
    assert _verified(hand).sound
    hand.call(other, second)
    assert [problem.problem for problem in _verified(hand).problems] == [
        f"dice: {other}-{second} was called, and nobody threw it"
    ]


def test_words_for_dice_that_are_not_fixed_are_found() -> None:
    hand = Hand()
    hand.add(AddEntropy(seat="ann", text="lucky"))
    assert [problem.problem for problem in _verified(hand).problems] == [
        "dice: words were added to dice that are not fixed"
    ]


def test_dice_that_are_not_the_houses_prove_nothing() -> None:
    evening = Evening("adelaide", dice="scripted", script=((1, 2), (3, 3)))
    evening.say("stick", Throw())
    evening.say("stick", Throw())
    found = verify(export(evening.journal, "t"))
    assert found.sound
    assert (found.dice, found.rolls, found.proved) == ("scripted", 2, 0)


def test_a_throw_counts_once_however_often_it_is_settled() -> None:
    """Also where the dice are nobody's secret: corrected, void, or no roll that was one."""
    evening = Evening("adelaide", dice="hand", automatic=())
    evening.say("player", BuyIn(seat="ann", amount=100_000))
    said: list[tuple[str, Any, int]] = [
        ("stick", Enter(first=2, second=2), 0),
        ("box", Attest(first=2, second=2), 1),
        ("box", Overrule(first=2, second=1), 1),
        ("manager", VoidRoll(reason="fire"), 1),
        ("stick", CallNoRoll(cause="improper"), 1),
        ("box", Overrule(first=4, second=2), 2),
        ("stick", DiceOut(), 2),
        ("stick", DiceRest(), 2),
        ("stick", Enter(first=4, second=3), 2),
        ("box", Attest(first=4, second=3), 3),
    ]
    for role, call, rolls in said:
        row = evening.say(role, call)
        assert row.ruling.refusal is None, (call, row.ruling.refusal)
        assert verify(export(evening.journal, "t")).rolls == rolls, call
