"""One thread that owns the connection a store writes with, and group commit.

Whatever waits while a commit is under way goes into the next one together: the more load, the more
rows share the cost of one sync. If the rows of one caller cannot be stored (somebody else has
written that number), only that caller hears of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar

from boxman.journal.row import JournalError, Row
from boxman.journal.store import ChipMoves, JournalBroken, JournalFull, netted
from boxman.words import phrase

MOST = 2_000
"""Rows in one commit."""

T = TypeVar("T")
Work = Callable[[], object]


class _Job:
    """Rows to be stored, or some other work for the connection."""

    __slots__ = ("future", "moves", "rows", "work")

    def __init__(
        self, rows: Sequence[Row] | None, work: Work | None, moves: ChipMoves = ()
    ) -> None:
        self.rows = rows
        self.moves = moves
        self.work = work
        self.future: Future[Any] = Future()


class Writer:
    """Runs all writes of a store, one after the other, in its own thread.

    `commit` stores rows, and what they move in the cage, in one transaction, all or none, durably.
    """

    def __init__(self, name: str, commit: Callable[[list[Row], ChipMoves], None]) -> None:
        self._commit = commit
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()
        self._lock = Lock()
        self._closed = False
        self._thread = Thread(target=self._run, name=f"writer of {name}", daemon=True)
        self._thread.start()

    def submit(self, rows: Sequence[Row], moves: ChipMoves = ()) -> Future[None]:
        """Store rows as soon as may be."""
        return self._put(_Job(rows, None, moves))

    def do(self, work: Callable[[], T]) -> T:
        """Run other work on the thread of the connection, and wait for it."""
        result: T = self._put(_Job(None, work)).result()
        return result

    def close(self, last: Work) -> None:
        """Finish what was submitted, do one last thing, and end."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._queue.put(_Job(None, last))
            self._queue.put(None)
        self._thread.join()

    def _put(self, job: _Job) -> Future[Any]:
        # Running from the start: what was submitted can no longer be called off.
        job.future.set_running_or_notify_cancel()
        with self._lock:
            if self._closed:
                raise JournalError(phrase("journal.wrong.the-journal-is-closed"))
            self._queue.put(job)
        return job.future

    def _run(self) -> None:
        while True:
            job = self._queue.get()
            jobs: list[_Job] = []
            rows = 0
            while job is not None and job.rows is not None:
                jobs.append(job)
                rows += len(job.rows)
                if rows >= MOST or self._queue.empty():
                    break
                job = self._queue.get()
            if jobs:
                self._store(jobs)
            if job is None:
                return
            if job.work is not None:
                self._finish(job, job.work)

    def _store(self, jobs: list[_Job]) -> None:
        """One commit for all; if the rows of one are in the way, each by itself."""
        try:
            rows = [row for job in jobs for row in job.rows or ()]
            self._commit(rows, netted([move for job in jobs for move in job.moves]))
        except Exception as error:
            if len(jobs) > 1 and not isinstance(error, (JournalFull, JournalBroken)):
                for job in jobs:
                    self._store([job])
                return
            for job in jobs:
                job.future.set_exception(error)
        else:
            for job in jobs:
                job.future.set_result(None)

    @staticmethod
    def _finish(job: _Job, work: Work) -> None:
        try:
            result = work()
        except Exception as error:
            job.future.set_exception(error)
        else:
            job.future.set_result(result)
