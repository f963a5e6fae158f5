"""The bonus wagers: all the low numbers, all the high ones, or all, before a seven."""

from __future__ import annotations

from boxman.strategy.api import Strategy, strategy
from boxman.strategy.library.catalogue import WIZARD_BONUS, entry
from boxman.strategy.library.felt import AnyTurn, put
from boxman.strategy.spots import ALL, SMALL, TALL


@entry("small", source=WIZARD_BONUS, needs="small")
def small(unit: int = 5) -> Strategy:
    """Small whenever it may be joined: 2, 3, 4, 5 and 6 before a seven."""

    @strategy
    def play(t: AnyTurn) -> None:
        put(t, SMALL, unit)

    return play


@entry("tall", source=WIZARD_BONUS, needs="tall")
def tall(unit: int = 5) -> Strategy:
    """Tall whenever it may be joined: 8, 9, 10, 11 and 12 before a seven."""

    @strategy
    def play(t: AnyTurn) -> None:
        put(t, TALL, unit)

    return play


@entry("make-em-all", source=WIZARD_BONUS, needs="all")
def make_em_all(unit: int = 5) -> Strategy:
    """All whenever it may be joined: every number before a seven."""

    @strategy
    def play(t: AnyTurn) -> None:
        put(t, ALL, unit)

    return play


@entry("bonus", source=WIZARD_BONUS, needs="small tall all")
def bonus(unit: int = 5) -> Strategy:
    """Small, tall and all, each whenever it may be joined."""

    @strategy
    def play(t: AnyTurn) -> None:
        put(t, SMALL, unit)
        put(t, TALL, unit)
        put(t, ALL, unit)

    return play
