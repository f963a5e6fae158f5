"""Sessions on a cluster: Dask distributed behind `concurrent.futures`.

Pieces go out as tasks; a worker that dies loses nothing but time, since a piece played again gives
the same bits. Players are sent once to every worker. Needs the extra `boxman[cluster]`.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

from boxman.sim.run import play_piece
from boxman.words import phrase

LOCAL = "local"
PATIENCE = "10s"
"""How long a scheduler may take to answer."""
RETRIES = 5
"""How often a piece is given to another worker when one dies with it."""
RETRY_SECONDS = 0.5


def distributed() -> Any:
    """Dask distributed, or one clear message."""
    try:
        import distributed as found
    except ImportError:
        raise ImportError(phrase("sim.wrong.a-cluster-needs-dask-distributed")) from None
    return found


class DaskCrew:
    """Workers of a Dask cluster: `local`, the address of a scheduler, or a client."""

    compiles_here = False

    def __init__(self, cluster: Any, workers: int | None = None) -> None:
        library = distributed()
        self._cluster: Any = None
        self._own_client = True
        if cluster == LOCAL:
            self._cluster = library.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                dashboard_address=None,
                # What workers say when they are stopped half-way is of no use to anybody.
                silence_logs=logging.CRITICAL,
            )
            self._client = library.Client(self._cluster)
        elif isinstance(cluster, str):
            try:
                self._client = library.Client(cluster, timeout=PATIENCE)
            except (OSError, TimeoutError, ValueError) as error:
                raise ConnectionError(
                    phrase("sim.wrong.no-dask-scheduler-at-start", cluster=cluster, error=error)
                ) from None
        else:
            self._client, self._own_client = cluster, False
        self._pool = self._client.get_executor(retries=RETRIES, pure=False)
        self.workers = max(1, sum(self._client.nthreads().values()))

    def hand_out(self, players: Sequence[Any]) -> Any:
        """Send players to all workers, once; again where one of them dies meanwhile."""
        for _ in range(RETRIES):
            try:
                return self._client.scatter([list(players)], broadcast=True, hash=False)[0]
            except OSError:
                # Until the scheduler has noticed.
                time.sleep(RETRY_SECONDS)
        return self._client.scatter([list(players)], broadcast=True, hash=False)[0]

    def submit(self, players: Any, seed: int, first: int, count: int) -> Future[Any]:
        future: Future[Any] = self._pool.submit(play_piece, players, seed, first, count)
        return future

    def close(self) -> None:
        self._pool.shutdown(wait=False)
        if self._own_client:
            self._client.close()
        if self._cluster is not None:
            self._cluster.close()
