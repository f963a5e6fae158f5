"""The crew's console: what it offers is taken, what it does not offer is refused.

Evenings are walked at every house with a crew by hand. Calls are said as the forms make them; and
calls drawn without looking at any console show that none offers less than the rules would take.
"""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from boxman.journal.codec import EveryCall
from boxman.journal.pit_calls import Attest, Enter
from boxman.journal.row import Station
from boxman.pit.live.crew import next_call
from boxman.pit.live.stations import MAY_SAY, spoken, tag_of
from boxman.pit.told.console import CONSOLE_ENTRIES, Speaker, console
from boxman.pit.told.forms import form
from boxman.pit.told.matters import waiting
from boxman.pit.told.preview import preview
from boxman.pit.told.rows import row_view
from boxman.pit.told.view import menu_of
from boxman.pit.web.hearing import Said, read_spoken
from boxman.rules.book import houses, read_book
from boxman.rules.duties import STATIONS
from boxman.table.call import DECLARED
from boxman.table.calls import (
    AskFor,
    Bet,
    BuyIn,
    CallNoRoll,
    CloseBets,
    DecideFaces,
    DiceOut,
    DisputeFaces,
    HandleDice,
    JudgeDispute,
    Leave,
    OfferDice,
    OpenDispute,
    Overrule,
    PostLimits,
    Record,
    ShowNotice,
    TakeDice,
    Tell,
)
from boxman.table.calls.throw import UNSTATED
from tests.evening import Drawing as Drawn
from tests.evening import prelude
from tests.pit.test_desk import Evening

ROLES = ("stick", "dealer", "box", "supervisor", "senior", "manager", "inspector")
TYPED = {"note": "seen", "about": "payout", "group": "field", "when": "23:59", "dealers": 2}


def speaker(role: str) -> Speaker:
    return Speaker(role, f"the-{role}")


def said_so(made: dict[str, Any], way: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """A call as a page sends it: what was chosen, with what has to be typed."""
    call = dict(way["call"])
    money = {each["name"] for each in made["fills"] if each["kind"] == "money"}
    for name in (*way["must"], *(each for each in way["may"] if chance.random() < 0.3)):
        if name == "faces":
            call |= {"first": chance.randint(1, 6), "second": chance.randint(1, 6)}
        elif name in money:
            known = way["given"].get(name, 0)
            low, high, _ = chance.choice(way["ranges"]) if way["ranges"] else (known, known, 1)
            call[name] = chance.choice((low, high))
        else:
            people = way["people"] or ["kim"]
            if name == "split":
                call[name] = [call["amount"] // len(way["parts"])] * len(way["parts"])
                continue
            call[name] = people[0] if name == "person" else TYPED[name]
    return call


def begun(house: str, dice: str = "house", **setup: Any) -> Evening:
    """Three players with line wagers, dice looked over, somebody who has them."""
    evening = Evening(house, "players", dice=dice, **setup)
    for call in prelude():
        role = call.by or ("stick" if DECLARED[type(call)].staff else "player")
        evening.say(role, call, person=getattr(call, "seat", ""))
    return evening


def offered(evening: Evening, role: str) -> dict[str, dict[str, Any]]:
    desk = evening.desk.glance()
    at = desk.book.seconds(evening.now)
    return {entry["call"]: entry for entry in console(desk, speaker(role), at)}


@pytest.mark.parametrize("dice", ["house", "hand"])
@pytest.mark.parametrize("house", houses())
def test_what_is_offered_is_taken_and_what_is_not_is_refused(house: str, dice: str) -> None:
    evening = begun(house, dice)
    chance = random.Random(f"{house} {dice}")
    drawn = Drawn(evening.desk.layout, random.Random(f"{house} {dice} drawn"))
    taken, checked = set(), 0
    for step in range(36):
        evening.now += chance.choice((0, 1000, 60_000, 700_000))
        role = chance.choice(ROLES)
        at = evening.desk.book.seconds(evening.now)
        desk = evening.desk.glance()
        entries = offered(evening, role)
        for tag in chance.sample(sorted(entries), min(9, len(entries))):
            entry = entries[tag]
            made = form(desk, speaker(role), tag, at)
            assert bool(made["ways"]) == entry["enabled"], (role, tag)
            assert entry["enabled"] or (entry["why"] and entry["clauses"]), (role, tag)
            for choice in made["choices"]:
                texts = [option["text"] for option in choice["options"]]
                assert all(texts), (tag, choice)
                assert len(set(texts)) == len(texts), (tag, texts)
            for way in chance.sample(made["ways"], min(3, len(made["ways"]))):
                call = read_spoken(Said(call=said_so(made, way, chance)), role, "")
                refusal = desk.trial(_station(role), _by(call, role, at))
                # Faces typed at random may be those that were called.
                same = refusal is not None and refusal.code == "already-so"
                assert refusal is None or (same and "faces" in way["must"]), (role, call)
                taken.add(tag)
        # Whatever else is drawn and would be taken, the console of its station offers.
        for _ in range(30):
            call = drawn.draw(evening.desk.table)
            if not DECLARED[type(call)].staff or call.stand_in or tag_of(call) not in MAY_SAY[role]:
                continue
            if tag_of(call) not in CONSOLE_ENTRIES or call.by in ("ann", "bob", "cat"):
                continue
            call = _by(call, role, at)
            if desk.trial(_station(role), call) is None:
                checked += 1
                assert entries[tag_of(call)]["enabled"], (role, call)
                _has_way(form(desk, speaker(role), tag_of(call), at), call)
        _go_on(evening, chance, role, entries, step)
    assert checked > 10
    assert len(taken) > 8, taken


def _station(role: str) -> Station:
    return Station(role, person=f"the-{role}")


def _by(call: Any, role: str, at: int) -> EveryCall:
    return spoken(call, role, "", "", at)


def _has_way(made: dict[str, Any], call: Any) -> None:
    """The form of a call that would be taken has a way that makes it."""
    named = {way["chosen"].get("person") for way in made["ways"]}
    if made["call"] == "record" and call.person not in named:
        call = msgspec.structs.replace(call, person="somebody")
    for way in made["ways"]:
        if all(
            getattr(call, name) == value
            for name, value in way["chosen"].items()
            if name != "throw" and not (made["call"] == "judgedispute" and name == "seat")
        ):
            return
    raise AssertionError(f"{call} has no way in its form")


def _go_on(
    evening: Evening, chance: random.Random, role: str, entries: dict[str, Any], step: int
) -> None:
    """Something happens: a wager, a dispute, or something the console offers, said for good."""
    seat = chance.choice(("ann", "bob", "cat"))
    if step % 3 == 0:
        amount = chance.choice((500, 1000))
        spot = chance.choice(["pass", "field", "place.6"])
        evening.say("player", Bet(seat=seat, spot=spot, amount=amount), person=seat)
    if step % 17 == 5:
        evening.say("player", OpenDispute(seat=seat, about="row 9"), person=seat)
    if step % 7 == 2:
        evening.say("player", DisputeFaces(seat=seat), person=seat)
    for stick in ("closebets", "throw", "enter", "attest", "offerdice", "decidefaces"):
        for each in ("stick", "dealer", "box"):
            if chance.random() < 0.5:
                _say_one(evening, chance, each, stick)
    evening.say("player", TakeDice(seat=evening.desk.table.hand.offered or seat), person=seat)
    wanted = [tag for tag, entry in entries.items() if entry["enabled"] and tag != "closetable"]
    if wanted:
        _say_one(evening, chance, role, chance.choice(wanted))


def _say_one(evening: Evening, chance: random.Random, role: str, tag: str) -> None:
    if tag not in MAY_SAY[role]:
        return
    desk = evening.desk.glance()
    made = form(desk, speaker(role), tag, desk.book.seconds(evening.now))
    if not made["ways"]:
        return
    call = read_spoken(Said(call=said_so(made, chance.choice(made["ways"]), chance)), role, "")
    row = evening.say(role, call, person=f"the-{role}")
    assert row.ruling.refusal is None, (role, call, row.ruling.refusal)


def test_every_kind_of_call_of_the_crew_stands_on_a_console() -> None:
    crew = set().union(*(MAY_SAY[role] for role in STATIONS))
    assert crew - {"callroll"} == set(CONSOLE_ENTRIES)


@pytest.mark.parametrize("house", houses())
def test_causes_are_told_in_the_words_of_the_house(house: str) -> None:
    evening = begun(house)
    evening.say("dealer", CloseBets(), person="the-dealer")
    made = form(evening.desk.glance(), speaker("stick"), "callnoroll", 0)
    [cause] = made["choices"]
    layout = evening.desk.layout
    titles = {clause.title for clause in read_book(house).clauses.values()}
    assert made["ways"]
    for option in cause["options"]:
        if option["value"]:
            text = option["text"]
            assert text in titles or text[: text.rindex(" (")] in titles
    # No roll without its cause is nothing to choose, where the house wants one.
    empty = next(option for option in cause["options"] if not option["value"])
    bare = layout.procedure.power("no roll", UNSTATED) is not None
    assert bare == (house == "nsw")  # the one text by which saying no roll is enough: 5.1
    assert empty["why"].startswith("" if bare else "a no roll needs its cause")
    chosen = {way["chosen"]["cause"] for way in made["ways"]}
    assert chosen <= {*layout.procedure.causes, ""}
    assert ("" in chosen) == bare


def test_nobody_is_offered_of_whom_the_table_knows_that_it_was_not_he() -> None:
    evening = begun("rws")
    evening.say("dealer", CloseBets(), person="the-dealer")
    made = form(evening.desk.glance(), speaker("stick"), "callnoroll", 0)
    people = {way["chosen"]["cause"]: way["people"] for way in made["ways"]}
    shooter = evening.desk.table.hand.shooter
    assert set(people["wrong-hand"]) == {"ann", "bob", "cat"} - {shooter}
    assert set(people["meddling"]) == {"ann", "bob", "cat"}


@pytest.mark.parametrize("house", houses())
def test_a_dispute_is_worked_to_its_end(house: str) -> None:
    """Opened by a player; every step that the house has, by whoever may; told, closed, gone."""
    evening = begun(house)
    evening.say("player", OpenDispute(seat="ann", about="row 9: Field"), person="ann")
    powers = evening.desk.layout.procedure.powers
    roles = evening.desk.layout.procedure.roles
    crew = [speaker(role) for role in STATIONS if role in roles]
    steps, requested = [], False
    for _ in range(10):
        desk = evening.desk.glance()
        found = [
            each
            for each in waiting(desk, crew, desk.book.seconds(evening.now))
            if each["what"] == "dispute"
        ]
        if not found:
            break
        [dispute] = found
        assert dispute["text"].startswith("ann disputes “row 9: Field”; it ")
        assert dispute["does"], dispute
        # Decided is not done: what the complainant requests waits, and is told, until it is done.
        assert dispute["text"].endswith("requested.") == requested, dispute
        # Close it last: each step the house has is taken first.
        does = sorted(dispute["does"], key=lambda each: each["call"].get("step") == "close")[0]
        call = read_spoken(Said(call=does["call"]), does["station"], "")
        row = evening.say(does["station"], call, person=f"the-{does['station']}")
        assert row.ruling.refusal is None, row.ruling.refusal
        requested = isinstance(call, AskFor)
        steps.append("request" if requested else getattr(call, "step", "tell"))
    assert steps[-1] == "close"
    has = {power for power, reasons in powers.items() if reasons}
    for power in ("decide", "review", "inspect"):
        assert (power in steps) == (f"{power} dispute" in has), steps
    assert evening.desk.table.floor.disputes[-1].step == "close"


@pytest.mark.parametrize("house", houses())
def test_the_box_opens_a_dispute_and_the_roll_is_overruled(house: str) -> None:
    evening = begun(house, "scripted", script=((4, 2),))
    judge = next(
        who
        for who in evening.desk.layout.procedure.powers["overrule"][""].who
        if who != "inspector"
    )
    assert evening.desk.table.before is None
    for role in ("stick", "dealer"):
        evening.say(role, CloseBets(), person=f"the-{role}")
    assert not offered(evening, judge)["overrule"]["enabled"]
    _say_one(evening, random.Random(1), "stick", "throw")
    assert evening.desk.table.before is not None
    needs = "dispute" in evening.desk.layout.procedure.powers["overrule"][""].needs
    before = offered(evening, judge)["overrule"]
    assert before["enabled"] != needs
    row = evening.say("box", OpenDispute(seat="bob", about="the call"), person="the-box")
    assert row.ruling.refusal is None
    assert offered(evening, judge)["overrule"]["enabled"]
    # What the console shows before it is said is what follows, chip by chip.
    held = _chips(evening)
    seen = preview(evening.desk.glance(), speaker(judge), Overrule(first=1, second=2), at=7200)
    assert seen["grave"]
    assert _chips(evening) == held
    row = evening.say(judge, Overrule(first=1, second=2), person=f"the-{judge}")
    assert row.ruling.refusal is None
    now = _chips(evening)
    moved = {
        name: (now[name][0] - was[0], now[name][1] - was[1])
        for name, was in held.items()
        if now[name] != was
    }
    assert {each["seat"]: (each["rail"], each["layout"]) for each in seen["moves"]} == moved
    assert all(each["then"] == now[each["seat"]][0] for each in seen["moves"])
    closing = preview(evening.desk.glance(), speaker("dealer"), CloseBets(), at=7200)
    assert not closing["grave"]
    assert not closing["moves"]


def _chips(evening: Evening) -> dict[str, tuple[int, int]]:
    return {
        name: (seat.rail, sum(wager.stake for wager in seat.wagers.values()))
        for name, seat in evening.desk.table.seats.items()
    }


def test_an_older_dispute_of_the_same_player_is_not_lost() -> None:
    evening = begun("rws")
    for about in ("first", "second"):
        evening.say("player", OpenDispute(seat="ann", about=about), person="ann")
    for step in ("decide", "close", "decide", "close"):
        row = evening.say("box", JudgeDispute(step=step, seat="ann"), person="the-box")
        assert row.ruling.refusal is None, row.ruling.refusal
    assert [each.step for each in evening.desk.table.floor.disputes] == ["close", "close"]


def _waits(evening: Evening, *roles: str) -> dict[str, dict[str, Any]]:
    desk = evening.desk.glance()
    crew = [speaker(role) for role in roles]
    return {each["what"]: each for each in waiting(desk, crew, desk.book.seconds(evening.now))}


def test_dice_that_wait_to_be_inspected_are_told_from_the_start() -> None:
    evening = Evening("newzealand", "players")
    found = _waits(evening, "stick", "dealer", "box")["dice"]
    expected = "The dice wait to be inspected by the dealer and the game supervisor."
    assert found["text"] == expected
    # The stickperson is a dealer too, and may be the one of the two.
    assert [each["station"] for each in found["does"]] == ["stick", "dealer", "box"]
    evening.say("player", BuyIn(seat="ann", amount=50_000), person="ann")
    offer = offered(evening, "stick")["offerdice"]
    assert not offer["enabled"]  # 5.2: before they are offered
    words = "the dealer and the game supervisor have not inspected the dice"
    assert offer["why"].startswith(words[0].upper() + words[1:])
    evening.say("dealer", HandleDice(event="inspected"), person="the-dealer")
    assert "by the game supervisor." in _waits(evening, "box")["dice"]["text"]
    evening.say("box", HandleDice(event="inspected"), person="the-box")
    assert "dice" not in _waits(evening, "box")
    evening.say("stick", OfferDice(seat="ann"), person="the-stick")
    evening.say("player", TakeDice(seat="ann"), person="ann")
    evening.say("player", Bet(seat="ann", spot="pass", amount=1000), person="ann")
    assert offered(evening, "stick")["diceout"]["enabled"]


def test_faces_entered_seen_differently_and_disputed_wait_with_their_buttons() -> None:
    evening = begun("perth-crapless", "hand")
    assert evening.say("stick", Enter(first=2, second=5), person="s").ruling.refusal is None
    found = _waits(evening, "stick", "box")["entered"]
    assert found["text"] == "The Stickperson entered 2-5: the Boxperson confirms."
    labels = [(each["label"], each["name"]) for each in found["does"]]
    assert labels == [("Saw 2-5", "Boxperson"), ("Saw other faces", "Boxperson")]
    evening.say("box", Attest(first=2, second=4), person="b")
    found = _waits(evening, "stick", "box")["differ"]
    assert "The Boxperson saw 2-4, the Stickperson entered 2-5" in found["text"]
    assert [each["form"] for each in found["does"]] == ["enter"]
    evening.say("stick", Enter(first=4, second=2), person="s")
    assert "differ" not in _waits(evening, "stick", "box")
    evening.say("player", DisputeFaces(seat="ann"), person="ann")
    found = _waits(evening, "box")["faces"]
    assert found["text"] == "The faces are in dispute (4-2 was entered): the Boxperson decides."
    assert [each["label"] for each in found["does"]] == [
        "It was 4-2",
        "Decide the faces",
        "No roll",
    ]
    # In dispute, a confirmation would settle nothing.
    refused = evening.say("box", Attest(first=4, second=2), person="b").ruling.refusal
    assert refused is not None
    assert refused.code == "disputed"
    call = read_spoken(Said(call=found["does"][0]["call"]), "box", "")
    assert evening.say("box", call, person="b").ruling.refusal is None
    assert "faces" not in _waits(evening, "stick", "box")
    assert evening.desk.table.puck == 6


def test_faces_of_the_last_roll_in_dispute_wait_until_they_are_decided() -> None:
    evening = begun("rws", "hand")
    evening.say("dealer", CloseBets(), person="d")
    evening.say("stick", Enter(first=4, second=2), person="s")
    assert evening.say("box", Attest(first=4, second=2), person="b").ruling.refusal is None
    assert "faces" not in _waits(evening, "stick", "box")
    evening.say("player", DisputeFaces(seat="bob"), person="bob")
    found = _waits(evening, "stick", "box")["faces"]
    words = "bob disputes the faces of the last roll, 4-2: the Boxperson decides."
    assert found["text"] == words
    labels = [each["label"] for each in found["does"]]
    assert labels == ["It was 4-2", "Decide the faces", "No roll"]
    assert _waits(evening, "stick")["faces"]["does"] == []
    call = read_spoken(Said(call=found["does"][2]["call"]), "box", "")
    assert evening.say("box", call, person="b2").ruling.refusal is None
    assert "faces" not in _waits(evening, "stick", "box")
    assert evening.desk.table.puck == 0


@pytest.mark.parametrize("station", ["box", "dealer"])
def test_an_automatic_crew_does_not_throw_on_over_a_dispute(station: str) -> None:
    evening = begun("rws", "hand", automatic=(station,))
    evening.say("dealer", CloseBets(), person="d")
    evening.say("stick", Enter(first=4, second=2), person="s")
    assert evening.say("box", Attest(first=4, second=2), person="b").ruling.refusal is None

    def coming() -> Any:
        desk = evening.desk
        ready = dict.fromkeys(desk.table.seats, 0)
        found = next_call(desk.layout, desk.table, desk.book, evening.now + 60_000, ready)
        return found and type(found.call)

    assert coming() is {"box": None, "dealer": CloseBets}[station]
    evening.say("player", DisputeFaces(seat="bob"), person="bob")
    assert coming() is {"box": DecideFaces, "dealer": None}[station]
    assert evening.say("box", DecideFaces(first=4, second=2), person="b2").ruling.refusal is None
    assert coming() is {"box": None, "dealer": CloseBets}[station]


def test_which_die_is_called_first_is_no_difference() -> None:
    evening = begun("rws", "hand")
    evening.say("dealer", CloseBets(), person="d")
    evening.say("stick", Enter(first=4, second=2), person="s")
    assert evening.say("box", Attest(first=2, second=4), person="b").ruling.refusal is None
    assert evening.desk.table.puck == 6


def test_a_notice_runs_and_then_closing_is_offered() -> None:
    evening = begun("nsw")
    shut = offered(evening, "supervisor")["closetable"]
    assert not shut["enabled"]
    assert "20 minutes" in shut["why"]
    evening.say("supervisor", ShowNotice(what="closing"), person="s")
    found = _waits(evening, "supervisor")["notice"]
    assert not found["does"]
    assert found["until"] == evening.now + 20 * 60_000
    evening.now += 20 * 60_000
    assert offered(evening, "supervisor")["closetable"]["enabled"]
    found = _waits(evening, "supervisor")["notice"]
    call = read_spoken(Said(call=found["does"][0]["call"]), "supervisor", "")
    assert evening.say("supervisor", call, person="s").ruling.refusal is None
    assert evening.desk.table.floor.closed


def test_figures_that_are_needed_are_asked_for() -> None:
    evening = begun("nsw")
    at = evening.desk.book.seconds(evening.now)
    desk = evening.desk.glance()
    voucher = form(desk, speaker("box"), "givevoucher", at)
    assert all(way["must"] == ["amount"] for way in voucher["ways"])
    granted = form(desk, speaker("supervisor"), "grantlimits", at)
    assert all(way["must"] == ["minimum", "maximum"] for way in granted["ways"])
    shown = form(desk, speaker("supervisor"), "shownotice", at)
    must = {way["chosen"]["what"]: way["must"] for way in shown["ways"]}
    assert must == {"limits": ["minimum", "maximum"], "closing": []}
    posted = form(desk, speaker("supervisor"), "postlimits", at)
    assert "Above a minimum of $5: this needs a sign of the new limits" in posted["hint"]
    fraud = form(desk, speaker("supervisor"), "voidroll", at)
    assert fraud["ways"] == []  # no roll is settled yet


def test_a_review_is_heard_for_somebody_who_has_left() -> None:
    evening = begun("rws", "hand")
    evening.say("player", BuyIn(seat="dan", amount=1000), person="dan")
    opened = OpenDispute(seat="dan", about="payout")
    assert evening.say("player", opened, person="dan").ruling.refusal is None
    decided = JudgeDispute(step="decide", seat="dan")
    assert evening.say("box", decided, person="b").ruling.refusal is None
    evening.say("player", Leave(seat="dan"), person="dan")
    assert "dan" not in evening.desk.table.seats
    at = evening.desk.book.seconds(evening.now)
    made = form(evening.desk.glance(), speaker("box"), "askfor", at)
    assert {"seat": "dan", "step": "review"} in [way["chosen"] for way in made["ways"]]


@pytest.mark.parametrize("tag", ["placefor", "find"])
def test_parts_are_asked_for_where_a_player_names_them(tag: str) -> None:
    evening = begun("newzealand", "hand")
    at = evening.desk.book.seconds(evening.now)
    desk = evening.desk.glance()
    role = "dealer" if tag == "placefor" else "box"
    made = form(desk, speaker(role), tag, at)
    parted = [way for way in made["ways"] if way["parts"]]
    assert {way["chosen"]["spot"] for way in parted} == {"c_and_e"}
    assert all("split" in way["may"] and len(way["parts"]) == 2 for way in parted)
    assert all("split" not in way["may"] for way in made["ways"] if way not in parted)
    for split, taken in (([300, 200], True), ([100, 600], True), ([200, 200, 200], False)):
        call = {**parted[0]["call"], "amount": sum(split), "split": split}
        said = _by(read_spoken(Said(call=call), role, ""), role, at)
        assert (desk.trial(_station(role), said) is None) is taken, split
    for each in (way for house in ("rws", "nsw") for way in _ways(house, role, tag)):
        assert "split" not in (*each["must"], *each["may"])


def _ways(house: str, role: str, tag: str) -> list[dict[str, Any]]:
    evening = begun(house, "hand")
    at = evening.desk.book.seconds(evening.now)
    ways: list[dict[str, Any]] = form(evening.desk.glance(), speaker(role), tag, at)["ways"]
    return ways


@pytest.mark.parametrize(("house", "units"), [("nsw", True), ("adelaide", False)])
def test_a_unit_is_asked_for_where_the_text_has_one(house: str, units: bool) -> None:
    evening = begun(house)
    at = evening.desk.book.seconds(evening.now)
    who = speaker("supervisor" if units else "manager")
    shown = form(evening.desk.glance(), who, "shownotice", at)
    ways = [way for way in shown["ways"] if way["chosen"]["what"] == "limits"]
    assert ways
    assert all(("unit" in way["may"]) is units for way in ways)


def test_settings_are_shown_with_their_values_and_why_they_hold() -> None:
    evening = begun("adelaide")
    assert not offered(evening, "manager")["choose"]["enabled"]
    made = form(evening.desk.glance(), speaker("manager"), "choose", 0)
    [setting] = made["choices"]
    values = {option["value"]: option for option in setting["options"]}
    assert set(values) == set(evening.desk.layout.settings)
    assert values["odds_pass"]["text"].endswith(": 10 (could be 1 to 10)")
    assert "until this table closes" in values["odds_pass"]["why"]


def test_nobody_is_told_twice() -> None:
    evening = begun("adelaide")
    assert evening.say("box", Tell(whom="inspector"), person="b").ruling.refusal is None
    refused = evening.say("box", Tell(whom="inspector"), person="b").ruling.refusal
    assert refused is not None
    assert refused.code == "already-so"
    assert offered(evening, "manager")["closetable"]["enabled"]


def test_a_trial_writes_nothing_and_a_glance_stands_still() -> None:
    evening = begun("nsw")
    desk = evening.desk
    head, glance = desk.head, desk.glance()
    note = Record(what="device", person="ann", by="box")
    assert glance.trial(_station("box"), note) is None
    assert desk.head == head
    evening.say("box", note, person="b")
    assert desk.head != head
    assert glance.head == head
    assert msgspec.json.encode(glance.table) != msgspec.json.encode(desk.table)
    refusal = glance.trial(_station("dealer"), CallNoRoll(by="dealer", cause="off-table"))
    assert refusal is not None
    assert refusal.sentence == "the Dealer may not call no roll"


def test_the_faces_of_the_houses_dice_are_nothing_a_player_is_offered_to_dispute() -> None:
    for dice, offered_so in (("house", False), ("hand", True)):
        evening = begun("nsw", dice)
        evening.say("stick", DiceOut(), person="s")
        table, book, _ = evening.desk.shown
        own = menu_of(evening.desk.layout, table, book, "ann", 0)
        assert own is not None
        assert ("disputes the faces" in own.moves) == offered_so
        refused = evening.say("player", DisputeFaces(seat="ann"), person="ann").ruling.refusal
        assert (refused is None) == offered_so


def test_a_crew_that_is_automatic_in_part_waits_for_the_dice_to_be_inspected() -> None:
    """Bets are not closed, and nothing is refused again and again, while a person is waited for."""
    evening = Evening("newzealand", dice="house", automatic=("stick", "dealer"), window=1000)
    evening.say("player", BuyIn(seat="ann", amount=50_000), person="ann")
    evening.say("player", Bet(seat="ann", spot="pass", amount=1000), person="ann")
    said = []
    for _ in range(8):
        evening.now += 60_000
        desk = evening.desk
        found = next_call(desk.layout, desk.table, desk.book, evening.now)
        if found is None:
            evening.say("box", HandleDice(event="inspected"), person="b")
            continue
        row = evening.say(found.station, found.call, person=f"auto:{found.station}")
        assert row.ruling.refusal is None
        said.append(tag_of(found.call))
    assert said[:3] == ["handledice", "diceout", "throw"]


def test_new_limits_are_told_once() -> None:
    evening = Evening("rws")
    before = evening.desk.table
    row = evening.say("manager", PostLimits(minimum=1000, maximum=100_000))
    assert row.ruling.refusal is None
    told = row_view(evening.desk.layout, row, before, evening.desk.table)["decided"]
    assert isinstance(told, list)
    assert " ".join(each["text"] for each in told if each["text"]) == (
        "Limits are now S$10 to S$1,000."
    )
