"""Walks at random through all parts of procedure at once, with the same laws.

A search sees all of one part; what only two parts together can break is looked for here. A walk
begins at the opening, or at a table from the edge of a search of one part. A seed is a walk, and
a broken law is told with the fewest of its calls that still break it.

    python -m tests.laws.walk [HOUSE ...] [--calls N] [--seed N]
"""

from __future__ import annotations

import argparse
from random import Random
from typing import NamedTuple

from boxman.rules.book import houses
from boxman.table.call import Call
from boxman.table.said.notation import write_call
from boxman.table.said.transcript import Transcript, write_result
from tests.laws.explore import Explorer
from tests.laws.laws import Broken, Way, follow, of_a_table, of_a_way, tried
from tests.laws.world import SHOOTING, SIGNED, TOGETHER, Ghost, World, parts

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
    dice, said, made = Random(seed), list(start), 0
    begun = follow(world, world.table, Ghost(), start)
    assert begun.done
    table, ghost, broken = begun.table, begun.ghost, of_a_way(world, begun)
    for _ in range(steps):
        if broken is not None:
            break
        ways = tried(world, table, ghost)
        made += len(ways)
        taken = [way for way in ways if way.done]
        broken = next(of_a_table(world, table, ghost, ways), None)
        if broken is not None or not taken:
            break
        # By kind first: there are many bets and grounds for one word of the stick.
        kind = dice.choice(sorted({type(way.said[-1]).__name__ for way in taken}))
        last = dice.choice([way for way in taken if type(way.said[-1]).__name__ == kind])
        last = next((way for way in ways if way.crash), last)
        said += last.said
        table, ghost, broken = last.table, last.ghost, of_a_way(world, last)
    return Walk(tuple(said), made, broken)


def _broken(world: World, way: Way) -> Broken | None:
    """The first law that these calls break, or the table that they lead to."""
    if way.refusal is not None:
        return None
    ways = tried(world, way.table, way.ghost)
    here = of_a_table(world, way.table, way.ghost, ways)
    return of_a_way(world, way) or next(here, None)


def shortened(world: World, found: Walk) -> tuple[Call, ...]:
    """The calls of a walk without those that its broken law does not need."""
    said, law = found.said, found.broken and found.broken[0]
    at = len(said) - 1
    while at >= 0:
        without = said[:at] + said[at + 1 :]
        broken = _broken(world, follow(world, world.table, Ghost(), without))
        if broken is not None and broken[0] == law:
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
    themes = [each for each in parts(house) if each not in (*SIGNED, *SHOOTING)]
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
