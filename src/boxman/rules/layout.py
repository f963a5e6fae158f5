"""The compiled rulebook: spots with their machines, and the rules of the table around them.

These are plain records. compile.py makes them from facts; the table, the odds and the simulator
read them. A machine is a row of fifteen cells, one for each roll a wager can tell apart, for every
puck. No cell (None) means the wager stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm
from typing import get_args

import msgspec

from boxman.chips import common_step, format_flat, format_ratio, payable_step
from boxman.dice import Rolls
from boxman.rules.cell import ZERO, Cell, Cells
from boxman.rules.facts import LayoutAct, SettingFact
from boxman.rules.families import Family
from boxman.rules.ids import family, number
from boxman.rules.ledger import Cited, Cites, join
from boxman.rules.procedure import Procedure
from boxman.rules.shapes import Collection, Shape

ACTS: tuple[str, ...] = get_args(LayoutAct)
PUCK_OFF = 0


class MarkerRule(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a wager may be called on or off."""

    allow: bool
    puck: str
    scope: str
    lasts: str
    cites: Cites


class OddsLimit(msgspec.Struct, frozen=True, kw_only=True):
    """How large odds on one number may be, measured on the stake or on the win."""

    measure: str
    times: Fraction
    lifted: Fraction
    """As many times as a sign allows; where it allows fewer than the rules, what these allow."""
    amount: int = 0
    """What a sign allows whatever the flat is, in minor units; 0 without one."""
    excess: bool
    ratio: Fraction
    cites: Cites
    excess_cites: Cites
    made_cites: Cites
    """For odds that are made: what they stand behind, and the limit."""
    per_flat: tuple[int, int]
    """The most a stake may be for each unit of the flat: a numerator and its denominator."""

    def most(self, flat: int) -> int:
        """The most that may be staked behind a flat, payable or not."""
        num, den = self.per_flat
        by_flat = num * flat // den
        return by_flat if by_flat > self.amount else self.amount

    @property
    def excess_over(self) -> str:
        """Whether a payable stake above it is taken: none, one above it ("or"), or one above what
        it is without a sign ("plain")."""
        return "" if not self.excess else "plain" if self.lifted > self.times else "or"

    @property
    def shown(self) -> str:
        """How many times the flat it is, or which amount."""
        return format_flat(self.lifted, self.amount)


class BehindRule(msgspec.Struct, frozen=True, kw_only=True):
    """What odds stand behind, and their limits by number."""

    flat: str
    flat_cites: Cites
    limits: dict[int, OddsLimit]
    asleep: str
    asleep_cites: Cites


class FeeRule(msgspec.Struct, frozen=True, kw_only=True):
    """A commission: a share of the stake, or of what the stake would win."""

    rate: Fraction
    base: str
    charged: str
    refund: bool
    cites: Cites
    charged_cites: Cites
    refund_cites: Cites


class ShareRule(msgspec.Struct, frozen=True, kw_only=True):
    """A wager made of others."""

    parts: tuple[str, ...]
    units: tuple[int, ...]
    divide: str
    named: bool
    cites: Cites


class GateRule(msgspec.Struct, frozen=True, kw_only=True):
    """Until when a bonus wager may be joined, with whom it shares the gate."""

    group: str
    until: str
    cites: Cites


class Spot(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One place on the layout where chips may lie, with everything the house says of it."""

    id: str
    family: str
    kind: Family
    """What is known of it before the house says anything."""
    number: int
    name: str
    aliases: tuple[str, ...]
    shape: Shape
    offer_cites: Cites
    rows: dict[int, Cells]
    """The machine: for each puck (0 is off), a row of cells."""
    stays: dict[int, Cells]
    """Cells a clause expressly leaves standing, only for remarks."""
    by_faces: bool
    """It tells rolls of one total apart by their faces."""
    works: tuple[bool, bool]
    """With the puck off, on, when nothing was called."""
    works_cites: tuple[Cites, Cites]
    windows: dict[str, Cited[str]]
    bars: dict[str, Cites]
    """Clauses that carry a refusal of an act beside those of its window."""
    markers: dict[str, MarkerRule]
    again_cites: Cites
    """A winner may stay up: the clauses that say so."""
    unasked: bool = False
    """It stays up unless its owner says otherwise."""
    behind: BehindRule | None = None
    fee: FeeRule | None = None
    share: ShareRule | None = None
    gate: GateRule | None = None
    collection: Collection | None = None
    """What it collects, for a wager with a memory."""
    make_cites: Cites = ()
    printed: Mapping[Fraction, str] = {}
    """Its prices as the document writes them: 25 to 5 is not 5 to 1 on its list."""

    def odds(self, ratio: Fraction) -> str:
        """A price of this wager as the document writes it, or in lowest terms."""
        return self.printed.get(ratio) or format_ratio(ratio)

    def step(self, puck: int, memory: int, kind: int) -> tuple[int, Cell | None]:
        """The memory after a kind of roll, and the cell that decides; None where it stands."""
        return self.shape.step(self, puck, memory, kind)

    def shown(self, memory: int) -> list[int]:
        """What the wager has come to, for people."""
        return self.collection.shown(memory) if self.collection is not None else []

    @property
    def paid_at_its_end(self) -> bool:
        """Whether the roll that ends it may pay it, by what it has come to."""
        return self.collection is not None and bool(self.collection.ends)

    @property
    def is_odds(self) -> bool:
        return self.behind is not None

    def may(self, act: str, puck: int) -> bool:
        """Whether the window for this act is open with this puck."""
        when = self.windows[act].value
        return bool(when == "any" or when == ("on" if puck else "off"))

    def against(self, other: Spot) -> bool:
        """Whether what wins one loses the other, but for a roll that is barred to one of them."""
        if self.number != other.number or self.shape.one_roll or other.shape.one_roll:
            return False
        contrary = {"win": "lose", "lose": "win"}
        met = False
        for puck in set(self.rows) & set(other.rows):
            for one, two in zip(self.rows[puck], other.rows[puck], strict=True):
                if one is not None and two is not None and one.verdict in contrary:
                    if contrary[one.verdict] != two.verdict:
                        return False
                    met = True
        return met

    def ratios(self, puck: int) -> set[Fraction]:
        """All prices this wager can be paid from here on, for the step of exact stakes."""
        rows = [self.rows[puck]] if self.is_odds and puck in self.rows else self.rows.values()
        found = {cell.net for row in rows for cell in row if cell is not None and cell.num > 0}
        if self.collection is not None:
            paid = (*self.collection.ends.values(), *self.collection.steps.values())
            found |= {ratio for ratio, _ in paid}
        return found


class Posted(msgspec.Struct, frozen=True, kw_only=True, cache_hash=True):
    """The limits a table posts, in minor units; classes override by spot, family or "odds"."""

    minimum: int
    maximum: int
    unit: int = 0
    classes: tuple[tuple[str, int, int], ...] = ()
    base: int = 0
    """From where units and multiples are counted, where that is not the minimum: the table's, for a
    player whose own minimum is higher."""

    def limits_of(self, spot: Spot) -> tuple[int, int]:
        """Minimum and maximum of this spot, by the last class it is in."""
        names = classes_of(spot)
        found = (0, 0) if spot.is_odds else (self.minimum, self.maximum)
        for name, least, most in self.classes:
            if name in names:
                found = least, most
        return found


def classes_of(spot: Spot) -> set[str]:
    """The names under which limits of their own can be posted for a wager."""
    names = {spot.id, spot.family, spot.family.removesuffix(".*")}
    names |= {"odds"} if spot.is_odds else set()
    return names | ({"bonus"} if spot.gate is not None else set())


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """What a stake on one spot must satisfy under the posted limits."""

    minimum: int
    maximum: int
    step: int
    """The payable step: chips, shares, exact wins, exact fees."""
    unit: int
    """A posted step above the minimum, or 0."""
    base: int
    """The minimum above which it is counted: the table's."""
    multiple: int
    """The minimum where multiples of it are posted, or 0."""
    least: int
    """The lowest stake that is payable and on what the sign asks for."""
    grid: int
    """How far it is from one such stake to the next."""
    free: bool
    """The sign asks for a unit or multiple here that no payable stake within the limits is on."""


class PuckMove(msgspec.Struct, frozen=True, kw_only=True):
    """What a total does to the puck."""

    to: int
    event: str
    cites: Cites


class SettingRule(SettingFact, frozen=True, kw_only=True):
    """A choice the house has, with its bounds and the clauses they come from."""

    cites: Cites


class Rounding(Cited[str], frozen=True):
    """What becomes of a sum that chips cannot pay."""

    chosen: SettingRule | None
    """The setting that says so, where the house has the choice."""


class Layout(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A house as compiled under its settings: all that the other rooms need."""

    house: str
    edition: str
    title: str
    currency: str
    example: bool
    """No casino's document, but an example of a house."""
    digest: str
    chip: int
    settings: dict[str, object]
    setting_rules: dict[str, SettingRule]
    spots: dict[str, Spot]
    rolls: Rolls
    """The kinds of roll its rows are made of."""
    families: dict[str, Family]
    """Those every house may offer, then the rulebook's own."""
    points: tuple[int, ...]
    puck: dict[int, tuple[PuckMove, ...]]
    hands: dict[str, Cited[str]]
    """Gates that are open only before the first roll after a seven-out, or after any seven."""
    listed: Cites
    withheld: dict[str, Cites]
    """Spots the rulebook has but the settings leave out, with the clauses that let them."""
    areas: dict[str, Cited[str]]
    names: dict[str, str]
    principles: dict[str, Cites]
    betting: dict[str, Cited[str]]
    resting: dict[str, Cites]
    """Clauses that say of dice at rest that an act is over."""
    limits: dict[str, Cited[str]]
    recognise: dict[tuple[str, str], Cited[str]]
    round_win: Rounding
    round_fee: Rounding
    fee_only: Cites
    procedure: Procedure
    steps: dict[tuple[str, int], int]
    """A cache of payable steps by spot and puck number."""
    bounds_cache: dict[tuple[Posted, str, int], Bounds]

    @property
    def silence(self) -> Cites:
        """The clause that says what follows where no other gives a power, a rule or a setting."""
        return self.principles.get("silence") or self.listed

    def not_offered(self, name: str, listed: Cites = ()) -> Cites:
        """The clauses by which a wager of other houses is none here; none of a name that is no
        wager's, or that leaves out which of several is meant."""
        if name in self.withheld:
            return self.withheld[name]
        members = family(name) if number(name) else f"{name}.*"
        alike = [spot.offer_cites for spot in self.spots.values() if spot.family == members]
        if family(name) in self.families:
            return alike[0] if number(name) and len({*alike}) == 1 else listed or self.listed
        if members not in self.families or alike:
            return ()
        held = [cites for spot, cites in self.withheld.items() if family(spot) == members]
        return join(*held) or listed or self.listed

    def barred(self, setting: SettingRule) -> tuple[str, ...]:
        """Choices that another clause takes from a setting: a fee that nothing may go beyond is not
        rounded up."""
        return ("up",) if self.fee_only and setting == self.round_fee.chosen else ()

    def step(self, spot: Spot, puck: int) -> int:
        """The least stake, and the step, that this spot can take in this table's chips."""
        key = (spot.id, puck if spot.shape.by_point else 0)
        known = self.steps.get(key)
        if known is not None:
            return known
        steps = [self.chip]
        if spot.share is not None and spot.share.divide == "equal" and not spot.share.named:
            steps.append(self.chip * sum(spot.share.units))
        if self.round_win.value == "exact":
            steps += [payable_step(ratio, self.chip) for ratio in spot.ratios(puck)]
        if self.round_fee.value == "exact":
            steps.append(fee_step(spot, self.chip))
        self.steps[key] = step = common_step(*steps)
        return step

    def bounds(self, posted: Posted, spot: Spot, puck: int) -> Bounds:
        """Minimum, maximum and steps for a stake on this spot."""
        key = (posted, spot.id, puck if spot.shape.by_point else 0)
        known = self.bounds_cache.get(key)
        if known is not None:
            return known
        minimum, maximum = posted.limits_of(spot)
        step = self.step(spot, puck)
        rule = self.limits.get("multiple")
        above = posted.unit if "unit" in self.limits else 0
        own = any(name in classes_of(spot) for name, _, _ in posted.classes if posted.base)
        base = minimum if own else posted.base or minimum
        asked = (0, 0) if spot.is_odds else (base if rule else 0, above)
        warns = rule is not None and rule.value == "warn"
        for multiple, unit in (asked, (asked[0], 0), (0, asked[1]), (0, 0)):
            whole = step if warns or not multiple else lcm(step, multiple)
            least, grid = on_both(whole, unit, minimum, base)
            if warns or (least and least <= (maximum or least)):
                break
        bounds = Bounds(
            minimum=minimum,
            maximum=maximum,
            step=step,
            unit=unit,
            base=base,
            multiple=multiple,
            least=least,
            grid=grid,
            free=(multiple, unit) != asked,
        )
        self.bounds_cache[key] = bounds
        return bounds


def on_both(whole: int, unit: int, minimum: int, base: int = 0) -> tuple[int, int]:
    """The least multiple of one step that is whole units above a minimum, or above a lower `base`,
    and the next one's distance; 0 where there is none.

    >>> on_both(6, 5, 10), on_both(6, 0, 10), on_both(20, 10, 15)
    ((30, 30), (12, 6), (0, 20))
    """
    if not unit:
        return max(whole, -(-minimum // whole) * whole), whole
    shared, grid = gcd(whole, unit), lcm(whole, unit)
    base = base or minimum
    if base % shared:
        return 0, grid
    turns = unit // shared
    first = base // shared * pow(whole // shared, -1, turns) % turns * whole
    return first + max(0, -(-(max(minimum, 1) - first) // grid)) * grid, grid


@lru_cache(512)
def fee_share(spot: Spot) -> Fraction:
    """The exact fee on one unit of stake, of it or of what it would win; 0 where none is asked."""
    if spot.fee is None:
        return Fraction(0)
    return spot.fee.rate * (max(spot.ratios(PUCK_OFF)) if spot.fee.base == "win" else 1)


def fee_at_placement(spot: Spot) -> Fraction:
    """The exact fee on one unit that goes down with the stake; 0 where none does."""
    return fee_share(spot) if spot.fee is not None and spot.fee.charged == "placement" else ZERO


def fee_step(spot: Spot, chip: int) -> int:
    """The least stake in chips whose fee is payable in chips."""
    return chip * fee_share(spot).denominator
