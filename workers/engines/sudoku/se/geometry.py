"""Units in the order of the SE scale, how they cross, and combinations in its order."""

from itertools import combinations
from typing import Final

import numpy as np

from workers.engines.sudoku.geometry import CELL_UNITS, CELLS, PEERS, UNITS, Table

BOXES: Final = 18
COLUMNS: Final = 9
ROWS: Final = 0
"""First unit of each kind, in the numbering of `sudoku.geometry`."""


def _frozen(values: object, dtype: type[np.generic] = np.int64) -> Table:
    table = np.array(values, dtype=dtype)
    table.setflags(write=False)
    return table


RULE_ORDER: Final = _frozen([BOXES, COLUMNS, ROWS])
"""Kinds of units (their first one) as patterns are looked for in them: boxes, columns, rows."""

LOCKING_PAIRS: Final = _frozen([[BOXES, COLUMNS], [BOXES, ROWS], [COLUMNS, BOXES], [ROWS, BOXES]])
"""First units of the two kinds that a locked digit is between, in order."""

LINK_UNITS: Final = _frozen([[box, row, column] for row, column, box in CELL_UNITS])
"""Units of each cell as links are followed in them: box, row, column; shape (81, 3)."""

LINK_POSITIONS: Final = _frozen(
    [[UNITS[unit].tolist().index(cell) for unit in LINK_UNITS[cell]] for cell in range(CELLS)]
)
"""Position of each cell in those units, shape (81, 3)."""

CROSS: Final = _frozen(
    [[sum(1 << k for k in range(9) if UNITS[one][k] in set(UNITS[other].tolist()))
      if one != other else 0 for other in range(27)] for one in range(27)]
)  # fmt: skip
"""Positions of the first unit that lie in the second too, 0 for a unit and itself: (27, 27)."""

COMBINATIONS: Final = _frozen(
    [
        sorted(sum(1 << k for k in picked) for picked in combinations(range(9), size))
        + [0] * (126 - len(list(combinations(range(9), size))))
        for size in range(9)
    ]
)
"""Masks of `size` of nine, ascending: lowest index first, then by the highest; shape (9, 126)."""

N_COMBINATIONS: Final = _frozen([len(list(combinations(range(9), k))) for k in range(9)])
"""How many of a row of COMBINATIONS count."""

HOUSE: Final = _frozen(
    [list(dict.fromkeys(int(other) for unit in LINK_UNITS[cell] for other in UNITS[unit]
                        if other != cell)) for cell in range(CELLS)]
)  # fmt: skip
"""Peers of each cell, its box first, then row and column: shape (81, 20)."""

SEES: Final = _frozen(
    [[1 if other in set(PEERS[cell].tolist()) else 0 for other in range(CELLS)]
     for cell in range(CELLS)]
)  # fmt: skip
"""1 where two cells are peers, shape (81, 81)."""

PEER_WORDS: Final = _frozen(
    [[sum(1 << (other - 27 * band) for other in PEERS[cell] if other // 27 == band)
      for band in range(3)] for cell in range(CELLS)]
)  # fmt: skip
"""Peers of each cell as three words, one a band of 27 cells; shape (81, 3)."""
