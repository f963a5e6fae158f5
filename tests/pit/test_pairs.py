"""What two people do is done by two at a live table, whatever stations one of them holds."""

from __future__ import annotations

import pytest

from boxman.journal.pit_calls import Attest, Enter, Second, Throw
from boxman.journal.row import Row
from boxman.table.calls import (
    AskFor,
    Bet,
    BuyIn,
    CloseBets,
    Confirm,
    DecideFaces,
    DiceOut,
    DisputeFaces,
    HandleDice,
    JudgeDispute,
    OpenDispute,
    Overrule,
    Say,
)
from tests.pit.serving import PASSWORD, Person, Served
from tests.pit.test_desk import Evening


def refused_for_one(made: Evening, row: Row) -> bool:
    assert made.code(row) in ("second-person", "ok")
    if made.code(row) == "ok":
        return False
    assert row.cites in (("pit-two-people",), ("pit-second-person",))
    return True


@pytest.mark.parametrize("practice", [False, True])
def test_dice_are_inspected_by_two(practice: bool) -> None:
    made = Evening("newzealand", practice=practice)
    inspected = HandleDice(event="inspected")
    assert made.code(made.say("dealer", inspected, person="sam")) == "ok"
    again = made.say("box", inspected, person="sam")
    assert refused_for_one(made, again) is not practice
    if practice:
        return
    assert again.ruling.refusal is not None
    assert again.ruling.refusal.sentence == (
        "you have already done your part as dealer; somebody else has to do it as box"
    )
    # So it is after a restart; and another person may.
    desk = made.desk = made.restart()
    assert refused_for_one(made, made.say("box", inspected, person="sam"))
    assert made.code(made.say("box", inspected, person="bea")) == "ok"
    assert set(desk.table.floor.dice.inspected) == {"dealer", "box"}


@pytest.mark.parametrize("practice", [False, True])
def test_faces_are_entered_by_one_and_seen_by_another(practice: bool) -> None:
    made = Evening("nsw", dice="hand", practice=practice)
    made.say("dealer", CloseBets())
    made.say("stick", DiceOut())
    assert made.code(made.say("stick", Enter(first=4, second=2), person="sam")) == "ok"
    own = made.say("box", Attest(first=4, second=2), person="sam")
    assert refused_for_one(made, own) is not practice
    if not practice:
        assert made.code(made.say("box", Attest(first=4, second=2), person="bea")) == "ok"
    assert made.desk.table.rolls == 1
    # The next throw is another: who saw may now enter.
    made.say("dealer", CloseBets())
    made.say("stick", DiceOut())
    assert made.code(made.say("stick", Enter(first=4, second=1), person="bea")) == "ok"


def test_disputed_faces_are_not_decided_by_the_one_who_entered_them() -> None:
    made = Evening("newzealand", dice="hand", practice=False)
    made.say("player", BuyIn(seat="ann", amount=10_000))
    for role in ("dealer", "box"):
        made.say(role, HandleDice(event="inspected"))
    made.say("player", Bet(seat="ann", spot="field", amount=500))
    made.say("stick", CloseBets())
    made.say("stick", DiceOut())
    assert made.code(made.say("stick", Enter(first=4, second=2), person="sam")) == "ok"
    assert made.code(made.say("player", DisputeFaces(seat="ann"))) == "ok"
    decided = DecideFaces(first=4, second=3)
    assert refused_for_one(made, made.say("box", decided, person="sam"))
    assert made.code(made.say("box", decided, person="bea")) == "ok"


def test_a_late_wager_is_confirmed_by_two_and_never_by_its_owner() -> None:
    made = Evening("nsw", practice=False)
    made.say("player", BuyIn(seat="ann", amount=10_000))
    made.say("dealer", CloseBets())
    made.say("stick", DiceOut())
    assert made.code(made.say("player", Say(seat="ann", spot="field", amount=500))) == "ok"
    confirm = Confirm(seat="ann", spot="field")
    assert refused_for_one(made, made.say("dealer", confirm, person="ann"))
    assert made.code(made.say("dealer", confirm, person="sam")) == "ok"
    assert refused_for_one(made, made.say("box", confirm, person="sam"))
    assert "field" not in made.desk.table.seats["ann"].wagers
    assert made.code(made.say("box", confirm, person="bea")) == "ok"
    assert made.desk.table.seats["ann"].wagers["field"].stake == 500
    assert not [act for act in made.desk.book.gave if act.startswith("confirmed")]


def test_a_decision_is_reviewed_by_somebody_else() -> None:
    made = Evening("nsw", practice=False)
    made.say("player", BuyIn(seat="ann", amount=10_000))
    made.say("player", OpenDispute(seat="ann", about="payout"))
    assert made.code(made.say("box", JudgeDispute(step="decide"), person="sam")) == "ok"
    made.say("player", AskFor(seat="ann", step="review"))
    review = JudgeDispute(step="review")
    assert refused_for_one(made, made.say("supervisor", review, person="sam"))
    assert made.code(made.say("supervisor", review, person="sue")) == "ok"


@pytest.mark.parametrize("practice", [False, True])
def test_who_proposes_does_not_agree_save_at_practice(practice: bool) -> None:
    made = Evening(
        "adelaide", second_person=True, practice=practice, dice="scripted", script=((1, 2),)
    )
    made.say("stick", Throw(), person="sam")
    made.say("box", Overrule(first=3, second=4), person="bea", id="over")
    same = made.say("supervisor", Second(of="over"), person="bea")
    assert refused_for_one(made, same) is not practice


def test_one_person_with_two_stations_over_the_wire(server: Served, boss: Person) -> None:
    boss.post("/api/people", 201, name="solo", password=PASSWORD)
    boss.post("/api/people", 201, name="other", password=PASSWORD)
    table = boss.post(
        "/api/tables", 201, house="newzealand", practice=False, crew="by hand", dice="hand"
    )["table"]
    both = {"table": table, "stations": ["stick", "dealer", "box"]}
    for name in ("solo", "other"):
        boss.post(f"/api/people/{name}/stations", 200, **both)
    solo, other = server.person().sign_in("solo"), server.person().sign_in("other")
    with solo.at(table) as one, other.at(table) as two:
        assert one.say("handledice", "dealer", event="inspected")["refused"] is None
        refused = one.say("handledice", "box", event="inspected")["refused"]
        assert (refused["code"], refused["clauses"]) == ("second-person", ["pit-two-people"])
        assert "as dealer" in refused["sentence"]
        assert two.say("handledice", "box", event="inspected")["refused"] is None
        one.say("closebets", "stick")
        one.say("diceout", "stick")
        assert one.say("enter", "stick", first=4, second=2)["refused"] is None
        refused = one.say("attest", "box", first=4, second=2)["refused"]
        assert (refused["code"], refused["clauses"]) == ("second-person", ["pit-two-people"])
        assert two.say("attest", "box", first=4, second=2)["refused"] is None
