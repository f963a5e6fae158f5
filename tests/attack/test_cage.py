"""The cage is asked for the same chips twice at the same moment: it pays once."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from threading import Barrier, Thread
from typing import Any

import pytest

from tests.attack.client import NUMBERS, Visitor
from tests.attack.server import Server
from tests.tools.reliability import record

WHOLE = 100_000
HUNG_UP = (1006, 1011)
"""How a socket is closed that has not answered a ping, or whose end nobody has read."""


class Race:
    """Somebody with a seat at two tables, perhaps of two processes, and chips for one."""

    def __init__(self, one: Server, other: Server, name: str) -> None:
        self.one, self.other, self.name = one, other, name
        self.mine = one.person(name, WHOLE)
        self.yours = Visitor(other.port)
        self.yours.cookies = self.mine.cookies
        self.doors = ((self.mine, one.live_table()), (self.yours, other.live_table()))
        self.seats = [visitor.at(table) for visitor, table in self.doors]
        self.ran = self.again = 0

    def held(self) -> int:
        return int(self.mine.get("/api/cage")["balance"])

    def run(self) -> None:
        """Buy in for everything at both tables at once, then bring it back."""
        ids = [f"race{next(NUMBERS)}" for _ in self.seats]
        for place, made in enumerate(ids):
            self._say(place, made, "buyin")
        answers = [self._heard(place, made, "buyin") for place, made in enumerate(ids)]
        accepted = [a for a in answers if a["is"] == "answer" and a["refused"] is None]
        refused = [a for a in answers if a["is"] == "answer" and a["refused"] is not None]
        assert len(accepted) == 1, answers
        assert [a["refused"]["code"] for a in refused] == ["cage-short"], answers
        winner, made = answers.index(accepted[0]), f"back{next(NUMBERS)}"
        self._say(winner, made, "cashout")
        assert self._heard(winner, made, "cashout")["refused"] is None
        for seat in self.seats:
            seat.heard.clear()
        self.ran += 1

    def _say(self, place: int, made: str, kind: str) -> None:
        with suppress(ConnectionError):  # heard of when its answer is read
            self.seats[place].send(do="call", id=made, call={"type": kind, "amount": WHOLE})

    def _heard(self, place: int, made: str, kind: str) -> dict[str, Any]:
        """The answer to a call. On a machine that is busy for long nobody answers the pings of the
        seat that is not read just now, and the house hangs up: the same is said again."""
        while True:
            try:
                return self.seats[place].answer(made)
            except ConnectionError as lost:
                if getattr(lost, "code", HUNG_UP[0]) not in HUNG_UP:
                    raise
            self.seats[place].close()
            visitor, table = self.doors[place]
            self.seats[place] = visitor.at(table)
            self.again += 1
            self._say(place, made, kind)


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
    assert wrong == [], [(each.process and each.process.poll()) for each in (one, other)]
    for race in found:
        assert race.held() == WHOLE
    return sum(race.ran for race in found)


def test_two_tables_of_one_process_are_paid_once(house: Server) -> None:
    assert races(house, house, 40) == 40


def test_two_processes_pay_once(pair: tuple[Server, Server]) -> None:
    assert races(*pair, 40) == 40


PIECES, PIECE = 5, 2_000
TOLD = (
    "{:,} times two buy-ins of everything somebody has, at the same moment: one paid, the other "
    "refused, each time"
)
DONE: Counter[str] = Counter()


@pytest.mark.soak
@pytest.mark.parametrize("piece", range(PIECES))
def test_ten_thousand_races_of_two_processes(pair: tuple[Server, Server], piece: int) -> None:
    DONE["pair"] += races(*pair, PIECE)
    told = f"two processes on one PostgreSQL: {TOLD.format(DONE['pair'])}"
    record("The cage, asked twice at once", [told])


@pytest.mark.soak
@pytest.mark.parametrize("piece", range(PIECES))
def test_ten_thousand_races_of_two_tables(house: Server, piece: int) -> None:
    DONE["house"] += races(house, house, PIECE)
    told = f"two tables of one process: {TOLD.format(DONE['house'])}"
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
