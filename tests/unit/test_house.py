"""The rules of the house, checked by their tools: lint, types, imports, names, lengths, secrets."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = Path(sys.executable).parent
MODULES = sorted(path for room in ("pipeline", "workers") for path in (ROOT / room).rglob("*.py"))
LONGEST_MODULE = 400
LONGEST_FUNCTION = 60
FORBIDDEN_NAMES = re.compile(
    r"(^|_)(utils?|helpers?|managers?|handlers?|processors?|info|tmp)(_|$)"
)

# Written in pieces, so that this file does not find itself.
MACHINE_PATHS = re.compile(r"(?<![\w.])/(" + "|".join(("ro" + "ot", "ho" + "me", "wo" + "rk", "Us" + "ers", "o" + "pt")) + r")/\w")  # fmt: skip # noqa: E501
REGISTRY_HOSTS = re.compile("|".join((r"py" + r"pi\.org", r"python" + r"hosted", r"npm" + r"js\.", r"deb" + r"ian\.org")))  # fmt: skip # noqa: E501
SECRETS = re.compile(r"BEGIN [A-Z ]*PRIVATE" + r" KEY|AKIA[0-9A-Z]{16}|gh[pousr]_\w{30}|"
                     r"(password|secret|token)\s*=\s*[\"'][^\"'{]{6,}", re.IGNORECASE)  # fmt: skip


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def tracked() -> list[Path]:
    listed = run("git", "ls-files", "-z")
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    return [path for path in paths if path.is_file()]


@pytest.mark.parametrize(
    "command",
    [
        ("ruff", "check"),
        ("ruff", "format", "--check"),
        ("mypy",),
        ("lint-imports",),
    ],
    ids=" ".join,
)
def test_the_tools_find_nothing(command: tuple[str, ...]) -> None:
    found = run(str(SCRIPTS / command[0]), *command[1:])
    assert found.returncode == 0, found.stdout[-4000:] + found.stderr[-2000:]


def test_the_reduced_suite_passes_without_the_compiler() -> None:
    options = ("-q", "-m", "nojit", "-p", "no:cacheprovider", "tests")
    found = run(sys.executable, "-m", "pytest", *options, NUMBA_DISABLE_JIT="1")
    assert found.returncode == 0, found.stdout[-4000:]
    assert re.search(r"\d+ passed", found.stdout)


def test_no_tracked_file_names_a_machine_a_registry_or_a_secret(tracked: list[Path]) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in tracked
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), start=1)
        if MACHINE_PATHS.search(line) or REGISTRY_HOSTS.search(line) or SECRETS.search(line)
    ]
    assert not found, "\n".join(found)


def test_tracked_files_are_small(tracked: list[Path]) -> None:
    assert {path.name for path in tracked if path.stat().st_size > 1_000_000} == set()


def test_no_module_is_long() -> None:
    lengths = {str(path.relative_to(ROOT)): path.read_text().count("\n") for path in MODULES}
    assert {name: n for name, n in lengths.items() if n > LONGEST_MODULE} == {}


def test_no_function_is_long() -> None:
    found = {}
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and node.end_lineno is not None:
                lines = node.end_lineno - node.body[0].lineno + 1
                if lines > LONGEST_FUNCTION:
                    found[f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"] = lines
    assert found == {}


def test_every_module_says_what_it_holds() -> None:
    silent = [path for path in MODULES if path.read_text().strip() and not documented(path)]
    assert silent == []


def documented(path: Path) -> bool:
    return ast.get_docstring(ast.parse(path.read_text())) is not None


def test_every_public_function_has_a_docstring() -> None:
    silent = []
    for path in MODULES:
        for node in ast.parse(path.read_text()).body:
            named = isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name[0] != "_"
            if named and ast.get_docstring(node) is None:
                silent.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name}")
    assert silent == []


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [path for path in MODULES if FORBIDDEN_NAMES.search(path.stem)] == []


def test_every_line_of_code_is_finished(tracked: list[Path]) -> None:
    marks = re.compile(r"# *(TO" + r"DO|FIX" + r"ME|XX" + r"X)\b|raise NotImpl" + "emented")
    code = [path for path in tracked if path.suffix == ".py"]
    assert [path for path in code if marks.search(path.read_text())] == []
