"""The doors: names, passwords, sessions, hosts, proxies, the first administrator."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import socket
import sqlite3
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.attack.client import Closed, Visitor
from tests.attack.server import CODE, PASSWORD, Server, command, environment

WRONG = "not the password, 42"


def signs_in(visitor: Visitor, name: str, password: str = PASSWORD, **more: str) -> int:
    body = {"name": name, "password": password, **more}
    return visitor.ask("POST", "/api/session", body).status


# -- names -------------------------------------------------------------------------------------

ODD = [
    "a\0b",
    "\0",
    "a\x1fb",
    "a\u202eb",
    "\u0430nn",
    "\u0430\u0441\u0435",
    "a\ud800b",
    "ann\u200d",
    "\u0251nn",
    "a\u01c0\u01c0",
    "\u13aa\u13b7\u13b7",
    "Box",
    "DEALER",
]


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_names_nobody_can_read_or_tell_apart_are_refused_in_one_sentence(
    request: pytest.FixtureRequest, store: str
) -> None:
    if store == "sqlite":
        house = request.getfixturevalue("house")
    else:
        house, _ = request.getfixturevalue("pair")
    boss = house.boss()
    for name in ("ann", "ilka"):
        boss.post("/api/people", 201, name=name, password=PASSWORD)
    for name in ODD if store == "sqlite" else ODD[:2]:
        for body in ({"name": name, "password": PASSWORD}, {"name": name, "guest": True}):
            assert house.visitor().ask("POST", "/api/session", body).status in (401, 422), name
        made = boss.ask("POST", "/api/people", {"name": name, "password": PASSWORD})
        assert made.status == 422, name
        assert boss.ask("POST", "/api/cage", {"person": name, "amount": 5}).status in (404, 422)
        work = {"stations": [name]}
        assert boss.ask("POST", "/api/people/ann/stations", work).status in (200, 422)
    # The i without a dot, and the capital with one, beside those that fall together by themselves.
    for name in ("ANN", "\uff21\uff2e\uff2e", "Ann", "\u0131lka", "\u0130LKA", "il\u0138a"):
        made = boss.ask("POST", "/api/people", {"name": name, "password": PASSWORD})
        assert (made.status, made.code) == (409, "name-taken")
    for path in ("/api/people/%00", "/api/people/a%00b/stations", "/api/tables/%00"):
        body: dict[str, object] = {"disabled": True}
        assert boss.ask("POST", path, body).status in (404, 405, 422), path
    for table in ("%00", "a%00b"):
        with boss.at(table) as seat:
            assert seat.next("error")["code"] == "no-such-table"
    assert "Traceback" not in house.told()


# -- passwords ---------------------------------------------------------------------------------


def test_nobody_learns_which_names_have_accounts_and_no_guest_passes_for_one(
    house: Server,
) -> None:
    owner = house.person("registered")
    told = []
    for name in ("registered", "REGISTERED", "nobody-here"):
        guest = house.visitor()
        made = guest.ask("POST", "/api/session", {"name": name, "guest": True})
        wrong = house.visitor().ask(
            "POST", "/api/session", {"name": name, "password": PASSWORD[1:]}
        )
        assert made.json["name"] == name
        told.append(
            (made.status, sorted(made.json), sorted(made.headers), wrong.status, wrong.body)
        )
    assert told[0] == told[1] == told[2]
    # At a table the owner comes second, and is known all the same.
    table = house.practice_table(owner)
    guest.post("/api/session", 200, name="registered", guest=True)
    for visitor in (guest, owner):
        visitor.post(f"/api/tables/{table}/sit", 200, buy_in=50_000)
    seats = owner.get(f"/api/tables/{table}")["view"]["seats"]
    assert {each["name"]: each["account"] for each in seats} == {
        "registered": False,
        "registered-2": True,
    }


def test_wrong_tries_for_an_account_are_held_up_and_its_owner_is_not(dear: Server) -> None:
    owner = dear.person("owner")
    with ThreadPoolExecutor(14) as several:  # at the same moment: they are counted all the same
        found = list(several.map(lambda _: signs_in(dear.visitor(), "owner", WRONG), range(14)))
    assert (set(found), 10 <= found.count(401) < 13) == ({401, 429}, True)
    # A try a minute comes back: on a slow machine that may be meanwhile.
    assert 429 in {signs_in(dear.visitor(), "owner", WRONG) for _ in range(3)}
    assert 429 in {signs_in(dear.visitor(), "owner") for _ in range(3)}
    # The browser that was let in before is let in again, signed out or not.
    assert owner.ask("DELETE", "/api/session").status == 204
    assert signs_in(owner, "owner") == 200


def test_headers_of_a_proxy_are_only_taken_from_proxies_named(strict: Server) -> None:
    def enters(source: str, number: int) -> int:
        visitor = strict.visitor(source)
        visitor.headers["X-Forwarded-For"] = f"10.0.0.{number}"
        body = {"name": f"g{number}", "guest": True}
        return visitor.ask("POST", "/api/session", body).status

    # Sixty at once from one address, and one in five seconds.
    assert 429 in {enters("127.0.0.77", number) for number in range(80)}
    assert {enters("127.0.0.78", number) for number in range(80)} == {200}


def test_everybody_changes_the_password_and_other_sessions_end(house: Server) -> None:
    ann = house.person("changing")
    other = house.sign_in("changing")
    assert len(ann.get("/api/me/sessions")["sessions"]) == 2
    body = {"password": WRONG, "new": "another word, 4242"}
    assert ann.ask("POST", "/api/me/password", body).code == "wrong-password"
    assert ann.ask("POST", "/api/me/password", {**body, "password": PASSWORD}).status == 204
    assert ann.get("/api/me")["name"] == "changing"
    assert other.get("/api/me")["person"] is None
    assert signs_in(house.visitor(), "changing") == 401
    assert signs_in(house.visitor(), "changing", "another word, 4242") == 200


def test_of_two_who_change_a_password_at_once_the_first_does(dear: Server) -> None:
    """Somebody who stole the password, and a session, does not have the last word."""
    visitors = [dear.person("hurried"), dear.sign_in("hurried")]
    new = [f"a word of number {number}" for number in range(len(visitors))]

    def changes(place: int) -> int:
        body = {"password": PASSWORD, "new": new[place]}
        return visitors[place].ask("POST", "/api/me/password", body).status

    with ThreadPoolExecutor(2) as both:
        done = list(both.map(changes, range(2)))
    assert done.count(204) == 1, done
    winner = done.index(204)
    assert visitors[winner].get("/api/me")["name"] == "hurried"
    assert visitors[1 - winner].get("/api/me")["person"] is None
    assert signs_in(dear.visitor(), "hurried", new[winner]) == 200


def test_an_invitation_counts_once_and_not_when_its_giver_is_shut_out(dear: Server) -> None:
    boss = dear.boss()
    boss.post("/api/people", 201, name="other-boss", password=PASSWORD, administrator=True)
    giver = dear.sign_in("other-boss")
    found = [
        giver.post("/api/invitations", 201, name=name, table="*", stations=["dealer"])["path"]
        for name in ("invited", "invited-late")
    ]
    first, late = (path.partition("=")[2] for path in found)

    def accepts(code: str) -> int:
        body = {"code": code, "password": PASSWORD}
        return dear.visitor().ask("POST", "/api/invitations/accept", body).status

    with ThreadPoolExecutor(3) as several:
        assert sorted(several.map(accepts, [first] * 3)) == [201, 404, 404]
    assert accepts(first) == 404
    assert dear.sign_in("invited").get("/api/me")["stations"] == {"*": ["dealer"]}
    boss.post("/api/people/other-boss", 200, disabled=True)
    assert dear.visitor().ask("POST", "/api/invitations/read", {"code": late}).status == 404
    assert accepts(late) == 404


def test_sessions_are_listed_and_ended(house: Server) -> None:
    ann = house.person("listed")
    other = house.sign_in("listed")
    found = [each for each in ann.get("/api/me/sessions")["sessions"] if not each["this"]]
    assert ann.ask("DELETE", f"/api/me/sessions/{found[0]['id']}").status == 204
    assert other.get("/api/me")["person"] is None
    assert ann.ask("DELETE", f"/api/me/sessions/{found[0]['id']}").status == 404


def test_those_who_work_here_have_longer_passwords(house: Server) -> None:
    boss = house.boss()
    short = {"name": "short", "password": "eight888"}
    assert boss.ask("POST", "/api/people", {**short, "administrator": True}).code == "bad-password"
    boss.post("/api/people", 201, **short)
    answer = boss.ask("POST", "/api/people/short/stations", {"stations": ["box"]})
    assert (answer.status, answer.code) == (409, "weak-password")


def code_now(secret: str, ahead: int = 0) -> str:
    """RFC 6238, written here once more; `ahead` steps of half a minute from now."""
    counter = (int(time.time()) // 30 + ahead).to_bytes(8, "big")
    digest = hmac.new(base64.b32decode(secret), counter, hashlib.sha1).digest()
    start = digest[19] & 15
    return str((int.from_bytes(digest[start : start + 4], "big") & (2**31 - 1)) % 10**6).zfill(6)


def test_a_second_factor_is_asked_for_and_counts_once(dear: Server) -> None:
    ann = dear.person("factor")
    secret = ann.get("/api/me/second-factor")["secret"]
    body = {"password": PASSWORD, "secret": secret, "code": "000000"}
    assert ann.ask("POST", "/api/me/second-factor", body).status == 409
    code = code_now(secret)
    assert ann.post("/api/me/second-factor", **{**body, "code": code}) == {"on": True}
    assert signs_in(dear.visitor(), "factor") == 401
    # The code that proved it has been said; one that is long over, or to come, counts for nothing.
    for stale in (code, code_now(secret, -2), code_now(secret, 5)):
        assert signs_in(dear.visitor(), "factor", code=stale) == 401
    code = code_now(secret, 1)  # by a clock that is a little fast
    with ThreadPoolExecutor(3) as several:
        answers = several.map(lambda _: signs_in(dear.visitor(), "factor", code=code), range(3))
        assert sorted(answers) == [200, 401, 401]
    # Whoever has the password and a session puts no factor of their own in its place.
    other = ann.get("/api/me/second-factor")["secret"]
    body = {"password": PASSWORD, "secret": other, "code": code_now(other)}
    assert ann.ask("POST", "/api/me/second-factor", body).code == "has-one"
    body = {"password": PASSWORD, "secret": "", "code": code}
    assert ann.ask("POST", "/api/me/second-factor", body).code == "code-wanted"


# -- shut out ----------------------------------------------------------------------------------


def test_who_is_shut_out_hears_nothing_more(house: Server) -> None:
    out = house.person("out", 100_000)
    table = house.live_table()
    with out.at(table) as seat:
        seat.next("snapshot")
        house.boss().post("/api/people/out", 200, disabled=True)
        closed = seat.closing()
        assert closed.code == 4401


def test_an_administrator_cannot_shut_himself_out(house: Server) -> None:
    boss = house.boss()
    for name in ("boss", "BOSS"):
        answer = boss.ask("POST", f"/api/people/{name}", {"disabled": True})
        assert (answer.status, answer.code) == (409, "yourself")
    assert boss.get("/api/me")["administrator"]


# -- set-up and the machine itself -------------------------------------------------------------


def test_a_set_up_that_fails_half_way_can_be_done_again(serve: Callable[..., Server]) -> None:
    house = serve()
    with sqlite3.connect(house.database) as store:
        store.execute(
            "create trigger no_people before insert on record when new.kind = 'person' "
            "begin select raise(abort, 'a test'); end"
        )
    body = {"name": "boss", "password": PASSWORD, "code": CODE}
    assert house.visitor().ask("POST", "/api/setup", body).status != 201
    house.practice_table(house.visitor())
    house.stop()
    with sqlite3.connect(house.database) as store:
        store.execute("drop trigger no_people")
        # The guest came long ago.
        rows = store.execute("select key, value from record where kind = 'session'").fetchall()
        assert len(rows) == 1
        old = json.dumps(json.loads(rows[0][1]) | {"until": 1}).encode()
        store.execute("update record set value = ? where kind = 'session'", (old,))
    house.start()
    assert house.visitor().get("/api/setup") == {
        "done": False,
        "open": True,
        "guests_open_tables": True,
    }
    # Sessions that are over are forgotten.
    until = time.monotonic() + 60
    while store.execute("select count(*) from record where kind = 'session'").fetchone()[0]:
        assert time.monotonic() < until
        time.sleep(0.1)
    store.close()
    assert house.visitor().ask("POST", "/api/setup", body).status == 201


def test_the_machine_s_owner_gets_back_in(serve: Callable[..., Server]) -> None:
    house = serve()
    house.person("ann", 500)
    house.boss().post("/api/people/ann", 200, disabled=True)
    house.stop()

    def people(*words: str, given: str = "") -> subprocess.CompletedProcess[bytes]:
        line = command("people", *words, "--database", house.database)
        return subprocess.run(
            line, env=environment(), input=given.encode(), capture_output=True, check=False
        )

    assert b"shut out" in people("list").stdout
    for words, given in (
        (("unlock", "ann"), ""),
        (("password", "ann"), "quite another word\n"),
        (("appoint", "ann", "administrator"), ""),
    ):
        done = people(*words, given=given)
        assert (done.returncode, done.stderr) == (0, b""), words
    for words in (("appoint", "nobody", "administrator"), ("what",)):
        wrong = people(*words)
        assert (wrong.returncode, wrong.stderr.count(b"\n")) == (2, 1), words
    # What was done is written down, in a chain that is proved like a table's.
    lines = house.run("export", "*house", "--database", house.database).stdout.splitlines()
    done = [(row["station"]["person"], row["call"]["what"]) for row in map(json.loads, lines[1:])]
    assert done[-4:] == [
        ("*machine", "let in again"),
        ("*machine", "new password"),
        ("*machine", "no second factor"),
        ("*machine", "appoint administrator"),
    ]
    for words in (("verify",), ("audit", "--table", "*house")):
        told = house.run(*words, "--database", house.database)
        assert (told.returncode, told.stdout[:7]) == (0, b"*house:"), told
    refused = people("erase", "ann")
    assert (refused.returncode, b"take the chips back first" in refused.stderr) == (2, True)
    house.start()
    ann = house.sign_in("ann", "quite another word")
    assert ann.get("/api/me")["administrator"]
    assert ann.ask("POST", "/api/me/brakes", {"loss": 5_000}).status == 200
    house.boss().post("/api/cage", 200, person="ann", amount=-500)
    house.stop()
    # Erased is what is kept of somebody beside the rows; the chain stays whole.
    assert people("erase", "ann").returncode == 0
    assert b"ann" not in people("list").stdout
    with sqlite3.connect(house.database) as store:
        left = store.execute("select kind, key, value from record where kind != 'day'").fetchall()
    store.close()
    assert [row for row in left if "ann" in row[1] or b'"ann"' in row[2]] == []
    assert house.run("verify", "--database", house.database).returncode == 0


# -- hosts, addresses, ports -------------------------------------------------------------------


def test_a_name_that_was_pointed_at_the_house_is_refused(strict: Server) -> None:
    house = strict
    for name, status in (
        (f"127.0.0.1:{house.port}", 200),
        (f"localhost:{house.port}", 200),
        ("craps.example", 200),
        ("evil.example", 421),
        (f"evil.example:{house.port}", 421),
        (f"127.0.0.1.evil.example:{house.port}", 421),
        ("127.0.0.1:80@evil.example", 421),
        ("", 421),
    ):
        visitor = house.visitor()
        headers = {"Host": name, "Origin": f"http://{name}"}
        assert visitor.ask("GET", "/api/tables", headers=headers).status == status, name
        made = visitor.ask("POST", "/api/session", {"name": "a", "guest": True}, headers=headers)
        assert made.status == status, name


def test_cookies_that_have_to_be_unfolded_are_not_read(house: Server) -> None:
    """Unfolding thirty kilobytes of them takes Python seconds, in which nobody else is served."""
    person = house.person("folded")
    name = "boxman_session"
    token = person.cookies[name]
    folded = f'"\\{ord(token[0]):03o}{token[1:]}"'
    for cookies, known in (
        (f"{name}={token}", True),
        (f"{name}={folded}", False),
        (f'theirs="\\"; {name}={token}; other="{chr(92) * 25_000}"', True),
    ):
        told = house.visitor().ask("GET", "/api/me", headers={"Cookie": cookies})
        assert (told.json["person"] == "folded") is known, cookies[:80]
    bad = house.visitor()
    bad.headers["Cookie"] = f"{name}={folded}"
    with bad.at("none") as seat:
        assert seat.next("error")["code"] == "signed-out"


def test_a_session_in_an_address_is_none(house: Server) -> None:
    boss = house.boss()
    table = house.live_table()
    token = boss.cookies["boxman_session"]
    with house.visitor().at(table, f"?guest={token}") as seat:
        assert seat.next("error")["code"] == "signed-out"


def test_metrics_are_for_those_with_their_token(house: Server, strict: Server) -> None:
    for given in ({}, {"Authorization": "Bearer "}, {"Authorization": "Bearer a word"}):
        assert house.visitor().ask("GET", "/metrics", headers=given).status == 403
    visitor = strict.visitor()
    assert visitor.ask("GET", "/metrics").status == 403
    given = {"Authorization": "Bearer a word"}
    assert b"boxman_tables" in visitor.ask("GET", "/metrics", headers=given).body


def test_a_port_that_is_taken_is_said_before_the_house_opens(tmp_path: Path) -> None:
    house = Server(tmp_path)  # not started
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = house.run("serve", "--port", port, "--database", "other.db")
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert b"cannot be listened on" in done.stderr
    assert not (house.folder / "other.db").exists()


def test_nobody_is_let_in_by_a_closed_socket(house: Server) -> None:
    with pytest.raises(Closed), house.visitor().at("nowhere") as seat:
        seat.next("snapshot")
