"""`boxman odds` and `boxman report` as a user meets them."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from boxman.cli import _tidy
from boxman.cli.odds import odds
from boxman.cli.report import report
from boxman.odds.names import names
from boxman.rules.book import houses
from boxman.rules.compile import load

F = Fraction

app = typer.Typer(pretty_exceptions_enable=False)
app.command()(_tidy(odds))
app.command()(_tidy(report))


def run(*words: str, columns: int = 160) -> Result:
    return CliRunner(env={"COLUMNS": str(columns)}).invoke(app, list(words))


def test_the_price_list() -> None:
    result = run("odds", "nsw")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    place = next(line for line in lines if line.startswith("place.6 "))
    for words in ("Place Bet to Win 6", "7 to 6", "6 to 5", "5/11", "1/66", "1.515%", "{6.1.10.1}"):
        assert words in place
    listed = [line.split()[0] for line in lines if line[:1].islower()]
    assert [name for name in listed if name in names(load("nsw"))] == names(load("nsw"))
    headings = [line for line in lines if line in ("Line", "Come", "Place", "Hardways", "One roll")]
    assert headings == ["Line", "Come", "Place", "Hardways", "One roll"]


def test_a_narrow_terminal_loses_names_before_figures() -> None:
    text = CliRunner(env={"COLUMNS": "80"}).invoke(app, ["odds", "nsw"]).stdout
    place = next(line for line in text.splitlines() if line.startswith("place.6 "))
    for words in ("7 to 6", "1/66", "1.515%", "3.27", "{6.1.10.1}"):
        assert words in place
    assert "True odds" not in text
    assert max(map(len, text.splitlines()[3:])) <= 80


def test_one_wager_in_full() -> None:
    text = run("odds", "nsw", "come.odds.6", "lay.4").stdout
    for words in (
        "edge per wager made      1/40 = 2.5000%",
        "edge with commission     1/41 = 2.4390%",
        "meanwhile handed back on 6, 7",
        "made on a new point: win 40.21%, handed back 11.53%, 2.895 rolls at risk, 3.273 at the",
        "rounding favours         1, 2, 3, 4; and so on every 5",
    ):
        assert words in text


@pytest.mark.parametrize("house", houses())
def test_json(house: str) -> None:
    result = run("odds", house, "--json")
    assert result.exit_code == 0
    data = json.loads(result.stdout)
    assert data["house"] == house
    assert data["settings"] == load(house).settings
    assert list(data["wagers"]) == names(load(house))
    six = data["wagers"]["place.6"]
    assert (six["win"], six["lose"], six["push"]) == ("5/11", "6/11", "0")
    assert six["edge"] == six["edge_resolved"] == six["edge_with_commission"] == "1/66"
    assert (six["rolls"], six["variance"]) == ("36/11", "845/726")
    assert data["wagers"]["pass.odds.6"]["edge"] == "0"
    for wager in data["wagers"].values():
        fractions = ("win", "lose", "push", "edge", "edge_resolved", "edge_with_commission")
        assert all(isinstance(F(wager[key]), F) for key in (*fractions, "rolls", "variance"))
        assert sum(F(chance) for chance in wager["net"].values()) == 1
        assert set(wager["by_default"]) >= {"off", "on"}
        assert wager["clauses"]


def test_json_of_one_wager_with_lengths_and_a_stake() -> None:
    result = run("odds", "nsw", "place.6", "--json", "--lengths", "--stake", "7", "--chip", "1")
    found = json.loads(result.stdout)
    wager = found["wagers"]["place.6"]
    assert wager["at_stake"]["edge"] == "-3/77"
    assert wager["favours_player"]["stakes"] == [
        100 * stake for stake in (1, 2, 3, 4, 7, 8, 9, 13, 14, 19)
    ]
    assert (wager["at_stake"]["stake"], found["chip"]) == (700, 100)
    mass = wager["length"]["mass"]
    assert len(mass) == 200
    assert sum(map(F, mass.values())) + F(wager["length"]["tail"]) == 1


def test_settings() -> None:
    for number, edge in {"1": 30, "3": 32, "5": 34}.items():
        words = ("odds", "perth-crapless", "small", "--json", "--set", f"bonus_list={number}")
        data = json.loads(run(*words).stdout)
        assert data["settings"]["bonus_list"] == int(number)
        assert F(data["wagers"]["small"]["edge"]) == 1 - F(20049, 760760) * (edge + 1)


def test_a_stake_for_the_whole_list() -> None:
    text = run("odds", "rws", "--stake", "7").stdout
    assert "Edge at 7" in text
    assert "not taken" in next(line for line in text.splitlines() if line.startswith("place.6 "))


def test_csv() -> None:
    rows = list(csv.DictReader(io.StringIO(run("odds", "nsw", "--csv", "--stake", "7").stdout)))
    assert [row["wager"] for row in rows] == names(load("nsw"))
    six = next(row for row in rows if row["wager"] == "place.6")
    assert (six["edge"], six["edge_percent"], six["edge_at_stake"]) == ("1/66", "1.5152", "-3/77")
    assert "{6.1.10.1}" in six["clauses"]


def test_compare() -> None:
    text = run("odds", "nsw", "--compare", columns=250).stdout
    heads = next(line for line in text.splitlines() if line.startswith("Wager"))
    others = ["adelaide", "newzealand", "perth-crapless", "rws", "american"]
    assert heads.split() == ["Wager", "nsw", *others]
    line = next(line for line in text.splitlines() if line.startswith("pass "))
    assert "▼ 373/6930 5.382%" in line
    assert line.count("▲ 7/495 1.414%") == 5
    data = json.loads(run("odds", "--compare", "two", "place.6", "--json").stdout)
    assert data["wagers"]["two"]["best"] == ["nsw"]
    assert data["wagers"]["two"]["worst"] == ["newzealand", "perth-crapless", "rws", "american"]
    assert data["wagers"]["place.6"]["best"] == data["wagers"]["place.6"]["worst"] == []
    rows = list(csv.reader(io.StringIO(run("odds", "rws", "--compare", "small", "--csv").stdout)))
    assert rows[1][0] == "small"
    assert rows[1].count("") == 6  # four houses have none, and one alone is neither best nor worst


def test_combinations() -> None:
    assert "7/1870" in run("odds", "rws", "pass", "--odds", "most").stdout
    assert "1/165" in run("odds", "nsw", "--odds", "2").stdout
    assert "not taken here:" in run("odds", "nsw", "pass", "--odds", "3").stdout
    assert "1/3" in run("odds", "rws", "pass.4").stdout
    assert "pass + 1 added" in run("odds", "rws", "pass", "--added", "1").stdout
    assert "c_and_e split 3/1" in run("odds", "newzealand", "c_and_e", "--split", "3/1").stdout
    text = run("odds", "perth-crapless", "--collected", "2,3").stdout
    assert "small with 2 3" in text
    assert "all with 2 3" in text
    assert "tall" not in text


WRONG = [
    (("odds", "nws"), "there is no house of that name"),
    (("odds",), "name a house"),
    (("odds", "nsw", "plce.6"), "did you mean place.6?"),
    (("odds", "nsw", "place.7"), "place.7 is not offered here"),
    (("odds", "nsw", "hop.6-5"), "hop.6-5 is not offered here {6.1[intro]}\n"),
    (("odds", "nsw", "pass.odds.7"), "7 is not a point here"),
    (("odds", "nsw", "--set", "bonus_list=3"), "there is no setting bonus_list"),
    (("odds", "nsw", "--set", "bonus_list"), "a setting is written name=value"),
    (("odds", "perth-crapless", "--set", "bonus_list=6"), "bonus_list cannot be 6"),
    (("odds", "nsw", "--stake", "ten"), "not an amount: ten"),
    (("odds", "nsw", "--stake", "0"), "more than zero"),
    (("odds", "nsw", "--stake", "-5"), "cannot be negative"),
    (("odds", "nsw", "--stake", "7", "--chip", "5"), "cannot be made with chips of 5"),
    (("odds", "nsw", "--chip", "0"), "more than zero"),
    (("odds", "rws", "place.6", "--stake", "7"), "it goes in steps of 6: try 6 or 12"),
    (("odds", "nsw", "buy.4", "--stake", "30"), "it goes in steps of 20: try 20 or 40"),
    (("odds", "nsw", "--json", "--csv"), "choose one of"),
    (("odds", "nsw", "--lengths"), "goes with --json"),
    (("odds", "nsw", "--odds", "many"), "a multiple like 2 or 2.5, not many"),
    (("odds", "nsw", "--added", "1/0"), "a multiple like"),
    (("odds", "nsw", "field", "--odds", "2"), "none of these wagers takes odds"),
    (("odds", "nsw", "--split", "3/1"), "none of these wagers is split by name"),
    (("odds", "newzealand", "--split", "3:1"), "written like 3/1"),
    (("odds", "nsw", "--collected", "2"), "none of these wagers collects 2"),
    (("odds", "perth-crapless", "small", "--collected", "9"), "does not collect 9"),
    (("odds", "--compare", "--stake", "5"), "leave the rest out"),
    (("odds", "--compare", "place.7"), "place.7 is not offered here"),
    (("odds", "--compare", "nws"), "there is no house of that name"),
    (("odds", "--compare", "--set", "big=off"), "which house the settings are for"),
    (("odds", "no/such/book.md"), "cannot be read"),
    (("report", "nws"), "there is no house of that name"),
    (("report", "nsw", "--set", "x=1"), "there is no setting x"),
    (("report", "nsw", "--chip", "x"), "not an amount"),
    (("report", "nsw", "-o", "/no/such/folder/report.html"), "cannot be written"),
]


@pytest.mark.parametrize(("words", "message"), WRONG, ids=lambda value: " ".join(value)[:60])
def test_what_a_user_gets_wrong(words: tuple[str, ...], message: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""
    assert "Traceback" not in result.output


COLD = """
import sys, typer
from boxman.cli import _tidy
from boxman.cli.odds import odds
typer.run(_tidy(odds))
"""


def test_a_cold_process_imports_little() -> None:
    after = "import atexit\natexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
    code = COLD.replace("import sys, typer\n", f"import sys, typer\n{after}")
    done = subprocess.run(
        [sys.executable, "-c", code, "nsw"], capture_output=True, text=True, check=True
    )
    modules = {name.split(".")[0] for name in done.stderr.split()}
    assert "boxman" in modules
    assert not modules & {"numpy", "numba", "fastapi", "starlette", "uvicorn", "apsw", "plotly"}
    assert "boxman.table.ruling" not in done.stderr.split()
    assert "place.6" in done.stdout


class Reader(HTMLParser):
    """Checks that tags close, ids are unique, links arrive and nothing is fetched."""

    VOID = ("meta", "wbr")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: set[str] = set()
        self.links: set[str] = set()
        self.tags: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.add(tag)
        name = given.get("id")
        if name:
            assert name not in self.ids
            self.ids.add(name)
        href = given.get("href")
        if href:
            assert href.startswith("#"), href
            self.links.add(href[1:])
        assert not {"src", "srcset", "onclick"} & set(given)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("house", houses())
def test_the_report_is_one_whole_page(house: str, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    result = run("report", house, "-o", str(path))
    assert result.exit_code == 0
    page = path.read_text(encoding="utf-8")
    reader = Reader()
    reader.feed(page)
    assert reader.open == []
    assert reader.links <= reader.ids
    assert not reader.tags & {"script", "link", "img", "iframe"}
    assert "url(" not in page
    assert "http" not in page
    assert page.count('<svg role="img"') >= 8, "a picture of edges a group, and the hand"
    assert "@media print" in page
    layout = load(house)
    for name in names(layout):
        assert f'id="wager-{name}"' in page
    # Every clause that a price rests on is told at the end.
    for words in ("Price list", "House edges", "All houses side by side", "Length of a hand"):
        assert words in reader.text
    mean = "57678/7303" if house == "perth-crapless" else "1671/196"
    assert mean in reader.text


def test_the_report_goes_to_standard_output_too() -> None:
    assert run("report", "nsw", "-o", "-").stdout.startswith("<!DOCTYPE html>")


def test_a_report_of_ones_own_rulebook(tmp_path: Path) -> None:
    from importlib import resources

    text = (resources.files("boxman") / "rulebooks" / "nsw.md").read_text()
    book = tmp_path / "mine.md"
    book.write_text(text.replace('id = "nsw"', 'id = "mine"'))
    result = run("odds", str(book), "--compare", "field")
    assert result.exit_code == 0
    assert "mine" in result.stdout
    page = run("report", str(book), "-o", "-").stdout
    assert "New South Wales (mine), Sky City Adelaide" in page
    assert "New South Wales (nsw)" in page
    # Wagers and settings are told in words, and no line of text draws what a picture shows.
    shown = re.sub(r"<(code|style)[^>]*>.*?</\1>", "", page, flags=re.DOTALL)
    assert "pass.odds" not in re.sub(r'(id|href)="[^"]*"', "", shown)
    assert "multiples = False" not in page
    assert "the sign asks for multiples of the minimum: no" in page
    assert "█" not in page
    # One that calls itself like a house stands beside it under its path.
    book.write_text(text.replace('pays = "33 to 1"', 'pays = "34 to 1"'))
    data = json.loads(run("odds", str(book), "--compare", "two", "--json").stdout)
    assert data["wagers"]["two"]["best"] == [str(book)]
    assert data["wagers"]["two"]["edges"]["nsw"] == "1/18"
