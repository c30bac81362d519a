"""Puzzles whose clues stand exactly in given cells.

The digits of a random grid in those cells hardly ever have one solution, so they are mended: a few
clues are taken back and filled in anew, each with a random digit that leaves a solution, and the
change is kept unless there are more solutions than before. Every puzzle begins with a grid of its
own, so puzzles do not depend on each other; they are not drawn uniformly from all there are.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.kernel import kernel
from workers.engines.machine.meter import metered
from workers.engines.machine.random import State, below, shuffle
from workers.engines.sudoku.generate import ATTEMPTS_OUT, MADE, GenerateResult
from workers.engines.sudoku.geometry import CELLS, Digits, Table
from workers.engines.sudoku.grids import draw_grid
from workers.engines.sudoku.layout import write_digits
from workers.engines.sudoku.removal import NEEDED, is_minimal
from workers.engines.sudoku.search import LEVEL, NODES, Search, load, new_search, next_solution
from workers.errors import ParamsError

FEWEST: Final = 17
MOST_COUNTED: Final = 2_000  # solutions; more are as bad
MOST_TAKEN: Final = 4  # clues filled in anew at a time
MOST_PATIENCE: Final = 400  # changes without fewer solutions, then another grid
COUNT_NODES: Final = 100_000
SLICE_CHANGES: Final = 300
MENDING: Final = -1
SOLUTIONS, PATIENCE = 0, 1  # in the cursor of `mend`


class Pattern(NamedTuple):
    """What is wanted, as kernels read it."""

    cells: Table  # the cells with a clue
    minimal: int
    attempts: int


@kernel
def count_solutions(search: Search, puzzles: Digits, row: int, limit: int) -> int:
    """Solutions up to `limit`; the limit also when the search is too long."""
    load(search, puzzles, row)
    found = 0
    while found < limit and next_solution(search, COUNT_NODES) >= 0:
        found += 1
    return found if search.cursor[NODES] < COUNT_NODES or search.cursor[LEVEL] < 0 else limit


@kernel
def has_solution(search: Search, puzzles: Digits, row: int) -> bool:
    """Whether a solution is found within the budget."""
    load(search, puzzles, row)
    return next_solution(search, COUNT_NODES) >= 0


@kernel
def change(state: State, pattern: Pattern, search: Search, puzzles: Digits, row: int) -> bool:
    """Fill in some clues anew at random; return False when no digit fitted one of them."""
    taken = 1 + below(state, min(MOST_TAKEN, len(pattern.cells)))
    order = pattern.cells.copy()
    shuffle(state, order)
    for place in range(taken):
        puzzles[row, order[place]] = 0
    digits = np.arange(1, 10)
    for place in range(taken):
        shuffle(state, digits)
        fits = False
        for digit in digits:
            puzzles[row, order[place]] = digit
            if has_solution(search, puzzles, row):
                fits = True
                break
        if not fits:
            return False
    return True


@kernel
def start(state: State, pattern: Pattern, search: Search, puzzles: Digits, grids: Digits,
          row: int) -> int:  # fmt: skip
    """Put the clues of a random grid into the pattern; return how many solutions they have."""
    draw_grid(state, search.board, grids, row)
    for cell in range(CELLS):
        puzzles[row, cell] = 0
    for cell in pattern.cells:
        puzzles[row, cell] = grids[row, cell]
    return count_solutions(search, puzzles, row, MOST_COUNTED)


@kernel
def mend(state: State, pattern: Pattern, search: Search, out: GenerateResult, row: int,
         cursor: NDArray[np.int64]) -> int:  # fmt: skip
    """Change clues for a slice; return MENDING, or MADE, or ATTEMPTS_OUT when that is the end."""
    puzzles, kept = out.puzzles, np.zeros(CELLS, dtype=np.uint8)
    for _ in range(SLICE_CHANGES):
        if cursor[SOLUTIONS] == 1:
            if pattern.minimal == 0 or is_minimal(search, puzzles, row) == NEEDED:
                load(search, puzzles, row)
                write_digits(search.board, next_solution(search, COUNT_NODES), out.solutions, row)
                return MADE
            cursor[PATIENCE] = 0
        if out.attempts[row] == pattern.attempts:
            return ATTEMPTS_OUT
        out.attempts[row] += 1
        if cursor[PATIENCE] == 0:
            cursor[SOLUTIONS] = start(state, pattern, search, puzzles, out.solutions, row)
            cursor[PATIENCE] = MOST_PATIENCE
            continue
        for cell in range(CELLS):
            kept[cell] = puzzles[row, cell]
        before = cursor[SOLUTIONS]
        now = before + 1
        if change(state, pattern, search, puzzles, row):
            now = count_solutions(search, puzzles, row, before + 1)
        cursor[PATIENCE] -= 1
        if now > before:
            for cell in range(CELLS):
                puzzles[row, cell] = kept[cell]
        elif now < before:
            cursor[SOLUTIONS], cursor[PATIENCE] = now, MOST_PATIENCE
    return MENDING


@metered
def pattern_puzzles(
    state: State, count: int, cells: Table, minimal: bool = False, attempts: int = 10_000
) -> GenerateResult:
    """Make `count` puzzles with clues in `cells` (ascending) and nowhere else; advances `state`.

    Attempts are changes tried, grids drawn included. Puzzle i does not depend on how many are made
    after it. Few clues, or all clues needed, can cost seconds a puzzle.

    Raises ParamsError for a pattern that no puzzle can have.
    """
    if not FEWEST <= len(cells) <= CELLS:
        raise ParamsError("pattern", f"{len(cells)} cells, not 17 to 81")
    out = GenerateResult(
        puzzles=np.zeros((count, CELLS), dtype=np.uint8),
        solutions=np.zeros((count, CELLS), dtype=np.uint8),
        status=np.zeros(count, dtype=np.uint8),
        attempts=np.zeros(count, dtype=np.int64),
    )
    search = new_search()
    order = Pattern(np.array(cells, dtype=np.int64), int(minimal), attempts)
    for row in range(count):
        cursor, code = np.zeros(2, dtype=np.int64), MENDING
        while code == MENDING:
            code = mend(state, order, search, out, row, cursor)
        if code == ATTEMPTS_OUT:
            out.status[row] = ATTEMPTS_OUT
            out.puzzles[row] = out.solutions[row] = 0
    return out
