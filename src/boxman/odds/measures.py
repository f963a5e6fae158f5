"""What is said of a wager: chances, edge, time, spread, and its price against the true odds.

`Figures` are the numbers of one chain from one start. All are exact fractions per unit of stake;
an edge above zero favours the house. Win, lose and push go by the sign of the net of the whole
wager, commission included.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import zip_longest
from math import sqrt

import msgspec

from boxman.chips import format_ratio
from boxman.dice import Kind
from boxman.odds.chain import Chain, End, S
from boxman.rules.cell import Cell
from boxman.rules.layout import PUCK_OFF, Layout, Spot
from boxman.rules.ledger import Cites, join
from boxman.words import phrase, say

ZERO = Fraction(0)


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of one wager from one start."""

    win: Fraction
    lose: Fraction
    push: Fraction
    returned: Fraction
    """The part of `push` in which sleeping odds are handed back."""
    edge: Fraction
    edge_with_commission: Fraction
    """The same loss per unit of stake and commission together."""
    staked: Fraction
    """Expected units put down in all; 1 but for wagers that grow."""
    rolls: Fraction
    """Expected rolls at risk: those on which it works."""
    rolls_at_table: Fraction
    """Expected rolls until it is over, asleep or not."""
    variance: Fraction
    net: dict[Fraction, Fraction]
    """The distribution of the net."""
    ends: dict[End, Fraction]
    """The same by how it ends, with what was paid before."""

    @property
    def deviation(self) -> float:
        """The standard deviation of the net."""
        return sqrt(self.variance)

    @property
    def edge_per_roll(self) -> Fraction:
        """The edge for each roll at risk."""
        return self.edge / self.rolls


def figures(chain: Chain[S], fee: Fraction = ZERO, start: Mapping[S, int] | None = None) -> Figures:
    """Read the numbers off a solved chain; `fee` is the commission put down with the stake."""
    outlook = chain.outlook(start)
    net: dict[Fraction, Fraction] = {}
    staked = mean = returned = ZERO
    for end, chance in outlook.ends.items():
        net[end.net] = net.get(end.net, ZERO) + chance
        mean += end.net * chance
        staked += end.staked * chance
        returned += chance if end.returned else 0
    return Figures(
        **_signs(net),
        returned=returned,
        edge=-mean / staked,
        edge_with_commission=-mean / (staked + fee),
        staked=staked,
        rolls=outlook.rolls_at_risk,
        rolls_at_table=outlook.rolls,
        variance=_square(net) - mean * mean,
        net=dict(sorted(net.items(), reverse=True)),
        ends=outlook.ends,
    )


def revalued(numbers: Figures, worth: Callable[[End], Fraction], fee: Fraction = ZERO) -> Figures:
    """The same wager with every end changed to what it is worth: time and chances stay."""
    net: dict[Fraction, Fraction] = {}
    for end, chance in numbers.ends.items():
        gain = worth(end)
        net[gain] = net.get(gain, ZERO) + chance
    mean = sum((gain * chance for gain, chance in net.items()), ZERO)
    return msgspec.structs.replace(
        numbers,
        **_signs(net),
        edge=-mean / numbers.staked,
        edge_with_commission=-mean / (numbers.staked + fee),
        variance=_square(net) - mean * mean,
        net=dict(sorted(net.items(), reverse=True)),
    )


def _signs(net: dict[Fraction, Fraction]) -> dict[str, Fraction]:
    """Win, lose and push by the sign of the net."""
    return {
        "win": sum((chance for gain, chance in net.items() if gain > 0), ZERO),
        "lose": sum((chance for gain, chance in net.items() if gain < 0), ZERO),
        "push": net.get(ZERO, ZERO),
    }


def _square(net: dict[Fraction, Fraction]) -> Fraction:
    return sum((gain * gain * chance for gain, chance in net.items()), ZERO)


class Price(msgspec.Struct, frozen=True):
    """What a wager pays, before commission, and what would be fair."""

    pays: tuple[tuple[Fraction, tuple[int, ...]], ...]
    """Each price with the totals that earn it, or how much has to be collected; the best first."""
    true: Fraction | None
    """Chances to lose for each chance to win; None if it cannot win."""
    collected: str = ""
    """What is paid by how much was collected, in words."""
    sides: tuple[str, ...] = ()
    """With which puck each price is paid, where one total has several."""
    rolls: tuple[tuple[str, ...], ...] = ()
    """The rolls that earn each price, where not all rolls of a total do."""
    printed: str = ""
    """A single price as the document writes it."""
    on_the_way: str = ""
    """What is paid before it is over, in words."""

    @property
    def pays_text(self) -> str:
        """What it pays, and what before that."""
        return "; ".join(filter(None, (self.last_text, self.on_the_way)))

    @property
    def last_text(self) -> str:
        """What it pays when it is over.

        >>> Price(((Fraction(2), (2, 12)), (Fraction(1), (3, 4))), Fraction(5, 4)).last_text
        '2 to 1 on 2, 12; 1 to 1 on 3, 4'
        >>> Price(((Fraction(2), (7,)), (Fraction(1), (7,))), None, sides=("off", "on")).last_text
        '2 to 1 on 7 (puck off); 1 to 1 on 7 (puck on)'
        """
        if len(self.pays) == 1 and not (self.collected and self.on_the_way):
            return self.printed or format_ratio(self.pays[0][0])
        if self.rolls:
            return "; ".join(
                say("odds.price.total", {"ratio": format_ratio(ratio), "totals": rolls})
                for (ratio, _), rolls in zip(self.pays, self.rolls, strict=True)
            )
        if self.collected:
            return self.collected
        how = "total-puck" if self.sides else "total"
        return "; ".join(
            say(f"odds.price.{how}", {"ratio": format_ratio(ratio), "totals": totals, "puck": side})
            for (ratio, totals), side in zip_longest(self.pays, self.sides)
        )

    @property
    def true_text(self) -> str:
        return ratio_text(self.true) if self.true is not None else phrase("odds.price.no-chance")

    def __str__(self) -> str:
        return phrase("odds.price.whole", pays=self.pays_text, true=self.true_text)


def ratio_text(ratio: Fraction) -> str:
    """Odds with "to"; those that no person would say in whole numbers are rounded to one.

    >>> ratio_text(Fraction(9, 5)), ratio_text(Fraction(740711, 20049))
    ('9 to 5', '36.95 to 1')
    """
    return format_ratio(ratio) if ratio.denominator < 1000 else f"{float(ratio):.2f} to 1"


def cells(layout: Layout, spot: Spot, puck: int) -> list[tuple[Spot, int, Kind, Cell]]:
    """Every cell that can decide this wager: the spot it then lies on, the puck, the roll."""
    found = []
    for each in [spot, *(layout.spots[name] for name in _moves(spot, puck))]:
        pucks = [puck] if puck or not each.shape.by_point else [PUCK_OFF, *layout.points]
        if not any(each.rows[puck]):
            pucks.append(layout.points[0])  # decided with the puck on alone
        for at in pucks:
            for kind, cell, stays in zip(
                layout.rolls.kinds, each.rows[at], each.stays[at], strict=True
            ):
                if stays is not None and stays.verdict == "bar":
                    found.append((each, at, kind, stays))
                if cell is not None:
                    found.append((each, at, kind, cell))
    return found


def _moves(spot: Spot, puck: int) -> list[str]:
    return list(dict.fromkeys(cell.to for cell in spot.rows[puck] if cell is not None and cell.to))


def price(
    layout: Layout,
    spot: Spot,
    puck: int,
    numbers: Figures,
    worth: Callable[[Spot, Cell], Fraction] | None = None,
) -> Price:
    """The prices of the cells that win, against the chances."""
    pays: dict[Fraction, set[int]] = {}
    kinds: dict[Fraction, dict[Kind, None]] = {}
    sides: dict[Fraction, set[str]] = {}
    sizes = spot.collection.ends if spot.collection is not None else {}
    for size, (ratio, _) in sizes.items():
        assert spot.collection is not None
        pays.setdefault(ratio, set()).update(spot.collection.told_by(size))
    for each, at, kind, cell in cells(layout, spot, puck):
        ratio = worth(each, cell) if worth is not None else cell.net
        if ratio > 0 and not sizes:
            pays.setdefault(ratio, set()).add(kind.total)
            kinds.setdefault(ratio, {})[kind] = None
            sides.setdefault(ratio, set()).add("on" if at else "off")
    best = sorted(pays, reverse=True)
    twice = sum(map(len, pays.values())) > len(set().union(*pays.values()))
    return Price(
        tuple((ratio, tuple(sorted(pays[ratio]))) for ratio in best),
        numbers.lose / numbers.win if numbers.win else None,
        spot.collection.prices_text() if spot.collection is not None and sizes else "",
        tuple("/".join(sorted(sides[ratio])) for ratio in best) if twice and not sizes else (),
        _by_faces(layout, spot, [list(kinds.get(ratio, ())) for ratio in best]),
        spot.odds(best[0]) if best else "",
        spot.collection.steps_text() if spot.collection is not None else "",
    )


def _by_faces(
    layout: Layout, spot: Spot, kinds: Sequence[Sequence[Kind]]
) -> tuple[tuple[str, ...], ...]:
    """The rolls of each price of a one-roll wager, if not all rolls of a total are paid alike."""

    def whole(some: Sequence[Kind]) -> bool:
        totals = {kind.total for kind in some}
        return all(kind in some for kind in layout.rolls.kinds if kind.total in totals)

    if not spot.shape.one_roll or len(kinds) < 2 or all(map(whole, kinds)):
        return ()
    ordered = (sorted(some, key=lambda kind: (kind.total, kind.faces)) for some in kinds)
    return tuple(tuple(map(str, some)) for some in ordered)


def clauses(layout: Layout, spot: Spot, puck: int) -> Cites:
    """The clauses that decide and price a wager, in the order of its cells."""
    order = {"win": 0, "collect": 0, "clear": 0, "push": 1, "bar": 1, "lose": 2, "move": 3}
    found = sorted(cells(layout, spot, puck), key=lambda each: order[each[-1].verdict])
    cites = join((), *(cell.said for *_, cell in found))
    if spot.collection is not None:
        cites = join(cites, *spot.collection.priced)
    fee = spot.fee
    return join(cites, fee.cites, fee.charged_cites) if fee is not None else cites
