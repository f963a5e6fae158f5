"""Whether a house can take a strategy: it must offer the wagers the strategy lives on.

A strategy has its needs in groups: of each group the house must offer one wager. Those of the
library need each of their wagers; a text needs one of those it bets on. What a function of Python
will bet on nobody can say before it has played.
"""

from __future__ import annotations

from boxman.rules.cites import join
from boxman.rules.layout import Layout
from boxman.strategy.api import Needs, Strategy, StrategyError
from boxman.strategy.library.policy import check_policy
from boxman.strategy.session import Session, opened
from boxman.words import phrase

SAID = {
    (True, False): "strategy.not-offered.each",
    (True, True): "strategy.not-offered.either",
    (False, False): "strategy.withheld.each",
    (False, True): "strategy.withheld.either",
}
"""By whether some of it is never offered, and whether one of several would do."""


def why_not(name: str, needs: Needs, layout: Layout) -> str:
    """Why a house cannot take a strategy with these needs, with its clauses; nothing if it can."""
    missing = [group for group in needs if not any(spot in layout.spots for spot in group)]
    if not missing:
        return ""
    spots = [spot for group in missing for spot in group]
    never = [spot for spot in spots if spot not in layout.withheld]
    cites = layout.listed if never else join(*(layout.withheld[spot] for spot in spots))
    clauses = "".join(f" {{{clause}}}" for clause in cites)
    either = any(len(group) > 1 for group in missing)
    key = SAID[bool(never), either]
    return phrase(key, strategy=name, spots=never or spots, house=layout.title, clauses=clauses)


def check_taken(strategy: Strategy, session: Session) -> None:
    """Refuse a strategy that this house cannot take, and a policy that was solved for another."""
    layout = opened(session)[0]
    reason = why_not(strategy.name, strategy.needs, layout)
    if reason:
        raise StrategyError(reason, fatal=True)
    check_policy(strategy, session, layout.digest)
