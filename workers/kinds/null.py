"""The null kind: numbers instead of puzzles. It cannot rot, and the next kind starts as its copy.

A puzzle is a number written with up to nine digits; its solution is its digit sum. Numbers are
equivalent when they differ in leading zeros only. No kernel is involved, so what a run of this
kind costs is what the house costs.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import numpy as np
import pyarrow as pa
from msgspec import Meta, Struct
from numpy.typing import NDArray

from workers.contracts import Columns, Texts
from workers.errors import ParseError
from workers.kinds.columns import column, nulls
from workers.kinds.options import NoOptions, chosen

WIDTH = 9
POWERS = 10 ** np.arange(WIDTH - 1, -1, -1, dtype=np.int64)


class NullParams(Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers are drawn from 0..limit-1."""

    limit: Annotated[int, Meta(ge=1, le=10**WIDTH)] = 10**WIDTH


class NullKind:
    """Counts digits; see the module."""

    name = "null"
    version = 1
    rater_versions: Mapping[str, int] = {"basic": 1, "digits": 1}
    light_raters: frozenset[str] = frozenset()
    default_raters: tuple[str, ...] = ("basic",)
    default_levels: str | None = None
    params_type: type[Struct] = NullParams
    methods: Mapping[str, type[Struct]] = {"sum": NoOptions}
    schemes: Mapping[str, type[Struct]] = {"digits": NoOptions}

    def schema(self, raters: Sequence[str]) -> pa.Schema:
        """Columns of a row for these raters, in order, with unit and description as metadata."""
        fields = [
            column("key", pa.binary(16), "hash of the number: equal for equal numbers"),
            column("puzzle", pa.string(), "the number as nine digits"),
            column("number", pa.int64(), "the number"),
            column("solution", pa.int16(), "its digit sum", few=True),
            column("reason", pa.string(), "why it has no solution", few=True, nullable=True),
        ]
        if "digits" in raters:
            fields.append(column("zeros", pa.int8(), "digits that are 0", unit="digits", few=True))
        return pa.schema(fields)

    def generate(self, seed: int, count: int, params: NullParams, raters: Sequence[str]) -> Columns:
        """`count` random numbers below the limit; equal arguments, equal rows."""
        numbers = np.random.Generator(np.random.PCG64(seed)).integers(0, params.limit, count)
        return _columns(numbers, raters)

    def grade(self, texts: Texts, params: NullParams, raters: Sequence[str]) -> Columns:
        """One row for every number in `texts`, in order."""
        return _columns(_numbers(texts), raters)

    def parse(self, text: str) -> str:
        """Nine digits; ParseError with the position when `text` is not one to nine of them."""
        digits = text.strip()
        for position, sign in enumerate(digits):
            if sign not in "0123456789":
                raise ParseError(f"{sign!r} is not a digit", text.index(sign, position))
        if not 0 < len(digits) <= WIDTH:
            raise ParseError(f"{len(digits)} digits, not 1 to {WIDTH}", None)
        return digits.zfill(WIDTH)

    def solve(
        self,
        text: str,
        method: str | None = None,
        limit: int = 2,
        options: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """The keys of `solve --json` for one number."""
        name, _ = chosen("method", self.methods, method, options)
        puzzle = self.parse(text)
        solution = str(sum(map(int, puzzle)))
        return {"puzzle": puzzle, "n_solutions": 1, "solution": solution, "method": name}

    def key(self, texts: Texts) -> NDArray[np.uint8]:
        """Identity for deduplication, (n, 16) bytes, equal exactly for equal numbers."""
        return _keys(_numbers(texts))

    def explain(
        self, text: str, scheme: str | None = None, options: Mapping[str, Any] | None = None
    ) -> list[dict[str, Any]]:
        """One step per digit."""
        chosen("scheme", self.schemes, scheme, options)
        total, steps = 0, []
        for position, digit in enumerate(self.parse(text)):
            total += int(digit)
            steps.append({"technique": "add", "text": f"add {digit}: {total}", "cells": [position]})
        return steps

    def warm(self, action: str, raters: Sequence[str], ahead: bool = False) -> None:
        """Nothing to compile."""


def _numbers(texts: Texts) -> NDArray[np.int64]:
    """Numbers of texts that are padded with blanks on the right, without leading zeros or with."""
    digits = texts.astype(np.int64) - ord("0")
    numbers = np.zeros(len(texts), np.int64)
    for place in digits.T:
        numbers = np.where(place >= 0, numbers * 10 + place, numbers)
    return numbers


def _columns(numbers: NDArray[np.int64], raters: Sequence[str]) -> Columns:
    digits = (numbers[:, None] // POWERS) % 10
    columns: Columns = {
        "key": _keys(numbers),
        "puzzle": (digits + ord("0")).astype(np.uint8),
        "number": numbers,
        "solution": digits.sum(axis=1).astype(np.int16),
        "reason": nulls(len(numbers)),
    }
    if "digits" in raters:
        columns["zeros"] = (digits == 0).sum(axis=1).astype(np.int8)
    return columns


def _keys(numbers: NDArray[np.int64]) -> NDArray[np.uint8]:
    hashes = [hashlib.blake2b(b"null %d" % number, digest_size=16).digest() for number in numbers]
    return np.frombuffer(b"".join(hashes), np.uint8).reshape(len(numbers), 16)


KIND = NullKind()
