"""The rater `human-path`: the effort of a person who goes from easy methods to hard ones."""

import functools

import pyarrow as pa

from workers.contracts import Columns
from workers.engines.sudoku.geometry import Digits
from workers.engines.sudoku.seeds.human_path import METHODS, human_path_batch
from workers.engines.sudoku.seeds.outcome import SOLVED
from workers.kinds.columns import Field, column
from workers.kinds.sudoku_columns import Mask, rows_of, spread
from workers.kinds.sudoku_params import SudokuParams

VERSION = 1
GUESS = len(METHODS) - 1


def fields() -> list[Field]:
    """Fields of the columns that `columns` makes, in order."""
    rare = functools.partial(column, few=True, nullable=True)
    listed = [
        column("human_path_score", pa.int64(), "effort: levels of all method calls, 5 for a guess; "
               "null unless solved within the budget", unit="points", nullable=True),
        rare("human_path_hardest", pa.int8(), "highest index of a method that helped; null for "
             "none"),
        rare("human_path_guesses", pa.int16(), "digits put on trial by guessing", unit="guesses"),
    ]  # fmt: skip
    for index, method in enumerate(METHODS[:GUESS]):
        text = f"successes of method {index}, {method.name}"
        listed.append(rare(f"human_path_t_{method.name}", pa.int16(), text, unit="successes"))
    return listed


def columns(puzzles: Digits, unique: Mask, params: SudokuParams) -> Columns:
    """Columns of `fields` for puzzles (n, 81); null where `unique` (n,) is False."""
    found = human_path_batch(puzzles[unique], budget=params.human_path_budget)
    solved, used = found.status == SOLVED, found.hardest >= 0
    successes = found.successes.clip(max=32767).astype("int16")
    made: Columns = {
        "human_path_score": spread(found.score[solved], rows_of(unique, solved)),
        "human_path_hardest": spread(found.hardest[used], rows_of(unique, used)),
        "human_path_guesses": spread(successes[:, GUESS], unique),
    }
    for index, method in enumerate(METHODS[:GUESS]):
        made[f"human_path_t_{method.name}"] = spread(successes[:, index], unique)
    return made
