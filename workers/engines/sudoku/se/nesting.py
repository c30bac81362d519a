"""Producers 26 to 30: dynamic chains that use patterns and further chains."""

from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.se.branches import branch
from workers.engines.sudoku.se.chaining import conclude, tell_branches
from workers.engines.sudoku.se.grid import NOT, Grid, Hint, call, clear, widen
from workers.engines.sudoku.se.links import OFF
from workers.engines.sudoku.se.names import DYNAMIC_PLUS
from workers.engines.sudoku.se.nested import grow_plus
from workers.engines.sudoku.se.picks import NONE, reset
from workers.engines.sudoku.se.room import Room


@kernel
def prepare(room: Room) -> None:
    """Get ready to grow the trees of one of these producers."""
    forest = room.forest
    forest.dynamic = forest.y = 1
    forest.n_found = forest.n_pool = forest.n_nests = forest.full = 0


@kernel
def grow_some(grid: Grid, room: Room, inner: Room, innermost: Room, level: int,
              part: tuple[int, int]) -> None:  # fmt: skip
    """Grow the trees of the candidates numbered part[0] to part[1] - 1, ON and OFF."""
    for k in range(part[0], min(part[1], room.links.n)):
        tree = widen(room.links.ids[k])
        grow_plus(grid, room, inner, tree, level)
        grow_plus(grid, room, inner, tree + OFF, level)


@kernel
def nested_hint(grid: Grid, hint: Hint, room: Room, level: int) -> bool:
    """The first hint of producers 26 to 30, of trees that were grown."""
    reset(room.picks, NOT)
    branch(grid, room.forest, room.picks, 8.5 + 0.5 * level)
    if room.picks.rating[0] == NONE:
        return False
    clear(hint)
    conclude(grid, hint, room.picks.target[0])
    tell_branches(hint, room)
    return call(hint, DYNAMIC_PLUS + level - 1, room.picks.rating[0])
