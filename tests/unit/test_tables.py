"""Columns become tables whose hash and bytes depend on values alone."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from workers.kinds.columns import column, nulls
from workers.tables import (
    Origin,
    content_hash,
    footer_facts,
    parquet_bytes,
    shard_schema,
    table_from_columns,
)

pytestmark = pytest.mark.nojit

SCHEMA = shard_schema(
    pa.schema(
        [
            column("key", pa.binary(16), "a key"),
            column("puzzle", pa.string(), "a text"),
            column("reason", pa.string(), "a word", few=True, nullable=True),
            column("score", pa.int32(), "a number", nullable=True),
            column("er", pa.float64(), "tenths", nullable=True),
            column("minimal", pa.bool_(), "yes or no", nullable=True),
        ]
    )
)


def example(rows=5):
    mask = np.arange(rows) % 2 == 1
    key = np.arange(rows * 16, dtype=np.uint8).reshape(rows, 16)
    puzzle = np.full((rows, 4), ord("7"), np.uint8)
    puzzle[0, 2:] = ord(" ")
    words = np.array(["a", "bé", "", "d", "e"], object)[:rows]
    return {
        "key": key,
        "puzzle": puzzle,
        "reason": np.ma.MaskedArray(words, mask),
        "score": np.ma.MaskedArray(np.arange(rows, dtype=np.int32), mask),
        "er": np.ma.MaskedArray(np.arange(rows) / 10, mask),
        "minimal": np.ma.MaskedArray(np.arange(rows) % 3 == 0, mask),
    }


def table(columns=None, origin=None):
    return table_from_columns(columns or example(), SCHEMA, origin or Origin(3, 99, None))


def test_values_texts_and_nulls_arrive_as_they_were():
    rows = table().to_pylist()
    assert [row["puzzle"] for row in rows] == ["77", "7777", "7777", "7777", "7777"]
    assert [row["reason"] for row in rows] == ["a", None, "", None, "e"]
    assert [row["score"] for row in rows] == [0, None, 2, None, 4]
    assert [row["er"] for row in rows] == [0.0, None, 0.2, None, 0.4]
    assert [row["minimal"] for row in rows] == [True, None, False, None, False]
    assert rows[1]["key"] == bytes(range(16, 32))
    assert [(r["job"], r["row"], r["seed"], r["source_line"]) for r in rows[:2]] == [
        (3, 0, 99, None),
        (3, 1, 99, None),
    ]


def test_a_graded_row_knows_its_line_and_has_no_seed():
    lines = np.array([4, 5, 6, 9, 12])
    rows = table(origin=Origin(0, None, lines)).to_pylist()
    assert [row["source_line"] for row in rows] == lines.tolist()
    assert {row["seed"] for row in rows} == {None}


def test_a_table_is_what_arrow_itself_would_make():
    made = table()
    made.validate(full=True)
    again = pa.Table.from_pylist(made.to_pylist(), schema=made.schema)
    assert made.equals(again)
    assert content_hash(made) == content_hash(again)


@pytest.mark.parametrize("name", sorted(example()))
def test_every_column_is_in_the_hash(name):
    columns = example()
    data = columns[name].copy()
    data[4] = data[0]
    assert content_hash(table({**columns, name: data})) != content_hash(table(columns))


@pytest.mark.parametrize("name", ["reason", "score", "er", "minimal"])
def test_a_null_is_not_a_zero(name):
    columns = example()
    plain = np.ma.MaskedArray(columns[name].filled(0 if name != "reason" else ""), False)
    assert content_hash(table({**columns, name: plain})) != content_hash(table(columns))


def test_what_lies_under_a_null_is_not_in_hash_or_bytes():
    columns = example()
    other = {name: data.copy() for name, data in columns.items()}
    other["score"].data[1] = 77
    other["reason"].data[1] = "hidden"
    other["minimal"].data[3] = ~other["minimal"].data[3]
    assert content_hash(table(columns)) == content_hash(table(other))
    assert parquet_bytes(table(columns), {}) == parquet_bytes(table(other), {})


def test_text_hidden_under_a_null_by_a_foreign_writer_is_not_in_the_hash():
    valid = pa.py_buffer(bytes([0b01]))
    offsets = pa.py_buffer(np.array([0, 1, 4], np.int32))
    hidden = pa.Array.from_buffers(pa.string(), 2, [valid, offsets, pa.py_buffer(b"abcd")])
    plain = pa.array(["a", None])
    assert hidden.equals(plain)
    assert content_hash(pa.table({"t": hidden})) == content_hash(pa.table({"t": plain}))


def test_the_hash_does_not_depend_on_chunks_or_slices():
    whole = table()
    pieces = pa.concat_tables([whole.slice(0, 2), whole.slice(2)])
    assert pieces.column(0).num_chunks == 2
    assert content_hash(pieces) == content_hash(whole)
    middle = pa.Table.from_pylist(whole.to_pylist()[1:4], schema=whole.schema)
    assert content_hash(whole.slice(1, 3)) == content_hash(middle)


def test_equal_rows_give_equal_bytes_that_read_back_equal(tmp_path):
    content = parquet_bytes(table(), {"job": 3})
    assert content == parquet_bytes(table(), {"job": 3})
    path = tmp_path / "x.parquet"
    path.write_bytes(content)
    read = pq.read_table(path)
    assert read.schema.equals(table().schema)
    assert content_hash(read) == content_hash(table())
    assert footer_facts(pq.read_metadata(path)) == {"job": 3, "schema": 1}


def test_long_texts_have_no_dictionary_and_few_values_have_one():
    metadata = pq.read_metadata(pa.BufferReader(parquet_bytes(table(), {})))
    encodings = {
        metadata.row_group(0).column(i).path_in_schema: metadata.row_group(0).column(i).encodings
        for i in range(metadata.num_columns)
    }
    assert "DELTA_LENGTH_BYTE_ARRAY" in encodings["puzzle"]
    assert "RLE_DICTIONARY" in encodings["reason"]
    assert "RLE_DICTIONARY" not in encodings["key"]


def test_no_time_and_no_host_is_in_the_file():
    import socket

    content = parquet_bytes(table(), {"job": 3})
    assert socket.gethostname().encode() not in content or len(socket.gethostname()) < 4


def test_a_table_without_rows_has_a_file_and_a_hash(tmp_path):
    columns = {name: data[:0] for name, data in example().items()}
    path = tmp_path / "x.parquet"
    path.write_bytes(parquet_bytes(table(columns), {}))
    assert content_hash(pq.read_table(path)) == content_hash(table(columns))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c.pop("er"), "columns differ"),
        (lambda c: c.update(extra=c["er"]), "columns differ"),
        (lambda c: c.update(er=c["er"][:2]), "rows"),
        (lambda c: c.update(key=c["key"][:, :8]), "key"),
        (lambda c: c.update(key=np.ma.MaskedArray(c["key"], True)), "nulls"),
    ],
)
def test_columns_that_are_not_the_schemas_are_refused(change, message):
    columns = example()
    change(columns)
    with pytest.raises(ValueError, match=message):
        table(columns)


def test_a_float_never_becomes_an_integer_silently():
    with pytest.raises(TypeError):
        table({**example(), "score": np.arange(5) / 2})


def test_nulls_makes_a_column_without_values():
    assert nulls(3).mask.all()
    assert table({**example(), "reason": nulls(5)}).column("reason").null_count == 5
