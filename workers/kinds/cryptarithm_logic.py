"""The rater `logic`: what a person needs to solve a sum, and its level."""

import functools
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from workers.contracts import Columns
from workers.engines.cryptarithm.grade import Grade, grade_columns
from workers.engines.cryptarithm.model import Puzzle
from workers.engines.cryptarithm.solve import Solved
from workers.engines.cryptarithm.sums import Columns as SumColumns
from workers.engines.cryptarithm.sums import columns_of, greatest_carry
from workers.engines.cryptarithm.techniques import LEVELS, NAMES, TECHNIQUES
from workers.kinds.columns import Field, column
from workers.kinds.cryptarithm_columns import texts_column
from workers.kinds.cryptarithm_params import CryptarithmParams

VERSION = 1
NOT_GRADED = Grade(0, 0, np.zeros(len(TECHNIQUES), np.int64), 0, 0, False, np.zeros((0, 8), int))


def fields() -> list[Field]:
    """Fields of the columns that `columns` makes, in order."""
    rare = functools.partial(column, few=True, nullable=True)
    listed = [
        rare("logic_level", pa.int8(), "0 to 5: no cases of three unknowns; no supposition; up to "
             "5, 30, 200 suppositions; more. Null unless it is a sum with one solution"),
        rare("logic_name", pa.string(), "the level's name: " + ", ".join(LEVELS), role="level"),
        rare("hardest_technique", pa.string(), "used technique of the highest order"),
        column("split_nodes", pa.int32(), "suppositions, in all branches", unit="nodes",
               nullable=True, role="rating"),
        rare("split_depth", pa.int16(), "suppositions that stand at a time, at most", unit="nodes"),
        rare("max_carry", pa.int16(), "greatest carry of the solution, in magnitude"),
        rare("logic_censored", pa.bool_(), "the budget ran out: figures are lower bounds"),
    ]  # fmt: skip
    for technique in TECHNIQUES:
        text = f"{technique.title}: how often it was used, in all branches"
        name = f"logic_t_{technique.name}"
        listed.append(column(name, pa.int32(), text, unit="steps", nullable=True))
    return listed


def columns(puzzles: Sequence[Puzzle], found: Solved, params: CryptarithmParams) -> Columns:
    """Columns of `fields` for n puzzles; `found.known` says which have one solution."""
    graded = [
        _graded(puzzle, unique, params)
        for puzzle, unique in zip(puzzles, found.known.tolist(), strict=True)
    ]
    missing = np.array([pair is None for pair in graded], np.bool_)
    grades = [NOT_GRADED if pair is None else pair[1] for pair in graded]
    carries = [
        0 if pair is None else greatest_carry(pair[0], solutions[0])
        for pair, solutions in zip(graded, found.solutions, strict=True)
    ]
    uses = np.array([grade.uses for grade in grades], np.int32).reshape(-1, len(TECHNIQUES))

    def whole(values: Sequence[int], dtype: type) -> np.ma.MaskedArray:
        return np.ma.MaskedArray(np.array(values, dtype), mask=missing)

    made: Columns = {
        "logic_level": whole([grade.level for grade in grades], np.int8),
        "logic_name": texts_column([pair and LEVELS[pair[1].level] for pair in graded]),
        "hardest_technique": texts_column([pair and NAMES[pair[1].hardest] for pair in graded]),
        "split_nodes": whole([grade.nodes for grade in grades], np.int32),
        "split_depth": whole([grade.depth for grade in grades], np.int16),
        "max_carry": whole(carries, np.int16),
        "logic_censored": whole([grade.censored for grade in grades], np.bool_),
    }
    for number, technique in enumerate(TECHNIQUES):
        made[f"logic_t_{technique.name}"] = np.ma.MaskedArray(uses[:, number], mask=missing)
    return made


def _graded(
    puzzle: Puzzle, unique: bool, params: CryptarithmParams
) -> tuple[SumColumns, Grade] | None:
    """A sum with one solution, graded; None for anything else."""
    sums = columns_of(puzzle) if unique else None
    return None if sums is None else (sums, grade_columns(sums, params.logic_budget))
