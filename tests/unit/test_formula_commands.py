"""Formula tasks on the command line: task -t math, plots, solve, grade, explain, generate."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from workers.engines.formula.shipped import FOLDERS

Call = Callable[..., tuple[int, str, str]]
MATH = ("task", "--type", "math", "--template", "uniform-acceleration")
SECOND = "uniform-acceleration data: xs=30 vs=10 astart=-9.8 rules: v=0 goals: x"
DOCUMENT = """[data]
xs = 30
vs = 10, astart = -9.8
[rules]
v = 0
[goals]
x
"""


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "problem.txt"
    path.write_text(DOCUMENT)
    return path


def test_a_document_is_solved_by_the_document_search(
    call: Call, document: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.txt"
    assert call(*MATH, "--input", str(document), "--output", str(out))[:2] == (0, "")
    lines = out.read_text().splitlines()
    assert lines[-2:] == ["7. x = xs + vs*t + astart*t**2/2 = 35.10204082", "x = 35.10204082"]
    assert lines[3] == "4. x = xs + vs*t + astart*t**2/2: t is not known"


def test_a_json_output_has_the_log_and_all_there_is(
    call: Call, document: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.json"
    assert call(*MATH, "-a", "solve", "-m", "best", "-i", str(document), "-o", str(out))[0] == 0
    row = json.loads(out.read_text())
    assert row["puzzle"] == SECOND
    assert row["method"] == "best"
    assert row["answers"]["x"][0] == pytest.approx(35.10204082, abs=1e-8)
    assert row["steps"][-1]["formula"] == "x = xs + (v**2 - vs**2)/(2*astart)"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("p.toml", 'goals = ["x"]\nrules = ["v = 0"]\n[data]\nxs = 30\nvs = 10\nastart = -9.8\n'),
        ("p.json", '{"data": {"xs": 30, "vs": 10, "astart": -9.8}, "rules": {"v": 0}, '
                   '"goals": "x"}'),
        ("p.json", json.dumps([{"data": ["xs=30", "vs=10", "astart=-9.8"], "rules": ["v=0"],
                                "goals": ["x"]}])),
        ("p.txt", SECOND + "\n"),
        ("p.txt", f"# a list\n{SECOND}\n"),
    ],
)  # fmt: skip
def test_toml_json_and_lists_are_read_too(
    call: Call, name: str, content: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(content)
    code, out, _ = call(*MATH, "-i", str(path))
    assert code == 0
    assert ["solution", "x=35.10204082"] in [line.split() for line in out.splitlines()]


def test_of_a_list_good_lines_are_solved_and_bad_ones_named(call: Call, tmp_path: Path) -> None:
    path, out = tmp_path / "list.txt", tmp_path / "out.jsonl"
    path.write_text(f"{SECOND}\ndata: xs=30 q=1 goals: x\ndata: x=1 xs=0 t=1 vs=0 goals: v\n")
    code, _, err = call(*MATH, "-i", str(path), "-o", str(out))
    assert code == 2
    assert f"{path}:2:13: 'q' is not among the variables of the domain" in err
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["solution"] for row in rows] == ["x=35.10204082", "v=2"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (DOCUMENT.replace("xs = 30", "xs == 30"), ":2:5: bad initial data: '=30' is no number"),
        (DOCUMENT.replace("v = 0", "v"), ":5:1: the rule 'v' is not of the form A=B"),
        (DOCUMENT.replace("\nx\n", "\n"), ": the goal is not set"),
        (DOCUMENT.replace("v = 0", "v = __import__('os')"), ":5:5: bad rules: "),
        ("{", ":1:2: no JSON"),
        ('{"data": 1}', ": bad initial data: '1' is not name=number"),
        ('{"nothing": 1}', ": the line key 'nothing'; keys: template, data"),
        ('{"data": {"xs": [1]}, "goals": "x"}', ": the line [1] cannot be processed"),
        ('{"goals": "x [data] v=1"}', ": the line 'x [data] v=1' cannot be processed"),
    ],
)
def test_a_bad_document_is_one_line_with_its_place(
    call: Call, content: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "problem.txt"
    path.write_text(content)
    code, out, err = call(*MATH, "-i", str(path))
    assert (code, out) == (2, "")
    assert f"{path}{said}" in err
    assert err.count("\n") == 1


def test_a_domain_of_ones_own_is_a_file(call: Call, tmp_path: Path) -> None:
    source = (FOLDERS[0] / "thin-lens.toml").read_text().replace('"thin-lens"', '"own-lens"')
    path = tmp_path / "lens.toml"
    path.write_text(source)
    words = ("task", "-t", "math", "-q", str(path))
    code, out, _ = call(*words, stdin="[data]\ng = 30\nf = 12\n[goals]\nb\n")
    assert code == 0
    assert "own-lens data: g=30 f=12 goals: b" in out
    path.write_text(source.replace("f*g/(g - f)", "f*g/(g + f)"))
    code, _, err = call(*words, stdin="[data]\ng = 30\n[goals]\nb\n")
    assert code == 2
    assert re.search(r"lens\.toml: formula\[\d+\]: .* gives .*, the others ", err)


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_a_found_formula_is_drawn_over_a_given(
    call: Call, document: Path, suffix: str, tmp_path: Path
) -> None:
    out = tmp_path / f"graph{suffix}"
    words = ("-i", str(document), "--plot", "x", "--over", "vs", "-o", str(out))
    assert call(*MATH, *words)[0] == 0
    start = out.read_bytes()
    assert start.startswith(b"\x89PNG" if suffix == ".png" else b"<?xml")
    assert call(*MATH, *words)[0] == 0
    assert out.read_bytes() == start


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--plot", "x"], 2, "--plot: needs -o FILE with a name in .png or .svg"),
        (["--plot", "x", "-o", "x.txt"], 2, "--plot: needs -o FILE"),
        (["-o", "x.png"], 2, "-o: only with --plot NAME"),
        (["--over", "vs"], 2, "--over: only with --plot NAME"),
        (["--plot", "q", "-o", "x.png"], 2, "plot: 'q' is none of x xs"),
        (["--plot", "m", "-o", "x.png"], 1, "m: has no value to plot"),
        (["--plot", "x", "--over", "m", "-o", "x.png"], 2, "x depends on no such given"),
        (["-m", "cut"], 2, "math solve has no 'cut', but seed and best"),
        (["-a", "generate"], 2, "math has no generate, only solve"),
    ],
)
def test_what_cannot_be_drawn_or_done_says_why(
    call: Call, words: list[str], code: int, said: str, monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    found, out, err = call(*MATH, *words, stdin=DOCUMENT)
    assert (found, out) == (code, "")
    assert said in err
    assert list(tmp_path.iterdir()) == []


def test_a_kind_without_formulas_has_no_templates_and_no_graphs(call: Call, tmp_path: Path) -> None:
    code, _, err = call("task", "-t", "sudoku", "-a", "solve", "-q", "x", stdin="." * 81)
    assert (code, "-q: sudoku has no templates" in err) == (2, True)
    words = ("--plot", "x", "-o", str(tmp_path / "x.png"))
    code, _, err = call("task", "-t", "sudoku", "-a", "solve", *words, stdin="." * 81)
    assert (code, "this kind has no formulas to draw" in err) == (2, True)
    code, _, err = call("task", "-t", "sudoku", stdin="." * 81)
    assert (code, "missing -a: solve or generate" in err) == (2, True)


def test_the_everyday_commands_take_formulas(call: Call) -> None:
    code, out, _ = call("solve", SECOND)
    assert code == 0
    assert "solution     x=35.10204082" in out.splitlines()
    code, out, _ = call("explain", SECOND, "--scheme", "seed")
    assert (code, out.splitlines()[5]) == (0, "6. t = (v - vs)/astart = 1.02040816")
    code, out, _ = call("grade", SECOND, "--json")
    assert (code, json.loads(out)["formula_level"]) == (0, "medium")
    code, out, _ = call("generate", "--kind", "formula", "--count", "2", "--seed", "4")
    head = out.splitlines()[0].split()
    assert (code, head) == (0, ["puzzle", "level", "solution", "formula_score", "formulas",
                                "depth"])  # fmt: skip
    made = ("--set", "formulas=[4, 4]", "--set", 'templates=["triangle"]')
    code, out, _ = call("generate", "--kind", "formula", "--seed", "4", *made, "--json")
    row = json.loads(out)
    assert (code, row["formulas"], row["template"]) == (0, 4, "triangle")


def test_a_malformed_text_is_refused_with_its_column(call: Call) -> None:
    code, out, err = call("solve", SECOND.replace("v=0", "q=0"))
    assert (code, out) == (2, "")
    assert f"TEXT:1:{SECOND.index('v=0') + 1}: undefined name in rules: 'q'" in err
