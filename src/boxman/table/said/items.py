"""What followed from a call, as items of the notation: words, clauses, and what must be stated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from boxman.chips import format_amount as money
from boxman.dice import Roll
from boxman.rules.layout import Layout
from boxman.rules.ledger import join
from boxman.table.calls import CallNoRoll
from boxman.table.fresh import place_of
from boxman.table.opening import Opening
from boxman.table.rulings import Notice, Refusal, Ruling
from boxman.table.said.notation import Expected
from boxman.table.said.remarks import Remark, remarks
from boxman.table.said.saying import said
from boxman.table.state import (
    AnyDecision,
    Cites,
    Collected,
    Floored,
    Handed,
    Marked,
    Moved,
    NoRolled,
    Placed,
    PuckOff,
    Returned,
    Reversed,
    Rolled,
    Seat,
    Settled,
    Table,
    Warned,
    apply,
)
from boxman.words import phrase, say


class Item(NamedTuple):
    """One thing that followed from a line, as words with clauses."""

    words: str
    cites: Cites
    sentence: str = ""
    written: bool = True
    """Whether it is written when a line states no expectation."""
    money: bool = False
    """Whether it decides or moves a wager; all of these must be stated if any is."""
    bare: bool = False
    """Whether it is written without its clauses, because another item has them already."""


def _refused(refusal: Refusal) -> Item:
    return Item(f"refused {refusal.code}", refusal.cites, refusal.sentence)


def _warnings(notices: Iterable[Notice]) -> list[Item]:
    return [Item(f"warned {notice.code}", notice.cites, notice.sentence) for notice in notices]


def opening_items(opening: Opening) -> list[Item]:
    if opening.refusal is not None:
        return [_refused(opening.refusal)]
    return [Item("ok", opening.cites), *_warnings(opening.warnings)]


def items_of(layout: Layout, before: Table, ruling: Ruling) -> list[Item]:
    """What followed from a call."""
    if ruling.refusal is not None:
        return [_refused(ruling.refusal)]
    items: list[Item] = []
    shown = before.puck
    rolled = next((d for d in ruling.decisions if type(d) is Rolled), None)
    back = next((d for d in ruling.decisions if type(d) is Reversed), None)
    if back is not None:
        items.append(Item("taken back", back.cites))
        now, before = before, apply(before, back)
        items += _taken_back(now, before, back)
        items += _given_back(layout, now, ruling.after if rolled is None else before, back)
    if rolled is not None:
        roll = Roll(rolled.first, rolled.second)
        items += _roll_items(layout, before, ruling, remarks(layout, before, roll), shown)
    elif back is not None:
        off = [d.cites for d in ruling.decisions if type(d) is PuckOff]
        items += _followed(d for d in ruling.decisions if type(d) is not PuckOff)
        puck = off[-1] if off else back.cites
        items.append(Item(f"puck {ruling.after.puck or 'off'}", puck, bare=True))
    elif type(ruling.decisions[0]) is NoRolled and not isinstance(ruling.call, CallNoRoll):
        items.append(Item("no roll", ruling.decisions[0].cites))
        items += _followed(ruling.decisions)
    else:
        items.append(Item("ok", join(*(decision.cites for decision in ruling.decisions))))
        items += _followed(ruling.decisions)
    return items + _warnings(ruling.warnings)


def _taken_back(now: Table, before: Table, back: Reversed) -> Iterator[Item]:
    """Every wager that is another one after a roll was taken back, or is marked otherwise; of a
    round, or of somebody whose wagers on the roll are void since, the rail too."""
    gone = (Seat(name, 0, {}) for name in back.leavers)
    for seat in (*now.seats.values(), *gone):
        rail, old = before.seats[seat.name].rail, before.seats[seat.name].wagers
        if rail != seat.rail and (back.whole_round or not (old or seat.wagers)):
            yield Item(f"{seat.name} rail back to {money(rail)}", back.cites, bare=True)
        for spot in dict.fromkeys((*seat.wagers, *old)):
            was, here = old.get(spot), seat.wagers.get(spot)
            if was is None:
                yield Item(f"{seat.name} {spot} undone", back.cites, bare=True)
            elif (
                here is None
                or here.stake != was.stake
                or (place_of(seat.name, spot) in now.fresh and not back.no_roll)
            ):
                words = f"{seat.name} {spot} back to {money(was.stake)}"
                yield Item(words, back.cites, bare=True)
            if was is not None and was.marker != (here.marker if here else ""):
                words = f"{seat.name} {spot} {was.marker or 'unmarked'}"
                yield Item(words, back.cites, bare=True)


def _given_back(layout: Layout, now: Table, before: Table, back: Reversed) -> Iterator[Item]:
    """What bonus wagers had collected before the roll, where that is something else."""
    for spot in dict.fromkeys((*now.collected, *before.collected)):
        was = before.collected.get(spot, 0)
        if was != now.collected.get(spot, 0):
            have = " ".join(map(str, layout.spots[spot].shown(was))) or "nothing"
            yield Item(f"{spot} back to {have}", back.cites, bare=True)


def _followed(decisions: Iterable[AnyDecision]) -> Iterator[Item]:
    """What is said of decisions that are no roll's."""
    for decision in decisions:
        match decision:
            case Placed(fee=fee) if fee:
                yield Item(f"fee {money(fee)}", decision.cites, bare=True)
            case Returned():
                yield Item(_returned(decision), decision.cites, bare=True)
            case Handed() | Floored() if decision.what:
                yield Item(said(decision.what, decision.values), decision.cites, bare=True)
            case Settled(seat=seat, spot=spot):
                yield Item(f"{seat} {spot} {_signed(decision.net)}", decision.cites)
            case PuckOff():
                yield Item("puck off", decision.cites, bare=True)
            case Marked(seat=seat, spot=spot, marker=marker):
                yield Item(f"{seat} {spot} {marker or 'unmarked'}", decision.cites, bare=True)


def _returned(back: Returned) -> str:
    """What goes back from a wager, with the fee that goes with it."""
    fee = f" and fee {money(back.fee)}" if back.fee else ""
    return f"{back.seat} {back.spot} returned {money(back.amount)}{fee}"


def _signed(amount: int) -> str:
    return f"+{money(amount)}" if amount > 0 else money(amount)


def _roll_items(
    layout: Layout, before: Table, ruling: Ruling, left: list[Remark], shown_puck: int
) -> list[Item]:
    """What a roll did to every wager and to the puck, and what it left alone."""
    rolled = next(each for each in ruling.decisions if isinstance(each, Rolled))
    decided = {each.spot for each in ruling.decisions if isinstance(each, Settled | Returned)}
    found = [(each, _roll_item(each, rolled, decided)) for each in ruling.decisions]
    items = [item for _, item in found if item is not None]
    told = [item.words for each, item in found if item and not isinstance(each, Marked)]
    items += _left_alone(left, told)
    if not any(item.money for item in items):
        items.append(Item("nothing", rolled.cites, written=False, money=True))
    if rolled.event == "seven-out":
        items.append(Item("seven out", rolled.cites))
    items.append(_puck_item(ruling, rolled, shown_puck, items))
    return items


def _left_alone(left: list[Remark], told: list[str]) -> Iterator[Item]:
    """What is remarked of wagers of which nothing is told yet; of one that stays, unwritten."""
    for seat, spot, what, cites in left:
        if not any(words.startswith(f"{seat} {spot} ") for words in told):
            yield Item(f"{seat} {spot} {what}", cites, written=what != "stays")


def _puck_item(ruling: Ruling, rolled: Rolled, shown_puck: int, others: list[Item]) -> Item:
    """Where the puck is now: written where it was moved, or where no other item would be; a point
    may end with the roll that set it."""
    puck = ruling.after.puck
    ended = next((each for each in ruling.decisions if isinstance(each, PuckOff)), None)
    changed = puck != shown_puck or ended is not None
    shown = changed or not any(item.written for item in others)
    cites, bare = ended.cites if ended else rolled.cites, rolled.event == "seven-out"
    return Item(f"puck {puck or 'off'}", cites, written=shown, bare=bare)


def _roll_item(decision: AnyDecision, rolled: Rolled, decided: set[str]) -> Item | None:
    """What is said of one decision about a roll, if anything is."""
    match decision:
        case Settled(seat=seat, spot=spot):
            return Item(f"{seat} {spot} {_settled(decision)}", decision.cites, money=True)
        case Returned():
            return Item(_returned(decision), decision.cites, money=True)
        case Moved(seat=seat, spot=spot, to=to):
            return Item(f"{seat} {spot} moves to {to}", decision.cites, money=True)
        case Marked(seat=seat, spot=spot, marker=marker):
            return Item(f"{seat} {spot} {marker or 'unmarked'}", decision.cites)
        case Placed(seat=seat, spot=spot, fee=fee):
            words = f"{seat} {spot} up again" + (f" fee {money(fee)}" if fee else "")
            return Item(words, decision.cites)
        case Collected(spot=spot, mask=mask) if mask:
            return Item(f"{spot} collects {rolled.first + rolled.second}", decision.cites)
        case Collected(spot=spot) if spot not in decided:
            return Item(f"{spot} starts again", decision.cites)
        case Handed() | Floored() if decision.what:
            return Item(said(decision.what, decision.values), decision.cites)
        case Warned(seat=seat, code=code) if code:
            return Item(f"{seat} warned {code}", decision.cites)
    return None


def _settled(decision: Settled) -> str:
    """What became of a wager, in the notation."""
    if decision.verdict == "return":
        return f"returned {money(decision.returned)}"
    if decision.up:
        return f"{_signed(decision.net)} and stays up"
    partly = 0 < decision.returned < decision.stake
    return _signed(decision.net) + (f" returned {money(decision.returned)}" if partly else "")


def write_items(items: list[Item]) -> str:
    """What followed, as it stands after the colon."""
    return ", ".join(write_item(item) for item in items if item.written)


def write_item(item: Item) -> str:
    cites = "" if item.bare else "".join(f" {{{cite}}}" for cite in item.cites)
    sentence = f' "{item.sentence}"' if item.sentence and item.words.startswith("refused") else ""
    return f"{item.words}{cites}{sentence}"


def compare(expected: list[Expected], items: list[Item]) -> str:
    """What is expected and did not follow, or followed and was not stated; empty if all is well."""
    stated: set[int] = set()
    money_stated = False
    for want in expected:
        same = [n for n, item in enumerate(items) if item.words == want.words]
        if not same:
            key = "lines.expected-code" if want.words == "refused" else "lines.expected"
            return say(key, {"words": repr(want.words)})
        cited = {cite for n in same for cite in items[n].cites}
        missing = [cite for cite in want.cites if cite not in cited]
        if missing:
            found = " ".join(f"{{{cite}}}" for cite in sorted(cited)) or phrase(
                "lines.cites-nothing"
            )
            values = {"words": want.words, "clause": missing[0], "found": found}
            return phrase("lines.expected-clause", **values)
        stated.update(same)
        money_stated = money_stated or any(items[n].money for n in same)
    if money_stated:
        for n, item in enumerate(items):
            if item.money and n not in stated:
                return phrase("lines.not-stated", words=repr(item.words))
    return ""


def reworded(expected: list[Expected], items: list[Item]) -> str:
    """A sentence that is quoted otherwise than it is said; empty if all are said so."""
    for want in expected:
        said = [item.sentence for item in items if item.words == want.words]
        if want.sentence and said and want.sentence not in said:
            values = {"words": want.words, "sentence": repr(want.sentence), "said": repr(said[0])}
            return phrase("lines.expected-sentence", **values)
    return ""
