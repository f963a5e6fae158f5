"""The closed vocabulary of facts about people and throws: who may do what, what voids a roll.

Stations are common words (stick, dealer, box, supervisor, senior, manager, inspector); what a house
calls them is a fact. A power that no fact gives is nobody's.
"""

from __future__ import annotations

from typing import Literal

from boxman.rules.facts import Fact

AnyStation = Literal["stick", "dealer", "box", "supervisor", "senior", "manager", "inspector"]
STATIONS: tuple[str, ...] = AnyStation.__args__  # type: ignore[attr-defined]
RANKS = {station: rank for rank, station in enumerate(STATIONS)}
"""In a chain of overruling, a station later in this list stands above an earlier one."""

PowerName = Literal[
    "close bets",
    "call roll",
    "no roll",
    "decide faces",
    "overrule",
    "void roll",
    "void round",
    "offer dice",
    "cancel point",
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
    "player or dealer",
    "note",
    "inspector told",
    "surveillance told",
    "no players",
    "all agree",
    "notice",
    "both figures",
    "above maximum",
    "full table",
    "idle",
    "repeated",
    "noted",
    "noted twice",
    "dispute",
    "asked",
    "removable",
]
"""What a power wants besides the right person: `repeated` is two no rolls of this shooter, `noted`
and `noted twice` one record or two of the reason against the person, `dispute` an open dispute,
`asked` that the one whose dispute it is has asked for it, `removable` a wager that its owner could
take down."""


Awaited = Literal["late", "spoken", "on"]
"""What may wait for a confirmation."""


class Role(Fact, frozen=True, kw_only=True):
    """What the house calls a station."""

    station: AnyStation
    name: str
    aliases: tuple[str, ...] = ()
    defines: bool = False
    """The clause says who that is; one that only happens to name the station does not."""


class May(Fact, frozen=True, kw_only=True):
    """Who may make a call, for which reason, and what it wants besides."""

    call: PowerName
    who: tuple[AnyStation, ...] = ()
    """Nobody where the clause only says what the power wants."""
    reason: str = ""
    needs: tuple[Need, ...] = ()
    kind: str = ""
    """What other houses call the reason, where the text has a word of its own for it."""
    defines: bool = False
    """The clause does not give the power, but says who is one of those to whom it is given."""


class CauseFact(Fact, frozen=True, kw_only=True):
    """Something that may befall a throw, and whether it voids the roll.

    void: by itself, called or not, and a settled roll can be taken back for it; must: no total is
    taken and the crew has to call no roll; may: it is at the discretion of those who may call;
    never: no ground at all.
    """

    cause: str
    effect: Literal["void", "must", "may", "never"]
    who: tuple[AnyStation, ...] = ()
    person: bool = False
    """The offender has to be named."""
    whose: Literal["", "other", "player", "no line", "judged"] = ""
    """Whose doing it is, where not the shooter's: somebody else's, some player's; or that the
    shooter has no line wager, which the table knows; or that it is what somebody judges at the
    throw, and no fact that comes to light later."""
    kind: tuple[str, ...] = ()
    """What other houses call it, where the text has a word of its own or joins several."""


class Timing(Fact, frozen=True, kw_only=True):
    """When a no roll is to be called, if possible; later it counts, and is marked late."""

    call: Literal["no roll"]
    before: Literal["rest"]
    void: bool = False
    """Also where the throw is void by itself."""


class FaceFact(Fact, frozen=True, kw_only=True):
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


class ConfirmFact(Fact, frozen=True, kw_only=True):
    """What counts only when staff confirm it aloud: who, one of them or all, until when."""

    what: Awaited
    who: tuple[AnyStation, ...] = ()
    need: Literal["", "any", "all"] = ""
    until: Literal["", "throw", "landing", "rest"] = ""


class RecordFact(Fact, frozen=True, kw_only=True):
    """Something staff note about a person or the table; it can be asked for later."""

    what: str
    who: tuple[AnyStation, ...]
    person: bool = False


class NoticeTime(Fact, frozen=True, kw_only=True):
    """How long a sign has to be shown before a change binds."""

    of: Literal["minimum up", "minimum up at an empty table", "unit up", "limits", "closing"]
    minutes: int


class Closing(Fact, frozen=True, kw_only=True):
    """What becomes of wagers still up when the table closes."""

    wagers: Literal["return"]


class CrewFact(Fact, frozen=True, kw_only=True):
    """The crew an open table needs, for one side or both, and who may have it opened so."""

    sides: int
    stick: int
    dealer: int
    box: int
    who: tuple[AnyStation, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """How many work at each station that is counted."""
        return {station: getattr(self, station) for station in COUNTED}


COUNTED = ("stick", "dealer", "box")
"""The stations of a crew of which there may be several, or none."""


class Centre(Fact, frozen=True, kw_only=True):
    """The spots in the middle of the layout, which players cannot reach."""

    spots: tuple[str, ...]


class Fixed(Fact, frozen=True, kw_only=True):
    """A setting that is chosen when a table opens and holds until it closes."""

    setting: str


class Sign(Fact, frozen=True, kw_only=True):
    """What players must be shown."""

    shows: str
    text: str


Handled = Literal["stakes", "lost die", "old dice", "miscall"]
"""What is done with things, and not what they are."""


class Equipment(Fact, frozen=True, kw_only=True):
    """What a thing at the table is or has, or what is done with it that no call says; no ruling
    depends on it, and people compare it."""

    what: Literal["table", "cloth", "die", "set", "tools", "marker", "sign"] | Handled
    has: tuple[str, ...]
    may: bool = False
    """It may be there; else it has to be."""


class Advice(Fact, frozen=True, kw_only=True):
    """Whether screens may give players advice and statistics at a live table."""

    allowed: bool


class Idle(Fact, frozen=True, kw_only=True):
    """How many rounds a player at a full table may go without a wager."""

    rounds: int
