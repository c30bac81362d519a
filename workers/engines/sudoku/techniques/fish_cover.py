"""Cover sets for a base set, and what the fish of the two removes."""

from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import (
    CELLS,
    COVER_UNITS,
    DIGITS,
    ENDO_FINS,
    FINS,
    REMOVED,
    SEEN_UNITS,
    Marks,
    clear,
    mark,
)
from workers.engines.sudoku.shoal import Shoal
from workers.engines.sudoku.techniques.fish_base import seeing_all
from workers.engines.sudoku.techniques.sets import mark_set, size_of


@kernel
def list_covers(shoal: Shoal) -> None:
    """List the units that may be cover of the base: not in it, and with a cell of it."""
    last = shoal.extent - 1
    count = 0
    for unit in range(27):
        if ((shoal.allowed & ~shoal.taken) >> unit) & 1 and (
            (shoal.unit_cells[unit, 0] & shoal.body[last, 0])
            | (shoal.unit_cells[unit, 1] & shoal.body[last, 1])
        ):
            shoal.cover_units[count] = unit
            count += 1
    shoal.cover_count = count
    shoal.rest[count, 0] = shoal.rest[count, 1] = 0
    for k in range(count - 1, -1, -1):
        for half in range(2):
            cells = shoal.unit_cells[shoal.cover_units[k], half]
            shoal.rest[k, half] = shoal.rest[k + 1, half] | cells


@kernel
def next_cover_set(shoal: Shoal, again: int) -> bool:
    """Go on to the next cover set, lexicographically, that leaves few enough fins.

    `again` is 0 for the first set and 1 for the next; False when there is no further one.
    """
    last = shoal.extent - 1
    depth = last
    if not again:
        depth = 0
        shoal.cover_picks[0] = -1
    while depth >= 0:
        pick = shoal.cover_picks[depth] + 1
        shoal.cover_picks[depth] = pick
        if pick > shoal.cover_count - 1 - last + depth:
            depth -= 1
            continue
        if not add_cover(shoal, depth):
            continue
        if depth < last:
            depth += 1
            shoal.cover_picks[depth] = pick
        else:
            return True
    return False


@kernel
def add_cover(shoal: Shoal, depth: int) -> bool:
    """Add the cover unit picked at `depth`; False when too many fins would remain."""
    last = shoal.extent - 1
    pick = shoal.cover_picks[depth]
    unit = shoal.cover_units[pick]
    low, high = shoal.unit_cells[unit, 0], shoal.unit_cells[unit, 1]
    twice_low = twice_high = 0
    if depth > 0:
        twice_low = shoal.twice[depth - 1, 0] | (low & shoal.cover[depth - 1, 0])
        twice_high = shoal.twice[depth - 1, 1] | (high & shoal.cover[depth - 1, 1])
        low |= shoal.cover[depth - 1, 0]
        high |= shoal.cover[depth - 1, 1]
    shoal.twice[depth, 0], shoal.twice[depth, 1] = twice_low, twice_high
    shoal.cover[depth, 0], shoal.cover[depth, 1] = low, high
    if depth < last:
        low |= shoal.rest[pick + 1, 0]
        high |= shoal.rest[pick + 1, 1]
    fins = size_of(
        (shoal.body[last, 0] & ~low) | shoal.endo[last, 0],
        (shoal.body[last, 1] & ~high) | shoal.endo[last, 1],
    )
    return bool(fins <= shoal.most_fins)


@kernel
def mark_removed(shoal: Shoal, marks: Marks) -> bool:
    """Mark what the picked base and cover remove: first off the base, then covered twice."""
    last = shoal.extent - 1
    body_low, body_high = shoal.body[last, 0], shoal.body[last, 1]
    cover_low, cover_high = shoal.cover[last, 0], shoal.cover[last, 1]
    fins_low = (body_low & ~cover_low) | shoal.endo[last, 0]
    fins_high = (body_high & ~cover_high) | shoal.endo[last, 1]
    if shoal.finned and fins_low | fins_high == 0:
        return False
    low = (cover_low & ~body_low) | shoal.twice[last, 0]
    high = (cover_high & ~body_high) | shoal.twice[last, 1]
    low, high = seeing_all(low, high, fins_low, fins_high)
    if low | high == 0:
        return False
    mark_pattern(shoal, marks)
    mark_set(marks, REMOVED, low & ~body_low, high & ~body_high, shoal.digit)
    mark_set(marks, REMOVED, low & body_low, high & body_high, shoal.digit)
    return True


@kernel
def mark_pattern(shoal: Shoal, marks: Marks) -> None:
    """Mark where the fish of the picked base and cover is seen, and nothing yet to remove."""
    last = shoal.extent - 1
    body_low, body_high = shoal.body[last, 0], shoal.body[last, 1]
    endo_low, endo_high = shoal.endo[last, 0], shoal.endo[last, 1]
    fins_low = (body_low & ~shoal.cover[last, 0]) | endo_low
    fins_high = (body_high & ~shoal.cover[last, 1]) | endo_high
    clear(marks)
    mark_set(marks, CELLS, body_low & ~fins_low, body_high & ~fins_high, shoal.digit)
    mark_set(marks, FINS, fins_low & ~endo_low, fins_high & ~endo_high, shoal.digit)
    mark_set(marks, ENDO_FINS, endo_low, endo_high, shoal.digit)
    mark(marks, DIGITS, shoal.digit)
    for k in range(shoal.extent):
        mark(marks, SEEN_UNITS, shoal.base_units[shoal.base_picks[k]])
        mark(marks, COVER_UNITS, shoal.cover_units[shoal.cover_picks[k]])
