"""Producer 15: unique rectangles and loops, with the gaps of the program's search."""

from typing import Final, Protocol

import numpy as np

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.geometry import UNITS
from workers.engines.sudoku.se.geometry import (
    COMBINATIONS,
    LINK_POSITIONS,
    LINK_UNITS,
    N_COMBINATIONS,
    SEES,
)
from workers.engines.sudoku.se.grid import (
    ALL,
    NOT,
    Grid,
    Hint,
    Integers,
    call,
    clear,
    removes,
    see,
    widen,
)
from workers.engines.sudoku.se.names import UNIQUE_LOOP, UNIQUE_RECTANGLE
from workers.engines.sudoku.se.subsets import strip, union_of_cells, union_of_places

NO_RATING: Final = 99.0

ONE_WIDE, SAME_EXTRA, EXTRA_SET, LOCKED = map(widen, range(1, 5))
"""Types of loops, by what tells their wide cells (those with more than the two digits) apart."""


class Path(Protocol):
    """A depth-first search for loops; all arrays (81,), by depth."""

    cells: Integers
    kinds: Integers  # kind of unit that led here
    extras: Integers  # digits besides the two, of all cells that were looked at on the way
    allowed: Integers  # cells with extra digits that may still come
    turns: Integers  # next neighbour to look at
    visits: Integers  # (81, 2) units visited by even and by odd cells, as bits
    viable: Integers  # by cell: 1 when it can be part of a loop of these digits
    spots: Integers  # (27,) positions of such cells by unit
    inside: Integers  # by cell: 1 when on the path
    length: int
    pair: int  # mask of the two digits
    one: int  # the first cell with more than the two digits
    other: int  # the last one
    best_type: int


PATH: Final = np.dtype(
    [(name, np.int64, 81) for name in ("cells", "kinds", "extras", "allowed", "turns")]
    + [(name, np.int64, 81) for name in ("viable", "inside")]
    + [("visits", np.int64, (81, 2)), ("spots", np.int64, 27)]
    + [(name, np.int64) for name in ("length", "pair", "one", "other", "best_type")], align=True
)  # fmt: skip


@kernel
def unique_loop(grid: Grid, hint: Hint, path: Path) -> bool:
    """The lowest rated loop of two digits that would give two solutions (4.5 to 5.0 and more).

    Loops start in cells of two candidates, row by row, and are followed depth first through
    boxes, rows and columns; among equal (rating, type) the first found wins.
    """
    hint.rating = NO_RATING
    path.best_type = 9
    for start in range(81):
        if popcount(grid.cells[start]) == 2:
            follow(grid, hint, path, start)
    if hint.rating == NO_RATING:
        return False
    technique = UNIQUE_RECTANGLE if hint.n_seen == 4 else UNIQUE_LOOP
    return call(hint, technique, hint.rating)


@kernel
def follow(grid: Grid, hint: Hint, path: Path, start: int) -> None:
    """Find all loops from `start`.

    A neighbour's extra digits count for all its later siblings, even when it is not taken: the
    program's defect, for which it misses some loops. In a valid loop every unit that is visited
    is visited by one even and one odd cell.
    """
    pair = grid.cells[start]
    path.pair = pair
    if not keep_viable(grid, path, pair, start):
        return
    for cell in range(81):
        path.inside[cell] = 0
    depth = push(path, NOT - 1, start, NOT - 1, NOT + 2)
    path.extras[0] = 0
    while depth >= 0:
        turn = path.turns[depth]
        path.turns[depth] += 1
        if turn == 27:
            path.inside[path.cells[depth]] = 0
            depth -= 1
            continue
        kind = turn // 9
        if kind == path.kinds[depth]:
            continue
        following = UNITS[LINK_UNITS[path.cells[depth], kind], turn % 9]
        if following == start and depth >= 3:
            path.length = depth + 1
            if path.visits[depth, 0] == path.visits[depth, 1]:
                judge(grid, hint, path)
        elif path.inside[following] == 0 and grid.cells[following] & pair == pair:
            path.extras[depth] |= grid.cells[following] & ~pair
            wide = grid.cells[following] != pair
            extras, allowed = path.extras[depth], path.allowed[depth]
            if not path.viable[following] or visited_before(path, depth + 1, following):
                continue
            if not wide or allowed > 0 or popcount(extras) == 1:
                depth = push(path, depth, following, kind, allowed - (1 if wide else 0))
                path.extras[depth] = extras


@kernel
def push(path: Path, depth: int, cell: int, kind: int, allowed: int) -> int:
    """Lengthen the path by a cell; its new depth."""
    depth += 1
    path.cells[depth] = cell
    path.kinds[depth] = kind
    path.allowed[depth] = allowed
    path.turns[depth] = 0
    for parity in range(2):
        path.visits[depth, parity] = path.visits[depth - 1, parity] if depth else 0
    path.visits[depth, depth % 2] |= units_of(cell)
    path.inside[cell] = 1
    return depth


@kernel
def keep_viable(grid: Grid, path: Path, pair: int, start: int) -> bool:
    """Mark cells with both digits that have a partner in all their units; is `start` one?"""
    for unit in range(27):
        path.spots[unit] = ALL
        digits = pair
        while digits:
            path.spots[unit] &= grid.places[unit, lowest(digits)]
            digits &= digits - 1
    for cell in range(81):
        path.viable[cell] = 1 if grid.cells[cell] & pair == pair else 0
    changed = True
    while changed and path.viable[start]:
        changed = False
        for cell in range(81):
            if path.viable[cell] and alone(path, cell):
                changed = True
                path.viable[cell] = 0
                for kind in range(3):
                    path.spots[LINK_UNITS[cell, kind]] &= ~(1 << LINK_POSITIONS[cell, kind])
    return bool(path.viable[start])


@kernel
def alone(path: Path, cell: int) -> bool:
    """True when some unit of the cell has no second spot."""
    for kind in range(3):
        spots = path.spots[LINK_UNITS[cell, kind]]
        if spots & (spots - 1) == 0:
            return True
    return False


@kernel
def visited_before(path: Path, depth: int, cell: int) -> bool:
    """True when a cell of the same parity shares a unit with `cell`: no such loop is valid."""
    return bool(path.visits[depth - 1, depth % 2] & units_of(cell))


@kernel
def units_of(cell: int) -> int:
    """The units of the cell as bits."""
    units = 0
    for kind in range(3):
        units |= 1 << LINK_UNITS[cell, kind]
    return units


@kernel
def judge(grid: Grid, hint: Hint, path: Path) -> None:
    """Keep what the loop shows, if it is rated lower than what was found before."""
    wide, union = 0, 0
    for k in range(path.length):
        cell = path.cells[k]
        if grid.cells[cell] != path.pair:
            wide += 1
            union |= grid.cells[cell] & ~path.pair
            if wide == 1:
                path.one = cell
            path.other = cell
    base = 4.5 if path.length == 4 else 4.6 if path.length == 6 else 4.7
    if path.length > 8:
        base = 5.0
    if wide == 1:
        if better(hint, path, base, ONE_WIDE):
            clear(hint)
            removes(grid, hint, path.one, path.pair)
            keep(hint, path, base, ONE_WIDE)
    elif wide >= 2 and popcount(union) == 1:
        if better(hint, path, base, SAME_EXTRA) and clip_extra(grid, hint, path, union):
            keep(hint, path, base, SAME_EXTRA)
    elif wide == 2:
        extra_set(grid, hint, path, base, union)
    if wide == 2 and better(hint, path, base, LOCKED) and lock_digit(grid, hint, path):
        keep(hint, path, base, LOCKED)


@kernel
def better(hint: Hint, path: Path, rating: float, type_: int) -> bool:
    """True when (rating, type) comes before what was found."""
    return rating < hint.rating or (rating == hint.rating and type_ < path.best_type)


@kernel
def keep(hint: Hint, path: Path, rating: float, type_: int) -> None:
    """Note the loop's cells, rating and type in the hint."""
    hint.rating = rating
    path.best_type = type_
    hint.digits = path.pair
    hint.n_seen = 0
    for k in range(path.length):
        see(hint, path.cells[k])


@kernel
def clip_extra(grid: Grid, hint: Hint, path: Path, bit: int) -> bool:
    """Type 2: let the hint remove the one extra digit from cells that see all that have it."""
    found = False
    for cell in range(81):
        if grid.cells[cell] & bit == 0 or path.inside[cell]:
            continue
        sees_all = True
        for k in range(path.length):
            at = path.cells[k]
            if grid.cells[at] & bit and not SEES[cell, at]:
                sees_all = False
                break
        if sees_all:
            if not found:
                clear(hint)
            found = True
            removes(grid, hint, cell, bit)
    return found


@kernel
def lock_digit(grid: Grid, hint: Hint, path: Path) -> bool:
    """Type 4: a digit of the loop that a common unit has only in the two wide cells.

    The other digit leaves both; the lower digit is preferred.
    """
    digits = path.pair
    while digits:
        digit = lowest(digits)
        digits &= digits - 1
        unit = -1
        for kind in range(3):
            at = LINK_UNITS[path.one, kind]
            if at == LINK_UNITS[path.other, kind]:
                if grid.places[at, digit] == wide_spots(path, kind):
                    unit = at
        if unit >= 0:
            clear(hint)
            hint.unit = unit
            removes(grid, hint, path.one, path.pair & ~(1 << digit))
            removes(grid, hint, path.other, path.pair & ~(1 << digit))
            return True
    return False


@kernel
def wide_spots(path: Path, kind: int) -> int:
    """Positions of the two wide cells in their common unit of `kind`."""
    return int((1 << LINK_POSITIONS[path.one, kind]) | (1 << LINK_POSITIONS[path.other, kind]))


@kernel
def extra_set(grid: Grid, hint: Hint, path: Path, base: float, extras: int) -> None:
    """Type 3: the extra digits of the two wide cells belong to a naked or a hidden set.

    The first set counts, by size, then unit, naked before hidden; a later one with a lower
    rating does not.
    """
    for size in range(popcount(extras), 8):
        for kind in range(3):
            unit = LINK_UNITS[path.one, kind]
            if unit != LINK_UNITS[path.other, kind]:
                continue
            free = grid.empty[unit] & ~wide_spots(path, kind)
            spots, mask = 0, 0
            if 2 * size <= popcount(grid.empty[unit]):
                spots = naked_extra(grid, unit, free, extras, size)
                mask = union_of_cells(grid, unit, spots) | extras
                if spots:
                    if better(hint, path, base + 0.1 * (size - 1), EXTRA_SET):
                        strip(grid, hint, unit, free & ~spots, mask)
                        keep(hint, path, base + 0.1 * (size - 1), EXTRA_SET)
                    return
            if 2 * size < popcount(grid.empty[unit]):
                digits = hidden_extra(grid, unit, free, extras, path.pair, size)
                if digits:
                    if better(hint, path, base + 0.1 * (size - 2), EXTRA_SET):
                        spots = union_of_places(grid, unit, digits) & free
                        strip(grid, hint, unit, spots, ALL & ~digits)
                        keep(hint, path, base + 0.1 * (size - 2), EXTRA_SET)
                    return


@kernel
def naked_extra(grid: Grid, unit: int, free: int, extras: int, size: int) -> int:
    """Positions of size - 1 free cells that with `extras` have `size` digits and remove some."""
    for pick in range(N_COMBINATIONS[size - 1]):
        picked = COMBINATIONS[size - 1, pick]
        if picked & ~free:
            continue
        union = union_of_cells(grid, unit, picked) | extras
        if popcount(union) == size and union_of_cells(grid, unit, free & ~picked) & union:
            return int(picked)
    return 0


@kernel
def hidden_extra(grid: Grid, unit: int, free: int, extras: int, pair: int, size: int) -> int:
    """`size` digits, the loop's among them, with size - 1 places among the free cells."""
    missing = 0
    for digit in range(9):
        if grid.places[unit, digit] == 0:
            missing |= 1 << digit
    for pick in range(N_COMBINATIONS[size]):
        picked = COMBINATIONS[size, pick]
        if picked & (extras | missing) or pair & ~picked:
            continue
        spots = union_of_places(grid, unit, picked) & free
        if popcount(spots) == size - 1 and union_of_cells(grid, unit, spots) & ~picked:
            return int(picked)
    return 0
