"""Producers 20 and 22: aligned pair and triplet exclusion."""

from typing import Final, Protocol

import numpy as np

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.se.geometry import HOUSE, PEER_WORDS, SEES
from workers.engines.sudoku.se.grid import Grid, Hint, Integers, call, clear, removes, see
from workers.engines.sudoku.se.names import ALIGNED_PAIR, ALIGNED_TRIPLET
from workers.engines.sudoku.se.subsets import PAIR, TRIPLET


class Bases(Protocol):
    """Cells that can be aligned, and the narrow cells that exclude combinations of their digits."""

    cells: Integers  # (81,) row by row
    n_cells: int
    excluders: Integers  # (81, 20) peers of a cell with few candidates
    n_excluders: Integers  # (81,) 0 for a cell that cannot be a base
    narrow: Integers  # (3,) the excluders as bits, one word a band
    fits: Integers  # (3,) candidates of the base cells that are in a possible combination
    seen: Integers  # (3,) those of them that the first two base cells have
    common: Integers  # (20,) candidates of the excluders that all base cells have


BASES: Final = np.dtype(
    [("cells", np.int64, 81), ("n_cells", np.int64), ("excluders", np.int64, (81, 20)),
     ("n_excluders", np.int64, 81), ("common", np.int64, 20),
     ("narrow", np.int64, 3), ("seen", np.int64, 3), ("fits", np.int64, 3)], align=True
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
    """Three cells of which a candidate fits none of the others (7.5).

    The first two have two excluders in common, the third is an excluder of one of them.
    """
    gather(grid, bases, TRIPLET)
    mark_narrow(grid, bases)
    for j in range(1, bases.n_cells):
        for i in range(j):
            one, other = bases.cells[i], bases.cells[j]
            if note_common(bases, one, other) < 2:
                continue
            for k in range(bases.n_excluders[one]):
                third = bases.excluders[one, k]
                if third != other and align(grid, hint, bases, one, other, third):
                    return call(hint, ALIGNED_TRIPLET, 7.5)
            for k in range(bases.n_excluders[other]):
                third = bases.excluders[other, k]
                if third == one or SEES[third, one]:
                    continue
                if align(grid, hint, bases, one, other, third):
                    return call(hint, ALIGNED_TRIPLET, 7.5)
    return False


@kernel
def mark_narrow(grid: Grid, bases: Bases) -> None:
    """Note the cells of two or three candidates as bits."""
    for band in range(3):
        bases.narrow[band] = 0
    for cell in range(81):
        if 2 <= popcount(grid.cells[cell]) <= 3:
            bases.narrow[cell // 27] |= 1 << (cell % 27)


@kernel
def note_common(bases: Bases, one: int, other: int) -> int:
    """Note the narrow cells that are peers of both as bits; how many there are."""
    count = 0
    for band in range(3):
        seen = PEER_WORDS[one, band] & PEER_WORDS[other, band] & bases.narrow[band]
        bases.seen[band] = seen
        count += popcount(seen)
    return count


@kernel
def align(grid: Grid, hint: Hint, bases: Bases, one: int, other: int, third: int) -> bool:
    """Let the hint remove candidates of three cells that are in no possible combination."""
    count = 0
    for band in range(3):
        rest = bases.seen[band] & PEER_WORDS[third, band]
        while rest:
            bases.common[count] = grid.cells[27 * band + lowest(rest)]
            count += 1
            rest &= rest - 1
    if count == 0 or combine(grid, bases, count, one, other, third):
        return False
    clear(hint)
    removes(grid, hint, one, ~bases.fits[0])
    removes(grid, hint, other, ~bases.fits[1])
    removes(grid, hint, third, ~bases.fits[2])
    see(hint, one)
    see(hint, other)
    see(hint, third)
    return True


@kernel
def combine(grid: Grid, bases: Bases, count: int, one: int, other: int, third: int) -> bool:
    """Note in `fits` which candidates of three cells are in a possible combination; True: all.

    `count` excluders, in `common`, must keep a candidate.
    """
    left = right = rest = 0
    ones = grid.cells[one]
    while ones:
        a = ones & -ones
        ones ^= a
        others = grid.cells[other] & ~(a if SEES[one, other] else 0)
        while others:
            b = others & -others
            others ^= b
            fits = grid.cells[third] & ~(a if SEES[one, third] else 0)
            fits &= ~(b if SEES[other, third] else 0)
            for k in range(count):
                needs = bases.common[k] & ~(a | b)
                if needs & (needs - 1) == 0:
                    fits = fits & ~needs if needs else 0
            if fits:
                left |= a
                right |= b
                rest |= fits
                if (
                    left == grid.cells[one]
                    and right == grid.cells[other]
                    and (rest == grid.cells[third])
                ):
                    return True
    bases.fits[0], bases.fits[1], bases.fits[2] = left, right, rest
    return False
