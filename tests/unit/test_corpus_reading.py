"""A corpus opened from Python: columns, filters, batches, pandas."""

from pathlib import Path
from types import ModuleType

import pandas as pd
import pyarrow as pa
import pytest

from pipeline.corpus import reading
from pipeline.corpus.merge import merge_run
from pipeline.corpus.reading import open_corpus, read_corpus, read_corpus_frame
from pipeline.levels import load_levels
from workers.errors import ParseError, UsageError


@pytest.fixture(scope="module")
def run(bank: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = bank.make_run(
        tmp_path_factory.mktemp("reading") / "run", levels=load_levels("levels-1").table
    )
    merge_run(folder)
    return folder


def test_a_run_folder_and_its_corpus_folder_open_the_same(run: Path) -> None:
    assert read_corpus(run).equals(read_corpus(run / "corpus"))
    assert read_corpus(str(run)).num_rows == len(open_corpus(run))


def test_columns_come_in_the_order_asked_for(run: Path) -> None:
    assert read_corpus(run, ["level", "puzzle"]).column_names == ["level", "puzzle"]
    with pytest.raises(UsageError, match="no column 'puzle', did you mean 'puzzle'"):
        read_corpus(run, ["puzle"])


def test_a_filter_keeps_the_order_of_the_rows(run: Path) -> None:
    where = "level in ['easy', 'hard'] and hodoku_t_x_wing >= 1"
    whole = read_corpus(run)
    chosen = [
        row
        for row in whole.to_pylist()
        if row["level"] in ("easy", "hard") and row["hodoku_t_x_wing"] >= 1
    ]
    assert read_corpus(run, where=where).to_pylist() == chosen
    assert open_corpus(run).count(where) == len(chosen) > 0
    with pytest.raises(ParseError):
        read_corpus(run, where="level ==")


def test_batches_give_the_same_rows_up_to_a_limit(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "BATCH_ROWS", 32)
    corpus = open_corpus(run)
    tables = list(corpus.batches())
    assert len(tables) > 3
    assert pa.concat_tables(tables).equals(corpus.read())
    limited = pa.concat_tables(corpus.batches(["key"], limit=40))
    assert limited.equals(corpus.read(["key"]).slice(0, 40))


def test_a_frame_keeps_integers_and_nulls(run: Path) -> None:
    frame = read_corpus_frame(run, ["hodoku_score", "level"])
    assert isinstance(frame, pd.DataFrame)
    assert str(frame["hodoku_score"].dtype) == "int32[pyarrow]"
    assert frame["level"].isna().sum() == read_corpus(run).column("level").null_count


def test_only_files_of_the_manifest_are_read(bank: ModuleType, tmp_path: Path) -> None:
    run = bank.make_run(tmp_path / "run", jobs=1)
    merge_run(run)
    rows = read_corpus(run).num_rows
    part = run / "corpus" / "part-00000.parquet"
    (run / "corpus" / "part-00001.parquet").write_bytes(part.read_bytes())
    assert read_corpus(run).num_rows == rows


def test_a_folder_without_a_corpus_is_refused(bank: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no corpus"):
        open_corpus(tmp_path)
    with pytest.raises(UsageError, match="holds no corpus"):
        open_corpus(tmp_path / "nowhere")


def test_a_corpus_without_its_marker_is_refused_unless_told(
    bank: ModuleType, tmp_path: Path
) -> None:
    run = bank.make_run(tmp_path / "run", jobs=1)
    merge_run(run)
    (run / "corpus" / "_SUCCESS").unlink()
    with pytest.raises(UsageError, match="is not complete: _SUCCESS is missing"):
        open_corpus(run)
    assert open_corpus(run, incomplete=True).read().num_rows > 0
