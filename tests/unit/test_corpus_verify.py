"""Damage is found, named by file and job, and can be undone by computing the job again."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

from pipeline.corpus.merge import merge_run
from pipeline.corpus.staging import DAY, gc
from pipeline.corpus.verify import bad_shards, discard, run_findings, verify
from pipeline.runs import read_record
from workers.errors import IntegrityError
from workers.shards import committed_jobs, shard_path, sidecar_path


@pytest.fixture
def run(bank: ModuleType, tmp_path: Path) -> Path:
    folder: Path = bank.make_run(tmp_path / "run")
    merge_run(folder)
    return folder


def flip(path: Path, at: int) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 0x40
    path.write_bytes(content)


def said(run: Path, deep: bool = False) -> list[str]:
    return [str(finding) for finding in run_findings(run, deep)]


def test_a_sound_run_has_no_findings_however_deep(run: Path) -> None:
    assert said(run) == said(run, deep=True) == []
    assert verify(run) == 5
    assert bad_shards(run) == []


@pytest.mark.parametrize("at", [10, 700, -3])
def test_a_flipped_bit_anywhere_in_a_shard_is_found(run: Path, at: int) -> None:
    flip(shard_path(run, 2), at)
    (finding,) = said(run)
    assert str(shard_path(run, 2)) in finding
    assert "job 2" in finding
    assert bad_shards(run) == [2]


def test_truncated_empty_missing_and_swapped_shards_are_all_named_at_once(
    bank: ModuleType, tmp_path: Path
) -> None:
    run = bank.make_run(tmp_path / "run", jobs=8)
    paths = [shard_path(run, job) for job in range(8)]
    paths[1].write_bytes(paths[1].read_bytes()[:-20])
    paths[3].write_bytes(b"")
    paths[4].unlink()
    first = paths[5].read_bytes()
    paths[5].write_bytes(paths[6].read_bytes())
    paths[6].write_bytes(first)
    with pytest.raises(IntegrityError) as caught:
        verify(run)
    assert caught.value.exit_code == 5
    lines = str(caught.value).splitlines()
    assert len(lines) == 5
    for job in (1, 3, 4, 5, 6):
        assert any(f"/{job}.parquet" in line and f"job {job}" in line for line in lines)
    assert bad_shards(run) == [1, 3, 4, 5, 6]


def test_swapped_shards_with_swapped_sidecars_are_found(run: Path) -> None:
    for path in (shard_path, sidecar_path):
        one, other = path(run, 0), path(run, 1)
        aside = one.with_suffix(".aside")
        shutil.move(one, aside)
        shutil.move(other, one)
        shutil.move(aside, other)
    assert bad_shards(run) == [0, 1]


def test_a_malformed_sidecar_is_a_finding_of_its_job(run: Path) -> None:
    sidecar_path(run, 3).write_text("{")
    (finding,) = said(run)
    assert "3.json" in finding
    assert "job 3" in finding


def test_a_shard_of_another_plan_is_a_finding(bank: ModuleType, tmp_path: Path) -> None:
    run = bank.make_run(tmp_path / "a")
    other = bank.make_run(tmp_path / "b", dedupe="none")
    shutil.copy(shard_path(other, 1), shard_path(run, 1))
    shutil.copy(sidecar_path(other, 1), sidecar_path(run, 1))
    assert bad_shards(run) == [1]
    assert "job 1: made for plan" in said(run)[0]


def test_a_shard_with_other_columns_is_a_finding(bank: ModuleType, tmp_path: Path) -> None:
    run = bank.make_run(tmp_path / "run", jobs=2, skip=[1])
    raters = ("basic", "hodoku", "se121")
    bank.commit_rows(run, read_record(run), 1, bank.make_rows(50, 1, raters=raters))
    assert said(run) == [f"{shard_path(run, 1)}: job 1: has an unknown column er"]
    with pytest.raises(IntegrityError, match="unknown column er"):
        merge_run(run)


def test_a_shard_without_a_nullable_column_is_merged_with_nulls(
    bank: ModuleType, tmp_path: Path
) -> None:
    run = bank.make_run(tmp_path / "run", jobs=2, skip=[1])
    older = bank.make_rows(50, 1).drop_columns(["hodoku_t_skyscraper"])
    bank.commit_rows(run, read_record(run), 1, older)
    assert said(run) == []
    assert merge_run(run).complete


def test_a_shard_of_too_few_rows_is_a_finding(bank: ModuleType, tmp_path: Path) -> None:
    run = bank.make_run(tmp_path / "run", jobs=2, skip=[1])
    bank.commit_rows(run, read_record(run), 1, bank.make_rows(49, 1))
    assert said(run) == [f"{shard_path(run, 1)}: job 1: 49 rows, not 50"]


def test_a_damaged_shard_stops_the_merge_with_all_findings(run: Path) -> None:
    before = (run / "corpus" / "manifest.json").read_bytes()
    flip(shard_path(run, 0), 40)
    flip(shard_path(run, 3), 40)
    with pytest.raises(IntegrityError, match=r"(?s)job 0.*job 3"):
        merge_run(run)
    assert (run / "corpus" / "manifest.json").read_bytes() == before


def test_a_discarded_job_made_again_heals_the_run(bank: ModuleType, run: Path) -> None:
    corpus = (run / "corpus" / "part-00000.parquet").read_bytes()
    flip(shard_path(run, 2), 40)
    for job in bad_shards(run):
        discard(run, job)
    assert committed_jobs(run).tolist() == [0, 1, 3]
    bank.commit_rows(run, read_record(run), 2, bank.make_rows(50, 2))
    assert said(run) == []
    merge_run(run)
    assert (run / "corpus" / "part-00000.parquet").read_bytes() == corpus


def test_damage_in_the_corpus_is_found(run: Path) -> None:
    corpus = run / "corpus"
    flip(corpus / "part-00000.parquet", 200)
    (corpus / "part-00001.parquet").write_bytes(b"stranger")
    (corpus / "_SUCCESS").write_text("another\n")
    findings = said(run)
    assert len(findings) == 3
    assert "part-00000.parquet: damaged" in "\n".join(findings)
    assert "part-00001.parquet: is not in the manifest" in "\n".join(findings)
    assert bad_shards(run) == []


def test_a_corpus_without_its_manifest_or_parts_is_found(run: Path) -> None:
    (run / "corpus" / "part-00000.parquet").unlink()
    assert [line.endswith("part-00000.parquet: is missing") for line in said(run)] == [True]
    (run / "corpus" / "manifest.json").unlink()
    assert "holds no corpus" in said(run)[0]


def test_a_run_of_another_version_is_still_verified(
    bank: ModuleType, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bank.KIND, "version", 2)
    assert said(run, deep=True) == []
    flip(shard_path(run, 1), 50)
    assert len(said(run)) == 1


def test_gc_removes_what_dead_processes_left_and_nothing_else(run: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", "pass"])
    ended.wait()
    host = os.uname().nodename
    dead = run / f".corpus.{ended.pid}.17.{host}"
    alive = run / f".corpus.{os.getpid()}.17.{host}"
    stranger = run / ".corpus.mine"
    for folder in (dead, alive, stranger):
        folder.mkdir()
        (folder / "slice-00000.arrows").write_bytes(b"rows")
    orphan, young = shard_path(run, 900), shard_path(run, 901)
    for path in (orphan, young):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"no sidecar")
    long_ago = time.time() - DAY - 60
    os.utime(orphan, (long_ago, long_ago))
    swept = gc(run)
    assert (swept.folders, swept.orphans) == (1, 1)
    assert (dead.exists(), alive.exists(), orphan.exists(), young.exists()) == (
        False, True, False, True
    )  # fmt: skip
    assert stranger.exists()
    assert committed_jobs(run).tolist() == [0, 1, 2, 3]
    assert (run / "corpus" / "_SUCCESS").exists()


def test_a_finding_names_its_job_once(run: Path) -> None:
    flip(shard_path(run, 3), 40)
    (finding,) = said(run)
    assert finding.count("job 3") == 1
