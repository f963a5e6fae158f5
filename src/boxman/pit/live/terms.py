"""What no rulebook speaks of but a live table needs: terms of the house, with ids to cite.

A refusal of the pit cites one of these, as a refusal of the game cites a clause.
"""

from __future__ import annotations

from typing import NamedTuple

from boxman.journal import editions


class Term(NamedTuple):
    """One term of the house."""

    title: str
    text: str


STATION = "pit-station"
SECOND = "pit-second-person"
DICE = "pit-dice"
ENTROPY = "pit-own-words"
CAGE = "pit-cage"
LOSS = "pit-own-loss-limit"
TIME = "pit-own-time-limit"
PAUSE = "pit-time-out"
EXCLUDED = "pit-self-exclusion"
SEAT = "pit-seat"
LEAVING = "pit-leaving"
PAIR = "pit-two-people"
EDITION = editions.TERM

TERMS: dict[str, Term] = {
    STATION: Term(
        "Who speaks",
        "Everybody at a live table speaks from a station; what a station may say at all is listed, "
        "and what it may decide is the rulebook's.",
    ),
    SECOND: Term(
        "A second person",
        "Where the house chooses so for a table, a call that takes back or voids a settled roll "
        "waits until a second member of the crew agrees. It never delays the settling of a roll.",
    ),
    DICE: Term(
        "The dice of a live table",
        "The house's dice are fixed by a secret whose hash is shown before a shooter's first bet "
        "and which is shown when the shooter is out. Their faces cannot be overruled: a throw that "
        "must not count is voided, on a ground that the rulebook names. Dice thrown by hand are "
        "entered by the "
        "stickperson and count when the boxperson saw the same faces.",
    ),
    ENTROPY: Term(
        "A player's own words",
        "Until the first throw of a hand anybody seated may add words that the dice of that hand "
        "then depend on.",
    ),
    CAGE: Term(
        "The cage",
        "Chips are play money. The cage issues them to a person and takes them back; nobody buys "
        "in for more than the cage has issued to him.",
    ),
    LOSS: Term(
        "A player's own loss limit",
        "A player who set himself a limit cannot stake what could take a day's losses past it.",
    ),
    TIME: Term(
        "A player's own time limit",
        "A player who set himself a time for a day takes no new wager when it is up; wagers that "
        "are up are played out.",
    ),
    PAUSE: Term(
        "Time-out",
        "A player who asked for a pause takes no seat and makes no wager until it is over.",
    ),
    EXCLUDED: Term(
        "Self-exclusion",
        "A player who excluded himself takes no seat and makes no wager until the time he named "
        "is over; nobody shortens it.",
    ),
    SEAT: Term(
        "Seats",
        "A person has one seat at a table, under a name that nobody else has there.",
    ),
    LEAVING: Term(
        "Leaving with wagers up",
        "Chips on the rail of somebody who leaves go back to him at once. His wagers stand until "
        "they are decided; a winner does not stay up, what it brings goes back to him too, and the "
        "seat is free when nothing of his is up. Until then he makes no wager and changes none; "
        "buying in brings him back.",
    ),
    PAIR: Term(
        "What two people do",
        "What a rulebook gives to two stations is done by two people: at a live table nobody "
        "confirms from one station what he did himself from another. At a practice table one "
        "person may work every station.",
    ),
    EDITION: Term(
        "The edition of a table",
        "A table goes by the text of the rulebook that it was opened with, whatever the house says "
        "later. Where that text cannot be compiled any more, nothing can be ruled on: the table is "
        "settled, every wager and every chip back to its owner, and closed.",
    ),
}
