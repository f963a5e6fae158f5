"""A second, deliberately naive model of the floor: who has the dice, who is asked next, what may be
said when, what waits for a word of the crew, who takes no further part.

It reads the lines of a transcript as a person at the table would and imports nothing of the table
or its rules. `hear` answers whether a line is followed, and the model's attributes are then the
floor as it should be. What the houses do differently is a small table, written from their
documents; it raises rather than guess. Of money it knows four wagers (pass, don't pass, field,
place 6), because people throw, wait and are asked with them; of limits the table's, and how much
counts of a stake that staff find. What a marker is worth from roll to roll is the auditor's, so
`marks` is told to it after a roll; so is whose wagers lie there again who left during a round that
is void, for that is a sum over rolls.
"""

from __future__ import annotations

import re

from tests.floor.complaints import Complaints
from tests.floor.dice import Dice
from tests.floor.found import Found
from tests.floor.houses import HOUSES, STATIONS, STICK, House
from tests.floor.people import People
from tests.floor.state import No
from tests.floor.throws import Throws

__all__ = ["HOUSES", "STICK", "Floor", "House"]


class Floor(People, Throws, Found, Dice, Complaints):
    """A table of a house with nobody at it."""

    def hear(self, line: str, followed: bool) -> tuple[bool, str]:
        """Whether a line should be followed, and why not. `followed` is what the table did: it is
        looked at only where money decides, and `leaned` then says so."""
        self.followed, self.leaned = followed, False
        if timed := re.fullmatch(r"(\d+):(\d+) (.*)", line):
            self.clock, line = 60 * int(timed[1]) + int(timed[2]), timed[3]
        for pattern, act in LINES:
            if said := re.fullmatch(pattern, line):
                try:
                    if self.closed and act not in AFTER_CLOSING:
                        raise No("the table is closed")
                    away = {said["seat"]} & self.away if act in AT_THE_TABLE else set()
                    if away and (act is not Floor.leaves or self.up[said["seat"]]):
                        raise No("not at the table")
                    act(self, **said.groupdict())
                except No as no:
                    return False, str(no)
                if act in (Floor.buys, Floor.sits, Floor.bets, Floor.says):
                    self._returns(said["seat"])
                self._follows()
                return True, ""
        raise ValueError(f"this model does not know: {line}")


_BY = f"(?P<by>{'|'.join(STATIONS)}|[a-z]+)"
_SEAT, _SPOT = "(?P<seat>[a-z]+)", r"(?P<spot>[a-z_]+(\.\d+)?)"
_FOR, _WHO = "( for (?P<reason>[a-z0-9-]+))?", "( by (?P<person>[a-z]+))?"
_FACES = r"(?P<faces>[1-6]-[1-6])"


LINES = [
    (rf"{_SEAT} buys in \d+", Floor.buys),
    (rf"{_SEAT} sits at (?P<place>\d+)", Floor.sits),
    (rf"{_SEAT} leaves", Floor.leaves),
    (rf"{_BY} excludes {_SEAT}{_FOR}", Floor.excludes),
    (rf"{_BY} refuses wagers of {_SEAT}{_FOR}", Floor.refuses),
    (rf"{_BY} offers dice to {_SEAT}", Floor.offers),
    (rf"{_SEAT} takes dice", Floor.takes),
    (rf"{_SEAT} declines dice", Floor.declines),
    (rf"{_BY} passes over {_SEAT}", Floor.passes_over),
    (rf"{_SEAT} passes dice", Floor.passes),
    (
        rf"{_BY} orders {_SEAT} to pass for (?P<reason>[a-z-]+)( because (?P<note>[a-z]+))?",
        Floor.orders,
    ),
    (rf"{_BY} cancels the point", Floor.cancels),
    (rf"{_BY} closes bets", Floor.closes),
    ("dice out", Floor.out),
    ("dice land", Floor.land),
    ("dice at rest", Floor.rest),
    (rf"{_BY} calls {_FACES}( with (?P<cause>[a-z-]+))?{_WHO}", Floor.calls),
    (rf"{_BY} calls no roll( (?!by)(?P<cause>[a-z-]+))?{_WHO}", Floor.no_roll),
    (rf"{_SEAT} disputes the faces", Floor.disputes),
    (rf"{_BY} says call it", Floor.call_it),
    (rf"{_BY} decides (?P<faces>no roll|[1-6]-[1-6])", Floor.decides),
    (rf"{_BY} overrules to (?P<faces>no roll|[1-6]-[1-6])", Floor.overrules),
    (
        rf"{_BY} voids the (?P<what>roll|round) for (?P<reason>[A-Za-z0-9-]+){_WHO}"
        r"( because (?P<note>[a-z]+))?(?P<forfeit> and forfeits)?",
        Floor.voids,
    ),
    (rf"{_SEAT} disputes payout", Floor.complains),
    (rf"{_BY} opens dispute of {_SEAT} about payout", Floor.opens_dispute),
    (rf"{_SEAT} requests a review", Floor.asks_review),
    (rf"{_SEAT} requests the inspector", Floor.asks_inspector),
    (
        rf"{_BY} (?P<step>decides|reviews|inspects|closes) dispute( of (?P<seat>[a-z]+))?",
        Floor.judges,
    ),
    (rf"{_BY} tells {_SEAT}", Floor.tells),
    (rf"{_BY} announces closing", Floor.announces),
    (rf"{_BY} closes the table{_FOR}", Floor.shuts),
    (rf"{_SEAT} bets (?P<amount>\d+) {_SPOT}(?P<voucher> with voucher( \d+)?)?", Floor.bets),
    (rf"{_BY} gives {_SEAT} a voucher of (?P<amount>\d+)", Floor.issues),
    (rf"{_SEAT} says (?P<amount>\d+) {_SPOT}", Floor.says),
    (rf"{_BY} confirms {_SEAT} {_SPOT}", Floor.confirms),
    (
        rf"{_BY} finds (?P<amount>\d+) {_SPOT} for {_SEAT}(?P<before> before the throw)?",
        Floor.finds,
    ),
    (rf"{_BY} records under-minimum by {_SEAT}", Floor.advises),
    (rf"{_SEAT} calls {_SPOT} (?P<on>on|off)", Floor.calls_on),
    (rf"{_SEAT} takes down {_SPOT}", Floor.takes_down),
    (rf"{_BY} inspects the dice", Floor.inspects),
    (rf"{_BY} reports a die off", Floor.reports_off),
    (rf"{_BY} gives another die", Floor.gives_another),
    (rf"{_BY} asks for the old die", Floor.asks_old),
    (rf"{_BY} finds the die", Floor.finds_die),
    (rf"{_BY} checks the die", Floor.checks),
    (rf"{_BY} rejects the die", Floor.rejects),
    (rf"{_BY} gives up the die", Floor.gives_up),
    (rf"{_BY} brings a new set", Floor.new_set),
    (rf"{_BY} allows the old dice", Floor.allows_old),
]
"""How each line reads, and what it does."""
AT_THE_TABLE = (Floor.leaves, Floor.disputes, Floor.calls_on, Floor.takes_down)
"""What somebody has to be there for, who has left with wagers up."""
AFTER_CLOSING = (
    *(Floor.complains, Floor.opens_dispute, Floor.asks_review, Floor.asks_inspector),
    *(Floor.judges, Floor.tells, Floor.advises, Floor.leaves),
)
"""What is still heard at a table that is closed."""
