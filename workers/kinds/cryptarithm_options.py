"""The ways to solve and to explain a cryptarithm, each with its options."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from workers.engines.cryptarithm import grade, reference, search

Budget = Annotated[int, Meta(ge=1, le=10**12)]


class SearchOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The production search: by weights where they fit, else by columns."""

    budget: Budget = search.DEFAULT_BUDGET
    """Digits tried."""


class ColumnsOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The search by columns, for any puzzle."""

    budget: Budget = search.DEFAULT_BUDGET
    """Digits tried."""


class TrialOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The slow methods of the text."""

    budget: Budget = reference.DEFAULT_TRIES
    """Assignments looked at."""


class LogicOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The steps of a person."""

    budget: Budget = grade.DEFAULT_BUDGET
    """Suppositions."""


METHODS: Mapping[str, type[Struct]] = {
    "search": SearchOptions,
    "columns": ColumnsOptions,
    **dict.fromkeys(reference.METHODS, TrialOptions),
}
SCHEMES: Mapping[str, type[Struct]] = {"logic": LogicOptions, "columns": ColumnsOptions}
