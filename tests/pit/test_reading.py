"""Who may read a live table's journal: everybody and every door, both ways, over the wire."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from boxman.journal.memory import MemoryJournal
from boxman.pit.live.stations import PLAYER, SPECTATOR
from boxman.pit.people.readers import ADMINISTRATOR, DOORS, MAY_READ, READERS
from boxman.pit.web.api import journal as journal_api
from boxman.rules.duties import STATIONS
from tests.pit.serving import PASSWORD, Person, Served, served, set_up

PATHS = {
    "rows": "rows",
    "explain": "explain?number=1",
    "at": "at/2",
    "verify": "verify",
    "export": "export?format=jsonl",
    "seal": "seal",
}
"""A request for every door; the first row is nobody's seat and no roll."""


class Floor:
    """A live table with one person of every kind around it."""

    def __init__(self, server: Served) -> None:
        self.server = server
        boss = set_up(server)
        made = boss.post("/api/tables", 201, house="nsw", practice=False, crew="by hand")
        self.table = made["table"]
        self.people: dict[str, Person] = {ADMINISTRATOR: boss}
        for station in (PLAYER, *STATIONS, SPECTATOR):
            name = f"the-{station}"
            boss.post("/api/people", 201, name=name, password=PASSWORD)
            if station in STATIONS:
                body: dict[str, Any] = {"table": self.table, "stations": [station]}
                boss.post(f"/api/people/{name}/stations", 200, **body)
            self.people[station] = server.person().sign_in(name)
        boss.post("/api/cage", 200, person="the-player", amount=100_000)
        self.people[PLAYER].post(f"/api/tables/{self.table}/sit", 200, buy_in=50_000)

    def ask(self, who: Person, door: str, query: str = "") -> tuple[int, Any]:
        answer = who.http.get(f"/api/tables/{self.table}/{query or PATHS[door]}")
        return answer.status_code, answer


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    key = tmp_path_factory.mktemp("house") / "key"
    with served(MemoryJournal(), key=str(key)) as server:
        yield Floor(server)


def test_the_data_speak_of_everybody_and_every_door() -> None:
    assert set(MAY_READ) == set(READERS)
    assert set().union(*MAY_READ.values()) == set(DOORS) == set(PATHS)
    assert MAY_READ[SPECTATOR] == frozenset()


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("reader", READERS)
def test_everybody_and_every_door(floor: Floor, reader: str, door: str) -> None:
    status, answer = floor.ask(floor.people[reader], door)
    if reader == PLAYER and door == "explain":
        # Row 1 is the opening: not about him. What is about him is below.
        assert (status, answer.json()["code"]) == (403, "not-yours")
    elif door in MAY_READ[reader]:
        assert status == 200, answer.text
    else:
        assert (status, answer.json()["code"]) == (403, "not-yours")
        assert answer.json()["message"]


@pytest.mark.parametrize("door", DOORS)
def test_nobody_and_a_guest_read_nothing(floor: Floor, door: str) -> None:
    nobody = floor.server.person()
    status, answer = floor.ask(nobody, door)
    assert (status, answer.json()["code"]) == (401, "signed-out")
    guest = floor.server.person().guest("passer-by")
    status, answer = floor.ask(guest, door)
    assert (status, answer.json()["code"]) == (403, "not-yours")


def test_everybody_is_told_which_doors_are_open(floor: Floor) -> None:
    for reader in READERS:
        with floor.people[reader].at(floor.table) as seat:
            told = seat.next("view")["view"]["me"]["reads"]
        assert set(told) == MAY_READ[reader], reader


def test_a_player_has_his_own_rows_and_rolls_explained_and_no_others(floor: Floor) -> None:
    player, stick = floor.people[PLAYER], floor.people["stick"]
    other = floor.people[ADMINISTRATOR]
    other.post("/api/people", 201, name="other", password=PASSWORD)
    other.post("/api/cage", 200, person="other", amount=100_000)
    neighbour = floor.server.person().sign_in("other")
    neighbour.post(f"/api/tables/{floor.table}/sit", 200, buy_in=50_000)
    with player.at(floor.table) as own, neighbour.at(floor.table) as his:
        mine = own.say("bet", spot="field", amount=500)["number"]
        refused = own.say("bet", spot="field", amount=1)["number"]
        not_mine = his.say("bet", spot="field", amount=500)["number"]
    with stick.at(floor.table) as crew:
        assert crew.say("closebets", "stick")["refused"] is None
        closed = crew.say("diceout", "stick")["number"]
        assert crew.say("throw", "stick")["refused"] is None
    seen = floor.people["inspector"].get(f"/api/tables/{floor.table}/rows?after={closed}")["rows"]
    roll = next(row["number"] for row in seen if any(d["type"] == "rolled" for d in row["decided"]))
    for number, status in (
        (mine, 200),
        (refused, 200),
        (not_mine, 403),
        (closed, 403),
        (roll, 200),
    ):
        got, answer = floor.ask(player, "explain", f"explain?number={number}")
        assert got == status, (number, answer.text)
    got, _ = floor.ask(floor.people[SPECTATOR], "explain", f"explain?number={roll}")
    assert got == 403


def test_nobody_reads_the_journal_by_coming_back_from_a_long_absence(floor: Floor) -> None:
    with floor.people[PLAYER].at(floor.table) as own:
        while (number := own.say("bet", spot="field", amount=1)["number"]) < 100:
            pass
    for reader in (SPECTATOR, PLAYER, "stick", "inspector"):
        person = floor.people[reader]
        with person.at(floor.table, f"?after={number - 90}") as seat:
            first = seat.next("row", "snapshot")
        assert first["is"] == ("row" if "rows" in MAY_READ[reader] else "snapshot"), reader
        with person.at(floor.table, f"?after={number - 20}") as seat:
            assert seat.next("row", "snapshot")["number"] == number - 19, reader


def test_past_rolls_are_not_shown_where_a_house_forbids_aids(floor: Floor) -> None:
    boss = floor.people[ADMINISTRATOR]
    for practice in (True, False):
        table = boss.post(
            "/api/tables",
            201,
            house="adelaide",
            practice=practice,
            automatic=[],
            dice="scripted",
            script=[[1, 2]],
        )["table"]
        boss.post("/api/people/boss/stations", 200, table=table, stations=["stick"])
        with boss.at(table) as stick:
            assert stick.say("diceout", "stick")["refused"] is None
            assert stick.say("throw", "stick")["refused"] is None
        view = boss.get(f"/api/tables/{table}")["view"]
        assert view["dice"] == [1, 2]
        assert view["advice"] is practice
        assert view["history"] == ([[1, 2, view["event"]]] if practice else [])


def test_only_a_few_verify_at_a_time(floor: Floor) -> None:
    inspector = floor.people["inspector"]
    for _ in range(2):
        assert journal_api._VERIFYING.acquire(blocking=False)
    status, answer = floor.ask(inspector, "verify")
    assert (status, answer.json()["code"]) == (503, "busy")
    for _ in range(2):
        journal_api._VERIFYING.release()
    assert floor.ask(inspector, "verify")[0] == 200


def test_a_practice_journal_is_anybodys(floor: Floor) -> None:
    boss = floor.people[ADMINISTRATOR]
    table = boss.post("/api/tables", 201, house="nsw")["table"]
    nobody = floor.server.person()
    for path in PATHS.values():
        assert nobody.http.get(f"/api/tables/{table}/{path}").status_code == 200, path


def test_somebody_appointed_reads_at_once_and_no_longer_than_he_is(floor: Floor) -> None:
    boss = floor.people[ADMINISTRATOR]
    boss.post("/api/people", 201, name="deputy", password=PASSWORD)
    deputy = floor.server.person().sign_in("deputy")
    assert floor.ask(deputy, "rows")[0] == 403
    boss.post("/api/people/deputy/stations", 200, table="*", stations=["box"])
    assert floor.ask(deputy, "rows")[0] == 200
    assert floor.ask(deputy, "verify")[0] == 403
    boss.post("/api/people/deputy/stations", 200, table="*", stations=[])
    assert floor.ask(deputy, "rows")[0] == 403


def test_somebody_who_stands_in_reads_as_that_station(floor: Floor) -> None:
    boss = floor.people[ADMINISTRATOR]
    made = boss.post("/api/tables", 201, house="perth-crapless", practice=False, crew="by hand")
    boss.post("/api/people/boss/stations", 200, table=made["table"], stations=["manager"])
    boss.post("/api/people", 201, name="spare", password=PASSWORD)
    spare = floor.server.person().sign_in("spare")
    path = f"/api/tables/{made['table']}/rows"
    assert spare.http.get(path).status_code == 403
    with boss.at(made["table"]) as manager:
        answer = manager.say("standin", "manager", person="spare", station="box")
        assert answer["refused"] is None
    assert spare.http.get(path).status_code == 200
    assert spare.http.get(f"/api/tables/{made['table']}/verify").status_code == 403
