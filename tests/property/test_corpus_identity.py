"""Deduplication and order against slow, plain twins."""

from pathlib import Path

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.corpus.identity import FirstSeen, Identity, identities, key_words
from pipeline.corpus.order import SortColumns, places
from pipeline.corpus.slices import Slices

# Few values, so that rows collide in one half of the key, in the other, and in both.
words = st.integers(0, 3).map(lambda n: n * 0x5555_5555_5555_5555)
batches = st.lists(st.lists(st.tuples(words, words), max_size=30), max_size=12)


def as_identity(pairs: list[tuple[int, int]]) -> Identity:
    halves = np.array(pairs, dtype=np.uint64).reshape(-1, 2)
    return Identity(halves[:, 0].copy(), halves[:, 1].copy())


@settings(deadline=None, max_examples=200)
@given(batches)
def test_first_seen_agrees_with_a_dictionary(pairs: list[list[tuple[int, int]]]) -> None:
    seen, first, count = FirstSeen(), {}, 0
    for batch in pairs:
        expected = []
        for pair in batch:
            expected.append(first.setdefault(pair, count))
            count += 1
        assert seen.add(as_identity(batch)).tolist() == expected


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 2**32), st.integers(1, 4000))
def test_first_seen_agrees_with_a_dictionary_on_many_batches(seed: int, classes: int) -> None:
    rng = np.random.default_rng(seed)
    numbers = rng.integers(0, classes, 5000).astype(np.uint64) * np.uint64(0x9E37_79B9_7F4A_7C15)
    seen, first = FirstSeen(), {}
    expected = [first.setdefault(int(number), row) for row, number in enumerate(numbers)]
    found, start = [], 0
    while start < len(numbers):
        part = numbers[start : start + int(rng.integers(1, 400))]
        found += seen.add(Identity(part, part)).tolist()
        start += len(part)
    assert found == expected


@settings(deadline=None)
@given(st.lists(st.none() | st.binary(min_size=16, max_size=16), max_size=20), st.integers(0, 5))
def test_key_words_order_keys_as_their_bytes(keys: list[bytes | None], offset: int) -> None:
    array = pa.array(keys, pa.binary(16)).slice(min(offset, len(keys)))
    found = key_words(array)
    plain = [key or bytes(16) for key in array.to_pylist()]
    pairs = [high << 64 | low for high, low in zip(*map(np.ndarray.tolist, found), strict=True)]
    assert pairs == [int.from_bytes(key, "big") for key in plain]


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from([None, b"a" * 16, b"b" * 16]), st.sampled_from("xyz"))))
def test_rows_without_a_key_are_doubles_of_equal_texts_only(
    rows: list[tuple[bytes | None, str]],
) -> None:
    table = pa.table(
        {
            "key": pa.array([key for key, _ in rows], pa.binary(16)),
            "puzzle": pa.array([text for _, text in rows], pa.string()),
        }
    )
    first = {}
    expected = [first.setdefault(key or text, row) for row, (key, text) in enumerate(rows)]
    assert FirstSeen().add(identities(table, "canonical")).tolist() == expected


small = st.integers(0, 2)


@settings(deadline=None)
@given(st.lists(st.lists(st.tuples(small, small, st.booleans(), small, small)), min_size=1))
def test_places_agree_with_sorting_tuples(
    parts: list[list[tuple[int, int, bool, int, int]]],
) -> None:
    columns = [
        SortColumns(
            np.array([row[0] for row in part], np.int8),
            np.array([row[1] or np.inf for row in part], np.float64),
            np.array([row[2] for row in part], np.bool_),
            np.array([row[3] for row in part], np.uint64),
            np.array([row[4] for row in part], np.uint64),
        )
        for part in parts
    ]
    rows = [row for part in parts for row in part]
    order = sorted(
        range(len(rows)), key=lambda at: (rows[at][0], rows[at][1] or np.inf, *rows[at][2:])
    )
    assert places(columns)[order].tolist() == list(range(len(rows)))


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32), st.integers(1, 300), st.sampled_from([1, 7, 64, 1000]), st.booleans())
def test_slices_give_rows_back_in_order(seed: int, rows: int, slice_rows: int, spill: bool) -> None:
    import tempfile

    rng = np.random.default_rng(seed)
    place = rng.permutation(rows)
    schema = pa.schema({"place": pa.int64(), "text": pa.string()})
    with (
        tempfile.TemporaryDirectory() as name,
        Slices(Path(name), schema, rows, slice_rows, 0 if spill else 2**30) as slices,
    ):
        for part in np.array_split(place, int(rng.integers(1, 6))):
            texts = [f"row {number}" for number in part]
            slices.add(pa.table({"place": part, "text": texts}, schema=schema), part)
        tables = list(slices.in_order())
        assert not list(Path(name).iterdir())
    whole = pa.concat_tables(tables)
    assert whole.schema == schema
    assert whole.column("place").to_pylist() == list(range(rows))
    assert whole.column("text").to_pylist() == [f"row {number}" for number in range(rows)]
    assert all(table.num_rows % slice_rows == 0 for table in tables[:-1])
