"""The closed vocabulary of facts a rulebook may state about money.

A fact is a small record under a clause. It cites the clause it stands under. What each kind means
is in docs/rulebook-format.md; what the compiler makes of it is in compile.py. Unknown keys and
unknown values are errors: a misspelt fact may never be silently ignored.
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

Spots = str | list[str]
Puck = Literal["off", "on", "any"]
LayoutAct = Literal["make", "raise", "reduce", "remove"]
Way = Literal["hard", "easy", "any hard", "any easy"]
Faces = (
    Literal["1-1", "2-1", "2-2", "3-1", "3-2", "3-3", "4-1", "4-2", "4-3", "4-4", "5-1"]
    | Literal["5-2", "5-3", "5-4", "5-5", "6-1", "6-2", "6-3", "6-4", "6-5", "6-6"]
)
Wins = int | Way | Faces
Outcome = int | Literal["point", "number"] | Way | Literal["other"] | Faces


class Fact(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every fact may carry: for which settings it holds, and which clause it overrides."""

    when: dict[str, list[object]] = {}
    despite: str = ""


class Offer(Fact, frozen=True, kw_only=True):
    """The house offers a spot, or one spot for each of several numbers."""

    spot: str
    name: str
    numbers: list[int] = []
    aliases: list[str] = []


class FamilyFact(Fact, frozen=True, kw_only=True):
    """A kind of wager that only this rulebook has: its id, and the shape of its machine."""

    id: str
    shape: Literal[
        "one-roll",
        "line",
        "number race",
        "composite",
        "collector",
        "point collector",
    ]
    numbers: Literal["", "faces"] = ""
    heading: str = ""
    place: Literal["", "one roll", "several", "hardways", "more"] = ""
    short: str = ""


class Listed(Fact, frozen=True, kw_only=True):
    """Nothing but the wagers offered in this rulebook may be made."""

    only: Literal[True]


class Area(Fact, frozen=True, kw_only=True):
    """A label on the cloth under which a spot can be named."""

    spot: Spots
    label: str


class Principle(Fact, frozen=True, kw_only=True):
    """A rule of the game that every table here keeps; stated so that rulings can cite it."""

    what: Literal[
        "total",
        "one face",
        "valid roll",
        "settle at once",
        "settle before next roll",
        "stand-off",
        "chips",
        "area",
        "no roll",
        "several wagers",
        "opposite wagers",
        "one roll",
        "play starts",
        "payable before posted",
        "maximum when settled",
        "limits when made",
        "units shown",
        "silence",
        "chips only",
        "ground binds",
        "odds to",
        "uniform prices",
    ]


class PuckMoves(Fact, frozen=True, kw_only=True):
    """What a roll does to the puck."""

    point: list[int] = []
    no_point: list[int] = []
    made: bool = False
    seven_out: bool = False


class ResultFact(Fact, frozen=True, kw_only=True):
    """What a roll does to a wager that is working."""

    spot: Spots
    puck: Puck = "any"
    win: list[Outcome] = []
    lose: list[Outcome] = []
    push: list[Outcome] = []
    stay: list[Outcome] = []
    move: list[Outcome] = []
    collect: list[Outcome] = []
    clear: list[Outcome] = []


class PriceFact(Fact, frozen=True, kw_only=True):
    """What a winning wager is paid."""

    spot: Spots
    pays: str = ""
    number: list[int] = []
    puck: Puck = "any"
    on: list[Wins] = []
    per: Literal["stake", "part", "separate"] = "stake"
    collected: list[int] = []
    stays_up: bool = False
    """Paid as soon as so much has come; stake and memory stay up for more."""
    same: str = ""
    """A wager whose price on that number this one always has, also where the house pays more."""


class Collect(Fact, frozen=True, kw_only=True):
    """How a collecting wager counts: each thing so often, or whatever comes, so often in all; how
    many of them are enough; and whether only what comes in a row counts."""

    spot: Spots
    number: list[int] = []
    times: int = 0
    together: bool = False
    enough: int = 0
    in_a_row: bool = False


class Share(Fact, frozen=True, kw_only=True):
    """A wager that is several wagers at once, and how the stake divides."""

    spot: Spots
    parts: list[str]
    high: int = 0
    divide: Literal["equal", "exact"]
    split: Literal["fixed", "named"] = "fixed"


class BehindFact(Fact, frozen=True, kw_only=True):
    """Odds behind another wager: what they stand behind and how large they may be."""

    spot: Spots
    flat: str = ""
    measure: Literal["", "stake", "win"] = ""
    times: int | str = ""
    number: list[int] = []
    excess: Literal["", "payable"] = ""
    lift: str = ""
    asleep: Literal["", "return"] = ""


class Window(Fact, frozen=True, kw_only=True):
    """With which puck a wager may be made, raised, reduced or removed."""

    spot: Spots
    act: list[LayoutAct]
    puck: Literal["off", "on", "any", "never"]
    bars: bool = False
    """The clause only forbids: it carries a refusal, and gives no leave."""


class Betting(Fact, frozen=True, kw_only=True):
    """At which moment of a throw acts on the layout come to an end."""

    act: list[Literal[LayoutAct, "mark"]]
    closes: Literal["", "call", "throw", "rest"] | str = ""
    rest: bool = False
    """The clause speaks of dice that lie still, by when it is over in any case."""


class Working(Fact, frozen=True, kw_only=True):
    """Whether a wager works, if nobody called it on or off."""

    spot: Spots
    puck: Literal["off", "on"]
    works: bool


class Marker(Fact, frozen=True, kw_only=True):
    """Whether a player may call a wager on or off, for which wagers the call counts, how long."""

    spot: Spots
    call: list[Literal["on", "off"]]
    allow: bool = True
    puck: Literal["", "off", "on", "any"] = ""
    scope: Literal["", "wager", "similar"] = ""
    lasts: Literal["", "come-out", "puck", "throw", "wager"] = ""


class Limit(Fact, frozen=True, kw_only=True):
    """A bound on stakes that the house posts, and what happens to a wager outside it."""

    bound: Literal["minimum", "maximum", "multiple", "unit"]
    breach: Literal["refuse", "warn"]


class Recognise(Fact, frozen=True, kw_only=True):
    """How much of a stake counts when one outside the limits is found in play."""

    case: Literal["under minimum", "over maximum", "not a multiple"]
    time: Literal["first", "later", "any"] = "any"
    treat: Literal["settle", "return", "maximum", "lower multiple", "refuse"]


class Round(Fact, frozen=True, kw_only=True):
    """What happens to a sum that chips cannot pay: up, down, exact (refused at placement)."""

    what: Literal["win", "fee"]
    way: str


class Fee(Fact, frozen=True, kw_only=True):
    """A charge on a wager."""

    spot: Spots = []
    percent: int | str | None = None
    base: str = ""
    charged: str = ""
    refund: str = ""
    only: list[str] = []


class Gate(Fact, frozen=True, kw_only=True):
    """Until when a collecting wager may be joined, and which wagers share that gate."""

    spot: Spots
    group: str = ""
    until: str = ""


class SettingFact(Fact, frozen=True, kw_only=True):
    """Something the house may choose, with its bounds."""

    name: str
    type: Literal["whole", "times", "choice", "flag", "price", "sign"]
    text: str
    default: object = None
    least: int | None = None
    most: int | None = None
    choices: list[object] = []
    who: tuple[str, ...] = ()
    """Stations that choose it; anybody of the house where a clause names nobody."""


class Again(Fact, frozen=True, kw_only=True):
    """Spots whose winner may stay up, asked or not: the same wager is made again at once."""

    spot: Spots
    unasked: bool | str = False


MONEY: dict[str, type[Fact]] = {
    "offer": Offer,
    "family": FamilyFact,
    "listed": Listed,
    "area": Area,
    "principle": Principle,
    "puck": PuckMoves,
    "result": ResultFact,
    "price": PriceFact,
    "collect": Collect,
    "share": Share,
    "behind": BehindFact,
    "window": Window,
    "betting": Betting,
    "working": Working,
    "marker": Marker,
    "limit": Limit,
    "recognise": Recognise,
    "round": Round,
    "fee": Fee,
    "gate": Gate,
    "setting": SettingFact,
    "again": Again,
}


VERDICTS = {
    "win": "win",
    "lose": "lose",
    "push": "bar",
    "stay": "stay",
    "move": "move",
    "collect": "collect",
    "clear": "clear",
}
"""The lists of a result fact, and the verdict each gives."""


def faces_of(outcome: object) -> tuple[int, int] | None:
    """The faces an outcome names, if it does."""
    if isinstance(outcome, str) and re.fullmatch("[1-6]-[1-6]", outcome):
        return int(outcome[0]), int(outcome[2])
    return None


def tells_faces(fact: Fact) -> bool:
    """Whether a fact makes a house tell rolls of one total apart by their faces."""
    if isinstance(fact, PriceFact):
        return any(map(faces_of, fact.on))
    if isinstance(fact, ResultFact):
        named = (getattr(fact, field) for field in VERDICTS)
        return any(faces_of(outcome) for outcomes in named for outcome in outcomes)
    return isinstance(fact, FamilyFact) and fact.numbers == "faces"
