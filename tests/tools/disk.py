"""A disk in memory whose power can be cut and whose writes can fail, as a file system for SQLite.

What was written since the last sync of a file is in doubt: at a cut each sector of each write is
kept, lost or torn in two; files made or removed since the folder was synced may be gone or back.
As SQLite does on Unix, the first sync of a new log or journal syncs the folder too. Everything is
drawn from one seed, so a cut can be repeated.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count
from typing import Any

import apsw

SECTOR = 512
_NAMES = count(1)


class Stored:
    """One file: what the running system sees, what is safe, and what is in doubt."""

    def __init__(self, content: bytes = b"", safe: bool = False) -> None:
        self.seen = bytearray(content)
        self.safe = bytearray(content)
        self.exists = safe
        """Whether the file itself would be there after a cut."""
        self.doubt: list[tuple[int, bytes | None]] = []
        """Writes by their place; None cuts the file off there."""

    def sync(self) -> None:
        self.safe = bytearray(self.seen)
        self.doubt.clear()

    def after_cut(self, generator: random.Random) -> bytes:
        content = bytearray(self.safe)
        for at, data in self.doubt:
            if data is None:
                if generator.random() < 0.5:
                    del content[at:]
                continue
            for start in range(0, len(data), SECTOR):
                part = data[start : start + SECTOR]
                fate = generator.random()
                if fate < 0.45:
                    continue
                if fate < 0.55:
                    part = part[: generator.randrange(len(part) + 1)]
                _put(content, at + start, part)
        return bytes(content)


def _put(content: bytearray, at: int, data: bytes) -> None:
    if len(content) < at:
        content.extend(bytes(at - len(content)))
    content[at : at + len(data)] = data


class Disk(apsw.VFS):
    """A file system by the name `disk.name`; `trouble` may refuse any step by raising."""

    def __init__(self, files: dict[str, bytes] | None = None) -> None:
        self.name = f"disk-{next(_NAMES)}"
        self.files = {name: Stored(content, True) for name, content in (files or {}).items()}
        self.removed: dict[str, Stored] = {}
        self.steps = 0
        self.wanted = 0
        """Bytes by which the write at hand makes its file longer."""
        self.trouble: Callable[[Disk, str], None] = lambda disk, step: None
        super().__init__(self.name, "")

    def step(self, what: str) -> None:
        self.steps += 1
        self.trouble(self, what)

    def size(self) -> int:
        return sum(len(file.seen) for file in self.files.values())

    def contents(self) -> dict[str, bytes]:
        """Everything as the running system sees it."""
        return {name: bytes(file.seen) for name, file in self.files.items()}

    def after_cut(self, generator: random.Random) -> dict[str, bytes]:
        """Everything as it is found when the power comes back."""
        left = {}
        for name, file in (self.removed | self.files).items():
            doubtful = name in self.removed if name not in self.files else not file.exists
            if doubtful and generator.random() < 0.5:
                continue
            left[name] = file.after_cut(generator)
        return left

    # -- what SQLite asks for ------------------------------------------------------------------

    def xOpen(self, name: Any, flags: list[int]) -> Handle:  # noqa: N802
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        path = path or f"temporary-{next(_NAMES)}"
        file = self.files.get(path)
        if file is None:
            file = self.files[path] = Stored()
        flags[1] = flags[0]
        return Handle(self, file, path)

    def xDelete(self, name: str, sync: bool) -> None:  # noqa: N802
        self.step("delete")
        file = self.files.pop(name, None)
        if file is not None and file.exists and not sync:
            self.removed[name] = file

    def xAccess(self, name: str, flags: int) -> bool:  # noqa: N802
        return name in self.files

    def xFullPathname(self, name: str) -> str:  # noqa: N802
        return name


class Handle:
    """An open file."""

    def __init__(self, disk: Disk, file: Stored, name: str) -> None:
        self.disk, self.file = disk, file
        self.syncs_folder = name.endswith(("-wal", "-journal"))

    def xRead(self, amount: int, at: int) -> bytes:  # noqa: N802
        return bytes(self.file.seen[at : at + amount])

    def xWrite(self, data: bytes, at: int) -> None:  # noqa: N802
        # A write during which the power goes is in doubt like those before it.
        data = bytes(data)
        self.file.doubt.append((at, data))
        self.disk.wanted = max(0, at + len(data) - len(self.file.seen))
        try:
            self.disk.step("write")
        except apsw.FullError:
            self.file.doubt.pop()
            raise
        _put(self.file.seen, at, data)

    def xTruncate(self, size: int) -> None:  # noqa: N802
        self.file.doubt.append((size, None))
        self.disk.step("truncate")
        del self.file.seen[size:]

    def xSync(self, flags: int) -> None:  # noqa: N802
        self.disk.step("sync")
        self.file.sync()
        if not self.file.exists and self.syncs_folder:
            self.disk.removed.clear()
            for file in self.disk.files.values():
                file.exists = True

    def xFileSize(self) -> int:  # noqa: N802
        return len(self.file.seen)

    def xLock(self, level: int) -> None:  # noqa: N802
        return None

    def xUnlock(self, level: int) -> None:  # noqa: N802
        return None

    def xCheckReservedLock(self) -> bool:  # noqa: N802
        return False

    def xFileControl(self, operation: int, pointer: int) -> bool:  # noqa: N802
        return False

    def xSectorSize(self) -> int:  # noqa: N802
        return SECTOR

    def xDeviceCharacteristics(self) -> int:  # noqa: N802
        return 0

    def xClose(self) -> None:  # noqa: N802
        return None


def power_cut(at: int) -> Callable[[Disk, str], None]:
    """The power goes at a step, and stays away."""

    def trouble(disk: Disk, step: str) -> None:
        if disk.steps >= at:
            raise apsw.IOError("the power is gone")

    return trouble


def full(size: int) -> Callable[[Disk, str], None]:
    """No more room than this."""

    def trouble(disk: Disk, step: str) -> None:
        if step == "write" and disk.size() + disk.wanted > size:
            raise apsw.FullError("no room")

    return trouble


def failing(at: int, step: str, error: type[apsw.Error], once: bool) -> Callable[[Disk, str], None]:
    """A certain step fails, the first time it comes at or after a moment, or from then on."""
    failed = False

    def trouble(disk: Disk, now: str) -> None:
        nonlocal failed
        if now == step and disk.steps >= at and not (once and failed):
            failed = True
            raise error(f"the {step} failed")

    return trouble
