"""Side bets that a casino might invent, said in facts: each with the odds its text gives it.

The guide for authors (docs/house-author.md) tells how each is written.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from boxman.library import house
from boxman.workshop.check import check

TEMPLATE = Path(__file__).parents[1] / "src" / "boxman" / "rulebooks" / "template.md"

NEXT_ROLL = """
[[result]]
spot = "SPOT"
puck = "off"
stay = ["other"]

[[result]]
spot = "SPOT"
puck = "on"
win = ["point"]
lose = ["other"]

[[price]]
spot = "SPOT"
pays = "6 to 1"
"""

IN_A_ROW = """
[[result]]
spot = "SPOT"
puck = "off"
collect = [7, 11]
lose = [2, 3, 12]

[[result]]
spot = "SPOT"
puck = "on"
collect = ["point"]
lose = [7]

[[collect]]
spot = "SPOT"
times = 4
together = true

[[price]]
spot = "SPOT"
pays = "14 to 1"
"""

RACE = """
[[result]]
spot = "SPOT"
collect = [9]
lose = [4]

[[collect]]
spot = "SPOT"
times = 2

[[price]]
spot = "SPOT"
pays = "2 to 1"
"""

BOTH_HIGH = """
[[result]]
spot = "SPOT"
collect = [8, 9, 10, 11, 12]
lose = ["other"]

[[collect]]
spot = "SPOT"
times = 2
together = true

[[price]]
spot = "SPOT"
pays = "9 to 2"
"""

POINT = sum(Fraction(n, 24) * Fraction(n, 36) for n in (3, 4, 5, 5, 4, 3))
"""A number is the point as often as it comes, and then comes again so often."""
WON = {
    "next_roll": ("line", NEXT_ROLL, POINT),
    "four_passes": ("point collector", IN_A_ROW, Fraction(244, 495) ** 4),
    "two_nines": ("collector", RACE, Fraction(4, 7) ** 2),
    "two_high": ("collector", BOTH_HIGH, Fraction(15, 36) ** 2),
}


@pytest.mark.parametrize("spot", WON)
def test_a_side_bet_of_somebody_elses(spot: str, tmp_path: Path) -> None:
    shape, said, chance = WON[spot]
    facts = f'[[family]]\nid = "{spot}"\nshape = "{shape}"\nplace = "several"\n\n'
    facts += f'[[offer]]\nspot = "{spot}"\nname = "{spot}"\n{said}'
    if shape != "line":
        facts += '\n[[gate]]\nspot = "SPOT"\ngroup = "SPOT"\nuntil = "roll"\n'
    clause = f"### `3.13` A bet\nIn our own words.\n\n```facts\n{facts}```\n\n## 4 What"
    path = tmp_path / "mine.md"
    path.write_text(TEMPLATE.read_text().replace("## 4 What", clause.replace("SPOT", spot)))
    found = check(str(path))
    assert (found.errors, found.remarks) == ((), ())
    assert house(str(path)).odds(spot).win == chance
