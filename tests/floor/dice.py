"""The set of dice of the naive floor."""

from __future__ import annotations

from tests.floor.houses import STICK
from tests.floor.state import No, State


class Dice(State):
    """What befalls the dice."""

    def inspects(self, by: str) -> None:
        if by not in self.house.may_inspect or by in self.inspected:
            raise No("not theirs, or done")
        self.inspected.add(by)

    def _handles(self, by: str, who: str = STICK) -> None:
        if by != who:
            raise No("not theirs to do")

    def reports_off(self, by: str) -> None:
        self._handles(by)
        if self.unreported:
            self.unreported -= 1
        elif self.play:
            self.play, self.off = self.play - 1, self.off + 1
            self.die_gone |= not self.thrown and bool(self.roll or self.void)
        else:
            raise No("no die in play")
        if self.thrown:  # it was in that throw, for whatever that is called none
            self.ground, self.die_counted = self.ground or "off-table", True

    def gives_another(self, by: str) -> None:
        self._handles(by)
        if not self.bowl or self.play >= 2:
            raise No("no choice")
        self.play, self.bowl, self.unreported = (
            self.play + 1,
            self.bowl - 1,
            max(0, self.unreported - 1),
        )
        if self.house.original == "at once" and self.play >= 2:
            self.wants_old = False
        self.checked = min(self.checked, self.bowl) if self.play < 2 else 0
        self.die_known = self.off_table

    def asks_old(self, by: str) -> None:
        if by in self.excluded:
            raise No("excluded")
        away = self.off + self.found + self.checked
        if by != self.shooter or not self.house.original or not away:
            raise No("not theirs to ask")
        if self.house.original == "at once" and self.play >= 2:
            raise No("another was chosen")
        if self.checked:  # it lies there, recovered and checked
            self.checked, self.play, self.bowl = self.checked - 1, self.play + 1, self.bowl - 1
            self.unreported = max(0, self.unreported - 1)
            self.checked *= self.play < 2
            return
        self.wants_old = True

    def finds_die(self, by: str) -> None:
        self._handles(by)
        if not self.off:
            raise No("none is off")
        self.off, self.found = self.off - 1, self.found + 1
        self.unreported = min(self.unreported, self.off)
        self.die_known = self.off_table

    def checks(self, by: str) -> None:
        self._handles(by, "box")
        if not self.found:
            raise No("none was found")
        self.found -= 1
        if self.wants_old:
            self.wants_old = False
            if self.play >= 2:
                self.bowl += 1
            else:
                self.play += 1
                self.unreported = max(0, self.unreported - 1)
                self.checked *= self.play < 2
        elif self.house.keeps_found and self.shooter:
            self.held += 1
        else:
            self.bowl += 1
            self.checked += bool(self.house.original) and self.play < 2

    def rejects(self, by: str) -> None:
        self._handles(by, "box")
        if not self.found:
            raise No("none was found")
        self.found, self.off = self.found - 1, self.off + 1
        self._lose()

    def gives_up(self, by: str) -> None:
        self._handles(by)
        if not self.off:
            raise No("none is off")
        self._lose()

    def _lose(self) -> None:
        self.off, self.gone = self.off - 1, self.gone + 1
        self.wants_old &= bool(self.off + self.found)
        self.die_known = self.off_table
        self.unreported = min(self.unreported, self.off)
        if self.house.lost and self.gone >= self.house.lost and not self.beside:
            self.set_due = True
            self.goes_on = bool(self.shooter) and self.house.goes_on in ("of right", "has to")

    def new_set(self, by: str) -> None:
        self._handles(by)
        if self.thrown:
            raise No("a throw is under way")
        waits = self.goes_on or (self.off and self.shooter)  # for a die, or for the shooter
        if self.house.goes_on == "has to" and waits and self.play + self.bowl >= 2:
            raise No("not before the shooter is out")
        self.sets += 1
        looked = self.beside or self.looked_at()
        if self.goes_on and self.play + self.bowl >= 2 and looked:
            self.beside, self.set_due, self.inspected = True, False, set()
            return
        seen = self.inspected if self.beside else set()
        self._other_set()
        self.inspected = seen

    def allows_old(self, by: str) -> None:
        self._handles(by, "box")
        if self.house.goes_on != "if allowed" or not self.set_due or not self.shooter:
            raise No("not here, or none is due, or nobody to allow it")
        self.goes_on = True
