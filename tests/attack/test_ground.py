"""The ground moves: copies restored, rows and checkpoints changed, files taken away, readers."""

from __future__ import annotations

import base64
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from tests.attack.client import Visitor
from tests.attack.play import own_table, throws
from tests.attack.server import PASSWORD, ROOT, Server
from tests.attack.test_damage import forge

Serve = Callable[..., Server]
DOORS = (
    *("/felt", "/felt.svg?puck=4", "/rulebook", "/signs", "/link.svg", "/eyes", "/visit", "/hand"),
    *("/if-it-rolls", "/console", "/rows", "/explain?number=5", "/at/5", "/verify", "/seal"),
    *("/export", "/export?format=craps", "/clauses/1.1"),
)
"""What pages ask at a table."""
OWN = "~"
"""What the code of a hand begins with that brings its rulebook along."""
NESTED = [{"type": "propose", "call": {"x": "deep"}}]
"""A call that holds anything, and what it holds has no end."""


def _copy(server: Server, to: Path) -> None:
    """A whole copy, made from outside while the house plays."""
    source = sqlite3.connect(f"file:{server.database}?mode=ro", uri=True)
    target = sqlite3.connect(to)
    source.backup(target)
    source.close()
    target.close()


def _put_back(copy: Path, server: Server) -> None:
    for end in ("", "-wal", "-shm"):
        Path(server.database + end).unlink(missing_ok=True)
    shutil.copy(copy, server.database)


def test_a_house_reads_its_own_seals_and_deals_on_an_older_copy_only_if_told(
    serve: Serve, tmp_path: Path
) -> None:
    server = serve()
    guest, table = own_table(server)
    with guest.at(table) as seat:
        throws(seat, 1)
        _copy(server, tmp_path / "copy.db")
        before = throws(seat, 6)
    server.stop()  # seals
    _put_back(tmp_path / "copy.db", server)
    process = server.launch()
    assert process.wait(120) == 2
    said = server.told().splitlines()[-1]
    assert "the journal was rolled back" in said
    assert "was sealed" in said
    assert "Traceback" not in server.told()
    # Somebody with the key says that it is meant; the same dice do not come again.
    key, seals = f"{server.database}.key", f"{server.database}.seals"
    done = server.run("seal", "--database", server.database, "--key", key, "--accept", seals)
    assert done.returncode == 0, done.stderr
    server.start()
    again = Visitor(server.port)
    again.cookies = dict(guest.cookies)
    with again.at(table) as seat:
        after = throws(seat, 6)
    assert after != before
    server.stop()
    done = server.run("verify", "--database", server.database)
    assert done.returncode == 0, done.stdout
    assert b"the house opened again and showed hand" in done.stdout
    # The seals still tell an inspector.
    public = tmp_path / "house.pub"
    public.write_bytes(server.run("seal", "--public", "--key", key).stdout)
    words = ("verify", "--database", server.database, "--seals", seals, "--key", str(public))
    done = server.run(*words)
    assert done.returncode == 1
    assert b"sealed" in done.stdout


def test_a_changed_checkpoint_is_found_and_not_dealt_from(serve: Serve) -> None:
    server = serve(command_rate=0)
    guest, table = own_table(server)
    with guest.at(table) as seat:
        last = ""
        for block in range(6):
            calls = [_bet(f"{block}-{number}") for number in range(100)]
            last = calls[-1]["id"]
            seat.send(do="calls", calls=calls)
        assert seat.answer(last)["number"] > 503
    rail = _rail(server, guest, table)
    server.stop()
    with sqlite3.connect(server.database) as base:
        kept = base.execute("select number, state from checkpoint").fetchall()
        assert [number for number, _ in kept] == [500]
        state = json.loads(zlib.decompress(kept[0][1]))
        (seat,) = state["seats"].values()
        seat["rail"] += 600_000
        packed = zlib.compress(json.dumps(state, separators=(",", ":")).encode())
        base.execute("update checkpoint set state = ?", (packed,))
    base.close()
    done = server.run("verify", "--database", server.database)
    assert done.returncode == 1
    assert b"row 500: the checkpoint kept here is not the one the row names" in done.stdout
    server.start()
    assert _rail(server, guest, table) == rail


def _bet(call_id: str) -> dict[str, Any]:
    return {"id": call_id, "call": {"type": "bet", "spot": "field", "amount": 500}}


def _rail(server: Server, guest: Visitor, table: str) -> int:
    visitor = Visitor(server.port)
    visitor.cookies = dict(guest.cookies)
    seats = visitor.get(f"/api/tables/{table}")["view"]["seats"]
    return int(seats[0]["rail"])


@pytest.mark.parametrize(
    "what",
    [
        "removed",
        "log removed",
        pytest.param("renamed", marks=pytest.mark.soak),
        pytest.param("replaced", marks=pytest.mark.soak),
    ],
)
def test_a_database_lost_under_the_server_stops_acknowledgements(serve: Serve, what: str) -> None:
    server = serve(command_rate=0)
    guest, table = own_table(server)
    path = Path(server.database)
    with guest.at(table) as seat:
        assert seat.say("bet", spot="field", amount=500)["is"] == "answer"
        if what == "removed":
            path.unlink()
        elif what == "renamed":
            path.rename(path.with_name("elsewhere.db"))
        elif what == "log removed":
            Path(f"{path}-wal").unlink()
        else:
            copy = path.with_name("copy.db")
            shutil.copy(path, copy)
            os.replace(copy, path)
        told = seat.say("bet", spot="field", amount=500)
        assert (told["is"], told["code"]) == ("error", "not-stored")
        assert "removed, renamed or replaced" in told["message"]
        told = seat.say("bet", spot="field", amount=500)
        assert told["is"] == "error"
    ready = guest.ask("GET", "/readyz")
    assert ready.status == 503, ready.body
    assert "removed, renamed or replaced" in ready.json["why"]
    server.stop()
    if not path.exists():
        # It does not open an empty house either.
        assert server.launch().wait(120) == 2
        assert "is not there, and row" in server.told().splitlines()[-1]


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_rows_removed_under_the_server_close_their_table_and_no_other(
    request: pytest.FixtureRequest, serve: Serve, store: str
) -> None:
    """By somebody who takes away what keeps rows in their place; or a standby that lagged."""
    server = serve() if store == "sqlite" else request.getfixturevalue("pair")[0]
    (guest, table), (other, beside) = own_table(server), own_table(server)
    with guest.at(table) as seat:
        last = [seat.say("bet", spot="field", amount=500)["number"] for _ in range(3)][-1]
        _remove(server, f"table_name = '{table}' and number = {last}")
        told = seat.say("bet", spot="field", amount=500)
        assert (told["is"], told["code"]) == ("error", "not-stored"), told
        words = f"it ends at row {last - 1}, and row {last} was stored and told"
        assert words in told["message"]
    refused = guest.ask("GET", f"/api/tables/{table}")
    assert (refused.status, refused.code, words in refused.json["message"]) == (
        *(503, "table-stopped"),
        True,
    )
    with other.at(beside) as seat:
        assert seat.say("bet", spot="field", amount=500)["refused"] is None
    assert "Traceback" not in server.told()
    if store == "sqlite":  # which has a key: the row that was told is sealed
        server.stop()
        assert server.launch().wait(120) == 2
        assert f"and row {last} was sealed" in server.told().splitlines()[-1]


def _remove(server: Server, which: str) -> None:
    """Rows taken out of the database, and what keeps them there meanwhile."""
    postgres = server.database.startswith("postgresql:")
    with (psycopg.connect if postgres else sqlite3.connect)(server.database) as base:
        if postgres:
            base.execute("alter table row disable trigger row_is_not_changed")
        else:
            base.execute("drop trigger row_is_not_removed")
        base.execute(f"delete from row where {which}")  # type: ignore[arg-type]
        if postgres:
            base.execute("alter table row enable trigger row_is_not_changed")
    base.close()


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_acts_removed_under_the_server_are_noticed_and_not_sealed_over(
    request: pytest.FixtureRequest, serve: Serve, tmp_path: Path, store: str
) -> None:
    database = request.getfixturevalue("database") if store == "postgres" else ""
    server = serve(database, key=str(tmp_path / "key"), seals=str(tmp_path / "seals"))
    server.person("ann", 100_000)
    seals = tmp_path / "seals"
    _until(lambda: seals.exists() and b"*house" in seals.read_bytes())
    _remove(server, "table_name = '*house' and number > 1")
    visitor = server.visitor()
    _until(lambda: visitor.ask("GET", "/readyz").status == 503)
    assert "the acts of the house" in visitor.get("/readyz", 503)["why"]
    refused = server.boss().ask("POST", "/api/people", {"name": "bob", "password": PASSWORD})
    assert (refused.status, refused.code) == (503, "journal"), refused
    server.stop()
    assert server.launch().wait(120) == 2
    assert "the journal was rolled back: *house" in server.told().splitlines()[-1]


def _until(so: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not so():
        assert time.monotonic() < until
        time.sleep(0.1)


def test_a_rulebook_taken_away_is_still_that_of_its_tables(serve: Serve, tmp_path: Path) -> None:
    """Whatever is asked at a table is answered by the edition that is in the store."""
    file = tmp_path / "mycasino.md"
    file.write_text((ROOT / "src" / "boxman" / "rulebooks" / "template.md").read_text())
    server = serve()
    server.stop()
    server.start("--house", str(file))
    guest = server.visitor()
    table = server.practice_table(guest, "mycasino")
    guest.post(f"/api/tables/{table}/sit", 200, name="ann", buy_in=100_000)
    with guest.at(table) as seat:
        assert seat.say("bet", spot="pass", amount=1_000)["refused"] is None
        throws(seat, 3)
    server.stop()
    file.unlink()
    server.start()
    guest.port = server.port
    at = f"/api/tables/{table}"
    assert guest.ask("GET", "/api/houses/mycasino").status == 404
    for path in ("", *DOORS):
        answer = guest.ask("GET", f"{at}{path}")
        assert answer.status == 200, (path, answer)
    assert guest.get(f"{at}/rulebook")["house"] == guest.get(f"{at}/felt")["house"] == "mycasino"
    # Nor does a hand that was shared, nor the command line, ask for the file.
    hand = guest.get(f"{at}/hand")
    assert hand["code"].startswith(OWN)
    assert server.visitor().post("/api/hands/own", 200, code=hand["code"])["net"] == hand["net"]
    for field, wrong in (
        (2, -1),
        (2, 0),
        (2, 10**30),
        (6, -1),
        (10, [[7, 1]]),
        (11, hand["net"] + 1),
        (10, NESTED),
    ):
        forged = _hand(hand["code"])
        forged[field] = wrong
        text = json.dumps(forged).replace('"deep"', "[" * 9_000 + "]" * 9_000)
        packed = base64.urlsafe_b64encode(zlib.compress(text.encode())).decode()
        for own in ("", OWN) if field > 6 else ("",):
            path = "/api/hands/own" if own else "/api/hands"
            answer = guest.ask("POST", path, {"code": own + packed.rstrip("=")})
            assert (answer.status, answer.code) == (422, "bad-hand"), (path, field, wrong)
    with guest.at(table) as seat:
        assert seat.say("bet", spot="field", amount=500)["refused"] is None
    server.stop()
    for words in (("audit", "--table", table), ("verify", "--table", table), ("export", table)):
        done = server.run(*words, "--database", server.database)
        assert done.returncode == 0, done.stdout + done.stderr


def _hand(code: str) -> list[Any]:
    """What the code of a shared hand carries."""
    code = code.removeprefix(OWN)
    packed = base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))
    return list(json.loads(zlib.decompress(packed)))


def test_tables_go_on_when_a_database_that_was_away_is_back(serve: Serve, database: str) -> None:
    """PostgreSQL takes nothing, then lets nobody in for a moment, and calls are made in it."""
    server = serve(database, database_seconds=1)
    guest, table = own_table(server)
    name = str(psycopg.conninfo.conninfo_to_dict(database)["dbname"])
    other = psycopg.conninfo.make_conninfo(database, dbname="postgres")
    ends = "select pg_terminate_backend(pid) from pg_stat_activity where datname = %s"
    with psycopg.connect(other, autocommit=True) as base:
        opens = SQL("alter database {} allow_connections {}")
        reads = SQL("alter database {} set default_transaction_read_only = {}")
        with guest.at(table) as seat:
            last = seat.say("bet", spot="field", amount=500)["number"]
            base.execute(reads.format(Identifier(name), SQL("on")))
            base.execute(ends, (name,))
            assert seat.say("bet", spot="field", amount=500)["code"] == "not-stored"
            assert "read-only" in guest.get("/readyz", 503)["why"]
            base.execute(reads.format(Identifier(name), SQL("off")))
            base.execute(opens.format(Identifier(name), SQL("false")))
            base.execute(ends, (name,))
            assert seat.say("bet", spot="field", amount=500)["is"] == "error"
            assert "not currently accepting" in guest.get("/readyz", 503)["why"]
            base.execute(opens.format(Identifier(name), SQL("true")))
            assert seat.closing().code == 1013  # come again
    until = time.monotonic() + 60
    while guest.ask("GET", f"/api/tables/{table}").status != 200:
        assert time.monotonic() < until
        time.sleep(0.2)
    with guest.at(table) as seat:
        again = seat.say("bet", spot="field", amount=500)
        assert (again["is"], again["number"] > last) == ("answer", True), again


def test_a_disk_that_takes_no_more_is_said_so_and_nothing_is_lost(serve: Serve) -> None:
    """First one that is full, then one that was locked under the server."""
    server = serve()
    guest, table = own_table(server)
    base = Path(server.database)
    with guest.at(table) as seat:
        last = seat.say("bet", spot="field", amount=500)["number"]
        assert server.process is not None
        size = max(base.stat().st_size, Path(f"{base}-wal").stat().st_size)
        no_more = (size, resource.RLIM_INFINITY)
        # A yes that was said just before is not said again after a call that was not stored.
        assert guest.ask("GET", "/readyz").status == 200
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, no_more)
        assert seat.say("bet", spot="field", amount=500)["code"] in ("not-stored", "journal-full")
    assert base.name in guest.get("/readyz", 503)["why"]
    server.stop()
    server.start()
    guest.port = server.port
    lock = ["chattr", "+i", str(base), f"{base}-wal"]
    with guest.at(table) as seat:
        last, before = seat.say("bet", spot="field", amount=500)["number"], last
        assert last > before
        try:
            if subprocess.run(lock, capture_output=True, check=False).returncode == 0:
                told = seat.say("bet", spot="field", amount=500)
                assert (told["code"], base.name in told["message"]) == ("not-stored", True)
                assert base.name in guest.get("/readyz", 503)["why"]
        finally:  # where files cannot be locked there is nothing to undo
            lock[1] = "-i"
            subprocess.run(lock, capture_output=True, check=False)
    assert "Traceback" not in server.told()
    server.stop()
    done = server.run("verify", "--database", server.database)
    assert (done.returncode, f"{last} rows".encode() in done.stdout) == (0, True), done.stdout


def test_seals_outside_the_house_are_good_after_a_new_key_and_a_stolen_old_one_is_noticed(
    serve: Serve, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    server = serve(seals_folder=str(outside), seals_every=1)
    guest, table = own_table(server)
    key, seals, public = f"{server.database}.key", f"{server.database}.seals", tmp_path / "first"
    public.write_bytes(server.run("seal", "--public", "--key", key).stdout)
    stolen = tmp_path / "stolen"
    shutil.copy(key, stolen)
    _until(lambda: bool(list(outside.iterdir())))
    # A key that is away is missed once, and the house goes on sealing with the one it has.
    os.rename(key, tmp_path / "away")
    _until(lambda: "chores left undone" in server.told())
    for name in ("ann", "bob"):
        size = os.path.getsize(seals)
        server.boss().post("/api/people", 201, name=name, password=PASSWORD)
        _until(lambda size=size: os.path.getsize(seals) > size)
    os.rename(tmp_path / "away", key)
    _until(lambda: "chores are done again" in server.told())
    assert server.told().count("chores left undone") == 1
    # A change of keys that was cut short, or named no seals, can be done again.
    for nowhere in (tmp_path / "no" / "seals", tmp_path / "typo"):
        done = server.run("seal", "--key", key, "--rotate", str(nowhere))
        assert (done.returncode, done.stderr.count(b"\n"), nowhere.exists()) == (2, 1, False)
    done = server.run("seal", "--key", f"{key}.new", "--create", "--public")
    assert done.returncode == 0
    assert server.run("seal", "--key", key, "--rotate", seals).returncode == 0
    new = server.run("seal", "--public", "--key", key).stdout
    assert new == done.stdout
    # The house is open all the while: it takes the key up, and says so among its acts.
    _until(lambda: new.strip() in Path(seals).read_bytes().splitlines()[-1].partition(b"key")[2])
    (kept,) = outside.iterdir()
    kept.unlink()  # what comes now has to be good by itself
    server.stop()
    lines = server.run("export", "*house", "--database", server.database).stdout
    assert lines.count(b'"what":"key"') == 2
    server.start()
    guest.port = server.port
    with guest.at(table) as seat:
        throws(seat, 1)
    server.stop()
    words = ("verify", "--database", server.database, "--seals", str(kept), "--key", str(public))
    done = server.run(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert b"0 seals" not in done.stdout.splitlines()[-1]
    # Dice that were fixed before somebody sat down, and anew after it, are for an inspector.
    assert b"showed hand 1 after 0 throws, 0 words of players" in done.stdout
    # Whoever has the old key signs for one of their own.
    assert server.run("seal", "--key", str(stolen), "--rotate", str(kept)).returncode == 0
    done = server.run(*words)
    assert (done.returncode, b"was given up for two others" in done.stderr) == (2, True)


def test_acts_of_the_house_that_were_written_anew_keep_it_closed(serve: Serve) -> None:
    """An act changed on the disk, and all that follow chained anew; the tables are as they were."""
    server = serve()
    server.person("ann", 100_000)
    server.stop()
    with sqlite3.connect(server.database) as base:
        base.execute("drop trigger row_is_not_changed")
        rows = base.execute("select number, body from row where table_name = '*house'").fetchall()
        number = next(at for at, body in rows if json.loads(body)["call"]["what"] == "issue chips")
        forge(base, "*house", number, lambda text: text.replace("100000", "900000"))
    base.close()
    assert server.run("verify", "--database", server.database).returncode == 0
    assert server.launch().wait(120) == 2
    said = server.told().splitlines()[-1]
    assert "of *house is not the one that was sealed" in said
    key, seals = f"{server.database}.key", f"{server.database}.seals"
    words = ("seal", "--database", server.database, "--key", key, "--accept", seals)
    assert server.run(*words).returncode == 0
    server.start()


def test_what_holds_secrets_is_for_its_owner_alone_and_half_a_seal_spoils_no_other(
    serve: Serve, tmp_path: Path
) -> None:
    before = os.umask(0o022)
    try:
        server = serve()
        own_table(server)
        for end in ("", "-wal", "-shm", ".key", ".lock"):
            assert Path(server.database + end).stat().st_mode & 0o077 == 0, end
        # The same file by another name is the same file.
        link = tmp_path / "link.db"
        link.symlink_to(server.database)
        second = server.run("serve", "--database", str(link), "--port", "0")
        assert (second.returncode, b"in use by another" in second.stderr) == (2, True)
        server.stop()
        seals = Path(server.database + ".seals")
        assert seals.stat().st_mode & 0o077 == 0
        with seals.open("ab") as out:
            out.write(seals.read_bytes()[:50])  # the machine went down in the middle of a line
        # One that an older Boxman made readable for all is mended when it is opened.
        Path(server.database).chmod(0o644)
        server.start()
        own_table(server)
        for end in ("", "-wal", "-shm"):
            assert Path(server.database + end).stat().st_mode & 0o077 == 0, end
        server.stop()
    finally:
        os.umask(before)
    public = tmp_path / "house.pub"
    key = f"{server.database}.key"
    public.write_bytes(server.run("seal", "--public", "--key", key).stdout)
    # Without the key nobody could tell what was sealed: no new one is made in silence.
    Path(key).rename(tmp_path / "key")
    assert server.launch().wait(120) == 2
    said = server.told().splitlines()[-1]
    assert "made with another key than the house has now" in said
    Path(tmp_path / "key").rename(key)
    words = ("verify", "--database", server.database, "--seals", str(seals), "--key", str(public))
    done = server.run(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert b"2 seals" in done.stdout or b"3 seals" in done.stdout
    assert b"1 incomplete line is skipped" in done.stderr
