"""Base sets of fish in rows, columns and boxes, and a quick proof that one is hopeless.

A place that falls lies in the cover (in two cover units, if it is in the base itself) and sees
all fins. So a base leads to a fish only if there is a place, a cover unit through it, and further
cover units that hold all cells of the base that the place does not see. It is checked for every
place, from the first base unit on: what is hopeless for a few units stays so when more join.
"""

from typing import Final

from workers.engines.machine.bits import lowest
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.geometry import CELL_UNITS
from workers.engines.sudoku.shoal import Shoal
from workers.engines.sudoku.techniques.sets import LOW, PEERS_HIGH, PEERS_LOW, size_of

MOST_ENDO_FINS: Final = 2


@kernel
def next_base(shoal: Shoal, again: int) -> bool:
    """Go on to the next set of base units that is not hopeless, in lexicographic order.

    `again` is 0 for the first set and 1 for the next; False when there is no further one.
    """
    last = shoal.extent - 1
    depth = last
    if not again:
        depth = 0
        shoal.base_picks[0] = -1
        shoal.taken = 0
    while depth >= 0:
        pick = shoal.base_picks[depth]
        if pick >= 0 and (depth == 0 or pick > shoal.base_picks[depth - 1]):
            shoal.taken &= ~(1 << shoal.base_units[pick])
        pick += 1
        shoal.base_picks[depth] = pick
        if pick > shoal.base_count - 1 - last + depth:
            depth -= 1
            continue
        shoal.taken |= 1 << shoal.base_units[pick]
        if not add_base(shoal, depth):
            continue
        if depth == last:
            return True
        depth += 1
        shoal.base_picks[depth] = pick
    return False


@kernel
def add_base(shoal: Shoal, depth: int) -> bool:
    """Add the base unit picked at `depth` to those before; False when that is hopeless."""
    unit = shoal.base_units[shoal.base_picks[depth]]
    low, high = shoal.unit_cells[unit, 0], shoal.unit_cells[unit, 1]
    shared_low = shared_high = endo_low = endo_high = endo_sum = 0
    alive_low, alive_high = shoal.places[0], shoal.places[1]
    body_low, body_high = low, high
    if depth > 0:
        shared_low, shared_high = low & shoal.body[depth - 1, 0], high & shoal.body[depth - 1, 1]
        endo_sum = shoal.endo_sum[depth - 1] + size_of(shared_low, shared_high)
        if endo_sum > MOST_ENDO_FINS * shoal.finned:
            return False
        body_low |= shoal.body[depth - 1, 0]
        body_high |= shoal.body[depth - 1, 1]
        endo_low = shoal.endo[depth - 1, 0] | shared_low
        endo_high = shoal.endo[depth - 1, 1] | shared_high
        alive_low, alive_high = shoal.alive[depth - 1, 0], shoal.alive[depth - 1, 1]
    if shoal.finned:
        alive_low, alive_high = seeing_all(alive_low, alive_high, shared_low, shared_high)
        alive_low, alive_high = hopeful(shoal, (alive_low, alive_high), (body_low, body_high))
        if alive_low | alive_high == 0:
            return False
    elif not coverable(shoal, body_low, body_high, shoal.extent):
        return False
    shoal.body[depth, 0], shoal.body[depth, 1] = body_low, body_high
    shoal.endo[depth, 0], shoal.endo[depth, 1] = endo_low, endo_high
    shoal.alive[depth, 0], shoal.alive[depth, 1] = alive_low, alive_high
    shoal.endo_sum[depth] = endo_sum
    return True


@kernel
def seeing_all(low: int, high: int, seen_low: int, seen_high: int) -> tuple[int, int]:
    """The cells of a set that see all cells of another."""
    while seen_low:
        cell = lowest(seen_low)
        seen_low &= seen_low - 1
        low &= PEERS_LOW[cell]
        high &= PEERS_HIGH[cell]
    while seen_high:
        cell = LOW + lowest(seen_high)
        seen_high &= seen_high - 1
        low &= PEERS_LOW[cell]
        high &= PEERS_HIGH[cell]
    return low, high


@kernel
def hopeful(shoal: Shoal, alive: tuple[int, int], body: tuple[int, int]) -> tuple[int, int]:
    """The cells of `alive` for which a cover of all that they do not see of `body` exists."""
    kept_low = kept_high = 0
    for half in range(2):
        word = alive[half]
        while word:
            bit = word & -word
            cell = LOW * half + lowest(word)
            word ^= bit
            inside = bool(body[half] & bit)
            need = (body[0] & ~PEERS_LOW[cell], body[1] & ~PEERS_HIGH[cell])
            if covered_with(shoal, cell, need, inside):
                if half:
                    kept_high |= bit
                else:
                    kept_low |= bit
    return kept_low, kept_high


@kernel
def covered_with(shoal: Shoal, cell: int, need: tuple[int, int], inside: bool) -> bool:
    """Whether `need` has a cover with one unit of `cell` in it, or two if the cell is `inside`."""
    free = shoal.allowed & ~shoal.taken
    left = shoal.extent - 1 - inside
    for k in range(3):
        # one unit, or all but one: of three units there are as many pairs
        unit, other = CELL_UNITS[cell, k], CELL_UNITS[cell, (k + 1) % 3]
        if not (free >> unit) & 1 or (inside and not (free >> other) & 1):
            continue
        low, high = need[0] & ~shoal.unit_cells[unit, 0], need[1] & ~shoal.unit_cells[unit, 1]
        if inside:
            low &= ~shoal.unit_cells[other, 0]
            high &= ~shoal.unit_cells[other, 1]
        if coverable(shoal, low, high, left):
            return True
    return False


@kernel
def coverable(shoal: Shoal, low: int, high: int, units: int) -> bool:
    """Whether `units` units that may be cover and are not base hold all cells of a set."""
    free = shoal.allowed & ~shoal.taken
    need, turn = shoal.need, shoal.turn
    need[0, 0], need[0, 1] = low, high
    turn[0] = depth = 0
    while depth >= 0:
        low, high = need[depth, 0], need[depth, 1]
        if low | high == 0:
            return True
        if depth == units or turn[depth] == 3:
            depth -= 1
            continue
        cell = lowest(low) if low else LOW + lowest(high)
        unit = CELL_UNITS[cell, turn[depth]]
        turn[depth] += 1
        if (free >> unit) & 1:
            depth += 1
            need[depth, 0] = low & ~shoal.unit_cells[unit, 0]
            need[depth, 1] = high & ~shoal.unit_cells[unit, 1]
            turn[depth] = 0
    return False
