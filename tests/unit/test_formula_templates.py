"""Domains: the shipped ones are sound, a bad one is refused with file, key and reason."""

import copy
import hashlib
import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from workers.engines.formula import shipped, units
from workers.engines.formula.derivation import shortest
from workers.engines.formula.document import parse_task, table_text
from workers.engines.formula.solve import network_of, solve
from workers.engines.formula.soundness import check_formulas
from workers.engines.formula.template import LANGUAGES, Template
from workers.engines.formula.template_file import template_from_table
from workers.errors import ConfigError, UsageError

GOLDEN = Path(__file__).parents[1] / "golden" / "formula_domains.txt"
TEXT = dict.fromkeys(LANGUAGES, "a")
SITUATION = {language: {"title": "T", "situation": "S."} for language in LANGUAGES}
GOOD: dict[str, Any] = {
    "id": "own",
    "version": 1,
    "base": ["s", "t"],
    "text": SITUATION,
    "constants": {"half": {"value": 0.5}},
    "variable": [
        {"name": "s", "unit": "m", "sample": [1, 9], "text": TEXT},
        {"name": "t", "unit": "s", "sample": [1, 9], "text": TEXT, "domain": ["> 0"]},
        {"name": "v", "unit": "m/s", "text": TEXT},
    ],
    "formula": [
        {"target": "v", "expression": "s/t"},
        {"target": "s", "expression": "v*t"},
        {"target": "t", "roots": ["s/v", "-s/v"]},
    ],
    "constraints": ["s > 0*v*t"],
}


def changed(*changes: tuple[str, Any]) -> dict[str, Any]:
    table = copy.deepcopy(GOOD)
    for path, value in changes:
        place: Any = table
        *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
        for step in steps:
            place = place[step]
        if value is None:
            del place[last]
        else:
            place[last] = value
    return table


def read(table: dict[str, Any]) -> Template:
    template = template_from_table(table, "own.toml")
    check_formulas(template)
    units.check_units(template)
    return template


def test_a_good_domain_is_taken() -> None:
    template = read(GOOD)
    assert template.names == ("s", "t", "v")
    assert [formula.text for formula in template.formulas][2] == "t = s/v or -s/v"
    assert [one.text for one in template.constraints] == ["t > 0", "s > 0*v*t"]


BAD = {
    "a key is missing": (("version", None), "file", "missing required field `version`"),
    "a key is unknown": (("extra", 1), "file", "unknown field `extra`"),
    "an id is no word": (("id", "My Own"), "id", "matching regex"),
    "a sample is no range": (("variable.0.sample", [9, 1]), "variable[0].sample", "the smaller"),
    "a name ends in a digit": (("variable.2.name", "v1"), "variable[2].name", "no digit at the"),
    "a name is a function": (("variable.2.name", "sqrt"), "variable[2].name", "is taken"),
    "a name stands twice": (("variable.2.name", "s"), "variable[2].name", "is taken"),
    "a name is a section": (("variable.2.name", "goals"), "variable[2].name", "is taken"),
    "a name has dunders": (("variable.2.name", "v__v"), "variable[2].name", "no name"),
    "a constant is a variable": (
        ("constants", {"s": {"value": 1}}), "constants.s", "is taken"
    ),
    "a language is missing": (
        ("variable.1.text", {"en": "a", "fr": "a"}), "variable[1].text.de", "missing"
    ),
    "a target is unknown": (("formula.0.target", "w"), "formula[0].target", "no variable"),
    "a formula has no right side": (("formula.0.expression", None), "formula[0]", "or roots"),
    "a name is undeclared": (
        ("formula.0.expression", "s/t + w"), "formula[0].expression", "'w' is neither"
    ),
    "a formula needs its target": (
        ("formula.0.expression", "v + s/t"), "formula[0].expression", "the target itself"
    ),
    "a root is no expression": (
        ("formula.2.roots", ["s/v", "s/"]), "formula[2].roots[1]", "the end (column 3)"
    ),
    "a formula attacks": (
        ("formula.0.expression", "s.__class__"), "formula[0].expression", "column 2"
    ),
    "a formula disagrees": (
        ("formula.1.expression", "2*v*t"), "formula[1]", "s = 2*v*t gives"
    ),
    "a formula has no value": (
        ("formula.1.expression", "v*t + sqrt(-t*t) - sqrt(-t*t)"), "formula[1]", "gives no value"
    ),
    "a unit is unknown": (("variable.2.unit", "furlongs per oops"), "variable[2].unit", "no unit"),
    "a base is unknown": (("base", ["s", "w"]), "base[1]", "no variable"),
    "a base is not sampled": (("base", ["s", "v"]), "base[1]", "no sample range"),
    "a base does not do": (("base", ["s"]), "base", "does not follow from it"),
    "a constraint is none": (("constraints", ["s"]), "constraints[0]", "not a comparison"),
    "a constraint compares numbers": (("constraints", ["1 > 0"]), "constraints[0]", "no variable"),
    "a constraint rules all out": (("constraints", ["s < 0*v*t"]), "base", "only 0 are within"),
    "a constant is infinite": (
        ("constants", {"half": {"value": float("inf")}}),
        "constants.half.value",
        "no number to",
    ),
    "a sample is infinite": (
        ("variable.0.sample", [1, float("inf")]),
        "variable[0].sample",
        "no number to",
    ),
    "a domain is none": (("variable.0.domain", ["oops"]), "variable[0].domain[0]", "comparison"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_a_bad_domain_is_refused_with_file_key_and_reason(case: str) -> None:
    change, key, reason = BAD[case]
    with pytest.raises(ConfigError) as refused:
        read(changed(change))
    said = str(refused.value)
    assert said.startswith(f"own.toml: {key}"), said
    assert reason.lower() in said.lower(), said


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ([("variable.2.unit", "km/h")], "v is in"),
        ([("variable.2.unit", "m")], "v is in"),
        ([("variable.0.unit", "cm")], "v is in"),
        ([("formula.1.expression", "v*t + 0*t*t")], "joins"),
        ([("formula.1.expression", "v*t*sin(t)/sin(t)")], "takes a plain number"),
        ([("formula.1.expression", "v*t*2**t/2**t")], "the exponent 't'"),
        ([("formula.1.expression", "v*t*v**(t/t)/v**(t/t)")], "to a power that varies"),
        ([("constraints", ["s > -t"])], "joins"),
    ],
)
def test_units_that_do_not_go_together_are_refused(
    changes: list[tuple[str, Any]], said: str
) -> None:
    with pytest.raises(ConfigError, match=re.escape(said)):
        read(changed(*changes))


def test_without_pint_the_pip_line_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    units._registry.cache_clear()
    monkeypatch.setitem(sys.modules, "pint", None)
    with pytest.raises(UsageError, match=r"pip install 'puzzlemill\[formula\]'"):
        units.check_units(template_from_table(GOOD, "own.toml"))


def test_at_least_six_domains_are_shipped() -> None:
    assert len(shipped.shipped_names()) >= 6
    assert {"uniform-acceleration", "electric-circuit", "ideal-gas", "triangle",
            "compound-interest", "projectile"} <= set(shipped.shipped_names())  # fmt: skip


@pytest.mark.parametrize("name", shipped.shipped_names())
def test_a_shipped_domain_has_sound_units_and_its_examples_come_out(name: str) -> None:
    template = shipped.open_template(name)
    units.check_units(template)
    assert len(template.examples) >= 2
    for example in template.examples:
        table = {"data": example.data, "rules": example.rules, "goals": example.goals,
                 "environment": example.environment}  # fmt: skip
        task = parse_task(table_text(table), template)
        for search in ("seed", "best"):
            found = dict(zip(task.goals, solve(task, search).answers, strict=True))
            for goal, expected in example.answers.items():
                if expected == "none":
                    assert found[goal] == []
                else:
                    assert found[goal] == [pytest.approx(expected, abs=6e-9)], (search, goal)


@pytest.mark.parametrize("name", shipped.shipped_names())
def test_every_variable_of_a_shipped_domain_follows_from_its_base(name: str) -> None:
    template = shipped.open_template(name)
    network = network_of(template, ("",))
    base = sum(1 << network.places[one] for one in template.base)
    for place in range(len(template.names)):
        if not base >> place & 1:
            plan = shortest(network, base, place)
            assert plan is not None
            assert plan.edges[-1].target == place


def test_a_file_of_ones_own_is_opened_once_its_units_are_checked(tmp_path: Path) -> None:
    source = (shipped.FOLDERS[0] / "thin-lens.toml").read_text()
    path = tmp_path / "lens.toml"
    path.write_text(source)
    with pytest.raises(ConfigError, match="id: 'thin-lens' is the name of a shipped domain"):
        shipped.open_template(str(path))
    path.write_text(source.replace('id = "thin-lens"', 'id = "my-lens"'))
    assert shipped.open_template(str(path)).id == "my-lens"
    assert shipped.template_named("my-lens") is not None
    path.write_text(path.read_text().replace('unit = "cm/m"', 'unit = "m/cm"'))
    with pytest.raises(ConfigError, match=r"lens\.toml: formula\[\d+\]: "):
        shipped.open_template(str(path))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a = ", "not TOML"),
        (b"\xff\xfe", "UTF-8"),
        (None, "No such file"),
    ],
)
def test_a_file_that_cannot_be_read_says_so(
    content: bytes | None, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "own.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError, match=said):
        shipped.open_template(str(path))


def test_an_unknown_domain_lists_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="domains: compound-interest, "):
        shipped.open_template("nowhere")


def rows_digest(table: dict[str, Any]) -> str:
    """Of all in a domain that may change a generated row."""
    kept = {key: value for key, value in table.items() if key != "example"}
    return hashlib.sha256(msgspec.json.encode(kept, order="sorted")).hexdigest()


def test_a_shipped_domain_changes_only_with_its_version_and_that_of_the_kind() -> None:
    """A digest that differs means: raise the version of the domain and of the kind, add a line."""
    lines = [line.split(" : ") for line in GOLDEN.read_text("utf-8").splitlines() if " : " in line]
    expected = {who: digest for who, digest, *_ in lines if not who.startswith("#")}
    for name in shipped.shipped_names():
        table = tomllib.loads((shipped.FOLDERS[0] / f"{name}.toml").read_text("utf-8"))
        assert expected.get(f"{name} {table['version']}") == rows_digest(table), name


def test_shipped_files_are_called_as_their_domains() -> None:
    for name in shipped.shipped_names():
        path = next(folder / f"{name}.toml" for folder in shipped.FOLDERS if folder.is_dir())
        assert tomllib.loads(path.read_text("utf-8"))["id"] == name
