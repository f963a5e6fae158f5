"""The API as its own document describes it, asked for everything and nonsense: never a fault."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import booleans
from schemathesis import GenerationMode

from boxman.pit.web.app import make_app
from boxman.pit.web.config import Config
from tests.pit.serving import Person, Served, served, set_up

EXAMPLES = 5
THEIR_WORDS = re.compile(r"Input|[Ss]hould (be|have|match)|Field required|Value error|wanted here")
"""How a library speaks of mistakes, or we of one we never thought of."""


@pytest.fixture(scope="module")
def fuzzed() -> Iterator[Served]:
    with served(tables=30) as running:
        yield running


@pytest.fixture(scope="module")
def owner(fuzzed: Served) -> Person:
    person = set_up(fuzzed)
    person.post("/api/tables", 201, house="nsw", name="table", automatic=[])
    person.post("/api/tables/table/sit", 200)
    return person


DOCUMENT = schemathesis.openapi.from_dict(make_app(Config(database="memory:")).openapi())
OPERATIONS = [found.ok() for found in DOCUMENT.get_all_operations()]


def can_be_asked_wrongly(operation: Any) -> bool:
    """Not where nothing is asked for, or only any text in the address: that is always right."""
    told = [(each.location, each.definition["schema"]) for each in operation.iter_parameters()]
    return bool(operation.body) or any(
        where != "path" or schema.keys() != {"type", "title"} or schema["type"] != "string"
        for where, schema in told
    )


ASKED = [
    pytest.param(operation, mode, id=f"{operation.label} {mode.value}")
    for operation in OPERATIONS
    for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
    if mode == GenerationMode.POSITIVE or can_be_asked_wrongly(operation)
]


@pytest.mark.parametrize(("operation", "mode"), ASKED)
def test_no_request_is_a_fault_of_ours(
    operation: Any, mode: GenerationMode, fuzzed: Served, owner: Person
) -> None:
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode), there=booleans())
    def ask(case: Any, there: bool) -> None:
        if "table" in case.path_parameters and there:
            case.path_parameters["table"] = "table"
        leaving = (case.method, case.path) == ("DELETE", "/api/session")
        headers = {} if leaving else {"Cookie": owner.cookie}
        answer = case.call(base_url=fuzzed.url, headers=headers, timeout=60)
        assert answer.status_code < 500 or answer.status_code == 503, answer.text
        if answer.status_code >= 400 and "json" in answer.headers["content-type"][0]:
            assert set(answer.json()) >= {"code", "message"}
            said = str(answer.json()["message"])
            assert not THEIR_WORDS.search(said), said

    ask()


def test_the_document_is_complete(fuzzed: Served, owner: Person) -> None:
    paths = owner.get("/api/openapi.json")["paths"]
    wanted = (
        "/api/houses /api/houses/{house} /api/houses/{house}/felt /api/houses/{house}/rulebook "
        "/api/houses/{house}/odds /api/tables /api/tables/{table} /api/tables/{table}/signs "
        "/api/tables/{table}/rows /api/tables/{table}/export /api/tables/{table}/verify "
        "/api/tables/{table}/sit /api/tables/{table}/leave /api/tables/{table}/watch "
        "/api/tables/{table}/explain /api/tables/{table}/if-it-rolls "
        "/api/tables/{table}/at/{number} /api/session /api/me /api/setup /api/people "
        "/api/me/brakes /api/cage /api/simulations /api/strategies /healthz /readyz /metrics"
    )
    assert [path for path in wanted.split() if path not in paths] == []


def test_every_answer_has_strict_headers(fuzzed: Served, owner: Person) -> None:
    for path in ("/", "/api/tables", "/api/nowhere", "/healthz", "/static/nowhere.js"):
        headers = owner.http.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cross-origin-opener-policy"] == "same-origin"
    # Over plain http from elsewhere browsers would only complain about that one.
    far = owner.http.get("/healthz", headers={"host": "house.example"}).headers
    assert "cross-origin-opener-policy" not in far
    for odd in ("[", "[::1]:80", "", "a:b:c", "]", "http://["):
        for path in ("/healthz", "/api/tables/table"):
            answer = owner.http.get(path, headers={"host": odd})
            assert answer.status_code in (200, 400, 421), odd
        answer = owner.http.post("/api/me/brakes", json={"remind": 60}, headers={"origin": odd})
        assert answer.status_code == 403, odd


def test_a_body_that_is_too_large_is_refused(fuzzed: Served, owner: Person) -> None:
    answer = owner.http.post("/api/tables", content=b"x" * 100_000)
    assert answer.status_code == 413

    def endless() -> Iterator[bytes]:
        for _ in range(100):
            yield b"x" * 10_000

    # Without a length the body is cut off where it becomes too large.
    answer = owner.http.post("/api/tables", content=endless())
    assert 400 <= answer.status_code < 500


def test_metrics_and_health(fuzzed: Served, owner: Person) -> None:
    assert owner.get("/healthz")["status"] == "ok"
    assert owner.get("/readyz")["status"] == "ready"
    assert owner.http.get("/metrics").status_code == 403
    with served(metrics_token="word") as server:
        given = {"authorization": "Bearer word"}
        text = server.person().http.get("/metrics", headers=given).text
        wrong = {"authorization": "Bearer other"}
        assert server.person().http.get("/metrics", headers=wrong).status_code == 403
    assert "boxman_rows_total" in text
    assert "boxman_tables 1.0" in text or "boxman_tables" in text


def test_a_shared_house_wants_its_token() -> None:
    with served(token="the-word") as server:
        person = server.person()
        assert person.http.get("/api/tables").status_code == 403
        assert person.http.get("/healthz").status_code == 200
        assert person.http.get("/?token=wrong").status_code == 403
        entered = person.http.get("/?token=the-word")
        assert entered.status_code == 303
        assert entered.headers["location"] == "/"
        assert "the-word" not in entered.headers["set-cookie"]
        assert person.http.get("/api/tables").status_code == 200


def test_explain_history_and_export(fuzzed: Served, owner: Person) -> None:
    rows = owner.get("/api/tables/table/rows?after=0&limit=2")["rows"]
    assert [row["number"] for row in rows] == [1, 2]
    assert rows[1]["previous"] == rows[0]["hash"]
    told = owner.get("/api/tables/table/explain?number=3")
    assert told["sentences"][0]["clauses"]
    assert {clause["id"] for clause in told["clauses"]} >= set(told["sentences"][0]["clauses"])
    assert owner.get("/api/tables/table/verify")["sound"] is True
    then = owner.get("/api/tables/table/at/2")["view"]
    assert then["seats"] == []
    owner.get("/api/tables/table/at/99999", 404)
    owner.get("/api/tables/table/explain?number=99999", 404)
    text = owner.http.get("/api/tables/table/export?format=craps").text
    assert text.splitlines()[0].split()[1:3] == ["house", "nsw"]
    lines = owner.http.get("/api/tables/table/export").text.splitlines()
    assert json.loads(lines[-1])["number"] == owner.get("/api/tables/table")["number"]


def test_a_class_that_has_not_come_in_yet_may_look_at_the_odds() -> None:
    """Thirty at one address without a session are thirty people, not one who asks thirty times."""
    from boxman.pit.web.costs import WORKING
    from boxman.pit.web.guard import CLASS, SESSION, Guard

    async def nobody(*_: Any) -> None:
        raise AssertionError("the guard alone is asked")

    guard = Guard(nobody)
    scope = {"path": "/api/houses/nsw/odds", "client": ("10.0.0.1", 5), "query_string": b""}
    assert [guard._too_often(scope, {}, WORKING) for _ in range(CLASS)] == [""] * CLASS
    own = {"cookie": f"{SESSION}=one"}
    answers = [guard._too_often(scope, own, WORKING) for _ in range(CLASS)]
    assert answers[0] == ""
    assert "wait a moment" in answers[-1]


def test_every_address_says_what_it_costs() -> None:
    """One that does not would be answered as often as somebody asks, however dear it is."""
    from fastapi.routing import APIRoute

    from boxman.pit.web.app import routes_of
    from boxman.pit.web.costs import ALL, AT_HAND, WORKING, Costs

    routes = routes_of(make_app(Config(database="memory:")))
    found = {route.path: route.openapi_extra for route in routes if isinstance(route, APIRoute)}
    assert [path for path, cost in found.items() if cost not in ALL] == []
    assert len(found) > 60
    # Under settings of somebody's own a house is compiled, whatever is asked of it.
    costs = Costs(routes)
    assert costs.of("GET", "/api/houses/nsw") == AT_HAND
    assert costs.of("GET", "/api/houses/nsw", b"set=x") == WORKING
