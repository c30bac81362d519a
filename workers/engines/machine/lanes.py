"""Nine 32-bit words at once: straight-line vector code inside kernels.

A step is a Python function over lanes, written with `& | ^ ~ << >>` and the few functions below.
Compiled, each of its operations becomes one instruction for lanes 0..7 (a vector register) and
one for lane 8 (a general register, for which the processor has other ports); with the JIT
switched off the same function runs over NumPy arrays, which is its twin in the tests.

Lanes live in the rows of a board: uint32 words, sixteen to a row, lane i of a row at word i. Words
past a row's nine lanes are free for marks, single words that a step reads as nine equal lanes.
"""

import functools
import inspect
from collections.abc import Callable
from typing import Any, Final, cast

import numpy as np
from llvmlite import ir
from numpy.typing import NDArray

from workers.engines.machine.kernel import JIT_DISABLED

LANES: Final = 9
ROW: Final = 16
Board = NDArray[np.uint32]
Step = Callable[..., tuple[Any, ...]]

_WORD: Final = ir.IntType(32)
_INT: Final = ir.IntType(64)
_VECTOR: Final = ir.VectorType(_WORD, 8)


def new_board(rows: int) -> Board:
    """A zeroed board of `rows` rows, each on a cache line of its own."""
    words = np.zeros((rows + 1) * ROW, dtype=np.uint32)
    start = -words.ctypes.data % 64 // 4
    return words[start : start + rows * ROW]


def lane_step(step: Step) -> Callable[..., int]:
    """Make `step(view, *numbers)` callable in kernels as `f(board, base, *numbers)`.

    `view` reads and writes the rows of `board` from word `base` on; each number, an int64 below
    2**32, arrives as nine equal lanes. The step returns a tuple of lanes; the call returns an
    int64 in which bit 16*i + lane says that this lane of the i-th of them is not 0.
    """
    return _interpreted(step) if JIT_DISABLED else _compiled(step)


def lane_numbers(like: Any) -> Any:
    """Lanes that hold their own number 0..8."""
    return like.numbers() if isinstance(like, Lanes) else np.arange(LANES, dtype=np.uint32)


def equal(left: Any, right: Any) -> Any:
    """All ones in the lanes where both are equal, else 0; `left` is lanes, not a number."""
    if isinstance(left, Lanes):
        return left.equal(right)
    return np.where(left == right, np.uint32(0xFFFFFFFF), np.uint32(0))


def across(combine: Callable[..., tuple[Any, ...]], *values: Any) -> tuple[Any, ...]:
    """Fold the nine lanes into one and give the result to all of them.

    `combine(left, right)` joins two tuples of as many lanes as there are `values`; it must be
    commutative and associative.
    """
    if isinstance(values[0], Lanes):
        return _across_compiled(combine, values)
    words = (np.broadcast_to(np.asarray(value, dtype=np.uint32), LANES) for value in values)
    lanes = zip(*words, strict=True)
    return functools.reduce(combine, lanes)


class ArrayView:
    """The rows of a board as NumPy arrays, for steps that are not compiled."""

    def __init__(self, board: Board, base: int) -> None:
        self._words = board[base:]

    def lanes(self, row: int) -> Any:
        return self._words[ROW * row : ROW * row + LANES].copy()

    def put(self, row: int, lanes: Any) -> None:
        self._words[ROW * row : ROW * row + LANES] = lanes

    def mark(self, word: int) -> Any:
        return np.full(LANES, self._words[word])

    def put_mark(self, word: int, lanes: Any) -> None:
        self._words[word] = np.broadcast_to(lanes, LANES)[0]


def _interpreted(step: Step) -> Callable[..., int]:
    @functools.wraps(step)
    def call(board: Board, base: int, *numbers: int) -> int:
        lanes = (np.full(LANES, number, dtype=np.uint32) for number in numbers)
        code = 0
        for index, value in enumerate(step(ArrayView(board, base), *lanes)):
            for lane in np.flatnonzero(np.broadcast_to(value, LANES)):
                code |= 1 << (16 * index + int(lane))
        return code

    return call


class Lanes:
    """Lanes in a kernel being compiled: LLVM values, a vector of eight and a word."""

    def __init__(self, builder: Any, parts: tuple[Any, ...]) -> None:
        self.builder = builder
        self.parts = parts

    def _each(self, operation: str, other: Any) -> "Lanes":
        operate = getattr(self.builder, operation)
        others = other.parts if isinstance(other, Lanes) else _constants(other, self.parts)
        return Lanes(self.builder, tuple(map(operate, self.parts, others)))

    def __and__(self, other: Any) -> "Lanes":
        return self._each("and_", other)

    def __or__(self, other: Any) -> "Lanes":
        return self._each("or_", other)

    def __xor__(self, other: Any) -> "Lanes":
        return self._each("xor", other)

    def __invert__(self) -> "Lanes":
        return self._each("xor", 0xFFFFFFFF)

    def __lshift__(self, other: Any) -> "Lanes":
        return self._each("shl", other)

    def __rshift__(self, other: Any) -> "Lanes":
        return self._each("lshr", other)

    def numbers(self) -> "Lanes":
        vector = ir.Constant(_VECTOR, [ir.Constant(_WORD, lane) for lane in range(8)])
        return Lanes(self.builder, (vector, ir.Constant(_WORD, 8)))

    def equal(self, other: Any) -> "Lanes":
        others = other.parts if isinstance(other, Lanes) else _constants(other, self.parts)
        same = (self.builder.icmp_unsigned("==", *pair)
                for pair in zip(self.parts, others, strict=True))  # fmt: skip
        wide = (
            self.builder.sext(bit, part.type) for bit, part in zip(same, self.parts, strict=True)
        )
        return Lanes(self.builder, tuple(wide))

    def occupied(self) -> Any:
        """An LLVM i64 whose bit `lane` says that this lane is not 0."""
        vector, word = (self.builder.icmp_unsigned("!=", part, zero)
                        for part, zero in zip(self.parts, _constants(0, self.parts), strict=True)
                        )  # fmt: skip
        low = self.builder.zext(self.builder.bitcast(vector, ir.IntType(8)), _INT)
        high = self.builder.zext(word, _INT)
        return self.builder.or_(low, self.builder.shl(high, ir.Constant(_INT, 8)))


def _constants(number: int, like: tuple[Any, ...]) -> list[Any]:
    word = ir.Constant(_WORD, int(number) & 0xFFFFFFFF)
    return [word if part.type == _WORD else ir.Constant(_VECTOR, [word] * 8) for part in like]


def _shuffled(builder: Any, vector: Any, order: list[int]) -> Any:
    places = ir.Constant(_VECTOR, [ir.Constant(_WORD, place) for place in order])
    return builder.shuffle_vector(vector, ir.Constant(_VECTOR, ir.Undefined), places)


def _spread(builder: Any, word: Any) -> Any:
    """A vector of eight equal words."""
    first = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), word, ir.Constant(_WORD, 0))
    return _shuffled(builder, first, [0] * 8)


def _across_compiled(
    combine: Callable[..., tuple[Any, ...]], values: tuple[Any, ...]
) -> tuple[Any, ...]:
    builder = values[0].builder
    parts = [value.parts if isinstance(value, Lanes) else _constants(value, values[0].parts)
             for value in values]  # fmt: skip
    vectors = tuple(Lanes(builder, (vector,)) for vector, _ in parts)
    for distance in (4, 2, 1):
        order = [lane ^ distance for lane in range(8)]
        turned = (Lanes(builder, (_shuffled(builder, one.parts[0], order),)) for one in vectors)
        vectors = combine(vectors, tuple(turned))
    words = tuple(Lanes(builder, (word,)) for _, word in parts)
    firsts = (builder.extract_element(one.parts[0], ir.Constant(_WORD, 0)) for one in vectors)
    last = combine(tuple(Lanes(builder, (first,)) for first in firsts), words)
    spread = (Lanes(builder, (_spread(builder, one.parts[0]),)) for one in words)
    both = zip(combine(vectors, tuple(spread)), last, strict=True)
    return tuple(Lanes(builder, (vector.parts[0], word.parts[0])) for vector, word in both)


class CodeView:
    """The rows of a board as LLVM values, for a step being compiled."""

    def __init__(self, builder: Any, words: Any, base: Any) -> None:
        self._builder = builder
        self._words = words
        self._base = base

    def _pointer(self, word: int) -> Any:
        index = self._builder.add(self._base, ir.Constant(_INT, word))
        return self._builder.gep(self._words, [index])

    def _vector_pointer(self, row: int) -> Any:
        return self._builder.bitcast(self._pointer(ROW * row), _VECTOR.as_pointer())

    def lanes(self, row: int) -> Lanes:
        vector = self._builder.load(self._vector_pointer(row), typ=_VECTOR)
        vector.align = 4
        return Lanes(self._builder, (vector, self._builder.load(self._pointer(ROW * row + 8))))

    def put(self, row: int, lanes: Lanes) -> None:
        vector, word = lanes.parts
        self._builder.store(vector, self._vector_pointer(row)).align = 4
        self._builder.store(word, self._pointer(ROW * row + 8))

    def mark(self, word: int) -> Lanes:
        value = self._builder.load(self._pointer(word))
        return Lanes(self._builder, (_spread(self._builder, value), value))

    def put_mark(self, word: int, lanes: Lanes) -> None:
        self._builder.store(lanes.parts[1], self._pointer(word))


def _compiled(step: Step) -> Callable[..., int]:
    from numba import types
    from numba.extending import intrinsic

    def typed(typing_context: Any, board: Any, base: Any, *numbers: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            words = context.make_array(signature.args[0])(context, builder, args[0]).data
            narrow = [builder.trunc(number, _WORD) for number in args[2:]]
            lanes = (Lanes(builder, (_spread(builder, word), word)) for word in narrow)
            code = ir.Constant(_INT, 0)
            for index, value in enumerate(step(CodeView(builder, words, args[1]), *lanes)):
                shifted = builder.shl(value.occupied(), ir.Constant(_INT, 16 * index))
                code = builder.or_(code, shifted)
            return code

        return types.int64(board, types.int64, *(types.int64 for _ in numbers)), generate

    typed.__name__ = step.__name__
    typed.__doc__ = step.__doc__
    # Numba wants to see every parameter by name.
    numbers = list(inspect.signature(step).parameters.values())[1:]
    fixed = list(inspect.signature(typed).parameters.values())[:3]
    typed.__signature__ = inspect.Signature([*fixed, *numbers])  # type: ignore[attr-defined]
    return cast(Callable[..., int], intrinsic(typed))
