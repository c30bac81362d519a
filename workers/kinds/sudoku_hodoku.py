"""The rater `hodoku`: score, level and technique counts on the HoDoKu scale."""

import functools

import numpy as np
import pyarrow as pa

from workers.contracts import Columns
from workers.engines.sudoku.geometry import Digits
from workers.engines.sudoku.grade import CATALOGUE, LEVEL_NAMES, SOLVED, grade_batch
from workers.kinds.columns import Field, column
from workers.kinds.sudoku_columns import Mask, rows_of, spread
from workers.kinds.sudoku_params import SudokuParams

VERSION = 3
TECHNIQUES = tuple(
    (index, technique) for index, technique in enumerate(CATALOGUE) if technique.enabled
)
NAMES = np.array([technique.name for technique in CATALOGUE], object)
LEVELS = np.array(LEVEL_NAMES, object)


def fields() -> list[Field]:
    """Fields of the columns that `columns` makes, in order."""
    rare = functools.partial(column, few=True, nullable=True)
    listed = [
        rare("hodoku_score", pa.int32(), "sum of the scores of all steps; null unless solved by "
               "the enabled techniques", unit="points"),
        rare("hodoku_level", pa.string(), "HoDoKu's level; null unless solved by the enabled "
               "techniques", role="level"),
        rare("hodoku_steps", pa.int16(), "steps, up to where nothing more was found",
               unit="steps"),
        rare("hardest_technique", pa.string(), "used technique of the highest order"),
    ]  # fmt: skip
    for _, technique in TECHNIQUES:
        text = f"{technique.title}: how often it was used"
        listed.append(rare(f"hodoku_t_{technique.name}", pa.int16(), text, unit="steps"))
    return listed


def columns(puzzles: Digits, unique: Mask, params: SudokuParams) -> Columns:
    """Columns of `fields` for puzzles (n, 81); null where `unique` (n,) is False."""
    graded = grade_batch(puzzles[unique])
    solved, used = graded.status == SOLVED, graded.hardest >= 0
    all_solved, all_used = rows_of(unique, solved), rows_of(unique, used)
    made: Columns = {
        "hodoku_score": spread(graded.score[solved], all_solved),
        "hodoku_level": spread(LEVELS[graded.level[solved]], all_solved),
        "hodoku_steps": spread(graded.steps, unique),
        "hardest_technique": spread(NAMES[graded.hardest[used]], all_used),
    }
    for index, technique in TECHNIQUES:
        made[f"hodoku_t_{technique.name}"] = spread(graded.counts[:, index], unique)
    return made
