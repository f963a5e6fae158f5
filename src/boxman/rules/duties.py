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
    "close bets",
    "call roll",
    "no roll",
    "decide faces",
    "overrule",
    "void roll",
    "void round",
    "offer dice",
    "order to pass",
    "place for player",
    "exclude",
    "refuse wagers",
    "void wagers",
    "forfeit",
    "link partners",
    "post limits",
    "grant limits",
    "keep limits",
    "end kept limits",
    "close table",
    "decide dispute",
    "review dispute",
    "inspect dispute",
    "handle dice",
    "inspect dice",
    "check die",
    "allow old dice",
    "stand in",
    "vacate",
    "give back",
]
Need = Literal[
    "person",
    "note",
    "inspector told",
    "surveillance told",
    "no players",
    "all agree",
    "notice",
    "both figures",
    "full table",
    "idle",
    "repeated",
    "noted twice",
    "dispute",
]
"""What a power wants besides the right person: `repeated` is two no rolls of this shooter, `noted
twice` two records of the reason against the person, `dispute` an open dispute."""


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
    needs: list[Need] = []


class Cause(Fact, frozen=True, kw_only=True):
    """Something that may befall a throw, and whether it voids the roll.

    void: by itself, called or not, and a settled roll can be taken back for it; must: no total is
    taken and the crew has to call no roll; may: it is at the discretion of those who may call;
    never: no ground at all.
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
    """How a die that does not lie flat is read.

    natural fall: as it would lie without the obstacle; opposite face: the one opposite the face it
    rests on, which has to be named and is checked; as decided: never from the call alone.
    """

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


class Confirm(Fact, frozen=True, kw_only=True):
    """What counts only when staff confirm it aloud: who, one of them or all, until when."""

    what: Literal["late", "spoken", "on", "faces"]
    who: list[Station]
    need: Literal["any", "all"]
    until: Literal["", "throw", "rest"] = ""


class Record(Fact, frozen=True, kw_only=True):
    """Something staff note about a person or the table; it can be asked for later."""

    what: str
    who: list[Station]
    person: bool = False


class NoticeTime(Fact, frozen=True, kw_only=True):
    """How long a sign has to be shown before a change binds."""

    of: Literal["minimum up", "limits", "closing"]
    minutes: int


class Favour(Fact, frozen=True, kw_only=True):
    """How long players may keep the old minimum after a change, and what ends it."""

    minutes: int = 0
    stick_change_after: int = 0
    """Minutes after which the first change of stickperson ends it."""
    leaving: bool = False
    wagering: bool = False
    """Only for somebody with a wager up at the change."""


class Closing(Fact, frozen=True, kw_only=True):
    """What becomes of wagers still up when the table closes."""

    wagers: Literal["return"]


class Dice(Fact, frozen=True, kw_only=True):
    """The set of dice: how many, who inspects it, what a lost die leads to."""

    set: int = 0
    """How many are at the table, those in play and those in the bowl."""
    throw: int = 0
    """How many are thrown."""
    inspected: list[Station] = []
    """All of these, each a different person, before the first throw."""
    lost: int = 0
    """How many dice may be lost before a new set is due."""
    renew: Literal["", "at once", "when the shooter ends"] = ""
    original: Literal["", "after a check"] = ""
    recovered: Literal["", "bowl", "held"] = ""
    """Where a checked die goes if nobody asked for it."""


class Crew(Fact, frozen=True, kw_only=True):
    """The crew an open table needs, for one side or both, and who may have it opened so."""

    sides: int
    stick: int
    dealer: int
    box: int
    who: list[Station] = []


class Centre(Fact, frozen=True, kw_only=True):
    """The spots in the middle of the layout, which players cannot reach."""

    spots: list[str]


class Fixed(Fact, frozen=True, kw_only=True):
    """A setting that is chosen when a table opens and holds until it closes."""

    setting: str


class Voucher(Fact, frozen=True, kw_only=True):
    """What a promotional voucher is good for."""

    rule: Literal["one wager", "forfeited", "paid in chips", "any area", "with chips"]


class Dispute(Fact, frozen=True, kw_only=True):
    """What a complainant is told, and what the route is."""

    rule: Literal["told of the inspector", "kept on record"]


class Sign(Fact, frozen=True, kw_only=True):
    """What players must be shown."""

    shows: str
    text: str


class Advice(Fact, frozen=True, kw_only=True):
    """Whether screens may give players advice and statistics at a live table."""

    allowed: bool


class Idle(Fact, frozen=True, kw_only=True):
    """How many rounds a player at a full table may go without a wager."""

    rounds: int


class Conduct(Fact, frozen=True, kw_only=True):
    """A rule of conduct the engine keeps by itself."""

    rule: Literal["hands off until settled", "against the house", "player answers for placing"]


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
    "confirm": Confirm,
    "record": Record,
    "notice": NoticeTime,
    "favour": Favour,
    "closing": Closing,
    "dice": Dice,
    "crew": Crew,
    "centre": Centre,
    "fixed": Fixed,
    "voucher": Voucher,
    "dispute": Dispute,
    "sign": Sign,
    "advice": Advice,
    "idle": Idle,
    "conduct": Conduct,
}
