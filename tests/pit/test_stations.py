"""Who may say what: every station and every kind of call, both ways, over the wire."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from boxman.pit.live.stations import ALL_STATIONS, CALL_KINDS, MAY_SAY, NOBODY, PLAYER, SPECTATOR
from boxman.rules.duties import STATIONS
from tests.pit.serving import PASSWORD, Person, Seat, Served

FIELDS: dict[str, dict[str, Any]] = {
    "askfor": {"seat": "ann", "step": "review"},
    "bet": {"spot": "field", "amount": 500},
    "buyin": {"amount": 1000},
    "callroll": {"first": 1, "second": 2},
    "choose": {"setting": "odds", "value": "2"},
    "confirm": {"seat": "ann", "spot": "field"},
    "find": {"seat": "ann", "spot": "field", "amount": 500},
    "giveback": {"seat": "ann", "spot": "field"},
    "givevoucher": {"seat": "ann", "amount": 500},
    "grantlimits": {"seat": "ann", "minimum": 500, "maximum": 900},
    "handledice": {"event": "inspected"},
    "judgedispute": {"step": "decide"},
    "keeplimits": {"seat": "ann"},
    "linkpartners": {"first": "ann", "second": "bob"},
    "object": {"spot": "field"},
    "offerdice": {"seat": "ann"},
    "passover": {"seat": "ann"},
    "opendispute": {"seat": "ann", "about": "payout"},
    "orderpass": {"seat": "ann", "reason": "delay"},
    "placefor": {"seat": "ann", "spot": "field", "amount": 500},
    "postlimits": {"minimum": 500, "maximum": 900},
    "record": {"what": "touching", "person": "ann"},
    "reduce": {"spot": "field", "to": 500},
    "sanction": {"what": "exclude", "seat": "ann", "reason": "device"},
    "runsides": {"sides": 1, "dealers": 1},
    "say": {"spot": "field", "amount": 500},
    "setworking": {"spot": "place.6", "call": "on"},
    "shownotice": {"what": "limits", "minimum": 500, "maximum": 900},
    "sit": {"place": 3},
    "standin": {"person": "kim", "station": "box"},
    "stayup": {"spot": "field"},
    "takedown": {"spot": "field"},
    "tell": {"whom": "inspector"},
    "voidroll": {"reason": "fraud"},
    "addentropy": {"text": "luck"},
    "enter": {"first": 1, "second": 2},
    "attest": {"first": 1, "second": 2},
    "second": {"of": "nothing"},
    "commit": {"hand": 9, "commitment": "0"},
    "reveal": {"hand": 9, "secret": "00"},
    "propose": {"call": {"type": "overrule"}},
    "open": {"house": "x"},
}
"""Arguments that a call cannot do without."""


@pytest.fixture(scope="module")
def seats(server: Served, boss: Person) -> Iterator[dict[str, Seat]]:
    """One person at each station of one live table."""
    made = boss.post("/api/tables", 201, house="nsw", practice=False, crew="by hand")
    table = made["table"]
    found = {}
    for station in ALL_STATIONS:
        name = "ann" if station == PLAYER else f"the-{station}"
        boss.post("/api/people", 201, name=name, password=PASSWORD)
        if station in STATIONS:
            boss.post(f"/api/people/{name}/stations", 200, table=table, stations=[station])
        boss.post("/api/cage", 200, person=name, amount=1_000_000)
        person = server.person().sign_in(name)
        found[station] = person.at(table)
    assert found[PLAYER].say("buyin", amount=100_000)["refused"] is None
    yield found
    for seat in found.values():
        seat.close()


def test_the_data_speak_of_every_call_and_every_station() -> None:
    assert set(MAY_SAY) == set(ALL_STATIONS)
    said = set().union(*MAY_SAY.values())
    assert said | NOBODY == set(CALL_KINDS)
    assert not said & NOBODY
    assert MAY_SAY[SPECTATOR] == frozenset()


@pytest.mark.parametrize("kind", sorted(CALL_KINDS))
@pytest.mark.parametrize("station", ALL_STATIONS)
def test_every_station_and_every_call(seats: dict[str, Seat], station: str, kind: str) -> None:
    seat = seats[station]
    answer = seat.say(kind, station, **FIELDS.get(kind, {}))
    if kind in MAY_SAY[station]:
        # It reaches the desk: ruled on, and a refusal is the rules' own, with its clauses.
        assert answer["is"] == "answer", answer
        assert answer["number"] > 0
        if answer["refused"] is not None:
            assert answer["refused"]["clauses"]
            assert answer["refused"]["code"] != "not-your-station"
    else:
        assert answer["is"] == "error"
        assert answer["code"] == "not-your-station"


@pytest.mark.parametrize("station", STATIONS)
def test_nobody_speaks_from_a_station_he_does_not_work(
    seats: dict[str, Seat], station: str
) -> None:
    for other, seat in seats.items():
        if other != station:
            answer = seat.say("record", station, what="touching", person="ann")
            assert (answer["is"], answer["code"]) == ("error", "not-your-station")


def test_who_speaks_is_never_taken_from_the_wire(seats: dict[str, Seat]) -> None:
    seats["box"].heard.clear()
    answer = seats[PLAYER].say("bet", spot="field", amount=500, seat="bob", by="box", at=99)
    while (row := seats["box"].next("row"))["number"] != answer["number"]:
        pass
    assert (row["by"], row["seat"]) == ("player", "ann")
    assert row["call"]["seat"] == "ann"
    assert row["call"]["by"] == "player"


def test_a_console_is_for_those_who_work_there(
    server: Served, boss: Person, seats: dict[str, Seat]
) -> None:
    made = boss.post("/api/tables", 201, house="rws", practice=False, crew="by hand")
    table = made["table"]
    boss.post("/api/people/the-box/stations", 200, table=table, stations=["box", "supervisor"])
    server.person().get(f"/api/tables/{table}/console", 401)
    watcher = server.person().guest("wim")
    assert watcher.get(f"/api/tables/{table}/console")["stations"] == []
    watcher.get(f"/api/tables/{table}/console/box/record", 403)
    box = server.person().sign_in("the-box")
    found = box.get(f"/api/tables/{table}/console")
    # A station that the house does not have is told, and has nothing to say.
    assert [each["station"] for each in found["stations"]] == ["box"]
    assert found["without"] == ["supervisor"]
    assert {call["call"] for call in found["stations"][0]["calls"]} <= MAY_SAY["box"]
    assert box.get(f"/api/tables/{table}/console/box/record")["ways"]
    box.get(f"/api/tables/{table}/console/stick/enter", 403)
    box.get(f"/api/tables/{table}/console/box/throw", 404)
    box.get(f"/api/tables/{table}/console/box/nothing", 404)
    box.get("/api/tables/nowhere/console", 404)
