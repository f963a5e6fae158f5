"""Command lines that met a traceback once, and their kin: one sentence each."""

from __future__ import annotations

import itertools
import os
import resource
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

from tests.attack.server import ROOT, Server, command, environment

NIGHT = "house nsw   chip 1   limits 10-500\nann buys in 300\nann bets 10 pass\n"
RULEBOOK = (ROOT / "src" / "boxman" / "rulebooks" / "template.md").read_text()
DEEP = "a = " + "[" * 20_000 + "]" * 20_000


def shell(line: str, folder: Path, **more: object) -> subprocess.CompletedProcess[bytes]:
    """A line of the shell, with `boxman` in the place of the command."""
    python = " ".join(command())
    return subprocess.run(
        ["bash", "-c", line.replace("boxman", python, 1)],
        env=environment(),
        cwd=folder,
        capture_output=True,
        timeout=120,
        check=False,
    )


def told(done: subprocess.CompletedProcess[bytes], *codes: int) -> str:
    said = (done.stdout + done.stderr).decode(errors="replace")
    assert "Traceback" not in said, said
    assert done.returncode in codes, (done.returncode, said)
    return said


def worked() -> float:
    """Seconds of a processor that commands have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "night.craps").write_text(NIGHT)
    return tmp_path


COMMANDS = ["book nsw --gaps", "odds nsw pass", "replay night.craps", "show nsw pass", "strategies"]
CLOSED = [">&-", "2>&-", "<&-", ">&- 2>&- <&-"]
ALL_CLOSED = list(itertools.product(COMMANDS, CLOSED))


@pytest.mark.parametrize(
    ("words", "closed"),
    # Each command and each way at least once.
    [
        case if index % 5 == 0 else pytest.param(*case, marks=pytest.mark.soak)
        for index, case in enumerate(ALL_CLOSED)
    ],
)
def test_streams_that_are_closed(folder: Path, words: str, closed: str) -> None:
    told(shell(f"boxman {words} {closed}", folder), 0)


def test_a_terminal_table_without_a_terminal(folder: Path) -> None:
    told(shell("boxman play --terminal <&-", folder), 0, 1, 2)


@pytest.mark.parametrize(
    "after",
    [0.06, 0.3, *(pytest.param(0.02 * n, marks=pytest.mark.soak) for n in range(1, 50))],
)
def test_ctrl_c_at_any_moment(folder: Path, after: float) -> None:
    process = subprocess.Popen(
        command("simulate", "pass-odds", "--sessions", "100000000", "--house", "nsw"),
        env=environment(),
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # What starts the tests in the background may have had it ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL) and None,
    )
    time.sleep(after)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    # Before any of our code runs it is Python's own start that is stopped.
    assert b"boxman" not in err or b"Traceback" not in err, err


@pytest.mark.parametrize("block", ["house", "facts"])
def test_a_rulebook_nested_without_end(folder: Path, block: str) -> None:
    head, mark, tail = RULEBOOK.partition(f"```{block}\n")
    assert mark
    (folder / "deep.md").write_text(head + mark + DEEP + "\n" + tail)
    assert "nested too deeply" in told(shell("boxman book check deep.md", folder), 2)


def test_settings_without_end(folder: Path) -> None:
    for text, wrong in (
        (DEEP, "nested too deeply"),
        ("a." * 400_000 + "b = 1", "nested too deeply"),
        ("port = " + "9" * 6_000, "thousands of digits"),
    ):
        (folder / "deep.toml").write_text(text)
        assert wrong in told(shell("boxman serve --config deep.toml", folder), 2)


def test_files_without_a_bottom(folder: Path) -> None:
    (folder / "deep").write_text("[" * 100_000)
    (folder / "loop").symlink_to("loop")
    for words in ("verify deep --seals deep --key deep", "serve --port 0 --house loop"):
        assert len(told(shell(f"boxman {words}", folder), 2)) < 2_000


def test_a_pipe_is_read_once(folder: Path) -> None:
    said = told(shell("boxman replay <(cat night.craps)", folder), 0)
    assert "ann bets 10 pass" in said
    os.mkfifo(folder / "fifo")
    writer = threading.Thread(target=lambda: (folder / "fifo").write_text(NIGHT))
    writer.start()
    assert "ann bets 10 pass" in told(shell("boxman replay fifo", folder), 0)
    writer.join()


@pytest.mark.parametrize(
    "words",
    [
        "replay",
        "verify",
        *(pytest.param(w, marks=pytest.mark.soak) for w in ("audit", "book check", "simulate")),
    ],
)
def test_a_line_of_a_hundred_megabytes(folder: Path, words: str) -> None:
    name = "long.strategy" if words == "simulate" else "long"
    with (folder / name).open("wb") as out:
        for _ in range(100):
            out.write(b"x" * 1_000_000)
    (folder / f"short-{name}").write_bytes(b"x" * 1_000)
    before = worked()
    told(shell(f"boxman {words} ./short-{name}", folder), 1, 2)
    short = worked() - before
    said = told(shell(f"boxman {words} ./{name}", folder), 2)
    assert len(said) < 2_000, said[:200]
    # By this machine's own measure, however slow: most of either is the start of the program.
    assert worked() - before - short < 10 * short


def test_a_strategy_of_thousands_of_lines(folder: Path) -> None:
    """Nobody writes it by hand, and nobody could wait until it is compiled."""
    (folder / "long.strategy").write_text("when cash > 5: bet 20 field\n" * 20_000)
    said = told(shell("boxman simulate ./long.strategy --sessions 2", folder), 2)
    assert "at most 65536 characters" in said


@pytest.mark.parametrize(
    "words",
    [
        "book check /dev/zero",
        *(
            pytest.param(w, marks=pytest.mark.soak)
            for w in (
                "serve --config /dev/zero",
                "serve --port 0 --house /dev/zero",
                "replay /dev/zero",
                "verify /dev/zero",
                "simulate /dev/zero",
                "odds /dev/zero",
            )
        ),
    ],
)
def test_a_file_without_end(folder: Path, words: str) -> None:
    """Whoever names a device by mistake hears so, and the machine keeps its memory."""
    assert len(told(shell(f"ulimit -v 4000000; boxman {words}", folder), 2)) < 2_000


def test_a_database_that_cannot_be_written(folder: Path) -> None:
    """One that has been served before, and is on a disk that was locked since."""
    with Server(folder) as server:
        base = Path(server.database)
    if subprocess.run(["chattr", "+i", str(base)], capture_output=True, check=False).returncode:
        base.unlink()
        base.mkdir()  # where files cannot be made immutable: something else that cannot be opened
    try:
        said = told(shell("boxman serve --database house.db --port 0", folder), 2)
    finally:
        subprocess.run(["chattr", "-i", str(base)], capture_output=True, check=False)
    assert "cannot be opened" in said
    assert "the house is at" not in said


def test_a_database_that_is_not_there_is_not_made_by_asking(folder: Path) -> None:
    for words in ("people list", "people password ann", "settle one", "verify", "backup -o x"):
        said = told(shell(f"boxman {words} --database typo.db < /dev/null", folder), 2)
        assert "there is no journal typo.db" in said, words
    assert not list(folder.glob("typo.db*"))
    line = "boxman backup -o x --database 'postgresql://?host=%00'"
    assert "connection string" in told(shell(line, folder), 2)


def test_a_database_that_is_no_file_is_left_as_it_is(folder: Path) -> None:
    """Somebody who runs as root and names a device would have taken it from everybody."""
    os.mkfifo(folder / "house.db", 0o644)
    mode = (folder / "house.db").stat().st_mode
    assert "it is no file" in told(shell("boxman serve --database house.db --port 0", folder), 2)
    assert (folder / "house.db").stat().st_mode == mode
    assert not (folder / "house.db.lock").exists()
