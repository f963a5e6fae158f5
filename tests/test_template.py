"""The template is a whole rulebook: it passes the check, it plays, and a copy of it does too."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from boxman.cli import app
from boxman.rules.book import houses, read_book
from boxman.rules.compile import load
from boxman.rules.facts import KINDS
from boxman.table.transcript import Transcript

TEMPLATE = Path(__file__).parents[1] / "src" / "boxman" / "rulebooks" / "template.md"

# The figures are worked out by hand from the clauses; the rail is added up along the way.
EVENING = """\
house "HOUSE" chip 1 limits 5-500 : ok {2.3}
ann buys in 500               : ok {term-1}, ann rail 500
ann bets 10 "PASS LINE"       : ok {2.1} {3.1}, ann pass is 10
ann bets 10 dont_pass         : ok {3.3}
ann bets 5 field              : ok {3.9} {2.4}, ann rail 475
-- 12: the field pays double, 2 x 5; the don't pass is barred and stays
stick calls 6-6               : ann pass -10 {3.1}, ann field +10 {3.9}, ann dont_pass barred {3.3} {3.4}, ann rail 490
ann bets 10 pass              : ok, ann rail 480
ann calls pass off            : refused not-switchable {2.6}
stick calls 1-3               : nothing, puck 4 {1.4} {1.1}
ann takes down pass           : refused not-now {3.1}
ann bets 31 pass.odds         : refused over-odds-limit {3.2} "at most 30 behind a 10 Pass"
ann bets 30 pass.odds         : ok {3.2}, ann rail 450
-- no fee with the bet: it is taken from the win
ann bets 20 buy.4             : ok {3.7} {2.4}, ann rail 430
ann bets 15 buy.10            : ok, ann rail 415
ann bets 10 place.6           : ok, ann rail 405
ann bets 5 "Hardway 4"        : ok {3.8}, ann hard.4 is 5, ann rail 400
ann bets 10 come              : ok {3.5}, ann rail 390
ann keeps buy.4 up            : ok {gap-2}
ann keeps pass up             : refused never-stays
ann bets 10 lay.4             : refused not-offered {2.1}
-- 10 at 7 to 6 is 11.67, paid down to 11: 390 + 10 + 11
stick calls 4-2               : ann place.6 +11 {3.6} {gap-1}, ann come moves to come.6 {3.5}, puck 4, ann rail 411
-- odds 30 at 2 to 1; buy 20 at 2 to 1 is 40, less 5% of 40; hard 5 at 7 to 1
-- 411 + 10+10 + 30+60 + 20+38 - 20 again + 5+35
stick calls 2-2               : ann dont_pass -10, ann pass +10, ann pass.odds +60 {3.2}, ann buy.4 +38 {3.7} {2.5}, ann hard.4 +35 {3.8}, ann buy.4 up again {gap-2}, puck off, ann rail 599
stick calls 5-5               : nothing, ann buy.10 sleeps {2.5}, puck 10
ann takes down buy.4          : ok {2.4}, ann buy.4 returned 20, ann rail 619
-- buy 15 at 2 to 1 is 30; 5% of 30 is 1.50, paid down to 1: 619 + 15 + 29
stick calls 6-4               : ann buy.10 +29 {3.7}, puck off, ann rail 663
ann bets 6 c_and_e            : ok {3.11}
ann bets 1 c_and_e            : refused not-divisible {3.11}
-- half of 6 is 3: 3 at 15 to 1 is 45, less the other 3
stick calls 6-5               : ann c_and_e +42 {3.11} {3.10}, ann rail 705
ann bets 6 c_and_e
-- 3 at 7 to 1 is 21, less the other 3
stick calls 1-1               : ann c_and_e +18 {3.11} {3.10}, ann rail 723
stick calls no roll           : ok {1.5}
box finds 3 field for ann     : ok {2.3}
stick calls 3-4               : ann come.6 -10 {3.5} {2.6}, ann field returned 3 {2.3}, ann rail 723
dice out                      : ok {2.2}
ann bets 5 field              : refused bets-closed {2.2}
stick calls 3-4               : nothing
ann bets 4 field              : refused under-minimum {2.3}
ann bets 501 field            : refused over-maximum {2.3}
ann bets 0.50 field           : refused not-in-chips {term-1}
ann cashes out                : ok {term-1}, ann rail 0
"""

SIGN = """\
house "HOUSE" chip 1 limits 5-500 set odds=11 : refused setting-out-of-bounds {3.2} "odds cannot be 11"
house "HOUSE" chip 1 limits 5-500 set odds=5 set field_12=triple : ok
ann buys in 100
ann bets 10 pass
ann bets 5 field
-- triple on this sign: 3 x 5; 100 - 10 + 15
stick calls 6-6               : ann pass -10, ann field +15 {3.9}, ann rail 105
ann bets 10 pass
stick calls 5-4               : puck 9
ann bets 51 pass.odds         : refused over-odds-limit {3.2}
ann bets 50 pass.odds         : ok {3.2}
-- 50 at 3 to 2
stick calls 3-6               : ann pass +10, ann pass.odds +75 {3.2}, ann rail 190
"""


def play(text: str, house: Path) -> None:
    transcript = Transcript()
    for line in text.replace("HOUSE", str(house)).splitlines():
        result = transcript.play(line)
        assert result.difference is None, f"{line}\n{result.difference}"


@pytest.mark.parametrize("text", [EVENING, SIGN], ids=["evening", "sign"])
def test_it_plays(text: str) -> None:
    play(text, TEMPLATE)


def test_the_check_passes() -> None:
    result = CliRunner().invoke(app, ["book", "check", str(TEMPLATE)])
    assert result.exit_code == 0, result.output
    assert result.stdout == (
        f"{TEMPLATE}: in order. 22 clauses, 2 gaps, 1 terms, 80 facts, 26 spots.\n"
    )


def test_a_copy_elsewhere_is_checked_and_played(tmp_path: Path) -> None:
    folder = tmp_path / "my books"
    folder.mkdir()
    copy = Path(shutil.copy(TEMPLATE, folder / "mycasino.md"))
    result = CliRunner().invoke(app, ["book", "check", str(copy)])
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith(f"{copy}: in order. ")
    play(EVENING, copy)


def test_a_change_is_seen_at_once(tmp_path: Path) -> None:
    copy = tmp_path / "mycasino.md"
    text = TEMPLATE.read_text(encoding="utf-8")
    copy.write_text(text, encoding="utf-8")
    assert load(str(copy)).spots["eleven"].rows[0][9].win == 15
    copy.write_text(text.replace("15 to 1", "16 to 1"), encoding="utf-8")
    assert load(str(copy)).spots["eleven"].rows[0][9].win == 16


def test_it_is_not_a_house() -> None:
    assert "template" not in houses()
    assert "mycasino" not in houses()


def test_it_shows_every_part_of_the_format() -> None:
    book = read_book(str(TEMPLATE))
    assert (book.title, book.house.id) == ("House of Dice", "mycasino")
    assert {clause.sort for clause in book.clauses.values()} == {"clause", "gap", "term"}
    reasons = {clause.reason.partition(":")[0] for clause in book.clauses.values()}
    assert reasons >= {"physical", "open"}
    # Bonus wagers have a gate; the template offers none.
    assert {stated.kind for stated in book.facts} == set(KINDS) - {"gate"}
    assert any(stated.fact.when for stated in book.facts)


def test_notes_are_no_part_of_a_clause() -> None:
    for clause in read_book(str(TEMPLATE)).clauses.values():
        assert clause.title
        assert clause.text
        assert ">" not in clause.text
