"""How fast a run is now."""

import math

RATE_MEMORY_S = 60.0  # time constant of the moving average


class Rate:
    """Exponentially weighted rows per second; the plain average while the run is young."""

    def __init__(self, started: float) -> None:
        self._started = self._last = started
        self._mean = 0.0
        self._rows = 0

    def add(self, now: float, rows: int) -> None:
        self._mean = self._decayed(now) + rows / RATE_MEMORY_S
        self._last = now
        self._rows += rows

    def value(self, now: float) -> float | None:
        """Rows per second, None before the first row."""
        age = now - self._started
        if self._rows == 0 or age <= 0:
            return None
        return self._decayed(now) / (1 - math.exp(-age / RATE_MEMORY_S))

    def _decayed(self, now: float) -> float:
        return self._mean * math.exp(-(now - self._last) / RATE_MEMORY_S)
