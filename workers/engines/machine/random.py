"""An explicit random state for kernels: xoshiro128** (Blackman and Vigna, 2018).

The state is four 32-bit words held in uint64, so that no operation overflows and a kernel gives
the same numbers compiled and as plain Python.
"""

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.kernel import kernel

State = NDArray[np.uint64]
WORD = np.uint64(0xFFFFFFFF)


def seeded(seed: int, *spawn_key: int) -> State:
    """A state (4,) uint64 for stream `spawn_key` of `seed`; equal arguments, equal numbers.

    The words come from NumPy's SeedSequence, so streams of one seed are independent.
    """
    words = np.random.SeedSequence(seed, spawn_key=spawn_key).generate_state(4, np.uint32)
    return words.astype(np.uint64)


@kernel
def rotate(word: np.uint64, count: np.uint64) -> np.uint64:
    """`word` (32 bits) rotated left by `count`, 0 < count < 32."""
    return ((word << count) | (word >> (np.uint64(32) - count))) & WORD


@kernel
def next_word(state: State) -> np.uint64:
    """The next 32 random bits; advances `state`."""
    word = rotate((state[1] * np.uint64(5)) & WORD, np.uint64(7))
    result = (word * np.uint64(9)) & WORD
    shifted = (state[1] << np.uint64(9)) & WORD
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = rotate(state[3], np.uint64(11))
    return result


@kernel
def below(state: State, bound: int) -> int:
    """A random integer in 0..bound-1, 0 < bound < 2**31, without bias (Lemire's method)."""
    size = np.uint64(bound)
    threshold = (np.uint64(0x100000000) - size) % size
    product = next_word(state) * size
    while (product & WORD) < threshold:
        product = next_word(state) * size
    return np.int64(product >> np.uint64(32))  # type: ignore[return-value]


@kernel
def shuffle(state: State, values: NDArray[np.int64]) -> None:
    """Put `values` (1-D, any dtype) into a random order in place (Fisher and Yates)."""
    for last in range(len(values) - 1, 0, -1):
        other = below(state, last + 1)
        value = values[last]
        values[last] = values[other]
        values[other] = value
