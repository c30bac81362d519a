"""The null kind, slowed down and poisoned from the environment, so that no plan changes.

SHAKY_SLEEP=0.2          seconds that every job takes
SHAKY_POISON=SEED:HOW    what the job with that seed does instead, several joined by commas
"""

import os
import signal
import time
from collections.abc import Sequence

from workers.contracts import Columns
from workers.kinds.null import NullKind, NullParams


class ShakyKind(NullKind):
    name = "shaky"

    def generate(self, seed: int, count: int, params: NullParams, raters: Sequence[str]) -> Columns:
        time.sleep(float(os.environ.get("SHAKY_SLEEP", "0")))
        for poison in filter(None, os.environ.get("SHAKY_POISON", "").split(",")):
            wanted, how = poison.split(":")
            if int(wanted) == seed:
                poisoned(how)
        return super().generate(seed, count, params, raters)


def poisoned(how: str) -> None:
    if how == "raise":
        raise ValueError("this job is poisoned")
    if how == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if how == "hang":
        time.sleep(3600)
    if how == "kill tree":
        os.killpg(os.getpgid(0), signal.SIGKILL)


KIND = ShakyKind()
