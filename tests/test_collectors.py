"""Bonus wagers as facts: valued against closed forms, published figures and plain enumeration.

The models (tests/bonus_auditor.py) are written from the bets' descriptions and know nothing of
machines or memories.
"""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from boxman.odds.quote import Odds
from boxman.rules.book import BookError, read_book, read_text
from boxman.rules.compile import compile_layout, load
from boxman.sim.exact import explored, solve
from boxman.strategy.session import learn_house, session
from boxman.strategy.text import read
from boxman.table.said.transcript import Transcript
from boxman.workshop.again import WholeBook
from boxman.workshop.coverage import noticed, read_cases
from boxman.workshop.mutants import mutants
from tests.bonus_auditor import MODELS, POINTS, Roll

HOUSE = Path(__file__).parent / "houses" / "bonus.md"
WAYS = {total: 6 - abs(total - 7) for total in range(2, 13)}


@cache
def odds(spot: str) -> Odds:
    return Odds(load(str(HOUSE)), spot)


def edge(spot: str) -> Fraction:
    return odds(spot).edge


# -- published figures and closed forms ----------------------------------------------------------


def test_published_edges() -> None:
    assert f"{float(edge('fire')):.2%}" == "20.76%"
    assert f"{float(edge('small')):.2%}" == f"{float(edge('tall')):.2%}" == "7.76%"
    assert f"{float(edge('all')):.2%}" == "7.46%"
    # wizardofodds.com: Hard Rockin' Dice (first called Hot Hand), Muggsy's Corner.
    assert f"{float(edge('hot_hand')):.2%}" == "18.02%"
    assert f"{float(edge('flaming')):.6f}" == "0.185498"
    assert f"{float(edge('sizzling')):.2%}" == "19.18%"
    assert f"{float(edge('muggsy')):.2%}" == "5.56%"


def test_ride_the_line_as_published() -> None:
    """wizardofodds.com, Ride the Line: how many pass line wins a shooter has, to nine digits."""
    published = {3: 0.075965228, 4: 0.042126172, 5: 0.023360877, 6: 0.012954668, 7: 0.007183952}
    published |= {8: 0.003983828, 9: 0.002209214, 10: 0.001225109, 11: 0.001525136}
    paid = {3: 1, 4: 2, 5: 4, 6: 6, 7: 12, 8: 20, 9: 30, 10: 40, 11: 75}
    found = odds("ride").net
    for wins, chance in published.items():
        assert f"{float(found[Fraction(paid[wins])]):.9f}" == f"{chance:.9f}", wins
    assert float(found[Fraction(-1)]) == pytest.approx(
        0.445454545 + 0.247024793 + 0.136986476, abs=2e-9
    )


def test_replay_as_published() -> None:
    """wizardofodds.com, Replay: the same point three times or four, to fourteen digits."""
    found = odds("replay")
    published = {1000: "0.00003691863657", 500: "0.00020671490002", 120: "0.00052298052124"}
    published |= {100: "0.00069820960363", 95: "0.00179993294223", 70: "0.00429327448455"}
    published |= {-1: "0.99244196891176"}
    assert {pays: f"{float(chance):.14f}" for pays, chance in found.net.items()} == published
    assert f"{float(found.edge):.14f}" == "0.24806441599095"
    assert found.price.pays_text.startswith(
        "1000 to 1 with 4 or 10 (4 times); 500 to 1 with 5 or 9"
    )


def test_different_doubles_as_published() -> None:
    """wizardofodds.com, Different Doubles: how many pairs come before a seven, to six digits."""
    found = odds("doubles")
    published = {100: "0.001082", 15: "0.006494", 8: "0.022727", 4: "0.060606", -1: "0.909091"}
    assert {pays: f"{float(chance):.6f}" for pays, chance in found.net.items()} == published
    assert f"{float(found.edge):.6f}" == "0.279221"


def test_the_hot_shooter_jackpot_as_published() -> None:
    """wizardofodds.com, Hot Shooter Jackpot: how often a shooter throws; a push is paid 0 to 1."""
    found = odds("jackpot")
    published = {99: "0.000743", 29: "0.001062", 11: "0.001976", 6: "0.008566", 4: "0.027973"}
    published |= {2: "0.091300", 0: "0.297425", -1: "0.570956"}
    assert {pays: f"{float(chance):.6f}" for pays, chance in found.net.items()} == published
    assert f"{1 - float(found.edge):.6f}" == "0.900971"
    assert found.price.pays_text.endswith("2 to 1 with 15 to 22; stake back with 7 to 14")


def test_any_number_may_be_laid_against() -> None:
    """To win 20 against a two, 120 and a commission of 1 go down; against a three, 60 and 1."""
    layout = load(str(HOUSE))
    assert Odds(layout, "lay.2").edge_with_commission == Fraction(1, 121)
    assert Odds(layout, "lay.11").edge_with_commission == Fraction(1, 61)
    assert Odds(layout, "buy.12").edge == Fraction(6, 20)


def test_easy_ways() -> None:
    assert edge("easy.4") == 1 - 4 * Fraction(2, 9)
    assert edge("easy.6") == 1 - Fraction(5, 2) * Fraction(4, 11)


@pytest.mark.parametrize(
    ("total", "times", "pays"),
    [(2, 2, 40), (3, 3, 50), (6, 6, 90), (8, 6, 90), (11, 3, 50), (12, 2, 40)],
)
def test_a_number_so_many_times_before_a_seven(total: int, times: int, pays: int) -> None:
    """Numbers and counts as wizardofodds.com lists them (Repeater Bets Plus, where the prices are
    "for one"); no edges of Repeaters and Sharp Shooter at these prices were found published:
    they are worked out here in fractions, without the engine."""
    chance = Fraction(WAYS[total], WAYS[total] + 6) ** times
    assert edge(f"repeat.{total}") == 1 - (pays + 1) * chance


def test_different_doubles() -> None:
    """With k pairs up, a new one comes before a seven with (6 - k) against 6."""
    reach = [Fraction(1)]
    for k in range(6):
        reach.append(reach[-1] * Fraction(6 - k, 12 - k))
    exactly = [reach[k] - reach[k + 1] for k in range(6)] + [reach[6]]
    paid = {3: 4, 4: 8, 5: 15, 6: 100}
    assert edge("doubles") == -sum(exactly[k] * paid.get(k, -1) for k in range(7))


MADE = {p: Fraction(WAYS[p], 24) * Fraction(WAYS[p], WAYS[p] + 6) for p in POINTS}
"""A round with a point sets and makes this one."""
OUT = 1 - sum(MADE.values())


@cache
def different(has: frozenset[int]) -> dict[int, Fraction]:
    """How many different points a shooter with these has at the seven-out."""
    moves = 1 - sum((MADE[p] for p in has), Fraction(0))
    found: Counter[int] = Counter()
    found[len(has)] += OUT / moves
    for point in set(POINTS) - has:
        for count, chance in different(has | {point}).items():
            found[count] += chance * MADE[point] / moves
    return dict(found)


def test_fire_by_subsets_of_points() -> None:
    paid = {4: 24, 5: 249, 6: 999}
    chances = different(frozenset())
    assert sum(chances.values()) == 1
    # As printed to twelve digits by Catlin after Ethier.
    assert f"{float(chances[0]):.12f}" == "0.593939393939"
    assert f"{float(chances[3]):.12f}" == "0.033434212179"
    assert edge("fire") == -sum(chance * paid.get(n, -1) for n, chance in chances.items())


def sharp(collect: str, *prices: str) -> Odds:
    """Sharp Shooter alone, with another count and other prices by what is collected."""
    text = HOUSE.read_text()
    text = text[: text.index("### `2.1`")] + text[text.index("### `2.6`") : text.index("### `2.7`")]
    start = text.index('[[collect]]\nspot = "sharp"')
    end = text.index("[[gate]]", start)
    facts = [f'[[collect]]\nspot = "sharp"\n{collect}']
    facts += [f'[[price]]\nspot = "sharp"\n{price}' for price in prices]
    text = text[:start] + "\n\n".join([*facts, text[end:]])
    return Odds(compile_layout(read_text("bonus.md", text)), "sharp")


def test_how_many_points_are_made_twice() -> None:
    """Hand by hand: a point comes by its ways in 24, is made or lost to six ways of a seven."""

    @cache
    def worth(made: tuple[int, ...]) -> Fraction:
        twice = sum(count == 2 for count in made)
        if twice == 6:
            return Fraction(50)
        total = Fraction(0)
        for place, point in enumerate(POINTS):
            comes, wins = Fraction(WAYS[point], 24), Fraction(WAYS[point], WAYS[point] + 6)
            more = min(made[place] + 1, 2)
            if more != made[place]:
                total += comes * wins * worth((*made[:place], more, *made[place + 1 :]))
            total += comes * (1 - wins) * (-1, 5, 50)[min(twice, 2)]
        again = sum(
            (Fraction(WAYS[p], 24) * Fraction(WAYS[p], WAYS[p] + 6))
            for p, count in zip(POINTS, made, strict=True)
            if count == 2
        )
        return total / (1 - again)

    twice = sharp(
        "times = 2",
        'collected = [1]\npays = "5 to 1"',
        'collected = [2, 3, 4, 5, 6]\npays = "50 to 1"',
    )
    assert twice.edge == -worth((0,) * 6)


def test_enough_of_them_and_the_first_to_come_so_often() -> None:
    """Every order of what matters: numbers that bring nothing new are left out of the ways."""

    @cache
    def four(has: frozenset[int]) -> Fraction:
        if len(has) == 4:
            return Fraction(3, 2)
        new = set(POINTS) - has
        ways = 6 + sum(WAYS[n] for n in new)
        won = sum((WAYS[n] * four(has | {n}) for n in new), Fraction(0))
        return (won + 6 * (0 if len(has) == 3 else -1)) / ways

    @cache
    def uptown(counts: tuple[int, ...]) -> Fraction:
        total = Fraction(-6)
        for place, number in enumerate((2, 3, 4, 5, 6)):
            if counts[place] + 1 == number:
                total += WAYS[number] * (20 if number == 2 else 14)
            else:
                more = (*counts[:place], counts[place] + 1, *counts[place + 1 :])
                total += WAYS[number] * uptown(more)
        return total / 21

    assert edge("any_four") == -four(frozenset())
    assert edge("uptown") == -uptown((0,) * 5)


def test_the_same_hardway_twice_in_a_row() -> None:
    """What it is worth now and when a hardway was just thrown, two equations solved by hand:
    36 now = 4 just + 26 now - 6 and 36 just = 50 + 3 just + 26 now - 6."""
    just = Fraction(44 * 10 - 26 * 6, 33 * 10 - 26 * 4)
    now = (4 * just - 6) / 10
    assert edge("twice_hard") == -now


def test_what_a_collector_cannot_be() -> None:
    for facts, wrong in {
        "enough = 7": "has enough with 7, and collects 6 at most",
        "times = 2\nin_a_row = true": "nothing says whether 2 breaks it",
    }.items():
        with pytest.raises(BookError, match=wrong):
            sharp(facts, 'pays = "20 to 1"')
    for prices, wrong in (
        (("number = [4]\ncollected = [2]", "collected = [6]"), "and by how often one number came"),
        (("number = [4]\ncollected = [3]",), "a price for 3 collected, and collects 2 at most"),
        (("number = [7]\ncollected = [1]",), "a price for 1 collected, and collects 0 at most"),
    ):
        with pytest.raises(BookError, match=wrong):
            sharp("times = 2", *(f'{price}\npays = "5 to 1"' for price in prices))
    with pytest.raises(BookError, match="nothing says what sharp pays when 5 has come"):
        sharp("enough = 1", 'number = [4]\ncollected = [1]\npays = "5 to 1"')
    with pytest.raises(BookError, match="nothing says what sharp pays with all 6 collected"):
        sharp("times = 2", 'collected = [1]\npays = "5 to 1"')
    for much in ("times = 100_000", "times = 4", "times = 201\ntogether = true"):
        with pytest.raises(BookError, match="collects more than its odds can be worked out for"):
            sharp(much, 'pays = "20 to 1"')


def test_points_made_and_pass_lines_won_in_a_row() -> None:
    made = 1 - OUT
    paid = {3: 3, 4: 6, 5: 20}
    exactly = {n: made**n * (OUT if n < 5 else 1) for n in range(6)}
    assert edge("sharp") == -sum(chance * paid.get(n, -1) for n, chance in exactly.items())
    # The line wins by a seven or an eleven on the come-out too; craps change nothing here.
    decided = Fraction(8, 36) + Fraction(24, 36)
    again = (Fraction(8, 36) + Fraction(24, 36) * made) / decided
    paid = {3: 1, 4: 2, 5: 4, 6: 6, 7: 12, 8: 20, 9: 30, 10: 40, 11: 75}
    exactly = {n: again**n * (1 - again if n < 11 else 1) for n in range(12)}
    assert edge("ride") == -sum(chance * paid.get(n, -1) for n, chance in exactly.items())


# -- enumeration ---------------------------------------------------------------------------------


FACES = [(a, b) for a in range(1, 7) for b in range(1, 7)]


@pytest.mark.parametrize("spot", MODELS)
def test_every_sequence_of_three_rolls(spot: str) -> None:
    counted: Counter[Fraction] = Counter()
    for rolls in itertools.product(FACES, repeat=3):
        net = MODELS[spot](rolls)
        if net is not None:
            counted[net] += 1
    found = odds(spot).within(3)
    assert {net: chance for net, chance in found.items() if chance} == {
        net: Fraction(count, 36**3) for net, count in counted.items()
    }


@pytest.mark.parametrize("spot", MODELS)
@pytest.mark.parametrize("seed", range(3))
def test_long_hands_step_by_step(spot: str, seed: int) -> None:
    """Random rolls from which sevens are thinned out, so that much is collected."""
    import random

    from boxman.dice import Roll as Faces

    layout = load(str(HOUSE))
    machine, chosen = layout.spots[spot], random.Random(seed)
    ends: Counter[Fraction] = Counter()
    for _ in range(150):
        puck, memory, rolls = 0, 0, []
        while True:
            faces = chosen.choice(FACES)
            if sum(faces) == 7 and chosen.random() < 0.85:
                continue
            rolls.append(faces)
            kind = Faces(*faces).kind
            memory, cell = machine.step(puck, memory, kind)
            puck = layout.puck[puck][sum(faces) - 2].to
            over = cell is not None and cell.verdict in ("win", "lose", "push")
            net = MODELS[spot](rolls)
            assert over == (net is not None), rolls
            if cell is not None and over:
                assert (cell.net, memory) == (net, 0), rolls
                ends[cell.net] += 1
                break
    assert len(ends) > 1


# -- at the table --------------------------------------------------------------------------------

EVENING = """
ann buys in 1000
ann bets 5 fire           : ok {2.3}
ann bets 5 repeat.2       : ok {2.4}
ann bets 5 sharp          : ok {2.6}
ann bets 5 replay         : ok {2.14}
ann bets 5 any_four       : ok {2.15}
ann bets 5 uptown         : ok {2.16}
ann bets 5 twice_hard     : ok {2.17}
stick calls 2-2           : twice_hard collects 4 {2.17}
bob buys in 100
bob bets 5 fire           : refused under-way {2.3}
bob bets 5 repeat.2       : refused under-way {2.4}
stick calls 3-1           : fire collects 4 {2.3}, sharp collects 4 {2.6}, twice_hard starts again
stick calls 1-1           : repeat.2 collects 2 {2.4}
stick calls 1-1           : ann repeat.2 +200 {2.4}, ann uptown +100 {2.16}
stick calls 4-2
stick calls 5-1
stick calls 4-4
stick calls 6-2
stick calls 5-5           : ann any_four +7 {2.15}
stick calls 6-4           : fire collects 10
stick calls 6-3
stick calls 4-3    : ann fire +120 {2.3}, ann sharp +30 {2.6}, ann replay -5, ann twice_hard -5
bob bets 5 fire           : ok {2.3}
"""


def test_a_hand_of_four_points_at_the_table() -> None:
    """Points of 4, 6, 8 and 10, then out: four of each kind pay 24 and 6 to 1; two 2s pay 40."""
    transcript = Transcript()
    for line in f'house "{HOUSE}"   chip 1   limits 5-500\n{EVENING.strip()}'.splitlines():
        result = transcript.play(line)
        assert result.difference is None, f"{line}\n{result.difference}"


def test_a_gate_that_opens_after_a_seven_and_winners_that_stay_up() -> None:
    transcript = Transcript()
    lines = """
    ann buys in 1000
    ann bets 5 small          : ok {2.2}
    ann bets 10 easy.6        : ok {2.11}
    ann bets 5 muggsy         : ok {2.10}
    stick calls 5-1           : ann easy.6 +15 {2.11}, ann easy.6 up again, small collects 6 {2.2}
    ann bets 5 tall           : refused under-way {2.2}
    ann lets easy.6 go        : ok {2.11}
    stick calls 4-3           : ann muggsy +15 {2.10}, ann small -5 {2.2}, ann easy.6 -10 {2.11}
    ann bets 10 easy.6        : ok {2.11}
    ann lets easy.6 go        : ok {2.11}
    stick calls 5-1           : ann easy.6 +15 {2.11}
    stick calls 6-1
    ann bets 5 tall           : ok {2.2}
    ann bets 5 muggsy         : ok {2.10}
    stick calls 5-2           : ann muggsy +10 {2.10}, ann tall -5 {2.2}
    ann bets 5 tall           : ok {2.2}
    stick calls 1-1
    ann bets 5 small          : refused under-way {2.2}
    """
    for line in f'house "{HOUSE}"   chip 1   limits 5-500\n{lines.strip()}'.splitlines():
        result = transcript.play(line.strip())
        assert result.difference is None, f"{line}\n{result.difference}"


def test_an_exact_session_of_a_hand() -> None:
    """Through felts, explorer and automaton: one Fire Bet, run to the end, is worth its edge."""
    played = session(str(HOUSE), rolls=4, end="value")
    learn_house(played.house, {})
    strategy = read("when last roll is 0: bet 5 fire", "fire")
    answer = solve(explored(strategy, played), played)
    assert answer.mean == pytest.approx(float(-edge("fire") * 500), rel=1e-9)


# -- every fact counts ---------------------------------------------------------------------------

FACE = {n: (n - 1, 1) if n < 8 else (6, n - 6) for n in range(2, 13)}
"""A way to roll each total; the even ones not as a pair, but for 2 and 12."""
HANDS: dict[str, list[list[Roll]]] = {
    "replay": [
        [FACE[n] for n in [point] * 2 * often + [5, 7]] for point in POINTS for often in (2, 3, 4)
    ],
    "any_four": [
        [FACE[n] for n in totals]
        for totals in ((4, 5, 6, 8), (10, 9, 8, 6), (4, 5, 9, 10), (4, 5, 6, 7), (8, 9, 7), (5, 7))
    ],
    "uptown": [[FACE[n]] * (n - less) + [FACE[7]] for n in (2, 3, 4, 5, 6) for less in (0, 1)],
    "twice_hard": [
        [(a, a), (b, b), (c, d), FACE[7]]
        for a, b, c, d in ((2, 2, 2, 2), (3, 3, 3, 3), (4, 4, 4, 4), (5, 5, 5, 5), (2, 5, 2, 2))
    ]
    + [[(4, 4), FACE[11], (4, 4), FACE[7]]],
}


def hand_lines(spot: str, clause: str, rolls: list[Roll], first: bool) -> list[str]:
    """One hand of a wager as lines of a transcript; its result is the model's."""
    lines = [f"ann bets 10 {spot} : ok {{{clause}}}"]
    for place, (one, two) in enumerate(rolls, 1):
        net = MODELS[spot](rolls[:place])
        won = (
            ""
            if net is None
            else f" : ann {spot} {int(net * 10):+} {{{clause}}}".replace("+0", "0")
        )
        lines.append(f"stick calls {one}-{two}{won}")
        if net is not None:
            return [*lines, "stick calls 4-3", "stick calls 3-1", "stick calls 4-3"]
        if place == 1 and first:
            lines.append(f"bob bets 10 {spot} : refused under-way {{{clause}}}")
    raise AssertionError(rolls)


def test_no_fact_of_theirs_can_be_changed_unnoticed(tmp_path: Path) -> None:
    """The mutants of `boxman book coverage` against a few hands of each."""
    text = HOUSE.read_text()
    text = (
        text[: text.index("### `2.1`")] + text[text.index("### `2.14`") : text.index("### `2.18`")]
    )
    (tmp_path / "bonus.md").write_text(text)
    for clause, (spot, hands) in zip(("2.14", "2.15", "2.16", "2.17"), HANDS.items(), strict=True):
        lines = ["house bonus.md chip 1 limits 5-500", "ann buys in 9000", "bob buys in 100"]
        for hand in hands:
            lines += hand_lines(spot, clause, hand, hand is hands[0])
        (tmp_path / f"{spot}.craps").write_text("\n".join(lines))
    rules = read_book(str(tmp_path / "bonus.md"))
    whole = WholeBook(rules)
    cases = read_cases(str(tmp_path))
    every = [each for each in mutants(rules) if each.stated.clause.startswith("2.")]
    assert len(every) > 100
    missed = {each.name.partition(" ")[2] for each in every if not noticed(whole, each, cases)}
    # All four is what it wins with anyway; each number has a fact of its own and needs no other.
    assert missed == {"{2.15} price: collected without 4"} | {
        f"{{2.16}} collect: number without {n}" for n in range(2, 7)
    }
