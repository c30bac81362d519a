"""The ways to solve and to explain a Sudoku, each with its options."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from workers.engines.sudoku.geometry import CELLS
from workers.engines.sudoku.se import rating
from workers.engines.sudoku.seeds import analytic, human_path
from workers.engines.sudoku.seeds.models import KINDS
from workers.kinds.options import NoOptions
from workers.kinds.sudoku_params import Budget, Level

Unit = Literal["rows", "columns", "boxes"]
Depth = Annotated[int, Meta(ge=0, le=CELLS)]


class SearchOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The reference engine."""

    budget: Budget = 10_000_000
    """Positions looked at."""


class BruteOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """Brute force and the article's backtracking, which are the same search."""

    budget: Budget = 100_000_000
    """Recursive calls: about half a second."""
    max_depth: Depth = CELLS
    """Cells filled in at a time."""


class AnalyticOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The four levels of reasoning."""

    max_level: Level = analytic.MAX_LEVEL
    max_depth: Annotated[int, Meta(ge=0, le=8)] | None = None
    """How deep suppositions may be nested: 1 at level 2; 2 at level 3, where more may be given
    (a level above 3 is then reported when it is needed)."""
    budget: Budget = analytic.DEFAULT_BUDGET
    """Suppositions tried."""

    @property
    def highest(self) -> int:
        """The engine's level that keeps to both limits."""
        if self.max_depth is None:
            return self.max_level
        deepest = self.max_depth + 1
        return deepest if self.max_level == analytic.MAX_LEVEL else min(self.max_level, deepest)


class ModelsOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The auxiliary models."""

    by: Unit | Annotated[tuple[Unit, ...], Meta(min_length=1)] = KINDS
    """Units that are filled when one digit is missing: one kind, or several."""
    until_stable: bool = True
    """Look again until nothing changes; otherwise once."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """`by` as a tuple."""
        return (self.by,) if isinstance(self.by, str) else self.by


class HumanPathOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The human path."""

    last: Annotated[int, Meta(ge=0, le=len(human_path.METHODS) - 1)] = len(human_path.METHODS) - 1
    """Index of the hardest method that is used; 10 leaves out the guess."""
    max_depth: Depth = CELLS
    """Guesses that may stand at a time."""
    budget: Budget = human_path.DEFAULT_BUDGET
    """Method calls executed."""


class SeOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The Sudoku Explainer scale."""

    budget: Budget = rating.DEFAULT_BUDGET
    """Nodes reached."""


METHODS: Mapping[str, type[Struct]] = {
    "search": SearchOptions,
    "brute": BruteOptions,
    "backtrack": BruteOptions,
    "analytic": AnalyticOptions,
    "models": ModelsOptions,
    "human-path": HumanPathOptions,
}
SCHEMES: Mapping[str, type[Struct]] = {
    "hodoku": NoOptions,
    "se121": SeOptions,
    "models": ModelsOptions,
    "analytic": AnalyticOptions,
    "human-path": HumanPathOptions,
}
