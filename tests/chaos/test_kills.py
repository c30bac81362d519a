"""Whatever is killed, the corpus is that of the serial reference, byte for byte."""

import contextlib
import json
import os
import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
import redis

from pipeline.broker import EmbeddedBroker

Reference = dict[str, bytes]


def finish(mill: Any, driver: Any, reference: Reference) -> dict[str, Any]:
    """The driver completes the run; returns its report."""
    code, out, err = mill.ended(driver)
    assert (code, out.strip()) == (0, "complete"), err
    mill.assert_sound(reference)
    report: dict[str, Any] = json.loads((mill.run_dir / "report.json").read_text())
    return report


@pytest.mark.parametrize("executor", ["celery", "local"])
def test_executors_make_the_rows_of_the_serial_one(
    mill: Any, reference: Reference, executor: str
) -> None:
    report = finish(mill, mill.start(executor=executor), reference)
    assert report["healed"] == report["resent"] == 0


def events(mill: Any) -> list[dict[str, Any]]:
    """What the attempts files say now."""
    lines: list[str] = []
    for path in mill.store.glob("chaos-*/attempts/*.jsonl"):
        with contextlib.suppress(FileNotFoundError):  # its job has just succeeded
            lines += path.read_text().splitlines()
    return [json.loads(line) for line in lines]


def busy_child(mill: Any) -> psutil.Process | None:
    """A pool child that has begun a job just now, once some are committed."""
    begun = [event["pid"] for event in events(mill) if time.time() - event["time"] < 0.3]
    return psutil.Process(begun[0]) if begun and mill.committed() >= 2 else None


def test_a_killed_pool_child_costs_its_job_one_attempt(mill: Any, reference: Reference) -> None:
    driver = mill.start(SHAKY_SLEEP="1")
    mill.wait_for(lambda: busy_child(mill))
    child = busy_child(mill)
    assert child is not None
    child.kill()
    finish(mill, driver, reference)
    told = [event["event"] for event in events(mill) if event["pid"] == child.pid]
    assert told == ["start", "lost"]


def test_a_killed_worker_tree_is_replaced(mill: Any, reference: Reference) -> None:
    driver = mill.start(SHAKY_SLEEP="0.3")
    mill.wait_for(lambda: mill.committed() >= 2 and mill.started())
    os.killpg(mill.worker().pid, signal.SIGKILL)
    report = finish(mill, driver, reference)
    assert report["healed"] == 1
    assert report["resent"] >= 1
    assert not list((mill.run_dir / "quarantine").glob("*"))


def test_a_killed_broker_comes_back_with_its_queue(mill: Any, reference: Reference) -> None:
    driver = mill.start(SHAKY_SLEEP="0.2")
    mill.wait_for(lambda: mill.committed() >= 2)
    mill.broker().kill()
    report = finish(mill, driver, reference)
    assert report["healed"] == 1


def test_a_broker_that_forgot_everything_loses_no_job(mill: Any, reference: Reference) -> None:
    driver = mill.start(SHAKY_SLEEP="0.2")
    mill.wait_for(lambda: mill.committed() >= 4)
    mill.broker().kill()
    shutil.rmtree(mill.run_dir / "broker" / "appendonlydir")
    report = finish(mill, driver, reference)
    assert report["healed"] == 1
    assert report["resent"] >= 1


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[EmbeddedBroker]:
    """A broker that belongs to no run."""
    server = EmbeddedBroker(tmp_path / "outside")
    try:
        server.start()
        yield server
    finally:
        server.stop()


def test_an_outside_broker_may_be_away_when_jobs_end(
    mill: Any, reference: Reference, outside: EmbeddedBroker
) -> None:
    driver = mill.start(SHAKY_SLEEP="0.3", MILL_BROKER=outside.url)
    mill.wait_for(lambda: mill.committed() >= 4)
    assert outside.pid is not None
    os.kill(outside.pid, signal.SIGKILL)
    time.sleep(3)
    assert driver.poll() is None
    outside.start()
    report = finish(mill, driver, reference)
    assert report["healed"] == 0


def test_workers_of_others_serve_a_run_and_may_be_killed(
    mill: Any, reference: Reference, outside: EmbeddedBroker
) -> None:
    mill.store.mkdir()
    workers = [mill.start_worker(outside.url) for _ in range(2)]
    driver = mill.start(workers=0, SHAKY_SLEEP="0.3", MILL_BROKER=outside.url)
    mill.wait_for(lambda: mill.committed() >= 3)
    os.killpg(workers[0].pid, signal.SIGKILL)
    code, _, err = mill.ended(driver)
    assert code == 0, err
    assert workers[1].poll() is None
    workers[1].terminate()
    mill.ended(workers[1])
    mill.assert_sound(reference)


def test_two_runs_share_a_broker(mill: Any, reference: Reference, outside: EmbeddedBroker) -> None:
    first = mill.start(MILL_BROKER=outside.url, SHAKY_SLEEP="0.1")
    second = mill.start(None, "name=other", MILL_BROKER=outside.url, SHAKY_SLEEP="0.1")
    for driver in (first, second):
        code, _, err = mill.ended(driver)
        assert code == 0, err
    mill.assert_sound(reference)
    (other,) = mill.store.glob("other-*")
    assert len(list(other.glob("shards/*/*.parquet"))) == len(reference) - 1


def test_messages_lost_in_the_broker_are_sent_again(mill: Any, reference: Reference) -> None:
    driver = mill.start(SHAKY_SLEEP="0.2")
    mill.wait_for(lambda: mill.committed() >= 2)
    with redis.Redis(unix_socket_path=mill.socket()) as client:
        mill.wait_for(lambda: client.llen("pm:jobs") > 5)
        assert client.delete("pm:jobs") == 1
    report = finish(mill, driver, reference)
    assert report["healed"] == 0
    assert report["resent"] >= 1


def test_messages_that_come_twice_change_nothing(mill: Any, reference: Reference) -> None:
    driver = mill.start(SHAKY_SLEEP="0.2")
    mill.wait_for(lambda: mill.committed() >= 1)
    with redis.Redis(unix_socket_path=mill.socket()) as client:
        mill.wait_for(lambda: client.llen("pm:jobs") > 5)
        messages = client.lrange("pm:jobs", 0, -1)
        client.rpush("pm:jobs", *messages)
    finish(mill, driver, reference)


def test_a_killed_driver_takes_its_workers_along_and_can_be_resumed(
    mill: Any, reference: Reference
) -> None:
    driver = mill.start(SHAKY_SLEEP="0.2")
    mill.wait_for(lambda: mill.committed() >= 2)
    driver.kill()
    mill.wait_for(lambda: not mill.processes("-A workers"))
    assert mill.committed() < len(reference) - 1
    finish(mill, mill.start(mill.run_dir), reference)


def test_workers_that_were_starting_end_when_driver_and_broker_are_killed(
    mill: Any, reference: Reference
) -> None:
    driver = mill.start()
    mill.wait_for(lambda: mill.processes("-A workers"))
    driver.kill()
    mill.broker().kill()
    mill.wait_for(lambda: not mill.processes())
    finish(mill, mill.start(mill.run_dir), reference)


def test_a_killed_child_of_the_local_executor_is_replaced(mill: Any, reference: Reference) -> None:
    driver = mill.start(executor="local", SHAKY_SLEEP="0.2")
    mill.wait_for(lambda: mill.committed() >= 2 and mill.started())
    psutil.Process(driver.pid).children()[0].kill()
    report = finish(mill, driver, reference)
    assert report["healed"] == 1


def test_local_children_end_with_a_killed_driver(mill: Any, reference: Reference) -> None:
    driver = mill.start(executor="local", SHAKY_SLEEP="30")
    mill.wait_for(lambda: mill.started() == 2)
    driver.kill()
    mill.wait_for(lambda: not mill.processes(), 10)
    finish(mill, mill.start(mill.run_dir, executor="local"), reference)


@pytest.mark.slow
def test_twenty_kills_of_pool_children_and_trees(mill: Any, reference: Reference) -> None:
    driver = mill.start(SHAKY_SLEEP="1.5")
    for kill in range(10):
        before = mill.committed()
        mill.wait_for(lambda before=before: mill.committed() > before or driver.poll() is not None)
        if driver.poll() is not None:
            break
        mill.wait_for(lambda: mill.processes("-A workers"))
        if kill % 2:
            os.killpg(mill.worker().pid, signal.SIGKILL)
        else:
            mill.broker().kill()
    finish(mill, driver, reference)


@pytest.mark.slow
def test_a_frozen_broker_is_waited_for(mill: Any, reference: Reference) -> None:
    driver = mill.start(SHAKY_SLEEP="0.2")
    mill.wait_for(lambda: mill.committed() >= 2)
    server = mill.broker()
    server.suspend()
    spent = psutil.Process(driver.pid).cpu_times()
    with pytest.raises(AssertionError, match="in time"):
        mill.wait_for(lambda: driver.poll() is not None, 20)
    spent_since = psutil.Process(driver.pid).cpu_times().user - spent.user
    server.resume()
    finish(mill, driver, reference)
    assert spent_since < 1.0  # of 20 s: no busy loop


@pytest.mark.slow
def test_a_plan_of_a_million_jobs_keeps_queue_and_driver_small(mill: Any) -> None:
    driver = mill.start(None, "rows=1000000", "job_rows=1")
    mill.wait_for(lambda: mill.committed() >= 3)
    most = 0
    with redis.Redis(unix_socket_path=mill.socket()) as client:
        for _ in range(50):
            most = max(most, sum(client.pipeline().llen("pm:jobs").hlen("pm:unacked").execute()))
            time.sleep(0.1)
        used = client.info("memory")["used_memory_rss"]
    resident = psutil.Process(driver.pid).memory_info().rss
    driver.send_signal(signal.SIGINT)
    assert mill.ended(driver)[0] == 3
    assert 2 < most <= 34
    assert used < 64 << 20
    assert resident < 250 << 20
