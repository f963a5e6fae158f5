"""Links into a shared house: the whole of it, or one table and no other."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from boxman.cli.serve import address
from boxman.pit.people.links import (
    EVERYWHERE,
    opened_by,
    opened_by_kept,
    table_in,
    table_token,
    to_keep,
)
from boxman.pit.web.config import Config
from tests.pit.serving import Person, Served, served
from tests.pit.test_serving import Started

TOKEN = "the-word"


@pytest.mark.parametrize(
    ("path", "table"),
    [
        ("/table/one", "one"),
        ("/console/one", "one"),
        ("/inspect/one/", "one"),
        ("/api/tables/one", "one"),
        ("/api/tables/one/sit", "one"),
        ("/ws/tables/one", "one"),
        ("/api/tables", ""),
        ("/", ""),
        ("/table", ""),
        ("/rulebook/one", ""),
        ("/api/houses/one", ""),
    ],
)
def test_the_table_an_address_is_about(path: str, table: str) -> None:
    assert table_in(path) == table


def test_a_tables_token_opens_that_table_and_no_other() -> None:
    one = table_token(TOKEN, "one")
    assert one != table_token(TOKEN, "two") != table_token("another", "two")
    assert opened_by(TOKEN, one, "/table/one") == "one"
    assert opened_by(TOKEN, one, "/table/two") == ""
    assert opened_by(TOKEN, one, "/") == ""
    assert opened_by(TOKEN, TOKEN, "/table/two") == EVERYWHERE
    for opens in (EVERYWHERE, "one"):
        assert opened_by_kept(TOKEN, to_keep(TOKEN, opens)) == opens
        assert opened_by_kept("another", to_keep(TOKEN, opens)) == ""
    hashed = to_keep(TOKEN, "one").rpartition(".")[2]
    for made_up in ("", ".", "*", "two." + hashed, "*." + hashed, hashed, TOKEN, "ü.é"):
        assert opened_by_kept(TOKEN, made_up) == ""


def _turned_away(person: Person, table: str) -> int:
    try:
        person.at(table).close()
    except InvalidStatus as refused:
        return refused.response.status_code
    return 101


def _both_tables(server: Served) -> tuple[Person, str, str]:
    host = server.person()
    assert host.http.get(f"/?token={TOKEN}").status_code == 303
    made = [host.post("/api/tables", 201, house="nsw", name=name) for name in ("one", "two")]
    return host, made[0]["table"], made[1]["table"]


def test_a_friend_comes_to_one_table_over_the_network() -> None:
    # This machine's own address on the network; with none, the loopback serves for the test.
    host = address(Config(host="0.0.0.0")).removeprefix("http://").rpartition(":")[0]
    with served(token=TOKEN, host=host) as server:
        boss, one, two = _both_tables(server)
        link = boss.get(f"/api/tables/{one}")["link"]
        assert link == f"http://{server.address}/table/{one}?token={table_token(TOKEN, one)}"
        friend = server.person()
        assert friend.http.get(f"/table/{one}").status_code == 403
        assert friend.http.get(f"/table/{one}?token=wrong").status_code == 403
        entered = friend.http.get(link)
        assert (entered.status_code, entered.headers["location"]) == (303, f"/table/{one}")
        kept = entered.headers["set-cookie"].lower()
        assert "httponly" in kept
        assert "secure" not in kept  # over plain http a secure cookie would never come back
        assert friend.http.get(f"/table/{one}").status_code == 200
        friend.post(f"/api/tables/{one}/sit", 200, name="fred")
        with friend.at(one) as seat:
            assert seat.say("bet", spot="field", amount=500)["refused"] is None
        # That table and what is nobody's; no other table, and no new one.
        for path in (f"/table/{two}", f"/api/tables/{two}", f"/inspect/{two}"):
            answer = friend.http.get(path)
            assert (answer.status_code, answer.json()["code"]) == (403, "token"), path
        assert friend.post(f"/api/tables/{two}/sit", 403)["code"] == "token"
        assert friend.post("/api/tables", 403, house="nsw")["code"] == "token"
        assert _turned_away(friend, two) == 403
        assert _turned_away(server.person(), one) == 403
        assert [each["table"] for each in friend.get("/api/tables")["tables"]] == [one]
        assert len(boss.get("/api/tables")["tables"]) == 2
        for path in ("/", "/rulebook", "/static/kit/dom.js", "/api/me", "/api/houses"):
            assert friend.http.get(path).status_code == 200, path


def test_a_browser_that_is_not_let_in_is_told_so_in_a_page() -> None:
    with served(token=TOKEN) as server:
        answer = server.person().http.get("/?token=wrong", headers={"accept": "text/html"})
        assert answer.status_code == 403
        assert "<p>This house is open to those with its link.</p>" in answer.text
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert TOKEN not in answer.text


def test_play_with_friends_prints_two_links(tmp_path: Path) -> None:
    started = Started("play", "--no-browser", "--share", cwd=tmp_path)
    own, friends = started.line(), started.line()
    mine = re.search(r"(http://\S+)/table/(\S+)\?token=(\S+)", own)
    theirs = re.search(r"(http://\S+)/table/(\S+)\?token=(\S+)", friends)
    code, err = started.stop(signal.SIGINT)
    assert (code, err) == (0, "")
    assert mine is not None, own
    assert theirs is not None, friends
    assert mine.group(1, 2) == theirs.group(1, 2)
    assert theirs.group(3) == table_token(mine.group(3), mine.group(2))
