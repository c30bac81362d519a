"""Quotas: the shortest prefix of jobs, doubles counted once, surplus kept apart."""

from types import ModuleType

import numpy as np
import pyarrow as pa
import pytest

from pipeline.corpus.quotas import QuotaCounter
from pipeline.levels import load_levels
from workers.errors import ConfigError

LEVELS = load_levels("levels-1")


def rows(names: str, keys: str) -> pa.Table:
    """One row a letter: e, m, h = level; a key letter each."""
    level = {"e": "easy", "m": "medium", "h": "hard"}
    return pa.table(
        {
            "key": pa.array([key.encode() * 16 for key in keys], pa.binary(16)),
            "puzzle": list(keys),
            "n_solutions": np.ones(len(names), np.int8),
            "hodoku_level": [level[name] for name in names],
        }
    )


def test_quotas_are_filled_by_the_shortest_prefix_of_jobs() -> None:
    counter = QuotaCounter({"easy": 2, "hard": 1}, LEVELS, "canonical")
    counter.feed(0, rows("eem", "abc"))
    assert not counter.filled
    assert counter.unfilled() == {"hard": 1}
    counter.feed(1, rows("mh", "de"))
    assert counter.filled
    assert (counter.jobs, counter.rows, counter.kept, counter.surplus) == (2, 5, 3, 2)


def test_the_first_rows_of_a_level_fill_its_quota() -> None:
    counter = QuotaCounter({"easy": 2}, LEVELS, "canonical")
    taken = counter.feed(0, rows("meeme", "abcde"))
    assert taken.kept.tolist() == [False, True, True, False, False]
    assert not taken.double.any()


def test_doubles_fill_no_quota() -> None:
    counter = QuotaCounter({"easy": 2}, LEVELS, "canonical")
    taken = counter.feed(0, rows("ee", "aa"))
    assert taken.double.tolist() == [False, True]
    taken = counter.feed(1, rows("ee", "ab"))
    assert taken.kept.tolist() == [False, True]
    assert taken.first.tolist() == [0, 3]
    assert counter.filled
    assert (counter.kept, counter.doubles) == (2, 2)


def test_a_double_of_a_surplus_row_is_a_double() -> None:
    counter = QuotaCounter({"easy": 1}, LEVELS, "canonical")
    taken = counter.feed(0, rows("eee", "abb"))
    assert taken.kept.tolist() == [True, False, False]
    assert taken.double.tolist() == [False, False, True]
    assert (counter.kept, counter.surplus, counter.doubles) == (1, 1, 1)


def test_without_quotas_every_first_row_is_kept_and_nothing_is_ever_filled() -> None:
    counter = QuotaCounter({}, LEVELS, "canonical")
    assert counter.feed(0, rows("ehm", "aba")).kept.tolist() == [True, True, False]
    assert not counter.filled
    assert counter.found["easy"] == 1


def test_without_deduplication_equal_rows_are_all_kept() -> None:
    counter = QuotaCounter({}, LEVELS, "none")
    assert counter.feed(0, rows("eee", "aaa")).kept.all()


def test_a_skipped_job_is_named_and_the_prefix_goes_on() -> None:
    counter = QuotaCounter({"easy": 2}, LEVELS, "canonical")
    counter.feed(0, rows("e", "a"))
    counter.skip(1)
    counter.feed(2, rows("e", "b"))
    assert counter.filled
    assert (counter.jobs, counter.skipped) == (3, [1])


def test_jobs_out_of_order_are_refused() -> None:
    counter = QuotaCounter({}, LEVELS, "none")
    counter.feed(0, rows("e", "a"))
    with pytest.raises(ValueError, match="job 2 came when job 1 was due"):
        counter.feed(2, rows("e", "b"))


def test_a_quota_of_an_unknown_level_is_refused() -> None:
    with pytest.raises(ConfigError, match="no level 'eazy'; the levels are: easy, medium"):
        QuotaCounter({"eazy": 1}, LEVELS, "none")
    with pytest.raises(ConfigError, match="the levels are: none"):
        QuotaCounter({"easy": 1}, None, "none")


def test_the_counter_of_a_run_reads_only_what_it_needs(bank: ModuleType) -> None:
    counter = QuotaCounter({"easy": 1}, LEVELS, "canonical")
    assert counter.columns == ["key", "puzzle", "n_solutions", "hodoku_level"]
    counter.feed(0, bank.make_rows(20, 1).select(counter.columns))
    assert counter.rows == 20


def test_rows_without_a_key_column_are_refused() -> None:
    with pytest.raises(ConfigError, match="canonical needs the column key"):
        QuotaCounter({}, None, "canonical").feed(0, pa.table({"puzzle": ["a"]}))
