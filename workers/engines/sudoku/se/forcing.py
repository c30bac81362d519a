"""Producer 21: forcing chains and cycles with one start and one end."""

from typing import Final, Protocol

import numpy as np

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.se.geometry import PEER_WORDS
from workers.engines.sudoku.se.grid import Grid, Integers, widen
from workers.engines.sudoku.se.links import NO, NODES, OFF, Links, Shorts
from workers.engines.sudoku.se.picks import (
    MOST_CYCLES,
    NONE,
    SORT_X,
    SORT_XY,
    SORT_Y,
    Picks,
    comes_before,
    lengthened,
    pick,
    slot_of,
)

BITS: Final = 60  # of a word; fewer than 64, so that no sign is in the way
WORDS: Final = 13


class Walk(Protocol):
    """A breadth-first search over links."""

    queue: Shorts  # (NODES,) nodes in the order they were reached
    parent: Shorts  # (NODES,) node before; in cycles the ON node before the OFF one
    via: Shorts  # (729,) in cycles the OFF candidate between an ON node and its parent
    path: Integers  # (NODES,) a cycle's nodes, backwards
    seen: Integers  # (NODES,) number of the search that reached the node last
    search: int
    base_cycle: float
    base_chain: float
    form: int
    x: int  # 1 when strong links in units are used
    y: int  # 1 when links in cells are used
    removed: Integers  # (81,) what a cycle removes
    index: Integers  # (729,) number of each candidate
    reach: Integers  # (729, WORDS) by number: ON nodes that an ON node leads to, as bits
    flips: Integers  # (NODES,) 1 for a node that leads to its opposite
    views: Integers  # (2, 9, 3) who sees its ON and OFF nodes, by digit and band
    inside: Integers  # (3,) its cells, by band


WALK: Final = np.dtype(
    [("queue", np.int16, NODES), ("parent", np.int16, NODES),
     ("via", np.int16, 729), ("path", np.int64, NODES), ("seen", np.int64, NODES),
     ("search", np.int64), ("base_cycle", np.float64), ("base_chain", np.float64),
     ("form", np.int64), ("x", np.int64), ("y", np.int64), ("removed", np.int64, 81),
     ("index", np.int64, 729), ("reach", np.int64, (729, WORDS)), ("flips", np.int64, NODES),
     ("views", np.int64, (2, 9, 3)), ("inside", np.int64, 3)], align=True
)  # fmt: skip


@kernel
def forcing_chains(grid: Grid, links: Links, walk: Walk, picks: Picks) -> None:
    """Weigh all X-cycles and chains, then Y-cycles, then cycles and chains of both links.

    6.5 for a cycle of one kind, 6.6 for an X-chain, 7.0 with both kinds, and the length. What a
    cycle removes could be removed by chains too, so without chains there are no cycles.
    """
    if not find_flips(links, walk):
        return
    for turn in range(3):
        walk.x, walk.y = (0 if turn == 1 else 1), (0 if turn == 0 else 1)
        walk.form = SORT_X if turn == 0 else SORT_Y if turn == 1 else SORT_XY
        walk.base_cycle = 7.0 if turn == 2 else 6.5
        walk.base_chain = 7.0 if turn == 2 else 6.6
        for k in range(links.n):
            source = widen(links.ids[k])
            width = popcount(grid.cells[source // 9])
            if width < 2 or (turn == 1 and width > 2):
                continue
            find_cycles(grid, links, walk, picks, source)
            if walk.x and walk.flips[source]:
                find_chain(grid, links, walk, picks, source)
            if walk.x and walk.flips[source + OFF]:
                find_chain(grid, links, walk, picks, source + OFF)


@kernel
def find_flips(links: Links, walk: Walk) -> bool:
    """Note for every node whether a chain leads to its opposite; True when one does."""
    close(links, walk)
    found = False
    for k in range(links.n):
        candidate = widen(links.ids[k])
        flips = 0
        for at in range(links.start[candidate], links.stop[candidate]):
            flips |= reaches(walk, k, walk.index[links.weak[at]])
        walk.flips[candidate] = flips
        back = 0
        for j in range(4):
            end = widen(links.strong[candidate, j])
            if end != NO:
                back |= reaches(walk, walk.index[end], k)
        walk.flips[candidate + OFF] = back
        found = found or flips > 0 or back > 0
    return found


@kernel
def reaches(walk: Walk, one: int, other: int) -> int:
    """1 when ON of candidate number `one` leads to ON of number `other`."""
    return int(walk.reach[one, other // BITS] >> (other % BITS) & 1)


@kernel
def close(links: Links, walk: Walk) -> None:
    """Find all ON nodes that each ON node leads to, as bits in `walk.reach`."""
    words = (links.n + BITS - 1) // BITS
    for k in range(links.n):
        walk.index[links.ids[k]] = k
        for word in range(words):
            walk.reach[k, word] = 0
    for k in range(links.n):
        candidate = links.ids[k]
        for at in range(links.start[candidate], links.stop[candidate]):
            for j in range(4):
                end = widen(links.strong[links.weak[at], j])
                if end != NO:
                    number = walk.index[end]
                    walk.reach[k, number // BITS] |= 1 << (number % BITS)
    for via in range(links.n):
        for k in range(links.n):
            if reaches(walk, k, via):
                for word in range(words):
                    walk.reach[k, word] |= walk.reach[via, word]


@kernel
def find_chain(grid: Grid, links: Links, walk: Walk, picks: Picks, source: int) -> None:
    """Weigh the shortest chain from node `source` to its opposite, if there is one."""
    target = source + OFF if source < OFF else source - OFF
    slot = slot_of(grid, picks, target)
    walk.search += 1
    walk.seen[source] = walk.search
    walk.queue[0] = source
    head, tail, depth = 0, 1, 1
    while head < tail:
        depth += 1
        if not comes_before(picks, slot, lengthened(walk.base_chain, depth), depth, walk.form):
            return
        level = tail
        while head < level:
            node = widen(walk.queue[head])
            head += 1
            tail = reach(links, walk, node, tail)
        if walk.seen[target] == walk.search:
            pick(picks, slot, lengthened(walk.base_chain, depth), depth, walk.form)
            picks.source[slot] = source
            picks.target[slot] = target
            return


@kernel
def reach(links: Links, walk: Walk, node: int, tail: int) -> int:
    """Put what follows from `node` at the end of the queue, unless it was reached; its end."""
    if node < OFF:
        for k in range(links.start[node] if walk.y else links.middle[node], links.stop[node]):
            other = widen(links.weak[k]) + OFF
            if walk.seen[other] != walk.search:
                walk.seen[other] = walk.search
                walk.parent[other] = node
                walk.queue[tail] = other
                tail += 1
        return tail
    for k in range(0 if walk.y else 1, 4 if walk.x else 1):
        other = widen(links.strong[node - OFF, k])
        if other != NO and walk.seen[other] != walk.search:
            walk.seen[other] = walk.search
            walk.parent[other] = node
            walk.queue[tail] = other
            tail += 1
    return tail


@kernel
def find_cycles(grid: Grid, links: Links, walk: Walk, picks: Picks, source: int) -> None:
    """Weigh all cycles of four or more links from the candidate `source` back to it.

    ON nodes are reached once; an OFF node counts anew from each ON node that turns it off,
    unless the way there already goes over it.
    """
    walk.search += 1
    walk.seen[source] = walk.search
    walk.queue[0] = source
    head, tail, length = 0, 1, 2
    low, high = (0 if walk.y else 1), (4 if walk.x else 1)
    while head < tail:
        level = tail
        if picks.wide == 0:
            rating = lengthened(walk.base_cycle, length)
            if not comes_before(picks, 0, rating, length, walk.form):
                return
        while head < level:
            node = widen(walk.queue[head])
            head += 1
            for at in range(links.start[node] if walk.y else links.middle[node], links.stop[node]):
                via = widen(links.weak[at])
                for k in range(low, high):
                    end = widen(links.strong[via, k])
                    if end == NO or (walk.seen[end] == walk.search and end != source):
                        continue
                    if end == source and (length < 4 or repeated(links, walk, via, k, low)):
                        continue
                    if passes(walk, node, source, via):
                        continue
                    if end == source:
                        weigh_cycle(grid, walk, picks, node, via, length)
                    else:
                        walk.seen[end] = walk.search
                        walk.parent[end] = node
                        walk.via[end] = via
                        walk.queue[tail] = end
                        tail += 1
        length += 2


@kernel
def repeated(links: Links, walk: Walk, via: int, k: int, low: int) -> bool:
    """True when an earlier strong link of `via` leads where its link `k` does."""
    for j in range(low, k):
        if links.strong[via, j] == links.strong[via, k]:
            return True
    return False


@kernel
def passes(walk: Walk, node: int, source: int, via: int) -> bool:
    """True when the way from `source` to the ON `node` goes over the OFF candidate `via`."""
    while node != source:
        if walk.via[node] == via:
            return True
        node = widen(walk.parent[node])
    return False


@kernel
def weigh_cycle(grid: Grid, walk: Walk, picks: Picks, node: int, via: int, length: int) -> None:
    """Weigh the cycle that ends with ON `node` and OFF `via`, if it removes something."""
    rating = lengthened(walk.base_cycle, length)
    if not picks.wide and not comes_before(picks, 0, rating, length, walk.form):
        return
    for k in range(0, length, 2):
        walk.path[k] = via + OFF
        walk.path[k + 1] = node
        via, node = widen(walk.via[node]), widen(walk.parent[node])
    removed = cycle_removals(grid, walk, length)
    if removed == 0:
        return
    slot = cycle_slot(grid, walk, picks, removed) if picks.wide else 0
    if slot == NO or not comes_before(picks, slot, rating, length, walk.form):
        return
    number = picks.n_cycles if picks.wide else 0
    if number == MOST_CYCLES:
        return
    picks.n_cycles = number + 1
    pick(picks, slot, rating, length, walk.form)
    picks.source[slot] = NO
    picks.target[slot] = number
    picks.cycle_length[number] = length
    for cell in range(81):
        picks.cycle_removed[number, cell] = walk.removed[cell]
    for k in range(length):
        picks.cycle[number, k] = walk.path[k]


@kernel
def cycle_removals(grid: Grid, walk: Walk, length: int) -> int:
    """Note in `walk.removed` what both the ON and the OFF nodes see outside; how many."""
    for cell in range(81):
        walk.removed[cell] = 0
    for digit in range(9):
        for band in range(3):
            walk.views[0, digit, band] = walk.views[1, digit, band] = 0
    for band in range(3):
        walk.inside[band] = 0
    for k in range(length):
        node = walk.path[k]
        side, candidate = (0, node) if node < OFF else (1, node - OFF)
        cell = candidate // 9
        for band in range(3):
            walk.views[side, candidate % 9, band] |= PEER_WORDS[cell, band]
        walk.inside[cell // 27] |= 1 << (cell % 27)
    count = 0
    for digit in range(9):
        for band in range(3):
            both = walk.views[0, digit, band] & walk.views[1, digit, band] & ~walk.inside[band]
            while both:
                cell = 27 * band + lowest(both)
                both &= both - 1
                if grid.cells[cell] >> digit & 1:
                    walk.removed[cell] |= 1 << digit
                    count += 1
    return count


@kernel
def cycle_slot(grid: Grid, walk: Walk, picks: Picks, removed: int) -> int:
    """The slot of a cycle's removals: an OFF or ON node's, an equal cycle's, or a new one."""
    for cell in range(81):
        mask = walk.removed[cell]
        if mask and popcount(mask) == removed:
            if removed == 1:
                return OFF + 9 * cell + lowest(mask)
            kept = grid.cells[cell] & ~mask
            if kept and kept & (kept - 1) == 0:
                return 9 * cell + lowest(kept)
    for slot in range(NODES, NODES + MOST_CYCLES):
        if picks.rating[slot] == NONE:
            return slot
        same = True
        for cell in range(81):
            if picks.cycle_removed[picks.target[slot], cell] != walk.removed[cell]:
                same = False
                break
        if same:
            return slot
    return NO


@kernel
def retrace(links: Links, walk: Walk, sort: int, source: int, target: int) -> None:
    """Search again for a chain, for the parents of its nodes."""
    walk.x, walk.y = 0 if sort == SORT_Y else 1, 0 if sort == SORT_X else 1
    walk.search += 1
    walk.seen[source] = walk.search
    walk.queue[0] = source
    head, tail = 0, 1
    while head < tail and walk.seen[target] != walk.search:
        tail = reach(links, walk, widen(walk.queue[head]), tail)
        head += 1
