"""The rater `hodoku`: score, level and technique counts on the HoDoKu scale."""

import numpy as np
import pyarrow as pa

from workers.contracts import Columns
from workers.engines.sudoku.geometry import Digits
from workers.engines.sudoku.grade import CATALOGUE, LEVEL_NAMES, SOLVED, grade_batch
from workers.kinds.columns import Field, column
from workers.kinds.sudoku_columns import Mask, masked_rows, spread

VERSION = 1
TECHNIQUES = tuple(
    (index, technique) for index, technique in enumerate(CATALOGUE) if technique.enabled
)
NAMES = np.array([technique.name for technique in CATALOGUE], object)
LEVELS = np.array(LEVEL_NAMES, object)


def fields() -> list[Field]:
    """Fields of the columns that `columns` makes, in order."""
    rest = {"few": True, "nullable": True}
    listed = [
        column("hodoku_score", pa.int32(), "sum of the scores of all steps; null unless solved by "
               "the enabled techniques", unit="points", **rest),
        column("hodoku_level", pa.string(), "HoDoKu's level; null unless solved by the enabled "
               "techniques", role="level", **rest),
        column("hodoku_steps", pa.int16(), "steps, up to where nothing more was found",
               unit="steps", **rest),
        column("hardest_technique", pa.string(), "used technique of the highest order", **rest),
    ]  # fmt: skip
    for _, technique in TECHNIQUES:
        text = f"{technique.title}: how often it was used"
        listed.append(column(f"hodoku_t_{technique.name}", pa.int16(), text, unit="steps", **rest))
    return listed


def columns(puzzles: Digits, unique: Mask) -> Columns:
    """Columns of `fields` for puzzles (n, 81); null where `unique` (n,) is False."""
    graded = grade_batch(puzzles[unique])
    solved = np.zeros(len(puzzles), bool)
    solved[unique] = graded.status == SOLVED
    of_solved = graded.status == SOLVED
    hardest = spread(NAMES[graded.hardest], unique)
    used = np.zeros(len(puzzles), bool)
    used[unique] = graded.hardest >= 0
    made: Columns = {
        "hodoku_score": spread(graded.score[of_solved], solved),
        "hodoku_level": spread(LEVELS[graded.level[of_solved]], solved),
        "hodoku_steps": spread(graded.steps, unique),
        "hardest_technique": masked_rows(np.ma.getdata(hardest), ~used),
    }
    for index, technique in TECHNIQUES:
        made[f"hodoku_t_{technique.name}"] = spread(graded.counts[:, index], unique)
    return made
