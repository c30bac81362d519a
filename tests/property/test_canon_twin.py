"""The canonical form against slow searches that are right by inspection."""

from itertools import permutations, product

import numpy as np
import pytest

from workers.engines.sudoku.canon import DONE, canonical_batch

Grid = np.ndarray
Names = tuple[int, ...]

LINE_ORDERS = [
    tuple(3 * band + line for band, inner in zip(bands, lines, strict=True) for line in inner)
    for bands in permutations(range(3))
    for lines in product(permutations(range(3)), repeat=3)
]
MOST_SYMMETRIC_GRID = (
    "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
)
SEVENTEEN_CLUES = (
    "000000010400000000020000000000050407008000300001090000300400200050100000000806000"
)


def digits(text: str) -> Grid:
    return np.array([int(character) for character in text], np.uint8)


def named(line: Grid, names: Names) -> tuple[bytes, Names]:
    """`line` with its digits renamed in order of first appearance, and all names so far."""
    longer = list(names)
    text = bytearray()
    for digit in line:
        if digit and not longer[digit]:
            longer[digit] = max(longer) + 1
        text.append(longer[digit])
    return bytes(text), tuple(longer)


def next_rows(order: tuple[int, ...]) -> list[int]:
    """The rows that may follow rows `order`: the rest of the band, then any other band."""
    started = len(order) % 3 > 0
    return [
        row for row in range(9) if row not in order and (not started or row // 3 == order[-1] // 3)
    ]


def slow_form(puzzle: Grid) -> tuple[Grid, list[tuple[Grid, tuple[int, ...], Names]]]:
    """The form and all transformations to it, as (columns in order, row order, digit names)."""
    square = puzzle.reshape(9, 9)
    pictures = [side[:, columns].tolist() for side in (square, square.T) for columns in LINE_ORDERS]
    states = [(picture, (), (0,) * 10) for picture in pictures]
    form = b""
    for _ in range(9):
        best, kept = b"\xff", []
        for picture, order, names in states:
            for row in next_rows(order):
                text, longer = named(picture[row], names)
                if text < best:
                    best, kept = text, []
                if text == best:
                    kept.append((picture, (*order, row), longer))
        form, states = form + best, kept
    return np.frombuffer(form, np.uint8), states


def form_of_all_symmetries(puzzle: Grid) -> tuple[bytes, int]:
    """The smallest of all 3,359,232 images, and how many of them it is."""
    columns = np.array(LINE_ORDERS)
    smallest, count = b"\xff" * 81, 0
    for side in (puzzle.reshape(9, 9), puzzle.reshape(9, 9).T):
        for rows in LINE_ORDERS:
            images = side[list(rows)][:, columns].transpose(1, 0, 2).reshape(-1, 81)
            # First cell of each digit; digits that are absent come last and are not looked up.
            first = np.full((len(images), 10), 81)
            first[:, 0] = -1
            for digit in set(puzzle.tolist()) - {0}:
                first[:, digit] = (images == digit).argmax(axis=1)
            names = first.argsort(axis=1, kind="stable").argsort(axis=1)
            strings = np.take_along_axis(names, images.astype(np.int64), axis=1).astype(np.uint8)
            texts = [row.tobytes() for row in strings]
            least = min(texts)
            if least < smallest:
                smallest, count = least, 0
            count += texts.count(least) if least == smallest else 0
    return smallest, count


def assert_same_as_twin(puzzle: Grid) -> None:
    form, transformations = slow_form(puzzle)
    found = canonical_batch(puzzle[None])
    assert found.status[0] == DONE
    assert found.forms[0].tolist() == form.tolist()
    assert found.automorphisms[0] == len(transformations)
    picture, order, names = transformations[0]
    assert np.array(names)[np.array(picture)[list(order)].ravel()].tolist() == form.tolist()


@pytest.mark.nojit
@pytest.mark.parametrize("clues", [3, 17, 24, 33, 50, 72, 79, 80, 81])
def test_random_puzzles_have_the_form_that_the_twin_finds(random_grid, clues: int) -> None:
    rng = np.random.default_rng(clues)
    for _ in range(2):
        puzzle = random_grid(rng)
        puzzle[rng.permutation(81)[clues:]] = 0
        assert_same_as_twin(puzzle)


@pytest.mark.nojit
@pytest.mark.parametrize("clues", [9, 20, 40, 81])
def test_puzzles_that_break_the_rules_have_the_form_that_the_twin_finds(clues: int) -> None:
    rng = np.random.default_rng(clues)
    for colours in (2, 5, 9):
        puzzle = np.zeros(81, np.uint8)
        puzzle[rng.permutation(81)[:clues]] = rng.integers(1, colours + 1, clues)
        assert_same_as_twin(puzzle)


@pytest.mark.parametrize("text", [MOST_SYMMETRIC_GRID, SEVENTEEN_CLUES])
def test_known_puzzles_have_the_form_that_the_twin_finds(text: str) -> None:
    assert_same_as_twin(digits(text))


def test_puzzles_with_empty_lines_and_boxes_have_the_form_that_the_twin_finds(random_grid) -> None:
    rng = np.random.default_rng(0)
    for _ in range(4):
        square = random_grid(rng).reshape(9, 9)
        square[rng.random(9) < 0.5] = 0
        square[:, rng.random(9) < 0.4] = 0
        if rng.integers(2):
            square[:3] = 0
        if rng.integers(2):
            square[:, 6:] = 0
        square[0, 0] = 1
        assert_same_as_twin(square.ravel())


@pytest.mark.slow
@pytest.mark.parametrize("clues", [2, 8, 17, 22, 24, 27, 32, 40, 48, 56, 60, 64, 68, 70, 76, 81])
def test_many_random_puzzles_have_the_form_that_the_twin_finds(random_grid, clues: int) -> None:
    rng = np.random.default_rng(1000 + clues)
    for _ in range(12):
        puzzle = random_grid(rng)
        puzzle[rng.permutation(81)[clues:]] = 0
        assert_same_as_twin(puzzle)


@pytest.mark.slow
@pytest.mark.parametrize("clues", [0, 5, 17, 24, 50, 81])
def test_the_form_is_the_smallest_of_all_symmetries(random_grid, clues: int) -> None:
    rng = np.random.default_rng(clues)
    puzzle = random_grid(rng)
    puzzle[rng.permutation(81)[clues:]] = 0
    smallest, count = form_of_all_symmetries(puzzle)
    found = canonical_batch(puzzle[None])
    assert found.forms[0].tobytes() == smallest
    assert found.automorphisms[0] == count
