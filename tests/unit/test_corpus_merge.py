"""A run's shards become a corpus: what is kept, in what order, in which bytes."""

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.corpus import content, parts, passes
from pipeline.corpus.manifest import read_manifest
from pipeline.corpus.merge import merge_corpora, merge_run
from pipeline.corpus.reading import read_corpus
from pipeline.corpus.verify import run_findings
from pipeline.levels import load_levels
from pipeline.runs import read_record
from workers.errors import ConfigError, IntegrityError, RunError, UsageError, VersionRefused
from workers.shards import shard_path

LEVELS = load_levels("levels-1").table


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def shards(run: Path, jobs: range) -> list[dict[str, Any]]:
    """All rows of a run in (job, row) order, as plain rows."""
    return [row for job in jobs for row in pq.read_table(shard_path(run, job)).to_pylist()]


def test_the_corpus_holds_the_first_row_of_every_key(bank: ModuleType, tmp_path: Path) -> None:
    run = bank.make_run(tmp_path / "run", rows=200, levels=LEVELS)
    manifest = merge_run(run)
    first: dict[bytes, tuple[int, int]] = {}
    rows = shards(run, range(4))
    for row in rows:
        first.setdefault(row["key"], (row["job"], row["row"]))
    found = read_corpus(run).to_pylist()
    assert {row["key"]: (row["job"], row["row"]) for row in found} == first
    counts = manifest.rows
    assert (counts.read, counts.unique) == (len(rows), len(first))
    assert counts.double == len(rows) - len(first) > 50


def test_rows_are_sorted_by_level_then_score_then_key_with_nulls_last(
    bank: ModuleType, tmp_path: Path
) -> None:
    run = bank.make_run(tmp_path / "run", levels=LEVELS)
    merge_run(run)
    found = [
        tuple((row[name] is None, row[name]) for name in ("level_rank", "hodoku_score", "key"))
        for row in read_corpus(run).to_pylist()
    ]
    assert found == sorted(found, key=lambda row: [(null, value or 0) for null, value in row[:2]]
                           + [row[2][1]])  # fmt: skip
    assert found[-1][0][0], "rows without a level stand last"


def test_er_orders_rows_where_a_corpus_has_it(bank: ModuleType, tmp_path: Path) -> None:
    run = bank.make_run(tmp_path / "run", raters=("basic", "hodoku", "se121"), levels=LEVELS)
    assert merge_run(run).sorted_by == ["level_rank", "er", "key"]
    table = read_corpus(run, where="level == 'hard'")
    ratings = table.column("er").to_pylist()
    assert ratings == sorted(ratings)


def test_equal_rows_give_equal_files_whatever_the_memory_and_the_order_of_commits(
    bank: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "ROW_GROUP", 16)
    monkeypatch.setattr(content, "BLOCK_ROWS", 16)
    run = bank.make_run(tmp_path / "a", jobs=6, levels=LEVELS)
    merge_run(run)
    again = bank.make_run(tmp_path / "b", jobs=6, skip=range(6), levels=LEVELS)
    for job in reversed(range(6)):
        bank.commit_rows(again, read_record(again), job, bank.make_rows(50, job))
    monkeypatch.setattr(passes.carry, "__defaults__", (32, 0))
    merge_run(again)
    assert files(run / "corpus") == files(again / "corpus")
    assert set(files(run / "corpus")) == {"part-00000.parquet", "manifest.json", "_SUCCESS"}


def test_a_file_tells_neither_when_nor_where_it_was_written(
    bank: ModuleType, tmp_path: Path
) -> None:
    run = bank.make_run(tmp_path / "secret-place", levels=LEVELS)
    merge_run(run)
    metadata = pq.read_metadata(run / "corpus" / "part-00000.parquet")
    footer = json.loads(metadata.metadata[b"puzzlemill"])
    versions = {"basic": 1, "hodoku": 2}
    assert footer == {
        "schema": 1, "kind": "bank", "kind_version": 1, "rater_versions": versions
    }  # fmt: skip
    for written in files(run / "corpus").values():
        assert b"secret-place" not in written


def test_columns_carry_unit_description_and_rater_version(bank: ModuleType, tmp_path: Path) -> None:
    run = bank.make_run(tmp_path / "run", levels=LEVELS)
    merge_run(run)
    schema = pq.read_schema(run / "corpus" / "part-00000.parquet")
    assert schema.field("clues").metadata[b"unit"] == b"cells"
    assert schema.field("hodoku_score").metadata[b"rater"] == b"hodoku"
    assert schema.field("hodoku_score").metadata[b"rater_version"] == b"2"
    assert b"rater" not in schema.field("puzzle").metadata
    assert schema.names[-2:] == ["level", "level_rank"]


def test_long_texts_are_delta_encoded_and_names_use_dictionaries(
    bank: ModuleType, tmp_path: Path
) -> None:
    run = bank.make_run(tmp_path / "run", levels=LEVELS)
    merge_run(run)
    group = pq.read_metadata(run / "corpus" / "part-00000.parquet").row_group(0)
    columns = [group.column(place) for place in range(group.num_columns)]
    encodings = {column.path_in_schema: column.encodings for column in columns}
    assert "DELTA_LENGTH_BYTE_ARRAY" in encodings["puzzle"]
    assert "RLE_DICTIONARY" not in encodings["key"] + encodings["puzzle"]
    assert "RLE_DICTIONARY" in encodings["hodoku_level"]
    assert {column.compression for column in columns} == {"ZSTD"}
    assert all(column.has_column_index for column in columns if column.path_in_schema == "key")


def test_string_deduplication_compares_texts_and_none_keeps_all(
    bank: ModuleType, tmp_path: Path
) -> None:
    def make(job: int) -> pa.Table:
        table = bank.make_rows(30, 1)
        return pa.concat_tables([table.slice(0, 10), table.slice(0, 10), table.slice(20)])

    by_text = bank.make_run(tmp_path / "a", rows=30, make=make, dedupe="string")
    assert merge_run(by_text).rows.unique == 20
    kept = bank.make_run(tmp_path / "b", rows=30, make=make, dedupe="none")
    manifest = merge_run(kept)
    assert (manifest.rows.unique, manifest.rows.double) == (120, 0)
    rows = [(row["job"], row["row"]) for row in read_corpus(kept).to_pylist()]
    assert len(set(rows)) == 120


def test_equal_keys_of_unequal_forms_are_an_alarm(bank: ModuleType, tmp_path: Path) -> None:
    def make(job: int) -> pa.Table:
        table = bank.make_rows(20, 5)
        place = table.schema.get_field_index("canonical")
        forms = table.column("canonical").to_pylist()
        if job == 2:
            forms[7] = forms[7].replace("0", "1", 1)
        return table.set_column(place, table.schema.field(place), pa.array(forms))

    run = bank.make_run(tmp_path / "run", rows=20, make=make)
    with pytest.raises(IntegrityError, match=r"job 2 .* row 7 .* job 0 .* not a canonical form"):
        merge_run(run)
    assert not (run / "corpus").exists()


def test_values_out_of_range_are_refused_with_their_job(bank: ModuleType, tmp_path: Path) -> None:
    def make(job: int) -> pa.Table:
        table = bank.make_rows(20, job)
        place = table.schema.get_field_index("n_solutions")
        count = np.full(20, 3 if job == 3 else 1, np.int8)
        return table.set_column(place, table.schema.field(place), pa.array(count))

    run = bank.make_run(tmp_path / "run", rows=20, make=make)
    with pytest.raises(IntegrityError, match=r"job 3 .*n_solutions has 3, above 2"):
        merge_run(run)


def test_a_missing_job_is_named_and_nothing_is_written(bank: ModuleType, tmp_path: Path) -> None:
    run = bank.make_run(tmp_path / "run", skip=[2])
    with pytest.raises(RunError, match="job 2 is missing; resume the run first"):
        merge_run(run)
    assert not (run / "corpus").exists()


def test_a_quarantined_job_is_left_out_and_only_complete_when_accepted(
    bank: ModuleType, tmp_path: Path
) -> None:
    run = bank.make_run(tmp_path / "run", skip=[2])
    (run / "quarantine").mkdir()
    (run / "quarantine" / "2.json").write_text("{}")
    manifest = merge_run(run)
    assert (manifest.quarantined, manifest.complete, manifest.rows.read) == ([2], False, 150)
    assert not (run / "corpus" / "_SUCCESS").exists()
    with pytest.raises(UsageError, match="1 quarantined jobs are left out"):
        read_corpus(run)
    assert len(read_corpus(run, incomplete=True)) == manifest.rows.unique
    content = manifest.content
    manifest = merge_run(run, accept_quarantined=True)
    assert (manifest.content, manifest.complete) == (content, True)
    assert (run / "corpus" / "_SUCCESS").read_text().strip() == content


def test_quotas_take_the_shortest_prefix_and_leave_later_shards(
    bank: ModuleType, tmp_path: Path
) -> None:
    run = bank.make_run(tmp_path / "run", jobs=8, skip=[7], levels=LEVELS,
                        quotas={"easy": 12, "expert": 15})  # fmt: skip
    manifest = merge_run(run)
    assert manifest.level_rows == {"easy": 12, "expert": 15}
    assert manifest.jobs < 7
    counts = manifest.rows
    assert counts.read == 50 * manifest.jobs == counts.unique + counts.double + counts.surplus
    assert manifest.quotas is not None
    assert manifest.quotas.unfilled == {}
    assert manifest.acceptance["easy"] == round(manifest.quotas.found["easy"] / counts.read, 9)
    assert shard_path(run, 6).exists()


def test_a_run_with_a_shorter_last_prefix_gives_the_same_corpus(
    bank: ModuleType, tmp_path: Path
) -> None:
    quotas = {"easy": 12, "expert": 15}
    whole = bank.make_run(tmp_path / "a", jobs=8, levels=LEVELS, quotas=quotas)
    used = merge_run(whole).jobs
    short = bank.make_run(tmp_path / "b", jobs=8, skip=range(used, 8), levels=LEVELS, quotas=quotas)
    merge_run(short)
    assert files(whole / "corpus") == files(short / "corpus")


def test_a_quota_that_is_not_filled_leaves_the_corpus_incomplete(
    bank: ModuleType, tmp_path: Path
) -> None:
    run = bank.make_run(tmp_path / "run", levels=LEVELS, quotas={"easy": 12, "extreme": 500})
    manifest = merge_run(run, accept_quarantined=True)
    assert manifest.quotas is not None
    missing = manifest.quotas.unfilled["extreme"]
    assert not manifest.complete
    with pytest.raises(UsageError, match=f"quotas not filled, {missing} extreme missing"):
        read_corpus(run)


def test_rejected_lines_are_counted_and_kept_beside_the_corpus(
    bank: ModuleType, tmp_path: Path
) -> None:
    run = bank.make_run(tmp_path / "run", dedupe="none")
    (run / "input").mkdir()
    (run / "input" / "rejects.jsonl").write_text('{"line":3}\n{"line":9}\n')
    assert merge_run(run).rows.rejected == 2
    rejects = run / "corpus" / "rejects.jsonl"
    assert rejects.read_text() == '{"line":3}\n{"line":9}\n'
    assert list(run_findings(run)) == []
    rejects.write_text('{"line":3}\n')
    assert [finding.file.name for finding in run_findings(run)] == ["rejects.jsonl"]


def test_the_content_hash_is_that_of_the_values_not_of_the_files(
    bank: ModuleType, tmp_path: Path
) -> None:
    run = bank.make_run(tmp_path / "run", levels=LEVELS)
    manifest = merge_run(run)
    part = run / "corpus" / "part-00000.parquet"
    table = pq.read_table(part)
    pq.write_table(table, part, row_group_size=7, compression="none")
    assert content.corpus_content(run / "corpus", manifest) == manifest.content
    place = table.schema.get_field_index("clues")
    clues = table.column("clues").to_numpy().copy()
    clues[-1] += 1
    pq.write_table(table.set_column(place, table.schema.field(place), pa.array(clues)), part)
    assert content.corpus_content(run / "corpus", manifest) != manifest.content


def test_an_older_corpus_is_replaced_as_a_whole(bank: ModuleType, tmp_path: Path) -> None:
    run = bank.make_run(tmp_path / "run")
    (run / "corpus").mkdir()
    (run / "corpus" / "part-00009.parquet").write_bytes(b"old")
    merge_run(run)
    assert "part-00009.parquet" not in files(run / "corpus")
    assert [path.name for path in run.iterdir() if path.name.startswith(".")] == []


def test_an_interrupted_merge_leaves_the_older_corpus(bank: ModuleType, tmp_path: Path) -> None:
    run = bank.make_run(tmp_path / "run")
    merge_run(run)
    before = files(run / "corpus")

    def interrupt(step: str, rows: int) -> None:
        if step == "write":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        merge_run(run, report=interrupt)
    assert files(run / "corpus") == before
    assert [path.name for path in run.iterdir() if path.name.startswith(".")] == []


def test_corpora_merge_with_the_earliest_row_of_a_key_and_the_run_it_came_from(
    bank: ModuleType, tmp_path: Path
) -> None:
    one = bank.make_run(tmp_path / "one", jobs=2, levels=LEVELS)
    other = bank.make_run(tmp_path / "two", jobs=2, levels=LEVELS,
                          make=lambda job: bank.make_rows(50, 100 + job))  # fmt: skip
    kept = {name: merge_run(run) for name, run in (("one", one), ("two", other))}
    out = tmp_path / "all"
    manifest = merge_corpora([one / "corpus", other / "corpus"], out)
    table, first = read_corpus(out), read_corpus(one)
    keys = set(table.column("key").to_pylist())
    assert len(keys) == len(table) == manifest.rows.unique
    assert set(first.column("key").to_pylist()) < keys
    assert manifest.rows.read == sum(one.rows.unique for one in kept.values())
    texts = dict(zip(table.column("key").to_pylist(), table.column("puzzle").to_pylist(),
                     strict=True))  # fmt: skip
    assert all(texts[row["key"]] == row["puzzle"] for row in first.to_pylist())
    assert set(table.column("run").to_pylist()) == {"bank-0"}
    assert [origin.content for origin in manifest.origins] == [
        kept["one"].content, kept["two"].content
    ]  # fmt: skip
    assert read_manifest(out) == manifest


def test_merging_one_corpus_keeps_its_rows_and_their_order(
    bank: ModuleType, tmp_path: Path
) -> None:
    run = bank.make_run(tmp_path / "run", levels=LEVELS)
    merge_run(run)
    merge_corpora([run / "corpus"], tmp_path / "copy")
    copy = read_corpus(tmp_path / "copy").drop_columns(["run"])
    assert copy.equals(read_corpus(run).select(copy.column_names))


def test_corpora_with_other_raters_unite_their_columns(bank: ModuleType, tmp_path: Path) -> None:
    one = bank.make_run(tmp_path / "one", jobs=1, levels=LEVELS)
    raters = ("basic", "hodoku", "se121")
    other = bank.make_run(tmp_path / "two", jobs=1, raters=raters, levels=LEVELS,
                          make=lambda job: bank.make_rows(50, 9, raters=raters))  # fmt: skip
    merge_run(one)
    merge_run(other)
    merge_corpora([one / "corpus", other / "corpus"], tmp_path / "all")
    table = read_corpus(tmp_path / "all")
    assert table.schema.field("er").nullable
    assert table.schema.field("er").metadata[b"rater"] == b"se121"
    assert 0 < table.column("er").null_count < len(table)


def test_corpora_of_two_versions_of_a_rater_do_not_mix(
    bank: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = bank.make_run(tmp_path / "one", jobs=1)
    merge_run(one)
    monkeypatch.setitem(bank.KIND.rater_versions, "hodoku", 3)
    other = bank.make_run(tmp_path / "two", jobs=1)
    merge_run(other)
    with pytest.raises(VersionRefused, match="rater hodoku: versions 2 and 3 do not mix"):
        merge_corpora([one / "corpus", other / "corpus"], tmp_path / "all")


def test_a_run_of_another_kind_version_is_not_merged(
    bank: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = bank.make_run(tmp_path / "run")
    monkeypatch.setattr(bank.KIND, "version", 2)
    with pytest.raises(VersionRefused):
        merge_run(run)


def test_corpora_with_other_levels_need_a_levels_file(bank: ModuleType, tmp_path: Path) -> None:
    one = bank.make_run(tmp_path / "one", jobs=1)
    other = bank.make_run(tmp_path / "two", jobs=1, levels=LEVELS)
    merge_run(one)
    merge_run(other)
    folders = [one / "corpus", other / "corpus"]
    with pytest.raises(ConfigError, match="give --levels"):
        merge_corpora(folders, tmp_path / "all")
    manifest = merge_corpora(folders, tmp_path / "all", levels=load_levels("levels-1"))
    assert sum(manifest.level_rows.values()) > 40


def test_a_merge_of_corpora_replaces_nothing_unless_asked(bank: ModuleType, tmp_path: Path) -> None:
    run = bank.make_run(tmp_path / "run", jobs=1)
    merge_run(run)
    out = tmp_path / "out"
    merge_corpora([run / "corpus"], out)
    with pytest.raises(UsageError, match="exists already"):
        merge_corpora([run / "corpus"], out)
    merge_corpora([run / "corpus"], out, overwrite=True)
    (tmp_path / "mine").mkdir()
    with pytest.raises(UsageError, match="exists already"):
        merge_corpora([run / "corpus"], tmp_path / "mine", overwrite=True)


def test_a_damaged_corpus_is_not_merged(bank: ModuleType, tmp_path: Path) -> None:
    run = bank.make_run(tmp_path / "run", jobs=1)
    merge_run(run)
    part = run / "corpus" / "part-00000.parquet"
    content = bytearray(part.read_bytes())
    content[100] ^= 1
    part.write_bytes(content)
    with pytest.raises(IntegrityError, match=r"part-00000\.parquet: damaged"):
        merge_corpora([run / "corpus"], tmp_path / "all")


def test_an_empty_result_is_a_corpus_without_rows(bank: ModuleType, tmp_path: Path) -> None:
    run = bank.make_run(tmp_path / "run", jobs=1, skip=[0])
    (run / "quarantine").mkdir()
    (run / "quarantine" / "0.json").write_text("{}")
    manifest = merge_run(run, accept_quarantined=True)
    assert manifest.rows.unique == 0
    assert read_corpus(run).num_rows == 0
    assert "puzzle" in read_corpus(run).column_names
