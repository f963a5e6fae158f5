"""The first run: the owner of a house, and nobody else, makes its administrator."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import httpx
import pytest

from boxman.journal.memory import MemoryJournal
from boxman.pit.people.door import CODE_LETTERS, Door
from boxman.pit.people.invitation import file_of, forget, invite
from boxman.pit.web.config import Config
from tests.pit.serving import PASSWORD, served

ROOT = Path(__file__).parents[2]
SECRET = re.compile(rf"([{CODE_LETTERS}]{{4}}-){{2}}[{CODE_LETTERS}]{{4}}")


def test_whoever_has_the_code_sets_the_house_up_once() -> None:
    with served() as server:
        first, second = server.person(), server.person()
        assert first.get("/api/setup") == {"done": False, "open": False, "guests_open_tables": True}
        body = {"name": "Boss", "password": PASSWORD}
        assert first.post("/api/setup", 403, **body, code="")["code"] == "not-invited"
        old = server.house.door.invite()
        code = server.house.door.invite()
        assert first.get("/api/setup")["open"] is True
        first.post("/api/setup", 422, **body)
        for wrong in ("", "x", old, code[:-1], code + "b", "'; --"):
            assert first.post("/api/setup", 403, **body, code=wrong)["code"] == "wrong-code"
        assert first.get("/api/me")["setup"] is True
        # As somebody types it from a terminal.
        typed = f" {code.upper().replace('-', ' ')} "
        assert first.post("/api/setup", 201, **body, code=typed)["administrator"] is True
        assert first.get("/api/me")["setup"] is False
        assert second.get("/api/setup")["done"] is True
        other = {"name": "other", "password": PASSWORD, "code": code}
        assert second.post("/api/setup", 409, **other)["code"] == "set-up-done"
        everything = repr(server.house.journal.records._values)
        assert code not in everything


def test_codes_are_not_guessed_one_after_the_other() -> None:
    with served(sign_in_rate=0.2) as server:
        server.house.door.invite()
        body = {"name": "boss", "password": PASSWORD, "code": "guess"}
        person = server.person()
        codes = [person.http.post("/api/setup", json=body).status_code for _ in range(14)]
        assert codes[:10] == [403] * 10
        assert 429 in codes[10:]


def door() -> Door:
    return Door(MemoryJournal(), lambda: 1)


def test_a_terminal_is_shown_the_code_and_nothing_is_written(tmp_path: Path) -> None:
    config = Config(database=str(tmp_path / "house.db"))
    told = invite(door(), config, "http://there:1/setup", terminal=True)
    assert SECRET.search(told)
    assert "http://there:1/setup#" in told
    assert list(tmp_path.iterdir()) == []


def test_without_a_terminal_the_code_is_in_a_file_for_its_owner_alone(tmp_path: Path) -> None:
    config = Config(database=str(tmp_path / "house.db"))
    file = tmp_path / "house.db.setup"
    assert file_of(config) == file
    for _ in range(2):  # every start makes a new one
        told = invite(door(), config, "http://there:1", terminal=False)
        assert not SECRET.search(told)
        assert str(file) in told
        assert SECRET.fullmatch(file.read_text().strip())
        assert file.stat().st_mode & 0o777 == 0o600
    forget(config)
    assert not file.exists()
    forget(config)


@pytest.mark.parametrize("database", ["memory:", "postgresql://there/house"])
def test_without_terminal_or_file_the_owner_is_told_what_to_do(database: str) -> None:
    told = invite(door(), Config(database=database), "http://there:1", terminal=False)
    assert "BOXMAN_SETUP_CODE" in told
    assert not SECRET.search(told)
    chosen = Config(database=database, setup_code="open sesame")
    told = invite(door(), chosen, "http://there:1", terminal=False)
    assert "sesame" not in told


class Terminal:
    """`boxman serve` as somebody starts it: on a terminal, or with its output in a file."""

    def __init__(self, folder: Path, *more: str, terminal: bool) -> None:
        self.ours, theirs = pty.openpty() if terminal else os.pipe()
        command = [sys.executable, "-m", "boxman", "serve", "--port", "0", *more]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
            cwd=folder,
        )
        os.close(theirs)
        self.watchdog = threading.Timer(90, self.process.kill)
        self.watchdog.start()

    def lines(self, count: int) -> str:
        told = b""
        while told.count(b"\n") < count:
            told += os.read(self.ours, 1000)
        return told.decode()

    def stop(self) -> str:
        self.process.send_signal(signal.SIGTERM)
        _, log = self.process.communicate(timeout=60)
        self.watchdog.cancel()
        os.close(self.ours)
        assert self.process.returncode == 0, log
        return log.decode()


def test_serve_on_a_terminal_shows_a_link_that_works_and_logs_no_code(tmp_path: Path) -> None:
    started = Terminal(tmp_path, terminal=True)
    try:
        told = started.lines(2)
        link = re.search(r"(http://127\.0\.0\.1:\d+)/setup#(\S+)", told)
        assert link is not None, told
        body = {"name": "boss", "password": PASSWORD, "code": link.group(2)}
        assert (
            httpx.post(
                f"{link.group(1)}/api/setup", json=body, timeout=30, verify=False
            ).status_code
            == 201
        )
    finally:
        log = started.stop()
    assert link.group(2) not in log
    assert not (tmp_path / "boxman.db.setup").exists()
    again = Terminal(tmp_path, terminal=True)
    try:
        told = again.lines(1)
    finally:
        again.stop()
    assert "setup" not in told


def test_serve_in_the_background_keeps_the_code_in_a_file(tmp_path: Path) -> None:
    started = Terminal(tmp_path, terminal=False)
    file = tmp_path / "boxman.db.setup"
    try:
        told = started.lines(2)
        code = file.read_text().strip()
        assert code not in told
        address = re.search(r"http://127\.0\.0\.1:\d+", told)
        assert address is not None
        body = {"name": "boss", "password": PASSWORD, "code": code}
        answer = httpx.post(f"{address.group(0)}/api/setup", json=body, timeout=30, verify=False)
        assert answer.status_code == 201
        assert not file.exists()
    finally:
        log = started.stop()
    assert code not in log
