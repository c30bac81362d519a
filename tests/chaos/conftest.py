"""A mill that can be shaken: a driver in a process of its own, and everything it started."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from pipeline.broker import server_binary, stop_orphan
from workers.jobs import job_seed

REPOSITORY = Path(__file__).resolve().parents[2]
SITE = Path(__file__).parent / "site"
SEED = 11
JOBS = 16
PLAN = f"""
name = "chaos"
kind = "shaky"
seed = {SEED}
rows = {JOBS * 20 - 5}
job_rows = 20
"""
DRIVER = """
import os, sys
from pipeline import session
options = session.Options(
    executor=sys.argv[2],
    workers=int(sys.argv[3]),
    time_limit_s=int(os.environ.get("MILL_LIMIT", "30")),
    broker=os.environ.get("MILL_BROKER"),
)
if sys.argv[1].endswith(".toml"):
    outcome = session.run(sys.argv[1], sys.argv[4], overrides=sys.argv[5:], options=options)
else:
    call = session.retry_quarantined if sys.argv[5:] == ["retry"] else session.resume
    outcome = call(sys.argv[1], options=options)
print(outcome.state, outcome.message)
sys.exit(outcome.exit_code)
"""


class Mill:
    """One store, and the drivers started on it; every process can be told by its environment."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.store = folder, folder / "runs"
        self.plan = folder / "chaos.toml"
        self.plan.write_text(PLAN)
        self.mark = uuid.uuid4().hex
        self.drivers: list[subprocess.Popen[str]] = []

    def start(
        self,
        target: Path | None = None,
        *words: str,
        executor: str = "celery",
        workers: int = 2,
        **environment: str,
    ) -> "subprocess.Popen[str]":
        """A driver that runs the plan, or goes on with the run folder `target`."""
        place = [str(target or self.plan), executor, str(workers), str(self.store), *words]
        driver = subprocess.Popen(
            [sys.executable, "-c", DRIVER, *place],
            env=self.environment(environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.drivers.append(driver)
        return driver

    def start_worker(self, broker: str) -> "subprocess.Popen[str]":
        """A worker that somebody else started, for any run of the store."""
        settings = {"PUZZLEMILL_BROKER": broker, "PUZZLEMILL_STORE": str(self.store)}
        worker = subprocess.Popen(
            [sys.executable, "-m", "celery", "-A", "workers", "worker", "--concurrency", "1"],
            cwd=REPOSITORY,
            env=self.environment({**settings, "PUZZLEMILL_WARM": "shaky:generate:basic"}),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.drivers.append(worker)
        return worker

    def environment(self, more: dict[str, str]) -> dict[str, str]:
        path = f"{SITE}{os.pathsep}{REPOSITORY}"
        return {**os.environ, "PYTHONPATH": path, "MILL_MARK": self.mark, **more}

    @property
    def run_dir(self) -> Path:
        (found,) = self.store.glob("chaos-*")
        return found

    def committed(self) -> int:
        return len(list(self.store.glob("chaos-*/shards/*/*.json")))

    def started(self) -> int:
        """Jobs that a worker has begun and not ended."""
        return len(list(self.store.glob("chaos-*/attempts/*.jsonl")))

    def processes(self, word: str = "") -> list[psutil.Process]:
        """What the drivers started, and the drivers, where the command line has `word`."""
        found = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                if process.status() == psutil.STATUS_ZOMBIE:
                    continue
                ours = process.environ().get("MILL_MARK") == self.mark
                ours = ours or process.cwd() == self.broker_cwd()  # it overwrites its environment
                if ours and word in " ".join(process.cmdline()):
                    found.append(process)
        return found

    def broker_cwd(self) -> str:
        return next((str(path) for path in self.store.glob("chaos-*/broker")), "none")

    def worker(self) -> psutil.Process:
        """The parent of the pool."""
        workers = self.processes("-A workers")
        (main,) = [one for one in workers if one.ppid() not in {other.pid for other in workers}]
        return main

    def broker(self) -> psutil.Process:
        (server,) = self.processes("unixsocket:")
        return server

    def socket(self) -> str:
        """Path of the broker's socket."""
        return str(json.loads((self.run_dir / "broker" / "server.pid").read_text())["socket"])

    def shards(self) -> dict[str, bytes]:
        folder = self.run_dir
        return {
            str(path.relative_to(folder)): path.read_bytes()
            for pattern in ("shards/*/*.parquet", "corpus/*.parquet")
            for path in folder.glob(pattern)
        }

    def assert_sound(self, reference: dict[str, bytes]) -> None:
        """The run is complete, equals the reference byte for byte, and nothing is left over."""
        assert self.shards() == reference
        assert (self.run_dir / "corpus" / "_SUCCESS").exists()
        assert list((self.run_dir / "tmp").iterdir()) == []
        assert self.processes() == []

    @staticmethod
    def ended(driver: "subprocess.Popen[str]", seconds: float = 120) -> tuple[int, str, str]:
        """Exit code, stdout and stderr of a driver that ends in time."""
        out, err = driver.communicate(timeout=seconds)
        return driver.returncode, out, err

    @staticmethod
    def wait_for(fact: Callable[[], object], seconds: float = 120) -> None:
        """Wait until `fact` holds; fail when it does not in time."""
        deadline = time.monotonic() + seconds
        while not fact():
            assert time.monotonic() < deadline, "it did not come to that in time"
            time.sleep(0.02)

    @staticmethod
    def poison(job: int, how: str) -> str:
        """SHAKY_POISON for one job."""
        return f"{job_seed(SEED, job)}:{how}"

    def stop(self) -> list[str]:
        """Kill what is left, by its id, and tell what that was."""
        left = self.processes()
        names = [" ".join(process.cmdline())[:120] for process in left]
        for process in left:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        for driver in self.drivers:
            driver.communicate()
        for folder in self.store.glob("*/broker"):
            stop_orphan(folder)  # removes the socket of a killed one
        return names


@pytest.fixture
def mill(tmp_path: Path) -> Iterator[Mill]:
    if server_binary() is None:
        pytest.skip("no Valkey or Redis server")
    built = Mill(tmp_path)
    try:
        yield built
    finally:
        left = built.stop()
    assert not left, "processes were left behind"


@pytest.fixture(scope="session")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Shards and corpus of the plan, made by one process, one job after the other."""
    built = Mill(tmp_path_factory.mktemp("reference"))
    code, _, err = built.ended(built.start(executor="serial"))
    assert code == 0, err
    made = built.shards()
    assert len(made) == JOBS + 1
    built.stop()
    shutil.rmtree(built.folder)
    return made
