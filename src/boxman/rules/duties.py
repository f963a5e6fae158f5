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

Power = Literal[
    "call roll",
    "no roll",
    "decide faces",
    "overrule",
    "void roll",
    "offer dice",
    "order to pass",
]


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


class Order(Fact, frozen=True, kw_only=True):
    """To whom the dice are offered: first the player at the left of a station, then clockwise."""

    first: Literal["", "box", "stick"] = ""
    then: Literal["", "clockwise"] = ""
    later: Literal["", "line"] = ""
    """After the first shooter: only players with a wager that lets them throw."""


class Eligible(Fact, frozen=True, kw_only=True):
    """The wagers that let a player throw, when they are needed, and what follows without one."""

    spots: list[str] = []
    at: list[Literal["taking", "roll"]] = []
    lacking: Literal["", "refuse", "no roll", "ask"] = ""


class Shooter(Fact, frozen=True, kw_only=True):
    """What a shooter is, may and must."""

    rule: Literal[
        "one at a time",
        "takes the dice",
        "may pass after any roll",
        "may pass after a round",
        "keeps the dice",
        "passes on a seven-out",
        "next finishes the round",
    ]


class NoShooter(Fact, frozen=True, kw_only=True):
    """What follows when nobody will throw."""

    then: Literal["wait", "stick throws", "cancel point"]
    returns: list[str] = []
    """Spots whose wagers are handed back with a cancelled point."""


DUTIES: dict[str, type[Fact]] = {
    "role": Role,
    "may": May,
    "cause": Cause,
    "timing": Timing,
    "face": Face,
    "reversal": Reversal,
    "order": Order,
    "eligible": Eligible,
    "shooter": Shooter,
    "no_shooter": NoShooter,
}
