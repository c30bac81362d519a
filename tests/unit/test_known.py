"""Corpora that a plan excludes: no puzzle of theirs comes again."""

from pathlib import Path

import numpy as np
import pytest

from pipeline import api, session
from pipeline.corpus.identity import Identity
from pipeline.corpus.known import KnownKeys, gather_keys
from pipeline.corpus.manifest import read_manifest
from pipeline.runs import read_record
from workers.contracts import KeySet
from workers.errors import ConfigError, IntegrityError, UsageError

PLAN = 'name = "{name}"\nkind = "null"\nseed = {seed}\nrows = {rows}\njob_rows = 50\n'
FEW = "params = {limit = 400}\n"


def run(folder: Path, name: str, rows: int, extra: str = FEW, seed: int = 1) -> session.Outcome:
    path = folder / f"{name}.toml"
    path.write_text(PLAN.format(name=name, rows=rows, seed=seed) + extra)
    options = session.Options(executor="serial")
    return session.run(str(path), folder / "runs", options=options)


def keys(outcome: session.Outcome) -> set[bytes]:
    return set(api.open_corpus(outcome.run_dir).read(["key"]).column("key").to_pylist())


def test_no_puzzle_of_an_excluded_corpus_comes_again(tmp_path: Path) -> None:
    first = run(tmp_path, "first", 100)
    second = run(tmp_path, "second", 100, seed=2)
    exclude = f'exclude = ["{first.run_dir}", "runs/{second.run_dir.name}/corpus"]\n'
    third = run(tmp_path, "third", 300, exclude + FEW, seed=3)
    known = keys(first) | keys(second)
    whole = run(tmp_path, "whole", 300, seed=3)
    assert keys(whole) & known
    assert keys(third) == keys(whole) - known
    counts = read_manifest(third.run_dir / "corpus").rows
    assert counts.known == len(keys(whole) & known)
    assert counts.read == 300
    assert read_record(third.run_dir).facts.exclude.keys == len(known)


def test_a_quota_of_a_target_is_filled_with_new_puzzles(tmp_path: Path) -> None:
    first = run(tmp_path, "first", 100)
    extra = f'max_jobs = 20\ntarget = "number >= 0"\nexclude = ["{first.run_dir}"]\n'
    again = run(tmp_path, "again", 100, extra + FEW)
    assert again.exit_code == 0
    assert len(keys(again)) == 100
    assert not keys(again) & keys(first)


def test_other_keys_make_another_run(tmp_path: Path) -> None:
    corpora = [run(tmp_path, name, 60, seed=seed) for name, seed in (("a", 1), ("b", 2))]
    names = set()
    for number, one in enumerate(corpora):
        (tmp_path / "corpus").unlink(missing_ok=True)
        (tmp_path / "corpus").symlink_to(one.run_dir / "corpus")
        outcome = session.run(
            str(plan_with_link(tmp_path)), tmp_path / str(number),
            options=session.Options(executor="serial"),
        )  # fmt: skip
        names.add(outcome.run_dir.name)
    assert len(names) == 2
    assert (
        session.resume(outcome.run_dir, options=session.Options(executor="serial")).exit_code == 0
    )


def plan_with_link(folder: Path) -> Path:
    path = folder / "linked.toml"
    path.write_text(PLAN.format(name="linked", rows=60, seed=3) + 'exclude = ["corpus"]\n' + FEW)
    return path


def test_keys_of_another_kind_or_of_no_corpus_are_refused(tmp_path: Path) -> None:
    first = run(tmp_path, "first", 60)
    (tmp_path / "a").mkdir()
    with pytest.raises(ConfigError, match="of kind null, not sudoku"):
        gather_keys([first.run_dir], "sudoku", tmp_path / "a")
    with pytest.raises(UsageError, match="no corpus"):
        run(tmp_path, "second", 60, f'exclude = ["{tmp_path}/a"]\n' + FEW)


def test_changed_keys_are_noticed(tmp_path: Path) -> None:
    first = run(tmp_path, "first", 60)
    facts = gather_keys([first.run_dir], "null", tmp_path)
    path = tmp_path / "exclude" / "low.u64"
    content = bytearray(path.read_bytes())
    content[3] ^= 1
    path.write_bytes(content)
    with pytest.raises(IntegrityError, match="differ"):
        KnownKeys.of_run(tmp_path, facts)
    with pytest.raises(IntegrityError, match="does not hold 61"):
        KnownKeys.of_run(tmp_path, KeySet(61, facts.sha256))


def test_keys_that_share_their_upper_half_are_told_apart() -> None:
    high, low = (np.array(values, np.uint64) for values in ([7, 7, 7, 9], [1, 3, 5, 0]))
    asked = Identity(np.array([7, 7, 7, 9, 8], np.uint64), np.array([3, 4, 5, 0, 0], np.uint64))
    assert KnownKeys(high, low).has(asked).tolist() == [True, False, True, True, False]
    none = KnownKeys(np.zeros(0, np.uint64), np.zeros(0, np.uint64))
    assert not none.has(asked).any()
