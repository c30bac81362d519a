"""The rules of the band engine, for all nine digits at once, as lane steps.

A position is brought to its fixed point under four rules, each for one digit:

1. band: of its cells in a band only those remain whose minirow is part of some placing of the
   digit into three rows and three boxes;
2. stack: the same sideways, for the columns and bands of a stack;
3. hidden single: a cell that is the only one of its row is claimed: it loses the other digits;
4. naked single: a cell without other digits takes the digit from the other cells of its row.

The rules only take candidates away, so the fixed point does not depend on their order. Words and
minirows are those of layout; in the pattern of minirows `x`, `x(r, b, k)` stands for bit
9*r + 3*b + k.
"""

from typing import Any, Final

from workers.engines.machine.lanes import ROW, across, equal, lane_numbers, lane_step
from workers.engines.sudoku.layout import CLAIMED, FULL, PAIRS, SIZE

Words = tuple[Any, Any, Any]

CHANGED: Final = 0xFFFF
"""Bits of the code of `sweep` and `naked_singles` that say which digits lost candidates; any
higher bit says that the position is contradictory."""


def next_box(x: Any) -> Any:
    """x(r, b, k + 1 mod 3) at (r, b, k)."""
    return x >> 1 & 0o333333333 | x << 2 & 0o444444444


def last_box(x: Any) -> Any:
    """x(r, b, k - 1 mod 3) at (r, b, k)."""
    return x >> 2 & 0o111111111 | x << 1 & 0o666666666


def next_row(x: Any) -> Any:
    """x(r + 1 mod 3, b, k) at (r, b, k); bits above 26 are noise."""
    return x >> 9 | x << 18


def last_row(x: Any) -> Any:
    """x(r - 1 mod 3, b, k) at (r, b, k); bits above 26 are noise."""
    return x >> 18 | x << 9


def rows_of(x: Any) -> Any:
    """All minirows of the rows that have one in `x`."""
    return x | next_box(x) | last_box(x)


def close_bands(a: Any, b: Any, c: Any) -> Words:
    """Rule 1. A minirow stays if the 2 x 2 others of its band, rows by boxes, can be matched."""
    x = a | b | c
    right, left = next_box(x), last_box(x)
    keep = next_row(right) & last_row(left) | next_row(left) & last_row(right)
    return a & keep, b & keep, c & keep


def close_stacks(words: Words) -> Words:
    """Rule 2. A column of a box stays if the 2 x 2 others of its stack can be matched."""
    boxes = [word | word >> 9 | word >> 18 for word in words]  # (b, k): column j possible there
    below = [box >> 3 & 0o077 | box << 6 & 0o700 for box in boxes]  # at (b, k): (b + 1, k)
    above = [box >> 6 & 0o007 | box << 3 & 0o770 for box in boxes]
    closed = []
    for word, j, k in zip(words, (1, 2, 0), (2, 0, 1), strict=True):
        keep = below[j] & above[k] | above[j] & below[k]
        closed.append(word & (keep | keep << 9 | keep << 18))
    return closed[0], closed[1], closed[2]


def union(left: tuple[Any], right: tuple[Any]) -> tuple[Any]:
    """What either of two lanes has."""
    return (left[0] | right[0],)


@lane_step
def sweep(board: Any) -> tuple[Any, ...]:
    """Apply rules 1, 2 and 3 once each; contradictory if some digit has no cell in a row."""
    before = board.lanes(0), board.lanes(1), board.lanes(2)
    a, b, c = close_stacks(close_bands(*before))
    x = a | b | c
    others = next_box(x) | last_box(x)
    single = (a ^ b ^ c) & ~(a & b & c) & ~others
    changed = 0
    for row, (word, old) in enumerate(zip((a, b, c), before, strict=True)):
        mine = word & single
        (claimed,) = across(union, mine)
        new = word & (~claimed | mine)
        board.put(row, new)
        board.put_mark(CLAIMED + row, claimed)
        changed = new ^ old | changed
    return changed, (x | others) ^ FULL


def tally(left: Words, right: Words) -> Words:
    """Add up two groups of digits: cells with one candidate or more, two or more, three or more."""
    once, twice, thrice = left
    other_once, other_twice, other_thrice = right
    return (
        once | other_once,
        twice | other_twice | once & other_once,
        thrice | other_thrice | twice & other_once | once & other_twice,
    )


@lane_step
def naked_singles(board: Any) -> tuple[Any, ...]:
    """Apply rule 4 and note the pairs, at a fixed point of the others.

    Contradictory if a cell has no candidate, or two digits claim one cell, or two cells of a row
    claim one digit: then they take it from each other, and its row is empty.
    """
    words = board.lanes(0), board.lanes(1), board.lanes(2)
    broken: Any = 0
    hits = []
    for row, word in enumerate(words):
        once, twice, thrice = across(tally, word, 0, 0)
        claimed = board.mark(CLAIMED + row)
        board.put_mark(PAIRS + row, twice & ~thrice)
        broken = once ^ FULL | twice & claimed | broken
        hits.append(word & ~twice & ~claimed)
    a, b, c = hits
    x = a | b | c
    others = next_box(x) | last_box(x)
    twofold = a & b | a & c | b & c | x & others
    changed: Any = 0
    for row, (word, mine) in enumerate(zip(words, hits, strict=True)):
        new = word & ~(x | others) | mine
        board.put(row, new)
        changed = new ^ word | changed
    return changed, broken | twofold


@lane_step
def set_out(board: Any) -> tuple[Any, ...]:
    """Make a position of clues (in the words) and empty cells (in the marks CLAIMED)."""
    clues = board.lanes(0), board.lanes(1), board.lanes(2)
    rows = rows_of(clues[0] | clues[1] | clues[2])
    for row, clue in enumerate(clues):
        board.put(row, board.mark(CLAIMED + row) & ~rows | clue)
    return ()


@lane_step
def candidates(board: Any, cell: Any) -> tuple[Any, ...]:
    """The digits that a cell (one bit) of word 0 can hold: bit d of the code is digit d + 1."""
    return (board.lanes(0) & cell,)


@lane_step
def split(board: Any, word: Any, cell: Any, digit: Any) -> tuple[Any, ...]:
    """Place digit + 1 in a cell (one bit) on the board above, and take it from the cell here."""
    words = board.lanes(0), board.lanes(1), board.lanes(2)
    mine = equal(lane_numbers(words[0]), digit)
    for row, lanes in enumerate(words):
        here = mine & cell & equal(word, row)
        board.put(row, lanes & ~here)
        board.put(row + SIZE // ROW, lanes & ~(mine & rows_of(cell)) | lanes & here)
    return ()
