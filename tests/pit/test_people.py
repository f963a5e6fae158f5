"""People: accounts, sessions, roles, the cage; over HTTP and at the seat."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from boxman.journal.memory import MemoryJournal
from boxman.pit.people import inviting
from boxman.pit.people.door import INVITED, Door, DoorError, token_hash
from tests.pit.serving import PASSWORD, Person, Served, served, set_up


def test_passwords_are_hashed_and_tokens_too(server: Served, boss: Person) -> None:
    boss.post("/api/people", 201, name="hank", password=PASSWORD)
    person = server.person().sign_in("hank")
    token = person.http.cookies["boxman_session"]
    everything = repr(server.house.journal.records._values)
    assert PASSWORD not in everything
    assert token not in everything
    assert token_hash(token) in everything
    assert "$argon2id$" in everything


def test_wrong_passwords_and_unknown_names_get_the_same_answer(
    server: Served, boss: Person
) -> None:
    boss.post("/api/people", 201, name="iris", password=PASSWORD)
    person = server.person()
    wrong = person.post("/api/session", 401, name="iris", password="not that one")
    unknown = person.post("/api/session", 401, name="nobody", password="not that one")
    assert wrong == unknown


def test_sign_in_is_limited() -> None:
    with served(sign_in_rate=0.2) as server:
        person = server.person()
        codes = []
        for _ in range(14):
            answer = person.http.post("/api/session", json={"name": "x", "password": "y" * 8})
            codes.append(answer.status_code)
        assert codes[:10] == [401] * 10
        assert 429 in codes[10:]


def test_the_cookie_is_out_of_reach_for_scripts_and_other_sites(server: Served) -> None:
    person = server.person()
    answer = person.http.post("/api/session", json={"name": "cookie", "guest": True})
    told = answer.headers["set-cookie"].lower()
    assert "httponly" in told
    assert "samesite=lax" in told
    with served(secure_cookies=True) as secure:
        person = secure.person()
        answer = person.http.post("/api/session", json={"name": "cookie", "guest": True})
        assert "secure" in answer.headers["set-cookie"].lower()


@pytest.mark.parametrize(
    "name", ["", "7up", "box", "dice", "a b", "x" * 30, "an\nn", "<b>", "player"]
)
def test_names_are_words_of_the_notation(server: Served, name: str) -> None:
    person = server.person()
    person.post("/api/session", 422, name=name, guest=True)


def test_what_is_the_administrators_is_nobody_elses(server: Served, boss: Person) -> None:
    boss.post("/api/people", 201, name="plain", password=PASSWORD)
    plain, guest, nobody = server.person().sign_in("plain"), server.person(), server.person()
    guest.guest("someone")
    asked = [
        ("/api/people", {"name": "x", "password": PASSWORD}),
        ("/api/people/plain/stations", {"stations": ["box"]}),
        ("/api/people/plain", {"disabled": True}),
        ("/api/cage", {"person": "plain", "amount": 5}),
    ]
    for path, body in asked:
        plain.post(path, 403, **body)
        guest.post(path, 403, **body)
        nobody.post(path, 401, **body)
    plain.get("/api/people", 403)
    nobody.get("/api/people", 401)


def test_somebody_shut_out_is_out_at_once(server: Served, boss: Person) -> None:
    boss.post("/api/people", 201, name="gone", password=PASSWORD)
    person = server.person().sign_in("gone")
    assert person.get("/api/me")["person"] == "gone"
    boss.post("/api/people/gone", 200, disabled=True)
    assert person.get("/api/me")["person"] is None
    person.post("/api/session", 401, name="gone", password=PASSWORD)
    boss.post("/api/people/gone", 200, disabled=False)
    person.sign_in("gone")


def test_a_house_of_an_earlier_version_keeps_what_everybody_holds() -> None:
    journal = MemoryJournal()
    with served(journal=journal) as server:
        boss = set_up(server)
        boss.post("/api/people", 201, name="old", password=PASSWORD)
        boss.post("/api/cage", 200, person="old", amount=50_000)
        table = boss.post("/api/tables", 201, house="nsw", practice=False, automatic=[])["table"]
        server.person().sign_in("old").post(f"/api/tables/{table}/sit", 200, buy_in=30_000)
    # As it was: what was issued, what the journals say, and what other processes wrote down.
    journal.chips._held.clear()
    journal.records.delete("house", "chips")
    journal.records.put("bought", "old\x1felsewhere", b"5000")
    with served(journal=journal) as server:
        assert server.person().sign_in("old").get("/api/cage")["balance"] == 15_000


def test_the_cage_issues_and_takes_back(server: Served, boss: Person) -> None:
    boss.post("/api/people", 201, name="rich", password=PASSWORD)
    table = boss.post("/api/tables", 201, house="nsw", practice=False, automatic=[])["table"]
    person = server.person().sign_in("rich")
    assert person.post(f"/api/tables/{table}/sit", 409, buy_in=1000)["code"] == "cage-short"
    assert boss.post("/api/cage", 200, person="rich", amount=50_000)["balance"] == 50_000
    person.post(f"/api/tables/{table}/sit", 200, buy_in=30_000)
    assert person.get("/api/cage")["balance"] == 20_000
    boss.post("/api/cage", 409, person="rich", amount=-20_100)
    assert boss.post("/api/cage", 200, person="rich", amount=-20_000)["balance"] == 0
    with person.at(table) as seat:
        assert seat.say("bet", spot="field", amount=500)["refused"] is None
        assert seat.say("takedown", spot="field")["refused"] is None
        assert seat.say("cashout", amount=10_000)["refused"] is None
        assert person.get("/api/cage")["balance"] == 10_000
        refused = seat.say("buyin", amount=10_100)["refused"]
        assert refused["code"] == "cage-short"
        assert refused["clauses"] == ["pit-cage"]
        assert seat.say("buyin", amount=10_000)["refused"] is None
    person.post(f"/api/tables/{table}/leave", 200)
    assert person.get("/api/cage")["balance"] == 30_000


def test_practice_chips_are_issued_to_anybody_up_to_a_sum(server: Served, boss: Person) -> None:
    table = boss.post("/api/tables", 201, house="nsw", automatic=[], buy_in=20_000)["table"]
    person = server.person()
    assert person.post(f"/api/tables/{table}/sit", 409, name="eva", buy_in=20_100)["code"] == (
        "over-issue"
    )
    person.post(f"/api/tables/{table}/sit", 200, buy_in=20_000)


def test_two_of_a_name_sit_under_two_names(server: Served, boss: Person) -> None:
    table = boss.post("/api/tables", 201, house="nsw", automatic=[])["table"]
    first, second = server.person(), server.person()
    assert first.post(f"/api/tables/{table}/sit", 200, name="twin")["seat"] == "twin"
    assert second.post(f"/api/tables/{table}/sit", 200, name="twin")["seat"] == "twin-2"
    with second.at(table) as seat:
        assert seat.say("bet", spot="field", amount=500)["refused"] is None
        view = seat.next("snapshot")["view"]
        assert {s["name"] for s in view["seats"]} == {"twin", "twin-2"}


def test_a_new_station_is_known_at_an_open_socket(server: Served, boss: Person) -> None:
    boss.post("/api/people", 201, name="stan", password=PASSWORD)
    table = boss.post("/api/tables", 201, house="nsw", practice=False, crew="by hand")["table"]
    person = server.person().sign_in("stan")
    with person.at(table) as seat:
        assert seat.say("closebets", "stick")["code"] == "not-your-station"
        boss.post("/api/people/stan/stations", 200, table=table, stations=["stick"])
        assert seat.say("closebets", "stick")["refused"] is None
        boss.post("/api/people/stan/stations", 200, table=table, stations=[])
        assert seat.say("diceout", "stick")["code"] == "not-your-station"


def test_a_session_in_use_is_never_read_while_somebody_waits_for_it() -> None:
    now = [1_000_000]
    journal = MemoryJournal()
    door, other = (Door(journal, lambda: now[0]) for _ in range(2))
    token, made = door.guest("ann")
    assert door.session(token) == made
    asked: list[str] = []
    records = journal.records
    door.records = _Watched(records, asked)
    for _ in range(20):  # asked for every second, and read in between
        now[0] += 1_000
        door.refresh()
        asked.clear()
        assert door.session(token) == made
        assert asked == []
    # Ended by another process: known at the next look.
    other.end(token)
    now[0] += 1_000
    door.refresh()
    assert door.session(token) is None
    # One that nobody asks for is forgotten.
    token, made = door.guest("bob")
    assert door.session(token) == made
    now[0] += 61_000
    door.refresh()
    assert door._known == {}
    assert door.session(token) == made


class _Watched:
    """Records that say what was read of them."""

    def __init__(self, records: Any, asked: list[str]) -> None:
        self.records, self.asked = records, asked

    def __getattr__(self, name: str) -> Any:
        if name == "get":
            self.asked.append(name)
        return getattr(self.records, name)


def test_a_session_ends_with_its_time() -> None:
    now = [1_000]
    door = Door(MemoryJournal(), lambda: now[0])
    token, visit = door.guest("ann")
    now[0] = visit.until - 1
    assert door.session(token) == visit
    now[0] = visit.until
    assert door.session(token) is None


def test_crew_come_by_a_link_that_works_once(server: Served, boss: Person) -> None:
    ask = {"name": "vera", "table": "*", "stations": ["stick", "box"]}
    path = boss.post("/api/invitations", 201, **ask)["path"]
    code = path.partition("#invited=")[2]
    assert code not in repr(server.house.journal.records._values)
    vera = server.person()
    assert vera.post("/api/invitations/read", 200, code=code)["name"] == "vera"
    # A password too short for the crew is refused, and the link still works.
    vera.post("/api/invitations/accept", 422, code=code, password="vera-vera")
    vera.post("/api/invitations/accept", 201, code=code, password=PASSWORD)
    assert vera.get("/api/me")["stations"] == {"*": ["stick", "box"]}
    server.person().post("/api/invitations/accept", 404, code=code, password=PASSWORD)
    boss.post("/api/invitations", 409, **ask)
    boss.post("/api/invitations", 422, **{**ask, "name": "wes", "stations": ["player"]})
    boss.post("/api/invitations", 422, **{**ask, "name": "wes", "stations": []})
    vera.post("/api/invitations", 403, **{**ask, "name": "wes"})


def test_a_link_is_over_after_three_days() -> None:
    now = 1_000
    door = Door(MemoryJournal(), lambda: now)
    asyncio.run(door.add("boss", PASSWORD, administrator=True))
    code = inviting.invite(door, "vera", "*", ("stick",), "boss")
    now += 3 * 24 * 3600 * 1000 - 1
    assert inviting.invited(door, code).name == "vera"
    now += 1
    with pytest.raises(DoorError):
        inviting.invited(door, code)
    assert door.purge() == 1


def test_who_is_erased_is_named_in_no_invitation() -> None:
    door = Door(MemoryJournal(), lambda: 1)
    for name in ("boss", "giver"):
        asyncio.run(door.add(name, PASSWORD, administrator=True))
    given = {
        "to her": inviting.invite(door, "Vera", "*", ("stick",), "boss"),
        "to her again": inviting.invite(door, "vera", "*", ("box",), "boss"),
        "by him": inviting.invite(door, "wes", "*", ("stick",), "giver"),
        "of others, at a table of her name": inviting.invite(door, "zoe", "vera", ("box",), "boss"),
    }
    asyncio.run(inviting.join(door, given["to her again"], PASSWORD))
    door.forget("vera")
    door.forget("giver")
    left = [value for _, value in door.records.list(INVITED)]
    assert [json.loads(value)["name"] for value in left] == ["zoe"]
    assert inviting.invited(door, given["of others, at a table of her name"]).name == "zoe"
    for what in ("to her", "to her again", "by him"):
        with pytest.raises(DoorError):
            inviting.invited(door, given[what])
    kept = [
        value for kind in ("person", "roles", "session") for _, value in door.records.list(kind)
    ]
    assert not any(b"era" in value or b"giver" in value for value in kept)


def test_an_account_of_before_names_were_told_alike_is_found_by_its_name() -> None:
    journal = MemoryJournal()
    door = Door(journal, lambda: 1)
    asyncio.run(door.add("I\u015f\u0131l", PASSWORD))
    ((key, value),) = journal.records.list("person")
    journal.records.delete("person", key)
    journal.records.put("person", "I\u015f\u0131l".casefold(), value)
    assert door.person("I\u015f\u0131l") is None
    assert Door(journal, lambda: 1).known("I\u015f\u0131l").name == "I\u015f\u0131l"


def test_the_right_password_is_nobody_s_guess(server: Served, boss: Person) -> None:
    """However often it is said: only what is wrong counts."""
    boss.post("/api/people", 201, name="often", password=PASSWORD)
    ann = server.person().sign_in("often")
    wrong = {"password": "not the password", "new": PASSWORD}
    for password, new in [(PASSWORD, f"{PASSWORD}!"), (f"{PASSWORD}!", PASSWORD)] * 6:
        ann.post("/api/me/password", 204, password=password, new=new)
    for _ in range(10):
        ann.post("/api/me/password", 403, **wrong)
    ann.post("/api/me/password", 429, **wrong)
    ann.post("/api/me/password", 429, password=PASSWORD, new=PASSWORD)
