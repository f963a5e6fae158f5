"""The refusals the kernel knows are those that the table has for what a strategy may propose."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import boxman
from boxman.sim.kernel.codes import CODES

SOURCE = Path(boxman.__file__).parent
RULED_BY = ("wagers", "stakes", "markers", "calls/betting", "calls/working")
"""Modules of the table that rule on a strategy's proposals."""
NEVER_MET = {
    # A strategy writes no name of a wager, and splits none.
    *("no-such-spot", "number-missing", "nothing-to-switch", "no-split", "bad-split"),
    # It has one seat, no partner and no voucher; it bets before bets are closed.
    *("not-seated", "barred", "partners-over-maximum", "bets-closed"),
    *("no-such-voucher", "no-vouchers", "voucher-stands"),
    # Nothing is taken down that is not up.
    "no-wager",
}


def test_every_refusal_of_a_proposal_is_known_to_the_kernel_or_said_never_to_be_met() -> None:
    book = tomllib.loads((SOURCE / "words" / "en" / "refusals.toml").read_text())["refusals"]
    said = {
        node.value
        for name in RULED_BY
        for node in ast.walk(ast.parse((SOURCE / "table" / f"{name}.py").read_text()))
        if isinstance(node, ast.Constant) and node.value in book
    }
    assert said == set(CODES) - {"allowed"} | NEVER_MET
    assert not set(CODES) & NEVER_MET


def test_every_code_is_given_by_compiled_code() -> None:
    given = {
        node.attr
        for path in (SOURCE / "sim" / "kernel").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "codes"
        and node.attr.isupper()
    } - {"CODES"}
    assert {name.lower().replace("_", "-") for name in given} == set(CODES)
