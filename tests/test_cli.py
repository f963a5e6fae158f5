"""The command line: what it prints, how it ends, and that bad input gets one clear message.

Exit code 0: done. 1: a transcript differs from what it states. 2: bad input, with one message on
standard error that names the place; no traceback, ever.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from boxman.cli import app
from boxman.cli.play import usual_house
from boxman.rules.book import houses
from boxman.rules.compile import load
from boxman.strategy.session import opened, session
from boxman.table.calls import Bet
from boxman.table.ruling import rule

ROOT = Path(__file__).parents[1]
TEMPLATE = ROOT / "src" / "boxman" / "rulebooks" / "template.md"
QUOTED = f'"{TEMPLATE}"' if " " in str(TEMPLATE) else str(TEMPLATE)
OPEN = f"house {QUOTED} chip 1 limits 5-500"
SEATED = [OPEN, "ann buys in 300"]


class Ran:
    """What one run of the command printed, and how it ended."""

    def __init__(self, *arguments: str, stdin: str | bytes = "") -> None:
        result = CliRunner().invoke(app, list(arguments), input=stdin)
        crashed = result.exception is not None and not isinstance(result.exception, SystemExit)
        assert not crashed, repr(result.exception)
        self.code, self.out, self.err = result.exit_code, result.stdout, result.stderr
        assert "Traceback" not in result.output


def replay(*lines: str, options: tuple[str, ...] = ()) -> Ran:
    return Ran("replay", "-", *options, stdin="\n".join([*SEATED, *lines, ""]))


def shell(*arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
    """The command in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "boxman", *arguments],
        input=stdin,
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": "src", "PYTHONIOENCODING": "utf-8", "COLUMNS": "100"},
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


# -- the command itself ------------------------------------------------------------------------

COMMANDS = [command.callback.__name__ for command in app.registered_commands if command.callback]


def test_help_lists_every_command() -> None:
    ran = Ran("--help")
    assert ran.code == 0
    listed = [line.split()[0] for line in ran.out.partition("Commands:")[2].splitlines() if line]
    assert listed == COMMANDS
    assert "..." not in ran.out.partition("Commands:")[2]  # each first sentence fits
    assert {"play", "replay", "book", "diff", "show"} <= set(listed)


def test_version() -> None:
    import boxman

    ran = Ran("--version")
    assert (ran.code, ran.out) == (0, f"boxman {boxman.__version__}\n")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == boxman.__version__


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    ran = Ran(command, "--help")
    assert ran.code == 0
    assert ran.out.startswith("Usage: ")


def test_no_arguments_show_the_help() -> None:
    code, out, err = shell()
    assert code == 2
    assert "Commands:" in out + err
    assert "Traceback" not in err


def test_unknown_command() -> None:
    code, out, err = shell("deal")
    assert (code, out) == (2, "")
    assert "No such command 'deal'" in err


@pytest.mark.parametrize("command", ["export", "book", "diff", "show"])
def test_missing_argument(command: str) -> None:
    code, out, err = shell(command)
    assert (code, out) == (2, "")
    assert "Missing argument" in err


# -- replay ------------------------------------------------------------------------------------

EVENING = f"""\
-- an evening
{OPEN}
ann buys in 300
ann bets 10 pass
ann bets 5 field : ok {{3.9}}
stick calls 4-2    -- six
ann bets 1000 field
stick calls 3-3
"""
REPLAYED = f"""\
-- an evening
house {QUOTED}   chip 1   limits 5-500 : ok {{2.3}}, warned favours-player {{gap-1}}
ann buys in 300                    : ok {{term-1}}
ann bets 10 pass                   : ok {{3.1}}
ann bets 5 field                   : ok {{3.9}} {{2.4}}
stick calls 4-2                    : ann field -5 {{3.9}} {{2.6}}, puck 6 {{1.4}} {{1.1}}    -- six
ann bets 1000 field                : refused over-maximum {{2.3}} "the maximum for Field is 500"
stick calls 3-3                    : ann pass +10 {{3.1}}, puck off {{1.4}} {{1.1}}
"""


def test_replay_writes_what_followed(tmp_path: Path) -> None:
    path = tmp_path / "evening.craps"
    path.write_text(EVENING)
    ran = Ran("replay", str(path))
    assert (ran.code, ran.out, ran.err) == (0, REPLAYED, "")


def test_what_replay_writes_replays_to_itself() -> None:
    ran = Ran("replay", "-", stdin=REPLAYED)
    assert (ran.code, ran.out, ran.err) == (0, REPLAYED, "")


def test_replay_from_standard_input() -> None:
    assert shell("replay", "-", stdin=EVENING.encode()) == (0, REPLAYED, "")


def test_line_ends_of_other_systems(tmp_path: Path) -> None:
    path = tmp_path / "evening.craps"
    path.write_bytes(EVENING.replace("\n", "\r\n").encode())
    ran = Ran("replay", str(path))
    assert (ran.code, ran.out) == (0, REPLAYED)


def test_a_sentence_said_otherwise_is_a_warning_and_a_code_or_a_clause_is_not() -> None:
    refused = "ann bets 1000 field : refused over-maximum {{{}}} {}"
    clause = "2.3"
    ran = replay(refused.format(clause, '"stake a little more"'))
    assert ran.code == 0, ran.err
    assert len(ran.err.splitlines()) == 1
    assert ": warning: refused over-maximum: expected 'stake a little more', but" in ran.err
    ran = replay(refused.format(clause, '"stake a little more"'), options=("--words",))
    assert ran.code == 1
    assert "expected 'stake a little more', but it says" in ran.err
    ran = replay("ann bets 1000 field : refused under-minimum")
    assert (ran.code, "expected 'refused under-minimum'" in ran.err) == (1, True)
    ran = replay(refused.format("1.1", ""))
    assert (ran.code, "expected to cite {1.1}" in ran.err) == (1, True)


def test_quiet() -> None:
    ran = replay("ann bets 10 pass : ok", options=("--quiet",))
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_every_house_replays() -> None:
    for house in houses():
        ran = Ran("replay", "-", stdin=f"house {house}\nstick calls 3-3 : puck 6\n")
        assert (ran.code, ran.err) == (0, ""), house


def rail(row: dict[str, Any]) -> int:
    """What is on the only seat's rail."""
    (seat,) = row["table"]["seats"]
    return int(seat["rail"])


def stakes(row: dict[str, Any]) -> dict[str, int]:
    """What the only seat has up."""
    (seat,) = row["table"]["seats"]
    return {wager["spot"]: wager["stake"] for wager in seat["wagers"]}


def rows(ran: Ran) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ran.out.splitlines()]


def test_json_is_one_object_per_call() -> None:
    ran = replay(
        "-- a comment is no call",
        "ann bets 10 pass",
        "ann bets 6 c_and_e",
        "ann bets 1000 field",
        "stick calls 6-5",
        "stick calls 4-2",
        options=("--json",),
    )
    assert (ran.code, ran.err) == (0, "")
    found = rows(ran)
    assert [row["line"] for row in found] == [1, 2, 4, 5, 6, 7, 8]
    assert [row["accepted"] for row in found] == [True, True, True, True, False, True, True]
    for row in found:
        assert {"line", "call", "accepted", "warnings", "decided", "table"} <= set(row)
    opened, bought, bet, _, refused, roll, point = found
    assert opened["call"]["house"] == str(TEMPLATE)
    assert rail(bought) == 300_00
    assert bet["call"] == {"type": "bet", "seat": "ann", "amount": 1000, "spot": "pass"}
    assert bet["clauses"] == ["3.1"]
    assert stakes(bet) == {"pass": 10_00}
    assert refused["refusal"] == {
        "code": "over-maximum",
        "sentence": "the maximum for Field is 500",
        "remedy": "bet 500 or less",
        "clauses": ["2.3"],
    }
    assert rail(refused) == 284_00
    # 11: pass 10 wins even; the C and E wins 15 x 3 on the eleven and loses the other 3
    decided = {row["spot"]: row for row in roll["decided"]}
    assert decided["pass"] == {
        "player": "ann",
        "spot": "pass",
        "verdict": "win",
        "stake": 1000,
        "paid": 1000,
        "taken": 0,
        "returned": 1000,
        "net": 1000,
        "parts": [],
        "clauses": ["3.1"],
    }
    assert decided["c_and_e"]["net"] == 42_00
    assert decided["c_and_e"]["parts"] == [
        {"spot": "any_craps", "stake": 300, "won": False},
        {"spot": "eleven", "stake": 300, "won": True},
    ]
    assert roll["table"]["puck"] == 0
    assert point["table"]["puck"] == 6
    assert stakes(point) == {}


def test_json_amounts_are_in_minor_units_with_the_currency_beside_them() -> None:
    lines = ["house nsw chip 0.50 limits 0.50-10", "ann buys in 20", "ann bets 2.50 field"]
    found = rows(Ran("replay", "-", "--json", stdin="\n".join(lines)))
    assert stakes(found[-1]) == {"field": 250}
    assert rail(found[-1]) == 1750
    assert found[-1]["table"]["currency"] == "$"
    assert found[-1]["table"]["version"] == 2


def test_json_shows_the_calls_of_the_automatic_crew() -> None:
    found = rows(Ran("replay", "-", "--json", stdin="house rws\nstick calls 4-2\n"))
    assert [(row["line"], row["text"]) for row in found[1:]] == [
        (2, "stick closes bets"),
        (2, "stick calls 4-2"),
    ]
    assert found[1]["call"]["by"] == "automatic crew"


def test_json_tells_warnings() -> None:
    found = rows(Ran("replay", "-", "--json", stdin="house adelaide chip 1 limits 5-500\n"))
    assert [warning["code"] for warning in found[0]["warnings"]] == ["favours-player"]
    assert found[0]["warnings"][0]["clauses"]


@pytest.mark.parametrize(
    ("line", "problem", "followed"),
    [
        (
            "ann bets 10 pass : refused over-maximum",
            "expected 'refused over-maximum'",
            "ok {3.1}",
        ),
        (
            "ann bets 10 pass : ok {3.2}",
            "ok: expected to cite {3.2}, but it cites {3.1}",
            "ok {3.1}",
        ),
        ("ann bets 10 pass : ok, ann rail 291", "expected 'ann rail 291'", "ok {3.1}"),
    ],
)
def test_a_difference_ends_with_exit_code_1(line: str, problem: str, followed: str) -> None:
    ran = replay(line, "stick calls 4-2")
    assert ran.code == 1
    assert ran.err == f"-:3: {problem}\n  line:     {line}\n  followed: {followed}\n"
    assert len(ran.out.splitlines()) == 3


def test_a_wager_decided_that_is_not_stated_is_a_difference() -> None:
    ran = replay(
        "ann bets 10 pass", "ann bets 5 field", "stick calls 6-5 : ann pass +10", "stick calls 1-1"
    )
    assert ran.code == 1
    assert ran.err.startswith("-:5: 'ann field +5' followed too, and is not stated\n")


def test_a_difference_is_in_the_json_too() -> None:
    ran = replay("ann bets 10 pass : refused not-now", options=("--json",))
    assert ran.code == 1
    assert rows(ran)[-1]["difference"] == "expected 'refused not-now'"


def test_quiet_still_tells_a_difference() -> None:
    ran = replay("ann bets 10 pass : refused not-now", options=("--quiet",))
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("-:3: expected 'refused not-now'\n")


# -- lines that cannot be read -----------------------------------------------------------------

VERBS = (
    "buys in, cashes out, bets, takes down, lowers, calls, keeps, lets (or stick calls, "
    "stick closes bets, dice out, dice at rest, box finds)"
)
WHO = "expected a player's name, house, stick, box or dice, not"
MALFORMED = {
    "ann": (4, f"expected {VERBS}, but the line ends"),
    "ann dances": (5, f"'dances' is not something a player does; expected {VERBS}"),
    "ann bets": (9, "expected an amount, but the line ends"),
    "ann bets 10": (12, "expected a spot, but the line ends"),
    "ann bets 10 pass now": (18, "nothing more was expected, but 'now' stands here"),
    "ann bets 12 place 6": (
        19,
        "nothing more was expected, but '6' stands here; a wager is one word: place.6",
    ),
    "ann bets 10 dont pass": (
        18,
        "nothing more was expected, but 'pass' stands here; a wager is one word: dont_pass",
    ),
    "ann bets 10 c_and_e split": (26, "expected parts like 1/2, but the line ends"),
    "ann takes pass": (11, "expected 'down', not 'pass'"),
    "ann lowers pass 5": (17, "expected 'to', not '5'"),
    "ann calls pass maybe": (16, "expected on or off, not 'maybe'"),
    "ann keeps pass down": (16, "expected 'up', not 'down'"),
    "9ann bets 10 pass": (1, f"{WHO} '9ann'"),
    "all bets 10 pass": (1, f"{WHO} 'all'"),
    "stick calls": (12, "expected two faces like 4-2, or no roll, but the line ends"),
    "stick calls 42": (13, "not a roll: 42; write both faces, like 4-2"),
    "stick calls 0-3": (13, "a die shows 1 to 6, not 0"),
    "stick calls 3-0": (13, "a die shows 1 to 6, not 0"),
    "stick calls 7-1": (13, "a die shows 1 to 6, not 7"),
    "stick calls 1-7": (13, "a die shows 1 to 6, not 7"),
    "stick calls 4-2 6": (17, "nothing more was expected, but '6' stands here"),
    "dice gone": (6, "expected 'at rest', not 'gone'"),
    "box finds 10 field ann": (20, "expected 'for', not 'ann'"),
    "ann bets 0 pass": (10, "an amount must be more than zero"),
    "ann bets 0.00 pass": (10, "an amount must be more than zero"),
    "ann bets -5 pass": (10, "an amount cannot be negative: -5"),
    "ann bets ten pass": (10, "not an amount: ten; write it like 10 or 2.50"),
    "ann bets 1e3 pass": (10, "not an amount: 1e3; write it like 10 or 2.50"),
    "ann bets 1,000 pass": (10, "not an amount: 1,000; write it like 10 or 2.50"),
    "ann bets 10. pass": (10, "not an amount: 10.; write it like 10 or 2.50"),
    "ann bets nan pass": (10, "not an amount: nan; write it like 10 or 2.50"),
    "ann bets 1.005 pass": (10, "1.005 is finer than the currency, which has two decimals"),
    "ann bets 9999999999999999 pass": (
        10,
        "9999999999999999 is more money than any table holds",
    ),
    "ann buys in 0": (13, "an amount must be more than zero"),
    "ann cashes out -1": (16, "an amount cannot be negative: -1"),
    'ann bets 10 "pass': (13, "a quotation is never closed"),
    "ann bets 10 pass : ok {3.1": (23, "braces do not match"),
    ": ok": (1, "expected a call before the colon"),
    "house": (6, "expected the name or path of a house, but the line ends"),
    "house nsw chip": (15, "expected an amount, but the line ends"),
    "house nsw chip 0": (16, "an amount must be more than zero"),
    "house nsw limits 10": (18, "expected limits like 10-500, not '10'"),
    "house nsw limits 10-x": (18, "not an amount: x; write it like 10 or 2.50"),
    "house nsw set odds": (15, "expected name=value, not 'odds'"),
    "house nsw carpet red": (
        11,
        "expected one of chip, unit, limits, set, places, crew, shooter, opened, not 'carpet'",
    ),
    "house nsw crew sleepy": (16, "expected 'automatic', not 'sleepy'"),
}


@pytest.mark.parametrize("line", MALFORMED)
def test_malformed_line(line: str) -> None:
    column, problem = MALFORMED[line]
    ran = replay("ann bets 10 pass", line, "stick calls 4-2")
    assert ran.code == 2
    assert ran.err == f"-:4:{column}: {problem}\n"
    # What came before is written; the line and what follows it are not played.
    assert len(ran.out.splitlines()) == 3


def test_the_message_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "night.craps"
    path.write_text(f"{OPEN}\n\n  ann bets 10 pass\n   stick calls 8-8\n")
    ran = Ran("replay", str(path))
    assert ran.code == 2
    assert ran.err == f"{path}:4:16: a die shows 1 to 6, not 8\n"


def test_the_first_line_opens_a_table() -> None:
    ran = Ran("replay", "-", stdin="ann buys in 100\n")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "-:1:1: the first line opens a table: house NAME\n"


HOUSES = f"the houses are: {', '.join(houses())}; or give the path of a rulebook file"


def test_unknown_house_in_a_transcript() -> None:
    ran = Ran("replay", "-", stdin="\nhouse adelade\n")
    assert ran.code == 2
    assert ran.err == (
        f"-:2: adelade: there is no house of that name\n  to do: did you mean adelaide? {HOUSES}\n"
    )


def test_broken_rulebook_in_a_transcript(tmp_path: Path) -> None:
    book = tmp_path / "my book.md"
    book.write_text("# Nothing yet\n")
    ran = Ran("replay", "-", stdin=f'house "{book}"\n')
    assert ran.code == 2
    assert ran.err == (
        f"-:1: {book}:1: the file has no house block\n"
        "  to do: add a ```house block with id and edition before the first clause\n"
    )


def test_a_rulebook_beside_the_transcript_is_its_house_wherever_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    night = tmp_path / "night.craps"
    night.write_text("house mine.md\n")
    (tmp_path / "mine.md").write_text(TEMPLATE.read_text())
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "mine.md").write_text("# Nothing yet\n")
    monkeypatch.chdir(elsewhere)
    assert Ran("replay", str(night)).code == 0
    assert "the file has no house block" in Ran("replay", "-", stdin="house mine.md\n").err


# -- what the house refuses is an answer, not an error ------------------------------------------

REFUSED = {
    "ann bets 301 pass": ("rail-short", "ann has 300 on the rail, not 301", "bet less or buy in"),
    "ann bets 999999999999999 pass": (
        "over-maximum",
        "the maximum for Pass is 500",
        "bet 500 or less",
    ),
    "ann bets 7.50 pass": (
        "not-in-chips",
        "7.50 cannot be made with chips of 1",
        "bet 7 or 8",
    ),
    "ann bets 10 place.7": (
        "not-offered",
        "there is no place.7 here",
        "the numbers are 4, 5, 6, 8, 9, 10",
    ),
    "bob bets 10 pass": ("not-seated", "bob has no chips at this table", "bob buys in first"),
    "ann cashes out 301": (
        "rail-short",
        "ann has 300 on the rail",
        "cash out 300 at most",
    ),
}


@pytest.mark.parametrize("line", REFUSED)
def test_refusal(line: str) -> None:
    code, sentence, remedy = REFUSED[line]
    ran = replay(line, options=("--json",))
    assert (ran.code, ran.err) == (0, "")
    last = rows(ran)[-1]
    assert last["accepted"] is False
    assert last["refusal"]["code"] == code
    assert last["refusal"]["sentence"] == sentence
    assert last["refusal"]["remedy"] == remedy
    assert last["refusal"]["clauses"]
    assert rail(last) == 300_00
    assert stakes(last) == {}


def test_a_huge_number_is_only_a_number() -> None:
    ran = replay(f"ann bets {'9' * 5000} pass")
    assert ran.code == 2
    assert ran.err.endswith("is more money than any table holds\n")


# -- files that cannot be read -----------------------------------------------------------------


def test_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "empty.craps"
    path.write_text("")
    ran = Ran("replay", str(path))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"{path} is empty; the first line opens a table: house NAME\n"


def test_missing_file(tmp_path: Path) -> None:
    path = tmp_path / "none.craps"
    ran = Ran("replay", str(path))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"{path} cannot be read: No such file or directory\n"


def test_directory(tmp_path: Path) -> None:
    ran = Ran("replay", str(tmp_path))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"{tmp_path} cannot be read: Is a directory\n"


def test_binary_file(tmp_path: Path) -> None:
    path = tmp_path / "photo.craps"
    path.write_bytes(bytes(range(256)))
    ran = Ran("replay", str(path))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"{path} cannot be read: it is not UTF-8 text\n"


def test_zeros(tmp_path: Path) -> None:
    path = tmp_path / "zeros.craps"
    path.write_bytes(bytes(1000))
    ran = Ran("replay", str(path))
    assert ran.code == 2
    assert ran.err.startswith(f"{path}:1:1: {WHO} ")


# -- book --------------------------------------------------------------------------------------


def test_book() -> None:
    ran = Ran("book", str(TEMPLATE))
    assert ran.code == 0
    assert ran.out.startswith(
        "House of Dice (mycasino, 2026-01)\n\n{1.1} What counts\nA roll is the sum of "
    )
    assert "{1.2} The dice\nThe house plays with two red dice.\n  [physical: " in ran.out
    assert ran.out.rstrip().endswith("[1 principle]")


@pytest.mark.parametrize("house", houses())
def test_book_of_every_house(house: str) -> None:
    ran = Ran("book", house)
    assert (ran.code, ran.err) == (0, "")
    assert len(ran.out) > 8_000


def test_book_clause() -> None:
    ran = Ran("book", str(TEMPLATE), "3.4")
    assert ran.code == 0
    assert ran.out == (
        "House of Dice (mycasino, 2026-01)\n\n"
        "{3.4} Barred\n"
        "A barred bet neither wins nor loses and stays where it is.\n"
        "  [1 principle]\n\n"
        "  [[principle]]\n"
        '  what = "stand-off"\n'
    )


def test_book_unknown_clause() -> None:
    ran = Ran("book", str(TEMPLATE), "3.44")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("mycasino has no clause 3.44; did you mean 3.4?")


def test_book_gaps() -> None:
    ran = Ran("book", str(TEMPLATE), "--gaps")
    assert ran.code == 0
    heads = [line.split("}")[0] for line in ran.out.splitlines() if line.startswith("{")]
    assert heads == ["{gap-1", "{gap-2", "{term-1"]


def test_book_coverage() -> None:
    ran = Ran("book", str(TEMPLATE), "--coverage")
    assert ran.code == 0
    assert ran.out == (
        "         all  facts  physical  open\n"
        "-----------------------------------\n"
        "clauses   24     22         1     1\n"
        "gaps       2      2\n"
        "terms      1      1\n"
    )
    told = json.loads(Ran("book", str(TEMPLATE), "--coverage", "--json").out)
    assert told == {
        "clause": {"facts": 22, "physical": 1, "open": 1},
        "gap": {"facts": 2},
        "term": {"facts": 1},
    }


def test_book_json() -> None:
    told = json.loads(Ran("book", str(TEMPLATE), "--json").out)
    assert len(told) == 27
    clause = json.loads(Ran("book", str(TEMPLATE), "3.4", "--json").out)[0]
    assert (clause["clause"], clause["sort"], clause["title"]) == ("3.4", "clause", "Barred")
    assert clause["facts"][0]["what"] == "stand-off"


def test_book_unknown_house() -> None:
    ran = Ran("book", "newzeland")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        f"newzeland: there is no house of that name\n  to do: did you mean newzealand? {HOUSES}\n"
    )


@pytest.mark.parametrize("house", houses())
def test_book_check(house: str) -> None:
    ran = Ran("book", "check", house)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"{house}: in order. ")


def test_book_check_of_nothing() -> None:
    ran = Ran("book", "check")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "say which file to check: boxman book check FILE\n"


def test_a_reader_that_stops_reading_is_no_error() -> None:
    command = f"{shlex.quote(sys.executable)} -m boxman book adelaide | head -1"
    done = subprocess.run(
        command,
        shell=True,
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": "src"},
        timeout=60,
        check=False,
    )
    assert done.stdout.count(b"\n") == 1
    assert b"Traceback" not in done.stderr


# -- diff --------------------------------------------------------------------------------------


def test_diff() -> None:
    ran = Ran("diff", "nsw", "perth-crapless")
    assert (ran.code, ran.err) == (0, "")
    assert "\nWin Line / Pass Line Bet\n" in ran.out
    points = next(line for line in ran.out.splitlines() if line.startswith("points "))
    assert re.split(r"  +", points)[1:] == [
        "4, 5, 6, 8, 9 and 10 {1.1[come out point]}",
        "2, 3, 4, 5, 6, 8, 9, 10, 11 and 12 {1.1 Come out Point}",
    ]
    assert ran.out.rstrip().endswith("differences between nsw and perth-crapless.")


def test_diff_with_itself() -> None:
    ran = Ran("diff", "rws", "rws")
    assert (ran.code, ran.out.strip()) == (0, "0 differences between rws and rws.")


def test_diff_of_one_spot_as_json() -> None:
    told = json.loads(Ran("diff", "nsw", str(TEMPLATE), "--spot", "dont_pass", "--json").out)
    assert {row["spot"] for row in told} == {"dont_pass"}
    # New South Wales bars the 2, the House of Dice the 12.
    cells = {row["what"]: (row["first"], row["second"]) for row in told}
    assert cells["on 2 at the come-out"] == ("is barred", "wins 1 to 1")
    assert cells["on 12 at the come-out"] == ("wins 1 to 1", "is barred")


def test_diff_unknown() -> None:
    ran = Ran("diff", "nsw", "rsw")
    assert ran.code == 2
    assert ran.err.startswith("rsw: there is no house of that name\n  to do: did you mean rws? ")
    ran = Ran("diff", "nsw", "rws", "--spot", "feild")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "no spot is called feild; did you mean field?\n"


# -- show --------------------------------------------------------------------------------------


def test_show() -> None:
    ran = Ran("show", str(TEMPLATE), "buy.4")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Buy 4 (buy.4) {3.7}\n\n  shape ")
    said = re.sub("  +", "  ", ran.out)
    assert "  may be made  at any time {2.4}" in said
    assert "  with the puck off  sleeps {2.5}" in said
    assert "  fee  5% of the win, taken when it wins {3.7}" in said
    assert ("4", "wins 2 to 1", "{3.7}") in cells(ran.out)


def cells(text: str) -> list[tuple[str, ...]]:
    """The rows of tables, cell by cell."""
    return [tuple(re.split(r"  +", line)) for line in text.splitlines()]


def test_show_by_the_name_the_house_uses() -> None:
    assert Ran("show", str(TEMPLATE), "hardway 6").out == Ran("show", str(TEMPLATE), "hard.6").out


def test_show_with_a_setting() -> None:
    plain = Ran("show", str(TEMPLATE), "field")
    triple = Ran("show", str(TEMPLATE), "field", "--set", "field_12=triple")
    assert ("2, 12", "wins 2 to 1", "{3.9}") in cells(plain.out)
    assert ("12", "wins 3 to 1", "{3.9}") in cells(triple.out)


def test_show_json() -> None:
    told = json.loads(Ran("show", str(TEMPLATE), "pass.odds", "--json").out)
    assert (told["house"], told["spot"], told["shape"]) == ("mycasino", "pass.odds", "behind")
    [limits] = [rule["what"] for rule in told["rules"] if rule["what"].startswith("limit on 4")]
    assert limits.endswith(" 10")


@pytest.mark.parametrize("house", houses())
def test_every_machine_can_be_shown(house: str) -> None:
    from boxman.rules.compile import load
    from boxman.table.said.machine import machine

    layout = load(house)
    for spot in layout.spots.values():
        assert machine(layout, spot)["machine"], spot.id


def test_show_unknown() -> None:
    ran = Ran("show", str(TEMPLATE), "plcae.6")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("mycasino offers no plcae.6; did you mean place.6?")
    ran = Ran("show", "nowhere", "pass")
    assert ran.code == 2
    assert ran.err == f"nowhere: there is no house of that name\n  to do: {HOUSES}\n"


@pytest.mark.parametrize(
    ("house", "name", "cites"),
    [
        ("newzealand", "lose.4", "4.1[intro]"),
        ("perth-crapless", "dont_pass", "4.8 (line before)"),
        ("perth-crapless", "dont_come", "4.8 (line before)"),
        ("perth-crapless", "lay.4", "4.8 (line before)"),
        ("rws", "big.6", "2.1.1; 3.3 #1; App.D intro"),
        ("rws", "come.2", "1 Come Point"),
        ("adelaide", "horn_high", "4[intro]; 4[closing]; gap-31"),
        ("adelaide", "place.2", "4(g)#1"),
        ("nsw", "buy.2", "6.1.24#1"),
        # As another house calls it, and a wager that only a house of its own has.
        ("newzealand", "Place Bet to Lose", "4.1[intro]"),
        ("perth-crapless", "Don't Pass", "4.8 (line before)"),
        ("nsw", "fire", "6.1[intro]"),
    ],
)
def test_a_wager_of_other_houses_is_no_misspelling(house: str, name: str, cites: str) -> None:
    """Told as a bet of it is refused, and none that looks like it, often its opposite, is meant."""
    layout = load(house)
    for command in ("show", "odds"):
        ran = Ran(command, house, name)
        assert (ran.code, ran.out) == (2, "")
        assert "did you mean" not in ran.err
        assert re.findall(r"{([^}]+)}", ran.err) == cites.split("; ")
    if closed := layout.not_offered(name):
        table = opened(session(house=house, bankroll=300))[1]
        refused = rule(layout, table, Bet(seat=next(iter(table.seats)), spot=name, amount=1000))
        assert refused.refusal is not None
        assert (refused.refusal.code, refused.refusal.cites) == ("not-offered", closed)


def test_a_wager_that_is_misspelt_is_asked_for() -> None:
    for command in ("show", "odds"):
        for name, meant in (("plcae.6", "place.6"), ("dont_psas", "dont_pass")):
            assert f"did you mean {meant}?" in Ran(command, "nsw", name).err
    # Offered with each of its numbers: which one is to be said.
    assert "did you mean place.2?" in Ran("show", "perth-crapless", "place").err


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("odds", "a setting is written name=value, not odds"),
        ("odds=", "a setting is written name=value, not odds="),
        (
            "ods=3",
            "there is no setting ods here; did you mean odds? the settings are: odds, field_12",
        ),
        ("odds=11", "odds cannot be 11; choose 1 to 10"),
        ("odds=three", "odds is a whole number, not three; 1 to 10"),
        ("odds=\u00b2", "odds is a whole number, not \u00b2; 1 to 10"),
        ("field_12=four", "field_12 cannot be four; choose one of: double, triple"),
    ],
)
def test_show_bad_setting(setting: str, message: str) -> None:
    ran = Ran("show", str(TEMPLATE), "field", "--set", setting)
    assert (ran.code, ran.out, ran.err) == (2, "", f"{message}\n")


# -- play --------------------------------------------------------------------------------------


def play(*lines: str, options: tuple[str, ...] = ()) -> Ran:
    return Ran("play", "--terminal", str(TEMPLATE), *options, stdin="\n".join([*lines, ""]))


def test_whatever_a_player_says_is_typed_without_the_name() -> None:
    ran = play("disputes payout", "sits at 3", "quit")
    assert "  you disputes payout  " in ran.out
    assert "  you sits at 3  " in ran.out


def test_play() -> None:
    ran = play("bets 10 pass", "roll 4-2", "bet 20 pass.odds", "roll 3-3", "quit", "roll 1-1")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (
        "House of Dice. Type help for help, quit to leave.\n"
        "  puck OFF\n"
        "  you: rail 300; nothing up\n"
        "  you bets 10 pass                   : ok {3.1}\n"
        "  puck OFF\n"
        "  you: rail 290; pass 10\n"
        "  stick calls 4-2                    : puck 6 {1.4} {1.1}\n"
        "  puck ON 6\n"
        "  you: rail 290; pass 10\n"
        "  you bets 20 pass.odds              : ok {3.2}\n"
        "  puck ON 6\n"
        "  you: rail 270; pass 10, pass.odds 20\n"
        "  stick calls 3-3                    : you pass +10 {3.1}, you pass.odds +24 {3.2}, "
        "puck off {1.4} {1.1}\n"
        "  puck OFF\n"
        "  you: rail 334; nothing up\n"
        "Thank you for playing.\n"
    )


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("dance", f"expected {VERBS}, but the line ends (column 6)"),
        ("bets", "expected an amount, but the line ends (column 9)"),
        ("bets ten pass", "not an amount: ten; write it like 10 or 2.50 (column 10)"),
        ("bets 0 pass", "an amount must be more than zero (column 10)"),
        ("roll 0-7", "a die shows 1 to 6, not 0 (column 13)"),
        ("roll seven", "not a roll: seven; write both faces, like 4-2 (column 13)"),
    ],
)
def test_play_goes_on_after_a_bad_line(line: str, answer: str) -> None:
    ran = play("bets 10 pass", line, "table")
    assert ran.code == 0
    assert f"\n  {answer}; type help for help\n  puck OFF\n  you: rail 290; pass 10\n" in ran.out


def test_an_unknown_spot_is_bad_input_unless_the_refusal_is_stated() -> None:
    ran = replay("ann bets 10 plcae.6", options=("--json",))
    assert ran.code == 2
    assert "13: no wager is called plcae.6; did you mean place.6?" in ran.err
    assert replay("ann bets 10 plcae.6 : refused no-such-spot").code == 0


def test_play_says_what_would_be_right() -> None:
    ran = play("bets 1500 field", "bets 10 plcae.6")
    assert ran.code == 0
    assert "\n  bet 1000 or less\n" in ran.out
    assert "no wager is called plcae.6; did you mean place.6?" in ran.out


def test_play_words() -> None:
    ran = play(
        "help",
        "why",
        "menu pass",
        "menu nothing",
        "book 3.4",
        "book 9",
        "bets 4 field",
        "why",
        "ann buys in 50",
        "ann bets 5 field",
        "roll 6-6",
        "why",
        "",
    )
    assert (ran.code, ran.err) == (0, "")
    for told in (
        "A line is a call in the notation.",
        "  nothing has been ruled yet\n",
        "bet 5-300 by 1\n",
        "  nothing to do with nothing now\n",
        "  {3.4} Barred\n  A barred bet neither wins nor loses and stays where it is.\n",
        "  mycasino has no clause 9",
        "Refused (under-minimum): the minimum for Field is 5.\n",
        "  {2.3} Limits: A bet below the minimum or above the maximum on the sign is not taken",
        "ann's Field wins $10 on $5. {3.9} {2.6}\n",
    ):
        assert told in ran.out


def test_play_rolls_dice_of_its_own() -> None:
    ran = play("roll")
    assert ran.code == 0
    assert "\n  stick calls " in ran.out


def test_play_without_a_name_asks_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert usual_house() == houses()[0], "nobody is asked who cannot answer"
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    answers = iter([0, len(houses()) + 1, 3])
    monkeypatch.setattr(typer, "prompt", lambda *_, **__: next(answers))
    assert usual_house() == houses()[2]
    asked = capsys.readouterr().out
    assert asked.count(f"a number from 1 to {len(houses())}\n") == 2
    assert all(f"  {number}  {house}: " in asked for number, house in enumerate(houses(), 1))
    assert usual_house() == houses()[2]
    assert capsys.readouterr().out == ""


def test_play_at_the_end_of_the_input() -> None:
    ran = Ran("play", "--terminal", str(TEMPLATE), stdin="")
    assert ran.code == 0
    assert ran.out.endswith("Thank you for playing.\n")


@pytest.mark.parametrize("house", houses())
def test_play_at_every_house(house: str) -> None:
    ran = Ran("play", "--terminal", house, stdin="bets 20 pass\nmenu\nroll 4-2\nmenu\nwhy\nquit\n")
    assert (ran.code, ran.err) == (0, "")
    assert "you: rail 280; pass 20" in ran.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--chip", "x"), "not an amount: x; write it like 10 or 2.50"),
        (("--chip", "0"), "an amount must be more than zero"),
        (("--limits", "5"), "expected limits like 10-500, not '5'"),
        (("--limits", "500-5"), "the maximum 5 is below the minimum 500 (all); post other limits"),
        (("--rail", "-1"), "an amount cannot be negative: -1"),
        (("--rail", "0.50"), "0.50 cannot be made with chips of 1; buy in for a multiple of 1"),
        (("--set", "odds"), "a setting is written name=value, not odds"),
        (("--set", "odds=11"), "odds cannot be 11; choose 1 to 10"),
    ],
)
def test_play_that_cannot_begin(options: tuple[str, str], message: str) -> None:
    ran = play("bets 10 pass", options=options)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith(f"{message}\n")


def test_play_at_an_unknown_house() -> None:
    ran = Ran("play", "--terminal", "adelade", stdin="quit\n")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        f"adelade: there is no house of that name\n  to do: did you mean adelaide? {HOUSES}\n"
    )


def test_play_in_a_process_of_its_own() -> None:
    code, out, err = shell("play", "--terminal", str(TEMPLATE), stdin=b"bets 10 pass\nroll 1-2\n")
    assert (code, err) == (0, "")
    assert "you pass -10 {3.1}" in out
