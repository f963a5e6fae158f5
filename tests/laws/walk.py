"""Walks at random through all parts of procedure at once, with the same laws.

A search sees all of one part; what only two parts together can break is looked for here. A walk
begins at the opening, or at a table from the edge of a search of one part. A seed is a walk, and
a broken law is told with the fewest of its calls that still break it.

    python -m tests.laws.walk [HOUSE ...] [--calls N] [--seed N]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from random import Random
from typing import NamedTuple

from boxman.rules.book import houses
from boxman.table.call import Call
from boxman.table.ruling import rule
from boxman.table.said.notation import write_call
from boxman.table.said.transcript import Transcript, write_result
from boxman.table.state import Table
from tests.laws.explore import Explorer
from tests.laws.laws import Broken, Step, ghost_after, of_a_ruling, of_a_table
from tests.laws.world import SLICES, TOGETHER, Ghost, World

STEPS = 60
"""Calls of one walk at most."""
EDGE = 40
"""States of the search at whose edge some walks begin."""


class Walk(NamedTuple):
    """How far a walk went, and what it broke."""

    said: tuple[Call, ...]
    tried: int
    broken: Broken | None

    def told(self, world: World) -> str:
        """The broken law and a transcript of the fewest calls that break it."""
        calls = [*world.said, *shortened(world, self)]
        lines = [write_call(each) for each in (world.opening, *calls)]
        try:
            lines = [write_result(result) for result in Transcript().run(lines)]
        except Exception as error:
            lines.append(f"# {type(error).__name__}: {error}")
        return "\n".join((str(self.broken), *lines))


def walk(world: World, seed: int, start: tuple[Call, ...] = (), steps: int = STEPS) -> Walk:
    """One walk: every call that is tried at a table is ruled on, and one that is taken is made."""
    dice, said, tried = Random(seed), list(start), 0
    seen = _again(world, start)
    assert seen is not None
    table, ghost, broken = seen
    explorer = Explorer(world, 0)
    explorer.came.append((-1, ()))
    for _ in range(steps):
        if broken is not None:
            break
        taken, refused = explorer._try(table, ghost, 0)
        tried += len(taken) + len(refused)
        if explorer.broken:  # an exception
            broken, (_, last) = next(iter(explorer.broken.items()))
            said += last
            break
        found = of_a_table(world, table, ghost, [step for step, _ in taken], refused)
        broken = next(iter(found), None)
        if broken is not None or not taken:
            break
        # By kind first: there are many bets and grounds for one word of the stick.
        kinds = sorted({type(step.call).__name__ for step, _ in taken})
        kind = dice.choice(kinds)
        step, calls = dice.choice([each for each in taken if type(each[0].call).__name__ == kind])
        said += calls
        broken = next(iter(of_a_ruling(world, step)), None)
        table, ghost = step.after, ghost_after(world, ghost, step)
    return Walk(tuple(said), tried, broken)


def _again(world: World, said: Iterable[Call]) -> tuple[Table, Ghost, Broken | None] | None:
    """The table after these calls, and the first law they break; None if one is refused."""
    table, ghost = world.table, Ghost()
    for call in said:
        try:
            ruling = rule(world.layout, table, call)
        except Exception as error:
            return table, ghost, ("0 nothing breaks a table", f"{type(error).__name__}: {error}")
        if not ruling.accepted:
            return None
        step = Step(table, ghost, call, ruling, ruling.after)
        broken = next(iter(of_a_ruling(world, step)), None)
        table, ghost = ruling.after, ghost_after(world, ghost, step)
        if broken is not None:
            return table, ghost, broken
    explorer = Explorer(world, 0)
    taken, refused = explorer._try(table, ghost, 0)
    found = of_a_table(world, table, ghost, [each for each, _ in taken], refused)
    return table, ghost, next(iter(found), None) or next(iter(explorer.broken), None)


def shortened(world: World, found: Walk) -> tuple[Call, ...]:
    """The calls of a walk without those that its broken law does not need."""
    said, law = found.said, found.broken and found.broken[0]
    at = len(said) - 1
    while at >= 0:
        without = said[:at] + said[at + 1 :]
        seen = _again(world, without)
        if seen is not None and seen[2] is not None and seen[2][0] == law:
            said = without
        at -= 1
    return said


def edge(house: str, theme: str, dice: Random) -> tuple[Call, ...]:
    """The way to a table that a bounded search of one part stopped at."""
    search = Explorer(World(house, 2, theme), EDGE).run()
    at = max(range(len(search.held)), key=lambda n: (search.depth[n], dice.random()))
    said: list[Call] = []
    while at >= 0:
        at, before = search.came[at]
        said[:0] = before
    return tuple(said)


def walks(house: str, calls: int, seed: int) -> tuple[int, int, list[str]]:
    """Walks until so many calls were ruled on: how many walks and calls, and what was broken."""
    world, made, ruled, told = World(house, 3, TOGETHER), 0, 0, []
    small = World(house, 2, TOGETHER)
    themes = [each for each in SLICES if each != "limits"]  # that one has a sign of its own
    while ruled < calls and not told:
        dice = Random(seed + made)
        if made % 3 == 2:
            start = edge(house, themes[made // 3 % len(themes)], dice)
            used, found = small, walk(small, seed + made, start)
        else:
            used, found = world, walk(world, seed + made)
        made, ruled = made + 1, ruled + found.tried
        if found.broken is not None:
            told.append(f"{house}, seed {seed + made - 1}: {found.told(used)}")
    return made, ruled, told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("house", nargs="*", default=list(houses()))
    parser.add_argument("--calls", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    for house in args.house:
        made, ruled, told = walks(house, args.calls, args.seed)
        print(f"{house}: {made:,} walks, {ruled:,} calls ruled on", flush=True)
        print("\n".join(told))


if __name__ == "__main__":
    main()
