"""The desk alone: order, ids, dice, second persons, restarts. Time and chance are the test's."""

from __future__ import annotations

import asyncio
import itertools
import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boxman.journal.export import export
from boxman.journal.fold import EVERY
from boxman.journal.memory import MemoryJournal
from boxman.journal.pit_calls import AddEntropy, Attest, Enter, Second, Throw
from boxman.journal.row import JournalError, Row, Station
from boxman.journal.sqlite import SqliteJournal
from boxman.journal.verify import verify
from boxman.pit import boss
from boxman.pit.boss import Pit
from boxman.pit.live.desk import Command, Desk
from boxman.pit.live.ids import SaidBefore
from boxman.pit.live.loading import live_tables
from boxman.pit.live.notebook import Setup
from boxman.rules.book import houses
from boxman.table.accounts import imbalance
from boxman.table.calls import (
    Bet,
    BuyIn,
    CallRoll,
    CloseBets,
    CloseTable,
    DiceOut,
    DisputeFaces,
    HandleDice,
    OfferDice,
    Overrule,
    PassDice,
    TakeDice,
    Tell,
)
from boxman.table.opening import Open, Opening
from boxman.table.state import Rolled, Settled


class Evening:
    """A desk with a clock and dice of its own; everything said is stored at once."""

    def __init__(self, house: str = "rws", shooter: str = "guest", **setup: Any) -> None:
        self.journal = MemoryJournal()
        self.now = 1_000_000_000_000
        self.chance = random.Random(5)
        self.ids = itertools.count(1)
        self.setup = Setup(**setup)
        call = Open(
            house=house,
            minimum=500,
            maximum=50_000,
            by_hand=True,
            crew=(1, 2, 1),
            by="manager",
            shooter=shooter,
            at=3600,
        )
        desk, opening = Desk.open("t", call, self.setup, "boss", **self._given())
        assert desk is not None, opening.refusal
        self.desk = desk

    def _given(self) -> dict[str, Any]:
        return {
            "journal": self.journal,
            "clock": lambda: self.now,
            "entropy": lambda size: self.chance.randbytes(size),
        }

    def say(self, role: str, call: Any, person: str = "", id: str = "") -> Row:
        seat = getattr(call, "seat", "") if role == "player" else ""
        station = Station(role, seat, person or seat or f"the {role}")
        command = Command(id=id or f"c{next(self.ids)}", station=station, call=call)
        heard = self.desk.hear(command)
        if heard.steps:
            self.journal.append([step.row for step in heard.steps])
            self.desk.saved(heard.steps)
            self.desk.keep(heard.steps)
        return heard.row

    def code(self, row: Row) -> str:
        return row.ruling.refusal.code if row.ruling.refusal else "ok"

    def restart(self) -> Desk:
        loaded = Desk.load("t", **self._given())
        assert loaded is not None
        return loaded

    def rows(self) -> list[Row]:
        return list(self.journal.rows("t"))


def test_the_dice_are_fixed_before_anybody_bets() -> None:
    evening = Evening()
    _, second = evening.rows()
    assert second.call.__class__.__name__ == "Commit"
    assert evening.desk.book.dice.commitment


def test_a_throw_is_one_batch_that_nobody_can_bet_into() -> None:
    evening = Evening("nsw")
    evening.say("player", BuyIn(seat="ann", amount=10_000))
    evening.say("player", Bet(seat="ann", spot="field", amount=500))
    command = Command(id="throw", station=Station("stick", person="sam"), call=Throw())
    heard = evening.desk.hear(command)
    kinds = [type(step.row.call).__name__ for step in heard.steps]
    assert kinds[:4] == ["DiceOut", "Throw", "DiceRest", "CallRoll"]
    thrown = heard.steps[1].row.call
    called = heard.steps[3].row.call
    assert isinstance(thrown, Throw)
    assert isinstance(called, CallRoll)
    assert (thrown.first, thrown.second) == (called.first, called.second)
    assert any(type(d) is Settled for d in heard.steps[3].row.ruling.decisions)
    # Until it is stored nobody sees it.
    assert evening.desk.shown[0].rolls == 0
    assert evening.desk.table.rolls == 1


def test_a_bet_after_no_more_bets_is_refused_by_order() -> None:
    evening = Evening("rws")
    evening.say("player", BuyIn(seat="ann", amount=10_000))
    evening.say("dealer", CloseBets())
    evening.now -= 3_600_000  # a clock that goes backwards decides nothing
    assert evening.code(evening.say("player", Bet(seat="ann", spot="field", amount=500))) == (
        "bets-closed"
    )


def test_a_repeated_id_gets_the_first_row_and_changes_nothing() -> None:
    evening = Evening()
    evening.say("player", BuyIn(seat="ann", amount=10_000), id="same")
    before = evening.desk.table
    row = evening.say("player", BuyIn(seat="ann", amount=10_000), id="same")
    assert row.number == 3
    with pytest.raises(SaidBefore):
        evening.say("player", BuyIn(seat="ann", amount=99_900), id="same")
    assert evening.desk.table is before
    loaded = evening.restart()
    station = Station("player", "ann", "ann")
    again = loaded.hear(
        Command(id="same", station=station, call=BuyIn(seat="ann", amount=10_000, at=7))
    )
    assert again.row == row
    assert again.steps == ()
    with pytest.raises(SaidBefore):
        loaded.hear(Command(id="same", station=station, call=BuyIn(seat="ann", amount=99_900)))


def test_a_throw_and_a_proposed_call_said_again_get_their_first_rows() -> None:
    evening = Evening(
        "adelaide", second_person=True, practice=False, dice="scripted", script=((1, 2),)
    )
    evening.say("stick", CloseBets(), person="sam")
    thrown = evening.say("stick", Throw(), person="sam", id="throw")
    assert evening.say("stick", Throw(), person="sam", id="throw") == thrown
    over = evening.say("box", Overrule(first=3, second=4), person="bea", id="over")
    assert evening.say("box", Overrule(first=3, second=4), person="bea", id="over") == over
    with pytest.raises(SaidBefore):
        evening.say("box", Overrule(first=4, second=4), person="bea", id="over")


@pytest.mark.parametrize("house", houses())
def test_a_restart_finds_everything_again(house: str) -> None:
    evening = Evening(house, shooter="guest")
    for name in ("ann", "bob"):
        evening.say("player", BuyIn(seat=name, amount=500_000))
    needed = evening.desk.layout.procedure.dice.inspected
    for station in needed.value if needed else ():
        evening.say(station, HandleDice(event="inspected"))
    chance = random.Random(3)
    spots = list(evening.desk.layout.spots)
    while evening.desk.head.number < EVERY + 150:
        evening.now += 900
        if chance.random() < 0.7:
            name, spot = chance.choice(("ann", "bob")), chance.choice(spots)
            amount = chance.choice((500, 600, 1000, 3000))
            evening.say("player", Bet(seat=name, spot=spot, amount=amount))
        else:
            station = "dealer" if house == "rws" else "stick"
            evening.say(station, CloseBets())
            evening.say("stick", Throw())
    loaded = evening.restart()
    assert loaded.table == evening.desk.table
    assert loaded.book == evening.desk.book
    assert loaded.head == evening.desk.head
    assert imbalance(loaded.table) == 0
    assert loaded.table.before == evening.desk.table.before
    found = verify(export(evening.journal, "t"))
    assert found.problems == ()
    assert found.throws > 50
    assert found.rolls == loaded.table.rolls
    assert found.rolls - found.proved == loaded.book.dice.throws  # of the hand not shown yet
    # The hand goes on with the same secret if the table is only read again.
    dice = loaded.book.dice
    which = (dice.hand, dice.commitment, dice.entropy, dice.throws)
    assert loaded.cup.throw(*which) == evening.desk.cup.throw(*which)


def test_a_miscall_is_overruled_after_a_restart() -> None:
    evening = Evening("adelaide", dice="hand")
    evening.say("player", BuyIn(seat="ann", amount=10_000))
    evening.say("player", Bet(seat="ann", spot="field", amount=500))
    evening.say("stick", Enter(first=1, second=2), person="sam")
    evening.say("box", Attest(first=1, second=2), person="bea")
    assert evening.desk.table.rolls == 1
    evening.desk = evening.restart()
    row = evening.say("box", Overrule(first=3, second=4))
    assert evening.code(row) == "ok", row.ruling.refusal
    rolled = [d for d in row.ruling.decisions if type(d) is Rolled]
    assert (rolled[0].first, rolled[0].second) == (3, 4)
    # It was one roll, and the one that stands is the one that is shown.
    assert evening.desk.table.rolls == 1
    assert [faces[:2] for faces in evening.desk.book.history] == [(3, 4)]


def test_words_count_until_the_first_throw_of_a_hand() -> None:
    evening = Evening()
    words = AddEntropy(seat="ann", text="luck")
    assert evening.code(evening.say("player", words)) == "not-seated"
    evening.say("player", BuyIn(seat="ann", amount=10_000))
    evening.say("player", Bet(seat="ann", spot="field", amount=500))
    assert evening.code(evening.say("player", words)) == "ok"
    assert evening.code(evening.say("player", AddEntropy(seat="ann", text=""))) == "bad-words"
    long = AddEntropy(seat="ann", text="x" * 65)
    assert evening.code(evening.say("player", long)) == "bad-words"
    evening.say("dealer", CloseBets())
    evening.say("stick", Throw())
    assert evening.desk.book.dice.entropy == (("ann", "luck"),)
    assert evening.code(evening.say("player", words)) == "not-now"


def test_a_hand_is_shown_when_the_shooter_is_out() -> None:
    evening = Evening(shooter="players")
    evening.say("player", BuyIn(seat="ann", amount=500_000))
    evening.say("player", Bet(seat="ann", spot="pass", amount=500))
    evening.say("stick", OfferDice(seat="ann"))
    assert evening.code(evening.say("player", TakeDice(seat="ann"))) == "ok"
    for _ in range(400):
        if evening.desk.book.dice.hand > 1:
            break
        evening.say("player", Bet(seat="ann", spot="pass", amount=500))
        evening.say("dealer", CloseBets())
        evening.say("stick", Throw())
    shown = evening.desk.book.dice.shown
    assert shown is not None
    assert shown[0] == 1
    assert evening.desk.book.history[-1][2] == "seven-out"
    assert evening.desk.table.hand.shooter == ""
    # The next hand was fixed in the same breath, before anybody could bet on it.
    assert evening.desk.book.dice.commitment
    assert evening.desk.book.dice.throws == 0


def test_a_hand_is_shown_when_the_shooter_passes_the_dice() -> None:
    evening = Evening(shooter="players")
    for name in ("ann", "bob"):
        evening.say("player", BuyIn(seat=name, amount=500_000))
        evening.say("player", Bet(seat=name, spot="dont_pass", amount=500))
    evening.say("stick", OfferDice(seat="ann"))
    evening.say("player", TakeDice(seat="ann"))
    evening.say("dealer", CloseBets())
    evening.say("stick", Throw())
    hand = evening.desk.book.dice.hand
    if evening.desk.table.hand.shooter:
        assert evening.code(evening.say("player", PassDice(seat="ann"))) == "ok"
    assert evening.desk.book.dice.hand == hand + 1


def test_faces_thrown_by_hand_count_when_two_saw_them() -> None:
    evening = Evening("nsw", dice="hand", practice=False)
    evening.say("player", BuyIn(seat="ann", amount=10_000))
    evening.say("player", Bet(seat="ann", spot="field", amount=500))
    assert evening.code(evening.say("stick", CallRoll(first=4, second=2))) == "not-confirmed"
    assert evening.code(evening.say("stick", Throw())) == "not-now"
    assert evening.code(evening.say("box", Attest(first=4, second=2))) == "nothing-waits"
    assert evening.code(evening.say("stick", Enter(first=4, second=7))) == "no-such-face"
    assert evening.code(evening.say("stick", Enter(first=4, second=2), person="sam")) == "ok"
    assert evening.desk.table.rolls == 0
    late = evening.say("player", Bet(seat="ann", spot="twelve", amount=500))
    assert evening.code(late) == "bets-closed"
    own = evening.say("box", Attest(first=4, second=2), person="sam")
    assert evening.code(own) == "second-person"
    evening.say("box", Attest(first=4, second=3), person="bea")
    assert evening.desk.table.rolls == 0
    assert evening.desk.book.entered is None
    evening.say("stick", Enter(first=4, second=3), person="sam")
    evening.say("box", Attest(first=4, second=3), person="bea")
    assert evening.desk.table.rolls == 1
    assert evening.desk.book.last == (4, 3)


def test_the_houses_dice_are_not_called_or_disputed() -> None:
    evening = Evening("nsw")
    evening.say("player", BuyIn(seat="ann", amount=10_000))
    for role, call in (
        ("stick", CallRoll(first=4, second=2)),
        ("stick", Enter(first=4, second=2)),
        ("player", DisputeFaces(seat="ann")),
        ("box", Overrule(first=6, second=6)),
        ("box", Overrule()),
    ):
        row = evening.say(role, call)
        assert evening.code(row) == "house-dice"
        assert row.cites == ("pit-dice",)


def test_scripted_dice_follow_their_script() -> None:
    script = ((1, 1), (6, 6), (3, 4))
    evening = Evening("nsw", dice="scripted", script=script)
    for _ in range(2):
        for faces in script:
            evening.say("stick", DiceOut())
            evening.say("stick", Throw())
            assert evening.desk.book.last == faces


def test_a_second_person_agrees_where_the_house_wants_one() -> None:
    evening = Evening(
        "adelaide", second_person=True, practice=False, dice="scripted", script=((1, 2),)
    )
    evening.say("player", BuyIn(seat="ann", amount=10_000))
    evening.say("player", Bet(seat="ann", spot="field", amount=500))
    settled = evening.say("stick", Throw(), person="sam")
    assert evening.code(settled) == "ok"
    assert evening.desk.table.rolls == 1  # a settlement waits for nobody
    rail = evening.desk.table.seats["ann"].rail
    proposed = evening.say("box", Overrule(first=3, second=4), person="bea", id="over")
    assert evening.code(proposed) == "ok"
    assert proposed.cites == ("pit-second-person",)
    assert evening.desk.table.seats["ann"].rail == rail
    same = evening.say("supervisor", Second(of="over"), person="bea")
    assert evening.code(same) == "second-person"
    assert evening.code(evening.say("supervisor", Second(of="no"), person="sue")) == "nothing-waits"
    loaded = evening.restart()
    assert [waits.id for waits in loaded.book.waiting] == ["over"]
    evening.say("supervisor", Second(of="over"), person="sue")
    assert evening.desk.table.seats["ann"].rail == rail - 1_000  # won 5 and the stake: gone
    assert evening.desk.book.waiting == ()
    evening.say("box", Overrule(first=1, second=2), person="bea", id="again")
    # What would be refused anyway does not wait for anybody.
    assert evening.desk.book.waiting == ()


def test_a_second_person_may_disagree() -> None:
    evening = Evening(
        "adelaide", second_person=True, practice=False, dice="scripted", script=((1, 2),)
    )
    evening.say("player", BuyIn(seat="ann", amount=10_000))
    evening.say("stick", Throw(), person="sam")
    evening.say("box", Overrule(first=3, second=4), person="bea", id="over")
    evening.say("supervisor", Second(of="over", agree=False), person="sue")
    assert evening.desk.book.waiting == ()
    assert evening.desk.book.last == (1, 2)


def test_without_the_setting_one_person_is_enough() -> None:
    evening = Evening("adelaide", dice="scripted", script=((1, 2),))
    evening.say("player", BuyIn(seat="ann", amount=10_000))
    evening.say("stick", Throw(), person="sam")
    row = evening.say("box", Overrule(first=3, second=4), person="bea")
    assert evening.code(row) == "ok"
    assert evening.desk.book.last == (3, 4)


def test_nobody_acts_for_a_seat_of_somebody_else() -> None:
    evening = Evening()
    evening.say("player", BuyIn(seat="ann", amount=10_000), person="p1")
    row = evening.say("player", Bet(seat="ann", spot="field", amount=500), person="p2")
    assert evening.code(row) == "not-your-seat"


def test_time_is_counted_from_the_opening() -> None:
    evening = Evening()
    evening.now += 61_000
    row = evening.say("player", BuyIn(seat="ann", amount=10_000))
    assert row.call.at == 3600 + 61


def test_a_house_that_closes_keeps_no_table_it_was_just_taking(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two processes of one house: the first is closed while it takes over the other's table."""

    class SlowClaims(MemoryJournal):
        asked, told = threading.Event(), threading.Event()

        def claim(self, table: str) -> bool:
            claimed = super().claim(table)
            self.asked.set()
            self.told.wait(10)
            return claimed

    evening = Evening()
    journal = SlowClaims()
    journal.append(list(evening.journal.rows("t")))
    journal.keep_edition(next(iter(evening.journal._editions.values())))

    async def close_while_taking() -> None:
        monkeypatch.setattr(boss, "TAKE_OVER", 0.01)
        pit = Pit(journal, clock=lambda: evening.now, entropy=evening.chance.randbytes)
        assert MemoryJournal.claim(journal, "t")  # the other process runs it
        journal.told.set()
        await pit.start()
        journal.told.clear()
        journal.asked.clear()
        journal.release("t")
        assert await asyncio.to_thread(journal.asked.wait, 10)
        closing = asyncio.create_task(pit.stop())
        await asyncio.sleep(0.05)
        journal.told.set()
        await closing

    asyncio.run(close_while_taking())
    assert journal.claim("t"), "somebody else can run it now"


@pytest.mark.parametrize("store", ["memory", "sqlite"])
def test_two_that_open_in_the_same_instant_do_not_pay_otherwise(store: str, tmp_path: Path) -> None:
    """Another process opens a table after this one has looked, and before it is stored."""
    journal: Any = MemoryJournal() if store == "memory" else SqliteJournal(tmp_path / "j.db")
    chance = random.Random(6)

    def opened(name: str, price: str, others: Callable[[str], Any]) -> Opening:
        call = Open(house="adelaide", minimum=500, maximum=50_000, settings={"price.two": price})
        given = {"journal": journal, "clock": lambda: 0, "entropy": chance.randbytes}
        return Desk.open(name, call, Setup(practice=False), "boss", others=others, **given)[1]

    looks: list[str] = []

    def look(house: str) -> Any:
        looks.append(house)
        found = live_tables(journal, house, ())
        if len(looks) == 1:
            assert opened("faster", "34 to 1", lambda _: found).refusal is None
        return found

    refusal = opened("slower", "33 to 1", look).refusal
    assert refusal is not None
    assert refusal.cites == ("6(b)#2",)
    assert len(looks) == 2
    assert journal.tables() == ["faster"]
    assert opened("alike", "34 to 1", look).refusal is None
    with pytest.raises(JournalError):
        opened("alike", "34 to 1", look)


def test_prices_are_the_same_at_all_live_tables_of_a_house() -> None:
    """Adelaide 6(b): more than the list only if it is uniform within the casino."""
    journal = MemoryJournal()
    chance = random.Random(6)

    def pit() -> Pit:
        return Pit(journal, clock=lambda: 0, entropy=chance.randbytes)

    async def evening() -> None:
        here, elsewhere = pit(), pit()
        by_hand = {"minimum": 500, "maximum": 50_000, "by_hand": True, "by": "manager"}

        async def opened(at: Pit, name: str, practice: bool = False, **prices: str) -> str:
            settings = {f"price.{spot}": price for spot, price in prices.items()}
            call = Open(house="adelaide", settings=settings, **by_hand)  # type: ignore[arg-type]
            opening = await at.open(name, call, Setup(practice=practice), "boss")
            if opening.refusal is None:
                return ""
            assert opening.refusal.cites == ("6(b)#2",)
            return opening.refusal.sentence

        assert await opened(here, "one", two="33 to 1") == ""
        assert await opened(here, "two", two="33 to 1") == ""
        for at in (here, elsewhere):  # which run none of these tables
            said = await opened(at, "three")
            assert said == "Craps Two would be paid 32 to 1 here and 33 to 1 at one"
        assert await opened(here, "four", two="34 to 1") != ""
        assert await opened(here, "mine", practice=True) == ""  # no table of the casino
        for name in ("one", "two"):
            for call in (Tell(by="manager", whom="inspector"), CloseTable(by="manager")):
                manager = Station("manager", person="boss")
                stored = asyncio.Event()
                command = Command(id=call.__class__.__name__, station=manager, call=call)
                here.take(here.tables[name], command, lambda *_, done=stored: done.set())
                await stored.wait()
            assert here.tables[name].desk.table.floor.closed
        tables = await asyncio.gather(*(opened(here, n, two=f"3{n} to 1") for n in "45"))
        assert sorted(map(bool, tables)) == [False, True], "at once, and one of them is refused"
        other = Open(house="nsw", **by_hand)  # type: ignore[arg-type]
        assert (await here.open("sydney", other, Setup(), "boss")).refusal is None

    asyncio.run(evening())
