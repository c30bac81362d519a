"""The Celery app: `celery -A workers worker` (PUZZLEMILL_BROKER, PUZZLEMILL_STORE).

The broker is a hint, never the truth: what it loses, the driver sends again, and what it
delivers twice, the second worker finds committed. So messages are JSON, acknowledged late,
fetched one at a time, and leave no result behind.
"""

import functools
from typing import Any

import kombu.exceptions
import msgspec
from celery import Celery, signals

from workers import settings
from workers.contracts import JobMessage
from workers.errors import TransientError

QUEUE = "jobs"
TASK = "pm.job"
KEY_PREFIX = "pm:"
HARD_LIMIT_S = 1200
"""A job that runs this long hangs; senders may set less for a job, never more."""
SOFT_LIMIT_S = HARD_LIMIT_S - 60
VISIBILITY_S = 3 * HARD_LIMIT_S

OPTIONS: dict[str, Any] = {
    # JSON only: a message can carry values, never code.
    "task_serializer": "json",
    "accept_content": ["json"],
    "result_serializer": "json",
    "event_serializer": "json",
    "task_ignore_result": True,
    "result_backend": None,
    # A message is gone only when its job is committed or its failure is on disk. A lost child
    # is not requeued by Celery, which cannot count: the driver reads the attempts on disk.
    "task_acks_late": True,
    "task_reject_on_worker_lost": False,
    "task_acks_on_failure": True,
    "task_acks_on_timeout": True,
    "task_time_limit": HARD_LIMIT_S,
    "task_soft_time_limit": SOFT_LIMIT_S,
    "task_default_queue": QUEUE,
    "task_queues": {QUEUE: {"exchange": QUEUE, "routing_key": QUEUE}},
    "task_create_missing_queues": False,
    "worker_prefetch_multiplier": 1,
    "worker_proc_alive_timeout": 60,
    "worker_lost_wait": 1.0,
    "worker_max_memory_per_child": 1_000_000,
    "worker_cancel_long_running_tasks_on_connection_loss": False,
    "worker_soft_shutdown_timeout": 30,
    "worker_disable_rate_limits": True,
    "worker_redirect_stdouts": False,
    "worker_send_task_events": False,
    "worker_enable_remote_control": False,
    "broker_connection_retry_on_startup": True,
    "broker_connection_max_retries": None,
    "broker_pool_limit": 1,
    "broker_transport_options": {
        "visibility_timeout": VISIBILITY_S,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "socket_timeout": 30,
        "socket_keepalive": True,
        "health_check_interval": 25,
        "global_keyprefix": KEY_PREFIX,
        "priority_steps": [0],
        "max_retries": 0,  # a sender learns at once that the broker is away; workers wait
    },
}


class App(Celery):  # type: ignore[misc]
    """Celery with this project's worker (`workers.boot`), imported only by a worker."""

    @functools.cached_property
    def Worker(self) -> Any:  # noqa: N802
        """The class that `celery worker` starts."""
        return self.subclass_with_self("workers.boot:JobWorker")


app = App("puzzlemill", broker=settings.broker_url(), include=["workers.tasks"])
app.conf.update(OPTIONS)


def use_broker(url: str) -> None:
    """Send to this server; a driver calls it before its first message."""
    app.conf.broker_url = url


def send(message: JobMessage, time_limit: int | None = None, producer: Any = None) -> None:
    """Put a job on the queue, within `time_limit` seconds of run time once it is taken.

    Raises TransientError when the broker cannot be reached; does not wait for it. Needs the name
    of the task, not the task: a driver imports nothing of what workers do.
    """
    try:
        app.send_task(
            TASK,
            kwargs=msgspec.to_builtins(message),
            task_id=f"{message.run}-{message.i}-{message.attempt}",
            time_limit=time_limit,
            soft_time_limit=None if time_limit is None else max(time_limit - 2, 1),
            producer=producer,
            retry=False,
        )
    except kombu.exceptions.OperationalError as error:
        raise TransientError("broker", str(error)) from error


@signals.setup_logging.connect
def _configure_logs(loglevel: int | None = None, **_: Any) -> None:
    from workers import logs

    logs.configure(loglevel or "WARNING")
