"""The line and come wagers: pass, don't pass, molly and dolly, with odds taken or laid."""

from __future__ import annotations

from boxman.strategy.api import Strategy, strategy
from boxman.strategy.library.catalogue import CRAPSSIM, entry
from boxman.strategy.library.felt import (
    back_comes,
    back_pass,
    lay_dont,
    lay_dont_comes,
    put,
)
from boxman.strategy.spots import COME, DONT_COME, DONT_PASS, PASS
from boxman.strategy.view import Turn

WIZARD_DOLLY = "Michael Shackleford, Three Point Dolly, wizardofodds.com/gambling/three-point-dolly"


@entry("pass", needs="pass")
def pass_line(unit: int = 10) -> Strategy:
    """The pass line, every come-out."""

    @strategy
    def play(t: Turn) -> None:
        if t.coming_out:
            put(t, PASS, unit)

    return play


@entry("pass-odds", needs="pass")
def pass_odds(unit: int = 10, odds: int = 2) -> Strategy:
    """The pass line, with odds of a multiple of it once there is a point."""

    @strategy
    def play(t: Turn) -> None:
        if t.coming_out:
            put(t, PASS, unit)
        else:
            back_pass(t, odds)

    return play


@entry("pass-max-odds", needs="pass")
def pass_max_odds(unit: int = 10) -> Strategy:
    """The pass line, with the most odds the house allows."""

    @strategy
    def play(t: Turn) -> None:
        if t.coming_out:
            put(t, PASS, unit)
        else:
            t.odds_max()

    return play


@entry("dont", needs="dont_pass")
def dont(unit: int = 10) -> Strategy:
    """Don't pass, every come-out."""

    @strategy
    def play(t: Turn) -> None:
        if t.coming_out:
            put(t, DONT_PASS, unit)

    return play


@entry("dont-lay", needs="dont_pass")
def dont_lay(unit: int = 10, odds: int = 2) -> Strategy:
    """Don't pass, with odds of a multiple of it laid once there is a point."""

    @strategy
    def play(t: Turn) -> None:
        if t.coming_out:
            put(t, DONT_PASS, unit)
        else:
            lay_dont(t, odds)

    return play


@entry("molly", source=CRAPSSIM, needs="pass")
def molly(unit: int = 10, odds: int = 2, comes: int = 2) -> Strategy:
    """Three-point molly: the pass line and up to two comes, all with odds."""

    @strategy
    def play(t: Turn) -> None:
        if t.coming_out:
            put(t, PASS, unit)
        elif t.count(COME) < comes:
            put(t, COME, unit)
        back_pass(t, odds)
        back_comes(t, odds)

    return play


@entry("dolly", source=WIZARD_DOLLY, needs="dont_pass")
def dolly(unit: int = 10, odds: int = 2, comes: int = 2) -> Strategy:
    """Three-point dolly: don't pass and up to two don't comes, odds laid behind all of them."""

    @strategy
    def play(t: Turn) -> None:
        if t.coming_out:
            put(t, DONT_PASS, unit)
        elif t.count(DONT_COME) < comes:
            put(t, DONT_COME, unit)
        lay_dont(t, odds)
        lay_dont_comes(t, odds)

    return play
