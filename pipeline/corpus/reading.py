"""A corpus opened for Python: whole as a table, or batch by batch."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.corpus.manifest import MANIFEST, SUCCESS, Manifest, read_manifest
from pipeline.query import nearest, parse_filter
from workers.errors import IntegrityError, UsageError

if TYPE_CHECKING:
    import pandas as pd

BATCH_ROWS = 65_536


class Corpus:
    """An opened corpus: its manifest, its schema, and its rows in order."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder = folder
        self.manifest = manifest
        with _damage_told(folder):
            self.schema: pa.Schema = pq.read_schema(folder / manifest.files[0].file)

    def __len__(self) -> int:
        return self.manifest.rows.unique

    def read(self, columns: Sequence[str] | None = None, where: str | None = None) -> pa.Table:
        """All rows for which the filter expression `where` holds, in order."""
        choice = self._choice(columns, where)
        with _damage_told(self.folder):
            table: pa.Table = self._dataset().to_table(**choice)
        return table

    def batches(
        self,
        columns: Sequence[str] | None = None,
        where: str | None = None,
        limit: int | None = None,
    ) -> Iterator[pa.Table]:
        """The same rows batch by batch, in bounded memory; at most `limit` rows in all."""
        choice = self._choice(columns, where)
        left = len(self) if limit is None else limit
        scan = {"batch_size": BATCH_ROWS, "batch_readahead": 2, "fragment_readahead": 1}
        with _damage_told(self.folder):
            for batch in self._dataset().to_batches(**scan, **choice):
                if left <= 0:
                    return
                if batch.num_rows:
                    yield pa.Table.from_batches([batch.slice(0, left)])
                    left -= batch.num_rows

    def count(self, where: str | None = None) -> int:
        """Number of rows for which `where` holds."""
        if where is None:
            return len(self)
        wanted = parse_filter(where, self.schema)
        with _damage_told(self.folder):
            rows: int = self._dataset().count_rows(filter=wanted)
        return rows

    def select(self, columns: Sequence[str] | None = None) -> pa.Schema:
        """The schema of these columns; UsageError names one that does not exist."""
        names = self.schema.names if columns is None else columns
        for name in names:
            if name not in self.schema.names:
                raise UsageError("columns", f"no column {name!r}{nearest(name, self.schema.names)}")
        return pa.schema([self.schema.field(name) for name in names])

    def _choice(self, columns: Sequence[str] | None, where: str | None) -> dict[str, Any]:
        chosen = self.select(columns).names
        wanted = None if where is None else parse_filter(where, self.schema)
        return {"columns": chosen, "filter": wanted}

    def _dataset(self) -> Any:
        paths = [str(self.folder / part.file) for part in self.manifest.files]
        import pyarrow.dataset as ds  # brings pandas with it, which a merge does not need

        return ds.dataset(paths, schema=self.schema, format="parquet")


@contextlib.contextmanager
def _damage_told(folder: Path) -> Iterator[None]:
    """What goes wrong in reading a corpus that Arrow wrote, is damage."""
    try:
        yield
    except (pa.ArrowInvalid, OSError) as wrong:
        what = " ".join(str(wrong).split())
        raise IntegrityError(folder, f"cannot be read ({what}); see puzzlemill verify") from None


def open_corpus(path: str | Path, incomplete: bool = False) -> Corpus:
    """Open the corpus in a folder, or that of a run folder.

    Raises UsageError when there is none, or when it is not complete (no _SUCCESS) and
    `incomplete` was not given. Reads only the files that its manifest lists.
    """
    folder = corpus_folder(Path(path))
    manifest = read_manifest(folder)
    if not incomplete and not is_complete(folder):
        raise UsageError(folder, f"is not complete: {_why(manifest)} (--incomplete reads it)")
    return Corpus(folder, manifest)


def read_corpus(
    path: str | Path,
    columns: Sequence[str] | None = None,
    where: str | None = None,
    incomplete: bool = False,
) -> pa.Table:
    """The rows of a corpus (or of a run's) as a table, in order; see `open_corpus`.

    `where` is a filter expression on columns, as in `puzzlemill corpus query`.
    """
    return open_corpus(path, incomplete).read(columns, where)


def read_corpus_frame(
    path: str | Path,
    columns: Sequence[str] | None = None,
    where: str | None = None,
    incomplete: bool = False,
) -> "pd.DataFrame":
    """The same as a pandas frame with Arrow-backed columns: nulls stay nulls, integers integers."""
    import pandas as pd

    frame: pd.DataFrame = read_corpus(path, columns, where, incomplete).to_pandas(
        types_mapper=pd.ArrowDtype
    )
    return frame


def corpus_folder(path: Path) -> Path:
    """The folder with the manifest: `path` itself, or `path`/corpus for a run folder."""
    inside = path / "corpus"
    if not (path / MANIFEST).exists() and inside.is_dir():
        return inside
    return path


def is_complete(folder: Path) -> bool:
    """True when the corpus is all that its plan asked for."""
    return (folder / SUCCESS).is_file()


def _why(manifest: Manifest) -> str:
    if manifest.quotas and manifest.quotas.unfilled:
        missing = ", ".join(f"{rows} {name}" for name, rows in manifest.quotas.unfilled.items())
        return f"quotas not filled, {missing} missing"
    if manifest.quarantined:
        return f"{len(manifest.quarantined)} quarantined jobs are left out"
    return "_SUCCESS is missing"
