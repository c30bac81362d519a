"""Where the band engine guesses: the cell a position is split on, and the split."""

from typing import Final

import numpy as np

from workers.engines.machine.bits import lowest, popcount
from workers.engines.machine.kernel import kernel
from workers.engines.machine.lanes import ROW, Board
from workers.engines.sudoku.closure import candidates, split
from workers.engines.sudoku.layout import CLAIMED, FULL, PAIRS, PEER_MASKS

U: Final = np.uint64  # an unsigned index needs no check for negative ones


@kernel
def heaviest_pair(board: Board, base: int) -> int:
    """The slot of the two-candidate cell with the highest weight, the first among equals, or -1.

    The weight counts 1 for each open peer, 1 for each candidate of a peer that the cell shares,
    and 3 more when that peer has two candidates itself: what a guess there would set going.
    """
    at, half = U(base), U(32)
    closed = U(board[at + U(CLAIMED)]) | U(board[at + U(CLAIMED + 1)]) << half
    closed_2 = U(board[at + U(CLAIMED + 2)])
    pairs = U(board[at + U(PAIRS)]) | U(board[at + U(PAIRS + 1)]) << half
    pairs_2 = U(board[at + U(PAIRS + 2)])
    pairs_2 |= pairs_2 << half
    best = -1
    for word in range(3):
        cells = np.int64(board[at + U(PAIRS + word)])
        while cells:
            minirow = lowest(cells)
            cells &= cells - 1
            slot = 27 * word + minirow
            digits = candidates(board, base + ROW * word, 1 << minirow)
            low, high = at + U(lowest(digits)), at + U(lowest(digits & (digits - 1)))
            peers, peers_2 = PEER_MASKS[U(slot), U(0)], PEER_MASKS[U(slot), U(1)]
            # The first two words of each digit, and the third of both.
            lows = peers & (U(board[low]) | U(board[low + U(ROW)]) << half)
            highs = peers & (U(board[high]) | U(board[high + U(ROW)]) << half)
            thirds = U(board[low + U(2 * ROW)]) & peers_2
            thirds |= (U(board[high + U(2 * ROW)]) & peers_2) << half
            weight = popcount(peers & ~closed) + popcount(peers_2 & ~closed_2)
            weight += popcount(lows) + popcount(highs) + popcount(thirds)
            paired = popcount(lows & pairs) + popcount(highs & pairs) + popcount(thirds & pairs_2)
            best = max(best, (weight + 3 * paired) * 128 + 127 - slot)
    return best if best < 0 else 127 - best % 128


@kernel
def fewest_candidates(board: Board, base: int) -> int:
    """The slot of the first unclaimed cell with the fewest candidates."""
    best, where = 10, -1
    for word in range(3):
        cells = FULL & ~np.int64(board[base + CLAIMED + word])
        while cells:
            minirow = lowest(cells)
            cells &= cells - 1
            count = popcount(candidates(board, base + ROW * word, 1 << minirow))
            if count < best:
                best, where = count, 27 * word + minirow
    return where


@kernel
def branch(board: Board, base: int) -> None:
    """Split a position: the smaller digit of a cell above it, the rest of the cell in place."""
    slot = heaviest_pair(board, base)
    if slot < 0:
        slot = fewest_candidates(board, base)
    word, cell = slot // 27, 1 << (slot % 27)
    split(board, base, word, cell, lowest(candidates(board, base + ROW * word, cell)))
