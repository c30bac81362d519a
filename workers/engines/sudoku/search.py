"""The reference band engine: counts the solutions of Sudokus, and finds them.

A position is brought to its fixed point under the four rules of `closure`. Then the search
branches, depth first: on the cell with two candidates that has the highest weight (see
`branching`), or, when no cell has two, on the first of the cells with the fewest, cells in the
order of `layout.CELL`; the smaller digit is tried first, the rest of the cell after it. A node is a
position brought to its fixed point, or refuted on the way there, the root included; a guess is a
node that was branched on. So both counts depend on the puzzle and the limit alone.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.kernel import kernel
from workers.engines.machine.lanes import ROW, Board, new_board
from workers.engines.machine.meter import metered
from workers.engines.sudoku.branching import branch
from workers.engines.sudoku.closure import CHANGED, naked_singles, set_out, sweep
from workers.engines.sudoku.geometry import CELLS, Digits
from workers.engines.sudoku.layout import CLAIMED, FULL, SIZE, read_clues, write_digits

DONE: Final = 0
BUDGET_OUT: Final = 1

REFUTED, OPEN, SOLVED = -1, 0, 1

LEVEL, NODES, GUESSES = 0, 1, 2
EXHAUSTED, UNLOADED = -1, -2
DEPTH: Final = CELLS + 2
SLICE_NODES: Final = 500_000


class Search(NamedTuple):
    """A depth-first search that can be paused; kernels own what is in it."""

    board: Board  # the open positions, SIZE words a level
    cursor: NDArray[np.int64]  # level to look at next (or EXHAUSTED, UNLOADED), nodes, guesses


class SearchResult(NamedTuple):
    """What `solve_batch` found, one entry a puzzle."""

    counts: NDArray[np.int32]  # solutions found, at most the limit
    solutions: Digits  # (n, 81) the first solution; zeros if there is none
    nodes: NDArray[np.int64]
    guesses: NDArray[np.int64]
    status: NDArray[np.uint8]  # 0 done, 1 budget out: the count is a lower bound


def new_search() -> Search:
    """A search without a puzzle."""
    return Search(new_board(DEPTH * SIZE // ROW), np.array([UNLOADED, 0, 0], dtype=np.int64))


@kernel
def settle(board: Board, base: int) -> int:
    """Bring a position to its fixed point: REFUTED, OPEN or SOLVED."""
    while True:
        code = 1
        while code != 0:
            # Two sweeps to a look: a look costs more than a sweep that changes nothing.
            sweep(board, base)
            code = sweep(board, base)
            if code > CHANGED:
                return REFUTED
        at = base + CLAIMED
        if board[at] & board[at + 1] & board[at + 2] == FULL:
            return SOLVED
        code = naked_singles(board, base)
        if code > CHANGED:
            return REFUTED
        if code == 0:
            return OPEN


@kernel
def next_solution(search: Search, end: int) -> int:
    """Search on until there were `end` nodes in all; return the base of a solved position, or -1.

    After -1 the search is EXHAUSTED if its level says so, else out of nodes. A solved position
    stays readable until the next call.
    """
    board, cursor = search.board, search.cursor
    level, nodes, guesses = cursor[LEVEL], cursor[NODES], cursor[GUESSES]
    solved = -1
    while level >= 0 and nodes < end and solved < 0:
        nodes += 1
        outcome = settle(board, level * SIZE)
        if outcome == OPEN:
            branch(board, level * SIZE)
            guesses += 1
            level += 1
        else:
            if outcome == SOLVED:
                solved = level * SIZE
            level -= 1
    cursor[LEVEL] = level
    cursor[NODES] = nodes
    cursor[GUESSES] = guesses
    return solved


@kernel
def load(search: Search, puzzles: Digits, row: int) -> None:
    """Start a search from the clues of `puzzles[row]`; `puzzles` is C-contiguous."""
    read_clues(search.board, 0, puzzles, row)
    set_out(search.board, 0)
    search.cursor[:] = 0


@kernel
def search_rows(
    puzzles: Digits, limit: int, budget: int, search: Search, out: SearchResult, first: int
) -> int:
    """Search puzzles from row `first` on for a slice of nodes; return the row to go on with."""
    cursor = search.cursor
    spent = 0
    for row in range(first, len(puzzles)):
        if cursor[LEVEL] == UNLOADED:
            load(search, puzzles, row)
        while cursor[LEVEL] >= 0 and out.counts[row] < limit and cursor[NODES] < budget:
            if spent >= SLICE_NODES:
                return row
            before = cursor[NODES]
            solved = next_solution(search, min(budget, before + SLICE_NODES - spent))
            spent += cursor[NODES] - before
            if solved >= 0:
                if out.counts[row] == 0:
                    write_digits(search.board, solved, out.solutions, row)
                out.counts[row] += 1
        if cursor[LEVEL] >= 0 and out.counts[row] < limit:
            out.status[row] = BUDGET_OUT
        out.nodes[row] = cursor[NODES]
        out.guesses[row] = cursor[GUESSES]
        cursor[LEVEL] = UNLOADED
    return len(puzzles)


@metered
def solve_batch(puzzles: Digits, limit: int = 2, budget: int = 10_000_000) -> SearchResult:
    """Count the solutions of each puzzle (n, 81) up to `limit`, with at most `budget` nodes.

    Any digits are allowed, contradictory ones have no solution. An easy puzzle costs about half
    a microsecond, a node of a hard one a fifth.
    """
    puzzles = np.ascontiguousarray(puzzles, dtype=np.uint8).reshape(-1, CELLS)
    count = len(puzzles)
    out = SearchResult(
        counts=np.zeros(count, dtype=np.int32),
        solutions=np.zeros((count, CELLS), dtype=np.uint8),
        nodes=np.zeros(count, dtype=np.int64),
        guesses=np.zeros(count, dtype=np.int64),
        status=np.zeros(count, dtype=np.uint8),
    )
    search = new_search()
    row = 0
    while row < count:
        row = search_rows(puzzles, limit, budget, search, out, row)
    return out


@kernel
def collect(search: Search, solutions: Digits, found: int) -> int:
    """Write solutions from row `found` on for a slice of nodes; return how many there are now."""
    end = search.cursor[NODES] + SLICE_NODES
    while found < len(solutions):
        solved = next_solution(search, end)
        if solved < 0:
            break
        write_digits(search.board, solved, solutions, found)
        found += 1
    return found


@metered
def all_solutions(puzzle: Digits, limit: int) -> Digits:
    """The first `limit` solutions of one puzzle (81,) in search order, uint8 (k, 81)."""
    solutions = np.empty((limit, CELLS), dtype=np.uint8)
    search = new_search()
    load(search, np.ascontiguousarray(puzzle, dtype=np.uint8).reshape(1, CELLS), 0)
    found = 0
    while search.cursor[LEVEL] >= 0 and found < limit:
        found = collect(search, solutions, found)
    return solutions[:found].copy()
