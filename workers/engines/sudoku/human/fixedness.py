"""Fixedness: how firmly a random walk over almost-solutions holds the cells at their digits.

Source of the idea: R. Pelanek 2014, which models a solver by constraint relaxation; the walk here
is this project's own reading of it. Each box is filled with its missing digits. A proposal swaps
two of them; it is taken when rows and columns do not get more clashes, and with probability
exp(-more / TEMPERATURE) when they do. Fixedness is the share of sweeps, after a third of them to
settle, at whose end an empty cell holds its right digit: near 1 where the clues leave no choice.
The walk is made on the canonical form, from a random state that is a hash of it.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.kernel import kernel
from workers.engines.machine.meter import metered
from workers.engines.machine.random import State, next_word, shuffle
from workers.engines.sudoku.canon import canonical_batch
from workers.engines.sudoku.geometry import CELLS, UNITS, Digits
from workers.engines.sudoku.human.model import Floats, random_states
from workers.engines.sudoku.human.walk import pick
from workers.engines.sudoku.search import solve_batch

TEMPERATURE: Final = 0.5
SWEEPS: Final = 300


def _thresholds(temperature: float) -> NDArray[np.uint64]:
    """Of 2**32 proposals, how many that add 0, 1 ... 8 clashes are taken."""
    table = np.floor(np.exp(-np.arange(9) / temperature) * (2.0**32 - 1)).astype(np.uint64)
    table.setflags(write=False)
    return table


@metered
def fixedness(puzzles: Digits, temperature: float = TEMPERATURE, sweeps: int = SWEEPS) -> Floats:
    """Fixedness 0..1 of `puzzles` (n, 81) with one solution each; 1 for full grids."""
    forms = canonical_batch(np.ascontiguousarray(puzzles, np.uint8).reshape(-1, CELLS)).forms
    solutions = solve_batch(forms, limit=1).solutions
    randoms, taken = random_states(forms, b"fixedness"), _thresholds(temperature)
    held = np.zeros(len(forms), np.int64)
    settling = sweeps // 3
    for row in range(len(forms)):
        held[row] = hold(forms[row], solutions[row], randoms[row], taken, settling, sweeps)
    chances = np.count_nonzero(forms == 0, axis=1) * (sweeps - settling)
    share: Floats = np.where(chances > 0, held / np.maximum(chances, 1), 1.0)
    return share


@kernel
def hold(
    form: Digits, solution: Digits, random: State, taken: NDArray[np.uint64], settling: int,
    sweeps: int,
) -> int:  # fmt: skip
    """How often, over the sweeps after `settling`, an empty cell held its right digit."""
    grid = np.zeros(81, dtype=np.int64)
    lines = np.zeros((18, 10), dtype=np.int64)
    free = np.zeros((9, 9), dtype=np.int64)
    sizes = np.zeros(9, dtype=np.int64)
    fill_boxes(form, solution, random, grid, free, sizes)
    for cell in range(81):
        lines[cell // 9, grid[cell]] += 1
        lines[9 + cell % 9, grid[cell]] += 1
    held = 0
    for sweep in range(sweeps):
        for box in range(9):
            for _ in range(sizes[box] if sizes[box] > 1 else 0):
                first, second = (
                    free[box, pick(random, sizes[box])],
                    free[box, pick(random, sizes[box])],
                )
                propose(grid, lines, first, second, random, taken)
        if sweep >= settling:
            for cell in range(81):
                if form[cell] == 0 and grid[cell] == solution[cell]:
                    held += 1
    return held


@kernel
def fill_boxes(
    form: Digits, solution: Digits, random: State, grid: NDArray[np.int64],
    free: NDArray[np.int64], sizes: NDArray[np.int64],
) -> None:  # fmt: skip
    """Put the missing digits of each box into its empty cells in random order; list these."""
    for box in range(9):
        missing = np.zeros(9, dtype=np.int64)
        size = 0
        for index in range(9):
            cell = UNITS[18 + box, index]
            grid[cell] = form[cell]
            if form[cell] == 0:
                free[box, size] = cell
                missing[size] = solution[cell]
                size += 1
        sizes[box] = size
        shuffle(random, missing[:size])
        for index in range(size):
            grid[free[box, index]] = missing[index]


@kernel
def propose(
    grid: NDArray[np.int64], lines: NDArray[np.int64], first: int, second: int, random: State,
    taken: NDArray[np.uint64],
) -> None:  # fmt: skip
    """Swap the digits of two cells of a box, or not, by the clashes that this would add."""
    one, other = grid[first], grid[second]
    if one == other:
        return
    more = 0
    for cell, old, new in ((first, one, other), (second, other, one)):
        twin = second if cell == first else first
        if cell // 9 != twin // 9:
            more += clash_change(lines[cell // 9], old, new)
        if cell % 9 != twin % 9:
            more += clash_change(lines[9 + cell % 9], old, new)
    if more > 0 and next_word(random) > taken[more]:
        return
    for cell, old, new in ((first, one, other), (second, other, one)):
        grid[cell] = new
        lines[cell // 9, old] -= 1
        lines[cell // 9, new] += 1
        lines[9 + cell % 9, old] -= 1
        lines[9 + cell % 9, new] += 1


@kernel
def clash_change(counts: NDArray[np.int64], old: int, new: int) -> int:
    """Clashes that a line gains when a cell turns from `old` to `new`."""
    change = 1 if counts[new] > 0 else 0
    if counts[old] > 1:
        change -= 1
    return change
