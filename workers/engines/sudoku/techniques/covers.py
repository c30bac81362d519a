"""Sets of masks whose union is as small as the set: what subsets and fish have in common.

Naked subset: cells of a unit, masks of digits. Hidden subset: digits of a unit, masks of
positions. Fish: lines, masks of the crossing lines. In each, `size` masks with only `size` bits
in their union use these bits up.
"""

from workers.engines.machine.bits import popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import Marks


@kernel
def next_cover(marks: Marks, count: int, size: int, again: int) -> int:
    """Go on to the next `size` of the first `count` masks with at most `size` bits in union.

    Sets come in lexicographic order of their indices, left in marks.picks; `again` is 0 for the
    first set and 1 for the next. Returns the union, 0 when there is no further set.
    """
    depth = size - 1
    if not again:
        depth = 0
        marks.picks[0] = -1
    while depth >= 0:
        pick = marks.picks[depth] + 1
        marks.picks[depth] = pick
        if pick > count - size + depth:
            depth -= 1
            continue
        union = marks.masks[pick]
        if depth > 0:
            union |= marks.unions[depth - 1]
        if popcount(union) > size:
            continue
        if depth == size - 1:
            return int(union)
        marks.unions[depth] = union
        depth += 1
        marks.picks[depth] = pick
    return 0


@kernel
def next_subset(marks: Marks, base: int, count: int, size: int) -> int:
    """Go on from a subset of `size` masks to the next one: its size, 0 when there is none.

    All subsets of masks base .. base + count - 1 come in lexicographic order, each before it
    grows; `size` is 0 for the first. Picks, counted from `base`, and unions are left in
    marks.picks and marks.unions from `base` on, which is 0 or 9.
    """
    pick = 0
    if size:
        pick = marks.picks[base + size - 1] + 1
        if pick == count:
            size -= 1
            if size == 0:
                return 0
            pick = marks.picks[base + size - 1] + 1
            size -= 1
    elif count == 0:
        return 0
    union = marks.masks[base + pick]
    if size:
        union |= marks.unions[base + size - 1]
    marks.picks[base + size] = pick
    marks.unions[base + size] = union
    return size + 1
