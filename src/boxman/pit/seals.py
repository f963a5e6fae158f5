"""Seals of a running house: where each chain stands, signed at every checkpoint and at the end.

They go to a file beside the database, one line each, for an inspector to take away; the newest can
be had over the wire. A house without a key (one in memory, or on PostgreSQL where none was named)
seals nothing and says so.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

from boxman.journal.row import Head
from boxman.journal.seal import HouseKey, Seal, write_seal
from boxman.pit.config import Config


class Sealer:
    """Signs heads with the house's key and writes the seals down."""

    def __init__(self, key: HouseKey, path: Path, clock: Callable[[], int]) -> None:
        self.key, self.path, self.clock = key, path, clock
        self._writing = threading.Lock()

    def sign(self, table: str, head: Head) -> Seal:
        """A seal, freshly signed."""
        return self.key.seal(table, head, self.clock())

    def keep(self, table: str, head: Head) -> None:
        """Sign, and write it down so that it is there after a crash."""
        line = write_seal(self.sign(table, head))
        with self._writing, self.path.open("ab") as out:
            out.write(line)
            out.flush()
            os.fsync(out.fileno())


def sealer_of(config: Config, clock: Callable[[], int]) -> Sealer | None:
    """The sealer of a house, with the key made at its first opening; None if it has no place."""
    file = "" if config.database == "memory:" or "://" in config.database else config.database
    key = config.key or (f"{file}.key" if file else "")
    if not key:
        return None
    seals = config.seals or (f"{file}.seals" if file else f"{key}.seals")
    return Sealer(HouseKey.at(key), Path(seals), clock)
