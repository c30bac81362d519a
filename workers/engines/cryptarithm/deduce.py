"""The grader's techniques: what one column of a sum says about its letters and carries.

A column says: factors times digits, a constant and the carry into it are base times the carry
out of it. A letter has a set of digits (bit d: digit d), a carry an interval. Each technique
looks for the first column or letter where it says something new, applies it, and tells it in
`note`; an empty set or interval is a contradiction, found by whoever looks next.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.bits import lowest
from workers.engines.machine.kernel import kernel

MOST_LETTERS: Final = 16
C_CONSTANT: Final = 16
C_IN: Final = 17
C_OUT: Final = 18
C_WIDTH: Final = 19
"""A column: 16 factors, a constant, the numbers of two carries; carry 0 is always 0."""
N_LETTERS, N_BASE, N_CARRIES = 0, 1, 2
"""Of the sizes."""
NOTE_COLUMN, NOTE_ITEM, NOTE_OLD, NOTE_OLD_TOP, NOTE_NEW, NOTE_NEW_TOP = range(6)
"""A note: the column, a letter or 16 + a carry, its set or interval before and after."""
LOW: Final = MOST_LETTERS
"""A state: 16 sets, then least and greatest value of every carry by turns."""

Ints = NDArray[np.int64]


@kernel
def set_letter(state: Ints, letter: int, digits: int, column: int, note: Ints) -> bool:
    """Leave only `digits` to a letter; whether that is news."""
    old = state[letter]
    if old & digits == old:
        return False
    state[letter] = old & digits
    note[NOTE_COLUMN], note[NOTE_ITEM] = column, letter
    note[NOTE_OLD], note[NOTE_OLD_TOP] = old, 0
    note[NOTE_NEW], note[NOTE_NEW_TOP] = old & digits, 0
    return True


@kernel
def set_carry(state: Ints, carry: int, bounds: tuple[int, int], column: int, note: Ints) -> bool:
    """Leave only an interval to a carry; whether that is news."""
    place = LOW + 2 * carry
    low, high = max(state[place], bounds[0]), min(state[place + 1], bounds[1])
    if low == state[place] and high == state[place + 1]:
        return False
    note[NOTE_COLUMN], note[NOTE_ITEM] = column, MOST_LETTERS + carry
    note[NOTE_OLD], note[NOTE_OLD_TOP] = state[place], state[place + 1]
    note[NOTE_NEW], note[NOTE_NEW_TOP] = low, high
    state[place], state[place + 1] = low, high
    return True


@kernel
def greatest(digits: int) -> int:
    """The greatest digit of a set that is not empty."""
    digit = 0
    while digits > 1:
        digits >>= 1
        digit += 1
    return digit


@kernel
def is_contradiction(sizes: Ints, state: Ints) -> bool:
    """An empty set or interval stands somewhere."""
    for letter in range(sizes[N_LETTERS]):
        if state[letter] == 0:
            return True
    for carry in range(sizes[N_CARRIES]):
        if state[LOW + 2 * carry] > state[LOW + 2 * carry + 1]:
            return True
    return False


@kernel
def column_range(row: Ints, sizes: Ints, state: Ints) -> tuple[int, int]:
    """Least and greatest sum of a column with the carry into it."""
    carry = LOW + 2 * row[C_IN]
    least, most = row[C_CONSTANT] + state[carry], row[C_CONSTANT] + state[carry + 1]
    for letter in range(sizes[N_LETTERS]):
        factor = row[letter]
        if factor:
            low, high = lowest(np.uint64(state[letter])), greatest(state[letter])
            least += factor * (low if factor > 0 else high)
            most += factor * (high if factor > 0 else low)
    return least, most


@kernel
def leading_carry(columns: Ints, sizes: Ints, state: Ints, note: Ints) -> bool:
    """A letter alone at the top of a sum is the carry into its column."""
    for number in range(len(columns)):
        row = columns[number]
        if row[C_OUT] or not row[C_IN] or row[C_CONSTANT]:
            continue
        alone = -1
        for letter in range(sizes[N_LETTERS]):
            if row[letter]:
                alone = letter if alone == -1 and abs(row[letter]) == 1 else -2
        if alone < 0:
            continue
        place = LOW + 2 * row[C_IN]
        digits = 0
        for value in range(state[place], state[place + 1] + 1):
            digit = -value * row[alone]
            if 0 <= digit < sizes[N_BASE]:
                digits |= 1 << digit
        if set_letter(state, alone, digits, number, note):
            return True
    return False


@kernel
def distinct(columns: Ints, sizes: Ints, state: Ints, note: Ints) -> bool:
    """The digit of a known letter is no other letter's."""
    for letter in range(sizes[N_LETTERS]):
        if state[letter] & (state[letter] - 1):
            continue
        for other in range(sizes[N_LETTERS]):
            if other != letter and set_letter(state, other, ~state[letter], -1 - letter, note):
                return True
    return False


@kernel
def hidden_digit(columns: Ints, sizes: Ints, state: Ints, note: Ints) -> bool:
    """Where there are as many letters as digits, a digit that fits one letter is that letter's."""
    if sizes[N_LETTERS] < sizes[N_BASE]:
        return False
    for digit in range(sizes[N_BASE]):
        fitting, last = 0, 0
        for letter in range(sizes[N_LETTERS]):
            if state[letter] >> digit & 1:
                fitting += 1
                last = letter
        if fitting == 0:
            return set_letter(state, 0, 0, -1, note)
        if fitting == 1 and set_letter(state, last, 1 << digit, -1, note):
            return True
    return False


@kernel
def carry_bound(columns: Ints, sizes: Ints, state: Ints, note: Ints) -> bool:
    """The least and greatest sum of a column bound the carry out of it, and the carry into it."""
    for number in range(len(columns)):
        row = columns[number]
        base = sizes[N_BASE]
        least, most = column_range(row, sizes, state)
        if set_carry(state, row[C_OUT], (-(-least // base), most // base), number, note):
            return True
        into, out = LOW + 2 * row[C_IN], LOW + 2 * row[C_OUT]
        least, most = least - state[into], most - state[into + 1]
        bounds = (base * state[out] - most, base * state[out + 1] - least)
        if set_carry(state, row[C_IN], bounds, number, note):
            return True
    return False


@kernel
def letter_bound(columns: Ints, sizes: Ints, state: Ints, note: Ints) -> bool:
    """The range of all else in a column bounds a letter."""
    for number in range(len(columns)):
        row = columns[number]
        base, out = sizes[N_BASE], LOW + 2 * row[C_OUT]
        least, most = column_range(row, sizes, state)
        for letter in range(sizes[N_LETTERS]):
            factor, old = row[letter], state[letter]
            if factor == 0 or old & (old - 1) == 0:
                continue
            low, high = lowest(np.uint64(old)), greatest(old)
            others_least = least - factor * (low if factor > 0 else high)
            others_most = most - factor * (high if factor > 0 else low)
            digits = 0
            for digit in range(low, high + 1):
                part = factor * digit
                if (
                    part + others_least <= base * state[out + 1]
                    and part + others_most >= base * state[out]
                ):
                    digits |= 1 << digit
            if set_letter(state, letter, digits, number, note):
                return True
    return False


@kernel
def parity(columns: Ints, sizes: Ints, state: Ints, note: Ints) -> bool:
    """Where one parity of a column is unknown, the others give it."""
    even = 0x5555
    for number in range(len(columns)):
        row = columns[number]
        odd, unknown, item = row[C_CONSTANT] & 1, 0, 0
        for letter in range(sizes[N_LETTERS]):
            if row[letter] & 1:
                digits = state[letter]
                if digits & even and digits & ~even:
                    unknown += 1
                    item = letter
                else:
                    odd ^= 1 if digits & ~even else 0
        for end in range(2):
            carry = row[C_IN + end]
            place = LOW + 2 * carry
            if end == 1 and sizes[N_BASE] % 2 == 0:
                continue
            if state[place] < state[place + 1]:
                unknown += 1
                item = MOST_LETTERS + carry
            else:
                odd ^= state[place] & 1
        if unknown != 1:
            continue
        if item < MOST_LETTERS:
            if set_letter(state, item, (even << 1) if odd else even, number, note):
                return True
        else:
            place = LOW + 2 * (item - MOST_LETTERS)
            low, high = state[place], state[place + 1]
            low += (low ^ odd) & 1
            high -= (high ^ odd) & 1
            if set_carry(state, item - MOST_LETTERS, (low, high), number, note):
                return True
    return False


@kernel
def carry_forced(columns: Ints, sizes: Ints, state: Ints, note: Ints) -> bool:
    """In a column of known letters the units give the carry in, the rest the carry out."""
    base = sizes[N_BASE]
    for number in range(len(columns)):
        row = columns[number]
        total, known = row[C_CONSTANT], True
        for letter in range(sizes[N_LETTERS]):
            if row[letter]:
                known = known and state[letter] & (state[letter] - 1) == 0
                total += row[letter] * lowest(np.uint64(state[letter]))
        if not known:
            continue
        into = LOW + 2 * row[C_IN]
        low = state[into] + (-total - state[into]) % base
        high = state[into + 1] - (state[into + 1] + total) % base
        if set_carry(state, row[C_IN], (low, high), number, note):
            return True
        bounds = (-(-(total + state[into]) // base), (total + state[into + 1]) // base)
        if set_carry(state, row[C_OUT], bounds, number, note):
            return True
    return False
