"""A family of wagers is one row, and a rulebook may add rows: every list is made from them."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from boxman.dice import ROLLS, Roll
from boxman.odds.felt import grouped
from boxman.odds.quote import price_list
from boxman.pit.told import cloth
from boxman.pit.web.api.houses import felt_data
from boxman.rules.book import houses
from boxman.rules.compile import load
from boxman.rules.families import FAMILIES, MORE, OWN_HEADING, with_own
from boxman.rules.ids import family
from boxman.rules.layout import Layout
from boxman.sim.dice import stream
from boxman.strategy import spots
from boxman.strategy.api import StrategyError, strategy
from boxman.strategy.reference import play
from boxman.strategy.session import session
from boxman.strategy.text import read
from boxman.table.said.transcript import Transcript
from tests.tools.docs import DOCS, with_spots

TEMPLATE = Path(__file__).parents[1] / "src" / "boxman" / "rulebooks" / "template.md"
"""It has a family of its own: over_7."""


def layouts() -> list[Layout]:
    return [*(load(house) for house in houses()), load(str(TEMPLATE))]


def test_every_spot_of_the_vocabulary_has_its_number_and_its_constant() -> None:
    assert len(set(spots.SPOTS)) == len(spots.SPOTS)
    for row in FAMILIES.values():
        constant = getattr(spots, row.name)
        if "*" in row.id:
            named = [spots.SPOTS[n] for n in constant if n != spots.NOWHERE]
            assert tuple(named) == row.spots
        else:
            assert spots.SPOTS[constant] == row.id
    assert {family(spot) for spot in spots.SPOTS} == set(FAMILIES)


def test_a_name_that_is_no_wager_is_told() -> None:
    with pytest.raises(AttributeError, match="no wager is called FEILD; there are PASS, "):
        _ = spots.FEILD


def test_every_place_is_an_area_of_the_cloth() -> None:
    assert cloth.areas() == {row.place for row in FAMILIES.values()} | {MORE}


def test_all_that_is_offered_has_a_heading_and_a_place() -> None:
    for layout in layouts():
        assert list(layout.families)[: len(FAMILIES)] == list(FAMILIES)
        listed = grouped(price_list(layout))
        assert all(listed), layout.house
        for spot in felt_data(layout)["spots"]:
            assert spot["place"], spot["id"]


def test_the_list_in_the_document_is_made_from_the_rows() -> None:
    text = (DOCS / "rulebook-format.md").read_text()
    assert with_spots(text) == text, "run make docs"


# -- a family of a rulebook's own ----------------------------------------------------------------


def test_a_rulebook_adds_a_family() -> None:
    layout = load(str(TEMPLATE))
    own = layout.spots["over_7"]
    assert own.kind == with_own([own.kind])["over_7"]
    assert (own.kind.heading, own.kind.place) == (OWN_HEADING, "one roll")
    assert "over_7" not in FAMILIES
    # Fifteen of 36 rolls are above seven, at even money.
    edge = price_list(layout)["over_7"].edge
    assert edge == Fraction(21 - 15, 36)


def test_it_is_bet_and_paid_like_any_other() -> None:
    transcript = Transcript()
    lines = (
        f'house "{TEMPLATE}"   chip 1   limits 5-500',
        "ann buys in 100",
        "ann bets 10 over_7       : ok {3.12} {2.4}",
        "stick calls 6-2          : ann over_7 +10 {3.12}, puck 8",
        'ann bets 10 "Over Seven"',
        "stick calls 4-3          : ann over_7 -10 {3.12}, puck off",
        "ann bets 10 under_7      : refused no-such-spot {2.1}",
    )
    for line in lines:
        assert transcript.play(line).difference is None, line


OVER = spots.spot("over_7")


@strategy
def over(t) -> None:  # type: ignore[no-untyped-def]
    t.bet(OVER, 10)


THROWS = [ROLLS.index(Roll(*faces)) for faces in ((6, 2), (4, 3), (6, 5))]


def test_its_number_is_spelt_and_the_same_in_every_process() -> None:
    """A strategy may be sent to a process that has learnt other houses before."""
    script = (
        "from boxman.strategy.spots import *; learn(['hop.43', 'buffalo']); print(spot('over_7'))"
    )
    told = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, text=True
    )
    assert int(told.stdout) == OVER
    assert spots.SPOTS[OVER] == "over_7"
    assert not spots.is_spot(spots.spot("no_such_wager"))
    with pytest.raises(KeyError):
        spots.spot("No such wager")
    with pytest.raises(IndexError):
        _ = spots.SPOTS[1000]


def test_a_strategy_plays_it_in_python_and_as_text() -> None:
    at_it = session(str(TEMPLATE), rolls=3)
    # Won, lost, won at even money.
    assert play(over, at_it, THROWS).worth == at_it.bankroll + 1000
    text = read("bet 10 over_7", "text")
    assert play(text, at_it, THROWS).worth == at_it.bankroll + 1000
    with pytest.raises(StrategyError, match="no wager is called over_13, here or at any house"):
        play(strategy(lambda t: t.bet(spots.spot("over_13"), 10)), at_it, THROWS)
    elsewhere = play(over, session(rolls=3), THROWS)
    assert elsewhere.worth == elsewhere.staked + session().bankroll == session().bankroll


def test_the_kernel_plays_it_or_says_plainly_that_another_does() -> None:
    pytest.importorskip("numba")
    from boxman.sim.kernel.places import NoRoomError, SpotPlaces
    from boxman.sim.kernel.run import Kernel

    at_it = session(str(TEMPLATE), rolls=3)
    for chosen in (over, read("bet 10 over_7", "text"), read("bet 10 field", "text")):
        found = Kernel(chosen, at_it).run(1, 0, 5)
        assert found.error.sum() == 0
        played = [play(chosen, at_it, stream(1, number)).net for number in range(5)]
        assert found.lanes.net.tolist() == played
    many = [f"many_{n}" for n in range(30)]
    spots.learn(many)
    all_of_them = read("\n".join(f"bet 10 {name}" for name in many), "all")
    with pytest.raises(NoRoomError, match=r"all names 30 wagers of the rulebook's own; .* 29"):
        SpotPlaces(load(str(TEMPLATE)), all_of_them)
