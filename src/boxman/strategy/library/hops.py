"""Hops: the next roll by its two faces."""

from __future__ import annotations

from boxman.strategy.api import Strategy, strategy
from boxman.strategy.library.catalogue import entry
from boxman.strategy.library.felt import back_pass, put
from boxman.strategy.spots import PASS, spot
from boxman.strategy.view import Turn

SEVENS = (spot("hop.61"), spot("hop.52"), spot("hop.43"))
PAIRS = (spot("hop.22"), spot("hop.33"), spot("hop.44"), spot("hop.55"))


@entry("hop-sevens", needs="hop.61 hop.52 hop.43")
def hop_sevens(unit: int = 5) -> Strategy:
    """The three ways to a seven on the hop, before every roll."""

    @strategy
    def play(t: Turn) -> None:
        for each in SEVENS:
            put(t, each, unit)

    return play


@entry("hop-pairs", needs="hop.22 hop.33 hop.44 hop.55")
def hop_pairs(unit: int = 5) -> Strategy:
    """The four hard ways on the hop, before every roll."""

    @strategy
    def play(t: Turn) -> None:
        for each in PAIRS:
            put(t, each, unit)

    return play


@entry("pass-hop-sevens", needs="pass hop.61 hop.52 hop.43")
def pass_hop_sevens(unit: int = 10, odds: int = 2, hop: int = 5) -> Strategy:
    """The pass line with odds, and the sevens on the hop against the seven-out."""

    @strategy
    def play(t: Turn) -> None:
        if t.coming_out:
            put(t, PASS, unit)
            return
        back_pass(t, odds)
        for each in SEVENS:
            put(t, each, hop)

    return play
