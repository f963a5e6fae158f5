"""The closed vocabulary of facts about people and throws: who may do what, what voids a roll.

Stations are common words (stick, dealer, box, supervisor, senior, manager, inspector); what a house
calls them is a fact. A power that no fact gives is nobody's.
"""

from __future__ import annotations

from typing import Literal

from boxman.rules.facts import Fact

Station = Literal["stick", "dealer", "box", "supervisor", "senior", "manager", "inspector"]
STATIONS: tuple[str, ...] = Station.__args__  # type: ignore[attr-defined]
RANKS = {station: rank for rank, station in enumerate(STATIONS)}
"""In a chain of overruling, a station later in this list stands above an earlier one."""

Power = Literal["call roll", "no roll", "decide faces", "overrule", "void roll"]


class Role(Fact, frozen=True, kw_only=True):
    """What the house calls a station."""

    station: Station
    name: str
    aliases: list[str] = []


class May(Fact, frozen=True, kw_only=True):
    """Who may make a call, for which reason, and what it wants besides."""

    call: Power
    who: list[Station]
    reason: str = ""
    needs: list[Literal["person", "note"]] = []


class Cause(Fact, frozen=True, kw_only=True):
    """Something that may befall a throw, and whether it voids the roll.

    void: by itself, called or not; must: the crew has to call no roll; may: it is at the discretion
    of those who may call; never: no ground at all.
    """

    cause: str
    effect: Literal["void", "must", "may", "never"]
    who: list[Station] = []
    person: bool = False
    """The offender has to be named."""


class Timing(Fact, frozen=True, kw_only=True):
    """When a no roll is to be called, if possible; later it counts, and is marked late."""

    call: Literal["no roll"]
    before: Literal["rest"]


class Face(Fact, frozen=True, kw_only=True):
    """How a die that does not lie flat is read."""

    die: Literal["cocked"]
    reads: Literal["natural fall", "opposite face", "as decided"]


class Reversal(Fact, frozen=True, kw_only=True):
    """What becomes of wagers when a settled roll is taken back: as before it, or handed back."""

    reason: str
    wagers: Literal["restore", "return"]


DUTIES: dict[str, type[Fact]] = {
    "role": Role,
    "may": May,
    "cause": Cause,
    "timing": Timing,
    "face": Face,
    "reversal": Reversal,
}
