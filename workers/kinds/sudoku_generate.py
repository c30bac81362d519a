"""Sudokus as ordered: which generator makes them, and what is thrown away.

Whatever the method, grids are drawn one after the other from the state of the seed, and what
fits the order is kept in that order, so the rows depend on seed and order alone.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.random import State, seeded
from workers.engines.sudoku.generate import GenerateOptions, generate_puzzles
from workers.engines.sudoku.generate_pattern import pattern_puzzles
from workers.engines.sudoku.geometry import CELLS, Digits, cell_name
from workers.engines.sudoku.seeds.analytic import METHOD_NAMES
from workers.engines.sudoku.seeds.cut import CutPath, cut_batch
from workers.engines.sudoku.seeds.difficulty import (
    HIGHEST,
    Bounds,
    difficulty,
    hard_enough,
    too_hard,
)
from workers.engines.sudoku.seeds.opening import opening_batch
from workers.engines.sudoku.text import format_text, parse_text
from workers.errors import BudgetError, ParamsError
from workers.kinds.sudoku_params import CLUE_CHARACTERS, SudokuParams

FEWEST = 17
BATCH = 256
"""Grids drawn at a time, at most, while puzzles are missing; rows do not depend on it."""
PLAIN = msgspec.to_builtins(SudokuParams())


class Draw(NamedTuple):
    """Some puzzles of a method; `paths` only of cut ones, and only when asked for."""

    puzzles: Digits
    solutions: Digits
    paths: list[CutPath]


def made_puzzles(seed: int, count: int, params: SudokuParams) -> Digits:
    """`count` puzzles (count, 81) with one solution each, as ordered.

    Raises BudgetError when an order is so rare that the attempts ran out.
    """
    if params.method == "removal":
        return _by_removal(seed, count, params)
    puzzles = np.zeros((count, CELLS), np.uint8)
    for number, (puzzle, _, _) in enumerate(_kept(seed, count, params, paths=False)):
        puzzles[number] = puzzle
    return puzzles


def _by_removal(seed: int, count: int, params: SudokuParams) -> Digits:
    state = seeded(seed)
    if params.pattern is not None:
        signs = [character in CLUE_CHARACTERS for character in params.pattern]
        made = pattern_puzzles(
            state, count, np.flatnonzero(signs), params.minimal is True, params.attempts
        )
    else:
        grid = None if params.solution is None else parse_text(params.solution)
        minimal = params.minimal is not False
        options = GenerateOptions(params.symmetry, params.clues, minimal, params.attempts, grid)
        made = generate_puzzles(state, count, options)
    if made.status.any():
        raise _given_up(params)
    return made.puzzles


def cut_path(seed: int, params: SudokuParams, count: int = 1) -> list[dict[str, Any]]:
    """The difficulty after each removal, for the puzzles that `made_puzzles` makes of the same.

    A row has `number` (of the puzzle, from 0), `removal` (from 1), `cell`, `clues`, `puzzle`,
    `iterations`, `censored`, `analytic_level` (None beyond level 3), `analytic_t_<method>` and
    `suppositions`. Raises ParamsError for another method than cut.
    """
    if params.method != "cut":
        raise ParamsError("method", f"{params.method} has no path, only cut has")
    kept = _kept(seed, count, params, paths=True)
    return [
        {"number": number, **row}
        for number, (_, solution, path) in enumerate(kept)
        for row in _path_rows(solution, path)
    ]


def _kept(
    seed: int, count: int, params: SudokuParams, paths: bool
) -> Iterator[tuple[Digits, Digits, CutPath | None]]:
    """Puzzle, solution and path of the first `count` drawn puzzles that fit."""
    state = seeded(seed)
    kept = tried = 0
    while kept < count:
        drawn = _drawn(state, min(BATCH, max(count - kept, tried)), params, paths)
        for row, fits in enumerate(_fitting(drawn.puzzles, params).tolist()):
            if kept == count:
                return
            tried += 1
            if fits:
                path = drawn.paths[row] if paths else None
                yield drawn.puzzles[row], drawn.solutions[row], path
                kept, tried = kept + 1, 0
            elif tried == params.attempts:
                raise _given_up(params)


def _drawn(state: State, count: int, params: SudokuParams, paths: bool) -> Draw:
    bounds = _bounds(params)
    if params.method == "cut":
        cut = cut_batch(state, count, bounds, paths, params.brute_budget)
        return Draw(cut.puzzles, cut.solutions, cut.paths)
    opened = opening_batch(
        state, count, bounds._replace(clues=bounds.clues or FEWEST), params.brute_budget
    )
    return Draw(opened.puzzles, opened.solutions, [])


def _bounds(params: SudokuParams) -> Bounds:
    least, most = params.iterations or (0, HIGHEST)
    clues = params.clues[0] if params.clues else None
    return Bounds(clues, params.analytic_level, least, most)


def _fitting(puzzles: Digits, params: SudokuParams) -> NDArray[np.bool_]:
    """Which puzzles are as ordered: clues within their range, difficulty within its bounds."""
    bounds = _bounds(params)
    found = difficulty(puzzles, bounds, False, params.brute_budget)
    fewest, most = params.clues or (0, CELLS)
    if params.method == "opening" and fewest == most:
        most = CELLS
    clues = np.count_nonzero(puzzles, axis=1)
    fits: NDArray[np.bool_] = (clues >= fewest) & (clues <= most)
    fits &= hard_enough(found, bounds) & ~too_hard(found, bounds)
    return fits


def _path_rows(solution: Digits, path: CutPath | None) -> Iterator[dict[str, Any]]:
    if path is None:
        return
    puzzle, found = solution.copy(), path.found
    for turn, cell in enumerate(path.cells.tolist()):
        puzzle[cell] = 0
        level = int(found.levels[turn])
        yield {
            "removal": turn + 1,
            "cell": cell_name(cell),
            "clues": int(np.count_nonzero(puzzle)),
            "puzzle": format_text(puzzle),
            "iterations": int(found.iterations[turn]),
            "censored": bool(found.censored[turn]),
            "analytic_level": None if level < 0 else level,
            **{
                f"analytic_t_{name}": int(times)
                for name, times in zip(METHOD_NAMES, found.counts[turn], strict=True)
            },
            "suppositions": int(found.suppositions[turn]),
        }


def _given_up(params: SudokuParams) -> BudgetError:
    order = {k: v for k, v in msgspec.to_builtins(params).items() if v != PLAIN[k]}
    order.pop("attempts", None)
    listed = ", ".join(f"{name} {value}" for name, value in order.items()) or "any"
    return BudgetError("no such puzzle", f"{params.attempts} grids tried for {listed}")
