"""Rows of 81 bytes to 27-bit masks in lanes, and back: a byte v > 0 is bit p of lane v - 1.

The caller says which byte is bit p of which word; the permutation is built into the code.
"""

from collections.abc import Callable
from typing import Any, Final, cast

import numpy as np
from llvmlite import ir
from numpy.typing import NDArray

from workers.engines.machine.kernel import JIT_DISABLED
from workers.engines.machine.lanes import LANES, ROW, Board

WORDS: Final = 3
BITS: Final = 27
Order = tuple[tuple[int, ...], ...]
"""For each of the three words, the index 0..80 of the byte behind each of its 27 bits."""

Packing = Callable[[Board, int, NDArray[np.uint8], int], int]
"""`f(board, base, bytes (n, 81), row)`; returns 0."""

_BYTE: Final = ir.IntType(8)
_BIT: Final = ir.IntType(1)
_WORD: Final = ir.IntType(32)
_INT: Final = ir.IntType(64)
_BYTES: Final = ir.VectorType(_BYTE, 32)
_STARTS: Final = (0, 32, 49)  # three times 32 bytes cover a row of 81


def mask_reader(order: Order, marks: int) -> Packing:
    """Make the kernel function that writes the masks of a row of bytes into rows 0..2 of a board.

    The mask of the zero bytes of word w goes to mark `marks + w`.
    """

    def read_masks(board: Board, base: int, source: NDArray[np.uint8], row: int) -> int:
        for word in range(WORDS):
            for lane in range(-1, LANES):
                mask = sum(1 << bit for bit in range(BITS)
                           if source[row, order[word][bit]] == lane + 1)  # fmt: skip
                board[base + (marks + word if lane < 0 else ROW * word + lane)] = mask
        return 0

    def generate(builder: Any, words: Any, row: Any) -> None:
        parts = [builder.load(_at(builder, row, start, _BYTES), typ=_BYTES) for start in _STARTS]
        for part in parts:
            part.align = 1
        for word in range(WORDS):
            ordered = _gathered(builder, parts, order[word])
            for lane in range(-1, LANES):
                value = ir.Constant(_BYTES, [ir.Constant(_BYTE, lane + 1)] * 32)
                same = builder.icmp_unsigned("==", ordered, value)
                mask = builder.and_(
                    builder.bitcast(same, _WORD), ir.Constant(_WORD, (1 << BITS) - 1)
                )
                place = marks + word if lane < 0 else ROW * word + lane
                builder.store(mask, builder.gep(words, [ir.Constant(_INT, place)]))

    return read_masks if JIT_DISABLED else _compiled(generate, "read_masks")


def mask_writer(order: Order) -> Packing:
    """Make the kernel function that writes rows 0..2 of a board, one bit a cell, as bytes."""

    def write_masks(board: Board, base: int, target: NDArray[np.uint8], row: int) -> int:
        for word in range(WORDS):
            for bit, place in enumerate(order[word]):
                lanes = board[base + ROW * word : base + ROW * word + LANES]
                target[row, place] = int(np.flatnonzero(lanes >> bit & 1)[0]) + 1
        return 0

    inverse = {
        place: 32 * word + bit for word in range(WORDS) for bit, place in enumerate(order[word])
    }

    def generate(builder: Any, words: Any, row: Any) -> None:
        ordered = [_bytes_of_word(builder, words, ROW * word) for word in range(WORDS)]
        for start in _STARTS:
            wanted = tuple(inverse[place] for place in range(start, start + 32))
            builder.store(
                _gathered(builder, ordered, wanted, whole=True), _at(builder, row, start, _BYTES)
            ).align = 1

    return write_masks if JIT_DISABLED else _compiled(generate, "write_masks")


def _bytes_of_word(builder: Any, words: Any, first: int) -> Any:
    total = ir.Constant(_BYTES, [ir.Constant(_BYTE, 0)] * 32)
    for lane in range(LANES):
        mask = builder.load(builder.gep(words, [ir.Constant(_INT, first + lane)]))
        bits = builder.bitcast(mask, ir.VectorType(_BIT, 32))
        value = ir.Constant(_BYTES, [ir.Constant(_BYTE, lane + 1)] * 32)
        total = builder.select(bits, value, total)
    return total


def _at(builder: Any, row: Any, start: int, vector: Any) -> Any:
    return builder.bitcast(builder.gep(row, [ir.Constant(_INT, start)]), vector.as_pointer())


def _gathered(builder: Any, parts: list[Any], wanted: tuple[int, ...], whole: bool = False) -> Any:
    """32 bytes picked out of three vectors: by index in the row, or in all 96 with `whole`."""
    starts = (0, 32, 64) if whole else _STARTS
    pairs = [max((index, start) for index, start in enumerate(starts) if start <= place)
             for place in wanted]  # fmt: skip
    sources = [(index, place - start) for (index, start), place in zip(pairs, wanted, strict=True)]
    sources += [(0, 0)] * (32 - len(sources))
    first = [32 * index + byte if index < 2 else 0 for index, byte in sources]
    second = [32 + byte if index == 2 else slot for slot, (index, byte) in enumerate(sources)]
    return _shuffled(builder, _shuffled(builder, parts[0], parts[1], first), parts[2], second)


def _shuffled(builder: Any, left: Any, right: Any, order: list[int]) -> Any:
    places = ir.Constant(ir.VectorType(_WORD, 32), [ir.Constant(_WORD, place) for place in order])
    return builder.shuffle_vector(left, right, places)


def _compiled(generate: Callable[[Any, Any, Any], None], name: str) -> Packing:
    from numba import types
    from numba.extending import intrinsic

    def typed(typing_context: Any, board: Any, base: Any, rows: Any, row: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            words = context.make_array(signature.args[0])(context, builder, args[0]).data
            source = context.make_array(signature.args[2])(context, builder, args[2]).data
            start = builder.mul(args[3], ir.Constant(_INT, 81))
            generate(builder, builder.gep(words, [args[1]]), builder.gep(source, [start]))
            return ir.Constant(_INT, 0)

        return types.int64(board, types.int64, rows, types.int64), code

    typed.__name__ = name
    return cast(Packing, intrinsic(typed))
