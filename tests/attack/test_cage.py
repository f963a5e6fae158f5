"""The cage is asked for the same chips twice at the same moment: it pays once."""

from __future__ import annotations

import signal
from collections.abc import Callable
from threading import Barrier, Thread

import pytest

from tests.attack.client import NUMBERS, Visitor
from tests.attack.server import Server
from tests.tools.reliability import record

WHOLE = 100_000


class Race:
    """Somebody with a seat at two tables, perhaps of two processes, and chips for one."""

    def __init__(self, one: Server, other: Server, name: str) -> None:
        self.one, self.other, self.name = one, other, name
        self.mine = one.person(name, WHOLE)
        self.yours = Visitor(other.port)
        self.yours.cookies = self.mine.cookies
        here, there = one.live_table(), other.live_table()
        self.seats = (self.mine.at(here), self.yours.at(there))
        self.ran = 0

    def held(self) -> int:
        return int(self.mine.get("/api/cage")["balance"])

    def run(self) -> None:
        """Buy in for everything at both tables at once, then bring it back."""
        ids = [f"race{next(NUMBERS)}" for _ in self.seats]
        for seat, made in zip(self.seats, ids, strict=True):
            seat.send(do="call", id=made, call={"type": "buyin", "amount": WHOLE})
        answers = [seat.answer(made) for seat, made in zip(self.seats, ids, strict=True)]
        accepted = [a for a in answers if a["is"] == "answer" and a["refused"] is None]
        refused = [a for a in answers if a["is"] == "answer" and a["refused"] is not None]
        assert len(accepted) == 1, answers
        assert [a["refused"]["code"] for a in refused] == ["cage-short"], answers
        winner = self.seats[answers.index(accepted[0])]
        assert winner.say("cashout", amount=WHOLE)["refused"] is None
        for seat in self.seats:
            seat.heard.clear()
        self.ran += 1


def races(one: Server, other: Server, times: int, people: int = 4) -> int:
    """So many races of several people at once; how many were run."""
    found = [Race(one, other, f"racer-{next(NUMBERS)}") for _ in range(people)]
    wrong: list[BaseException] = []

    def run(race: Race) -> None:
        try:
            for _ in range(times // people):
                race.run()
        except BaseException as error:
            wrong.append(error)

    threads = [Thread(target=run, args=(race,)) for race in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for race in found:
        for seat in race.seats:
            seat.close()
    # Who closed a socket, if one was closed: a house that is gone, or one that is not.
    assert wrong == [], [(each.process and each.process.poll()) for each in (one, other)]
    for race in found:
        assert race.held() == WHOLE
    return sum(race.ran for race in found)


def test_two_tables_of_one_process_are_paid_once(house: Server) -> None:
    assert races(house, house, 40) == 40


def test_two_processes_pay_once(pair: tuple[Server, Server]) -> None:
    assert races(*pair, 40) == 40


SOAK = 10_000
TOLD = (
    "{} times two buy-ins of everything somebody has, at the same moment: one paid, the other "
    "refused, each time"
)


@pytest.mark.soak
def test_ten_thousand_races_of_two_processes(pair: tuple[Server, Server]) -> None:
    done = races(*pair, SOAK)
    told = f"two processes on one PostgreSQL: {TOLD.format(f'{done:,}')}"
    record("The cage, asked twice at once", [told])


@pytest.mark.soak
def test_ten_thousand_races_of_two_tables(serve: Callable[..., Server]) -> None:
    house = serve()
    told = f"two tables of one process: {TOLD.format(f'{races(house, house, SOAK):,}')}"
    record("The cage, asked twice at once, on SQLite", [told])


def test_what_is_taken_back_while_it_is_brought_to_a_table_is_paid_once(
    pair: tuple[Server, Server],
) -> None:
    one, other = pair
    ann, boss = one.person("taken"), other.boss()
    table = one.live_table()
    with ann.at(table) as seat:
        for number in range(8):
            boss.post("/api/cage", 200, person="taken", amount=WHOLE)
            start = Barrier(2)
            taken: list[int] = []

            def take_back(start: Barrier = start, taken: list[int] = taken) -> None:
                start.wait()
                taken.append(
                    boss.ask("POST", "/api/cage", {"person": "taken", "amount": -WHOLE}).status
                )

            thread = Thread(target=take_back)
            thread.start()
            start.wait()
            bought = seat.say("buyin", amount=WHOLE)["refused"] is None
            thread.join()
            assert [bought, taken[0] == 200].count(True) == 1, (number, bought, taken)
            assert ann.get("/api/cage")["balance"] == 0
            if bought:
                assert seat.say("cashout", amount=WHOLE)["refused"] is None
                boss.post("/api/cage", 200, person="taken", amount=-WHOLE)


@pytest.mark.parametrize("rounds", [1, pytest.param(20, marks=pytest.mark.soak)])
def test_a_kill_in_the_middle_of_buying_in_loses_no_chip(
    serve: Callable[..., Server], rounds: int
) -> None:
    house = serve()
    ann = house.person("ann", WHOLE)
    table = house.live_table()
    for round_ in range(rounds):
        with ann.at(table) as seat:
            for number in range(20):
                kind = "buyin" if number % 2 == 0 else "cashout"
                seat.send(do="call", id=f"{round_}-{number}", call={"type": kind, "amount": 10_000})
            seat.answer(f"{round_}-{3 + round_ % 15}")
            house.stop(signal.SIGKILL)
        house.start()
        ann.port = house.port
        rails = [seat["rail"] for seat in ann.get(f"/api/tables/{table}")["view"]["seats"]]
        assert ann.get("/api/cage")["balance"] + sum(rails) == WHOLE
