"""How formula tasks are made: the settings of a plan."""

from typing import Annotated

from msgspec import Meta, Struct

from workers.engines.formula.shipped import shipped_names

Size = Annotated[int, Meta(ge=1, le=16)]
Idle = Annotated[int, Meta(ge=0, le=8)]


class FormulaParams(Struct, frozen=True, forbid_unknown_fields=True):
    """How tasks are generated: from which domains, and how much work they are."""

    templates: Annotated[tuple[str, ...], Meta(min_length=1)] = shipped_names()
    """Names of domains; one after the other has equal chances."""
    formulas: tuple[Size, Size] = (1, 6)
    """Fewest and most formulas of the shortest derivation."""
    depth: tuple[Size, Size] = (1, 6)
    """Fewest and most formulas of its longest chain."""
    distractors: tuple[Idle, Idle] = (0, 1)
    """Fewest and most givens that are of no use."""
    constraint: bool | None = None
    """Whether a constraint must be needed to choose among several answers; None: either."""
    attempts: Annotated[int, Meta(ge=1, le=10_000_000)] = 10_000
    """Draws for one task before the job is given up."""

    def __post_init__(self) -> None:
        for name in ("formulas", "depth", "distractors"):
            least, most = getattr(self, name)
            if least > most:
                raise ValueError(f"{name}: {least} is more than {most}")
        for name in self.templates:
            if name not in shipped_names():
                raise ValueError(f"templates: {name!r} is none of {', '.join(shipped_names())}")
