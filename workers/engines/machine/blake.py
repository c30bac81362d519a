"""BLAKE2b (RFC 7693) over many short texts at a time, each of one block.

`hashlib` hashes one text a call, which costs more than the hash; rows of a matrix are hashed here
in one go, with the same result. With the JIT switched off it is `hashlib` that hashes.
"""

import hashlib
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workers.engines.machine.kernel import JIT_DISABLED, kernel
from workers.engines.machine.meter import metered

BLOCK: Final = 128
DIGEST: Final = 16
ROUNDS: Final = 12
Words = NDArray[np.uint64]


def _frozen(values: list[int] | list[list[int]], dtype: type) -> NDArray[Any]:
    table: NDArray[Any] = np.array(values, dtype=dtype)
    table.setflags(write=False)
    return table


IV: Final = _frozen(
    [
        0x6A09E667F3BCC908,
        0xBB67AE8584CAA73B,
        0x3C6EF372FE94F82B,
        0xA54FF53A5F1D36F1,
        0x510E527FADE682D1,
        0x9B05688C2B3E6C1F,
        0x1F83D9ABFB41BD6B,
        0x5BE0CD19137E2179,
    ],
    np.uint64,
)
SIGMA: Final = _frozen(
    [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
    ],
    np.int64,
)
MIXES: Final = _frozen(
    [
        [0, 4, 8, 12],
        [1, 5, 9, 13],
        [2, 6, 10, 14],
        [3, 7, 11, 15],
        [0, 5, 10, 15],
        [1, 6, 11, 12],
        [2, 7, 8, 13],
        [3, 4, 9, 14],
    ],
    np.int64,
)


@kernel
def turned(word: np.uint64, count: int) -> np.uint64:
    """`word` rotated right by `count` bits, 0 < count < 64."""
    return word >> np.uint64(count) | word << np.uint64(64 - count)


@kernel
def compress(start: Words, block: Words, length: int, out: Words) -> None:
    """Hash one block (16,) of `length` bytes, the last one, into `out` (2,); `start` is (8,)."""
    v = np.empty(16, dtype=np.uint64)
    for word in range(8):
        v[word] = start[word]
        v[word + 8] = IV[word]
    v[12] ^= np.uint64(length)
    v[14] = ~v[14]
    for turn in range(ROUNDS):
        for mix in range(8):
            a, b, c, d = MIXES[mix, 0], MIXES[mix, 1], MIXES[mix, 2], MIXES[mix, 3]
            v[a] += v[b] + block[SIGMA[turn % 10, 2 * mix]]
            v[d] = turned(v[d] ^ v[a], 32)
            v[c] += v[d]
            v[b] = turned(v[b] ^ v[c], 24)
            v[a] += v[b] + block[SIGMA[turn % 10, 2 * mix + 1]]
            v[d] = turned(v[d] ^ v[a], 16)
            v[c] += v[d]
            v[b] = turned(v[b] ^ v[c], 63)
    for word in range(2):
        out[word] = start[word] ^ v[word] ^ v[word + 8]


@kernel
def hash_rows(starts: Words, which: NDArray[np.int64], blocks: Words, length: int,
              out: Words) -> None:  # fmt: skip
    """Hash every block (n, 16) from the start that `which` (n,) names, into `out` (n, 2)."""
    for row in range(len(blocks)):
        compress(starts[which[row]], blocks[row], length, out[row])


@metered
def hashes(
    texts: NDArray[np.uint8], persons: tuple[bytes, ...], which: NDArray[np.int64]
) -> NDArray[np.uint8]:
    """BLAKE2b digests (n, 16) of texts (n, at most 128), personalised by `persons[which[i]]`.

    Equal to `hashlib.blake2b(text, digest_size=16, person=person).digest()`.
    """
    count, length = texts.shape
    if length > BLOCK:
        raise ValueError(f"texts of {length} bytes, at most {BLOCK}")
    if JIT_DISABLED:
        return _one_by_one(texts, persons, which)
    blocks = np.zeros((count, BLOCK), dtype=np.uint8)
    blocks[:, :length] = texts
    starts = np.array([_start(person) for person in persons], dtype=np.uint64)
    out = np.empty((count, 2), dtype=np.uint64)
    numbers = np.ascontiguousarray(which, dtype=np.int64)
    hash_rows(starts, numbers, blocks.view("<u8").astype(np.uint64, copy=False), length, out)
    return out.astype("<u8", copy=False).view(np.uint8).reshape(count, DIGEST)


def _start(person: bytes) -> Words:
    """The state before the first block: the constants, with the parameters of the hash."""
    parameters = np.zeros(64, dtype=np.uint8)
    parameters[[0, 2, 3]] = DIGEST, 1, 1  # bytes of the digest; one leaf, no tree
    parameters[48:] = np.frombuffer(person.ljust(16, b"\0"), np.uint8)
    start: Words = np.bitwise_xor(IV, parameters.view("<u8"))
    return start


def _one_by_one(
    texts: NDArray[np.uint8], persons: tuple[bytes, ...], which: NDArray[np.int64]
) -> NDArray[np.uint8]:
    digests = [
        hashlib.blake2b(text.tobytes(), digest_size=DIGEST, person=persons[other]).digest()
        for text, other in zip(texts, which.tolist(), strict=True)
    ]
    return np.frombuffer(b"".join(digests), np.uint8).reshape(len(texts), DIGEST)
