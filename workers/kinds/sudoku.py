"""The Sudoku kind: what the engines of `workers.engines.sudoku` offer, as columns.

sudoku.py             the kind itself
sudoku_params.py      settings of generation and of the raters
sudoku_generate.py    puzzles as ordered, by removal, opening or cut; sudoku_vicinity.py by walks
sudoku_columns.py     the columns that every row has
sudoku_hodoku.py      the rater `hodoku`; a further rater is one more module like it:
                      sudoku_brute.py, sudoku_analytic.py, sudoku_human_path.py,
                      sudoku_backdoor.py, sudoku_se.py, sudoku_se_canonical.py,
                      sudoku_human.py, sudoku_fill_order.py, sudoku_static.py,
                      sudoku_fixedness.py
sudoku_options.py     methods of solving and schemes of explaining, with their options
sudoku_solve.py       solving one puzzle by a method
sudoku_explain.py     explaining one puzzle by a scheme
sudoku_steps.py       steps as a page can draw them; sudoku_sentences.py says them
sudoku_trace.py       the trace of a brute-force search
"""

import re
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

import numpy as np
import pyarrow as pa
from msgspec import Struct
from numpy.typing import NDArray

from workers.contracts import Columns, Texts
from workers.engines.sudoku.ahead import compile_ahead
from workers.engines.sudoku.geometry import CELLS, Digits
from workers.engines.sudoku.text import (
    EMPTY_CHARACTERS,
    digits_from_texts,
    format_text,
    parse_text,
)
from workers.kinds import (
    sudoku_analytic,
    sudoku_backdoor,
    sudoku_brute,
    sudoku_fill_order,
    sudoku_fixedness,
    sudoku_generate,
    sudoku_hodoku,
    sudoku_human,
    sudoku_human_path,
    sudoku_se,
    sudoku_se_canonical,
    sudoku_static,
    sudoku_trace,
    sudoku_vicinity,
)
from workers.kinds.options import chosen
from workers.kinds.sudoku_columns import basic_columns, basic_fields, puzzle_keys
from workers.kinds.sudoku_explain import explained
from workers.kinds.sudoku_options import METHODS, SCHEMES
from workers.kinds.sudoku_params import SudokuParams
from workers.kinds.sudoku_solve import solved

BASIC_VERSION = 2
RATERS: Mapping[str, ModuleType] = {
    "hodoku": sudoku_hodoku,
    "brute": sudoku_brute,
    "analytic": sudoku_analytic,
    "human-path": sudoku_human_path,
    "backdoor": sudoku_backdoor,
    "se121": sudoku_se,
    "se121-canonical": sudoku_se_canonical,
    "human-model": sudoku_human,
    "fill-order": sudoku_fill_order,
    "static": sudoku_static,
    "fixedness": sudoku_fixedness,
}
"""Rater -> module with VERSION, `fields()` and `columns(puzzles, unique, params)`."""
NORMAL = re.compile(r"[.1-9]{81}")
EMPTY_AS_DOT = str.maketrans(EMPTY_CHARACTERS, "." * len(EMPTY_CHARACTERS))
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
PROBES = (EASY, HARD, EASY[:45].ljust(81, "."))
"""An easy puzzle, one that no technique solves to the end (and SE with nested chains only), one
with many solutions: together they reach every kernel."""


class SudokuKind:
    """See the module."""

    name = "sudoku"
    version = 2
    rater_versions: Mapping[str, int] = {
        "basic": BASIC_VERSION,
        **{name: module.VERSION for name, module in RATERS.items()},
    }
    light_raters: frozenset[str] = frozenset({"basic"})
    default_raters: tuple[str, ...] = ("basic", "hodoku")
    default_levels: str | None = "levels-1"
    time_levels = "levels-human"  # for rows that have its columns and not those of levels-1
    params_type: type[Struct] = SudokuParams
    methods: Mapping[str, type[Struct]] = METHODS
    schemes: Mapping[str, type[Struct]] = SCHEMES

    def schema(self, raters: Sequence[str]) -> pa.Schema:
        """The basic columns, then those of each rater in the kind's own order."""
        fields = basic_fields()
        for rater in _modules(raters):
            fields.extend(rater.fields())
        return pa.schema(fields)

    def generate(
        self, seed: int, count: int, params: SudokuParams, raters: Sequence[str]
    ) -> Columns:
        """`count` puzzles with one solution each, as ordered; equal arguments, equal rows.

        Raises BudgetError when an order is so rare that the attempts ran out.
        """
        if params.method == "vicinity":
            return _walked(seed, count, params, raters)
        return _rated(sudoku_generate.made_puzzles(seed, count, params), params, raters)

    def cut_path(self, seed: int, params: SudokuParams, count: int = 1) -> list[dict[str, Any]]:
        """The difficulty after each removal, for the puzzles that `generate` makes of the same.

        Rows as of `sudoku_generate.cut_path`; ParamsError for another method than cut.
        """
        return sudoku_generate.cut_path(seed, params, count)

    def grade(self, texts: Texts, params: SudokuParams, raters: Sequence[str]) -> Columns:
        """One row for every text (n, 81 or more bytes), in order."""
        return _rated(digits_from_texts(texts), params, raters)

    def parse(self, text: str) -> str:
        """81 characters, `.` for empty; ParseError with the position when malformed."""
        plain = text.translate(EMPTY_AS_DOT)
        return plain if NORMAL.fullmatch(plain) else format_text(parse_text(text))

    def solve(
        self,
        text: str,
        method: str | None = None,
        limit: int = 2,
        options: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """One puzzle by a method of `methods`; the keys are those of `sudoku_solve`.

        Raises ParamsError for an unknown method or option, BudgetError when the search was
        given up.
        """
        name, checked = chosen("method", METHODS, method, options)
        return solved(parse_text(text), name, limit, checked)

    def key(self, texts: Texts) -> NDArray[np.uint8]:
        """Hashes (n, 16) of the canonical forms: equal exactly for equivalent puzzles."""
        return puzzle_keys(digits_from_texts(texts))

    def explain(
        self, text: str, scheme: str | None = None, options: Mapping[str, Any] | None = None
    ) -> list[dict[str, Any]]:
        """The steps of a solution by a scheme of `schemes`, up to where it knows no further one.

        Cells are named r1c1 to r9c9, units row, column and box 1 to 9; human-path shows the
        candidates that are written down. Raises ParamsError as `solve`, NoSolution, and with
        hodoku ManySolutions.
        """
        name, checked = chosen("scheme", SCHEMES, scheme, options)
        return explained(parse_text(text), name, checked)

    def trace(self, text: str, budget: int, points: int, max_depth: int = CELLS) -> dict[str, Any]:
        """Filled cells at each call of the brute-force search: see `sudoku_trace.trace`."""
        return sudoku_trace.trace(text, budget, points, max_depth)

    def warm(self, action: str, raters: Sequence[str], ahead: bool = False) -> None:
        """Compile (or load) every kernel that `action` with `raters` will need.

        With `ahead` only the upper tiers of techniques, if the raters reach them.
        """
        if ahead:
            if "hodoku" in raters:
                compile_ahead()
            return
        texts = np.frombuffer("".join(PROBES).encode(), np.uint8).reshape(-1, 81)
        self.grade(texts, SudokuParams(), raters)
        if action == "generate":
            self.generate(0, 1, SudokuParams(), raters)


def _rated(puzzles: Digits, params: SudokuParams, raters: Sequence[str]) -> Columns:
    columns, unique = basic_columns(puzzles)
    for rater in _modules(raters):
        columns |= rater.columns(puzzles, unique, params)
    return columns


def _walked(seed: int, count: int, params: SudokuParams, raters: Sequence[str]) -> Columns:
    """Rows of a walk; on the way puzzles are rated only by what its goals ask for."""
    asked = [
        name
        for name, rater in RATERS.items()
        if any(field.name in params.goals for field in rater.fields())
    ]
    made = sudoku_vicinity.walked_puzzles(
        seed, count, params, lambda puzzles: _rated(puzzles, params, asked)
    )
    return _rated(made.puzzles, params, raters) | {"walk": made.walk}


def _modules(raters: Sequence[str]) -> list[ModuleType]:
    return [module for name, module in RATERS.items() if name in raters]


KIND = SudokuKind()
