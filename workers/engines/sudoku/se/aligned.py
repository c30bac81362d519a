"""Producers 20 and 22: aligned pair and triplet exclusion."""

from typing import Final, Protocol

import numpy as np

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.se.geometry import HOUSE, SEES
from workers.engines.sudoku.se.grid import Grid, Hint, Integers, call, clear, removes, see
from workers.engines.sudoku.se.names import ALIGNED_PAIR, ALIGNED_TRIPLET
from workers.engines.sudoku.se.subsets import PAIR, TRIPLET

LEAST_COMMON: Final = 1


class Bases(Protocol):
    """Cells that can be aligned, and the narrow cells that exclude combinations of their digits."""

    cells: Integers  # (81,) row by row
    n_cells: int
    excluders: Integers  # (81, 20) peers of a cell with few candidates
    n_excluders: Integers  # (81,) 0 for a cell that cannot be a base
    common: Integers  # (20,) candidates of the excluders that all base cells have


BASES: Final = np.dtype(
    [("cells", np.int64, 81), ("n_cells", np.int64), ("excluders", np.int64, (81, 20)),
     ("n_excluders", np.int64, 81), ("common", np.int64, 20)], align=True
)  # fmt: skip


@kernel
def gather(grid: Grid, bases: Bases, size: int) -> None:
    """List the cells with excluders of 2 to `size` candidates and no naked single in sight."""
    bases.n_cells = 0
    for cell in range(81):
        found = 0
        if popcount(grid.cells[cell]) >= 2:
            for k in range(20):
                width = popcount(grid.cells[HOUSE[cell, k]])
                if width == 1:
                    found = 0
                    break
                if 2 <= width <= size:
                    bases.excluders[cell, found] = HOUSE[cell, k]
                    found += 1
        bases.n_excluders[cell] = found
        if found:
            bases.cells[bases.n_cells] = cell
            bases.n_cells += 1


@kernel
def aligned_pair(grid: Grid, hint: Hint, bases: Bases) -> bool:
    """Two cells of which a candidate fits no candidate of the other (6.2)."""
    gather(grid, bases, PAIR)
    for j in range(1, bases.n_cells):
        for i in range(j):
            one, other = bases.cells[i], bases.cells[j]
            common = 0
            for k in range(bases.n_excluders[one]):
                common += SEES[bases.excluders[one, k], other]
            if common >= 2 and exclude_pair(grid, hint, bases, one, other):
                return call(hint, ALIGNED_PAIR, 6.2)
    return False


@kernel
def exclude_pair(grid: Grid, hint: Hint, bases: Bases, one: int, other: int) -> bool:
    """Let the hint remove candidates of two cells that are in no possible combination."""
    left = right = 0
    mask = grid.cells[one]
    while mask:
        digit = lowest(mask)
        mask &= mask - 1
        fits = grid.cells[other]
        if SEES[one, other]:
            fits &= ~(1 << digit)
        for k in range(bases.n_excluders[one]):
            cell = bases.excluders[one, k]
            if SEES[cell, other] and grid.cells[cell] >> digit & 1:
                fits &= ~(grid.cells[cell] & ~(1 << digit))
        if fits:
            left |= 1 << digit
            right |= fits
    if left == grid.cells[one] and right == grid.cells[other]:
        return False
    clear(hint)
    removes(grid, hint, one, ~left)
    removes(grid, hint, other, ~right)
    see(hint, one)
    see(hint, other)
    return True


@kernel
def aligned_triplet(grid: Grid, hint: Hint, bases: Bases) -> bool:
    """Three cells of which a candidate fits none of the others (7.5)."""
    gather(grid, bases, TRIPLET)
    for j in range(1, bases.n_cells):
        for i in range(j):
            one, other = bases.cells[i], bases.cells[j]
            for k in range(bases.n_excluders[one]):
                third = bases.excluders[one, k]
                if third != other and align(grid, hint, bases, one, other, third):
                    return call(hint, ALIGNED_TRIPLET, 7.5)
            for k in range(bases.n_excluders[other]):
                third = bases.excluders[other, k]
                if (
                    third != one
                    and not SEES[third, one]
                    and align(grid, hint, bases, one, other, third)
                ):
                    return call(hint, ALIGNED_TRIPLET, 7.5)
    return False


@kernel
def align(grid: Grid, hint: Hint, bases: Bases, one: int, other: int, third: int) -> bool:
    """Let the hint remove candidates of three cells that are in no possible combination."""
    count = 0
    for k in range(bases.n_excluders[one]):
        cell = bases.excluders[one, k]
        if SEES[cell, other] and SEES[cell, third]:
            bases.common[count] = grid.cells[cell]
            count += 1
    if count < LEAST_COMMON:
        return False
    left = right = rest = 0
    ones = grid.cells[one]
    while ones:
        a = ones & -ones
        ones ^= a
        others = grid.cells[other]
        if SEES[one, other]:
            others &= ~a
        while others:
            b = others & -others
            others ^= b
            fits = grid.cells[third]
            if SEES[one, third]:
                fits &= ~a
            if SEES[other, third]:
                fits &= ~b
            for k in range(count):
                needs = bases.common[k] & ~(a | b)
                if needs & (needs - 1) == 0:
                    fits = fits & ~needs if needs else 0
            if fits:
                left |= a
                right |= b
                rest |= fits
    if left == grid.cells[one] and right == grid.cells[other] and rest == grid.cells[third]:
        return False
    clear(hint)
    removes(grid, hint, one, ~left)
    removes(grid, hint, other, ~right)
    removes(grid, hint, third, ~rest)
    see(hint, one)
    see(hint, other)
    see(hint, third)
    return True
