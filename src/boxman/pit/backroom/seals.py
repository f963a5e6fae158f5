"""Seals of a running house: where each chain stands, signed at every checkpoint and at the end.

They go to a file beside the database, one line each, for an inspector to take away, and by a
schedule to a folder outside the house, if one is named; the newest can be had over the wire. At
the start the house reads its own: a journal that ends before a row it has sealed was rolled back,
one with another row there was written anew. A house without a key (one in memory, or on PostgreSQL
where none was named) seals nothing and says so.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from boxman.journal.row import HOUSE_JOURNAL, Head, JournalError
from boxman.journal.seal import (
    HouseKey,
    Seal,
    Seals,
    append_line,
    genuine,
    keys_of,
    read_seals,
    write_seal,
)
from boxman.journal.store import Journal, stands
from boxman.pit.web.config import Config
from boxman.words import phrase


class Judged(NamedTuple):
    """What a house's own seals say of its journal."""

    lost: tuple[str, ...] = ()
    """Sentences: rows that were sealed are gone, and with them whatever else was stored since."""
    changed: Mapping[str, str] = {}
    """Tables whose sealed rows are others now, and the sentence about each."""


class Sealer:
    """Signs heads with the house's key and writes the seals down."""

    def __init__(
        self, file: Path, path: Path, clock: Callable[[], int], outside: Path | None = None
    ) -> None:
        self.file, self.path, self.clock, self.outside = file, path, clock, outside
        self.key = HouseKey.at(file)
        self._read = file.stat()
        self._writing = threading.Lock()
        self._published: dict[str, Head] = {}
        self._begun: set[Path] = set()
        """Files outside the house that this process has written to."""

    def renew(self) -> bool:
        """Take up the key that was put in the place of the house's while it is open, if the old one
        signed for it; whether there is one."""
        try:
            now = self.file.stat()
        except OSError as error:
            words = phrase("pit.house.cannot-be-read", path=self.file, strerror=error.strerror)
            raise JournalError(words) from None
        if os.path.samestat(now, self._read):
            return False
        new = HouseKey.load(self.file)
        if new.public not in keys_of(self.key.public, self._kept().successions):
            raise JournalError(phrase("pit.house.the-key-is-not", path=self.path))
        with self._writing:
            self.key, self._read = new, now
            self._published.clear()
            self._begun.clear()
        return True

    def sign(self, table: str, head: Head) -> Seal:
        """A seal, freshly signed."""
        return self.key.seal(table, head, self.clock())

    def keep(self, table: str, head: Head) -> None:
        """Sign, and write it down so that it is there after a crash."""
        with self._writing:
            append_line(self.path, write_seal(self.sign(table, head)))

    def publish(self, heads: Mapping[str, Head]) -> None:
        """Seal what has moved since the last time, here and outside the house."""
        assert self.outside is not None
        moved = {name: head for name, head in heads.items() if self._published.get(name) != head}
        if not moved:
            return
        lines = b"".join(write_seal(self.sign(name, head)) for name, head in moved.items())
        day = time.strftime("%Y-%m-%d", time.gmtime(self.clock() / 1000))
        outside = self.outside / f"{self.path.name}-{day}"
        keys = b""
        if outside not in self._begun:
            # Whoever knows the first key alone needs to know who signed for the present one.
            keys = b"".join(write_seal(each) for each in self._kept().successions)
        with self._writing:
            append_line(self.path, lines)
            append_line(outside, keys + lines)
        self._begun.add(outside)
        self._published.update(moved)

    def judge(self, journal: Journal) -> Judged:
        """Hold the journal against the newest seal of each table."""
        kept = self._kept()
        # Whichever key the house had: the present one vouches for what its forerunners signed.
        keys = {self.key.public}
        for each in reversed(kept.successions):
            if each.successor in keys and each.successor in keys_of(each.key, [each]):
                keys.add(each.key)
        newest = {seal.table: seal for seal in kept.seals if genuine(seal, frozenset(keys))}
        if kept.seals and not newest:
            raise JournalError(phrase("pit.house.the-key-is-not", path=self.path))
        lost, changed = [], {}
        for name, seal in newest.items():
            head = journal.head(name)
            if head.number < seal.number:
                ends = (
                    phrase("pit.house.ends-at-row", number=head.number)
                    if head.number
                    else phrase("pit.house.is-not-there")
                )
                lost.append(
                    phrase("pit.house.and-row-was-sealed", name=name, ends=ends, number=seal.number)
                )
            elif not stands(journal, name, Head(seal.number, seal.hash)):
                changed[name] = phrase("pit.house.row-of-is-not", number=seal.number, name=name)
        return Judged(tuple(lost), changed)

    def check(self, journal: Journal) -> Mapping[str, str]:
        """Refuse a journal that was rolled back; the tables of one that were written anew."""
        lost, changed = self.judge(journal)
        if lost:
            more = phrase("pit.house.and-more-tables", n=len(lost) - 1) if len(lost) > 1 else ""
            raise JournalError(
                phrase("pit.house.the-journal-was-rolled", lost=lost[0], more=more, path=self.path)
            )
        if HOUSE_JOURNAL in changed:
            # It is no table that could stay closed by itself: accounts and chips rest on it.
            told = changed[HOUSE_JOURNAL]
            raise JournalError(phrase("pit.house.the-acts-were-written", told=told, path=self.path))
        return changed

    def _kept(self) -> Seals:
        try:
            with self.path.open("rb") as lines:
                return read_seals(lines, str(self.path))
        except FileNotFoundError:
            return Seals()
        except OSError as error:
            raise JournalError(
                phrase("pit.house.cannot-be-read", path=self.path, strerror=error.strerror)
            ) from None


def sealer_of(config: Config, clock: Callable[[], int]) -> Sealer | None:
    """The sealer of a house, with the key made at its first opening; None if it has no place."""
    file = "" if config.database == "memory:" or "://" in config.database else config.database
    key = config.key or (f"{file}.key" if file else "")
    if not key:
        return None
    seals = config.seals or (f"{file}.seals" if file else f"{key}.seals")
    outside = Path(config.seals_folder) if config.seals_folder else None
    if outside is not None and not outside.is_dir():
        raise JournalError(phrase("pit.house.no-folder-for-seals", path=outside))
    if not Path(key).exists() and Path(seals).exists() and Path(seals).stat().st_size:
        # With a new key nothing in them would count, and a journal rolled back would be dealt on.
        raise JournalError(phrase("pit.house.the-key-is-not", path=seals))
    return Sealer(Path(key), Path(seals), clock, outside)
