"""Run a transcript: read lines, make the calls, check what is expected, write what follows.

The automatic crew makes the calls a transcript leaves out, through the same door. One line at a
time is in memory, so a transcript may be as long as the evening.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec

from boxman.chips import MINOR
from boxman.chips import format_amount as money
from boxman.dice import Roll
from boxman.rules.layout import Layout
from boxman.table.calls import Bet, Call, CallRoll, CloseBets
from boxman.table.notation import Expected, Line, NotationError, read_call, split_line, write_call
from boxman.table.opening import Open, Opening, open_table
from boxman.table.remarks import Remark, remarks
from boxman.table.ruling import needs_close, rule
from boxman.table.rulings import Notice, Refusal, Ruling
from boxman.table.state import (
    AnyDecision,
    Cites,
    Collected,
    Marked,
    Moved,
    Placed,
    Returned,
    Rolled,
    Settled,
    Table,
    Warned,
)

WIDTH = 34
"""The column at which results are written."""


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


class Difference(NamedTuple):
    """A line whose expectation is not what followed."""

    number: int
    text: str
    problem: str
    followed: str


class Result(NamedTuple):
    """A line that was run."""

    number: int
    line: Line
    call: Call | None
    ruling: Ruling | Opening | None
    crew: tuple[Ruling, ...]
    items: list[Item]
    difference: Difference | None


class Transcript:
    """A table being played from lines of text."""

    def __init__(self) -> None:
        self.layout: Layout | None = None
        self.table: Table | None = None
        self.number = 0

    def run(self, lines: Iterable[str]) -> Iterator[Result]:
        """Run lines one by one. A line that cannot be read raises NotationError."""
        for text in lines:
            yield self.play(text.rstrip("\r\n"))

    def play(self, text: str) -> Result:
        """Run one line."""
        self.number += 1
        line = split_line(text)
        if not line.words:
            if line.expected is not None:
                raise NotationError(1, "expected a call before the colon")
            return Result(self.number, line, None, None, (), [], None)
        call = read_call(line.words, len(text.rstrip()) + 1)
        if isinstance(call, Open):
            opening = open_table(call)
            if opening.layout is not None:
                self.layout, self.table = opening.layout, opening.table
            return self._result(line, text, call, opening, (), _opening_items(opening))
        if self.layout is None or self.table is None:
            raise NotationError(line.words[0].column, "the first line opens a table: house NAME")
        call = self._resolved(call, line)
        crew = self._crew(call)
        before = self.table
        ruling = rule(self.layout, before, call)
        self.table = ruling.after
        items = items_of(self.layout, before, ruling)
        return self._result(line, text, call, ruling, crew, items)

    def _result(
        self,
        line: Line,
        text: str,
        call: Call,
        ruling: Ruling | Opening,
        crew: tuple[Ruling, ...],
        items: list[Item],
    ) -> Result:
        problem = compare(line.expected, items + self._facts()) if line.expected else ""
        difference = None
        if problem:
            difference = Difference(self.number, text, problem, write_items(items))
        return Result(self.number, line, call, ruling, crew, items, difference)

    def _facts(self) -> list[Item]:
        """What may be asked of the table after any line: rails, stakes, the puck."""
        table = self.table
        if table is None:
            return []
        items = [Item(f"puck {table.puck or 'off'}", (), written=False)]
        for seat in table.seats.values():
            items.append(Item(f"{seat.name} rail {money(seat.rail)}", (), written=False))
            items += [
                Item(f"{seat.name} {wager.spot} is {money(wager.stake)}", (), written=False)
                for wager in seat.wagers.values()
            ]
        return items

    def _resolved(self, call: Call, line: Line) -> Call:
        """A bet on a quoted area names the spot that the label stands for."""
        if isinstance(call, Bet) and call.area:
            assert self.layout is not None
            area = self.layout.areas.get(call.area)
            spot = area.value if area else self.layout.names.get(call.area, call.spot)
            return msgspec.structs.replace(call, spot=spot)
        return call

    def _crew(self, call: Call) -> tuple[Ruling, ...]:
        """The calls the automatic crew makes before this one."""
        assert self.layout is not None and self.table is not None
        if (
            isinstance(call, CallRoll)
            and self.table.phase == "open"
            and needs_close(self.layout)
        ):
            ruling = rule(self.layout, self.table, CloseBets(by="automatic crew"))
            self.table = ruling.after
            return (ruling,)
        return ()


# -- what followed, in words -------------------------------------------------------------------


def _refused(refusal: Refusal) -> Item:
    return Item(f"refused {refusal.code}", refusal.cites, refusal.sentence)


def _warnings(notices: Iterable[Notice]) -> list[Item]:
    return [Item(f"warned {notice.code}", notice.cites, notice.sentence) for notice in notices]


def _opening_items(opening: Opening) -> list[Item]:
    if opening.refusal is not None:
        return [_refused(opening.refusal)]
    return [Item("ok", opening.cites), *_warnings(opening.warnings)]


def items_of(layout: Layout, before: Table, ruling: Ruling) -> list[Item]:
    """What followed from a call."""
    if ruling.refusal is not None:
        return [_refused(ruling.refusal)]
    items: list[Item] = []
    if isinstance(ruling.call, CallRoll):
        roll = Roll(ruling.call.first, ruling.call.second)
        items += _roll_items(layout, before, ruling, remarks(layout, before, roll))
    else:
        cites: list[str] = []
        for decision in ruling.decisions:
            cites += decision.cites
        items.append(Item("ok", tuple(dict.fromkeys(cites))))
        for decision in ruling.decisions:
            items += _decision_items(layout, decision)
    return items + _warnings(ruling.warnings)


def _decision_items(layout: Layout, decision: AnyDecision) -> list[Item]:
    match decision:
        case Placed(fee=fee, spot=spot) if fee:
            return [Item(f"fee {money(fee)}", decision.cites, bare=True)]
        case Returned(seat=seat, spot=spot, amount=amount, fee=fee):
            back = f" and fee {money(fee)}" if fee else ""
            return [
                Item(f"{seat} {spot} returned {money(amount)}{back}", decision.cites, bare=True)
            ]
        case Marked(seat=seat, spot=spot, marker=marker):
            return [Item(f"{seat} {spot} {marker or 'unmarked'}", decision.cites, bare=True)]
    return []


def _signed(amount: int) -> str:
    return f"+{money(amount)}" if amount > 0 else money(amount)


def _roll_items(
    layout: Layout, before: Table, ruling: Ruling, left: list[Remark]
) -> list[Item]:
    items: list[Item] = []
    rolled: Rolled | None = None
    for decision in ruling.decisions:
        match decision:
            case Rolled():
                rolled = decision
            case Settled(seat=seat, spot=spot, verdict=verdict, returned=returned, stake=stake):
                if verdict == "return":
                    words = f"{seat} {spot} returned {money(returned)}"
                else:
                    words = f"{seat} {spot} {_signed(decision.net)}"
                    if 0 < returned < stake:
                        words += f" returned {money(returned)}"
                items.append(Item(words, decision.cites, money=True))
            case Moved(seat=seat, spot=spot, to=to):
                items.append(Item(f"{seat} {spot} moves to {to}", decision.cites, money=True))
            case Marked(seat=seat, spot=spot):
                items.append(Item(f"{seat} {spot} unmarked", decision.cites))
            case Placed(seat=seat, spot=spot, fee=fee):
                words = f"{seat} {spot} up again" + (f" fee {money(fee)}" if fee else "")
                items.append(Item(words, decision.cites))
            case Collected(spot=spot, mask=mask):
                if mask & ~before.collected.get(spot, 0):
                    total = next(iter(rolled_total(ruling)))
                    items.append(Item(f"{spot} collects {total}", decision.cites))
            case Warned(seat=seat, code=code):
                items.append(Item(f"{seat} warned {code}", decision.cites))
    for seat, spot, what, cites in left:
        if not any(item.words.startswith(f"{seat} {spot} ") for item in items):
            items.append(Item(f"{seat} {spot} {what}", cites, written=what != "stays"))
    assert rolled is not None
    if not any(item.money for item in items):
        items.append(Item("nothing", rolled.cites, written=False, money=True))
    if rolled.event == "seven-out":
        items.append(Item("seven out", rolled.cites))
    changed = rolled.puck != before.puck
    shown = changed or not any(item.written for item in items)
    bare = rolled.event == "seven-out"
    items.append(Item(f"puck {rolled.puck or 'off'}", rolled.cites, written=shown, bare=bare))
    return items


def rolled_total(ruling: Ruling) -> Iterator[int]:
    """The total of the roll in a ruling."""
    return (d.first + d.second for d in ruling.decisions if isinstance(d, Rolled))


def write_items(items: list[Item]) -> str:
    """What followed, as it stands after the colon."""
    return ", ".join(write_item(item) for item in items if item.written)


def write_item(item: Item) -> str:
    cites = "" if item.bare else "".join(f" {{{cite}}}" for cite in item.cites)
    sentence = f' "{item.sentence}"' if item.sentence and item.words.startswith("refused") else ""
    return f"{item.words}{cites}{sentence}"


def write_result(result: Result) -> str:
    """A line with what followed, in the notation; reading it back changes nothing."""
    comment = f"-- {result.line.comment}" if result.line.comment else ""
    if result.call is None:
        return comment
    text = write_call(result.call)
    line = f"{text:<{WIDTH}} : {write_items(result.items)}"
    return f"{line}    {comment}" if comment else line


def compare(expected: list[Expected], items: list[Item]) -> str:
    """What is expected and did not follow, or followed and was not stated; empty if all is well."""
    stated: set[int] = set()
    money_stated = False
    for want in expected:
        same = [n for n, item in enumerate(items) if item.words == want.words]
        if not same:
            return f"expected {want.words!r}"
        cited = {cite for n in same for cite in items[n].cites}
        missing = [cite for cite in want.cites if cite not in cited]
        if missing:
            found = " ".join(f"{{{cite}}}" for cite in sorted(cited)) or "nothing"
            return f"{want.words}: expected to cite {{{missing[0]}}}, but it cites {found}"
        if want.sentence and not any(items[n].sentence == want.sentence for n in same):
            return f"{want.words}: expected {want.sentence!r}, but it says {items[same[0]].sentence!r}"
        stated.update(same)
        money_stated = money_stated or any(items[n].money for n in same)
    if money_stated:
        for n, item in enumerate(items):
            if item.money and n not in stated:
                return f"{item.words!r} followed too, and is not stated"
    return ""


# -- JSON --------------------------------------------------------------------------------------

_ENCODER = msgspec.json.Encoder(decimal_format="number", order="deterministic")


def number(amount: int) -> int | Decimal:
    """An amount as a JSON number in currency units."""
    whole, rest = divmod(amount, MINOR)
    return Decimal(amount) / MINOR if rest else whole


def as_json(layout: Layout | None, table: Table | None, result: Result) -> list[bytes]:
    """One object per call that this line made, the crew's first."""
    rows = []
    for ruling in (*result.crew, result.ruling):
        if ruling is not None:
            rows.append(_ENCODER.encode(_object(layout, table, result, ruling)))
    return rows


def _object(
    layout: Layout | None, table: Table | None, result: Result, ruling: Ruling | Opening
) -> dict[str, Any]:
    after = ruling.after if isinstance(ruling, Ruling) else table
    row: dict[str, Any] = {
        "line": result.number,
        "call": _call_json(ruling.call),
        "text": write_call(ruling.call),
        "accepted": ruling.refusal is None,
    }
    if ruling.refusal is not None:
        refusal = ruling.refusal
        row["refusal"] = {
            "code": refusal.code,
            "sentence": refusal.sentence,
            "remedy": refusal.remedy,
            "clauses": refusal.cites,
        }
    row["warnings"] = [
        {"code": n.code, "sentence": n.sentence, "clauses": n.cites} for n in ruling.warnings
    ]
    row["clauses"] = ruling.cites if isinstance(ruling, Ruling) else ruling.cites
    decisions = ruling.decisions if isinstance(ruling, Ruling) else ()
    row["decided"] = [
        _settled_json(layout, decision) for decision in decisions if isinstance(decision, Settled)
    ]
    others = [item for item in result.items if not isinstance(ruling, Opening)]
    if ruling is result.ruling:
        row["followed"] = [{"what": item.words, "clauses": item.cites} for item in others]
    if after is not None:
        row["puck"] = after.puck or "off"
        row["phase"] = after.phase
        row["rails"] = {seat.name: number(seat.rail) for seat in after.seats.values()}
        row["wagers"] = {
            seat.name: {
                wager.spot: {"stake": number(wager.stake)}
                | ({"fee": number(wager.fee)} if wager.fee else {})
                | ({"marker": wager.marker} if wager.marker else {})
                | ({"stays_up": True} if wager.stays else {})
                for wager in seat.wagers.values()
            }
            for seat in after.seats.values()
        }
        row["bank"] = number(after.bank)
    if result.difference is not None and ruling is result.ruling:
        row["difference"] = result.difference.problem
    return row


_MONEY_FIELDS = ("amount", "to", "chip", "minimum", "maximum", "unit")


def _call_json(call: Call) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(call)
    for field in _MONEY_FIELDS:
        if isinstance(plain.get(field), int):
            plain[field] = number(plain[field])
    for field in ("split",):
        if field in plain:
            plain[field] = [number(part) for part in plain[field]]
    return {key: value for key, value in plain.items() if value not in ("", 0, (), [], {})}


def _settled_json(layout: Layout | None, settled: Settled) -> dict[str, Any]:
    return {
        "player": settled.seat,
        "spot": settled.spot,
        "verdict": settled.verdict,
        "stake": number(settled.stake),
        "paid": number(settled.paid),
        "taken": number(settled.taken),
        "returned": number(settled.returned),
        "net": number(settled.net),
        "parts": _parts(layout, settled),
        "clauses": settled.cites,
    }


def _parts(layout: Layout | None, settled: Settled) -> list[dict[str, Any]]:
    """The parts of a composite wager with an even split."""
    share = layout.spots[settled.spot].share if layout else None
    if share is None:
        return []
    whole = sum(share.units)
    return [
        {
            "spot": part,
            "stake": _exact(Fraction(settled.stake * unit, whole)),
            "won": part == settled.part,
        }
        for part, unit in zip(share.parts, share.units, strict=True)
    ]


def _exact(amount: Fraction) -> int | Decimal | str:
    return number(int(amount)) if amount.denominator == 1 else str(amount / MINOR)
