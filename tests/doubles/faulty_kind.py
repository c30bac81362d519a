"""A null kind whose chosen jobs fail, for tests of what workers do about it.

Imported as a plain module, here and in a worker (`celery -A workers worker -I faulty_kind` with
this folder on PYTHONPATH), it registers itself as the kind `faulty`.
"""

import os
import signal
import time
from pathlib import Path

from msgspec import Struct

from workers.errors import TransientError
from workers.kinds import registry
from workers.kinds.null import NullKind, NullParams


class FaultyParams(Struct, frozen=True, forbid_unknown_fields=True):
    """`faults`: job seed as text -> "raise", "memory", "kill", "segv", "hang", "exit", ...

    With `once`, a path, a job fails only as long as PATH.<seed> does not exist.
    """

    faults: dict[str, str] = {}
    once: str = ""
    limit: int = 10**9


class FaultyKind(NullKind):
    """See the module."""

    name = "faulty"
    params_type = FaultyParams

    def generate(self, seed, count, params, raters):
        """Fail as `params` says, or be a null kind."""
        fault = params.faults.get(str(seed))
        if fault and self._due(seed, params.once):
            FAULTS[fault]()
        return super().generate(seed, count, NullParams(params.limit), raters)

    def _due(self, seed, once):
        if not once:
            return True
        mark = Path(f"{once}.{seed}")
        if mark.exists():
            return False
        mark.touch()
        return True


def fail():
    raise ValueError("bad luck")


def fail_for_now():
    raise TransientError("disk", "No space left on device")


def memory():
    raise MemoryError


def kill():
    os.kill(os.getpid(), signal.SIGKILL)


def segv():
    os.kill(os.getpid(), signal.SIGSEGV)


def hang():
    while True:
        time.sleep(0.1)


def hang_for_good():
    while True:
        try:
            time.sleep(0.1)
        except Exception:
            continue


FAULTS = {
    "raise": fail,
    "transient": fail_for_now,
    "memory": memory,
    "kill": kill,
    "segv": segv,
    "exit": lambda: os._exit(3),
    "hang": hang,
    "hang for good": hang_for_good,
    "slow": lambda: time.sleep(2),
}
KIND = FaultyKind()
registry.KINDS["faulty"] = __name__
