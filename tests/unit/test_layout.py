"""Where the band engine keeps each cell."""

import numpy as np
import pytest

from workers.engines.sudoku.geometry import BOX, CELLS, COLUMN, PEERS, ROW
from workers.engines.sudoku.layout import CELL, ORDER, PEER_MASKS, SLOT, slot_of

pytestmark = pytest.mark.nojit


def test_every_cell_has_a_slot_of_its_own():
    assert sorted(SLOT) == list(range(CELLS))
    assert [slot_of(int(cell)) for cell in CELL] == list(range(CELLS))
    assert [cell for word in ORDER for cell in word] == CELL.tolist()


def test_a_minirow_is_three_neighbours_in_one_row_and_box():
    for minirow in range(27):
        first, second, third = (int(CELL[27 * word + minirow]) for word in range(3))
        assert (second, third) == (first + 1, first + 2)
        assert len({int(ROW[cell]) for cell in (first, second, third)}) == 1
        assert len({int(BOX[cell]) for cell in (first, second, third)}) == 1


def test_bits_of_a_minirow_number_are_row_band_and_stack():
    for cell in range(CELLS):
        row, rest = divmod(slot_of(cell) % 27, 9)
        assert row == ROW[cell] % 3
        assert divmod(rest, 3) == (ROW[cell] // 3, COLUMN[cell] // 3)


def test_peer_masks_hold_the_peers():
    for cell in range(CELLS):
        low, high = (int(mask) for mask in PEER_MASKS[slot_of(cell)])
        bits = low & 0xFFFFFFFF | (low >> 32) << 27 | high << 54
        slots = np.flatnonzero([bits >> slot & 1 for slot in range(CELLS)])
        assert sorted(CELL[slots]) == PEERS[cell].tolist()
