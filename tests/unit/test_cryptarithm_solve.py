"""The searches of cryptarithms: known counts, long words, budgets, and against slow methods."""

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workers.engines.cryptarithm import reference
from workers.engines.cryptarithm.model import holds
from workers.engines.cryptarithm.search import BUDGET_OUT, search_batch
from workers.engines.cryptarithm.solve import solve_columns, solve_puzzles
from workers.engines.cryptarithm.text import format_solution, parse_puzzle
from workers.engines.cryptarithm.weights import fits, linear_form, pack
from workers.errors import ParseError

GOLDEN = Path(__file__).parents[1] / "golden" / "cryptarithm_counts.txt"
OTHER_RULES = ("symbols", "marks")
REFUSED = {
    "A!=B": "a relation that is no equation",
    "'11'+'33'='44'": "no letter in it",
    "uno+due+tre+dieci+undici+dodici+tredici+diciotto+trent\xaduno=cento\xaduno": "the source "
    "counts the soft hyphen as a letter",
}


def golden() -> list[tuple[str, int]]:
    lines = [line.split(" : ") for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
    return [(line[0], int(line[1])) for line in lines if line[1:] and line[1].isdecimal()]


@pytest.mark.parametrize(("text", "count"), golden())
def test_known_counts_hold_for_both_searches(text: str, count: int) -> None:
    puzzle = parse_puzzle(text)
    found = solve_puzzles([puzzle], 1000)
    assert found.counts[0] == count
    assert found.known[0]
    assert all(holds(puzzle, digits) for digits in found.solutions[0])
    columns = solve_columns(puzzle, 1000)
    assert sorted(map(tuple, columns.solutions.tolist())) == sorted(found.solutions[0])


@pytest.mark.parametrize("name", ["alphametics_classics.csv", "alphametics_dev.csv"])
def test_the_collections_counts_are_reproduced(shared_data: Path, name: str) -> None:
    """Rows that count digits or marks as letters are solved by the rule set that says so."""
    with (shared_data / name).open(encoding="utf-8") as stream:
        rows = [row for row in csv.DictReader(stream)
                if int(row["verified_solutions"] or -1) >= 0 and not row.get("note")]  # fmt: skip
    expected = {row["equation"]: int(row["verified_solutions"]) for row in rows}
    left = {text: count for text, count in expected.items() if text not in REFUSED}
    for rules in ("", *(f"@10-{word}" for word in OTHER_RULES)):
        puzzles = {}
        for text in left:
            try:
                puzzles[text] = parse_puzzle(text + rules)
            except ParseError:
                assert any(ord(sign) > 0x900 for sign in text), text
        counts = solve_puzzles(list(puzzles.values()), 1000).counts.tolist()
        found = dict(zip(puzzles, counts, strict=True))
        left = {text: count for text, count in left.items() if found.get(text) != count}
        if not rules:
            assert len(left) <= 70
    assert left == {}


def test_long_words_are_exact() -> None:
    puzzle = parse_puzzle("A" * 30 + "+A=A" + "B" * 30)
    form = linear_form(puzzle)
    assert form is not None
    assert not fits(form, 10)
    assert solve_puzzles([puzzle]).counts[0] == 0
    shifted = parse_puzzle("A" * 40 + "+" + "B" * 40 + "=C" + "A" * 39 + "D")
    for digits in solve_puzzles([shifted], 100).solutions[0]:
        assert holds(shifted, digits)
    carry = parse_puzzle("B" * 30 + "+A=A" + "C" * 30)  # 99...9 + 1 = 100...0
    assert [format_solution(carry, d)[:3] for d in solve_puzzles([carry]).solutions[0]] == ["999"]


def test_a_budget_that_runs_out_is_known() -> None:
    puzzle = parse_puzzle("DONALD+GERALD=ROBERT")
    assert not solve_puzzles([puzzle], 2, 5).known[0]
    assert solve_columns(puzzle, 2, 5).status == BUDGET_OUT
    assert solve_puzzles([puzzle], 2, 5).nodes[0] == 5


def test_all_solutions_are_counted_beyond_those_that_are_kept() -> None:
    puzzle = parse_puzzle("TWO+TWO=FOUR")
    form = linear_form(puzzle)
    assert form is not None
    rows = pack([(puzzle, form)]).rows
    found = search_batch(np.repeat(rows, 3, axis=0), limit=100, keep=2)
    assert found.counts.tolist() == [7, 7, 7]
    assert found.solutions.shape == (3, 2, 16)


words = st.text("ABCD", min_size=1, max_size=3)
sums = st.builds(
    lambda left, signs, right, base: (
        "".join(s + w for s, w in zip(["", *signs], left, strict=False)) + f"={right}@{base}"
    ),
    st.lists(words, min_size=2, max_size=3),
    st.lists(st.sampled_from("+-*"), min_size=2, max_size=2),
    words,
    st.integers(4, 8),
)


@pytest.mark.nojit
@settings(max_examples=40, deadline=None, database=None)
@given(sums)
def test_every_method_finds_the_same_solutions(text: str) -> None:
    puzzle = parse_puzzle(text)
    known = sorted(solve_puzzles([puzzle], 10_000).solutions[0])
    assert sorted(map(tuple, solve_columns(puzzle, 10_000).solutions.tolist())) == known
    for method in reference.METHODS.values():
        assert sorted(method(puzzle, reference.Trials(100_000))) == known


def test_the_slow_methods_yield_one_by_one_and_stop_at_their_budget() -> None:
    puzzle = parse_puzzle("TO+GO=OUT")
    for name, method in reference.METHODS.items():
        trials = reference.Trials(10**6)
        first = next(method(puzzle, trials))
        assert format_solution(puzzle, first) == "21+81=102", name
        seen = trials.count
        assert list(method(puzzle, reference.Trials(seen - 1))) == []


def test_random_sums_agree_with_a_constraint_solver() -> None:
    model = pytest.importorskip("ortools.sat.python.cp_model")
    rng = np.random.default_rng(20261204)
    for _ in range(300):
        signs = "".join(rng.permutation(list("ABCDEFGHIJ"))[: rng.integers(4, 8)])
        lengths = rng.integers(2, 5, 2)
        made = [
            "".join(rng.choice(list(signs), size))
            for size in (*lengths, lengths.max() + rng.integers(2))
        ]
        puzzle = parse_puzzle(f"{made[0]}+{made[1]}={made[2]}")
        assert solve_puzzles([puzzle], 2).counts[0] == min(2, oracle_count(model, puzzle))


def oracle_count(model, puzzle) -> int:
    """Solutions by CP-SAT, at most 3."""
    form = linear_form(puzzle)
    sat = model.CpModel()
    letters = [sat.new_int_var(puzzle.leading >> i & 1, 9, name)
               for i, name in enumerate(puzzle.letters)]  # fmt: skip
    sat.add_all_different(letters)
    terms = [weight * letter for weight, letter in zip(form.weights, letters, strict=True)]
    sat.add(sum(terms) + form.constant == 0)

    class Counter(model.CpSolverSolutionCallback):
        count = 0

        def on_solution_callback(self) -> None:
            self.count += 1
            if self.count > 2:
                self.stop_search()

    solver, counter = model.CpSolver(), Counter()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    solver.solve(sat, counter)
    return counter.count
