"""A ruling told in sentences, with the text of the clauses it rests on."""

from __future__ import annotations

from collections.abc import Callable, Collection

from boxman.chips import format_amount
from boxman.rules.book import Book
from boxman.rules.layout import Layout
from boxman.table.notation import write_call
from boxman.table.people import FloorChange
from boxman.table.remarks import Remark
from boxman.table.rulings import Ruling
from boxman.table.state import (
    AnyDecision,
    Asked,
    BoughtIn,
    CashedOut,
    Cites,
    Collected,
    Floored,
    Handed,
    Latched,
    Marked,
    Moved,
    NoRolled,
    Phased,
    Placed,
    Posting,
    PuckOff,
    Ranked,
    Returned,
    Reversed,
    Rolled,
    Seated,
    Settled,
    Unseated,
    Warned,
)


def explain(book: Book, layout: Layout, ruling: Ruling, left: list[Remark] | None = None) -> str:
    """Tell a ruling: what was asked, what follows, which clauses say so and what they say."""
    lines = [write_call(ruling.call)]
    if ruling.refusal is not None:
        refusal = ruling.refusal
        lines.append(f"Refused ({refusal.code}): {refusal.sentence}.")
        if refusal.remedy:
            lines.append(f"What to do: {refusal.remedy}.")
        return "\n".join(lines + clause_texts(book, refusal.cites))
    cites: list[str] = []
    for decision in ruling.decisions:
        lines.append(f"{tell(layout, decision, ruling.after.seats)}{_braces(decision.cites)}")
        cites += decision.cites
    for notice in ruling.warnings:
        lines.append(f"Warning: {notice.sentence}.{_braces(notice.cites)}")
        cites += notice.cites
    for remark in left or []:
        lines.append(f"{tell_remark(layout, remark)}{_braces(remark.cites)}")
        cites += remark.cites
    advice = layout.procedure.rules.get(("advice", "allowed"))
    if advice is not None and not advice.value:
        lines.append(f"Players get no advice at live tables of this house.{_braces(advice.cites)}")
    return "\n".join(lines + clause_texts(book, tuple(dict.fromkeys(cites))))


def _braces(cites: Cites) -> str:
    return "".join(f" {{{cite}}}" for cite in cites)


def clause_texts(book: Book, cites: Cites) -> list[str]:
    """The clauses' own words, one line each; a gap or a term says that it is one."""
    lines = []
    for cite in cites:
        clause = book.clauses[cite]
        sort = {"gap": " (a reading where the text is silent)", "term": " (a term of the house)"}
        text = " ".join(clause.text.split())
        lines.append(f"  {{{cite}}}{sort.get(clause.sort, '')} {clause.title}: {text}")
    return lines


def tell_remark(layout: Layout, remark: Remark) -> str:
    """Why a wager was left alone."""
    name = layout.spots[remark.spot].name
    words = {
        "sleeps": "is not working on this roll and stays as it is",
        "barred": "is barred: it neither wins nor loses and stays up",
        "stays": "stays as it is",
    }
    return f"{remark.seat}'s {name} {words[remark.what]}."


def tell(layout: Layout, decision: AnyDecision, names: Collection[str] = ()) -> str:
    """One decision as a sentence. A sentence that begins with one of these names keeps it as its
    owner writes it."""

    def name(spot: str) -> str:
        return layout.spots[spot].name

    def money(amount: int) -> str:
        return f"{layout.currency}{format_amount(amount)}"

    match decision:
        case BoughtIn(seat, amount):
            return f"{seat} buys {money(amount)} in chips."
        case CashedOut(seat, amount):
            return f"{seat} takes {money(amount)} off the table."
        case Placed(seat, spot, amount, fee):
            extra = f" and pays a fee of {money(fee)}" if fee else ""
            return f"{seat} puts {money(amount)} on {name(spot)}{extra}."
        case Returned(seat, spot, amount, fee, why):
            extra = f" and the fee of {money(fee)}" if fee else ""
            return f"{money(amount)}{extra} comes back to {seat} from {name(spot)} ({why})."
        case Marked(seat, spot, marker):
            if marker:
                return f"{seat}'s {name(spot)} is called {marker}."
            return f"The marker comes off {seat}'s {name(spot)}."
        case Asked(seat, spot, stays):
            return f"{seat}'s {name(spot)} {'stays up' if stays else 'comes down'} when it wins."
        case Phased(phase):
            words = {"closed": "No more bets.", "out": "The dice are out."}
            return words.get(phase, "The dice are at rest.")
        case Rolled():
            return _tell_roll(decision)
        case Settled():
            return _tell_settled(name(decision.spot), decision, money)
        case Moved(seat, spot, to):
            return f"{seat}'s {name(spot)} moves to {name(to)}."
        case Collected(spot, mask):
            if not mask:
                return f"{name(spot)} begins anew."
            have = [str(t) for t, bit in layout.spots[spot].bits.items() if mask & bit]
            return f"{name(spot)} now has {', '.join(have)}."
        case Latched(group, shut):
            return f"The {group} bets are {'under way' if shut else 'open again'}."
        case Warned(seat):
            return f"{seat} is told that further stakes below the minimum will be handed back."
        case NoRolled():
            return "No roll: everything stands as it was."
        case Reversed(why):
            return f"The last roll is taken back ({why}): chips, wagers and puck as before it."
        case Seated(seat, place):
            return f"{seat} sits at place {place}."
        case Unseated(seat):
            return f"{seat} is gone."
        case Handed(hand, what):
            held = (hand.shooter, hand.offered, hand.former, *hand.declined, *names)
            return as_sentence(what, held)
        case Floored(changes, what):
            return as_sentence(_with_currency(changes, what, money), names)
        case Posting(posted):
            return f"The limits are now {money(posted.minimum)} to {money(posted.maximum)}."
        case PuckOff():
            return "The point is cancelled; the puck goes off."
        case Ranked():
            return "That decision stands unless somebody above overrules it."


def _tell_roll(rolled: Rolled) -> str:
    total = rolled.first + rolled.second
    words = {
        "point": f"the point is {total}",
        "no point": "no point; the next roll is a come-out again",
        "made": "the point is made; the puck goes off",
        "seven-out": "seven out; the puck goes off",
        "roll": f"the point is still {rolled.puck}",
    }
    return f"The roll is {rolled.first}-{rolled.second}, {total}: {words[rolled.event]}."


def as_sentence(what: str, names: Collection[str]) -> str:
    """Words as a sentence; a name at its beginning stays as it is."""
    if not what:
        return "It is noted who plays."
    named = any(what == name or what.startswith((f"{name} ", f"{name}'")) for name in names if name)
    return f"{what if named else what[0].upper() + what[1:]}."


def _with_currency(changes: FloorChange, what: str, money: Callable[[int], str]) -> str:
    """What staff gave a player, its amounts in the house's money."""
    for seat, (low, high) in (changes.grants or {}).items():
        if what == f"{seat} may bet {format_amount(low)} to {format_amount(high)}":
            return f"{seat} may bet {money(low)} to {money(high)}"
    for seat, held in (changes.vouchers or {}).items():
        if held and what == f"{seat} has a voucher of {format_amount(held[-1])}":
            return f"{seat} has a voucher of {money(held[-1])}"
    return what


def _tell_settled(name: str, settled: Settled, money: Callable[[int], str]) -> str:
    who = f"{settled.seat}'s {name}"
    if settled.verdict == "win":
        return f"{who} wins {money(settled.paid)} on {money(settled.stake)}."
    if settled.verdict == "return":
        return f"{who} is handed back: {money(settled.returned)}."
    if settled.verdict == "push":
        return f"{who} breaks even; {money(settled.returned)} comes back."
    back = f" and {money(settled.returned)} comes back" if settled.returned else ""
    return f"{who} loses {money(settled.taken)}{back}."
