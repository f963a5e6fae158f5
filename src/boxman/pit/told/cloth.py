"""Where everything lies on the cloth, as data for the page: the one table of print and hit boxes.

The cloth is rows from top to bottom and, beside them, a block of propositions. A row takes the
spots whose family has one of its places; a row of `numbers` takes them number by number. Every row
has a least height for a mouse and for a finger, a share of the height that is left, and an order
of leaving: while not all fit, rows leave for the further pages of the cloth, the lowest number
first; 0 stays. What a house does not offer is left out (`felt/plan.js`). Sizes only: which wager
lies in which place is in `rules/families.py`.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict, Unpack

from boxman.dice import BY_FACES, BY_TOTAL, ROLLS
from boxman.rules.cell import kinds_of
from boxman.rules.families import MORE
from boxman.rules.layout import PUCK_OFF, Spot

Node = dict[str, object]
Least = tuple[int, int]


class _More(TypedDict, total=False):
    """What only some rows have."""

    numbers: bool
    dark: bool
    caption: str
    """The place whose one spot stands where the row's caption would."""
    before: list[str]
    """Places whose spots stand at the row's left end."""
    end: str
    """The place that moves into the end of the line where it has no row of its own."""


class ClothRow(_More):
    """A row of the layout itself."""

    kind: str
    least: Least
    share: float
    leaves: int
    at: tuple[str, ...]


class ClothProps(TypedDict):
    """A row of the propositions."""

    at: str
    across: int
    """At most so many side by side."""
    share: float
    tone: NotRequired[str]
    order: NotRequired[list[str]]


def _row(
    kind: str, least: Least, share: float, leaves: int, *at: str, **more: Unpack[_More]
) -> ClothRow:
    return {"kind": kind, "least": least, "share": share, "leaves": leaves, "at": at, **more}


CLOTH_ROWS: list[ClothRow] = [
    _row("bonus", (56, 74), 0.9, 6, "bonus"),
    _row("cell", (25, 44), 0.55, 2, "box lay", numbers=True, dark=True),
    _row("cell", (25, 44), 0.55, 1, "box lose", numbers=True, dark=True),
    _row(
        *("cell", (29, 44), 0.65, 4, "box don't", "box don't odds"),
        numbers=True,
        dark=True,
        caption="don't come",
    ),
    _row("number", (60, 66), 2.3, 0, "box come", "box come odds", numbers=True),
    _row("cell", (34, 44), 1.3, 0, "box place", numbers=True),
    _row("cell", (26, 44), 0.75, 3, "box buy", numbers=True),
    _row("title", (40, 46), 1.1, 0, "come", before=["don't come"]),
    _row("field", (46, 48), 1.05, 0, "field", before=["big"]),
    _row("line", (30, 44), 0.75, 0, "don't pass", end="don't pass odds"),
    _row("line", (38, 46), 1.05, 0, "pass", end="pass odds"),
    _row("behind", (28, 44), 0.6, 5, "pass odds"),
]
"""The layout itself."""

CLOTH_PROPS: list[ClothProps] = [
    {"at": "any seven", "across": 1, "share": 0.85, "tone": "red"},
    {"at": "hardways", "across": 2, "share": 1.35, "order": ["hard.6", "hard.10", "hard.8"]},
    {"at": "any hard", "across": 1, "share": 0.85},
    {"at": "one roll", "across": 2, "share": 1.35, "order": ["two", "twelve", "three"]},
    {"at": "any craps", "across": 1, "share": 0.85},
    {"at": "several", "across": 3, "share": 0.85},
    {"at": "high", "across": 4, "share": 0.85},
    {"at": MORE, "across": 3, "share": 0.85},
]
"""The propositions, from top to bottom."""

FRAME: Node = {"rows": CLOTH_ROWS, "props": CLOTH_PROPS, "more": MORE}


def areas() -> set[str]:
    """Every place of the cloth."""
    found = {each["at"] for each in CLOTH_PROPS}
    for row in CLOTH_ROWS:
        found |= {*row["at"], *row.get("before", ()), row.get("caption", ""), row.get("end", "")}
    return found - {""}


def lies(spot: Spot) -> Node:
    """Where a spot lies and what is drawn on it besides its name."""
    data: Node = {"place": spot.kind.place, "heading": spot.kind.heading}
    if spot.kind.short:
        data["short"] = spot.kind.short
    told = BY_FACES if len(spot.rows[PUCK_OFF]) == len(BY_FACES.kinds) else BY_TOTAL
    won = [
        index
        for index, cell in enumerate(spot.rows[PUCK_OFF])
        if cell is not None and cell.verdict == "win"
    ]
    if len(won) == 1 and told.kinds[won[0]].ways <= 2:
        # It wins by one pair of faces: they are drawn.
        data["dice"] = list(next(roll for roll in ROLLS if told.index(roll) == won[0]))
    return data


def barred(spot: Spot) -> list[int]:
    """Totals on which a line or travelling wager neither wins nor loses when it is young."""
    if not spot.shape.flat:
        return []
    cells = zip(
        kinds_of(spot.rows[PUCK_OFF]), spot.rows[PUCK_OFF], spot.stays[PUCK_OFF], strict=True
    )
    idle = ("bar", "push")
    return sorted({k.total for k, *both in cells if any(c and c.verdict in idle for c in both)})
