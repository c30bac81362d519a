"""What a candidate being there, or not being there, implies: nodes, direct links, closure.

Groups are nodes of their own. All links hold both ways round: when a leads to b, then not b
leads to not a. Nodes, rows and tables are described in ../web.py.
"""

import numpy as np

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import POSITIONS, Board
from workers.engines.sudoku.geometry import CELL_UNITS, PEERS, UNITS
from workers.engines.sudoku.web import Web

ONE = np.uint64(1)
NONE = np.uint64(0)

LINE, BOX, IN_LINE, IN_BOX = range(4)


@kernel
def on(web: Web, candidate: int) -> int:
    """Node of a candidate being there."""
    return int(web.ids[candidate])


@kernel
def off(web: Web, candidate: int) -> int:
    """Node of a candidate not being there."""
    return 64 * web.span + int(web.ids[candidate])


@kernel
def group_on(web: Web, group: int) -> int:
    """Node of a group being there."""
    return 128 * web.span + group


@kernel
def group_off(web: Web, group: int) -> int:
    """Node of a group not being there."""
    return 128 * web.span + 64 * web.group_span + group


@kernel
def follows(web: Web, node: int, other: int) -> bool:
    """Whether `other` is in the row of `node`."""
    word = web.rows[node * web.length + (other >> 6)]
    return bool((word >> np.uint64(other & 63)) & ONE)


@kernel
def add(web: Web, node: int, other: int) -> None:
    """Put `other` into the row of `node`."""
    web.rows[node * web.length + (other >> 6)] |= ONE << np.uint64(other & 63)


@kernel
def append(web: Web, table: int, node: int) -> None:
    """Put `node`, unless it is there, into the row of `table`, and record its pending reasons."""
    if follows(web, table, node):
        return
    add(web, table, node)
    if not web.recording or web.entries >= len(web.entry):
        return
    start, at = web.first_entry[table], web.entries
    web.position[node] = at - start
    web.entry[at] = node
    web.cost[at] = 1 if at == start else web.cost[start + web.pending[0]] + 1
    for k in range(len(web.pending)):
        web.reasons[at, k] = web.pending[k]
    web.entries += 1


@kernel
def number(board: Board, web: Web) -> None:
    """Number candidates, groups and nodes of the position; rows become empty."""
    count = 0
    for cell in range(81):
        rest = board.cells[cell]
        while rest:
            candidate = 9 * cell + lowest(rest)
            rest &= rest - 1
            web.ids[candidate] = count
            web.candidate[count] = candidate
            count += 1
    web.candidates = count
    number_groups(board, web)
    web.span = (count + 63) // 64
    web.group_span = (web.groups + 63) // 64
    web.length = 2 * (web.span + web.group_span)
    web.nodes = 0
    for half in range(2):
        for k in range(count):
            web.node[web.nodes] = 64 * web.span * half + k
            web.nodes += 1
    for half in range(2):
        for k in range(web.groups):
            web.node[web.nodes] = 128 * web.span + 64 * web.group_span * half + k
            web.nodes += 1
    for word in range(64 * web.length * web.length):
        web.rows[word] = NONE
    web.entries = 0
    number_sets(board, web)


@kernel
def number_groups(board: Board, web: Web) -> None:
    """List the groups: by digit, then row groups before column groups, each line by line."""
    count = 0
    for digit in range(9):
        web.first_group[digit] = count
        for line in range(18):
            for third in range(3):
                in_line = board.places[line, digit] & (7 << (3 * third))
                if popcount(in_line) < 2:
                    continue
                cell = UNITS[line, lowest(in_line)]
                web.group[count, LINE] = line
                web.group[count, BOX] = CELL_UNITS[cell, 2]
                web.group[count, IN_LINE] = in_line
                web.group[count, IN_BOX] = 0
                while in_line:
                    cell = UNITS[line, lowest(in_line)]
                    in_line &= in_line - 1
                    web.group[count, IN_BOX] |= 1 << POSITIONS[cell, 2]
                count += 1
    web.first_group[9] = web.groups = count


@kernel
def number_sets(board: Board, web: Web) -> None:
    """List what must have one of its candidates: unsolved cells, then units by digit."""
    sets = members = 0
    for cell in range(81):
        rest = board.cells[cell]
        if rest:
            web.first_member[sets] = members
            web.whole[sets] = 1
            sets += 1
        while rest:
            web.member[members] = web.ids[9 * cell + lowest(rest)]
            rest &= rest - 1
            members += 1
    web.cells = sets
    for unit in range(27):
        for digit in range(9):
            places = board.places[unit, digit]
            if not places:
                continue
            web.first_member[sets] = members
            web.whole[sets] = 1 if places == unseen(board, unit, digit) else 0
            sets += 1
            while places:
                web.member[members] = web.ids[9 * UNITS[unit, lowest(places)] + digit]
                places &= places - 1
                members += 1
    web.first_member[sets] = members
    web.sets = sets


@kernel
def unseen(board: Board, unit: int, digit: int) -> int:
    """Positions of the unsolved cells of `unit` that no placed `digit` sees."""
    seen = 0
    rest = board.unsolved[unit]
    while rest:
        position = lowest(rest)
        rest &= rest - 1
        for k in range(20):
            if board.values[PEERS[UNITS[unit, position], k]] == digit + 1:
                seen |= 1 << position
    return int(board.unsolved[unit]) & ~seen


@kernel
def link_candidates(board: Board, web: Web) -> None:
    """Direct links among candidates, and between candidates and groups, into the rows."""
    for k in range(web.candidates):
        candidate = web.candidate[k]
        cell, digit = candidate // 9, candidate % 9
        append(web, on(web, candidate), on(web, candidate))
        append(web, off(web, candidate), off(web, candidate))
        rest = board.cells[cell] & ~(1 << digit)
        link_rest(web, candidate, 9 * cell, 1, rest)
        for u in range(3):
            unit = CELL_UNITS[cell, u]
            rest = board.places[unit, digit] & ~(1 << POSITIONS[cell, u])
            only = rest & (rest - 1) == 0
            while rest:
                other = 9 * UNITS[unit, lowest(rest)] + digit
                rest &= rest - 1
                append(web, on(web, candidate), off(web, other))
                if only:
                    append(web, off(web, candidate), on(web, other))
        link_to_groups(board, web, candidate, True)
        link_to_groups(board, web, candidate, False)


@kernel
def link_rest(web: Web, candidate: int, base: int, step: int, rest: int) -> None:
    """A candidate excludes the others of its cell; if there is one only, one of them is."""
    only = rest & (rest - 1) == 0
    while rest:
        other = base + step * lowest(rest)
        rest &= rest - 1
        append(web, on(web, candidate), off(web, other))
        if only:
            append(web, off(web, candidate), on(web, other))


@kernel
def link_to_groups(board: Board, web: Web, candidate: int, there: bool) -> None:
    """Direct links from a candidate, there or not there, to the groups that it sees."""
    cell, digit = candidate // 9, candidate % 9
    for group in range(web.first_group[digit], web.first_group[digit + 1]):
        line, box = web.group[group, LINE], web.group[group, BOX]
        in_line = CELL_UNITS[cell, 0] == line or CELL_UNITS[cell, 1] == line
        in_box = CELL_UNITS[cell, 2] == box
        if in_line == in_box:
            continue  # sees nothing of the group, or belongs to it
        if there:
            append(web, on(web, candidate), group_off(web, group))
            continue
        rest = board.places[box, digit] & ~web.group[group, IN_BOX]
        if in_line:
            rest = board.places[line, digit] & ~web.group[group, IN_LINE]
        if rest & (rest - 1) == 0:
            append(web, off(web, candidate), group_on(web, group))


@kernel
def link_groups(board: Board, web: Web) -> None:
    """Direct links from all groups, each a table of its own."""
    for digit in range(9):
        for group in range(web.first_group[digit], web.first_group[digit + 1]):
            for there in range(2):
                table = group_on(web, group) if there else group_off(web, group)
                web.first_entry[table] = web.entries
                append(web, table, table)
                if there:
                    link_group_on(board, web, group, digit)
                else:
                    link_group_off(board, web, group, digit)
                web.last_entry[table] = web.entries


@kernel
def link_group_on(board: Board, web: Web, group: int, digit: int) -> None:
    """A group excludes what sees all of it: candidates, then groups."""
    line, box = web.group[group, LINE], web.group[group, BOX]
    table = group_on(web, group)
    for cell in range(81):
        in_line = CELL_UNITS[cell, 0] == line or CELL_UNITS[cell, 1] == line
        in_box = CELL_UNITS[cell, 2] == box
        if in_line != in_box and (board.cells[cell] >> digit) & 1:
            append(web, table, off(web, 9 * cell + digit))
    for other in range(web.first_group[digit], web.first_group[digit + 1]):
        same_line, same_box = web.group[other, LINE] == line, web.group[other, BOX] == box
        apart = not web.group[other, IN_BOX] & web.group[group, IN_BOX]
        if (same_line and not same_box) or (same_box and apart and not same_line):
            append(web, table, group_off(web, other))


@kernel
def link_group_off(board: Board, web: Web, group: int, digit: int) -> None:
    """Without the group the rest of its box, of its line, must have the digit."""
    line, box = web.group[group, LINE], web.group[group, BOX]
    table = group_off(web, group)
    in_box = board.places[box, digit] & ~web.group[group, IN_BOX]
    in_line = board.places[line, digit] & ~web.group[group, IN_LINE]
    if in_box and in_box & (in_box - 1) == 0:
        append(web, table, on(web, 9 * UNITS[box, lowest(in_box)] + digit))
    if in_line and in_line & (in_line - 1) == 0:
        append(web, table, on(web, 9 * UNITS[line, lowest(in_line)] + digit))
    for side in range(2):
        partner = -1
        partners = 0
        for other in range(web.first_group[digit], web.first_group[digit + 1]):
            same_line, same_box = web.group[other, LINE] == line, web.group[other, BOX] == box
            if same_line and same_box:
                continue
            if side == 0 and same_line and web.group[other, IN_LINE] == in_line:
                partner = other
            if side == 1 and same_box and web.group[other, IN_BOX] == in_box:
                partner = other
            apart = not web.group[other, IN_BOX] & web.group[group, IN_BOX]
            partners += same_line if side == 0 else same_box and apart
        if partners == 1 and partner >= 0:
            append(web, table, group_on(web, partner))
