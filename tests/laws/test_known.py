"""Fifteen ways in which the laws were once broken, at every house where each can be tried.

The fifteenth, remedies that cannot be followed, is tests/remedies.py at every refusal of random
evenings, and law 13.
"""

from __future__ import annotations

import pytest

from boxman.table.said.notation import write_call
from boxman.table.said.transcript import Transcript
from tests.laws.world import World

HOUSES = ("adelaide", "newzealand", "nsw", "perth-crapless", "rws")
CORRECTED = {
    **dict.fromkeys(("adelaide", "newzealand", "rws"), "box overrules to"),
    "nsw": "ann disputes roll\nbox overrules to",
    "perth-crapless": "ann disputes roll\nmanager overrules to",
}
"""Who corrects a miscall, and after what."""
GROUND = {"rws": "off-table", "perth-crapless": "off-table"}
VOIDS = {
    **dict.fromkeys(("adelaide", "perth-crapless"), "manager voids the roll for fire"),
    **dict.fromkeys(("newzealand", "nsw"), 'supervisor voids the roll for fire because "seen"'),
    "rws": "",
}
ANN = "ann bets 12 pass\nstick offers dice to ann\nann takes dice"
BOTH = f"{ANN}\nbob bets 12 pass"

KNOWN: dict[str, tuple[tuple[str, ...], str]] = {
    "L1 nobody's throw is not decided": (
        HOUSES,
        """ann bets 12 pass
        dice out : refused no-shooter
        bob disputes the faces : refused
        box decides 4-3 : refused""",
    ),
    "L1 with a point on": (
        HOUSES,
        f"""{BOTH}
        THROW stick calls 4-2 : puck 6
        ann passes dice
        dice out : refused
        bob disputes the faces
        box decides 4-2
        stick offers dice to ann : refused not-next
        stick offers dice to bob : bob is offered the dice""",
    ),
    "L3 a no roll of nothing is refused": (
        HOUSES,
        """ann bets 12 pass
        stick calls no roll GROUND : refused
        CORRECT 4-3 : refused""",
    ),
    "L4 nobody who left has the dice": (
        HOUSES,
        """bob bets 12 pass
        stick offers dice to ann
        ann declines dice
        stick offers dice to bob
        bob takes dice
        THROW stick calls 4-3 : bob pass +12
        bob leaves
        CORRECT 4-2
        bob bets 12 pass : refused not-seated
        stick calls 4-3 : refused no-shooter""",
    ),
    "L5 what waits ends with its throw": (
        ("newzealand", "perth-crapless"),
        f"""{ANN}
        dice out
        bob bets 12 field : bob field waits
        dice at rest
        ann disputes the faces
        box decides no roll
        dice out
        dealer confirms bob field : refused nothing-waits""",
    ),
    "L6 a point that nobody can play out ends": (
        ("adelaide", "newzealand", "nsw", "rws"),
        """ann bets 12 dont_pass
        stick offers dice to ann
        ann takes dice
        THROW stick calls 4-2 : puck 6
        ann takes down dont_pass : puck off
        ann bets 12 pass : ok""",
    ),
    "L7 bets are not closed for nobody's throw": (
        ("rws",),
        """dealer closes bets : refused
        ann bets 12 pass : ok""",
    ),
    "L8 the puck that is printed is the table's": (
        HOUSES,
        f"""{ANN}
        THROW stick calls 4-2 : puck 6
        CORRECT 4-3 : ann pass +12, puck off""",
    ),
    "L9 who has the dice again is told": (
        ("adelaide", "newzealand", "nsw", "perth-crapless"),
        f"""{ANN}
        stick calls 4-2
        stick calls 4-3 : seven out
        bob bets 12 pass
        stick offers dice to bob
        bob takes dice
        VOID : ann is the shooter""",
    ),
    "L10 the stickperson's throw is not taken over": (
        ("newzealand", "nsw"),
        f"""{ANN}
        stick calls 4-2
        ann passes dice
        stick offers dice to ann
        ann declines dice
        stick takes dice
        dice out
        dice at rest
        stick offers dice to ann : refused not-now
        ann takes dice : refused
        stick calls 4-3 : ann pass -12, seven out""",
    ),
    "L11 nothing is overruled in the air": (
        HOUSES,
        f"""{ANN}
        THROW stick calls 4-2
        THROW dice out
        CORRECT 4-3 : refused
        stick calls 4-2 : ann pass +12""",
    ),
    "L12 an offer ends with its player": (
        HOUSES,
        """stick offers dice to ann
        ann leaves
        ann buys in 100
        ann sits at 5
        ann takes dice : refused not-offered-dice""",
    ),
    "L13 a call on is for the wager that was there": (
        ("adelaide", "newzealand", "nsw", "perth-crapless"),
        """ann bets 12 place.6
        ann calls place.6 on : ann place.6 waits
        ann takes down place.6
        ann bets 12 place.6
        box confirms ann place.6 : refused nothing-waits""",
    ),
    "L14 no new set is due in the air": (
        ("adelaide", "newzealand", "nsw", "perth-crapless"),
        f"""{ANN}
        stick calls no roll off-table
        stick gives another die
        dice out
        stick gives up the die
        stick calls 4-2 : puck 6""",
    ),
}
"""What is said, and what follows where it matters."""


def lines(house: str, text: str) -> list[str]:
    corrected, _, last = CORRECTED[house].rpartition("\n")
    found = []
    for line in (each.strip() for each in text.splitlines()):
        if line.startswith("THROW "):
            found += ["dealer closes bets"] if house == "rws" else []
            line = line.removeprefix("THROW ")
        if line.startswith("CORRECT "):
            found += [corrected] if corrected else []
            line = line.replace("CORRECT", last)
        line = line.replace("VOID", VOIDS[house]).replace(
            "GROUND", GROUND.get(house, "not-together")
        )
        found.append(line)
    return found


@pytest.mark.parametrize(
    ("name", "house"), [(name, house) for name, (where, _) in KNOWN.items() for house in where]
)
def test_what_was_broken_holds(name: str, house: str) -> None:
    world = World(house, 2, "custody")
    table = Transcript()
    for call in (world.opening, *world.said):
        table.play(write_call(call))
    for line in lines(house, KNOWN[name][1]):
        said, _, follows = line.partition(" : ")
        result = table.play(said)
        assert result.ruling is not None, line
        refusal = result.ruling.refusal
        words = [f"refused {refusal.code}"] if refusal else ["ok", *(i.words for i in result.items)]
        for each in filter(None, follows.split(", ")):
            assert any(told.startswith(each) for told in words), (line, words)
