"""One run of the simulated solver, and the refutations of a solver who is stuck.

A refutation of a wrong candidate places it and then makes random simple moves until the grid
breaks; its length is the number of these moves. Whether it ends at all does not depend on the
moves drawn: where one order of moves ends in a sound grid without moves, every order ends there.
So a cell with one irrefutable candidate has no score, and a cell is given up as soon as it costs
more than the cheapest so far; neither changes how the least score is distributed.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.bits import lowest
from workers.engines.machine.kernel import kernel
from workers.engines.machine.random import State, next_word
from workers.engines.sudoku.geometry import Digits
from workers.engines.sudoku.human.pencil import (
    COUNT,
    HALF_CELLS,
    MOVES,
    PENDING,
    Pencil,
    load,
    new_pencil,
    place,
)

MOST_STEPS: Final = 64
"""Steps of a run: a puzzle with one solution has 17 clues at least."""
NO_END: Final = 1 << 30
"""The length of what cannot be refuted by simple moves."""
SLICE_MOVES: Final = 4_000_000
"""Placements after which a kernel call returns: some tenths of a second."""


class Walks(NamedTuple):
    """What the runs of n puzzles saw."""

    frontier: NDArray[np.int16]  # (n, runs, MOST_STEPS) cells that simple moves can fill
    refutation: NDArray[np.int64]  # (n, runs) sum of the scores of stuck steps
    stuck: NDArray[np.int16]  # (n, runs) steps without a simple move
    endless: NDArray[np.int16]  # (n, runs) of these, the ones where nothing could be refuted
    steps: NDArray[np.int16]  # (n,) empty cells
    order: NDArray[np.int64]  # (n, 81) sum over runs of the step (from 1) that filled a cell


class Desk(NamedTuple):
    """Workspace of a run."""

    start: Pencil  # the puzzle
    grid: Pencil  # the run
    trial: Pencil  # the refutation
    moves: NDArray[np.int64]  # (1,) placements made


def new_desk() -> Desk:
    """An empty workspace."""
    return Desk(new_pencil(), new_pencil(), new_pencil(), np.zeros(1, dtype=np.int64))


def new_walks(puzzles: int, runs: int) -> Walks:
    """Zeros for `puzzles` puzzles."""
    return Walks(
        frontier=np.zeros((puzzles, runs, MOST_STEPS), np.int16),
        refutation=np.zeros((puzzles, runs), np.int64),
        stuck=np.zeros((puzzles, runs), np.int16),
        endless=np.zeros((puzzles, runs), np.int16),
        steps=np.zeros(puzzles, np.int16),
        order=np.zeros((puzzles, 81), np.int64),
    )


@kernel
def pick(random: State, count: int) -> int:
    """A random integer in 0..count-1, count < 1000; off uniform by less than 1 in 10**6."""
    return np.int64((next_word(random) * np.uint64(count)) >> np.uint64(32))  # type: ignore[return-value]


@kernel
def draw_move(pencil: Pencil, random: State) -> int:
    """Take a random one of the simple moves out of the list; there is one at least."""
    count = pencil[COUNT]
    at = MOVES + pick(random, count)
    move = pencil[at]
    pencil[at] = pencil[MOVES + count - 1]
    pencil[COUNT] = count - 1
    cell = move // 9
    pencil[PENDING + cell // HALF_CELLS] &= ~(1 << cell % HALF_CELLS)
    return int(move)


@kernel
def refute(desk: Desk, random: State, cell: int, digit: int, most: int) -> int:
    """Length of a random refutation of `digit` in `cell` of the stuck grid.

    Returns `most` + 1 when it is longer, NO_END when it comes to no contradiction (and has not
    become longer than `most` before).
    """
    trial = desk.trial
    for word in range(MOVES):
        trial[word] = desk.grid[word]
    length = 0
    sound = place(trial, cell, digit)
    while sound:
        if trial[COUNT] == 0:
            return NO_END
        length += 1
        if length > most:
            break
        move = draw_move(trial, random)
        sound = place(trial, move // 9, move % 9)
    desk.moves[0] += length + 1
    return length


@kernel
def score(desk: Desk, random: State, cell: int, right: np.int64, most: int) -> int:
    """Sum of random refutations of all wrong candidates of `cell`; above `most` not exact."""
    total = 0
    half, bit = cell // HALF_CELLS, 1 << cell % HALF_CELLS
    for digit in range(9):
        if desk.grid[2 * digit + half] & bit and digit != right:
            total += refute(desk, random, cell, digit, most - total)
            if total > most:
                return NO_END
    return total


@kernel
def few_candidates(grid: Pencil, half: int, most: int) -> np.int64:
    """The empty cells of a half that have two candidates (`most` 2), or more than two."""
    once = np.int64(0)
    twice = np.int64(0)
    thrice = np.int64(0)
    for digit in range(9):
        cells = grid[2 * digit + half]
        thrice |= twice & cells
        twice |= once & cells
        once |= cells
    return twice & ~thrice if most == 2 else thrice


@kernel
def cheapest(desk: Desk, random: State, solution: Digits) -> tuple[int, int]:
    """The cell with the least score and that score, or -1: a random one of several."""
    best, chosen, equal = NO_END - 1, -1, 0
    for most in (2, 9):
        for half in range(2):
            cells = few_candidates(desk.grid, half, most)
            while cells:
                cell = HALF_CELLS * half + lowest(cells)
                cells &= cells - 1
                cost = score(desk, random, cell, np.int64(solution[cell]) - 1, best)
                if cost < best:
                    best, chosen, equal = cost, cell, 1
                elif cost == best:
                    equal += 1
                    if pick(random, equal) == 0:
                        chosen = cell
    return chosen, best


@kernel
def smallest(grid: Pencil, random: State) -> int:
    """A random one of the empty cells with the fewest candidates."""
    least, chosen, equal = 10, -1, 0
    for cell in range(81):
        half, bit = cell // HALF_CELLS, 1 << cell % HALF_CELLS
        count = 0
        for digit in range(9):
            if grid[2 * digit + half] & bit:
                count += 1
        if 0 < count < least:
            least, chosen, equal = count, cell, 1
        elif count == least:
            equal += 1
            if pick(random, equal) == 0:
                chosen = cell
    return chosen


@kernel
def walk(desk: Desk, random: State, solution: Digits, out: Walks, row: int, run: int) -> None:
    """Solve the puzzle of `desk.start` once and write down what was seen."""
    grid = desk.grid
    for word in range(MOVES + desk.start[COUNT]):
        grid[word] = desk.start[word]
    steps = np.int64(out.steps[row])
    for step in range(steps):
        count = grid[COUNT]
        out.frontier[row, run, step] = count
        if count:
            cell = draw_move(grid, random) // 9
        else:
            cell, cost = cheapest(desk, random, solution)
            out.stuck[row, run] += 1
            if cell >= 0:
                out.refutation[row, run] += cost
            else:
                cell = smallest(grid, random)
                out.endless[row, run] += 1
        place(grid, cell, np.int64(solution[cell]) - 1)
        out.order[row, cell] += step + 1
    desk.moves[0] += steps


@kernel
def walk_rows(
    puzzles: Digits, solutions: Digits, randoms: NDArray[np.uint64], out: Walks, first: int,
    desk: Desk,
) -> int:  # fmt: skip
    """Make all runs of the puzzles from row `first` on, for a slice; return the row to go on with.

    `puzzles` and `solutions` are (n, 81), `randoms` (n, 4) a random state for each.
    """
    desk.moves[0] = 0
    for row in range(first, len(puzzles)):
        if desk.moves[0] > SLICE_MOVES:
            return row
        out.steps[row] = load(desk.start, puzzles[row])
        for run in range(out.stuck.shape[1]):
            walk(desk, randoms[row], solutions[row], out, row, run)
    return len(puzzles)
