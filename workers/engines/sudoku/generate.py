"""Puzzles with one solution, made by clearing cells of a random grid in random order.

Cells are tried once each, in a random order of their orbits (the cells that the wanted symmetry
keeps or clears together), and stay clear when the solution stays the only one. What then does not
fit the order (a number of clues, or minimal and symmetric at once) is thrown away, and the next
grid is tried; nothing is relaxed.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.kernel import kernel
from workers.engines.machine.meter import metered
from workers.engines.machine.random import State, below, shuffle
from workers.engines.sudoku.geometry import CELLS, Digits, Table
from workers.engines.sudoku.grids import draw_grid, is_grid, random_grids
from workers.engines.sudoku.removal import (
    NEEDED,
    UNKNOWN,
    UNNEEDED,
    is_minimal,
    is_needed,
    is_unique,
)
from workers.engines.sudoku.search import Search, new_search
from workers.engines.sudoku.symmetry import GENERATORS, orbits
from workers.errors import ParamsError

__all__ = ["GenerateOptions", "GenerateResult", "generate_puzzles", "minimal_puzzles",
           "random_grids"]  # fmt: skip

MADE: Final = 0
ATTEMPTS_OUT: Final = 1
UNDECIDED: Final = -1

FIRST_CLEARED: Final = 28  # cells that can nearly always be cleared at once
SLICE_ATTEMPTS: Final = 3_000


class GenerateOptions(NamedTuple):
    """What to generate: the clue pattern's symmetry, the number of clues, minimal or not."""

    symmetry: str = "none"  # of SYMMETRY_NAMES; the pattern has at least these symmetries
    clues: tuple[int, int] | None = None  # fewest and most; None leaves what comes of clearing
    minimal: bool = True  # every clue is needed; if False, clearing stops in the range of clues
    attempts: int = 10_000  # grids tried for one puzzle before it is given up
    grid: Digits | None = None  # (81,) the solution of all puzzles; None draws one for each


PLAIN: Final = GenerateOptions()


class GenerateResult(NamedTuple):
    """One row for each puzzle asked for."""

    puzzles: Digits  # (n, 81); zeros where attempts ran out
    solutions: Digits  # (n, 81); zeros where attempts ran out
    status: NDArray[np.uint8]  # 0 made as ordered, 1 attempts ran out
    attempts: NDArray[np.int64]  # grids tried


class Order(NamedTuple):
    """The options as kernels read them."""

    orbits: Table  # (k, 8), padded with -1
    fewest: int
    most: int
    stops: int  # 1: clearing stops at a number drawn from the range
    minimal: int
    attempts: int
    grid: Digits  # (81,); zeros: draw one


@kernel
def set_orbit(puzzles: Digits, row: int, orbit: Table, grids: Digits, shown: int) -> int:
    """Show (or clear) the cells of an orbit; return how many there are."""
    size = 0
    for cell in orbit:
        if cell >= 0:
            puzzles[row, cell] = grids[row, cell] * shown
            size += 1
    return size


@kernel
def clear_first(order: Order, turns: NDArray[np.int64], search: Search, puzzles: Digits,
                grids: Digits, row: int) -> int:  # fmt: skip
    """Clear a first part of the orbits at once; return how many were, 0 if that is too many.

    A puzzle that is unique without them is so too after each of them, so this finds what clearing
    one by one would.
    """
    cleared, count = 0, 0
    while cleared < FIRST_CLEARED:
        cleared += set_orbit(puzzles, row, order.orbits[turns[count]], grids, 0)
        count += 1
    if is_unique(search, puzzles, row):
        return count
    for turn in range(count):
        set_orbit(puzzles, row, order.orbits[turns[turn]], grids, 1)
    return 0


@kernel
def clear(state: State, order: Order, search: Search, puzzles: Digits, grids: Digits,
          row: int) -> int:  # fmt: skip
    """Clear cells of a full grid as ordered; return the number of clues left, or UNDECIDED."""
    turns = np.arange(len(order.orbits))
    shuffle(state, turns)
    target = 0
    if order.stops:
        target = order.fewest + below(state, order.most - order.fewest + 1)
    first = 0
    if target <= CELLS - FIRST_CLEARED - 8:
        first = clear_first(order, turns, search, puzzles, grids, row)
    clues = 0
    for cell in range(CELLS):
        clues += puzzles[row, cell] != 0
    for turn in range(first, len(turns)):
        orbit = order.orbits[turns[turn]]
        if orbit[1] < 0:
            if clues > target:
                verdict = is_needed(search, puzzles, row, orbit[0])
                if verdict == UNKNOWN:
                    return UNDECIDED
                if verdict == UNNEEDED:
                    clues -= set_orbit(puzzles, row, orbit, grids, 0)
        else:
            size = set_orbit(puzzles, row, orbit, grids, 0)
            if clues - size >= target and is_unique(search, puzzles, row):
                clues -= size
            else:
                set_orbit(puzzles, row, orbit, grids, 1)
    return clues


@kernel
def attempt(state: State, order: Order, search: Search, puzzles: Digits, grids: Digits,
            row: int) -> bool:  # fmt: skip
    """Draw a grid (or take that of the order) and clear it; return whether it is as ordered."""
    if order.grid[0] == 0:
        draw_grid(state, search.board, grids, row)
    else:
        for cell in range(CELLS):
            grids[row, cell] = order.grid[cell]
    for cell in range(CELLS):
        puzzles[row, cell] = grids[row, cell]
    clues = clear(state, order, search, puzzles, grids, row)
    if not order.fewest <= clues <= order.most:
        return False
    if order.minimal and len(order.orbits) < CELLS:
        return is_minimal(search, puzzles, row) == NEEDED
    return True


@kernel
def make_rows(state: State, order: Order, search: Search, out: GenerateResult, first: int) -> int:
    """Make puzzles from row `first` on for a slice of attempts; return the row to go on with."""
    left = SLICE_ATTEMPTS
    for row in range(first, len(out.puzzles)):
        made = False
        while not made and out.attempts[row] < order.attempts:
            if left == 0:
                return row
            left -= 1
            out.attempts[row] += 1
            made = attempt(state, order, search, out.puzzles, out.solutions, row)
        if not made:
            out.status[row] = ATTEMPTS_OUT
            for cell in range(CELLS):
                out.puzzles[row, cell] = 0
                out.solutions[row, cell] = 0
    return len(out.puzzles)


def _order(options: GenerateOptions) -> Order:
    if options.symmetry not in GENERATORS:
        raise ParamsError("symmetry", f"{options.symmetry!r} is not one of {', '.join(GENERATORS)}")
    fewest, most = (0, CELLS) if options.clues is None else options.clues
    if options.clues is not None and not 17 <= fewest <= most <= CELLS:
        raise ParamsError("clues", f"{fewest} to {most} is not a range within 17 to 81")
    if options.attempts < 1:
        raise ParamsError("attempts", f"{options.attempts} is less than 1")
    stops = options.clues is not None and not options.minimal
    cells, grid = orbits(options.symmetry), np.zeros(CELLS, dtype=np.uint8)
    if options.grid is not None:
        if not is_grid(options.grid):
            raise ParamsError("grid", "is not a solved Sudoku")
        grid[:] = options.grid
    return Order(cells, fewest, most, int(stops), int(options.minimal), options.attempts, grid)


@metered
def generate_puzzles(state: State, count: int, options: GenerateOptions = PLAIN) -> GenerateResult:
    """Make `count` puzzles with one solution each, as `options` order; advances `state`.

    Each is honoured in full or reported in `status`. Puzzle i does not depend on how many are made
    after it. Without a range of clues, clearing goes on as long as it can; with one, a minimal
    puzzle is kept if it falls in the range, and clearing for another stops at a number drawn from
    it. Costs about 60 microseconds a puzzle, times 30 for minimal ones with a half turn.

    Raises ParamsError for an option that no puzzle can have.
    """
    order = _order(options)
    out = GenerateResult(
        puzzles=np.zeros((count, CELLS), dtype=np.uint8),
        solutions=np.zeros((count, CELLS), dtype=np.uint8),
        status=np.zeros(count, dtype=np.uint8),
        attempts=np.zeros(count, dtype=np.int64),
    )
    search = new_search()
    row = 0
    while row < count:
        row = make_rows(state, order, search, out, row)
    return out


def minimal_puzzles(state: State, count: int) -> GenerateResult:
    """Make `count` puzzles that have one solution and need every clue; advances `state`."""
    return generate_puzzles(state, count)
