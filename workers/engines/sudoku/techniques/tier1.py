"""Tier 1: singles, locked candidates, subsets and basic fish in one kernel.

What every tier module offers: `ROWS_PER_CALL`, and the kernels `find`, `next_step` and
`grade_rows` with these signatures. How to add one is told in README.md.
"""

from typing import Final

from workers.engines.machine.kernel import inlined_kernel, kernel
from workers.engines.sudoku.board import Board, Marks, apply, load
from workers.engines.sudoku.geometry import Digits
from workers.engines.sudoku.techniques.fish import BASIC_FISH, find_fish
from workers.engines.sudoku.techniques.locked import (
    CLAIMING,
    POINTING,
    find_claiming,
    find_pointing,
)
from workers.engines.sudoku.techniques.rows import Results, Tables, settle
from workers.engines.sudoku.techniques.singles import (
    FULL_HOUSE,
    HIDDEN_SINGLE,
    NAKED_SINGLE,
    find_full_house,
    find_hidden_single,
    find_naked_single,
)
from workers.engines.sudoku.techniques.subsets import (
    HIDDEN_SUBSET,
    LOCKED_SUBSET,
    NAKED_SUBSET,
    find_hidden,
    find_naked,
)

ROWS_PER_CALL: Final = 2048
"""Puzzles that one call of `grade_rows` grades in well under a second."""


@inlined_kernel
def find(board: Board, marks: Marks, finder: int, size: int, skip: int) -> bool:
    """Mark step number `skip` of what `finder` and `size` stand for; False when there is none."""
    if finder == FULL_HOUSE:
        return find_full_house(board, marks, skip)
    if finder == NAKED_SINGLE:
        return find_naked_single(board, marks, skip)
    if finder == HIDDEN_SINGLE:
        return find_hidden_single(board, marks, skip)
    if finder == POINTING:
        return find_pointing(board, marks, skip)
    if finder == CLAIMING:
        return find_claiming(board, marks, skip)
    if finder in (NAKED_SUBSET, LOCKED_SUBSET):
        return find_naked(board, marks, size, finder == LOCKED_SUBSET, skip)
    if finder == HIDDEN_SUBSET:
        return find_hidden(board, marks, size, skip)
    if finder == BASIC_FISH:
        return find_fish(board, marks, size, skip)
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
