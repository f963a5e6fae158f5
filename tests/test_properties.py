"""Properties of menus on full layouts, and of calls written and read.

What holds after every call of an evening is in evening.py; test_evenings.py plays them.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boxman.dice import ROLLS
from boxman.rules.book import houses
from boxman.rules.families import FAMILIES
from boxman.rules.layout import Layout
from boxman.table.calls import (
    Bet,
    BuyIn,
    Call,
    CallNoRoll,
    CallRoll,
    CashOut,
    CloseBets,
    DiceOut,
    DiceRest,
    Find,
    GiveBack,
    Reduce,
    SetWorking,
    StayUp,
    TakeDown,
)
from boxman.table.opening import Open
from boxman.table.said.notation import read_call, split_line, write_call
from boxman.table.said.transcript import Transcript, write_result
from tests.evening import check_menu
from tests.test_auditor import TABLES, Game, Setup

SEATS = ("ann", "bob", "cy")

COMMON: dict[str, Any] = {
    "derandomize": True,
    "database": None,
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
    "print_blob": False,
}


@pytest.mark.parametrize("setup", TABLES, ids=str)
def test_the_menu_of_a_full_layout(setup: Setup) -> None:
    """The menu again, on tables where a long game with few sevens has left many wagers up."""
    game = Game(setup, 77)
    game.weights = [0.1 if roll.total == 7 else 1.0 for roll in ROLLS]
    most = 0
    for number in range(1, 25):
        for seat in game.table.seats:
            game.act(seat, game.random.randint(2, 6))
        game.roll()
        if number % 6 == 0:
            for seat in game.table.seats:
                most = max(most, len(game.table.seats[seat].wagers))
                check_menu(game.layout, game.table, seat)
    assert most >= 5


# -- write, read, write ----------------------------------------------------------------------------

names = st.sampled_from((*SEATS, "Zoë", "player-7", "x_1"))
spots = st.sampled_from([f.replace("*", "6") for f in FAMILIES]) | st.from_regex(
    r"[a-z][a-z_.0-9]{0,12}", fullmatch=True
)
amounts = st.integers(1, 10**12)
on_off = st.sampled_from(("on", "off"))
calls: st.SearchStrategy[Call] = st.one_of(
    st.builds(BuyIn, seat=names, amount=amounts),
    st.builds(CashOut, seat=names, amount=st.just(0) | amounts),
    st.builds(
        Bet,
        seat=names,
        spot=spots,
        amount=amounts,
        split=st.just(()) | st.lists(amounts, min_size=1, max_size=3).map(tuple),
    ),
    st.builds(TakeDown, seat=names, spot=spots),
    st.builds(Reduce, seat=names, spot=spots, to=amounts),
    st.builds(SetWorking, seat=names, spot=spots, call=on_off, only=st.booleans()),
    st.builds(StayUp, seat=names, spot=spots, stays=st.booleans()),
    st.builds(CloseBets),
    st.builds(DiceOut),
    st.builds(DiceRest),
    st.builds(CallNoRoll),
    st.builds(CallRoll, first=st.integers(1, 6), second=st.integers(1, 6)),
    st.builds(Find, seat=names, spot=spots, amount=amounts),
    st.builds(GiveBack, seat=names, spot=spots, amount=st.just(0) | amounts),
    st.builds(
        Open,
        house=st.sampled_from((*houses(), "./my casino.md", "books/x.md")),
        chip=amounts,
        minimum=amounts,
        maximum=amounts,
        unit=st.just(0) | amounts,
        classes=st.lists(st.tuples(spots, amounts, amounts), max_size=2).map(tuple),
        settings=st.dictionaries(
            st.sampled_from(("big", "odds_pass", "price.two")),
            st.sampled_from(("on", "3", "34 to 1", "7.5 to 1")),
            max_size=3,
        ),
    ),
)


@settings(max_examples=500, **COMMON)
@given(call=calls)
def test_calls_are_written_and_read(call: Call) -> None:
    text = write_call(call)
    line = split_line(text)
    again = read_call(line.words, len(text) + 1)
    assert again == call
    assert write_call(again) == text


@settings(max_examples=200, **COMMON)
@given(call=calls, comment=st.from_regex(r"[a-zäé0-9][a-zäé0-9 :,{}'-]{0,30}", fullmatch=True))
def test_comments_and_blanks_do_not_matter(call: Call, comment: str) -> None:
    text = write_call(call)
    line = split_line(f"   {text}   -- {comment}")
    assert read_call(line.words, 200) == call
    assert line.expected is None
    assert line.comment == comment.strip()


@pytest.mark.parametrize("house", houses())
def test_the_house_s_own_names_are_written_and_read(house: str) -> None:
    """A wager named by its label or by the house's name plays again to the same text."""
    first = Transcript(words=True)
    lines = [f"house {house}", "ann buys in 100000", "stick calls 4-2"]
    layout = open_layout(house)
    assert layout is not None
    lines += [f'ann bets 60 "{name}"' for name in (*layout.areas, *layout.names)]
    written = [write_result(first.play(line)) for line in lines]
    again = Transcript(words=True)
    for text in written:
        result = again.play(text)
        assert result.difference is None, result.difference
        assert write_result(result) == text
    assert again.table == first.table


def open_layout(house: str) -> Layout | None:
    script = Transcript(words=True)
    script.play(f"house {house}")
    return script.layout
