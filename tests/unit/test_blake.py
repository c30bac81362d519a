"""Hashes of many texts at once are those of hashlib."""

import hashlib

import numpy as np
import pytest

from workers.engines.machine.blake import hashes

PERSONS = (b"", b"not canonical")


@pytest.mark.nojit
@pytest.mark.parametrize("length", [0, 1, 8, 81, 127, 128])
def test_hashes_are_those_of_hashlib(length):
    rng = np.random.default_rng(length)
    texts = rng.integers(0, 256, (40, length), np.uint8)
    which = rng.integers(0, 2, 40)
    found = hashes(texts, PERSONS, which)
    assert [bytes(row) for row in found] == [
        hashlib.blake2b(bytes(text), digest_size=16, person=PERSONS[other]).digest()
        for text, other in zip(texts, which, strict=True)
    ]


@pytest.mark.nojit
def test_no_texts_have_no_hashes_and_long_ones_are_refused():
    assert hashes(np.zeros((0, 81), np.uint8), PERSONS, np.zeros(0, np.int64)).shape == (0, 16)
    with pytest.raises(ValueError, match="129 bytes"):
        hashes(np.zeros((1, 129), np.uint8), PERSONS, np.zeros(1, np.int64))
