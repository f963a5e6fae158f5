"""Dealer school: questions made from a house's rulebook, and the engine's answers with clauses.

A drill is a pure function of house, kind and seed, so the server remembers nothing: an answer is
judged by making the same question again. What is right is what the table would do.
"""

from __future__ import annotations

from random import Random
from typing import Any, Literal, NamedTuple

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from boxman.chips import AmountError, parse_amount
from boxman.chips import format_amount as money
from boxman.dice import ROLLS, Roll
from boxman.pit.aids import STICK, felt_view, thrown, worth
from boxman.pit.explained import clauses_told, sentences
from boxman.pit.houses import book_of, layout_of
from boxman.rules.layout import Layout, Posted
from boxman.table.calls import Bet, BuyIn, CallRoll, TakeDown
from boxman.table.menu import menu
from boxman.table.opening import new_table
from boxman.table.ruling import rule
from boxman.table.rulings import Ruling
from boxman.table.state import Settled, Table

drills = APIRouter(prefix="/api/drills", tags=["drills"])
Data = dict[str, Any]
Kind = Literal["payout", "down", "noroll"]
KINDS: tuple[Kind, ...] = ("payout", "down", "noroll")
WHO = "ann"
CHIP, LEAST, MOST, PURSE = 100, 500, 50_000, 500_000
TRIES = 200
SEED = 2**32

EFFECTS = {
    "void": "No roll by itself, whoever calls it",
    "must": "No roll: the crew has to call it",
    "may": "No roll if the crew calls it",
    "never": "Never a ground for no roll",
}
"""What a cause does to a throw, as answers to choose from."""


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


class Given(BaseModel):
    """An answer to judge."""

    house: str = Field(max_length=80)
    kind: Kind
    seed: int = Field(ge=0, lt=SEED)
    answer: str = Field(max_length=80)


@drills.get("/{house}")
def ask(
    house: str,
    kind: Kind = "payout",
    seed: int = Query(0, ge=0, lt=SEED, description="The same seed asks the same question."),
) -> Data:
    """A question; nothing of its answer."""
    drill = make(house, kind, seed)
    data: Data = {"house": house, "kind": kind, "seed": seed, "question": drill.question}
    data["options"] = list(drill.options)
    data["roll"] = [drill.roll.first, drill.roll.second] if drill.roll else None
    data["view"] = felt_view(drill.layout, drill.table, WHO) if drill.table else None
    return data


@drills.post("/answer")
def judge(given: Given) -> Data:
    """Whether an answer is right, what is, and the clauses that say so."""
    drill = make(given.house, given.kind, given.seed)
    book = book_of(given.house)
    if drill.ruling is not None and drill.table is not None:
        ruling = drill.ruling
        told = sentences(drill.layout, ruling.decisions, ruling.warnings, drill.table)
        if (no := ruling.refusal) is not None:
            told.insert(0, {"text": f"Refused: {no.sentence}.", "clauses": list(no.cites)})
    else:
        told = [{"text": drill.told, "clauses": list(drill.cites)}]
    return {
        "right": _same(given.kind, given.answer, drill.answer),
        "answer": drill.answer,
        "sentences": told,
        "clauses": clauses_told(book, told),
    }


def _same(kind: Kind, given: str, answer: str) -> bool:
    if kind != "payout":
        return given.strip().lower() == answer.lower()
    text = given.strip().replace("−", "-").replace(",", "").lstrip("+$S")
    sign = -1 if text.startswith("-") else 1
    try:
        amount = sign * parse_amount(text.lstrip("-$"))
    except AmountError:
        return False
    wanted = -parse_amount(answer.lstrip("-")) if answer.startswith("-") else parse_amount(answer)
    return amount == wanted


def make(house: str, kind: Kind, seed: int) -> Drill:
    """The drill of this house, kind and seed."""
    layout = layout_of(house, None, CHIP)
    dice = Random(f"{house} {kind} {seed}")
    if kind == "noroll":
        return _no_roll(layout, dice)
    for _ in range(TRIES):
        drill = (_payout if kind == "payout" else _down)(layout, dice)
        if drill is not None:
            return drill
    raise AssertionError("a table with wagers makes a drill in two hundred tries")


def _played(layout: Layout, dice: Random) -> Table:
    """A table some rolls into a hand, with wagers that a player might have."""
    table = new_table(layout, Posted(minimum=LEAST, maximum=MOST))
    table = rule(layout, table, BuyIn(seat=WHO, amount=PURSE)).after
    for turn in range(dice.randint(1, 4)):
        for _ in range(dice.randint(1, 3)):
            table = _bet(layout, table, dice)
        if turn:
            roll = dice.choice(ROLLS)
            call = CallRoll(by=STICK, first=roll.first, second=roll.second)
            table = rule(layout, thrown(layout, table), call).after
    return _bet(layout, table, dice)


def _bet(layout: Layout, table: Table, dice: Random) -> Table:
    choices = [c for c in menu(layout, table, WHO).choices.values() if c.bet and not c.parts]
    if not choices:
        return table
    choice = dice.choice(choices)
    low, high, step = choice.bet[0]
    amount = low + step * dice.randint(0, min(6, (high - low) // step))
    return rule(layout, table, Bet(seat=WHO, spot=choice.spot, amount=amount)).after


def _payout(layout: Layout, dice: Random) -> Drill | None:
    table = thrown(layout, _played(layout, dice))
    roll = dice.choice(ROLLS)
    ruling = rule(layout, table, CallRoll(by=STICK, first=roll.first, second=roll.second))
    decided = [each for each in ruling.decisions if isinstance(each, Settled)]
    if len(decided) < 2 and not (decided and dice.random() < 1 / 4):
        return None
    net = worth(ruling.after.seats[WHO]) - worth(table.seats[WHO])
    question = f"The roll is {roll}. What does {WHO} win or lose in all?"
    answer = f"{'-' if net < 0 else ''}{money(abs(net))}"
    return Drill(question, answer, layout, table, ruling, roll=roll)


def _down(layout: Layout, dice: Random) -> Drill | None:
    table = _played(layout, dice)
    wagers = table.seats[WHO].wagers
    if not wagers:
        return None
    spot = dice.choice(sorted(wagers))
    ruling = rule(layout, table, TakeDown(seat=WHO, spot=spot))
    puck = f"on {table.puck}" if table.puck else "off"
    stake = money(wagers[spot].stake)
    name = layout.spots[spot].name
    question = f"The puck is {puck}. May {WHO}'s {name} of {stake} come down now?"
    answer = "no" if ruling.refusal else "yes"
    return Drill(question, answer, layout, table, ruling, options=("yes", "no"))


def _no_roll(layout: Layout, dice: Random) -> Drill:
    cause = dice.choice(sorted(layout.procedure.causes))
    rule_ = layout.procedure.causes[cause]
    effects = [e for e in EFFECTS if any(c.effect == e for c in layout.procedure.causes.values())]
    words = cause.replace("-", " ")
    question = f"A throw: {words}. What is it?"
    options = tuple(EFFECTS[each] for each in effects)
    told = f"{words[0].upper()}{words[1:]}: {EFFECTS[rule_.effect][0].lower()}"
    told += f"{EFFECTS[rule_.effect][1:]}."
    return Drill(
        question, EFFECTS[rule_.effect], layout, None, None, options, rule_.cites, None, told
    )
