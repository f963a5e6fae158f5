"""The limits as they bind one player: a personal grant, or an old minimum kept."""

from __future__ import annotations

from functools import reduce
from math import gcd

import msgspec

from boxman.rules.layout import Layout, Posted
from boxman.table.floor.people import Granted, Kept
from boxman.table.state import Cites, Table, Wager

MINUTE = 60
OVER = Granted(0, 0)
"""What is left of a grant that was ended: the limits of the table, also for what is up."""


def favoured(layout: Layout, since: Kept, at: int) -> bool:
    """Whether the time is not over for which old limits may be kept."""
    rule = layout.procedure.favour.minutes
    return rule is None or at - since.since < rule.value * MINUTE


def kept_by(layout: Layout, table: Table, name: str, at: int) -> Kept | None:
    """The old minimum a player still has at this time, of all changes whose time is not over."""
    kept = table.floor.kept.get(name)
    if kept is None:
        return None
    left = [each for each in kept.each if favoured(layout, each, at)]
    return reduce(of_both, left) if left else None


def of_both(one: Kept, other: Kept) -> Kept:
    """What is kept of two changes together."""
    low, unit = asking_less(one.minimum, one.unit, other)
    known = {of for of, _, _ in one.classes}
    more = tuple(each for each in other.classes if each[0] not in known)
    classes = classes_asking_less(one.classes, other) + classes_asking_less(more, one)
    return Kept(low, unit, max(one.since, other.since), classes)


def own_limits(posted: Posted, grant: Granted | None) -> tuple[int, int]:
    """The least and the most that a player may bet. The figure that was granted prevails over a
    posted one that it crosses."""
    if grant is None:
        return posted.minimum, posted.maximum
    low = grant.minimum or min(posted.minimum, grant.maximum or posted.minimum)
    return low, grant.maximum or max(posted.maximum, grant.minimum)


def asking_less(minimum: int, unit: int, kept: Kept) -> tuple[int, int]:
    """A minimum and a unit beside old ones that are kept: a favour takes nothing away."""
    return min(minimum, kept.minimum), gcd(unit, kept.unit) if unit and kept.unit else 0


def classes_asking_less(
    classes: tuple[tuple[str, int, int], ...], kept: Kept
) -> tuple[tuple[str, int, int], ...]:
    """The minimums of kinds of wagers beside old ones that are kept."""
    old = {"odds": 0} | {of: least for of, least, _ in kept.classes}
    return tuple((of, min(least, old.get(of, kept.minimum)), most) for of, least, most in classes)


def personal(layout: Layout, table: Table, name: str, at: int) -> Table:
    """The table as its limits bind this player now."""
    grant = table.floor.grants.get(name)
    kept = kept_by(layout, table, name, at)
    if grant in (None, OVER) and kept is None:
        return table
    posted = table.posted
    low, high = own_limits(posted, grant)
    unit, classes = posted.unit, posted.classes
    if kept is not None:
        low, unit = asking_less(low, unit, kept)
        classes = classes_asking_less(classes, kept)
    base = posted.minimum if low > posted.minimum else 0
    own = Posted(minimum=low, maximum=high, unit=unit, classes=classes, base=base)
    return msgspec.structs.replace(table, posted=own)


def own_cites(layout: Layout, table: Table, name: str, at: int, most: bool) -> Cites:
    """The clauses by which a player's own maximum, or minimum and unit, are not the table's."""
    kept = None if most else kept_by(layout, table, name, at)
    power = layout.procedure.power("keep limits" if kept is not None else "grant limits")
    return power.cites if power is not None else ()


def granted_cites(layout: Layout, table: Table, name: str, wager: Wager) -> Cites:
    """The clauses of limits granted to a player, where those measured a stake that was found."""
    grant, power = table.floor.grants.get(name), layout.procedure.power("grant limits")
    if grant in (None, OVER) or power is None:
        return ()
    low, high = own_limits(table.posted, grant)
    most = "over maximum" in wager.found and high != table.posted.maximum
    least = "under minimum" in wager.found and table.posted.minimum <= wager.stake < low
    return power.cites if most or least else ()


def ended(layout: Layout, table: Table, name: str, at: int) -> Cites:
    """The clauses by which an old minimum is kept no longer, once its time is over."""
    kept, favour = table.floor.kept.get(name), layout.procedure.favour
    if kept is None or (kept.each and all(favoured(layout, each, at) for each in kept.each)):
        return ()
    rule = favour.stick_change_after if kept.over else favour.minutes
    return rule.cites if rule is not None else ()


def had_it_lasted(layout: Layout, table: Table, name: str) -> Table:
    """The table as its limits would bind a player for whom the time of what was kept is over."""
    kept = {**table.floor.kept, name: msgspec.structs.replace(table.floor.kept[name], over="")}
    floor = msgspec.structs.replace(table.floor, kept=kept)
    return personal(layout, msgspec.structs.replace(table, floor=floor), name, 0)


def together(table: Table, name: str) -> tuple[str, ...]:
    """Those who are held together with a player, and the player: who was named first comes first.

    Two who are each held with a third are held with each other: it is one partnership.
    """
    groups: list[tuple[str, ...]] = []
    for pair in table.floor.partners:
        first, second = (
            next((group for group in groups if each in group), (each,)) for each in pair.both
        )
        if first != second:
            groups = [group for group in groups if group not in (first, second)]
            groups.append(first + second)
    return next((group for group in groups if name in group), (name,))
