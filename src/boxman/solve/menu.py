"""The menu of a solved question: which wagers, which stakes, and which acts besides.

`read_menu` and `read_stakes` take what people write. Where no stakes are named the menu proposes
some, and says which: a wager that is up alone has many, and fewer the more are up with it. Which
stakes an act may have depends on that act, never on what else is on the menu: one more wager adds
acts and takes none away. It knows no goal; amounts are minor units.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import gcd, lcm

import msgspec

from boxman.chips import AmountError, parse_amount, payable_step
from boxman.chips import format_amount as money
from boxman.rules.cites import braced
from boxman.rules.ids import nearest
from boxman.rules.layout import Layout
from boxman.table.stakes import Range
from boxman.words import phrase, say

MENU_ACTS = ("calls", "raise", "lower")
ODDS = "odds"
AT_MOST = "most"
DEFAULT = ("pass", ODDS)
MANY = 120
"""Proposed stakes of a wager that is up alone, at most."""
TIMES = {2: 2, 3: 8}
"""By wagers up at once: proposed stakes are the least one so many times, or that times again."""
PAIR = 2
"""Flats up at once among which odds are proposed in steps; among more only the most of them."""
MOST_OF_PUCKS = 11
"""Ways in which the most a table takes may differ: off, and every point there can be."""
HOWEVER_MANY = 99
"""Among any number of wagers."""


class MenuError(ValueError):
    """A menu that cannot be; the message says what would be right."""


class Stakes(msgspec.Struct, frozen=True):
    """Amounts considered for a wager; as much as the table takes counts as one."""

    amounts: tuple[int, ...] = ()
    most: bool = False
    step: int = 0
    """For odds: every exact multiple of it, where no amounts are named."""
    among: dict[int, int] = {}
    """Amounts that are considered only among so many wagers up at once, itself counted."""


class PlayMenu(msgspec.Struct, frozen=True):
    """Spots with their stakes, and whether wagers are called, raised and lowered."""

    spots: dict[str, Stakes]
    calls: bool = False
    raising: bool = False
    lowering: bool = False

    def stakes(
        self, layout: Layout, spot: str, puck: int, ranges: Sequence[Range]
    ) -> dict[int, int]:
        """The amounts that are considered where the table takes these, each with the most
        wagers up at once among which it is."""
        wanted = self.spots.get(spot)
        if wanted is None or not ranges:
            return {}
        highest = max(high for _, high, _ in ranges)
        amounts = {amount: wanted.among.get(amount, HOWEVER_MANY) for amount in wanted.amounts}
        if wanted.step:
            by = exact_step(layout, spot, puck, wanted.step)
            steps = range(by, min(highest, 10**9) + 1, by)
            amounts |= dict.fromkeys(steps, PAIR) | dict.fromkeys(steps[-1:], HOWEVER_MANY)
        if wanted.most:
            amounts[highest] = HOWEVER_MANY
        return dict(sorted(amounts.items()))

    def among(self, spot: str, stake: int) -> int:
        """The most wagers up at once among which a flat of this stake is considered."""
        wanted = self.spots.get(spot) or self.spots.get(spot.rpartition(".")[0])
        return wanted.among.get(stake, HOWEVER_MANY) if wanted else HOWEVER_MANY

    def many(self, spot: str) -> int:
        """How many stakes a flat may have, once it has travelled too; as much as the table takes
        may differ by puck."""
        wanted = self.spots.get(spot) or self.spots[spot.rpartition(".")[0]]
        return len(wanted.amounts) + (MOST_OF_PUCKS if wanted.most else 0)

    def travelled(self, layout: Layout, spot: str) -> tuple[int, ...]:
        """The amounts a wager may be raised or lowered to once it has its number."""
        for name, stakes in self.spots.items():
            if spot.startswith(f"{name}.") and layout.spots[name].shape.travels:
                return stakes.amounts
        return ()

    def words(self, names: Mapping[str, str] | None = None) -> str:
        """The menu in one line, as it is written, or with wagers by their names."""
        acts = [
            phrase(f"solve.menu.{word}")
            for word, given in zip(
                MENU_ACTS, (self.calls, self.raising, self.lowering), strict=True
            )
            if given
        ]
        flats = [spot for spot in self.spots if ".odds" not in spot]
        alone = len(flats) == 1 and {*self.spots} <= {flats[0], f"{flats[0]}.odds"}
        told: dict[str, list[str]] = {}
        for spot, stakes in self.spots.items():
            told.setdefault(_amounts(stakes, alone=alone), []).append(spot)
        parts = [
            f"{', '.join(names[each] for each in spots)}: {amounts}"
            if names
            else f"{_joined(spots)} {amounts}".rstrip()
            for amounts, spots in told.items()
        ]
        return "; ".join([*parts, *acts])


def _joined(spots: list[str]) -> str:
    """Spots of one family together: place.6/8."""
    kinds: dict[str, list[str]] = {}
    for spot in spots:
        head, _, tail = spot.rpartition(".")
        kinds.setdefault(head if tail.isdecimal() else spot, []).append(tail)
    return ", ".join(
        f"{kind}.{'/'.join(tails)}" if tails[0].isdecimal() else kind
        for kind, tails in kinds.items()
    )


def _amounts(stakes: Stakes, *, alone: bool) -> str:
    """Amounts as they are written, and which of them among how many wagers; `alone`, where there
    is never another."""
    words = _run(stakes.amounts)
    if stakes.step:
        words.append(phrase("solve.menu.exactly", step=stakes.step))
        if not alone:
            words.append(phrase("solve.menu.then-most", flats=PAIR + 1))
    if stakes.most:
        words.append(phrase("solve.menu.most"))
    if not alone and stakes.among:
        for count in (*TIMES, max(TIMES) + 1):
            left = [
                each for each in stakes.amounts if stakes.among.get(each, HOWEVER_MANY) >= count
            ]
            key = "solve.menu.at-once" if count in TIMES else "solve.menu.or-more-at-once"
            words.append(say(key, {"count": count, "amounts": ", ".join(_run(left))}))
    return ", ".join(words)


def _run(found: Sequence[int]) -> list[str]:
    """An even run of amounts as one; of very many others the first and the last."""
    if len(found) > 3 and len({b - a for a, b in pairwise(found)}) == 1:
        return [f"{money(found[0])}..{money(found[-1])}:{money(found[1] - found[0])}"]
    words = [money(each) for each in found]
    return words if len(words) <= 12 else [*words[:3], "…", words[-1]]


def exact_step(layout: Layout, spot: str, puck: int, step: int) -> int:
    """The least multiple of a step whose win is paid exactly in chips."""
    ratios = layout.spots[spot].ratios(puck)
    return lcm(step, layout.chip, *(payable_step(ratio, layout.chip) for ratio in ratios))


def read_menu(layout: Layout, text: str) -> tuple[list[str], set[str]]:
    """The spots and the acts that a menu names: "pass, odds, place.6, calls"."""
    words = [word for word in re.split(r"[\s,]+", text.strip()) if word] or list(DEFAULT)
    acts = {word for word in words if word in MENU_ACTS}
    spots: dict[str, None] = {}
    for word in words:
        if word in MENU_ACTS or word == ODDS:
            continue
        spots |= dict.fromkeys(_spots_named(layout, word))
    for name in spots:
        spot = layout.spots[name]
        if spot.gate is not None:
            raise MenuError(phrase("solve.menu.collects", spot=name))
        if spot.windows["make"].value == "never":
            raise MenuError(phrase("solve.menu.moves", spot=name))
    if ODDS in words:
        flats = {f"{name}.{n}" for name in spots for n in layout.points} | set(spots)
        behind = [
            name for name, spot in layout.spots.items() if spot.behind and spot.behind.flat in flats
        ]
        spots |= dict.fromkeys(behind)
    if not any(layout.spots[name].behind is None for name in spots):
        raise MenuError(phrase("solve.menu.empty"))
    return list(spots), acts


def _spots_named(layout: Layout, word: str) -> list[str]:
    """The spot of this name, or all of the family."""
    if word in layout.spots:
        return [word]
    families: dict[str, list[str]] = {}
    for name, spot in layout.spots.items():
        families.setdefault(spot.family.removesuffix(".*"), []).append(name)
    found = families.get(word.removesuffix(".*"))
    if not found:
        hint = nearest(word, sorted({*layout.spots, *families, *MENU_ACTS, ODDS}))
        raise MenuError(_near("not-offered", word, hint, braced(layout.listed)))
    return found


def _near(key: str, word: str, hint: str, cites: str = "") -> str:
    """That there is no such thing, with what may have been meant, or the clauses that say so."""
    values = {"word": word, "hint": hint, "cites": cites}
    return say(f"solve.menu.{key}{'-near' if hint else ''}", values)


_RANGE = re.compile(r"(\d+(?:\.\d+)?)(?:\.\.(\d+(?:\.\d+)?)(?::(\d+(?:\.\d+)?))?)?")


def read_stakes(layout: Layout, text: str) -> dict[str, Stakes]:
    """Stakes by spot, family or "odds": "5..300:5 odds=most field=5,25"; "" is for all others."""
    found: dict[str, Stakes] = {}
    for part in re.split(r"[\s;]+", text.strip()):
        if not part:
            continue
        name, sign, amounts = part.rpartition("=")
        known = {*layout.spots, *(s.family.removesuffix(".*") for s in layout.spots.values())}
        if sign and name not in {*known, ODDS}:
            hint = nearest(name, sorted({*known, ODDS}))
            raise MenuError(_near("no-wager", name, hint))
        if name in found:
            raise MenuError(phrase("solve.menu.twice", word=name or phrase("solve.menu.all")))
        found[name] = _read_amounts(amounts)
    return found


def _read_amounts(text: str) -> Stakes:
    amounts: set[int] = set()
    most = False
    for word in text.split(","):
        match = _RANGE.fullmatch(word)
        if word == AT_MOST:
            most = True
        elif match is None:
            raise MenuError(
                phrase(
                    "solve.menu.written", most=AT_MOST, word=word or phrase("solve.menu.nothing")
                )
            )
        else:
            try:
                low = parse_amount(match[1])
                high = parse_amount(match[2]) if match[2] else low
                step = parse_amount(match[3]) if match[3] else low
            except AmountError as error:
                raise MenuError(str(error)) from None
            if high < low or (high - low) // step > 10_000:
                raise MenuError(phrase("solve.menu.no-range", word=word))
            amounts |= set(range(low, high + 1, step))
    return Stakes(tuple(sorted(amounts)), most)


def menu_of(
    layout: Layout,
    text: str = "",
    stakes: str = "",
    *,
    minimum: int,
    most: int,
) -> PlayMenu:
    """A menu as people write it, with stakes proposed where none are named.

    `minimum` is the table's, `most` the largest stake that makes sense for the question.
    """
    spots, acts = read_menu(layout, text)
    given = read_stakes(layout, stakes)
    flats = _proposed(layout.chip, minimum, most)
    chosen: dict[str, Stakes] = {}
    for name in spots:
        spot = layout.spots[name]
        words = (name, spot.family.removesuffix(".*"), ODDS if spot.behind else "")
        named = next((given[word] for word in words if word in given), None)
        if named is not None:
            chosen[name] = named
        elif spot.behind is None:
            # What travels has a place on every number: of that only the least.
            least = dict(list(flats.items())[:1])
            chosen[name] = _fitting(layout, name, least if spot.shape.travels else flats)
        else:
            base = given[""].amounts if "" in given else ()
            chosen[name] = Stakes(step=gcd(*base) or min(flats))
    for word in given:
        if word and not any(
            word in (name, layout.spots[name].family.removesuffix(".*"))
            or (word == ODDS and layout.spots[name].behind is not None)
            for name in spots
        ):
            raise MenuError(phrase("solve.menu.not-on-it", word=word))
    return PlayMenu(chosen, "calls" in acts, "raise" in acts, "lower" in acts)


def _fitting(layout: Layout, name: str, wanted: Mapping[int, int]) -> Stakes:
    """The nearest stakes above that this wager pays exactly."""
    by = exact_step(layout, name, 0, layout.step(layout.spots[name], 0))
    among: dict[int, int] = {}
    for amount, count in wanted.items():
        fits = -(-amount // by) * by
        among[fits] = max(count, among.get(fits, 0))
    limited = {amount: count for amount, count in among.items() if count < HOWEVER_MANY}
    return Stakes(tuple(sorted(among)), among=limited)


def _proposed(chip: int, minimum: int, most: int) -> dict[int, int]:
    """Even stakes from the minimum up, each with the most wagers among which it is considered.

    The step doubles with what is wanted: a nearer goal has all the stakes of a further one.
    """
    step = max(minimum, chip)
    while most // step > MANY:
        step *= 2
    found = dict.fromkeys(range(step, max(most, step) + 1, step), 1)
    for count, times in TIMES.items():
        stake = step
        while stake in found:
            found[stake] = count
            stake *= times
    found[step] = HOWEVER_MANY
    return found


def ladder(layout: Layout, spots: Sequence[str], least: int, most: int, count: int) -> str:
    """So many stakes from the least up as people bet them, ever wider, in words: 5,10,50,100,500.

    They are 1, 2, 5, 10, 20 times the least and so on. Wagers that pay exactly in other steps have
    their own: place.6=6,30.
    """
    told: dict[tuple[int, ...], list[str]] = {}
    for name in spots:
        if layout.spots[name].behind is None:
            by = exact_step(layout, name, 0, layout.step(layout.spots[name], 0))
            told.setdefault(_rungs(-(-least // by) * by, most, count), []).append(name)
    usual = _rungs(max(least, layout.chip), most, count)
    words = [",".join(map(money, usual))]
    for amounts, names in told.items():
        if amounts != usual:
            words += [f"{name}={','.join(map(money, amounts))}" for name in names]
    return " ".join(words)


def _rungs(least: int, most: int, count: int) -> tuple[int, ...]:
    """
    >>> _rungs(500, 59_500, 5), _rungs(600, 59_500, 2), _rungs(2500, 2000, 5)
    ((500, 1000, 5000, 10000, 50000), (600, 30000), (2500,))
    """
    found = [least * times * 10**zeros for zeros in range(12) for times in (1, 2, 5)]
    found = [each for each in found if each <= most] or [least]
    last = len(found) - 1
    return tuple(dict.fromkeys(found[n * last // max(1, count - 1)] for n in range(count)))
