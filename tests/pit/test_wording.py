"""What is wrong with a request is said in words of our own, and pages are shown to browsers."""

from __future__ import annotations

from typing import Any

import pytest

from boxman.pit.web.hearing import Said, Unheard, read_said, read_spoken
from boxman.pit.web.wording import sentence
from tests.pit.serving import Person, Served

HTML = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
TABLE = {"house": "nsw"}


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        (
            "/api/simulations",
            TABLE | {"strategies": [{"name": "pass"}], "sessions": 10**9},
            "sessions: at most 1,000,000",
        ),
        ("/api/tables", TABLE | {"pace": 20}, "pace: at most 10.0"),
        ("/api/tables", TABLE | {"minimum": "x"}, "minimum: a whole number"),
        ("/api/tables", TABLE | {"minimum": 1.5}, "minimum: a whole number"),
        ("/api/tables", TABLE | {"minimum": -1}, "minimum: at least 0"),
        ("/api/tables", TABLE | {"pace": "x"}, "pace: a number"),
        ("/api/tables", TABLE | {"practice": "perhaps"}, "practice: yes or no, as true or false"),
        ("/api/tables", TABLE | {"settings": []}, "settings: names with their values"),
        ("/api/tables", TABLE | {"players": ["a"] * 9}, "players: at most 8 entries"),
        ("/api/tables", TABLE | {"players": "x"}, "players: a whole number"),
        ("/api/tables", TABLE | {"script": [[1]]}, "script.0: at least 2 entries"),
        ("/api/tables", TABLE | {"script": 1}, "script: a list"),
        ("/api/tables", TABLE | {"dice": "x"}, "dice: one of 'house', 'hand', 'scripted'"),
        ("/api/tables", TABLE | {"nonsense": 1}, "this request does not take nonsense"),
        ("/api/tables", {}, "house is missing"),
        ("/api/tables", {"house": 7}, "house: text"),
        ("/api/tables", {"house": ""}, "house: at least 1 character"),
        ("/api/tables", {"house": "x" * 5000}, "house: at most 4,096 characters"),
        ("/api/tables", [], "the request: an object with its fields"),
        ("/api/session", {"name": "x" * 30}, "name: at most 24 characters"),
        ("/api/me/brakes", {"minutes": None}, "minutes: a whole number"),
        ("/api/me/brakes", {"minutes": "60"}, "minutes: a whole number"),
        ("/api/me/brakes", {"minutes": True}, "minutes: a whole number"),
        ("/api/me/brakes", {"minutes": 1441}, "minutes: at most 1,440"),
        ("/api/me/brakes", {"pause_hours": 0}, "pause hours: at least 1"),
        (
            "/api/me/brakes",
            {},
            "say what to set: loss, minutes, remind, pause_hours, exclude_days",
        ),
    ],
)
def test_mistakes_are_said_in_our_words(
    server: Served, boss: Person, path: str, body: Any, message: str
) -> None:
    answer = boss.http.post(path, json=body)
    assert (answer.status_code, answer.json()["message"]) == (422, message)


def test_what_is_no_json_or_no_number(server: Served, boss: Person) -> None:
    answer = boss.http.post("/api/tables", content=b"{", headers={"content-type": "text/json"})
    assert (answer.status_code, answer.json()["code"]) == (422, "not-understood")
    answer = boss.http.post(
        "/api/tables", content=b"{", headers={"content-type": "application/json"}
    )
    assert answer.json()["message"] == "the request is not JSON"
    table = boss.post("/api/tables", 201, house="nsw")["table"]
    answer = boss.http.get(f"/api/tables/{table}/rows?after=x")
    assert answer.json()["message"] == "after: a whole number"


def test_a_mistake_nobody_thought_of_still_gets_a_sentence() -> None:
    found = {"type": "never_heard_of", "loc": ("body", "field"), "msg": "Input should be x"}
    assert sentence(found) == "field: something else is wanted here"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"type": "bet"}, "spot is missing"),
        ({}, "type is missing"),
        ({"type": "bet", "spot": 7, "amount": 5}, "spot: text"),
        ({"type": "bet", "spot": "pass", "amount": "ten"}, "amount: a whole number"),
        ({"type": "bet", "spot": "pass", "amount": 1.5}, "amount: a whole number"),
        ({"type": "bet", "spot": "pass", "amount": 5, "split": 7}, "split: a list"),
        ({"type": "bet", "spot": "pass", "amount": 5, "split": ["x"]}, "split[0]: a whole number"),
        ({"type": "stayup", "spot": "pass", "stays": 3}, "stays: true or false"),
        ({"type": "dance"}, "there is no call of that type"),
        ({"type": 7}, "type: text"),
    ],
)
def test_a_call_that_is_none_says_why(call: dict[str, Any], message: str) -> None:
    with pytest.raises(Unheard) as unheard:
        read_spoken(Said(do="call", call=call), "player", "ann")
    assert unheard.value.message == f"that is not a call: {message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a message is one JSON object"),
        ("[]", "a message is one JSON object"),
        (b"\xff\xfe", "a message is one JSON object"),
        ('{"do": 7}', "do: text"),
        ('{"call": []}', "call: an object with its fields"),
        ('{"calls": [{"id": 3}]}', "calls[0].id: text"),
        ('{"after": "x"}', "after: a whole number"),
    ],
)
def test_a_message_that_is_none_says_why(text: Any, message: str) -> None:
    with pytest.raises(Unheard) as unheard:
        read_said(text)
    assert unheard.value.message == f"that is not a message: {message}"


# -- pages for browsers --------------------------------------------------------------------------


def test_an_address_that_leads_nowhere_is_a_page_for_browsers_alone(server: Served) -> None:
    person = server.person()
    for path in ("/xyz", "/table", "/api/nowhere", "/static/nowhere.js"):
        plain = person.http.get(path)
        assert (plain.status_code, plain.json()["code"]) == (404, "http")
        shown = person.http.get(path, headers=HTML)
        assert shown.status_code == 404
        assert shown.headers["content-type"].startswith("text/html")
        assert "<title>No such page · Boxman</title>" in shown.text
        assert "script-src 'self'" in shown.headers["content-security-policy"]
    assert person.http.post("/xyz", headers=HTML).headers["content-type"] == "application/json"
