"""The reference band engine: counts the solutions of Sudokus, and finds them.

Per digit and band the candidates are one word (see band_tables). A position is brought to its
fixed point under four rules:

1. band: of a digit's cells in a band only those remain that some placing into three rows and
   three boxes uses;
2. stack: the same sideways, for the three columns and three bands of a stack;
3. hidden single: a cell that is the only one of its row for a digit loses its other digits;
4. naked single: a digit that is the only one of its cell leaves the other cells of the row.

The rules only take candidates away, so the fixed point does not depend on their order. Then the
search branches, depth first: on the cell with two candidates that has the highest weight (see
`heaviest_pair`; the first in `BIT_CELL` order among equals), or, when no cell has two, on the
first of the cells with the fewest; the smaller digit is tried first, the rest of the cell after
it. A node is a position brought to its fixed point, the root included; a guess is a node that
was branched on. So both counts depend on the puzzle and the limit alone.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.machine.meter import metered
from workers.engines.sudoku.band_tables import (
    ALONE,
    BAND_PEERS,
    BIT_CELL,
    CELL_BAND,
    CELL_BIT,
    COLUMN_PEERS,
    COLUMNS,
    FULL,
    KEEP,
    PLANES,
    ROW_ONLY,
)
from workers.engines.sudoku.geometry import CELLS, Digits

DONE: Final = 0
BUDGET_OUT: Final = 1

LEVELS: Final = 83
SIZE: Final = 32  # words of a level: 27 of candidates at 3*digit + band, then
OPEN: Final = 27  # the cells of each band that no digit has claimed, and
DIRTY: Final = 30  # the digits whose words changed since they were last closed

LEVEL, NODES, GUESSES = 0, 1, 2
SLICE_NODES: Final = 200_000

Words = NDArray[np.int64]


class Search(NamedTuple):
    """A depth-first search that can be paused: kernels own it between `load` and exhaustion."""

    boards: Words  # (LEVELS * SIZE,), the open positions, one a level
    cursor: Words  # (3,): level of the position to look at next (-1: none left), nodes, guesses
    pairs: Words  # (3,): cells with two candidates at the last fixed point


class SearchResult(NamedTuple):
    """What `solve_batch` found, one entry a puzzle."""

    counts: NDArray[np.int32]  # solutions found, at most the limit
    solutions: Digits  # (n, 81) the first solution; zeros if there is none
    nodes: NDArray[np.int64]
    guesses: NDArray[np.int64]
    status: NDArray[np.uint8]  # 0 done, 1 budget out: the count is a lower bound


def new_search() -> Search:
    """A search with nothing in it."""
    boards = np.zeros(LEVELS * SIZE, dtype=np.int64)
    return Search(boards, np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64))


@kernel
def single_cells(word: int) -> int:
    """The cells of `word` that are alone in their minirow."""
    odd = word ^ (word >> 9) ^ (word >> 18)
    every = word & (word >> 9) & (word >> 18)
    return word & ((odd & ~every & 511) * PLANES)


@kernel
def claim(boards: Words, base: int, band: int, cells: int) -> int:
    """Take `cells` of `band` from all digits; return the digits that lost some."""
    boards[base + OPEN + band] &= ~cells
    changed = 0
    for digit in range(9):
        word = boards[base + 3 * digit + band]
        boards[base + 3 * digit + band] = word & ~cells
        changed |= np.int64(word & cells != 0) << digit
    return changed


@kernel
def close_digit(boards: Words, base: int, digit: int) -> int:
    """Apply rules 1 to 3 to one digit; return the other digits that changed, or -1."""
    at = base + 3 * digit
    a, b, c = boards[at], boards[at + 1], boards[at + 2]
    while True:
        ka = a & KEEP[(a | a >> 9 | a >> 18) & 511]
        kb = b & KEEP[(b | b >> 9 | b >> 18) & 511]
        kc = c & KEEP[(c | c >> 9 | c >> 18) & 511]
        if ka == 0 or kb == 0 or kc == 0:
            return -1
        # Columns possible in each band; doubled, so that a shift turns all stacks at once.
        columns = (ka | ka >> 3 | ka >> 6) & COLUMNS
        cb = ((kb | kb >> 3 | kb >> 6) & COLUMNS) * ((1 << 27) + 1)
        cc = ((kc | kc >> 3 | kc >> 6) & COLUMNS) * ((1 << 27) + 1)
        even = columns & (cb >> 9) & (cc >> 18)
        odd = columns & (cb >> 18) & (cc >> 9)
        a = ka & ((even | odd) * 0b1001001)
        even |= even << 27
        odd |= odd << 27
        b = kb & (((even >> 18 | odd >> 9) & COLUMNS) * 0b1001001)
        c = kc & (((even >> 9 | odd >> 18) & COLUMNS) * 0b1001001)
        if a == ka and b == kb and c == kc:
            break
    changed = 0
    for band, word in enumerate((a, b, c)):
        alone = ALONE[(word | word >> 9 | word >> 18) & 511]
        cells = single_cells(word) & alone & boards[base + OPEN + band]
        if cells:
            changed |= claim(boards, base, band, cells)
        boards[at + band] = word
    return changed & ~(1 << digit)


@kernel
def naked_singles(search: Search, base: int) -> int:
    """Apply rule 4 once and note the pairs; return the digits that changed, or -1."""
    boards = search.boards
    changed = 0
    for band in range(3):
        once, twice, thrice = 0, 0, 0
        for digit in range(9):
            word = boards[base + 3 * digit + band]
            thrice |= twice & word
            twice |= once & word
            once |= word
        if once != FULL:
            return -1
        search.pairs[band] = twice & ~thrice
        naked = once & ~twice & boards[base + OPEN + band]
        for digit in range(9):
            word = boards[base + 3 * digit + band]
            hits = word & naked
            changed |= np.int64(hits != 0) << digit
            while hits:
                word &= ROW_ONLY[lowest(hits)]
                hits &= hits - 1
            boards[base + 3 * digit + band] = word
    return changed


@kernel
def propagate(search: Search, base: int) -> bool:
    """Bring a position to its fixed point; False if it is contradictory."""
    boards = search.boards
    dirty = boards[base + DIRTY]
    while dirty:
        while dirty:
            changed = close_digit(boards, base, lowest(dirty))
            if changed < 0:
                return False
            dirty = (dirty & (dirty - 1)) | changed
        if not is_open(boards, base):
            return True
        dirty = naked_singles(search, base)
        if dirty < 0:
            return False
    return True


@kernel
def is_open(boards: Words, base: int) -> bool:
    """Whether some cell has no digit yet."""
    at = base + OPEN
    return (boards[at] | boards[at + 1] | boards[at + 2]) != 0


@kernel
def heaviest_pair(search: Search, base: int) -> int:
    """The two-candidate cell (27*band + bit) with the highest weight, or -1 if there is none.

    The weight counts 1 for each open peer, 1 for each candidate of a peer that the cell shares,
    and 3 more when that peer has two candidates itself: what a guess there would set going.
    """
    boards = search.boards
    best, where = -1, -1
    for band in range(3):
        cells = search.pairs[band]
        while cells:
            bit = lowest(cells)
            cells &= cells - 1
            weight = 0
            for other in range(3):
                peers = COLUMN_PEERS[bit]
                if other == band:
                    peers = BAND_PEERS[bit]
                weight += popcount(peers & boards[base + OPEN + other])
                paired = peers & search.pairs[other]
                for digit in range(9):
                    if boards[base + 3 * digit + band] >> bit & 1:
                        word = boards[base + 3 * digit + other]
                        weight += popcount(peers & word) + 3 * popcount(paired & word)
            if weight > best:
                best, where = weight, 27 * band + bit
    return where


@kernel
def fewest_candidates(boards: Words, base: int) -> int:
    """The first open cell (27*band + bit) with the fewest candidates."""
    best, where = 10, -1
    for band in range(3):
        cells = boards[base + OPEN + band]
        while cells:
            bit = lowest(cells)
            cells &= cells - 1
            count = 0
            for digit in range(9):
                count += boards[base + 3 * digit + band] >> bit & 1
            if count < best:
                best, where = count, 27 * band + bit
    return where


@kernel
def branch(search: Search, base: int) -> None:
    """Split a position: the smaller digit of a cell above it, the rest of the cell in place."""
    boards = search.boards
    where = heaviest_pair(search, base)
    if where < 0:
        where = fewest_candidates(boards, base)
    band, bit = where // 27, where % 27
    digit = 0
    while boards[base + 3 * digit + band] >> bit & 1 == 0:
        digit += 1
    above = base + SIZE
    for word in range(DIRTY):
        boards[above + word] = boards[base + word]
    boards[above + 3 * digit + band] &= ROW_ONLY[bit]
    boards[base + 3 * digit + band] &= ~(1 << bit)
    boards[above + DIRTY] = 1 << digit
    boards[base + DIRTY] = 1 << digit


@kernel
def next_solution(search: Search, nodes: int) -> int:
    """Search on for at most `nodes` nodes; return the level of a solved position, or -1.

    After -1 the search is exhausted if its level is -1, else out of nodes. A solved position
    stays readable until the next call.
    """
    boards, cursor = search.boards, search.cursor
    end = cursor[NODES] + nodes
    while cursor[LEVEL] >= 0 and cursor[NODES] < end:
        level = cursor[LEVEL]
        cursor[NODES] += 1
        if not propagate(search, level * SIZE):
            cursor[LEVEL] = level - 1
        elif is_open(boards, level * SIZE):
            branch(search, level * SIZE)
            cursor[GUESSES] += 1
            cursor[LEVEL] = level + 1
        else:
            cursor[LEVEL] = level - 1
            return level
    return -1


@kernel
def load(search: Search, puzzle: Digits) -> None:
    """Start a search from the clues of `puzzle` (81,)."""
    boards = search.boards
    given = np.zeros(30, dtype=np.int64)
    for cell in range(CELLS):
        given[3 * np.int64(puzzle[cell]) + CELL_BAND[cell]] |= 1 << CELL_BIT[cell]
    for band in range(3):
        boards[OPEN + band] = FULL
        for digit in range(9):
            clues = given[3 * digit + 3 + band]
            word = given[band] | clues
            while clues:
                word &= ROW_ONLY[lowest(clues)]
                clues &= clues - 1
            boards[3 * digit + band] = word
    boards[DIRTY] = 511
    search.cursor[:] = 0


@kernel
def read_solution(boards: Words, base: int, solution: Digits) -> None:
    """Write the digits of a solved position into `solution` (81,)."""
    for digit in range(9):
        for band in range(3):
            word = boards[base + 3 * digit + band]
            while word:
                solution[BIT_CELL[27 * band + lowest(word)]] = digit + 1
                word &= word - 1


@kernel
def search_rows(puzzles: Digits, limit: int, budget: int, search: Search, out: SearchResult,
                first: int) -> int:  # fmt: skip
    """Search puzzles from row `first` on for a slice of nodes; return the row to go on with.

    A level of -2 in the cursor asks for the next puzzle to be loaded.
    """
    cursor = search.cursor
    spent = 0
    for row in range(first, len(puzzles)):
        if cursor[LEVEL] == -2:
            load(search, puzzles[row])
        while cursor[LEVEL] >= 0 and out.counts[row] < limit and cursor[NODES] < budget:
            if spent >= SLICE_NODES:
                return row
            before = cursor[NODES]
            level = next_solution(search, min(budget - before, SLICE_NODES - spent))
            spent += cursor[NODES] - before
            if level >= 0:
                if out.counts[row] == 0:
                    read_solution(search.boards, level * SIZE, out.solutions[row])
                out.counts[row] += 1
        if cursor[LEVEL] >= 0 and out.counts[row] < limit:
            out.status[row] = BUDGET_OUT
        out.nodes[row] = cursor[NODES]
        out.guesses[row] = cursor[GUESSES]
        cursor[LEVEL] = -2
    return len(puzzles)


@metered
def solve_batch(puzzles: Digits, limit: int = 2, budget: int = 10_000_000) -> SearchResult:
    """Count the solutions of each puzzle (n, 81) up to `limit`, with at most `budget` nodes.

    Any digits 0..9 are allowed, contradictory ones have no solution. The cost is 1 to 3
    microseconds for an easy puzzle, about 0.3 a node for a hard one.
    """
    puzzles = np.ascontiguousarray(puzzles, dtype=np.uint8)
    count = len(puzzles)
    out = SearchResult(
        counts=np.zeros(count, dtype=np.int32),
        solutions=np.zeros((count, CELLS), dtype=np.uint8),
        nodes=np.zeros(count, dtype=np.int64),
        guesses=np.zeros(count, dtype=np.int64),
        status=np.zeros(count, dtype=np.uint8),
    )
    search = new_search()
    search.cursor[LEVEL] = -2
    row = 0
    while row < count:
        row = search_rows(puzzles, limit, budget, search, out, row)
    return out


@kernel
def collect(search: Search, solutions: Digits, first: int) -> int:
    """Write solutions from row `first` on for a slice of nodes; return how many there are now."""
    end = search.cursor[NODES] + SLICE_NODES
    found = first
    while found < len(solutions):
        level = next_solution(search, end - search.cursor[NODES])
        if level < 0:
            break
        read_solution(search.boards, level * SIZE, solutions[found])
        found += 1
    return found


@metered
def all_solutions(puzzle: Digits, limit: int) -> Digits:
    """The first `limit` solutions of one puzzle (81,) in search order, uint8 (k, 81)."""
    solutions = np.empty((limit, CELLS), dtype=np.uint8)
    search = new_search()
    load(search, np.ascontiguousarray(puzzle, dtype=np.uint8))
    found = 0
    while search.cursor[LEVEL] >= 0 and found < limit:
        found = collect(search, solutions, found)
    return solutions[:found].copy()
