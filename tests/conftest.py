"""Suite-wide behaviour: strict mode and the soak marker.

``BOXMAN_STRICT=1``: a skipped test fails the session, and is named.
``BOXMAN_SOAK=1``: tests marked ``soak`` run; otherwise they are deselected, not skipped.
With several workers the kernels are compiled once, beside them, rather than by each.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import typer.testing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

STRICT = os.environ.get("BOXMAN_STRICT") == "1"
SOAK = os.environ.get("BOXMAN_SOAK") == "1"

# Tables are drawn as wide as into a pipe, whatever terminal the tests, or their workers, run in.
os.environ["COLUMNS"] = "160"

if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    # Hundreds of processes are started; each would compile the whole source anew, which is half of
    # what most of them do.
    compiled = Path(__file__).parents[1] / ".pytest_cache" / "compiled"
    os.environ["PYTHONPYCACHEPREFIX"] = str(compiled)

# Garbage is looked for seldom, and never among the thousands of tests that were collected: looking
# at them again and again was a sixth of all work.
gc.set_threshold(20_000, 20, 20)

# The tree of commands is made once in a process, not at each of the hundreds of command lines.
typer.testing._get_command = cache(typer.testing._get_command)

COMPILED = {"gym", "sim", "solve", "strategy"}
"""Folders whose tests play compiled sessions."""

_skipped: list[str] = []
_compiling: list[subprocess.Popen[bytes]] = []


@pytest.fixture(autouse=True)
def houses_of_this_test() -> Iterator[None]:
    """A house of a file that one test adds is not known to the next."""
    book = sys.modules.get("boxman.rules.book")
    before = book.house_files() if book else ()
    yield
    if book := sys.modules.get("boxman.rules.book"):
        book._FILES[:] = before


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One for all tests of a worker: a second one would stand in the loop of the first."""
    from tests.browser import launched

    with launched() as one:
        yield one


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput") or not getattr(config.option, "numprocesses", None):
        return
    if config.args_source == pytest.Config.ArgsSource.ARGS and not COMPILED & set(
        "/".join(config.args).split("/")
    ):
        return
    for kernel in ("generic", "lanes"):
        # What is in the cache already is only loaded.
        _compiling.append(
            subprocess.Popen(
                [sys.executable, "-m", "boxman.sim.executors.warm", kernel],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        )


def pytest_unconfigure() -> None:
    for each in _compiling:
        # Nobody needs it any more.
        each.terminate()
        each.wait()


def _note_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    # An expected failure is also reported as "skipped"; it did run.
    if not report.skipped or hasattr(report, "wasxfail"):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    _skipped.append(f"{report.nodeid}: {reason}")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _note_skip(report)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    _note_skip(report)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if SOAK:
        return
    soak = [item for item in items if item.get_closest_marker("soak")]
    if soak:
        items[:] = [item for item in items if not item.get_closest_marker("soak")]
        config.hook.pytest_deselected(items=soak)


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    # Under xdist the controller sees every worker's reports; the workers need not judge.
    if not STRICT or not _skipped or hasattr(session.config, "workerinput"):
        return
    # Never mask a worse outcome, such as an interrupt or an internal error.
    if session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if STRICT and _skipped:
        terminalreporter.section("BOXMAN_STRICT: skipped tests are failures", red=True)
        for line in sorted(set(_skipped)):
            terminalreporter.line(line)
