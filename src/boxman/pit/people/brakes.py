"""A player's own brakes: limits of loss and time, reality checks, time-out, self-exclusion.

A player lowers a limit at once and raises it a day later. They bind at the seat: what could take a
day's loss past the limit is refused, with the term of the house it rests on. No clock here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from boxman.journal.store import Records
from boxman.pit.live import terms
from boxman.pit.live.notebook import DAY
from boxman.pit.people.daybook import APART, Spell, merged
from boxman.rules.layout import Layout
from boxman.table.call import DECLARED, Call
from boxman.table.rulings import Refusal
from boxman.table.stakes import fee_on
from boxman.table.state import Table
from boxman.words import phrase
from boxman.words.say import Value

MINUTE_MILLISECONDS = 60_000
COOLING = DAY
"""How long a raised limit waits before it binds."""


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


NONE = Brakes()


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
    made: dict[str, object] = {}
    later = dict(brakes.later)
    for name, value in wanted.items():
        if value < 0:
            raise BrakeError(phrase("pit.people.is-below-nothing", name=name))
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
            made["pause_until"] = max(brakes.pause_until, now + value * 60 * MINUTE_MILLISECONDS)
        elif name == "exclude_days":
            made["excluded_until"] = max(brakes.excluded_until, now + value * DAY)
    return msgspec.structs.replace(brakes, later=later, **made)


class PlayedToday(msgspec.Struct):
    """When somebody has played today in this process, and since when he sits."""

    day: int = 0
    spells: list[Spell] = []
    seen: int = 0
    since: int = 0
    reminded: int = 0


class BrakeBook:
    """Everybody's brakes and play time.

    Brakes are in the records and known here; `refresh` reads what other processes changed. Play
    time is counted here and, by the day book, everywhere else.
    """

    def __init__(
        self,
        records: Records,
        clock: Callable[[], int],
        elsewhere: Callable[[str], list[Spell]] = lambda person: [],
    ) -> None:
        self.records, self.clock, self.elsewhere = records, clock, elsewhere
        self._brakes: dict[str, Brakes] = {}
        self._changes: dict[str, int] = {}
        """How often somebody's brakes were changed here."""
        self._played: dict[str, PlayedToday] = {}

    def of(self, person: str) -> Brakes:
        """The brakes that bind a person now, as `refresh` read them last: asked for every wager."""
        return now_binding(self._brakes.get(person, NONE), self.clock())

    def change(self, person: str, wanted: dict[str, int]) -> Brakes:
        """A player changes his own brakes; nobody else's change is lost."""
        for _ in range(10):
            kept = self.records.get("brakes", person)
            old = msgspec.json.decode(kept, type=Brakes) if kept else NONE
            now = self.clock()
            made = changed(now_binding(old, now), wanted, now)
            new = msgspec.json.encode(made)
            if kept is None:
                done = self.records.add("brakes", person, new)
            else:
                done = self.records.swap("brakes", person, kept, new)
            if done:
                self._changes[person] = self._changes.get(person, 0) + 1
                self._brakes[person] = made
                return made
        raise BrakeError(phrase("pit.people.your-limits-are-being"))

    def refresh(self) -> None:
        """What was changed elsewhere; reads the store, so it belongs in a thread."""
        before = dict(self._changes)
        for person, value in self.records.list("brakes"):
            # What was changed here while the store was read is newer than what was read.
            if self._changes.get(person, 0) == before.get(person, 0):
                self._brakes[person] = msgspec.json.decode(value, type=Brakes)

    def played(self, person: str) -> PlayedToday:
        """What is known here of somebody's play."""
        return self._played.setdefault(person, PlayedToday())

    def active(self, person: str) -> PlayedToday:
        """A player does something: his time runs on."""
        now = self.clock()
        found = self.played(person)
        if found.day != now // DAY:
            # A spell that goes on over midnight counts from midnight.
            found.day, found.spells = now // DAY, []
            if now - found.seen <= APART:
                found.spells = [(max(found.seen, found.day * DAY), now)]
        if found.spells and now - found.spells[-1][1] <= APART:
            found.spells[-1] = (found.spells[-1][0], now)
        else:
            found.spells.append((now, now))
        if not 0 <= now - found.seen <= APART:
            last = merged(self.elsewhere(person))[-1:]
            going_on = bool(last) and now - last[0][1] <= APART
            found.since = found.reminded = last[0][0] if going_on else now
        found.seen = now
        return found

    def time(self, person: str) -> int:
        """How long somebody has played today, here and elsewhere, in milliseconds."""
        own = self.played(person)
        here = own.spells if own.day == self.clock() // DAY else []
        return sum(end - start for start, end in merged([*here, *self.elsewhere(person)]))

    def spells(self) -> dict[str, tuple[Spell, ...]]:
        """Who has played here today, and when."""
        today = self.clock() // DAY
        return {
            person: tuple(played.spells)
            for person, played in tuple(self._played.items())
            if played.day == today and played.spells
        }

    def refusal(
        self, person: str, call: Call, layout: Layout, table: Table, seat: str, net: int
    ) -> Refusal | None:
        """Why a player's own brakes forbid a call, if they do.

        `net` is his result of the day, less what he has up at other tables.
        """
        braked = DECLARED[type(call)].braked
        if not braked:
            return None
        brakes, now = self.of(person), self.clock()
        if brakes.excluded_until > now:
            return Refusal("self-excluded", (terms.EXCLUDED,))
        if brakes.pause_until > now:
            return Refusal("time-out", (terms.PAUSE,))
        if brakes.minutes and self.time(person) >= brakes.minutes * MINUTE_MILLISECONDS:
            return Refusal("own-time-limit", (terms.TIME,), values={"minutes": brakes.minutes})
        if brakes.loss and braked == "staking":
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
    do = phrase("pit.people.stake-less") if room > 0 else phrase("pit.people.come-back-tomorrow")
    values: dict[str, Value] = {"loss": brakes.loss, "room": room}
    return Refusal("own-loss-limit", (terms.LOSS,), "", do, values)
