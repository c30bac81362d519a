"""Every method gives the same solution on the lists of unique puzzles, or says where it stops."""

import pytest

from workers.kinds.sudoku import KIND

pytestmark = pytest.mark.slow
UNIQUE_LISTS = (
    "17_clue_49158.txt",
    "forum_hardest_1106.txt",
    "forum_hardest_1905_11plus.txt",
    "kaggle_sample.txt",
    "norvig_hardest.txt",
    "qqwing_easy_1000.txt",
    "qqwing_expert_1000.txt",
    "qqwing_intermediate_1000.txt",
    "qqwing_simple_1000.txt",
    "top1465.txt",
    "top95.txt",
)
FIRST = 200
ALWAYS = ("search", "human-path")
"""Methods that come to an end on every one of these puzzles."""
MAY_STOP = {"brute": "budget out", "backtrack": "budget out", "analytic": "stopped",
            "models": "stopped"}  # fmt: skip
BUDGET = {"budget": 3_000_000}
OPTIONS = {"brute": BUDGET, "backtrack": BUDGET}


@pytest.fixture(scope="module", params=UNIQUE_LISTS)
def unique(request, shared_data):
    """The first puzzles of a list that have one solution, with it."""
    with (shared_data / request.param).open(encoding="ascii") as file:
        texts = [line[:81] for line, _ in zip(file, range(FIRST), strict=False)]
    rows = [KIND.solve(text) for text in texts]
    assert [row["n_solutions"] for row in rows].count(1) > 10
    return {row["puzzle"]: row["solution"] for row in rows if row["n_solutions"] == 1}


@pytest.mark.parametrize("method", KIND.methods)
def test_the_solution_is_the_same_or_the_stop_is_admitted(unique, method):
    for puzzle, solution in unique.items():
        row = KIND.solve(puzzle, method, options=OPTIONS.get(method))
        assert row["n_solutions"] == 1
        if row["solution"] is not None:
            assert row["solution"] == solution
            assert row.get("status", "solved") == "solved"
            continue
        assert method not in ALWAYS
        assert row["status"] == MAY_STOP[method]
        assert row["filled"] == 81 - row["grid"].count(".") < 81
        if row["status"] == "stopped":  # what was filled by reasoning is right
            pairs = zip(row["grid"], solution, strict=True)
            assert all(sign in (".", right) for sign, right in pairs)
