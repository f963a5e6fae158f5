"""What a shape is: the behaviour of a kind of wager, without house, clause or amount.

A shape says what the facts of its wagers must cover, how facts become cells, and what a roll makes
of a wager: `step`. A wager may have a memory, one whole number that belongs to the table (what was
collected, how often); it is 0 for nearly all. Table, odds, simulations and pages call `step` and
know no shape by its name.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

from boxman.dice import Kind
from boxman.rules.cell import WHOLE, Cell
from boxman.rules.ledger import Cites, join

if TYPE_CHECKING:
    from boxman.rules.layout import Spot
    from boxman.rules.machines import Machines

ANY_POINT = 1
"""Stands for every point where the puck's number does not matter."""


SHAPES: dict[str, Shape] = {}
"""Every shape by its name; the first of a name is the one a rulebook means."""


class Shape:
    """The behaviour of one kind of wager; this one decides by the roll and the puck alone."""

    by_point = False
    """It reads the puck's number, so its cells differ from point to point."""
    total = False
    """Every roll must be decided by its facts."""
    one_roll = False
    """It lasts one roll."""
    composed = False
    """It is several other wagers at once, named by a share fact."""
    flat = False
    """It comes to have a number and may then take odds."""
    travels = False
    """A roll may carry it to a number."""
    odds = False
    """It stands behind another wager."""
    remembers = False
    """What it has come to is kept by the table, for everybody who has made it."""

    def __init__(self, name: str) -> None:
        self.name = name
        SHAPES.setdefault(name, self)

    def __repr__(self) -> str:
        return f"<Shape {self.name}>"

    @property
    def by_cells(self) -> bool:
        """Whether its cells, and what it collects, say all that a roll does to it."""
        return type(self).step is Shape.step

    # -- what the facts must cover -----------------------------------------------------------

    def open(self, puck: int, kind: Kind, points: tuple[int, ...]) -> bool:
        """Whether the rulebook must say what this roll does to it."""
        return self.total

    def must(self, pucks: Iterable[int]) -> list[tuple[int, str]]:
        """What must be able to happen, with which puck."""
        return []

    # -- facts into cells --------------------------------------------------------------------

    def cell(
        self,
        made: Machines,
        spot: str,
        puck: int,
        index: int,
        verdict: str,
        said: Cites,
        after: Cites,
    ) -> Cell:
        """The cell of a roll that wins or loses; `after` are the clauses that say it works."""
        if verdict == "lose":
            return lost(said, after)
        ratio, priced = made.price_of(spot, puck, index)
        said = join(said, priced)
        num, den = ratio.as_integer_ratio()
        return Cell(verdict=verdict, cites=join(said, after), said=said, num=num, den=den)

    # -- play ----------------------------------------------------------------------------------

    def step(self, spot: Spot, puck: int, memory: int, kind: int) -> tuple[int, Cell | None]:
        """The memory after a kind of roll, and the cell that decides; None where it stands."""
        return memory, spot.rows[puck][kind]


def lost(said: Cites, after: Cites) -> Cell:
    """The whole stake is gone."""
    return Cell(verdict="lose", cites=join(said, after), said=said, num=-1, lost=WHOLE)


def won(cell: Cell, ratio: Fraction, priced: Cites = (), *, stays_up: bool = False) -> Cell:
    """A wager paid by its memory: the roll's clauses and those of its price; 0 hands it back."""
    said = join(cell.said, priced)
    num, den = ratio.as_integer_ratio()
    return Cell(
        verdict="win" if num else "push",
        cites=join(said, cell.cites),
        said=said,
        num=num,
        den=den,
        stays_up=stays_up,
    )
