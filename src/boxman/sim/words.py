"""Results as parts of a report: a summary, an exact answer, a comparison."""

from __future__ import annotations

from collections.abc import Sequence

from boxman.chips import MINOR
from boxman.chips import format_amount as money
from boxman.odds.names import names
from boxman.odds.quote import Odds
from boxman.report.parts import Facts, Grid, Part, Sentence, Spread, bins, grid
from boxman.sim.exact import Solved
from boxman.sim.results import Comparison, Result
from boxman.strategy.ends import RefusedHere
from boxman.strategy.reference import WagerFigures
from boxman.strategy.session import Session, opened
from boxman.strategy.shown import refused
from boxman.words import phrase, say

ENDED = ("rolls", "shooters", "win", "loss", "broke", "no shooter")
"""How a session ends, in the order it is told."""


def amount(minor: float) -> str:
    """An amount with two decimals, from minor units that need not be whole.

    >>> amount(-1234.5)
    '-12.35'
    """
    return f"{minor / MINOR:,.2f}"


def grouped(minor: int) -> str:
    """A whole amount of minor units, thousands apart.

    >>> grouped(-123450000), grouped(123450)
    ('-1,234,500', '1,234.50')
    """
    return f"{minor // MINOR:,}" if minor % MINOR == 0 else amount(minor)


def about(session: Session, *, ever: bool = False) -> str:
    """One line on where and how it was played."""
    parts = [
        session.house,
        phrase("sim.about.bankroll", bankroll=session.bankroll),
        phrase("sim.about.limits", low=session.minimum, high=session.maximum),
        phrase("sim.about.ever") if ever else many("sim.about.rolls", session.rolls),
    ]
    if session.shooters:
        parts.append(many("sim.about.shooters", session.shooters))
    if session.stop_win:
        where = "rail" if session.takes_down else "face"
        parts.append(phrase(f"sim.about.stop-win.{where}", ahead=session.stop_win))
    if session.stop_loss:
        parts.append(phrase("sim.about.stop-loss", behind=session.stop_loss))
    parts.append(phrase(f"sim.about.shooter.{session.shooter}"))
    parts.append(phrase(f"sim.about.end.{session.end}"))
    return ", ".join(parts)


def many(key: str, number: int) -> str:
    """A phrase with a number, thousands apart."""
    return say(key, {"n": number, "number": f"{number:,}"})


def ended(end: str) -> str:
    """How sessions ended, as the name of a figure."""
    return phrase(f"sim.ended.{end}")


def shares_of(result: Result) -> dict[int, float]:
    """How likely each net was in a run."""
    pairs = zip(result.nets, result.counts, strict=True)
    return {net: count / result.sessions for net, count in pairs}


def summary(result: Result) -> list[Part]:
    """Everything a person wants to know of one run."""
    session = result.session
    points = (0.05, 0.25, 0.5, 0.75, 0.95)
    low, lower, middle, upper, high = (money(net) for net in result.percentiles(points))
    rows = [
        (_row("net"), _per_session(_give_or_take(result))),
        (_row("deviation"), amount(result.deviation)),
        ("5% 25% 50% 75% 95%", f"{low}  {lower}  {middle}  {upper}  {high}"),
        (_row("ahead"), f"{result.ahead:.2%}"),
        (ended("broke"), f"{result.ruin:.2%} ± {result.ruin_error:.2%}"),
    ]
    if result.ended("broke"):
        first, half, late = result.rolls_to_ruin()
        spread = phrase("sim.spread", low=first, middle=half, high=late)
        rows.append((_row("to-ruin"), spread))
    rows += [
        (ended(end), f"{result.share(end):.2%}")
        for end in ENDED
        if end != "broke" and result.ended(end)
    ]
    shallow, usual, deep = (money(fall) for fall in result.deepest())
    rolls = result.rolls / max(1, result.sessions)
    rows += [
        (_row("drawdown"), phrase("sim.spread", low=shallow, middle=usual, high=deep)),
        (_row("rolls"), _length(f"{rolls:,.1f}", result.hours)),
        (_row("staked"), _per_session(amount(result.staked / max(1, result.sessions)))),
        (_row("hourly"), _hourly(result.loss_an_hour, session)),
        (_row("kept"), _edge(result)),
    ]
    head = phrase(
        "sim.head-partial" if result.partial else "sim.head",
        strategy=result.strategy,
        sessions=many("sim.sessions", result.sessions),
        seed=result.seed,
        asked=f"{result.asked:,}",
    )
    return [
        Sentence(head),
        Sentence(about(session)),
        *idle(result),
        Facts(rows),
        Spread(bins(shares_of(result), MINOR, 20)),
        *_wagers(result),
        *_refusals(result),
        Sentence(
            phrase(
                "sim.to-look-at",
                worst=result.worst,
                typical=result.typical,
                luckiest=result.luckiest,
            )
        ),
        Sentence(phrase("sim.played-by", executor=result.executor)),
        *(Sentence(reason) for reason in result.reasons),
    ]


def idle(result: Result) -> list[Sentence]:
    """Why every figure is nothing, where no wager was ever made."""
    if result.staked:
        return []
    told: dict[str, object] = {"strategy": result.strategy, "house": result.session.house}
    if not result.refusals:
        return [Sentence(say("sim.idle.made-none", told))]
    first = result.refusals[0]
    clauses = "".join(f" {{{cite}}}" for cite in first.cites)
    return [Sentence(say("sim.idle.refused", told | {"why": first.sentence + clauses}))]


def _row(name: str) -> str:
    return phrase(f"sim.rows.{name}")


def _per_session(figure: str) -> str:
    return phrase("sim.per-session", figure=figure)


def _length(rolls: str, hours: float) -> str:
    return phrase("sim.length", rolls=rolls, hours=f"{hours:.2f}")


def _hourly(loss: float, session: Session) -> str:
    return phrase("sim.hourly", loss=amount(loss), rolls=session.rolls_per_hour)


def _edge(result: Result) -> str:
    figures = {"edge": f"{result.edge:.4%}", "error": f"{result.edge_error:.4%}"}
    if result.expected is None:
        return say("sim.kept", figures)
    return say("sim.kept-expected", figures | {"expected": f"{result.expected.edge:.4%}"})


def _wagers(result: Result) -> list[Grid]:
    if not result.wagers:
        return []
    names = ("wager", "bets", "won", "lost", "pushed", "staked", "net", "kept", "by-the-book")
    heads = [phrase(f"sim.columns.{each}") for each in names]
    table = []
    for spot, rows in _as_bet(result.wagers).items():
        counts = [sum(getattr(row, name) for row in rows) for name in COUNTED]
        staked = sum(row.staked for row in rows)
        net = round(sum(row.net + row.beyond for row in rows))
        kept = f"{-net / staked:.3%}" if staked else ""
        figures = (grouped(staked), grouped(net), kept, _by_the_book(result.session, spot))
        table.append((spot, *(f"{n:,}" for n in counts), *figures))
    return [grid(many("sim.wagers", result.sampled), heads, table)]


def _by_the_book(session: Session, spot: str) -> str:
    """The exact edge of a wager, for a stake that is left up until it is decided."""
    layout, _ = opened(session)
    if spot in names(layout):
        return f"{float(Odds(layout, spot).edge):.3%}"
    each = {Odds(layout, name).edge for name in names(layout) if name.startswith(f"{spot}.")}
    return f"{float(each.pop()):.3%}" if len(each) == 1 else ""


COUNTED = ("bets", "wins", "losses", "pushes")


def _as_bet(wagers: Sequence[WagerFigures]) -> dict[str, list[WagerFigures]]:
    """Figures by the spot a wager was made on: one that travelled belongs to its area."""
    found: dict[str, list[WagerFigures]] = {}
    for row in wagers:
        area, _, number = row.spot.rpartition(".")
        travelled = area in ("come", "dont_come") and number.isdecimal()
        found.setdefault(area if travelled else row.spot, []).append(row)
    return found


def _give_or_take(result: Result) -> str:
    """The mean and its error, which one session alone does not tell."""
    error = amount(result.error) if result.sessions > 1 else "?"
    return f"{amount(result.mean)} ± {error}"


def _refusals(result: Result) -> list[Grid]:
    """What the table refused; and what it may, where only some of the sessions were looked at."""
    found = []
    if result.refusals:
        every = result.refused_in == result.sessions
        title = phrase("sim.refused") if every else many("sim.refused-first", result.refused_in)
        found.append(refused(title, result.refusals))
    if result.possible:
        alike: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
        for each in result.possible:
            alike.setdefault((each.code, each.sentence, each.cites), []).append(each.spot)
        rows = [
            RefusedHere(code, ", ".join(spots), cites, sentence, 0)
            for (code, sentence, cites), spots in alike.items()
        ]
        title = many("sim.refusable", result.refused_in)
        found.append(refused(title, rows))
    return found


def exact_summary(
    name: str,
    session: Session,
    solved: Solved,
    needed: int | None,
    *,
    ever: bool = False,
    face: float | None = None,
) -> list[Part]:
    """The exact answer in words; `face` is the chance of the stop-win counted at face."""
    points = (0.05, 0.25, 0.5, 0.75, 0.95)
    spread = "  ".join(money(solved.percentile(share)) for share in points)
    rows = [
        (_row("net"), _per_session(amount(solved.mean))),
        (_row("deviation"), amount(solved.deviation)),
        ("5% 25% 50% 75% 95%", spread),
        (_row("ahead"), f"{solved.at_least(1):.6%}"),
    ]
    rows += [
        (ended(end), f"{chance:.6%}")
        for end, chance in solved.ends.items()
        if chance or end == "broke"
    ]
    hours = solved.rolls / session.rolls_per_hour
    hourly = solved.loss_an_hour(session.rolls_per_hour)
    rows += [
        (_row("rolls"), _length(f"{solved.rolls:,.3f}", hours)),
        (_row("hourly"), _hourly(hourly, session)),
    ]
    if needed is not None:
        rows.append((_row("survive"), money(needed)))
    rows.append((_row("mass"), f"1 {solved.mass - 1:+.1e}"))
    head = phrase("sim.exactly", name=name, states=many("sim.states", solved.configurations))
    return [
        Sentence(head),
        Sentence(about(session, ever=ever)),
        *([] if any(solved.nets) else [Sentence(phrase("sim.idle.exact", strategy=name))]),
        Facts(rows),
        *([] if face is None else [Sentence(face_told(solved.ends["win"], face))]),
        Spread(bins(solved.nets, MINOR, 20)),
    ]


def face_told(rail: float, face: float, sessions: int = 0) -> str:
    """How often a stop-win is met as it is counted, and at face.

    >>> face_told(0.4909, 0.5043)
    'stop-win on the rail 49.0900%, at face (--count face) 50.4300%: wagers still up count there'
    """
    digits = 2 if sessions else 4
    figures = {"rail": f"{rail:.{digits}%}", "face": f"{face:.{digits}%}"}
    if not sessions:
        return say("sim.face", figures)
    return say("sim.face-in", figures | {"sessions": many("sim.sessions", sessions)})


def comparison(compared: Comparison) -> list[Part]:
    """Several strategies side by side, and pair by pair on the same dice."""
    names = ("strategy", "net", "error", "deviation", "broke", "ahead", "staked", "hourly")
    heads = [phrase(f"sim.columns.{each}") for each in names]
    rows = [
        (
            result.strategy,
            amount(result.mean),
            amount(result.error),
            amount(result.deviation),
            f"{result.ruin:.2%}",
            f"{result.ahead:.2%}",
            amount(result.staked / max(1, result.sessions)),
            amount(result.loss_an_hour),
        )
        for result in compared.results
    ]
    pairs = [
        (
            f"{pair.one} - {pair.other}",
            amount(pair.mean),
            *map(amount, pair.interval),
            f"{pair.better:.2%}",
            f"{pair.even:.2%}",
        )
        for pair in compared.pairs
    ]
    first = compared.results[0]
    paired = [
        phrase(f"sim.columns.{each}") for each in ("pair", "mean", "from", "to", "better", "even")
    ]
    same = {"sessions": many("sim.sessions", first.sessions), "seed": first.seed}
    return [
        Sentence(phrase("sim.same-dice", **same)),
        Sentence(about(first.session)),
        *(told for result in compared.results for told in idle(result)),
        grid("", heads, rows),
        grid(phrase("sim.differences"), paired, pairs),
        *(
            Sentence(phrase("sim.strategy-by", strategy=each.strategy, executor=each.executor))
            for each in compared.results
        ),
    ]
