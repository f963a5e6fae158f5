"""What an author is told of a rulebook of his own."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from boxman.cli import app
from boxman.library import house
from boxman.rules.book import BookError, houses, read_book
from boxman.rules.compile import compile_layout
from boxman.rules.layout import Layout
from boxman.rules.settings import SettingError
from boxman.workshop.again import WholeBook
from boxman.workshop.check import check
from boxman.workshop.coverage import coverage, noticed, read_cases
from boxman.workshop.mutants import mutants
from boxman.workshop.watching import WatchedFile, check_told

ROOT = Path(__file__).parents[1]
TEMPLATE = (ROOT / "src" / "boxman" / "rulebooks" / "template.md").read_text()
TOTALS = "win = [2, 3, 4, 9, 10, 11, 12]"


def written(tmp_path: Path, *swaps: tuple[str, str]) -> str:
    text = TEMPLATE
    for old, new in swaps:
        assert old in text
        text = text.replace(old, new, 1)
    path = tmp_path / "mine.md"
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize("name", houses())
def test_every_choice_of_a_house_in_the_box_is_in_order(name: str) -> None:
    found = check(name)
    assert found.errors == ()
    assert not [remark for remark in found.remarks if "favours" in remark or "one name" in remark]


def test_all_wrong_facts_in_one_run(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        ('pays = "7 to 6"', 'pays = "7:6"'),
        ('times = "odds"', 'times = "odd"'),
        ('way = "down"', 'way = "sideways"'),
    )
    found = [error.problem for error in check(path).errors]
    assert len(found) == 3
    result = CliRunner().invoke(app, ["book", "check", path])
    assert result.exit_code == 2
    assert result.stderr.count("to do:") == 3


def test_all_clauses_that_cannot_be_read_in_one_run(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        ("[[puck]]", "[[pukc]]"),
        ('bound = "minimum"', 'bound = "least"'),
        ('treat = "return"', 'treat = "back"'),
        ('way = "down"', "way = down"),
    )
    assert [error.problem for error in check(path).errors] == [
        "there is no kind of fact called pukc",
        'the limit fact has bound = "least"',
        'the recognise fact has treat = "back"',
        "what stands after = is no value",
    ]


def test_all_wagers_that_lack_something_in_one_run(tmp_path: Path) -> None:
    """Two wagers without results, in different clauses; what all of them lack is said once."""
    results = '[[result]]\nspot = "{}"\nwin = {}\nlose = ["other"]'
    path = written(
        tmp_path,
        (results.format("any_craps", "[2, 3, 12]") + "\n", ""),
        (results.format("over_7", "[8, 9, 10, 11, 12]") + "\n", ""),
    )
    assert [error.problem for error in check(path).errors] == [
        "nothing says what happens to any_craps on 2 with the puck off",
        "nothing says what happens to over_7 on 2 with the puck off",
    ]
    path = written(tmp_path, ('spot = "others"         # every', 'spot = "field" # every'))
    assert [error.remedy for error in check(path).errors] == [
        'add a [[window]] fact with act = ["make"]'
    ]


def test_one_mistake_does_not_hide_another(tmp_path: Path) -> None:
    """A spot that is not offered beside two that contradict each other; and what is lacking of a
    machine, of a price, and of the table."""
    path = written(
        tmp_path,
        ('spot = "over_7"\npays', 'spot = "over_8"\npays'),
        ('lose = ["other"]        # every', 'lose = [2, "other"] # every'),
        ('act = ["reduce", "remove"]\npuck = "any"', 'act = ["raise"]\npuck = "any"'),
    )
    assert [error.problem.partition(":")[0] for error in check(path).errors] == [
        "two facts disagree about when dont_pass may be raised",
        "the fact says two things about what happens to field on 2 with the puck off",
        'the price fact speaks of "over_8", which is not offered here',
    ]
    path = written(
        tmp_path,
        ('[[result]]\nspot = "over_7"\nwin = [8, 9, 10, 11, 12]\nlose = ["other"]\n', ""),
        ('[[price]]\nspot = "any_craps"\npays = "7 to 1"\n', ""),
        ('[[principle]]\nwhat = "total"\n', ""),
        ('[[round]]\nwhat = "win"\nway = "down"\n', ""),
    )
    assert [error.problem for error in check(path).errors] == [
        "nothing says what happens to over_7 on 2 with the puck off",
        "nothing says what any_craps pays on 2",
        "nothing says how a win that chips cannot pay is rounded",
        "nothing says the principle 'total'",
    ]


def test_every_choice_of_a_setting_is_compiled(tmp_path: Path) -> None:
    path = written(tmp_path, ('\npays = "3 to 1"\nwhen = {field_12 = ["triple"]}', "\nWRONG"))
    text = Path(path).read_text()
    start = text.index("[[price]]", text.index('["double"]}'))
    Path(path).write_text(text[:start] + text[text.index("WRONG") + 5 :])
    [error] = check(path).errors
    assert error.problem == "nothing says what field pays on 12 (with field_12 = triple)"


IDLE = '[[setting]]\nname = "colour"\ntype = "flag"\ntext = "a red cloth"\ndefault = true'


def test_what_looks_like_a_mistake(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        ('pays = "15 to 1"', 'pays = "18 to 1"'),
        ('name = "Hard {n}"\naliases = ["Hardway {n}"]', 'name = "Hard"'),
        ('name = "Over Seven"', 'name = "Over Seven"\naliases = ["Field"]'),
        ("[[setting]]", f"{IDLE}\n\n[[setting]]"),
        ('id = "mycasino"', 'id = "nsw"'),
        ('[[may]]\ncall = "no roll"\nwho = ["stick"]\n\n', ""),
        ('place = "one roll"      # where it lies on the cloth\n', ""),
        ("### `gap-1`", "### `Gap 1`"),
    )
    found = check(path)
    assert found.errors == ()
    assert [remark.partition(":")[0] for remark in found.remarks] == [
        "nsw is the id of a house in the box",
        "Gap 1 is a clause of the document by its id",
        "no fact depends on colour",
        "no clause says who may no roll",
        "field, over_7 have one name, Field",
        "hard.4, hard.6, hard.8, hard.10 have one name, Hard",
        "these lie under “More wagers” on the cloth; give their family a place "
        "(one roll, several, hardways)",
        "eleven favours the player (-5.556%)",
    ]


def test_a_house_is_begun_checked_and_its_cases_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, ["book", "new", "river"]).exit_code == 0
    for name in ("river", "nsw", "My Casino"):  # there already, in the box, no id
        assert CliRunner().invoke(app, ["book", "new", name]).exit_code == 2
    checked = CliRunner().invoke(app, ["book", "check", "river.md"])
    assert checked.stdout.count("\n") == 1
    assert "did you mean river.md? " in CliRunner().invoke(app, ["odds", "river"]).stderr
    cases = tmp_path / "cases"
    cases.mkdir()
    (tmp_path / "cases" / "river.md").write_text((tmp_path / "river.md").read_text())
    (cases / "one.craps").write_text(
        "house river.md chip 1 limits 5-500\nann buys in 100\nann bets 5 field\n"
        "stick calls 1-1 : ann field +10 {3.9}\n"
    )
    ran = CliRunner().invoke(app, ["replay", "--all", "cases"])
    assert (ran.exit_code, ran.stdout) == (0, "1 transcript, all as written\n")
    (cases / "two.craps").write_text(
        "house river.md chip 1 limits 5-500\nann buys in 100\nann bets 5 field\n"
        "stick calls 1-1 : ann field +5\n"
    )
    (cases / "three.craps").write_text("house nowhere.md\n")
    ran = CliRunner().invoke(app, ["replay", "--all", "cases"])
    assert ran.exit_code == 1
    assert "three.craps:1: " in ran.stderr
    assert "two.craps:4: " in ran.stderr
    assert ran.stderr.endswith("2 of 3 transcripts not as written\n")


def test_what_follows_a_table_that_was_not_opened(tmp_path: Path) -> None:
    night = tmp_path / "night.craps"
    night.write_text(f"house {written(tmp_path)} set odds=11\nann buys in 100\n")
    ran = CliRunner().invoke(app, ["replay", str(night)])
    assert "refused setting-out-of-bounds {3.2}" in ran.stdout
    assert ran.stderr.endswith("no table is open: the house line before this was refused\n")


CASE = """\
house ../mine.md   chip 1   limits 10-500
ann buys in 300
ann bets 10 pass
stick calls 4-4
ann bets 12 place.6
stick calls 4-2                    : ann place.6 +14 {3.6}
"""


def test_a_book_compiled_again_is_as_if_anew() -> None:
    """Whatever fact was changed: the same layout, or the same told of what is wrong."""
    book = read_book(str(ROOT / "src" / "boxman" / "rulebooks" / "template.md"))
    whole, refused = WholeBook(book), 0

    def made(compile: Callable[[], Layout]) -> object:
        try:
            layout = compile()
        except (BookError, SettingError) as error:
            return [str(error), *map(str, getattr(error, "others", ()))]
        spots = {name: msgspec.structs.astuple(spot) for name, spot in layout.spots.items()}
        return msgspec.structs.astuple(msgspec.structs.replace(layout, spots={})), spots

    every = [*mutants(book)][::5]
    for mutant in every:
        changed = msgspec.structs.replace(book, facts=mutant.facts)
        again = made(partial(whole.compiled, changed, {}))
        assert again == made(partial(compile_layout, changed)), mutant.name
        refused += isinstance(again, list)
    assert 10 < refused < len(every) - 10


def test_which_clauses_have_a_case_and_which_facts_none_would_miss(tmp_path: Path) -> None:
    """The case states 3.6 only: it misses the price of the 6 (7 to 6 on 12), not that of the 5."""
    path = written(tmp_path)
    folder = tmp_path / "cases"
    folder.mkdir()
    (folder / "place.craps").write_text(CASE)
    book, cases = read_book(path), read_cases(str(folder))
    own = [each for each in mutants(book) if each.stated.clause == "3.6"]
    noticed_by = {each.what: noticed(WholeBook(book), each, cases) for each in own}
    assert noticed_by['pays "7 to 6" -> "8 to 6"']
    assert not noticed_by['pays "7 to 5" -> "8 to 5"']
    assert noticed_by["numbers without 5"]  # its price is left over
    assert any('pays "7 to 6", number [6, 8] dropped' in what for what in noticed_by)
    found = coverage(book, str(folder), lambda done, all: done < 3)
    assert (found.proved, found.tried, found.whole) == (("3.6",), 3, False)
    assert "3.1" in found.bare
    (folder / "place.craps").write_text(CASE.replace("+14", "+15"))
    result = CliRunner().invoke(app, ["book", "coverage", path, str(folder)])
    assert result.exit_code == 2
    assert "place.craps:6: " in result.stderr
    assert "the cases must be as written" in result.stderr


def test_a_file_is_checked_at_every_save(tmp_path: Path) -> None:
    file = WatchedFile(written(tmp_path))
    assert file.saved()
    assert not file.saved()
    assert "in order" in check_told("mine.md", file.check())
    written(tmp_path, ('pays = "7 to 6"', 'pays = "7 to six"'))
    assert file.saved()
    assert "to do: write pays" in check_told("mine.md", file.check())
    Path(file.path).unlink()  # as some editors do on the way
    assert not file.saved()


def test_the_crapless_example_is_a_matter_of_facts() -> None:
    """In order, and as published: pass 5.38, place 2 and 12 at 11 to 2, 3 and 11 at 11 to 4."""
    path = str(ROOT / "docs" / "examples" / "crapless.md")
    found = check(path)
    assert (found.errors, found.remarks) == ((), ())
    here = house(path)
    assert round(float(here.odds("pass").edge * 100), 2) == 5.38
    # 2 comes once in seven: 1 - 6.5 / 7; 3 once in four: 1 - 3.75 / 4.
    assert here.odds("place.2").edge == here.odds("place.12").edge == Fraction(1, 14)
    assert here.odds("place.3").edge == here.odds("place.11").edge == Fraction(1, 16)
