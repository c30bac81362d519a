"""Grading on the HoDoKu scale: which techniques a puzzle takes, its score and its level.

The lowest technique that is enabled and finds a step is applied, again and again from the first
one on. The score is the sum over all steps; the level is the highest of the used techniques,
raised while the score is above its limit.
"""

import itertools
from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.meter import metered
from workers.engines.sudoku.board import (
    CELLS,
    CHAIN,
    CHAIN_BASE,
    COVER_UNITS,
    DIGITS,
    ENDO_FINS,
    FINS,
    PARTS,
    PLACED,
    REMOVED,
    SEEN_UNITS,
    Board,
    Marks,
    apply,
    load,
    new_board,
    new_marks,
    restrict,
)
from workers.engines.sudoku.geometry import UNITS, Digits, cell_name, unit_name
from workers.engines.sudoku.techniques.catalogue import (
    CATALOGUE,
    LAST_TIER,
    check_tier,
    tables,
    tier_module,
)
from workers.engines.sudoku.techniques.explain import explain
from workers.engines.sudoku.techniques.rows import (
    CONTRADICTION,
    SOLVED,
    STUCK,
    Results,
    Tables,
    new_results,
)
from workers.engines.sudoku.techniques.technique import (
    LEVEL_NAMES,
    Candidate,
    Node,
    Step,
    Technique,
)
from workers.errors import NoSolution, ParamsError

__all__ = [
    "CATALOGUE",
    "CONTRADICTION",
    "LEVEL_NAMES",
    "SOLVED",
    "STUCK",
    "Candidate",
    "GradeResult",
    "Step",
    "Technique",
    "explain",
    "find_steps",
    "grade_batch",
    "open_board",
    "solve_path",
    "step_of",
]

GradeResult = Results


@metered
def grade_batch(
    puzzles: Digits, max_tier: int = LAST_TIER, disabled: Collection[str] = ()
) -> GradeResult:
    """Grade `puzzles` (n, 81) that have one solution each.

    `max_tier` is the highest tier of techniques used; a tier is compiled only when some puzzle
    needs it. `disabled` names techniques to do without. Columns of `counts` follow CATALOGUE.
    A puzzle without a unique solution ends stuck or in a contradiction, never in an error.
    """
    batch = _checked(puzzles).reshape(-1, 81)
    results = new_results(len(batch), len(CATALOGUE))
    rows = np.arange(len(batch))
    for tier, table in _tables_by_tier(max_tier, disabled).items():
        _grade_tier(batch, rows, results, tier, table)
        rows = rows[results.status[rows] == STUCK]
    return results


def _tables_by_tier(max_tier: int, disabled: Collection[str]) -> dict[int, Tables]:
    """What each tier's kernel tries; ParamsError for a tier or a name that is not there."""
    check_tier(max_tier)
    return {tier: tables(tier, disabled) for tier in range(1, max_tier + 1)}


def _grade_tier(
    batch: Digits, rows: NDArray[np.int64], results: Results, tier: int, table: Tables
) -> None:
    """Grade the given rows afresh with all techniques up to `tier`."""
    board, marks = new_board(), new_marks()
    kernels = tier_module(tier)
    for start in range(0, len(rows), kernels.ROWS_PER_CALL):
        part = rows[start : start + kernels.ROWS_PER_CALL]
        found = new_results(len(part), len(CATALOGUE))
        kernels.grade_rows(batch[part], table, found, board, marks)
        for name, values in found._asdict().items():
            getattr(results, name)[part] = values


def _checked(digits: Digits) -> Digits:
    """`digits` as the kernels want it; a digit that is none would write outside a board."""
    array = np.ascontiguousarray(digits, dtype=np.uint8)
    if array.max(initial=0) > 9:
        raise ParamsError("puzzles", f"{array.max()} is not a digit")
    return array


def open_board(
    puzzle: Digits,
    candidates: NDArray[np.integer] | None = None,
    placed: Collection[int] = (),
) -> Board:
    """A board of `puzzle` (81,), of whose candidates only those in the masks (81,) remain.

    Bit d-1 of a mask is digit d; masks of filled cells are ignored. Without `candidates` all
    that the filled cells admit remain. The filled cells in `placed` are no clues: they were
    solved earlier. Raises NoSolution for candidates that leave a cell or a digit no place.
    """
    board = new_board()
    load(board, _checked(puzzle).reshape(81))
    if candidates is not None:
        masks = np.ascontiguousarray(candidates, dtype=np.int64)
        if masks.shape != (81,):
            raise ParamsError("candidates", f"81 masks are needed, not {masks.shape}")
        restrict(board, masks)
        if board.broken:
            raise NoSolution("candidates", _lacking(board))
    for cell in placed:
        board.clues[cell] = 0
    return board


def _lacking(board: Board) -> str:
    """What cannot be completed on a broken board."""
    for cell in range(81):
        if not board.values[cell] and not board.cells[cell]:
            return f"{cell_name(cell)} has none left"
    for unit, digit in itertools.product(range(27), range(9)):
        there = (board.values[UNITS[unit]] == digit + 1).any()
        if not there and not board.places[unit, digit]:
            return f"{unit_name(unit)} has no place left for {digit + 1}"
    return "two filled cells clash"


def find_steps(board: Board, technique: Technique, most: int | None = None) -> list[Step]:
    """All steps of `technique` on `board`, in search order, one per outcome; applies none.

    Each is searched for from the start: with `most` the search ends after so many, repeated
    outcomes included. Chains and almost locked sets have hundreds of steps on a board.
    """
    marks = new_marks()
    find = tier_module(technique.tier).find
    steps: dict[object, Step] = {}
    for skip in itertools.count() if most is None else range(most):
        if not find(board, marks, technique.finder, technique.size, skip):
            break
        step = step_of(technique, marks)
        steps.setdefault((step.placements, frozenset(step.eliminations)), step)
    return list(steps.values())


def solve_path(
    puzzle: Digits | Board, max_tier: int = LAST_TIER, disabled: Collection[str] = ()
) -> list[Step]:
    """The steps that `grade_batch` counts, until the puzzle is solved or nothing more is found.

    Takes a puzzle (81,) or a board of `open_board`, which is then solved in place.
    """
    board = open_board(puzzle) if isinstance(puzzle, np.ndarray) else puzzle
    return list(_steps(board, max_tier, disabled))


def _steps(board: Board, max_tier: int, disabled: Collection[str]) -> Iterator[Step]:
    marks = new_marks()
    by_tier = _tables_by_tier(max_tier, disabled)
    tier = 1
    while board.open and not board.broken:
        index = tier_module(tier).next_step(board, marks, by_tier[tier])
        if index >= 0:
            yield step_of(CATALOGUE[index], marks)
            apply(board, marks)
            tier = 1
        elif tier < max_tier:
            tier += 1
        else:
            return


def step_of(technique: Technique, marks: Marks) -> Step:
    """What a finder of `technique` has marked."""
    lists, counts = marks.lists, marks.counts.tolist()  # fields of a record are slow to reach

    def listed(role: int) -> tuple[int, ...]:
        return tuple(lists[role, : counts[role]].tolist())

    def candidates(role: int) -> tuple[Candidate, ...]:
        return tuple(Candidate(entry // 9, entry % 9 + 1) for entry in listed(role))

    cells = listed(CELLS)
    return Step(
        technique=technique,
        placements=candidates(PLACED),
        eliminations=candidates(REMOVED),
        cells=cells,
        digits=tuple(digit + 1 for digit in listed(DIGITS)),
        units=listed(SEEN_UNITS),
        covers=listed(COVER_UNITS),
        fins=listed(FINS),
        endo_fins=listed(ENDO_FINS),
        chain=tuple(_node(code) for code in listed(CHAIN)),
        parts=tuple(cells[i:j] for i, j in itertools.pairwise((0, *listed(PARTS)))),
        form=int(marks.form),
    )


def _node(code: int) -> Node:
    """The chain node that an entry of CHAIN stands for."""
    rest, on = divmod(code, 2)
    places, digit = divmod(rest, 9)
    cells = []
    while places:
        places, cell = divmod(places, CHAIN_BASE)
        cells.append(cell - 1)
    return Node(tuple(cells), digit + 1, bool(on))
