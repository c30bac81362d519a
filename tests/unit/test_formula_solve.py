"""The two searches: worked examples with their logs, cycles, limits, roots, counts."""

import json
import math

import pytest

from workers.engines.formula.curve import curve
from workers.engines.formula.document import parse_task
from workers.engines.formula.faults import Fault
from workers.engines.formula.grade import graded, judged
from workers.engines.formula.journal import journal, journal_text, shown
from workers.engines.formula.seed import LIMIT
from workers.engines.formula.shipped import open_template
from workers.engines.formula.solve import Solved, solve, troubles
from workers.engines.formula.template import Template
from workers.engines.formula.template_file import template_from_table
from workers.errors import ParamsError, PuzzleStateError

FIRST = "uniform-acceleration data: xs=30 vs=10 astart=-10 x=10 goals: to tt environment: to>0"
SECOND = "uniform-acceleration data: xs=30 vs=10 astart=-9.8 rules: v=0 goals: x"
ROOTS = "uniform-acceleration data: xs=30 vs=10 astart=-10 x=10 goals: t"


def solved(text: str, search: str = "best", template: Template | None = None) -> Solved:
    return solve(parse_task(text, template), search)


def domain(
    variables: str, formulas: list[tuple[str, str | list[str]]], constraints: tuple[str, ...] = ()
) -> Template:
    """A domain for one test, unchecked beyond its language."""
    text = dict.fromkeys(("en", "de", "fr"), "a")
    situation = {language: {"title": "T", "situation": "S."} for language in text}
    return template_from_table(
        {
            "id": "own",
            "version": 1,
            "base": [variables.split()[0]],
            "text": situation,
            "constraints": list(constraints),
            "variable": [{"name": name, "sample": [1, 2], "text": text}
                         for name in variables.split()],
            "formula": [{"target": target, "expression" if isinstance(right, str) else "roots":
                         right} for target, right in formulas],
        },
        "own.toml",
    )  # fmt: skip


@pytest.mark.parametrize("search", ["seed", "best"])
def test_the_first_worked_example_comes_out_to_eight_decimals(search: str) -> None:
    found = solved(FIRST, search)
    assert [[round(one, 8) for one in goal] for goal in found.answers] == [[], [3.23606798]]
    (rejected,) = [step for step in journal(found) if step.event == "rejected"]
    assert round(rejected.value or 0, 8) == -1.23606798
    assert rejected.text.endswith("= -1.23606798: rejected by to>0")
    assert [one.sentence for one in troubles(found)] == ["constraint leaves no value for to (to>0)"]


def test_the_logs_of_the_worked_examples_are_these() -> None:
    assert journal_text(solved(FIRST, "seed")) == [
        "1. goal: to",
        "2. to = (-vs + sqrt(vs**2 + 2*astart*(x - xs)))/astart = -1.23606798: rejected by to>0",
        "3. goal: tt",
        "4. tt = (-vs - sqrt(vs**2 + 2*astart*(x - xs)))/astart = 3.23606798",
    ]
    assert journal_text(solved(SECOND, "seed")) == [
        "1. rule v = 0 is applied",
        "2. v = 0 = 0",
        "3. goal: x",
        "4. x = xs + vs*t + astart*t**2/2: t is not known",
        "5. auxiliary task: t (for x)",
        "6. t = (v - vs)/astart = 1.02040816",
        "7. x = xs + vs*t + astart*t**2/2 = 35.10204082",
    ]
    assert journal_text(solved(SECOND, "best")) == [
        "1. rule v = 0 is applied",
        "2. v = 0 = 0",
        "3. derivation of x: x = xs + (v**2 - vs**2)/(2*astart)",
        "4. x = xs + (v**2 - vs**2)/(2*astart) = 35.10204082",
    ]


def test_the_second_worked_example_takes_three_attempts_and_one_auxiliary_task() -> None:
    found = solved(SECOND, "seed")
    assert round(found.values["t"], 8) == 1.02040816
    assert round(found.values["x"], 8) == 35.10204082
    end = found.walk.end
    assert (end.attempts, end.auxiliary, end.tried, end.failed, end.rules) == (3, 1, 2, 0, 1)


def test_a_journal_is_json() -> None:
    steps = [step._asdict() for step in journal(solved(SECOND, "seed"))]
    read = json.loads(json.dumps(steps))
    assert read[5] == {
        "event": "value",
        "text": "t = (v - vs)/astart = 1.02040816",
        "name": "t",
        "formula": "t = (v - vs)/astart",
        "value": 1.0204081632653061,
        "uses": ["v", "vs", "astart"],
    }


@pytest.mark.parametrize("search", ["seed", "best"])
def test_a_root_outside_its_constraint_gives_way_to_the_next(search: str) -> None:
    found = solved(ROOTS, search)
    assert found.answers == [[pytest.approx(3.23606797749979, rel=1e-12)]]
    free = solve(found.task, search, constrained=False)
    assert len(free.answers[0]) == (2 if search == "best" else 1)


def test_the_document_search_goes_depth_first_by_the_first_missing_name() -> None:
    own = domain("a b c d e", [("a", "b + c"), ("b", "d*2"), ("c", "e*3"), ("d", "e + 1")])
    found = solved("data: e=1 goals: a", "seed", own)
    assert [step.text for step in journal(found) if step.event == "auxiliary"] == [
        "auxiliary task: b (for a)",
        "auxiliary task: d (for b)",
        "auxiliary task: c (for a)",
    ]
    # a, b, d, b again, a again, c, a again
    assert found.walk.end.attempts == 7
    assert found.answers == [[7.0]]


def test_the_best_search_takes_fewest_formulas_then_least_depth() -> None:
    own = domain(
        "goal p q r s a",
        [("goal", "p + 1"), ("p", "q + 1"), ("q", "a + 1"), ("goal", "r*s"), ("r", "a + 2"),
         ("s", "a - 2"), ("goal", "q + r")],
    )  # fmt: skip
    found = solved("data: a=5 goals: goal", "best", own)
    plan = found.walk.end.derivations[0]
    assert [found.pattern.network.text(edge) for edge in plan.edges] == [
        "r = a + 2", "s = a - 2", "goal = r*s",
    ]  # fmt: skip
    assert plan.depth == 2
    assert found.answers == [[21.0]]


def test_a_cycle_is_named_and_not_run_into_the_limit() -> None:
    own = domain("a b c", [("a", "b + 1"), ("b", "c + 1"), ("c", "a - 2")])
    for search in ("seed", "best"):
        found = solved("goals: a", search, own)
        assert [one.sentence for one in troubles(found)] == ["cycle: a > b > c > a"]
        assert found.walk.end.attempts < 10
    lines = journal_text(solved("goals: a", "seed", own))
    assert "c = a - 2: a is being looked for already (cycle a > b > c > a)" in lines[-3]


def test_a_name_that_nothing_gives_is_named() -> None:
    own = domain("a b c d", [("a", "b + 1"), ("b", "c + d")])
    for search in ("seed", "best"):
        (trouble,) = troubles(solved("data: c=1 goals: a", search, own))
        assert trouble.fault is Fault.USED_NOT_GIVEN
        assert trouble.sentence == "d is used but not given, and no formula gives it"
        (trouble,) = troubles(solved("goals: d", search, own))
        assert (trouble.fault, trouble.sentence) == (Fault.NOT_FOUND, "d cannot be found")


def test_the_limit_of_attempts_ends_a_search_that_goes_everywhere() -> None:
    names = "a b c d e f"
    own = domain(names, [(x, f"{y} + {z}") for x in names.split() for y in names.split()
                         for z in names.split() if len({x, y, z}) == 3])  # fmt: skip
    found = solved("data: b=1 goals: a", "seed", own)
    assert found.walk.end.attempts == LIMIT
    assert [one.fault for one in troubles(found)] == [Fault.LIMIT]
    assert troubles(found)[0].sentence.startswith("recursion limit: a is not found")


def test_a_choice_of_a_root_is_taken_back_when_it_leads_nowhere() -> None:
    own = domain("goal r a", [("goal", "r + a"), ("r", ["a", "-3*a", "5*a"])], ("goal < 0",))
    found = solved("data: a=1 goals: goal", "seed", own)
    assert found.answers == [[-2.0]]
    assert [step.event for step in journal(found)].count("back") == 1
    assert found.values["r"] == -3.0
    assert solved("data: a=1 goals: goal", "best", own).answers == [[-2.0]]
    nothing = solved("data: a=-1 goals: goal environment: goal>9", "seed", own)
    assert [one.fault for one in troubles(nothing)] == [Fault.NO_VALUE]


def test_all_answers_that_constraints_allow_are_found() -> None:
    own = domain("goal p q a", [("goal", "p*q"), ("p", ["a", "-a"]), ("q", ["a + 1", "a - 1"])])
    assert solved("data: a=3 goals: goal", "best", own).answers == [[12.0, 6.0, -12.0, -6.0]]
    (trouble,) = troubles(solved("data: a=3 goals: goal", "best", own))
    assert trouble.sentence == "several values for goal"


def test_branches_that_other_formulas_contradict_are_dropped() -> None:
    """Two roots each for p and q, but p + q = 2*a leaves one pair."""
    own = domain(
        "goal p q a",
        [("goal", "p*q"), ("p", ["a + 1", "a - 1"]), ("q", ["a - 1", "a - 5"]), ("p", "2*a - q")],
    )
    found = solved("data: a=3 goals: goal", "best", own)
    assert found.answers == [[8.0]]
    assert any("contradicts p = 2*a - q" in line for line in journal_text(found))
    own = domain("goal p q a", [("goal", "p*q"), ("p", ["a", "-a"]), ("q", ["2*a", "3*a"]),
                                ("p", "q + 7")])  # fmt: skip
    (trouble,) = troubles(solved("data: a=3 goals: goal", "best", own))
    assert trouble.fault is Fault.CONTRADICTION


@pytest.mark.parametrize("search", ["seed", "best"])
def test_a_formula_without_value_gives_way_to_the_next(search: str) -> None:
    own = domain("goal a b", [("goal", "a/b"), ("goal", "log(b)"), ("goal", "sqrt(b - 1)"),
                              ("goal", "exp(1e5 - b)"), ("goal", "a + b")])  # fmt: skip
    found = solved("data: a=1 b=0 goals: goal", search, own)
    assert found.answers == [[1.0]]
    said = [step.text for step in journal(found) if step.event == "error"]
    assert said == [
        "goal: division by zero in a/b",
        "goal: root, logarithm or angle of a number that has none in log(b)",
        "goal: root, logarithm or angle of a number that has none in sqrt(b - 1)",
        "goal: a number that is too large in exp(100000 - b)",
    ]


@pytest.mark.parametrize("search", ["seed", "best"])
def test_huge_numbers_are_errors_and_no_infinities(search: str) -> None:
    text = "uniform-acceleration data: xs=1e99 vs=1e100 astart=1e100 t=1e100 goals: w x"
    found = solved(text, search)
    assert all(math.isfinite(value) for value in found.values.values())
    own = domain("goal a", [("goal", "a*1e300*1e300")])
    (trouble,) = troubles(solved("data: a=1e10 goals: goal", search, own))
    assert trouble.sentence == (
        "direct evaluation error in goal: a number that is too large in a*1e+300*1e+300"
    )


def test_rules_may_wait_for_what_they_need_and_name_what_is_missing() -> None:
    own = domain("a b c d", [("b", "c*2"), ("d", "a + 1")])
    for search in ("seed", "best"):
        found = solved("data: c=3 rules: a=b+1 goals: d", search, own)
        assert found.answers == [[8.0]]
        assert found.walk.end.rules == 1
        (trouble,) = troubles(solved("rules: a=b+1 goals: d", search, own))
        assert trouble.fault in (Fault.USED_NOT_GIVEN, Fault.RIGHT_NOT_FOUND)
        (trouble,) = troubles(solved("rules: a=b+1 goals: a", search, own))
        assert trouble.sentence == "the right-hand name b of the rule for a cannot be found"


def test_a_rule_stands_before_the_formulas_of_its_name() -> None:
    own = domain("a b", [("a", "b*2")])
    for search in ("seed", "best"):
        assert solved("data: b=3 rules: a=b+10 goals: a", search, own).answers == [[13.0]]


def test_goals_share_what_the_document_search_has_found() -> None:
    own = domain("a b c", [("a", "b + 1"), ("b", "c*2")])
    found = solved("data: c=3 goals: a b", "seed", own)
    assert found.answers == [[7.0], [6.0]]
    assert "b is known already" in journal_text(found)[-1]
    assert found.values == {"a": 7.0, "b": 6.0, "c": 3.0}


def test_values_do_not_depend_on_what_was_solved_before() -> None:
    """The tree of moves of a pattern grows on some tasks and is walked by others."""
    texts = [ROOTS.replace("x=10", f"x={x}").replace("vs=10", f"vs={vs}")
             for x in (10, 35, 30, 300) for vs in (10, -10, 0)]  # fmt: skip
    own = open_template("uniform-acceleration")
    for search in ("seed", "best"):
        together = [solved(text, search) for text in texts + texts[::-1]]
        from workers.engines.formula import solve as module

        for text, one in zip(texts + texts[::-1], together, strict=True):
            module._pattern.cache_clear()
            alone = solved(text, search, own)
            assert alone.answers == one.answers
            assert alone.walk.end == one.walk.end or search == "best"
            assert journal_text(alone) == journal_text(one)


def test_a_verdict_counts_the_values_of_both_searches() -> None:
    def verdict(text: str, template: Template | None = None) -> tuple[int, str | None, str | None]:
        task = parse_task(text, template)
        found = judged(task, solve(task, "best"), solve(task, "seed"))
        return found.answers, found.solution, found.reason

    assert verdict(SECOND) == (1, "x=35.10204082", None)
    assert verdict(FIRST) == (0, "tt=3.236067977", "constraint leaves no value for to (to>0)")
    answers, _, reason = verdict("projectile data: v=20 w=30 goals: alpha")
    assert (answers, reason) == (2, "several values for alpha")
    own = domain("goal p a b", [("goal", "p + 1"), ("p", "a"), ("goal", "b*2")])
    answers, _, reason = verdict("data: a=1 b=3 goals: goal", own)  # data that contradict
    assert (answers, reason) == (2, "several values for goal")


def test_the_grade_counts_what_makes_a_derivation_hard() -> None:
    task = parse_task("uniform-acceleration data: x=10 xs=30 vs=10 astart=-10 m=2 f=7 goals: v")
    grade = graded(task, solve(task, "best"))
    assert grade.formulas == 1
    assert grade.branchings == 1
    assert grade.distractors == 2
    assert grade.nonlinear == 3
    assert grade.score == 10 + 5 + 2 * 3 + 6 + 3 * 2
    assert grade.level == "medium"


def test_numbers_are_shown_to_eight_decimals_or_ten_digits() -> None:
    found = [shown(x) for x in (1.0, -1.2360679774, 35.102040816, 1e-12 / 3, 1e20, 0.0, -0.0)]
    assert found == ["1", "-1.23606798", "35.10204082", "3.333333333e-13", "1e+20", "0", "0"]


def test_a_curve_follows_the_derivation_and_passes_through_the_task() -> None:
    task = parse_task(SECOND)
    found = curve(task, "x", "vs")
    assert found.formula == "x = xs + (v**2 - vs**2)/(2*astart)"
    assert found.at == (10.0, pytest.approx(35.10204082, abs=1e-8))
    assert (found.inputs[0], found.inputs[-1], len(found.inputs)) == (-12.0, 25.0, 241)
    at = min(range(241), key=lambda place: abs(found.inputs[place] - 10))
    assert found.values[at] == pytest.approx(30 + found.inputs[at] ** 2 / 19.6)


def test_a_curve_has_gaps_where_nothing_is_allowed() -> None:
    found = curve(parse_task(ROOTS), "t", "x")
    assert found.at[1] == pytest.approx(3.2360679775)
    far = curve(parse_task(ROOTS.replace("x=10", "x=34")), "t", "x")
    assert any(map(math.isnan, far.values))  # beyond the highest point


@pytest.mark.parametrize(
    ("name", "over", "error", "said"),
    [
        ("q", None, ParamsError, "'q' is none of x xs"),
        ("x", "m", ParamsError, "x depends on no such given"),
        ("m", None, PuzzleStateError, "m: has no value to plot"),
        ("xs", None, ParamsError, "xs depends on no such given"),
    ],
)
def test_a_curve_that_cannot_be_says_why(
    name: str, over: str | None, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        curve(parse_task(SECOND), name, over)
