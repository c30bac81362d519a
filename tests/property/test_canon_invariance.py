"""Isomorphs have one canonical form, other puzzles another."""

from pathlib import Path

import numpy as np
import pytest

from workers.engines.machine.random import seeded
from workers.engines.sudoku.canon import DONE, canonical_batch
from workers.engines.sudoku.generate import minimal_puzzles


def puzzles_of(random_grid, rng: np.random.Generator, clues: list[int]) -> list[np.ndarray]:
    puzzles = []
    for count in clues:
        puzzle = random_grid(rng)
        puzzle[rng.permutation(81)[count:]] = 0
        puzzles.append(puzzle)
    return puzzles


@pytest.mark.parametrize("clues", [1, 12, 17, 22, 24, 26, 30, 45, 65, 81])
def test_a_hundred_isomorphs_have_one_form_and_one_number_of_automorphisms(
    random_grid, random_isomorph, clues: int
) -> None:
    rng = np.random.default_rng(clues)
    for puzzle in puzzles_of(random_grid, rng, [clues] * 5):
        found = canonical_batch(np.array([random_isomorph(puzzle, rng) for _ in range(100)]))
        assert (found.status == DONE).all()
        assert len(np.unique(found.forms, axis=0)) == 1
        assert len(np.unique(found.automorphisms)) == 1


@pytest.mark.nojit
def test_the_form_of_a_form_is_itself(random_grid) -> None:
    puzzles = puzzles_of(random_grid, np.random.default_rng(1), [8, 17, 24, 40, 81])
    first = canonical_batch(np.array(puzzles))
    again = canonical_batch(first.forms)
    assert (again.forms == first.forms).all()
    assert (again.automorphisms == first.automorphisms).all()


@pytest.mark.nojit
def test_the_form_keeps_the_counts_of_clues_and_digits(random_grid) -> None:
    puzzles = np.array(puzzles_of(random_grid, np.random.default_rng(2), [5, 24, 60]))
    for puzzle, form in zip(puzzles, canonical_batch(puzzles).forms, strict=True):
        counts = [np.sort(np.bincount(digits, minlength=10)[1:]) for digits in (puzzle, form)]
        assert (counts[0] == counts[1]).all()


def test_one_clue_more_or_less_gives_another_form(random_grid, random_isomorph) -> None:
    rng = np.random.default_rng(3)
    puzzle = puzzles_of(random_grid, rng, [24])[0]
    variants = np.repeat(puzzle[None], 24, axis=0)
    variants[np.arange(24), np.flatnonzero(puzzle)] = 0
    forms = canonical_batch(np.array([puzzle, *variants])).forms
    assert len(np.unique(forms, axis=0)) == 25


def puzzles_from(texts: list[str]) -> np.ndarray:
    joined = "".join(text[:81] for text in texts).replace(".", "0")
    return np.frombuffer(joined.encode(), np.uint8).reshape(-1, 81) - ord("0")


def test_reference_isomorphs_made_elsewhere_have_one_form(shared_data: Path) -> None:
    rows = [line.split(",") for line in (shared_data / "se_isomorphs.csv").read_text().split()[1:]]
    originals, isomorphs = (
        canonical_batch(puzzles_from([row[column] for row in rows])) for column in (0, 1)
    )
    assert len(rows) > 1000
    assert (originals.forms == isomorphs.forms).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "classes"), [("17_clue_49158.txt", 49158), ("forum_hardest_1905_11plus.txt", 48766)]
)
def test_reference_lists_hold_no_isomorphs(shared_data: Path, name: str, classes: int) -> None:
    puzzles = puzzles_from((shared_data / name).read_text().split())
    found = canonical_batch(puzzles)
    assert (found.status == DONE).all()
    assert len(np.unique(found.forms, axis=0)) == classes


@pytest.mark.slow
def test_a_thousand_isomorphs_of_two_hundred_puzzles_have_one_form_each(random_isomorph):
    rng = np.random.default_rng(200)
    for puzzle in minimal_puzzles(seeded(200), 200).puzzles:
        family = np.array([random_isomorph(puzzle, rng) for _ in range(1_000)])
        found = canonical_batch(np.vstack([puzzle[None], family]))
        assert (found.status == 0).all()
        assert (found.forms == found.forms[0]).all()
        assert len(set(found.automorphisms.tolist())) == 1
