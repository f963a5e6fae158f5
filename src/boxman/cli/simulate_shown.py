"""Where the answers of `boxman simulate` go: files by their endings, one form on the screen, a bar.

It knows files and terminals and nothing of what is in an answer.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from boxman.cli.errors import UserError
from boxman.words import phrase

if TYPE_CHECKING:
    from boxman.report.parts import Part
    from boxman.sim.results import Result
    from boxman.sim.run import Progress

HTML, JSON, CSV, PARQUET, CRAPS = ".html", ".json", ".csv", ".parquet", ".craps"


class AnswerFiles:
    """Where an answer goes: into files by their names, and on the screen in one form."""

    def __init__(self, output: str, parquet: str, *, json: bool, csv: bool) -> None:
        self.kind = Path(output).suffix.lower()
        self.files = [path for path in (output, parquet) if path]
        self.output, self.parquet = output, parquet
        self.printed = JSON if json else CSV if csv else ""

    def takes(self, *kinds: str) -> None:
        """Refuse what cannot be written, before anything is played for it."""
        if self.output and self.kind not in kinds:
            first = ", ".join(kinds[:-1])
            words = f"{first} or {kinds[-1]}" if first else kinds[-1]
            raise UserError(
                phrase("cli.common.this-is-written-as", words=words, output=self.output)
            )
        for path in self.files:
            _can_be_written(Path(path))
        if (self.parquet or self.kind == PARQUET) and find_spec("pyarrow") is None:
            raise UserError(phrase("cli.common.a-parquet-file-needs"))

    def show(
        self,
        forms: dict[str, Callable[[], str]],
        parts: Callable[[], Sequence[Part]],
        parquet: Callable[[str], None] | None = None,
    ) -> None:
        """Write the files that were named, and print what was asked for."""
        if self.output and self.kind != PARQUET:
            write(self.output, forms[self.kind]())
        for path in self.files:
            if parquet is not None and (path == self.parquet or self.kind == PARQUET):
                with _writing(path):
                    parquet(path)
        if self.printed:
            typer.echo(forms[self.printed](), nl=self.printed == JSON)
        elif not self.output:
            from boxman.report.terminal import text

            typer.echo(text(parts()))


@contextmanager
def _writing(path: str | Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror if error.errno else error
        raise UserError(phrase("cli.common.cannot-be-written", path=path, reason=reason)) from None


def _can_be_written(path: Path) -> None:
    """Find out by opening it; what is in it stays, and what was not there is not there after."""
    if not path.parent.is_dir():
        raise UserError(phrase("cli.common.cannot-be-written-there", path=path))
    new = not path.exists()
    with _writing(path):
        path.open("ab").close()
        if new:
            path.unlink()


def write(path: str, text: str) -> None:
    """Write a text file, or say why it cannot be."""
    with _writing(path):
        Path(path).write_text(text, encoding="utf-8")


def as_csv(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Rows under their heads, comma-separated."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows(rows)
    return text.getvalue()


def something(result: Result) -> None:
    """Stopped before the first session there is no answer."""
    if not result.sessions:
        raise KeyboardInterrupt


def say_partial(result: Result) -> None:
    """Tell whoever stopped it how far it came."""
    if result.partial:
        typer.echo(
            phrase(
                "cli.common.stopped-after-of-sessions",
                sessions=f"{result.sessions:,}",
                asked=f"{result.asked:,}",
            ),
            err=True,
        )


@contextmanager
def progress(doing: str = "sessions") -> Iterator[Callable[[Progress], None] | None]:
    """A bar with rate and time left on a terminal; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    bars = Bars(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[so_far]}"),
        console=Console(stderr=True),
        transient=True,
    )
    with bars:
        task = bars.add_task(phrase("cli.simulate.exploring"), total=None, rate="", so_far="")

        def watch(now: Progress) -> None:
            known = now.summary()
            so_far = (
                phrase(
                    "cli.common.net",
                    mean=f"{known[0].mean / 100:,.2f}",
                    error=f"{known[0].error / 100:,.2f}",
                )
                if known
                else ""
            )
            rate = f"{now.rate:,.0f}/s" if now.rate >= 10 else f"{now.rate:.1f}/s"
            bars.update(task, description=doing, total=now.total, completed=now.done)
            bars.update(task, rate=rate, so_far=so_far)

        yield watch


@contextmanager
def busy(doing: str) -> Iterator[None]:
    """A sign on a terminal that something takes its time."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(doing):
        yield
