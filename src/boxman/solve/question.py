"""A question as people ask it, its model, and the answer: `solve(...)`.

It puts the parts together: session, goal, menu, model, proof of independence, values, certificate.
What an answer says and shows is in answer.py.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import partial
from time import process_time
from typing import Unpack

import msgspec

from boxman.chips import parse_amount
from boxman.solve.answer import Answer
from boxman.solve.budget import FittingMenu, TooManyActs
from boxman.solve.goals import Goal, Hourly, Last, NotSolvable, Reach, sensible
from boxman.solve.iterate import for_ever, for_the_hour, nothing_at_risk, within
from boxman.solve.menu import AT_MOST, DEFAULT, ODDS, ladder, menu_of, read_menu
from boxman.solve.model import MOST_ACTS, Model, shooting
from boxman.solve.pieces import Pieces
from boxman.solve.proof import independent
from boxman.strategy.session import GUEST_SHOOTS, Session, TableOptions, opened, session
from boxman.words import phrase

Amount = int | str | Decimal
TRIED = 10
"""A menu that is tried only to be proposed has so small a part of the budget, except with a single
stake: refusing takes not much longer than what was refused."""


def goal_of(
    bankroll: int,
    chip: int,
    *,
    reach: Amount = 0,
    rolls: int = 0,
    last: int = 0,
    ahead: int = 0,
    at_least: Amount = 0,
    hourly: bool = False,
    rolls_per_hour: int = 100,
) -> Goal:
    """What is wanted, from the words of the command line; exactly one goal."""
    asked = [name for name, given in (("reach", reach), ("last", last), ("ahead", ahead)) if given]
    asked += ["hourly"] if hourly else []
    if len(asked) != 1:
        if asked:
            raise NotSolvable(phrase("solve.goals.several", asked=tuple(asked)))
        raise NotSolvable(phrase("solve.goals.none"))
    risk = parse_amount(str(at_least)) if at_least else 0
    if rolls and not reach:
        raise NotSolvable(phrase("solve.goals.rolls-with-reach", goal=asked[0]))
    if risk and not (hourly or last):
        raise NotSolvable(phrase("solve.goals.risk-with-last", goal=asked[0]))
    if hourly or last:
        if not risk:
            raise NotSolvable(phrase("solve.goals.no-risk", goal=asked[0]))
        goal: Goal = Hourly(risk, rolls_per_hour) if hourly else Last(last, risk)
    elif ahead:
        goal = Reach(bankroll + chip, ahead, True)
    else:
        goal = Reach(parse_amount(str(reach)), rolls)
    return sensible(goal, bankroll)


def solve_session(
    played: Session,
    goal: Goal,
    menu: str = "",
    stakes: str = "",
    *,
    budget: int = MOST_ACTS,
    keep: bool = True,
    progress: Callable[[str], None] | None = None,
) -> Answer:
    """The best play of a session's bankroll for a goal, with its certificate.

    `keep` holds the acts of every roll where rolls are limited: a policy needs them.
    """
    began = process_time()
    if budget < 1:
        raise NotSolvable(phrase("solve.not.no-budget", budget=f"{budget:,}"))
    layout, _ = opened(played)
    if isinstance(goal, Reach):
        most = goal.target - layout.chip
    else:
        assert isinstance(goal, Last | Hourly)
        most = 4 * goal.risk
    chosen = menu_of(layout, menu, stakes, minimum=played.minimum, most=min(most, played.maximum))
    if isinstance(goal, Last | Hourly) and not stakes:
        chosen = menu_of(
            layout, menu, "", minimum=_risked(played, goal), most=_risked(played, goal)
        )
    # Who throws changes no ruling on a wager, only which felts are thrown at all.
    pieces = Pieces(msgspec.structs.replace(played, shooter=GUEST_SHOOTS), chosen)
    forever = isinstance(goal, Reach) and not goal.rolls
    risk = 0 if isinstance(goal, Reach) else goal.risk
    rail = goal.target - 1 if isinstance(goal, Reach) else 10**9
    alone = None if played.shooter == GUEST_SHOOTS else shooting(layout)
    made = partial(Model, most=rail, least_risk=risk, forever=forever, shooting=alone)
    try:
        model = made(pieces, budget=budget, progress=progress)
    except TooManyActs as error:
        fits = _fitting(
            *(made, budget, pieces, menu),
            *(max(played.minimum, risk), min(most, played.maximum)),
        )
        raise TooManyActs(error.why, fits) from None
    if not risk and not model.need.any():
        raise NotSolvable(phrase("solve.not.no-stake", menu=chosen.words()))
    answer = Answer(session=played, goal=goal, model=model)
    answer.agreed = independent(model)
    if isinstance(goal, Hourly):
        answer.hour = for_the_hour(model)
    elif isinstance(goal, Last):
        top = goal.rolls * _sure(model) + 1
        answer.values = within(
            *(model, played.bankroll, top, goal.rolls), lasting=True, keep=keep, told=progress
        )
    elif goal.rolls:
        answer.values = within(
            model, played.bankroll, goal.target, goal.rolls, keep=keep, told=progress
        )
    else:
        answer.values = for_ever(model, played.bankroll, goal.target, told=progress)
    answer.seconds = process_time() - began
    return answer


def _fitting(
    made: Callable[..., Model], budget: int, pieces: Pieces, menu: str, least: int, most: int
) -> FittingMenu | None:
    """A menu near the one that was too large that fits into the budget; it is tried."""
    layout = pieces.layout

    def takes_odds(words: str) -> bool:
        return any(layout.spots[name].behind for name in read_menu(layout, words)[0])

    first = next(n for n in read_menu(layout, menu)[0] if layout.spots[n].behind is None)
    alone = f"{first},{ODDS}" if takes_odds(menu) and takes_odds(f"{first},{ODDS}") else first
    for words in dict.fromkeys((menu or ",".join(DEFAULT), alone)):
        odds = takes_odds(words)
        for count in (5, 2, 1):
            amounts = ladder(layout, read_menu(layout, words)[0], least, most, count)
            stakes = f"{amounts} {ODDS}={AT_MOST}" if odds else amounts
            chosen = menu_of(layout, words, stakes, minimum=least, most=most)
            tried = budget if count == 1 else budget // TRIED
            try:
                found = made(Pieces(pieces.session, chosen), budget=tried)
            except NotSolvable:
                continue
            told = phrase("solve.not.fits", menu=words, stakes=stakes, acts=f"{found.acts:,}")
            return FittingMenu(words, stakes, told)
    return None


def _risked(played: Session, goal: Last | Hourly) -> int:
    """What a stake has to be for one wager to be risk enough."""
    return max(played.minimum, goal.risk)


def _sure(model: Model) -> int:
    """What one more roll costs at most with the cheapest acts: with it for every roll all last."""
    most = 0
    for number, position in enumerate(model.positions):
        needs = model.need[model.first[number] : model.first[number + 1]]
        if not len(needs):
            raise NotSolvable(nothing_at_risk(position.puck))
        most = max(most, int(needs.min()))
    return most


def solve(
    house: str = "",
    menu: str = "",
    stakes: str = "",
    budget: int = MOST_ACTS,
    progress: Callable[[str], None] | None = None,
    *,
    reach: Amount = 0,
    rolls: int = 0,
    last: int = 0,
    ahead: int = 0,
    at_least: Amount = 0,
    hourly: bool = False,
    **options: Unpack[TableOptions],
) -> Answer:
    """How to play a table best, and how good that is; amounts as people write them.

    `options` are those of a session: bankroll, minimum, maximum, chip, settings, shooter,
    rolls_per_hour. Where no limits are named they are the least at which no wager favours the
    player.
    """
    played = session(house, **options)
    goal = goal_of(
        played.bankroll,
        played.chip,
        reach=reach,
        rolls=rolls,
        last=last,
        ahead=ahead,
        at_least=at_least,
        hourly=hourly,
        rolls_per_hour=played.rolls_per_hour,
    )
    return solve_session(played, goal, menu, stakes, budget=budget, progress=progress)
