"""Sessions on a cluster: Dask distributed behind `concurrent.futures`.

Pieces go out as tasks; a worker that dies loses nothing but time, since a piece played again gives
the same bits. Players are sent once; workers have them from one another. Needs the extra
`boxman[cluster]`.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import zlib
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

from boxman.sim.run import play_piece
from boxman.words import phrase

LOCAL = "local"
PATIENCE = "10s"
"""How long a scheduler may take to answer, and to have a worker."""
RETRIES = 5
"""How often a piece is given to another worker when one dies with it."""


def distributed() -> Any:
    """Dask distributed, or one clear message."""
    try:
        import distributed as found
    except ImportError:
        raise ImportError(phrase("sim.wrong.a-cluster-needs-dask-distributed")) from None
    return found


def unpacked(packed: bytes) -> Any:
    """Players, on a worker."""
    return pickle.loads(zlib.decompress(packed))


async def _fetched(piece: Any) -> Any:
    return await piece


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
            client = None
            try:
                client = library.Client(cluster, timeout=PATIENCE)
                client.wait_for_workers(1, timeout=PATIENCE)
            except (OSError, TimeoutError, ValueError) as error:
                if client is not None:
                    client.close()
                raise ConnectionError(
                    phrase("sim.wrong.no-dask-scheduler-at-start", cluster=cluster, error=error)
                ) from None
            self._client = client
        else:
            self._client, self._own_client = cluster, False
        self.workers = max(1, sum(self._client.nthreads().values()))

    def hand_out(self, players: Sequence[Any]) -> Any:
        """Make players the result of a task: where it dies with its worker, it is made again.

        Scattered data would be lost: copies are taken back from workers that do not need them now.
        """
        packed = zlib.compress(distributed().protocol.pickle.dumps(list(players)), 1)
        return self._client.submit(unpacked, packed, pure=False, retries=RETRIES)

    def submit(self, players: Any, seed: int, first: int, count: int) -> Future[Any]:
        piece = self._client.submit(
            *(play_piece, players, seed, first, count), pure=False, retries=RETRIES
        )
        # Not Dask's executor: its future never ends where fetching the answer fails.
        return asyncio.run_coroutine_threadsafe(_fetched(piece), self._client.loop.asyncio_loop)

    def close(self) -> None:
        if self._own_client:
            self._client.close()
        if self._cluster is not None:
            self._cluster.close()
