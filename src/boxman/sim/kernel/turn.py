"""The turn `t` as compiled strategies see it: the same words as `strategy.view.Turn`.

To Numba it is a type of its own, one 64-bit address. Reads are a word or two away and are written
out where they stand; acts and questions about stakes are calls to `desk`. A spot that is none, like
a wrong amount, stops the session: the reference then says what was wrong. Needs Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import extending
from numba.core import imputils, types
from numba.core.errors import TypingError
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import models, register_model

from boxman.chips import MINOR
from boxman.sim.kernel import words as w
from boxman.sim.kernel.acts import quick_bet_units, works
from boxman.sim.kernel.check import our_reason
from boxman.sim.kernel.memory import bits, call_engine, count_bits, load, rarely
from boxman.sim.kernel.stakes import quick_fit
from boxman.strategy.spots import INDEX, SPOTS

Decorator = Callable[[Any], Any]
intrinsic: Decorator = extending.intrinsic
overload: Callable[..., Decorator] = extending.overload
overload_method: Callable[..., Decorator] = extending.overload_method
overload_attribute: Callable[..., Decorator] = extending.overload_attribute
lower_read: Callable[..., Decorator] = imputils.lower_getattr_generic
lower_write: Callable[..., Decorator] = imputils.lower_setattr_generic
unliteral: Callable[[Any], Any] = types.unliteral
U64 = np.uint64
COUNT = len(SPOTS)
UNITS = U64(MINOR)
USUAL = 10**9
"""Amounts below this need no thought about the size of numbers."""
_INLINE = {"forceinline": True, "error_model": "numpy"}


def _bare(function: Any) -> Any:
    """A function without its annotations, which Numba would compare."""
    function.__annotations__ = {}
    return function


class TurnType(types.Type):
    """A turn with these variables."""

    def __init__(self, variables: tuple[str, ...]) -> None:
        self.variables = variables
        super().__init__(name=f"Turn{variables}")

    @property
    def key(self) -> tuple[str, ...]:
        return self.variables


@register_model(TurnType)
class _TurnModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, ir.IntType(64))  # type: ignore[no-untyped-call]


@intrinsic
def address(context: Any, t: Any) -> Any:
    """The address a turn is."""
    return types.int64(t), lambda _, __, ___, args: args[0]


# -- plain words and variables ---------------------------------------------------------------------

_PARTS = {
    "puck": (w.STATE, w.PUCK_AT, w.BYTE),
    "last": (w.STATE, 0, w.TOTAL),
    "rolls": (w.ROLLS, 0, -1),
    "shooters": (w.SHOOTERS, 0, -1),
}
"""Numbers that are part of a word: which word, from which bit, which bits."""
_FLOORED = {
    "cash": w.CASH,
    "net": w.WORTH,
}
_TRUTHS = {
    "coming_out": w.BYTE << w.PUCK_AT,
    "last_hard": w.HARD,
    "new_shooter": w.NEW_SHOOTER,
}
_POSTED = {"minimum": w.LEAST, "maximum": w.MOST}
READ = {*_PARTS, *_FLOORED, *_TRUTHS, *_POSTED, "shooter_rolls"}


@infer_getattr
class _Attributes(AttributeTemplate):
    key = TurnType

    def generic_resolve(self, t: Any, name: str) -> Any:  # type: ignore[override]
        if name in _TRUTHS:
            return types.boolean
        if name in READ or name in t.variables:
            return types.int64
        return None


def _word(builder: Any, seat: Any, index: int) -> Any:
    start = builder.inttoptr(seat, ir.IntType(64).as_pointer())
    return builder.gep(start, [ir.Constant(ir.IntType(64), index)], inbounds=True)


def _part(builder: Any, seat: Any, word: int, start: int, mask: int) -> Any:
    """Some bits of a word."""
    whole = builder.load(_word(builder, seat, word))
    return builder.and_(
        builder.lshr(whole, ir.Constant(whole.type, start)), ir.Constant(whole.type, mask)
    )


def _floor(builder: Any, cents: Any) -> Any:
    """Minor units to whole units, rounded down."""
    unit = ir.Constant(cents.type, MINOR)
    whole, rest = builder.sdiv(cents, unit), builder.srem(cents, unit)
    below = builder.icmp_signed("<", rest, ir.Constant(cents.type, 0))
    return builder.sub(whole, builder.zext(below, cents.type))


@lower_read(TurnType)
def _get(context: Any, builder: Any, kind: Any, seat: Any, name: str) -> Any:
    zero = ir.Constant(ir.IntType(64), 0)
    if name in kind.variables:
        place = w.VARIABLES + kind.variables.index(name)
        return builder.load(_word(builder, seat, place))
    if name in _PARTS:
        return _part(builder, seat, *_PARTS[name])
    if name in _TRUTHS:
        part = _part(builder, seat, w.STATE, 0, _TRUTHS[name])
        return builder.icmp_signed("==" if name == "coming_out" else "!=", part, zero)
    if name == "shooter_rolls":
        before = builder.load(_word(builder, seat, w.THROWN + 1))
        return builder.sub(_part(builder, seat, *_PARTS["rolls"]), before)
    if name in _POSTED:
        house = builder.load(_word(builder, seat, w.HOUSE))
        cents = builder.load(_word(builder, house, _POSTED[name]))
        if name == "minimum":
            return builder.neg(_floor(builder, builder.neg(cents)))
        return _floor(builder, cents)
    cents = builder.load(_word(builder, seat, _FLOORED[name]))
    if name == "cash":  # never below 0, so it needs no care about rounding
        return builder.udiv(cents, ir.Constant(cents.type, MINOR))
    if name == "net":
        cents = builder.sub(cents, builder.load(_word(builder, seat, w.BANKROLL)))
    return _floor(builder, cents)


@lower_write(TurnType)
def _set(context: Any, builder: Any, sig: Any, args: Any, name: str) -> Any:
    kind, value = sig.args
    if name not in kind.variables:
        raise TypingError(our_reason("read-only", name))
    if not isinstance(value, types.Integer | types.Boolean):
        raise TypingError(our_reason("written", name, value))
    word = context.cast(builder, args[1], value, types.int64)
    builder.store(word, _word(builder, args[0], w.VARIABLES + kind.variables.index(name)))


# -- methods ---------------------------------------------------------------------------------------


def _whole(kind: Any, what: str) -> None:
    """Amounts and spots are whole numbers; a compiler that takes 10.5 or True would lie."""
    kind = unliteral(kind)
    if isinstance(kind, types.IntEnumMember):
        return
    if not isinstance(kind, types.Integer):
        raise TypingError(our_reason(what, kind=kind))


_SPOT, _AMOUNT = "spot", "amount"


class StoppedError(Exception):
    """Leaves a compiled strategy at once; the reference finds the words."""


def _sound(t: Any, spot: Any) -> Any:
    """A spot by its number, if it is one."""


@overload(_sound, jit_options=_INLINE)
@_bare
def _sound_compiled(t: Any, spot: Any) -> Any:
    def sound(t: Any, spot: Any) -> Any:
        number = np.int64(spot)
        if rarely(U64(number) >= U64(COUNT)):
            seat = address(t)
            number = call_engine(load(seat, w.FIND), seat, number, 0, 0)
            if number < 0:
                raise StoppedError
        return number

    return _bare(sound)


def _propose(t: Any, what: Any, spot: Any, amount: Any) -> Any:
    """A proposal at the desk."""


@overload(_propose, jit_options=_INLINE)
@_bare
def _propose_compiled(t: Any, what: Any, spot: Any, amount: Any) -> Any:
    def propose(t: Any, what: Any, spot: Any, amount: Any) -> Any:
        seat = address(t)
        made = call_engine(load(seat, w.ACT), seat, what, _sound(t, spot), np.int64(amount))
        if made < 0:
            raise StoppedError
        return made != 0

    return _bare(propose)


def _question(t: Any, what: Any, spot: Any, amount: Any) -> Any:
    """A question at the desk."""


@overload(_question, jit_options=_INLINE)
@_bare
def _question_compiled(t: Any, what: Any, spot: Any, amount: Any) -> Any:
    def question(t: Any, what: Any, spot: Any, amount: Any) -> Any:
        seat = address(t)
        found = call_engine(load(seat, w.ASK), seat, what, _sound(t, spot), np.int64(amount))
        if found < 0:
            raise StoppedError
        return found

    return _bare(question)


def _with_spot(name: str, what: int) -> None:
    @overload_method(TurnType, name, jit_options=_INLINE)
    @_bare
    def method(t: Any, spot: Any) -> Any:
        _whole(spot, _SPOT)
        return lambda t, spot: _propose(t, what, spot, 0)


def _asking(name: str, what: int) -> None:
    @overload_method(TurnType, name, jit_options=_INLINE)
    @_bare
    def method(t: Any, spot: Any) -> Any:
        _whole(spot, _SPOT)
        return lambda t, spot: _question(t, what, spot, 0)


for _name, _what in (("down", w.DOWN), ("turn_on", w.TURN_ON)):
    _with_spot(_name, _what)
for _name, _what in (("turn_off", w.TURN_OFF), ("stay_up", w.STAY_UP)):
    _with_spot(_name, _what)
for _name, _what in (("low", w.LEAST_STAKE), ("high", w.MOST_STAKE), ("unit", w.STAKE_STEP)):
    _asking(_name, _what)


@overload_method(TurnType, "bet", jit_options=_INLINE)
@_bare
def _bet(t: Any, spot: Any, amount: Any) -> Any:
    _whole(spot, _SPOT)
    _whole(amount, _AMOUNT)

    def bet(t: Any, spot: Any, amount: Any) -> Any:
        seat = address(t)
        number = _sound(t, spot)
        if rarely(not quick_bet_units(seat, load(seat, w.HOUSE), number, np.int64(amount))):
            return _propose(t, w.BET, spot, amount)
        return True

    return _bare(bet)


@overload_method(TurnType, "press", jit_options=_INLINE)
@_bare
def _press(t: Any, spot: Any, by: Any) -> Any:
    _whole(spot, _SPOT)
    _whole(by, _AMOUNT)
    return lambda t, spot, by: _propose(t, w.PRESS, spot, by)


@overload_method(TurnType, "regress", jit_options=_INLINE)
@_bare
def _regress(t: Any, spot: Any, to: Any) -> Any:
    _whole(spot, _SPOT)
    _whole(to, _AMOUNT)
    return lambda t, spot, to: _propose(t, w.REGRESS, spot, to)


@overload_method(TurnType, "odds", jit_options=_INLINE)
@_bare
def _odds(t: Any, multiple: Any) -> Any:
    _whole(multiple, _AMOUNT)
    return lambda t, multiple: _propose(t, w.ODDS_BY, 0, multiple)


@overload_method(TurnType, "odds_on", jit_options=_INLINE)
@_bare
def _odds_on(t: Any, flat: Any, multiple: Any) -> Any:
    _whole(flat, _SPOT)
    _whole(multiple, _AMOUNT)
    return lambda t, flat, multiple: _propose(t, w.ODDS_ON, flat, multiple)


@overload_method(TurnType, "odds_max", jit_options=_INLINE)
@_bare
def _odds_max(t: Any) -> Any:
    return lambda t: _propose(t, w.ODDS_MAX, 0, 0)


@overload_method(TurnType, "fit", jit_options=_INLINE)
@_bare
def _fit(t: Any, spot: Any, amount: Any) -> Any:
    _whole(spot, _SPOT)
    _whole(amount, _AMOUNT)

    def fit(t: Any, spot: Any, amount: Any) -> Any:
        seat = address(t)
        number = _sound(t, spot)
        found = 0
        if amount < USUAL:
            found = quick_fit(seat, load(seat, w.HOUSE), number, np.int64(amount))
        if rarely(found == 0):
            found = _question(t, w.FITTING, spot, amount)
        return found

    return _bare(fit)


@overload_method(TurnType, "on", jit_options=_INLINE)
@_bare
def _on(t: Any, spot: Any) -> Any:
    _whole(spot, _SPOT)
    return lambda t, spot: np.int64(bits(address(t), w.STAKE + _sound(t, spot)) // UNITS)


def _last_of(name: str, sign: int) -> None:
    @overload_method(TurnType, name, jit_options=_INLINE)
    @_bare
    def method(t: Any, spot: Any) -> Any:
        _whole(spot, _SPOT)

        def last(t: Any, spot: Any) -> Any:
            seat = address(t)
            number = _sound(t, spot)
            decided = bits(seat, w.DECIDED + (number >> 6)) >> (U64(number) & U64(63))
            if load(seat, w.DECIDED_AT) != t.rolls or decided & U64(1) == U64(0):
                return 0
            return max(0, sign * load(seat, w.NET + number)) // MINOR

        return _bare(last)


_last_of("won", 1)
_last_of("lost", -1)


@overload_attribute(TurnType, "won_total", jit_options=_INLINE)
@_bare
def _won_total(t: Any) -> Any:
    return lambda t: _question(t, w.WON_TOTAL, 0, 0)


@overload_attribute(TurnType, "lost_total", jit_options=_INLINE)
@_bare
def _lost_total(t: Any) -> Any:
    return lambda t: _question(t, w.LOST_TOTAL, 0, 0)


def _travelled(area: str) -> tuple[int, int]:
    spots = [i for i, s in enumerate(SPOTS) if s == area or family_of(s) == area]
    mask = sum(1 << spot for spot in spots)
    return mask & (2**64 - 1), mask >> 64


def family_of(spot: str) -> str:
    """The area a travelled wager came from."""
    return spot.rpartition(".")[0]


_COME, _DONT_COME = INDEX["come"], INDEX["dont_come"]
_COMES = tuple(U64(word) for word in _travelled("come"))
_DONT_COMES = tuple(U64(word) for word in _travelled("dont_come"))
_C0, _C1 = _COMES
_D0, _D1 = _DONT_COMES


@overload_method(TurnType, "count", jit_options=_INLINE)
@_bare
def _count(t: Any, spot: Any) -> Any:
    _whole(spot, _SPOT)

    def count(t: Any, spot: Any) -> Any:
        seat = address(t)
        number = _sound(t, spot)
        first, second = bits(seat, w.UP), bits(seat, w.UP + 1)
        if number == _COME:
            return count_bits(first & _C0) + count_bits(second & _C1)
        if number == _DONT_COME:
            return count_bits(first & _D0) + count_bits(second & _D1)
        return 1 if load(seat, w.STAKE + number) else 0

    return _bare(count)


@overload_method(TurnType, "offers", jit_options=_INLINE)
@_bare
def _offers(t: Any, spot: Any) -> Any:
    _whole(spot, _SPOT)

    def offers(t: Any, spot: Any) -> Any:
        number = np.int64(spot)
        seat = address(t)
        if U64(number) >= U64(COUNT):
            number = call_engine(load(seat, w.FIND), seat, number, 0, 0)
            if number < 0:
                return False
        house = load(seat, w.HOUSE)
        return load(house, w.TERMS + number * w.TERM_WORDS + w.FLAGS) & w.OFFERED != 0

    return _bare(offers)


@overload_method(TurnType, "working", jit_options=_INLINE)
@_bare
def _working(t: Any, spot: Any) -> Any:
    _whole(spot, _SPOT)

    def working(t: Any, spot: Any) -> Any:
        seat = address(t)
        number = _sound(t, spot)
        if load(seat, w.STAKE + number) == 0:
            return False
        return works(seat, load(seat, w.HOUSE), number)

    return _bare(working)
