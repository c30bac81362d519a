"""Columns become an Arrow table, its content hash, and Parquet bytes that depend on rows alone.

Arrow arrays are built from NumPy buffers: `pa.array` would import pandas in every worker, and a
Python object per cell would cost more than many a kernel.
"""

import hashlib
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from workers.contracts import Columns
from workers.kinds.columns import Field, is_few, nulls

SHARD_SCHEMA = 1
Array = Any  # an Arrow array: the stubs of its many types hide more than they show
METADATA_KEY = b"puzzlemill"


class Origin(NamedTuple):
    """Where the rows of a shard come from: columns that no kind knows."""

    job: int
    seed: int | None  # None when grading
    source_lines: NDArray[np.int64] | None  # None when generating


def shard_schema(kind_schema: pa.Schema) -> pa.Schema:
    """The columns of a shard: those of the kind, then job, row, seed and source_line."""
    extra = {
        "job": (pa.int32(), "job that made the row"),
        "row": (pa.int32(), "row within the job, from 0"),
        "seed": (pa.int64(), "seed of the job; null when the puzzle was read"),
        "source_line": (pa.int64(), "line of the input, from 1; null when generated"),
    }
    fields = list(kind_schema)
    for name, (kind_of_value, text) in extra.items():
        metadata = {b"unit": b"1", b"description": text.encode()}
        if name != "source_line":
            metadata[b"values"] = b"few" if name != "row" else b"many"
        fields.append(pa.field(name, kind_of_value, nullable=name in {"seed", "source_line"},
                               metadata=metadata))  # fmt: skip
    return pa.schema(fields)


def table_from_columns(columns: Columns, schema: pa.Schema, origin: Origin) -> pa.Table:
    """One table with the fields of `schema` (see `shard_schema`), in that order.

    Raises ValueError when the columns are not those of the schema or differ in length.
    """
    rows = len(next(iter(columns.values())))
    given = {**columns, **_origin_columns(origin, rows)}
    if set(given) != set(schema.names):
        raise ValueError(
            f"columns differ from the schema: {sorted(set(given) ^ set(schema.names))}"
        )
    arrays = []
    for field in schema:
        if len(given[field.name]) != rows:
            raise ValueError(f"column {field.name} has {len(given[field.name])} rows, not {rows}")
        arrays.append(_array(given[field.name], field))
    return pa.Table.from_arrays(arrays, schema=schema)


def _origin_columns(origin: Origin, rows: int) -> Columns:
    nothing = nulls(rows, np.int64)
    seed = nothing if origin.seed is None else np.full(rows, origin.seed, np.int64)
    lines = nothing if origin.source_lines is None else origin.source_lines
    job = np.full(rows, origin.job, np.int32)
    return {"job": job, "row": np.arange(rows, dtype=np.int32), "seed": seed, "source_line": lines}


def null_mask(values: NDArray[Any]) -> NDArray[np.bool_] | None:
    """True where a column is null, (rows,), or None when it has no null."""
    mask = np.ma.getmask(values)
    if mask is np.ma.nomask:
        return None
    full = np.asarray(mask, bool)
    rows = full if full.ndim == 1 else full.max(axis=1, initial=False)
    return np.asarray(rows, bool) if rows.any() else None


def _array(values: NDArray[Any], field: Field) -> Array:
    """`values` as an Arrow array of the field's type; masked values become nulls."""
    mask = null_mask(values)
    if mask is not None and not field.nullable:
        raise ValueError(f"column {field.name} has nulls")
    plain = np.ma.getdata(values)
    validity = None if mask is None else _buffer(np.packbits(~mask, bitorder="little"))
    if pa.types.is_string(field.type):
        buffers = _text_buffers(plain, mask)
    elif pa.types.is_boolean(field.type):
        buffers = [_buffer(np.packbits(plain.astype(bool), bitorder="little"))]
    elif pa.types.is_fixed_size_binary(field.type):
        if plain.dtype != np.uint8 or plain.shape[1:] != (field.type.byte_width,):
            raise ValueError(f"column {field.name} is not uint8 (rows, {field.type.byte_width})")
        buffers = [_buffer(np.ascontiguousarray(plain))]
    else:
        dtype = field.type.to_pandas_dtype()
        buffers = [_buffer(np.ascontiguousarray(plain.astype(dtype, casting="same_kind")))]
    return pa.Array.from_buffers(field.type, len(plain), [validity, *buffers])


def _text_buffers(values: NDArray[Any], mask: NDArray[np.bool_] | None) -> list[Any]:
    """Offsets and bytes of a string column: a uint8 matrix, or an object array of str."""
    if values.dtype != np.uint8:
        if mask is not None and mask.all():
            return [_offsets(np.zeros(len(values), np.int64)), _buffer(b"")]
        listed: list[Any] = values.tolist()
        if mask is not None:
            listed = [None if null else value for null, value in zip(mask, listed, strict=True)]
        known = {value: b"" if value is None else str(value).encode() for value in set(listed)}
        encoded = [known[value] for value in listed]
        lengths = np.fromiter(map(len, encoded), np.int64, len(encoded))
        return [_offsets(lengths), _buffer(b"".join(encoded))]
    width = values.shape[1]
    # Padding stands on the right only: the length is where the last non-blank ends.
    filled = values != ord(" ")
    lengths = np.where(filled.any(axis=1), width - filled[:, ::-1].argmax(axis=1), 0)
    if mask is not None:
        lengths[mask] = 0
    if (lengths == width).all():
        return [_offsets(lengths), _buffer(np.ascontiguousarray(values))]
    kept = np.arange(width) < lengths[:, None]
    return [_offsets(lengths), _buffer(np.ascontiguousarray(values[kept]))]


def _buffer(values: Any) -> Any:
    return pa.py_buffer(values)


def _offsets(lengths: NDArray[np.int64]) -> Any:
    offsets = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(lengths, out=offsets[1:])
    return _buffer(offsets)


def content_hash(table: pa.Table) -> str:
    """SHA-256 over names, types and values in column order, as 64 hex digits.

    It does not depend on chunks, offsets, what lies under nulls, or how a file is encoded.
    """
    digest = hashlib.sha256(f"{table.num_rows}".encode())
    for name in table.schema.names:
        column = table.column(name).combine_chunks()
        digest.update(f"|{name}:{column.type}|".encode())
        digest.update(np.packbits(_valid(column)).data)
        for values in _value_bytes(column):
            digest.update(np.ascontiguousarray(values).data)
    return digest.hexdigest()


def _value_bytes(column: Array) -> list[NDArray[Any]]:
    """Values of a column, and the lengths of texts; nulls are zero or empty."""
    start, stop = column.offset, column.offset + len(column)
    valid = _valid(column)
    if pa.types.is_string(column.type):
        return _text_bytes(column, valid)
    if pa.types.is_boolean(column.type):
        return [_bits(column.buffers()[1], start, len(column)) & valid]
    if pa.types.is_fixed_size_binary(column.type):
        octets = np.frombuffer(column.buffers()[1], np.uint8).reshape(-1, column.type.byte_width)
        return [np.where(valid[:, None], octets[start:stop], np.uint8(0))]
    dtype = np.dtype(column.type.to_pandas_dtype()).newbyteorder("<")
    values = np.frombuffer(column.buffers()[1], dtype)[start:stop]
    return [np.where(valid, values, dtype.type(0))]


def _text_bytes(column: Array, valid: NDArray[np.bool_]) -> list[NDArray[Any]]:
    _, offsets, values = column.buffers()
    bounds = np.frombuffer(offsets, "<i4")[column.offset : column.offset + len(column) + 1]
    lengths = np.diff(bounds)
    if lengths[~valid].any():  # nothing here writes text under a null, but a foreign file may
        return _text_bytes(pa.array(column.to_pylist(), column.type), valid)
    text = np.frombuffer(values, np.uint8) if values else np.zeros(0, np.uint8)
    return [lengths, text[bounds[0] : bounds[-1]]]


def _valid(column: Array) -> NDArray[np.bool_]:
    if column.null_count == 0:
        return np.ones(len(column), bool)
    return _bits(column.buffers()[0], column.offset, len(column))


def _bits(packed: Any, start: int, count: int) -> NDArray[np.bool_]:
    """Bits of an Arrow bitmap as booleans; `Array.to_numpy` would import pandas."""
    octets = np.frombuffer(packed, np.uint8)
    return np.unpackbits(octets, bitorder="little")[start : start + count].astype(bool)


def parquet_bytes(table: pa.Table, facts: dict[str, Any]) -> bytes:
    """The table as one Parquet file with one row group; equal rows and facts, equal bytes.

    `facts` (JSON values) go into the footer under `puzzlemill`; no time, host or path does.
    """
    footer = msgspec.json.encode({"schema": SHARD_SCHEMA, **facts}, order="sorted")
    few = [field.name for field in table.schema if is_few(field)]
    long_texts = [field.name for field in table.schema
                  if pa.types.is_string(field.type) and not is_few(field)]  # fmt: skip
    sink = pa.BufferOutputStream()
    options: Any = {"use_dictionary": few}  # a list of names, which the stubs do not know
    pq.write_table(
        table.replace_schema_metadata({METADATA_KEY: footer}),
        sink,
        version="2.6",
        compression="zstd",
        compression_level=1,  # smaller with these encodings than level 3 with others, and faster
        **options,
        column_encoding=dict.fromkeys(long_texts, "DELTA_LENGTH_BYTE_ARRAY"),
        write_statistics=False,
        row_group_size=max(table.num_rows, 1),
    )
    return bytes(sink.getvalue())


def footer_facts(metadata: pq.FileMetaData) -> dict[str, Any]:
    """What `parquet_bytes` wrote into the footer; empty for a file of another origin."""
    text = (metadata.metadata or {}).get(METADATA_KEY)
    facts: dict[str, Any] = msgspec.json.decode(text) if text else {}
    return facts
