"""Why the table refused: the clauses behind refusals that were only counted.

Compiled code counts refusals by code, spot, puck and what was proposed, and keeps the first session
with each. Playing that session again over felts ruled on by the reference gives the words and the
clauses.
"""

from __future__ import annotations

from typing import Any

from boxman.sim.dice import stream
from boxman.sim.lanes import RefusedCounts, RefusedKind
from boxman.strategy.api import Strategy
from boxman.strategy.ends import RefusedHere
from boxman.strategy.felt import Felts
from boxman.strategy.quick import FeltNotes, play_quick
from boxman.strategy.session import Session


def why(
    strategy: Strategy, session: Session, seed: int, refused: RefusedCounts
) -> dict[RefusedKind, RefusedHere]:
    """These refusals with their clauses, and the sentences as they were said first."""
    found: dict[RefusedKind, RefusedHere] = {}
    for number in sorted({first for _, first in refused.values()}):
        noted = FeltNotes()
        felts = Felts(session, by_faces=True)
        ended = play_quick(strategy, session, stream(seed, number), felts, noted)
        said = {each.key: each.sentence for each in ended.refusals}
        for (code, spot, by), (count, first) in refused.items():
            if first == number:
                known = noted.first.get((code, spot, by))
                if known is None:
                    cites: Any = by
                    sentence = said[code, spot, cites]
                else:
                    cites, sentence = known.cites, known.sentence
                found[code, spot, by] = RefusedHere(code, spot, cites, sentence, count)
    return found
