"""Chains inside chains: chain hints on the scratch grid of a tree become part of the tree."""

from typing import Final

from workers.engines.machine.bits import lowest
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.se.branches import branch, grow_all, nth_tree
from workers.engines.sudoku.se.forcing import forcing_chains, retrace
from workers.engines.sudoku.se.geometry import LINK_UNITS
from workers.engines.sudoku.se.grid import NOT, ON, Grid, widen
from workers.engines.sudoku.se.links import NO, NODES, OFF, Links, link
from workers.engines.sudoku.se.patterns import find_patterns, need, needs_any
from workers.engines.sudoku.se.picks import (
    SORT_CELL,
    SORT_CONTRADICTION,
    SORT_DOUBLE,
    SORT_X,
    SORT_Y,
    rank,
    reset,
)
from workers.engines.sudoku.se.room import Room
from workers.engines.sudoku.se.trees import (
    CLASH,
    HIDDEN,
    NAKED,
    PATTERN,
    Forest,
    add,
    grow,
    plant,
    push_parents,
)

DIGEST: Final = (1 << 56) - 1


@kernel
def grow_plus(grid: Grid, room: Room, inner: Room, tree: int, level: int) -> None:
    """Grow a tree by links and, where these end, by patterns and by chains of the level."""
    forest = room.forest
    plant(grid, forest, tree)
    taken = grow(room.links, forest, tree, NOT, NOT)
    while forest.clash[tree] == NO:
        before = forest.n_off[tree]
        if not find_patterns(grid, forest, tree) and level > 1:
            nest_chains(grid, forest, tree, inner, level)
        if forest.n_off[tree] == before:
            break
        taken = grow(room.links, forest, tree, forest.n_on[tree], taken)


@kernel
def nest_chains(grid: Grid, forest: Forest, tree: int, inner: Room, level: int) -> None:
    """Add what chains on the tree's scratch grid conclude: the first producer that has any."""
    link(forest.scratch, inner.links)
    before = forest.n_found
    forest.steps += inner.links.n
    if level < 4:
        reset(inner.picks, ON)
        forcing_chains(forest.scratch, inner.links, inner.walk, inner.picks)
        for k in range(rank(inner.picks)):
            add_forcing(grid, forest, tree, inner, inner.picks.ranked[k])
        if level == 2 or forest.n_found > before:
            return
    reset(inner.picks, ON)
    inner.forest.dynamic, inner.forest.y = 0 if level == 3 else 1, 1
    grow_all(forest.scratch, inner.links, inner.forest)
    branch(forest.scratch, inner.forest, inner.picks, 8.0)
    for k in range(rank(inner.picks)):
        add_branches(grid, forest, tree, inner, inner.picks.ranked[k])


@kernel
def add_forcing(grid: Grid, forest: Forest, tree: int, inner: Room, slot: int) -> None:
    """Add the removals of a forcing chain or cycle to the tree."""
    picks, walk = inner.picks, inner.walk
    source, target, start = picks.source[slot], picks.target[slot], forest.n_pool
    digest = NOT
    if source == NO:
        length = picks.cycle_length[target]
        for k in range(length):
            node = picks.cycle[target, k]
            digest = stir(digest, node)
            if node < OFF:
                before = picks.cycle[target, k + 1 if k + 1 < length else 0]
                need_link(grid, forest, inner.links, node, before, picks.form[slot])
    else:
        retrace(inner.links, walk, picks.form[slot], source, target)
        node = target
        digest = stir(stir(digest, node), NODES)
        while node != source:
            parent = widen(walk.parent[node])
            digest = stir(digest, parent)
            if node < OFF:
                need_link(grid, forest, inner.links, node, parent, picks.form[slot])
            node = parent
    if note_nest(forest, start, picks.complexity[slot], digest):
        if source == NO:
            for cell in range(81):
                add_removed(forest, tree, cell, picks.cycle_removed[target, cell])
        else:
            add_target(forest, tree, target)


@kernel
def stir(digest: int, node: int) -> int:
    """Mix a node into a digest below 2**56, whatever the order."""
    word = (node + 1) * 0x9E3779B1
    word = ((word ^ (word >> 15)) & 0x7FFFFFFF) * 0x85EBCA6B
    return (digest + (word ^ (word >> 29))) & DIGEST


@kernel
def need_link(grid: Grid, forest: Forest, links: Links, node: int, before: int,
              sort: int) -> None:  # fmt: skip
    """Note what must be gone for the strong link from OFF node `before` to ON node `node`."""
    for k in range(1 if sort == SORT_X else 0, 1 if sort == SORT_Y else 4):
        if links.strong[before - OFF, k] == node:
            need_cause(grid, forest, node, NAKED + k)
            return


@kernel
def need_cause(grid: Grid, forest: Forest, node: int, cause: int) -> None:
    """Note what must be gone for a link of that cause to an ON node."""
    cell, digit = node // 9, node % 9
    if cause == NAKED:
        need_cell(grid, forest, cell)
    else:
        need_unit(grid, forest, LINK_UNITS[cell, cause - HIDDEN], digit)


@kernel
def need_cell(grid: Grid, forest: Forest, cell: int) -> None:
    """Note all candidates that the cell has lost."""
    missing = grid.cells[cell] & ~forest.scratch.cells[cell]
    while missing:
        forest.pool[forest.n_pool] = OFF + 9 * cell + lowest(missing)
        forest.n_pool += 1
        missing &= missing - 1


@kernel
def need_unit(grid: Grid, forest: Forest, unit: int, digit: int) -> None:
    """Note all places that the unit has lost for the digit."""
    need(forest, unit, grid.places[unit, digit] & ~forest.scratch.places[unit, digit], digit)


@kernel
def note_nest(forest: Forest, start: int, length: int, digest: int) -> bool:
    """Note a chain hint that rests on the pool from `start` on; False when on nothing."""
    nest = forest.n_nests
    if not needs_any(forest, start, nest):
        return False
    forest.nest_length[nest] = length
    forest.nest_hash[nest] = digest
    forest.n_nests += 1
    return True


@kernel
def add_target(forest: Forest, tree: int, target: int) -> None:
    """Add what node `target` removes."""
    cell, bit = target % OFF // 9, 1 << (target % 9)
    add_removed(forest, tree, cell, bit if target >= OFF else forest.scratch.cells[cell] & ~bit)


@kernel
def add_removed(forest: Forest, tree: int, cell: int, mask: int) -> None:
    """Add that the last hint removes `mask` from the cell."""
    while mask:
        node = OFF + 9 * cell + lowest(mask)
        mask &= mask - 1
        if forest.causes[tree, node] == 0:
            add(forest, tree, node, PATTERN, forest.n_found - 1)


@kernel
def add_branches(grid: Grid, forest: Forest, tree: int, inner: Room, slot: int) -> None:
    """Add the removals of a hint of several branches to the tree."""
    picks, start = inner.picks, forest.n_pool
    source, target, sort = picks.source[slot], picks.target[slot], picks.form[slot]
    digest = NOT
    if sort == SORT_CONTRADICTION:
        clash = inner.forest.clash[source]
        digest = need_branch(grid, forest, inner, source, clash, digest)
        digest = need_branch(grid, forest, inner, source, clash + OFF, digest)
    elif sort == SORT_DOUBLE:
        digest = need_branch(grid, forest, inner, source, target, digest)
        digest = need_branch(grid, forest, inner, source + OFF, target, digest)
    else:
        digit = NO if sort == SORT_CELL else source % 9
        scratch = forest.scratch
        rest = scratch.cells[source] if digit == NO else scratch.places[source // 9, digit]
        while rest:
            digest = need_branch(grid, forest, inner, nth_tree(source, digit, rest), target, digest)
            rest &= rest - 1
        if digit == NO:
            need_cell(grid, forest, source)
        else:
            need_unit(grid, forest, source // 9, digit)
    if note_nest(forest, start, picks.complexity[slot], digest):
        add_target(forest, tree, target)


@kernel
def need_branch(grid: Grid, forest: Forest, inner: Room, branch_tree: int, node: int,
                digest: int) -> int:  # fmt: skip
    """Note what must be gone for all links that a node of an inner tree rests on."""
    deep = inner.forest
    deep.meeting += 1
    deep.met[node] = deep.meeting
    deep.stack[0] = node
    height = 1
    digest = stir((digest * 31) & DIGEST, 2 * NODES + node)
    while height:
        height -= 1
        node = deep.stack[height]
        digest = stir(digest, node)
        cause = widen(deep.causes[branch_tree, node]) % CLASH
        if node < OFF and cause >= NAKED:
            need_cause(grid, forest, node, cause)
        height = push_parents(forest.scratch, deep, branch_tree, node, height)
    return digest
