"""Boxman as a library: a house and what its wagers are worth, transcripts, strategies, sessions.

>>> from boxman.rules.book import houses
>>> first = house(houses()[0])
>>> first.odds("place.6").edge
Fraction(1, 66)
>>> print(first.odds("place.4").price)
pays 9 to 5, true odds 2 to 1

Amounts are whole numbers of minor units: 700 is seven dollars. A wager the house does not have,
or a stake it would not take, raises a ValueError whose message says what would be right.

What needs more than msgspec is imported when it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack, get_type_hints

from boxman.chips import MINOR, format_amount, minor
from boxman.odds.hand import HandLength
from boxman.odds.measures import Figures
from boxman.odds.names import names
from boxman.odds.quote import MOST_ODDS, Odds, Split, WithOdds, partly_collected, price_list
from boxman.rules.compile import load
from boxman.rules.layout import Layout
from boxman.words import phrase
from boxman.words.given import expect, expect_fields

if TYPE_CHECKING:
    from boxman.sim.exact import Solved
    from boxman.sim.results import Comparison, Result
    from boxman.sim.run import CompareOptions, RunOptions
    from boxman.solve.answer import Answer
    from boxman.strategy.api import Strategy
    from boxman.strategy.library.catalogue import CatalogueEntry
    from boxman.strategy.session import Session
    from boxman.table.call import Call
    from boxman.table.opening import Open, Opening
    from boxman.table.rulings import Ruling
    from boxman.table.said.transcript import PlayedLine as Line
    from boxman.table.state import Table

Answered = TypeVar("Answered", "Opening", "Ruling")


class SolveOptions(TypedDict, total=False):
    """A table, a bankroll and a goal, amounts in minor units."""

    bankroll: int
    minimum: int
    maximum: int
    unit: int
    shooter: str
    rolls_per_hour: int
    reach: int
    rolls: int
    last: int
    ahead: int
    at_least: int
    hourly: bool


class House:
    """One house under its settings, at a table with one smallest chip."""

    def __init__(self, layout: Layout, source: str = "") -> None:
        expect("layout", layout, Layout)
        expect("source", source, str)
        self.layout = layout
        """The compiled rulebook."""
        self.source = source or layout.house
        """What it was asked for by: its name, or the path of its rulebook."""

    def __repr__(self) -> str:
        return f"<House {self.layout.house}>"

    @property
    def name(self) -> str:
        """The id of the house."""
        return self.layout.house

    @property
    def title(self) -> str:
        """Its name in full."""
        return self.layout.title

    @property
    def wagers(self) -> list[str]:
        """The names of all wagers, as on the felt; odds behind the line by point.

        >>> from boxman.rules.book import houses
        >>> house(houses()[0]).wagers[:3]
        ['pass', 'pass.odds.4', 'pass.odds.5']
        """
        return names(self.layout)

    def odds(
        self, wager: str, *, split: tuple[int, ...] = (), collected: tuple[int, ...] = ()
    ) -> Odds:
        """Everything about one wager.

        `split` names the parts of a wager that may be split unevenly, in any unit; `collected`
        the totals that a bonus wager has already.

        >>> from boxman.rules.book import houses
        >>> first = house(houses()[0])
        >>> six = first.odds("place.6")
        >>> six.win, six.lose, six.push, six.rolls
        (Fraction(5, 11), Fraction(6, 11), Fraction(0, 1), Fraction(36, 11))
        >>> first.odds("dont_pass").edge, first.odds("dont_pass").edge_resolved
        (Fraction(3, 220), Fraction(27, 1925))
        >>> first.odds("palce.6")
        Traceback (most recent call last):
            ...
        boxman.odds.names.WagerError: palce.6 is not offered here; did you mean place.6?
        """
        expect("wager", wager, str)
        expect("split", split, tuple[int, ...], list[int])
        expect("collected", collected, tuple[int, ...], list[int])
        if split:
            return Split(self.layout, wager, split)
        if collected:
            return partly_collected(self.layout, wager, collected)
        return Odds(self.layout, wager)

    def with_odds(
        self, flat: str, times: int | Fraction | str = MOST_ODDS, *, added: int | Fraction = 0
    ) -> WithOdds:
        """A flat wager with odds behind it: a multiple in the house's own measure, or "most".

        `added` is money that joins the flat wager once it has its number, as a multiple of it.

        >>> from boxman.rules.book import houses
        >>> house(houses()[0]).with_odds("pass", 1).edge
        Fraction(7, 825)
        """
        expect("flat", flat, str)
        amount = MOST_ODDS if times == MOST_ODDS else _multiple(times)
        return WithOdds(self.layout, flat, amount, _multiple(added))

    def at_stake(self, wager: str, stake: int) -> Figures:
        """The figures of one stake, paid in this table's chips by the house's rounding.

        >>> from boxman.rules.book import houses
        >>> house(houses()[0]).at_stake("place.6", 700).edge
        Fraction(-3, 77)
        """
        return self.odds(wager).at(minor(stake))

    def price_list(self) -> dict[str, Odds]:
        """Every wager by its name, as on the felt."""
        return price_list(self.layout)

    def solve(self, menu: str = "", stakes: str = "", **asked: Unpack[SolveOptions]) -> Answer:
        """The best play of a table here for a goal: solve(bankroll=30000, reach=60000).

        Limits and goals are those of `boxman.solve.solve`, which takes amounts as people write
        them, as `stakes` are here; it needs NumPy and Numba.
        """
        from boxman.solve.question import solve

        expect("menu", menu, str)
        expect("stakes", stakes, str)
        written: dict[str, Any] = dict(asked)
        amounts = {"bankroll", "minimum", "maximum", "unit", "reach", "at_least"}
        written["chip"] = format_amount(self.layout.chip)
        for name, kind in get_type_hints(SolveOptions).items():
            if name in written and name in amounts:
                written[name] = format_amount(minor(written[name]))
            elif name in written:
                expect(name, written[name], kind)
        return solve(self.source, menu, stakes, settings=dict(self.layout.settings), **written)

    @property
    def hand(self) -> HandLength:
        """The length of a shooter's hand.

        >>> from boxman.rules.book import houses
        >>> house(houses()[0]).hand.mean
        Fraction(1671, 196)
        """
        return HandLength(self.layout)


def _multiple(times: int | Fraction | str) -> Fraction:
    known = isinstance(times, int | Fraction | str) and not isinstance(times, bool)
    try:
        found = Fraction(times) if known else Fraction(-1)
    except (ValueError, ZeroDivisionError):
        found = Fraction(-1)
    if found < 0:
        raise ValueError(phrase("odds.wrong.multiple", times=f"{times!r}"))
    return found


def house(name: str, chip: int = MINOR, **settings: object) -> House:
    """A house by its name or by the path of its rulebook, under settings of its own.

    >>> from boxman.rules.book import houses
    >>> house(houses()[0], chip=250).layout.chip
    250
    """
    expect("name", name, str)
    return House(load(name, settings, minor(chip)), name)


def open_table(call: Open) -> Opening:
    """Open a table, or say why the house would not.

    >>> from boxman.rules.book import houses
    >>> from boxman.table.opening import Open
    >>> open_table(Open(house=houses()[0], minimum=500)).table.posted.minimum
    500
    """
    from boxman.table import opening

    expect("call", call, opening.Open)
    return _answered(call, lambda: opening.open_table(call))


def rule(layout: Layout, table: Table, call: Call) -> Ruling:
    """Rule on one call: decisions, or a refusal, and the table after it."""
    from boxman.table.call import Call
    from boxman.table.ruling import rule as ruled
    from boxman.table.state import Table

    expect("layout", layout, Layout)
    expect("table", table, Table)
    expect("call", call, Call)
    return _answered(call, lambda: ruled(layout, table, call))


def _answered(call: Call, answer: Callable[[], Answered]) -> Answered:
    """What the table answers; what it does not refuse by itself is held to the call's fields."""
    try:
        found = answer()
    except ValueError:
        raise
    except Exception:
        expect_fields(call)
        raise
    if found.refusal is None:
        expect_fields(call)
    return found


def replay(lines: str | Iterable[str]) -> list[Line]:
    """Run a transcript: for each line its call, its ruling, and how it differs from what it states.

    >>> from boxman.rules.book import houses
    >>> lines = replay(f"house {houses()[0]}\\nann buys in 100\\nann bets 10 pass : ok")
    >>> [line.difference for line in lines]
    [None, None, None]
    >>> lines[-1].ruling.after.seats["ann"].rail
    9000
    """
    from boxman.table.said.transcript import Transcript

    expect("lines", lines, str, list, tuple, Iterator)
    given = lines.splitlines() if isinstance(lines, str) else list(lines)
    for line in given:
        expect("line", line, str)
    return list(Transcript().run(given))


def strategies() -> dict[str, CatalogueEntry]:
    """The well-known strategies by name, with their parameters and sources."""
    from boxman.strategy.library import ENTRIES

    return dict(ENTRIES)


def find_strategy(text: str) -> Strategy:
    """A strategy by its name, like molly(odds=3), or in a .py or .strategy file.

    >>> find_strategy("pass-odds(odds=3)").name
    'pass-odds(unit=10, odds=3)'
    """
    from boxman.strategy.library import find

    expect("text", text, str)
    return find(text)


def simulate(
    strategy: Strategy | str,
    session: Session,
    sessions: int = 10_000,
    seed: int = 0,
    **how: Unpack[RunOptions],
) -> Result:
    """Play many sessions of a strategy; `how` as in `boxman.sim.run.simulate`."""
    from boxman.sim.run import simulate as run

    return run(_strategy(strategy), session, sessions, seed, **how)


def compare(
    strategies: Iterable[Strategy | str],
    session: Session,
    sessions: int = 10_000,
    seed: int = 0,
    **how: Unpack[CompareOptions],
) -> Comparison:
    """Play several strategies on the same dice; `how` as in `boxman.sim.run.compare`."""
    from boxman.sim.run import compare as run

    expect("strategies", strategies, list, tuple, Iterator)
    return run([_strategy(each) for each in strategies], session, sessions, seed, **how)


def exact(strategy: Strategy | str, session: Session, *, ever: bool = False) -> Solved:
    """The exact distribution of a session; `ever` leaves out its limit of rolls.

    Raises NotSolved, a ValueError, where there is no exact answer, and says why.
    """
    from boxman.sim.exact import explored, solve
    from boxman.strategy.session import Session

    expect("session", session, Session)
    expect("ever", ever, bool)
    return solve(explored(_strategy(strategy), session), session, ever=ever)


def _strategy(given: Strategy | str) -> Strategy:
    from boxman.strategy.api import Strategy

    expect("strategy", given, str, Strategy)
    return find_strategy(given) if isinstance(given, str) else given
