"""Tallies and results: exact sums, merging in any order, figures against plain arithmetic."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, permutations
from pathlib import Path
from statistics import mean, stdev

import msgspec
import numpy as np
import pytest

from boxman.sim.exact import explored, solve
from boxman.sim.lanes import ROWS, Lanes
from boxman.sim.results import Paired, Result, counted
from boxman.sim.run import simulate
from boxman.sim.tally import Counts, Tally, differences, shares
from boxman.strategy.ends import ENDS
from boxman.strategy.library import named
from boxman.strategy.session import session

GENERATOR = np.random.default_rng(11)
BROKE = ENDS.index("broke")


def made_up(count: int) -> Lanes:
    ending = GENERATOR.choice([0, 2, BROKE], count)
    return Lanes(
        net=GENERATOR.integers(-500, 900, count) * 100,
        rolls=GENERATOR.integers(0, 200, count),
        sevens=GENERATOR.integers(0, 30, count),
        ending=ending,
        drawdown=GENERATOR.integers(0, 500, count) * 100,
        staked=GENERATOR.integers(0, 10_000, count) * 100,
        landed=GENERATOR.integers(-1, 5, count),
        value=Fraction(count, 7),
    )


def part(lanes: Lanes, first: int, last: int) -> Lanes:
    rows = [getattr(lanes, name)[first:last] for name in Lanes.__struct_fields__[:ROWS]]
    return Lanes.of(rows, Fraction(last - first, 7))


def result(tally: Tally) -> Result:
    return Result(
        strategy="made up",
        session=session(),
        seed=1,
        executor="none",
        value=str(tally.value),
        **counted(tally),
    )


LANES = made_up(5_000)
WHOLE = Tally.of(LANES, 0, landed=True)


def test_any_cut_and_any_order_merge_to_the_same() -> None:
    cuts = [0, 1, 64, 65, 3_000, 5_000]
    parts = [Tally.of(part(LANES, a, b), a, landed=True) for a, b in pairwise(cuts)]
    digests = set()
    for order in permutations(parts):
        merged = Tally.none()
        for each in order:
            merged = merged.merged(each)
        assert merged.landed == WHOLE.landed
        digests.add(result(merged).digest())
    assert digests == {result(WHOLE).digest()}


def test_results_merge_like_tallies() -> None:
    one, other = (
        result(Tally.of(part(LANES, 0, 2_000), 0)),
        result(Tally.of(part(LANES, 2_000, 5_000), 2_000)),
    )
    assert one.merged(other).digest() == other.merged(one).digest() == result(WHOLE).digest()
    with pytest.raises(ValueError, match="only parts of the same run merge"):
        one.merged(msgspec.structs.replace(other, seed=2))
    assert one.merged(other).spans == ((0, 5_000),)
    three = result(Tally.of(part(LANES, 1_990, 2_010), 1_990))
    with pytest.raises(ValueError, match=r"sessions 1,990 to 1,999 are in both parts"):
        one.merged(three)


@pytest.mark.parametrize("end", ["face", "run-out", "value"])
def test_a_result_is_written_and_read_again(end: str) -> None:
    found = simulate(named("molly"), session("rws", rolls=30, end=end), 50, 3)
    assert Result.from_json(found.to_json()) == found


def test_one_session_more_is_another_digest() -> None:
    more = WHOLE.merged(Tally.of(part(LANES, 0, 1), 5_000))
    assert result(more).digest() != result(WHOLE).digest()


def test_figures_are_plain_arithmetic() -> None:
    found = result(WHOLE)
    nets = sorted(LANES.net.tolist())
    assert found.sessions == 5_000
    assert found.exact_mean == (sum(nets) + Fraction(5_000, 7)) / 5_000
    assert found.deviation == pytest.approx(stdev(nets), rel=1e-12)
    assert found.error == pytest.approx(stdev(nets) / 5_000**0.5, rel=1e-12)
    # The least net that 5 % of 5,000 sessions do not exceed is the 250th from below.
    assert found.percentiles((0.05, 0.5, 1.0)) == (nets[249], nets[2_499], nets[-1])
    assert found.ruin == (LANES.ending == BROKE).mean()
    assert found.target == (LANES.ending == 2).mean()
    assert found.ahead == (LANES.net > 0).mean()
    assert found.rolls == LANES.rolls.sum()
    assert found.seven_outs == LANES.sevens.sum()
    ruined = LANES.rolls[LANES.ending == BROKE].tolist()
    assert found.mean_rolls_to_ruin == pytest.approx(mean(ruined))
    assert found.mean_drawdown == pytest.approx(mean(LANES.drawdown.tolist()))
    assert found.edge == pytest.approx(-found.mean * 5_000 / LANES.staked.sum())
    assert found.survival()[-1][1] == pytest.approx(1 - found.ruin)


def test_sessions_to_look_at_are_the_first_of_their_net() -> None:
    found = result(WHOLE)
    nets = LANES.net.tolist()
    assert found.worst == nets.index(min(nets))
    assert found.luckiest == nets.index(max(nets))
    assert found.typical == nets.index(sorted(nets)[2_499])


def test_counts_sparse_and_dense_agree() -> None:
    values = GENERATOR.integers(-50, 50, 1_000)
    dense = Counts.of(values, 7)
    sparse = Counts.of(values * 10**7, 7)
    assert (dense.values * 10**7 == sparse.values).all()
    assert (dense.counts == sparse.counts).all()
    assert (dense.firsts == sparse.firsts).all()
    assert dense.power(2) == sum(value * value for value in values.tolist())


def test_nothing_played_has_no_figures_to_fail_on() -> None:
    empty = result(Tally.none())
    assert empty.sessions == 0
    assert empty.mean == empty.error == empty.ruin == empty.edge == 0
    assert empty.percentiles((0.5,)) == (0,)
    assert empty.histogram() == []
    assert shares(Counts.none(), (0.5,)) == [0]
    assert "made up" in empty._repr_html_()


def test_a_histogram_holds_every_session_once() -> None:
    found = result(WHOLE)
    bins = found.histogram(20)
    assert len(bins) <= 21
    assert sum(count for _, _, count in bins) == 5_000
    for low, high, count in bins:
        assert count == ((LANES.net >= low) & (LANES.net < high)).sum()


def test_pairs_are_differences_session_by_session() -> None:
    other = made_up(5_000)
    counts = differences(LANES, other, 0)
    paired = Paired("a", "b", tuple(counts.values.tolist()), tuple(counts.counts.tolist()))
    apart = (LANES.net - other.net).tolist()
    assert paired.mean == pytest.approx(mean(apart))
    assert paired.error == pytest.approx(stdev(apart) / 5_000**0.5)
    assert paired.better == sum(each > 0 for each in apart) / 5_000
    low, high = paired.interval
    assert high - low == pytest.approx(2 * 1.96 * paired.error, rel=1e-4)


def test_written_and_read_again(tmp_path: Path) -> None:
    found = result(WHOLE)
    assert Result.from_json(found.to_json()) == found
    rows = found.to_csv().splitlines()
    assert rows[0] == "net,sessions,first_session"
    assert len(rows) == len(found.nets) + 1
    import pyarrow.parquet

    found.to_parquet(tmp_path / "result.parquet")
    table = pyarrow.parquet.read_table(tmp_path / "result.parquet")
    assert table.column("net").to_pylist() == list(found.nets)
    assert table.column("sessions").to_pylist() == list(found.counts)


def test_notebooks_show_what_was_refused_and_what_was_solved() -> None:
    short = session("rws", bankroll=45, rolls=20)
    shown = simulate(named("pass-odds"), short, 20, 3)._repr_html_()
    assert "rail-short" in shown
    solved = solve(explored(named("pass-odds"), short), short)
    assert f"{solved.ends['broke']:.6%}" in solved._repr_html_()
    assert f"{solved.mean / 100:,.4f}" in solved._repr_html_()
