"""One wager's machine with its windows, limits, fees and clauses, as plain values."""

from __future__ import annotations

from typing import TypedDict

from boxman.rules.cell import kinds_of
from boxman.rules.cites import Cites
from boxman.rules.diff import collecting, verdict_words
from boxman.rules.layout import Layout, Spot
from boxman.words import phrase


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
        {
            "what": phrase("cli.books.with-the-puck-2", act=act),
            "value": rule.value,
            "clauses": rule.cites,
        }
        for act, rule in spot.windows.items()
    ]
    for side, words in enumerate(("off", "on")):
        value = phrase("diff.works" if spot.works[side] else "diff.sleeps")
        rules.append(
            {
                "what": phrase("cli.books.puck", words=words),
                "value": value,
                "clauses": spot.works_cites[side],
            }
        )
    if spot.behind is not None:
        for n, limit in spot.behind.limits.items():
            value = phrase(
                "cli.books.up-to-times",
                measure=limit.measure,
                lifted=limit.shown,
                flat=spot.behind.flat,
            )
            rules.append(
                {"what": phrase("cli.books.limit-on", n=n), "value": value, "clauses": limit.cites}
            )
    if spot.fee is not None:
        value = phrase(
            "cli.books.of-the-at",
            rate=spot.fee.rate * 100,
            base=spot.fee.base,
            charged=spot.fee.charged,
        )
        rules.append({"what": phrase("diff.fee"), "value": value, "clauses": spot.fee.cites})
    if spot.share is not None:
        parts = zip(spot.share.parts, spot.share.units, strict=True)
        value = ", ".join(f"{unit} on {part}" for part, unit in parts)
        rules.append(
            {"what": phrase("cli.books.shares"), "value": value, "clauses": spot.share.cites}
        )
    for what, told in collecting(spot).items():
        rules.append({"what": what, "value": told.value, "clauses": told.cites})
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
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    row = spot.rows[puck]
    for kind, cell, stay in zip(kinds_of(row), row, spot.stays[puck], strict=True):
        known = cell or stay
        if known is not None:
            words = (
                phrase("diff.verdicts.stay") if known.verdict == "stay" else verdict_words(known)
            )
            groups.setdefault((words, known.said), []).append(str(kind))
    return [
        {"rolls": ", ".join(rolls), "verdict": words, "clauses": cites}
        for (words, cites), rolls in groups.items()
    ]
