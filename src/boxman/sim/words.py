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
from boxman.strategy.session import FACE, RUN_OUT, VALUE, Session, opened
from boxman.strategy.shown import refused

LEFT_UP = {
    FACE: "wagers left up at face",
    RUN_OUT: "wagers left up rolled out",
    VALUE: "wagers left up at their exact value in the mean, at face elsewhere",
}
ENDED = {
    "rolls": "rolls played",
    "shooters": "shooters gone",
    "win": "stop-win reached",
    "loss": "stop-loss reached",
    "broke": "broke",
    "no shooter": "nobody to shoot",
}


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
        f"bankroll {money(session.bankroll)}",
        f"limits {money(session.minimum)}-{money(session.maximum)}",
        "however many rolls it takes" if ever else f"at most {_many(session.rolls, 'roll')}",
    ]
    if session.shooters:
        parts.append(_many(session.shooters, "shooter"))
    if session.stop_win:
        where = "on the rail" if session.takes_down else "at face"
        parts.append(f"stop when {money(session.stop_win)} ahead {where}")
    if session.stop_loss:
        parts.append(f"stop when {money(session.stop_loss)} behind")
    parts.append(f"shooter {session.shooter}")
    parts.append(LEFT_UP[session.end])
    return ", ".join(parts)


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


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
        ("net", f"{_give_or_take(result)} a session"),
        ("deviation", amount(result.deviation)),
        ("5% 25% 50% 75% 95%", f"{low}  {lower}  {middle}  {upper}  {high}"),
        ("ahead", f"{result.ahead:.2%}"),
        ("broke", f"{result.ruin:.2%} ± {result.ruin_error:.2%}"),
    ]
    if result.ended("broke"):
        first, half, late = result.rolls_to_ruin()
        rows.append(("rolls to ruin", f"5%: {first}, median: {half}, 95%: {late}"))
    rows += [
        (ENDED[end], f"{result.share(end):.2%}")
        for end in ENDED
        if end != "broke" and result.ended(end)
    ]
    shallow, usual, deep = (money(fall) for fall in result.deepest())
    rolls = result.rolls / max(1, result.sessions)
    rows += [
        ("drawdown", f"5%: {shallow}, median: {usual}, 95%: {deep}"),
        ("rolls", f"{rolls:,.1f} a session ({result.hours:.2f} hours)"),
        ("staked", f"{amount(result.staked / max(1, result.sessions))} a session"),
        ("loss an hour", f"{amount(result.loss_an_hour)} at {session.rolls_per_hour} rolls"),
        ("house keeps", _edge(result)),
    ]
    played = _many(result.sessions, "session")
    head = f"{result.strategy}: {played}, seed {result.seed}"
    if result.partial:
        head += f" (partial: stopped before {result.asked:,})"
    return [
        Sentence(head),
        Sentence(about(session)),
        Facts(rows),
        Spread(bins(shares_of(result), MINOR, 20)),
        *_wagers(result),
        *_refusals(result),
        Sentence(
            f"Sessions to look at: worst {result.worst}, median {result.typical}, "
            f"luckiest {result.luckiest}."
        ),
        Sentence(f"Played by {result.executor}."),
        *(Sentence(reason) for reason in result.reasons),
    ]


def _edge(result: Result) -> str:
    text = f"{result.edge:.4%} ± {result.edge_error:.4%} of what was staked"
    if result.expected is not None:
        text += f" ({result.expected.edge:.4%} expected with a rail that is never short)"
    return text


def _wagers(result: Result) -> list[Grid]:
    if not result.wagers:
        return []
    heads = ("wager", "bets", "won", "lost", "pushed", "staked", "net", "house kept", "by the book")
    table = []
    for spot, rows in _as_bet(result.wagers).items():
        counts = [sum(getattr(row, name) for row in rows) for name in COUNTED]
        staked, net = sum(row.staked for row in rows), sum(row.net for row in rows)
        kept = f"{-net / staked:.3%}" if staked else ""
        figures = (grouped(staked), grouped(net), kept, _by_the_book(result.session, spot))
        table.append((spot, *(f"{n:,}" for n in counts), *figures))
    return [grid(f"Wagers, in the first {result.sampled:,} sessions", heads, table)]


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
        where = "all" if every else f"the first {result.refused_in:,}"
        found.append(refused(f"Refused, in {where} sessions", result.refusals))
    if result.possible:
        alike: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
        for each in result.possible:
            alike.setdefault((each.code, each.sentence, each.cites), []).append(each.spot)
        rows = [
            RefusedHere(code, ", ".join(spots), cites, sentence, 0)
            for (code, sentence, cites), spots in alike.items()
        ]
        title = f"Not refused in the first {result.refused_in:,} sessions, but can be"
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
        ("net", f"{amount(solved.mean)} a session"),
        ("deviation", amount(solved.deviation)),
        ("5% 25% 50% 75% 95%", spread),
        ("ahead", f"{solved.at_least(1):.6%}"),
    ]
    rows += [
        (ENDED[end], f"{chance:.6%}")
        for end, chance in solved.ends.items()
        if chance or end == "broke"
    ]
    hours = solved.rolls / session.rolls_per_hour
    hourly = solved.loss_an_hour(session.rolls_per_hour)
    rows += [
        ("rolls", f"{solved.rolls:,.3f} a session ({hours:.2f} hours)"),
        ("loss an hour", f"{amount(hourly)} at {session.rolls_per_hour} rolls"),
    ]
    if needed is not None:
        rows.append(("95% survive with", money(needed)))
    rows.append(("all chances add to", f"1 {solved.mass - 1:+.1e}"))
    states = solved.configurations
    head = f"{name}: exactly, from {_many(states, 'state')}"
    return [
        Sentence(head),
        Sentence(about(session, ever=ever)),
        Facts(rows),
        *([] if face is None else [Sentence(face_told(solved.ends["win"], face))]),
        Spread(bins(solved.nets, MINOR, 20)),
    ]


def face_told(rail: float, face: float, sessions: int = 0) -> str:
    """How often a stop-win is met as it is counted, and at face.

    >>> face_told(0.4909, 0.5043)
    'stop-win on the rail 49.0900%, at face 50.4300%: contracts still up count there (--count face)'
    """
    where = f" in {_many(sessions, 'session')}" if sessions else ""
    digits = 2 if sessions else 4
    return (
        f"stop-win on the rail {rail:.{digits}%}, at face {face:.{digits}%}{where}: "
        "contracts still up count there (--count face)"
    )


def comparison(compared: Comparison) -> list[Part]:
    """Several strategies side by side, and pair by pair on the same dice."""
    heads = ("strategy", "net", "± error", "deviation", "broke", "ahead", "staked", "loss/hour")
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
    title = "Differences of the nets, session by session (95% interval)"
    return [
        Sentence(f"{first.sessions:,} sessions on the same dice, seed {first.seed}"),
        Sentence(about(first.session)),
        grid("", heads, rows),
        grid(title, ("pair", "mean", "from", "to", "first better", "even"), pairs),
        *(Sentence(f"{each.strategy}: played by {each.executor}") for each in compared.results),
    ]
