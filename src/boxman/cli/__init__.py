"""The command line: one command, `boxman`, whose sub-commands import what they need when they run.

Bad input gets one message on standard error and exit code 2; a difference found is exit code 1.
Commands declare their options without a word; what each is for stands in words/<language>/help.toml
under the names of the command and of its parameter.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Annotated, Any, ParamSpec

import typer
from typer.core import TyperGroup

from boxman.cli import (
    books,
    debug,
    journal,
    odds,
    people,
    play,
    replay,
    report,
    serve,
    simulate,
    solve,
    strategies,
    throw,
)
from boxman.words import ENGLISH, languages, phrase, speaking

P = ParamSpec("P")
OPTION = "--language"


class SpokenGroup(TyperGroup):
    """The commands, told in the language that is asked for anywhere on the line."""

    def main(self, args: Sequence[str] | None = None, *more: Any, **options: Any) -> object:
        """Run a command line."""
        language, rest = chosen(list(sys.argv[1:] if args is None else args))
        if language not in languages():
            known = ", ".join(languages())
            typer.echo(phrase("cli.no-such-language", language=language, known=known), err=True)
            sys.exit(2)
        with speaking(language):
            _tell(self, "boxman")
            return super().main(rest, *more, **options)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """One command, with its help."""
        found = super().get_command(ctx, cmd_name)
        if found is not None:
            _tell(found, cmd_name)
        return found


def chosen(line: list[str]) -> tuple[str, list[str]]:
    """The language asked for on a command line, and the line without it.

    >>> chosen(["odds", "--language", "en", "mine"])
    ('en', ['odds', 'mine'])
    >>> chosen(["odds", "mine"])
    ('en', ['odds', 'mine'])
    """
    language, rest = ENGLISH, []
    words = iter(line)
    for word in words:
        if word == "--":
            rest.append(word)
            break
        name, equals, value = word.partition("=")
        if name == OPTION:
            language = value if equals else next(words, "")
        else:
            rest.append(word)
    return language, [*rest, *words]


def _tell(command: Any, name: str) -> None:
    command.help = phrase(f"help.{name}.about")
    for parameter in command.params:
        if parameter.name == "help":
            continue
        values = _values(name, parameter.name or "")
        parameter.help = phrase(f"help.{name}.{parameter.name}", **values)


def _values(command: str, parameter: str) -> dict[str, object]:
    if (command, parameter) != ("simulate", "executor"):
        return {}
    from boxman.sim.executors import NAMES

    return {"names": tuple(NAMES)}


app = typer.Typer(
    name="boxman",
    cls=SpokenGroup,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _say_version(asked: bool) -> None:
    if asked:
        from boxman import __version__

        typer.echo(f"boxman {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_say_version)
    ] = False,
    language: Annotated[str, typer.Option(OPTION)] = "en",
) -> None:
    """The options of every command. The language was taken from the line before it was read."""


def _tidy(command: Callable[P, None]) -> Callable[P, None]:
    """Turn what a user can get wrong into one message and exit code 2."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        from boxman.cli.errors import UserError, shown
        from boxman.rules.book import BookError
        from boxman.rules.settings import SettingError

        # Until here Ctrl-C ended the process at once, for there was nothing to put in order.
        if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            command(*args, **kwargs)
            sys.stdout.flush()
        except (BookError, SettingError, UserError) as error:
            typer.echo(shown(str(error)), err=True)
            raise typer.Exit(2) from None
        except BrokenPipeError:
            sys.stderr.close()
            raise typer.Exit(0) from None
        except OSError as error:
            typer.echo(phrase("cli.no-output", why=error.strerror), err=True)
            os._exit(2)  # what is buffered cannot be written either
        except (typer.Exit, typer.Abort):
            raise
        except Exception as error:
            if os.environ.get("BOXMAN_TRACE"):
                raise
            what = f"{type(error).__name__}: {error}".splitlines()[0][:200].rstrip(": ")
            typer.echo(phrase("cli.fault", what=what), err=True)
            raise typer.Exit(3) from None

    return run


for _command in (
    play.play,
    serve.serve,
    people.people,
    replay.replay,
    books.book,
    books.diff,
    books.show,
    odds.odds,
    report.report,
    simulate.simulate,
    solve.solve,
    debug.debug,
    strategies.strategies,
    journal.export,
    journal.verify,
    journal.audit,
    throw.dice,
    journal.seal,
    journal.settle,
    journal.backup,
    journal.restore,
):
    app.command(rich_help_panel=None)(_tidy(_command))


def main() -> None:
    """Run the command line."""
    app()
