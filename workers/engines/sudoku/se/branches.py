"""Producers 23 to 25: what trees of implications have in common, or contradict themselves in."""

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.geometry import UNITS
from workers.engines.sudoku.se.geometry import LINK_POSITIONS, LINK_UNITS
from workers.engines.sudoku.se.grid import NOT, Grid, widen
from workers.engines.sudoku.se.links import NO, OFF, Links
from workers.engines.sudoku.se.picks import (
    SORT_CELL,
    SORT_CONTRADICTION,
    SORT_DOUBLE,
    SORT_UNIT,
    Picks,
    comes_before,
    lengthened,
    pick,
    slot_of,
)
from workers.engines.sudoku.se.trees import Forest, grow, holds, measure, plant


@kernel
def grow_all(grid: Grid, links: Links, forest: Forest) -> None:
    """Grow the trees of all ON nodes, and of all OFF nodes if dynamic."""
    for k in range(links.n):
        for off in range(2 if forest.dynamic else 1):
            tree = widen(links.ids[k]) + OFF * off
            if off and not forest.y and not linked(links, tree - OFF):
                forest.clash[tree] = NO
                continue
            plant(grid, forest, tree)
            grow(links, forest, tree, NOT, NOT)


@kernel
def linked(links: Links, candidate: int) -> bool:
    """True when something in a unit follows from the candidate being OFF, on the whole grid."""
    for kind in range(1, 4):
        if links.strong[candidate, kind] != NO:
            return True
    return False


@kernel
def branch(grid: Grid, forest: Forest, picks: Picks, base: float) -> None:
    """Weigh all hints of the grown trees: 7.5 Nishio, 8.0 and more the others, and the length.

    Without links in cells only contradictions count. When not dynamic these do not, and only
    cells with three candidates or more are looked at, with the units whose first place they are.
    """
    for cell in range(81):
        width = popcount(grid.cells[cell])
        if width < (2 if forest.dynamic else 3):
            continue
        mask = grid.cells[cell]
        while mask:
            tree = 9 * cell + lowest(mask)
            mask &= mask - 1
            if forest.dynamic:
                weigh_clash(grid, forest, picks, base, tree)
                weigh_clash(grid, forest, picks, base, tree + OFF)
                if width > 2 and forest.y:
                    weigh_double(grid, forest, picks, base, tree)
            if forest.y:
                weigh_units(grid, forest, picks, base, tree)
        if forest.y:
            weigh_common(grid, forest, picks, base, cell, NO)


@kernel
def weigh_clash(grid: Grid, forest: Forest, picks: Picks, base: float, tree: int) -> None:
    """Weigh the contradiction in a tree: its start is the other way round."""
    node = forest.clash[tree]
    if node == NO:
        return
    target = tree - OFF if tree >= OFF else tree + OFF
    slot = slot_of(grid, picks, target)
    if slot == NO:
        return
    limit = picks.complexity[slot]
    forest.n_seen_nests = 0
    length = measure(grid, forest, tree, node, limit)
    if length <= limit:
        length += measure(grid, forest, tree, node + OFF, limit - length)
    offer(picks, slot, base, length, SORT_CONTRADICTION, tree, target)


@kernel
def offer(picks: Picks, slot: int, base: float, length: int, sort: int, source: int,
          target: int) -> None:  # fmt: skip
    """Take the slot if this is better."""
    rating = lengthened(base, length)
    if length <= picks.complexity[slot] and comes_before(picks, slot, rating, length, sort):
        pick(picks, slot, rating, length, sort)
        picks.source[slot] = source
        picks.target[slot] = target


@kernel
def weigh_double(grid: Grid, forest: Forest, picks: Picks, base: float, tree: int) -> None:
    """Weigh what follows from a candidate that is ON as well as from one that is OFF."""
    for k in range(forest.n_on[tree] + forest.n_off[tree]):
        node = member(forest, tree, k)
        if not holds(forest, tree + OFF, node):
            continue
        slot = slot_of(grid, picks, node)
        if slot == NO:
            continue
        limit = picks.complexity[slot]
        forest.n_seen_nests = 0
        length = measure(grid, forest, tree, node, limit)
        if length <= limit:
            length += measure(grid, forest, tree + OFF, node, limit - length)
        offer(picks, slot, base, length, SORT_DOUBLE, tree, node)


@kernel
def member(forest: Forest, tree: int, k: int) -> int:
    """The k-th node of a tree: ON nodes, then OFF nodes, as they were reached."""
    n_on = forest.n_on[tree]
    return widen(forest.order[tree, k if k < n_on else OFF + k - n_on])


@kernel
def weigh_units(grid: Grid, forest: Forest, picks: Picks, base: float, tree: int) -> None:
    """Weigh the units of which the candidate is the first place of its digit."""
    cell, digit = tree // 9, tree % 9
    for kind in range(3):
        spots = grid.places[LINK_UNITS[cell, kind], digit]
        if lowest(spots) == LINK_POSITIONS[cell, kind] and spots & (spots - 1):
            weigh_common(grid, forest, picks, base, 9 * LINK_UNITS[cell, kind] + digit, digit)


@kernel
def weigh_common(grid: Grid, forest: Forest, picks: Picks, base: float, at: int,
                 digit: int) -> None:  # fmt: skip
    """Weigh what all candidates of cell `at`, or all places in 9 * unit + `digit`, imply."""
    spots = grid.cells[at] if digit == NO else grid.places[at // 9, digit]
    first = nth_tree(at, digit, spots)
    for k in range(forest.n_on[first] + forest.n_off[first]):
        node = member(forest, first, k)
        rest = spots & (spots - 1)
        while rest and holds(forest, nth_tree(at, digit, rest), node):
            rest &= rest - 1
        if rest:
            continue
        slot = slot_of(grid, picks, node)
        if slot == NO:
            continue
        limit, length, rest = picks.complexity[slot], 0, spots
        forest.n_seen_nests = 0
        while rest and length <= limit:
            length += measure(grid, forest, nth_tree(at, digit, rest), node, limit - length)
            rest &= rest - 1
        sort = SORT_CELL if digit == NO else SORT_UNIT
        offer(picks, slot, base, length, sort, at, node)


@kernel
def nth_tree(at: int, digit: int, spots: int) -> int:
    """The tree of the lowest of `spots`: of a cell's candidates or a unit's places."""
    low = lowest(spots)
    return 9 * at + low if digit == NO else 9 * UNITS[at // 9, low] + digit
