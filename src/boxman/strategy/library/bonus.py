"""The bonus wagers: numbers, points or repeats before a seven."""

from __future__ import annotations

from boxman.strategy.api import Strategy, strategy
from boxman.strategy.library.catalogue import WIZARD_BONUS, WIZARD_FIRE, WIZARD_REPEATER, entry
from boxman.strategy.library.felt import TEN, put
from boxman.strategy.spots import ALL, SMALL, TALL, spot
from boxman.strategy.view import Turn

FIRE, HOT_HAND = spot("fire"), spot("hot_hand")
REPEAT = tuple(spot(f"repeat.{number}") for number in TEN)


@entry("small", source=WIZARD_BONUS, needs="small")
def small(unit: int = 5) -> Strategy:
    """Small whenever it may be joined: 2, 3, 4, 5 and 6 before a seven."""

    @strategy
    def play(t: Turn) -> None:
        put(t, SMALL, unit)

    return play


@entry("tall", source=WIZARD_BONUS, needs="tall")
def tall(unit: int = 5) -> Strategy:
    """Tall whenever it may be joined: 8, 9, 10, 11 and 12 before a seven."""

    @strategy
    def play(t: Turn) -> None:
        put(t, TALL, unit)

    return play


@entry("make-em-all", source=WIZARD_BONUS, needs="all")
def make_em_all(unit: int = 5) -> Strategy:
    """All whenever it may be joined: every number before a seven."""

    @strategy
    def play(t: Turn) -> None:
        put(t, ALL, unit)

    return play


@entry("bonus", source=WIZARD_BONUS, needs="small tall all")
def bonus(unit: int = 5) -> Strategy:
    """Small, tall and all, each whenever it may be joined."""

    @strategy
    def play(t: Turn) -> None:
        put(t, SMALL, unit)
        put(t, TALL, unit)
        put(t, ALL, unit)

    return play


@entry("fire", source=WIZARD_FIRE, needs="fire")
def fire(unit: int = 5) -> Strategy:
    """The Fire Bet before every shooter's first roll: different points made before a seven-out."""

    @strategy
    def play(t: Turn) -> None:
        put(t, FIRE, unit)

    return play


@entry("hot-hand", needs="hot_hand")
def hot_hand(unit: int = 5) -> Strategy:
    """The Hot Hand whenever it may be joined: nine or all ten numbers before a seven."""

    @strategy
    def play(t: Turn) -> None:
        put(t, HOT_HAND, unit)

    return play


@entry("repeaters", source=WIZARD_REPEATER, needs=" ".join(f"repeat.{n}" for n in TEN))
def repeaters(unit: int = 5) -> Strategy:
    """Every Repeater whenever it may be joined: two twice, three three times and so on."""

    @strategy
    def play(t: Turn) -> None:
        for each in REPEAT:
            put(t, each, unit)

    return play


@entry("repeat-2-12", source=WIZARD_REPEATER, needs="repeat.2 repeat.12")
def repeat_2_12(unit: int = 5) -> Strategy:
    """The Repeaters on two and twelve: each has to come twice before a seven."""

    @strategy
    def play(t: Turn) -> None:
        put(t, REPEAT[0], unit)
        put(t, REPEAT[9], unit)

    return play
