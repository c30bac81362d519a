"""A broker that cannot be used is told in one line: away, refusing, or no broker at all."""

import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from pipeline.broker import server_binary
from pipeline.queue_view import QueueView
from workers.errors import RunError, TransientError


@contextmanager
def listening(answer: bytes) -> Iterator[str]:
    """The URL of a server that says `answer` to whatever it hears, once."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def speak() -> None:
            link, _ = server.accept()
            with link:
                link.recv(1000)
                link.sendall(answer)

        speaker = threading.Thread(target=speak)
        speaker.start()
        yield f"redis://127.0.0.1:{server.getsockname()[1]}/0"
        speaker.join()


def refusal(url: str) -> str:
    with closing(QueueView(url, "run-a", "jobs", "pm:")) as view:
        with pytest.raises(RunError) as told:
            view.check()
        return str(told.value)


def test_a_broker_that_is_away_is_told_with_the_reason() -> None:
    said = refusal("redis://user:secret@127.0.0.1:1/0")
    assert said.startswith("no broker answers at redis://***@127.0.0.1:1/0 (")
    assert "refused" in said


def test_a_server_that_is_no_redis_is_told() -> None:
    with listening(b"SSH-2.0-OpenSSH_9.2\r\n") as url:
        assert "is no Redis or Valkey server" in refusal(url)


def test_a_broker_that_refuses_a_command_is_told() -> None:
    with listening(b"-NOPERM this user has no permissions to run the 'llen' command\r\n") as url:
        assert "cannot be used (this user has no permissions" in refusal(url).replace("NOPERM ", "")


@pytest.mark.skipif(server_binary() is None, reason="no Valkey or Redis server")
@pytest.mark.parametrize("login", ["", ":wrong@", "nobody:wrong@"])
def test_a_wrong_password_is_told_as_such(tmp_path: Path, login: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options = ["--port", str(port), "--bind", "127.0.0.1", "--requirepass", "right", "--save", ""]
    command = [str(server_binary()), *options, "--dir", str(tmp_path)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        with closing(QueueView(f"redis://:right@127.0.0.1:{port}", "r", "jobs", "pm:")) as view:
            for _ in range(200):
                try:
                    view.jobs()
                    break
                except TransientError:
                    time.sleep(0.02)
            view.check()
        assert "refuses the user or the password" in refusal(f"redis://{login}127.0.0.1:{port}")
    finally:
        server.kill()
        server.wait()
