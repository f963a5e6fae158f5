"""Structured logs, one JSON object a line on standard error. No secret ever goes into one."""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime

import msgspec

SECRETS = ("password", "token", "cookie", "secret", "hashed", "authorization")


class Trouble:
    """What goes wrong again and again is written when it begins, when it is something else, and
    when it is over; not every time."""

    def __init__(self, log: Log, wrong: str, right: str) -> None:
        self.log, self.wrong, self.right = log, wrong, right
        self.problem = ""

    def saw(self, problem: str = "", fault: Exception | None = None) -> None:
        """How it went: nothing, a problem, or one that is a fault of ours."""
        if problem == self.problem:
            return
        self.problem = problem
        if fault is not None:
            self.log.error(self.wrong, problem=problem, exc_info=fault)
        elif problem:
            self.log.warning(self.wrong, problem=problem)
        else:
            self.log.info(self.right)


class Log:
    """Writes events with their fields, from a level on."""

    def __init__(self) -> None:
        self.level = logging.WARNING

    def info(self, event: str, **fields: object) -> None:
        """Something that happens as it should."""
        self._write(logging.INFO, event, fields)

    def warning(self, event: str, **fields: object) -> None:
        """Something that somebody might want to know."""
        self._write(logging.WARNING, event, fields)

    def error(self, event: str, *, exc_info: BaseException | None = None, **fields: object) -> None:
        """Something that somebody should look at; with an exception, where it came from."""
        if exc_info is not None:
            fields["exception"] = "".join(traceback.format_exception(exc_info))
        self._write(logging.ERROR, event, fields)

    def trouble(self, wrong: str, right: str) -> Trouble:
        """What is tried again and again: the lines when it goes wrong, and right again."""
        return Trouble(self, wrong, right)

    def _write(self, level: int, event: str, fields: Mapping[str, object]) -> None:
        if level < self.level or sys.stderr is None:
            return
        at = datetime.now(UTC).isoformat().replace("+00:00", "Z")
        name = logging.getLevelName(level).lower()
        line = {**without_secrets(fields), "event": event, "level": name, "timestamp": at}
        try:
            sys.stderr.write(msgspec.json.encode(line, enc_hook=str).decode() + "\n")
            sys.stderr.flush()
        except (OSError, ValueError):
            pass  # nobody reads it any more; the tables go on


log = Log()


class Theirs(logging.Handler):
    """What libraries log, as lines of ours. What strangers make the server say of their bytes is
    left out: they would fill the disk with it."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        of_strangers = record.levelno < logging.ERROR or isinstance(error, UnicodeDecodeError)
        if record.name == "uvicorn.error" and of_strangers:
            return
        if record.levelno < logging.ERROR:
            log.warning(record.getMessage(), by=record.name)
        else:
            log.error(record.getMessage(), by=record.name, exc_info=error)


def set_up_logs(level: str) -> None:
    """Log from this level on."""
    number = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    logging.basicConfig(level=max(number, logging.WARNING), handlers=[Theirs()])
    log.level = number


def without_secrets(fields: Mapping[str, object]) -> dict[str, object]:
    """The last line of defence: a field with a telling name is not written."""
    return {
        key: "(kept back)" if any(word in key.lower() for word in SECRETS) else value
        for key, value in fields.items()
    }
