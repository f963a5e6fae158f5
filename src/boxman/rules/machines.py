"""Verdicts and prices joined into cells: the machine of each wager.

A machine has a row of cells for every puck. Shapes say what must be decided; prices and shares say
what a decision is worth; every cell gathers the clauses it rests on.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from boxman.dice import KINDS
from boxman.rules.book import Book
from boxman.rules.entries import ON, Entries
from boxman.rules.layout import Cell, Row, ShareRule, Spot
from boxman.rules.ledger import Cites, join
from boxman.rules.shapes import (
    COLLECTOR,
    COMPOSITE,
    FAMILIES,
    LINE,
    ONE_ROLL,
    RACE,
    Shape,
    family,
    number,
    with_number,
)


class Machines(Entries):
    """The facts of a rulebook, entered, and the machines they make."""

    def __init__(self, book: Book, given: Mapping[str, Any]) -> None:
        super().__init__(book, given)
        self.spots: dict[str, Spot] = {}
        self.results: dict[str, dict[int, dict[int, str]]] = {}

    def decide_rows(self, spot: str) -> None:
        """Read the verdicts of a spot and check that its shape is whole."""
        shape = FAMILIES[family(spot)]
        rows: dict[int, dict[int, str]] = {}
        for puck in self.pucks(spot, "any"):
            rows[puck] = {}
            for index, kind in enumerate(KINDS):
                answer = self.ledger.ask(("result", spot, puck, str(kind)))
                if answer is not None:
                    rows[puck][index] = answer.value
                elif shape.total or (
                    shape is LINE
                    and ((not puck and kind.total not in self.points) or kind.total in (puck, 7))
                ):
                    self.ledger.need(
                        ("result", spot, puck, str(kind)),
                        self.offered[spot].stated[0],
                        f'add a [[result]] fact for spot = "{spot}" that decides it',
                    )
        for puck, verdict in self._must(shape, rows):
            if verdict not in rows[puck].values():
                raise self.fail(
                    self.offered[spot].stated[0],
                    f"nothing says on which roll {spot} {verdict}s",
                    f'add a [[result]] fact for spot = "{spot}" with {verdict}',
                )
        if shape is not COLLECTOR and any("collect" in row.values() for row in rows.values()):
            raise self.fail(
                self.offered[spot].stated[0],
                f"{spot} does not collect numbers",
                "only small, tall and all collect; say win or lose",
            )
        self.results[spot] = rows

    @staticmethod
    def _must(shape: Shape, rows: Mapping[int, Any]) -> list[tuple[int, str]]:
        """What must be able to happen to a wager of this shape that no roll need decide."""
        if shape.name == "behind":
            return [(puck, verdict) for puck in rows if puck for verdict in ("win", "lose")]
        if shape is COLLECTOR:
            return [(ON, "collect"), (ON, "lose")]
        return [(ON, "win"), (ON, "lose")] if shape is RACE else []

    def _cites(self, spot: str, puck: int, index: int) -> Cites:
        answer = self.ledger.answers.get(("result", spot, puck, str(KINDS[index])))
        return answer.cites if answer else ()

    def principle(self, what: str) -> Cites:
        answer = self.ledger.ask(("principle", what))
        return answer.cites if answer else ()

    def share(self, spot: str) -> ShareRule | None:
        answer = self.ledger.ask(("share", spot))
        if FAMILIES[family(spot)] is not COMPOSITE:
            return None
        if answer is None:
            self.ledger.need(("share", spot), self.offered[spot].stated[0], "add a [[share]] fact")
        assert answer is not None
        parts, high, divide, split = answer.value
        units = [1] * len(parts)
        if high:
            chosen = next(
                (
                    index
                    for index, part in enumerate(parts)
                    if any(
                        cell and cell.verdict == "win" and kind.total == number(spot)
                        for kind, cell in zip(KINDS, self.spots[part].rows[0], strict=True)
                    )
                ),
                None,
            )
            if chosen is None:
                raise self.fail(
                    answer.stated[0],
                    f"no part of {spot} wins on its number",
                    "correct numbers or parts",
                )
            units[chosen] += high
        return ShareRule(
            parts=parts,
            units=tuple(units),
            divide=divide,
            named=split == "named",
            cites=answer.cites,
        )

    def rows(
        self, spot: str, share: ShareRule | None, works: tuple[Cites, Cites]
    ) -> tuple[dict[int, Row], dict[int, Row]]:
        shape = FAMILIES[family(spot)]
        rows: dict[int, Row] = {}
        stays: dict[int, Row] = {}
        for puck, verdicts in self.results[spot].items():
            after = works[1 if puck else 0]
            row: list[Cell | None] = [None] * len(KINDS)
            stay: list[Cell | None] = [None] * len(KINDS)
            for index, verdict in verdicts.items():
                cell = self._cell(spot, share, puck, index, verdict, after)
                if verdict in ("stay", "bar"):
                    stay[index] = cell
                else:
                    row[index] = cell
            rows[puck], stays[puck] = tuple(row), tuple(stay)
        if not shape.by_point:
            for point in self.points:
                rows[point], stays[point] = rows[ON], stays[ON]
            if ON not in self.points:
                del rows[ON], stays[ON]
        return rows, stays

    def _cell(
        self, spot: str, share: ShareRule | None, puck: int, index: int, verdict: str, after: Cites
    ) -> Cell:
        kind = KINDS[index]
        said = self._cites(spot, puck, index)
        if FAMILIES[family(spot)] in (ONE_ROLL, COMPOSITE):
            said = join(said, self.principle("one roll"))
        n = puck if FAMILIES[family(spot)].by_point and puck else number(spot)
        if verdict == "move":
            to = with_number(f"{spot}.*", kind.total)
            if to not in self.offered:
                raise self.fail(
                    self.offered[spot].stated[0],
                    f"{spot} moves to {to}, which is not offered",
                    f'offer spot = "{spot}.*" with that number',
                )
            return Cell(verdict=verdict, cites=join(said, after), said=said, to=to)
        if verdict == "bar":
            said = join(said, self.principle("stand-off"))
            return Cell(verdict=verdict, cites=said, said=said)
        if verdict == "stay":
            return Cell(verdict=verdict, cites=said, said=said)
        if share is not None:
            return self._composite_cell(spot, share, index, verdict, said, after)
        if verdict == "lose":
            return Cell(
                verdict=verdict, cites=join(said, after), said=said, lost=Fraction(1), num=-1
            )
        fact, ratio, priced = self.price(spot, n, kind.total)
        if ratio is None or fact.per != "stake":
            raise self.fail(
                self.offered[spot].stated[0], f"{spot} has no parts to be paid as", "give pays"
            )
        # A number collected is not yet paid: only the last one rests on the price.
        collected = said if verdict == "collect" else join(said, priced)
        said = join(said, priced)
        return Cell(
            verdict=verdict,
            cites=join(collected, after),
            said=said,
            win=ratio,
            num=ratio.numerator,
            den=ratio.denominator,
        )

    def _composite_cell(
        self, spot: str, share: ShareRule, index: int, verdict: str, said: Cites, after: Cites
    ) -> Cell:
        hits = [
            (part, unit, cell)
            for part, unit in zip(share.parts, share.units, strict=True)
            if (cell := self.spots[part].rows[0][index]) and cell.verdict == "win"
        ]
        if bool(hits) != (verdict == "win"):
            raise self.fail(
                self.offered[spot].stated[0],
                f"{spot} and its parts disagree on a roll of {KINDS[index]}",
                "correct the result of the wager or of its parts",
            )
        if not hits:
            return Cell(
                verdict="lose", cites=join(said, after), said=said, lost=Fraction(1), num=-1
            )
        fact, ratio, priced = self.price(spot, number(spot), KINDS[index].total)
        whole = sum(share.units)
        hit = sum(unit for _, unit, _ in hits)
        if fact.per == "stake":
            assert ratio is not None
            win, lost = ratio, Fraction(0)
        else:
            win = sum(
                (
                    Fraction(unit, whole) * (cell.win if ratio is None else ratio)
                    for _, unit, cell in hits
                ),
                Fraction(0),
            )
            lost = Fraction(whole - hit, whole)
            if ratio is None:
                priced = join(priced, *(self._part_price(p, index) for p, _, _ in hits))
        net = win - lost
        name = "win" if net > 0 else "push" if net == 0 else "lose"
        said = join(said, share.cites, priced)
        return Cell(
            verdict=name,
            cites=join(said, after),
            said=said,
            win=win,
            lost=lost,
            part=hits[0][0],
            num=net.numerator,
            den=net.denominator,
        )

    def _part_price(self, part: str, index: int) -> Cites:
        return self.price(part, number(part), KINDS[index].total)[2]
