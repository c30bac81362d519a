"""What the README says: its commands parse, its snippets run, its files exist, the locks agree."""

import doctest
import os
import re
import shlex
import subprocess
import tomllib
from pathlib import Path

import click
import pytest
from packaging.requirements import Requirement

from pipeline import cli

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
LOCKS = ("requirements.lock", "tests/requirements.lock")
# On this interpreter and these platforms: what a lock must have.
ENVIRONMENTS = [
    {
        "sys_platform": platform,
        "python_version": "3.12",
        "python_full_version": "3.12.1",
        "extra": "",
    }
    for platform in ("linux", "darwin")
]


def shell_blocks(text: str) -> list[str]:
    return re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def calls(text: str) -> list[list[str]]:
    """The words of every call of puzzlemill in the shell blocks."""
    inner = re.compile(r'"\$\(([^)]*)\)"')  # "$(a command)"
    lines = "".join(shell_blocks(text)).splitlines()
    lines = [part for line in lines for part in (*inner.findall(line), inner.sub("RUN", line))]
    commands = [command for line in lines for command in re.split(r"&&|\|", line)]
    words = [shlex.split(command, comments=True) for command in commands]
    return [some[1:] for some in words if some and some[0].rpartition("/")[2] == "puzzlemill"]


def requirements(*extras: str) -> dict[str, Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    optional = project["optional-dependencies"]
    listed, waiting = list(project["dependencies"]), list(extras)
    while waiting:
        for text in optional[waiting.pop()]:
            own = re.fullmatch(r"puzzlemill\[(.*)\]", text)
            waiting.extend(own[1].split(",") if own else [])
            listed.extend([] if own else [text])
    parsed = (Requirement(text) for text in listed)
    return {parsed.name: parsed for parsed in parsed}


def locked(name: str) -> dict[str, list[str]]:
    """Package -> the versions a lock has for it, for some platform or Python."""
    found: dict[str, list[str]] = {}
    for package, version in re.findall(r"^(\S+)==(\S+)", (ROOT / name).read_text(), re.MULTILINE):
        found.setdefault(package, []).append(version)
    return found


def test_the_first_two_blocks_are_the_two_commands_each_on_one_line() -> None:
    first, second = shell_blocks(README)[:2]
    assert first.count("\n") == second.count("\n") == 1
    assert "puzzlemill run quickstart" in first
    assert second.rstrip().endswith("pytest")


def test_every_block_of_shell_parses() -> None:
    for block in shell_blocks(README):
        checked = subprocess.run(["bash", "-n"], input=block, text=True, capture_output=True)
        assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("words", calls(README), ids=" ".join)
def test_every_command_exists_with_its_options(words: list[str]) -> None:
    command: click.Command = cli.app
    context = click.Context(command, info_name="puzzlemill")
    while isinstance(command, click.Group):
        found = command.get_command(context, words[0])
        assert found is not None, words
        command, words = found, words[1:]
        context = click.Context(command, parent=context, info_name=command.name)
    command.make_context(command.name, words, parent=context.parent, resilient_parsing=True).close()


def test_the_readme_calls_the_main_commands() -> None:
    assert {"run", "corpus", "grade", "solve"} <= {words[0] for words in calls(README)}


def test_python_snippets_give_what_they_show() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.failed == 0
    assert result.attempted > 5


@pytest.mark.parametrize("page", ["README.md", "workers/README.md"])
def test_every_link_and_path_in_a_page_exists(page: str) -> None:
    text = (ROOT / page).read_text()
    links = [(ROOT / page).parent / link for link in re.findall(r"\]\(([^)#:]+)\)", text)]
    named = [name for name in re.findall(r"`([\w./]+/[\w./]*)`", text) if "<" not in name]
    assert links or named
    assert [str(path) for path in links if not path.exists()] == []
    rooms = [
        name for name in named if name.split("/")[0] in ("pipeline", "workers", "tests", ".ci")
    ]
    assert [name for name in rooms if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_has_versions_and_hashes_and_no_address(lock: str) -> None:
    text = (ROOT / lock).read_text()
    assert "://" not in text
    assert "index" not in text
    entries = re.split(r"^(?=\S)", text, flags=re.MULTILINE)[1:]
    assert len(entries) > 30
    pinned = r"[\w.-]+==\S+( ; [^\\]+)? \\\n(    --hash=sha256:[0-9a-f]{64}( \\)?\n)+"
    assert [entry for entry in entries if not re.fullmatch(pinned, entry)] == []


@pytest.mark.parametrize(("lock", "extras"), [(LOCKS[0], ("plots",)), (LOCKS[1], ("test",))])
def test_a_lock_satisfies_the_project(lock: str, extras: tuple[str, ...]) -> None:
    versions = locked(lock)
    for name, wanted in requirements(*extras).items():
        if wanted.marker and not any(map(wanted.marker.evaluate, ENVIRONMENTS)):
            continue
        assert name in versions, f"{name}: run .ci/lock"
        assert all(wanted.specifier.contains(version) for version in versions[name]), name


def test_the_locks_agree() -> None:
    core, tests = (locked(lock) for lock in LOCKS)
    assert {name: tests.get(name) for name in core} == core


def test_ci_takes_its_commands_from_the_readme() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    function = re.search(r"awk -v n=.*", script.read_text())
    assert function is not None
    for number, block in enumerate(shell_blocks(README)[:2], start=1):
        line = function[0].replace('"$1"', str(number))
        found = subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True)
        assert found.stdout == block
