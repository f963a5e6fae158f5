"""What an automaton says of a rail that is never short: its highest bands, one each."""

from __future__ import annotations

from typing import Any

import numpy as np

from boxman.strategy.automaton import Automaton


class Deep:
    """One row a state, one column a kind of roll."""

    def __init__(self, made: Automaton) -> None:
        self.made = made
        self.states = made.deep
        top = made.edge_first[: made.deep]
        self.top = top
        self.pre: Any = made.pre[: made.deep]
        self.next: Any = made.edge_next[top]
        self.cash: Any = self.pre + made.edge_act[top]
        self.low: Any = self.pre - made.edge_least[top]
        """The lowest change of the rail on the way."""
        self.staked: Any = made.pre_staked[: made.deep] + made.edge_staked[top]
        self.felt: Any = made.felt[: made.deep]
        self.start = int(made.start_next[0])
        self.change: Any = self.cash + self.felt[self.next] - self.felt[:, None]
        """Of rail and wagers together."""
        assert self.next.shape == (made.deep, 15)
        assert (np.unique(np.append(self.next, self.start)) == np.arange(made.deep)).all()
