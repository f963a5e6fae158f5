"""People: accounts, sessions, roles, the cage, one's own brakes; over HTTP and at the seat."""

from __future__ import annotations

import msgspec
import pytest

from boxman.journal.memory import MemoryRecords
from boxman.pit.brakes import BrakeBook, Brakes, changed, now_binding
from boxman.pit.door import token_hash
from boxman.pit.notebook import DAY
from tests.pit.serving import PASSWORD, Person, Served, served

HOUR = 3_600_000


def test_the_first_one_sets_the_house_up() -> None:
    with served() as server:
        first, second = server.person(), server.person()
        assert first.get("/api/setup")["done"] is False
        first.post("/api/setup", 201, name="Boss", password=PASSWORD)
        assert first.get("/api/me")["administrator"] is True
        assert second.get("/api/setup")["done"] is True
        second.post("/api/setup", 409, name="other", password=PASSWORD)


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


# -- brakes ------------------------------------------------------------------------------------


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
    assert book.played("ann").time == 600_000
    now[0] += HOUR  # away for an hour: not counted
    assert book.active("ann").time == 600_000
    now[0] += DAY
    assert book.active("ann").time == 0
    kept = book.unkept()
    assert [who for who, _ in kept] == ["ann"]
    assert book.unkept() == []
    assert msgspec.json.decode(kept[0][1])["seen"] == now[0]


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
        server.house.brakes.played(who).time = 30 * 60_000
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
        check = seat.next("clock", timeout=10)
        assert check["check"] is True
        assert check["result_today"] == 0
    set_up_again = person.get("/api/me")
    assert set_up_again["brakes"]["remind"] == 60
