"""Solving one cryptarithm, by whichever method: the keys of `solve --json`.

`n_solutions` and `nodes` are the production search's, whatever the method. Beside the common
keys a row has

    assignment    letter -> digit of the solution, null without one
    rules         id of the rule set
    status        product, permutations, recursive: solved, stopped, or budget out
    iterations    the same: assignments looked at
    censored      the same: cut off by the budget
    solutions     all of them, when more than two are asked for
"""

from itertools import islice
from typing import Any

from workers.engines.cryptarithm.model import Puzzle
from workers.engines.cryptarithm.reference import METHODS, Trials
from workers.engines.cryptarithm.search import BUDGET_OUT
from workers.engines.cryptarithm.solve import solve_columns, solve_puzzles
from workers.engines.cryptarithm.text import format_solution
from workers.errors import BudgetError, ParamsError
from workers.kinds.cryptarithm_options import SearchOptions, TrialOptions

Row = dict[str, Any]
Digits = tuple[int, ...]
FEW = 2
"""Solutions that are looked for to tell one from many; more of them are listed."""


def solved(puzzle: Puzzle, method: str, limit: int, options: Any) -> Row:
    """The row of one puzzle; `options` are of the method's type in `cryptarithm_options`.

    Raises BudgetError when search or columns was given up, ParamsError for a limit below 1.
    """
    if limit < 1:
        raise ParamsError("limit", f"{limit} is less than 1")
    trying = isinstance(options, TrialOptions)
    if trying or isinstance(options, SearchOptions):
        found = solve_puzzles([puzzle], limit, *([] if trying else [options.budget]))
        count, nodes, known = int(found.counts[0]), int(found.nodes[0]), bool(found.known[0])
        solutions = found.solutions[0]
    else:
        columns = solve_columns(puzzle, limit, options.budget)
        count, nodes = columns.solved, columns.nodes
        known = columns.status != BUDGET_OUT
        solutions = [tuple(row) for row in columns.solutions.tolist()]
    known = known or count >= limit
    if not known and not trying:
        raise BudgetError("the search was given up", f"after {nodes} nodes")
    row: Row = {
        "puzzle": puzzle.text,
        "rules": puzzle.rules.id,
        "n_solutions": count if known else None,
        "solution": None,
        "assignment": None,
        "method": method,
        "iterations": None,
        "digit_tests": None,
        "nodes": nodes,
        "level": None,
        "steps": None,
    }
    if trying:
        return row | _tried(puzzle, method, limit, options)
    return row | _shown(puzzle, solutions, limit)


def _tried(puzzle: Puzzle, method: str, limit: int, options: TrialOptions) -> Row:
    """What a method of the text finds; with a limit of 1 it stops at the first solution."""
    trials = Trials(options.budget)
    wanted = limit if limit != FEW else FEW
    solutions = list(islice(METHODS[method](puzzle, trials), wanted))
    status = "solved" if solutions else "budget out" if trials.censored else "stopped"
    counts = {"status": status, "iterations": trials.count, "censored": trials.censored}
    return _shown(puzzle, solutions, limit) | counts


def _shown(puzzle: Puzzle, solutions: list[Digits], limit: int) -> Row:
    row: Row = {}
    if solutions:
        row["solution"] = format_solution(puzzle, solutions[0])
        row["assignment"] = dict(zip(puzzle.letters, map(int, solutions[0]), strict=True))
    if limit > FEW:
        row["solutions"] = [format_solution(puzzle, digits) for digits in solutions]
    return row
