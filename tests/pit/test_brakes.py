"""A player's own brakes: at the seat, by day, in every process of the house and after a restart."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest

from boxman.journal.memory import MemoryJournal, MemoryRecords
from boxman.journal.open import open_journal
from boxman.journal.store import Journal
from boxman.pit.live.notebook import DAY
from boxman.pit.people.brakes import BrakeBook, Brakes, changed, now_binding
from boxman.pit.people.daybook import DayBook, Page, merged
from tests.pit.serving import PASSWORD, Person, Served, served, set_up
from tests.tools import postgres

HOUR = 3_600_000
MINUTE = 60_000


def test_lower_binds_at_once_and_higher_a_day_later() -> None:
    brakes = changed(Brakes(), {"loss": 10_000}, 0)
    assert brakes.loss == 10_000
    lower = changed(brakes, {"loss": 5_000}, HOUR)
    assert lower.loss == 5_000
    higher = changed(lower, {"loss": 20_000}, 2 * HOUR)
    assert higher.loss == 5_000
    assert now_binding(higher, 2 * HOUR + DAY - 1).loss == 5_000
    assert now_binding(higher, 2 * HOUR + DAY).loss == 20_000
    none = changed(lower, {"loss": 0}, 0)  # no limit at all is the highest
    assert none.loss == 5_000
    assert now_binding(none, DAY).loss == 0
    # A lower one in between takes the waiting raise away.
    again = changed(higher, {"loss": 4_000}, 3 * HOUR)
    assert now_binding(again, 10 * DAY).loss == 4_000


def test_nobody_shortens_an_exclusion() -> None:
    brakes = changed(Brakes(), {"exclude_days": 30}, 0)
    assert changed(brakes, {"exclude_days": 1}, 0).excluded_until == 30 * DAY
    assert changed(brakes, {"exclude_days": 40}, 0).excluded_until == 40 * DAY
    assert changed(Brakes(), {"pause_hours": 24}, 0).pause_until == DAY


def test_play_time_is_counted_while_somebody_plays() -> None:
    now = [DAY]
    book = BrakeBook(MemoryRecords(), lambda: now[0])
    book.active("ann")
    for _ in range(10):
        now[0] += 60_000
        book.active("ann")
    assert book.time("ann") == 600_000
    assert book.played("ann").since == DAY
    now[0] += HOUR  # away for an hour: not counted
    book.active("ann")
    assert book.time("ann") == 600_000
    assert book.played("ann").since == now[0]
    now[0] = 2 * DAY - 60_000
    book.active("ann")
    now[0] += 120_000  # over midnight: a minute of it is today's
    book.active("ann")
    assert book.time("ann") == 60_000
    now[0] += DAY
    assert book.time("ann") == 0


def test_time_played_at_two_places_at_once_counts_once() -> None:
    minute = 60_000
    here = [(0, 10 * minute), (30 * minute, 40 * minute)]
    there = [(5 * minute, 12 * minute), (16 * minute, 20 * minute)]
    # 12 to 16 is a pause like any other between two bets; 20 to 30 is a rest.
    assert merged([*here, *there]) == [(0, 20 * minute), (30 * minute, 40 * minute)]
    now = [40 * minute]
    book = BrakeBook(MemoryRecords(), lambda: now[0], lambda person: there)
    book.played("ann").spells = here
    assert book.time("ann") == 30 * minute
    assert book.time("bob") == (20 - 5) * minute


def test_brakes_bind_at_the_seat_with_their_term(server: Served, boss: Person) -> None:
    table = boss.post("/api/tables", 201, house="nsw", automatic=[])["table"]
    person = server.person()
    person.post(f"/api/tables/{table}/sit", 200, name="careful", buy_in=100_000)
    person.post("/api/me/brakes", 200, loss=2_000)
    with person.at(table) as seat:
        assert seat.say("bet", spot="field", amount=1_500)["refused"] is None
        # 15 could be lost already, so only 5 more may be.
        answer = seat.say("bet", spot="pass", amount=600)
        refused, number = answer["refused"], answer["number"]
        assert refused["code"] == "own-loss-limit"
        assert refused["clauses"] == ["pit-own-loss-limit"]
        assert seat.say("bet", spot="pass", amount=500)["refused"] is None
        assert seat.say("takedown", spot="field")["refused"] is None
        assert seat.say("bet", spot="field", amount=1_500)["refused"] is None
        person.post("/api/me/brakes", 200, pause_hours=1)
        refused = seat.say("bet", spot="two", amount=500)["refused"]
        assert (refused["code"], refused["clauses"]) == ("time-out", ["pit-time-out"])
        person.post("/api/me/brakes", 200, exclude_days=1)
        refused = seat.say("buyin", amount=500)["refused"]
        assert (refused["code"], refused["clauses"]) == ("self-excluded", ["pit-self-exclusion"])
        # What is up is played out, and chips go home.
        assert seat.say("takedown", spot="field")["refused"] is None
        assert seat.say("cashout")["refused"] is None
    told = person.get(f"/api/tables/{table}/explain?number={number}")
    assert told["clauses"][0]["sort"] == "term"
    assert told["clauses"][0]["text"]


def test_a_time_limit_binds(server: Served, boss: Person) -> None:
    table = boss.post("/api/tables", 201, house="nsw", automatic=[])["table"]
    person = server.person()
    who = person.post(f"/api/tables/{table}/sit", 200, name="timely")["person"]
    person.post("/api/me/brakes", 200, minutes=30)
    with person.at(table) as seat:
        assert seat.say("bet", spot="field", amount=500)["refused"] is None
        played = server.house.brakes.played(who)
        played.spells = [(played.seen - 30 * 60_000, played.seen)]
        refused = seat.say("bet", spot="field", amount=500)["refused"]
        assert (refused["code"], refused["clauses"]) == ("own-time-limit", ["pit-own-time-limit"])
        assert seat.say("takedown", spot="field")["refused"] is None


def test_a_reality_check_comes_by_itself(server: Served, boss: Person) -> None:
    table = boss.post("/api/tables", 201, house="nsw", automatic=[])["table"]
    person = server.person()
    who = person.post(f"/api/tables/{table}/sit", 200, name="reminded")["person"]
    with person.at(table) as seat:
        seat.send(do="clock")
        assert "check" not in seat.next("clock")
        played = server.house.brakes.played(who)
        played.reminded -= 61 * 60_000
        check = seat.next("clock")
        assert check["check"] is True
        assert check["result_today"] == 0
    set_up_again = person.get("/api/me")
    assert set_up_again["brakes"]["remind"] == 60


# -- several processes, one house ----------------------------------------------------------------


@contextmanager
def one_store(kind: str) -> Iterator[Callable[[], Journal]]:
    """One store, as several processes open it."""
    if kind == "memory":
        shared = MemoryJournal()
        yield lambda: shared
        return
    with postgres.server() as server, ExitStack() as opened:
        dsn = server.database()

        def again() -> Journal:
            journal = open_journal(dsn)
            opened.callback(journal.close)
            return journal

        yield again


def exchange(*houses: Served) -> None:
    """What every process does once a second, now."""
    for _ in range(2):
        for each in houses:
            each.house._exchange(each.house._page())


def table_of_boss(boss: Person, name: str) -> str:
    made = boss.post(
        "/api/tables", 201, house="nsw", name=name, automatic=[], dice="scripted", script=[[3, 4]]
    )
    return str(made["table"])


@pytest.mark.parametrize("kind", ["memory", "postgres"])
def test_limits_count_in_every_process_and_after_a_restart(kind: str) -> None:
    now = [100 * DAY + 12 * HOUR]
    with one_store(kind) as opens:
        with (
            served(opens(), clock=lambda: now[0]) as first,
            served(opens(), clock=lambda: now[0]) as second,
        ):
            boss = set_up(first)
            boss.post("/api/people", 201, name="ann", password=PASSWORD)
            there = second.person().sign_in("boss")
            here_table, there_table = table_of_boss(boss, "here"), table_of_boss(there, "there")
            ann, ann_there = first.person().sign_in("ann"), second.person().sign_in("ann")
            ann.post(f"/api/tables/{here_table}/sit", 200, buy_in=100_000)
            ann_there.post(f"/api/tables/{there_table}/sit", 200, buy_in=100_000)
            ann.post("/api/me/brakes", 200, loss=2_000, minutes=10)
            with ann.at(here_table) as seat, ann_there.at(there_table) as other:
                assert seat.say("bet", spot="field", amount=1_500)["refused"] is None
                exchange(first, second)
                # 15 are up here, so 5 more may be staked there.
                refused = other.say("bet", spot="field", amount=600)["refused"]
                assert refused["code"] == "own-loss-limit"
                assert refused["remedy"] == "at most 5 more may be staked now"
                with boss.at(here_table) as stick:
                    stick.say("closebets", "stick")
                    stick.say("diceout", "stick")
                    assert stick.say("throw", "stick")["refused"] is None
                exchange(first, second)
                # A seven took them: the same 15, now lost.
                assert ann_there.get("/api/me")["result_today"] == -1_500
                refused = other.say("bet", spot="field", amount=600)["refused"]
                assert refused["code"] == "own-loss-limit"
                # Four minutes here, four there, two here: ten in all.
                for minute, place in ((4, other), (8, seat), (9, other)):
                    now[0] = 100 * DAY + 12 * HOUR + minute * MINUTE
                    refused = place.say("takedown", spot="field")["refused"]
                    assert refused["code"] == "no-wager"
                exchange(first, second)
                assert seat.say("bet", spot="field", amount=500)["refused"] is None
                assert seat.say("takedown", spot="field")["refused"] is None
                now[0] += MINUTE
                refused = seat.say("bet", spot="field", amount=500)["refused"]
                assert refused["code"] == "own-time-limit"
                exchange(first, second)
                assert ann_there.get("/api/me")["played_today"] == 10 * MINUTE
        with served(opens(), clock=lambda: now[0]) as again:
            ann = again.person().sign_in("ann")
            told = ann.get("/api/me")
            assert (told["played_today"], told["result_today"]) == (10 * MINUTE, -1_500)
            with ann.at(there_table) as seat:
                refused = seat.say("bet", spot="field", amount=500)["refused"]
                assert refused["code"] == "own-time-limit"
            now[0] += DAY  # a new day
            with ann.at(there_table) as seat:
                assert seat.say("bet", spot="field", amount=2_000)["refused"] is None


def test_of_two_pages_about_a_table_the_newer_counts() -> None:
    now = [5 * DAY]
    records = MemoryRecords()
    books = [DayBook(records, lambda: now[0], name) for name in ("a", "b", "c")]
    books[0].exchange(Page(1, {}, {"t": {"ann": (-500, 0)}, "u": {"ann": (100, 50)}}))
    books[1].exchange(Page(2, {"ann": ((1, 2),)}, {"t": {"ann": (-700, 300)}}))
    books[2].exchange(Page(3))
    assert books[2].standing("ann", ()) == (-600, 350)
    assert books[2].standing("ann", ("t",)) == (100, 50)  # that one is run here
    assert books[2].standing("bob", ()) == (0, 0)
    assert books[2].spells("ann") == [(1, 2)]
    now[0] += DAY
    books[2].exchange(Page(4))
    assert books[2].standing("ann", ()) == (0, 0)
    now[0] += 5 * DAY
    books[2].exchange(Page(5))
    assert records.list("day-5") == []


def test_a_limit_that_is_changed_elsewhere_binds_here() -> None:
    records, now = MemoryRecords(), [DAY]
    here, there = (BrakeBook(records, lambda: now[0]) for _ in range(2))
    assert here.of("ann").loss == 0
    there.change("ann", {"loss": 500})
    here.refresh()
    assert here.of("ann").loss == 500
    # Nobody's change is lost: each begins from what is stored.
    here.change("ann", {"minutes": 30})
    assert there.change("ann", {"remind": 15}).minutes == 30
