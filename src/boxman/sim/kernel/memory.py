"""Words at an address: the few machine instructions that the engine and `t` are made of.

An address is a plain 64-bit integer, so that a compiled strategy and a compiled engine can hand a
whole table to each other in one register. Nothing here checks anything; callers keep to the layout
in `words`. Needs Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import extending
from numba.core import cgutils, types

intrinsic: Callable[[Any], Any] = extending.intrinsic
_I64 = ir.IntType(64)


def _place(builder: Any, address: Any, index: Any) -> Any:
    start = builder.inttoptr(address, _I64.as_pointer())
    return builder.gep(start, [index], inbounds=True)


@intrinsic
def load(context: Any, address: Any, index: Any) -> Any:
    """The word at a place, as a signed number."""

    def code(_: Any, builder: Any, __: Any, args: Any) -> Any:
        return builder.load(_place(builder, args[0], args[1]))

    return types.int64(types.int64, types.int64), code


@intrinsic
def bits(context: Any, address: Any, index: Any) -> Any:
    """The word at a place, as 64 bits."""

    def code(_: Any, builder: Any, __: Any, args: Any) -> Any:
        return builder.load(_place(builder, args[0], args[1]))

    return types.uint64(types.int64, types.int64), code


@intrinsic
def byte(context: Any, address: Any, index: Any) -> Any:
    """One byte of a row of bytes."""

    def code(_: Any, builder: Any, __: Any, args: Any) -> Any:
        start = builder.inttoptr(args[0], ir.IntType(8).as_pointer())
        found = builder.load(builder.gep(start, [args[1]], inbounds=True))
        return builder.zext(found, _I64)

    return types.int64(types.int64, types.int64), code


@intrinsic
def store(context: Any, address: Any, index: Any, value: Any) -> Any:
    """Write a signed number."""

    def code(target: Any, builder: Any, _: Any, args: Any) -> Any:
        builder.store(args[2], _place(builder, args[0], args[1]))
        return target.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), code


@intrinsic
def store_bits(context: Any, address: Any, index: Any, value: Any) -> Any:
    """Write 64 bits at once.

    The compiler would write the one byte that changes, and the processor then waits when all eight
    are read soon after. It does not dare to where another thread might look.
    """

    def code(target: Any, builder: Any, _: Any, args: Any) -> Any:
        builder.store_atomic(args[2], _place(builder, args[0], args[1]), "monotonic", 8)
        return target.get_dummy_value()

    return types.void(types.int64, types.int64, types.uint64), code


@intrinsic
def store_bytes(context: Any, address: Any, value: Any) -> Any:
    """Write eight bytes, the low one first, at any address."""

    def code(target: Any, builder: Any, _: Any, args: Any) -> Any:
        builder.store(args[1], builder.inttoptr(args[0], _I64.as_pointer()), align=1)
        return target.get_dummy_value()

    return types.void(types.int64, types.uint64), code


@intrinsic
def lowest_bit(context: Any, word: Any) -> Any:
    """The number of the lowest bit that is set; the word is not 0."""

    def code(_: Any, builder: Any, __: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), code


@intrinsic
def count_bits(context: Any, word: Any) -> Any:
    """How many bits are set."""

    def code(_: Any, builder: Any, __: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), code


@intrinsic
def rarely(context: Any, truth: Any) -> Any:
    """A truth that the compiler may take for false when it puts code in order."""

    def code(_: Any, builder: Any, __: Any, args: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(1), [ir.IntType(1)] * 2)
        known: Any = cgutils.get_or_insert_function
        expect = known(builder.module, kind, "llvm.expect.i1")
        return builder.call(expect, [args[0], ir.Constant(ir.IntType(1), 0)])

    return types.boolean(types.boolean), code


@intrinsic
def call_turn(context: Any, function: Any, address: Any) -> Any:
    """Call a strategy compiled by Numba, by its bare address, on a seat; not 0 if it raised.

    A bare function of Numba's takes places for its result and its exception besides its argument;
    nobody looks at either: the reference will raise the exception again.
    """

    def code(_: Any, builder: Any, __: Any, args: Any) -> Any:
        place = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.IntType(32), [place.as_pointer(), place.as_pointer(), _I64])
        with builder.goto_entry_block():
            result, raised = builder.alloca(place), builder.alloca(place)
        bare = builder.inttoptr(args[0], kind.as_pointer())
        return builder.call(bare, [result, raised, args[1]])

    return types.int32(types.int64, types.int64), code


@intrinsic
def call_engine(
    context: Any, function: Any, address: Any, what: Any, spot: Any, amount: Any
) -> Any:
    """Call the engine's `act` or `ask` at an address."""

    def code(_: Any, builder: Any, __: Any, args: Any) -> Any:
        kind = ir.FunctionType(_I64, [_I64] * 4)
        return builder.call(builder.inttoptr(args[0], kind.as_pointer()), list(args[1:]))

    return types.int64(*[types.int64] * 5), code
