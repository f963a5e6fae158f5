"""The call of the set of dice: inspected, off the table, found, checked, lost, a new set."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Literal, NamedTuple, Self

from msgspec.structs import replace

from boxman.rules.duties import PowerName
from boxman.rules.layout import Layout
from boxman.rules.ledger import join
from boxman.table.call import CREW, INSPECTED, Call, ConsoleEntry, call
from boxman.table.floor import dice_set
from boxman.table.floor.dice_set import Happened
from boxman.table.floor.machine import check_decided
from boxman.table.floor.people import AUTOMATIC, GUEST, PLAYER, DiceSet, Matter
from boxman.table.floor.powers import check_power
from boxman.table.floor.shooters import refuse_no_shooter
from boxman.table.floor.throw import thrown
from boxman.table.floor.throws import OFF_TABLE
from boxman.table.lines.fields import OneOf
from boxman.table.lines.pattern import Line, Side
from boxman.table.rulings import Followed, change, refuse
from boxman.table.state import Cites, Table

EventName = Literal[
    "inspected",
    "off",
    "chosen",
    "found",
    "checked",
    "rejected",
    "lost",
    "new set",
    "old dice",
    "asked",
]


class Event(NamedTuple):
    """Something that happens to the dice, by whose power, and how it is said."""

    line: str
    power: PowerName | None
    happens: Callable[[Layout, DiceSet, list[str], Cites], Happened]
    side: Side = "crew"


EVENTS: dict[EventName, Event] = {
    "inspected": Event("inspects~the~dice", "inspect dice", dice_set.inspected),
    "off": Event("reports~a~die~off", "handle dice", dice_set.off),
    "chosen": Event(
        *("gives~another~die", "handle dice", dice_set.chosen),
    ),
    "found": Event("finds~the die", "handle dice", dice_set.found),
    "checked": Event("checks~the~die", "check die", dice_set.checked),
    "rejected": Event("rejects~the~die", "check die", dice_set.rejected),
    "lost": Event("gives~up~the~die", "handle dice", dice_set.lost),
    "new set": Event("brings~a~new~set", "handle dice", dice_set.new_set),
    "old dice": Event(
        *("allows~the~old~dice", "allow old dice", dice_set.old_dice),
    ),
    "asked": Event(
        *("asks for the old die", None, dice_set.asked),
        side="player",
    ),
}


@call(
    *(Line(f"{{by}} {each.line}", each.side, event=event) for event, each in EVENTS.items()),
    stations=(PLAYER, *CREW, "inspector"),
    powers=("handle dice",),
    also=("inspect dice", "check die", "allow old dice"),
    console=ConsoleEntry(290, ("event",)),
)
class HandleDice(Call, frozen=True, kw_only=True):
    """Something happens to the set of dice."""

    event: Annotated[EventName, OneOf(EVENTS, "what-happened")]

    def given(self, layout: Layout, table: Table) -> Cites:
        name = EVENTS[self.event].power
        power = layout.procedure.power(name, self._reason(layout)) if name else None
        return power.cites if power else ()

    def _reason(self, layout: Layout) -> str:
        """The event, where its power is given for it by name."""
        name = EVENTS[self.event].power
        return self.event if name and self.event in layout.procedure.powers[name] else ""

    def half_of(self, table: Table) -> str:
        return INSPECTED if self.event == "inspected" else ""

    @classmethod
    def answers(cls, layout: Layout, table: Table, matter: Matter) -> Iterator[Self]:
        if not isinstance(matter, DiceSet):
            return
        if dice_set.uninspected(layout, matter):
            yield cls(event="inspected")
        if matter.off or matter.found or matter.due or matter.play < 2:
            for event, each in EVENTS.items():
                if each.power is not None and event not in ("inspected", "off"):
                    yield cls(event=event)

    def _check_asked(self, layout: Layout, table: Table) -> None:
        """Only the shooter asks for the old die."""
        asks = self.event == "asked" and self.by not in AUTOMATIC
        if asks and table.hand.shooter not in (GUEST, self.by):
            original = layout.procedure.dice.original
            refuse("not-shooter", original.cites if original else layout.silence, seat=self.by)

    def rule(self, layout: Layout, table: Table) -> Followed:
        cites: Cites = ()
        event = EVENTS[self.event]
        if event.power is not None:
            cites = check_power(layout, event.power, self.by, self._reason(layout))
        self._check_asked(layout, table)
        if self.event == "new set":
            check_decided(layout, table)
            dice_set.check_old_set(layout, table)
        who = [each for each in (self.by, self.stand_in) if each]
        made, words, more = event.happens(layout, table.floor.dice, who, cites)
        if self.event == "old dice" and not table.hand.shooter:
            refuse_no_shooter(layout, table, cites)
        if not table.hand.shooter and (made.held or made.deferred):
            # What is kept out or goes on until the shooter is out waits for nobody here.
            words = "die in the bowl" if made.held else words
            made = dice_set.hand_over(layout, made)
        cause = layout.procedure.causes.get(OFF_TABLE)
        if self.event == "off" and thrown(table) and cause is not None:
            # What is said of a throw binds it, beside what was said before.
            cites, ground = join(cites, more, cause.cites), table.floor.ground
            made = replace(made, thrown_off=ground not in ("", OFF_TABLE))
            return [change(table, words, cites, dice=made, ground=ground or OFF_TABLE)], []
        cites = join(cites, more) or layout.silence
        if self.event == "new set":
            sets = table.floor.sets + 1
            return [change(table, words, cites, dice=made, sets=sets)], []
        return [change(table, words, cites, dice=made)], []
