"""A ruling told in sentences, with the text of the clauses it rests on."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial

from boxman.rules.book import Book
from boxman.rules.cites import braced
from boxman.rules.layout import Layout
from boxman.table.rulings import Ruling
from boxman.table.said.notation import write_call
from boxman.table.said.remarks import Remark
from boxman.table.said.saying import said
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
from boxman.words import phrase, say
from boxman.words.amounts import in_money
from boxman.words.say import has


def explain(book: Book, layout: Layout, ruling: Ruling, left: list[Remark] | None = None) -> str:
    """Tell a ruling: what was asked, what follows, which clauses say so and what they say."""
    lines = [write_call(ruling.call)]
    if ruling.refusal is not None:
        refusal = ruling.refusal
        lines.append(phrase("told.refused", code=refusal.code, sentence=refusal.sentence))
        if refusal.remedy:
            lines.append(phrase("told.remedy", remedy=refusal.remedy))
        return "\n".join(lines + clause_texts(book, refusal.cites))
    cites: list[str] = []
    for decision in ruling.decisions:
        lines.append(f"{tell(layout, decision, ruling.after.seats)}{braced(decision.cites)}")
        cites += decision.cites
    for notice in ruling.warnings:
        lines.append(phrase("told.warning", sentence=notice.sentence) + braced(notice.cites))
        cites += notice.cites
    for remark in left or []:
        lines.append(f"{tell_remark(layout, remark)}{braced(remark.cites)}")
        cites += remark.cites
    advice = layout.procedure.advice
    if advice is not None and not advice.value:
        lines.append(phrase("told.no-advice") + braced(advice.cites))
    return "\n".join(lines + clause_texts(book, tuple(dict.fromkeys(cites))))


def clause_texts(book: Book, cites: Cites) -> list[str]:
    """The clauses' own words, one line each; a gap or a term says that it is one."""
    lines = []
    for cite in cites:
        clause = book.clauses[cite]
        sort = "" if clause.sort == "clause" else f" ({phrase(f'told.sorts.{clause.sort}')})"
        text = " ".join(clause.text.split())
        lines.append(f"  {{{cite}}}{sort} {clause.title}: {text}")
    return lines


ChipDecision = BoughtIn | CashedOut | Placed | Returned | Marked | Asked | Settled | Moved
"""What is decided about somebody's chips."""


def tell_remark(layout: Layout, remark: Remark) -> str:
    """Why a wager was left alone."""
    name = layout.spots[remark.spot].name
    return phrase(f"told.left.{remark.what}", seat=remark.seat, name=name)


def tell(layout: Layout, decision: AnyDecision, names: Collection[str] = ()) -> str:
    """One decision as a sentence. A sentence that begins with one of these names keeps it as its
    owner writes it."""

    def name(spot: str) -> str:
        return layout.spots[spot].name

    money = partial(in_money, layout.currency)

    match decision:
        case Phased(phase):
            return phrase(f"told.phases.{phase if phase in ('closed', 'out') else 'rest'}")
        case Rolled():
            return _tell_roll(decision)
        case Collected(spot, mask):
            if not mask:
                return phrase("told.begins-anew", name=name(spot))
            have = tuple(map(str, layout.spots[spot].shown(mask)))
            return phrase("told.collected", name=name(spot), have=have)
        case Latched(group, shut):
            return say("told.latched" if shut else "told.unlatched", {"group": group})
        case Warned(seat, code):
            return phrase("told.warned" if code else "told.warned-no-longer", seat=seat)
        case NoRolled():
            return phrase("told.no-roll")
        case Reversed(why, whole_round=whole):
            return phrase("told.reversed-round" if whole else "told.reversed", why=why)
        case Seated(seat, place):
            return phrase("told.seated", seat=seat, place=place)
        case Unseated(seat):
            return phrase("told.unseated", seat=seat)
        case Handed(hand, what, values=values):
            held = (hand.shooter, hand.offered, hand.former, *hand.declined, *names)
            return as_sentence(said(what, values, money), held)
        case Floored(
            _, "waits" | "found waits" as what, values={"seat": seat, "spot": str(spot)}
        ) if spot in layout.spots:
            return phrase(f"told.{what}", seat=seat, name=name(spot))
        case Floored(_, what, values=values):
            return as_sentence(said(what, values, money), names)
        case Posting(posted):
            return phrase("told.limits", low=money(posted.minimum), high=money(posted.maximum))
        case PuckOff():
            return phrase("told.cancelled")
        case Ranked():
            return phrase("told.ranked")
        case _:
            return _tell_chips(layout, decision, money)


def unsaid(decision: AnyDecision) -> bool:
    """Whether nobody at the table is told of it: that it is noted who plays, that limits changed
    when they are read out themselves."""
    return isinstance(decision, Floored) and decision.what in ("", "limits changed")


def _tell_chips(layout: Layout, decision: ChipDecision, money: Callable[[int], str]) -> str:
    """What became of somebody's chips."""

    def name(spot: str) -> str:
        return layout.spots[spot].name

    match decision:
        case BoughtIn(seat, amount):
            return phrase("told.bought", seat=seat, amount=money(amount))
        case CashedOut(seat, amount):
            return phrase("told.cashed", seat=seat, amount=money(amount))
        case Placed(seat, spot, amount, fee):
            key = "told.placed-fee" if fee else "told.placed"
            return say(
                key, {"seat": seat, "amount": amount, "name": name(spot), "fee": fee}, "", money
            )
        case Returned(seat, spot, amount, fee, why):
            key = "told.returned-fee" if fee else "told.returned"
            values = {"seat": seat, "amount": amount, "name": name(spot), "fee": fee}
            why = phrase(f"told.back.{why}") if has(f"told.back.{why}") else why
            return say(key, {**values, "why": why}, "", money)
        case Marked(seat, spot, marker):
            if marker:
                return phrase("told.marked", seat=seat, name=name(spot), marker=marker)
            return phrase("told.unmarked", seat=seat, name=name(spot))
        case Asked(seat, spot, stays):
            key = "told.stays-up" if stays else "told.comes-down"
            return say(key, {"seat": seat, "name": name(spot)})
        case Settled():
            return _tell_settled(name(decision.spot), decision, money)
        case Moved(seat, spot, to):
            return phrase("told.moved", seat=seat, name=name(spot), to=name(to))


def _tell_roll(rolled: Rolled) -> str:
    total = rolled.first + rolled.second
    event = phrase(f"told.events.{rolled.event}", total=total, puck=rolled.puck)
    return phrase("told.roll", first=rolled.first, second=rolled.second, total=total, event=event)


def as_sentence(what: str, names: Collection[str]) -> str:
    """Words as a sentence; a name at its beginning stays as it is."""
    if not what:
        return phrase("told.noted")
    named = any(what == name or what.startswith((f"{name} ", f"{name}'")) for name in names if name)
    return f"{what if named else what[0].upper() + what[1:]}."


def _tell_settled(name: str, settled: Settled, money: Callable[[int], str]) -> str:
    key = settled.verdict if settled.verdict in ("win", "return", "push") else "lose"
    key = "stays-up" if settled.up else key
    values = {
        "seat": settled.seat,
        "name": name,
        "paid": settled.paid,
        "stake": settled.stake,
        "returned": settled.returned,
        "taken": settled.taken,
    }
    return say(
        f"told.settled.{'lose-back' if key == 'lose' and settled.returned else key}",
        values,
        "",
        money,
    )
