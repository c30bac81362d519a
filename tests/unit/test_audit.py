"""An audit reads every row: what the manifest promises, and what corpora share."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.audit import audit, audit_text, require_sound
from pipeline.corpus.content import corpus_content
from pipeline.corpus.manifest import SUCCESS, read_manifest, write_manifest
from pipeline.corpus.merge import merge_run
from pipeline.corpus.reading import read_corpus
from pipeline.levels import load_levels
from workers.disk import file_hash
from workers.errors import IntegrityError, UsageError

LEVELS = load_levels("levels-1").table


def rewrite(run: Path, change: Callable[[pa.Table], pa.Table]) -> None:
    """Change rows and make all hashes fit again: only reading the rows can tell."""
    folder = run / "corpus"
    part = folder / "part-00000.parquet"
    pq.write_table(change(pq.read_table(part)), part)
    manifest = read_manifest(folder)
    facts = msgspec.structs.replace(
        manifest.files[0], sha256=file_hash(part), bytes=part.stat().st_size
    )
    manifest = msgspec.structs.replace(manifest, files=[facts])
    content = corpus_content(folder, manifest)
    write_manifest(folder, msgspec.structs.replace(manifest, content=content))


def test_a_merged_run_is_sound(bank: ModuleType, tmp_path: Path) -> None:
    run = bank.make_run(tmp_path / "run", levels=LEVELS)
    manifest = merge_run(run)
    found = audit([run])
    (one,) = found.corpora
    assert found.sound
    assert (one.rows, one.content, one.doubles) == (manifest.rows.unique, manifest.content, 0)
    assert one.unsolved == read_corpus(run, where="n_solutions != 1").num_rows
    assert "sound" in audit_text(found)
    require_sound(found)


def test_shared_puzzles_are_counted_once(bank: ModuleType, tmp_path: Path) -> None:
    one = bank.make_run(tmp_path / "one", levels=LEVELS)
    other = bank.make_run(tmp_path / "two", levels=LEVELS, dedupe="none",
                          make=lambda job: bank.make_rows(50, job + 2))  # fmt: skip
    merge_run(one)
    merge_run(other)
    keys = [set(read_corpus(run).column("key").to_pylist()) for run in (one, other)]
    found = audit([one, other / "corpus"])
    assert [pair.puzzles for pair in found.shared] == [len(keys[0] & keys[1])]
    assert found.corpora[1].doubles == read_corpus(other).num_rows - len(keys[1]) > 0
    assert found.sound


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda table: table.take(list(reversed(range(len(table))))), "rows are not in order"),
        (lambda table: pa.concat_tables([table.slice(0, 1), table]), "1 doubles in a deduplicated"),
        (lambda table: table.slice(1), "rows, not"),
        (
            lambda table: table.set_column(
                table.schema.get_field_index("level"), "level",
                pa.array(["easy"] * len(table))),
            "levels are not those of its levels file",
        ),
    ],
)  # fmt: skip
def test_rows_that_break_a_promise_are_found(
    bank: ModuleType, tmp_path: Path, change: Callable[[pa.Table], pa.Table], said: str
) -> None:
    run = bank.make_run(tmp_path / "run", levels=LEVELS)
    merge_run(run)
    rewrite(run, change)
    found = audit([run])
    assert any(said in fault for fault in found.corpora[0].faults)
    with pytest.raises(IntegrityError, match=said):
        require_sound(found)


def test_a_damaged_corpus_is_reported_and_not_read(bank: ModuleType, tmp_path: Path) -> None:
    run = bank.make_run(tmp_path / "run")
    merge_run(run)
    (run / "corpus" / "part-00000.parquet").write_bytes(b"PAR1")
    found = audit([run])
    assert "4 bytes, not" in found.corpora[0].faults[0]
    assert not found.sound


def test_an_incomplete_corpus_is_audited_and_named_so(bank: ModuleType, tmp_path: Path) -> None:
    run = bank.make_run(tmp_path / "run", levels=LEVELS, quotas={"easy": 500})
    merge_run(run)
    assert not (run / "corpus" / SUCCESS).exists()
    found = audit([run])
    assert (found.sound, found.corpora[0].complete) == (True, False)
    assert "not complete" in audit_text(found)


def test_a_folder_without_a_corpus_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no corpus"):
        audit([tmp_path])
