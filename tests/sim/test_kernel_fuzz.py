"""The kernel against the table, by a strategy that tries anything anywhere.

The strategy draws its choices from a variable of its own, so both sides make the same. Every figure
of every session must agree, refusals by code and spot too. The kernel never imports `table`.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import boxman
from boxman.sim.dice import stream
from boxman.sim.executors import NAMES
from boxman.sim.executors.reference import ReferencePlayer
from boxman.sim.kernel import words
from boxman.sim.kernel.codes import CODES
from boxman.sim.kernel.run import Kernel
from boxman.sim.run import simulate
from boxman.strategy.api import strategy
from boxman.strategy.reference import play
from boxman.strategy.session import Session, session
from boxman.strategy.spots import PASS, PLACE, SMALL, TALL
from tests.limits import FIVES, UNITS
from tests.sim.kernel_cases import calling, hold_together, leaving, steady, wild

CLASSES = (("odds", 500, 20_000), ("place", 1_000, 30_000), ("hard", 500, 2_500))
OPTIONS: list[dict[str, Any]] = [
    {"bankroll": 3000, "maximum": 200, "minimum": 5},
    {"bankroll": 100, "minimum": 1, "end": "run-out"},
    {"bankroll": 2000, "minimum": 5, "shooter": "self", "end": "run-out"},
    {"bankroll": 2000, "minimum": 5, "shooter": "self", "end": "value"},
    {
        **{"bankroll": 800, "minimum": 1, "chip": "0.50", "shooters": 5, "stop_loss": 300},
        "end": "value",
    },
    {
        **{"bankroll": 1000, "minimum": 5, "chip": "2.50", "stop_win": 40, "classes": CLASSES},
        "end": "value",
    },
]
SETTINGS: dict[str, list[dict[str, Any]]] = {
    "adelaide": [{"multiples": True}, {"fee_rounding": "down", "odds_pass": 3, "big": False}],
    "newzealand": [
        {"rounding": "exact", "odds_pass": 2, "odds_dont_come": 2},
        {"rounding": "down", "fee_rounding": "down"},
    ],
    "nsw": [{"multiples": True}, {"fee_refund": False, "fee_rounding": "down"}],
    "perth-crapless": [
        {"layout": 2, "established": "roll", "odds_pass": 7, "odds_come": 3},
        {"layout": 3, "off_calls": False, "come_lock": "round"},
        {"layout": 4, "bonus_list": 4, "established": "roll"},
        {"layout": 5},
        {"odds_pass": "1.5", "odds_come": "2,4-10:3/2,6-8:$50"},
        {"odds_pass": "3-4-5", "odds_come": "$40"},
    ],
    "rws": [{"call_lasts": "throw"}, {"rounding": "up"}, {"rounding": "down"}],
}
UNREACHED = {"allowed", "not-lower", "already-so", "over-remedy"}
"""What the API never puts to the table, or does not count; the last has a test of its own below."""


def plan() -> list[Session]:
    found = []
    for house in SETTINGS:
        found += [session(house, rolls=80, **{**FIVES, **options}) for options in OPTIONS]
        for settings in SETTINGS[house]:
            usual = {"rolls": 80, "bankroll": 2000, "minimum": 5, "end": "value"}
            found.append(session(house, **usual, settings=settings))
            unit = {"unit": 5} if house in UNITS else {}
            limits = {"bankroll": 1000, "minimum": 10, "maximum": 500, **unit}
            found.append(session(house, rolls=80, **limits, settings=settings))
    return found


@strategy
def joins(t: Any) -> None:
    """One bonus wager at first, another when its numbers are being collected."""
    t.bet(SMALL, 5)
    if t.rolls > 0:
        t.bet(TALL, 5)


def test_wild_play_is_the_same_on_both() -> None:
    """One session of each plan; the soak has many."""
    codes: set[str] = set()
    ends: set[str] = set()
    perth = session("perth-crapless", rolls=20, settings={"layout": 2})
    for number, chosen in enumerate([*plan(), perth]):
        player = steady if chosen.shooter == "self" and chosen.end == "run-out" else wild
        player = joins if chosen is perth else player
        for played in hold_together(Kernel(player, chosen), player, number, range(1)):
            codes |= {each.code for each in played.refusals}
            ends.add(played.end)
    assert codes == set(CODES) - UNREACHED, "a refusal that nothing here provokes proves nothing"
    assert ends >= {"rolls", "shooters", "win", "loss", "broke", "no shooter"}


def test_calls_on_and_off() -> None:
    """Whom a call counts for and how long it lasts, house by house."""
    for number, house in enumerate(SETTINGS):
        for settings in [{}, *SETTINGS[house]]:
            where = session(
                house, **FIVES, rolls=90, bankroll=20_000, settings=settings, end="value"
            )
            hold_together(Kernel(calling, where), calling, number, range(1))


def test_a_shooter_without_a_line_wager(tmp_path: Path) -> None:
    """He may make one late and small, or the point is cancelled; no house here lets him take his
    line wager down, so one is made that does."""
    book = (Path(boxman.__file__).parent / "rulebooks" / "perth-crapless.md").read_text()
    locked = 'spot = "pass"\nact = ["reduce", "remove"]\npuck = "off"'
    assert locked in book
    path = tmp_path / "abroad.md"
    path.write_text(book.replace(locked, locked.replace('"off"', '"any"')))
    options = {"bankroll": 2000, "rolls": 40, "shooter": "self", "minimum": 5}
    where = session(str(path), **options, end="value")
    ends = set()
    codes: set[str] = set()
    worth = Fraction(0)
    for played in hold_together(Kernel(leaving, where), leaving, 5, range(12)):
        ends.add(played.end)
        codes |= {each.code for each in played.refusals}
        worth += played.value or 0
    assert ends == {"rolls", "no shooter"}
    assert codes >= {"no-flat", "over-remedy"}, "odds behind a late line wager, and one too large"
    # Wagers are handed back when the point is cancelled, for every executor.
    assert ReferencePlayer(leaving, where).play(5, 0, 12).value == worth
    found = [simulate(goes, where, 60, 5, executor=by) for by in NAMES]
    assert {each.digest() for each in found} == {found[0].digest()}
    assert play(goes, where, stream(5, found[0].worst)).net == found[0].nets[0]


@strategy
def goes(t: Any) -> None:
    """A shooter who leaves after a nine, with a number up."""
    if t.coming_out:
        t.bet(PASS, 10)
    elif t.last == 9:
        t.down(PASS)
    else:
        t.bet(PLACE[6], 12)


def test_a_house_from_abroad(tmp_path: Path) -> None:
    """Fees on wins and stakes recognised down to a multiple, which no house here has."""
    book = (Path(boxman.__file__).parent / "rulebooks" / "nsw.md").read_text()
    for old, new in (
        ('charged = "placement"', 'charged = "win"'),
        ('bound = "multiple"\nbreach = "refuse"', 'bound = "multiple"\nbreach = "warn"'),
        (
            'case = "not a multiple"\ntime = "any"\ntreat = "settle"',
            'case = "not a multiple"\ntime = "any"\ntreat = "lower multiple"',
        ),
    ):
        assert old in book
        book = book.replace(old, new)
    path = tmp_path / "abroad.md"
    path.write_text(book)
    for chip in ("1", "5"):
        where = session(
            str(path),
            bankroll=9000,
            minimum=10,
            chip=chip,
            settings={"multiples": True},
            end="value",
        )
        kernel = Kernel(wild, where)
        assert kernel.house[words.LOWER_MULTIPLE]
        assert words.WIN_SLOWLY in kernel.house[words.CELLS : words.TERMS] & words.BYTE
        hold_together(kernel, wild, 1, range(4))


@pytest.mark.soak
def test_wild_play_for_long() -> None:
    for seed in range(40):
        for number, chosen in enumerate(plan()):
            player = steady if seed % 2 else wild
            hold_together(Kernel(player, chosen), player, 1000 * seed + number, range(1, 6))
