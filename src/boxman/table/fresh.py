"""What was put down since the last throw, so that a mistake can be handed back before the next.

Kept beside the wagers and not in them: no roll and no strategy depends on it. It knows no rule; who
may hand what back, and what an objection takes, is in calls/handling.py.
"""

from __future__ import annotations

import msgspec

IN_FULL = -1
"""What counts of a stake that counts in full."""


class Stood(msgspec.Struct, frozen=True):
    """What was new of a stake that was found, before chips were put on it, and its mark."""

    amount: int
    fee: int
    split: tuple[int, ...]
    voucher: int
    found: str
    counts: int

    @property
    def chips(self) -> int:
        """How much of it is chips."""
        return self.amount - self.voucher


class Fresh(msgspec.Struct, frozen=True):
    """Chips one seat put on one spot since the last throw, and what went with them."""

    seat: str
    spot: str
    amount: int
    fee: int = 0
    split: tuple[int, ...] = ()
    voucher: int = 0
    found: str = ""
    """How the wager was marked before these chips came to it."""
    counts: int = IN_FULL
    """How much of it counted before."""
    stood: tuple[Stood, ...] = ()
    """How it lay each time chips were put on a stake that was found."""

    @property
    def chips(self) -> int:
        """How much of it is chips."""
        return self.amount - self.voucher


Freshly = dict[str, Fresh]


def place_of(seat: str, spot: str) -> str:
    """Under which name a seat's chips on a spot are kept."""
    return f"{seat} {spot}"


def put_down(fresh: Freshly, more: Fresh) -> Freshly:
    """With these chips too; chips on one place count together."""
    name = place_of(more.seat, more.spot)
    old = fresh.get(name)
    if old is not None:
        stood = old.stood
        if more.found:
            so = Stood(old.amount, old.fee, old.split, old.voucher, more.found, more.counts)
            stood = (*stood, so)
        more = Fresh(
            old.seat,
            old.spot,
            old.amount + more.amount,
            old.fee + more.fee,
            tuple(a + b for a, b in zip(old.split, more.split, strict=True)),
            old.voucher + more.voucher,
            old.found,
            old.counts,
            stood,
        )
    return {**fresh, name: more}


def taken_back(
    fresh: Freshly,
    seat: str,
    spot: str,
    amount: int,
    fee: int,
    split: tuple[int, ...],
    voucher: int = 0,
) -> Freshly:
    """Without chips that came back: those put down last come back first, a voucher as itself.

    Where a wager of parts was lowered as a whole nobody knows which parts were new; then none are.
    """
    name = place_of(seat, spot)
    old = fresh.get(name)
    if old is None:
        return fresh
    rest = fresh.copy()
    del rest[name]
    if amount >= old.amount and voucher == old.voucher:
        return rest
    still = max(0, old.voucher - voucher)
    amount = max(0, old.chips - (amount - voucher)) + still
    if not amount or (old.split and not split):
        return rest
    parts = tuple(a - b for a, b in zip(old.split, split, strict=True))
    stood = tuple(each for each in old.stood if each.amount < amount)
    left = msgspec.structs.replace(
        old, amount=amount, fee=max(0, old.fee - fee), split=parts, voucher=still, stood=stood
    )
    return {**rest, name: left}
