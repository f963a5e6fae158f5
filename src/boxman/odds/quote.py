"""Everything about one wager of one house, and about those made of several.

Prices are quoted for a wager made now and left until decided: line wagers at a come-out, travelled
ones on their number, all of them always working. Every number is worked out from the layout when
it is asked for, and none is written down anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property

from boxman.odds.chain import LISTED, Chain, End, Lengths
from boxman.odds.default import ByDefault, by_default
from boxman.odds.machine import Machine, State
from boxman.odds.measures import Figures, Price, clauses, figures, price, revalued
from boxman.odds.names import WagerError, find, names
from boxman.odds.pay import Pay, StakeError, exact, in_chips, split_pay, with_odds_pay
from boxman.odds.rounding import Favoured, favoured
from boxman.rules.cell import Cell
from boxman.rules.layout import PUCK_OFF, Layout, Spot, fee_at_placement
from boxman.rules.ledger import Cites, join
from boxman.words import phrase

MOST_ODDS = "most"
"""As much odds as the house allows."""


class Odds:
    """One wager of one house. Numbers are solved when they are asked for."""

    def __init__(
        self, layout: Layout, name: str, pay: Pay = exact, memory: int = 0, suffix: str = ""
    ) -> None:
        self._layout, self._pay = layout, pay
        self.spot, self.puck = find(layout, name)
        self.id = name + suffix
        """The name it is listed under."""
        self.name = f"{self.spot.name} ({self.puck})" if self.puck else self.spot.name
        """What the house calls it."""
        self._start = State(self.spot.id, self.puck, memory)
        self.heading = self.spot.kind.heading
        """What it stands under in a price list."""
        self.allowed = True
        """Whether the house takes it at all; only money added later can be refused here."""

    def __repr__(self) -> str:
        return f"<Odds {self._layout.house} {self.id}: edge {self.edge}>"

    @cached_property
    def _chain(self) -> Chain[State]:
        return self._machine().chain({self._start: 1})

    def _machine(self, *, bars_end: bool = True) -> Machine:
        start = self._start
        return Machine(self._layout, self.spot, self._pay, bars_end=bars_end, memory=start.memory)

    @cached_property
    def figures(self) -> Figures:
        """Made now, always working; a bar ends it as a push."""
        return figures(self._chain, fee_at_placement(self.spot))

    @cached_property
    def resolved(self) -> Figures:
        """The same wager left up through every bar until it is decided."""
        if not self.figures.push:
            return self.figures
        chain = self._machine(bars_end=False).chain({self._start: 1})
        return figures(chain, fee_at_placement(self.spot))

    @cached_property
    def by_default(self) -> ByDefault:
        """What the house does with it when nobody calls anything."""
        return by_default(self._layout, self._start, self._pay)

    def lengths(self, listed: int = LISTED) -> Lengths:
        """P(L = n) for n up to `listed` and the exact tail; L counts the rolls at risk."""
        return self._chain.lengths(listed)

    def within(self, rolls: int) -> dict[Fraction, Fraction]:
        """The nets it can have within so many rolls, with their chances."""
        found: dict[Fraction, Fraction] = {}
        for end, chance in self._chain.within(rolls).items():
            found[end.net] = found.get(end.net, Fraction(0)) + chance
        return found

    def at(self, stake: int) -> Figures:
        """The figures of one stake, in minor units, paid in the table's chips by its rounding."""
        worth = in_chips(self._layout, self.spot, self.puck, stake)
        # A net of nothing but the exact fee is worth the fee as it is charged.
        fee = -worth(End(-fee_at_placement(self.spot)))
        return revalued(self.figures, worth, fee)

    @cached_property
    def favoured(self) -> Favoured:
        """The stakes at which rounding turns it in the player's favour."""
        return favoured(self._layout, self.spot, self.puck, self.figures.ends)

    @cached_property
    def price(self) -> Price:
        """What it pays, against the true odds."""
        return price(self._layout, self.spot, self.puck, self.figures)

    @cached_property
    def cites(self) -> Cites:
        """The clauses that decide and price it."""
        cites = clauses(self._layout, self.spot, self.puck)
        if self.puck and self.spot.shape.flat:
            cites = join(cites, self.spot.windows["raise"].cites)
        return cites

    @property
    def win(self) -> Fraction:
        return self.figures.win

    @property
    def lose(self) -> Fraction:
        return self.figures.lose

    @property
    def push(self) -> Fraction:
        return self.figures.push

    @property
    def edge(self) -> Fraction:
        """Expected loss, commission included, per unit of stake of a wager made."""
        return self.figures.edge

    @property
    def edge_resolved(self) -> Fraction:
        """The same for a wager left up until decided."""
        return self.resolved.edge

    @property
    def edge_with_commission(self) -> Fraction:
        """The same per unit of stake and commission together."""
        return self.figures.edge_with_commission

    @property
    def edge_per_roll(self) -> Fraction:
        return self.figures.edge_per_roll

    @property
    def rolls(self) -> Fraction:
        """Expected rolls at risk."""
        return self.figures.rolls

    @property
    def variance(self) -> Fraction:
        return self.figures.variance

    @property
    def deviation(self) -> float:
        return self.figures.deviation

    @property
    def net(self) -> dict[Fraction, Fraction]:
        """The distribution of the net per unit of stake, commission included."""
        return self.figures.net


def price_list(layout: Layout) -> dict[str, Odds]:
    """Every wager of a house, as on the felt."""
    return {name: Odds(layout, name) for name in names(layout)}


class Split(Odds):
    """A wager whose parts the player names, in any unit."""

    def __init__(self, layout: Layout, name: str, parts: tuple[int, ...]) -> None:
        spot, _ = find(layout, name)
        self._parts = parts
        pay = split_pay(spot, parts)
        super().__init__(layout, name, pay, suffix=f" split {'/'.join(map(str, parts))}")

    @cached_property
    def price(self) -> Price:
        def worth(spot: Spot, cell: Cell) -> Fraction:
            return self._pay(spot, self.puck, 0, cell).net

        return price(self._layout, self.spot, self.puck, self.figures, worth)

    def at(self, stake: int) -> Figures:
        if stake % (sum(self._parts) * self._layout.chip):
            raise StakeError(phrase("odds.wrong.parts-in-chips", stake=stake, id=self.id))
        return super().at(stake)


def partly_collected(layout: Layout, name: str, totals: tuple[int, ...]) -> Odds:
    """A bonus wager that has some of its totals already."""
    spot, _ = find(layout, name)
    collection = spot.collection
    if collection is None:
        raise WagerError(phrase("odds.wrong.collects-nothing", name=name))
    for total in totals:
        if total not in collection.items:
            values = {"total": total, "wanted": collection.items}
            raise WagerError(phrase("odds.wrong.does-not-collect", name=name, **values))
    memory = collection.memory(totals)
    if collection.size(memory) >= collection.enough:
        raise WagerError(phrase("odds.wrong.won-already", name=name))
    suffix = f" with {' '.join(map(str, sorted(set(totals))))}" if totals else ""
    return Odds(layout, name, memory=memory, suffix=suffix)


Times = Fraction | str | Mapping[int, Fraction]
"""How much odds: a multiple, one for each number, or MOST."""


class WithOdds(Odds):
    """A flat wager of one unit that, once it has its number, is raised and takes odds.

    Multiples of odds are in the measure of the house's own limit: of the stake where odds are
    taken, of what they would win where they are laid. The edge is per unit of all money put down.
    """

    def __init__(
        self, layout: Layout, flat: str, times: Times = MOST_ODDS, added: Fraction = Fraction(0)
    ) -> None:
        spot, puck = find(layout, flat)
        if not spot.shape.flat or puck != PUCK_OFF:
            raise WagerError(phrase("odds.wrong.no-odds", name=flat))
        if added < 0 or (isinstance(times, Fraction) and times < 0):
            raise StakeError(phrase("odds.wrong.negative"))
        allowed, stakes, cites = _odds_stakes(layout, spot, times)
        suffix = f" + {added} added" if added else ""
        if added:
            raised = spot if spot.shape.by_point else layout.spots[_travelled(layout, spot)]
            window = raised.windows["raise"]
            allowed = allowed and window.value in ("any", "on")
            cites = join(cites, window.cites)
        if times != 0:
            much = f"{times}x" if isinstance(times, Fraction) else MOST_ODDS
            suffix += f" + {much} odds"
        self._limit_cites = cites
        super().__init__(layout, flat, with_odds_pay(layout, stakes, added), suffix=suffix)
        self.allowed = allowed

    @cached_property
    def cites(self) -> Cites:
        return join(clauses(self._layout, self.spot, self.puck), self._limit_cites)

    def at(self, stake: int) -> Figures:
        raise StakeError(phrase("odds.wrong.rounding-apart", id=self.id))

    @cached_property
    def favoured(self) -> Favoured:
        return Favoured(stakes=(), period=0)


def _travelled(layout: Layout, spot: Spot) -> str:
    return next(cell.to for cell in spot.rows[layout.points[0]] if cell is not None and cell.to)


def _odds_stakes(
    layout: Layout, flat: Spot, times: Times
) -> tuple[bool, dict[int, Fraction], Cites]:
    """Whether the house allows it, the odds by number per unit of flat, the limits' clauses."""
    allowed = True
    stakes: dict[int, Fraction] = {}
    cites: Cites = ()
    for spot in layout.spots.values():
        if spot.behind is None or spot.behind.flat not in (flat.id, f"{flat.id}.{spot.number}"):
            continue
        for number, limit in spot.behind.limits.items():
            if isinstance(times, str):
                wanted = limit.lifted
            else:
                wanted = times if isinstance(times, Fraction) else times.get(number, Fraction(0))
            allowed = allowed and (wanted <= limit.lifted or limit.amount > 0)
            stakes[number] = wanted if limit.measure == "stake" else wanted / limit.ratio
            cites = join(cites, limit.cites)
    if times != 0 and not stakes:
        raise WagerError(phrase("odds.wrong.no-odds-here", name=flat.id))
    return allowed, stakes, cites if times != 0 else ()
