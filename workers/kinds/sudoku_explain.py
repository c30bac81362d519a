"""Explaining one Sudoku step by step, by whichever scheme."""

from collections.abc import Callable, Mapping
from typing import Any

from workers.engines.sudoku.geometry import Digits, unit_name
from workers.engines.sudoku.grade import solve_path
from workers.engines.sudoku.properties import conflicts
from workers.engines.sudoku.se.rating import rate_path
from workers.engines.sudoku.search import solve_batch
from workers.engines.sudoku.seeds.analytic import analytic_path
from workers.engines.sudoku.seeds.human_path import human_path
from workers.engines.sudoku.seeds.models import fill_models
from workers.engines.sudoku.text import format_text
from workers.errors import ManySolutions, NoSolution
from workers.kinds.sudoku_options import (
    AnalyticOptions,
    HumanPathOptions,
    ModelsOptions,
    SeOptions,
)
from workers.kinds.sudoku_steps import Told, told_path, told_ratings, told_techniques


def explained(puzzle: Digits, scheme: str, options: Any) -> list[Told]:
    """The steps for one puzzle (81,), up to where the scheme knows no further one.

    Raises NoSolution when there is none, and ManySolutions for schemes whose techniques assume
    that there is one: hodoku and se121. The others take any puzzle, and stop or guess.
    """
    count = int(solve_batch(puzzle[None], limit=2).counts[0])
    if count == 0:
        raise NoSolution(format_text(puzzle), _why_none(puzzle))
    if count > 1 and scheme in ASSUME_ONE:
        raise ManySolutions(format_text(puzzle), SEVERAL.format(scheme=scheme))
    return SCHEMES[scheme](puzzle, options)


def _why_none(puzzle: Digits) -> str:
    clash = conflicts(puzzle[None])
    if clash.units[0] < 0:
        return "no solution"
    return f"no solution: {clash.digits[0]} stands twice in {unit_name(int(clash.units[0]))}"


def _hodoku(puzzle: Digits, options: Any) -> list[Told]:
    return told_techniques(puzzle, solve_path(puzzle))


def _se121(puzzle: Digits, options: SeOptions) -> list[Told]:
    return told_ratings(puzzle, rate_path(puzzle, options.budget))


def _models(puzzle: Digits, options: ModelsOptions) -> list[Told]:
    found = fill_models(puzzle, options.kinds, options.until_stable)
    return told_path(puzzle, found.steps, notes=False, boards=True)


def _analytic(puzzle: Digits, options: AnalyticOptions) -> list[Told]:
    found = analytic_path(puzzle, options.highest, options.budget)
    return told_path(puzzle, found.steps, notes=False, boards=True)


def _human_path(puzzle: Digits, options: HumanPathOptions) -> list[Told]:
    found = human_path(puzzle, options.last, options.max_depth, options.budget)
    return told_path(puzzle, found.steps, notes=True, boards=True)


ASSUME_ONE = ("hodoku", "se121")
SEVERAL = "several solutions, and some techniques of {scheme} assume that there is one"
SCHEMES: Mapping[str, Callable[[Digits, Any], list[Told]]] = {
    "hodoku": _hodoku,
    "se121": _se121,
    "models": _models,
    "analytic": _analytic,
    "human-path": _human_path,
}
