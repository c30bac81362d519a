"""Ctrl-C and friends: counted, and acted upon where the driver chooses to."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Any

SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
NEVER = 1_000_000


class Interrupts:
    """Counts signals while it is entered; `within` makes them break into a block."""

    def __init__(self) -> None:
        self.count = 0
        self._raise_at = NEVER
        self._before: dict[int, Any] = {}

    def __enter__(self) -> "Interrupts":
        if threading.current_thread() is threading.main_thread():
            for number in SIGNALS:
                self._before[number] = signal.signal(number, self._arrived)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before.clear()

    @contextlib.contextmanager
    def within(self, raise_at: int) -> Iterator[None]:
        """In this block the signal that makes `count` reach `raise_at` raises KeyboardInterrupt.

        So does whatever a library makes of it that does not let it through.
        """
        before, self._raise_at = self._raise_at, raise_at
        try:
            if self.count >= raise_at:
                raise KeyboardInterrupt
            yield
        except Exception as wrong:
            if self.count >= raise_at:
                raise KeyboardInterrupt from wrong
            raise
        finally:
            self._raise_at = before

    def hurry(self) -> bool:
        """True when the user has asked twice: no more patience."""
        return self.count > 1

    def _arrived(self, number: int, frame: FrameType | None) -> None:
        self.count += 1
        if self.count >= self._raise_at:
            raise KeyboardInterrupt
