"""The compiled rulebook: spots with their machines, and the rules of the table around them.

These are plain records. compile.py makes them from facts; the table, the odds and the simulator
read them. A machine is a row of fifteen cells, one for each roll a wager can tell apart, for every
puck. No cell (None) means the wager stands.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from boxman.chips import common_step, payable_step
from boxman.rules.ledger import Cites
from boxman.rules.shapes import Shape

ACTS = ("make", "raise", "reduce", "remove")
DONE = {"make": "made", "raise": "raised", "reduce": "lowered", "remove": "taken down"}
PUCK_OFF = 0


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """What one roll does to a working wager, and the clauses that say so.

    For a win or lose, `win` is what the stake earns and `lost` what part of it is gone, both per
    unit of stake; a plain wager wins `win` and loses nothing, or loses the whole of it.
    """

    verdict: str
    cites: Cites
    """For a wager nobody called on or off."""
    said: Cites
    """For one that was called: the call's clauses join these."""
    win: Fraction = Fraction(0)
    lost: Fraction = Fraction(0)
    to: str = ""
    bit: int = 0
    part: str = ""
    num: int = 0
    den: int = 1

    @property
    def net(self) -> Fraction:
        return self.win - self.lost


Row = tuple[Cell | None, ...]


class Rule(msgspec.Struct, frozen=True):
    """A simple answer with its clauses."""

    value: Any
    cites: Cites


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
    times: int
    lifted: int
    excess: bool
    ratio: Fraction
    cites: Cites
    excess_cites: Cites
    made_cites: Cites
    """For odds that are made: what they stand behind, and the limit."""


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


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """One place on the layout where chips may lie, with everything the house says of it."""

    id: str
    family: str
    number: int
    name: str
    aliases: tuple[str, ...]
    shape: Shape
    offer_cites: Cites
    rows: dict[int, Row]
    """The machine: for each puck (0 is off), a row of cells."""
    stays: dict[int, Row]
    """Cells a clause expressly leaves standing, only for remarks."""
    works: tuple[bool, bool]
    """With the puck off, on, when nothing was called."""
    works_cites: tuple[Cites, Cites]
    windows: dict[str, Rule]
    markers: dict[str, MarkerRule]
    again_cites: Cites
    behind: BehindRule | None = None
    fee: FeeRule | None = None
    share: ShareRule | None = None
    gate: GateRule | None = None
    bits: dict[int, int] = {}
    complete: int = 0
    make_cites: Cites = ()

    @property
    def is_odds(self) -> bool:
        return self.behind is not None

    def may(self, act: str, puck: int) -> bool:
        """Whether the window for this act is open with this puck."""
        when = self.windows[act].value
        return bool(when == "any" or when == ("on" if puck else "off"))

    def ratios(self, puck: int) -> set[Fraction]:
        """All prices this wager can be paid from here on, for the step of exact stakes."""
        rows = [self.rows[puck]] if self.is_odds and puck in self.rows else self.rows.values()
        return {cell.net for row in rows for cell in row if cell is not None and cell.net > 0}


class Posted(msgspec.Struct, frozen=True, kw_only=True):
    """The limits a table posts, in minor units; classes override by spot, family or "odds"."""

    minimum: int
    maximum: int
    unit: int = 0
    classes: tuple[tuple[str, int, int], ...] = ()


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """What a stake on one spot must satisfy under the posted limits."""

    minimum: int
    maximum: int
    step: int
    """The payable step: chips, shares, exact wins, exact fees."""
    unit: int
    """A posted step above the minimum, or 0."""
    multiple: int
    """The minimum where multiples of it are posted, or 0."""


class PuckMove(msgspec.Struct, frozen=True, kw_only=True):
    """What a total does to the puck."""

    to: int
    event: str
    cites: Cites


class Power(msgspec.Struct, frozen=True, kw_only=True):
    """Who may make a call, and what it wants besides."""

    who: dict[str, Cites]
    """Stations, each with the clauses that give it the power."""
    needs: tuple[str, ...]
    cites: Cites
    """Every clause that gives the power to anybody."""


class CauseRule(msgspec.Struct, frozen=True, kw_only=True):
    """What a cause does to a throw, and who may call it where that is a choice."""

    effect: str
    who: tuple[str, ...]
    person: bool
    cites: Cites


class Procedure(msgspec.Struct, frozen=True, kw_only=True):
    """People and throws: who is who, who may do what, what voids a roll."""

    roles: dict[str, Rule]
    powers: dict[tuple[str, str], Power]
    causes: dict[str, CauseRule]
    late: Cites
    faces: dict[str, Rule]
    reversals: dict[str, Rule]
    order: dict[str, Rule]
    """first, then, later."""
    eligible: dict[str, Rule]
    """spots, taking, roll, lacking."""
    shooter: dict[str, Cites]
    no_shooter: dict[str, Rule]
    """then, returns."""
    rules: dict[tuple[str, str], Rule]
    """All other duties by kind and key: confirm, record, notice, favour, closing, dice, crew ..."""


class SettingRule(msgspec.Struct, frozen=True, kw_only=True):
    """A choice the house has, with its bounds and the clause they come from."""

    name: str
    type: str
    text: str
    default: Any
    least: int | None
    most: int | None
    choices: tuple[Any, ...]
    cites: Cites


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """A house as compiled under its settings: all that the other rooms need."""

    house: str
    edition: str
    title: str
    currency: str
    digest: str
    chip: int
    settings: dict[str, Any]
    setting_rules: dict[str, SettingRule]
    spots: dict[str, Spot]
    points: tuple[int, ...]
    puck: dict[int, tuple[PuckMove | None, ...]]
    listed: Cites
    withheld: dict[str, Cites]
    """Spots the rulebook has but the settings leave out, with the clauses that let them."""
    areas: dict[str, Rule]
    names: dict[str, str]
    principles: dict[str, Cites]
    betting: dict[str, Rule]
    limits: dict[str, Rule]
    recognise: dict[tuple[str, str], Rule]
    round_win: Rule
    round_fee: Rule
    fee_only: Cites
    procedure: Procedure
    steps: dict[tuple[str, int], int]
    """A cache of payable steps by spot and puck number."""
    bounds_cache: dict[tuple[Posted, str, int], Bounds]

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
        if spot.fee is not None and self.round_fee.value == "exact":
            steps.append(fee_step(spot.fee, spot, self.chip))
        self.steps[key] = step = common_step(*steps)
        return step

    def bounds(self, posted: Posted, spot: Spot, puck: int) -> Bounds:
        """Minimum, maximum and steps for a stake on this spot."""
        key = (posted, spot.id, puck if spot.shape.by_point else 0)
        known = self.bounds_cache.get(key)
        if known is not None:
            return known
        minimum, maximum = (0, 0) if spot.is_odds else (posted.minimum, posted.maximum)
        for name, least, most in posted.classes:
            if name in (spot.id, spot.family, spot.family.removesuffix(".*")) or (
                name == "odds" and spot.is_odds
            ):
                minimum, maximum = least, most
        step = self.step(spot, puck)
        rule = self.limits.get("multiple")
        multiple = minimum if rule and (rule.value == "warn" or minimum % step == 0) else 0
        unit = posted.unit if "unit" in self.limits and not spot.is_odds else 0
        if unit and (multiple or unit % step or minimum % step):
            unit = 0
        bounds = Bounds(minimum=minimum, maximum=maximum, step=step, unit=unit, multiple=multiple)
        self.bounds_cache[key] = bounds
        return bounds


def fee_amount(fee: FeeRule, spot: Spot, stake: int) -> Fraction:
    """The exact fee on a whole stake."""
    return stake * fee.rate * (fee_ratio(spot) if fee.base == "win" else 1)


def fee_ratio(spot: Spot) -> Fraction:
    """What the stake of a spot with a fee on its win would win, per unit."""
    return max(spot.ratios(PUCK_OFF))


def fee_step(fee: FeeRule, spot: Spot, chip: int) -> int:
    """The least stake in chips whose fee is payable in chips."""
    per_chip = fee_amount(fee, spot, chip) / chip
    return chip * per_chip.denominator
