"""Brute Force: when no technique goes on, the cell in the middle gets its digit of the solution.

Not a technique at all, and a puzzle that needs it counts as guessed, not as solved. It is needed
for scores that compare with HoDoKu's, which adds 10,000 each time.
"""

from typing import Final

import numpy as np

from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import CELLS, DIGITS, PLACED, Board, Marks, clear, mark
from workers.engines.sudoku.geometry import Digits
from workers.engines.sudoku.layout import SIZE, write_digits
from workers.engines.sudoku.search import DEPTH, LEVEL, Search, next_solution
from workers.engines.sudoku.search import load as load_search
from workers.engines.sudoku.techniques.rows import GUESS
from workers.engines.sudoku.techniques.technique import EXTREME, Technique

MOST_NODES: Final = 1_000_000
"""A search that takes more proves nothing: no step."""

TECHNIQUES = (
    Technique(
        name="brute_force",
        title="Brute Force",
        code="",
        order=8900,
        level=EXTREME,
        score=10000,
        finder=GUESS,
        sentence="{title}: no technique goes on; in the solution {outcome}",
    ),
)


@kernel
def find_guess(board: Board, marks: Marks, skip: int) -> bool:
    """Mark the solution's digit in the middle one of the unsolved cells, counted from 0."""
    solution = np.zeros((1, 81), np.uint8)
    if skip or not solve_clues(board, solution):
        return False
    middle = board.open // 2
    for cell in range(81):
        if board.values[cell] == 0:
            if middle == 0:
                digit = int(solution[0, cell]) - 1
                clear(marks)
                mark(marks, PLACED, 9 * cell + digit)
                mark(marks, CELLS, cell)
                mark(marks, DIGITS, digit)
                return True
            middle -= 1
    return False


@kernel
def solve_clues(board: Board, solution: Digits) -> bool:
    """Write the solution of the clues into row 0; False unless there is exactly one."""
    clues = np.zeros((1, 81), np.uint8)
    for cell in range(81):
        clues[0, cell] = board.clues[cell]
    room = np.zeros((DEPTH + 1) * SIZE, np.uint32)
    start = -room.ctypes.data % 64 // 4  # on a cache line of its own, as the search expects
    search = Search(room[start : start + DEPTH * SIZE], np.zeros(3, np.int64))
    load_search(search, clues, 0)
    solved = next_solution(search, MOST_NODES)
    if solved < 0:
        return False
    write_digits(search.board, solved, solution, 0)
    return next_solution(search, MOST_NODES) < 0 and search.cursor[LEVEL] < 0
