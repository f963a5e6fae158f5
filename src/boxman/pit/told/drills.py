"""Dealer school: questions made from a house's rulebook, and the engine's answers with clauses.

A drill is a pure function of house, kind and seed, so the server remembers nothing: an answer is
judged by making the same question again. What is right is what the table would do; the calls that
led to the question are kept, so that anybody can play them again.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Annotated, Literal, NamedTuple

from fastapi import APIRouter, HTTPException, Query
from pydantic import BaseModel, ConfigDict, Field

from boxman.chips import AmountError, parse_amount
from boxman.chips import format_amount as money
from boxman.dice import ROLLS, Roll
from boxman.pit.told.aids import felt_view, thrown, worth
from boxman.pit.told.clauses import clauses_told, sentences
from boxman.pit.told.cloth import CLOTH_PROPS
from boxman.pit.told.throws import good, seen
from boxman.pit.web.api.houses import book_of, layout_of
from boxman.pit.web.costs import READING
from boxman.rules.layout import Layout, Posted
from boxman.table.automatic import CLOSING, calling, rolled
from boxman.table.call import CREW
from boxman.table.calls import Bet, BuyIn, Call, TakeDown
from boxman.table.floor.powers import station_name
from boxman.table.floor.throws import needs_close
from boxman.table.markers import works
from boxman.table.opening import new_table
from boxman.table.ruling import rule
from boxman.table.rulings import Ruling
from boxman.table.said.menu import Choice, menu
from boxman.table.state import Rolled, Settled, Table
from boxman.words import phrase
from boxman.words.amounts import in_money

drills = APIRouter(prefix="/api/drills", tags=["drills"])
Data = dict[str, object]
Kind = Literal["payout", "prop", "down", "noroll", "authority"]
KINDS: tuple[Kind, ...] = ("payout", "prop", "down", "noroll", "authority")
LEVELS: dict[int, tuple[int, int]] = {1: (1, 1), 2: (2, 3), 3: (3, 99)}
"""How many wagers a payout decides, by level; without one, mostly several."""
PROPS = frozenset(each["at"] for each in CLOTH_PROPS)
WHO = "ann"
CHIP, LEAST, MOST, PURSE = 100, 500, 50_000, 500_000
TRIES = 200
NOTHING = re.compile(r"0+(\.0{1,2})?")
SEED = 2**32

COUNTS = "never"
EFFECTS = ("void", "must", "may", COUNTS)
"""What a ground does to a throw, as answers to choose from; all of them at every house."""


class Drill(NamedTuple):
    """A question with its table, its answer and what the answer rests on."""

    question: str
    answer: str
    layout: Layout
    table: Table | None = None
    ruling: Ruling | None = None
    options: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    roll: Roll | None = None
    told: str = ""
    story: tuple[Call, ...] = ()
    """Everything said at the table up to the question."""
    cause: str = ""


class Given(BaseModel):
    """An answer to judge."""

    model_config = ConfigDict(extra="forbid")
    house: str = Field(max_length=80)
    kind: Kind
    seed: int = Field(ge=0, lt=SEED)
    level: int = Field(0, ge=0, le=3)
    answer: str = Field(max_length=80)


@drills.get("/{house}", openapi_extra=READING)
def ask(
    house: str,
    kind: Kind = "payout",
    seed: int = Query(0, ge=0, lt=SEED, description="The same seed asks the same question."),
    level: Annotated[int, Query(ge=0, le=3, description="How many wagers a payout decides.")] = 0,
) -> Data:
    """A question; nothing of its answer."""
    drill = make(house, kind, seed, level)
    data: Data = {"house": house, "kind": kind, "seed": seed, "level": level}
    data["question"] = drill.question
    data["options"] = list(drill.options)
    data["roll"] = [drill.roll.first, drill.roll.second] if drill.roll else None
    data["view"] = felt_view(drill.layout, drill.table, WHO) if drill.table else None
    data["stakes"] = _stakes(drill.layout, drill.table) if drill.table else ""
    return data


def _puck(table: Table) -> str:
    if not table.puck:
        return phrase("pit.school.puck-off")
    return phrase("pit.school.puck-on", puck=table.puck)


def _stakes(layout: Layout, table: Table) -> str:
    """What lies there, for those who do not see the felt."""
    lying = [
        f"{layout.spots[wager.spot].name} {in_money(layout.currency, wager.stake)}"
        + (
            ""
            if works(layout.spots[wager.spot], wager, table.puck)
            else f" ({phrase('pit.school.off')})"
        )
        for wager in table.seats[WHO].wagers.values()
    ]
    return phrase(
        "pit.school.the-puck-is",
        what=_puck(table),
        lying=", ".join(lying),
    )


@drills.post("/answer", openapi_extra=READING)
def judge(given: Given) -> Data:
    """Whether an answer is right, what is, and the clauses that say so."""
    drill = make(given.house, given.kind, given.seed, given.level)
    book = book_of(given.house)
    said, answer = given.answer.strip(), drill.answer
    if not drill.options:
        currency = drill.layout.currency
        said, answer = (_shown(_amount(text), currency) for text in (said, answer))
    elif said not in drill.options:
        raise HTTPException(
            422, phrase("pit.school.the-answers-are", options="; ".join(drill.options))
        )
    if drill.ruling is not None and drill.table is not None:
        ruling = drill.ruling
        told = sentences(drill.layout, ruling.decisions, ruling.warnings, drill.table)
        if (no := ruling.refusal) is not None:
            told.insert(
                0,
                {
                    "text": phrase("pit.school.refused", sentence=no.sentence),
                    "clauses": list(no.cites),
                },
            )
    else:
        told = [{"text": drill.told, "clauses": list(drill.cites)}]
    right = said == answer
    return {
        "right": right,
        "verdict": phrase("pit.school.right", answer=answer)
        if right
        else phrase("pit.school.not-quite-you-said", said=said, answer=answer),
        "sentences": told,
        "clauses": clauses_told(book, told),
    }


def _amount(text: str) -> int:
    """An amount as people write it; what is none is asked for again, not judged."""
    plain = text.replace("−", "-").replace(",", "").replace(" ", "")
    minus = plain.startswith("-")
    digits = plain.lstrip("+-").lstrip("S").lstrip("$")
    if NOTHING.fullmatch(digits):
        return 0  # no stake is nothing, but a result may be
    try:
        amount = parse_amount(digits)
    except AmountError:
        raise HTTPException(422, phrase("pit.school.is-no-amount-write", text=text[:20])) from None
    return -amount if minus else amount


def _shown(amount: int, currency: str) -> str:
    sign = "+" if amount > 0 else "−" if amount else ""
    return f"{sign}{in_money(currency, abs(amount))}"


def make(house: str, kind: Kind, seed: int, level: int = 0) -> Drill:
    """The drill of this house, kind, seed and level; 422 where the rulebook has none such."""
    layout = layout_of(house, None, CHIP)
    dice = Random(f"{house} {kind} {seed}{f' {level}' if level else ''}")
    drill = _made(layout, dice, kind, level)
    if drill is None:
        raise HTTPException(422, phrase("pit.school.nothing-to-ask", house=layout.title))
    return drill


def _made(layout: Layout, dice: Random, kind: Kind, level: int) -> Drill | None:
    if kind == "noroll":
        return _no_roll(layout, dice)
    if kind == "payout":
        return _first(lambda: _payout(layout, dice, level))
    if kind == "prop":
        return _first(lambda: _prop(layout, dice, level))
    # As often no as yes, or the answer could be guessed; a house may know one of them only.
    answer, other = dice.sample(("yes", "no"), 2)
    if kind == "authority":
        return _authority(layout, dice, answer) or _authority(layout, dice, other)
    return _first(lambda: _down(layout, dice, answer)) or _first(lambda: _down(layout, dice, other))


def _first(attempt: Callable[[], Drill | None]) -> Drill | None:
    return next(filter(None, (attempt() for _ in range(TRIES))), None)


class _Play:
    """A table some rolls into a hand, with wagers that a player might have, and its story."""

    def __init__(self, layout: Layout, dice: Random, only: frozenset[str] | None = None) -> None:
        self.layout, self.dice, self.only = layout, dice, only
        self.table = new_table(layout, Posted(minimum=LEAST, maximum=MOST))
        self.story: list[Call] = []
        self.say(BuyIn(seat=WHO, amount=PURSE))
        if only is None:
            self._some_rolls()

    def _some_rolls(self) -> None:
        dice = self.dice
        for turn in range(dice.randint(1, 4)):
            for _ in range(dice.randint(1, 3)):
                self.bet()
            if turn:
                roll = dice.choice(ROLLS)
                self.close()
                self.say(calling(roll))
        self.bet()

    def say(self, call: Call) -> None:
        ruling = rule(self.layout, self.table, call)
        assert ruling.accepted, f"{call} in a drill is refused: {ruling.refusal}"
        self.table = ruling.after
        self.story.append(call)

    def close(self) -> None:
        if needs_close(self.layout):
            self.say(CLOSING)

    def bet(self) -> None:
        # By kind first: a layout has six place bets for one line, and players do not.
        kinds: dict[str, list[Choice]] = {}
        for choice in menu(self.layout, self.table, WHO).choices.values():
            place = self.layout.spots[choice.spot].kind.place
            if self.only is not None and place not in self.only:
                continue
            if choice.bet and not choice.parts:
                kinds.setdefault(self.layout.spots[choice.spot].family, []).append(choice)
        if not kinds:
            return
        choice = self.dice.choice(self.dice.choice(list(kinds.values())))
        low, high, step = choice.bet[0]
        amount = low + step * self.dice.randint(0, min(6, (high - low) // step))
        self.say(Bet(seat=WHO, spot=choice.spot, amount=amount))


def _payout(layout: Layout, dice: Random, level: int) -> Drill | None:
    return _paid(layout, dice, _Play(layout, dice), level)


def _prop(layout: Layout, dice: Random, level: int) -> Drill | None:
    """One to three propositions, one of which wins."""
    play = _Play(layout, dice, PROPS)
    for _ in range(level or dice.randint(1, 2)):
        play.bet()
    found = _paid(layout, dice, play, 0)
    won = found is not None and found.ruling is not None and found.ruling.decisions
    paid = [each for each in won or () if isinstance(each, Settled) and each.paid]
    return found if paid else None


def _paid(layout: Layout, dice: Random, play: _Play, level: int) -> Drill | None:
    play.close()
    table, roll = play.table, dice.choice(ROLLS)
    ruling = rolled(layout, table, roll)
    decided = [each for each in ruling.decisions if isinstance(each, Settled)]
    if level:
        least, most = LEVELS[level]
        if not least <= len(decided) <= most:
            return None
    elif len(decided) < 2 and not (decided and dice.random() < 1 / 4):
        return None
    net = worth(ruling.after.seats[WHO]) - worth(table.seats[WHO])
    question = phrase("pit.school.the-roll-is-what", roll=roll, who=WHO)
    answer = f"{'-' if net < 0 else ''}{money(abs(net))}"
    return Drill(question, answer, layout, table, ruling, roll=roll, story=tuple(play.story))


def _authority(layout: Layout, dice: Random, answer: str) -> Drill | None:
    """Somebody of the crew and something to do: whether the house gives that power."""
    duties = layout.procedure
    # A house that names nobody has the stations of every table.
    roles = {station: station_name(layout, station) for station in duties.roles or CREW}
    asked = [
        (name, station, reasons[""])
        for name, reasons in duties.powers.items()
        if "" in reasons
        for station in roles
        if (station in reasons[""].given) == (answer == "yes")
    ]
    if not asked:
        return None
    name, station, power = dice.choice(asked)
    told = phrase(
        "pit.school.given",
        who=[station_name(layout, each) for each in power.given],
        power=phrase(f"powers.{name}"),
    )
    return Drill(
        phrase("pit.school.may", role=roles[station], power=phrase(f"powers.{name}")),
        phrase(f"pit.school.{answer}"),
        layout,
        options=_yes_or_no(),
        cites=power.given.get(station, power.cites),
        told=told,
        cause=f"{name}/{station}",
    )


def _down(layout: Layout, dice: Random, answer: str) -> Drill | None:
    play = _Play(layout, dice)
    table, wagers = play.table, play.table.seats[WHO].wagers
    rulings = {spot: rule(layout, table, TakeDown(seat=WHO, spot=spot)) for spot in sorted(wagers)}
    fitting = [spot for spot, each in rulings.items() if each.accepted == (answer == "yes")]
    if not fitting:
        return None
    spot = dice.choice(fitting)
    puck = _puck(table)
    stake = in_money(layout.currency, wagers[spot].stake)
    question = phrase(
        "pit.school.the-puck-is-may", puck=puck, who=WHO, spots=layout.spots[spot].name, stake=stake
    )
    story = (*play.story, TakeDown(seat=WHO, spot=spot))
    said = phrase(f"pit.school.{answer}")
    return Drill(question, said, layout, table, rulings[spot], _yes_or_no(), story=story)


def _yes_or_no() -> tuple[str, str]:
    return phrase("pit.school.yes"), phrase("pit.school.no")


def _no_roll(layout: Layout, dice: Random) -> Drill:
    """A throw and what it is; each kind of answer this house has comes as often as the others."""
    causes = layout.procedure.causes
    kinds = dict.fromkeys((*(cause.effect for cause in causes.values()), COUNTS))
    effect = dice.choice([each for each in EFFECTS if each in kinds])
    grounds = sorted(name for name, cause in causes.items() if cause.effect == effect)
    if effect == COUNTS:
        # Grounds that are none are rare in the books and good throws are not.
        grounds = [*grounds, *[""] * max(2, len(grounds))]
    cause = dice.choice(grounds)
    if cause:
        words, cites = seen(layout, book_of(layout.house), cause), causes[cause].cites
    else:
        words, cites = good(dice), _plain_roll(layout)
    said = {each: phrase(f"pit.school.effects.{each}") for each in EFFECTS}
    told = f"{words} {said[effect]}."
    options = tuple(said.values())
    return Drill(
        phrase("pit.school.what-is-it", words=words),
        said[effect],
        layout,
        options=options,
        cites=cites,
        told=told,
        cause=cause,
    )


def _plain_roll(layout: Layout) -> tuple[str, ...]:
    """What a roll that nobody objects to rests on."""
    table = thrown(layout, new_table(layout, Posted(minimum=LEAST, maximum=MOST)))
    ruling = rolled(layout, table, Roll(4, 2))
    made = next(each for each in ruling.decisions if isinstance(each, Rolled))
    return tuple(made.cites)
