"""Remedies can be followed: what a refusal proposes is said, and it is taken.

A remedy that names a call or an amount has the calls here that do what it says. One of them is
taken at once, or refused for a reason whose own remedy can be followed: dice are offered before
they are thrown. Every amount that is proposed is taken. Somebody who is told to bet has the chips.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from boxman.rules.duties import STATIONS
from boxman.rules.layout import Layout
from boxman.table import calls as c
from boxman.table.call import Call
from boxman.table.floor.powers import station_name
from boxman.table.ruling import rule
from boxman.table.rulings import Refusal
from boxman.table.state import Table

Said = Iterator[Call | None]
"""What is said; None for a call that is not refused for that reason any more."""
Ways = Callable[[Layout, Table, Call, Refusal], Said]
MINUTES = 3600 * 3
"""Longer than any sign has to hang."""


def followed(layout: Layout, table: Table, call: Call, refusal: Refusal) -> bool:
    """Whether the remedy of a refusal can be followed; so can one that names nothing to say."""
    if isinstance(call, c.Bet):
        call = replace(call, voucher=0)  # a fault of its own, with a remedy of its own
    amounts = AMOUNTS.get(refusal.do)
    if amounts is not None and hasattr(call, "amount"):
        every = [replace(call, amount=refusal.values[name]) for name in amounts]
        others = [_refused(layout, table, each) for each in every]
        return all(other is None or other.code == "name-the-split" for other in others)
    if refusal.do in LEFT:
        named = (refusal.values[name] for name in LEFT[refusal.do])
        return all(_refused(layout, table, _leaving(table, call, left)) is None for left in named)
    return _followed(layout, table, call, refusal, ())


def _leaving(table: Table, call: Call, left: object) -> Call:
    """The call that leaves so much of a wager up."""
    assert isinstance(left, int)
    assert isinstance(call, c.Reduce | c.GiveBack)
    if isinstance(call, c.Reduce):
        return replace(call, to=left)
    return replace(call, amount=table.seats[call.seat].wagers[call.spot].stake - left)


def _followed(
    layout: Layout, table: Table, call: Call, refusal: Refusal, seen: tuple[str, ...]
) -> bool:
    told = refusal.do or refusal.key
    ways = WAYS.get(told)
    if ways is None:
        return not seen or told in (*AMOUNTS, *WAITING)
    if told in seen:
        return False
    for way in ways(layout, table, call, refusal):
        other = _refused(layout, table, way) if way is not None else None
        if way is None or other is None or _followed(layout, table, way, other, (*seen, told)):
            return True
    return False


def _refused(layout: Layout, table: Table, call: Call) -> Refusal | None:
    """The reason for refusing a call of somebody with chips enough."""
    seat = table.seats.get(getattr(call, "seat", ""))
    if seat is not None and not isinstance(call, c.CashOut):
        rich = replace(seat, rail=10**9)
        table = replace(table, seats={**table.seats, seat.name: rich})
    return rule(layout, table, call).refusal


def _one(make: Callable[[Table, Call, Refusal], Call]) -> Ways:
    def ways(layout: Layout, table: Table, call: Call, refusal: Refusal) -> Said:
        yield make(table, call, refusal)

    return ways


def _dice(*events: str) -> Ways:
    def ways(layout: Layout, table: Table, call: Call, refusal: Refusal) -> Said:
        for event in events:
            for by in ("", *STATIONS) if event == "inspected" else ("",):
                yield c.HandleDice(by=by, event=event)  # type: ignore[arg-type]

    return ways


def _offer(layout: Layout, table: Table, call: Call, refusal: Refusal) -> Said:
    for name in table.seats:
        yield c.OfferDice(seat=name)


def _line(layout: Layout, table: Table, call: Call, refusal: Refusal) -> Said:
    """The line wager that lets somebody throw, or the dice go on."""
    line = layout.procedure.eligible.spots
    for name in [refusal.values["seat"]] if "seat" in refusal.values else table.seats:
        for spot in line.value if line and refusal.do != "pass" else ():
            least = layout.bounds(table.posted, layout.spots[spot], table.puck).least
            yield c.Bet(seat=str(name), spot=spot, amount=least)
    if refusal.do in ("bet or pass", "bet a little", "pass"):
        yield c.PassDice(seat=str(refusal.values["seat"]))
        yield from _offer(layout, table, call, refusal)


def _decide(layout: Layout, table: Table, call: Call, refusal: Refusal) -> Said:
    yield c.CallRoll(first=1, second=2)
    yield c.DecideFaces(first=1, second=2)
    if table.floor.contested:  # where nothing else can be settled any more they stand
        yield c.DecideFaces(first=table.faces[0], second=table.faces[1])
    for cause in layout.procedure.causes:
        yield c.CallNoRoll(cause=cause)


def _cured(layout: Layout, table: Table, refusal: Refusal, call: Call) -> Iterator[None]:
    """Said so, it is not refused for that reason any more."""
    other = _refused(layout, table, call)
    if other is None or other.code != refusal.code:
        yield None


def _in_chips(layout: Layout, table: Table, call: Call, refusal: Refusal) -> Said:
    """What is not taken aloud is put down."""
    assert isinstance(call, c.Say)
    said = c.Bet(seat=call.seat, spot=call.spot, amount=call.amount, split=call.split)
    return _cured(layout, table, refusal, said)


def _with(make: Callable[[Table, Refusal], dict[str, object]]) -> Ways:
    """The same call with other fields."""

    def ways(layout: Layout, table: Table, call: Call, refusal: Refusal) -> Said:
        yield from _cured(layout, table, refusal, replace(call, **make(table, refusal)))

    return ways


def _others(layout: Layout, table: Table, call: Call, refusal: Refusal) -> Said:
    """The same from each of those who are named: nobody of them is told that it is not theirs."""
    names = refusal.values.get("names", ())
    for station in STATIONS:
        if station_name(layout, station) in names:
            yield from _cured(layout, table, refusal, replace(call, by=station, stand_in=""))


def _no_roll(layout: Layout, table: Table, call: Call, refusal: Refusal) -> Said:
    """The throw is called no roll by one of those who are named."""
    assert isinstance(call, c.VoidRoll)
    for station in STATIONS:
        if station_name(layout, station) in refusal.values["names"]:
            yield c.CallNoRoll(by=station, cause=call.reason, person=call.person)


def _known(field: str, values: str) -> Ways:
    """The same with what is named: it is not refused for that any more."""

    def ways(layout: Layout, table: Table, call: Call, refusal: Refusal) -> Said:
        known = refusal.values[values]
        for value in (known,) if isinstance(known, str) else known:
            if hasattr(call, field):
                yield from _cured(layout, table, refusal, replace(call, **{field: value}))

    return ways


def _meant(layout: Layout, table: Table, call: Call, refusal: Refusal) -> Said:
    for field in ("spot", "cause", "reason", "setting", "what"):
        yield from _known(field, "meant")(layout, table, call, refusal)


def _parts(layout: Layout, table: Table, call: Call, refusal: Refusal) -> Said:
    assert isinstance(call, c.Bet | c.Say | c.PlaceFor | c.Find)
    share = layout.spots[call.spot].share
    assert share is not None
    rest = (layout.chip,) * (len(share.parts) - 1)
    yield replace(call, split=(call.amount - sum(rest), *rest))


def _taken_down(layout: Layout, table: Table, call: Call, refusal: Refusal) -> Said:
    yield c.TakeDown(seat=call.seat, spot=call.spot)  # type: ignore[attr-defined]


def _any_down(layout: Layout, table: Table, call: Call, refusal: Refusal) -> Said:
    name = str(refusal.values["seat"])
    yield from (c.TakeDown(seat=name, spot=spot) for spot in table.seats[name].wagers)


def _flat(layout: Layout, table: Table, call: Call, refusal: Refusal) -> Said:
    """The wager that odds stand behind, as small as it may be."""
    assert isinstance(call, c.Bet | c.Say | c.PlaceFor | c.Find)
    behind = layout.spots[call.spot].behind
    assert behind is not None
    least = layout.bounds(table.posted, layout.spots[behind.flat], table.puck).least
    yield replace(call, spot=behind.flat, amount=least, split=())


def _granted(table: Table, refusal: Refusal) -> dict[str, object]:
    least, most = table.posted.minimum, refusal.values["maximum"]
    assert isinstance(most, int)
    return {"minimum": least, "maximum": most + least}


AMOUNTS = {
    "bet either": ("low", "high"),
    "bet": ("high",),
    "bet or more": ("amount",),
    "bet that or less": ("amount",),
    "bet or less": ("most",),
    "cash out less": ("rail",),
}
"""Remedies that name amounts, and under which values they have them."""

LEFT = {name.replace("bet", "leave"): values for name, values in AMOUNTS.items()}
"""The same of stakes that are lowered: how much of them may be left."""

WAITING = ("nobody to ask", "nobody-left", "not-now.decided")
"""Nobody can do anything but sit down and bet."""

WAYS: dict[str, Ways] = {
    "no-flat": _flat,
    "no-shooter": _offer,
    "answer the offer": _one(lambda t, _, r: c.DeclineDice(seat=t.hand.offered)),
    "stick takes": _one(lambda *_: c.TakeDice(seat="stick")),
    "cancel the point": _one(lambda *_: c.CancelPoint()),
    "nobody-left.line": _line,
    "not-eligible.take": _line,
    "bet or pass": _line,
    "bet a little": _line,
    "pass": _line,
    "not-next": _one(lambda _, __, r: c.OfferDice(seat=str(r.values["seat"]))),
    "has-shooter": _one(lambda _, __, r: c.PassDice(seat=str(r.values["shooter"]))),
    "not-now.offered": _one(lambda _, __, r: c.DeclineDice(seat=str(r.values["seat"]))),
    "not-now.taker": _offer,
    "not-now.thrown": _decide,
    "not-now.disputed": _decide,
    "disputed": _decide,
    "no-such-reason.void": _decide,
    "disputed.call it": _decide,
    "face-undecided": _decide,
    "bets-closed": _decide,
    "bets-closed.find": _with(lambda t, r: {"before": True}),
    "bets-open": _one(lambda *_: c.CloseBets()),
    "not-now.forfeit": _with(lambda t, r: {"forfeit": False}),
    "not-now.in hand": _one(lambda *_: c.DiceOut()),
    "no-roll-due": _one(lambda _, __, r: c.CallNoRoll(cause=str(r.values["cause"]))),
    "dice-short": _dice("chosen"),
    "new-set-due": _dice("new set"),
    "set-short": _dice("found", "checked", "lost"),
    "set-short.opening": _dice("found", "checked", "lost"),
    "not-inspected": _dice("inspected"),
    "cause-missing": _known("cause", "causes"),
    "cause-missing.named": _known("cause", "causes"),
    "cause-missing.void": _known("reason", "causes"),
    "causes": _known("cause", "causes"),
    "reasons": _known("reason", "known"),
    "did you mean": _meant,
    "not-your-call": _others,
    "not-your-call.station": _others,
    "not-your-call.confirm": _others,
    "not-your-call.no roll": _others,
    "not-your-call.note": _others,
    "not-your-call.under way": _no_roll,
    "not-your-call.sides": _others,
    "outranked": _others,
    "not-seated": _one(lambda _, __, r: c.BuyIn(seat=str(r.values["name"]), amount=10_000)),
    "has-left": _one(lambda _, __, r: c.BuyIn(seat=str(r.values["seat"]), amount=10_000)),
    "rail-short.bet": _one(lambda _, call, __: c.BuyIn(seat=call.seat, amount=10_000)),  # type: ignore[attr-defined]
    "rail-short.bet and fee": _one(lambda _, call, __: c.BuyIn(seat=call.seat, amount=10_000)),  # type: ignore[attr-defined]
    "rail-short.fee": _one(lambda _, call, __: c.BuyIn(seat=call.seat, amount=10_000)),  # type: ignore[attr-defined]
    "take it down": _taken_down,
    "wagers down first": _any_down,
    "voucher-stands": _taken_down,
    "split-stands": _taken_down,
    "voucher-stands.give back": _with(lambda t, r: {"amount": 0}),
    "split-stands.give back": _with(lambda t, r: {"amount": 0}),
    "not-fresh.part": _with(lambda t, r: {"amount": r.values["amount"]}),
    "name-the-split": _parts,
    "bad-split.sum": _parts,
    "no-split": _with(lambda t, r: {"split": ()}),
    "both figures": _with(_granted),
    "above maximum": _with(_granted),
    "nothing-spoken": _in_chips,
    "person-missing": _with(lambda t, r: {"person": next(iter(t.seats), "zed")}),
    "name-missing": _with(lambda t, r: {"person": "zed"}),
    "ask for review": _one(lambda _, __, r: c.AskFor(seat=str(r.values["seat"]), step="review")),
    "ask for inspect": _one(lambda _, __, r: c.AskFor(seat=str(r.values["seat"]), step="inspect")),
    "not-told": _one(lambda _, __, r: c.Tell(whom=str(r.values["seat"]))),
    "decide the throw": _decide,
    "stick throws on": _decide,
    "say at rest": _one(lambda *_: c.DiceRest()),
    "miscounted": _with(lambda t, r: {"total": r.values["total"]}),
}
"""What is said by whoever follows a remedy, by its name or by the reason it belongs to."""
