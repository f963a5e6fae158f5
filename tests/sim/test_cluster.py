"""A real local Dask cluster: the same bits, also when a worker dies with its pieces."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from boxman.sim.cluster import DaskCrew
from boxman.sim.run import simulate
from boxman.strategy.library import named
from boxman.strategy.session import session

SESSION = session("rws", bankroll=100, rolls=60)

# Dask has threads, sockets and loggers of its own: it gets a process of its own.
PROGRAM = """
import os, signal, sys, threading
from distributed import Client, LocalCluster
from boxman.sim import run
from boxman.sim.executors.automaton import ENGINES
from boxman.sim.run import simulate
from boxman.strategy.library import named
from boxman.strategy.session import session

if __name__ == "__main__":
    name, sessions, kill_after = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    engine, pace = ENGINES["numpy"]
    ENGINES["numpy"] = engine, pace._replace(piece=120_000)
    run.LONG_RUN = 10**12
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            victims = [info["pid"] for info in client.run(lambda: {"pid": os.getpid()}).values()]
            killed = []

            def watch(progress):
                if not killed and progress.done > kill_after:
                    killed.append(victims[0])
                    os.kill(victims[0], signal.SIGKILL)

            run.INTERVAL = 0.0
            played = session("rws", bankroll=100, rolls=60)
            found = simulate(named(name), played, sessions, 3, cluster=client, progress=watch)
            alive = client.run(os.getpid)
            print(found.digest(), found.sessions, found.partial, len(killed), found.executor)
"""

# The only worker dies with the players before the first piece, and again while that is fetched.
ALONE = """
import os, signal, sys
from pathlib import Path
from distributed import Client, LocalCluster, wait
from boxman.sim import cluster

class Deadly:
    def __init__(self, died):
        self.died = died

    def __reduce__(self):
        if not self.died.exists():
            self.died.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return str, ("answered",)

def deadly_piece(players, seed, first, count):
    return Deadly(*players)

if __name__ == "__main__":
    cluster.play_piece = deadly_piece
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as workers:
        with Client(workers) as client:
            crew = cluster.DaskCrew(client)
            given = crew.hand_out([Path(sys.argv[1])])
            wait(given)
            for worker in client.run(os.getpid).values():
                os.kill(worker, signal.SIGKILL)
            print(crew.submit(given, 0, 0, 1).result(timeout=120))
"""


def on_a_cluster(folder: Path, text: str, *given: object) -> str:
    program = folder / "program.py"
    program.write_text(textwrap.dedent(text))
    source = Path(__file__).parents[2] / "src"
    done = subprocess.run(
        [sys.executable, str(program), *map(str, given)],
        env={**os.environ, "PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "kill_after",
    [
        pytest.param(0, marks=pytest.mark.soak, id="first"),
        pytest.param(8_000, id="midway"),
        pytest.param(10**9, marks=pytest.mark.soak, id="nobody"),
    ],
)
def test_a_cluster_gives_the_same_bits(tmp_path: Path, kill_after: int) -> None:
    """Although a worker is killed before it has a piece, or in the middle of one."""
    sessions = 30_000
    told = on_a_cluster(tmp_path, PROGRAM, "molly", sessions, kill_after)
    digest, played, partial, killed, executor = told.split(" ", 4)
    assert (played, partial) == (str(sessions), "False")
    assert bool(int(killed)) == (kill_after < sessions)
    assert executor.strip() == "automaton, NumPy"
    assert digest == simulate(named("molly"), SESSION, sessions, 3, executor="numpy").digest()


def test_players_outlive_the_only_worker_that_has_them(tmp_path: Path) -> None:
    died = tmp_path / "died"
    assert on_a_cluster(tmp_path, ALONE, died) == "answered\n"
    assert died.exists()


def test_no_scheduler_is_one_clear_message() -> None:
    with pytest.raises(ConnectionError, match="no Dask scheduler at nowhere"):
        DaskCrew("nowhere")


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ImportError, match=r"pip install 'boxman\[cluster\]'"):
        DaskCrew("local")
