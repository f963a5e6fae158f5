"""Values as bytes and back: calls, decisions and whole tables, typed, without loss.

Two forms. `canonical` is for rows: one value has one spelling, whatever process writes it, because
its bytes are hashed. `keep_order` is for tables at rest: players and wagers stay in the order in
which they came, since rulings name them in it.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Union

import msgspec

from boxman.journal import pit_calls  # noqa: F401  (declares what a live table writes besides)
from boxman.table import calls, opening  # noqa: F401  (declare what people say, and the opening)
from boxman.table.call import DECLARED, Call
from boxman.table.state import Table

if TYPE_CHECKING:
    EveryCall = Call
else:
    EveryCall = Union[tuple(DECLARED)]  # noqa: UP007
"""Everything that is written down: what people say, the opening, the dice of the house."""

canonical = msgspec.json.Encoder(order="deterministic").encode
"""Fields as declared, keys of dictionaries and members of sets sorted."""

keep_order = msgspec.json.Encoder().encode
"""Dictionaries in their own order."""

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What bytes that are not the JSON wanted, or nested without end, raise."""

_CALL: msgspec.json.Decoder[EveryCall] = msgspec.json.Decoder(EveryCall)
_TABLE: msgspec.json.Decoder[Table] = msgspec.json.Decoder(Table)


def read_call(data: bytes | str) -> EveryCall:
    """A call from its JSON; msgspec.ValidationError says what is wrong with it."""
    return _CALL.decode(data)


def read_table(data: bytes | str) -> Table:
    """A whole table from its JSON."""
    return _TABLE.decode(data)


def table_digest(table: Table) -> str:
    """The hash of a whole table: its values in their one spelling, and the order in which players
    and their wagers came, since rulings name them in it."""
    order = [(name, list(seat.wagers)) for name, seat in table.seats.items()]
    return sha256(canonical((table, order))).hexdigest()


def plain(value: object) -> Any:
    """A value as JSON would hold it: dictionaries, lists, strings, numbers."""
    return msgspec.to_builtins(value)
