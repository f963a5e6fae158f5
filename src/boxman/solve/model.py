"""The game as positions and acts: everything a menu can lead to, in arrays.

A position is the puck and the wagers that are stuck (pieces.py); money is only what lies on the
rail. An act says what is up at the roll; where each kind of roll leads from there, to which
position and with how much more or less on the rail, is the sum over its wagers. Built over NumPy,
position by position; a budget of acts and a limit on what a rail can pay for keep it finite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import gcd
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boxman.dice import ROLLS
from boxman.rules.layout import Layout
from boxman.sim.lanes import Ints
from boxman.solve.budget import SURELY, Choices, Flags, TooManyActs, counted, levels, too_many
from boxman.solve.goals import NotSolvable
from boxman.solve.menu import HOWEVER_MANY
from boxman.solve.pieces import Done, Option, Pieces
from boxman.strategy.view import BET, OFF, ON
from boxman.table.state import Wager
from boxman.words import phrase

MOST_ACTS = 1_500_000
"""How many acts are looked at by default: about what a minute and 2 GB hold."""
PUCK_BITS, NUMBER_BITS = 4, 62
"""Of the number of a position, those that hold the puck, and all of them."""


class Position(NamedTuple):
    """The puck and the wagers that are stuck, by spot."""

    puck: int
    wagers: tuple[Wager, ...]

    @property
    def stake(self) -> int:
        return sum(wager.stake for wager in self.wagers)


Picks = NDArray[np.int32]
"""By act and group, the option that is taken."""


class _Group(NamedTuple):
    """Everything that may be made of one flat and the odds behind it, or of one spot."""

    options: tuple[tuple[Option, Option | None], ...]
    cash: Ints
    risk: Ints
    then: Ints
    """By option and kind of roll: the change of the rail at the roll."""
    code: Ints
    """By option and kind of roll: what it adds to the number of the next position."""
    up: Flags
    """By option, whether a flat is up with it, or was and is taken down."""
    among: Ints
    """By option, the most flats up at once among which it is considered."""


class _Row(NamedTuple):
    """What the rolls make of one wager."""

    cash: Ints
    """By kind of roll, with what is free taken down."""
    code: Ints
    """By kind of roll: what is left adds this to the number of the next position."""
    risk: int


class _Acts(NamedTuple):
    """The acts of one position: what they need, what they risk, and where their rolls lead."""

    groups: tuple[_Group, ...]
    pick: Picks
    need: Ints
    risk: Ints
    targets: Ints
    """By outcome, those of an act together: the position that follows."""
    changes: Ints
    ways: Ints
    waits: Ints
    """By act: the ways of rolls that change nothing."""
    counts: Ints
    """By act: how many outcomes it has."""


class Model:
    """All positions a menu leads to from an empty come-out, and all acts in them.

    `most` is the fullest rail that has not reached the goal; with `least_risk` so much must be at
    risk at every roll. Acts of a position lie together from `first` on, what rolls make of an act
    from `out` on: the position, the change of the rail, the ways.
    """

    def __init__(
        self,
        pieces: Pieces,
        most: int,
        *,
        least_risk: int = 0,
        budget: int = MOST_ACTS,
        forever: bool = True,
        shooting: frozenset[str] | None = None,
        progress: Callable[[str], None] | None = None,
    ) -> None:
        self.pieces, self.most, self.least_risk = pieces, most, least_risk
        self.shooting = shooting
        """Wagers of which one must be up for a throw; None where somebody else throws."""
        self.budget, self.forever = budget, forever
        self.progress = progress
        self.positions: list[Position] = []
        self.index: dict[Position, int] = {}
        self._codes: dict[int, int] = {}
        self._stuck: dict[str, tuple[int, int, dict[Wager, int]]] = {}
        """By spot: its bits in the numbers of positions, from which on and how many, and the
        wagers seen there."""
        self.freed: dict[tuple[int, str, int], int] = {}
        """What wagers bring that a roll left up and that are free: by puck, spot and stake."""
        self._rows: dict[tuple[int, Wager], _Row] = {}
        self._groups: dict[tuple[int, str, Wager | None], _Group] = {}
        self.looked_at = 0
        """Acts of all positions as they were first known, those that do the same counted too."""
        self._counted = 0
        """Positions whose acts have been."""
        self._chosen: list[tuple[tuple[_Group, ...], Picks]]
        """By position: its groups, and for each act the option in each of them."""
        self.acts = 0
        self._build()

    # -- the budget ----------------------------------------------------------------------------

    def _bare(self) -> None:
        """Whether stakes alone are far too many, on a felt that is bare: nothing is ruled on."""
        found = []
        for spot in self._flats():
            stakes = {0: HOWEVER_MANY} | self.pieces.stakes(0, spot)
            cash, among = -np.array([*stakes]), np.array([*stakes.values()])
            found.append(Choices(spot, cash, cash < 0, among))
        if counted(found, self.most) > SURELY * self.budget:
            raise self._too_many(1, found)

    def _within_budget(self) -> None:
        """Count the acts of positions when they are first known: they are many long before they
        are made."""
        while self._counted < len(self.positions):
            groups = self._groups_of(self._counted)
            found = _choices(groups)
            self.looked_at += counted(found, self.rails[self._counted])
            self._counted += 1
            if self.looked_at > self.budget:
                raise self._too_many(self._counted, found)

    def _too_many(self, done: int, found: list[Choices]) -> TooManyActs:
        return too_many(self.budget, done, max(1, len(self.positions)), found)

    # -- numbering -----------------------------------------------------------------------------

    def _bits(self, spot: str) -> tuple[int, int, dict[Wager, int]]:
        """Bits for a spot on which something is stuck: enough for every stake of the menu."""
        last = list(self._stuck.values())[-1:]
        begin = last[0][0] + last[0][1] if last else PUCK_BITS
        found = (begin, self.pieces.menu.many(spot).bit_length(), dict[Wager, int]())
        if begin + found[1] > NUMBER_BITS:
            places = len(self._stuck) + 1
            raise TooManyActs(phrase("solve.not.too-many-places", places=places))
        self._stuck[spot] = found
        return found

    def _code(self, wager: Wager) -> int:
        """What a stuck wager adds to the number of a position: each spot has bits of its own."""
        begin, bits, known = self._stuck.get(wager.spot) or self._bits(wager.spot)
        if wager not in known:
            if any(each.stake == wager.stake for each in known) or len(known) + 1 >> bits:
                raise NotSolvable(
                    phrase("solve.not.not-the-same", spot=wager.spot, stake=wager.stake)
                )
            known[wager] = len(known) + 1
        return known[wager] << begin

    def _position(self, position: Position) -> int:
        found = self.index.get(position)
        if found is None:
            found = self.index[position] = len(self.positions)
            self.positions.append(position)
            self._codes[position.puck + sum(self._code(w) for w in position.wagers)] = found
        return found

    def _decoded(self, code: int) -> Position:
        """The position of a number that the arrays came to."""
        wagers = []
        for begin, bits, known in self._stuck.values():
            digit = code >> begin & ((1 << bits) - 1)
            wagers += [wager for wager, own in known.items() if own == digit]
        puck = code & ((1 << PUCK_BITS) - 1)
        return Position(puck, tuple(sorted(wagers, key=lambda each: each.spot)))

    # -- one wager at a time -------------------------------------------------------------------

    def _group(self, puck: int, spot: str, wager: Wager | None) -> _Group:
        key = (puck, spot, wager)
        known = self._groups.get(key)
        if known is None:
            known = self._groups[key] = self._grouped(puck, spot, wager)
        return known

    def _grouped(self, puck: int, spot: str, wager: Wager | None) -> _Group:
        pieces = self.pieces
        pairs: list[tuple[Option, Option | None]] = []
        rows = self._rows
        nothing = np.zeros(len(pieces.ways), np.int64)
        empty = _Row(nothing, nothing, 0)
        for option in pieces.options(puck, spot, wager):
            if -option.cash > self.most:
                continue
            flat = option.wager
            pairs.append((option, None))
            if flat is None:
                continue
            if (puck, flat) not in rows:
                rows[puck, flat] = self._row(puck, flat, None)
            for odds in pieces.odds(puck, flat)[1:]:
                assert odds.wager is not None
                if -option.cash - odds.cash > self.most:
                    continue
                if (puck, odds.wager) not in rows:
                    rows[puck, odds.wager] = self._row(puck, odds.wager, flat)
                pairs.append((option, odds))
        thens, codes, cash, risk, among = [], [], [], [], []
        for option, behind in pairs:
            flat_row = rows[puck, option.wager] if option.wager else empty
            odds_row = rows[puck, behind.wager] if behind and behind.wager else empty
            thens.append(flat_row.cash + odds_row.cash)
            codes.append(flat_row.code + odds_row.code)
            cash.append(option.cash + (behind.cash if behind else 0))
            risk.append(flat_row.risk + odds_row.risk)
            among.append(self._among(puck, option, behind))
        up = [wager is not None or option.wager is not None for option, _ in pairs]
        made = _Group(tuple(pairs), *map(np.array, (cash, risk, thens, codes, up, among)))
        return made if self.shooting is not None else _apart(made)

    def _among(self, puck: int, option: Option, behind: Option | None) -> int:
        """The most flats up at once among which this is considered."""
        if option.wager is None:
            return HOWEVER_MANY
        among = self.pieces.menu.among(option.wager.spot, option.wager.stake)
        if behind is None or behind.wager is None:
            return among
        stakes = self.pieces.stakes(puck, behind.wager.spot, option.wager)
        return min(among, stakes[behind.wager.stake])

    def _row(self, puck: int, wager: Wager, flat: Wager | None) -> _Row:
        """By kind of roll: the cash of a wager with what is free taken down, and what is left."""
        pieces, pucks = self.pieces, self.pieces.pucks(puck)
        cash, code = [], []
        fates = pieces.fates(puck, wager, flat)
        flats = pieces.fates(puck, flat) if flat else None
        for kind, fate in enumerate(fates):
            left, more, number = fate.left, fate.cash, 0
            if left is not None:
                under = flats[kind].left if flats else None
                back = pieces.kept(pucks[kind], left, under)
                if back is None:
                    number = self._code(left)
                else:
                    more += back
                    self.freed[pucks[kind], left.spot, left.stake] = back
            cash.append(more)
            code.append(number)
        return _Row(np.array(cash), np.array(code), pieces.risk(puck, wager))

    # -- positions -----------------------------------------------------------------------------

    def _build(self) -> None:
        """Position by position; again where a fuller rail comes to one that was done."""
        self._bare()
        self._position(Position(0, ()))
        self.rails = [self.most]
        """By position, the most a rail can come to there before the goal."""
        self._within_budget()
        looked: list[int] = []
        found: list[_Acts] = []
        waiting = [0]
        self.acts = 0
        while waiting:
            number = waiting.pop(0)
            if number < len(found) and looked[number] >= self.rails[number]:
                continue
            made = self._acts(number)
            if number < len(found):
                self.acts -= len(found[number].need)
                found[number], looked[number] = made, self.rails[number]
            else:
                assert number == len(found)
                found.append(made)
                looked.append(self.rails[number])
            self.acts += len(made.need)
            waiting += self._raised(number, made)
            self._within_budget()
            if self.acts > self.budget:
                raise self._too_many(number + 1, _choices(made.groups))
            if self.progress is not None and len(found) % 64 == 0:
                self.progress(
                    phrase(
                        "solve.progress.positions",
                        done=f"{len(found):,}",
                        known=f"{len(self.positions):,}",
                    )
                )
        self._chosen = [(made.groups, made.pick) for made in found]
        self._joined(found)

    def _raised(self, number: int, made: _Acts) -> list[int]:
        """The positions whose rails may now be fuller, or that are new."""
        new = list(range(len(self.rails), len(self.positions)))
        self.rails += [-1] * len(new)
        highest = np.full(len(self.positions), -1, np.int64)
        np.maximum.at(highest, made.targets, self.rails[number] + made.changes)
        fuller = []
        for target in np.unique(made.targets).tolist():
            cap = self.most - self.pieces.back(*self.positions[target])
            rail = min(int(highest[target]), cap)
            if rail > self.rails[target]:
                self.rails[target] = rail
                fuller.append(target)
        return sorted({*new, *fuller})

    def _joined(self, found: list[_Acts]) -> None:
        """One array of everything."""
        counts = np.concatenate([made.counts for made in found])
        self.first: Ints = np.cumsum([0, *(len(made.need) for made in found)])
        self.out: Ints = np.concatenate([[0], np.cumsum(counts)])
        self.next = np.concatenate([made.targets for made in found]).astype(np.int32)
        self.need = np.concatenate([made.need for made in found])
        self.change = np.concatenate([made.changes for made in found])
        self.risk = np.concatenate([made.risk for made in found])
        self.waits = np.concatenate([made.waits for made in found])
        self.ways = np.concatenate([made.ways for made in found])
        step = gcd(*np.unique(self.need).tolist(), *np.unique(self.change).tolist())
        self.step = step or self.pieces.layout.chip
        """A step that holds all changes of the rail."""
        self.back = [self.pieces.back(*position) for position in self.positions]
        self.chance = self.ways / np.repeat(len(ROLLS) - self.waits, counts)

    def _acts(self, number: int) -> _Acts:
        groups = self._groups_of(number)
        puck = self.positions[number].puck
        parts = [
            self._together(number, groups, more, most)
            for more, most in levels(group.among for group in groups)
        ]
        pick = np.concatenate([part[0] for part in parts])
        cash = np.concatenate([part[1] for part in parts])
        need = np.maximum(0, -cash)
        risk = _summed([group.risk for group in groups], pick, np.zeros((), np.int64))
        kept = (need <= self.rails[number]) & (risk >= self.least_risk)
        if self.shooting is not None:
            kept &= self._thrown(groups, pick)
        cash, pick, need, risk = cash[kept], pick[kept], need[kept], risk[kept]
        pucks = np.array(self.pieces.pucks(puck))
        code = _summed([group.code for group in groups], pick, pucks)
        then = _summed([group.then for group in groups], pick, np.zeros_like(pucks))
        change = then + cash[:, None]
        target = self._targets(code)
        return self._merged(number, groups, pick, need, risk, target, change)

    def _flats(self) -> list[str]:
        return [spot for spot in self.pieces.menu.spots if not self.pieces.flat_of(spot)]

    def _groups_of(self, number: int) -> list[_Group]:
        """What may be made of each spot in a position."""
        puck, wagers = self.positions[number]
        up = {wager.spot: wager for wager in wagers}
        spots = [*up, *(spot for spot in self._flats() if spot not in up)]
        groups = [self._group(puck, spot, up.get(spot)) for spot in spots]
        groups = [g for g in groups if len(g.cash) > 1 or g.options[0][0].wager is not None]
        self._calls_apart(groups)
        return groups

    def _together(
        self, number: int, groups: list[_Group], more: int, most: int
    ) -> tuple[Picks, Ints]:
        """Options of all groups put together with more flats up than so many and at most so many:
        those picked, and the change of the rail."""
        pick = np.zeros((1, 0), np.int32)
        cash, up = np.zeros(1, np.int64), np.zeros(1, np.int64)
        free = sum(max(0, int(group.cash.max(initial=0))) for group in groups)
        for group in groups:
            options = np.flatnonzero(group.among >= most).astype(np.int32)
            many = len(options)
            if len(cash) * many > SURELY * self.budget:
                raise self._too_many(number + 1, _choices(groups))
            cash = (cash[:, None] + group.cash[None, options]).ravel()
            up = (up[:, None] + group.up[None, options]).ravel()
            pick = np.concatenate(
                [np.repeat(pick, many, axis=0), np.tile(options, len(pick))[:, None]], axis=1
            )
            kept = (-cash <= self.rails[number] + free) & (up <= most)
            cash, up, pick = cash[kept], up[kept], pick[kept]
        return pick[up > more], cash[up > more]

    def _thrown(self, groups: list[_Group], pick: Picks) -> Flags:
        """Which acts leave a wager up that lets the player throw: otherwise nobody does."""
        assert self.shooting is not None
        found = np.zeros(len(pick), bool)
        for column, group in enumerate(groups):
            lets = [o.wager is not None and o.wager.spot in self.shooting for o, _ in group.options]
            found |= np.array(lets)[pick[:, column]]
        return found

    def _calls_apart(self, groups: list[_Group]) -> None:
        """A call that counts for all of a kind is no single wager's where one is stuck."""
        if not self.pieces.menu.calls:
            return
        spots = self.pieces.layout.spots
        for group in groups:
            first = group.options[0][0].wager
            if first is None:
                continue
            spot = spots[first.spot]
            if any(rule.allow and rule.scope == "similar" for rule in spot.markers.values()):
                raise NotSolvable(phrase("solve.not.call-for-all", spot=first.spot))

    def _targets(self, code: Ints) -> Ints:
        """The positions of numbers, found if they are new."""
        unique, inverse = np.unique(code, return_inverse=True)
        ids = []
        for each in unique.tolist():
            known = self._codes.get(each)
            if known is None:
                known = self._position(self._decoded(each))
            ids.append(known)
        return np.array(ids, np.int64)[inverse].reshape(code.shape)

    def _merged(
        self,
        number: int,
        groups: list[_Group],
        pick: Picks,
        need: Ints,
        risk: Ints,
        target: Ints,
        change: Ints,
    ) -> _Acts:
        """Rolls that lead to the same together; of acts that do the same, the cheapest."""
        order = np.argsort(need, kind="stable")
        pick, need, risk = pick[order], need[order], risk[order]
        target, change = target[order], change[order]
        low = int(change.min(initial=0))
        span = int(change.max(initial=0)) - low + 1
        key = target * span + (change - low)
        sort = np.argsort(key, axis=1, kind="stable")
        key = np.take_along_axis(key, sort, axis=1)
        # Of a run of equal keys the last stands for all, with the ways of the whole run.
        ends = np.ones(key.shape, bool)
        ends[:, :-1] = key[:, 1:] != key[:, :-1]
        total = np.where(ends, np.cumsum(np.array(self.pieces.ways)[sort], axis=1), 0)
        ways = total - np.concatenate(
            [np.zeros((len(total), 1), np.int64), np.maximum.accumulate(total, axis=1)[:, :-1]],
            axis=1,
        )
        ways = np.where(ends, ways, 0)
        keep = _first_of_each(np.concatenate([np.where(ends, key, -1), ways], axis=1))
        live = ends
        waits = np.zeros(len(need), np.int64)
        if self.forever:
            idle = key == number * span - low
            waits = np.where(idle, ways, 0).sum(axis=1)
            keep &= waits < len(ROLLS)
            live = ends & ~idle
        pick, need, risk, waits = pick[keep], need[keep], risk[keep], waits[keep]
        key, ways, live = key[keep], ways[keep], live[keep]
        counts = live.sum(axis=1)
        targets, changes = key[live] // span, key[live] % span + low
        return _Acts(
            *(tuple(groups), pick, need, risk, targets, changes, ways[live], waits, counts)
        )

    def groups(self) -> Iterable[tuple[tuple[int, str, Wager | None], _Group]]:
        """What was made of each spot, by puck and by what lay there."""
        return self._groups.items()

    # -- acts in words -------------------------------------------------------------------------

    def done(self, act: int) -> tuple[Done, ...]:
        """What a player does for an act: first what brings chips back, then what is called."""
        position = int(np.searchsorted(self.first, act, side="right")) - 1
        groups, pick = self._chosen[position]
        acts = []
        for group, option in zip(groups, pick[act - self.first[position]], strict=True):
            flat, odds = group.options[option]
            each = flat.acts + (odds.acts if odds else ())
            called = any(done.what in (ON, OFF) for done in each)
            # A call may count for all of a kind, so what is not called is made after it.
            acts.append((flat.cash < 0, not called, each))
        return tuple(done for *_, each in sorted(acts, key=lambda a: a[:2]) for done in each)

    def by_flats(self, position: int) -> Iterable[tuple[Ints, tuple[Done, ...]]]:
        """The acts of a position, counted from its first, by what they do but put odds down."""
        groups, pick = self._chosen[position]
        kinds: list[list[tuple[Done, ...]]] = []
        columns = np.zeros(pick.shape, np.int64)
        for column, group in enumerate(groups):
            done = [
                (*flat.acts, *(each for each in odds.acts if each.what != BET))
                if odds
                else flat.acts
                for flat, odds in group.options
            ]
            kinds.append(list(dict.fromkeys(done)))
            known = {acts: number for number, acts in enumerate(kinds[-1])}
            columns[:, column] = np.array([known[acts] for acts in done])[pick[:, column]]
        unique, inverse = np.unique(columns, axis=0, return_inverse=True)
        order = np.argsort(inverse.ravel(), kind="stable")
        sizes = np.bincount(inverse.ravel(), minlength=len(unique))
        for row, numbers in zip(unique, np.split(order, np.cumsum(sizes)[:-1]), strict=True):
            every = [each for column, kind in enumerate(row) for each in kinds[column][kind]]
            yield numbers, tuple(sorted(every))

    def up(self, act: int) -> tuple[Wager, ...]:
        """The wagers up at the roll."""
        position = int(np.searchsorted(self.first, act, side="right")) - 1
        groups, pick = self._chosen[position]
        found = []
        for group, option in zip(groups, pick[act - self.first[position]], strict=True):
            for each in group.options[option]:
                if each is not None and each.wager is not None:
                    found.append(each.wager)
        return tuple(found)


def shooting(layout: Layout) -> frozenset[str] | None:
    """The wagers with which a player who is alone is thrown for, by himself or by the stick."""
    eligible, nobody = layout.procedure.eligible.spots, layout.procedure.no_shooter.then
    if eligible is None or (nobody is not None and nobody.value == "stick throws"):
        # Nobody throws for a felt that is bare.
        return frozenset(layout.spots) if eligible is not None else None
    return frozenset(eligible.value)


def _summed(options: list[Ints], pick: Picks, start: Ints) -> Ints:
    """What the options picked add up to."""
    total: Ints = np.zeros((len(pick), *start.shape), np.int64) + start
    for column, each in enumerate(options):
        total += each[pick[:, column]]
    return total


def _first_of_each(rows: Ints) -> Flags:
    """Which rows are the first of their kind."""
    whole = np.ascontiguousarray(rows)
    view = whole.view(np.dtype((np.void, whole.dtype.itemsize * whole.shape[1]))).ravel()
    _, first = np.unique(view, return_index=True)
    keep = np.zeros(len(rows), bool)
    keep[first] = True
    return keep


def _choices(groups: Iterable[_Group]) -> list[Choices]:
    return [Choices(_spot_of(g), g.cash, g.up, g.among) for g in groups]


def _apart(group: _Group) -> _Group:
    """A group without options that do what a cheaper one does: wagers that are off, say."""
    rows = np.concatenate([group.then + group.cash[:, None], group.code], axis=1)
    known: dict[bytes, list[int]] = {}
    for number in np.argsort(-group.cash, kind="stable").tolist():
        alike = known.setdefault(rows[number].tobytes(), [])
        if number == 0 or not any(
            group.among[other] >= group.among[number]
            and group.up[other] <= group.up[number]
            and group.risk[other] >= group.risk[number]
            for other in alike
        ):
            alike.append(number)
    kept = sorted(number for alike in known.values() for number in alike)
    if len(kept) == len(rows):
        return group
    return _Group(
        options=tuple(group.options[n] for n in kept),
        cash=group.cash[kept],
        risk=group.risk[kept],
        then=group.then[kept],
        code=group.code[kept],
        up=group.up[kept],
        among=group.among[kept],
    )


def _spot_of(group: _Group) -> str:
    return next(
        (option.wager.spot for option, _ in group.options if option.wager is not None), "nothing"
    )
