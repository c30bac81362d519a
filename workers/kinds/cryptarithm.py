"""The cryptarithm kind: words whose letters stand for digits, `SEND+MORE=MONEY`.

cryptarithm.py            the kind itself
cryptarithm_params.py     settings of generation and of the raters
cryptarithm_words.py      word lists, own lists, credits
cryptarithm_generate.py   puzzles as ordered
cryptarithm_columns.py    the columns that every row has
cryptarithm_logic.py      the rater `logic`
cryptarithm_options.py    methods of solving and schemes of explaining, with their options
cryptarithm_solve.py      solving one puzzle by a method
cryptarithm_explain.py    explaining one puzzle by a scheme
"""

import re
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

import numpy as np
import pyarrow as pa
from msgspec import Struct
from numpy.typing import NDArray

from workers.contracts import Columns, Texts
from workers.engines.cryptarithm.model import Puzzle
from workers.kinds import cryptarithm_logic
from workers.kinds.cryptarithm_columns import (
    basic_columns,
    basic_fields,
    parsed,
    puzzle_keys,
    puzzles_of,
)
from workers.kinds.cryptarithm_explain import explained
from workers.kinds.cryptarithm_generate import made_puzzles
from workers.kinds.cryptarithm_options import METHODS, SCHEMES
from workers.kinds.cryptarithm_params import CryptarithmParams
from workers.kinds.cryptarithm_solve import solved
from workers.kinds.cryptarithm_words import OWN_CREDIT, credits_of
from workers.kinds.options import chosen

BASIC_VERSION = 1
RATERS: Mapping[str, ModuleType] = {"logic": cryptarithm_logic}
"""Rater -> module with VERSION, `fields()` and `columns(puzzles, found, params)`."""
PROBES = ("SEND+MORE=MONEY", "DONALD+GERALD=ROBERT", "TWO*TWO=SQUARE")
"""A sum and a product: together they reach every kernel."""


class CryptarithmKind:
    """See the module."""

    name = "cryptarithm"
    version = 1
    sign = re.compile(r"^[^:\[\],]*[=＝][^:\[\],]*$")
    rater_versions: Mapping[str, int] = {
        "basic": BASIC_VERSION,
        **{name: module.VERSION for name, module in RATERS.items()},
    }
    light_raters: frozenset[str] = frozenset()
    default_raters: tuple[str, ...] = ("basic", "logic")
    default_levels: str | None = "levels-cryptarithm-1"
    params_type: type[Struct] = CryptarithmParams
    methods: Mapping[str, type[Struct]] = METHODS
    schemes: Mapping[str, type[Struct]] = SCHEMES

    def schema(self, raters: Sequence[str]) -> pa.Schema:
        """The basic columns, then those of each rater in the kind's own order."""
        fields = basic_fields()
        for rater in _modules(raters):
            fields.extend(rater.fields())
        return pa.schema(fields)

    def generate(
        self, seed: int, count: int, params: CryptarithmParams, raters: Sequence[str]
    ) -> Columns:
        """`count` puzzles with one solution each, as ordered; equal arguments, equal rows.

        Raises BudgetError when an order is so rare that the attempts ran out, ParamsError when
        it leaves too few words.
        """
        return _rated(made_puzzles(seed, count, params), params, raters)

    def grade(self, texts: Texts, params: CryptarithmParams, raters: Sequence[str]) -> Columns:
        """One row for every text (n, width), in order."""
        return _rated(puzzles_of(texts), params, raters)

    def parse(self, text: str) -> str:
        """The normal form; ParseError with the position when malformed."""
        return parsed(text).text

    def solve(
        self,
        text: str,
        method: str | None = None,
        limit: int = 2,
        options: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """One puzzle by a method of `methods`; the keys are those of `cryptarithm_solve`.

        Raises ParamsError for an unknown method or option, BudgetError when the search was
        given up.
        """
        name, checked = chosen("method", METHODS, method, options)
        return solved(parsed(text), name, limit, checked)

    def key(self, texts: Texts) -> NDArray[np.uint8]:
        """Hashes (n, 16): equal for puzzles that differ by names of letters and order of words."""
        return puzzle_keys(puzzles_of(texts))

    def explain(
        self, text: str, scheme: str | None = None, options: Mapping[str, Any] | None = None
    ) -> list[dict[str, Any]]:
        """The steps of a solution by a scheme of `schemes`; `cells` are letters and carries.

        Raises ParamsError as `solve`, NoSolution, ManySolutions, and BudgetError when it is not
        known how many there are.
        """
        name, checked = chosen("scheme", SCHEMES, scheme, options)
        return explained(parsed(text), name, checked)

    def credits(self, params: CryptarithmParams) -> tuple[str, ...]:
        """Whom the words of generated puzzles are owed to, one line each."""
        if params.method == "doubly-true":
            return credits_of(f"numbers-{params.language}")
        return (OWN_CREDIT,) if params.words else credits_of(params.language)

    def warm(self, action: str, raters: Sequence[str]) -> None:
        """Compile (or load) every kernel that `action` with `raters` will need."""
        texts = np.array([list(probe.ljust(24).encode()) for probe in PROBES], np.uint8)
        self.grade(texts, CryptarithmParams(), raters)
        if action == "generate":
            for method in ("sum", "product"):
                self.generate(0, 1, CryptarithmParams(method=method), raters)


def _rated(puzzles: Sequence[Puzzle], params: CryptarithmParams, raters: Sequence[str]) -> Columns:
    columns, found = basic_columns(puzzles, params)
    for rater in _modules(raters):
        columns |= rater.columns(puzzles, found, params)
    return columns


def _modules(raters: Sequence[str]) -> list[ModuleType]:
    return [module for name, module in RATERS.items() if name in raters]


KIND = CryptarithmKind()
