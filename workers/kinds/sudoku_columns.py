"""The columns that every Sudoku row has, whatever raters a plan lists, and how they are made."""

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from workers.contracts import Columns, Texts
from workers.engines.machine import blake
from workers.engines.sudoku.canon import canonical_batch
from workers.engines.sudoku.geometry import Digits, unit_name
from workers.engines.sudoku.properties import SYMMETRY_NAMES, conflicts, minimal, symmetry
from workers.engines.sudoku.search import solve_batch
from workers.engines.sudoku.text import texts_from_digits
from workers.kinds.columns import Field, column, nulls

Mask = NDArray[np.bool_]
NO_SOLUTION = "no solution"
SEVERAL_SOLUTIONS = "several solutions"
BUDGET_OUT = "search budget ran out"
TWICE = np.array([f"a digit twice in {unit_name(unit)}" for unit in range(27)], object)


def basic_fields() -> list[Field]:
    """Fields of the columns that `basic_columns` makes, in order."""
    text = pa.string()
    return [
        column("key", pa.binary(16), "stable id: BLAKE2b hash of the canonical form (of the puzzle "
               "itself, personalised, where that is null)"),
        column("solution_key", pa.binary(16), "BLAKE2b hash of the solution's canonical form; null "
               "unless unique", nullable=True),
        column("puzzle", text, "81 characters, row by row, `.` for empty"),
        column("solution", text, "81 digits; null unless unique", nullable=True),
        column("n_solutions", pa.int8(), "0, 1, or 2 for more; null when the search budget ran out",
               nullable=True, few=True),
        column("reason", text, "why the puzzle was not graded; null when it was", nullable=True,
               few=True),
        column("clues", pa.int8(), "given digits", unit="clues", few=True),
        column("minimal", pa.bool_(), "every clue is needed; null unless unique", nullable=True),
        column("symmetry", text, "symmetry of the pattern of clues", few=True),
        column("canonical", text, "smallest equivalent puzzle (minlex); null over budget",
               nullable=True),
        column("automorphisms", pa.int32(), "geometric symmetries that, with a renaming of digits, "
               "map the puzzle to itself; null over budget", nullable=True, few=True),
        column("search_nodes", pa.int64(), "positions looked at by the band search for two "
               "solutions", unit="nodes"),
        column("guesses", pa.int64(), "branchings of the band search", unit="guesses"),
        column("walk", pa.int32(), "changes between the puzzle and one drawn independently, where "
               "a walk from that one found it; null: drawn independently, or read",
               unit="changes", nullable=True, few=True),
    ]  # fmt: skip


def basic_columns(puzzles: Digits) -> tuple[Columns, Mask]:
    """The columns of `basic_fields` for puzzles (n, 81), and which have one solution (n,)."""
    found = solve_batch(puzzles, limit=2)
    known = (found.status == 0) | (found.counts > 1)
    unique = known & (found.counts == 1)
    solutions = found.solutions[unique]
    forms = canonical_batch(puzzles)
    texts, symmetries = texts_from_digits(puzzles), np.array(SYMMETRY_NAMES, object)
    over = forms.status != 0
    canonical = texts_from_digits(forms.forms)
    columns: Columns = {
        "key": hashes(np.where(over[:, None], texts, canonical), over),
        "solution_key": spread(grid_keys(solutions), unique),
        "puzzle": texts,
        "solution": spread(texts_from_digits(solutions), unique),
        "n_solutions": np.ma.MaskedArray(found.counts.astype(np.int8), mask=~known),
        "reason": reasons(puzzles, found.counts, known),
        "clues": np.count_nonzero(puzzles, axis=1).astype(np.int8),
        "minimal": spread(minimal(puzzles[unique], solutions), unique),
        "symmetry": symmetries[symmetry(puzzles)],
        "canonical": masked_rows(canonical, over),
        "automorphisms": np.ma.MaskedArray(forms.automorphisms.astype(np.int32), mask=over),
        "search_nodes": found.nodes,
        "guesses": found.guesses,
        "walk": nulls(len(puzzles), np.int32),
    }
    return columns, unique


def reasons(puzzles: Digits, counts: NDArray[np.int32], known: Mask) -> NDArray[Any]:
    """Why a puzzle has not one solution, null where it has."""
    text = np.full(len(puzzles), None, object)
    text[~known] = BUDGET_OUT
    text[known & (counts > 1)] = SEVERAL_SOLUTIONS
    text[known & (counts == 0)] = NO_SOLUTION
    unsolved = np.flatnonzero(known & (counts == 0))
    units, _ = conflicts(puzzles[unsolved])
    text[unsolved[units >= 0]] = TWICE[units[units >= 0]]
    return np.ma.MaskedArray(text, mask=known & (counts == 1))


def puzzle_keys(puzzles: Digits) -> NDArray[np.uint8]:
    """Keys (n, 16) of puzzles (n, 81): equal exactly for equivalent ones, within the budget."""
    forms = canonical_batch(puzzles)
    over = forms.status != 0
    shown = np.where(over[:, None], puzzles, forms.forms)
    return hashes(texts_from_digits(shown), over)


def grid_keys(grids: Digits) -> NDArray[np.uint8]:
    """Keys (n, 16) of complete grids (n, 81); these are always within the budget."""
    return puzzle_keys(grids)


def hashes(texts: Texts, personal: Mask) -> NDArray[np.uint8]:
    """BLAKE2b hashes (n, 16) of texts (n, 81), of another family where `personal` (n,) is True."""
    return blake.hashes(texts, (b"", b"not canonical"), personal.astype(np.int64))


def spread(values: NDArray[Any], rows: Mask) -> NDArray[Any]:
    """A column with `values` where `rows` (n,) is True and null elsewhere."""
    shape = (len(rows), *values.shape[1:])
    full = np.full(shape, None, object) if values.dtype == object else np.zeros(shape, values.dtype)
    full[rows] = values
    return masked_rows(full, ~rows)


def rows_of(rows: Mask, part: Mask) -> Mask:
    """Which of all rows (n,) are those of `part`, given for the True ones of `rows` only."""
    full = np.zeros(len(rows), np.bool_)
    full[np.flatnonzero(rows)[part]] = True
    return full


def masked_rows(values: NDArray[Any], mask: Mask) -> NDArray[Any]:
    """A column of `values` (n,) or (n, width), null where `mask` (n,) is True."""
    full = mask if values.ndim == 1 else np.broadcast_to(mask[:, None], values.shape)
    column: NDArray[Any] = np.ma.MaskedArray(values, mask=full)
    return column
