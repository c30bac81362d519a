"""Kernels are compiled once per machine, by one process at a time, before a job needs them."""

import multiprocessing
import time

import pytest

from workers import compile as compiling
from workers.compile import compile_kernels, ensure_compiled, is_compiled, needs_kernels
from workers.errors import RunError
from workers.kinds import registry

RATERS = ("basic",)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache folder, for this process and those it starts."""
    from workers.engines.machine import kernel

    monkeypatch.setenv("PUZZLEMILL_CACHE", str(tmp_path))
    monkeypatch.setattr(kernel, "JIT_DISABLED", False)
    compiling._digest.cache_clear()
    yield tmp_path
    compiling._digest.cache_clear()


class Slow:
    """A kind that takes a while to compile and writes down when it does."""

    def __init__(self, log):
        self.log = log

    def warm(self, action, raters, ahead=False):
        with self.log.open("a") as stream:
            stream.write(f"start {action} {','.join(raters)}\n")
        time.sleep(0.3)
        with self.log.open("a") as stream:
            stream.write("end\n")


@pytest.fixture
def slow(cache, monkeypatch):
    kind = Slow(cache / "log")
    monkeypatch.setattr(registry, "get", lambda name: kind)
    monkeypatch.setattr(compiling, "needs_kernels", lambda name: True)
    return kind


def test_a_kind_without_engines_has_nothing_to_compile(cache):
    assert needs_kernels("sudoku")
    assert not needs_kernels("null")
    assert not ensure_compiled("null", "generate", RATERS, announce=pytest.fail)
    assert list(cache.iterdir()) == []


@pytest.mark.nojit
def test_a_marker_is_left_for_each_action_and_rater_list(slow):
    compile_kernels("sudoku", "grade", RATERS)
    assert is_compiled("sudoku", "grade", RATERS)
    assert not is_compiled("sudoku", "generate", RATERS)
    assert not is_compiled("sudoku", "grade", ("basic", "hodoku"))
    compile_kernels("sudoku", "grade", RATERS)
    assert slow.log.read_text() == "start grade basic\nend\n"


@pytest.mark.nojit
def test_a_compiled_kind_is_found_without_a_process(slow, monkeypatch):
    compile_kernels("sudoku", "grade", RATERS)
    monkeypatch.setattr(compiling.subprocess, "run", pytest.fail)
    assert not ensure_compiled("sudoku", "grade", RATERS, announce=pytest.fail)


@pytest.mark.nojit
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_two_processes_take_turns_and_the_second_finds_the_work_done(slow):
    context = multiprocessing.get_context("fork")
    both = [
        context.Process(target=compile_kernels, args=("sudoku", "grade", RATERS)) for _ in range(2)
    ]
    for process in both:
        process.start()
    for process in both:
        process.join()
        assert process.exitcode == 0
    assert slow.log.read_text() == "start grade basic\nend\n"


def test_the_command_runs_apart_and_is_announced(cache, monkeypatch):
    monkeypatch.setattr(compiling, "needs_kernels", lambda name: True)
    told = []
    assert ensure_compiled("null", "generate", RATERS, announce=told.append)
    assert told == ["compiling kernels for null generate (first time on this machine) ..."]
    assert not ensure_compiled("null", "generate", RATERS, announce=told.append)
    assert len(told) == 1


def test_a_failure_to_compile_is_told_in_one_line(cache, monkeypatch):
    monkeypatch.setattr(compiling, "needs_kernels", lambda name: True)
    with pytest.raises(RunError, match="chess") as caught:
        ensure_compiled("chess", "generate", RATERS)
    assert "\n" not in str(caught.value)


def test_without_the_jit_there_is_nothing_to_compile(cache, monkeypatch):
    from workers.engines.machine import kernel

    monkeypatch.setattr(kernel, "JIT_DISABLED", True)
    assert not ensure_compiled("sudoku", "generate", RATERS, announce=pytest.fail)


@pytest.mark.nojit
def test_the_command_wants_three_arguments(capsys):
    assert compiling.main(["sudoku"]) == 2
    assert "usage" in capsys.readouterr().err
