"""A card a person can carry: what to do by bands of money, and what so few lines cost.

Best play has an act for every amount; nobody carries that. A card has a few lines for each of three
situations: the come-out, a point with nothing stuck, and something stuck. A line is for a band of
chips on the rail and says one thing: these wagers, or a share of the chips on one; and how much
behind what takes odds.

Lines are chosen by what they lose. What a play loses against best play is what its acts lose once,
added up over all places it comes to, as often as it does: so lines are laid through the amounts
that they lose least, then the card is followed, exactly, and lines are laid again where it leads.
At last every line is tried against others, and bands are joined where that loses nothing to speak
of. What the card costs is its own value against best play's, not a guess.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from boxman.chips import MINOR
from boxman.sim.lanes import Ints
from boxman.solve.iterate import SolvedValues, at_start
from boxman.solve.kernels import Places, Reals, fast, promised, reached, sweep, visited
from boxman.solve.lines import NONE, ODDS_RULES, ActsHere, CardLine, line_words
from boxman.solve.pieces import Done, words_of
from boxman.words import phrase, say

SHARES = tuple(map(Fraction, ("0", "1/12", "1/8", "1/6", "1/4", "1/3", "1/2", "1")))
CAREFUL = 5
"""Of these, how many are careful: best play is among these or among the others, seldom between."""
COME_OUT, POINT, STUCK = "come-out", "point", "stuck"
BANDS = {COME_OUT: 8, POINT: 4, STUCK: 3}
"""Situations, and how many bands each may have."""
EDGES = 120
"""Places where a band may begin, about."""
CONSIDERED = 40
"""Acts of best play that lines are made of, in each situation."""
ROUNDS, TRIED = 6, 5
"""How often lines are laid, and how many others are tried in the place of each."""
CARDS = 250
"""Cards that are followed, about, before the best of them is taken."""
MOVED = (-4, -1, 1, 4)
"""By how many of these places edges are moved."""
LINE = 1e-4
"""What a line must gain to stay on the card: a hundredth of a point."""
BETTER = 1e-5
"""What a change of lines must gain, and a line when it is laid."""
UNSEEN = 1e-7
"""The weight of a place that best play does not come to: a card has something for it too."""
NEARLY, SETTLED = 1e-9, 1e-15
"""What a sweep still moves when a card's value is known well enough to choose, and to be told."""
SWEEPS = 2_000


class CardRow(NamedTuple):
    """One line: a situation, the first and the last amount on the rail, what to do."""

    when: str
    rail: int
    high: int
    do: str


class Card(NamedTuple):
    """A card's lines, what they come to at first, its chance and what that is below best play's."""

    rows: tuple[CardRow, ...]
    example: str
    value: float
    cost: float
    acts: Places
    """By position and column, the act of the card; -1 where it does not come."""

    def figures(self) -> dict[str, object]:
        rows = [
            {"when": when, "with": low / MINOR, "to": high / MINOR, "do": do}
            for when, low, high, do in self.rows
        ]
        return {"rows": rows, "example": self.example, "value": self.value, "cost": self.cost}


class CardBand(NamedTuple):
    """A line from a column on."""

    begin: int
    line: CardLine


Bands = dict[str, tuple[CardBand, ...]]
DoneOften = Counter[tuple[Done, ...]]
"""A whole card, by situation."""


def card_of(values: SolvedValues, bankroll: int) -> Card | None:
    """The best card that is found, from this bankroll."""
    if values.grid.place(bankroll) >= values.grid.seen[0]:
        return None
    return _Maker(values, bankroll).card()


class _Maker:
    """Lays lines, follows cards, and keeps the best of them."""

    def __init__(self, values: SolvedValues, bankroll: int) -> None:
        self.values, self.bankroll = values, bankroll
        self.grid, self.model = values.grid, values.model
        self.start = self.grid.place(bankroll)
        self.edge = max(1, -(-self.grid.width // EDGES))
        """Columns from one place where a band may begin to the next."""
        self.wins = np.maximum.reduceat(self.grid.change, self.model.out[:-1])
        self.situation = [
            STUCK if position.wagers else POINT if position.puck else COME_OUT
            for position in self.model.positions
        ]
        self._acts: dict[int, ActsHere] = {}
        self._rows: dict[tuple[CardLine, int], Ints] = {}
        self._values: dict[tuple[tuple[str, tuple[CardBand, ...]], ...], float] = {}
        shape = values.best.shape
        self.known, self.found = np.zeros(shape, bool), np.zeros(values.best.size, np.int64)
        self.best, self.filled = np.full(shape, -1, np.int32), set[int]()
        """The acts of the card that was followed last, and the positions that have any."""
        self.own = self.grid.values()
        """Room for what cards are worth: nothing but what has reached the goal."""

    def card(self) -> Card:
        """The best of the cards of one line each, bettered line by line."""
        best = self.values.best
        visits = self._visits(best, self._reached(best))
        lines = self._lines(best, visits)
        first = [self._laid_out(lines, visits, self.values.follows), *self._simple(lines)]
        bands = max((self._improved(each, lines) for each in first), key=self._value)
        bands = self._joined(self._bettered(bands, lines))
        best, places = self._filled(bands)
        value = float(self._worth(best, places, SETTLED)[0])
        cost = max(0.0, at_start(self.values.value, self.grid, self.bankroll) - value)
        return Card(self._told(bands, best, places), self._example(best), value, cost, best)

    def _simple(self, lines: dict[str, list[CardLine]]) -> list[Bands]:
        """Cards with one line for each situation: the best careful one and the best bold one."""
        first = COME_OUT if any(each.spot for each in lines.get(COME_OUT, ())) else POINT
        spots = list(dict.fromkeys(each.spot for each in lines.get(first, ()) if each.spot))[:3]
        behind = dict.fromkeys(each.odds for each in lines.get(STUCK, [CardLine()]))
        cards: list[list[Bands]] = [
            [
                {
                    first: (CardBand(0, CardLine((), spot, share)),),
                    STUCK: (CardBand(0, CardLine(odds=odds)),),
                }
                for spot in spots
                for share in shares
                for odds in behind
            ]
            for shares in (SHARES[:CAREFUL], SHARES[CAREFUL:])
        ]
        return [max(each, key=self._value) for each in cards if each]

    def _improved(self, bands: Bands, lines: dict[str, list[CardLine]]) -> Bands:
        """Lines laid anew where a card leads, as long as it becomes better."""
        for _ in range(ROUNDS):
            visits, follows = self._seen(bands)
            new = self._laid_out(lines, visits, follows)
            one_by_one = [{**bands, when: new[when]} for when in new]
            better = max((new, *one_by_one), key=self._value)
            if self._value(better) <= self._value(bands) + BETTER:
                break
            bands = better
        return bands

    def _seen(self, bands: Bands) -> tuple[Reals, Reals]:
        """How often a card comes where, and what best play is worth less what the card loses from
        there on: where it does not come to, as much as with such a rail elsewhere."""
        best, places = self._filled(bands)
        visits, follows = self._visits(best, places), self.values.follows.copy()
        positions, columns = places // self.grid.width, places % self.grid.width
        own = self._worth(best, places, NEARLY)
        lost = np.maximum(0.0, self.values.value[positions, columns] - own)
        for when in BANDS:
            here = np.array([self.situation[each] == when for each in positions.tolist()], bool)
            weight = np.bincount(columns[here], visits[positions, columns][here] + UNSEEN)
            total = np.bincount(
                columns[here], lost[here] * (visits[positions, columns][here] + UNSEEN)
            )
            known = np.flatnonzero(weight)
            if len(known):
                mean = np.interp(np.arange(self.grid.width), known, total[known] / weight[known])
                rows = [n for n, each in enumerate(self.situation) if each == when]
                follows[rows] -= np.where(follows[rows] < 1, mean, 0.0)
        return visits, follows

    def _laid_out(self, lines: dict[str, list[CardLine]], visits: Reals, follows: Reals) -> Bands:
        """The lines of every situation that lose least."""
        self.losses = {when: self._losses(when, lines[when], visits, follows) for when in lines}
        return {
            when: self._laid(lines[when], loss, BANDS[when]) for when, loss in self.losses.items()
        }

    # -- lines and what they lose --------------------------------------------------------------

    def acts(self, position: int) -> ActsHere:
        if position not in self._acts:
            self._acts[position] = ActsHere(self.values, self.wins, position)
        return self._acts[position]

    def _row(self, line: CardLine, position: int) -> Ints:
        key = (line, position)
        if key not in self._rows:
            self._rows[key] = self.acts(position).row(line, int(self.grid.tops[0]))
        return self._rows[key]

    def _visits(self, best: Places, places: Ints) -> Reals:
        visits = np.zeros(best.shape)
        rolls = self.values.rolls or SWEEPS
        fast(visited)(visits, best, places, rolls, 1e-6, self.grid.game)
        return visits

    def _lines(self, best: Places, visits: Reals) -> dict[str, list[CardLine]]:
        """Lines made of the acts that are done most, by situation."""
        seen, odds = self._done(best, visits)
        found: dict[str, list[CardLine]] = {}
        for when, counted in seen.items():
            done = [flats for flats, _ in counted.most_common(CONSIDERED)]
            if when == COME_OUT:
                # Whoever waits for ever loses nothing, and wins nothing.
                done = [flats for flats in done if flats] or done
            else:
                done += [()] if () not in done else []
            behind = ODDS_RULES if when in odds else (NONE,)
            found[when] = [CardLine(flats, odds=each) for flats in done for each in behind]
            if when != STUCK:
                spots = dict.fromkeys(each.spot for flats in done for each in flats)
                found[when] += [CardLine((), spot, share) for spot in spots for share in SHARES]
        return found

    def _done(self, best: Places, visits: Reals) -> tuple[dict[str, DoneOften], set[str]]:
        """How often what is done, by situation; and the situations in which odds can be."""
        seen: dict[str, DoneOften] = {}
        odds: set[str] = set()
        for position in np.flatnonzero(visits.any(axis=1)).tolist():
            acts, when = self.acts(position), self.situation[position]
            for column in np.flatnonzero(visits[position]).tolist():
                act = int(best[position, column])
                if act >= 0:
                    flats = acts.flats[act - acts.first]
                    seen.setdefault(when, Counter())[flats] += visits[position, column]
            if any(len(numbers) > 1 for numbers in acts.of.values()):
                odds.add(when)
        return seen, odds

    def _losses(self, when: str, lines: Sequence[CardLine], visits: Reals, follows: Reals) -> Reals:
        """By line and column, what it loses there, as often as that is come to."""
        own = self.values.value
        found = np.zeros((len(lines), self.grid.width))
        for position in np.flatnonzero(visits.any(axis=1)).tolist():
            if self.situation[position] != when:
                continue
            seen = int(self.grid.seen[position])
            weight = visits[position, :seen] + UNSEEN
            for number, line in enumerate(lines):
                got = fast(promised)(follows, self._row(line, position), self.grid.game)
                found[number, :seen] += weight * (own[position, :seen] - got)
        return found

    def _laid(self, lines: Sequence[CardLine], losses: Reals, most: int) -> tuple[CardBand, ...]:
        """The bands of lines that lose least, each of them worth its line."""
        edges = np.arange(0, self.grid.width, self.edge)
        sums = np.concatenate(
            [np.zeros((len(lines), 1)), np.cumsum(np.add.reduceat(losses, edges, axis=1), axis=1)],
            axis=1,
        )
        count = len(edges)
        least = np.full((most + 1, count + 1), np.inf)
        least[:, 0] = 0.0
        came = np.zeros((most + 1, count + 1, 2), np.int64)
        whole = [sums[:, end, None] - sums[:, :end] for end in range(1, count + 1)]
        for bands in range(1, most + 1):
            for end, loss in enumerate(whole, 1):
                best = loss.argmin(axis=0)
                total = loss[best, np.arange(end)] + least[bands - 1, :end] + BETTER
                begin = int(total.argmin())
                least[bands, end] = total[begin]
                came[bands, end] = begin, best[begin]
        bands, end = int(least[:, count].argmin()), count
        found = []
        while end:
            begin, line = came[bands, end]
            found.append(CardBand(int(edges[begin]), lines[line]))
            bands, end = bands - 1, int(begin)
        return tuple(reversed(found))

    # -- cards followed ------------------------------------------------------------------------

    def _value(self, bands: Bands) -> float:
        key = tuple(sorted(bands.items()))
        if key not in self._values:
            self._values[key] = float(self._worth(*self._filled(bands), NEARLY)[0])
        return self._values[key]

    def _reached(self, best: Places) -> Ints:
        return fast(reached)(best, self.start, self.known, self.found, self.grid.game)

    def _filled(self, bands: Bands) -> tuple[Places, Ints]:
        """The acts of a card, and the places it comes to, the bankroll first."""
        self.best[list(self.filled)] = -1
        self.filled.clear()
        places = np.array([self.start])
        while new := {*np.unique(places // self.grid.width).tolist()} - self.filled:
            for position in new:
                self._fill(self.best, position, bands)
            self.filled |= new
            places = self._reached(self.best)
        return self.best, places

    def _fill(self, best: Places, position: int, bands: Bands) -> None:
        """The acts of a card in one position; where it has no line, nothing more, or the least."""
        seen = int(self.grid.seen[position])
        row = best[position, :seen]
        for band in bands.get(self.situation[position], ()):
            row[band.begin :] = self._row(band.line, position)[band.begin :]
        acts = self.acts(position)
        if len(acts.need):
            row[(row < 0) & (acts.need[0] <= acts.columns)] = acts.first

    def _worth(self, best: Places, places: Ints, small: float) -> Reals:
        """What chosen acts are worth in these places, until no more than so little moves."""
        step, own = fast(sweep), self.own
        positions, columns = places // self.grid.width, places % self.grid.width
        if self.values.end is not None:
            own = self.values.end.copy()
            new = own.copy()
            for _ in range(self.values.rolls):
                step(own, new, best, places, self.grid.game)
                own, new = new, own
            return own[positions, columns]
        while step(own, own, best, places, self.grid.game) > small:
            pass
        found = own[positions, columns]
        own[positions, columns] = 0.0
        return found

    def _bettered(self, bands: Bands, lines: dict[str, list[CardLine]]) -> Bands:
        """Each line tried against those that lose least in its place, and each edge moved, until
        nothing is better."""
        self._laid_out(lines, *self._seen(bands))
        before = -1.0
        while self._value(bands) > before + BETTER and len(self._values) < CARDS:
            before = self._value(bands)
            for when in bands:
                for number in range(len(bands[when]) if when in lines else 0):
                    for new in self._others(bands[when], number, lines[when], self.losses[when]):
                        tried = {**bands, when: new}
                        if self._value(tried) > self._value(bands) + BETTER:
                            bands = tried
        return bands

    def _others(
        self, bands: tuple[CardBand, ...], number: int, lines: Sequence[CardLine], losses: Reals
    ) -> Iterator[tuple[CardBand, ...]]:
        """The same with one band of another line, or that begins elsewhere."""
        begin, line = bands[number]
        end = bands[number + 1].begin if number + 1 < len(bands) else self.grid.width
        lost = losses[:, begin:end].sum(axis=1)
        found = [CardBand(begin, lines[n]) for n in np.argsort(lost, kind="stable")[:TRIED]]
        before = bands[number - 1].begin if number else begin
        moved = (begin + by * self.edge for by in MOVED) if number else ()
        found += [CardBand(each, line) for each in moved if before < each < end]
        for other in found:
            yield (*bands[:number], other, *bands[number + 1 :])

    def _joined(self, bands: Bands) -> Bands:
        """Bands joined to the one before or after, while that loses less than a line is worth."""
        while True:
            fewer = [{**bands, when: each} for when in bands for each in _one_fewer(bands[when])]
            best = max(fewer, key=self._value, default=bands)
            if not fewer or self._value(best) < self._value(bands) - LINE:
                return bands
            bands = best

    # -- in words ------------------------------------------------------------------------------

    def _told(self, bands: Bands, best: Places, places: Ints) -> tuple[CardRow, ...]:
        """The lines that are ever come to, with their amounts."""
        rows: list[CardRow] = []
        seen = np.zeros(best.shape, bool)
        seen[places // self.grid.width, places % self.grid.width] = True
        for when in BANDS:
            here = [n for n, each in enumerate(self.situation) if each == when and seen[n].any()]
            acted = best[here] >= 0
            if when != STUCK:
                # A felt that is left bare waits.
                acted &= self.model.need[best[here]] > 0
            told, wanted = np.any(acted & seen[here], axis=0), np.any(acted, axis=0)
            found = bands.get(when, (CardBand(0, CardLine()),))
            ends = [*(band.begin for band in found[1:]), self.grid.width]
            for band, end in zip(found, ends, strict=True):
                if told[band.begin : end].any():
                    columns = band.begin + np.flatnonzero(wanted[band.begin : end])
                    first, last = (int(self.grid.rail(each)) for each in (columns[0], columns[-1]))
                    name = phrase(f"solve.card.{when}")
                    rows.append(CardRow(name, first, last, line_words(band.line)))
        return tuple(rows)

    def _example(self, best: Places) -> str:
        """What the card comes to with the bankroll: the first bet, then by point."""
        model, grid = self.model, self.grid
        act = int(best[0, self.start])
        if act < 0:
            return ""
        then: dict[str, list[int]] = {}
        span = slice(model.out[act], model.out[act + 1])
        for position, change in zip(model.next[span], model.change[span], strict=True):
            rail = self.start + change // grid.step
            if position and change == -model.need[act] and rail < grid.seen[position]:
                more = int(best[position, rail])
                words = words_of(model.done(more)) if more >= 0 else words_of(())
                then.setdefault(words, []).append(model.positions[position].puck)
        told = {"rail": self.bankroll, "bet": words_of(model.done(act))}
        if not then:
            return say("solve.card.example", told)
        parts = [
            phrase("solve.card.on", numbers=", ".join(map(str, sorted(pucks))), words=words)
            for words, pucks in then.items()
        ]
        after = next(iter(then)) if len(then) == 1 else "; ".join(parts)
        return say("solve.card.example-then", {**told, "then": after})


def _one_fewer(bands: tuple[CardBand, ...]) -> Iterator[tuple[CardBand, ...]]:
    """The same with two neighbours joined, under the line of either."""
    for number, (one, other) in enumerate(pairwise(bands)):
        for line in (one.line, other.line):
            yield (*bands[:number], CardBand(one.begin, line), *bands[number + 2 :])
