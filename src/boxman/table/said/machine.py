"""One wager's machine with its windows, limits, fees and clauses, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from boxman.dice import Kind
from boxman.rules.cell import kinds_of
from boxman.rules.cites import Cites
from boxman.rules.diff import rules_of, verdict_words
from boxman.rules.layout import Layout, Spot
from boxman.rules.ledger import show


class MachineRule(TypedDict):
    """A rule of a wager in words."""

    what: str
    value: str
    clauses: Cites


class MachineCell(TypedDict):
    """Rolls of one fate."""

    rolls: str
    verdict: str
    clauses: Cites


class MachineState(TypedDict):
    """What rolls do with the puck here; places where they do the same are together."""

    puck: str
    cells: list[MachineCell]


class SpotMachine(TypedDict):
    """A wager's machine as it is shown."""

    name: str
    shape: str
    clauses: Cites
    rules: list[MachineRule]
    machine: list[MachineState]


def machine(layout: Layout, spot: Spot) -> SpotMachine:
    """A spot's machine and rules as plain values."""
    rules: list[MachineRule] = [
        {"what": what, "value": show(rule.value), "clauses": rule.cites}
        for what, rule in rules_of(layout, spot).items()
    ]
    seen: dict[str, MachineState] = {}
    for puck in (0, *layout.points):
        cells = _cells(spot, puck)
        key = str(cells)
        if key in seen:
            seen[key]["puck"] += f", {puck}"
        elif cells:
            seen[key] = {"puck": str(puck or "off"), "cells": cells}
    return {
        "name": spot.name,
        "shape": spot.shape.name,
        "clauses": spot.offer_cites,
        "rules": rules,
        "machine": list(seen.values()),
    }


def _cells(spot: Spot, puck: int) -> list[MachineCell]:
    """The cells of one puck, rolls of the same fate joined."""
    groups: dict[tuple[str, tuple[str, ...]], list[Kind]] = {}
    row = spot.rows[puck]
    every = kinds_of(row)
    for kind, cell, stay in zip(every, row, spot.stays[puck], strict=True):
        known = cell or stay
        if known is not None:
            words = verdict_words(known, spot.odds, spot.paid_at_its_end)
            groups.setdefault((words, known.said), []).append(kind)
    return [
        {"rolls": ", ".join(_names(rolls, every)), "verdict": words, "clauses": cites}
        for (words, cites), rolls in groups.items()
    ]


def _names(rolls: Sequence[Kind], every: Sequence[Kind]) -> list[str]:
    """Rolls in words: by their total, where all of that total are there."""
    names: list[str] = []
    for total in sorted({kind.total for kind in rolls}):
        here = [str(kind) for kind in rolls if kind.total == total]
        whole = len(here) == sum(kind.total == total for kind in every)
        names += [str(total)] if whole else here
    return names
