"""What a check found: a test, and what is wrong."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

SHOWN: Final = 12
"""Faults of one test that are told; further ones are counted."""


class Fault(Struct, frozen=True):
    """One fault; `page` counts from 1."""

    test: str
    what: str
    page: int | None = None


class Findings:
    """Collects faults by test, and which tests were made."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.made: list[str] = []
        self.left_out: dict[str, str] = {}

    def test(self, name: str, faults: Iterable[tuple[int | None, str]]) -> None:
        """Record a test with all that it found: (page, what)."""
        found = list(faults)
        self.made.append(name)
        self.faults += [Fault(name, what, page) for page, what in found[:SHOWN]]
        if len(found) > SHOWN:
            self.faults.append(Fault(name, f"and {len(found) - SHOWN} more"))

    def skip(self, name: str, why: str) -> None:
        """Record that a test was not made, and why."""
        self.left_out[name] = why
