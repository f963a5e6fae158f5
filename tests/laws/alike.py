"""Walks at random that show what a search believes: tables with one key answer every call alike.

A search cuts a table to its key (no rails, no counts of rolls) and goes on from the first table of
each. Here the tables are real and nothing is cut from them: the first of every key is kept, and
each later one that differs from it has to answer every call of the part in the same way.

    python -m tests.laws.alike [HOUSE ...] [--players N] [--walks N] [--seed N]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import chain
from random import Random
from typing import Any, NamedTuple

from boxman.rules.book import houses
from boxman.table import calls as c
from boxman.table.call import Call
from boxman.table.said.notation import write_call
from boxman.table.said.transcript import Transcript, write_result
from boxman.table.state import Table
from tests.laws.explore import Answers, Explorer, unlike
from tests.laws.laws import follow
from tests.laws.world import Ghost, World, parts

STEPS = 40
"""Calls of one walk."""
ENDS, SPARED = (c.Leave, c.Sanction, c.CloseTable), 0.9
"""Calls that end somebody's play, and how often one that is drawn is not made."""
Said = tuple[Call, ...]
"""One call, or two that belong together."""
Way = tuple[Said, ...]


class Kept(NamedTuple):
    """The first table of a key, and the way to it."""

    table: Table
    ghost: Ghost
    said: Way


class Alike:
    """Walks through one part of one house."""

    def __init__(self, house: str, theme: str, players: int = 2) -> None:
        self.world = World(house, players, theme)
        self.explorer = Explorer(self.world, 0)
        self.first: dict[Any, Kept] = {}
        self.answers: dict[Any, Answers] = {}
        self.walks = self.compared = 0
        self.found: tuple[Way, Way] | None = None

    def run(self, walks: int, seed: int) -> Alike:
        """So many walks, or until two tables are unlike."""
        while self.walks < walks and self.found is None:
            self._walk(Random(seed + self.walks))
            self.walks += 1
        return self

    def _walk(self, dice: Random) -> None:
        table, ghost, said = self.world.table, Ghost(), Way()
        for _ in range(STEPS):
            self._see(table, ghost, said)
            if self.found is not None:
                return
            for calls in self._shuffled(table, dice):
                after = self._after(table, ghost, (calls,))
                if after is not None:
                    (table, ghost), said = after, (*said, calls)
                    break
            else:
                return

    def _see(self, table: Table, ghost: Ghost, said: Way) -> None:
        kept = self.first.get(key := self.explorer.key(table, ghost))
        if kept is None:
            self.first[key] = Kept(table, ghost, said)
        elif table != kept.table:
            self.compared += 1
            if key not in self.answers:
                self.answers[key] = self.explorer.answers(kept.table, kept.ghost)
            if unlike(self.answers[key], self.explorer.answers(table, ghost)):
                self.found = kept.said, said

    def _shuffled(self, table: Table, dice: Random) -> Iterator[Said]:
        """By kind first: there are many bets and grounds for one word of the stick.

        What ends the play comes seldom, or most walks would stand at an empty table.
        """
        kinds: dict[type[Call], list[Said]] = {}
        for calls in self.world.calls(table):
            kinds.setdefault(type(calls[-1]), []).append(calls)
        while kinds:
            kind = dice.choice(list(kinds))
            if kind in ENDS and len(kinds) > 1 and dice.random() < SPARED:
                continue
            yield kinds[kind].pop(dice.randrange(len(kinds[kind])))
            if not kinds[kind]:
                del kinds[kind]

    def _after(self, table: Table, ghost: Ghost, way: Way) -> tuple[Table, Ghost] | None:
        """The table after these calls; None if one is refused."""
        went = follow(self.world, table, ghost, chain(*way))
        return (went.table, went.ghost) if went.done else None

    def _otherwise(self, ways: list[Way]) -> list[tuple[Said, list[Any]]]:
        """The calls that the tables at the ends of two ways to one key answer otherwise."""
        ends = [self._after(self.world.table, Ghost(), way) for way in ways]
        if None in ends or len({self.explorer.key(*end) for end in ends if end}) > 1:
            return []
        one, other = (self.explorer.answers(*end) for end in ends if end)
        return [(said, [one.get(said), other.get(said)]) for said in unlike(one, other)]

    def _shortened(self, ways: list[Way]) -> list[Way]:
        """Both without what is not needed for them to end at tables that are unlike."""
        for shorter in _shorter(*ways):
            if self._otherwise(shorter):
                return self._shortened(shorter)
        return ways

    def told(self) -> str:
        """Both ways, as short as may be, to a call that is answered otherwise."""
        assert self.found is not None
        ways = self._shortened([*self.found])
        said, answers = self._otherwise(ways)[0]
        lines = [f"{self.world.house}, {self.world.theme}: two tables that count as one"]
        for way, answer in zip(ways, answers, strict=True):
            calls = (self.world.opening, *self.world.said, *chain(*way), *said)
            run = Transcript().run(write_call(each) for each in calls)
            lines += ["", *(write_result(result) for result in run)]
            lines += ["# not tried here"] if answer is None else []
        if all(isinstance(answer, tuple) for answer in answers):
            pairs = zip(*answers, strict=True)
            lines += [f"# then {one} and {other}" for one, other in pairs if one != other]
        return "\n".join(lines)

    @property
    def figures(self) -> str:
        return f"{self.world.theme} {len(self.first):,} keys and {self.compared:,} pairs"


def walked(house: str, players: int, walks: int, seed: int = 0) -> tuple[str, list[str]]:
    """Walks through every part of a house: their figures, and the tables that were unlike."""
    seen = [Alike(house, theme, players).run(walks, seed) for theme in parts(house)]
    compared = ", ".join(each.figures for each in seen)
    figures = f"{players} players, {walks:,} walks a part from seed {seed}; compared: {compared}"
    return figures, [each.told() for each in seen if each.found is not None]


def _shorter(one: Way, other: Way) -> Iterator[list[Way]]:
    """Two ways without the last step of both, or with up to eight steps left out of one."""
    yield [one[:-1], other[:-1]]
    for many in (8, 4, 2, 1):
        for at in range(len(other)):
            yield [one, other[:at] + other[at + many :]]
        for at in range(len(one)):
            yield [one[:at] + one[at + many :], other]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("house", nargs="*", default=list(houses()))
    parser.add_argument("--walks", type=int, default=20)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    for house in args.house:
        figures, told = walked(house, args.players, args.walks, args.seed)
        print("\n\n".join((f"{house}: {figures}", *told)), flush=True)


if __name__ == "__main__":
    main()
