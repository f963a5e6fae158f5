"""Exploring a house breadth first: every table that calls can reach, and the laws on the way.

Tables that look alike to the procedure are one state; every so often a merged table is run beside
the one that stands for it, so that the key is checked and not believed (and by the walks of
`alike.py`, with real tables). A search that stops at its limit is called bounded, and claims about
what can be reached are made of finished ones alone.

    python -m tests.laws.explore [HOUSE ...] [--players N] [--theme T] [--states N]
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict, deque
from typing import Any, NamedTuple

import msgspec

from boxman.rules.book import houses
from boxman.table import calls as c
from boxman.table.call import Call
from boxman.table.floor.dice_set import as_thrown
from boxman.table.floor.people import Hand
from boxman.table.floor.shooters import place_before_the_first
from boxman.table.said.notation import write_call
from boxman.table.said.transcript import Transcript, write_result
from boxman.table.state import NoRolled, Reversed, Rolled, Table
from tests.laws.laws import CRASH, THROWN, Broken, Step, Way, of_a_ruling, of_a_table, tried
from tests.laws.world import PAIRS, RAIL, SHOWN, SIGNED, SLICES, TOGETHER, Ghost, World, parts

EVERY = 50
"""Each of so many merged tables is compared."""

Answers = dict[tuple[Call, ...], Any]
"""Calls, and for each the key of the table after it or the code of its refusal."""


class Breach(NamedTuple):
    """A broken law with the shortest way there, in the notation."""

    law: str
    how: str
    lines: list[str]


class Explorer:
    """One slice of one house."""

    def __init__(self, world: World, states: int) -> None:
        self.world, self.limit = world, states
        self.ids: dict[Any, int] = {}
        self.held: list[tuple[Table, Ghost]] = []
        self.came: list[tuple[int, tuple[Call, ...]]] = []
        self.depth: list[int] = []
        self.edges: list[list[tuple[int, bool, bool]]] = []
        self.broken: dict[Broken, tuple[int, tuple[Call, ...]]] = {}
        self.transitions = self.merged = self.compared = 0
        self.unlike: Counter[str] = Counter()
        self.never = set(world.kinds)
        """Calls of the part that were taken nowhere so far."""
        self.complete = False

    def run(self, until: str = "") -> Explorer:
        """All of it, up to the limit; or until a law is broken that begins so; with "taken", until
        every call of the part was taken somewhere."""
        queue = deque([self._add(self.world.table, Ghost(), -1, ())])
        while queue and len(self.held) <= self.limit:
            if until and any(law.startswith(until) for law, _ in self.broken):
                break
            if until == "taken" and not self.never:
                break
            at = queue.popleft()
            table, ghost = self.held[at]
            ways = tried(self.world, table, ghost)
            for broken in of_a_table(self.world, table, ghost, ways):
                self.broken.setdefault(broken, (at, ()))
            for way in ways:
                if way.crash:
                    self.broken.setdefault((CRASH, way.crash), (at, way.said))
                if not way.done:
                    continue
                self.transitions += 1
                self.never.difference_update(map(type, way.said))
                for step in way.steps:
                    for broken in of_a_ruling(self.world, step):
                        self.broken.setdefault(broken, (at, way.said))
                new = len(self.held)
                to = self._add(way.table, way.ghost, at, way.said)
                if to == new:
                    queue.append(to)
                else:
                    self.merged += 1
                    if self.merged % EVERY == 0:
                        self._compare(to, way.table, way.ghost)
                last = way.steps[-1]
                self.edges[at].append((to, last.made(Rolled, NoRolled), _kind(last)))
        self.complete = not queue
        if self.complete:
            self._reach()
        return self

    def _add(self, table: Table, ghost: Ghost, parent: int, said: tuple[Call, ...]) -> int:
        table = _rich(table)
        key = self.key(table, ghost)
        known = self.ids.get(key)
        if known is not None:
            return known
        self.ids[key] = at = len(self.held)
        self.held.append((table, ghost))
        self.came.append((parent, said))
        self.edges.append([])
        self.depth.append(0 if parent < 0 else self.depth[parent] + 1)
        return at

    def key(self, table: Table, ghost: Ghost) -> Any:
        """What the procedure can see of a table: no rails, clocks, clauses, counts of rolls."""
        floor = table.floor
        # Where nothing is thrown, nothing asks how much a stake is that is up.
        wager = (lambda w: w.spot) if c.CallRoll not in self.world.kinds else _wager
        seats = tuple(
            (s.name, s.place, frozenset(wager(w) for w in s.wagers.values()))
            for s in sorted(table.seats.values(), key=lambda seat: seat.name)
        )
        disputes = tuple((d.step, d.judge) for d in floor.disputes)
        hand, then = self._hand(table.hand), self._past
        key = (table.phase, table.puck, seats, hand, floor.pending, floor.placed_for)
        key += (
            frozenset(floor.barred.items()),
            floor.excluded,
            floor.dice,
            floor.closed,
            floor.ground,
        )
        of = self.world.of
        if not of("turn", TOGETHER):  # the order of asking is that part's
            ghost = ghost._replace(last="", asked=frozenset())
        key += (
            self._no_rolls(table),
            floor.told,
            floor.away,
            not floor.notices,
            floor.agreed,
            disputes,
            ghost,
        )
        if of("custody", "turn", "people", TOGETHER) and not table.hand.shooter:
            asked = table.hand.offered  # the dice go on from where somebody was asked
            start = place_before_the_first(self.world.layout, table)
            key += (table.hand.at if asked else start,)
        if of("set"):  # whether a die that is off is of a throw of which nothing else was said
            key += (as_thrown(table) is table,)
        if of("back", "hands", "leavers"):
            past = tuple(then(each) for each in (table.before, table.round_start))
            key += (past, table.rank, then(table.at_no_roll), table.faces)
            key += (frozenset(table.fresh),)
        if of("vouchers"):
            slips = self._with_vouchers
            key += (slips(table.before), table.rank, slips(table.at_no_roll), table.faces)
        if of("confirm", "barred", "stakes", "vouchers"):
            new = frozenset((f.seat, f.spot, f.amount, f.stood) for f in table.fresh.values())
            key += (new, frozenset(floor.vouchers.items()))
        if of("disputes"):
            past = then(table.before)
            key += (past, table.rank, then(table.at_no_roll), table.faces)
            key += (floor.disputes,)
        if of(*SHOWN):
            kept, grants = frozenset(floor.kept.items()), frozenset(floor.grants.items())
            key += (table.posted.minimum, floor.notices, kept, grants, floor.staked)
            key += (floor.old if of(*SIGNED) else self._offered(table),)
            key += (table.terms and msgspec.json.encode(table.terms),)
        return key

    def _offered(self, table: Table) -> Any:
        """What each player may keep of limits from before changes, and why nothing may be kept."""
        old = table.floor.old
        if old is None:
            return None
        live = [each for each in old.each if not each.over]
        return old.over, *(
            frozenset((o.minimum, o.unit, o.since) for o in live if name in (o.wagering or ()))
            for name in self.world.names
        )

    def _no_rolls(self, table: Table) -> Any:
        """Each player's invalid rolls, where rolls are taken back and players ordered to pass."""
        if not {c.OrderPass, c.VoidRoll} <= set(self.world.kinds):
            return ()
        return frozenset((name, min(many, 4)) for name, many in table.no_rolls.items())

    def _hand(self, hand: Hand) -> tuple[Any, ...]:
        # No rolls in a row are asked for by an order to pass alone: one, or several.
        rolls = min(hand.no_rolls, 2) if c.OrderPass in self.world.kinds else 0
        return hand.shooter, hand.offered, frozenset(hand.declined), hand.former, rolls, hand.left

    def _past(self, table: Table | None) -> tuple[Any, ...]:
        if table is None:
            return ()
        wagers = frozenset((s.name, frozenset(s.wagers)) for s in table.seats.values())
        hand = self._hand(table.hand)
        complaints = len(table.floor.disputes)  # what was complained of since is of that throw
        new, ground, no_rolls = frozenset(table.fresh), table.floor.ground, self._no_rolls(table)
        return table.puck, hand, wagers, new, ground, complaints, no_rolls, table.rank

    def _with_vouchers(self, table: Table | None) -> tuple[Any, ...]:
        if table is None:
            return ()
        wagers = frozenset(
            (s.name, _wager(w)) for s in table.seats.values() for w in s.wagers.values()
        )
        return *self._past(table), wagers, frozenset(table.floor.vouchers.items())

    def _compare(self, at: int, table: Table, ghost: Ghost) -> None:
        """Whether a merged table answers every call as the one that stands for it."""
        self.compared += 1
        one = self.answers(*self.held[at])
        other = self.answers(_rich(table), ghost)
        odd = unlike(one, other)
        self.unlike.update(write_call(said[-1]) for said in odd[:3])

    def answers(self, table: Table, ghost: Ghost) -> Answers:
        """What every call of the part is answered with: the next state, or why it is refused."""
        return {way.said: self._answer(way) for way in tried(self.world, table, ghost)}

    def _answer(self, way: Way) -> Any:
        if way.refusal is not None:
            return way.refusal.code
        return way.crash or self.key(way.table, way.ghost)

    def _reach(self) -> None:
        """From every throw a decision can be reached; somebody can always shoot again."""
        decided = self._backward(lambda decides, kind: decides, lambda kind: True)
        again = self._backward(lambda decides, kind: decides, lambda kind: kind)
        for at, (table, _) in enumerate(self.held):
            if table.phase in THROWN and at not in decided:
                self.broken.setdefault(("1g a decision can be reached", ""), (at, ()))
            people = [n for n in table.seats if n not in table.floor.barred]
            # Only there all calls are made that help.
            if (
                self.world.theme in ("custody", "turn")
                and people
                and not table.floor.closed
                and at not in again
            ):
                self.broken.setdefault(("2h somebody can shoot again", ""), (at, ()))

    def _backward(self, goal: Any, among: Any) -> set[int]:
        into = defaultdict[int, list[int]](list)
        good = set()
        for at, edges in enumerate(self.edges):
            for to, decides, kind in edges:
                if not among(kind):
                    continue
                if goal(decides, kind):
                    good.add(at)
                into[to].append(at)
        queue = deque(good)
        while queue:
            for at in into[queue.popleft()]:
                if at not in good:
                    good.add(at)
                    queue.append(at)
        return good

    def breaches(self) -> list[Breach]:
        """Every law that was broken, with the shortest transcript."""
        return [
            Breach(law, how, self.transcript(at, said))
            for (law, how), (at, said) in sorted(self.broken.items(), key=lambda each: each[0])
        ]

    def transcript(self, at: int, said: tuple[Call, ...]) -> list[str]:
        calls = list(said)[::-1]
        while at >= 0:
            at, before = self.came[at]
            calls += list(before)[::-1]
        world = self.world
        lines = [write_call(each) for each in (world.opening, *world.said, *calls[::-1])]
        try:
            return [write_result(result) for result in Transcript().run(lines)]
        except Exception:
            return lines

    @property
    def figures(self) -> str:
        depth = max(self.depth)
        done = "complete" if self.complete else "bounded"
        return f"{len(self.held):,} states, {self.transitions:,} transitions, depth {depth}, {done}"

    @property
    def told(self) -> str:
        """The part, how much of it was seen, and how many merged tables were compared."""
        unlike = sum(self.unlike.values())
        how = f"{self.compared:,} merged tables compared, {unlike} unlike"
        return f"{self.world.theme}, {len(self.world.names)} players: {self.figures}; {how}"


def unlike(one: Answers, other: Answers) -> list[tuple[Call, ...]]:
    """Calls that two tables answer otherwise, or that are tried at one of them alone."""
    return [said for said in {**one, **other} if one.get(said) != other.get(said)]


def _rich(table: Table) -> Table:
    """Rails that never run dry and never differ."""
    seats = {n: msgspec.structs.replace(s, rail=RAIL, bought=0) for n, s in table.seats.items()}
    held = sum(s.rail + sum(w.stake for w in s.wagers.values()) for s in seats.values())
    return msgspec.structs.replace(table, seats=seats, rolls=0, bank=0, cage=-held)


def _wager(wager: Any) -> tuple[Any, ...]:
    counts = wager.voucher, wager.counts, wager.under
    return wager.spot, wager.stake, wager.marker, wager.found, wager.stays, counts


def _kind(step: Step) -> bool:
    """Whether it is what people do who want to play: nobody leaves or is sent away."""
    unkind = (c.Leave, c.Sanction, c.OrderPass, c.CloseTable, c.VoidRoll, c.Overrule)
    return not isinstance(step.call, unkind) and not step.made(Reversed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("house", nargs="*", default=list(houses()))
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--theme", action="append", choices=[*SLICES, *PAIRS])
    parser.add_argument("--states", type=int, default=20_000)
    args = parser.parse_args()
    for house in args.house:
        for theme in parts(house, *(args.theme or SLICES)):
            found = Explorer(World(house, args.players, theme), args.states).run()
            print(f"{house} {found.told}", flush=True)
            for what in found.unlike.most_common(5):
                print("   unlike", what)
            for breach in found.breaches():
                print(f"\n  BROKEN {breach.law} ({breach.how})")
                print("\n".join(f"    {line}" for line in breach.lines), "\n")


if __name__ == "__main__":
    main()
