"""Whether a run ends because its disk is full: nobody's fault, and nothing is lost by it."""

import contextlib
import errno
from collections.abc import Iterator
from pathlib import Path

from workers.disk import draft_path
from workers.errors import RunError, TransientError

PROBE_BYTES = 1 << 18
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class DiskFull(RunError):
    """The disk of the run folder takes no more; the run can go on once there is room."""

    exit_code = 3


class DiskTrouble(RunError):
    """The disk fails again and again, for another reason than being full."""

    exit_code = 3


def check_room(run_dir: Path) -> None:
    """DiskFull when the disk takes no more: that shows only when something is written to it."""
    probe = draft_path(run_dir, "probe")
    try:
        probe.parent.mkdir(exist_ok=True)
        probe.write_bytes(bytes(PROBE_BYTES))
    except OSError as wrong:
        if wrong.errno in FULL:
            raise DiskFull(run_dir, wrong.strerror) from None
    finally:
        probe.unlink(missing_ok=True)


@contextlib.contextmanager
def full_disk_told(folder: Path) -> Iterator[None]:
    """Whatever fails in this block because the disk is full, raises DiskFull."""
    try:
        yield
    except OSError as wrong:
        if wrong.errno not in FULL:
            raise
        raise DiskFull(folder, wrong.strerror) from None
    except TransientError:
        check_room(folder)  # a server that does not start has no better word for it
        raise
