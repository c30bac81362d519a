"""Corpus columns: what may differ, what may not, and what the codebook says about them."""

from types import ModuleType

import msgspec
import numpy as np
import pyarrow as pa
import pytest

from pipeline.codebook import codebook, codebook_json, codebook_markdown, codebook_text
from pipeline.schemas import (
    conform,
    corpus_schema,
    differences,
    run_schema,
    schema_version,
    unify,
    value_faults,
)
from workers.contracts import JobSpec, RunFacts
from workers.errors import IntegrityError, VersionRefused

WANTED = pa.schema(
    [
        pa.field("key", pa.binary(16), nullable=False),
        pa.field("clues", pa.int8(), nullable=False),
        pa.field("er", pa.float64()),
        pa.field("ep", pa.float64()),
    ]
)


def facts(raters: tuple[str, ...] = ("basic", "hodoku"), hodoku: int = 2) -> RunFacts:
    versions = {"basic": 1, "hodoku": hodoku}
    spec = JobSpec("bank", "generate", raters, 1, {}, 1, 1, 1)
    return RunFacts("x", spec, 1, {r: versions[r] for r in raters}, "0", "none", {}, None)


def test_a_nullable_column_may_be_absent_at_any_place() -> None:
    assert differences(WANTED, WANTED) == []
    assert differences(WANTED.remove(3), WANTED) == []
    assert differences(WANTED.remove(2), WANTED) == []


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (WANTED.remove(1), "lacks the column clues"),
        (WANTED.append(pa.field("x", pa.int8())), "has an unknown column x"),
        (WANTED.set(1, pa.field("clues", pa.int16())), "column clues is int16, not int8"),
        (pa.schema([WANTED.field(n) for n in (1, 0, 2, 3)]), "has its columns in another order"),
    ],
)
def test_other_differences_are_told(found: pa.Schema, said: str) -> None:
    assert differences(found, WANTED) == [said]


def test_conform_fills_absent_columns_with_nulls_and_casts_nothing() -> None:
    table = pa.table({"key": pa.array([bytes(16)], pa.binary(16)), "clues": np.array([9], np.int8)})
    whole = conform(table, WANTED)
    assert whole.schema == WANTED
    assert whole.column("ep").to_pylist() == [None]


def test_unify_adds_columns_as_nullable_and_refuses_another_type() -> None:
    one = WANTED.remove(3).remove(1)
    joint = unify([one, WANTED])
    assert joint.names == ["key", "er", "clues", "ep"]
    assert joint.field("clues").nullable
    assert not joint.field("key").nullable
    with pytest.raises(IntegrityError, match="column er: is double in one and float in another"):
        unify([WANTED, pa.schema([("er", pa.float32())])])


def test_values_out_of_range_and_nulls_where_there_are_none_are_faults(bank: ModuleType) -> None:
    assert value_faults(bank.make_rows(50, 1, raters=("basic", "hodoku", "se121"))) == []
    bad = pa.table(
        {
            "n_solutions": np.array([0, 3], np.int8),
            "er": [0.5, 4.0],
            "hodoku_t_x": np.array([-1, 0], np.int16),
        }
    )
    assert value_faults(bad) == [
        "column n_solutions has 3, above 2",
        "column er has 0.5, below 1",
        "column hodoku_t_x has -1, below 0",
    ]
    schema = pa.schema([pa.field("key", pa.int64(), nullable=False)])
    holes = pa.Table.from_arrays([pa.array([1, None])], schema=schema)
    assert value_faults(holes) == ["column key has 1 nulls"]


def test_the_schema_of_a_run_names_rater_and_version(bank: ModuleType) -> None:
    schema = corpus_schema(run_schema(facts()), [facts()])
    assert schema.names[-6:] == ["job", "row", "seed", "source_line", "level", "level_rank"]
    assert schema.field("hodoku_t_x_wing").metadata[b"rater_version"] == b"2"
    assert schema_version(schema) == 1
    assert schema_version(WANTED) is None
    without = corpus_schema(run_schema(facts(("basic",))), [facts(("basic",))])
    assert "hodoku_score" not in without.names


def test_a_rater_of_another_version_is_refused(bank: ModuleType) -> None:
    with pytest.raises(VersionRefused):
        run_schema(facts(hodoku=1))


def test_the_codebook_has_an_entry_for_every_column(bank: ModuleType) -> None:
    schema = corpus_schema(run_schema(facts()), [facts()])
    entries = codebook(schema)
    assert [entry.column for entry in entries] == schema.names
    assert all(entry.description for entry in entries)
    by_name = {entry.column: entry for entry in entries}
    assert by_name["clues"].unit == "cells"
    assert by_name["clues"].nulls == "never"
    assert by_name["hodoku_score"].nulls == "not evaluated"
    assert by_name["source_line"].nulls == "generated, not read from a list"
    assert (by_name["hodoku_score"].rater, by_name["hodoku_score"].rater_version) == ("hodoku", 2)


def test_the_codebook_reads_as_markdown_text_and_json(bank: ModuleType) -> None:
    entries = codebook(run_schema(facts()))
    markdown = codebook_markdown(entries).splitlines()
    assert markdown[0] == "| column | type | unit | null means | description |"
    assert len(markdown) == len(entries) + 2
    assert "(rater hodoku, version 2)" in codebook_text(entries)
    lines = codebook_json(entries).splitlines()
    assert [msgspec.json.decode(line)["column"] for line in lines] == run_schema(facts()).names
