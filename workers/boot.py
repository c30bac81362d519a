"""What a worker does before its first job and instead of its last.

All that jobs need is imported and loaded before the pool forks, so that the children share it:
a child costs milliseconds, not seconds. A worker that a driver started watches its standard
input, a pipe from the driver, and ends when the driver is gone.
"""

import contextlib
import gc
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterable
from typing import Any

import structlog
from celery import signals
from celery.apps.worker import Worker
from celery.bootsteps import StartStopStep
from celery.exceptions import CPendingDeprecationWarning
from celery.platforms import SecurityWarning

from workers import settings
from workers.broker_url import checked_url
from workers.errors import ConfigError, PuzzleError

ONE_THREAD = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
QUIET = {"without_gossip": True, "without_mingle": True, "without_heartbeat": True}


class JobWorker(Worker):  # type: ignore[misc]
    """Celery's worker, quiet on the broker and ready before it takes a job."""

    def __init__(self, app: Any = None, hostname: str | None = None, **options: Any) -> None:
        for name in ONE_THREAD:
            os.environ.setdefault(name, "1")
        # Celery warns root of pickle; messages here are JSON, and containers often run as root.
        warnings.simplefilter("ignore", SecurityWarning)
        if settings.ends_with_parent():
            self.app.steps["worker"].add(DriverWatch)
        super().__init__(app, hostname, **{**options, **QUIET})

    def on_after_init(self, **options: Any) -> None:
        """Prepare once logs work and before the pool forks; exit 2 when nothing can be done."""
        super().on_after_init(**options)
        try:
            if not self.app.conf.broker_url:
                raise ConfigError("PUZZLEMILL_BROKER", "not set: redis://HOST:PORT/DB")
            insecure = settings.insecure_broker()
            self.app.conf.broker_url = checked_url(self.app.conf.broker_url, insecure)
            prepare()
        except PuzzleError as error:
            sys.stderr.write(f"puzzlemill worker: {error}\n")
            raise SystemExit(error.exit_code) from error

    def on_consumer_ready(self, consumer: Any) -> None:
        """Be quiet about what is done on purpose."""
        super().on_consumer_ready(consumer)
        # Told at every lost connection, and set by Celery after `__init__`: jobs go on on purpose.
        warnings.simplefilter("ignore", CPendingDeprecationWarning)


class DriverWatch(StartStopStep):  # type: ignore[misc]
    """Watches the driver from after the forks, which would lose a thread, and before the worker
    seeks its broker: that may be gone with the driver, and would be sought for ever."""

    requires = frozenset({"celery.worker.components:Pool"})

    def start(self, parent: Any) -> None:
        threading.Thread(target=_watch_parent, name="watch parent", daemon=True).start()


def prepare() -> None:
    """Import what jobs import and load (compile, if they are new) the kernels they will call."""
    from workers import jobs, tasks  # noqa: F401
    from workers.compile import ensure_compiled
    from workers.kinds import registry

    log = structlog.get_logger("puzzlemill.worker")
    for kind, action, raters in _wanted():
        ensure_compiled(kind, action, raters, announce=log.warning)
        registry.get(kind).warm(action, raters)
    # What is loaded now stays for good: keep its pages out of the children's collections.
    gc.collect()
    gc.freeze()


def _wanted() -> Iterable[tuple[str, str, tuple[str, ...]]]:
    from workers.kinds import registry

    given = settings.warm_kernels()
    if given is not None:
        yield given
        return
    for name in registry.names():
        for action in ("generate", "grade"):
            yield name, action, registry.get(name).default_raters


def _watch_parent() -> None:
    """Warm shutdown when standard input ends, which is when the driver ended, however it did."""
    with contextlib.suppress(OSError):
        while os.read(0, 1024):
            pass
    os.kill(os.getpid(), signal.SIGTERM)


@signals.worker_process_init.connect
def _one_thread(**_: Any) -> None:
    """A child has one core: Arrow's pools must not think otherwise."""
    import pyarrow as pa

    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
