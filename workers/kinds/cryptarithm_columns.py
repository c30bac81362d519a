"""The columns that every cryptarithm row has, whatever raters a plan lists."""

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from workers.contracts import Columns, Texts
from workers.engines.cryptarithm.canon import puzzle_key
from workers.engines.cryptarithm.model import PRODUCT, SUM, WORD, Puzzle, Term, words_of
from workers.engines.cryptarithm.rules import DIGIT_SIGNS
from workers.engines.cryptarithm.solve import Solved, solve_puzzles
from workers.engines.cryptarithm.text import format_solution, parse_puzzle
from workers.kinds.columns import Field, column
from workers.kinds.cryptarithm_params import CryptarithmParams
from workers.kinds.cryptarithm_words import doubly_true

Mask = NDArray[np.bool_]
NO_SOLUTION = "no solution"
SEVERAL_SOLUTIONS = "several solutions"
BUDGET_OUT = "search budget ran out"
COLLINS = (100, 600, 4_000, 20_000)
"""Where Collins's published bins of backtracks end; here they are bins of digits tried."""


def basic_fields() -> list[Field]:
    """Fields of the columns that `basic_columns` makes, in order."""
    text = pa.string()
    return [
        column("key", pa.binary(16), "stable id: BLAKE2b hash of what equal puzzles have: "
               "letter weights, or the shape of products and systems"),
        column("puzzle", text, "equation or equations in normal form, rules behind @"),
        column("rules", text, "id of the rule set: base, then conventions other than the usual",
               few=True),
        column("form", text, "sum, difference, product, mixed or system", few=True),
        column("solution", text, "the puzzle with digits for letters; null unless unique",
               nullable=True),
        column("assignment", text, "letter=digit, by letter; null unless unique", nullable=True),
        column("n_solutions", pa.int8(), "0, 1, or 2 for more; null when the search budget ran out",
               nullable=True, few=True),
        column("reason", text, "why the puzzle was not graded; null when it was", nullable=True,
               few=True),
        column("letters", pa.int8(), "different letters", unit="letters", few=True, role="size"),
        column("addends", pa.int16(), "words but one of every equation", unit="words", few=True,
               role="size"),
        column("longest_word", pa.int8(), "letters of the longest word", unit="letters", few=True),
        column("ideal", pa.bool_(), "all digits of the base occur among the letters"),
        column("doubly_true", text, "language in which the words are numbers that add up",
               nullable=True, few=True),
        column("search_nodes", pa.int64(), "digits tried by the search for two solutions",
               unit="nodes"),
        column("search_level", pa.int8(), "search_nodes in Collins's bins (up to 100, 600, 4000, "
               "20000, more), 1 to 5", few=True),
    ]  # fmt: skip


@functools.lru_cache(maxsize=8192)
def parsed(text: str) -> Puzzle:
    """The puzzle of a text; those of a job are asked for several times."""
    return parse_puzzle(text)


def puzzles_of(texts: Texts) -> list[Puzzle]:
    """The puzzles of packed texts (n, width), padded with blanks."""
    return [parsed(bytes(row).decode().rstrip()) for row in texts]


def basic_columns(puzzles: Sequence[Puzzle], params: CryptarithmParams) -> tuple[Columns, Solved]:
    """The columns of `basic_fields` for n puzzles, and their solutions."""
    found = solve_puzzles(puzzles, 2, params.search_budget)
    known = found.known | (found.counts > 1)
    unique = known & (found.counts == 1)
    solutions = [
        solved[0] if only else None
        for solved, only in zip(found.solutions, unique.tolist(), strict=True)
    ]
    pairs = list(zip(puzzles, solutions, strict=True))
    words = [[len(word) for word in all_words(puzzle)] for puzzle in puzzles]
    columns: Columns = {
        "key": puzzle_keys(puzzles),
        "puzzle": packed([puzzle.text for puzzle in puzzles]),
        "rules": texts_column([puzzle.rules.id for puzzle in puzzles]),
        "form": texts_column([form_name(puzzle) for puzzle in puzzles]),
        "solution": texts_column([(d and format_solution(p, d)) or None for p, d in pairs]),
        "assignment": texts_column([(d and assignment(p, d)) or None for p, d in pairs]),
        "n_solutions": np.ma.MaskedArray(found.counts.astype(np.int8), mask=~known),
        "reason": reasons(found.counts, known),
        "letters": np.array([len(puzzle.letters) for puzzle in puzzles], np.int8),
        "addends": np.array(
            [len(lengths) - len(p.equations) for p, lengths in zip(puzzles, words, strict=True)],
            np.int16,
        ),
        "longest_word": np.array([max(lengths) for lengths in words], np.int8),
        "ideal": np.array([len(p.letters) == p.rules.base for p in puzzles], np.bool_),
        "doubly_true": texts_column([_language(puzzle) for puzzle in puzzles]),
        "search_nodes": found.nodes,
        "search_level": (1 + np.searchsorted(COLLINS, found.nodes)).astype(np.int8),
    }
    return columns, found._replace(known=unique)


def packed(texts: Sequence[str]) -> Texts:
    """Texts as bytes (n, width), padded with blanks."""
    lines = [text.encode() for text in texts]
    width = max(map(len, lines), default=1)
    joined = b"".join(line.ljust(width) for line in lines)
    return np.frombuffer(joined, np.uint8).reshape(len(lines), width)


def texts_column(texts: Sequence[str | None]) -> NDArray[Any]:
    """A column of texts, null where there is none."""
    values = np.array([*texts, None], object)[:-1]
    column: NDArray[Any] = np.ma.MaskedArray(values, mask=[text is None for text in texts])
    return column


def reasons(counts: NDArray[np.int64], known: Mask) -> NDArray[Any]:
    """Why a puzzle has not one solution, null where it has."""
    named = {0: NO_SOLUTION, 1: None}
    return texts_column([
        named.get(count, SEVERAL_SOLUTIONS) if sure else BUDGET_OUT
        for count, sure in zip(counts.tolist(), known.tolist(), strict=True)
    ])  # fmt: skip


def puzzle_keys(puzzles: Sequence[Puzzle]) -> NDArray[np.uint8]:
    """Keys (n, 16)."""
    joined = b"".join(puzzle_key(puzzle) for puzzle in puzzles)
    return np.frombuffer(joined, np.uint8).reshape(len(puzzles), 16)


def assignment(puzzle: Puzzle, digits: Sequence[int]) -> str:
    """`D=7 E=5 M=1`, by letter."""
    pairs = sorted(zip(puzzle.letters, digits, strict=True))
    return " ".join(f"{letter}={DIGIT_SIGNS[digit]}" for letter, digit in pairs)


def all_words(puzzle: Puzzle) -> list[tuple[int, ...]]:
    """The words of all equations, from left to right."""
    return [word for sides in puzzle.equations for side in sides for word in words_of(side)]


def form_name(puzzle: Puzzle) -> str:
    """What sort of puzzle it is: see the column."""
    if len(puzzle.equations) > 1:
        return "system"
    sides = puzzle.equations[0]
    if any(_multiplies(side) for side in sides):
        flat = all(side.sort == WORD or (side.sort == PRODUCT and _words_only(side))
                   for side in sides)  # fmt: skip
        return "product" if flat else "mixed"
    return "sum" if all(min(side.signs, default=1) > 0 for side in sides) else "difference"


def _multiplies(term: Term) -> bool:
    return term.sort == PRODUCT or any(map(_multiplies, term.items))


def _words_only(term: Term) -> bool:
    return all(item.sort == WORD for item in term.items)


def _language(puzzle: Puzzle) -> str | None:
    """The language in which a sum of words, with one word on its right, is true in numbers."""
    if len(puzzle.equations) > 1 or puzzle.rules.base != 10:
        return None
    left, right = puzzle.equations[0]
    if left.sort != SUM or right.sort != WORD or min(left.signs) < 0:
        return None
    if any(item.sort != WORD for item in left.items):
        return None
    names = ["".join(puzzle.letters[s] if s >= 0 else DIGIT_SIGNS[~s] for s in item)
             for item in [*(item.word for item in left.items), right.word]]  # fmt: skip
    return doubly_true(names)
