"""Throws as somebody at the table sees them: one sentence per ground of no roll, and good throws.

Rulebooks name the grounds by short words (`off-table`); people are told what happened. It knows
words only: what a ground does to a throw is the rulebook's to say.
"""

from __future__ import annotations

from boxman.rules.book import Book
from boxman.rules.layout import Layout

SEEN = {
    "bowl-or-rail": "One die comes to rest in the dice bowl.",
    "cheating": "The shooter is seen to use a cheating technique in the throw.",
    "die-on-die": "One die comes to rest on top of the other.",
    "end-missed": "The dice fly together but stop short: one of them never reaches an end.",
    "improper": "Somebody of the crew finds the throw improper, for a reason no other rule names.",
    "in-bowl": "One die comes to rest in the dice bowl.",
    "in-cup": "One die comes to rest in the dice cup.",
    "irregular": "Something irregular happens in the throw that no other rule names.",
    "irregular-throw": "Somebody of the crew finds the throw itself irregular.",
    "irregularity": "Something irregular happens that no other rule names.",
    "meddling": "A player puts out a hand on purpose and turns one of the dice.",
    "no-attempt": "The dice are only dropped: the crew sees no real attempt at a throw.",
    "no-end-struck": "The dice fly together, but one of them strikes no end of the table.",
    "no-fall": "One die is so thrown that nobody can say how it would have fallen.",
    "no-line-stake": "The shooter throws well, but has nothing on the line.",
    "not-together": "The dice leave the hand one after the other.",
    "off-table": "One die bounces off the table and lies on the floor.",
    "on-bank": "One die comes to rest on the bank's chips.",
    "on-chips": "One die comes to rest on top of a stack of chips.",
    "on-float": "One die comes to rest on the chips of the float.",
    "on-players-chips": "One die comes to rest on a player's chips.",
    "on-rail": "One die comes to rest on a rail of the table.",
    "out-of-sight": "A player moves the dice to where nobody can see them.",
    "short": "The dice are released together, but one of them stops short of the end.",
    "stacked": "One die comes to rest on top of the other.",
    "touched-bank": "A die strikes the bank's chips and rolls on; both lie flat on the cloth.",
    "touched-chips": "A die strikes a player's chips and rolls on; both lie flat on the cloth.",
    "two-hands": "The shooter shakes and throws the dice with both hands.",
    "unapproved-dice": "After the throw it is seen that the dice are not approved for the game.",
    "unclear-face": "One die is tilted so that nobody can say how it would have fallen.",
    "unreadable": "One die is so cocked that nobody can say how it would have fallen.",
    "wedged": "One die rests on chips with two of its faces.",
    "wrong-die": "After the throw it is seen that one die is not approved for the game.",
    "wrong-hand": "Somebody who is not the shooter picks up the dice and throws them.",
    "wrong-thrower": "Somebody who is not the shooter picks up the dice and throws them.",
}
"""What one sees, by the word rulebooks have for it."""

GOOD = (
    "Both dice leave the hand together, strike the far end and lie flat on the cloth.",
    "The dice strike the far end, and one rolls all the way back before it lies flat.",
    "The dice strike the far end, knock against each other and lie flat side by side.",
    "The dice fly together and high, strike the far end and lie flat on the line.",
    "The dice strike the far end and come to rest flat, one at each end of the layout.",
    "The shooter blows on the dice, throws them with one hand to the far end; they lie flat.",
)
"""Throws with which nothing is wrong in any house."""


def seen(layout: Layout, book: Book, cause: str) -> str:
    """What somebody at the table sees; a word we do not know is told by its clause's title."""
    if cause in SEEN:
        return SEEN[cause]
    title = book.clauses[layout.procedure.causes[cause].cites[0]].title
    return f"{title.rpartition(': ')[2].capitalize()}."
