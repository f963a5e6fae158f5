"""`boxman serve` and `boxman play` as somebody types them, and the settings of a server."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from boxman.cli import app
from boxman.journal.postgres import PostgresJournal
from boxman.journal.row import JournalError
from boxman.pit.logs import without_secrets
from boxman.pit.web.config import Config, ConfigError, read_config

ROOT = Path(__file__).parents[2]
TEMPLATE = ROOT / "src" / "boxman" / "rulebooks" / "template.md"


# -- settings ----------------------------------------------------------------------------------


def test_the_command_line_goes_before_the_environment_and_that_before_the_file(
    tmp_path: Path,
) -> None:
    path = tmp_path / "boxman.toml"
    path.write_text('port = 1\nhost = "a"\ndatabase = "file.db"\ntables = 7\n')
    environment = {"BOXMAN_PORT": "2", "BOXMAN_HOST": "b", "BOXMAN_ORIGINS": "https://x,https://y"}
    config = read_config(path, environment, {"port": 3, "log": None})
    assert (config.port, config.host, config.database, config.tables) == (3, "b", "file.db", 7)
    assert config.origins == ("https://x", "https://y")
    assert read_config(None, {}, {}) == Config()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("port = [", "is not TOML"),
        ('port = "x"', 'port cannot be "x": it is a whole number'),
        ("pot = 1", "no setting pot; did you mean port"),
        ("metrics_token = 271828", r"metrics_token cannot be \.\.\.: it is text in quotes"),
        ("hosts = [1]", r"hosts cannot be \[1\]: it is a list of texts"),
        ("secure_cookies = 3", "secure_cookies cannot be 3: it is true or false"),
        ("command_rate = nan", "command_rate cannot be nan: it is a number from 0 to 1,000,000"),
        ("request_rate = inf", "request_rate"),
        ("request_seconds = -1", "cannot be -1: it is a number above 0, up to 3,600"),
        ("tables = -5", "tables cannot be -5: it is a whole number from 0"),
        ("message_size = 0", "message_size"),
        ('log = "loud"', "log cannot be .* one of"),
        ('proxies = ["the-proxy"]', "a proxy is given by its address or network"),
        ('url = "http://[::1"', "url and origins look like"),
        ('origins = ["example.org"]', "url and origins look like"),
        ('database = "a\\u0000b"', "zero byte"),
        ('houses = ["a\\u0000b"]', "zero byte"),
        ('host = "a\\u0000b"', "zero byte"),
        ("#" * (1 << 20) + "#", "too long to be a settings file"),
    ],
)
def test_settings_that_cannot_be(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "boxman.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=message):
        read_config(path, {}, {})


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_config(tmp_path / "none.toml", {}, {})


@pytest.mark.parametrize("port", [-1, 65_536, 99_999])
def test_a_port_that_does_not_exist_is_refused(port: int) -> None:
    with pytest.raises(ConfigError, match=f"a port is a number from 0 .* to 65535, not {port}"):
        read_config(None, {}, {"port": port})


def test_no_secret_goes_into_a_log() -> None:
    event: dict[str, Any] = {"event": "x", "password": "p", "Session_Token": "t", "table": "t1"}
    assert without_secrets(event) == {
        "event": "x",
        "password": "(kept back)",
        "Session_Token": "(kept back)",
        "table": "t1",
    }


# -- commands ----------------------------------------------------------------------------------


class Started:
    """A command that serves, until it is stopped."""

    def __init__(self, *arguments: str, cwd: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "boxman", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
            cwd=cwd,
        )
        self.watchdog = threading.Timer(90, self.process.kill)
        self.watchdog.start()

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def stop(self, number: int) -> tuple[int, str]:
        self.process.send_signal(number)
        _, err = self.process.communicate(timeout=60)
        self.watchdog.cancel()
        return self.process.returncode, err


def test_play_opens_a_table_and_stops_when_told(tmp_path: Path) -> None:
    started = Started("play", str(TEMPLATE), "--no-browser", "--players", "1", cwd=tmp_path)
    told = started.line()
    found = re.search(r"http://127\.0\.0\.1:\d+/table/(\S+)", told)
    assert found is not None, told
    base = found.group(0).split("/table/")[0]
    with httpx.Client(base_url=base, timeout=30, verify=False) as client:
        table = client.get(f"/api/tables/{found.group(1)}").json()
        assert table["crew"] == "automatic"
        assert table["kind"] == "practice"
        sat = client.post(f"/api/tables/{found.group(1)}/sit", json={"name": "ann"})
        assert sat.status_code == 200
        explained = client.get(f"/api/tables/{found.group(1)}/explain", params={"number": 3})
        assert explained.json()["clauses"][0]["text"]
        page = client.get(f"/table/{found.group(1)}")
        assert page.headers["content-type"].startswith("text/html")
    code, err = started.stop(signal.SIGINT)
    assert (code, err) == (0, "")
    assert list(tmp_path.iterdir()) == []


def test_serve_with_a_shared_link(tmp_path: Path) -> None:
    started = Started(
        *("serve", "--share", "--host", "127.0.0.1", "--port", "0", "--database", "memory:"),
        *("--log", "warning"),
        cwd=tmp_path,
    )
    told = started.line()
    assert re.search(r"share this link: http://127\.0\.0\.1:\d+/\?token=\S{16}", told), told
    assert started.stop(signal.SIGTERM) == (0, "")


def run(*arguments: str) -> tuple[int, str]:
    ran = CliRunner().invoke(app, arguments)
    return ran.exit_code, ran.output


def test_serve_that_cannot_begin(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text("pot = 1")
    code, told = run("serve", "--config", str(bad))
    assert code == 2
    assert "pot" in told
    assert "Traceback" not in told
    code, told = run("serve", "--database", str(tmp_path / "no" / "such" / "folder.db"))
    assert code == 2
    assert "Traceback" not in told


def test_serve_waits_for_its_database_as_long_as_the_settings_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []

    def opened(_: object, dsn: str, *, patience: float, **__: object) -> None:
        waited.append(patience)
        raise JournalError("it is away")

    monkeypatch.setattr(PostgresJournal, "__init__", opened)
    settings = tmp_path / "boxman.toml"
    settings.write_text("port = 0\ndatabase_seconds = 1.5\n")
    code, told = run("serve", "--config", str(settings), "--database", "postgresql://nowhere")
    assert (code, "it is away" in told, waited) == (2, True, [1.5])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--limits", "5"), "limits are a minimum and a maximum"),
        (("--limits", "500-5"), "the maximum 5 is below the minimum 500"),
        (("--chip", "x"), "not an amount: x"),
        (("--set", "odds=11"), "odds cannot be 11"),
    ],
)
def test_play_that_cannot_begin(options: tuple[str, ...], message: str) -> None:
    code, told = run("play", str(TEMPLATE), "--no-browser", *options)
    assert code == 2
    assert message in told
