"""Where everything lies in the kernel's memory: one block of words for a seat, one for a house.

Both are flat arrays of 64-bit integers, so that compiled code needs nothing but two addresses. A
spot is its number in `strategy.spots`; those of a rulebook's own that a strategy names have places
behind them (`places`). Sets of spots are two words of 64 bits, low spots first.
This module knows no rule: only places, and the numbers that stand for verdicts and endings.
"""

from __future__ import annotations

from boxman.strategy.spots import SPOTS

MARKS_AT = 59
"""In the second word of a set: above the spots are marks."""
STRIDE = 64 + MARKS_AT
"""Words kept for a row of spots: those of every house, then those of a rulebook's own."""
OWN = STRIDE - len(SPOTS)
"""How many wagers of a rulebook's own have room."""
KINDS = 21
"""Rows kept for the kinds of roll; a house that looks at no faces uses fifteen."""
PUCKS = 13

# -- the seat: what one session is between two turns --------------------------------------------

CASH = 0
STATE = 1
"""The last roll, the puck and where the rows of that puck begin, in one word: see below."""
UP = 2
"""Spots with a wager (two words, the second with the marks below), and so on for other sets."""
ON = 4
"""Called on."""
OFF = 6
"""Called off."""
STAYS = 8
"""To stay up when they win."""
DECIDED = 10
"""Decided by the last roll."""
DECIDED_AT = 12
"""How many rolls there were when the last wager was decided."""
SHOOTERS = 13
"""Seven-outs so far."""
ROLLS = 14
"""The number of rolls so far."""
THROWN = 15
"""The number of rolls when something was last decided without, and with, a new shooter."""
ACTS = 17
"""Acts that came to the desk in the turn before so many rolls, which stand above them."""
BANKROLL = 20
WORTH = 21
"""Rail and stakes on the felt."""
STAKED = 22
"""Everything ever staked."""
LATCHED = 25
"""Gates that are shut, one bit a group."""
REMEDIED = 26
"""Line wagers made after the point only to be allowed to throw (low word of a set)."""
HOUSE = 29
"""Address of the house's words."""
REFUSED = 30
"""Address of the counts of refusals: by code, what was proposed, puck and spot."""
ACT, ASK, RULE, FIT, SETTLE, ROUND, FILL, FIND = 31, 32, 36, 37, 38, 39, 28, 27
"""Addresses of the functions of `desk`, which calls by address keep out of the quick ways."""
DESK = (ACT, ASK, RULE, FIT, SETTLE, ROUND, FILL, FIND)
SESSION = 24
"""The number of the session, for the first refusal of its kind."""
ERROR = 23
"""What went wrong in the strategy, where that is known."""
SHOOTING = 33
"""Whether the player himself has the dice."""
DRAWDOWN = 35
"""The deepest fall of the worth from its peak."""
STAKE = 40
COLLECTED = STAKE + STRIDE
"""What wagers with a memory have come to; 0 when they are made."""
FEE = COLLECTED + STRIDE
NET = FEE + STRIDE
"""What spots won, or lost (below 0), when they were last decided."""
BEFORE = NET + STRIDE
"""What lay on wagers that are to stay up."""
VARIABLES = BEFORE + STRIDE
"""The strategy's own variables begin here; everything before is the same for all strategies."""

TOTAL = 255
"""In the state: the total of the last roll, 0 before the first."""
HARD = 1 << 8
NEW_SHOOTER_AT = 9
NEW_SHOOTER = 1 << NEW_SHOOTER_AT
PUCK_AT = 16
ROWS_AT = 32
BYTE = 255
ACTED_AT = 32
ACTS_SEEN = (1 << ACTED_AT) - 1

COUNTED = 1 << MARKS_AT
"""In the second word of UP, marks for which a roll is looked at even if it decides nothing: what
could be taken down after it is counted;"""
EVER = 1 << 60
"""it changes the shooter (set in every seat, and in the rows of those rolls only);"""
HEEDED_AT = 61
WITH_CARE = 1 << 61
"""it is to be settled with care: markers, bonus wagers, winners that stay up;"""
SHOOTS = 1 << 62
"""the player throws himself, if he may;"""
SHORT = 1 << 63
"""the table refused a proposal for want of chips."""

# -- the house: rules, by (puck, kind), by (puck, spot), by spot ---------------------------------

CHIP = 0
ROUND_WIN = 1
ROUND_FEE = 2
LEAST = 3
"""The posted minimum."""
MOST = 4
LOWER_MULTIPLE = 5
"""A stake off the posted multiple is recognised only down to it when its win is not payable."""
LACKING = 6
"""What happens to a throw without a line wager."""
NOBODY = 7
"""What happens with nobody to throw."""
ELIGIBLE = 8
"""Spots that let a player throw."""
WORKS = 10
"""Working when nothing is called: two words with the puck off, two with it on."""
ODDS = 14
GATED = 16
CANCELLED = 18
"""Spots handed back when a point is cancelled."""
LAPSE = 20
"""Markers that end with a roll: (on, off) x (puck not turned, turned off, on) x two words."""
POINT_LASTS = 32
"""What a point of a player who shoots lasts as long as."""
ROLLED = 40
"""By (puck, kind), where nothing is called on or off: two words of spots that are decided or whose
odds sleep, with the marks, one of the latter, the state after the roll, where the cells of the row
begin, and two of all affected."""
ROLLED_WORDS = 8
TOUCHES, SLEEPS, SEEN, ITS_CELLS, AFFECTS = 0, 2, 3, 4, 5
CELLS = ROLLED + PUCKS * KINDS * ROLLED_WORDS
"""By (puck, kind, spot): a packed cell."""
TERMS = CELLS + PUCKS * KINDS * STRIDE
"""By (puck, spot): what a stake must satisfy."""
TERM_WORDS = 24
PLACES = TERMS + PUCKS * STRIDE * TERM_WORDS
"""By spot: everything that does not depend on the puck."""
PLACE_WORDS = 32
ROW_OF = PLACES + STRIDE * PLACE_WORDS
"""By roll: where its row lies among those of a puck."""
NUMBERS = ROW_OF + 36
"""By place of a rulebook's own wager: the number that strategies name it by, or 0."""
HOUSE_WORDS = NUMBERS + OWN
"""Behind them, by wager with a memory, what it pays by how much it has when it is ended."""

# terms
FLAGS = 0
MINIMUM = 1
MAXIMUM = 2
STEP = 3
UNIT = 4
MULTIPLE = 5
"""Refused off this multiple; 0 where it is only warned about."""
POSTED_MULTIPLE = 6
SHARE_STEP = 7
PAY_STEP = 8
LIFT = 9
"""Odds: stake * PER <= flat * LIFT."""
PER = 10
TIMES = 11
"""Odds: what the one payable stake above the limit is measured from, over PER."""
EXCESS_UNIT = 12
LOW = 13
"""Lowest, highest and step (as an exact test of divisibility) of stakes that pass every check."""
HIGH = 14
INVERSE = 15
TWOS = 16
QUOTIENT = 17
WHOLE_LOW = 18
"""The same range in whole currency units; low above high where no whole unit lies in it."""
WHOLE_HIGH = 19
WHOLE_STEP = 20
LEAST_ON_SIGN = 21
"""The lowest payable stake that is on what the sign asks for, and how far the next one is."""
GRID = 22
AMOUNT = 23
"""Odds: what a sign allows whatever the flat is."""

# flags of terms
OFFERED = 1
MAY_MAKE = 2
MAY_RAISE = 4
MAY_REDUCE = 8
MAY_REMOVE = 16
PLAIN = 32
"""LOW, HIGH and the divisibility test say everything about a stake."""
PLAIN_ODDS = 64
"""They do but for the flat behind."""
HAS_NUMBER = 128
"""Odds that have a number now."""
QUICK_MAKE = 256
"""Either of the two, and a new wager may be made now."""

# places
FAMILY = 0
FLAT = 1
"""The spot it stands behind, or -1."""
BEHIND = 2
"""The odds that stand behind it, or -1."""
FEE_NUM = 3
FEE_DEN = 4
FEE_AT = 5
"""0 no fee, 1 at placement, 2 at a win."""
REFUND = 6
SPLIT = 7
"""How many parts a player may name, or 0."""
GROUP = 8
"""The gate's number, or -1."""
UNTIL = 9
"""When the gate shuts: at the first number, at the first roll, or with every roll but a seven-out
or a seven."""
COMPLETE = 10
"""The memory of a wager that has everything."""
ENOUGH = 11
"""How many things it wins with."""
AGAIN = 12
UNASKED = 2
MARK_ON = 13
"""0 never; otherwise 1, with the bits below."""
MARK_OFF = 14
ITEMS = 15
"""How many things it collects;"""
WIDTH = 16
"""the bits of the memory that count one of them;"""
TOGETHER = 17
"""whether whatever comes counts;"""
ENDS = 18
"""where the cells lie that pay it when it is ended, by how far it is, or 0;"""
LADDER = 19
"""where it lies how far a thing is by how often it has come, where prices differ by that, or 0;"""
IN_A_ROW = 20
"""whether only what comes without another between counts;"""
STEPS = 21
"""and where the cells lie that pay it on the way, by how much it has, or 0;"""
THING_STEPS = 22
"""the same by thing, and how often that has come."""

# marks
MARK_ALLOWED = 1
MARK_PUCK_OFF = 2
MARK_PUCK_ON = 4
MARK_SIMILAR = 8
MARK_LASTS = 16
"""A call that holds as long as the wager: off may be called although it does not work now."""

# cells: verdict in the low byte, then target, denominator and, with its sign, numerator
NOTHING = 0
PLAIN_CELL = 1
"""A whole multiple of the stake is won, or all of it lost."""
WIN = 2
"""A win that has to be divided."""
PARTLY = 3
"""Part of the stake is lost."""
MOVE = 4
COLLECT = 5
WIN_SLOWLY = 6
"""A win with a fee, or one whose parts were named."""
CLEAR = 7
"""What was collected is gone."""
TARGET_AT = 8
DEN_AT = 16
DEN_BITS = 20
NUM_AT = 36
NUM_BITS = 24

UP_WAY, DOWN_WAY = 0, 1
NOT_ASKED, ASKED = 0, 1
"""Whether a shooter who lacks a line wager may still make one."""
GATES = ("number", "roll", "hand", "seven")
AT_ROLL, AT_HAND, AT_SEVEN = 1, 2, 3
LASTING = ("ever", "wager", "line")
NOBODYS = ("wait", "stick throws", "cancel point")

# -- what a strategy says --------------------------------------------------------------------------

BET, PRESS, REGRESS, DOWN, TURN_ON, TURN_OFF, STAY_UP, ODDS_BY, ODDS_ON, ODDS_MAX = range(10)
"""What may be proposed."""
WAYS = ODDS_BY
"""Odds are bets, or raises."""
LEAST_STAKE, MOST_STAKE, STAKE_STEP, FITTING, MOST_ODDS, WON_TOTAL, LOST_TOTAL = range(7)
"""What may be asked."""
TOO_LARGE, TOO_MANY, NO_ODDS = 2, 3, 4
"""What went wrong in a strategy, besides an exception; the reference says it in words."""
