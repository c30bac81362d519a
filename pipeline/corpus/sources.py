"""Where the rows of a merge come from: the shards of a run, or the parts of other corpora.

A piece is what is read at once: one shard, or one row group of a part. Pieces come in the order
that decides which of two doubles stays: (job, row) for a run, (corpus, place) for corpora.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.corpus.manifest import Manifest
from pipeline.schemas import RUN_COLUMN
from workers.shards import shard_path

SMALL_GROUP = 16_384


@dataclass(frozen=True, slots=True)
class Piece:
    """Rows of one row group of a Parquet file, with what is to be said about them in an error."""

    path: Path
    group: int
    label: str
    run: str | None = None  # value of the column `run` where the file has none

    def read(self, columns: Sequence[str] | None = None) -> pa.Table:
        """The rows, with those of `columns` that there are (None: all)."""
        with pq.ParquetFile(self.path, memory_map=False, pre_buffer=False) as file:
            present = file.schema_arrow.names
            wanted = [name for name in columns or present if name in present]
            if file.num_row_groups == 0:
                return file.schema_arrow.empty_table().select(wanted)
            # Threads would cost more than they bring on the small row group of a shard.
            small = file.metadata.row_group(self.group).num_rows < SMALL_GROUP
            table = file.read_row_group(self.group, wanted, use_threads=not small)
        if self.run is None or RUN_COLUMN in present or columns is not None:
            return table
        return table.append_column(RUN_COLUMN, pa.repeat(self.run, table.num_rows))


def shard_piece(run_dir: Path, job: int) -> Piece:
    """The one piece of a job."""
    path = shard_path(run_dir, job)
    return Piece(path, 0, f"job {job} ({path.relative_to(run_dir)})")


def corpus_pieces(folder: Path, manifest: Manifest, run: str | None = None) -> Iterator[Piece]:
    """The pieces of a corpus, in its order; `run` goes into the column of that name."""
    for part in manifest.files:
        path = folder / part.file
        with pq.ParquetFile(path) as file:
            groups = file.num_row_groups
        for group in range(groups):
            yield Piece(path, group, f"{path} (row group {group})", run)
