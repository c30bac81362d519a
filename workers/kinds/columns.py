"""How a kind describes its columns: one Arrow field with unit, description and role.

Field metadata: `unit` ("1" for plain numbers), `description` (a sentence for the codebook),
`null` (what a null means, for the codebook), `values` = "few" where a column has few distinct
values (it is stored with a dictionary), `shown` = "yes" on columns that tables for a person have,
and `role` = "level" on the raw level column that a run's histogram counts, "rating" on a column
that orders rows inside a level, "size" on a small number whose distribution people ask for.
"""

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import DTypeLike, NDArray

if TYPE_CHECKING:
    Field: TypeAlias = pa.Field[Any]
else:
    Field = pa.Field


def column(
    name: str,
    value_type: pa.DataType,
    description: str,
    *,
    unit: str = "1",
    few: bool = False,
    nullable: bool = False,
    role: str | None = None,
    null: str | None = None,
    shown: bool = False,
) -> Field:
    """One column of a row."""
    metadata = {"unit": unit, "description": description}
    if null:
        metadata["null"] = null
    if shown:
        metadata["shown"] = "yes"
    if few:
        metadata["values"] = "few"
    if role:
        metadata["role"] = role
    return pa.field(name, value_type, nullable=nullable, metadata=metadata)


def nulls(rows: int, dtype: DTypeLike = object) -> NDArray[Any]:
    """A column of `rows` nulls."""
    column: NDArray[Any] = np.ma.MaskedArray(np.zeros(rows, dtype), mask=True)
    return column


def is_few(field: Field) -> bool:
    """True for a column with few distinct values."""
    return (field.metadata or {}).get(b"values") == b"few"


def level_column(schema: pa.Schema) -> str | None:
    """Name of the raw level column, or None when rows have none."""
    return next(iter(columns_with(schema, b"role", b"level")), None)


def columns_with(schema: pa.Schema, note: bytes, value: bytes) -> list[str]:
    """Names of the columns whose metadata have this note, in order."""
    return [str(field.name) for field in schema if (field.metadata or {}).get(note) == value]
