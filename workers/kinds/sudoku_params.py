"""How Sudokus are made and rated: the settings of a plan."""

import re
from typing import Annotated, Literal

from msgspec import NODEFAULT, Meta, Struct
from msgspec.structs import fields

from workers.engines.sudoku.geometry import CELLS
from workers.engines.sudoku.grids import is_grid
from workers.engines.sudoku.human.model import FEWEST_RUNS, MOST_RUNS
from workers.engines.sudoku.properties import SYMMETRY_NAMES
from workers.engines.sudoku.se import rating
from workers.engines.sudoku.seeds import analytic, brute, human_path
from workers.engines.sudoku.text import parse_text
from workers.errors import ParseError

Clues = Annotated[int, Meta(ge=17, le=81)]
Calls = Annotated[int, Meta(ge=0, le=10**15)]
Budget = Annotated[int, Meta(ge=1, le=10**12)]
Level = Annotated[int, Meta(ge=0, le=analytic.MAX_LEVEL)]
CLUE_CHARACTERS = "123456789xX*#"
PATTERN = re.compile(f"[{CLUE_CHARACTERS}0._-]{{{CELLS}}}")
ORDERS = {
    "symmetry": ("removal",),
    "minimal": ("removal",),
    "pattern": ("removal",),
    "solution": ("removal",),
    "clues": ("removal", "opening", "cut"),
    "analytic_level": ("opening", "cut"),
    "iterations": ("opening", "cut"),
    "drop": ("vicinity",),
    "add": ("vicinity",),
    "goals": ("vicinity",),
    "effort": ("vicinity",),
}
"""Parameter -> the methods that it can be ordered with."""


class Goal(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a walk makes for in one column: a number within bounds, or one of several values."""

    least: float | None = None
    most: float | None = None
    among: Annotated[tuple[str | bool, ...], Meta(min_length=1)] | None = None

    def __post_init__(self) -> None:
        bounds = [bound for bound in (self.least, self.most) if bound is not None]
        if bool(bounds) == (self.among is not None):
            raise ValueError("give least, most or both; or among alone")
        if len(bounds) == 2 and bounds[0] > bounds[1]:
            raise ValueError(f"least {bounds[0]:g} is more than most {bounds[1]:g}")


class SudokuParams(Struct, frozen=True, forbid_unknown_fields=True):
    """How puzzles are generated, and how much the raters may look at.

    `method` is how a full grid becomes a puzzle: by `removal` of clues (whatever is not as
    ordered is thrown away), by `opening` cells until the solution is unique, or by `cut`: cells
    are removed until the puzzle is as wanted. The two last are those of the thesis. Method
    `vicinity` walks from such puzzles to their neighbours, towards `goals`; its rows depend on
    each other, and their column `walk` says so. Every puzzle of every method has one proven
    solution.
    """

    method: Literal["removal", "opening", "cut", "vicinity"] = "removal"
    symmetry: Literal[SYMMETRY_NAMES] = "none"  # type: ignore[valid-type]
    """Removal: the symmetry that the pattern of clues has at least."""
    clues: tuple[Clues, Clues] | None = None
    """Fewest and most clues; None takes what comes. Cutting ends with the fewest, opening begins
    with them, and where both are one number takes what it needs beyond: so few hardly ever do."""
    minimal: bool | None = None
    """Removal: every clue is needed for the solution to be unique. None means True, but not with
    a `pattern`."""
    pattern: str | None = None
    """Removal: 81 characters, clues stand exactly where one of 1-9 x X * # is; 0 . - _ are empty.
    Goes with `minimal` and `attempts` alone."""
    solution: str | None = None
    """Removal: 81 digits, the solution of all puzzles."""
    analytic_level: Level | None = None
    """Opening and cut: the analytic level that is needed."""
    iterations: tuple[Calls, Calls] | None = None
    """Opening and cut: fewest and most recursive calls of brute force, counted up to
    `brute_budget`."""
    drop: Annotated[int, Meta(ge=1, le=40)] = 3
    """Vicinity: clues dropped for a neighbour, which is then completed and made minimal."""
    add: Annotated[int, Meta(ge=0, le=40)] | None = None
    """Vicinity: clues that a neighbour must have beyond what dropping left; None: any number."""
    goals: dict[str, Goal] = {}
    """Vicinity: column -> where the walk makes for. A plan's target gives them where it can."""
    effort: Annotated[int, Meta(ge=1, le=100_000)] = 40
    """Vicinity: puzzles rated for one row at most; rows that did not get there are the nearest."""
    attempts: Annotated[int, Meta(ge=1, le=10_000_000)] = 10_000
    """Grids tried for one puzzle before the job is given up."""
    brute_budget: Budget = brute.DEFAULT_BUDGET
    """Recursive calls of brute force for one puzzle, after which its count is censored."""
    analytic_budget: Budget = analytic.DEFAULT_BUDGET
    """Suppositions that the rater `analytic` may try for one puzzle."""
    human_path_budget: Budget = human_path.DEFAULT_BUDGET
    """Method calls that the rater `human-path` may execute for one puzzle."""
    se_budget: Budget = rating.DEFAULT_BUDGET
    """Nodes that the raters `se121` and `se121-canonical` may reach for one puzzle."""
    human_runs: Annotated[int, Meta(ge=FEWEST_RUNS, le=MOST_RUNS)] = 10
    """Simulated solvers of the raters `human-model` and `fill-order`."""

    def __post_init__(self) -> None:
        for name in ("clues", "iterations"):
            bounds = getattr(self, name)
            if bounds is not None and bounds[0] > bounds[1]:
                raise ValueError(f"{name}: {bounds[0]} is more than {bounds[1]}")
        for name, methods in ORDERS.items():
            if self.method not in methods and getattr(self, name) != DEFAULTS[name]:
                raise ValueError(f"{name}: cannot be ordered with method {self.method}")
        if self.pattern is not None:
            self._check_pattern(self.pattern)
        if self.solution is not None and not _is_solved(self.solution):
            raise ValueError("solution: is not a solved Sudoku")

    def _check_pattern(self, pattern: str) -> None:
        if not PATTERN.fullmatch(pattern):
            raise ValueError(f"pattern: is not {CELLS} of {CLUE_CHARACTERS} and 0 . - _")
        if sum(character in CLUE_CHARACTERS for character in pattern) < 17:
            raise ValueError("pattern: has less than 17 clues")
        for name in ("symmetry", "clues", "solution"):
            if getattr(self, name) != DEFAULTS[name]:
                raise ValueError(f"{name}: cannot be ordered with a pattern")


def _is_solved(text: str) -> bool:
    try:
        return is_grid(parse_text(text))
    except ParseError:
        return False


DEFAULTS = {
    name: field.default if field.default is not NODEFAULT else field.default_factory()
    for name, field in ((field.name, field) for field in fields(SudokuParams))
}
