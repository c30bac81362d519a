"""Poisoned jobs, a second driver, Ctrl-C and a full disk: told apart, and nothing is left over."""

import json
import resource
import signal
import subprocess
import sys
from typing import Any

import pytest

from pipeline.status import status

Reference = dict[str, bytes]


def quarantine(mill: Any) -> dict[int, dict[str, Any]]:
    paths = (mill.run_dir / "quarantine").glob("*.json")
    return {int(path.stem): json.loads(path.read_text()) for path in paths}


@pytest.mark.parametrize(
    ("executor", "how", "event"),
    [
        ("celery", "raise", "error"),
        ("celery", "kill", "lost"),
        ("celery", "hang", "timeout"),
        ("local", "raise", "error"),
        ("local", "kill", "lost"),
        ("local", "hang", "timeout"),
        ("serial", "raise", "error"),
    ],
)
def test_a_poisoned_job_is_given_up_after_three_attempts_and_no_other(
    mill: Any, reference: Reference, executor: str, how: str, event: str
) -> None:
    poison = {"SHAKY_POISON": mill.poison(3, how), "MILL_LIMIT": "2" if how == "hang" else "30"}
    driver = mill.start(executor=executor, **poison)
    code, out, err = mill.ended(driver)
    assert code == 6, err
    assert "1 of 16 jobs given up: 3" in out
    (record,) = quarantine(mill).values()
    events = [one["event"] for one in record["attempts"]]
    assert [one for one in events if one != "start"] == [event] * 3
    others = {name: made for name, made in reference.items() if name.startswith("shards/")}
    del others["shards/03/3.parquet"]
    made = mill.shards()
    assert {name: made[name] for name in others} == others
    assert not (mill.run_dir / "corpus" / "_SUCCESS").exists()
    assert mill.processes() == []

    code, out, err = mill.ended(mill.start(mill.run_dir, "retry", executor="serial"))
    assert code == 0, err
    mill.assert_sound(reference)


def test_the_repro_command_of_a_quarantine_shows_the_fault(mill: Any) -> None:
    poison = {"SHAKY_POISON": mill.poison(3, "raise")}
    mill.ended(mill.start(executor="serial", **poison))
    command = quarantine(mill)[3]["repro"].replace("python", sys.executable, 1)
    shown = subprocess.run(
        command,
        shell=True,
        capture_output=True,
        text=True,
        check=False,
        env=mill.environment(poison),
    )
    assert shown.returncode == 1
    assert "this job is poisoned" in shown.stderr


def test_a_second_driver_leaves_with_a_word_on_the_first(mill: Any, reference: Reference) -> None:
    first = mill.start(SHAKY_SLEEP="0.2")
    mill.wait_for(lambda: mill.committed() >= 1)
    mill.wait_for(lambda: status(mill.run_dir).in_flight > 2)
    assert str(status(mill.run_dir).driver).startswith(f"process {first.pid} on")
    code, _, err = mill.ended(mill.start())
    assert code == 1
    assert "another driver is at work" in err
    assert f"process {first.pid} on" in err
    assert mill.ended(first)[0] == 0
    mill.assert_sound(reference)


@pytest.mark.parametrize("executor", ["celery", "local", "serial"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_leaves_a_resumable_run_and_no_process(
    mill: Any, reference: Reference, executor: str, number: signal.Signals
) -> None:
    driver = mill.start(executor=executor, SHAKY_SLEEP="0.3")
    mill.wait_for(lambda: mill.committed() >= 2)
    driver.send_signal(number)
    code, out, err = mill.ended(driver, 20)
    assert (code, out.strip()) == (3, "interrupted resumable"), err
    assert "Traceback" not in err
    assert mill.processes() == []
    assert mill.started() == 0  # what ran was let to its end
    code, _, err = mill.ended(mill.start(mill.run_dir, executor=executor))
    assert code == 0, err
    mill.assert_sound(reference)


@pytest.mark.parametrize("executor", ["celery", "local", "serial"])
def test_a_second_ctrl_c_does_not_wait_for_long_jobs(
    mill: Any, reference: Reference, executor: str
) -> None:
    driver = mill.start(executor=executor, SHAKY_SLEEP="60")
    mill.wait_for(lambda: mill.started() >= 1)
    driver.send_signal(signal.SIGINT)
    with pytest.raises(subprocess.TimeoutExpired):
        driver.wait(1)
    driver.send_signal(signal.SIGINT)
    code, out, err = mill.ended(driver, 8)
    assert (code, out.strip()) == (3, "interrupted resumable"), err
    assert mill.processes() == []
    code, _, err = mill.ended(mill.start(mill.run_dir, executor="serial"))
    assert code == 0, err
    mill.assert_sound(reference)


@pytest.mark.parametrize("executor", ["celery", "local", "serial"])
def test_a_full_disk_stops_the_run_until_there_is_room(
    mill: Any, reference: Reference, executor: str
) -> None:
    driver = mill.start(executor=executor, SHAKY_SLEEP="0.3")
    mill.wait_for(lambda: mill.committed() >= 2)
    for process in mill.processes():  # the broker, too
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (2500, 2500))  # smaller than a shard
    code, out, err = mill.ended(driver)
    assert code == 3, err
    assert out.startswith("disk full")
    assert "File too large" in out
    assert mill.processes() == []
    assert mill.committed() < len(reference) - 1
    code, _, err = mill.ended(mill.start(mill.run_dir, executor="serial"))
    assert code == 0, err
    mill.assert_sound(reference)


@pytest.mark.slow
def test_a_job_that_kills_its_whole_tree_runs_alone_and_is_given_up(mill: Any) -> None:
    driver = mill.start(SHAKY_POISON=mill.poison(3, "kill tree"), SHAKY_SLEEP="0.05")
    code, _, err = mill.ended(driver, 240)
    assert code == 6, err
    assert set(quarantine(mill)) == {3}
    assert mill.committed() == 15
