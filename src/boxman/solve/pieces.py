"""Single wagers, each ruled on once by the reference table: what may be done and what follows.

A wager is asked about alone, odds with the flat they stand behind. Whether that is enough, because
wagers do not disturb each other, is proof.py's matter. It knows no goal and no bankroll.

A wager is free where it can be taken down and made again, by the menu, for the same money: then it
need not be remembered from roll to roll, since the next act can put it back. Only the others, line
wagers on a point and the like, are what a position consists of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from boxman.rules.layout import Layout
from boxman.solve.goals import NotSolvable
from boxman.solve.menu import PlayMenu
from boxman.strategy.felt import Felt, Felts, with_rail
from boxman.strategy.session import SEAT, Session, opened
from boxman.strategy.spots import INDEX
from boxman.strategy.view import BET, DOWN, OFF, ON, REDUCE, open_ranges
from boxman.table.floor.people import Hand
from boxman.table.markers import works
from boxman.table.stakes import Range
from boxman.table.state import Wager
from boxman.words import phrase, say


class Done(NamedTuple):
    """One act of a player: what (as in `strategy.view`), where, how much in minor units."""

    what: int
    spot: str
    amount: int


_VERBS = {
    BET: "solve.acts.bet",
    REDUCE: "solve.acts.lower",
    DOWN: "solve.acts.down",
    ON: "solve.acts.on",
    OFF: "solve.acts.off",
}


_names: ContextVar[Mapping[str, str]] = ContextVar("names", default=MappingProxyType({}))


@contextmanager
def house_names(layout: Layout) -> Iterator[None]:
    """Meanwhile wagers are told by the house's names, not as the notation and menus have them."""
    before = _names.set({spot.id: spot.name for spot in layout.spots.values()})
    try:
        yield
    finally:
        _names.reset(before)


def called(spot: str) -> str:
    """A wager as it is told."""
    return _names.get().get(spot, spot)


def words_of(done: tuple[Done, ...]) -> str:
    """Acts in words: bet 45 pass, odds 120 on pass."""
    parts = [
        say(_VERBS[what], {"spot": called(spot), "amount": amount}) for what, spot, amount in done
    ]
    return ", ".join(parts) or phrase("solve.acts.nothing-more")


class Option(NamedTuple):
    """What a player may make of one spot before a roll."""

    wager: Wager | None
    """What then lies there."""
    cash: int
    """The change of the rail."""
    acts: tuple[Done, ...]


class Fate(NamedTuple):
    """What a kind of roll does to one wager."""

    cash: int
    left: Wager | None


class Pieces:
    """Options and fates of single wagers at one table, under one menu."""

    def __init__(self, session: Session, menu: PlayMenu) -> None:
        self.session, self.menu = session, menu
        self.layout = opened(session)[0]
        by_faces = any(self.layout.spots[name].by_faces for name in menu.spots)
        self.felts = Felts(session, by_faces=by_faces)
        self.ways = tuple(kind.ways for kind in self.felts.rolls.kinds)
        """By kind of roll that the menu tells apart, how many of the 36 are of it."""
        self.odds_of = {
            spot.behind.flat: name
            for name, spot in self.layout.spots.items()
            if spot.behind is not None and name in menu.spots
        }
        """By flat, the odds of the menu that may stand behind it."""
        self._options: dict[tuple[int, str, Wager | None], tuple[Option, ...]] = {}
        self._stakes: dict[tuple[int, str, int], dict[int, int]] = {}
        self._fates: dict[tuple[int, Wager], tuple[Fate, ...]] = {}
        self._refunds: dict[tuple[int, Wager], int | None] = {}
        self._free: dict[tuple[int, Wager], bool] = {}
        self._pucks: dict[int, tuple[int, ...]] = {}
        self._empty: dict[int, Felt] = {}

    # -- felts ---------------------------------------------------------------------------------

    def felt(self, puck: int, *wagers: Wager) -> Felt:
        """A felt with nothing on it but these."""
        if not wagers and puck in self._empty:
            return self._empty[puck]
        table = with_rail(self.felts.start.table, 0)
        up = {each.spot: each for each in wagers}
        seat = msgspec.structs.replace(table.seats[SEAT], wagers=up)
        table = msgspec.structs.replace(table, seats={SEAT: seat}, puck=puck, hand=Hand())
        found = self.felts.of(table)[0]
        if not wagers:
            self._empty[puck] = found
        return found

    def pucks(self, puck: int) -> tuple[int, ...]:
        """Where the puck goes, by kind of roll."""
        if puck not in self._pucks:
            felt = self.felt(puck)
            self._pucks[puck] = tuple(
                self.felts.roll(felt, k).felt.puck for k in range(len(self.ways))
            )
        return self._pucks[puck]

    def flat_of(self, spot: str) -> str:
        """The spot of the flat that odds stand behind; nothing for other spots."""
        behind = self.layout.spots[spot].behind
        return behind.flat if behind else ""

    # -- what may be done ----------------------------------------------------------------------

    def ranges(self, puck: int, spot: str, flat: Wager | None = None) -> tuple[Range, ...]:
        """The stakes the table would take, on a felt with at most a flat on it."""
        felt = self.felt(puck, flat) if flat else self.felt(puck)
        return open_ranges(self.layout, felt.table, felt.table.seats[SEAT], spot)

    def stakes(self, puck: int, spot: str, flat: Wager | None = None) -> dict[int, int]:
        """The stakes of the menu that the table would take, each with the most wagers up at once
        among which it is considered."""
        key = (puck, spot, flat.stake if flat else 0)
        known = self._stakes.get(key)
        if known is None:
            ranges = self.ranges(puck, spot, flat) if spot in self.menu.spots else ()
            wanted = self.menu.stakes(self.layout, spot, puck, ranges)
            known = {
                stake: among
                for stake, among in wanted.items()
                if any(
                    low <= stake <= high and not (stake - low) % step for low, high, step in ranges
                )
            }
            self._stakes[key] = known
        return known

    def options(self, puck: int, spot: str, wager: Wager | None) -> tuple[Option, ...]:
        """All that may be made of a spot that takes no odds' place, by the acts of the menu."""
        key = (puck, spot, wager)
        known = self._options.get(key)
        if known is None:
            found: dict[Wager | None, Option] = {}
            for each in self._made(puck, spot, wager):
                before = found.get(each.wager)
                if before is None or each.cash > before.cash:
                    found[each.wager] = each
            known = self._options[key] = tuple(found.values())
        return known

    def _made(self, puck: int, spot: str, wager: Wager | None) -> list[Option]:
        found = [Option(wager, 0, ())]
        if wager is None:
            found += self._acted(self.felt(puck), spot, BET, self.stakes(puck, spot))
            return found + self._called(puck, found)
        felt = self.felt(puck, wager)
        stakes = tuple(self.stakes(puck, spot)) if spot in self.menu.spots else ()
        if spot.startswith(tuple(f"{flat}." for flat in self.menu.spots)):
            stakes = self.menu.travelled(self.layout, spot)
        if self.menu.raising:
            more = [stake - wager.stake for stake in stakes if stake > wager.stake]
            found += self._acted(felt, spot, BET, more)
        if self.menu.lowering:
            less = [stake for stake in stakes if stake < wager.stake]
            found += self._acted(felt, spot, REDUCE, less)
        found += self._called(puck, found)
        for down in self._acted(felt, spot, DOWN, (0,)):
            found.append(down)
            if spot in self.menu.spots:
                for each in self.options(puck, spot, None)[1:]:
                    cash = down.cash + each.cash
                    found.append(Option(each.wager, cash, down.acts + each.acts))
        return found

    def _acted(self, felt: Felt, spot: str, what: int, amounts: Iterable[int]) -> list[Option]:
        """What an act leads to, for each amount that is not refused."""
        found = []
        for amount in amounts:
            act = self.felts.act(felt, what, INDEX[spot], amount)
            if act.refusal is None:
                left = act.felt.wagers.get(INDEX[spot])
                found.append(Option(left, act.cash, (Done(what, spot, amount),)))
        return found

    def _called(self, puck: int, options: list[Option]) -> list[Option]:
        """The same called on or off."""
        found: list[Option] = []
        for option in options if self.menu.calls else ():
            if option.wager is not None:
                felt = self.felt(puck, option.wager)
                for what in (ON, OFF):
                    for each in self._acted(felt, option.wager.spot, what, (0,)):
                        acts = option.acts + each.acts
                        found.append(Option(each.wager, option.cash + each.cash, acts))
        return found

    def odds(self, puck: int, flat: Wager) -> tuple[Option, ...]:
        """The odds of the menu that may be made behind a flat; none is the first option."""
        found = [Option(None, 0, ())]
        spot = self.odds_of.get(flat.spot)
        if spot is not None:
            for stake in self.stakes(puck, spot, flat):
                made = Option(Wager(spot, stake), -stake, (Done(BET, spot, stake),))
                found.append(made)
                if self.menu.calls and any(
                    m.allow for m in self.layout.spots[spot].markers.values()
                ):
                    found += self._odds_called(puck, flat, made)
        return tuple(found)

    def _odds_called(self, puck: int, flat: Wager, made: Option) -> list[Option]:
        assert made.wager is not None
        spot = made.wager.spot
        felt = self.felt(puck, flat, made.wager)
        return [
            Option(each.wager, made.cash, made.acts + each.acts)
            for what in (ON, OFF)
            for each in self._acted(felt, spot, what, (0,))
        ]

    # -- what follows --------------------------------------------------------------------------

    def risk(self, puck: int, wager: Wager) -> int:
        """What of a wager takes part in the next roll."""
        return wager.stake if works(self.layout.spots[wager.spot], wager, puck) else 0

    def fates(self, puck: int, wager: Wager, flat: Wager | None = None) -> tuple[Fate, ...]:
        """What each kind of roll does to a wager; odds are asked about once, with any flat.

        What they win or lose is read from their own cells, so the amount before them has no part.
        """
        known = self._fates.get((puck, wager))
        if known is None:
            both = self.felt(puck, flat, wager) if flat else self.felt(puck, wager)
            base = self.fates(puck, flat) if flat else None
            found = []
            for kind in range(len(self.ways)):
                landed = self.felts.roll(both, kind)
                left, cash = list(landed.felt.wagers.values()), landed.cash
                if base is not None:
                    cash -= base[kind].cash
                    left = [each for each in left if each != base[kind].left]
                if len(left) > 1:
                    raise NotSolvable(phrase("solve.not.two-wagers", spot=wager.spot))
                found.append(Fate(cash, left[0] if left else None))
            known = self._fates[puck, wager] = tuple(found)
        return known

    def refund(self, puck: int, wager: Wager, flat: Wager | None = None) -> int | None:
        """What comes back when a wager is taken down now; None where it may not be."""
        key = (puck, wager)
        if key not in self._refunds:
            felt = self.felt(puck, flat, wager) if flat else self.felt(puck, wager)
            down = self.felts.act(felt, DOWN, INDEX[wager.spot], 0)
            self._refunds[key] = down.cash if down.refusal is None else None
        return self._refunds[key]

    def free(self, puck: int, wager: Wager, flat: Wager | None = None) -> bool:
        """Whether it may be taken down and made again, by the menu, at no cost."""
        key = (puck, wager)
        known = self._free.get(key)
        if known is None:
            back = self.refund(puck, wager, flat)
            known = False
            if back is not None:
                again = self.odds(puck, flat) if flat else self.options(puck, wager.spot, None)
                known = any(each.wager == wager and each.cash == -back for each in again)
            self._free[key] = known
        return known

    def kept(self, puck: int, wager: Wager, flat: Wager | None = None) -> int | None:
        """What taking down a free wager brings after a roll; None for one that is stuck."""
        if self.free(puck, wager, flat):
            return self.refund(puck, wager, flat)
        if flat is not None:
            raise NotSolvable(phrase("solve.not.odds-stuck", spot=wager.spot))
        if wager.marker:
            raise NotSolvable(phrase("solve.not.call-outlasts", spot=wager.spot))
        return None

    def back(self, puck: int, wagers: tuple[Wager, ...]) -> int:
        """What the rail gains when everything that may be taken down is."""
        return sum(self.refund(puck, wager) or 0 for wager in wagers)
