"""What a ruling is: a call accepted with its decisions and warnings, or refused with a reason."""

from __future__ import annotations

from typing import NoReturn

import msgspec

from boxman.table.calls import Call
from boxman.table.state import AnyDecision, Cites, Table


class Refusal(msgspec.Struct, frozen=True):
    """Why not: a code, the sentence a dealer would say, the clauses, what to do instead."""

    code: str
    sentence: str
    cites: Cites
    remedy: str = ""


class Notice(msgspec.Struct, frozen=True):
    """A warning that goes with an accepted call."""

    code: str
    sentence: str
    cites: Cites


class Ruling(msgspec.Struct, frozen=True):
    """A call, what becomes of it, and the table after it. A refusal changes nothing."""

    call: Call
    after: Table
    decisions: tuple[AnyDecision, ...] = ()
    warnings: tuple[Notice, ...] = ()
    refusal: Refusal | None = None

    @property
    def accepted(self) -> bool:
        return self.refusal is None

    @property
    def cites(self) -> Cites:
        """Every clause this ruling rests on, in order, each once."""
        found: list[str] = list(self.refusal.cites) if self.refusal else []
        for part in (*self.decisions, *self.warnings):
            found += part.cites
        return tuple(dict.fromkeys(found))


class Refused(Exception):
    """Carries a refusal out of the checks to `rule`, and no further."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        super().__init__(refusal.sentence)


def refuse(code: str, sentence: str, cites: Cites, remedy: str = "") -> NoReturn:
    """Refuse the call at hand."""
    assert cites, f"a refusal without a clause: {code}"
    raise Refused(Refusal(code, sentence, cites, remedy))
