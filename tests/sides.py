"""Both sides of a row: a ruling that cites it, and one like it that goes the other way.

Like it is the same kind of call in the row's own cases, not carried by the row or answered
otherwise: what another case says of the same call may be for quite another reason. Of a wager that
a roll decides it is the same wager, decided otherwise or not by the row, in any case of the house:
what wins and what loses are rows of their own. A row with one side only is not called enforced.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from boxman.rules.ids import family
from boxman.table.opening import Opening
from boxman.table.said.transcript import Transcript
from boxman.table.state import Moved, NoRolled, Settled
from tests.cases import Case, cases
from tests.conformance import rows


class Answer(NamedTuple):
    """What became of a call, or of one wager that a roll decided, and by which clauses."""

    call: str
    wager: str
    """The family of a wager that was decided; of a call nothing."""
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
            yield Answer(call, "", ruling.refusal.code, stated | {*ruling.refusal.cites})
            continue
        made = () if isinstance(ruling, Opening) else ruling.decisions
        decided = [each for each in made if isinstance(each, Settled | Moved)]
        given = {cite for each in made if each not in decided for cite in each.cites}
        of_wagers = {cite for each in decided for cite in each.cites}
        outcome = "no roll" if any(isinstance(each, NoRolled) for each in made) else "ok"
        yield Answer(call, "", outcome, frozenset(stated - of_wagers | given))
        for each in decided:
            verdict = each.verdict if isinstance(each, Settled) else "moves"
            yield Answer(call, family(each.spot), verdict, frozenset(each.cites))


def one_sided(house: str) -> list[str]:
    """The rows called enforced whose cases show one side only."""
    own, about = defaultdict[str, list[Answer]](list), defaultdict[str, list[Answer]](list)
    for case in cases(house):
        for answer in answers(case):
            about[answer.wager].append(answer)
            for clause in case.clauses:
                own[clause].append(answer)

    def shown(clause: str, inside: Answer) -> bool:
        like = about[inside.wager] if inside.wager else own[clause]
        return any(
            clause not in each.cites or each.outcome != inside.outcome
            for each in like
            if (each.call, each.wager) == (inside.call, inside.wager)
        )

    found = []
    for row in rows(house):
        inside = {each for each in own[row.clause] if row.clause in each.cites}
        if row.status == "enforced" and not any(shown(row.clause, each) for each in inside):
            found.append(row.clause)
    return found
