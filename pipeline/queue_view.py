"""What the driver reads from a broker, its own or an outside one: whether it can be used, and which
jobs wait there."""

import contextlib
import re
from typing import Any

from workers.broker_url import without_password
from workers.errors import RunError, TransientError


class QueueView:
    """What a broker holds of one run: which jobs wait, which a worker has taken.

    Works on the transport's own keys, because nothing else tells a lost message from a slow one.
    Task ids are `<run id>-<job>-<attempt>`, as `workers.celery.send` makes them.
    """

    def __init__(self, url: str, run_id: str, queue: str, prefix: str) -> None:
        import redis

        self._shown = without_password(url)
        if url.startswith("redis+socket://"):
            url = "unix://" + url.removeprefix("redis+socket://")
        self._client = redis.Redis.from_url(url, socket_timeout=10, socket_connect_timeout=5)
        self._errors = redis.exceptions
        self._queue, self._unacked = prefix + queue, prefix + "unacked"
        self._task = re.compile(rb'"id": ?"%s-(\d+)-\d+"' % re.escape(run_id).encode())

    def check(self) -> None:
        """Raises RunError, which says why, unless the broker answers as one."""
        try:
            self._client.llen(self._queue)
            self._client.hlen(self._unacked)
        except self._errors.RedisError as wrong:
            raise RunError(f"{self._why(wrong)} ({str(wrong).rstrip('.')})") from None

    def jobs(self) -> tuple[set[int], set[int]]:
        """(waiting, taken) jobs of the run; TransientError when the broker does not answer."""
        try:
            waiting = self._client.lrange(self._queue, 0, -1)
            taken = self._client.hvals(self._unacked)
        except self._errors.RedisError as away:
            raise TransientError(f"broker: {away}") from None
        return self._found(waiting), self._found(taken)

    def forget_taken(self) -> None:
        """Drop the record of taken messages: for a private broker whose workers are all dead."""
        with contextlib.suppress(self._errors.RedisError):
            self._client.delete(self._unacked, f"{self._unacked}_index")

    def close(self) -> None:
        self._client.close()

    def _found(self, messages: Any) -> set[int]:
        matches = (self._task.search(message) for message in messages)
        return {int(match[1]) for match in matches if match}

    def _why(self, wrong: Exception) -> str:
        errors, there = self._errors, f"at {self._shown}"
        if isinstance(wrong, errors.AuthenticationError):
            return f"the broker {there} refuses the user or the password"
        if isinstance(wrong, (errors.ConnectionError, errors.TimeoutError)):
            return f"no broker answers {there}"
        if isinstance(wrong, errors.InvalidResponse):
            return f"what answers {there} is no Redis or Valkey server"
        return f"the broker {there} cannot be used"
