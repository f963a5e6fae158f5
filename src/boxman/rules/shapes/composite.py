"""Several one-roll wagers at once, as shares of one stake: horn, world, C and E."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from boxman.rules.cell import ZERO, Cell
from boxman.rules.ids import number
from boxman.rules.ledger import Cites, join
from boxman.rules.shapes.shape import Shape, lost

if TYPE_CHECKING:
    from boxman.rules.machines import Machines


class Composite(Shape):
    """Its parts are netted first; the house then rounds once."""

    total = True
    one_roll = True
    composed = True

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
        share = made.share(spot)
        hits = [
            (part, unit, cell)
            for part, unit in zip(share.parts, share.units, strict=True)
            if (cell := made.part_cell(part, puck, index)) and cell.verdict == "win"
        ]
        if bool(hits) != (verdict == "win"):
            raise made.fail(
                made.offered[spot].stated[0],
                "and-its-parts-disagree-on",
                spot=spot,
                kinds=made.rolls.kinds[index],
            )
        if not hits:
            return lost(said, after)
        fact, ratio, priced = made.price(spot, number(spot), index, puck)
        whole = sum(share.units)
        gone = ZERO
        if fact.per == "stake":
            assert ratio is not None
            win = ratio
        else:
            earned = (
                Fraction(unit, whole) * (cell.win if ratio is None else ratio)
                for _, unit, cell in hits
            )
            win = sum(earned, ZERO)
            gone = Fraction(whole - sum(unit for _, unit, _ in hits), whole)
            if ratio is None:
                parts = [made.price(p, number(p), index, puck)[2] for p, _, _ in hits]
                priced = join(priced, *parts)
        net = win - gone
        said = join(said, share.cites, priced)
        return Cell(
            verdict="win" if net > 0 else "push" if net == 0 else "lose",
            cites=join(said, after),
            said=said,
            num=net.numerator,
            den=net.denominator,
            lost=gone,
            part=hits[0][0],
        )


COMPOSITE = Composite("composite")
