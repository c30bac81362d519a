"""Implications of one assumption: a tree of nodes for each candidate that is ON or OFF.

A search takes one ON node at a time, as long as there is one, else one OFF node, and ends with
the first contradiction; what was reached until then counts all the same. When it is dynamic, a
candidate is struck from the scratch grid as its OFF node is taken, after its consequences: links
appear where two candidates are left. Such a link holds because of all candidates that the source
grid has there and the scratch grid has not, so a node's parents follow from its cause alone.
"""

from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.bits import lowest
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.geometry import UNITS
from workers.engines.sudoku.se.geometry import LINK_POSITIONS, LINK_UNITS
from workers.engines.sudoku.se.grid import GRID, Grid, Integers, strike, widen
from workers.engines.sudoku.se.links import NO, NODES, OFF, Links, Shorts

# Causes: of an OFF node START, WEAK or PATTERN; of an ON node START, NAKED or HIDDEN + kind of
# unit. CLASH marks a node that contradicts the tree and does not belong to it.
START, WEAK, NAKED, HIDDEN, PATTERN, CLASH = map(widen, (1, 2, 2, 3, 6, 16))

LISTS: Final = 1 << 19
POOL: Final = 1 << 22


class Forest(Protocol):
    """A tree for every node; row `tree` of an array is that of the node it starts from."""

    causes: NDArray[np.int8]  # (NODES, NODES) 0 for a node that was not reached
    parents: NDArray[np.int32]  # (NODES, NODES) of a PATTERN node: where its parents are listed
    order: Shorts  # (NODES, NODES) ON nodes from 0 on, OFF nodes from 729 on
    n_on: Integers  # (NODES,)
    n_off: Integers  # (NODES,)
    clash: Integers  # (NODES,) the candidate that is ON and OFF, or NO
    scratch: Grid
    stack: Integers  # (NODES,) for `measure`
    met: Integers  # (NODES,)
    meeting: int
    found: Integers  # (LISTS, 3) what rests on a pattern: its parents' range in pool, and its nest
    n_found: int
    pool: Shorts  # (POOL,) parents
    n_pool: int
    nest_length: Integers  # (LISTS,) complexity of a chain hint inside
    nest_hash: Integers  # (LISTS,) equal for equal chains to equal targets
    n_nests: int
    seen_nests: Integers  # (NODES,) the nests that the hint being measured rests on
    n_seen_nests: int
    nested: int  # complexity of these
    full: int  # 1 when one of these lists ran over
    steps: int  # nodes added and chains weighed: the cost so far
    dynamic: int
    y: int  # 1 when links in cells are used


FOREST: Final = np.dtype(
    [("causes", np.int8, (NODES, NODES)), ("parents", np.int32, (NODES, NODES)),
     ("order", np.int16, (NODES, NODES)), ("n_on", np.int64, NODES), ("n_off", np.int64, NODES),
     ("clash", np.int64, NODES), ("scratch", GRID), ("stack", np.int64, NODES),
     ("met", np.int64, NODES), ("meeting", np.int64), ("found", np.int32, (LISTS, 3)),
     ("n_found", np.int64), ("pool", np.int16, POOL), ("n_pool", np.int64),
     ("nest_length", np.int64, LISTS), ("nest_hash", np.int64, LISTS), ("n_nests", np.int64),
     ("seen_nests", np.int64, NODES), ("n_seen_nests", np.int64), ("nested", np.int64),
     ("full", np.int64),
     ("steps", np.int64), ("dynamic", np.int64), ("y", np.int64)],
    align=True,
)  # fmt: skip


@kernel
def plant(grid: Grid, forest: Forest, tree: int) -> None:
    """Start a tree with its own node, on a scratch grid like `grid`."""
    for node in range(NODES):
        forest.causes[tree, node] = 0
    forest.n_on[tree] = forest.n_off[tree] = 0
    forest.clash[tree] = NO
    copy_candidates(forest.scratch, grid)
    add(forest, tree, tree, START, NO)


@kernel
def copy_candidates(scratch: Grid, grid: Grid) -> None:
    """Make the candidates of `scratch` those of `grid`."""
    for cell in range(81):
        scratch.cells[cell] = grid.cells[cell]
    for unit in range(27):
        for digit in range(9):
            scratch.places[unit, digit] = grid.places[unit, digit]


@kernel
def add(forest: Forest, tree: int, node: int, cause: int, parent: int) -> None:
    """Add a node that was not reached."""
    forest.steps += 1
    forest.causes[tree, node] = cause
    forest.parents[tree, node] = parent
    if node < OFF:
        forest.order[tree, forest.n_on[tree]] = node
        forest.n_on[tree] += 1
    else:
        forest.order[tree, OFF + forest.n_off[tree]] = node
        forest.n_off[tree] += 1


@kernel
def grow(links: Links, forest: Forest, tree: int, taken_on: int, taken_off: int) -> int:
    """Follow all links, from given counts of ON and OFF nodes that were followed before.

    The count of OFF nodes followed in the end.
    """
    causes = forest.causes[tree]
    while forest.clash[tree] == NO:
        if taken_on < forest.n_on[tree]:
            node = widen(forest.order[tree, taken_on])
            taken_on += 1
            first = links.start[node] if forest.y else links.middle[node]
            for at in range(first, links.stop[node]):
                other = widen(links.weak[at])
                if causes[other]:
                    if forest.scratch.cells[other // 9] >> (other % 9) & 1:
                        clash(forest, tree, other + OFF, WEAK, node)
                        break
                elif causes[other + OFF] == 0:
                    add(forest, tree, other + OFF, WEAK, node)
        elif taken_off < forest.n_off[tree]:
            node = widen(forest.order[tree, OFF + taken_off])
            taken_off += 1
            imply(links, forest, tree, node)
        else:
            break
    return taken_off


@kernel
def clash(forest: Forest, tree: int, node: int, cause: int, parent: int) -> None:
    """End a tree with a node whose opposite it has."""
    forest.causes[tree, node] = CLASH + cause
    forest.parents[tree, node] = parent
    forest.clash[tree] = node % OFF


@kernel
def imply(links: Links, forest: Forest, tree: int, node: int) -> None:
    """Turn ON what an OFF node leaves alone in its cell or units, then strike it if dynamic."""
    scratch = forest.scratch
    cell, digit = (node - OFF) // 9, node % 9
    for link in range(0 if forest.y else 1, 4):
        other = widen(links.strong[node - OFF, link])
        if forest.dynamic:
            if link == 0:
                rest = scratch.cells[cell] & ~(1 << digit)
                other = 9 * cell
            else:
                unit = LINK_UNITS[cell, link - 1]
                rest = scratch.places[unit, digit] & ~(1 << LINK_POSITIONS[cell, link - 1])
            if rest == 0 or rest & (rest - 1):
                continue
            other = 9 * cell + lowest(rest) if link == 0 else 9 * UNITS[unit, lowest(rest)] + digit
        elif other == NO:
            continue
        if forest.causes[tree, other + OFF]:
            clash(forest, tree, other, NAKED + link, node)
            break
        if forest.causes[tree, other] == 0:
            add(forest, tree, other, NAKED + link, node)
    if forest.dynamic and scratch.cells[cell] >> digit & 1:
        strike(scratch, cell, digit)


@kernel
def holds(forest: Forest, tree: int, node: int) -> bool:
    """True when the tree reached the node."""
    cause = forest.causes[tree, node]
    return bool(cause != 0 and cause < CLASH)


@kernel
def measure(grid: Grid, forest: Forest, tree: int, node: int, limit: int) -> int:
    """How many nodes a node of a tree rests on, itself included; more than `limit` stays vague.

    The chain hints it rests on are added with their own complexity, once each until
    `forest.n_seen_nests` is set to 0.
    """
    forest.meeting += 1
    meeting = forest.meeting
    forest.met[node] = meeting
    forest.stack[0] = node
    height = count = 1
    forest.nested = 0
    while height:
        height -= 1
        node = forest.stack[height]
        top = push_parents(grid, forest, tree, node, height)
        count += top - height
        height = top
        if count + forest.nested > limit:
            break
    return count + forest.nested


@kernel
def push_parents(grid: Grid, forest: Forest, tree: int, node: int, height: int) -> int:
    """Put the parents of a node that were not met on the stack; its new height."""
    cause = widen(forest.causes[tree, node]) % CLASH
    if cause == START:
        return height
    if cause == PATTERN:
        return push_found(forest, widen(forest.parents[tree, node]), height)
    if node >= OFF:
        return push(forest, widen(forest.parents[tree, node]), height)
    cell, digit = node // 9, node % 9
    if cause == NAKED:
        rest = grid.cells[cell] & ~(1 << digit)
        while rest:
            height = push(forest, OFF + 9 * cell + lowest(rest), height)
            rest &= rest - 1
        return height
    unit = LINK_UNITS[cell, cause - HIDDEN]
    rest = grid.places[unit, digit] & ~(1 << LINK_POSITIONS[cell, cause - HIDDEN])
    while rest:
        height = push(forest, OFF + 9 * UNITS[unit, lowest(rest)] + digit, height)
        rest &= rest - 1
    return height


@kernel
def push(forest: Forest, node: int, height: int) -> int:
    """Put a node on the stack unless it was met; the new height."""
    if forest.met[node] != forest.meeting:
        forest.met[node] = forest.meeting
        forest.stack[height] = node
        height += 1
    return height


@kernel
def push_found(forest: Forest, index: int, height: int) -> int:
    """Put the parents of a pattern on the stack and count the chain hint it is, if new."""
    nest = widen(forest.found[index, 2])
    if nest != NO:
        known = False
        for k in range(forest.n_seen_nests):
            other = forest.seen_nests[k]
            if other == nest or forest.nest_hash[other] == forest.nest_hash[nest]:
                known = True
                break
        if not known and forest.n_seen_nests < NODES:
            forest.seen_nests[forest.n_seen_nests] = nest
            forest.n_seen_nests += 1
            forest.nested += forest.nest_length[nest]
    for k in range(forest.found[index, 0], forest.found[index, 1]):
        height = push(forest, widen(forest.pool[k]), height)
    return height
