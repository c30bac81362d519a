"""An order: what book is wanted, as a TOML file, checked before anything is made.

`configs/book-large-print.toml` is an order with every choice explained.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from pipeline.book.profiles import find_profile, trim_size
from pipeline.toml import find_config, read_toml
from workers.engines.sudoku.properties import SYMMETRY_NAMES
from workers.errors import ConfigError

Text = Annotated[str, Meta(min_length=1, max_length=200)]
Name = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")]
Language: TypeAlias = Literal["en", "de", "fr", "es", "ja"]
Hints: TypeAlias = Literal["none", "first-steps", "walkthrough"]
Candidates: TypeAlias = Literal["none", "full"]
BackPart = Annotated[str, Meta(pattern=r"^(solutions|also-by|blank-grids(:[1-9]\d?)?)$")]
Depth: TypeAlias = Literal["string", "isomorph", "solution-class"]
FRONT = ("title", "copyright", "contents", "how-to-play", "levels")
ARTIFACTS = ("interior.pdf", "screen.pdf", "manifest.json", "puzzles.csv", "cover-guide.pdf",
             "cover-guide.svg", "cover.json", "check.json")  # fmt: skip


class Book(Struct, frozen=True, forbid_unknown_fields=True):
    """What the title pages say, and where the puzzles come from."""

    title: Text
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    volume: Annotated[int, Meta(ge=1, le=9999)] | None = None
    series: Name | None = None
    subtitle: Text | None = None
    author: Text | None = None
    publisher: Text | None = None
    isbn: Text | None = None
    year: Annotated[int, Meta(ge=1900, le=9999)] | None = None
    language: Language = "en"
    corpora: list[str] = []
    also_by: list[Text] = []
    note: Text | None = None


class Print(Struct, frozen=True, forbid_unknown_fields=True):
    """How it is printed."""

    profile: str = "kdp-paperback"
    trim: str = "8.5x11"
    paper: str = "white"
    bleed: Literal[False] = False
    large_print: bool = False
    puzzles_per_page: Literal[1, 2, 4, 6] = 1
    solutions_per_page: Literal[4, 6, 9, 12, 16, 20] = 9
    margins: Literal["auto"] = "auto"
    font: Literal["atkinson-hyperlegible-next", "noto-sans-jp"] = "atkinson-hyperlegible-next"
    openers: bool = True
    recto_only: bool = False


class Section(Struct, frozen=True, forbid_unknown_fields=True):
    """So many puzzles of one level."""

    level: Name
    count: Annotated[int, Meta(ge=1, le=5000)]
    variant: Literal["classic-9x9"] = "classic-9x9"
    title: Text | None = None
    hints: Hints = "none"
    candidates: Candidates = "none"
    minutes: tuple[int, int] | None = None


class Bounds(Struct, frozen=True, forbid_unknown_fields=True):
    """Fewest and most, both included."""

    min: Annotated[int, Meta(ge=17, le=81)] = 17
    max: Annotated[int, Meta(ge=17, le=81)] = 81

    def __post_init__(self) -> None:
        if self.min > self.max:
            raise ValueError(f"min {self.min} is more than max {self.max}")


class Select(Struct, frozen=True, forbid_unknown_fields=True):
    """Which puzzles may be taken."""

    symmetry: Literal["any"] | list[Literal[SYMMETRY_NAMES]] = "any"  # type: ignore[valid-type]
    clues: Bounds = Bounds()
    minimal: bool = False
    order: Literal["score", "random"] = "score"
    max_same_solution_class: Annotated[int, Meta(ge=0)] = 0  # 0 = any number


class Dedupe(Struct, frozen=True, forbid_unknown_fields=True):
    """What counts as the same puzzle, and where it must not have been."""

    within: Depth = "isomorph"
    against: list[Text] = []
    ledger: Text = "puzzlemill-ledger.sqlite"


class Front(Struct, frozen=True, forbid_unknown_fields=True):
    """Pages before the puzzles, in order."""

    pages: list[Literal[FRONT]] = msgspec.field(  # type: ignore[valid-type]
        default_factory=lambda: list(FRONT)
    )


class Back(Struct, frozen=True, forbid_unknown_fields=True):
    """Pages behind them, in order; `blank-grids:4` are four pages."""

    pages: list[BackPart] = msgspec.field(default_factory=lambda: ["solutions"])

    def __post_init__(self) -> None:
        if self.pages.count("solutions") != 1:
            raise ValueError("pages of the back have `solutions` once")


class Output(Struct, frozen=True, forbid_unknown_fields=True):
    """Where the files go, and which are wanted."""

    dir: Text = "book"
    artifacts: list[Literal[ARTIFACTS]] = msgspec.field(  # type: ignore[valid-type]
        default_factory=lambda: list(ARTIFACTS)
    )
    register_in_ledger: bool = False


class Order(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    book: Book
    section: Annotated[list[Section], Meta(min_length=1, max_length=50)]
    print: Print = Print()
    select: Select = Select()
    dedupe: Dedupe = Dedupe()
    front: Front = Front()
    back: Back = Back()
    output: Output = Output()

    @property
    def count(self) -> int:
        """Puzzles in all."""
        return sum(section.count for section in self.section)


def load_order(name_or_path: str | Path, overrides: Mapping[str, Any] | None = None) -> Order:
    """Read an order, or a shipped one by its name; ConfigError says what is wrong in it."""
    path = find_config(str(name_or_path), "order")
    table = read_toml(path)
    for section, values in (overrides or {}).items():
        table[section] = {**table.get(section, {}), **values}
    return check_order(path, table)


def check_order(where: Path | str, table: Mapping[str, Any]) -> Order:
    """The order in a table; ConfigError when it is malformed or names what there is not."""
    try:
        order = msgspec.convert(dict(table), Order)
    except msgspec.ValidationError as wrong:
        raise ConfigError(where, " ".join(str(wrong).split())) from None
    profile = find_profile(order.print.profile)
    trim_size(order.print.trim)
    if order.print.paper not in profile.spine_per_page:
        known = ", ".join(profile.spine_per_page)
        raise ConfigError(where, f"print.paper: {order.print.paper!r} (known: {known})")
    if order.output.register_in_ledger and (order.book.series is None or order.book.volume is None):
        raise ConfigError(where, "register_in_ledger needs book.series and book.volume")
    return order
