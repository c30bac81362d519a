"""How Sudokus are made and rated: the settings of a plan."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from workers.engines.sudoku.human.model import FEWEST_RUNS, MOST_RUNS
from workers.engines.sudoku.properties import SYMMETRY_NAMES
from workers.engines.sudoku.seeds import analytic, brute, human_path

Clues = Annotated[int, Meta(ge=17, le=81)]
Calls = Annotated[int, Meta(ge=0, le=10**15)]
Budget = Annotated[int, Meta(ge=1, le=10**12)]
Level = Annotated[int, Meta(ge=0, le=analytic.MAX_LEVEL)]


class SudokuParams(Struct, frozen=True, forbid_unknown_fields=True):
    """How puzzles are generated, and how much the raters may look at.

    `method` is how a full grid becomes a puzzle: by `removal` of clues (whatever is not as
    ordered is thrown away), by `opening` cells until the solution is unique, or by `cut`: cells
    are removed until the puzzle is as wanted. The two last are those of the thesis; every puzzle
    of every method has one proven solution.
    """

    method: Literal["removal", "opening", "cut"] = "removal"
    symmetry: Literal[SYMMETRY_NAMES] = "none"  # type: ignore[valid-type]
    """Removal: the symmetry that the pattern of clues has at least."""
    clues: tuple[Clues, Clues] | None = None
    """Fewest and most clues; None takes what comes. Cutting ends with the fewest, opening begins
    with them, and where both are one number takes what it needs beyond: so few hardly ever do."""
    minimal: bool | None = None
    """Removal: every clue is needed for the solution to be unique; None means True there."""
    analytic_level: Level | None = None
    """Opening and cut: the analytic level that is needed."""
    iterations: tuple[Calls, Calls] | None = None
    """Opening and cut: fewest and most recursive calls of brute force, counted up to
    `brute_budget`."""
    attempts: Annotated[int, Meta(ge=1, le=10_000_000)] = 10_000
    """Grids tried for one puzzle before the job is given up."""
    brute_budget: Budget = brute.DEFAULT_BUDGET
    """Recursive calls of brute force for one puzzle, after which its count is censored."""
    analytic_budget: Budget = analytic.DEFAULT_BUDGET
    """Suppositions that the rater `analytic` may try for one puzzle."""
    human_path_budget: Budget = human_path.DEFAULT_BUDGET
    """Method calls that the rater `human-path` may execute for one puzzle."""
    human_runs: Annotated[int, Meta(ge=FEWEST_RUNS, le=MOST_RUNS)] = 10
    """Simulated solvers of the raters `human-model` and `fill-order`."""

    def __post_init__(self) -> None:
        for name in ("clues", "iterations"):
            bounds = getattr(self, name)
            if bounds is not None and bounds[0] > bounds[1]:
                raise ValueError(f"{name}: {bounds[0]} is more than {bounds[1]}")
        removing = self.method == "removal"
        given = {
            "symmetry": self.symmetry != "none",
            "minimal": self.minimal is not None,
            "analytic_level": self.analytic_level is not None,
            "iterations": self.iterations is not None,
        }
        for name in ("analytic_level", "iterations") if removing else ("symmetry", "minimal"):
            if given[name]:
                raise ValueError(f"{name}: cannot be ordered with method {self.method}")
