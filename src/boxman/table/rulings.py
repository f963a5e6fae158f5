"""What a ruling is: a call accepted with its decisions and warnings, or refused with a reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, NoReturn, ParamSpec

import msgspec

from boxman.table.call import Call
from boxman.table.floor.people import Floor, FloorChange
from boxman.table.said.saying import Told, say_kept, saying
from boxman.table.state import AnyDecision, Cites, Floored, Table
from boxman.words.say import Value, has

P = ParamSpec("P")


class Refusal(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why not: a code, the clauses, and what the phrase book needs to say it and what to do."""

    code: str
    cites: Cites
    why: str = ""
    """Which of the sentences of its code, where there are several."""
    do: str = ""
    """Which remedy, where its sentence has none of its own."""
    values: dict[str, Value] = {}

    @property
    def key(self) -> str:
        """Where the phrase book has its sentence."""
        return _key(self.code, self.why)

    @property
    def sentence(self) -> str:
        """What a dealer would say, in the language spoken here."""
        return say_refusal(self)

    @property
    def remedy(self) -> str:
        """What to do instead; empty where nothing helps."""
        return say_remedy(self)


class Notice(msgspec.Struct, frozen=True, omit_defaults=True):
    """A warning that goes with an accepted call."""

    code: str
    cites: Cites
    why: str = ""
    values: dict[str, Value] = {}

    @property
    def sentence(self) -> str:
        """What a dealer would say, in the language spoken here."""
        return say_kept(f"warnings.{_key(self.code, self.why)}.says", self.code, self.values)


Followed = tuple[list[AnyDecision], list[Notice]]
"""What follows from a call: decisions, and warnings that go with them."""


AS_TOLD = "as told"
"""The sentence of a row that was written before rows held values: it is kept, not made."""


def _key(code: str, why: str) -> str:
    if why == AS_TOLD:
        return why
    return f"{code}.{why}" if why else code


def say_refusal(refusal: Refusal, language: str = "") -> str:
    """Why not, as a sentence."""
    key = f"refusals.{refusal.key}.says"
    return say_kept(key, refusal.code, refusal.values, language)


def say_remedy(refusal: Refusal, language: str = "") -> str:
    """What to do instead; empty where nothing helps."""
    own = f"refusals.{refusal.key}.remedy"
    key = f"remedies.{refusal.do}" if refusal.do else own
    return say_kept(key, "", refusal.values, language) if has(key, language) else ""


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
        super().__init__(refusal.code)


def refuse(code: str, cites: Cites, why: str = "", /, *, do: str = "", **values: Value) -> NoReturn:
    """Refuse the call at hand."""
    refuse_with(code, cites, why, do, values)


def refuse_with(code: str, cites: Cites, why: str, do: str, values: dict[str, Value]) -> NoReturn:
    """Refuse the call at hand, with values that were gathered before."""
    assert cites, f"a refusal without a clause: {code}"
    raise Refused(Refusal(code, cites, why, do, values))


def _changes(of: Callable[P, Floor]) -> Callable[Concatenate[Table, str | Told, Cites, P], Floored]:
    """What makes a change takes the fields of a floor, each of its type."""

    def change(
        table: Table, what: str | Told, cites: Cites, /, *_: P.args, **new: P.kwargs
    ) -> Floored:
        key, values = what if isinstance(what, Told) else saying(what)
        return Floored(FloorChange(**new), key, cites, values)

    return change


change = _changes(Floor)
"""A decision that changes some of the floor."""
