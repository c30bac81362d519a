"""The board's index tables, against counting by hand."""

import numpy as np
import pytest

from workers.engines.sudoku.geometry import (
    BOX,
    CELL_UNITS,
    CELLS,
    COLUMN,
    PEERS,
    ROW,
    UNITS,
    cell_name,
    unit_name,
)  # fmt: skip

pytestmark = pytest.mark.nojit


def test_every_cell_lies_in_one_row_one_column_and_one_box() -> None:
    for first in (0, 9, 18):
        assert sorted(UNITS[first : first + 9].ravel()) == list(range(CELLS))


def test_coordinates_follow_from_the_cell_number() -> None:
    for cell in range(CELLS):
        row, column = divmod(cell, 9)
        assert (ROW[cell], COLUMN[cell]) == (row, column)
        assert BOX[cell] == 3 * (row // 3) + column // 3
        assert list(CELL_UNITS[cell]) == [row, 9 + column, 18 + BOX[cell]]


def test_units_are_ascending_and_hold_the_cells_that_name_them() -> None:
    for unit in range(27):
        assert list(UNITS[unit]) == sorted(UNITS[unit])
        assert list(UNITS[unit]) == [cell for cell in range(CELLS) if unit in CELL_UNITS[cell]]


def test_peers_are_the_twenty_other_cells_of_the_three_units() -> None:
    assert PEERS.shape == (81, 20)
    for cell in range(CELLS):
        together = {int(peer) for unit in CELL_UNITS[cell] for peer in UNITS[unit]} - {cell}
        assert list(PEERS[cell]) == sorted(together)


def test_peerhood_is_symmetric() -> None:
    related = np.zeros((CELLS, CELLS), dtype=bool)
    np.put_along_axis(related, PEERS, True, axis=1)
    assert (related == related.T).all()


def test_peers_of_the_second_cell_are_as_counted_by_hand() -> None:
    by_hand = [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 18, 19, 20, 28, 37, 46, 55, 64, 73]
    assert list(PEERS[1]) == by_hand


def test_tables_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="read-only"):
        PEERS[0, 0] = 3


def test_names_count_from_one() -> None:
    assert [cell_name(cell) for cell in (0, 8, 9, 80)] == ["r1c1", "r1c9", "r2c1", "r9c9"]
    assert [unit_name(unit) for unit in (0, 8, 9, 26)] == ["row 1", "row 9", "column 1", "box 9"]
