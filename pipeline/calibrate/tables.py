"""A study as files: CSV tables, JSON, Parquet; equal values, equal bytes.

Floats are written with six significant digits, which hides what the order of additions changes.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from workers.errors import UsageError

FACTS = "study.json"
FORMAT = "%.6g"


def write_table(folder: Path, name: str, table: pd.DataFrame) -> None:
    """Write `name`.csv."""
    plain = table.copy()
    for column in plain.select_dtypes("float"):
        plain[column] = plain[column].astype("float64") + 0.0  # no -0
    plain.to_csv(folder / f"{name}.csv", index=False, float_format=FORMAT, lineterminator="\n")


def write_facts(folder: Path, facts: Mapping[str, Any]) -> None:
    """Write study.json, by which a folder is known as a study."""
    text = msgspec.json.format(msgspec.json.encode(_rounded(facts), order="sorted"), indent=1)
    (folder / FACTS).write_bytes(text + b"\n")


def write_predictions(folder: Path, table: pd.DataFrame) -> None:
    """Write predictions.parquet."""
    plain = table.copy()
    for column in plain.select_dtypes("float"):
        plain[column] = plain[column].astype("float64").round(6)
    found = pa.Table.from_pandas(plain, preserve_index=False).replace_schema_metadata(None)
    pq.write_table(found, folder / "predictions.parquet", compression="zstd")


def read_study(folder: Path) -> tuple[dict[str, Any], dict[str, pd.DataFrame]]:
    """The facts and all CSV tables of a study; UsageError when the folder is none."""
    if not (folder / FACTS).is_file():
        raise UsageError(folder, f"is no study (it has no {FACTS})")
    facts: dict[str, Any] = msgspec.json.decode((folder / FACTS).read_bytes())
    tables = {}
    for path in sorted(folder.glob("*.csv")):
        if path.stat().st_size > 1:
            tables[path.stem] = pd.read_csv(path)
    return facts, tables


def check_place(folder: Path) -> None:
    """UsageError unless a study may be put there: nothing is, an empty folder, or a study."""
    if folder.is_file():
        raise UsageError(folder, "is a file, not a folder")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / FACTS).is_file():
        raise UsageError(folder, "holds other files; name a new folder")


def _rounded(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _rounded(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(one) for one in value]
    if isinstance(value, float | np.floating):
        return float(f"{float(value):.6g}") if np.isfinite(value) else None
    return value.item() if isinstance(value, np.generic) else value
