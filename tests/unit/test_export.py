"""Exports hold the rows of the corpus, in its order, in every format."""

import csv
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline import export_formats
from pipeline.corpus.merge import merge_run
from pipeline.corpus.reading import Corpus, open_corpus
from pipeline.export import export
from pipeline.levels import load_levels
from workers.errors import ParseError, UsageError


@pytest.fixture(scope="module")
def corpus(bank: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    run = bank.make_run(tmp_path_factory.mktemp("export") / "run",
                        levels=load_levels("levels-1").table)  # fmt: skip
    merge_run(run)
    return open_corpus(run)


def plain(corpus: Corpus, where: str | None = None) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = corpus.read(where=where).to_pylist()
    return [{**row, "key": row["key"].hex()} for row in rows]


def csv_rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_csv_has_all_rows_with_empty_nulls(corpus: Corpus, tmp_path: Path) -> None:
    out = tmp_path / "bank.csv"
    assert export(corpus, out) == [(out, len(corpus))]
    expected = [
        {name: "" if value is None else str(value) for name, value in row.items()}
        for row in plain(corpus)
    ]
    assert csv_rows(out) == expected


def test_csv_quotes_a_text_that_needs_it(tmp_path: Path, corpus: Corpus) -> None:
    schema = pa.schema([("a", pa.string()), ("b", pa.int8())])
    writer = export_formats.CsvWriter(tmp_path / "x.csv", schema, corpus.manifest)
    texts = ["plain", "with, comma", 'and "quotes"', "two\nlines", None]
    writer.write(pa.table({"a": texts[:1], "b": [1]}))
    writer.write(pa.table({"a": texts[1:], "b": [1] * 4}))
    writer.close()
    assert [row["a"] for row in csv_rows(tmp_path / "x.csv")] == [text or "" for text in texts]
    assert (tmp_path / "x.csv").read_text().startswith("a,b\nplain,1\n")


def test_json_lines_keep_types_and_nulls(corpus: Corpus, tmp_path: Path) -> None:
    export(corpus, tmp_path / "bank.jsonl")
    lines = (tmp_path / "bank.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == plain(corpus)


def test_sqlite_has_rows_codebook_and_identity(corpus: Corpus, tmp_path: Path) -> None:
    export(corpus, tmp_path / "bank.sqlite")
    with closing(sqlite3.connect(tmp_path / "bank.sqlite")) as base:
        base.row_factory = sqlite3.Row
        rows = [dict(row) for row in base.execute("SELECT * FROM puzzles")]
        codebook = dict(base.execute("SELECT column_name, unit FROM codebook").fetchall())
        facts = dict(base.execute("SELECT * FROM corpus").fetchall())
        plan = base.execute("EXPLAIN QUERY PLAN SELECT * FROM puzzles WHERE level = 'easy'")
        assert "by_level" in plan.fetchone()["detail"]
    assert rows == plain(corpus)
    assert codebook["clues"] == "cells"
    assert facts["content"] == corpus.manifest.content


def test_parquet_keeps_schema_and_rows(corpus: Corpus, tmp_path: Path) -> None:
    export(corpus, tmp_path / "bank.parquet", columns=["puzzle", "key", "level"])
    table = pq.read_table(tmp_path / "bank.parquet")
    assert table.equals(corpus.read(["puzzle", "key", "level"]))
    assert table.schema.field("key").type == pa.binary(16)
    assert table.schema.field("level").metadata == corpus.schema.field("level").metadata


def test_text_lines_are_the_puzzles_alone(corpus: Corpus, tmp_path: Path) -> None:
    export(corpus, tmp_path / "bank.txt")
    lines = (tmp_path / "bank.txt").read_text().splitlines()
    assert lines == corpus.read(["puzzle"]).column(0).to_pylist()
    with pytest.raises(UsageError, match="one column"):
        export(corpus, tmp_path / "two.txt", columns=["puzzle", "key"])


def test_a_filter_columns_and_a_limit_choose_what_is_written(
    corpus: Corpus, tmp_path: Path
) -> None:
    out = tmp_path / "some.csv"
    where = "level in ['easy', 'hard'] and hodoku_t_x_wing > 0"
    (written,) = export(corpus, out, where=where, columns=["level", "puzzle"], limit=7)
    assert written.rows == 7
    expected = [{"level": row["level"], "puzzle": row["puzzle"]} for row in plain(corpus, where)]
    assert csv_rows(out) == expected[:7]


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "sqlite", "parquet", "txt"])
def test_by_level_every_level_has_its_file(corpus: Corpus, tmp_path: Path, suffix: str) -> None:
    written = export(corpus, tmp_path / f"bank.{suffix}", by_level=True)
    rows = {path.name: count for path, count in written}
    levels = {f"bank-{name}.{suffix}": n for name, n in corpus.manifest.level_rows.items()}
    rest = len(corpus) - sum(levels.values())
    assert rows == {**levels, f"bank-no-level.{suffix}": rest}
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(rows)


def test_by_level_needs_no_level_column_in_the_output(corpus: Corpus, tmp_path: Path) -> None:
    export(corpus, tmp_path / "b.csv", by_level=True, columns=["puzzle"])
    found = [row["puzzle"] for row in csv_rows(tmp_path / "b-hard.csv")]
    assert found == [row["puzzle"] for row in plain(corpus, "level == 'hard'")]
    assert (tmp_path / "b-hard.csv").read_text().splitlines()[0] == "puzzle"


def test_no_row_makes_an_empty_file_with_its_header(corpus: Corpus, tmp_path: Path) -> None:
    assert export(corpus, tmp_path / "none.csv", where="clues < 0")[0].rows == 0
    assert (tmp_path / "none.csv").read_text().startswith("key,puzzle,")
    assert export(corpus, tmp_path / "none.parquet", where="clues < 0")[0].rows == 0
    assert pq.read_table(tmp_path / "none.parquet").num_rows == 0


def test_nothing_is_replaced_unless_asked(corpus: Corpus, tmp_path: Path) -> None:
    out = tmp_path / "bank.csv"
    out.write_text("mine")
    with pytest.raises(UsageError, match=r"bank\.csv: exists already"):
        export(corpus, out)
    assert out.read_text() == "mine"
    export(corpus, out, overwrite=True)
    assert len(csv_rows(out)) == len(corpus)
    (tmp_path / "b-hard.txt").write_text("mine")
    with pytest.raises(UsageError, match=r"b-hard\.txt: exists already"):
        export(corpus, tmp_path / "b.txt", by_level=True)


def test_a_failed_export_leaves_the_old_file_and_no_other(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: object, table: pa.Table) -> None:
        raise OSError(28, "No space left on device")

    for suffix in ("csv", "sqlite", "parquet", "jsonl", "txt"):
        out = tmp_path / f"bank.{suffix}"
        out.write_bytes(b"old")
        with monkeypatch.context() as patch:
            patch.setattr(export_formats.FORMATS[f".{suffix}"], "write", full)
            with pytest.raises(OSError, match="No space"):
                export(corpus, out, overwrite=True)
        assert out.read_bytes() == b"old"
        assert [path.name for path in tmp_path.iterdir()] == [out.name]
        out.unlink()


def test_wrong_requests_are_refused_before_anything_is_written(
    corpus: Corpus, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=r"unknown format '\.xlsx'"):
        export(corpus, tmp_path / "bank.xlsx")
    with pytest.raises(UsageError, match="no such folder"):
        export(corpus, tmp_path / "no" / "bank.csv")
    with pytest.raises(UsageError, match="no column 'puzle'"):
        export(corpus, tmp_path / "bank.csv", columns=["puzle"])
    with pytest.raises(ParseError, match="no column 'lvl'"):
        export(corpus, tmp_path / "bank.csv", where="lvl == 'easy'")
    assert list(tmp_path.iterdir()) == []
