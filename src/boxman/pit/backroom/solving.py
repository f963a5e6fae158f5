"""Best play that a page asks for: checked here, solved by a worker in the backroom's queue."""

from __future__ import annotations

from typing import Literal

import msgspec
from fastapi import APIRouter, HTTPException, Request
from pydantic import BaseModel, ConfigDict, Field

from boxman.pit.backroom.simulations import MOST_MONEY, asker, backroom
from boxman.pit.web.api.houses import Pairs, layout_of
from boxman.pit.web.costs import READING
from boxman.solve.goals import MOST_ROLLS, Goal, Hourly, Last, NotSolvable, Reach, sensible
from boxman.solve.menu import DEFAULT, MENU_ACTS, ODDS, MenuError, menu_of
from boxman.strategy.session import Session, SessionError
from boxman.words import phrase, spoken

solving = APIRouter(prefix="/api/solve", tags=["solve"])
Data = dict[str, object]
SECONDS = 120
"""The first question on a machine compiles for some fifteen of them."""
BUDGET = 400_000
"""Acts that a page may have looked at: about ten seconds."""
WORDS = 300


class SolveOrder(BaseModel):
    """A question of best play; amounts in minor units."""

    model_config = ConfigDict(extra="forbid")
    house: str = Field(max_length=80)
    settings: dict[str, str] = {}
    bankroll: int = Field(30_000, gt=0, le=MOST_MONEY)
    chip: int = Field(100, gt=0, le=10**6)
    minimum: int = Field(0, ge=0, le=MOST_MONEY)
    maximum: int = Field(0, ge=0, le=MOST_MONEY)
    """Where none are named, the least usual limits at which no wager favours the player."""
    goal: Literal["reach", "ahead", "last", "hourly"] = "reach"
    target: int = Field(0, ge=0, le=MOST_MONEY)
    rolls: int = Field(0, ge=0, le=MOST_ROLLS)
    risk: int = Field(0, ge=0, le=MOST_MONEY)
    menu: str = Field("", max_length=WORDS)
    stakes: str = Field("", max_length=WORDS)

    def wanted(self) -> Goal:
        """The goal, or why it is none."""
        if self.goal in ("last", "hourly") and not self.risk:
            raise NotSolvable(phrase("solve.goals.say-risk"))
        if self.goal in ("last", "ahead") and not self.rolls:
            raise NotSolvable(phrase("solve.goals.say-rolls"))
        found: Goal
        if self.goal == "last":
            found = Last(self.rolls, self.risk)
        elif self.goal == "hourly":
            found = Hourly(self.risk)
        elif self.goal == "ahead":
            found = Reach(self.bankroll + self.chip, self.rolls, True)
        else:
            found = Reach(self.target, self.rolls)
        return sensible(found, self.bankroll)


@solving.get("/menu", openapi_extra=READING)
def offered(house: str, set: Pairs = None) -> Data:
    """The wagers of a house that best play can be solved over, and the acts besides."""
    layout = layout_of(house, set)
    families: dict[str, str] = {}
    for spot in layout.spots.values():
        if spot.gate is None and not spot.behind and spot.windows["make"].value != "never":
            word = spot.family.removesuffix(".*")
            name = word.replace("_", " ").capitalize() if spot.number else spot.name
            families.setdefault(word, name)
    wagers = [{"word": word, "name": name} for word, name in families.items()]
    spots = {spot.id: spot.name for spot in layout.spots.values()}
    return {
        "wagers": wagers,
        "spots": spots,
        "odds": ODDS,
        "acts": list(MENU_ACTS),
        "chosen": list(DEFAULT),
    }


@solving.post("", openapi_extra=READING, status_code=202)
def solve(asked: SolveOrder, request: Request) -> Data:
    """Ask for best play; look at it by its id, among the simulations."""
    pairs = [f"{name}={value}" for name, value in asked.settings.items()]
    layout = layout_of(asked.house, pairs, asked.chip)
    try:
        session = Session(
            house=asked.house,
            settings=asked.settings,
            bankroll=asked.bankroll,
            chip=asked.chip,
            minimum=asked.minimum,
            maximum=asked.maximum,
        )
        goal = asked.wanted()
        menu_of(layout, asked.menu, asked.stakes, minimum=session.minimum, most=session.maximum)
    except (SessionError, NotSolvable, MenuError) as error:
        raise HTTPException(422, str(error)) from None
    question = {
        "session": msgspec.to_builtins(session),
        "goal": msgspec.to_builtins(goal),
        "menu": asked.menu,
        "stakes": asked.stakes,
        "budget": BUDGET,
        "language": spoken(),
    }
    return backroom.take(question, *asker(request), seconds=SECONDS).told()
