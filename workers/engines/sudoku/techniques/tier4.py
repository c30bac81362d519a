"""Tier 4: forcing chains and nets, templates, guessing; the larger fish are hosted here.

Everything below id 400 is found by the tier below.
"""

from typing import Final

from workers.engines.machine.kernel import inlined_kernel, kernel
from workers.engines.sudoku.board import Board, Marks, apply, load
from workers.engines.sudoku.geometry import Digits
from workers.engines.sudoku.techniques import tier3
from workers.engines.sudoku.techniques.fish_kraken import KRAKEN_FISH, find_kraken
from workers.engines.sudoku.techniques.fish_units import find_unit_fish
from workers.engines.sudoku.techniques.forcing import (
    FORCING_CHAIN,
    FORCING_NET,
    find_forcing_chain,
    find_forcing_net,
)
from workers.engines.sudoku.techniques.guess import find_guess
from workers.engines.sudoku.techniques.rows import GUESS, Results, Tables, settle
from workers.engines.sudoku.techniques.templates import (
    TEMPLATE_DELETE,
    TEMPLATE_SET,
    find_templates,
)

ROWS_PER_CALL: Final = 16
"""Puzzles that one call of `grade_rows` grades in well under a second."""

find_below = tier3.find

OWN: Final = (
    (find_forcing_chain, ()),
    (find_forcing_net, ()),
    (find_templates, (True,)),
    (find_guess, ()),
    (find_kraken, ()),
    (find_unit_fish, (450, 2)),
)
"""The finders of this tier and what they take between marks and skip, for
`compile_ahead`."""


@inlined_kernel
def find(board: Board, marks: Marks, finder: int, size: int, skip: int) -> bool:
    """Mark step number `skip` of what `finder` and `size` stand for; False when there is none."""
    if finder < 400:
        return bool(find_below(board, marks, finder, size, skip))
    if finder == FORCING_CHAIN:
        return find_forcing_chain(board, marks, skip)
    if finder == FORCING_NET:
        return find_forcing_net(board, marks, skip)
    if finder in (TEMPLATE_SET, TEMPLATE_DELETE):
        return find_templates(board, marks, finder == TEMPLATE_DELETE, skip)
    if finder == GUESS:
        return find_guess(board, marks, skip)
    if finder == KRAKEN_FISH:
        return find_kraken(board, marks, skip)
    return find_unit_fish(board, marks, finder, size, skip)


@inlined_kernel
def next_step(board: Board, marks: Marks, tables: Tables) -> int:
    """Mark the first step of the first technique that has one; its index in `tables`, or -1."""
    for technique in range(len(tables)):
        entry = tables[technique]
        if entry.enabled and find(board, marks, entry.finder, entry.extent, 0):
            return technique
    return -1


@kernel
def grade_rows(
    puzzles: Digits, tables: Tables, results: Results, board: Board, marks: Marks
) -> None:
    """Solve each of `puzzles` (n, 81) as far as it goes and write what it took to `results`."""
    for row in range(len(puzzles)):
        load(board, puzzles[row])
        while board.open and not board.broken:
            technique = next_step(board, marks, tables)
            if technique < 0:
                break
            board.used[technique] += 1
            apply(board, marks)
        settle(results, row, board, tables)
