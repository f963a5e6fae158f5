"""All stationary policies of small games, each solved in fractions, against best play."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from boxman.solve import solve
from boxman.solve.answer import Answer

GAMES = [
    # house, menu, stakes, bankroll, target, minimum
    ("rws", "pass", "5,10", 10, 25, 5),
    ("newzealand", "pass,odds", "5 odds=5", 5, 15, 5),
    ("nsw", "dont_pass", "5", 5, 10, 5),
    ("adelaide", "pass,dont_pass", "5", 5, 10, 5),
    ("perth-crapless", "pass,odds", "5 odds=5", 5, 15, 5),
]
MOST = 5_000
"""Policies of one game that are tried."""


def all_policies(answer: Answer, target: int) -> tuple[Fraction, int]:
    """The best chance over all stationary policies, and how many there are."""
    model, start = answer.model, answer.session.bankroll
    places: dict[tuple[int, int], list[int]] = {}
    waiting = [(0, start)]
    while waiting:
        position, rail = place = waiting.pop()
        if place in places or rail + model.back[position] >= target:
            continue
        acts = range(model.first[position], model.first[position + 1])
        places[place] = [act for act in acts if model.need[act] <= rail]
        for act in places[place]:
            for o in range(model.out[act], model.out[act + 1]):
                waiting.append((int(model.next[o]), rail + int(model.change[o])))
    index = {place: n for n, place in enumerate(places)}
    options = [
        [_row(answer, index, place, target, act) for act in acts] or [{}]
        for place, acts in places.items()
    ]
    best, count = Fraction(0), 0
    for chosen in product(*options):
        count += 1
        assert count <= MOST
        best = max(best, policy_value(chosen))
    return best, count


WON = -1
Row = dict[int, Fraction]


def _row(
    answer: Answer, index: dict[tuple[int, int], int], place: tuple[int, int], target: int, act: int
) -> Row:
    """Where an act leads: places by number, or to the goal."""
    model, row = answer.model, dict[int, Fraction]()
    for o in range(model.out[act], model.out[act + 1]):
        then, after = int(model.next[o]), place[1] + int(model.change[o])
        to = WON if after + model.back[then] >= target else index[then, after]
        chance = Fraction(int(model.ways[o]), 36 - int(model.waits[act]))
        row[to] = row.get(to, Fraction(0)) + chance
    return row


def policy_value(chosen: tuple[Row, ...]) -> Fraction:
    """The chance of one policy from the first place; from where no way leads to the goal, none."""
    leads = {n for n, row in enumerate(chosen) if WON in row}
    while more := {n for n, row in enumerate(chosen) if n not in leads and leads & set(row)}:
        leads |= more
    if 0 not in leads:
        return Fraction(0)
    rows = {n: {to: p for to, p in chosen[n].items() if to in leads or to == WON} for n in leads}
    # One place after the other is left out, those that lead to few others first.
    for out in sorted(leads - {0}, key=lambda n: len(rows[n])):
        row = rows.pop(out)
        stays = 1 - row.pop(out, Fraction(0))
        for other in rows.values():
            share = other.pop(out, Fraction(0)) / stays
            for to, chance in row.items() if share else ():
                other[to] = other.get(to, Fraction(0)) + share * chance
    return rows[0].get(WON, Fraction(0)) / (1 - rows[0].get(0, Fraction(0)))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game[0]} {game[1]}")
def test_no_stationary_policy_is_better(game: tuple[str, str, str, int, int, int]) -> None:
    house, menu, stakes, bankroll, target, minimum = game
    answer = solve(house, menu, stakes, bankroll=bankroll, reach=target, minimum=minimum)
    best, count = all_policies(answer, target * 100)
    assert count > 1
    assert answer.value == pytest.approx(float(best), abs=1e-12)
    assert answer.gap < 1e-12
