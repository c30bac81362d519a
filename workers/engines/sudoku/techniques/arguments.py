"""The arguments behind a conclusion: by contradiction or by cases, and the best of them.

The weight of an argument is the length of its chains, premises included. Among nets, where it
only matters whether there is one at all, it is minus the number of chains that are nets.
"""

from typing import Final

from workers.engines.machine.bits import lowest
from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import Board
from workers.engines.sudoku.techniques.conclusions import emptied
from workers.engines.sudoku.techniques.implications import NONE, ONE, follows, on
from workers.engines.sudoku.techniques.nets import is_net, unfold
from workers.engines.sudoku.web import Web

NO_ARGUMENT: Final = 1 << 30


@kernel
def opposite(web: Web, node: int) -> int:
    """The proposition that the candidate of `node` is, or is not, there after all."""
    half = 64 * web.span
    return node + half if node < half else node - half


@kernel
def measure_from(web: Web, table: int) -> None:
    """Get ready to weigh chains from `table`: distances by direct links, or unfold it."""
    if web.recording:
        unfold(web, table)
        return
    for k in range(web.nodes):
        web.distance[web.node[k]] = -1
    web.distance[table] = 0
    web.path[0] = table
    head, tail = 0, 1
    while head < tail:
        node = web.path[head]
        head += 1
        for word in range(web.length):
            left = web.links[node * web.length + word]
            while left != NONE:
                other = 64 * word + lowest(left)
                left &= left - ONE
                if web.distance[other] < 0:
                    web.distance[other] = web.distance[node] + 1
                    web.path[tail] = other
                    tail += 1


@kernel
def weigh(web: Web, table: int, node: int) -> int:
    """Weight of the chain from the measured `table` to `node`."""
    if web.recording:
        return -1 if is_net(web, table, node) else 0
    return int(web.distance[node]) + 1


@kernel
def weigh_cases(web: Web, node: int) -> int:
    """Least weight of a way to prove `node` in all cases; measured from its opposite."""
    best = NO_ARGUMENT
    half = 64 * web.span
    cell = web.candidate[node % half] // 9
    for k in range(web.candidates):
        elsewhere = web.candidate[k] // 9 != cell
        if elsewhere and follows(web, k, node) and follows(web, half + k, node):
            best = min(best, weigh_case(web, k, node) + weigh_case(web, half + k, node))
            if best < 0:
                return best
    for k in range(web.sets):
        weight = 0
        for m in range(web.first_member[k], web.first_member[k + 1]):
            if not follows(web, web.member[m], node):
                weight = NO_ARGUMENT
                break
        for m in range(web.first_member[k], web.first_member[k + 1]):
            if weight < NO_ARGUMENT:
                weight += weigh_case(web, web.member[m], node)
        best = min(best, weight)
        if best < 0:
            return best
    return best


@kernel
def weigh_case(web: Web, premise: int, node: int) -> int:
    """Weight of the chain from `premise` to `node`; chains can be read backwards, nets cannot."""
    if web.recording:
        unfold(web, premise)
        return weigh(web, premise, node)
    return int(web.distance[opposite(web, premise)]) + 1


@kernel
def weigh_contradiction(board: Board, web: Web, table: int) -> int:
    """Least weight of a way from the measured `table` to something impossible."""
    best = NO_ARGUMENT
    if follows(web, table, opposite(web, table)):
        best = weigh(web, table, opposite(web, table))
    if best >= 0:
        best = min(best, weigh_doubt(web, table))
    if best >= 0:
        best = min(best, weigh_pair(board, web, table))
    for k in range(web.sets):
        if best >= 0:
            best = min(best, weigh_set(web, table, k))
    return best


@kernel
def weigh_doubt(web: Web, table: int) -> int:
    """A candidate is there and is not there: of each digit the lowest cell only."""
    best = NO_ARGUMENT
    seen = 0
    for k in range(web.candidates):
        digit = web.candidate[k] % 9
        gone = 64 * web.span + k
        if not (seen >> digit) & 1 and follows(web, table, k) and follows(web, table, gone):
            seen |= 1 << digit
            best = min(best, weigh(web, table, k) + weigh(web, table, gone))
    return best


@kernel
def weigh_pair(board: Board, web: Web, table: int) -> int:
    """Two digits in one cell: of each pair of digits the lowest cell only."""
    best = NO_ARGUMENT
    for first in range(9):
        for second in range(first + 1, 9):
            for cell in range(81):
                mask = board.cells[cell]
                if not (mask >> first) & (mask >> second) & 1:
                    continue
                one, other = on(web, 9 * cell + first), on(web, 9 * cell + second)
                if follows(web, table, one) and follows(web, table, other):
                    best = min(best, weigh(web, table, one) + weigh(web, table, other))
                    break
    return best


@kernel
def weigh_set(web: Web, table: int, k: int) -> int:
    """A cell or unit left with nothing, or a digit twice in a unit."""
    there = weight = count = 0
    for m in range(web.first_member[k], web.first_member[k + 1]):
        if follows(web, table, web.member[m]):
            there += 1
            weight += weigh(web, table, web.member[m])
    best = weight if there > 1 and k >= web.cells else NO_ARGUMENT
    if web.whole[k] and not (there and k < web.cells) and emptied(web, table, k):
        for m in range(web.first_member[k], web.first_member[k + 1]):
            count += weigh(web, table, 64 * web.span + web.member[m])
        best = min(best, count)
    return best
