"""Puzzles in the vicinity of others: some clues are dropped, others added.

A neighbour of a puzzle is made in three steps. (1) `drop` clues, drawn at random, go. (2) While
there are two solutions, a cell in which they differ, drawn at random, gets the digit of one of
them. (3) Clues that are not needed go, in random order. So a neighbour has one solution and needs
every clue; it may have another solution than its parent. Searching for puzzles with fewer clues
this way ("drop k, add k - 1") goes back to the players who collect Sudokus with 17.

Puzzles found on such walks depend on each other and are not typical of all puzzles: they must
never be mixed with puzzles drawn independently without saying so.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.kernel import kernel
from workers.engines.machine.meter import metered
from workers.engines.machine.random import State, below, shuffle
from workers.engines.sudoku.geometry import CELLS, Digits
from workers.engines.sudoku.layout import write_digits
from workers.engines.sudoku.removal import NEEDED, UNNEEDED, is_needed
from workers.engines.sudoku.search import LEVEL, Search, load, new_search, next_solution
from workers.errors import ParamsError

ANY: Final = -1
SEARCH_NODES: Final = 100_000
SLICE_ROWS: Final = 2_000


class Neighbours(NamedTuple):
    """One row for each parent."""

    puzzles: Digits  # (n, 81); of no meaning where `made` is False
    made: NDArray[np.bool_]  # False where the number of added clues is another than ordered


@kernel
def drop_clues(state: State, puzzles: Digits, row: int, drop: int) -> int:
    """Drop clues at random; return how many are left."""
    cells = np.flatnonzero(puzzles[row])
    shuffle(state, cells)
    for place in range(min(drop, len(cells))):
        puzzles[row, cells[place]] = 0
    return max(len(cells) - drop, 0)


@kernel
def two_solutions(search: Search, puzzles: Digits, row: int, pair: Digits) -> int:
    """Write up to two solutions into `pair` (2, 81); return how many, or -1 when out of nodes."""
    load(search, puzzles, row)
    for found in range(2):
        solved = next_solution(search, SEARCH_NODES)
        if solved < 0:
            return found if search.cursor[LEVEL] < 0 else -1
        write_digits(search.board, solved, pair, found)
    return 2


@kernel
def complete(state: State, search: Search, puzzles: Digits, row: int) -> bool:
    """Add clues at random until there is one solution; False when a search is too long."""
    pair = np.zeros((2, CELLS), dtype=np.uint8)
    found = two_solutions(search, puzzles, row, pair)
    while found == 2:
        cells = np.flatnonzero(pair[0] != pair[1])
        cell = cells[below(state, len(cells))]
        puzzles[row, cell] = pair[below(state, 2), cell]
        found = two_solutions(search, puzzles, row, pair)
    return found == 1


@kernel
def minimise(state: State, search: Search, puzzles: Digits, row: int) -> int:
    """Drop clues that are not needed, in random order; return how many are left, or -1."""
    cells = np.flatnonzero(puzzles[row])
    shuffle(state, cells)
    left = len(cells)
    for place in range(len(cells)):
        cell = int(cells[place])
        verdict = is_needed(search, puzzles, row, cell)
        if verdict == UNNEEDED:
            puzzles[row, cell] = 0
            left -= 1
        elif verdict != NEEDED:
            return -1
    return left


@kernel
def neighbour_rows(state: State, search: Search, out: Neighbours, drop: int, add: int,
                   first: int) -> int:  # fmt: skip
    """Turn puzzles from row `first` on into neighbours, a slice of them; return the next row."""
    last = min(len(out.puzzles), first + SLICE_ROWS)
    for row in range(first, last):
        kept = drop_clues(state, out.puzzles, row, drop)
        if complete(state, search, out.puzzles, row):
            clues = minimise(state, search, out.puzzles, row)
            out.made[row] = clues >= 0 and (add == ANY or clues == kept + add)
    return last


@metered
def neighbours(state: State, parents: Digits, drop: int, add: int | None = None) -> Neighbours:
    """One random neighbour of each parent (n, 81); advances `state`.

    With `add`, only neighbours count that have so many clues more than what dropping left: drop
    3 and add 2 makes puzzles with one clue less. Costs about 60 microseconds a neighbour.

    Raises ParamsError unless 1 <= drop <= 81 and 0 <= add <= 81.
    """
    for name, value in (("drop", drop), ("add", CELLS if add is None else add)):
        if not (name == "drop") <= value <= CELLS:
            raise ParamsError(name, f"{value} is not in {int(name == 'drop')} to {CELLS}")
    puzzles = np.array(parents, dtype=np.uint8, order="C").reshape(-1, CELLS)
    out = Neighbours(puzzles, np.zeros(len(puzzles), dtype=np.bool_))
    search, row = new_search(), 0
    while row < len(puzzles):
        row = neighbour_rows(state, search, out, drop, ANY if add is None else add, row)
    return out
