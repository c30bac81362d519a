"""Jobs one after the other in this process."""

from collections import deque
from collections.abc import Callable
from pathlib import Path

from workers import attempts


class SerialExecutor:
    """Performs one job in each `poll`."""

    slots = 1
    in_process = True
    healed = 0
    trouble = ""

    def __init__(self, run_dir: Path, announce: Callable[[str], None] | None = None) -> None:
        from workers import jobs  # brings the engines with it
        from workers.compile import ensure_compiled

        self._perform = jobs.perform
        self._run = jobs.open_folder(run_dir)
        spec = self._run.spec
        ensure_compiled(spec.kind, spec.action, spec.raters, announce)
        self._waiting: deque[tuple[int, int]] = deque()

    def submit(self, job: int, attempt: int) -> None:
        self._waiting.append((job, attempt))

    def poll(self, seconds: float) -> list[int]:
        if not self._waiting:
            return []
        job, attempt = self._waiting.popleft()
        try:
            self._perform(self._run, job, attempt)
        except Exception as failure:
            attempts.record_failure(self._run.folder, job, attempt, failure)
        return [job]

    def drain(self, seconds: float, hurry: Callable[[], bool]) -> None:
        self._waiting.clear()

    def close(self) -> None:
        self._waiting.clear()
