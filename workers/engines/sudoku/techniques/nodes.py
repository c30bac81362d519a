"""Candidates and groups as nodes, and what follows at once from each being there or not.

The order of the direct implications is stated in facts/loops.md; it decides which of several
shortest chains is found. Groups come last, so leaving them out changes nothing else.
"""

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import Board
from workers.engines.sudoku.geometry import CELL_UNITS, UNITS
from workers.engines.sudoku.links import SPAN, Links
from workers.engines.sudoku.techniques.sets import (
    LOW,
    NEIGHBOURS,
    PEERS_HIGH,
    PEERS_LOW,
    UNITS_HIGH,
    UNITS_LOW,
    admitting,
    single,
    size_of,
)


@kernel
def same_state(board: Board, links: Links, grouped: bool) -> bool:
    """Whether `links` are of this position; makes it so for the next call."""
    same = links.grouped == int(grouped)
    links.grouped = int(grouped)
    for cell in range(81):
        if links.state[cell] != board.cells[cell]:
            links.state[cell] = board.cells[cell]
            same = False
    return bool(same)


@kernel
def name_nodes(board: Board, links: Links, grouped: bool) -> None:
    """Number the candidates, then the groups: of rows first, by line, digit and box."""
    for digit in range(9):
        low, high = admitting(board, digit)
        links.admitting[digit, 0], links.admitting[digit, 1] = low, high
    count = 0
    for cell in range(81):
        low, high = single(cell)
        digits = board.cells[cell]
        while digits:
            candidate = 9 * cell + lowest(digits)
            digits &= digits - 1
            links.number[candidate] = count
            links.candidate[count] = candidate
            links.extent[count, 0], links.extent[count, 1] = low, high
            links.sight[count, 0], links.sight[count, 1] = PEERS_LOW[cell], PEERS_HIGH[cell]
            count += 1
    links.candidates = links.nodes = count
    if grouped:
        for line in range(18):
            for digit in range(9):
                for third in range(3):
                    name_group(board, links, line, digit, third)
    links.words = (links.nodes + SPAN - 1) // SPAN
    count = 0
    for digit in range(9):
        links.first_group[digit] = count
        for group in range(links.candidates, links.nodes):
            if links.candidate[group] % 9 == digit:
                links.groups[count] = group
                count += 1
    links.first_group[9] = count


@kernel
def name_group(board: Board, links: Links, line: int, digit: int, third: int) -> None:
    """Add the group of `digit` in a third of a row or column, if there is one."""
    places = (board.places[line, digit] >> (3 * third)) & 7
    if places & (places - 1) == 0:
        return
    node = links.nodes
    links.nodes += 1
    cell = UNITS[line, 3 * third + lowest(places)]
    links.candidate[node] = 9 * cell + digit
    links.line[node] = line
    links.box[node] = CELL_UNITS[cell, 2]
    low = high = 0
    sight_low = sight_high = -1
    while places:
        cell = UNITS[line, 3 * third + lowest(places)]
        places &= places - 1
        one_low, one_high = single(cell)
        low |= one_low
        high |= one_high
        sight_low &= PEERS_LOW[cell]
        sight_high &= PEERS_HIGH[cell]
    links.extent[node, 0], links.extent[node, 1] = low, high
    links.sight[node, 0], links.sight[node, 1] = sight_low, sight_high


@kernel
def link_nodes(board: Board, links: Links) -> None:
    """List the direct implications of all propositions."""
    count = 0
    for proposition in range(2 * links.nodes):
        links.edge_start[proposition] = count
        node = proposition % links.nodes
        if node >= links.candidates:
            if proposition < links.nodes:
                count = group_on(links, node, count)
            else:
                count = group_off(links, node, count)
        elif proposition < links.nodes:
            count = candidate_on(board, links, node, count)
        else:
            count = candidate_off(board, links, node, count)
    links.edge_start[2 * links.nodes] = count


@kernel
def candidate_on(board: Board, links: Links, node: int, count: int) -> int:
    """The rest of the cell and all other places that it sees go, then the groups it sees."""
    cell, digit = links.candidate[node] // 9, links.candidate[node] % 9
    others = board.cells[cell] & ~(1 << digit)
    while others:
        links.edges[count] = links.nodes + links.number[9 * cell + lowest(others)]
        others &= others - 1
        count += 1
    for k in range(20):
        peer = NEIGHBOURS[cell, k]
        if (board.cells[peer] >> digit) & 1:
            links.edges[count] = links.nodes + links.number[9 * peer + digit]
            count += 1
    for k in range(links.first_group[digit], links.first_group[digit + 1]):
        group = links.groups[k]
        if holds(links, group, cell):
            links.edges[count] = links.nodes + group
            count += 1
    return int(count)


@kernel
def holds(links: Links, group: int, cell: int) -> bool:
    """Whether `cell` sees all cells of the group."""
    low, high = single(cell)
    return bool(links.sight[group, 0] & low | links.sight[group, 1] & high)


@kernel
def candidate_off(board: Board, links: Links, node: int, count: int) -> int:
    """The other of two candidates, the other of two places, or the group that has the others."""
    cell, digit = links.candidate[node] // 9, links.candidate[node] % 9
    others = board.cells[cell] & ~(1 << digit)
    if popcount(others) == 1:
        links.edges[count] = links.number[9 * cell + lowest(others)]
        count += 1
    start = count
    low, high = single(cell)
    for k in range(3):
        unit = CELL_UNITS[cell, k]
        rest_low = links.admitting[digit, 0] & UNITS_LOW[unit] & ~low
        rest_high = links.admitting[digit, 1] & UNITS_HIGH[unit] & ~high
        if size_of(rest_low, rest_high) == 1:
            count = add_once(links, digit, (rest_low, rest_high), (start, count))
    for k in range(links.first_group[digit], links.first_group[digit + 1]):
        group = links.groups[k]
        if not holds(links, group, cell):
            continue
        for unit in (links.box[group], links.line[group]):
            rest_low = links.admitting[digit, 0] & UNITS_LOW[unit] & ~links.extent[group, 0]
            rest_high = links.admitting[digit, 1] & UNITS_HIGH[unit] & ~links.extent[group, 1]
            if rest_low == low and rest_high == high:
                links.edges[count] = group
                count += 1
                break
    return int(count)


@kernel
def add_once(links: Links, digit: int, place: tuple[int, int], edges: tuple[int, int]) -> int:
    """Add ON of the one place of `digit` in a set, unless it is among the edges already."""
    low, high = place
    start, count = edges
    cell = lowest(low) if low else LOW + lowest(high)
    node = links.number[9 * cell + digit]
    for edge in range(start, count):
        if links.edges[edge] == node:
            return int(count)
    links.edges[count] = node
    return int(count + 1)


@kernel
def group_on(links: Links, node: int, count: int) -> int:
    """All places of the digit that see the group go, then the groups beside it."""
    digit = links.candidate[node] % 9
    for half in range(2):
        word = links.admitting[digit, half] & links.sight[node, half]
        while word:
            cell = half * LOW + lowest(word)
            word &= word - 1
            links.edges[count] = links.nodes + links.number[9 * cell + digit]
            count += 1
    for k in range(links.first_group[digit], links.first_group[digit + 1]):
        other = links.groups[k]
        if apart(links, node, other) and (
            links.line[other] == links.line[node] or links.box[other] == links.box[node]
        ):
            links.edges[count] = links.nodes + other
            count += 1
    return int(count)


@kernel
def apart(links: Links, node: int, other: int) -> bool:
    """Whether two groups of a digit have no common cell."""
    low = links.extent[node, 0] & links.extent[other, 0]
    high = links.extent[node, 1] & links.extent[other, 1]
    return bool(low | high == 0)


@kernel
def group_off(links: Links, node: int, count: int) -> int:
    """The one place left beside the group, in the box, in the line; or the one group left."""
    digit = links.candidate[node] % 9
    start = count
    for unit in (links.box[node], links.line[node]):
        low = links.admitting[digit, 0] & UNITS_LOW[unit] & ~links.extent[node, 0]
        high = links.admitting[digit, 1] & UNITS_HIGH[unit] & ~links.extent[node, 1]
        if size_of(low, high) == 1:
            count = add_once(links, digit, (low, high), (start, count))
    for unit in (links.line[node], links.box[node]):
        found = -1
        groups = 0
        for k in range(links.first_group[digit], links.first_group[digit + 1]):
            other = links.groups[k]
            if unit in (links.line[other], links.box[other]) and apart(links, node, other):
                groups += 1
                found = other
        if groups == 1:
            low = links.admitting[digit, 0] & UNITS_LOW[unit]
            high = links.admitting[digit, 1] & UNITS_HIGH[unit]
            if low == (links.extent[node, 0] | links.extent[found, 0]) and high == (
                links.extent[node, 1] | links.extent[found, 1]
            ):
                links.edges[count] = found
                count += 1
    return int(count)
