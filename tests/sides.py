"""Both sides of a row: a ruling that cites it, and one like it that goes the other way.

Like it is the same kind of call in the row's own cases, not carried by the row or answered
otherwise: what another case says of the same wager may be for quite another reason. A row with one
side only is not called enforced.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from boxman.table.opening import Opening
from boxman.table.said.transcript import Transcript
from boxman.table.state import Settled
from tests.cases import Case, cases
from tests.conformance import rows


class Answer(NamedTuple):
    """What became of a call, or of one wager that a roll decided, and by which clauses."""

    call: str
    outcome: str
    cites: frozenset[str]


def answers(case: Case) -> Iterator[Answer]:
    """Every answer of a case, with the clauses that were given and those the case states."""
    play = Transcript(words=True)
    for text in case.lines:
        result = play.play(text)
        ruling = result.ruling
        if ruling is None:
            continue
        call = type(ruling.call).__name__
        stated = frozenset(cite for each in result.line.expected or [] for cite in each.cites)
        if ruling.refusal is not None:
            yield Answer(call, ruling.refusal.code, stated | {*ruling.refusal.cites})
            continue
        made = () if isinstance(ruling, Opening) else ruling.decisions
        given = {cite for each in made for cite in each.cites}
        yield Answer(call, "ok", stated | given)
        for each in made:
            if isinstance(each, Settled):
                yield Answer(call, each.verdict, frozenset(each.cites))


def one_sided(house: str) -> list[str]:
    """The rows called enforced whose cases show one side only."""
    own = defaultdict[str, list[Answer]](list)
    for case in cases(house):
        for answer in answers(case):
            for clause in case.clauses:
                own[clause].append(answer)

    def shown(clause: str, inside: Answer) -> bool:
        mine = (each for each in own[clause] if each.call == inside.call)
        return any(clause not in each.cites or each.outcome != inside.outcome for each in mine)

    found = []
    for row in rows(house):
        inside = {each for each in own[row.clause] if row.clause in each.cites}
        if row.status == "enforced" and not any(shown(row.clause, each) for each in inside):
            found.append(row.clause)
    return found
