"""Whole numbers in compiled strategies as Python has them, or not at all.

Compiled, a number has 64 bits and runs over without a word, and a name that was never given a value
holds anything. Here sums, products, shifts and powers of a strategy are made to say so (an
exception, as Python has others: the session is then played on the reference, whose numbers have no
end), and a name that may have no value is refused before anything is compiled. Needs Numba.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from numba import extending
from numba.core import compiler, compiler_machinery, ir_utils, types
from numba.core import ir as code
from numba.core.compiler_machinery import FunctionPass
from numba.core.errors import UnsupportedError
from numba.core.untyped_passes import IRProcessing, ReconstructSSA

from boxman.sim.kernel.check import our_reason

# Numba has no types of its own for these.
ir: Any = code
overload: Any = extending.overload
register_pass: Any = compiler_machinery.register_pass
build_definitions: Any = ir_utils.build_definitions
usual_passes: Any = compiler.DefaultPassBuilder.define_nopython_pipeline
_plain: Any = types.unliteral

MOST = 2**63
FAR = 9.2e18
"""A little less than 64 bits hold: products beyond it are not trusted."""


def add(a: Any, b: Any) -> Any:
    """The sum, if 64 bits hold it."""
    return a + b


def subtract(a: Any, b: Any) -> Any:
    """The difference, if 64 bits hold it."""
    return a - b


def multiply(a: Any, b: Any) -> Any:
    """The product, if 64 bits hold it."""
    return a * b


def shift(a: Any, b: Any) -> Any:
    """A number shifted to the left, if 64 bits hold it."""
    return a << b


def power(a: Any, b: Any) -> Any:
    """A power, if 64 bits hold it; a fraction is none of a whole number."""
    return a**b


def _checked(plain: Callable[..., Any], whole: Callable[..., Any]) -> None:
    """Let whole numbers go one way, and everything else the way the compiler knows."""

    def chosen(a: Any, b: Any) -> Any:
        wholes = all(isinstance(_plain(each), types.Integer | types.Boolean) for each in (a, b))
        return whole if wholes else plain

    overload(plain, inline="never", jit_options={"forceinline": True})(chosen)


def _add(a: Any, b: Any) -> Any:
    one, other = int(a), int(b)
    found = one + other
    if ((one ^ found) & (other ^ found)) < 0:
        raise OverflowError("too large a number")
    return found


def _subtract(a: Any, b: Any) -> Any:
    one, other = int(a), int(b)
    found = one - other
    if ((one ^ other) & (one ^ found)) < 0:
        raise OverflowError("too large a number")
    return found


def _multiply(a: Any, b: Any) -> Any:
    if abs(float(int(a)) * float(int(b))) > FAR:
        raise OverflowError("too large a number")
    return int(a) * int(b)


def _shift(a: Any, b: Any) -> Any:
    one, by = int(a), int(b)
    if by < 0:
        raise ValueError("negative shift count")
    if by > 62:
        if one != 0:
            raise OverflowError("too large a number")
        by = 0
    found = one << by
    if found >> by != one:
        raise OverflowError("too large a number")
    return found


def _power(a: Any, b: Any) -> Any:
    one, found = int(a), 1
    if int(b) < 0:
        raise OverflowError("a fraction")
    for number in range(int(b)):
        if abs(float(found) * float(one)) > FAR:
            raise OverflowError("too large a number")
        found = found * one
        # Nothing grows any more; of -1 the sign still turns.
        if number > 0 and -1 <= one <= 1:
            return found if one >= 0 or int(b) % 2 == 0 else -found
    return found


_SIGNS: dict[Any, Callable[..., Any]] = {
    operator.add: add,
    operator.sub: subtract,
    operator.mul: multiply,
    operator.lshift: shift,
    operator.pow: power,
}
for _sign, _whole in (
    (add, _add),
    (subtract, _subtract),
    (multiply, _multiply),
    (shift, _shift),
    (power, _power),
):
    _checked(_sign, _whole)


class _Pass(FunctionPass):
    """Numba wants each pass to begin itself."""

    def __init__(self) -> None:
        begin: Any = FunctionPass.__init__
        begin(self)


@register_pass(mutates_CFG=False, analysis_only=False)
class _Checked(_Pass):
    """Every sum, product, shift and power becomes a call that looks for an overflow."""

    _name = "boxman_checked_numbers"

    def run_pass(self, state: Any) -> bool:
        for block in state.func_ir.blocks.values():
            body = []
            for step in block.body:
                value = getattr(step, "value", None)
                if isinstance(value, ir.Const) and isinstance(value.value, int):
                    if not -MOST < value.value < MOST:
                        raise UnsupportedError(our_reason("too-large"), loc=step.loc)
                elif isinstance(value, ir.Expr) and value.op in ("binop", "inplace_binop"):
                    sign = value.immutable_fn if value.op == "inplace_binop" else value.fn
                    if sign in _SIGNS:
                        name = block.scope.redefine("$checked", loc=step.loc)
                        made = ir.Global(_SIGNS[sign].__name__, _SIGNS[sign], step.loc)
                        body.append(ir.Assign(made, name, step.loc))
                        both = (value.lhs, value.rhs)
                        step.value = ir.Expr.call(name, both, (), step.loc)
                body.append(step)
            block.body = body
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True


@register_pass(mutates_CFG=False, analysis_only=True)
class _Given(_Pass):
    """A name has a value wherever it is used."""

    _name = "boxman_given_names"

    def run_pass(self, state: Any) -> bool:
        for block in state.func_ir.blocks.values():
            for step in block.find_insts(ir.Assign):
                value = step.value
                phi = isinstance(value, ir.Expr) and value.op == "phi"
                came = value.incoming_values if phi else [value]
                if any(each is ir.UNDEFINED for each in came):
                    name = step.target.unversioned_name
                    if not name.startswith("$"):
                        raise UnsupportedError(our_reason("no-value", name), loc=step.loc)
        return False


class Compiler(compiler.CompilerBase):
    """Numba's own way, with both looks taken."""

    def define_pipelines(self) -> list[Any]:
        passes = usual_passes(self.state)
        passes.add_pass_after(_Checked, IRProcessing)
        passes.add_pass_after(_Given, ReconstructSSA)
        passes.finalize()
        return [passes]
