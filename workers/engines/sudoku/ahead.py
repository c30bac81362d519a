"""Compiling ahead: what a grader reaches last, for a process that runs beside the first one.

Compiling the upper tiers takes most of the time that a new machine costs its user. Kernels are
cached one by one, so a second process can compile the finders of the last tier while the first
works its way up; whoever comes second finds them in the cache.
"""

from typing import Final

import numpy as np

from workers.engines.sudoku.board import new_marks
from workers.engines.sudoku.geometry import COLUMN, ROW
from workers.engines.sudoku.grade import open_board
from workers.engines.sudoku.techniques.catalogue import LAST_TIER, tier_module

FIRST_TIER: Final = 3
"""Tiers below are compiled too soon to be worth a second process."""

FULL_GRID: Final = ((3 * (ROW % 3) + ROW // 3 + COLUMN) % 9 + 1).astype(np.uint8)
"""A solved grid: there is nothing to find on it, so finders only compile."""


def compile_ahead() -> None:
    """Compile the finders of the upper tiers, last tier first, without what lies below them."""
    board, marks = open_board(FULL_GRID), new_marks()
    for tier in range(LAST_TIER, FIRST_TIER - 1, -1):
        for finder, between in tier_module(tier).OWN:
            finder(board, marks, *between, 0)
