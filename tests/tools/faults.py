"""`python -m tests.tools.faults`: twenty faults, one after the other in a copy, and who notices.

Each is one line made wrong, of a kind that has been or could be made, with the tests that have to
fail for it. First these are run on the copy as it is: a test that fails anyway proves nothing.
A few words choose some: `python -m tests.tools.faults money journal`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).parents[2]


class Fault(NamedTuple):
    """One line made wrong."""

    kind: str
    what: str
    file: str
    """Under src/boxman."""
    right: str
    wrong: str
    tests: str
    """What pytest is told: the files, and what of them."""


FAULTS = (
    Fault(
        "money",
        "a win that chips cannot pay is rounded the other way",
        "chips.py",
        'rest > 0 and way == "up"',
        'rest > 0 and way == "down"',
        "tests/odds/test_rounding.py tests/test_golden.py",
    ),
    Fault(
        "money",
        "a fee is not given back with its wager",
        "table/state.py",
        "rail = seat.rail + made.amount + made.fee - made.voucher",
        "rail = seat.rail + made.amount - made.voucher",
        "tests/test_clauses.py -k buy",
    ),
    Fault(
        "money",
        "a price of a rulebook is one better",
        "rulebooks/nsw.md",
        'on = [2, 12]\npays = "2 to 1"',
        'on = [2, 12]\npays = "3 to 1"',
        "tests/odds/test_published.py tests/test_golden.py -k nsw",
    ),
    Fault(
        "money",
        "even money pays a chip too much",
        "table/settle.py",
        "paid = chips * layout.chip",
        "paid = (chips + 1) * layout.chip",
        "tests/test_golden.py",
    ),
    Fault(
        "rules",
        "two facts that disagree are taken, the later one",
        "rules/ledger.py",
        "elif stated.fact.despite and stated.fact.despite in known.cites:",
        "elif True:",
        "tests/test_bad_books.py",
    ),
    Fault(
        "authority",
        "the stick may give back what only the box may",
        "rulebooks/nsw.md",
        'call = "give back"\nwho = ["box"]',
        'call = "give back"\nwho = ["box", "stick"]',
        "tests/test_clauses.py -k mistake",
    ),
    Fault(
        "custody",
        "dice that are given to a shooter stay where they were",
        "table/state.py",
        "return replace(table, hand=made.hand, hands=table.hands + taken)",
        "return table",
        "tests/test_custody.py tests/test_golden.py",
    ),
    Fault(
        "words",
        "one form for one and for many",
        "words/say.py",
        'if how == "many":',
        'if how == "any":',
        "tests/test_words.py",
    ),
    Fault(
        "notation",
        "a sentence that differs is no difference even if asked for",
        "table/said/transcript.py",
        'problem, other = problem or other, ""',
        'problem, other = problem, ""',
        "tests/test_cli.py -k said_otherwise",
    ),
    Fault(
        "journal",
        "rows need not follow each other",
        "journal/verify.py",
        "elif self.head.hash and row.previous != self.head.hash:",
        "elif False:",
        "tests/journal/test_verify.py",
    ),
    Fault(
        "journal",
        "the cage lets somebody go below nothing",
        "journal/memory.py",
        "if any(amount < 0 for amount in after.values()):",
        "if False:",
        "tests/journal/test_contract.py -k memory",
    ),
    Fault(
        "journal",
        "a row of schema 1 loses what was told",
        "journal/row.py",
        'refusal |= {"why": AS_TOLD, "values": told}',
        'refusal |= {"why": AS_TOLD, "values": {}}',
        "tests/journal/test_kept.py tests/journal/test_codec.py",
    ),
    Fault(
        "journal",
        "other faces may be called than were thrown",
        "journal/dice_check.py",
        "elif (thrown.first, thrown.second) != (call.first, call.second):",
        "elif False:",
        "tests/journal/test_dice.py",
    ),
    Fault(
        "editions",
        "a table goes by what its house says now",
        "journal/editions.py",
        "text, call = texts(digest), opening.opens",
        "text, call = None, opening.opens",
        "tests/pit/test_editions.py",
    ),
    Fault(
        "sim",
        "a word whose last bits make it unfair is used",
        "sim/dice.py",
        "return rolls, word >= LEAST",
        "return rolls, True",
        "tests/sim/test_dice.py",
    ),
    Fault(
        "sim",
        "what was staked in one part of a run is forgotten",
        "sim/tally.py",
        "staked=self.staked + other.staked,",
        "staked=self.staked,",
        "tests/sim/test_results.py",
    ),
    Fault(
        "strategy",
        "an automatic player turns all its wagers off for one",
        "strategy/proposals.py",
        'only = name == "all"',
        "only = False",
        "tests/pit/test_players.py",
    ),
    Fault(
        "people",
        "a session never ends",
        "pit/people/door.py",
        "return known.session if known.session.until > now else None",
        "return known.session",
        "tests/pit/test_people.py",
    ),
    Fault(
        "people",
        "what is up does not count against a player's own limit of loss",
        "pit/people/brakes.py",
        "room = brakes.loss + net - felt",
        "room = brakes.loss + net",
        "tests/pit/test_brakes.py",
    ),
    Fault(
        "web",
        "whoever speaks may say at which station",
        "pit/live/stations.py",
        '"by": role, "stand_in": stand_in}',
        '"stand_in": stand_in}',
        "tests/pit/test_stations.py tests/pit/test_desk.py",
    ),
    Fault(
        "web",
        "answers lack the header that forbids guessing what they are",
        "pit/web/guard.py",
        '    (b"x-content-type-options", b"nosniff"),\n',
        "",
        "tests/pit/test_api.py",
    ),
)


def stale() -> list[str]:
    """Faults whose line is not in the source any more, or more than once."""
    found = []
    for fault in FAULTS:
        text = (ROOT / "src" / "boxman" / fault.file).read_text()
        if text.count(fault.right) != 1:
            found.append(f"{fault.file}: {fault.right!r} stands there {text.count(fault.right)}x")
    return found


def noticed(folder: Path, fault: Fault) -> bool:
    """Whether its tests fail."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-x",
            "-p",
            "no:cacheprovider",
            *_words(fault.tests),
        ],
        env=os.environ | {"PYTHONPATH": f"{folder / 'src'}:{folder}"},
        cwd=folder,
        capture_output=True,
        text=True,
    )
    if done.returncode > 1:
        raise SystemExit(f"{fault.tests}: pytest could not run\n{done.stdout[-2000:]}")
    return done.returncode == 1


def _words(tests: str) -> list[str]:
    files, _, chosen = tests.partition(" -k ")
    return [*files.split(), *(("-k", chosen) if chosen else ())]


def main(kinds: list[str]) -> int:
    wrong = stale()
    chosen = [fault for fault in FAULTS if not kinds or fault.kind in kinds]
    with TemporaryDirectory() as place:
        folder = Path(place)
        leave = shutil.ignore_patterns("__pycache__", ".*", "*.egg-info")
        for name in ("src", "tests", "docs"):
            shutil.copytree(ROOT / name, folder / name, ignore=leave)
        for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md"):
            shutil.copy(ROOT / name, folder / name)
        for fault in chosen:
            file = folder / "src" / "boxman" / fault.file
            text = file.read_text()
            told = f"{fault.kind}: {fault.what} ({fault.tests})"
            if noticed(folder, fault):
                wrong.append(f"its tests fail without it: {told}")
                continue
            file.write_text(text.replace(fault.right, fault.wrong))
            if noticed(folder, fault):
                print(f"noticed      {told}", flush=True)
            else:
                print(f"NOT NOTICED  {told}", flush=True)
                wrong.append(f"nobody noticed: {told}")
            file.write_text(text)
    print(f"{len(chosen)} faults; " + ("; ".join(wrong) or "each was noticed"))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
