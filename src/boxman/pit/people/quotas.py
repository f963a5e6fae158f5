"""How much of the house one visitor may have, and one address, and what is kept for its own.

A visitor is whoever has a session; behind an address may sit a whole class. It knows no table: what
is counted is named by whoever asks.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from ipaddress import IPv6Address, ip_address

from boxman.pit.people.bucket import Buckets
from boxman.pit.people.door import DoorError
from boxman.words import phrase

CLASS = 30
"""Visitors who may sit behind one address."""
KEPT = 10
"""A tenth of all tables is kept for those who run the house."""


def address_of(client: Sequence[object] | None) -> str:
    """The address that somebody is counted by. Whoever has one of IPv6 has all of its network: the
    first 64 bits are the address.

    >>> address_of(("192.0.2.7", 40000)), address_of(("::ffff:192.0.2.7", 40000))
    ('192.0.2.7', '192.0.2.7')
    >>> address_of(("2001:db8:1:2:aaaa::1", 1)) == address_of(("2001:db8:1:2::9", 2))
    True
    """
    host = str(client[0]) if client else ""
    try:
        found = ip_address(host.partition("%")[0])
    except ValueError:  # behind a proxy that says something else
        return host
    if not isinstance(found, IPv6Address):
        return host
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Address(int(found) >> 64 << 64))


class Quotas:
    """Who opened what, from where. Addresses are in memory alone."""

    def __init__(self, tables: int, each: int, guests: float = 0.0) -> None:
        self.tables, self.each = tables, each
        self.guests = Buckets(guests, 4.0 * CLASS)
        self._from: dict[str, str] = {}

    def may_enter(self, address: str) -> None:
        """Raise DoorError if no other guest is let in from an address now: each is something that
        is stored, whatever cookies whoever asks sends along."""
        if not self.guests.take(address, time.monotonic()):
            raise DoorError(429, "too-fast", phrase("pit.people.many-guests-came"))

    def opened(self, table: str, address: str) -> None:
        """Somebody at an address has opened a table."""
        self._from[table] = address

    def may_open(self, openers: Iterable[tuple[str, str]], person: str, address: str) -> None:
        """Raise DoorError if somebody may open no other table now.

        `openers` has every open table with who opened it. Who runs the house asks for none of this
        but that there is room at all.
        """
        found = list(openers)
        if len(found) >= self.tables - self.tables // KEPT:
            raise DoorError(409, "house-full", phrase("pit.people.the-house-has-as"))
        if sum(1 for _, who in found if who == person) >= self.each:
            words = phrase("pit.people.you-have-opened-tables", each=self.each)
            raise DoorError(409, "enough-tables", words)
        known = {table for table, _ in found}
        self._from = {table: at for table, at in self._from.items() if table in known}
        if sum(1 for at in self._from.values() if at == address) >= self.each * CLASS // 2:
            raise DoorError(409, "enough-tables", phrase("pit.people.enough-tables-were-opened"))
