"""The command line: what it prints where, which exit code it ends with, what it does to files."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import click
import pyarrow.parquet as pq
import pytest

from pipeline import cli
from pipeline.commands.output import whole_file

ROOT = Path(__file__).parents[2]
PLAN = 'name = "numbers"\nkind = "null"\nseed = 5\nrows = 60\njob_rows = 20\n'

Call = Callable[..., tuple[int, str, str]]


def process(*words: str, **options: object) -> "subprocess.Popen[str]":
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pipeline.cli", *words]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        env=environment,
        cwd=ROOT,
        # started in the background, a test run ignores Ctrl-C, and so would what it starts
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def test_ctrl_c_while_the_interpreter_ends_changes_no_exit_code() -> None:
    script = (
        "import atexit, os, signal; from pipeline import cli;"
        "atexit.register(lambda: os.kill(os.getpid(), signal.SIGINT));"
        "cli.main(['--version'])"
    )
    found = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stderr) == (0, "")


# help


def test_help_imports_nothing_of_the_house() -> None:
    script = (
        "import sys; from pipeline import cli; cli.run(['--help']);"
        "heavy = {'numpy', 'numba', 'pyarrow', 'pandas', 'celery', 'rich', 'workers.kinds'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    found = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert found.stdout.splitlines()[-1] == "[]"


def test_help_of_the_program_names_every_command_and_exit_code(call: Call) -> None:
    code, out, _ = call("--help")
    assert code == 0
    assert all(name in out for name in cli.COMMANDS)
    assert all(f"{number} " in out for number in range(7))


def commands() -> list[tuple[str, click.Command]]:
    context = click.Context(cli.app)
    found = []
    for name in cli.COMMANDS:
        command = cli.app.get_command(context, name)
        assert command is not None
        inner = command.commands if isinstance(command, click.Group) else {}
        found.append((name, command))
        found.extend((f"{name} {sub}", one) for sub, one in inner.items())
    return found


def test_every_command_and_option_has_a_help_text() -> None:
    silent = []
    for name, command in commands():
        if not command.help:
            silent.append(name)
        for option in command.params:
            if isinstance(option, click.Option) and not (option.help or option.hidden):
                silent.append(f"{name} {option.opts[0]}")
    assert silent == []


def test_the_listed_summary_of_a_command_fits_its_help() -> None:
    for name, (_, summary) in cli.COMMANDS.items():
        assert summary.endswith(".")
        assert len(summary) < 70, name


def test_a_command_that_does_not_exist_is_a_usage_error(call: Call) -> None:
    code, out, err = call("nonesuch")
    assert (code, out) == (2, "")
    assert err == "puzzlemill: no such command 'nonesuch' (see puzzlemill --help)\n"


def test_an_unknown_option_names_the_help_that_lists_them(call: Call) -> None:
    code, _, err = call("solve", "--nonesuch")
    assert code == 2
    assert "--nonesuch" in err
    assert "puzzlemill solve --help" in err
    assert err.count("\n") == 1


# one text, a list, stdin


def test_a_text_is_solved_as_facts_for_a_person_and_as_json_for_a_program(call: Call) -> None:
    code, out, err = call("solve", "--kind", "null", "123")
    assert (code, err) == (0, "")
    assert out.splitlines()[0].split() == ["puzzle", "000000123"]
    code, out, _ = call("solve", "--kind", "null", "123", "--json")
    assert json.loads(out)["solution"] == "6"


def test_the_kind_is_told_from_the_text(call: Call) -> None:
    assert json.loads(call("solve", "123", "--json")[1])["puzzle"] == "000000123"


def test_an_unknown_kind_names_the_known_ones(call: Call) -> None:
    code, _, err = call("solve", "123", "--kind", "nonesuch")
    assert code == 2
    assert "null" in err
    assert "sudoku" in err


def test_a_list_comes_from_a_file_from_stdin_and_from_a_pipe(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "numbers.txt"
    path.write_text("1\n22\n# three\n333\n")
    ways = [
        call("grade", str(path), "--json"),
        call("grade", "-", "--json", stdin=path.read_text()),
        call("grade", "--json", stdin=path.read_text()),
    ]
    for code, out, _ in ways:
        assert code == 0
        assert [json.loads(line)["solution"] for line in out.splitlines()] == [1, 4, 9]


def test_without_text_on_a_terminal_the_command_says_what_is_missing(call: Call) -> None:
    code, _, err = call("solve")
    assert code == 2
    assert "missing TEXT, FILE or -" in err


def test_malformed_lines_are_reported_and_counted_and_the_rest_goes_on(call: Call) -> None:
    code, out, err = call("solve", "--kind", "null", "-", "--json", stdin="1\n x2\n3\n")
    assert code == 2
    assert [json.loads(line)["solution"] for line in out.splitlines()] == ["1", "3"]
    first, last = err.splitlines()
    assert first.startswith("<stdin>:2:2: ")
    assert last == "<stdin>: 1 of 3 puzzles malformed"


def test_a_flood_of_malformed_lines_is_not_shown_whole(call: Call) -> None:
    code, _, err = call("solve", "--kind", "null", "-", stdin="1\n" + "x\n" * 500)
    assert code == 2
    assert len(err.splitlines()) == 22
    assert "500 of 501" in err


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("empty.txt", b"", "holds no puzzle"),
        ("binary.txt", b"\x7fELF\0\0", "binary"),
        ("utf16.txt", "1\n".encode("utf-16"), "UTF-16"),
    ],
)
def test_bad_files_are_one_line_and_exit_2(
    call: Call, tmp_path: Path, name: str, content: bytes, says: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    code, out, err = call("grade", str(path), "--kind", "null")
    assert (code, out) == (2, "")
    assert says in err
    assert str(path) in err
    assert err.count("\n") == 1


def test_a_missing_file_and_a_folder_are_one_line_and_exit_2(call: Call, tmp_path: Path) -> None:
    for name, says in (("none.txt", "no such file"), ("none", "no such file"), (".", "folder")):
        code, _, err = call("grade", str(tmp_path / name))
        assert code == 2
        assert says in err
        assert err.count("\n") == 1


def test_a_sudoku_may_start_with_a_dash(call: Call) -> None:
    code, out, _ = call("solve", SUDOKU[2:3] * 4 + "-" * 77, "--json")
    assert code == 0
    code, out, _ = call("canonical", "-" * 80 + "1", "--json")
    assert code == 0
    assert json.loads(out)["puzzle"] == "." * 80 + "1"


SUDOKU = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
OPEN = SUDOKU[:40] + "." * 41
SOLVE_KEYS = {
    "puzzle",
    "n_solutions",
    "solution",
    "method",
    "iterations",
    "digit_tests",
    "nodes",
    "level",
    "steps",
}


def test_solve_tells_one_solution_from_none_and_many(call: Call) -> None:
    texts = f"{SUDOKU}\n{OPEN}\n11{'.' * 79}\n"
    code, out, _ = call("solve", "-", "--json", stdin=texts)
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [row["n_solutions"] for row in rows] == [1, 2, 0]
    assert all(set(row) == SOLVE_KEYS for row in rows)


def test_all_solutions_are_counted_up_to_a_limit_and_the_first_is_enough_when_asked(
    call: Call,
) -> None:
    row = json.loads(call("solve", "." * 81, "--all", "--json")[1])
    assert row["n_solutions"] == len(set(row["solutions"])) == 10_000
    assert json.loads(call("solve", OPEN, "--first", "--json")[1])["n_solutions"] == 1


def test_a_grade_has_the_columns_of_a_corpus_and_the_steps_when_asked(call: Call) -> None:
    row = json.loads(call("grade", SUDOKU, "--json", "--steps")[1])
    assert (row["level"], row["clues"], row["hodoku_level"]) == ("easy", 30, "easy")
    assert len(row["steps"]) == row["hodoku_steps"]
    row = json.loads(call("grade", OPEN, "--json", "--steps")[1])
    assert (row["n_solutions"], row["steps"], row["level"]) == (2, None, None)


def test_a_scheme_brings_its_columns_beside_the_basic_ones(call: Call) -> None:
    row = json.loads(call("grade", SUDOKU, "--json", "--scheme", "hodoku")[1])
    assert {"clues", "hodoku_score"} <= set(row)
    assert "hodoku_score" not in json.loads(call("grade", SUDOKU, "--json", "--raters", "basic")[1])
    code, _, err = call("grade", SUDOKU, "--scheme", "nonesuch")
    assert code == 2
    assert "hodoku" in err


def test_equivalent_puzzles_have_one_canonical_form(call: Call) -> None:
    renamed = SUDOKU.translate(str.maketrans("123456789", "987654321"))[::-1]
    first, second = (json.loads(call("canonical", text, "--json")[1]) for text in (SUDOKU, renamed))
    assert first["canonical"] == second["canonical"]
    assert first["key"] == second["key"]


def test_explain_tells_numbered_steps_and_refuses_what_has_many_solutions(call: Call) -> None:
    code, out, _ = call("explain", SUDOKU)
    assert code == 0
    assert out.splitlines()[0].startswith(" 1. ")
    code, out, err = call("explain", OPEN)
    assert (code, out) == (1, "")
    assert OPEN in err


# output


def test_csv_has_a_header_and_every_row(call: Call) -> None:
    out = call("grade", "--kind", "null", "-", "--csv", stdin="1\n2\n")[1]
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["solution"] for row in rows] == ["1", "2"]
    assert len(rows[0]["key"]) == 32


def test_a_table_shows_null_as_a_dash(call: Call) -> None:
    out = call("grade", "--kind", "null", "-", stdin="1\n2\n")[1]
    assert [line.split() for line in out.splitlines()] == [
        ["puzzle", "reason"],
        ["000000001", "-"],
        ["000000002", "-"],
    ]


@pytest.mark.parametrize("suffix", ["parquet", "csv", "jsonl", "txt"])
def test_a_file_is_written_in_the_format_of_its_name(
    call: Call, tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"numbers.{suffix}"
    code, out, _ = call(
        "generate", "--kind", "null", "--count", "3", "--seed", "1", "-o", str(path)
    )
    assert (code, out) == (0, "")
    if suffix == "parquet":
        assert pq.read_table(path).num_rows == 3
    else:
        assert len(path.read_text().splitlines()) == (4 if suffix == "csv" else 3)
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_a_failed_command_leaves_the_old_file(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "old.csv"
    path.write_text("old")
    code, _, _ = call("grade", str(tmp_path / "none.txt"), "-o", str(path))
    assert code == 2
    assert path.read_text() == "old"


def test_a_file_takes_its_place_only_when_whole(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("old")

    def write_half(stop: bool) -> None:
        with whole_file(path) as draft:
            draft.write_text("new")
            assert path.read_text() == "old"
            if stop:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half(stop=True)
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("list.txt", "old")]
    write_half(stop=False)
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("list.txt", "new")]


@pytest.mark.parametrize("name", ["a.xlsx", "none/a.csv", "."])
def test_a_file_that_cannot_be_written_is_refused_before_any_work(
    call: Call, tmp_path: Path, name: str
) -> None:
    code, _, err = call("generate", "--kind", "null", "-o", str(tmp_path / name))
    assert code == 2
    assert err.startswith("puzzlemill: -o: ")


def test_options_that_exclude_each_other_are_refused(call: Call) -> None:
    for words in (["--json", "--csv"], ["--all", "--first"]):
        code, _, err = call("solve", "1", *words)
        assert code == 2
        assert "exclude each other" in err


# generate


def test_a_random_seed_is_told_and_repeats_the_puzzles(call: Call) -> None:
    _, out, err = call("generate", "--kind", "null", "--count", "5", "--json")
    word, seed = err.split()
    assert word == "seed"
    assert call("generate", "--kind", "null", "--count", "5", "--seed", seed, "--json")[1:] == (
        out,
        "",
    )


def test_more_puzzles_of_a_seed_begin_with_the_same(call: Call) -> None:
    words = ["generate", "--kind", "null", "--seed", "9", "--json", "--count"]
    few, many = (call(*words, count)[1].splitlines() for count in ("10", "300"))
    assert many[:10] == few
    assert len(many) == 300


def test_a_parameter_out_of_range_is_named(call: Call) -> None:
    code, _, err = call("generate", "--kind", "null", "--set", "limit=0")
    assert code == 2
    assert "limit" in err
    code, _, err = call("generate", "--kind", "null", "--set", "nonesuch=1")
    assert code == 2
    assert "known: limit" in err


# a run from plan to corpus


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "numbers.toml"
    path.write_text(PLAN)
    return path


def test_a_run_ends_with_its_path_and_its_corpus_can_be_read(
    call: Call, plan: Path, tmp_path: Path
) -> None:
    store = str(tmp_path / "runs")
    code, out, _ = call("run", str(plan), "--store", store, "--executor", "serial")
    assert code == 0
    run = out.splitlines()[-1]
    assert Path(run).parent == Path(store)
    assert json.loads(call("status", run, "--json")[1])["state"] == "complete"
    assert "complete" in call("status", run)[1]
    assert call("verify", run)[:2] == (0, "")
    assert call("gc", run)[0] == 0
    assert call("resume", run, "--executor", "serial")[:2] == (0, out)
    assert json.loads(call("corpus", "stats", run, "--json")[1])["rows"] == 60
    assert call("corpus", "query", run, "number >= 0", "--count")[1] == "60\n"
    rows = call("corpus", "query", run, "number >= 0", "--limit", "7", "--csv")[1]
    assert len(rows.splitlines()) == 8
    code, out, _ = call("corpus", "export", run, str(tmp_path / "all.csv"))
    assert (code, out) == (0, f"{tmp_path / 'all.csv'}\n")
    merged = str(tmp_path / "merged")
    assert call("corpus", "merge", run, "-o", merged)[:2] == (0, f"{merged}\n")
    told = [json.loads(line) for line in call("corpus", "codebook", run, "--json")[1].splitlines()]
    assert {"number", "source_line", "level"} <= {entry["column"] for entry in told}
    code, out, _ = call("corpus", "audit", run, merged)
    assert code == 0
    assert "share 60 puzzles" in out


def test_a_list_to_grade_may_come_from_stdin(call: Call, tmp_path: Path) -> None:
    plan = tmp_path / "graded.toml"
    plan.write_text('name = "graded"\nkind = "null"\naction = "grade"\n')
    words = ("run", str(plan), "--store", str(tmp_path), "--executor", "serial", "--input", "-")
    code, out, err = call(*words, stdin="4\nx\n40\n")
    assert code == 0
    assert "rejects.jsonl: 1 lines" in err
    rows = call("corpus", "query", out.strip(), "number > 0", "--csv", "--columns", "source_line")[
        1
    ]
    assert sorted(rows.split()) == ["1", "3", "source_line"]


def test_damage_is_listed_and_exits_5(call: Call, plan: Path, tmp_path: Path) -> None:
    out = call("run", str(plan), "--store", str(tmp_path), "--executor", "serial")[1]
    run = Path(out.splitlines()[-1])
    shard = next(run.glob("shards/*/1.parquet"))
    content = bytearray(shard.read_bytes())
    content[len(content) // 2] ^= 1
    shard.chmod(0o644)
    shard.write_bytes(content)
    code, out, err = call("verify", str(run))
    assert code == 5
    assert "job 1" in out
    assert "1 fault" in err


def test_an_edited_plan_is_refused_with_4(call: Call, plan: Path, tmp_path: Path) -> None:
    out = call("run", str(plan), "--store", str(tmp_path), "--executor", "serial")[1]
    plan.write_text(PLAN.replace("rows = 60", "rows = 80"))
    code, _, err = call("resume", out.splitlines()[-1], "--executor", "serial")
    assert code == 4
    assert "rows: 60 -> 80" in err


def test_a_malformed_plan_is_one_line_and_exits_2(call: Call, plan: Path) -> None:
    plan.write_text(PLAN + 'raters = ["nonesuch"]\n')
    code, out, err = call("run", str(plan))
    assert (code, out) == (2, "")
    assert "nonesuch" in err
    assert err.count("\n") == 1


def test_a_plan_that_does_not_exist_lists_the_shipped_ones(call: Call) -> None:
    code, _, err = call("run", "nonesuch")
    assert code == 2
    assert "quickstart" in err


def test_a_worker_without_a_broker_is_refused(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PUZZLEMILL_BROKER", raising=False)
    code, _, err = call("worker")
    assert code == 2
    assert "PUZZLEMILL_BROKER" in err


@pytest.mark.parametrize("command", [("run", "quickstart"), ("worker",)])
def test_a_broker_elsewhere_without_tls_is_refused_before_anything_is_made(
    call: Call, tmp_path: Path, command: tuple[str, ...]
) -> None:
    store = tmp_path / "runs"
    words = (*command, "--broker", "redis://10.0.0.7:6379", "--store", str(store))
    code, out, err = call(*words)
    assert (code, out) == (2, "")
    assert "redis://10.0.0.7:6379: not on this machine, and without TLS" in err
    assert err.count("\n") == 1
    assert not store.exists()


# how a process ends


def test_a_closed_pipe_is_silent() -> None:
    with process("generate", "--kind", "null", "--count", "200000", "--seed", "1", "--json") as one:
        assert one.stdout is not None
        assert one.stderr is not None
        assert "puzzle" in json.loads(one.stdout.readline())
        one.stdout.close()
        assert one.stderr.read() == ""
    assert one.returncode == 0


def test_ctrl_c_exits_3_and_says_so() -> None:
    with process("generate", "--kind", "null", "--count", "1000000", "--json") as one:
        assert one.stdout is not None
        assert one.stderr is not None
        one.stdout.readline()
        time.sleep(0.1)
        one.send_signal(signal.SIGINT)
        one.stdout.read()
        assert one.stderr.read().splitlines()[-1] == "puzzlemill: interrupted"
    assert one.returncode == 3


def test_a_bug_is_one_line_and_with_debug_a_traceback(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("broken\nindeed")

    monkeypatch.setattr("pipeline.api.generated", broken)
    code, _, err = call("generate", "--kind", "null", "--seed", "1")
    assert code == 1
    assert err.startswith("puzzlemill: internal error: RuntimeError: broken indeed")
    with pytest.raises(RuntimeError):
        cli.run(["generate", "--kind", "null", "--seed", "1"], debug=True)


def test_debug_may_stand_anywhere() -> None:
    with process("status", "nonesuch", "--debug") as one:
        assert one.stderr is not None
        assert "Traceback" in one.stderr.read()


def test_the_version_is_told(call: Call) -> None:
    code, out, _ = call("--version")
    assert code == 0
    assert out.startswith("puzzlemill ")


def test_a_corpus_that_is_none_and_a_filter_that_is_none_are_usage_errors(
    call: Call, plan: Path, tmp_path: Path
) -> None:
    code, out, err = call("corpus", "stats", str(plan))
    assert (code, out) == (2, "")
    assert f"{plan}: is a file: a corpus is a folder" in err
    words = ("run", str(plan), "--store", str(tmp_path / "runs"), "--executor", "serial")
    run = call(*words)[1].splitlines()[-1]
    for command in (
        ("query", run, ""),
        ("query", run, " ", "--count"),
        ("stats", run, "--where", ""),
    ):
        code, out, err = call("corpus", *command)
        assert (code, out) == (2, "")
        assert err.startswith("puzzlemill: filter: ")
        assert err.count("\n") == 1


def test_the_codebook_of_a_kind_names_raters_and_versions(call: Call) -> None:
    code, out, _ = call("corpus", "codebook", "--kind", "null")
    assert code == 0
    assert "digits that are 0 (rater digits, version 1) [digits]" in out
    assert call("corpus", "codebook", "--kind", "null", "--markdown")[1].startswith("| column |")
    for words in (("--kind", "nonesuch"), ("runs", "--kind", "null"), ("--json", "--markdown")):
        code, out, err = call("corpus", "codebook", *words)
        assert (code, out, err.count("\n")) == (2, "", 1)


def test_a_damaged_corpus_is_told_by_all_that_read_it(
    call: Call, plan: Path, tmp_path: Path
) -> None:
    words = ("run", str(plan), "--store", str(tmp_path / "runs"), "--executor", "serial")
    run = Path(call(*words)[1].splitlines()[-1])
    part = run / "corpus" / "part-00000.parquet"
    whole = part.read_bytes()
    for content in (b"", b"x", whole[:4] + bytes(len(whole) - 300) + whole[-296:]):
        part.write_bytes(content)
        for command in (("stats", str(run)), ("query", str(run), "number > 0"),
                        ("export", str(run), str(tmp_path / "x.csv"))):  # fmt: skip
            code, out, err = call("corpus", *command)
            assert (code, out, err.count("\n")) == (5, "", 1)
            assert "cannot be read" in err
    (run / "corpus" / "_SUCCESS").write_bytes(b"\xff")
    assert call("verify", str(run))[0] == 5
    assert call("resume", str(run), "--executor", "serial")[0] == 0
    assert part.read_bytes() == whole
