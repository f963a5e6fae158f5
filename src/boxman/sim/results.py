"""What came of a simulation: every figure from exact counts, and ways to show it.

A `Result` is a plain frozen value: it can be merged with another part of the same run to exactly
what one run would have given, written as JSON, CSV or Parquet, and shown in a notebook. It plays
nothing and knows no dice; the sessions it names can be played again with `run.replay`.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterable
from fractions import Fraction
from importlib import import_module
from math import sqrt
from pathlib import Path
from typing import Any

import msgspec

from boxman.chips import format_amount as money
from boxman.report.page import notebook
from boxman.report.parts import Facts, grid
from boxman.sim.tally import Counts, Tally, shares
from boxman.strategy.ends import ENDS, RefusedHere
from boxman.strategy.reference import WagerFigures
from boxman.strategy.session import Session
from boxman.strategy.shown import refused
from boxman.words import phrase

NORMAL_95 = 1.959963984540054
"""So many standard errors to either side hold the truth in 95 cases of 100."""
PERCENTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
SHARES = (0.05, 0.5, 0.95)
"""Low, middle and high: of these shares of sessions something is said."""


class Expectation(msgspec.Struct, frozen=True):
    """What the same strategy does on average if its money never runs out, exactly."""

    net: float
    """Minor units a session."""
    staked: float

    @property
    def edge(self) -> float:
        """What the house keeps of each unit staked."""
        return -self.net / self.staked if self.staked else 0.0


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """Sessions of one strategy; money in minor units."""

    strategy: str
    session: Session
    seed: int
    executor: str
    """What played the sessions."""
    reasons: tuple[str, ...] = ()
    """Why it was that executor and not a faster one."""
    partial: bool = False
    """Whether it was stopped before all sessions were played."""
    asked: int = 0
    """How many sessions were wanted."""
    spans: tuple[tuple[int, int], ...] = ()
    """Which were played: from one to before another, ascending and apart."""
    nets: tuple[int, ...] = ()
    """Every result that came, ascending; then how often, and in which session first."""
    counts: tuple[int, ...] = ()
    firsts: tuple[int, ...] = ()
    drawdowns: tuple[tuple[int, int], ...] = ()
    """Every deepest fall of the worth, and how often it came."""
    lengths: dict[str, tuple[tuple[int, int], ...]] = {}
    """By how sessions ended: how many rolls they had, and how often."""
    staked: int = 0
    seven_outs: int = 0
    value: str = "0"
    """What wagers still up were worth beyond face, all sessions together, as a fraction."""
    sampled: int = 0
    """The sessions from 0 on that wagers were counted in, and then that refusals were."""
    refused_in: int = 0
    refusals: tuple[RefusedHere, ...] = ()
    possible: tuple[RefusedHere, ...] = ()
    """What can be refused too, though it was not in those."""
    wagers: tuple[WagerFigures, ...] = ()
    expected: Expectation | None = None
    seconds: float = 0.0
    """From the beginning, exploring and compiling included."""
    playing: float = 0.0
    """Of these, spent on sessions."""

    @property
    def sessions(self) -> int:
        return sum(self.counts)

    @property
    def mean(self) -> float:
        """The mean net of a session."""
        return float(self.exact_mean)

    @property
    def exact_mean(self) -> Fraction:
        total = sum(net * count for net, count in zip(self.nets, self.counts, strict=True))
        return (total + Fraction(self.value)) / max(1, self.sessions)

    @property
    def deviation(self) -> float:
        """The standard deviation of a session's net."""
        return _deviation(self.nets, self.counts)

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return self.deviation / sqrt(self.sessions) if self.sessions else 0.0

    def percentiles(self, wanted: tuple[float, ...] = PERCENTILES) -> tuple[int, ...]:
        """The least nets that these shares of sessions do not exceed."""
        return tuple(shares(self._counted(), wanted))

    @property
    def median(self) -> int:
        return self.percentiles((0.5,))[0]

    def _counted(self) -> Counts:
        return _counts(zip(self.nets, self.counts, self.firsts, strict=True))

    def share(self, *ends: str) -> float:
        """The share of sessions that ended so."""
        return self.ended(*ends) / self.sessions if self.sessions else 0.0

    def ended(self, *ends: str) -> int:
        """How many sessions ended so."""
        return sum(count for end in ends for _, count in self.lengths.get(end, ()))

    @property
    def ruin(self) -> float:
        return self.share("broke")

    @property
    def ruin_error(self) -> float:
        """The standard error of the probability of ruin."""
        return sqrt(self.ruin * (1 - self.ruin) / self.sessions) if self.sessions else 0.0

    @property
    def target(self) -> float:
        """The share of sessions that reached their stop-win."""
        return self.share("win")

    @property
    def ahead(self) -> float:
        """The share of sessions that ended with more than they began with."""
        won = sum(c for net, c in zip(self.nets, self.counts, strict=True) if net > 0)
        return won / self.sessions if self.sessions else 0.0

    @property
    def rolls(self) -> int:
        """Rolls of all sessions together."""
        return sum(rolls * count for each in self.lengths.values() for rolls, count in each)

    @property
    def hours(self) -> float:
        """How long a session takes, on average."""
        return self.rolls / max(1, self.sessions) / self.session.rolls_per_hour

    @property
    def loss_an_hour(self) -> float:
        return 0.0 - self.mean / self.hours if self.hours else 0.0

    @property
    def edge(self) -> float:
        """What the house kept of each unit staked, in these sessions."""
        return 0.0 - float(self.exact_mean) * self.sessions / self.staked if self.staked else 0.0

    @property
    def edge_error(self) -> float:
        """The standard error of that, were the stakes the same in every session."""
        return self.error * self.sessions / self.staked if self.staked else 0.0

    def rolls_to_ruin(self) -> tuple[int, ...]:
        """After how many rolls these shares of the ruined sessions were ruined."""
        return tuple(shares(_counts((r, c, 0) for r, c in self.lengths.get("broke", ())), SHARES))

    @property
    def mean_rolls_to_ruin(self) -> float:
        ruined = self.lengths.get("broke", ())
        count = sum(number for _, number in ruined)
        return sum(rolls * number for rolls, number in ruined) / count if count else 0.0

    def deepest(self) -> tuple[int, ...]:
        """The drawdowns that these shares of sessions do not exceed."""
        return tuple(shares(_counts((d, c, 0) for d, c in self.drawdowns), SHARES))

    @property
    def mean_drawdown(self) -> float:
        return sum(d * c for d, c in self.drawdowns) / max(1, self.sessions)

    def survival(self) -> list[tuple[int, float]]:
        """The share of sessions not yet broke after so many rolls, wherever it changes."""
        left, found = self.sessions, [(0, 1.0)]
        for rolls, count in sorted(self.lengths.get("broke", ())):
            left -= count
            found.append((rolls, left / self.sessions))
        return found

    def session_at(self, share: float) -> int:
        """The first session whose net is that percentile: the same however the run was cut."""
        net = self.percentiles((share,))[0]
        return self.firsts[self.nets.index(net)]

    @property
    def worst(self) -> int:
        """The first session with the lowest net."""
        return self.firsts[0]

    @property
    def luckiest(self) -> int:
        return self.firsts[-1]

    @property
    def typical(self) -> int:
        """The first session with the median net."""
        return self.session_at(0.5)

    def histogram(self, bins: int = 20) -> list[tuple[int, int, int]]:
        """From, below, and how many sessions: at most so many bins of one width, none cut."""
        if not self.nets:
            return []
        low, high = self.nets[0], self.nets[-1]
        width = max(1, -(-(high - low + 1) // bins))
        for round_width in _round_widths():
            if round_width >= width:
                width = round_width
                break
        start = low // width * width
        found = [0] * ((high - start) // width + 1)
        for net, count in zip(self.nets, self.counts, strict=True):
            found[(net - start) // width] += count
        return [(start + n * width, start + (n + 1) * width, c) for n, c in enumerate(found)]

    def digest(self) -> str:
        """A fingerprint of everything counted: the same for any cut, executor and machine."""
        counted = (
            *(self.nets, self.counts, self.firsts, self.drawdowns),
            *(sorted(self.lengths.items()), self.staked, self.seven_outs, self.value),
        )
        return hashlib.sha256(msgspec.json.encode(counted)).hexdigest()

    def merged(self, other: Result) -> Result:
        """This and another part of the same run, as if they had been one."""
        if (self.strategy, self.session, self.seed) != (
            other.strategy,
            other.session,
            other.seed,
        ):
            raise ValueError(phrase("sim.wrong.only-parts-of-the-same"))
        both = self._tally().merged(other._tally())
        executors = sorted({*self.executor.split(" + "), *other.executor.split(" + ")})
        ahead = self if self.sampled >= other.sampled else other
        refused = ahead.refused_in, ahead.refusals
        if all(part.refused_in == part.sessions for part in (self, other)):
            parts = sorted((self, other), key=lambda part: part.spans)
            refused = both.sessions, added(each for part in parts for each in part.refusals)
        return msgspec.structs.replace(
            self,
            **counted(both),
            executor=" + ".join(executors),
            reasons=tuple(dict.fromkeys(self.reasons + other.reasons)),
            partial=self.partial or other.partial,
            asked=self.asked + other.asked,
            value=str(both.value),
            sampled=ahead.sampled,
            refused_in=refused[0],
            refusals=refused[1],
            possible=ahead.possible,
            wagers=ahead.wagers,
            seconds=self.seconds + other.seconds,
            playing=self.playing + other.playing,
        )

    def _tally(self) -> Tally:
        return Tally(
            nets=self._counted(),
            drawdowns=_counts((d, c, 0) for d, c in self.drawdowns),
            lengths={
                ENDS.index(end): _counts((r, c, 0) for r, c in each)
                for end, each in self.lengths.items()
            },
            staked=self.staked,
            sevens=self.seven_outs,
            landed={},
            value=Fraction(self.value),
            refused=None,
            spans=self.spans,
        )

    def to_json(self) -> bytes:
        """Everything counted and the figures that follow, as JSON."""
        return msgspec.json.encode({"figures": self.figures(), "result": self})

    @staticmethod
    def from_json(text: bytes | str) -> Result:
        """A result written by `to_json`."""

        class Written(msgspec.Struct):
            result: Result

        return msgspec.json.decode(text, type=Written).result

    def figures(self) -> dict[str, Any]:
        """The summary as plain names and numbers; money in minor units."""
        return {
            "strategy": self.strategy,
            "sessions": self.sessions,
            "partial": self.partial,
            "mean": self.mean,
            "error": self.error,
            "deviation": self.deviation,
            "percentiles": dict(
                zip([f"{p:g}" for p in PERCENTILES], self.percentiles(), strict=True)
            ),
            "ahead": self.ahead,
            "ruin": self.ruin,
            "ruin_error": self.ruin_error,
            "ends": {end: self.ended(end) for end in ENDS},
            "rolls": self.rolls / max(1, self.sessions),
            "rolls_to_ruin": self.mean_rolls_to_ruin,
            "drawdown": self.mean_drawdown,
            "staked": self.staked / max(1, self.sessions),
            "edge": self.edge,
            "edge_error": self.edge_error,
            "edge_expected": self.expected.edge if self.expected else None,
            "hours": self.hours,
            "loss_an_hour": self.loss_an_hour,
            "worst": self.worst if self.nets else None,
            "median": self.typical if self.nets else None,
            "luckiest": self.luckiest if self.nets else None,
            "digest": self.digest(),
            "executor": self.executor,
        }

    def to_csv(self) -> str:
        """The distribution: net, how many sessions, the first of them."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["net", "sessions", "first_session"])
        for net, count, first in zip(self.nets, self.counts, self.firsts, strict=True):
            writer.writerow([money(net), count, first])
        return out.getvalue()

    def to_parquet(self, path: Path | str) -> None:
        """The distribution as a Parquet file; needs pyarrow."""
        try:
            pyarrow = import_module("pyarrow")
            parquet = import_module("pyarrow.parquet")
        except ImportError:
            raise ImportError(phrase("sim.wrong.a-parquet-file-needs-pyarrow")) from None
        columns = {"net": self.nets, "sessions": self.counts, "first_session": self.firsts}
        table = pyarrow.table({name: list(column) for name, column in columns.items()})
        about = {b"boxman": msgspec.json.encode(self.figures())}
        parquet.write_table(table.replace_schema_metadata(about), str(path))

    def _repr_html_(self) -> str:
        low, middle, high = self.percentiles(SHARES)
        rows = [
            (phrase("sim.rows.sessions"), f"{self.sessions:,}{'…' if self.partial else ''}"),
            (phrase("sim.rows.mean"), f"{self.mean / 100:,.2f} ± {self.error / 100:.2f}"),
            (phrase("sim.rows.spread"), f"{money(low)} / {money(middle)} / {money(high)}"),
            (phrase("sim.rows.ahead"), f"{self.ahead:.2%}"),
            (phrase("sim.ended.broke"), f"{self.ruin:.2%} ± {self.ruin_error:.2%}"),
            (phrase("sim.rows.rolls"), f"{self.rolls / max(1, self.sessions):,.1f}"),
            (phrase("sim.rows.drawdown"), f"{self.mean_drawdown / 100:,.2f}"),
            (phrase("sim.rows.staked"), f"{self.staked / max(1, self.sessions) / 100:,.2f}"),
            (phrase("sim.rows.kept"), f"{self.edge:.3%} ± {self.edge_error:.3%}"),
            (phrase("sim.rows.executor"), self.executor),
        ]
        title = f"{self.strategy}, {self.session.house}"
        listed = [refused("", self.refusals)] if self.refusals else []
        return notebook(title, Facts(rows), *listed)


class Paired(msgspec.Struct, frozen=True):
    """One strategy against another on the same dice, session by session; money in minor units."""

    one: str
    other: str
    differences: tuple[int, ...]
    """Every difference of nets that came, ascending, and how often."""
    counts: tuple[int, ...]
    beyond: float = 0.0
    """What was still up at the end is worth more with the first, in all, beyond its face."""

    @property
    def mean(self) -> float:
        total = sum(d * c for d, c in zip(self.differences, self.counts, strict=True))
        return (total + self.beyond) / max(1, sum(self.counts))

    @property
    def error(self) -> float:
        number = sum(self.counts)
        return _deviation(self.differences, self.counts) / sqrt(number) if number else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true mean lies, with 95 % confidence."""
        return self.mean - NORMAL_95 * self.error, self.mean + NORMAL_95 * self.error

    @property
    def better(self) -> float:
        """The share of sessions in which the first did better."""
        won = sum(c for d, c in zip(self.differences, self.counts, strict=True) if d > 0)
        return won / max(1, sum(self.counts))

    @property
    def even(self) -> float:
        same = sum(c for d, c in zip(self.differences, self.counts, strict=True) if d == 0)
        return same / max(1, sum(self.counts))


class Comparison(msgspec.Struct, frozen=True):
    """Several strategies on the same dice."""

    results: tuple[Result, ...]
    pairs: tuple[Paired, ...]

    def _repr_html_(self) -> str:
        shown = "".join(result._repr_html_() for result in self.results)
        rows = [
            (
                f"{p.one} − {p.other}",
                f"{p.mean / 100:,.2f}",
                f"{p.interval[0] / 100:,.2f} to {p.interval[1] / 100:,.2f}",
            )
            for p in self.pairs
        ]
        return shown + notebook("", grid("Differences", ("pair", "mean", "95 %"), rows))


def counted(tally: Tally) -> dict[str, Any]:
    """The fields of a result that a tally fills."""
    return {
        "nets": tuple(tally.nets.values.tolist()),
        "counts": tuple(tally.nets.counts.tolist()),
        "firsts": tuple(tally.nets.firsts.tolist()),
        "drawdowns": _pairs(tally.drawdowns),
        "lengths": {ENDS[ending]: _pairs(each) for ending, each in sorted(tally.lengths.items())},
        "staked": tally.staked,
        "seven_outs": tally.sevens,
        "spans": tally.spans,
    }


def added(refusals: Iterable[RefusedHere]) -> tuple[RefusedHere, ...]:
    """The same kinds together, the most frequent first; the words are those that came first."""
    found: dict[tuple[str, str, tuple[str, ...]], RefusedHere] = {}
    for each in refusals:
        kind = each.code, each.spot, each.cites
        before = found.get(kind)
        found[kind] = (
            each
            if before is None
            else msgspec.structs.replace(before, count=before.count + each.count)
        )
    return tuple(sorted(found.values(), key=lambda each: each.order))


def _pairs(counts: Counts) -> tuple[tuple[int, int], ...]:
    return tuple(zip(counts.values.tolist(), counts.counts.tolist(), strict=True))


def _counts(rows: Any) -> Counts:
    import numpy as np

    table = np.array(list(rows), np.int64).reshape(-1, 3)
    return Counts(*np.ascontiguousarray(table.T))


def _deviation(values: tuple[int, ...], counts: tuple[int, ...]) -> float:
    """The standard deviation, from exact sums."""
    number = sum(counts)
    if number < 2:
        return 0.0
    total = sum(v * c for v, c in zip(values, counts, strict=True))
    squares = sum(v * v * c for v, c in zip(values, counts, strict=True))
    return sqrt(Fraction(squares * number - total * total, number * (number - 1)))


def _round_widths() -> Any:
    """Widths people read easily: 1, 2, 5, 10, 20, 50 ... units."""
    power = 1
    while True:
        for step in (1, 2, 5):
            yield step * power * 100
        power *= 10
