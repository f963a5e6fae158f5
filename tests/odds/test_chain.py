"""Every wager of every house: solved, whole, and consistent with itself."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from boxman.chips import parse_ratio
from boxman.dice import KINDS, TOTALS
from boxman.odds.chain import Chain, End, NeverDecidedError
from boxman.odds.machine import Machine, State
from boxman.odds.names import names
from boxman.odds.quote import Odds, partly_collected, price_list
from boxman.rules.book import houses
from boxman.rules.compile import load
from boxman.rules.layout import Spot

F = Fraction

WAGERS = [(house, name) for house in houses() for name in names(load(house))]


def chain_of(odds: Odds, **reading: bool) -> Chain:
    machine = Machine(odds._layout, odds.spot, odds._pay, **reading)
    return machine.chain({odds._start: 1})


def test_there_are_wagers_for_every_spot() -> None:
    assert len(WAGERS) > 370
    for house in houses():
        layout = load(house)
        listed = {Odds(layout, name).spot.id for name in names(layout)}
        assert listed == set(layout.spots)


@pytest.mark.parametrize("house", houses())
def test_every_wager_is_whole(house: str) -> None:
    for odds in price_list(load(house)).values():
        assert odds.win + odds.lose + odds.push == 1
        assert odds.win > 0 < odds.lose
        assert sum(odds.net.values()) == 1
        lengths = odds.lengths()
        assert len(lengths.mass) == 200
        assert sum(lengths.mass) + lengths.tail == 1
        assert lengths.at_least(1) == 1
        assert lengths.at_least(201) == lengths.tail
        assert odds.cites
        assert odds.price.pays


@pytest.mark.parametrize("house", houses())
def test_the_edge_from_the_distribution_is_the_edge_from_the_chain(house: str) -> None:
    for odds in price_list(load(house)).values():
        mean = sum(net * chance for net, chance in odds.net.items())
        assert -mean == odds.edge == -chain_of(odds).expectation
        square = sum(net * net * chance for net, chance in odds.net.items())
        assert odds.variance == square - mean**2
        assert odds.edge_per_roll * odds.rolls == odds.edge


@pytest.mark.parametrize("house", houses())
def test_a_bar_left_up_is_a_bar_not_counted(house: str) -> None:
    layout = load(house)
    for odds in price_list(layout).values():
        barred = any(
            cell is not None and cell.verdict == "bar"
            for row in odds.spot.stays.values()
            for cell in row
        )
        if barred:
            assert odds.edge_resolved == odds.edge / (1 - odds.push)
            assert odds.resolved.push == 0
            assert odds.resolved.rolls > odds.rolls
        else:
            assert odds.edge_resolved == odds.edge


@pytest.mark.parametrize("house", houses())
def test_mean_length_is_the_sum_of_its_tails(house: str) -> None:
    """To the accuracy that two hundred rolls allow, by way of a geometric rest."""
    for odds in price_list(load(house)).values():
        lengths = odds.lengths()
        listed = sum(n * mass for n, mass in enumerate(lengths.mass, 1)) + 200 * lengths.tail
        assert listed <= odds.rolls
        assert float(odds.rolls - listed) < 1e-6


@pytest.mark.parametrize("house", houses())
def test_a_sleeping_wager_is_as_good_when_it_wakes(house: str) -> None:
    """Sleep takes time, not money: a wager that is not handed back has the same chances."""
    for odds in price_list(load(house)).values():
        rule = odds.by_default
        for numbers in (rule.made_off, rule.made_on, rule.called_on):
            if numbers is None:
                continue
            decided = 1 - numbers.returned
            assert numbers.win == odds.win * decided
            assert numbers.edge == odds.edge * decided
            assert numbers.rolls == odds.rolls * decided
            assert numbers.rolls_at_table >= numbers.rolls
        if not all(rule.works):
            assert rule.made_off is not None
            assert rule.made_on is not None
            assert rule.made_off.rolls_at_table >= rule.made_on.rolls_at_table
            assert rule.cites[0]
            assert bool(rule.returned_on) == odds.spot.is_odds


def test_what_sleeps_where() -> None:
    nsw = price_list(load("nsw"))
    assert nsw["place.6"].by_default.works == (False, True)
    assert nsw["pass"].by_default.works == (True, True)
    assert nsw["come.odds.6"].by_default.returned_on == (6, 7)
    assert price_list(load("rws"))["come.odds.6"].by_default.works == (True, True)
    assert price_list(load("perth-crapless"))["hard.6"].by_default.works == (True, True)
    # A come-out takes 36/24 rolls on average before a wager made off can work at all.
    made_off, made_on = nsw["place.6"].by_default.made_off, nsw["place.6"].by_default.made_on
    assert made_off is not None
    assert made_on is not None
    assert made_off.rolls_at_table == F(36, 24) + made_on.rolls_at_table


def before_seven(totals: tuple[int, ...]) -> F:
    """P(all of these before a 7), by inclusion and exclusion."""
    chance = F(0)
    for size in range(len(totals) + 1):
        for some in itertools.combinations(totals, size):
            chance += F((-1) ** size * 6, 6 + sum(WAYS[total] for total in some))
    return chance


def items(spot: Spot) -> tuple[int, ...]:
    assert spot.collection is not None
    return spot.collection.items


WAYS = {total: sum(kind.ways for kind in KINDS if kind.total == total) for total in TOTALS}


@pytest.mark.parametrize("spot", ["small", "tall", "all"])
def test_bonus_bets_partly_collected(spot: str) -> None:
    layout = load("perth-crapless")
    bits = items(layout.spots[spot])
    sets = list(itertools.combinations(bits, 2)) if spot == "all" else subsets(bits)
    for has in sets:
        left = tuple(total for total in bits if total not in has)
        assert partly_collected(layout, spot, has).win == before_seven(left)


def subsets(totals: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [s for size in range(len(totals)) for s in itertools.combinations(totals, size)]


@pytest.mark.parametrize("spot", ["small", "tall", "all"])
def test_lengths_of_bonus_bets(spot: str) -> None:
    """P(undecided after n), by inclusion and exclusion over the totals that are missing."""
    odds = Odds(load("perth-crapless"), spot)
    lengths = odds.lengths()
    signed: dict[int, int] = {}
    for some in [*subsets(items(odds.spot)), items(odds.spot)]:
        if some:
            ways = sum(WAYS[total] for total in some)
            signed[ways] = signed.get(ways, 0) - (-1) ** len(some)
    for n in (1, 2, 5, 6, 10, 11, 30, 100, 200):
        waiting = sum(count * F(30 - ways, 36) ** n for ways, count in signed.items())
        assert lengths.at_least(n + 1) == waiting


def test_the_largest_machine() -> None:
    """Make 'Em All: 1,023 states that are not yet won, joined to 242."""
    odds = Odds(load("perth-crapless"), "all")
    assert odds.figures.win
    assert odds.lengths().tail
    chain = chain_of(odds)
    assert chain.size == 1023
    assert len(chain.rows) == 3**5 - 1


@pytest.mark.parametrize("house", houses())
def test_every_wager_has_every_figure(house: str) -> None:
    for odds in price_list(load(house)).values():
        assert odds.lengths().at_least(1) == 1
        for part in ("figures", "resolved", "by_default", "favoured", "price", "cites"):
            assert getattr(odds, part) is not None


def test_lumping_changes_nothing() -> None:
    """The same chain with every state kept apart by an end of its own gives the same figures."""

    def follow(state: tuple[int, ...]) -> list[tuple[object, int]]:
        rows: list[tuple[object, int]] = [(End(F(-1)), 6)]
        rows.append((state, 36 - 6 - sum(WAYS[t] for t in state)))
        for total in state:
            left = tuple(t for t in state if t != total)
            rows.append((left or End(F(30)), WAYS[total]))
        return rows

    chain = Chain({(2, 3, 4, 5, 6): 1}, follow)
    small = Odds(load("perth-crapless"), "small")
    outlook = chain.outlook()
    assert {end.net: chance for end, chance in outlook.ends.items()} == small.net
    assert outlook.rolls == small.rolls
    assert chain.lengths() == small.lengths()


def test_a_chain_without_an_end_says_so() -> None:
    with pytest.raises(NeverDecidedError, match="never decided"):
        Chain({"here": 1}, lambda state: [("there" if state == "here" else "here", 36)]).outlook()


def test_starts_are_averaged_by_their_weights() -> None:
    layout = load("nsw")
    machine = Machine(layout, layout.spots["pass"])
    points = {State("pass", kind.total): 0 for kind in KINDS if kind.total in layout.points}
    for kind in KINDS:
        if kind.total in layout.points:
            points[State("pass", kind.total)] += kind.ways
    outlook = machine.chain(points).outlook()
    lost = sum(chance for end, chance in outlook.ends.items() if end.net < 0)
    assert lost == F(98, 165)  # P(seven-out given a point)


def test_prices_a_house_may_raise_count() -> None:
    raised = load("adelaide", {"price.two": "35 to 1"})
    assert Odds(raised, "two").edge == 0
    assert Odds(raised, "two").price.pays[0][0] == parse_ratio("35 to 1")
