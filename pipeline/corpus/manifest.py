"""manifest.json: what a corpus is made of; _SUCCESS: that it is all the plan asked for.

The manifest holds nothing that changes from one making to the next, so equal corpora have equal
manifests. Readers read the files that it lists, and no others.
"""

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from pipeline.corpus.identity import Dedupe
from workers.contracts import Count, Hex64, RunFacts
from workers.errors import IntegrityError, UsageError

MANIFEST = "manifest.json"
SUCCESS = "_SUCCESS"
REJECTS = "rejects.jsonl"
RELEASED = "shards.released"  # in the run folder: see `released`
MANIFEST_SCHEMA = 1


class SortBounds(Struct, frozen=True, forbid_unknown_fields=True):
    """Smallest and largest value of a sort column in a file, None when all are null."""

    min: str | int | float | None
    max: str | int | float | None


class PartFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """One Parquet file of the corpus."""

    file: str
    rows: Count
    bytes: Count
    sha256: Hex64
    bounds: dict[str, SortBounds]


class RowCounts(Struct, frozen=True, forbid_unknown_fields=True):
    """Where all rows went: read = unique + double + surplus + known + missed."""

    read: Count  # in the shards (or corpora) that were merged
    unique: Count  # in the corpus
    double: Count  # doubles of an earlier row
    surplus: Count  # over a quota, or of a level without one
    rejected: Count  # lines of the input that are no puzzle and never became rows
    known: Count = 0  # of excluded corpora
    missed: Count = 0  # did not pass the target

    def __post_init__(self) -> None:
        others = self.double + self.surplus + self.known + self.missed
        if self.read != self.unique + others:
            raise ValueError(
                f"{self.read} rows read, but {self.unique} unique + {self.double} double"
                f" + {self.surplus} surplus + {self.known} known + {self.missed} missed"
            )


class QuotaFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """The prefix of jobs that fills the quotas."""

    wanted: dict[str, int]
    found: dict[str, int]  # level -> rows in the prefix without doubles, surplus counted
    unfilled: dict[str, int]  # level -> rows that are missing after the last job


class Origin(Struct, frozen=True, forbid_unknown_fields=True):
    """A run, or a corpus that was merged into this one."""

    run_id: str
    digest: Hex64
    facts: RunFacts
    content: Hex64 | None = None  # of the corpus that was merged


class Manifest(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole manifest."""

    schema: int
    content: Hex64  # over all column values: the corpus's identity
    kind: str
    kind_version: int
    rater_versions: dict[str, int]
    dedupe: Dedupe
    levels: dict[str, Any] | None
    level_rows: dict[str, int]  # level -> rows in the corpus; rows without level are left out
    sorted_by: list[str]
    rows: RowCounts
    jobs: Count  # the prefix 0 .. jobs-1 that was merged, quarantined ones left out
    acceptance: dict[str, float]  # level -> rows found per row read (doubles count as not found)
    quotas: QuotaFacts | None
    quarantined: list[int]
    complete: bool  # _SUCCESS was written
    rejects: Hex64 | None  # SHA-256 of rejects.jsonl, the rejected lines, where there is one
    origins: list[Origin]
    files: list[PartFacts]
    credits: list[str] = []  # whom the content of generated puzzles is owed to


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write manifest.json and, when the corpus is complete, _SUCCESS after it."""
    plain = msgspec.json.format(msgspec.json.encode(manifest), indent=1)
    (folder / MANIFEST).write_bytes(plain + b"\n")
    if manifest.complete:
        (folder / SUCCESS).write_bytes(f"{manifest.content}\n".encode())


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a corpus folder; UsageError when there is none, IntegrityError when bad."""
    path = folder / MANIFEST
    try:
        return msgspec.json.decode(path.read_bytes(), type=Manifest)
    except FileNotFoundError:
        raise UsageError(folder, "holds no corpus (no manifest.json)") from None
    except NotADirectoryError:
        raise UsageError(folder, "is a file: a corpus is a folder, and so is a run") from None
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as wrong:
        raise IntegrityError(path, " ".join(str(wrong).split())) from None
