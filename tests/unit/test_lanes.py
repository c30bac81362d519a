"""Lane steps and byte packing, against arithmetic on plain integers."""

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workers.engines.machine.kernel import JIT_DISABLED
from workers.engines.machine.lanes import ROW, across, equal, lane_numbers, lane_step, new_board
from workers.engines.machine.packing import mask_reader, mask_writer

pytestmark = pytest.mark.nojit

WORDS = st.lists(st.integers(0, 2**32 - 1), min_size=9, max_size=9)
ORDER = tuple(tuple(range(80 - word, -1, -3)) for word in range(3))
compiled = (lambda function: function) if JIT_DISABLED else numba.njit


def filled(*rows):
    board = new_board(len(rows) + 1)
    for index, row in enumerate(rows):
        board[ROW * index : ROW * index + 9] = row
    return board


def row_of(board, index):
    return board[ROW * index : ROW * index + 9].tolist()


@lane_step
def arithmetic(board, number):
    a, b = board.lanes(0), board.lanes(1)
    board.put(0, (a & ~b) ^ (a << 3 | b >> 5) ^ number)
    board.put(1, equal(lane_numbers(a), 8) | equal(a, b) | equal(a, 7) | 1)
    return a & 1, b & 0x80000000


@compiled
def call_arithmetic(board, number):
    return arithmetic(board, 0, number)


@settings(deadline=None)
@given(WORDS, WORDS, st.integers(0, 2**32 - 1))
def test_every_operation_works_lane_by_lane(a, b, number):
    board = filled(a, b)
    code = call_arithmetic(board, number)
    full = 2**32 - 1
    pairs = list(zip(a, b, strict=True))
    assert row_of(board, 0) == [(x & ~y) ^ (x << 3 & full | y >> 5) ^ number for x, y in pairs]
    same = [full if lane == 8 or x in (y, 7) else 1 for lane, (x, y) in enumerate(pairs)]
    assert row_of(board, 1) == same
    odd = sum(1 << lane for lane in range(9) if a[lane] & 1)
    high = sum(1 << (16 + lane) for lane in range(9) if b[lane] >> 31)
    assert code == odd | high


def more(left, right):
    once, twice = left
    other_once, other_twice = right
    return once | other_once, twice | other_twice | once & other_once


@lane_step
def fold(board):
    once, twice = across(more, board.lanes(0), 0)
    board.put(0, once)
    board.put_mark(2 * ROW, twice)
    board.put(1, board.mark(2 * ROW) | 1)
    return ()


@compiled
def call_fold(board):
    return fold(board, 0)


@settings(deadline=None)
@given(WORDS)
def test_a_fold_joins_all_nine_lanes_and_gives_the_result_to_each(words):
    board = filled(words, words)
    assert call_fold(board) == 0
    bits = [sum(word >> bit & 1 for word in words) for bit in range(32)]
    once, twice = (sum(1 << bit for bit in range(32) if bits[bit] >= least) for least in (1, 2))
    assert row_of(board, 0) == [once] * 9
    assert row_of(board, 1) == [twice | 1] * 9


read = mask_reader(ORDER, 3 * ROW)
write = mask_writer(ORDER)


@compiled
def call_read(board, rows, row):
    return read(board, 0, rows, row)


@compiled
def call_write(board, rows, row):
    return write(board, 0, rows, row)


@settings(deadline=None)
@given(st.lists(st.integers(0, 12), min_size=81, max_size=81))
def test_bytes_become_one_mask_for_each_value(values):
    board = new_board(4)
    call_read(board, np.array([[0] * 81, values, [9] * 81], dtype=np.uint8), 1)
    for word in range(3):
        for value in range(10):
            bits = (bit for bit in range(27) if values[ORDER[word][bit]] == value)
            at = 3 * ROW + word if value == 0 else ROW * word + value - 1
            assert board[at] == sum(1 << bit for bit in bits)


@settings(deadline=None)
@given(st.lists(st.integers(1, 9), min_size=81, max_size=81))
def test_masks_become_the_bytes_they_came_from(values):
    board = new_board(4)
    rows = np.array([[7] * 81, values, [7] * 81], dtype=np.uint8)
    call_read(board, rows, 1)
    rows[1] = 0
    call_write(board, rows, 1)
    assert rows.tolist() == [[7] * 81, values, [7] * 81]


def test_boards_begin_on_a_cache_line():
    board = new_board(3)
    assert len(board) == 3 * ROW
    assert board.ctypes.data % 64 == 0
