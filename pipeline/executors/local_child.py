"""A child process of the local executor: reads `job attempt` lines, performs,
answers `job`.

The child outlives its driver by a second at most: a closed pipe ends it between jobs, a watch
on its parent ends it within one.
"""

import contextlib
import os
import sys
import threading
import time
from pathlib import Path

from workers import attempts, jobs
from workers.compile import ensure_compiled

WATCH_S = 1.0


def main(run_dir: Path) -> None:
    """Perform jobs until the pipe from the driver is closed."""
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)  # whatever a library prints must not look like an answer
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    run = jobs.open_folder(run_dir)
    spec = run.spec
    ensure_compiled(spec.kind, spec.action, spec.raters, print)
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        job, attempt = (int(word) for word in line.split())
        try:
            jobs.perform(run, job, attempt)
        except Exception as failure:
            attempts.record_failure(run_dir, job, attempt, failure)
        with contextlib.suppress(BrokenPipeError):
            print(job, file=answers, flush=True)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(WATCH_S)
    os._exit(1)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
