"""Which variables of a domain are free of each other, whether or not a formula says so.

Two sides, an angle and the area determine a triangle more than once, even where no formula of the
domain leads from three of them to the fourth. Given in rounded numbers such values contradict each
other. How all variables change with the base, at some hidden worlds, tells: values are free of
each other when their rows of derivatives are linearly independent.
"""

import functools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from workers.engines.formula.draws import Draws, Worlds
from workers.engines.formula.template import Template

WORLDS, TRIES, SEED = 3, 500, 2
STEP = 1e-6
"""Relative step of a central difference: derivatives are good to about nine digits."""
INDEPENDENT = 1e-5
"""Smallest singular value, as a share of the largest, of rows that are independent."""


@functools.lru_cache(maxsize=65536)
def independent(template: Template, places: tuple[int, ...]) -> bool:
    """True when the variables at these places can take any values near those of a world."""
    if len(places) > len(template.base):
        return False
    for changes in _changes(template):
        sizes = np.linalg.svd(changes[list(places)], compute_uv=False)
        if sizes[-1] > INDEPENDENT * sizes[0]:
            return True
    return False


@functools.cache
def _changes(template: Template) -> tuple[NDArray[np.float64], ...]:
    """Relative changes of all variables with those of the base, (variables, base), at a few
    worlds; every row has length one."""
    worlds, draws = Worlds(template), Draws(SEED)
    found = []
    for _ in range(TRIES):
        values = worlds.draw(draws)
        changes = None if values is None else _at(worlds, values)
        if changes is not None:
            found.append(changes)
        if len(found) == WORLDS:
            break
    return tuple(found)


def _at(worlds: Worlds, values: Sequence[float]) -> NDArray[np.float64] | None:
    columns = []
    for place in worlds.base:
        step = STEP * (abs(values[place]) or 1.0)
        more, less = (worlds.derived(values, place, values[place] + one) for one in (step, -step))
        columns.append([(up - down) / (2 * STEP) for up, down in zip(more, less, strict=True)])
    changes = np.array(columns).T
    lengths = np.linalg.norm(changes, axis=1, keepdims=True)
    if not math.isfinite(lengths.sum()) or (lengths == 0).any():
        return None
    scaled: NDArray[np.float64] = changes / lengths
    return scaled
