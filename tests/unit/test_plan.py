"""Plans: what is accepted, what a wrong one is told, and that the digest covers what matters."""

from pathlib import Path

import msgspec
import pytest

from pipeline.plan import Plan, differences, load_plan, run_facts, run_name
from pipeline.toml import find_config
from workers.contracts import InputFacts
from workers.errors import ConfigError

GOOD = """
name = "good"
kind = "null"
seed = 5
rows = 1001
job_rows = 100
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "plan.toml"
    path.write_text(text)
    return path


def load(folder: Path, more: str = "", *overrides: str) -> Plan:
    return load_plan(write(folder, GOOD + more), overrides)


@pytest.mark.parametrize(
    ("more", "key", "hint"),
    [
        ("job_row = 3", "job_row", "did you mean 'job_rows'?"),
        ("colour = 3", "colour", "keys: name, kind"),
        ("levels = 3", "levels", "expected str"),
        ("max_jobs = 3", "max_jobs", "only with quotas"),
        ("raters = ['basic', 'basic']", "raters", "doubled"),
        ("input = 'list.txt'", "input", "only with action = 'grade'"),
        ("quotas = {easy = 3}", "max_jobs", "required with quotas"),
        ("quotas = {easy = 0}\nmax_jobs = 3", "quotas", ">= 1"),
        ("action = 'solve'", "action", "invalid enum value"),
        ("dedupe = 'all'", "dedupe", "invalid enum value"),
        ("seed = 3", "", "Cannot overwrite a value"),
    ],
)
def test_a_wrong_plan_is_told_its_file_and_key(
    tmp_path: Path, more: str, key: str, hint: str
) -> None:
    with pytest.raises(ConfigError) as told:
        load(tmp_path, more)
    message = str(told.value)
    assert message.startswith(f"{tmp_path / 'plan.toml'}: {key}")
    assert hint.lower() in message.lower()
    assert "\n" not in message


@pytest.mark.parametrize(
    ("override", "what"),
    [
        ("rows=0", "rows: expected int >= 1"),
        ("rows=10000000001", "rows: expected int <= 10000000000"),
        ("job_rows=100001", "job_rows: expected int <= 100000"),
        ("seed=-1", "seed: expected int >= 0"),
        ("seed=9223372036854775808", "seed: expected int <="),
        ("name='Grade A'", "name: expected str matching regex"),
        ("name='x/../y'", "name: expected str matching regex"),
        ("rows='many'", "rows: expected int, got str"),
        ("rows=1.5", "rows: expected int, got float"),
    ],
)
def test_values_out_of_range_are_refused(tmp_path: Path, override: str, what: str) -> None:
    with pytest.raises(ConfigError) as told:
        load(tmp_path, "", override)
    assert what in str(told.value)


def test_a_syntax_error_is_told_with_line_and_column(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"plan\.toml: not TOML: .*line 2, column 8"):
        load_plan(write(tmp_path, "name = 'x'\nkind = \n"))


def test_a_binary_plan_is_refused(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="not a text file"):
        load_plan(tmp_path / "plan.toml")


def test_a_missing_plan_is_told_the_near_name_and_a_folder_what_it_is(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"quickstrat: .*did you mean 'quickstart'\?"):
        load_plan("quickstrat")
    with pytest.raises(ConfigError, match="is a folder, not a plan file"):
        load_plan(tmp_path)


SHIPPED = ["quickstart", "grade-list", "quota", "iterations", "se-rating", "se-target"]


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_plans_are_found_by_name_and_valid(name: str) -> None:
    assert load_plan(name).name == name


def test_overrides_take_toml_values_bare_words_and_dotted_keys(tmp_path: Path) -> None:
    overrides = ("rows=7", "name=other-1", "params.limit=50", 'raters=["digits"]')
    plan = load(tmp_path, "", *overrides)
    assert (plan.rows, plan.name, plan.params, plan.raters) == (
        7, "other-1", {"limit": 50}, ("digits",),
    )  # fmt: skip


@pytest.mark.parametrize("override", ["rows", "=3", "a b=3", "rows={", "seed.x=3"])
def test_an_override_that_is_none_is_refused(tmp_path: Path, override: str) -> None:
    with pytest.raises(ConfigError, match=r"^--set: "):
        load(tmp_path, "", override)


def test_paths_are_relative_to_the_plan_and_the_option_to_the_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    path = write(tmp_path, "name='g'\nkind='null'\naction='grade'\ninput='a.txt'\nlevels='l.toml'")
    assert load_plan(path).input == str(tmp_path / "a.txt")
    assert load_plan(path).levels == str(tmp_path / "l.toml")
    assert load_plan(path, (), "b.txt").input == str(tmp_path / "here" / "b.txt")
    assert load_plan(path, (), "-").input == "-"


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ("raters = ['digit']", "raters: unknown 'digit' (did you mean 'digits'?)"),
        ("kind = 'nul'", "kind: unknown 'nul' (did you mean 'null'?)"),
        ("[params]\nlimt = 3", "params: unknown 'limt' (did you mean 'limit'?)"),
        ("[params]\nlimit = 0", "params.limit: expected int >= 1"),
        ("max_jobs = 3\n[quotas]\neasy = 3", "quotas: need a levels file"),
        ("max_jobs = 3\nlevels = 'levels-1'\n[quotas]\neasi = 3", "unknown 'easi' (did you mean"),
        ("levels = 'levels-9'", "no such levels file (did you mean 'levels-1'?)"),
    ],
)
def test_names_that_do_not_exist_are_refused_with_the_near_one(
    tmp_path: Path, more: str, what: str
) -> None:
    base = GOOD if "kind" not in more else GOOD.replace('kind = "null"\n', "")
    base = base if "quotas" not in more else base.replace("rows = 1001\n", "", 1)
    plan = load_plan(write(tmp_path, base + more))
    with pytest.raises(ConfigError) as told:
        run_facts(plan)
    assert what in str(told.value)


def test_jobs_follow_from_rows_by_arithmetic(tmp_path: Path) -> None:
    spec = run_facts(load(tmp_path)).spec
    assert (spec.jobs, spec.rows) == (11, 1001)
    assert [spec.row_range(job) for job in (0, 9, 10)] == [(0, 100), (900, 1000), (1000, 1001)]


def test_ten_million_jobs_are_the_limit(tmp_path: Path) -> None:
    assert run_facts(load(tmp_path, "", "rows=10000000", "job_rows=1")).spec.jobs == 10_000_000
    with pytest.raises(ConfigError, match="at most 10000000; raise job_rows"):
        run_facts(load(tmp_path, "", "rows=10000001", "job_rows=1"))


def test_with_quotas_max_jobs_says_how_many_rows_there_may_be(tmp_path: Path) -> None:
    text = GOOD.replace("rows = 1001\n", "", 1) + "max_jobs = 9\nlevels = 'levels-1'\n"
    facts = run_facts(load_plan(write(tmp_path, text + "[quotas]\nhard = 2\neasy = 1\n")))
    assert (facts.spec.jobs, facts.spec.rows) == (9, 900)
    assert list(facts.quotas) == ["easy", "hard"]
    assert facts.levels is not None
    assert facts.levels["name"] == "levels-1"


def test_defaults_depend_on_kind_and_action(tmp_path: Path) -> None:
    facts = run_facts(load(tmp_path))
    assert facts.spec.raters == ("basic",)
    assert facts.spec.params == {"limit": 10**9}  # written out: a new default is another digest
    assert facts.dedupe == "canonical"
    assert facts.levels is None
    graded = load_plan(write(tmp_path, "name='g'\nkind='null'\naction='grade'\ninput='x'"))
    lines = InputFacts(3, 9, *["0" * 64] * 3)
    assert run_facts(graded, lines).dedupe == "none"
    assert run_facts(graded, lines).spec.rows == 3


def test_the_run_id_is_the_name_and_the_head_of_the_digest(tmp_path: Path) -> None:
    facts = run_facts(load(tmp_path))
    assert run_name(facts) == f"good-{facts.digest()[:8]}"
    assert run_name(run_facts(load(tmp_path, "# the same, said otherwise\n"))) == run_name(facts)


@pytest.mark.parametrize(
    "override",
    ["seed=6", "rows=1000", "job_rows=101", "params.limit=9", "dedupe=none", "levels=levels-1",
     "raters=['digits']", "name=bad"],
)  # fmt: skip
def test_whatever_changes_rows_changes_the_digest(tmp_path: Path, override: str) -> None:
    assert run_facts(load(tmp_path)).digest() != run_facts(load(tmp_path, "", override)).digest()


def test_differences_are_told_in_the_words_of_the_plan(tmp_path: Path) -> None:
    old = run_facts(load(tmp_path))
    new = run_facts(load(tmp_path, "", "seed=6", "params.limit=9", "raters=['basic', 'digits']"))
    assert differences(old, new) == [
        'raters: ["basic"] -> ["basic", "digits"]',
        "seed: 5 -> 6",
        "params.limit: 1000000000 -> 9",
        "rater_versions.digits: (none) -> 1",
    ]
    assert differences(old, msgspec.structs.replace(old)) == []


def test_any_config_is_found_by_path_or_name(tmp_path: Path) -> None:
    path = write(tmp_path, GOOD)
    assert find_config(str(path), "plan") == path
    assert find_config("levels-1", "levels").name == "levels-1.toml"
