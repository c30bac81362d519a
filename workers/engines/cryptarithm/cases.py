"""The grader's last techniques: all cases of a column with few unknowns."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from workers.engines.cryptarithm.deduce import (
    C_CONSTANT,
    C_IN,
    C_OUT,
    LOW,
    N_BASE,
    N_LETTERS,
    greatest,
    set_carry,
    set_letter,
)
from workers.engines.machine.kernel import kernel

Ints = NDArray[np.int64]
MOST_UNKNOWN: Final = 3
"""Unknowns of a column that a person goes through."""
LETTER, SET, FACTOR, SEEN = 0, 1, 2, 3
"""Of an open letter: its number, its digits, its factor in the column, digits of some case."""
BOUNDS: Final = MOST_UNKNOWN
"""Row of the cases with least and greatest carry in, least and greatest carry out."""
FAR: Final = 1 << 40


@kernel
def column_cases(columns: Ints, sizes: Ints, state: Ints, note: Ints, unknowns: int) -> bool:
    """Columns with up to so many unknowns: a digit or carry that no case has is out."""
    cases = np.zeros((MOST_UNKNOWN + 1, 4), np.int64)
    for number in range(len(columns)):
        count = column_unknowns(columns[number], sizes, state)
        if count == 0 or count > unknowns:
            continue
        letters = go_through(columns[number], sizes, state, cases)
        for place in range(letters):
            if set_letter(state, cases[place, LETTER], cases[place, SEEN], number, note):
                return True
        for end in range(2):
            bounds = (cases[BOUNDS, 2 * end], cases[BOUNDS, 2 * end + 1])
            if set_carry(state, columns[number, C_IN + end], bounds, number, note):
                return True
    return False


@kernel
def column_unknowns(row: Ints, sizes: Ints, state: Ints) -> int:
    """Letters and carries of a column that are not known."""
    unknown = 0
    for letter in range(sizes[N_LETTERS]):
        unknown += row[letter] != 0 and state[letter] & (state[letter] - 1) != 0
    for end in range(2):
        place = LOW + 2 * row[C_IN + end]
        unknown += state[place] < state[place + 1]
    return unknown


@kernel
def go_through(row: Ints, sizes: Ints, state: Ints, cases: Ints) -> int:
    """Try all cases of a column; `cases` says what occurs. Returns how many letters are open."""
    base, letters, fixed = sizes[N_BASE], 0, row[C_CONSTANT]
    for place in range(MOST_UNKNOWN):  # where fewer are open, letters without a factor that are 0
        cases[place, SET], cases[place, FACTOR], cases[place, SEEN] = 1, 0, 0
    for letter in range(sizes[N_LETTERS]):
        if row[letter]:
            if state[letter] & (state[letter] - 1):
                cases[letters, LETTER], cases[letters, SET] = letter, state[letter]
                cases[letters, FACTOR] = row[letter]
                letters += 1
            else:
                fixed += row[letter] * greatest(state[letter])
    cases[BOUNDS, 0] = cases[BOUNDS, 2] = FAR
    cases[BOUNDS, 1] = cases[BOUNDS, 3] = -FAR
    into, out = LOW + 2 * row[C_IN], LOW + 2 * row[C_OUT]
    for one in range(base):
        if not cases[0, SET] >> one & 1:
            continue
        for two in range(base):
            if not cases[1, SET] >> two & 1 or (letters > 1 and one == two):
                continue
            for three in range(base):
                if not cases[2, SET] >> three & 1:
                    continue
                if letters > 2 and (one == three or two == three):
                    continue
                total = fixed + cases[0, FACTOR] * one
                total += cases[1, FACTOR] * two + cases[2, FACTOR] * three
                carry = state[into] + (-total - state[into]) % base
                while carry <= state[into + 1]:
                    onward = (total + carry) // base
                    if state[out] <= onward <= state[out + 1]:
                        cases[0, SEEN] |= 1 << one
                        cases[1, SEEN] |= 1 << two
                        cases[2, SEEN] |= 1 << three
                        note_carries(cases[BOUNDS], carry, onward)
                    carry += base
    return letters


@kernel
def note_carries(bounds: Ints, carry: int, onward: int) -> None:
    """Widen the bounds of both carries to those of a case."""
    bounds[0], bounds[1] = min(bounds[0], carry), max(bounds[1], carry)
    bounds[2], bounds[3] = min(bounds[2], onward), max(bounds[3], onward)
