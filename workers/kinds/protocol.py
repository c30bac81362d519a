"""What a puzzle kind is to the rest of the house.

A kind turns seeds and texts into columns. It knows column names and engines; it knows no path,
no queue and no corpus. Everything below works on many puzzles at a time, because a dictionary
per row costs hundreds of times more than a column.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np
import pyarrow as pa
from msgspec import Struct
from numpy.typing import NDArray

from workers.contracts import Columns, Texts

P = TypeVar("P", bound=Struct, contravariant=True)


class PuzzleKind(Protocol[P]):
    """One puzzle kind; instances are stateless and registered in `workers.kinds.registry`.

    Beside what all kinds have, a kind may have `sign` (a pattern: what bears it is a text of this
    kind, if a malformed one), `credits` (params -> lines that say whom the content of generated
    puzzles is owed to, for the manifest; see cryptarithm), `trace` and `cut_path` (see Sudoku),
    `read_document`, `curve` and `task_text` (see formula); commands look for them by name.
    """

    name: str
    version: int
    """Raised whenever (seed, params) gives another row."""
    rater_versions: Mapping[str, int]
    """Every rater the kind offers, with its version."""
    light_raters: frozenset[str]
    """Raters that cost so little that a job of these alone is worth its while only with
    thousands of rows."""
    default_raters: tuple[str, ...]
    default_levels: str | None
    """Name of the shipped levels file, or None when rows have no level."""
    params_type: type[Struct]
    """Generation and grading settings: a frozen msgspec Struct with limits on every field."""
    methods: Mapping[str, type[Struct]]
    """Every method of `solve`, with the frozen Struct of its options; the first is the default."""
    schemes: Mapping[str, type[Struct]]
    """Every scheme of `explain`, likewise."""

    def schema(self, raters: Sequence[str]) -> pa.Schema:
        """Columns of a row for these raters, in order, with unit and description as metadata."""

    def generate(self, seed: int, count: int, params: P, raters: Sequence[str]) -> Columns:
        """`count` new puzzles with the columns of `schema`; equal arguments, equal rows."""

    def grade(self, texts: Texts, params: P, raters: Sequence[str]) -> Columns:
        """One row for every text, with the columns of `schema`.

        Texts have passed `parse`; a puzzle that cannot be graded (no solution, many) keeps its
        row, with `reason` saying why and nulls where nothing was evaluated.
        """

    def parse(self, text: str) -> str:
        """The normalised text of one puzzle; ParseError with the position when malformed."""

    def solve(
        self,
        text: str,
        method: str | None = None,
        limit: int = 2,
        options: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """The keys of `solve --json` for one puzzle, up to `limit` solutions.

        `options` are fields of `methods[method]`. What a method does not know is null; what it
        knows beyond the common keys has keys of its own. ParamsError names a method or option
        that is unknown or out of range.
        """

    def key(self, texts: Texts) -> NDArray[np.uint8]:
        """Identity for deduplication, (n, 16) bytes, equal exactly for equivalent puzzles."""

    def explain(
        self, text: str, scheme: str | None = None, options: Mapping[str, Any] | None = None
    ) -> list[dict[str, Any]]:
        """The steps of a human solution, each with technique, text and cells.

        A step of a kind with a grid holds what a page needs to draw it: `technique` (a name),
        `text` (a sentence), `cells` (where it is seen), `units` (names), `placements` and
        `eliminations` ([cell, value] each), and the grid before the step: `values` (its text)
        and `candidates` (one text a cell: what is written in it, a filled cell its value). The
        grid after a step is that before the next one. Cells are named as people name them.
        A page also draws `digits`, `fins`, `chain`, `noted` and `remark` of a step that has them.
        """

    def warm(self, action: str, raters: Sequence[str], ahead: bool = False) -> None:
        """Compile (or load) every kernel that `action` with `raters` will need.

        With `ahead` only some of those that are reached last: for a second process that compiles
        beside the first.
        """
