"""How the records of fish are made: one family, its sizes two to seven lines.

HoDoKu's order, level and score of each are facts of that program; see README.md.
"""

from typing import Final

from workers.engines.sudoku.techniques.technique import Form, Technique

SIZE_NAMES: Final = ("X-Wing", "Swordfish", "Jellyfish", "Squirmbag", "Whale", "Leviathan")
"""What fish of two to seven lines are called."""

FINLESS_SENTENCE: Final = (
    "{title} {digits} in {units}, all places in {covers}: removes {eliminations}"
)
FINNED_SENTENCE: Final = (
    "{title} {digits} in {units}, all places in {covers} except {fins}: removes {eliminations}"
)

KINDS: Final = (
    "",
    "Finned ",
    "Sashimi ",
    "Franken ",
    "Finned Franken ",
    "Mutant ",
    "Finned Mutant ",
)
"""Names of the kinds of fish, in the order of the digit of HoDoKu's code."""


def fish_title(kind: int, size: int) -> str:
    """What people call a fish: "Finned Franken Swordfish"."""
    return KINDS[kind] + SIZE_NAMES[size - 2]


def fish_code(kind: int, size: int) -> str:
    """HoDoKu's library code of a fish."""
    return f"03{kind}{size - 2}"


def fish_forms(size: int) -> tuple[Form, ...]:
    """All kinds of fish of a size, for a search that may meet any of them."""
    return tuple(Form(fish_title(kind, size), fish_code(kind, size)) for kind in range(len(KINDS)))


def fish_record(
    kind: int,
    size: int,
    finder: int,
    *,
    order: int,
    level: int,
    score: int,
    enabled: bool,
    forms: tuple[Form, ...] = (),
) -> Technique:
    """The record of one kind and size."""
    title = fish_title(kind, size)
    finless = "Finned" not in title and "Sashimi" not in title
    return Technique(
        name=title.lower().replace(" ", "_").replace("-", "_"),
        title=title,
        code=fish_code(kind, size),
        order=order,
        level=level,
        score=score,
        finder=finder,
        size=size,
        enabled=enabled,
        forms=forms,
        sentence=FINLESS_SENTENCE if finless else FINNED_SENTENCE,
    )
