"""A player's own brakes: limits of loss and time, reality checks, time-out, self-exclusion.

A player lowers a limit at once and raises it a day later. They bind at the seat: what could take a
day's loss past the limit is refused, with the term of the house it rests on. No clock here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from boxman.chips import format_amount as money
from boxman.journal.store import Records
from boxman.pit import terms
from boxman.pit.notebook import DAY
from boxman.rules.layout import Layout
from boxman.table.calls import Bet, BuyIn, Sit
from boxman.table.floor_calls import Say
from boxman.table.rulings import Refusal
from boxman.table.stakes import fee_on
from boxman.table.state import Table

MINUTE = 60_000
COOLING = DAY
"""How long a raised limit waits before it binds."""
PAUSED = 5 * MINUTE
"""A player who says nothing for longer is taken to be away: the rest is not counted as play."""
CACHED = 5_000
WAGERS = (Bet, Say)
SITTING = (BuyIn, Sit)


class Brakes(msgspec.Struct, frozen=True, kw_only=True):
    """What one player has set himself; 0 is no limit."""

    loss: int = 0
    """The most to lose in a day, in minor units."""
    minutes: int = 0
    """The most minutes to play in a day."""
    remind: int = 60
    """Minutes between two reality checks."""
    pause_until: int = 0
    excluded_until: int = 0
    later: dict[str, tuple[int, int]] = {}
    """Raised limits that do not bind yet: the figure, and from when."""


class BrakeError(ValueError):
    """A change that is not allowed, in one sentence."""


def now_binding(brakes: Brakes, now: int) -> Brakes:
    """The brakes with every raise whose time has come."""
    due = {name: value for name, (value, at) in brakes.later.items() if at <= now}
    if not due:
        return brakes
    left = {name: each for name, each in brakes.later.items() if name not in due}
    return msgspec.structs.replace(brakes, later=left, **due)


def changed(brakes: Brakes, wanted: dict[str, int], now: int) -> Brakes:
    """The brakes after a player's wish: lower binds at once, higher a day later."""
    made: dict[str, Any] = {}
    later = dict(brakes.later)
    for name, value in wanted.items():
        if value < 0:
            raise BrakeError(f"{name} is below nothing")
        if name in ("loss", "minutes"):
            old = getattr(brakes, name)
            if value and (not old or value <= old):
                made[name] = value
                later.pop(name, None)
            elif value != old:
                later[name] = (value, now + COOLING)
        elif name == "remind":
            made["remind"] = value
        elif name == "pause_hours":
            made["pause_until"] = max(brakes.pause_until, now + value * 60 * MINUTE)
        elif name == "exclude_days":
            made["excluded_until"] = max(brakes.excluded_until, now + value * DAY)
    return msgspec.structs.replace(brakes, later=later, **made)


class Played(msgspec.Struct):
    """How long somebody has played today, and since when he sits."""

    day: int = 0
    time: int = 0
    seen: int = 0
    since: int = 0
    kept: int = 0
    reminded: int = 0


class BrakeBook:
    """Everybody's brakes and play time, from the records and back."""

    def __init__(self, records: Records, clock: Callable[[], int]) -> None:
        self.records, self.clock = records, clock
        self._brakes: dict[str, tuple[int, Brakes]] = {}
        self._played: dict[str, Played] = {}

    def of(self, person: str) -> Brakes:
        """The brakes that bind a person now."""
        now = self.clock()
        known = self._brakes.get(person)
        if known is None or now - known[0] > CACHED:
            kept = self.records.get("brakes", person)
            found = msgspec.json.decode(kept, type=Brakes) if kept else Brakes()
            known = self._brakes[person] = (now, found)
        return now_binding(known[1], now)

    def change(self, person: str, wanted: dict[str, int]) -> Brakes:
        """A player changes his own brakes."""
        now = self.clock()
        made = changed(self.of(person), wanted, now)
        self.records.put("brakes", person, msgspec.json.encode(made))
        self._brakes[person] = (now, made)
        return made

    def played(self, person: str) -> Played:
        """How long somebody has played."""
        found = self._played.get(person)
        if found is None:
            kept = self.records.get("played", person)
            found = msgspec.json.decode(kept, type=Played) if kept else Played()
            self._played[person] = found
        return found

    def active(self, person: str) -> Played:
        """A player does something: his time runs on."""
        now = self.clock()
        found = self.played(person)
        today = now // DAY
        if found.day != today:
            found.day, found.time = today, 0
        gone = now - found.seen
        if 0 <= gone <= PAUSED:
            found.time += gone
        else:
            found.since = found.reminded = now
        found.seen = now
        return found

    def unkept(self) -> list[tuple[str, bytes]]:
        """Play times that have moved by a minute since they were kept."""
        due = [(who, p) for who, p in self._played.items() if p.seen - p.kept >= MINUTE]
        for _, played in due:
            played.kept = played.seen
        return [(who, msgspec.json.encode(played)) for who, played in due]

    def refusal(
        self, person: str, call: Any, layout: Layout, table: Table, seat: str, net: int
    ) -> Refusal | None:
        """Why a player's own brakes forbid a call, if they do. `net` is his result of the day."""
        if not isinstance(call, WAGERS + SITTING):
            return None
        brakes, now = self.of(person), self.clock()
        if brakes.excluded_until > now:
            return Refusal(
                "self-excluded",
                "you have excluded yourself from play",
                (terms.EXCLUDED,),
                "it ends at the time you named",
            )
        if brakes.pause_until > now:
            return Refusal(
                "time-out", "you are taking a pause", (terms.PAUSE,), "it ends by itself"
            )
        if brakes.minutes and self.active(person).time >= brakes.minutes * MINUTE:
            return Refusal(
                "own-time-limit",
                f"your {brakes.minutes} minutes of today are played",
                (terms.TIME,),
                "wagers that are up are played out; take a rest",
            )
        if brakes.loss and isinstance(call, WAGERS):
            return _loss(brakes, call, layout, table, seat, net)
        return None


def _loss(
    brakes: Brakes, call: Any, layout: Layout, table: Table, seat: str, net: int
) -> Refusal | None:
    own = table.seats.get(seat)
    felt = sum(w.stake - w.voucher for w in own.wagers.values()) if own else 0
    spot = layout.spots.get(call.spot)
    fee = fee_on(layout, spot, call.amount) if spot is not None and call.amount > 0 else 0
    room = brakes.loss + net - felt
    if call.amount + fee <= room:
        return None
    return Refusal(
        "own-loss-limit",
        f"your own limit is a loss of {money(brakes.loss)} in a day",
        (terms.LOSS,),
        f"at most {money(room)} more may be staked now" if room > 0 else "come back tomorrow",
    )
