"""A pseudo-language, every phrase of the book in brackets, shows what does not come from the book.

It is made here from the English and never shipped. Whatever is left outside the brackets has to be
something no language changes: the exempt are listed below.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import boxman
from boxman.cli import app
from boxman.odds.names import names
from boxman.report.terminal import text
from boxman.rules.book import houses
from boxman.rules.compile import load
from boxman.rules.families import FAMILIES
from boxman.strategy.library import ENTRIES
from boxman.words import languages, phrase, speaking
from boxman.words.say import PLACES, book, texts
from tests.pit.serving import Seat, served
from tests.pseudo import PSEUDO, pseudo_language

SOURCE = Path(boxman.__file__).parent
# Exempt, and nothing else: notation, codes, spot ids, names and clause text of rulebooks, the
# command line library's own words, logs.
LIBRARY = (
    r"Usage:|Arguments:|Options:|Commands:|COMMAND|ARGS|OPTIONS|Show this message and exit\.|"
    r"\[env\s+var:[^\]]*\]|\[default:[^\]]*\]|\[required\]|<[^>]*>"
)
"""The command line library's own words."""
EXEMPT = rf"{LIBRARY}|--?[a-z-]+|\{{[^}}]*\}}"
"""And options, and clauses in braces."""
PRICE = r"\d to \d"
"""A price as a rulebook writes it."""


@cache
def named_in_rulebooks() -> str:
    """Names in the rulebooks that come with Boxman: houses, whole and short, editions, wagers and
    their ids, settings and what they may be, headings of their own families; and its own name."""
    found = {"None", "True", "False", "Boxman"}
    for house in houses():
        layout = load(house)
        found |= {house, layout.title, layout.title.partition(":")[0], layout.edition}
        found |= set(layout.settings) | set(layout.withheld) | set(names(layout))
        found |= {str(value) for value in layout.settings.values()}
        found |= {name for spot in layout.spots.values() for name in (spot.id, spot.name)}
        found |= {name.rpartition(".")[0] for name in layout.spots}
        found |= {each.heading for each in layout.families.values() if each.id not in FAMILIES}
    return "|".join(re.escape(each) for each in sorted(found, key=len, reverse=True) if each)


@pytest.fixture(scope="module", autouse=True)
def pseudo() -> Iterator[None]:
    with pseudo_language():
        yield


def outside(text: str) -> str:
    """What of a text stands in no brackets."""
    found, depth = [], 0
    for mark in text:
        depth += (mark == "⟦") - (mark == "⟧")
        if not depth and mark != "⟧":
            found.append(mark)
    return "".join(found)


def english(text: str, exempt: str = EXEMPT) -> list[str]:
    """Words outside all brackets that are not exempt."""
    return re.findall(r"[A-Za-z]{3,}", re.sub(exempt, " ", outside(text)))


def spoken(*line: str) -> str:
    result = CliRunner().invoke(app, [*line, "--language", PSEUDO])
    return f"{result.stdout}{result.stderr}"


def stray(text: str, *also: str) -> list[str]:
    """Words of an answer that come neither from the book nor from a rulebook."""
    return english(text, "|".join([*also, named_in_rulebooks(), PRICE, EXEMPT]))


def seen(page: str) -> str:
    """What a person sees or hears of an HTML page, without the clauses it quotes at its end."""
    page = re.sub(r'<style>.*?</style>|<dl class="clauses">.*?</dl>', "", page, flags=re.S)
    heard = re.findall(r'(?:aria-label|title|alt)="([^"]*)"', page)
    return unescape("\n".join([re.sub(r"<[^>]*>", "\n", page), *heard]))


COMMANDS = sorted({key.split(".")[1] for key in texts("en") if key.startswith("help.")})


@pytest.mark.parametrize("command", COMMANDS)
def test_help_comes_from_the_book(command: str) -> None:
    told = spoken(*([] if command == "boxman" else [command]), "--help")
    assert "⟦" in told
    names = {command, "boxman"} | set(COMMANDS)
    names |= {word for name in COMMANDS for word in _options(name)}
    assert set(english(told)) - names == set()


def _options(command: str) -> Iterator[str]:
    """Names of arguments, as the library writes them."""
    for key in texts("en"):
        if key.startswith(f"help.{command}."):
            name = key.rpartition(".")[2]
            yield from (name, name.upper(), *name.split("_"))
    yield from ("STRATEGY", "WHAT", "NAME", "HOUSE", "FILE", "WHERE")


SOLVE = ("solve", "--house", "nsw", "--limits", "5-500", "--bankroll", "20", "--stakes", "5,10")
NO_ANSWER = [
    (),
    ("--reach", "40", "--ahead", "3"),
    ("--reach", "10"),
    ("--last", "4"),
    ("--reach", "40", "--rolls", "9999"),
    ("--reach", "40", "--menu", "paas"),
    ("--reach", "40", "--menu", "come.6"),
    ("--reach", "40", "--menu", "odds"),
    ("--reach", "40", "--stakes", "x"),
    ("--reach", "40", "--stakes", "field=5"),
    ("--reach", "40", "--stakes", "9..5"),
    ("--reach", "400", "--stakes", "5..300:5", "--menu", "pass,place", "--budget", "50"),
    ("--last", "4", "--at-least", "5", "--menu", "place.6"),
]
WRONG = [
    ("show", "nsw", "nonsense"),
    ("diff", "nsw", "rws", "--spot", "nonsense"),
    ("book", "check"),
    ("odds", "nsw", "--json", "--csv"),
    ("simulate", "pass", "--ever"),
    ("simulate", "pass", "--sessions", "0"),
    ("simulate", "pass", "--limits", "5"),
    *((*SOLVE, *wrong) for wrong in NO_ANSWER),
    ("replay",),
    ("verify",),
    ("export", "nothing"),
]


@pytest.mark.parametrize("line", WRONG, ids=" ".join)
def test_what_is_wrong_with_a_command_line_is_told_from_the_book(line: tuple[str, ...]) -> None:
    told = spoken(*line)
    assert told.strip().startswith("⟦"), told
    assert english(told) == []


ODDS = [
    ("odds", "nsw", "place", "lay.4", "come.odds.6", "--stake", "7"),
    ("odds", "perth-crapless", "small", "--collected", "2,3"),
    ("odds", "nsw", "pass", "--odds", "2"),
    ("odds", "--compare", "field", "place"),
]


@pytest.mark.parametrize("line", ODDS, ids=" ".join)
def test_odds_come_from_the_book(line: tuple[str, ...]) -> None:
    told = spoken(*line)
    assert "⟦" in told
    assert stray(told, r"\+ 2x odds", "with 2 3") == []


WRONG_ODDS = ["nsw pass.odds", "nsw small", "nsw place.6 --stake 7.5", "nsw place.6 --odds 1"]


@pytest.mark.parametrize("line", WRONG_ODDS)
def test_what_has_no_odds_is_told_from_the_book(line: str) -> None:
    told = spoken("odds", *line.split())
    assert told.startswith("⟦"), told
    assert stray(told) == []


def test_a_report_comes_from_the_book() -> None:
    page = spoken("report", "perth-crapless", "-o", "-")
    assert f'<html lang="{PSEUDO}">' in page
    assert "⟦Price list⟧" in page
    assert stray(seen(page), r"\+ most odds") == []


def test_best_play_comes_from_the_book() -> None:
    """Answers in words and as pages; the command itself is asked for what it refuses."""
    from boxman.solve import solve
    from boxman.solve.page import answer_page
    from boxman.solve.words import summary

    library = "|".join(f"{name}[(][^)]*[)]" for name in ENTRIES)
    goals: list[dict[str, Any]] = [
        {"reach": 40, "menu": "pass,odds,calls,lower"},
        {"ahead": 4},
        {"last": 5, "at_least": 5},
        {"hourly": True, "at_least": 5},
    ]
    with speaking(PSEUDO):
        for goal in goals:
            answer = solve("nsw", stakes="5,10", minimum=5, maximum=500, bankroll=20, **goal)
            told = text(summary(answer))
            assert "⟦certificate:" in told
            assert stray(told, library) == []
            assert stray(seen(answer_page(answer)), library) == []


STRATEGY = r"\w+\([^)]*\)"
"""A strategy as it is asked for."""
SPOKEN = [
    ("simulate", "pass", "--sessions", "50", "--executor", "reference"),
    ("simulate", "pass", "--rolls", "20", "--exact"),
    ("simulate", "--compare", "pass", "dont", "--sessions", "20", "--executor", "reference"),
    ("simulate", "nonsense"),
    ("simulate", "pass(nonsense=1)"),
    ("book", "nsw", "9999"),
    ("book", "nonsense"),
]


@pytest.mark.parametrize("line", SPOKEN, ids=" ".join)
def test_what_a_command_answers_comes_from_the_book(line: tuple[str, ...]) -> None:
    told = spoken(*line)
    assert "⟦" in told
    assert stray(told, STRATEGY) == []


def test_what_differs_between_houses_comes_from_the_book() -> None:
    from boxman.rules.diff import differences

    with speaking(PSEUDO):
        for row in differences(load("nsw"), load("perth-crapless")):
            if row.spot not in ("procedure", "shooter", "people", "throws", "table"):
                assert stray(f"{row.what} {row.first} {row.second}") == [], row


def test_pages_of_simulations_come_from_the_book(tmp_path: Path) -> None:
    file = tmp_path / "result.html"
    spoken("simulate", "pass", "--sessions", "50", "--executor", "reference", "-o", str(file))
    # A page writes pass(unit=10) as one would say it, parameters as they are called.
    assert stray(seen(file.read_text()), r"Pass \(unit \d+\)") == []


FILES = {
    "own.md": ("book", "check"),
    "night.craps": ("replay",),
    "rows.jsonl": ("verify",),
    "ruled.jsonl": ("audit",),
    "own.strategy": ("simulate",),
}
BAD = {
    "own.md": "```house\nid = 'own'\n```\n### `1` One\n",
    "night.craps": "house nowhere   chip 1   limits 10-500\n",
    "rows.jsonl": "{}\n",
    "ruled.jsonl": "{}\n",
    "own.strategy": "when come-out: bte 10 pass\n",
}


@pytest.mark.parametrize("name", FILES)
def test_what_is_wrong_with_a_file_is_told_from_the_book(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(BAD[name])
    told = spoken(*FILES[name], str(file)).replace(str(file), "")
    assert "⟦" in told
    assert stray(told, "nowhere", "house|edition|title|bte|bet|chip|limits|refused") == [], told


def test_lines_that_cannot_be_read_are_told_from_the_book() -> None:
    from boxman.table.said.transcript import NotationError, Transcript

    wrong = [
        "ann",
        "ann bets",
        "ann bets lots pass",
        "ann flies",
        "stick calls 9-9",
        "ann bets 5 pass more",
    ]
    play = Transcript()
    with speaking(PSEUDO):
        play.play("house nsw   chip 1   limits 5-500")
        for line in wrong:
            with pytest.raises(NotationError) as raised:
                play.play(line)
            assert english(str(raised.value), r"'[^']*'") == [], line


def test_refusals_and_what_follows_a_call_come_from_the_book() -> None:
    from boxman.rules.book import read_book
    from boxman.rules.compile import load
    from boxman.table.calls import Bet, BuyIn, CallRoll
    from boxman.table.opening import Open, open_table
    from boxman.table.ruling import rule
    from boxman.table.said.explain import clause_texts, explain

    layout, rulebook = load("nsw"), read_book("nsw")
    table = open_table(Open(house="nsw", minimum=500, maximum=50000)).table
    calls = (
        BuyIn(seat="ann", amount=30000),
        Bet(seat="ann", spot="pass", amount=1),
        Bet(seat="ann", spot="pass", amount=1000),
        CallRoll(first=4, second=2),
        Bet(seat="ann", spot="place.8", amount=600),
        CallRoll(first=4, second=4),
        CallRoll(first=3, second=4),
    )
    with speaking(PSEUDO):
        for call in calls:
            ruling = rule(layout, table, call)
            told = explain(rulebook, layout, ruling).splitlines()[1:]
            clauses = clause_texts(rulebook, ruling.cites)
            assert told
            for line in told:
                if line not in clauses:
                    assert english(line) == [], line
            table = ruling.after


def test_the_server_answers_a_page_and_a_mistake_in_the_language_of_the_visitor() -> None:
    with served() as server:
        client = server.person().http
        page = client.get(f"/?language={PSEUDO}")
        assert f'<html lang="{PSEUDO}">' in page.text
        assert f"/words/{PSEUDO}-" in page.text
        for text in re.findall(r">([^<>]*[a-z][^<>]*)<", page.text):
            assert english(text, "Boxman") == [], text
        for path in ("/api/tables/none", "/api/houses/none/odds", "/api/me/sessions"):
            told = client.get(path).json()["message"]
            assert told.startswith("⟦"), told
            assert english(told) == []
        wrong = client.post("/api/session", json={"name": "", "guest": True}).json()["message"]
        assert english(wrong, "name") == []
        other = server.person().http
        assert "⟦" not in other.get("/api/tables/none").json()["message"]


def test_two_people_at_one_table_are_told_in_two_languages() -> None:
    with served() as server:
        ann, bob = server.person().guest("ann"), server.person().guest("bob")
        table = ann.post("/api/tables", house="nsw", crew="by hand")["table"]
        ann.post(f"/api/tables/{table}/sit", name="ann", buy_in=30000)
        with ann.at(table, f"?language={PSEUDO}") as one, bob.at(table) as other:
            other.next("snapshot")
            refused = one.say("bet", spot="pass", amount=1)["refused"]
            assert refused["sentence"].startswith("⟦")
            one.say("bet", spot="pass", amount=1000)
            told = [_decided(each) for each in (one, other)]
    assert told == ["⟦ann puts $10 on Win Line.⟧", "ann puts $10 on Win Line."]


def _decided(seat: Seat) -> str:
    while True:
        row = seat.next("row")
        for each in row.get("decided") or ():
            if each["type"] == "placed":
                return str(each["text"])


def test_a_language_is_a_folder_and_nothing_else(tmp_path: Path) -> None:
    shutil.copytree(SOURCE / "words" / "en", tmp_path / "xx")
    cli = tmp_path / "xx" / "told.toml"
    cli.write_text(cli.read_text("utf-8").replace("No more bets.", "Rien ne va plus."), "utf-8")
    PLACES.append(tmp_path)
    try:
        assert "xx" in languages()
        assert book("xx").keys() == book("en").keys()
        with speaking("xx"):
            assert phrase("told.phases.closed") == "Rien ne va plus."
    finally:
        PLACES.remove(tmp_path)
