"""A hand that is shared: everything it takes to play it again, in one code, and its steps again.

The code carries the house and the digest of its edition, chip, limits and settings, what lay there
when the hand began, the dice and one player's own calls; nobody else's. An edition that does not
come with Boxman goes along as text, and such a code begins with `OWN`: whoever opens it knows that
the rulebook is somebody's. A hand is checked as its code is made: one that does not come to the
same cents is not shared. It needs no table and no journal.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable
from typing import Annotated, NamedTuple

import msgspec

from boxman.dice import Roll
from boxman.journal.codec import EveryCall
from boxman.journal.editions import Texts
from boxman.journal.fold import after
from boxman.journal.row import Row
from boxman.pit.told.aids import felt_view, thrown, worth
from boxman.pit.told.house import felt_data
from boxman.rules.book import Book, BookError, all_houses, houses, read_book, read_text
from boxman.rules.compile import compiled
from boxman.rules.layout import Layout, Posted
from boxman.rules.settings import SettingError
from boxman.table.automatic import rolled
from boxman.table.call import DECLARED
from boxman.table.opening import Open, new_table
from boxman.table.ruling import rule
from boxman.table.said.explain import tell, unsaid
from boxman.table.state import Reversed, Rolled, Seat, Table, Wager
from boxman.words import phrase

Data = dict[str, object]
WHO = "player"
OWN = "~"
"""What the code of a hand begins with that has its rulebook in it."""
LONGEST, WIDEST = 40_000, 200_000
"""Letters of a code, and bytes it may unfold to: room for any rulebook that comes with Boxman."""
WHY = 400
"""Letters of what is wrong with somebody's rulebook, which may quote as much of it."""
MOST = 1_000
"""Calls and rolls of a hand at most."""


class HandError(ValueError):
    """A hand that cannot be shared or shown; the message says why."""


class TooLong(HandError):
    """A hand with a rulebook that no link can carry."""


class SharedHand(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """All that a link carries."""

    house: str
    edition: str
    chip: Annotated[int, msgspec.Meta(ge=1, le=10**7)]
    posted: Posted
    settings: dict[str, object]
    puck: int
    rail: int
    wagers: tuple[Wager, ...]
    collected: dict[str, int]
    latched: tuple[str, ...]
    said: tuple[EveryCall | tuple[int, int], ...]
    """The player's calls and the dice, in order."""
    net: int
    text: str = ""
    """The rulebook, if it does not come with Boxman."""


class Replayed(NamedTuple):
    """A hand played again."""

    layout: Layout
    rows: list[Data]
    net: int
    rolls: list[tuple[int, int]]


def last_hand(
    opening: Open, edition: str, rows: Iterable[Row], table: Table, seat: str
) -> SharedHand:
    """The hand under way, or the last one where nothing was thrown since, from its rows."""
    hands = _hands(rows, table, seat)
    found = next((each for each in reversed(hands) if _rolls(each[1])), None)
    if found is None:
        raise HandError(phrase("pit.hand.none"))
    start, said, end = found
    own = start.seats[seat]
    net = worth(end) - worth(own) - (end.bought - own.bought)
    return SharedHand(
        house=opening.house,
        edition=edition,
        chip=opening.chip,
        posted=start.posted,
        settings=dict(opening.settings),
        puck=start.puck,
        rail=own.rail,
        wagers=tuple(own.wagers.values()),
        collected=dict(start.collected),
        latched=tuple(sorted(start.latched)),
        said=tuple(said),
        net=net,
    )


def _shared(call: EveryCall, seat: str) -> bool:
    """Whether a shared hand carries this call: one about a player's own chips."""
    return DECLARED[type(call)].shared and getattr(call, "seat", "") == seat


def _rolls(said: Iterable[object]) -> list[tuple[int, int]]:
    return [each for each in said if isinstance(each, tuple)]


Said = list[EveryCall | tuple[int, int]]
"""Calls, and what was thrown."""


def _hands(rows: Iterable[Row], table: Table, seat: str) -> list[tuple[Table, Said, Seat]]:
    """Hands as one seat saw them: where each began, what it said and what was thrown."""
    hands: list[tuple[Table, Said, Seat]] = []
    start: Table | None = table if seat in table.seats else None
    said: Said = []
    sat = 0  # how many hands there were when the seat was taken
    for row in rows:
        before, table = table, after(table, row)
        if seat not in table.seats:
            start, said = None, []
            continue
        if start is None or seat not in before.seats:
            start, said, sat = table, [], len(hands)
            continue
        for decision in row.ruling.decisions:
            if isinstance(decision, Reversed):
                old = decision.past(before)
                assert old is not None
                for _ in range(before.rolls - old.rolls):
                    start, said = _unthrown(hands, sat, start, said, table)
            elif isinstance(decision, Rolled):
                said.append((decision.first, decision.second))
        call = row.call
        if _shared(call, seat) and row.ruling.refusal is None:
            said.append(msgspec.structs.replace(call, seat=WHO, id="", at=0, stand_in=""))
        if any(isinstance(d, Rolled) and d.event == "seven-out" for d in row.ruling.decisions):
            hands.append((start, said, table.seats[seat]))
            start, said = table, []
    if start is not None and seat in table.seats:
        hands.append((start, said, table.seats[seat]))
    return hands


def _unthrown(
    hands: list[tuple[Table, Said, Seat]], sat: int, start: Table, said: Said, table: Table
) -> tuple[Table, Said]:
    """The hand as if its last roll, and all that was said since, had not happened."""
    if not _rolls(said) and len(hands) > sat:
        start, said = hands.pop()[:2]  # the hand is not over
    thrown = [n for n, each in enumerate(said) if isinstance(each, tuple)]
    return (start, said[: thrown[-1]]) if thrown else (table, [])  # it began after that roll


def coded(hand: SharedHand, texts: Texts) -> str:
    """The code of a hand, once it has been played again to the same cents."""
    book = _book(hand, texts)
    own = book.house.id not in houses() or read_book(book.house.id).digest != book.digest
    hand = msgspec.structs.replace(hand, text=book.text if own else "")
    if len(hand.said) > MOST or played(hand, texts).net != hand.net:
        raise HandError(phrase("pit.hand.not-alone"))
    packed = msgspec.json.encode(hand)
    code = OWN * own + base64.urlsafe_b64encode(zlib.compress(packed, 9)).decode().rstrip("=")
    if len(code) > LONGEST or len(packed) > WIDEST:
        raise TooLong(phrase("pit.hand.too-long", letters=len(code), most=LONGEST))
    return code


def decoded(code: str) -> SharedHand:
    """The hand of a code; HandError with one sentence for whatever is wrong with it."""
    try:
        if len(code) > LONGEST:
            raise ValueError
        letters = code.removeprefix(OWN)
        packed = base64.b64decode(letters + "=" * (-len(letters) % 4), b"-_", validate=True)
        unfold = zlib.decompressobj()
        text = unfold.decompress(packed, WIDEST)
        if unfold.unconsumed_tail or not unfold.eof:
            raise ValueError
        hand = msgspec.json.decode(text, type=SharedHand)
        if len(hand.said) > MOST or any(
            not _shared(call, WHO) for call in hand.said if not isinstance(call, tuple)
        ):
            raise ValueError
        if bool(hand.text) != code.startswith(OWN):
            raise ValueError
        return hand
    except (ValueError, RecursionError, zlib.error, msgspec.MsgspecError):
        raise HandError(phrase("pit.hand.broken")) from None


def played(hand: SharedHand, texts: Texts) -> Replayed:
    """Play it again by the edition it names."""
    book = _book(hand, texts)
    try:
        layout = compiled(book, hand.settings, hand.chip)
        own = Seat(WHO, hand.rail, {each.spot: each for each in hand.wagers}, bought=0, place=1)
        table = msgspec.structs.replace(
            new_table(layout, hand.posted),
            puck=hand.puck,
            seats={WHO: own},
            collected=hand.collected,
            latched=frozenset(hand.latched),
        )
        return _play(layout, table, hand)
    except HandError:
        raise
    except BookError as error:
        raise _cannot_read(error) from None
    except (SettingError, ValueError, LookupError, TypeError, ArithmeticError, AssertionError):
        raise HandError(phrase("pit.hand.broken")) from None


def played_again(code: str, texts: Texts) -> Data:
    """A code as a page shows it: its hand played again to the cents it names, step by step."""
    hand = decoded(code)
    other = _book(hand, texts).digest != hand.edition
    try:
        found = played(hand, texts)
        if found.net != hand.net:
            raise HandError(phrase("pit.hand.broken"))
    except HandError:
        if other:
            raise _no_edition(hand) from None
        raise
    return {**hand_told(found), "other": other}


def _book(hand: SharedHand, texts: Texts) -> Book:
    """The rulebook of the edition named: it came with the hand, is the one there is now, or one the
    journal has kept. Of a house that comes with Boxman another edition will do: whoever plays by it
    holds the result against the cents in the hand, and the page says so."""
    name = hand.house
    now = read_book(name) if not hand.text and name in all_houses() else None
    if now is not None and now.digest == hand.edition:
        return now
    text = hand.text or texts(hand.edition)
    if text is None and now is not None and name in houses():
        return now
    if text is None:
        raise _no_edition(hand)
    try:
        book = read_text(name if name.endswith(".md") else f"{name}.md", text)
    except BookError as error:
        raise _cannot_read(error) from None
    if book.digest != hand.edition:
        raise HandError(phrase("pit.hand.broken"))
    return book


def _no_edition(hand: SharedHand) -> HandError:
    house, edition = hand.house[:40], hand.edition[:12]
    return HandError(phrase("pit.hand.edition", house=house, edition=edition))


def _cannot_read(error: BookError) -> HandError:
    return HandError(phrase("pit.hand.rulebook", why=str(error).splitlines()[0][:WHY]))


def _play(layout: Layout, table: Table, hand: SharedHand) -> Replayed:
    held = worth(table.seats[WHO])
    rows: list[Data] = [_step(layout, table, [], 0, None)]
    said: list[str] = []
    rolls: list[tuple[int, int]] = []
    for each in hand.said:
        if not isinstance(each, tuple):
            ruling = rule(layout, table, each)
            if ruling.refusal is not None:
                raise HandError(phrase("pit.hand.broken"))
            table = ruling.after
            said += [
                tell(layout, decision, table.seats)
                for decision in ruling.decisions
                if not unsaid(decision)
            ]
            continue
        roll = Roll(*each)
        if said:
            rows.append(_step(layout, table, said, len(rolls), None))
            said = []
        before = thrown(layout, table)
        ruling = rolled(layout, before, roll)
        if ruling.refusal is not None:
            raise HandError(phrase("pit.hand.broken"))
        table = ruling.after
        rolls.append(each)
        told = [tell(layout, decision, before.seats) for decision in ruling.decisions]
        rows.append(_step(layout, table, told, len(rolls), each))
    seat = table.seats[WHO]
    return Replayed(layout, rows, worth(seat) - held - seat.bought, rolls)


def _step(
    layout: Layout, table: Table, said: list[str], rolls: int, dice: tuple[int, int] | None
) -> Data:
    view = felt_view(layout, table, WHO)
    text = " ".join(filter(None, said))
    return {
        "text": text,
        "roll": rolls,
        "dice": dice,
        "rail": table.seats[WHO].rail,
        "view": view,
    }


def hand_told(found: Replayed) -> Data:
    """A hand for a page: its steps, what a card shows of it, and the cloth it was played on, which
    may be one that no table here has."""
    layout = found.layout
    return {
        "house": layout.house,
        "title": layout.title,
        "edition": layout.edition,
        "known": layout.house in all_houses() and read_book(layout.house).digest == layout.digest,
        "currency": layout.currency,
        "rows": found.rows,
        "net": found.net,
        "rolls": len(found.rolls),
        "shown": len(found.rolls),
        "dice": found.rolls,
        "end": "",
        "cloth": felt_data(layout),
    }
