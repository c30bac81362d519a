"""Tier 2: patterns of one digit, wings, uniqueness, finned fish, Sue de Coq, colours."""

from typing import Final

from workers.engines.machine.kernel import inlined_kernel, kernel
from workers.engines.sudoku.board import Board, Marks, apply, load
from workers.engines.sudoku.geometry import Digits
from workers.engines.sudoku.techniques import tier1
from workers.engines.sudoku.techniques.avoidable import AVOIDABLE_1, AVOIDABLE_2, find_avoidable
from workers.engines.sudoku.techniques.colors import (
    MULTI_COLORS,
    SIMPLE_COLORS,
    find_multi_colors,
    find_simple_colors,
)
from workers.engines.sudoku.techniques.duals import find_dual_kite, find_dual_rectangle
from workers.engines.sudoku.techniques.empty_rectangle import (
    DUAL_EMPTY_RECTANGLE,
    EMPTY_RECTANGLE,
    find_empty_rectangle,
)
from workers.engines.sudoku.techniques.fish_finned import find_line_fish
from workers.engines.sudoku.techniques.remote_pair import REMOTE_PAIR, find_remote_pair
from workers.engines.sudoku.techniques.rows import Results, Tables, settle
from workers.engines.sudoku.techniques.sue_de_coq import SUE_DE_COQ, find_sue_de_coq
from workers.engines.sudoku.techniques.turbot import TURBOT_FISH, find_turbot
from workers.engines.sudoku.techniques.two_lines import (
    DUAL_KITE,
    KITE,
    SKYSCRAPER,
    find_kite,
    find_skyscraper,
)
from workers.engines.sudoku.techniques.uniqueness import (
    HIDDEN_RECTANGLE,
    UNIQUENESS_1,
    find_uniqueness,
)
from workers.engines.sudoku.techniques.universal_grave import BUG_PLUS_1, find_bug
from workers.engines.sudoku.techniques.wings import (
    W_WING,
    XY_WING,
    XYZ_WING,
    find_w_wing,
    find_xy_wing,
    find_xyz_wing,
)

ROWS_PER_CALL: Final = 256
"""Puzzles that one call of `grade_rows` grades in well under a second."""

find_below = tier1.find


@inlined_kernel
def find(board: Board, marks: Marks, finder: int, size: int, skip: int) -> bool:
    """Mark step number `skip` of what `finder` and `size` stand for; False when there is none."""
    if finder < 200:
        return bool(find_below(board, marks, finder, size, skip))
    if finder == REMOTE_PAIR:
        return find_remote_pair(board, marks, skip)
    if finder == BUG_PLUS_1:
        return find_bug(board, marks, skip)
    if finder == SKYSCRAPER:
        return find_skyscraper(board, marks, skip)
    if finder == KITE:
        return find_kite(board, marks, skip)
    if finder == TURBOT_FISH:
        return find_turbot(board, marks, skip)
    if finder == EMPTY_RECTANGLE:
        return find_empty_rectangle(board, marks, skip)
    if finder == DUAL_KITE:
        return find_dual_kite(board, marks, skip)
    if finder == DUAL_EMPTY_RECTANGLE:
        return find_dual_rectangle(board, marks, skip)
    if finder == W_WING:
        return find_w_wing(board, marks, skip)
    if finder == XY_WING:
        return find_xy_wing(board, marks, skip)
    if finder == XYZ_WING:
        return find_xyz_wing(board, marks, skip)
    if UNIQUENESS_1 <= finder <= HIDDEN_RECTANGLE:
        return find_uniqueness(board, marks, finder, skip)
    if finder in (AVOIDABLE_1, AVOIDABLE_2):
        return find_avoidable(board, marks, finder, skip)
    if finder == SUE_DE_COQ:
        return find_sue_de_coq(board, marks, skip)
    if finder == SIMPLE_COLORS:
        return find_simple_colors(board, marks, skip)
    if finder == MULTI_COLORS:
        return find_multi_colors(board, marks, skip)
    return find_line_fish(board, marks, finder, size, skip)


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
