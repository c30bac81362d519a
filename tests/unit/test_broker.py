"""The embedded server: private, restartable, never left behind; and what is read from a queue."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from pipeline import broker
from pipeline.broker import EmbeddedBroker, answers, stop_orphan
from pipeline.queue_view import QueueView
from workers.errors import RunLocked, TransientError

pytestmark = pytest.mark.skipif(broker.server_binary() is None, reason="no Valkey or Redis server")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[EmbeddedBroker]:
    embedded = EmbeddedBroker(tmp_path / "broker")
    try:
        embedded.start()
        yield embedded
    finally:
        embedded.stop()


def command(server: EmbeddedBroker, *words: str) -> bytes:
    """The answer to one command, as the server writes it."""
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(str(server.socket))
        link.sendall((" ".join(words) + "\r\n").encode())
        return link.recv(65536)


def kill(pid: int | None) -> None:
    assert pid is not None
    os.kill(pid, signal.SIGKILL)


def test_the_server_listens_in_a_folder_of_its_owner_alone(server: EmbeddedBroker) -> None:
    assert answers(server.socket)
    assert stat.S_IMODE(server.socket.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(server.socket.stat().st_mode) & 0o077 == 0
    assert b"\r\n0\r\n" in command(server, "config", "get", "port")


def test_the_server_is_in_a_session_of_its_own(server: EmbeddedBroker) -> None:
    assert server.pid is not None
    assert os.getsid(server.pid) == server.pid != os.getsid(0)


def test_the_server_refuses_writes_rather_than_forget_when_full(server: EmbeddedBroker) -> None:
    assert b"noeviction" in command(server, "config", "get", "maxmemory-policy")
    assert b"268435456" in command(server, "config", "get", "maxmemory")


def test_a_killed_server_comes_back_on_the_same_socket_with_its_queue(
    server: EmbeddedBroker,
) -> None:
    command(server, "lpush", "queue", "job")
    time.sleep(1.3)  # the append-only file is synced every second
    kill(server.pid)
    while server.alive():
        time.sleep(0.01)
    server.start()
    assert command(server, "llen", "queue") == b":1\r\n"


def test_an_earlier_session_leaves_no_queue_behind(tmp_path: Path) -> None:
    for _ in range(2):
        embedded = EmbeddedBroker(tmp_path / "broker")
        embedded.start()
        assert command(embedded, "dbsize") == b":0\r\n"
        command(embedded, "lpush", "queue", "job")
        embedded.stop()


def test_stopping_leaves_neither_process_nor_socket(tmp_path: Path) -> None:
    embedded = EmbeddedBroker(tmp_path / "broker")
    embedded.start()
    pid = embedded.pid
    assert pid is not None
    embedded.stop()
    embedded.stop()
    assert not psutil.pid_exists(pid)
    assert not embedded.socket.parent.exists()
    assert not (tmp_path / "broker" / "server.pid").exists()


def test_two_servers_never_share_a_folder(server: EmbeddedBroker) -> None:
    with pytest.raises(RunLocked, match="another broker"):
        EmbeddedBroker(server.folder)
    assert server.alive()


def test_the_orphan_of_a_killed_driver_is_stopped_by_the_next(tmp_path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from pipeline.broker import EmbeddedBroker\n"
        "b = EmbeddedBroker(Path(sys.argv[1])); b.start(); print(b.pid, flush=True); os._exit(1)"
    )
    driver = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False
    )
    orphan = int(driver.stdout)
    assert psutil.pid_exists(orphan)
    embedded = EmbeddedBroker(tmp_path)
    embedded.stop()
    assert not psutil.pid_exists(orphan) or psutil.Process(orphan).status() == "zombie"


@pytest.mark.parametrize("moved", [0.0, 3600.0])
def test_a_process_that_is_not_the_recorded_server_is_left_alone(
    tmp_path: Path, moved: float
) -> None:
    sleeper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        started = psutil.Process(sleeper.pid).create_time() - moved
        record = {"pid": sleeper.pid, "started": started, "socket": str(tmp_path / "v.sock")}
        (tmp_path / "server.pid").write_text(json.dumps(record))
        assert not stop_orphan(tmp_path)
        assert sleeper.poll() is None
    finally:
        sleeper.kill()
        sleeper.wait()


@pytest.mark.parametrize("text", ["", "12", "{}", '{"pid": "x", "socket": 1}'])
def test_a_damaged_pid_file_stops_nobody(tmp_path: Path, text: str) -> None:
    (tmp_path / "server.pid").write_text(text)
    assert not stop_orphan(tmp_path)


def test_a_long_temporary_folder_does_not_break_the_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / ("x" * 120)
    deep.mkdir()
    monkeypatch.setattr(broker.tempfile, "gettempdir", lambda: str(deep))
    embedded = EmbeddedBroker(tmp_path / "broker")
    assert len(os.fsencode(embedded.socket)) <= broker.SOCKET_PATH_LIMIT
    embedded.stop()


def test_a_queue_tells_waiting_and_taken_jobs_of_one_run(server: EmbeddedBroker) -> None:
    import redis

    client = redis.Redis(unix_socket_path=str(server.socket))
    for number, (run, job) in enumerate([("run-a", 3), ("run-a", 14), ("run-a-2", 5)]):
        message = json.dumps({"body": "", "headers": {"id": f"{run}-{job}-{number}"}})
        client.lpush("pm:jobs", message)
    taken = json.dumps([{"headers": {"id": "run-a-9-1"}}, "", "jobs"])
    client.hset("pm:unacked", "tag", taken)
    client.close()
    view = QueueView(server.url, "run-a", "jobs", "pm:")
    assert view.jobs() == ({3, 14}, {9})
    kill(server.pid)
    with pytest.raises(TransientError, match="broker"):
        view.jobs()
    view.close()
