"""What can be counted on a puzzle without a simulated solver; equal for all its isomorphs.

candidate counts   cells by the number of digits that no peer has
clue counts        clues of each digit and of each box, fewest first
singles            rounds in which all simple moves there are get made at once, and the cells
                   they fill
looks              rounds and cells of a solver who makes the easiest moves first (looks.py)
nodes              search nodes of the band engine over random isomorphs: counts of a search
                   depend on how a puzzle is written, and this says how much
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.kernel import kernel
from workers.engines.machine.meter import metered
from workers.engines.machine.random import State, shuffle
from workers.engines.sudoku.canon import canonical_batch
from workers.engines.sudoku.geometry import BOX, CELLS, COLUMN, ROW, UNITS, Digits
from workers.engines.sudoku.human.looks import LOOKS, look_rows
from workers.engines.sudoku.human.model import Floats, random_states
from workers.engines.sudoku.human.pencil import COUNT, MOVES, PENDING, Pencil, load, new_pencil
from workers.engines.sudoku.human.pencil import place as place_digit
from workers.engines.sudoku.search import solve_batch

ISOMORPHS: Final = 20


class Statics(NamedTuple):
    """Counts for n puzzles."""

    candidates: NDArray[np.int8]  # (n, 9) empty cells with 1, 2 ... 9 candidates
    digit_clues: NDArray[np.int8]  # (n, 9) clues of a digit, ascending
    box_clues: NDArray[np.int8]  # (n, 9) clues of a box, ascending
    rounds: NDArray[np.int8]  # (n,) rounds of singles
    filled: NDArray[np.int8]  # (n,) cells filled by singles
    look_rounds: NDArray[np.int8]  # (n, 4) rounds of each of LOOKS
    look_filled: NDArray[np.int8]  # (n, 4) cells filled by each of LOOKS
    nodes_mean: Floats  # (n,) over ISOMORPHS random isomorphs
    nodes_spread: Floats  # (n,) standard deviation


@metered
def statics(puzzles: Digits) -> Statics:
    """Count on `puzzles` (n, 81) with one solution each."""
    puzzles = np.ascontiguousarray(puzzles, np.uint8).reshape(-1, CELLS)
    clues = puzzles[:, :, None] == np.arange(1, 10, dtype=np.uint8)
    taken = clues[:, UNITS].any(axis=2)
    free = ~(taken[:, ROW] | taken[:, 9 + COLUMN] | taken[:, 18 + BOX])
    left = np.where(puzzles == 0, free.sum(axis=2), 0)
    in_boxes = (puzzles[:, UNITS[18:]] > 0).sum(axis=2)
    singles = np.zeros((len(puzzles), 2), np.int8)
    singles_rows(puzzles, singles, new_pencil())
    looks = np.zeros((len(puzzles), 2, len(LOOKS)), np.int8)
    look_rows(puzzles, looks)
    nodes = _nodes(puzzles)
    return Statics(
        candidates=(left[:, :, None] == np.arange(1, 10)).sum(axis=1).astype(np.int8),
        digit_clues=np.sort(clues.sum(axis=1), axis=1).astype(np.int8),
        box_clues=np.sort(in_boxes, axis=1).astype(np.int8),
        rounds=singles[:, 0],
        filled=singles[:, 1],
        look_rounds=looks[:, 0],
        look_filled=looks[:, 1],
        nodes_mean=nodes.mean(axis=1),
        nodes_spread=nodes.std(axis=1, ddof=1),
    )


def _nodes(puzzles: Digits) -> Floats:
    """Search nodes of the isomorphs, (n, ISOMORPHS)."""
    forms = canonical_batch(puzzles).forms
    written = np.zeros((len(puzzles), ISOMORPHS, CELLS), np.uint8)
    write_isomorphs(forms, random_states(forms, b"isomorphs"), written)
    nodes = solve_batch(written.reshape(-1, CELLS), limit=2).nodes
    return nodes.reshape(len(puzzles), ISOMORPHS).astype(np.float64)


@kernel
def singles_rows(puzzles: Digits, out: NDArray[np.int8], pencil: Pencil) -> None:
    """Write rounds and filled cells of each puzzle into `out` (n, 2)."""
    for row in range(len(puzzles)):
        load(pencil, puzzles[row])
        rounds, filled = 0, 0
        while pencil[COUNT] > 0:
            found = pencil[COUNT]
            for index in range(found):
                move = pencil[MOVES + index]
                place_digit(pencil, move // 9, move % 9)
            rounds += 1
            filled += found
            keep_new_moves(pencil, found)
        out[row, 0] = rounds
        out[row, 1] = filled


@kernel
def keep_new_moves(pencil: Pencil, made: int) -> None:
    """Drop the first `made` moves of the list, which were made."""
    pencil[PENDING] = 0
    pencil[PENDING + 1] = 0
    count = pencil[COUNT] - made
    for index in range(count):
        move = pencil[MOVES + made + index]
        pencil[MOVES + index] = move
        pencil[PENDING + move // 9 // 45] |= 1 << move // 9 % 45
    pencil[COUNT] = count


@kernel
def shuffle_lines(random: State, lines: NDArray[np.int64]) -> None:
    """Put the lines 0..8 into a random order that keeps bands together."""
    bands = np.arange(3)
    inside = np.arange(3)
    shuffle(random, bands)
    for band in range(3):
        shuffle(random, inside)
        for line in range(3):
            lines[3 * band + line] = 3 * bands[band] + inside[line]


@kernel
def write_isomorphs(forms: Digits, randoms: NDArray[np.uint64], out: Digits) -> None:
    """Write random isomorphs of each form (n, 81) into `out` (n, k, 81)."""
    rows = np.arange(9)
    columns = np.arange(9)
    names = np.arange(9)
    for form in range(len(forms)):
        for index in range(out.shape[1]):
            shuffle_lines(randoms[form], rows)
            shuffle_lines(randoms[form], columns)
            shuffle(randoms[form], names)
            for cell in range(81):
                digit = np.int64(forms[form, 9 * rows[cell // 9] + columns[cell % 9]])
                out[form, index, cell] = names[digit - 1] + 1 if digit else 0
