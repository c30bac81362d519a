"""Generated tasks: minimal, unique, as ordered, repeatable; said in three languages."""

import functools
from collections import Counter

import pytest

from workers.engines.formula.document import parse_task
from workers.engines.formula.draws import Draws
from workers.engines.formula.generate import Made, Order, constraint_needed, made_tasks
from workers.engines.formula.grade import graded
from workers.engines.formula.minimal import closures, posings
from workers.engines.formula.shipped import shipped_names, template_named
from workers.engines.formula.solve import Solved, network_of, solve
from workers.engines.formula.task import Task, format_task
from workers.engines.formula.template import LANGUAGES, Template
from workers.engines.formula.wording import wording
from workers.errors import BudgetError, ParamsError

DOMAINS = tuple(found for name in shipped_names() if (found := template_named(name)))
ANY = Order(DOMAINS, (1, 8), (1, 8), (0, 2))
MOTION = template_named("uniform-acceleration")
assert MOTION is not None


@pytest.fixture(scope="module")
def tasks() -> list[Made]:
    return list(made_tasks(20261201, 400, ANY))


def test_equal_seeds_give_equal_tasks_and_others_others(tasks: list[Made]) -> None:
    texts = [format_task(one.task) for one in tasks]
    assert [format_task(one.task) for one in made_tasks(20261201, 20, ANY)] == texts[:20]
    assert [format_task(one.task) for one in made_tasks(20261202, 20, ANY)] != texts[:20]
    assert len(set(texts)) > 395


def test_a_task_read_from_its_text_has_the_same_answer(tasks: list[Made]) -> None:
    for one in tasks[:100]:
        again = parse_task(format_task(one.task))
        assert again.data == one.task.data
        assert solve(again).answers == one.best.answers


def test_every_task_has_one_answer_by_both_searches(tasks: list[Made]) -> None:
    for one in tasks:
        (answers,) = one.best.answers
        assert len(answers) == 1
        if not one.seed.walk.end.limited:
            assert one.seed.answers == [[pytest.approx(answers[0], rel=1e-9)]]


def solvable(task: Task, dropped: int) -> Solved:
    data = task.data[:dropped] + task.data[dropped + 1 :]
    return solve(task._replace(data=data))


def test_dropping_a_given_that_is_used_leaves_no_answer(tasks: list[Made]) -> None:
    for one in tasks:
        idle = 0
        for dropped in range(len(one.task.data)):
            rest = solvable(one.task, dropped)
            idle += bool(rest.answers[0])
            if rest.answers[0]:
                assert rest.answers == one.best.answers
        assert idle == graded(one.task, one.best).distractors


@pytest.mark.parametrize(
    "order",
    [
        ANY._replace(formulas=(1, 1)),
        ANY._replace(formulas=(4, 4), depth=(2, 3)),
        ANY._replace(formulas=(6, 8), distractors=(0, 0)),
        ANY._replace(formulas=(2, 3), distractors=(2, 3)),
        ANY._replace(templates=DOMAINS[:1]),
        ANY._replace(constraint=True),
        ANY._replace(constraint=False),
    ],
)
def test_tasks_are_as_ordered(order: Order) -> None:
    for one in made_tasks(5, 25, order):
        grade = graded(one.task, one.best)
        assert order.formulas[0] <= grade.formulas <= order.formulas[1]
        assert order.depth[0] <= grade.depth <= order.depth[1]
        assert order.distractors[0] <= grade.distractors <= order.distractors[1]
        assert one.task.template in order.templates
        if order.constraint is not None:
            assert constraint_needed(one.best) is order.constraint


def test_all_domains_and_sizes_occur(tasks: list[Made]) -> None:
    assert {one.task.template.id for one in tasks} == set(shipped_names())
    sizes = Counter(graded(one.task, one.best).formulas for one in tasks)
    assert set(range(1, 7)) <= set(sizes)


def test_an_order_that_nothing_fits_lists_what_there_is() -> None:
    beyond = ANY._replace(formulas=(16, 16))
    with pytest.raises(ParamsError, match=r"no derivation fits.* 1 of depth 1, 2 of depth 2"):
        list(made_tasks(1, 1, beyond))
    gas = tuple(one for one in DOMAINS if one.id == "ideal-gas")
    rare = ANY._replace(templates=gas, constraint=True, attempts=3)
    with pytest.raises(BudgetError, match="the order is too rare: 3 draws"):
        list(made_tasks(1, 1, rare))


@functools.cache
def needs_of(template: Template) -> list[tuple[str, set[str]]]:
    return [(formula.target, set(formula.needs)) for formula in template.formulas]


def slow_closure(template: Template, known: set[str]) -> set[str]:
    """What follows from some variables: by names, one formula after the other."""
    while True:
        more = {target for target, needs in needs_of(template) if needs <= known}
        if more <= known:
            return known
        known = known | more


@pytest.mark.parametrize("template", DOMAINS, ids=lambda one: one.id)
def test_sets_of_givens_are_minimal_and_their_closures_right(template: Template) -> None:
    names = template.names
    draws = Draws(3)
    reach = closures(network_of(template, ("",)))
    for _ in range(60):
        known = draws.below(len(reach))
        chosen = {name for place, name in enumerate(names) if known >> place & 1}
        expected = sum(1 << names.index(name) for name in slow_closure(template, chosen))
        assert reach[known] == expected
    every = posings(template)
    for number in range(0, len(every), max(1, len(every) // 40)):
        posing = every[number]
        goal = names[posing.goal]
        given = {names[place] for place in posing.givens}
        assert goal not in given
        assert goal in slow_closure(template, given)
        for name in given:
            assert goal not in slow_closure(template, given - {name})


def test_every_minimal_set_of_a_small_domain_is_there() -> None:
    lens = template_named("thin-lens")
    assert lens is not None
    found = {(one.goal, one.givens) for one in posings(lens)}
    names = lens.names
    expected = set()
    for goal in range(len(names)):
        for mask in range(1 << len(names)):
            given = {names[place] for place in range(len(names)) if mask >> place & 1}
            if names[goal] in given or names[goal] not in slow_closure(lens, given):
                continue
            if all(names[goal] not in slow_closure(lens, given - {name}) for name in given):
                expected.add(
                    (goal, tuple(place for place in range(len(names)) if mask >> place & 1))
                )
    assert found == expected


def test_a_task_is_said_in_three_languages() -> None:
    task = parse_task(
        "uniform-acceleration data: xs=30 vs=10.5 astart=-9.8 rules: v=0 goals: t environment: x>0"
    )
    assert wording(task, "en") == (
        "A body moves along a line with constant acceleration, driven by a constant force. "
        "Given: the initial position xs = 30 m, the initial velocity vs = 10.5 m/s and the "
        "acceleration astart = −9.8 m/s². Besides: v = 0. Find: the duration t. "
        "Condition: t >= 0 and x>0."
    )
    assert wording(task, "de") == (
        "Ein Körper bewegt sich mit konstanter Beschleunigung auf einer Geraden, angetrieben von "
        "einer konstanten Kraft. Gegeben: die Anfangsposition xs = 30 m; die "
        "Anfangsgeschwindigkeit vs = 10,5 m/s und die Beschleunigung astart = −9,8 m/s². "
        "Außerdem gilt: v = 0. Gesucht: die Dauer t. Bedingung: t >= 0 und x>0."
    )
    assert wording(task, "fr").startswith("Un corps se déplace")
    assert "On donne : la position initiale xs = 30 m ; la vitesse initiale vs = 10,5 m/s et " in (
        wording(task, "fr")
    )


def test_a_wording_names_every_given_and_goal(tasks: list[Made]) -> None:
    for one in tasks[:100]:
        for language in LANGUAGES:
            said = wording(one.task, language)
            for name, _ in one.task.data:
                assert f" {name} = " in said
            assert one.task.goals[0] in said
            assert "{" not in said


def test_copies_are_told_apart() -> None:
    task = parse_task("uniform-acceleration data: xs1=0 vs1=1 t1=2 astart1=1e20 goals: x1")
    said = wording(task, "en")
    assert "the initial position (case 1) xs1 = 0 m" in said
    assert "astart1 = 1·10^20 m/s²" in said
