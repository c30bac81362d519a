"""What a session cost: report.json in the run folder."""

import contextlib
import resource
import time

import msgspec
from msgspec import Struct

from pipeline.progress import Progress


class Report(Struct):
    """report.json: what the last session cost, all its processes together."""

    state: str
    wall_s: float
    cpu_s: float  # of this process and all that it started and waited for
    kernel_cpu_s: float  # inside the solvers' kernels
    share_outside_kernels: float | None  # 1 - kernel_cpu_s / cpu_s
    jobs: int
    rows: int
    rows_per_s: float
    resent: int
    healed: int


def write_report(progress: Progress, started: float) -> None:
    """The last word on the session; a full disk must not swallow its outcome."""
    wall = time.monotonic() - started
    cpu = sum(_cpu_seconds(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    kernel = progress.kernel_s
    report = Report(
        state=progress.state,
        wall_s=round(wall, 3),
        cpu_s=round(cpu, 3),
        kernel_cpu_s=round(kernel, 3),
        share_outside_kernels=round(1 - kernel / cpu, 4) if kernel else None,
        jobs=progress.jobs_here,
        rows=progress.rows_here,
        rows_per_s=round(progress.rows_here / wall, 1),
        resent=progress.resent,
        healed=progress.healed,
    )
    progress.last_words()
    with contextlib.suppress(OSError):
        path = progress.run_dir / "report.json"
        path.write_bytes(msgspec.json.format(msgspec.json.encode(report)) + b"\n")


def _cpu_seconds(who: int) -> float:
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime
