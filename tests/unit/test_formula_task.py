"""Tasks: their texts, documents and tables; every error of the catalogue; indices."""

import pytest

from workers.engines.formula.document import parse_task, table_text, task_texts
from workers.engines.formula.faults import Fault
from workers.engines.formula.shipped import open_template
from workers.engines.formula.solve import remarks, solve, troubles
from workers.engines.formula.task import Task, TaskError, format_task, split_name

MOTION = "uniform-acceleration data: xs=30 vs=10 astart=-9.8"
NORMAL = f"{MOTION} rules: v=0 goals: x environment: t>0"
DOCUMENT = """
# the second example of the thesis
[data]
xs = 30
vs = 10, astart = -9.80   # upwards
[rules]
v = 0
[goals]
x
[environment]
t > 0
"""


@pytest.mark.parametrize(
    "text",
    [
        NORMAL,
        DOCUMENT,
        "template = uniform-acceleration\n" + DOCUMENT,
        "  " + NORMAL.replace("=", " = ").replace(" vs", "  ,vs") + "  ",
        DOCUMENT.replace("[", "").replace("]", ":"),
        "environment: t > 0; goals: x\nrules: v = 0\ndata: xs=30; vs=+10; astart=-98e-1",
    ],
)
def test_a_line_a_document_and_any_spacing_are_one_task(text: str) -> None:
    assert format_task(parse_task(text, open_template("uniform-acceleration"))) == NORMAL
    assert format_task(parse_task(NORMAL)) == NORMAL


@pytest.mark.parametrize(
    "table",
    [
        {
            "data": {"xs": 30, "vs": 10, "astart": -9.8},
            "rules": {"v": 0},
            "goals": ["x"],
            "environment": ["t > 0"],
        },
        {
            "template": "uniform-acceleration",
            "data": ["xs=30", "vs = 10", "astart=-9.8"],
            "rules": "v = 0",
            "goals": "x",
            "environment": "t > 0",
        },
    ],
)
def test_a_table_is_a_task(table: dict[str, object]) -> None:
    task = parse_task(table_text(table), open_template("uniform-acceleration"))
    assert format_task(task) == NORMAL


def test_lines_with_goals_of_their_own_are_a_list() -> None:
    text = f"# two\n{NORMAL}\n\n{NORMAL}\n"
    assert task_texts(text) == [(2, NORMAL), (4, NORMAL)]
    assert task_texts(DOCUMENT) == [(1, DOCUMENT)]


REFUSED = {
    Fault.BAD_DATA: [
        ("data: xs=ten goals: x", "bad initial data: 'ten' is no number", 9),
        ("data: xs=1 xs=2 goals: x", "bad initial data: xs is given twice", 11),
        ("data: xs goals: x", "bad initial data: 'xs' is not name=number", 6),
        ("data: xs=1e999 goals: x", "bad initial data: 1e999 is too large", 9),
        ("data: xs=nan goals: x", "bad initial data: 'nan' is no number", 9),
        ("data: xs=\u0661 goals: x", "bad initial data: '\u0661' is no number", 9),
        ("data: xs=10-v=3 goals: x", "bad initial data: '10-v=3' is no number", 9),
    ],
    Fault.NOT_SET: [
        ("data: xs=1", "the goal is not set", None),
        ("elsewhere data: xs=1 goals: x", "the domain 'elsewhere' (domains: compound-", 0),
    ],
    Fault.RIGHT_IS_LEFT: [
        ("rules: v=2*v goals: x", "the right-hand name v is found on the left", 9),
    ],
    Fault.UNDEFINED_IN_RULES: [
        ("rules: v=2*q goals: x", "undefined name in rules: 'q' (variables: x xs v", 9),
        ("rules: q=2 goals: x", "undefined name in rules: 'q'", 7),
    ],
    Fault.BAD_RULES: [
        ("rules: v=2* goals: x", "bad rules: '2*': an operand is expected", 10),
        ("rules: v=x.__class__ goals: x", "bad rules: 'x.__class__'", 10),
        ("rules: v=eval(x) goals: x", "bad rules: 'eval(x)': 'eval' is no function", 9),
        ("rules: v=atan2(x,t) goals: x", "bad rules: 'atan2(x,t)': 'atan2' is no", 9),
        ("data: v=1 rules: v=2 goals: x", "bad rules: v is given and has a rule", 17),
        ("rules: v=1 v=2 goals: x", "bad rules: v has two rules", 11),
    ],
    Fault.RULE_FORM: [
        ("rules: v goals: x", "the rule 'v' is not of the form A=B", 7),
        ("rules: v= goals: x", "the rule 'v=' is not of the form A=B", 7),
        ("rules: v=1=2 goals: x", "the rule 'v=1=2' is not of the form A=B", 7),
        ("rules: v>1 goals: x", "the rule 'v>1' is not of the form A=B", 7),
        ("rules: 2*v=1 goals: x", "the rule '2*v=1' is not of the form A=B", 7),
    ],
    Fault.UNKNOWN_NAME: [
        ("data: q=1 goals: x", "'q' is not among the variables of the domain (x xs v vs", 6),
        ("goals: q", "'q' is not among the variables of the domain", 7),
        ("goals: x01", "'x01' is not among", 7),
        ("goals: x0", "'x0' is not among", 7),
        ("goals: sqrt", "'sqrt' is not among", 7),
        ("goals: x environment: q>0", "'q' is not among", 22),
        ("goals: x__class__", "'x__class__' is not among", 7),
    ],
    Fault.LINE: [
        ("goals: x environment: t", "the line 't' cannot be processed", 22),
        ("goals: x environment: 0<t<1", "the line '0<t<1' cannot be processed", 22),
        ("goals: x environment: 1>0", "the line '1>0': compares no variable cannot", 22),
        ("goals: x environment: t>sqrt", "the line 'sqrt': 'sqrt' is a function", 24),
        ("goals: x goals: t", "the line 't' cannot be processed", 16),
        ("one two goals: x", "the line 'two' cannot be processed", 4),
        ("what? goals: x", "the line 'what?' cannot be processed", 0),
        ("goals: x1 x2 x3 x4 x5 x6 x7 x8 x9", "the line more than 8 different indices", None),
        ("goals: " + "x " * 1000, "the line of more than 2000 characters", 2000),
    ],
}
EVERY = [(fault, *case) for fault, cases in REFUSED.items() for case in cases]


@pytest.mark.parametrize(("fault", "text", "said", "position"), EVERY)
def test_a_text_that_is_no_task_says_what_and_where(
    fault: Fault, text: str, said: str, position: int | None
) -> None:
    with pytest.raises(TaskError) as refused:
        parse_task(text, open_template("uniform-acceleration"))
    assert refused.value.fault is fault
    assert refused.value.sentence.startswith(said), refused.value.sentence
    assert refused.value.position == position


def faults(text: str) -> list[tuple[Fault, str]]:
    task = parse_task(text, open_template("uniform-acceleration"))
    return [tuple(one) for one in (*remarks(task), *troubles(solve(task, "best")))]


UNSOLVED = {
    Fault.SOUGHT_IN_RULE: (
        "data: xs=1 vs=2 t=3 astart=1 rules: m=2*x goals: x",
        "x is sought and used in a rule (possible recursion)",
    ),
    Fault.SET_BY_RULE: ("rules: x=5 goals: x", "x is directly computed by a rule"),
    Fault.GIVEN_AND_SOUGHT: ("data: x=5 goals: x", "x is given and sought (redundant)"),
    Fault.RIGHT_NOT_FOUND: (
        "rules: v=2*m goals: v",
        "the right-hand name m of the rule for v cannot be found",
    ),
    Fault.EVALUATION: (
        "data: astart=0 x=1 xs=1 v=2 vs=-2 goals: t",
        "direct evaluation error in t: division by zero in (v - sqrt",
    ),
    Fault.CYCLE: ("data: xs=1 goals: v", "cycle: v > vs > v"),
    Fault.NO_VALUE: ("data: t=-1 v=1 vs=2 goals: astart", "constraint leaves no value for t (t >="),
    Fault.SEVERAL_VALUES: ("data: xs=0 x=1 astart=9 vs=5 goals: v", "several values for v"),
}


@pytest.mark.parametrize("fault", UNSOLVED)
def test_a_task_that_is_odd_or_has_no_answer_says_why(fault: Fault) -> None:
    text, said = UNSOLVED[fault]
    found = faults(text)
    assert fault in [one for one, _ in found], found
    assert any(sentence.startswith(said) for one, sentence in found if one is fault), found


def test_every_fault_of_the_catalogue_is_provoked_by_some_test() -> None:
    elsewhere = {Fault.USED_NOT_GIVEN, Fault.NOT_FOUND, Fault.LIMIT, Fault.CONTRADICTION}
    assert set(REFUSED) | set(UNSOLVED) | elsewhere == set(Fault)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("x", ("x", "")),
        ("x1", ("x", "1")),
        ("xs12", ("xs", "12")),
        ("a2b", ("a2b", "")),
        ("a2b7", ("a2b", "7")),
        ("a_b", ("a_b", "")),
        ("x01", ("", "")),
        ("x0", ("", "")),
        ("1x", ("", "")),
        ("x1234", ("", "")),
        ("x\u0661", ("", "")),
        ("", ("", "")),
    ],
)
def test_an_index_is_what_digits_stand_at_the_end(name: str, parts: tuple[str, str]) -> None:
    assert split_name(name) == parts


def answer(text: str, search: str = "best") -> list[list[float]]:
    return solve(parse_task(text, open_template("uniform-acceleration")), search).answers


@pytest.mark.parametrize("search", ["seed", "best"])
def test_a_copy_has_all_its_variables_indexed_and_nothing_else(search: str) -> None:
    plain = answer("data: xs=1 vs=2 astart=3 t=4 goals: x", search)
    assert answer("data: xs7=1 vs7=2 astart7=3 t7=4 goals: x7", search) == plain == [[33.0]]
    mixed = "data: xs=1 vs=2 astart=3 t=4 t7=9 xs7=9 goals: x"
    assert answer(mixed, search) == plain  # t7 is no t, and xs7 no xs
    assert answer("data: xs=1 vs=2 astart=3 t=4 goals: x7", search) == [[]]


@pytest.mark.parametrize("search", ["seed", "best"])
def test_rules_join_copies(search: str) -> None:
    two_legs = ("data: xs1=0 vs1=10 astart1=-1 t1=2 astart2=3 t2=1 rules: vs2=v1 xs2=x1 "
                "goals: x2 v2")  # fmt: skip
    assert answer(two_legs, search) == [[18 + 8 + 1.5], [11.0]]


def test_constraints_and_texts_of_a_copy_carry_its_index() -> None:
    task = parse_task("data: xs3=30 vs3=10 astart3=-10 x3=10 goals: t3",
                      open_template("uniform-acceleration"))  # fmt: skip
    solved = solve(task)
    assert solved.answers == [[pytest.approx(3.236067977499790)]]
    from workers.engines.formula.journal import journal_text

    lines = journal_text(solved)
    assert "sqrt(vs3**2 + 2*astart3*(x3 - xs3))" in lines[1]
    assert lines[1].endswith("rejected by t3 >= 0")


def test_names_inside_names_and_functions_are_left_alone() -> None:
    """x stands inside xs and exp, t inside sqrt, tt and astart."""
    text = "data: xs1=30 vs1=10 astart1=-10 x1=10 goals: to1 tt1"
    assert answer(text) == [[pytest.approx(-1.23606797749979)], [pytest.approx(3.23606797749979)]]


def test_a_task_is_what_its_text_says() -> None:
    task = parse_task(NORMAL)
    assert isinstance(task, Task)
    assert task.data == (("xs", 30.0), ("vs", 10.0), ("astart", -9.8))
    assert task.goals == ("x",)
    assert task.indices == ("",)
