"""Run folders with made-up rows, for tests of the corpus: a kind "bank" and shards of it.

The rows look like those of graded puzzles, but their texts are random: what is tested is what
happens to rows, not what is in them. Load it through the fixture `bank`.
"""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import numpy as np
import pyarrow as pa
from msgspec import Struct

from workers.commit import commit
from workers.contracts import RECORD_SCHEMA, JobSpec, RunFacts, RunRecord, Sidecar
from workers.kinds.columns import column
from workers.tables import shard_schema

NAMES = ("easy", "medium", "hard", "unfair", "extreme")
TECHNIQUES = ("full_house", "naked_single", "x_wing", "skyscraper")
ALPHABET = np.frombuffer(b".123456789", np.uint8)


class NoParams(Struct, frozen=True):
    """The bank has none."""


class BankKind:
    """A kind that only has columns."""

    name = "bank"
    version = 1
    rater_versions: ClassVar = {"basic": 1, "hodoku": 2, "se121": 1}
    default_raters = ("basic", "hodoku")
    default_levels = "levels-1"
    params_type = NoParams

    def schema(self, raters: Sequence[str]) -> pa.Schema:
        fields = [
            column("key", pa.binary(16), "hash of the canonical form", nullable=True),
            column("puzzle", pa.string(), "the puzzle, . for empty"),
            column("n_solutions", pa.int8(), "solutions, 2 = more", few=True),
            column("reason", pa.string(), "why it is not graded", few=True, nullable=True),
            column("clues", pa.int8(), "given digits", unit="cells", few=True),
            column("canonical", pa.string(), "minlex form", nullable=True),
        ]
        if "hodoku" in raters:
            fields += [
                column("hodoku_score", pa.int32(), "sum of step scores", nullable=True),
                column("hodoku_level", pa.string(), "level", few=True, nullable=True, role="level"),
            ]
            for name in TECHNIQUES:
                use = f"uses of {name}"
                fields.append(column(f"hodoku_t_{name}", pa.int16(), use, few=True, nullable=True))
        if "se121" in raters:
            fields.append(column("er", pa.float64(), "hardest step", few=True, nullable=True))
        return pa.schema(fields)


KIND = BankKind()


def make_rows(
    count: int, seed: int, classes: int = 1000, raters: Sequence[str] = ("basic", "hodoku")
) -> pa.Table:
    """`count` random rows of `classes` equivalence classes; one in ten is not unique.

    A class fixes key, canonical form and ratings; texts of one class differ.
    """
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, classes, count)
    unique = kind % 10 != 9
    solved = unique & (kind % 7 != 6)
    forms = [f"{number:081d}" for number in kind.tolist()]
    texts = ALPHABET[rng.integers(0, 10, (count, 81))]
    score = kind * 7919 % 2000
    columns: dict[str, Any] = {
        "key": pa.array([hash_of(form) for form in forms], pa.binary(16)),
        "puzzle": [row.tobytes().decode() for row in texts],
        "n_solutions": np.where(unique, 1, 2).astype(np.int8),
        "reason": [None if one else "many solutions" for one in unique.tolist()],
        "clues": (81 - (texts == ord(".")).sum(axis=1)).astype(np.int8),
        "canonical": forms,
    }
    if "hodoku" in raters:
        columns["hodoku_score"] = pa.array(score.astype(np.int32), mask=~solved)
        names = [NAMES[min(number // 400, 4)] for number in score.tolist()]
        columns["hodoku_level"] = pa.array(names, mask=~solved)
        for place, name in enumerate(TECHNIQUES):
            uses = (kind // (place + 1) % (5 - place)).astype(np.int16)
            columns[f"hodoku_t_{name}"] = pa.array(uses, mask=~unique)
    if "se121" in raters:
        columns["er"] = pa.array(np.round(1 + kind % 90 / 10, 1), mask=~unique)
    return pa.table(columns, KIND.schema(raters))


def hash_of(form: str) -> bytes:
    return hashlib.blake2b(form.encode(), digest_size=16).digest()


def make_run(
    folder: Path,
    *,
    jobs: int = 4,
    rows: int = 50,
    skip: Sequence[int] = (),
    make: Callable[[int], pa.Table] | None = None,
    raters: Sequence[str] = ("basic", "hodoku"),
    **facts: Any,
) -> Path:
    """A run folder with the shards of all jobs but those of `skip`; returns it.

    `make` gives the rows of a job (by default random ones); `facts` are fields of RunFacts.
    """
    spec = JobSpec("bank", "generate", tuple(raters), 7, {}, jobs, rows, jobs * rows)
    versions = {rater: KIND.rater_versions[rater] for rater in raters}
    known = {"dedupe": "canonical", "quotas": {}, "levels": None, **facts}
    all_facts = RunFacts("bank", spec, KIND.version, versions, pa.__version__, **known)
    record = RunRecord(RECORD_SCHEMA, "bank-0", all_facts.digest(), all_facts, {})
    folder.mkdir(parents=True)
    (folder / "run.json").write_bytes(msgspec.json.encode(record))
    for job in range(jobs):
        if job not in skip:
            table = make(job) if make else make_rows(rows, job, raters=raters)
            commit_rows(folder, record, job, table)
    return folder


def commit_rows(folder: Path, record: RunRecord, job: int, table: pa.Table) -> None:
    """Commit the rows of a job as a worker would."""
    count = table.num_rows
    schema = shard_schema(table.schema)
    more = [
        pa.array(np.full(count, job, np.int32)),
        pa.array(np.arange(count, dtype=np.int32)),
        pa.array(np.full(count, 1000 + job, np.int64)),
        pa.nulls(count, pa.int64()),
    ]
    whole = pa.Table.from_arrays([*table.columns, *more], schema=schema)

    def describe(shard: Any) -> Sidecar:
        hashes = {"sha256": shard.sha256, "content": shard.content}
        return Sidecar(schema=RECORD_SCHEMA, job=job, cfg8=record.cfg8, rows=shard.rows,
                       bytes=shard.bytes, levels={}, stats={}, made_by={}, **hashes)  # fmt: skip

    commit(folder, job, whole, {"run": record.digest}, describe)
