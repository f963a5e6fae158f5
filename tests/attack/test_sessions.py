"""Sessions and links against those who are quick: shut out while signing in, led away."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.attack.client import Closed
from tests.attack.server import PASSWORD, Server

AT_ONCE = 8
"""Passwords are looked at two at a time: the others wait while their owner is shut out."""


def test_who_is_shut_out_while_signing_in_has_no_session(dear: Server) -> None:
    boss = dear.boss()
    dear.person("quick")
    visitors = [dear.visitor() for _ in range(AT_ONCE)]
    body = {"name": "quick", "password": PASSWORD}
    with ThreadPoolExecutor(AT_ONCE) as several:
        asked = [several.submit(each.ask, "POST", "/api/session", body) for each in visitors]
        time.sleep(0.05)  # they have been heard, and most of them wait
        boss.post("/api/people/quick", 200, disabled=True)
        assert {each.result().status for each in asked} <= {200, 401, 429}
    assert [each.get("/api/me")["person"] for each in visitors] == [None] * AT_ONCE


def test_a_link_that_lets_in_leads_nowhere_else(serve: Callable[..., Server]) -> None:
    house = serve(token="shared-word")
    for path in ("//evil.example/x", "///evil.example", "/%5C/evil.example"):
        answer = house.visitor().ask("GET", f"{path}?token=shared-word")
        assert answer.status == 303
        assert answer.headers["location"].startswith("/")
        assert not answer.headers["location"].startswith(("//", "/\\"))


def test_another_origin_speaks_only_where_it_is_named(strict: Server) -> None:
    body = {"name": "ann", "guest": True}
    for origin, status in (("https://club.example", 200), ("https://evil.example", 403)):
        headers = {"Origin": origin, "Sec-Fetch-Site": "cross-site"}
        made = strict.visitor().ask("POST", "/api/session", body, headers=headers)
        assert made.status == status, origin
    # A page elsewhere has the visitor's cookies sent along with a socket, too.
    guest = strict.visitor()
    table = strict.practice_table(guest)
    for origin in ("https://evil.example", "null", "http://127.0.0.1.evil.example"):
        guest.headers["Origin"] = origin
        with pytest.raises(Closed, match="403"):
            guest.at(table)
    for origin in ("https://club.example", f"http://127.0.0.1:{strict.port}"):
        guest.headers["Origin"] = origin
        guest.at(table).close()
    headers = {"Sec-Fetch-Site": "cross-site"}
    assert strict.visitor().ask("POST", "/api/session", body, headers=headers).status == 403


def test_a_network_of_ipv6_is_one_address(strict: Server) -> None:
    """Whoever has one address of it has as many as anybody could want."""

    def enters(address: str) -> int:
        visitor = strict.visitor("127.0.0.78")
        visitor.headers["X-Forwarded-For"] = address
        return visitor.ask("POST", "/api/session", {"name": "ann", "guest": True}).status

    # Sixty at once from one address.
    assert 429 in {enters(f"2001:db8:1:1::{number:x}") for number in range(1, 90)}
    assert enters("2001:db8:1:2::1") == 200
