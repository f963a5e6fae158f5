"""The pages' files and what they are fed with: houses, drills, aids, simulations."""

from __future__ import annotations

import gzip
import re
from fractions import Fraction
from pathlib import Path

import pytest
from httpx import Client

from boxman import report
from boxman.pit.told.aids import if_it_rolls
from boxman.pit.told.dress import dress_of
from boxman.pit.told.dress import known as dresses
from boxman.pit.told.house import felt_data
from boxman.pit.web import pages
from boxman.pit.web.pages import PAGES, STYLES, files, modules
from boxman.rules.book import houses as known
from boxman.rules.book import read_book
from boxman.rules.compile import load
from boxman.table.said.transcript import Transcript
from boxman.words import say
from tests.cases import played
from tests.felt.conftest import House

STATIC = Path(pages.__file__).parents[1] / "static"
OWN = sorted(path for path in STATIC.rglob("*") if path.suffix in (".js", ".css"))
CHARTS = Path(report.__file__).parent / "charts.css"
"""The style of the report kit's pictures, which pages show too."""


@pytest.fixture
def client(house: House) -> Client:
    return house.boss


def test_the_pages_stay_small_and_readable() -> None:
    assert OWN
    sizes = {path: len(gzip.compress(path.read_bytes())) for path in (*OWN, CHARTS)}
    assert sum(sizes.values()) < 150_000
    for path in OWN:
        lines = path.read_text().splitlines()
        assert len(lines) <= 400, path.name
        assert [line for line in lines if len(line) > 120] == [], path.name
        assert lines[0].startswith(("//", "/*")), f"{path.name} does not say what it is"
    sent = [files()[path][0] for path in modules("pages/table.js")]
    styles = ("base", *STYLES["table"])
    sent += [files()[f"style/{name}.css"][0] for name in styles]
    assert sum(len(gzip.compress(body)) for body in sent) < 90_000


def test_files_are_sent_compressed_to_whoever_can_read_that(client: Client) -> None:
    plain = client.get("/static/kit/dom.js", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    squeezed = client.get("/static/kit/dom.js", headers={"accept-encoding": "gzip"})
    assert squeezed.headers["content-encoding"] == "gzip"
    assert squeezed.headers["vary"] == "Accept-Encoding"
    assert squeezed.text == plain.text


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_nothing_comes_from_elsewhere_and_no_house_is_named(path: Path) -> None:
    text = path.read_text()
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
    assert not re.search(r"\b(innerHTML|outerHTML|insertAdjacentHTML|eval|document\.write)\b", text)
    for house in known():
        assert not re.search(rf"\b{re.escape(house)}\b", text)


def test_every_module_that_is_imported_is_there() -> None:
    for path in OWN:
        if path.suffix != ".js":
            continue
        for name in re.findall(r"""(?:from|import)\s*\(?\s*["'](\.[^"']+)["']""", path.read_text()):
            assert (path.parent / name).resolve() in OWN, f"{path.name} imports {name}"


def test_a_page_is_a_shell_with_strict_headers(client: Client) -> None:
    for address, module in PAGES.items():
        answer = client.get(re.sub(r"\{\w+\}", "x", address))
        assert answer.status_code == 200
        policy = answer.headers["content-security-policy"]
        assert "unsafe" not in policy
        assert "default-src 'none'" in policy
        assert say(f"pages.titles.{module}") in answer.text
        assert f"pages/{module}.js" in answer.text
        assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=", answer.text)
        for link in re.findall(r'(?:src|href)="/static/([^"]+)"', answer.text):
            assert client.get(f"/static/{link}").status_code == 200, link
        (phrases,) = re.findall(r'src="(/words/en-[0-9a-f]+\.js)"', answer.text)
    words = client.get(phrases)
    assert "immutable" in words.headers["cache-control"]
    assert words.text.startswith("self.WORDS = {")
    assert client.get("/words/en-0.js").status_code == 404


def test_files_are_sent_once_and_nothing_else_is(client: Client) -> None:
    first = client.get("/static/kit/dom.js")
    assert first.headers["content-type"].startswith("text/javascript")
    again = client.get("/static/kit/dom.js", headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304
    assert "x-content-type-options" in first.headers
    for path in ("../pages.py", "%2e%2e/pages.py", "nothing.js", "..%2fpages.py"):
        assert client.get(f"/static/{path}").status_code == 404
    assert client.get("/favicon.ico").status_code == 200
    assert set(files()) >= {str(path.relative_to(STATIC)) for path in OWN}


@pytest.mark.parametrize("name", known())
def test_the_felt_of_a_house_is_its_spots(client: Client, name: str) -> None:
    layout = load(name)
    data = client.get(f"/api/houses/{name}/felt").json()
    assert [spot["id"] for spot in data["spots"]] == list(layout.spots)
    assert data["points"] == list(layout.points)
    book = read_book(name)
    for spot in data["spots"]:
        assert spot["name"] == layout.spots[spot["id"]].name
        assert spot["clauses"]
        assert set(spot["clauses"]) <= set(book.clauses)


def test_bars_and_gates_are_the_houses_own() -> None:
    def spot(house: str, name: str, **settings: str) -> dict[str, object]:
        cloth = felt_data(load(house, settings))
        return next(each for each in cloth["spots"] if each["id"] == name)

    # New South Wales bars the two, the others that have a don't line the twelve.
    assert spot("nsw", "dont_pass")["bar"] == spot("nsw", "dont_come")["bar"] == [2]
    assert spot("adelaide", "dont_pass")["bar"] == [12]
    assert "bar" not in spot("adelaide", "pass")
    one, two = (
        spot("perth-crapless", "small", layout="1"),
        spot("perth-crapless", "tall", layout="2"),
    )
    number = "until a number of the group has come"
    assert one["gate"] == {"group": "small", "joined": number}
    assert two["gate"] == {"group": "bonus", "joined": number}
    assert one["collects"] == [2, 3, 4, 5, 6]
    # What the lesson says of the come-out: crapless has nothing that loses.
    for house in known():
        crapless = house == "perth-crapless"
        assert spot(house, "pass")["comes_out"] == {
            "win": [7] if crapless else [7, 11],
            "lose": [] if crapless else [2, 3, 12],
            "point": [2, 3, 4, 5, 6, 8, 9, 10, 11, 12] if crapless else [4, 5, 6, 8, 9, 10],
        }


def test_settings_are_heard_and_refused(client: Client) -> None:
    path = "/api/houses/perth-crapless/felt"
    names = {spot["id"] for spot in client.get(f"{path}?set=layout=5").json()["spots"]}
    assert not names & {"small", "tall", "all"}
    refused = client.get(f"{path}?set=layout=6")
    assert refused.status_code == 422
    assert "1 to 5" in refused.json()["message"]
    assert client.get(f"{path}?set=layout").status_code == 422
    assert client.get("/api/houses/nowhere/felt").status_code == 404
    assert client.get("/api/houses/..%2f..%2fetc/felt").status_code == 404


def test_a_rulebook_is_served_whole_and_by_the_clause(client: Client) -> None:
    for house in known():
        book = read_book(house)
        served = client.get(f"/api/houses/{house}/rulebook").json()["clauses"]
        assert [each["clause"] for each in served] == list(book.clauses)
        # Every fact is shown where it stands; a clause without any says why.
        assert [fact["kind"] for each in served for fact in each["facts"]] == [
            stated.kind.replace("_", " ") for stated in book.facts
        ]
        assert all(each["facts"] or each["reason"] for each in served)
        assert all(each["chapter"] for each in served)
    odd = "6(c)[Taking Odds; Pass Bet 4 & 10]"
    answer = client.get(f"/api/houses/adelaide/clauses/{odd.replace(' ', '%20')}")
    assert answer.json()["clause"] == odd
    assert client.get("/api/houses/adelaide/clauses/pit-dice").json()["sort"] == "term"
    missing = client.get("/api/houses/nsw/clauses/6.1.1.1.9")
    assert missing.status_code == 404
    assert "6.1.1.1" in missing.json()["message"]


def test_odds_and_differences_over_http(client: Client) -> None:
    wagers = client.get("/api/houses/nsw/odds").json()["wagers"]
    assert wagers["pass"]["edge"] == "7/495"
    assert wagers["pass"]["percent"] == round(700 / 495, 4)
    assert client.get("/api/houses/nsw/odds/place.6").json()["edge"] == "1/66"
    assert client.get("/api/houses/nsw/odds/nothing").status_code == 404
    assert wagers["place.6"]["wins_percent"] == round(500 / 11, 4)
    told = client.get("/api/houses/nsw/diff/rws").json()
    assert told["count"] == sum(len(group["rows"]) for group in told["groups"])
    line = next(group for group in told["groups"] if group["spots"] == ["pass"])
    assert line["head"] == "Win Line / Pass Line"
    assert ["name", "Win Line", "Pass Line"] in [
        [row["what"], row["first"], row["second"]] for row in line["rows"]
    ]
    compared = client.get("/api/compare").json()
    assert set(compared["houses"]) == set(known())
    assert compared["wagers"]["pass"]["worst"] == ["perth-crapless"]
    assert compared["wagers"]["pass"]["names"]["nsw"] == "Win Line"


def test_if_it_rolls_adds_up() -> None:
    table = played(
        "house nsw chip 1 limits 5-500",
        "ann buys in 500",
        "ann bets 10 pass",
        "stick calls 4-2",
        "ann bets 20 pass.odds",
        "ann bets 12 place.8",
    )
    assert table.layout is not None
    assert table.table is not None
    told = if_it_rolls(table.layout, table.table, "ann")
    nets = {row["label"]: row["net"] for row in told["rolls"]}
    # Six: 10 + 20 at 6 to 5. Eight: 12 at 7 to 6. Seven takes 42.
    assert nets["easy 6"] == nets["hard 6"] == 1000 + 2400
    assert nets["easy 8"] == 1400
    assert nets["7"] == -4200
    assert nets["11"] == 0
    mean = Fraction(5 * 34 + 5 * 14 - 6 * 42, 36)
    assert Fraction(told["mean"]) == mean
    # Nothing was changed by asking.
    assert table.table.seats["ann"].rail == 50_000 - 4_200


@pytest.mark.parametrize("name", known())
def test_if_it_rolls_says_the_same_while_nobody_has_the_dice(name: str) -> None:
    """With a crew by hand the dice wait to be inspected, offered and taken: no roll is nought."""
    nets = []
    for crew in ("", " crew by hand stick 1 dealer 2 box 1 opened by manager"):
        table = Transcript()
        for line in (f"house {name} chip 1 limits 5-500{crew}", "ann buys in 500"):
            table.play(line)
        table.play("ann bets 10 pass")
        assert table.layout is not None
        assert table.table is not None
        nets.append([row["net"] for row in if_it_rolls(table.layout, table.table, "ann")["rolls"]])
    assert nets[0] == nets[1]
    assert set(nets[0]) >= {0, 1000}


def test_a_house_wears_its_own_cloth_until_a_table_sets_another() -> None:
    """The felt of the lobby and that of the table are one colour."""
    for house, worn in dresses().items():
        assert dress_of(load(house)) == worn
    assert dress_of(load("perth-crapless", {"cloth": "blue"})).cloth == "blue"
