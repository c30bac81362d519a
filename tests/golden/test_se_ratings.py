"""Ratings, paths and isomorphs' ratings equal those of Sukaku Explainer in classic mode."""

import csv
import hashlib
from pathlib import Path

import numpy as np
import pytest

from workers.engines.sudoku.canon import canonical_batch
from workers.engines.sudoku.se.names import TECHNIQUES
from workers.engines.sudoku.se.rating import SOLVED, rate_batch, rate_path
from workers.engines.sudoku.text import parse_text

GOLDEN = Path(__file__).with_name("se_ratings.txt")
LINES = [
    line.split(" : ")
    for line in GOLDEN.read_text(encoding="ascii").splitlines()
    if not line.startswith("#")
]


def ratings_of(texts):
    found = rate_batch(np.array([parse_text(text) for text in texts]))
    assert set(found.status.tolist()) == {SOLVED}
    return list(zip(found.er.tolist(), found.ep.tolist(), found.ed.tolist(), strict=True))


def read(path):
    with path.open(encoding="ascii") as file:
        return list(csv.DictReader(file))


def test_golden_puzzles_have_the_programs_ratings_and_use_nearly_all_techniques():
    found = rate_batch(np.array([parse_text(line[0]) for line in LINES]))
    triples = zip(found.er.tolist(), found.ep.tolist(), found.ed.tolist(), strict=True)
    unequal = [
        line
        for line, triple in zip(LINES, triples, strict=True)
        if triple != tuple(map(float, line[1].split()))
    ]
    assert unequal == []
    used = found.counts.sum(axis=0).astype(bool)
    unused = {TECHNIQUES[k].name for k in np.flatnonzero(~used)}
    assert unused <= {"direct_claiming", "nested_3", "nested_4", "nested_5"}


@pytest.mark.nojit
@pytest.mark.parametrize("er", ["1.2", "2.6", "4.2", "6.6"])
def test_compiled_or_not_ratings_are_the_same(er):
    text, expected = next((line[0], line[1]) for line in LINES if line[1].startswith(er))
    assert ratings_of([text]) == [tuple(map(float, expected.split()))]


@pytest.mark.slow
def test_all_measured_ratings_are_equal(shared_data):
    rows = [r for r in read(shared_data / "se_ratings_dev.csv") if r["source"].startswith("meas")]
    found = ratings_of([row["puzzle"] for row in rows])
    unequal = [
        row["puzzle"]
        for row, got in zip(rows, found, strict=True)
        if got != (float(row["er"]), float(row["ep"]), float(row["ed"]))
    ]
    assert len(rows) > 2800
    assert unequal == []


@pytest.mark.slow
def test_published_ratings_of_a_sample_are_equal(shared_data):
    rows = [r for r in read(shared_data / "se_ratings_dev.csv") if r["source"].startswith("pub")]
    rows.sort(key=lambda row: hashlib.sha256(row["puzzle"].encode()).hexdigest())
    found = ratings_of([row["puzzle"] for row in rows[:60]])
    unequal = [row for row, got in zip(rows, found, strict=False) if got[0] != float(row["er"])]
    assert unequal == []


@pytest.mark.slow
def test_paths_are_the_programs(shared_data):
    text = (shared_data / "se_steps.txt").read_text(encoding="ascii")
    unequal = []
    for block in text.split("PUZZLE ")[1:]:
        puzzle, *lines = block.split("\n")
        wanted = [tuple(line.split("|")[:2]) for line in lines if "|" in line]
        steps = rate_path(parse_text(puzzle))
        if [(f"{step.rating:.1f}", step.after) for step in steps] != wanted:
            unequal.append(puzzle)
    assert unequal == []


@pytest.mark.slow
def test_isomorphs_have_the_programs_ratings_and_one_canonical_rating(shared_data):
    rows = read(shared_data / "se_isomorphs.csv")
    for side, name in (("o", "orig"), ("i", "iso")):
        wanted = [tuple(float(row[f"{key}_{side}"]) for key in ("er", "ep", "ed")) for row in rows]
        assert ratings_of([row[name] for row in rows]) == wanted
    one, other = (
        canonical_batch(np.array([parse_text(row[name]) for row in rows])).forms
        for name in ("orig", "iso")
    )
    assert (one == other).all()
