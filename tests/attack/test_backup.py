"""Whole copies while tables play, what a restored one lacks, and the acts of a house."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

from tests.attack.server import Server
from tests.attack.test_damage import forge
from tests.tools import postgres

Serve = Callable[..., Server]


def test_a_backup_is_whole_while_tables_play_and_says_what_it_lacks(
    serve: Serve, tmp_path: Path
) -> None:
    server = serve(command_rate=0)
    guest = server.visitor()
    table = server.practice_table(guest, "rws")
    guest.post(f"/api/tables/{table}/sit", 200, name="ann", buy_in=100_000)
    key, seals = f"{server.database}.key", f"{server.database}.seals"
    copies, numbers, stop = [], [], threading.Event()
    early = server.run("seal", "--database", server.database, "--key", key).stdout

    def play() -> None:
        with guest.at(table) as seat:
            while not stop.is_set():
                numbers.append(seat.say("bet", spot="field", amount=500)["number"])

    player = threading.Thread(target=play)
    player.start()
    try:
        while len(copies) < 2:
            before = numbers[-1] if numbers else 0
            copy = tmp_path / f"copy{len(copies)}.db"
            done = server.run("backup", "--database", server.database, "-o", str(copy))
            assert done.returncode == 0, done.stderr
            assert b"sound" in done.stdout
            base = sqlite3.connect(copy)
            (rows,) = base.execute("select max(number) from row").fetchone()
            base.close()
            assert rows >= before  # everything acknowledged before it began
            assert copy.stat().st_mode & 0o077 == 0
            copies.append(copy)
    finally:
        stop.set()
        player.join()
    # In a folder that others may write to, somebody has prepared where the copy would go first.
    other = tmp_path / "somebody's"
    other.write_bytes(b"theirs")
    for end in (".part", ""):
        (tmp_path / f"led.db{end}").symlink_to(other)
        words = ("backup", "--database", server.database, "-o", str(tmp_path / "led.db"))
        assert server.run(*words).returncode == (2 if not end else 0)
        assert other.read_bytes() == b"theirs"
        (tmp_path / "led.db").unlink()
    again = server.run("backup", "--database", server.database, "-o", str(copies[0]))
    assert again.returncode == 2
    assert b"exists already" in again.stderr
    server.stop()
    public, new = tmp_path / "pub", tmp_path / "restored.db"
    public.write_bytes(server.run("seal", "--public", "--key", key).stdout)
    # What SQLite left beside a database that is gone would be played into the one put back.
    log = Path(f"{new}-wal")
    log.write_bytes(b"of another")
    done = server.run("restore", str(copies[0]), "--database", str(new))
    assert (done.returncode, b"restored.db-wal exists already" in done.stderr) == (2, True)
    log.unlink()
    # Seals of somebody else's key prove nothing, and are not passed over in silence.
    other = tmp_path / "other"
    words = ("seal", "--key", str(tmp_path / "k"), "--create", "--public")
    other.write_bytes(server.run(*words).stdout)
    words = ("--database", str(new), "--seals", seals, "--key", str(other))
    done = server.run("restore", str(copies[0]), *words)
    assert (done.returncode, done.stderr[:17], new.exists()) == (2, b"none of the seals", False)
    words = ("--database", str(new), "--seals", seals, "--key", str(public))
    done = server.run("restore", str(copies[0]), *words)
    assert done.returncode == 0, done.stderr
    assert b"rows are missing that were sealed, up to row" in done.stdout
    assert new.stat().st_mode & 0o077 == 0
    # Sessions that were ended after the copy was made are not good again.
    assert b"everybody signs in anew" in done.stdout
    with sqlite3.connect(new) as base:
        assert base.execute("select count(*) from record where kind = 'session'").fetchone() == (0,)
    base.close()
    done = server.run("restore", str(copies[0]), *words)
    assert done.returncode == 2
    assert b"exists already" in done.stderr
    # A copy that somebody changed is put back, and said to be unsound.
    bad = tmp_path / "bad.db"
    shutil.copy(copies[1], bad)
    base = sqlite3.connect(bad)
    base.execute("drop trigger row_is_not_changed")
    forge(base, table, 2, lambda text: text.replace('"at":1', '"at":2'))
    base.commit()
    # One that ends before the newest seal, and was chained anew, is held against older seals.
    both = tmp_path / "both"
    both.write_bytes(early + Path(seals).read_bytes())
    words = ("--seals", str(both), "--key", str(public))
    done = server.run("restore", str(bad), "--database", str(tmp_path / "forged.db"), *words)
    assert (done.returncode, b"is not the one that was sealed" in done.stdout) == (1, True)
    base.execute("update row set hash = ? where number = 3", ("0" * 64,))
    base.commit()
    base.close()
    done = server.run("restore", str(bad), "--database", str(tmp_path / "worse.db"))
    assert done.returncode == 1
    assert b"NOT SOUND" in done.stdout


def test_a_backup_of_postgresql_is_whole_while_tables_play_and_is_put_back_once(
    pair: tuple[Server, Server], databases: Callable[[], str], tmp_path: Path
) -> None:
    server, _ = pair
    guest = server.visitor()
    table = server.practice_table(guest, "rws")
    guest.post(f"/api/tables/{table}/sit", 200, name="copied", buy_in=100_000)
    copy, new = tmp_path / "copy.pg", databases()
    path = f"{postgres.binaries()}{os.pathsep}{os.environ['PATH']}"
    with guest.at(table) as seat:
        before = seat.say("bet", spot="field", amount=500)["number"]
        words = ("backup", "--database", server.database, "-o", str(copy))
        done = server.run(*words, PATH=path)
        assert (done.returncode, done.stderr) == (0, b"")
        after = seat.say("bet", spot="field", amount=500)["number"]
    assert copy.stat().st_mode & 0o077 == 0
    key, seals, public = tmp_path / "key", tmp_path / "seals", tmp_path / "pub"
    words = ("seal", table, "--database", server.database, "--key", str(key), "--create")
    seals.write_bytes(server.run(*words).stdout)
    public.write_bytes(server.run("seal", "--public", "--key", str(key)).stdout)
    words = ("restore", str(copy), "--database", new, "--seals", str(seals), "--key", str(public))
    done = server.run(*words, PATH=path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.decode().splitlines()
    assert f"{table}: {before} rows, sound" in lines
    assert (
        f"{table}: {after - before} rows are missing that were sealed, up to row {after}" in lines
    )
    assert any(line.startswith("*house: ") and line.endswith("sound") for line in lines)
    again = server.run(*words, PATH=path)
    assert (again.returncode, b"already holds a journal" in again.stderr) == (2, True)
    # The copy is a house: it opens, and people are who they were.
    with Server(tmp_path, new) as restored:
        restored.boss_cookies = server.boss_cookies
        assert restored.boss().get("/api/me")["person"] is None
        assert restored.sign_in("boss").get("/api/me")["administrator"]
        assert restored.visitor().get(f"/api/tables/{table}")["view"]["seats"][0]["rail"]
    nowhere = tmp_path / "empty"
    nowhere.mkdir()
    done = server.run("backup", "--database", new, "-o", str(tmp_path / "x"), PATH=str(nowhere))
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"pg_dump, which comes with PostgreSQL" in done.stderr
