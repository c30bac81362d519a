"""The total order of the rows of a corpus.

Rows stand by level rank, then rating (er where the corpus has it, else hodoku_score, else the
first column that its kind marks as a rating), then key, nulls last in each; rows that are still
equal stay in reading order, which is (job, row) for a run. So the order depends on the rows alone.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.corpus.identity import KEY_COLUMN, Mask, Words, key_words
from workers.kinds.columns import columns_with

RATINGS = ("er", "hodoku_score")
NO_LEVEL_LAST = 127


class SortColumns(NamedTuple):
    """What the order is made of: arrays of shape (n,), 26 bytes a row."""

    rank: NDArray[np.int8]  # 1 = easiest; NO_LEVEL_LAST where the row has no level
    rating: NDArray[np.float64]  # infinity where null
    keyless: Mask
    high: Words
    low: Words


def rating_column(schema: pa.Schema) -> str | None:
    """The column that rates rows inside a level, or None when the corpus has none."""
    marked = columns_with(schema, b"role", b"rating")
    return next((name for name in (*RATINGS, *marked) if name in schema.names), None)


def sort_columns(schema: pa.Schema) -> list[str]:
    """Names of the columns that a corpus with this schema is sorted by."""
    wanted = ("level_rank", rating_column(schema), KEY_COLUMN)
    return [name for name in wanted if name in schema.names]


def sort_values(table: pa.Table, rank: NDArray[np.int8]) -> SortColumns:
    """The sort columns of a table with n rows; `rank` as from Levels.rank, 0 = no level."""
    count = table.num_rows
    name = rating_column(table.schema)
    rating = np.full(count, np.inf)
    if name is not None:
        values: Any = table.column(name).cast(pa.float64())
        rating = values.fill_null(np.inf).to_numpy()
    keyless = np.ones(count, dtype=np.bool_)
    high = low = np.zeros(count, dtype=np.uint64)
    if KEY_COLUMN in table.column_names:
        keys: Any = table.column(KEY_COLUMN)
        keyless = keys.is_null().to_numpy()
        high, low = key_words(keys)
    return SortColumns(np.where(rank == 0, NO_LEVEL_LAST, rank), rating, keyless, high, low)


def places(parts: Iterable[SortColumns]) -> NDArray[np.int64]:
    """Place in the corpus of every row, the rows of all parts counted through: shape (n,)."""
    columns = zip(*parts, strict=True)
    rank, rating, keyless, high, low = (np.concatenate(column) for column in columns)
    order = np.lexsort((low, high, keyless, rating, rank))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place
