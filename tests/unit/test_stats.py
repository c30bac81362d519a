"""Figures of a corpus agree with counting its rows one by one."""

import statistics
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import msgspec
import pytest
from rich.console import Console

from pipeline.corpus.merge import merge_run
from pipeline.corpus.reading import Corpus, open_corpus
from pipeline.levels import load_levels
from pipeline.stats import corpus_stats, stats_json
from pipeline.stats_plots import plot_stats
from pipeline.stats_text import stats_tables
from workers.errors import UsageError


@pytest.fixture(scope="module")
def corpus(bank: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    run = bank.make_run(tmp_path_factory.mktemp("stats") / "run", rows=150,
                        levels=load_levels("levels-1").table)  # fmt: skip
    merge_run(run)
    return open_corpus(run)


def test_counts_agree_with_counting_rows(corpus: Corpus) -> None:
    stats, rows = corpus_stats(corpus), corpus.read().to_pylist()
    assert stats.rows == len(rows)
    assert stats.levels == {
        name or "no level": count for name, count in Counter(row["level"] for row in rows).items()
    }
    assert stats.clues == Counter(row["clues"] for row in rows)
    assert list(stats.clues) == sorted(stats.clues)
    assert stats.reasons == Counter(row["reason"] for row in rows if row["reason"])


def test_levels_stand_in_the_order_of_the_levels_file_and_no_level_last(corpus: Corpus) -> None:
    names = ["easy", "medium", "hard", "expert", "extreme", "beyond", "no level"]
    assert list(corpus_stats(corpus).levels) == names


def test_technique_usage_counts_rows_and_uses(corpus: Corpus) -> None:
    rows = corpus.read().to_pylist()
    for use in corpus_stats(corpus).techniques:
        counts = [row[f"hodoku_t_{use.technique}"] or 0 for row in rows]
        assert use.rater == "hodoku"
        assert (use.rows, use.uses) == (sum(count > 0 for count in counts), sum(counts))
        assert use.mean == pytest.approx(statistics.mean(count for count in counts if count))


def test_quantiles_are_exact_and_by_level(corpus: Corpus) -> None:
    spreads = corpus_stats(corpus).ratings["hodoku_score"]
    for level in ("easy", "extreme", "all"):
        where = "hodoku_score is not null" + (f" and level == '{level}'" if level != "all" else "")
        scores = sorted(corpus.read(["hodoku_score"], where).column(0).to_pylist())
        one = spreads[level]
        assert (one.rows, one.min, one.max) == (len(scores), scores[0], scores[-1])
        assert one.median == statistics.median_low(scores)
        assert one.p10 == scores[-(-len(scores) // 10) - 1]
    assert "no level" not in spreads
    assert "beyond" not in spreads


def test_a_filter_restricts_the_figures(corpus: Corpus) -> None:
    stats = corpus_stats(corpus, "level == 'hard' and hodoku_t_x_wing > 0")
    assert list(stats.levels) == ["hard"]
    assert 0 < stats.rows < corpus_stats(corpus).rows
    assert corpus_stats(corpus, "clues < 0").rows == 0


def test_figures_are_json_and_tables(corpus: Corpus) -> None:
    stats = corpus_stats(corpus)
    assert msgspec.json.decode(stats_json(stats))["rows"] == stats.rows
    console = Console(record=True, width=120, file=open("/dev/null", "w"))  # noqa: SIM115
    with console.file:
        for table in stats_tables(stats):
            console.print(table)
        text = console.export_text()
    for word in ("Levels", "easy", "Clues", "Techniques", "x_wing", "median", "many solutions"):
        assert word in text
    for table in stats_tables(corpus_stats(corpus, "clues < 0")):
        assert table.row_count


def test_equal_figures_give_equal_plots(corpus: Corpus, tmp_path: Path) -> None:
    stats = corpus_stats(corpus)
    names = ["levels.svg", "clues.svg", "techniques.svg", "ratings.svg"]
    first = plot_stats(stats, tmp_path / "a")
    assert [path.name for path in first] == names
    for path, again in zip(first, plot_stats(stats, tmp_path / "b"), strict=True):
        assert path.read_bytes() == again.read_bytes()
        assert path.read_bytes().startswith(b"<?xml")
    (png, *_) = plot_stats(stats, tmp_path / "c", "png")
    assert png.read_bytes().startswith(b"\x89PNG")


def test_plots_without_matplotlib_say_which_pip_line_brings_it(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(UsageError, match=r"pip install 'puzzlemill\[plots\]'"):
        plot_stats(corpus_stats(corpus), tmp_path)
