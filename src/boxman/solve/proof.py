"""Why wagers may be treated one by one, for each model: links in the layout, and all pairs tried.

What the table says of one wager could depend on another in these ways, and no record of a layout
has a further one (a test holds `Spot` to that): odds stand behind a flat, whose amount limits them;
bonus wagers share a gate and what is collected; a call may count for all wagers of a kind. The
first is asked about with the flat that is there, the second is not on any menu, the third is
refused where a wager of that kind is stuck. That the table agrees is then tried, not sampled: every
pair of wagers of the model, at every puck, with the least and the highest stakes, under all
kinds of roll and for every act on one of them.
"""

from __future__ import annotations

from itertools import combinations

from boxman.solve.goals import NotSolvable
from boxman.solve.model import Model
from boxman.solve.pieces import Pieces
from boxman.strategy.spots import INDEX
from boxman.strategy.view import BET, DOWN
from boxman.table.state import Wager
from boxman.words import phrase

LINKS = {
    "behind": "odds and their flat are asked about together",
    "gate": "bonus wagers are refused",
    "markers": "calls that count for a kind are refused where one of it is stuck",
}
"""The fields of a spot that name other spots, and what is done about each."""
ALONE = (
    *("id", "family", "number", "name", "aliases", "shape", "offer_cites", "rows", "stays"),
    *(
        "works",
        "works_cites",
        "windows",
        "bars",
        "again_cites",
        "fee",
        "share",
        "collection",
        "kind",
        "printed",
        "by_faces",
    ),
    *("make_cites", "unasked"),
)
"""The fields of a spot that speak of itself alone."""

Stand = tuple[Wager, ...]
"""A wager, with the flat before it where it is odds."""


def independent(model: Model) -> int:
    """Try all pairs of wagers of a model on the reference table; how many rulings agreed."""
    pieces = model.pieces
    agreed = 0
    for puck, stands in _stands(model).items():
        for one, other in combinations(stands, 2):
            if one[0].spot == other[0].spot:
                continue
            agreed += _rolls(pieces, puck, one, other) + _acts(pieces, puck, one, other)
            agreed += _acts(pieces, puck, other, one)
        for stand in stands:
            agreed += _behind(pieces, puck, stand)
    return agreed


def _stands(model: Model) -> dict[int, list[Stand]]:
    """By puck, the wagers of the model: of each spot and call the least and the highest stake."""
    found: dict[int, dict[tuple[str, str], list[Stand]]] = {}
    for (puck, _, _), group in model.groups():
        here = found.setdefault(puck, {})
        for flat, odds in group.options:
            for each in (flat.wager, odds.wager if odds else None):
                if each is not None:
                    stand = (each,) if each is flat.wager else (flat.wager, each)
                    assert stand[0] is not None
                    here.setdefault((each.spot, each.marker), []).append(stand)  # type: ignore[arg-type]
    return {
        puck: [
            stand
            for stands in here.values()
            for stand in {min(stands, key=_stake), max(stands, key=_stake)}
        ]
        for puck, here in found.items()
    }


def _stake(stand: Stand) -> tuple[int, ...]:
    return tuple(wager.stake for wager in reversed(stand))


def _rolls(pieces: Pieces, puck: int, one: Stand, other: Stand) -> int:
    """Two wagers on one felt are paid and left as each of them alone."""
    felts = pieces.felts
    both = pieces.felt(puck, *one, *other)
    for kind in range(len(pieces.ways)):
        together = felts.roll(both, kind)
        alone = [felts.roll(pieces.felt(puck, *each), kind) for each in (one, other)]
        left = {**alone[0].felt.wagers, **alone[1].felt.wagers}
        same = len(left) == sum(len(each.felt.wagers) for each in alone)
        cash = sum(each.cash for each in alone)
        if not same or together.cash != cash or together.felt.wagers != left:
            raise NotSolvable(_words(one, other))
    return len(pieces.ways)


def _acts(pieces: Pieces, puck: int, one: Stand, other: Stand) -> int:
    """A wager is made and taken down beside another as it is alone, at the same cost."""
    felts, wager = pieces.felts, one[-1]
    beside = (pieces.felt(puck, *one[:-1], *other), pieces.felt(puck, *one[:-1]))
    made = [felts.act(felt, BET, INDEX[wager.spot], wager.stake) for felt in beside]
    beside = (pieces.felt(puck, *one, *other), pieces.felt(puck, *one))
    down = [felts.act(felt, DOWN, INDEX[wager.spot], 0) for felt in beside]
    for together, alone in (made, down):
        codes = [act.refusal.code if act.refusal else "" for act in (together, alone)]
        if codes[0] != codes[1] or together.cash != alone.cash:
            raise NotSolvable(_words(one, other))
    return 2


def _behind(pieces: Pieces, puck: int, stand: Stand) -> int:
    """Odds are paid beside this flat as beside the one they were asked about with."""
    if len(stand) < 2:
        return 0
    flat, odds = stand
    both = pieces.felt(puck, flat, odds)
    for kind in range(len(pieces.ways)):
        fates = (pieces.fates(puck, flat)[kind], pieces.fates(puck, odds, flat)[kind])
        landed = pieces.felts.roll(both, kind)
        left = {INDEX[fate.left.spot]: fate.left for fate in fates if fate.left}
        if landed.cash != sum(fate.cash for fate in fates) or landed.felt.wagers != left:
            raise NotSolvable(_words((flat,), (odds,)))
    return len(pieces.ways)


def _words(one: Stand, other: Stand) -> str:
    return phrase("solve.not.linked", one=one[-1].spot, other=other[-1].spot)
