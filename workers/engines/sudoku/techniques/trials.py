"""Tables of forcing nets: a premise is played on a scratch position, singles follow for a while.

The scratch is a simpler thing than a board, and where the premise is wrong it goes wrong in its
own way, which decides what is found; facts/forcing.md says how. Four rounds of singles are
played, each as it stood when the round began.
"""

from typing import Final

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import Board
from workers.engines.sudoku.geometry import CELL_UNITS, PEERS, UNITS
from workers.engines.sudoku.techniques.implications import (
    append,
    follows,
    link_to_groups,
    off,
    on,
)
from workers.engines.sudoku.web import Web

ROUNDS: Final = 4


@kernel
def try_all(board: Board, web: Web) -> None:
    """Fill the tables of all candidates, there and not there, and with the groups they see."""
    for unit in range(27):
        for digit in range(9):
            web.start_counts[unit, digit] = popcount(board.places[unit, digit])
    for k in range(web.candidates):
        candidate = web.candidate[k]
        for there in (True, False):
            table = on(web, candidate) if there else off(web, candidate)
            web.first_entry[table] = web.entries
            play(board, web, table, candidate, there)
            no_reasons(web)
            link_to_groups(board, web, candidate, there)
            web.last_entry[table] = web.entries


@kernel
def play(board: Board, web: Web, table: int, candidate: int, there: bool) -> None:
    """Play one premise and the singles that follow."""
    for cell in range(81):
        web.values[cell] = board.values[cell]
        web.masks[cell] = board.cells[cell]
    for unit in range(27):
        for digit in range(9):
            web.counts[unit, digit] = web.start_counts[unit, digit]
    web.naked_tail = web.hidden_tail = 0
    no_reasons(web)
    if there:
        record(board, web, table, candidate, -1)
    else:
        cell = candidate // 9
        take(web, cell, candidate % 9)
        append(web, table, table)
        mask = web.masks[cell]
        if mask and mask & (mask - 1) == 0:
            record(board, web, table, 9 * cell + lowest(mask), -1)
    for _ in range(ROUNDS):
        singles = list_singles(web)
        if singles == 0:
            break
        for k in range(singles):
            single = web.single[k]
            if single >= 0:
                naked_reasons(board, web, table, single)
                record(board, web, table, single, -1)
            else:
                record(board, web, table, -1 - single, smallest_unit(web, -1 - single))


@kernel
def no_reasons(web: Web) -> None:
    """The next entry follows from the premise alone."""
    for k in range(len(web.pending)):
        web.pending[k] = 0


@kernel
def list_singles(web: Web) -> int:
    """List what the queues hold for unsolved cells, naked singles first; hidden as -1 - c."""
    count = 0
    web.turn += 1
    for k in range(web.naked_tail):
        candidate = web.naked[k]
        if web.values[candidate // 9] == 0:
            web.single[count] = candidate
            count += 1
    for k in range(web.hidden_tail):
        candidate = web.hidden[k]
        if candidate < 0:
            continue
        cell, digit = candidate // 9, candidate % 9
        if web.values[cell] or web.listed[cell] == web.turn:
            continue
        for u in range(3):
            if web.counts[CELL_UNITS[cell, u], digit] == 1:
                web.single[count] = -1 - candidate
                count += 1
                web.listed[cell] = web.turn
                break
    return count


@kernel
def smallest_unit(web: Web, candidate: int) -> int:
    """The unit of the cell in which the digit has the fewest places left on the scratch."""
    cell, digit = candidate // 9, candidate % 9
    best = int(CELL_UNITS[cell, 0])
    for u in range(1, 3):
        unit = int(CELL_UNITS[cell, u])
        if web.counts[unit, digit] < web.counts[best, digit]:
            best = unit
    return best


@kernel
def naked_reasons(board: Board, web: Web, table: int, candidate: int) -> None:
    """The other candidates of the cell are gone."""
    no_reasons(web)
    cell, count = candidate // 9, 0
    rest = board.cells[cell] & ~(1 << candidate % 9)
    while rest and count < len(web.pending):
        count = add_reason(web, table, count, 9 * cell + lowest(rest))
        rest &= rest - 1


@kernel
def hidden_reasons(board: Board, web: Web, table: int, candidate: int, unit: int) -> None:
    """The other places of the digit in `unit` are gone."""
    no_reasons(web)
    digit, count = candidate % 9, 0
    rest = board.places[unit, digit]
    while rest and count < len(web.pending):
        other = 9 * UNITS[unit, lowest(rest)] + digit
        rest &= rest - 1
        if other != candidate:
            count = add_reason(web, table, count, other)


@kernel
def add_reason(web: Web, table: int, count: int, candidate: int) -> int:
    """Let reason number `count` be that a candidate is gone: its position, or 0; count + 1."""
    node = off(web, candidate)
    web.pending[count] = web.position[node] if follows(web, table, node) else 0
    return count + 1


@kernel
def record(board: Board, web: Web, table: int, candidate: int, unit: int) -> None:
    """Place a candidate on the scratch and enter it with all that it excludes.

    `unit`: where it is a hidden single; -1: the reasons are pending.
    """
    cell, digit = candidate // 9, candidate % 9
    rest = web.masks[cell] & ~(1 << digit)
    if unit >= 0:
        hidden_reasons(board, web, table, candidate, unit)
    put(web, cell, digit)
    at = web.entries - web.first_entry[table]
    append(web, table, on(web, candidate))
    no_reasons(web)
    web.pending[0] = at
    for k in range(20):
        peer = PEERS[cell, k]
        if (board.cells[peer] >> digit) & 1:
            append(web, table, off(web, 9 * peer + digit))
    while rest:
        append(web, table, off(web, 9 * cell + lowest(rest)))
        rest &= rest - 1


@kernel
def put(web: Web, cell: int, digit: int) -> None:
    """Give a cell of the scratch a value, another one than it may have had."""
    if web.values[cell] == digit + 1:
        return
    web.values[cell] = digit + 1
    rest = web.masks[cell]
    web.masks[cell] = 0
    for k in range(20):
        if (web.masks[PEERS[cell, k]] >> digit) & 1:
            take(web, PEERS[cell, k], digit)
    while rest:
        other = lowest(rest)
        rest &= rest - 1
        for u in range(3):
            unit = CELL_UNITS[cell, u]
            web.counts[unit, other] -= 1
            if web.counts[unit, other] == 1 and other != digit:
                queue_hidden(web, unit, other)


@kernel
def take(web: Web, cell: int, digit: int) -> None:
    """Take a candidate from the scratch; after the last one of a cell nothing is counted."""
    mask = web.masks[cell]
    if not (mask >> digit) & 1:
        return
    mask ^= 1 << digit
    web.masks[cell] = mask
    if mask == 0:
        return
    if mask & (mask - 1) == 0:
        web.naked[web.naked_tail] = 9 * cell + lowest(mask)
        web.naked_tail += 1
    for u in range(3):
        unit = CELL_UNITS[cell, u]
        web.counts[unit, digit] -= 1
        if web.counts[unit, digit] == 1:
            queue_hidden(web, unit, digit)
        elif web.counts[unit, digit] == 0:
            drop_hidden(web, unit, digit)


@kernel
def queue_hidden(web: Web, unit: int, digit: int) -> None:
    """Queue the first cell of `unit` that has `digit`, if any has."""
    for position in range(9):
        cell = UNITS[unit, position]
        if (web.masks[cell] >> digit) & 1:
            web.hidden[web.hidden_tail] = 9 * cell + digit
            web.hidden_tail += 1
            return


@kernel
def drop_hidden(web: Web, unit: int, digit: int) -> None:
    """Take the first queued hidden single of `digit` in `unit` out of the queue."""
    for k in range(web.hidden_tail):
        candidate = web.hidden[k]
        if candidate >= 0 and candidate % 9 == digit:
            cell = candidate // 9
            for u in range(3):
                if CELL_UNITS[cell, u] == unit:
                    web.hidden[k] = -1
                    return
