"""Solving one Sudoku, by whichever method: the keys of `solve --json`.

`n_solutions` and `nodes` are the reference search's, whatever the method: no other method proves
how many solutions there are. `solution`, `iterations`, `digit_tests`, `level` and `steps` are the
method's own, null where it knows none. Beside the common keys a row has

    status        solved, stopped, contradiction or budget out (not for search)
    grid          the solution, or the furthest grid
    filled        filled cells of the grid
    censored      brute, backtrack: cut off by the budget; the counts are lower bounds
    iterations_total, digit_tests_total
                  brute, backtrack: until the last of the solutions asked for
    counts        times per method (models: units filled; analytic: digits or candidates;
                  human-path: successes)
    calls         human-path: executed calls per method
    suppositions  analytic: candidates tried
    score, hardest, hardest_method, guesses
                  human-path: effort, highest index that helped, digits put on trial
    solutions     all of them, when more than two are asked for
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from workers.engines.sudoku.geometry import Digits
from workers.engines.sudoku.search import SearchResult, all_solutions, solve_batch
from workers.engines.sudoku.seeds.analytic import METHOD_NAMES as ANALYTIC_METHODS
from workers.engines.sudoku.seeds.analytic import analytic_path
from workers.engines.sudoku.seeds.brute_all import brute_solutions
from workers.engines.sudoku.seeds.human_path import METHODS as HUMAN_METHODS
from workers.engines.sudoku.seeds.human_path import human_path
from workers.engines.sudoku.seeds.models import METHOD_NAMES as MODELS
from workers.engines.sudoku.seeds.models import fill_models
from workers.engines.sudoku.seeds.outcome import BUDGET_OUT, OUTCOME_NAMES, SOLVED
from workers.engines.sudoku.text import format_text
from workers.errors import BudgetError, ParamsError
from workers.kinds.sudoku_options import (
    AnalyticOptions,
    BruteOptions,
    HumanPathOptions,
    ModelsOptions,
    SearchOptions,
)
from workers.kinds.sudoku_steps import told_fill, told_path

Row = dict[str, Any]
FEW = 2
"""Solutions that are looked for to tell one from many; more of them are listed."""


def solved(puzzle: Digits, method: str, limit: int, options: Any) -> Row:
    """The row of one puzzle (81,); `options` are of the method's type in `sudoku_options`.

    Raises BudgetError when the method is search and was given up, ParamsError when all solutions
    are asked of a method that finds one at most.
    """
    if limit < 1:
        raise ParamsError("limit", f"{limit} is less than 1")
    if limit > FEW and method in FIND_ONE:
        raise ParamsError("method", f"{method} finds one solution at most, not all")
    searching = isinstance(options, SearchOptions)
    found = solve_batch(puzzle[None], limit, *([options.budget] if searching else []))
    known = not found.status[0] or found.counts[0] >= limit
    if searching and not known:
        raise BudgetError("the search was given up", f"after {found.nodes[0]} nodes")
    row: Row = {
        "puzzle": format_text(puzzle),
        "n_solutions": int(found.counts[0]) if known else None,
        "solution": None,
        "method": method,
        "iterations": None,
        "digit_tests": None,
        "nodes": int(found.nodes[0]),
        "level": None,
        "steps": None,
    }
    if searching:
        return row | _searched(puzzle, found, limit)
    return row | SOLVERS[method](puzzle, limit, options)


def _searched(puzzle: Digits, found: SearchResult, limit: int) -> Row:
    row: Row = {"solution": format_text(found.solutions[0]) if found.counts[0] else None}
    if limit > FEW:
        row["solutions"] = [format_text(grid) for grid in all_solutions(puzzle, limit)]
    return row


def _brute(puzzle: Digits, limit: int, options: BruteOptions) -> Row:
    listing = limit > FEW
    wanted = limit if listing else 1
    found = brute_solutions(puzzle, wanted, options.budget, options.max_depth)
    solved = len(found.solutions) > 0
    row: Row = {
        **_ended(puzzle, SOLVED if solved else found.status, found.grid),
        "iterations": found.first[0],
        "digit_tests": found.first[1],
        "censored": found.status == BUDGET_OUT,
        "steps": told_fill(puzzle, found.grid, "try"),
    }
    if listing:
        row["iterations_total"], row["digit_tests_total"] = found.total
        row["solutions"] = [format_text(grid) for grid in found.solutions]
    return row


def _analytic(puzzle: Digits, limit: int, options: AnalyticOptions) -> Row:
    found = analytic_path(puzzle, options.highest, options.budget)
    result = found.result
    level = int(result.level[0])
    return {
        **_ended(puzzle, int(result.status[0]), result.grids[0]),
        "level": level if level >= 0 else None,
        "counts": _counted(ANALYTIC_METHODS, result.counts[0].tolist()),
        "suppositions": int(result.suppositions[0]),
        "steps": told_path(puzzle, found.steps, notes=False, boards=False),
    }


def _models(puzzle: Digits, limit: int, options: ModelsOptions) -> Row:
    found = fill_models(puzzle, options.kinds, options.until_stable)
    filled = [sum(step.method == name for step in found.steps) for name in MODELS]
    return {
        **_ended(puzzle, found.status, found.grid),
        "counts": _counted(MODELS, filled),
        "steps": told_path(puzzle, found.steps, notes=False, boards=False),
    }


def _human_path(puzzle: Digits, limit: int, options: HumanPathOptions) -> Row:
    found = human_path(puzzle, options.last, options.max_depth, options.budget)
    names = tuple(method.name for method in HUMAN_METHODS)
    successes, hardest = found.result.successes[0].tolist(), int(found.result.hardest[0])
    return {
        **_ended(puzzle, int(found.result.status[0]), found.result.grids[0]),
        "score": int(found.result.score[0]),
        "hardest": hardest if hardest >= 0 else None,
        "hardest_method": names[hardest] if hardest >= 0 else None,
        "guesses": successes[-1],
        "counts": _counted(names, successes),
        "calls": _counted(names, found.result.calls[0].tolist()),
        "steps": told_path(puzzle, found.steps, notes=True, boards=False),
    }


def _ended(puzzle: Digits, status: int, grid: Digits) -> Row:
    grid = np.where(puzzle > 0, puzzle, grid)  # where clues conflict, methods do not take them all
    text = format_text(grid)
    return {
        "solution": text if status == SOLVED else None,
        "status": OUTCOME_NAMES[status],
        "grid": text,
        "filled": int(np.count_nonzero(grid)),
    }


def _counted(names: tuple[str, ...], times: list[int]) -> dict[str, int]:
    return dict(zip(names, times, strict=True))


SOLVERS: Mapping[str, Callable[[Digits, int, Any], Row]] = {
    "brute": _brute,
    "backtrack": _brute,
    "analytic": _analytic,
    "models": _models,
    "human-path": _human_path,
}
FIND_ONE = ("analytic", "models", "human-path")
