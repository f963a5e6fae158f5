"""The laws hold at every house for every order of calls, as far as a bounded search goes.

The whole search is `make soak`; its figures are in docs/reliability.md.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import boxman
from boxman.rules.book import houses
from boxman.table import calls as c
from boxman.table.call import DECLARED
from boxman.table.floor.confirming import timely
from boxman.table.floor.shooters import turn
from boxman.table.floor.throws import known_cause
from boxman.table.opening import Open
from boxman.table.rulings import change, refuse
from boxman.table.said.items import Item
from boxman.table.settle import _voucher as settle_voucher
from boxman.table.state import APPLY, PHASES, Ranked, Reversed, Settled
from boxman.table.wagers import give_back
from tests.laws import laws
from tests.laws.alike import Alike, walked
from tests.laws.explore import Explorer
from tests.laws.walk import walk, walks
from tests.laws.world import ELSEWHERE, PAIRS, RAIL, SLICES, TOGETHER, World, parts
from tests.tools.reliability import record

STATES = {"custody": 200, "turn": 200}
"""How far a search goes here."""


@pytest.mark.parametrize("house", houses())
def test_the_laws_hold(house: str) -> None:
    for theme in parts(house):
        # Somebody can be passed over only where there are three.
        players = 3 if theme == "turn" else 2
        found = Explorer(World(house, players, theme), STATES.get(theme, 60)).run()
        told = [f"{b.law} ({b.how})\n" + "\n".join(b.lines) for b in found.breaches()]
        assert told == [], theme
        assert not found.unlike, theme  # tables that count as one answer every call alike


@pytest.mark.parametrize("house", houses())
def test_the_laws_hold_where_parts_meet(house: str) -> None:
    _, ruled, told = walks(house, 4_000, seed=0)
    assert told == []
    assert ruled >= 4_000


@pytest.mark.parametrize("house", houses())
def test_tables_that_count_as_one_answer_alike(house: str) -> None:
    _, told = walked(house, players=2, walks=2)
    assert told == []


def test_the_remedies_that_are_followed_are_still_said_so() -> None:
    """Law 13 knows them by their words."""
    book = Path(boxman.__file__).parent / "words" / "en"
    said = "".join((book / f"{name}.toml").read_text() for name in ("refusals", "remedies"))
    source = inspect.getsource(laws._idle_remedy)
    followed = [each for line in re.findall("case (.*):", source) for each in line.split(" | ")]
    assert len(followed) > 5
    assert [each for each in followed if f"= {each}" not in said] == []


def test_every_call_is_tried_or_belongs_elsewhere() -> None:
    tried = {kind for kinds in SLICES.values() for kind in kinds}
    spoken = {kind for kind, each in DECLARED.items() if each.lines} - {Open}
    assert spoken == tried | ELSEWHERE.keys()
    assert not tried & ELSEWHERE.keys()


REFUSED = {"signs": {c.Choose}}
"""Calls of a part that no house takes there: a setting holds while the table is open."""


@pytest.mark.parametrize("theme", SLICES)
def test_every_call_of_a_part_is_taken_in_it(theme: str) -> None:
    """A law of a call that is always refused would hold of nothing."""
    never = {*SLICES[theme]} - REFUSED.get(theme, set())
    for house in ("perth-crapless", "rws", "nsw"):
        if theme in parts(house):
            found = Explorer(World(house, 2, theme), 4000 if theme == "people" else 700)
            found.never = never
            never = found.run(until="taken").never
    assert never == set()


def nothing(*_: Any, **__: Any) -> None:
    """A check that lets everything pass."""


def nil(*_: Any) -> list[Any]:
    """Nothing follows."""
    return []


def counts_in_full(*given: Any) -> tuple[int, str]:
    return given[4], ""


def chips_for_a_voucher(*given: Any) -> Any:
    return msgspec.structs.replace(give_back(*given), voucher=0)


def voucher_returned(*given: Any) -> Any:
    return msgspec.structs.replace(settle_voucher(*given), returned=given[3].stake)


def any_ground(layout: Any, name: str, **_: Any) -> Any:
    return layout.procedure.causes.get(name) or next(iter(layout.procedure.causes.values()))


def all_are_wagering(_: Any, table: Any, __: Any, cites: Any) -> list[Any]:
    return [change(table, "", cites, staked=frozenset(table.seats))]


def unless(code: str) -> Callable[..., None]:
    """All is refused as it is but this."""

    def refused(given: str, *more: Any, **values: Any) -> None:
        if given != code:
            refuse(given, *more, **values)

    return refused


def nameless(*given: Any, **values: Any) -> None:
    """A refusal that says of nobody what is to be done."""
    refuse(*given, **{**values, "seat": ""})


def untold(word: str) -> Callable[..., Item]:
    """What is not printed where this word is in it."""

    def item(words: str, *given: Any, **more: Any) -> Item:
        told = Item(words, *given, **more)
        return told._replace(written=told.written and word not in words)

    return item


def unknown(ground: str) -> Callable[..., Any]:
    """A ground that nobody may state."""

    def known(layout: Any, name: str, **more: Any) -> Any:
        return known_cause(layout, "" if name == ground else name, **more)

    return known


def backwards(*given: Any) -> Any:
    """The dice go round against the clock."""
    return turn(*given)[::-1]


def everybody(_: Any, table: Any) -> list[Any]:
    return [*table.seats.values()]


def offer_stands(table: Any, cites: Any, _: int) -> Any:
    return change(table, "", cites)


def one_is_enough(*given: Any) -> Any:
    rule, cites = timely(*given)
    return msgspec.structs.replace(rule, need="one"), cites


def at_once(layout: Any, table: Any, waits: Any, *_: Any) -> Any:
    """A wager that should wait for a word is down."""
    bet = c.Bet(seat=waits.seat, spot=waits.spot, amount=waits.amount, by="player")
    return bet.checked(layout, msgspec.structs.replace(table, phase="open"))


def bank_forgets(table: Any, made: Any) -> Any:
    return msgspec.structs.replace(APPLY[type(made)](table, made), bank=table.bank)


LOOSE = {"ruling.check_moves": nothing}
"""Calls move the dice as they do not declare. Where a call has a check of its own besides, both are
broken; so too where what follows of itself only repeats what a call has done."""
ALL_ASKED = {"calls.hand.turn": everybody, "ruling.follow": nil}
PLAYERS = {"2d": 3, "4b": 1}
"""Of two players nobody can be passed over; and of two only the last leaves, who has the dice much
later than one who is alone."""
FAULTS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("0", "grounds", "adelaide", {"calls.throw.release": None}),
    ("1a", "custody", "adelaide", LOOSE),
    ("1b", "close", "nsw", {"calls.closing.check_decided": nothing, **LOOSE}),
    ("1c", "custody", "nsw", {"floor.throws.check_shooter": lambda *_: ""}),
    ("1d", "turn", "nsw", {"floor.throws.check_shooter": lambda *_: "", **LOOSE}),
    ("1e", "grounds", "nsw", {"floor.throws.check_shooter": lambda *_: ""}),
    ("1f", "set", "nsw", {"floor.throws.thrown": lambda _: False}),
    ("1g", "close", "nsw", {"calls.closing.check_decided": nothing, **LOOSE}),
    ("2a", "turn", "nsw", {"calls.hand.refuse": unless("not-offered-dice")}),
    ("2b", "custody", "perth-crapless", {"calls.hand.check_decided": nothing, **LOOSE}),
    ("2c", "custody", "nsw", {"floor.shooters.may_be_asked": lambda _, t: [*t.seats.values()]}),
    ("2d", "hands", "perth-crapless", {"calls.hand.turn": backwards}),
    ("2e", "turn", "newzealand", {"floor.shooters.eligible": lambda *_: True}),
    ("2f", "turn", "rws", {"ruling.follow": nil, "calls.people.offer_ends": offer_stands}),
    ("2g", "turn", "rws", {"calls.hand.may_be_asked": turn}),
    ("2h", "turn", "perth-crapless", {"calls.hand.may_take": lambda *_: False}),
    ("3a", "custody", "adelaide", {"calls.throw.release": nothing, **LOOSE}),
    ("3b", "set", "nsw", {"calls.throw.voided": lambda *_: []}),
    ("3c", "grounds", "rws", {"floor.throws.refuse": unless("false-ground")}),
    ("3c", "custody", "nsw", {"floor.throws.refuse": unless("false-ground")}),
    ("3c", "stakes", "rws", {"calls.handling.LACKING": "never"}),
    ("3d", "grounds", "newzealand", {"calls.throw.check_ground": lambda *_: True}),
    ("4a", "back", "adelaide", {"calls.correcting.thrown": lambda _: False}),
    ("4a", "back", "adelaide", {"calls.correcting.Reversed": lambda *given, **_: Reversed(*given)}),
    ("4b", "leavers", "perth-crapless", {"ruling.follow": nil}),
    ("4c", "back", "adelaide", {"said.items.Item": untold("puck ")}),
    ("4d", "back", "rws", {"said.items.Item": untold(" undone")}),
    ("4d", "back", "perth-crapless", {"said.items.Item": untold(" back to ")}),
    ("4e", "back", "nsw", {"said.items.Item": untold("dice")}),
    ("4e", "hands", "adelaide", {"said.items.Item": untold("shooter")}),
    ("4f", "back", "adelaide", {"calls.correcting.Ranked": lambda *_: Ranked(0, ("1",))}),
    ("4g", "back", "adelaide", {"calls.correcting._as_settled": lambda *_: False}),
    ("5a", "confirm", "perth-crapless", {"calls.working.AUTOMATIC": ("", "player")}),
    ("5a", "confirm", "nsw", {"calls.betting.wait": at_once}),
    ("5a", "confirm", "adelaide", {"calls.waiting.wait": at_once}),
    ("5b", "confirm", "newzealand", {"floor.confirming.AT_REST": ()}),
    ("5c", "confirm", "nsw", {"calls.waiting.timely": one_is_enough}),
    ("5d", "confirm", "nsw", {"floor.throws.lapse": nil, "floor.confirming.lapse": nil}),
    ("5e", "confirm", "nsw", {"ruling.waits_no_more": nil}),
    ("6a", "stakes", "adelaide", {"calls.handling.measured": counts_in_full}),
    ("6a", "stakes", "perth-crapless", {"calls.handling.measured": counts_in_full}),
    ("6a", "stakes", "newzealand", {"calls.handling.measured": counts_in_full}),
    ("6b", "stakes", "rws", {"calls.handling.BEFORE_REST": PHASES}),
    ("6b", "stakes", "rws", {"calls.waiting.refuse": unless("not-your-call")}),
    ("6c", "stakes", "rws", {"calls.handling.refuse": unless("bets-closed")}),
    ("6d", "stakes", "perth-crapless", {"calls.handling.measured": counts_in_full}),
    ("6d", "stakes", "rws", {"calls.handling.measured": counts_in_full}),
    ("7a", "stakes", "nsw", {"calls.betting.give_back": chips_for_a_voucher}),
    ("7b", "vouchers", "nsw", {"settle._voucher": voucher_returned}),
    ("7c", "vouchers", "nsw", {"back._vouchers": nil}),
    ("8a", "people", "nsw", {"ruling.follow": lambda *_: []}),
    ("8b", "people", "rws", {"ruling.follow": nil}),
    ("8b", "people", "nsw", {"ruling.check_excluded": nothing, **ALL_ASKED}),
    ("8c", "barred", "newzealand", {"ruling.check_excluded": nothing}),
    ("8c", "consent", "perth-crapless", {"ruling.check_excluded": nothing}),
    ("9a", "set", "perth-crapless", {"calls.hand.check_set": nothing}),
    ("9b", "set", "rws", {"floor.throws.check_dice": nothing}),
    ("9c", "set", "nsw", {"calls.dice.HandleDice._check_asked": nothing}),
    ("9d", "set", "perth-crapless", {"calls.dice.check_decided": nothing}),
    ("10a", "grounds", "perth-crapless", {"calls.throw.known_cause": any_ground}),
    ("10b", "grounds", "perth-crapless", {"calls.throw.known_cause": unknown("off-table")}),
    ("11a", "signs", "nsw", {"calls.limits.check_shown": nothing}),
    ("11b", "grants", "nsw", {"calls.limits.check_needs": lambda *_: ()}),
    ("11b", "grants", "perth-crapless", {"calls.limits.check_needs": lambda *_: ()}),
    ("11c", "signs", "perth-crapless", {"calls.limits.staking": all_are_wagering}),
    ("11d", "signs", "adelaide", {"calls.limits.Choose.rule": lambda *_: ([], [])}),
    ("12a", "signs", "nsw", {"calls.betting.check_stake": lambda *_: []}),
    ("12a", "signs", "perth-crapless", {"calls.betting.check_stake": lambda *_: []}),
    ("13", "turn", "nsw", {"calls.hand.without_a_shooter": lambda *_: "stick takes"}),
    ("13b", "hands", "newzealand", {"calls.hand.refuse": nameless}),
    ("14", "back", "adelaide", {"ruling.APPLY": {**APPLY, Settled: bank_forgets}}),
]
"""A law, where it is looked for, and what is broken of the table so that it has to be found."""


@pytest.mark.parametrize(
    ("law", "theme", "house", "fault"), FAULTS, ids=[f"{f[0]} {f[2]}" for f in FAULTS]
)
def test_a_law_bites(
    law: str, theme: str, house: str, fault: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for where, broken in fault.items():
        monkeypatch.setattr(f"boxman.table.{where}", broken)
    world, law = World(house, PLAYERS.get(law, 2), theme), f"{law} "  # 13 is not 13b
    found = Explorer(world, 1500).run(until=law)
    assert any(each.startswith(law) for each, _ in found.broken)
    shortest = next(each for each in found.breaches() if each.law.startswith(law))
    assert len(shortest.lines) > 3  # told as a transcript


def test_every_law_bites() -> None:
    """What no fault can break would hold of nothing."""
    sources = [Path(__file__).with_name(name).read_text() for name in ("laws.py", "explore.py")]
    laws = {law for each in sources for law in re.findall(r'"(\d+[a-z]?) [a-z]', each)}
    assert laws == {law for law, *_ in FAULTS}


def test_a_walk_bites_and_is_told_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boxman.table.ruling.check_excluded", nothing)
    world = World("newzealand", 2, TOGETHER)
    broken = (each for each in (walk(world, seed) for seed in range(400)) if each.broken)
    found = next(each for each in broken if len(each.said) > 10)
    assert found.broken is not None
    told = found.told(world).splitlines()
    assert told[0].startswith("('8")  # a law of the excluded
    assert len(told) - 2 - len(world.said) < len(found.said)


CUT = {
    "rolls": lambda table, _: table.rolls > 1,
    "no rolls": lambda table, _: table.hand.no_rolls > 3,
    "rail": lambda table, name: table.seats[name].rail > RAIL,
}
"""What the key of a table leaves out, as a rule would look at it."""


@pytest.mark.parametrize("cut", CUT)
def test_a_rule_that_looks_at_what_is_cut_is_found(
    cut: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check(layout: Any, table: Any, name: str) -> None:
        if CUT[cut](table, name):
            refuse("table-closed", layout.silence)

    monkeypatch.setattr("boxman.table.calls.betting.check_open", check)
    seen = Alike("nsw", "grounds").run(200, seed=0)
    assert seen.found is not None
    _, one, other = seen.told().split("\n\n")
    last = [each.splitlines()[-1].split(" : ") for each in (one, other)]
    assert last[0][0] == last[1][0]  # the same bet
    assert sorted(said.split()[0] for _, said in last) == ["ok", "refused"]
    assert len(other.splitlines()) < len(seen.found[1])


@pytest.mark.soak
@pytest.mark.parametrize("house", houses())
def test_tables_that_count_as_one_answer_alike_far_and_wide(house: str) -> None:
    lines = []
    for players in (2, 3):
        figures, told = walked(house, players, walks=200)
        assert told == []
        lines.append(figures)
    record(f"Tables that count as one state answer alike: {house}", lines)


@pytest.mark.soak
@pytest.mark.parametrize("house", houses())
def test_walks_go_far(house: str) -> None:
    made, ruled, told = walks(house, 1_000_000, seed=0)
    assert told == []
    record(
        f"Walks through all parts of procedure: {house}",
        [f"{made:,} walks of seeds from 0, {ruled:,} calls ruled on; no law was broken"],
    )


THREE = ("custody", "turn", "grounds", "confirm", "people", "barred", "consent", "close")
"""Parts that are searched to their end with three players too."""
WHOLE, FAR, NEAR = 1_000_000, 20_000, 1_000
"""Where a search of a part is given up, and is bounded for three players and for pairs of parts."""


BOUNDED = {("perth-crapless", "signs")}
"""Parts that are not searched to their end: in Perth each change of limits has an offer and a time
of its own (5.3, 5.4), and what each player keeps of which makes too many tables."""


def searched(house: str, players: int, theme: str, states: int) -> Explorer:
    """A search without a broken law and without tables that count as one and are unlike."""
    found = Explorer(World(house, players, theme), states).run()
    assert [(each.law, each.how, each.lines) for each in found.breaches()] == []
    assert not found.unlike
    return found


@pytest.mark.soak
@pytest.mark.parametrize("house", houses())
def test_each_part_is_searched_whole(house: str) -> None:
    lines = []
    for theme in parts(house):
        for players in (2, 3) if theme in THREE else (2,):
            ends = (house, theme) not in BOUNDED
            found = searched(house, players, theme, WHOLE if ends else FAR)
            assert found.complete == ends, found.told
            lines.append(found.told)
    record(f"The laws of procedure, whole: {house}", lines)


@pytest.mark.soak
@pytest.mark.parametrize("house", houses())
def test_the_laws_hold_with_three_players_and_where_two_parts_meet(house: str) -> None:
    """Bounded: the tables that are nearest to the opening."""
    lines = [searched(house, 3, each, FAR).told for each in parts(house) if each not in THREE]
    pairs = [searched(house, 2, pair, NEAR) for pair in parts(house, *PAIRS)]
    met = f"pairs of parts that share a call besides those of the throw, {NEAR:,} tables each"
    made = sum(found.transitions for found in pairs)
    depth = min(max(found.depth) for found in pairs)
    lines.append(f"{len(pairs)} {met}: {made:,} transitions, to a depth of {depth} and more")
    record(f"The laws of procedure, bounded: {house}", lines)
