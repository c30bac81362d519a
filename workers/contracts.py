"""The records that cross a process or a file: job message, run record, sidecar, columns.

They are validated where they are decoded (msgspec): an unknown field, a wrong type or a value
out of range is refused with its path. Nothing here knows a puzzle kind.
"""

import hashlib
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta, Struct
from numpy.typing import NDArray

Columns = dict[str, NDArray[Any]]
"""Column name -> array of one length. Fixed-width texts are uint8 matrices (rows, width); a
column with nulls is a `numpy.ma.MaskedArray` whose mask is True where the value is null."""

Texts = NDArray[np.uint8]
"""Puzzle texts as bytes, one row each, padded with spaces on the right: shape (rows, width)."""

RECORD_SCHEMA = 1
Count = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]
Seed = Annotated[int, Meta(ge=0, le=2**63 - 1)]
RunId = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9_-]{0,79}$")]
Hex8 = Annotated[str, Meta(pattern=r"^[0-9a-f]{8}$")]
Hex64 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]
Action = Literal["generate", "grade"]


class JobMessage(Struct, frozen=True, forbid_unknown_fields=True):
    """All that travels through the broker: run id, job index, digest head, attempt number."""

    run: RunId
    i: Count
    cfg8: Hex8
    attempt: Count


class InputFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """The parsed input of a grading run: the files of `workers.inputs`, by their SHA-256."""

    rows: Count
    width: Positive  # bytes of a line without its line end
    lines: Hex64
    source_line: Hex64
    rejects: Hex64


class JobSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """What a worker needs to know to turn a job index into rows."""

    kind: str
    action: Action
    raters: tuple[str, ...]
    seed: Seed
    params: dict[str, Any]
    jobs: Count  # how many jobs there are; with quotas, the most there may be
    job_rows: Positive  # rows of every job but perhaps the last
    rows: Count  # rows of all jobs together
    input: InputFacts | None = None

    def row_range(self, job: int) -> tuple[int, int]:
        """First row of `job` and the row after its last, counted over the whole run."""
        return job * self.job_rows, min((job + 1) * self.job_rows, self.rows)


class KeySet(Struct, frozen=True, forbid_unknown_fields=True):
    """Keys of earlier corpora, in `exclude/` of the run folder: their puzzles are left out."""

    keys: Count
    sha256: Hex64


class RunFacts(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Everything that changes the corpus; its digest is the run's identity."""

    name: str
    spec: JobSpec
    kind_version: int
    rater_versions: dict[str, int]
    pyarrow: str
    dedupe: Literal["canonical", "string", "none"]
    quotas: dict[str, int]
    levels: dict[str, Any] | None  # the whole levels file, or None for no levels
    target: str | None = None  # a filter that rows must pass
    target_rows: Positive | None = None  # how many of those there shall be, where no quotas say so
    exclude: KeySet | None = None

    def digest(self) -> str:
        """SHA-256 of the canonical JSON (sorted keys, no blanks), as 64 hex digits."""
        return hashlib.sha256(msgspec.json.encode(self, order="sorted")).hexdigest()


class RunRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """`run.json`: written once when the run is created, never changed."""

    schema: int
    run_id: RunId
    digest: Hex64
    facts: RunFacts
    created: dict[str, str]  # provenance that changes no row: time, versions, source file

    @property
    def cfg8(self) -> str:
        return self.digest[:8]


class Sidecar(Struct, frozen=True, forbid_unknown_fields=True):
    """`shards/xx/<job>.json`: the shard beside it is committed if and only if this matches it."""

    schema: int
    job: Count
    cfg8: Hex8
    rows: Count
    bytes: Count
    sha256: Hex64  # of the Parquet file: detects corruption
    content: Hex64  # of the column values: the job's identity
    levels: dict[str, int]  # level -> rows, before deduplication
    stats: dict[str, float]  # cpu_s, kernel_s, wall_s
    made_by: dict[str, str]  # host, pid, library versions
