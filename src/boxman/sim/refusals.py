"""Why the table refused: the clauses behind the refusals that a kernel only counted.

A kernel counts refusals by code and spot and keeps the first session with each. Playing that
session again on the reference gives the words and the clauses.
"""

from __future__ import annotations

from boxman.sim.dice import stream
from boxman.sim.kernel.run import Kernel, Lanes
from boxman.strategy.reference import RefusedHere, play


def why(kernel: Kernel, seed: int, lanes: Lanes) -> list[RefusedHere]:
    """Every refusal of these sessions with its clauses and sentence, and how often it came.

    One code on one spot may rest on more than one set of clauses; then those of its first session
    stand for all.
    """
    wanted = dict(lanes.refusals)
    found: dict[tuple[str, str], RefusedHere] = {}
    for number in sorted({lanes.first_refused[kind] for kind in wanted}):
        if all(kind in found for kind in wanted if lanes.first_refused[kind] == number):
            continue
        played = play(kernel.strategy, kernel.session, stream(seed, number))
        for refused in played.refusals:
            kind = (refused.code, refused.spot)
            if kind in wanted and kind not in found:
                found[kind] = RefusedHere(
                    refused.code, refused.spot, refused.cites, refused.sentence, wanted[kind]
                )
    return [found[kind] for kind in wanted]
