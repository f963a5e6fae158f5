"""The command line: one command, `boxman`, whose sub-commands import what they need when they run.

Bad input gets one message on standard error and exit code 2; a difference found is exit code 1.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import typer

from boxman.cli import (
    books,
    debug,
    journal,
    odds,
    play,
    replay,
    report,
    serve,
    simulate,
    strategies,
)

P = ParamSpec("P")

app = typer.Typer(
    name="boxman",
    help="Craps by the book: five houses' rules, every ruling with its clause.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _tidy(command: Callable[P, None]) -> Callable[P, None]:
    """Turn what a user can get wrong into one message and exit code 2."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        from boxman.cli.errors import UserError
        from boxman.rules.book import BookError
        from boxman.rules.settings import SettingError

        try:
            command(*args, **kwargs)
            sys.stdout.flush()
        except (BookError, SettingError, UserError) as error:
            typer.echo(str(error), err=True)
            raise typer.Exit(2) from None
        except BrokenPipeError:
            sys.stderr.close()
            raise typer.Exit(0) from None
        except OSError as error:
            typer.echo(f"the output cannot be written: {error.strerror}", err=True)
            os._exit(2)  # what is buffered cannot be written either

    return run


for _command in (
    play.play,
    serve.serve,
    replay.replay,
    books.book,
    books.diff,
    books.show,
    odds.odds,
    report.report,
    simulate.simulate,
    debug.debug,
    strategies.strategies,
    journal.export,
    journal.verify,
    journal.audit,
    journal.seal,
):
    app.command(rich_help_panel=None)(_tidy(_command))


def main() -> None:
    """Run the command line."""
    app()
