"""The rater `static`: counts that need no simulated solver, equal for all isomorphs of a puzzle."""

import functools

import pyarrow as pa

from workers.contracts import Columns
from workers.engines.sudoku.geometry import Digits
from workers.engines.sudoku.human.looks import LOOKS
from workers.engines.sudoku.human.statics import ISOMORPHS, statics
from workers.kinds.columns import Field, column
from workers.kinds.sudoku_columns import Mask, spread
from workers.kinds.sudoku_params import SudokuParams

VERSION = 1
DECIMALS = 4
WAYS = ("the last cell of a unit", "digits with one place in a box",
        "digits with one place in a row or column", "cells with one digit")  # fmt: skip
ORDER = ("fewest", *(f"{rank}th fewest" for rank in range(2, 9)), "most")
COUNTS = {
    "candidates": tuple(f"empty cells with {n} candidates" for n in range(1, 10)),
    "digit_clues": tuple(f"clues of the digit with the {rank} clues" for rank in ORDER),
    "box_clues": tuple(f"clues of the box with the {rank} clues" for rank in ORDER),
}


def fields() -> list[Field]:
    """Fields of the columns that `columns` makes, in order."""
    rare = functools.partial(column, few=True, nullable=True)
    listed = []
    for name, texts in COUNTS.items():
        unit = "cells" if name == "candidates" else "clues"
        for number, text in enumerate(texts, start=1):
            listed.append(rare(f"{name}_{number}", pa.int8(), text, unit=unit))
    for look, way in zip(LOOKS, WAYS, strict=True):
        text = f"of a solver who makes all the easiest moves at once: {way}"
        listed.append(rare(f"rounds_{look}", pa.int8(), f"rounds {text}", unit="rounds"))
        listed.append(rare(f"filled_{look}", pa.int8(), f"cells {text}", unit="cells"))
    written = f"over {ISOMORPHS} random isomorphs"
    return [
        *listed,
        rare("singles_rounds", pa.int8(), "rounds in which all singles there are get filled at "
             "once", unit="rounds"),
        rare("singles_filled", pa.int8(), "cells filled by singles", unit="cells"),
        column("nodes_mean", pa.float64(), f"search nodes of the band search, mean {written}",
               unit="nodes", nullable=True),
        column("nodes_spread", pa.float64(), f"the same, standard deviation {written}",
               unit="nodes", nullable=True),
    ]  # fmt: skip


def columns(puzzles: Digits, unique: Mask, params: SudokuParams) -> Columns:
    """Columns of `fields` for puzzles (n, 81); null where `unique` (n,) is False."""
    found = statics(puzzles[unique])
    made: Columns = {}
    for name in COUNTS:
        table = getattr(found, name)
        made |= {f"{name}_{k + 1}": spread(table[:, k], unique) for k in range(table.shape[1])}
    for index, look in enumerate(LOOKS):
        made[f"rounds_{look}"] = spread(found.look_rounds[:, index], unique)
        made[f"filled_{look}"] = spread(found.look_filled[:, index], unique)
    return made | {
        "singles_rounds": spread(found.rounds, unique),
        "singles_filled": spread(found.filled, unique),
        "nodes_mean": spread(found.nodes_mean.round(DECIMALS), unique),
        "nodes_spread": spread(found.nodes_spread.round(DECIMALS), unique),
    }
