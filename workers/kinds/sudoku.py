"""The Sudoku kind: what the engines of `workers.engines.sudoku` offer, as columns.

sudoku.py           the kind: generate, grade, parse, solve, explain
sudoku_columns.py   the columns that every row has
sudoku_hodoku.py    the rater `hodoku`; a further rater is one more module like it
sudoku_trace.py     the trace of a brute-force search
"""

import re
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Annotated, Any, Literal

import numpy as np
import pyarrow as pa
from msgspec import Meta, Struct
from numpy.typing import NDArray

from workers.contracts import Columns, Texts
from workers.engines.machine.random import seeded
from workers.engines.sudoku.generate import GenerateOptions, generate_puzzles
from workers.engines.sudoku.geometry import CELLS, Digits, cell_name
from workers.engines.sudoku.grade import Step, explain, solve_path
from workers.engines.sudoku.properties import SYMMETRY_NAMES
from workers.engines.sudoku.search import all_solutions, solve_batch
from workers.engines.sudoku.text import (
    EMPTY_CHARACTERS,
    digits_from_texts,
    format_text,
    parse_text,
)
from workers.errors import BudgetError, ManySolutions, NoSolution, ParamsError
from workers.kinds import sudoku_hodoku, sudoku_trace
from workers.kinds.sudoku_columns import basic_columns, basic_fields, puzzle_keys

Clues = Annotated[int, Meta(ge=17, le=81)]
BASIC_VERSION = 1
RATERS: Mapping[str, ModuleType] = {"hodoku": sudoku_hodoku}
"""Rater -> module with VERSION, `fields()` and `columns(puzzles, unique)`."""
SEARCH = "search"
NORMAL = re.compile(r"[.1-9]{81}")
EMPTY_AS_DOT = str.maketrans(EMPTY_CHARACTERS, "." * len(EMPTY_CHARACTERS))
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
PROBES = (EASY, HARD, EASY[:45].ljust(81, "."))
"""An easy puzzle, one that no technique solves to the end, one with many solutions: together they
reach every kernel."""


class SudokuParams(Struct, frozen=True, forbid_unknown_fields=True):
    """How puzzles are generated; grading has no parameters."""

    symmetry: Literal[SYMMETRY_NAMES] = "none"  # type: ignore[valid-type]
    """Symmetry that the pattern of clues has at least."""
    clues: tuple[Clues, Clues] | None = None
    """Fewest and most clues; None takes what comes."""
    minimal: bool = True
    """Every clue is needed for the solution to be unique."""
    attempts: Annotated[int, Meta(ge=1, le=10_000_000)] = 10_000
    """Grids tried for one puzzle before the job is given up."""

    def __post_init__(self) -> None:
        if self.clues is not None and self.clues[0] > self.clues[1]:
            raise ValueError(f"clues: {self.clues[0]} is more than {self.clues[1]}")


class SudokuKind:
    """See the module."""

    name = "sudoku"
    version = 1
    rater_versions: Mapping[str, int] = {
        "basic": BASIC_VERSION,
        **{name: module.VERSION for name, module in RATERS.items()},
    }
    default_raters: tuple[str, ...] = ("basic", "hodoku")
    default_levels: str | None = "levels-1"
    params_type: type[Struct] = SudokuParams

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
        options = GenerateOptions(params.symmetry, params.clues, params.minimal, params.attempts)
        made = generate_puzzles(seeded(seed), count, options)
        if made.status.any():
            raise BudgetError("no such puzzle", f"{params.attempts} grids tried for {params}")
        return _rated(made.puzzles, raters)

    def grade(self, texts: Texts, params: SudokuParams, raters: Sequence[str]) -> Columns:
        """One row for every text (n, 81 or more bytes), in order."""
        return _rated(digits_from_texts(texts), raters)

    def parse(self, text: str) -> str:
        """81 characters, `.` for empty; ParseError with the position when malformed."""
        plain = text.translate(EMPTY_AS_DOT)
        return plain if NORMAL.fullmatch(plain) else format_text(parse_text(text))

    def solve(self, text: str, method: str | None = None, limit: int = 2) -> dict[str, Any]:
        """Up to `limit` solutions of one puzzle; `nodes` are those of the band search.

        Raises ParamsError for an unknown method, BudgetError when the search was given up.
        """
        if method not in (None, SEARCH):
            raise ParamsError("method", f"{method!r} is not one of {SEARCH}")
        puzzle = parse_text(text)
        found = solve_batch(puzzle[None], limit=limit)
        if found.status[0] and found.counts[0] < limit:
            raise BudgetError("the search was given up", f"after {found.nodes[0]} nodes")
        count = int(found.counts[0])
        row: dict[str, Any] = {
            "puzzle": format_text(puzzle),
            "n_solutions": count,
            "solution": format_text(found.solutions[0]) if count else None,
        }
        if limit > 2:
            row["solutions"] = [format_text(grid) for grid in all_solutions(puzzle, limit)]
        row |= {"method": SEARCH, "iterations": None, "digit_tests": None}
        return row | {"nodes": int(found.nodes[0]), "level": None, "steps": None}

    def key(self, texts: Texts) -> NDArray[np.uint8]:
        """Hashes (n, 16) of the canonical forms: equal exactly for equivalent puzzles."""
        return puzzle_keys(digits_from_texts(texts))

    def explain(self, text: str, scheme: str | None = None) -> list[dict[str, Any]]:
        """The steps of a human solution, up to where the techniques end.

        Raises NoSolution or ManySolutions when there is nothing to explain.
        """
        if scheme not in (None, "hodoku"):
            raise ParamsError("scheme", f"{scheme!r} is not one of hodoku")
        puzzle = parse_text(text)
        count = int(solve_batch(puzzle[None], limit=2).counts[0])
        if count != 1:
            text = format_text(puzzle)
            raise (
                ManySolutions(text, "many solutions") if count else NoSolution(text, "no solution")
            )
        return [_told(step) for step in solve_path(puzzle)]

    def trace(self, text: str, budget: int, points: int, max_depth: int = CELLS) -> dict[str, Any]:
        """Filled cells at each call of the brute-force search: see sudoku_trace.py."""
        return sudoku_trace.trace(text, budget, points, max_depth)

    def warm(self, action: str, raters: Sequence[str]) -> None:
        """Compile (or load) every kernel that `action` with `raters` will need."""
        texts = np.frombuffer("".join(PROBES).encode(), np.uint8).reshape(-1, 81)
        self.grade(texts, SudokuParams(), raters)
        if action == "generate":
            self.generate(0, 1, SudokuParams(), raters)


def _rated(puzzles: Digits, raters: Sequence[str]) -> Columns:
    columns, unique = basic_columns(puzzles)
    for rater in _modules(raters):
        columns |= rater.columns(puzzles, unique)
    return columns


def _modules(raters: Sequence[str]) -> list[ModuleType]:
    return [module for name, module in RATERS.items() if name in raters]


def _told(step: Step) -> dict[str, Any]:
    return {
        "technique": step.technique.name,
        "title": step.technique.title,
        "text": explain(step),
        "cells": [cell_name(cell) for cell in step.cells],
        "digits": list(step.digits),
        "placements": [[cell_name(cell), digit] for cell, digit in step.placements],
        "eliminations": [[cell_name(cell), digit] for cell, digit in step.eliminations],
    }


KIND = SudokuKind()
