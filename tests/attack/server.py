"""A real server in a process of its own, and the people of its house; nothing of it is imported.

BOXMAN_ATTACK names another source folder to attack: how a test is seen to fail on older code.
"""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from tests.attack.client import Silence, Visitor

ROOT = Path(__file__).parents[2]
SOURCE = os.environ.get("BOXMAN_ATTACK") or str(ROOT / "src")
CHEAP = str(Path(__file__).parent / "cheap")
"""What is read first where passwords are to be hashed with little work."""
PASSWORD = "a word nobody knows, 42"
CODE = "open-sesame-now"
FREE = {"request_rate": 0, "sign_in_rate": 0, "command_rate": 0}
"""Settings without the brakes that a test is not about."""


def environment(*, dear: bool = False) -> dict[str, str]:
    """The environment of a process that runs the code under attack, and no settings of ours;
    `dear`: passwords take as long there as they do in a house."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BOXMAN_")}
    path = SOURCE if dear else os.pathsep.join((CHEAP, SOURCE))
    return kept | {"PYTHONPATH": path, "PYTHONUNBUFFERED": "1"}


def command(*words: str) -> list[str]:
    """A command line of the code under attack."""
    return [sys.executable, "-m", "boxman", *words]


def free_port() -> int:
    """A port below those that systems give to whoever asks for any: who asks again and again if
    somebody listens there would one day be given the very port, and speak to itself."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class Server:
    """A serving process on one database. Its log is a file."""

    def __init__(
        self, folder: Path, database: str = "", *, dear: bool = False, **settings: object
    ) -> None:
        self.folder, self.settings, self.dear = folder, {**FREE, **settings}, dear
        self.database = database or str(folder / "house.db")
        self.process: subprocess.Popen[bytes] | None = None
        self.port = 0
        self.log = folder / "log"
        self.boss_cookies: dict[str, str] = {}

    def __enter__(self) -> Server:
        return self if self.process is not None else self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self, *options: str) -> Server:
        """Run it, or run it again, and wait until it is ready."""
        self.launch(*options)
        assert self.process is not None
        visitor = Visitor(self.port, patience=5)
        until = time.monotonic() + 120
        while time.monotonic() < until:
            try:
                if visitor.ask("GET", "/readyz").status == 200:
                    return self
            except (OSError, Silence):
                assert self.process.poll() is None, self.told()
            time.sleep(0.05)
        raise AssertionError(f"the server never became ready: {self.told()}")

    def launch(self, *options: str) -> subprocess.Popen[bytes]:
        """Start the process and wait for nothing."""
        self.port = free_port()
        file = self.folder / "settings.toml"
        file.write_text("".join(f"{name} = {_toml(value)}\n" for name, value in self._all()))
        words = ["serve", "--config", str(file), "--database", self.database, *options]
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(
                command(*words),
                env=environment(dear=self.dear),
                stdout=out,
                stderr=out,
                cwd=self.folder,
            )
        return self.process

    def _all(self) -> list[tuple[str, object]]:
        return list({"port": self.port, "setup_code": CODE, **self.settings}.items())

    def told(self) -> str:
        """Everything it wrote to its log."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def stop(self, number: int = signal.SIGTERM) -> int:
        if self.process is None:
            return 0
        self.process.send_signal(number)
        try:
            return self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError("the server did not stop") from None
        finally:
            self.process = None

    def visitor(self, source: str = "127.0.0.1") -> Visitor:
        """Somebody who just came in, from one of this machine's many addresses."""
        return Visitor(self.port, source=source)

    def boss(self) -> Visitor:
        """The administrator of the house, who is made at the first call."""
        boss = self.visitor()
        if not self.boss_cookies:
            boss.post("/api/setup", 201, name="boss", password=PASSWORD, code=CODE)
            self.boss_cookies = boss.cookies
        boss.cookies = dict(self.boss_cookies)
        return boss

    def person(self, name: str, chips: int = 0, stations: tuple[str, ...] = ()) -> Visitor:
        """Somebody with an account, signed in."""
        boss = self.boss()
        boss.post("/api/people", 201, name=name, password=PASSWORD)
        if chips:
            boss.post("/api/cage", 200, person=name, amount=chips)
        if stations:
            boss.post(f"/api/people/{name}/stations", 200, stations=list(stations))
        return self.sign_in(name)

    def sign_in(self, name: str, password: str = PASSWORD) -> Visitor:
        visitor = self.visitor()
        visitor.post("/api/session", 200, name=name, password=password)
        return visitor

    def live_table(self, house: str = "nsw", **settings: object) -> str:
        """A live table without a crew of its own."""
        settings = {"automatic": [], **settings}
        return str(
            self.boss().post("/api/tables", 201, house=house, practice=False, **settings)["table"]
        )

    def practice_table(self, visitor: Visitor, house: str = "nsw", **settings: object) -> str:
        settings = {"automatic": [], **settings}
        return str(visitor.post("/api/tables", 201, house=house, **settings)["table"])

    def run(
        self, *words: str, patience: float = 120, **variables: str
    ) -> subprocess.CompletedProcess[bytes]:
        """A command of the same code, to its end."""
        return subprocess.run(
            command(*words),
            env=environment() | variables,
            cwd=self.folder,
            capture_output=True,
            timeout=patience,
            check=False,
        )


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"[{', '.join(_toml(each) for each in value)}]"
    return f'"{value}"' if isinstance(value, str) else str(value)
