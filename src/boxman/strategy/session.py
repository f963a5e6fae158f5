"""A session: where, with how much money, for how long, and what ends it.

Every executor plays the same session. Amounts here are minor units; `session` takes them as people
write them. It knows no strategy and rolls no dice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import TypedDict, Unpack

import msgspec

from boxman.chips import format_amount as money
from boxman.chips import minor, parse_amount
from boxman.rules.book import BookError, houses
from boxman.rules.compile import load
from boxman.rules.favours import proposed
from boxman.rules.layout import Layout
from boxman.rules.settings import SettingError
from boxman.strategy.spots import learn
from boxman.table.calls import (
    BuyIn,
    Call,
    CancelPoint,
    DeclineDice,
    OfferDice,
    PassDice,
    TakeDice,
)
from boxman.table.floor.people import GUEST, STICK
from boxman.table.floor.shooters import eligible, turn
from boxman.table.opening import PLAYERS, Open, open_table
from boxman.table.ruling import rule
from boxman.table.state import Table
from boxman.words import phrase
from boxman.words.given import expect_fields

SEAT = "ann"
"""The seat a strategy plays."""
FACE, RUN_OUT, VALUE = "face", "run-out", "value"
RAIL = "rail"
GUEST_SHOOTS, SELF_SHOOTS = "guest", "self"
MOST_ROLLS = 10_000_000_000
"""As many as there are dice for, and more than anybody waits for."""
MOST_AMOUNT = 10**17
"""As much as an amount in writing may be."""


class SessionError(ValueError):
    """A session that cannot be played; the message says why and what would do."""


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """What every executor needs to know; amounts in minor units."""

    house: str
    settings: Mapping[str, object] = {}
    chip: int = 100
    minimum: int = 0
    maximum: int = 0
    """A limit that is left out is that of the least usual ones at which no wager favours the
    player."""
    unit: int = 0
    classes: tuple[tuple[str, int, int], ...] = ()
    bankroll: int = 50_000
    rolls: int = 200
    shooters: int = 0
    """Seven-outs after which it ends; 0 for no limit."""
    stop_win: int = 0
    stop_loss: int = 0
    count: str = RAIL
    """How a stop-win is counted: on the rail with everything down that may be, or at face."""
    rolls_per_hour: int = 100
    shooter: str = GUEST_SHOOTS
    end: str = VALUE

    def __post_init__(self) -> None:
        minor(self.chip)
        expect_fields(self)
        for amount in (self.bankroll, self.maximum, self.unit, self.stop_win, self.stop_loss):
            if amount > MOST_AMOUNT:
                raise SessionError(phrase("amounts.too-much", text=money(amount)))
        if self.shooter not in (GUEST_SHOOTS, SELF_SHOOTS):
            raise SessionError(
                phrase("strategy.wrong.the-shooter-is-guest-or", shooter=self.shooter)
            )
        if self.end not in (FACE, RUN_OUT, VALUE):
            raise SessionError(phrase("strategy.wrong.a-session-ends-at-face", end=self.end))
        if self.count not in (RAIL, FACE):
            raise SessionError(phrase("strategy.wrong.a-stop-win-is-counted", count=self.count))
        if not 1 <= self.rolls <= MOST_ROLLS:
            raise SessionError(
                phrase("strategy.wrong.a-session-has-at-least", most_rolls=f"{MOST_ROLLS:,}")
            )
        if self.bankroll <= 0 or self.bankroll % self.chip:
            raise SessionError(
                phrase(
                    "strategy.wrong.a-bankroll-of-cannot-be", bankroll=self.bankroll, chip=self.chip
                )
            )
        for name in ("minimum", "maximum", "unit", "shooters", "stop_win", "stop_loss"):
            if getattr(self, name) < 0:
                raise SessionError(
                    phrase("strategy.wrong.is-0-none-or-more", replace=name.replace("_", " "))
                )
        if self.shooters > MOST_ROLLS:
            raise SessionError(
                phrase("strategy.wrong.a-session-has-at-most", most_rolls=f"{MOST_ROLLS:,}")
            )
        if self.rolls_per_hour < 1:
            raise SessionError(phrase("strategy.wrong.rolls-per-hour-is-at"))
        if self.house and not (self.minimum and self.maximum):
            self._propose_limits()

    def _propose_limits(self) -> None:
        try:
            usual = proposed(load(self.house, self.settings, self.chip))
        except SettingError as error:
            raise SessionError(str(error)) from None
        msgspec.structs.force_setattr(self, "minimum", self.minimum or usual.minimum)
        msgspec.structs.force_setattr(self, "maximum", self.maximum or usual.maximum)

    @property
    def takes_down(self) -> bool:
        """Whether a player who has won enough takes down what may be: only then is it enough."""
        return bool(self.stop_win) and self.count == RAIL


Amount = int | str | Decimal
_MAY_BE_NONE = ("unit", "stop_win", "stop_loss")
_AMOUNTS = {"chip", "minimum", "maximum", "unit", "bankroll", "stop_win", "stop_loss"}


class TableOptions(TypedDict, total=False):
    """A table and a bankroll as people write them: amounts are those on the chips."""

    settings: Mapping[str, object]
    chip: Amount
    minimum: Amount
    maximum: Amount
    unit: Amount
    classes: tuple[tuple[str, int, int], ...]
    bankroll: Amount
    rolls_per_hour: int
    shooter: str


class SessionOptions(TableOptions, total=False):
    """A session as people write it."""

    rolls: int
    shooters: int
    stop_win: Amount
    stop_loss: Amount
    count: str
    end: str


def session(house: str = "", **options: Unpack[SessionOptions]) -> Session:
    """A session with amounts as people write them: session(bankroll=500, chip="2.50").

    >>> session(bankroll=300).bankroll
    30000
    """
    given: dict[str, object] = {"house": house or houses()[0], **options}
    for name in given.keys() & _AMOUNTS:
        words = str(given[name])
        # Nothing is no amount of chips, but it is what an option left out stands for.
        none = name in _MAY_BE_NONE and words == "0"
        given[name] = 0 if none else parse_amount(words)
    return msgspec.structs.replace(Session(house=""), **given)


def opened(played: Session) -> tuple[Layout, Table]:
    """The layout, and the table with the player's bankroll on the rail."""
    return _opened(msgspec.json.encode(played), _written(played.house))


def learn_house(house: str, settings: Mapping[str, object]) -> None:
    """Make a house's wagers words of the text form; what is wrong with it is told when it plays."""
    if house:
        with suppress(BookError, SettingError):
            learn(load(house, settings).spots)


def _written(house: str) -> tuple[int, int]:
    """When a rulebook of one's own was last written, and its size; nothing for the other houses."""
    try:
        found = Path(house).stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


@lru_cache(maxsize=64)
def _opened(encoded: bytes, written: tuple[int, int]) -> tuple[Layout, Table]:
    """A table is a value: the same session begins at the same one while its rulebook stands."""
    played = msgspec.json.decode(encoded, type=Session)
    opening = open_table(
        Open(
            house=played.house,
            chip=played.chip,
            minimum=played.minimum,
            maximum=played.maximum,
            unit=played.unit,
            classes=played.classes,
            settings=dict(played.settings),
            shooter=GUEST if played.shooter == GUEST_SHOOTS else PLAYERS,
        )
    )
    if opening.refusal is not None or opening.layout is None or opening.table is None:
        reason = opening.refusal
        raise SessionError(f"{reason.sentence}; {reason.remedy}".rstrip("; ") if reason else "")
    bought = rule(opening.layout, opening.table, BuyIn(seat=SEAT, amount=played.bankroll))
    if bought.refusal is not None:
        raise SessionError(f"{bought.refusal.sentence}; {bought.refusal.remedy}")
    learn(opening.layout.spots)
    return opening.layout, bought.after


def opening_lines(played: Session) -> list[str]:
    """The first lines of a transcript of this session."""
    words = [f'house "{played.house}"' if " " in played.house else f"house {played.house}"]
    words.append(f"chip {money(played.chip)}")
    words.append(f"limits {money(played.minimum)}-{money(played.maximum)}")
    words += [f"limits {money(low)}-{money(high)} {name}" for name, low, high in played.classes]
    if played.unit:
        words.append(f"unit {money(played.unit)}")
    words += [f"set {n}={str(v).replace(' to ', '-to-')}" for n, v in played.settings.items()]
    if played.shooter == SELF_SHOOTS:
        words.append("shooter players")
    return [" ".join(words), f"{SEAT} buys in {money(played.bankroll)}"]


def ready(layout: Layout, table: Table, say: Callable[[Call], Table]) -> bool:
    """Get the dice into a hand that may throw them; False if nobody will throw.

    The player shoots whenever a wager of his lets him, and gives the dice up when none does. Then
    the house's rule for dice nobody wants applies.
    """
    for _ in range(8):
        hand = table.hand
        if hand.shooter == GUEST:
            return True
        seat = table.seats[SEAT]
        able = eligible(layout, seat)
        if hand.shooter == SEAT:
            if able:
                return True
            table = say(PassDice(seat=SEAT))
        elif hand.offered == SEAT:
            table = say(TakeDice(seat=SEAT) if able else DeclineDice(seat=SEAT))
        elif hand.shooter == STICK and not able:
            return bool(seat.wagers)
        elif turn(layout, table):
            table = say(OfferDice(seat=SEAT))
        elif able:
            table = say(TakeDice(seat=SEAT))
        else:
            then = layout.procedure.no_shooter.then
            if then is not None and then.value == "stick throws" and seat.wagers:
                table = say(TakeDice(seat=STICK))
            elif then is not None and then.value == "cancel point" and table.puck:
                table = say(CancelPoint())
            else:
                return False
    return False
