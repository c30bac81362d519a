"""Producers 21 and up: what the best chain hint does to the grid."""

from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.se.aligned import aligned_triplet
from workers.engines.sudoku.se.basic import Desk
from workers.engines.sudoku.se.branches import branch, grow_all
from workers.engines.sudoku.se.forcing import forcing_chains, retrace
from workers.engines.sudoku.se.grid import (
    CHAIN,
    NOT,
    Grid,
    Hint,
    call,
    clear,
    follow_chain,
    place_by,
    removes,
    see,
    widen,
)
from workers.engines.sudoku.se.links import NO, OFF, link
from workers.engines.sudoku.se.names import (
    CELL_CHAINS,
    CONTRADICTION,
    DOUBLE,
    DYNAMIC_CELL,
    DYNAMIC_REGION,
    NISHIO,
    REGION_CHAINS,
    X_CHAIN,
    X_CYCLE,
    XY_CHAIN,
    XY_CYCLE,
    Y_CYCLE,
)
from workers.engines.sudoku.se.picks import (
    NONE,
    SORT_CELL,
    SORT_CONTRADICTION,
    SORT_DOUBLE,
    SORT_UNIT,
    SORT_X,
    SORT_Y,
    reset,
)
from workers.engines.sudoku.se.room import Room


@kernel
def chain_hint(grid: Grid, hint: Hint, desk: Desk, room: Room) -> bool:
    """Fill in the first hint of the first of producers 21 to 25 that has one."""
    link(grid, room.links)
    if forcing_hint(grid, hint, room) or aligned_triplet(grid, hint, desk.bases):
        return True
    for producer in range(23, 26):
        if branch_hint(grid, hint, room, producer):
            return True
    return False


@kernel
def forcing_hint(grid: Grid, hint: Hint, room: Room) -> bool:
    """The first hint of producer 21."""
    picks = room.picks
    reset(picks, NOT)
    forcing_chains(grid, room.links, room.walk, picks)
    if picks.rating[0] == NONE:
        return False
    clear(hint)
    if picks.source[0] == NO:
        for cell in range(81):
            removes(grid, hint, cell, picks.cycle_removed[0, cell])
        for k in range(picks.cycle_length[0] - 1, -1, -1):
            follow_chain(hint, picks.cycle[0, k])
        technique = X_CYCLE if picks.form[0] == SORT_X else XY_CYCLE
        if picks.form[0] == SORT_Y:
            technique = Y_CYCLE
    else:
        conclude(grid, hint, picks.target[0])
        tell_chain(hint, room)
        technique = X_CHAIN if picks.form[0] == SORT_X else XY_CHAIN
    return call(hint, technique, picks.rating[0])


@kernel
def conclude(grid: Grid, hint: Hint, target: int) -> None:
    """Let the hint do what node `target` says."""
    cell, digit = target % OFF // 9, target % 9
    if target >= OFF:
        removes(grid, hint, cell, 1 << digit)
    else:
        removes(grid, hint, cell, ~(1 << digit))
        place_by(hint, cell, digit)


@kernel
def branch_hint(grid: Grid, hint: Hint, room: Room, producer: int) -> bool:
    """The first hint of producers 23 to 25."""
    picks = room.picks
    reset(picks, NOT)
    base = 7.5 if producer == 23 else 8.0 if producer == 24 else 8.5
    room.forest.dynamic = 0 if producer == 24 else 1
    room.forest.y = 0 if producer == 23 else 1
    grow_all(grid, room.links, room.forest)
    branch(grid, room.forest, picks, base)
    if picks.rating[0] == NONE:
        return False
    clear(hint)
    conclude(grid, hint, picks.target[0])
    tell_branches(hint, room)
    sort = picks.form[0]
    technique = DYNAMIC_CELL if sort == SORT_CELL else DYNAMIC_REGION
    if producer == 23:
        technique = NISHIO
    elif producer == 24:
        technique = CELL_CHAINS if sort == SORT_CELL else REGION_CHAINS
    elif sort == SORT_CONTRADICTION:
        technique = CONTRADICTION
    elif sort == SORT_DOUBLE:
        technique = DOUBLE
    return call(hint, technique, picks.rating[0])


@kernel
def tell_chain(hint: Hint, room: Room) -> None:
    """Note the nodes of a chain from its start to its end in the hint."""
    picks, walk = room.picks, room.walk
    retrace(room.links, walk, picks.form[0], picks.source[0], picks.target[0])
    node, length = picks.target[0], picks.complexity[0]
    for k in range(min(length, CHAIN)):
        hint.chain[length - 1 - k] = node
        node = widen(walk.parent[node])
    hint.n_chain = min(length, CHAIN)


@kernel
def tell_branches(hint: Hint, room: Room) -> None:
    """Note in the hint what is assumed: a node, a candidate, a cell or a digit's places."""
    picks = room.picks
    sort, source = picks.form[0], picks.source[0]
    if sort == SORT_CELL:
        see(hint, source)
    elif sort == SORT_UNIT:
        hint.unit = source // 9
        hint.digits = 1 << (source % 9)
    else:
        follow_chain(hint, source)
        if sort == SORT_CONTRADICTION:
            follow_chain(hint, room.forest.clash[source])
            follow_chain(hint, room.forest.clash[source] + OFF)
        else:
            follow_chain(hint, source + OFF)
