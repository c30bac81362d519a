"""What closed rows prove: a premise that refutes itself, and what follows in every case."""

import numpy as np

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.techniques.implications import NONE, ONE, follows
from workers.engines.sudoku.web import Web


@kernel
def conclude(web: Web, both_ways: bool) -> None:
    """Find all candidates that are proved or refuted.

    `both_ways`: every link holds both ways round. Then a premise that leaves a cell or a unit
    without a place, and a candidate that decides another either way, show up as something else.
    """
    for w in range(web.span):
        web.placed[w] = web.removed[w] = NONE
    for k in range(web.candidates):
        bit = ONE << np.uint64(k & 63)
        if refuted(web, k, not both_ways):
            web.removed[k >> 6] |= bit
        if refuted(web, 64 * web.span + k, not both_ways):
            web.placed[k >> 6] |= bit
        if not both_ways:
            gather(web, k, True)
            gather(web, 64 * web.span + k, False)
            forget_cell(web, k)
            collect(web)
    for k in range(web.sets):
        for m in range(web.first_member[k], web.first_member[k + 1]):
            gather(web, web.member[m], m == web.first_member[k])
        collect(web)


@kernel
def refuted(web: Web, node: int, sets_too: bool) -> bool:
    """Whether `node` leads to a candidate being there and not there, or to a set without any."""
    start, span = node * web.length, web.span
    for w in range(span):
        if web.rows[start + w] & web.rows[start + span + w]:
            return True
    if sets_too:
        for k in range(web.sets):
            if web.whole[k] and emptied(web, node, k):
                return True
    return False


@kernel
def emptied(web: Web, node: int, k: int) -> bool:
    """Whether `node` leads to no candidate of set `k` being there."""
    for m in range(web.first_member[k], web.first_member[k + 1]):
        if not follows(web, node, 64 * web.span + web.member[m]):
            return False
    return True


@kernel
def gather(web: Web, node: int, first: bool) -> None:
    """Keep of what is common so far only what `node` leads to."""
    start = node * web.length
    for w in range(2 * web.span):
        word = web.rows[start + w]
        web.common[w] = word if first else web.common[w] & word


@kernel
def forget_cell(web: Web, k: int) -> None:
    """Take the candidates of the cell of id `k` from what is common."""
    cell = web.candidate[k] // 9
    first = last = k
    while first > 0 and web.candidate[first - 1] // 9 == cell:
        first -= 1
    while last < web.candidates - 1 and web.candidate[last + 1] // 9 == cell:
        last += 1
    for other in range(first, last + 1):
        bit = ONE << np.uint64(other & 63)
        web.common[other >> 6] &= ~bit
        web.common[web.span + (other >> 6)] &= ~bit


@kernel
def collect(web: Web) -> None:
    """What is common to all cases is proved or refuted."""
    for w in range(web.span):
        web.placed[w] |= web.common[w]
        web.removed[w] |= web.common[web.span + w]


@kernel
def conclusions(web: Web) -> int:
    """How many there are."""
    count = 0
    for w in range(web.span):
        count += popcount(web.placed[w]) + popcount(web.removed[w])
    return count


@kernel
def conclusion(web: Web, index: int) -> int:
    """Number `index` of them as a node: placements first, each kind in ascending order; or -1."""
    for half in range(2):
        for w in range(web.span):
            word = web.removed[w] if half else web.placed[w]
            while word:
                if index == 0:
                    return 64 * (web.span * half + w) + lowest(word)
                index -= 1
                word &= word - ONE
    return -1
