"""All techniques in HoDoKu's order, and what kernels and readers need of them.

A new family is one module with `TECHNIQUES`, listed in FAMILIES; a new tier is one more module
`tier<n>.py`, found by its number.
"""

import functools
import importlib
from collections.abc import Collection
from typing import Any, Final

import numpy as np

from workers.engines.sudoku.techniques import (
    als_chain,
    als_pairs,
    avoidable,
    blossom,
    chains,
    colors,
    duals,
    empty_rectangle,
    fish,
    fish_finned,
    fish_kraken,
    fish_units,
    forcing,
    guess,
    locked,
    loops,
    remote_pair,
    singles,
    subsets,
    sue_de_coq,
    templates,
    turbot,
    two_lines,
    uniqueness,
    universal_grave,
    wings,
)
from workers.engines.sudoku.techniques.rows import TABLE, Tables
from workers.engines.sudoku.techniques.technique import Technique
from workers.errors import ParamsError

FAMILIES: Final = (
    singles,
    locked,
    subsets,
    fish,
    remote_pair,
    universal_grave,
    two_lines,
    turbot,
    empty_rectangle,
    duals,
    wings,
    uniqueness,
    avoidable,
    fish_finned,
    sue_de_coq,
    colors,
    chains,
    loops,
    als_pairs,
    als_chain,
    blossom,
    fish_units,
    fish_kraken,
    forcing,
    templates,
    guess,
)

CATALOGUE: Final[tuple[Technique, ...]] = tuple(
    sorted(
        (technique for family in FAMILIES for technique in family.TECHNIQUES),
        key=lambda technique: technique.order,
    )
)
"""Every known technique, first tried first: the column order of GradeResult.counts."""

TIER1: Final = tuple(technique for technique in CATALOGUE if technique.tier == 1)

LAST_TIER: Final = max(technique.tier for technique in CATALOGUE)


def technique_named(name: str) -> Technique:
    """The technique with column name `name`, or ParamsError."""
    for technique in CATALOGUE:
        if technique.name == name:
            return technique
    raise ParamsError("technique", f"there is no technique {name!r}")


def check_tier(tier: int) -> None:
    """Raise ParamsError unless there is a tier of that number."""
    if not 1 <= tier <= LAST_TIER:
        raise ParamsError("max_tier", f"{tier} is not in 1..{LAST_TIER}")


def tables(max_tier: int, disabled: Collection[str] = ()) -> Tables:
    """The catalogue as integers; techniques above `max_tier` or named in `disabled` are off."""
    check_tier(max_tier)
    off = {technique_named(name).name for name in disabled}
    rows = [
        (
            technique.finder,
            technique.size,
            technique.enabled and technique.tier <= max_tier and technique.name not in off,
            technique.score,
            technique.level,
        )
        for technique in CATALOGUE
    ]
    return np.array(rows, dtype=TABLE).view(np.recarray)


@functools.cache
def tier_module(tier: int) -> Any:
    """The kernels of a tier; importing them compiles nothing yet."""
    return importlib.import_module(f"{__package__}.tier{tier}")
