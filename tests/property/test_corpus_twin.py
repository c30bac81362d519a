"""Whole merges against a slow twin that holds all rows as Python values."""

import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.corpus.merge import merge_run
from pipeline.corpus.reading import read_corpus
from pipeline.levels import load_levels
from workers.shards import shard_path

LEVELS = load_levels("levels-1")
NAMES = {None: "beyond", "unfair": "expert"}
JOBS, ROWS = 4, 6


def level_of(row: dict[str, Any]) -> str | None:
    if row["n_solutions"] != 1:
        return None
    return NAMES.get(row["hodoku_level"], row["hodoku_level"])


def twin(shards: list[list[dict[str, Any]]], dedupe: str, quotas: dict[str, int]) -> list[Any]:
    """(job, row) of the rows of the corpus, in order."""
    seen: set[Any] = set()
    kept: list[dict[str, Any]] = []
    counts = dict.fromkeys(quotas, 0)
    for shard in shards:
        if quotas and all(counts[name] >= wanted for name, wanted in quotas.items()):
            break
        for row in shard:
            identity = {"canonical": row["key"] or row["puzzle"], "string": row["puzzle"]}.get(
                dedupe
            )
            if dedupe != "none" and identity in seen:
                continue
            seen.add(identity)
            level = level_of(row)
            if quotas and counts.get(level, 0) >= quotas.get(level, 0):
                continue
            if quotas:
                counts[level] += 1
            kept.append({**row, "level": level})

    def place(row: dict[str, Any]) -> Any:
        rank = LEVELS.names.index(row["level"]) if row["level"] else 99
        score = row["hodoku_score"]
        last = (row["key"] is None, row["key"] or b"", row["job"], row["row"])
        return (rank, score is None, score or 0, *last)

    return [(row["job"], row["row"]) for row in sorted(kept, key=place)]


keys = st.sampled_from([None, b"a" * 16, b"b" * 16, b"c" * 16, b"d" * 16])
rows = st.fixed_dictionaries(
    {
        "key": keys,
        "puzzle": st.sampled_from(["p", "q", "r", "s", "t", "u", "v"]),
        "n_solutions": st.sampled_from([1, 1, 1, 2]),
        "hodoku_score": st.none() | st.integers(0, 3),
        "hodoku_level": st.none() | st.sampled_from(["easy", "hard", "unfair"]),
    }
)
quotas = st.just({}) | st.dictionaries(
    st.sampled_from(["easy", "hard", "expert", "beyond"]), st.integers(1, 4), min_size=1
)


def as_table(bank: ModuleType, made: list[dict[str, Any]]) -> pa.Table:
    schema = bank.KIND.schema(("basic", "hodoku"))
    plain = {name: [row.get(name) for row in made] for name in schema.names}
    plain["clues"] = np.full(len(made), 20, np.int8)
    plain["canonical"] = [row["key"] and row["key"].decode() for row in made]
    arrays = [pa.array(plain[field.name], field.type) for field in schema]
    return pa.Table.from_arrays(arrays, schema=schema)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(rows, min_size=JOBS * ROWS, max_size=JOBS * ROWS),
    st.sampled_from(["canonical", "string", "none"]),
    quotas,
)
def test_a_merge_agrees_with_its_twin(
    bank: ModuleType, made: list[dict[str, Any]], dedupe: str, wanted: dict[str, int]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        run = bank.make_run(
            Path(folder) / "run", jobs=JOBS, rows=ROWS, levels=LEVELS.table, dedupe=dedupe,
            quotas=wanted, make=lambda job: as_table(bank, made[job * ROWS : (job + 1) * ROWS]),
        )  # fmt: skip
        manifest = merge_run(run)
        found = read_corpus(run, incomplete=True).to_pylist()
        shards = [pq.read_table(shard_path(run, job)).to_pylist() for job in range(JOBS)]
    expected = twin(shards, dedupe, wanted)
    assert [(row["job"], row["row"]) for row in found] == expected
    assert all(row["level"] == level_of(row) for row in found)
    counts = manifest.rows
    assert counts.unique == len(expected)
    assert counts.read == counts.unique + counts.double + counts.surplus
