"""The innermost loop: many sessions step through a quick automaton together, in vector registers.

Numba's compiler does not see by itself that table lookups of neighbouring sessions may be done at
once (it cannot know that tables and results do not overlap), so the loop is written in LLVM's own
terms: lanes of 32-bit words, one gather for the move, one for its effect. LLVM turns that into
whatever the processor has, down to plain loads. Needs Numba.
"""

from __future__ import annotations

from typing import Any

from llvmlite import binding, ir  # type: ignore[import-untyped]
from numba.core import cgutils
from numba.core import types as numba_types
from numba.extending import intrinsic

from boxman.sim.dice_numba import LANES

BITS = {width: ir.IntType(width) for width in (1, 8, 32, 64)}
WORD = BITS[32]


def _width() -> int:
    """Lanes stepped together: as many as the registers hold without spilling."""
    return 32 if binding.get_host_cpu_features().get("avx512f") else 16


WIDTH = _width()
_declared: Any = cgutils.get_or_insert_function


class _Writer:
    """Writes vector instructions of `WIDTH` words."""

    def __init__(self, builder: Any) -> None:
        self.builder = builder

    def all(self, value: int, bits: int = 32) -> Any:
        return ir.Constant(ir.VectorType(BITS[bits], WIDTH), [value] * WIDTH)

    def spread(self, scalar: Any) -> Any:
        """One scalar in every lane."""
        kind = ir.VectorType(scalar.type, WIDTH)
        empty = ir.Constant(kind, ir.Undefined)
        one = self.builder.insert_element(empty, scalar, ir.Constant(WORD, 0))
        zeros = ir.Constant(ir.VectorType(WORD, WIDTH), [0] * WIDTH)
        return self.builder.shuffle_vector(one, empty, zeros)

    def _place(self, pointer: Any, offset: Any, bits: int) -> Any:
        kind = ir.PointerType(ir.VectorType(BITS[bits], WIDTH))
        return self.builder.bitcast(self.builder.gep(pointer, [offset]), kind)

    def load(self, pointer: Any, offset: Any, bits: int = 32) -> Any:
        loaded = self.builder.load(self._place(pointer, offset, bits))
        loaded.align = 1
        return loaded

    def store(self, value: Any, pointer: Any, offset: Any) -> None:
        stored = self.builder.store(value, self._place(pointer, offset, 32))
        stored.align = 1

    def gather(self, pointer: Any, places: Any) -> Any:
        """Words at these places of a table."""
        builder = self.builder
        wide = ir.VectorType(BITS[64], WIDTH)
        offsets = builder.shl(builder.zext(places, wide), self.all(2, 64))
        base = self.spread(builder.ptrtoint(pointer, BITS[64]))
        pointers = builder.inttoptr(
            builder.add(base, offsets), ir.VectorType(ir.PointerType(WORD), WIDTH)
        )
        words = ir.VectorType(WORD, WIDTH)
        mask = ir.VectorType(BITS[1], WIDTH)
        function = _declared(
            builder.module,
            ir.FunctionType(words, [pointers.type, WORD, mask, words]),
            f"llvm.masked.gather.v{WIDTH}i32.v{WIDTH}p0",
        )
        align, every = ir.Constant(WORD, 4), ir.Constant(mask, [1] * WIDTH)
        return builder.call(function, [pointers, align, every, ir.Constant(words, ir.Undefined)])

    def most(self, one: Any, other: Any) -> Any:
        return self.builder.select(self.builder.icmp_signed(">", one, other), one, other)


@intrinsic
def step(
    context: Any,
    move: Any,
    effect: Any,
    fee: Any,
    shift: Any,
    stops: Any,
    rolls: Any,
    count: Any,
    lanes: Any,
) -> Any:
    """Step all lanes through `count` rolls.

    `lanes[f, lane]` holds int32 fields: 0 row offset, 1 cash above the margin, 2 a latch whose sign
    says that cash was ever below (or a stop was reached), 3 how far the worth is below its highest,
    4 the most it ever was, 5 stakes and seven-outs, 6 the worth against the bankroll (only with
    `stops`: the highest and lowest worth, exclusive, at which nothing happens). `fee` and
    `stops` may be None.
    """
    signature = numba_types.void(move, effect, fee, shift, stops, rolls, count, lanes)

    def write(target: Any, builder: Any, signature: Any, values: Any) -> Any:
        writer = _Writer(builder)

        def data(number: int) -> Any:
            return target.make_array(signature.args[number])(target, builder, values[number]).data

        with_fee = not isinstance(signature.args[2], numba_types.NoneType)
        with_stops = not isinstance(signature.args[4], numba_types.NoneType)
        down = writer.spread(builder.trunc(values[3], WORD))
        one = writer.all(1)
        offsets = builder.sub(builder.shl(one, down), one)
        highest = lowest = None
        if with_stops:
            bounds = data(4)
            highest = writer.spread(builder.load(builder.gep(bounds, [ir.Constant(BITS[64], 0)])))
            lowest = writer.spread(builder.load(builder.gep(bounds, [ir.Constant(BITS[64], 1)])))
        fields = 7 if with_stops else 6
        for group in range(0, LANES, WIDTH):
            places = [ir.Constant(BITS[64], f * LANES + group) for f in range(fields)]
            begun = [writer.load(data(7), place) for place in places]
            before = builder.block
            loop = builder.append_basic_block("rolls")
            after = builder.append_basic_block("stepped")
            builder.branch(loop)
            builder.position_at_end(loop)
            number = builder.phi(BITS[64])
            number.add_incoming(ir.Constant(BITS[64], 0), before)
            held = [builder.phi(value.type) for value in begun]
            for phi, value in zip(held, begun, strict=True):
                phi.add_incoming(value, before)
            row, cash, latch, gap, deepest, staked = held[:6]
            column = builder.add(
                builder.mul(number, ir.Constant(BITS[64], LANES)), ir.Constant(BITS[64], group)
            )
            rolled = builder.zext(writer.load(data(5), column, 8), row.type)
            place = builder.add(row, rolled)
            moved = writer.gather(data(0), place)
            effected = writer.gather(data(1), place)
            row = builder.and_(moved, offsets)
            cash = builder.add(cash, builder.ashr(moved, down))
            latch = builder.or_(latch, cash)
            change = builder.ashr(effected, writer.all(16))
            gap = writer.most(builder.sub(gap, change), writer.all(0))
            deepest = writer.most(deepest, gap)
            staked = builder.add(staked, builder.and_(effected, writer.all(0xFFFF)))
            stepped = [row, cash, latch, gap, deepest, staked]
            if with_stops:
                worth = builder.add(held[6], change)
                stepped[2] = builder.or_(stepped[2], builder.sub(highest, worth))
                stepped[2] = builder.or_(stepped[2], builder.sub(worth, lowest))
                stepped.append(worth)
            if with_fee:
                paid = writer.gather(data(2), place)
                stepped[3] = builder.add(gap, paid)
                if with_stops:
                    stepped[6] = builder.sub(stepped[6], paid)
            following = builder.add(number, ir.Constant(BITS[64], 1))
            number.add_incoming(following, loop)
            for phi, value in zip(held, stepped, strict=True):
                phi.add_incoming(value, loop)
            builder.cbranch(builder.icmp_signed("<", following, values[6]), loop, after)
            builder.position_at_end(after)
            for value, spot in zip(stepped, places, strict=True):
                writer.store(value, data(7), spot)
        return target.get_dummy_value()

    return signature, write
