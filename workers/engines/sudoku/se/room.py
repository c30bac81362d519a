"""The workspace of one level of chains."""

from typing import Final, Protocol

import numpy as np

from workers.engines.sudoku.se.forcing import WALK, Walk
from workers.engines.sudoku.se.links import LINKS, Links
from workers.engines.sudoku.se.picks import PICKS, Picks
from workers.engines.sudoku.se.trees import FOREST, Forest

ROOM: Final = np.dtype(
    [("links", LINKS), ("walk", WALK), ("picks", PICKS), ("forest", FOREST)], align=True
)


class Room(Protocol):
    """Workspace of one level of chains."""

    links: Links
    walk: Walk
    picks: Picks
    forest: Forest
