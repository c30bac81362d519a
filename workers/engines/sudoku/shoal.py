"""Workspace of the search for fish in rows, columns and boxes.

Sets of cells are two words, see techniques/sets.py; a last axis of 2 holds them.
"""

from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

MOST_LINES: Final = 7
"""Base units of the largest fish."""


class Shoal(Protocol):
    """A record of SHOAL: one digit, one choice of unit kinds, the sets picked so far."""

    digit: int
    extent: int  # base units of a fish
    finned: int  # 1 when fins are wanted
    allowed: int  # mask of the units that may be cover
    taken: int  # mask of the units picked as base
    base_count: int
    cover_count: int
    most_fins: int  # endo fins too
    places: Integers  # (2,) cells that admit the digit
    unit_cells: Integers  # (27, 2) those of each unit
    base_units: Integers  # (27,) what may be base, ascending
    base_picks: Integers  # (8,) ascending indices into base_units
    body: Integers  # (8, 2) cells of the base units picked so far
    endo: Integers  # (8, 2) those in more than one of them
    endo_sum: Integers  # (8,) how many were shared when their unit was picked
    alive: Integers  # (8, 2) cells that may still lose the digit
    cover_units: Integers  # (27,) what may be cover of this base, ascending
    cover_picks: Integers  # (8,) ascending indices into cover_units
    rest: Integers  # (28, 2) cells of cover_units[k] and all later ones
    cover: Integers  # (8, 2) cells of the cover units picked so far
    twice: Integers  # (8, 2) those in more than one of them
    need: Integers  # (8, 2) cells that the first k units of a trial cover leave
    turn: Integers  # (8,) which unit of the first such cell is tried next


def _fields() -> list[tuple[Any, ...]]:
    numbers = ["digit", "extent", "finned", "allowed", "taken"]
    numbers += ["base_count", "cover_count", "most_fins"]
    sets: dict[str, Any] = {"places": 2, "unit_cells": (27, 2), "rest": (28, 2)}
    sets |= dict.fromkeys(("body", "endo", "alive", "cover", "twice", "need"), (8, 2))
    lists = dict.fromkeys(("base_picks", "endo_sum", "cover_picks", "turn"), 8)
    units = dict.fromkeys(("base_units", "cover_units"), 27)
    shapes = dict.fromkeys(numbers, ()) | sets | lists | units
    return [(name, np.int64, shape) for name, shape in shapes.items()]


SHOAL: Final = np.dtype(_fields(), align=True)
