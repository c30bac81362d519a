"""Tier 3: chains, loops and almost locked sets.

Everything below id 300 is found by the tier below.
"""

from typing import Final

from workers.engines.machine.kernel import inlined_kernel, kernel
from workers.engines.sudoku.board import Board, Marks, apply, load
from workers.engines.sudoku.geometry import Digits
from workers.engines.sudoku.techniques import tier2
from workers.engines.sudoku.techniques.als_chain import ALS_CHAIN, find_als_chain
from workers.engines.sudoku.techniques.als_pairs import (
    ALS_WING,
    ALS_XZ,
    find_als_wing,
    find_als_xz,
)
from workers.engines.sudoku.techniques.blossom import BLOSSOM, find_blossom
from workers.engines.sudoku.techniques.chains import X_CHAIN, XY_CHAIN, find_chain
from workers.engines.sudoku.techniques.loops import GROUPED_LOOP, LOOP, find_loop
from workers.engines.sudoku.techniques.rows import Results, Tables, settle

ROWS_PER_CALL: Final = 64
"""Puzzles that one call of `grade_rows` grades in well under a second."""

find_below = tier2.find

OWN: Final = (
    (find_als_chain, ()),
    (find_als_wing, ()),
    (find_als_xz, ()),
    (find_blossom, ()),
    (find_loop, (True,)),
    (find_chain, (True,)),
)
"""The finders of this tier and what they take between marks and skip, for
`compile_ahead`."""


@inlined_kernel
def find(board: Board, marks: Marks, finder: int, size: int, skip: int) -> bool:
    """Mark step number `skip` of what `finder` and `size` stand for; False when there is none."""
    if finder < 300:
        return bool(find_below(board, marks, finder, size, skip))
    if finder in (X_CHAIN, XY_CHAIN):
        return find_chain(board, marks, finder == XY_CHAIN, skip)
    if finder in (LOOP, GROUPED_LOOP):
        return find_loop(board, marks, finder == GROUPED_LOOP, skip)
    if finder == ALS_XZ:
        return find_als_xz(board, marks, skip)
    if finder == ALS_WING:
        return find_als_wing(board, marks, skip)
    if finder == ALS_CHAIN:
        return find_als_chain(board, marks, skip)
    if finder == BLOSSOM:
        return find_blossom(board, marks, skip)
    return False


@inlined_kernel
def next_step(board: Board, marks: Marks, tables: Tables) -> int:
    """Mark the first step of the first technique that has one; its index in `tables`, or -1."""
    for technique in range(len(tables)):
        entry = tables[technique]
        if entry.enabled and find(board, marks, entry.finder, entry.extent, 0):
            return technique
    return -1


@kernel
def grade_rows(
    puzzles: Digits, tables: Tables, results: Results, board: Board, marks: Marks
) -> None:
    """Solve each of `puzzles` (n, 81) as far as it goes and write what it took to `results`."""
    for row in range(len(puzzles)):
        load(board, puzzles[row])
        while board.open and not board.broken:
            technique = next_step(board, marks, tables)
            if technique < 0:
                break
            board.used[technique] += 1
            apply(board, marks)
        settle(results, row, board, tables)
