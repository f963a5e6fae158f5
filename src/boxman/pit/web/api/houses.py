"""Houses over HTTP: the felt to draw, the rulebook to read, the odds, what differs.

It reads compiled houses and rulebooks and knows no table and no person. Houses are asked for by
their ids, those in the box and those of files the server was given: a path never comes in.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from functools import lru_cache
from threading import Lock
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Response

from boxman.odds.compare import Compared, compare
from boxman.odds.data import compared_data, hand_data, odds_data
from boxman.odds.felt import heading
from boxman.odds.hand import HandLength
from boxman.odds.page import edge_bars, edges_beside, short_titles, together
from boxman.odds.quote import Odds, price_list
from boxman.pit.live.terms import TERMS
from boxman.pit.told.book import book_data, clause_data, difference_data
from boxman.pit.told.gallery import small_felt, special
from boxman.pit.told.house import felt_data, house_data
from boxman.pit.web.costs import AT_HAND, REQUEST, WORKING
from boxman.rules.book import Book, BookError, read_book
from boxman.rules.book import all_houses as known
from boxman.rules.compile import load
from boxman.rules.layout import Layout
from boxman.rules.settings import SettingError
from boxman.table.said.machine import machine
from boxman.words import phrase, spoken

houses = APIRouter(prefix="/api/houses", tags=["houses"])
Data = dict[str, Any]
Pairs = Annotated[list[str] | None, Query(alias="set", description="A setting, name=value.")]
Puck = Annotated[int, Query(ge=0, le=12, description="Where the puck stands; 0 for off.")]
Chip = Annotated[int, Query(ge=1, le=1_000_000, description="The smallest chip, minor units.")]


def book_of(house: str) -> Book:
    """The rulebook of a house, or 404 with the names there are."""
    if house not in known():
        raise HTTPException(
            404, phrase("pit.web.there-is-no-house", house=house, known=", ".join(known()))
        )
    return read_book(house)


def layout_of(house: str, pairs: list[str] | None = None, chip: int = 100) -> Layout:
    """The compiled house under these settings, or the reason why not."""
    book_of(house)
    given = {}
    for pair in pairs or []:
        name, equals, value = pair.partition("=")
        if not equals:
            raise HTTPException(422, phrase("pit.web.a-setting-is-written", pair=pair))
        given[name] = value
    try:
        return load(house, given, chip)
    except SettingError as error:
        raise HTTPException(422, str(error)) from None


@houses.get("", openapi_extra=AT_HAND)
def list_houses() -> Data:
    """Every house there is, with what it may choose; a file that is broken now is left out."""
    found = []
    for house in known():
        # One at a time: whoever comes while the house gets ready waits, and works out none again.
        with suppress(BookError), _AT_WORK:
            found.append(house_data(load(house)))
    return {"houses": found}


_AT_WORK = Lock()


def get_ready() -> None:
    """Compile all houses before somebody's first page asks for them, which takes a second."""
    what_is_special()


@houses.get("/special", openapi_extra=AT_HAND)
def what_is_special() -> Data:
    """Of every house what sets it apart from the others, in sentences."""
    return _special(tuple(each["digest"] for each in list_houses()["houses"]), spoken())


@lru_cache(maxsize=4)
def _special(digests: tuple[str, ...], language: str) -> Data:
    layouts = {}
    for house in known():
        with suppress(BookError):
            layouts[house] = load(house)
    offered = Counter(name for each in layouts.values() for name in each.spots)
    # Prices that nobody else has are not compared, and those of collections take long.
    edges = {
        house: {
            name: odds.edge
            for name, odds in price_list(each).items()
            if offered[name] > 1 and each.spots[name].collection is None
        }
        for house, each in layouts.items()
    }
    return {"houses": special(layouts, edges)}


@houses.get("/{house}/felt.svg", openapi_extra=REQUEST)
def picture(house: str, puck: Puck = 0) -> Response:
    """The cloth of a house as a small picture, with the puck where it stands."""
    return drawn(layout_of(house), puck)


def drawn(layout: Layout, puck: int) -> Response:
    """A small picture of a cloth as an answer."""
    headers = {"Cache-Control": "public, max-age=600"}
    return Response(small_felt(layout, puck), media_type="image/svg+xml", headers=headers)


@houses.get("/{house}", openapi_extra=AT_HAND)
def one_house(house: str, set: Pairs = None) -> Data:
    """One house and its settings."""
    return house_data(layout_of(house, set))


@houses.get("/{house}/felt", openapi_extra=WORKING)
def felt(house: str, set: Pairs = None, chip: Chip = 100) -> Data:
    """Everything a page needs to draw the cloth: the spots of the house and nothing else."""
    return felt_data(layout_of(house, set, chip))


@houses.get("/{house}/machine/{spot}", openapi_extra=AT_HAND)
def one_machine(house: str, spot: str, set: Pairs = None) -> Data:
    """How one wager is decided, roll by roll, with its clauses."""
    layout = layout_of(house, set)
    if spot not in layout.spots:
        raise HTTPException(404, phrase("pit.web.has-no-price-for", house=house, spot=spot))
    return {**machine(layout, layout.spots[spot])}


@houses.get("/{house}/rulebook", openapi_extra=WORKING)
def rulebook(house: str) -> Data:
    """The rulebook in full, clause by clause in the document's order, with gaps and terms."""
    return book_data(book_of(house))


@houses.get("/{house}/clauses/{clause:path}", openapi_extra=AT_HAND)
def clause(house: str, clause: str) -> Data:
    """One clause; the address is its id, percent-encoded."""
    book = book_of(house)
    if (term := TERMS.get(clause)) is not None:
        return {"clause": clause, "sort": "term", "title": term.title, "text": term.text}
    try:
        found = book.clause(clause)
    except KeyError as error:
        raise HTTPException(404, str(error.args[0])) from None
    return clause_data(book, found)


@houses.get("/{house}/odds", openapi_extra=WORKING)
def all_odds(house: str, set: Pairs = None) -> Data:
    """The price list: every wager's exact figures."""
    return _priced(house, tuple(set or ()), layout_of(house, set).digest)


@lru_cache(maxsize=64)
def _priced(house: str, pairs: tuple[str, ...], digest: str) -> Data:
    """Worked out once: a tenth of a second, which a page that paints would feel."""
    layout = layout_of(house, list(pairs))
    prices = price_list(layout)
    return {
        "house": layout.house,
        "title": layout.title,
        "edition": layout.edition,
        "settings": layout.settings,
        "wagers": {name: _odds_row(odds) for name, odds in prices.items()},
        "headings": {odds.heading: heading(odds) for odds in prices.values()},
        "charts": {name: str(drawn) for name, drawn in edge_bars(list(prices.values())).items()},
        "hand": hand_data(HandLength(layout)),
    }


@houses.get("/{house}/odds/{spot}", openapi_extra=WORKING)
def one_wager(house: str, spot: str, set: Pairs = None) -> Data:
    """One wager in full."""
    layout = layout_of(house, set)
    prices = price_list(layout)
    if spot not in prices:
        raise HTTPException(404, phrase("pit.web.has-no-price-for", house=house, spot=spot))
    return {"wager": spot, **odds_data(prices[spot], lengths=True)}


@houses.get("/{first}/diff/{second}", openapi_extra=WORKING)
def diff(first: str, second: str) -> Data:
    """What two houses see differently, with the clauses on both sides."""
    return difference_data(book_of(first), book_of(second))


comparison = APIRouter(tags=["houses"])


@comparison.get("/api/compare", openapi_extra=WORKING)
def compare_all(house: str = "") -> Data:
    """All houses side by side, best and worst of each wager marked; called as one house calls
    them, or else whoever has them."""
    if house:
        book_of(house)
    return _compared(tuple(read_book(name).digest for name in known()), house or known()[0])


@lru_cache(maxsize=16)
def _compared(digests: tuple[str, ...], first: str) -> Data:
    layouts = {house: load(house) for house in known()}
    lists = {house: price_list(layout) for house, layout in layouts.items()}
    rows = compare(lists)
    data = compared_data(layouts, rows)
    titles = short_titles(layouts)
    drawn = edges_beside(rows, titles, first)
    data["charts"] = {group: str(each) for group, each in drawn.items()}
    data["headings"] = {row.heading: heading(row) for row in rows}
    for house, title in titles.items():
        data["houses"][house]["title"] = title
    alike: dict[object, list[Data]] = {}
    for row in rows:
        told = data["wagers"][row.name]
        told["group"] = row.heading
        told["name"] = row.odds[first].name if first in row.odds else _some(row).name
        told["names"] = {house: odds.name for house, odds in row.odds.items()}
        told["percent"] = {
            house: round(float(odds.edge) * 100, 4) for house, odds in row.odds.items()
        }
        # Wagers of one kind that cost the same everywhere are one line.
        kind = row.name.rpartition(".")[0] or row.name
        alike.setdefault((kind, tuple(told["edges"].items())), []).append(told)
    for first_of, *others in alike.values():
        first_of["name"] = together([each["name"] for each in (first_of, *others)])
        for each in others:
            each["told"] = first_of["name"]
    return data


def _some(row: Compared) -> Odds:
    return next(iter(row.odds.values()))


def _odds_row(odds: Odds) -> Data:
    """What the page shows of one wager: exact as text, and a number for the chart."""
    data = odds_data(odds)
    wanted = ("name", "group", "win", "lose", "push", "edge", "edge_per_roll", "rolls", "price")
    row = {key: data[key] for key in (*wanted, "allowed", "clauses")}
    return {
        **row,
        "wins_percent": round(float(odds.win) * 100, 4),
        "rolls_number": round(float(odds.rolls), 4),
        "percent": round(float(odds.edge) * 100, 4),
        "per_roll": round(float(odds.edge_per_roll) * 100, 4),
        "deviation": data["deviation"],
    }
