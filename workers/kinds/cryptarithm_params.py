"""How cryptarithms are made and rated: the settings of a plan."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from workers.engines.cryptarithm import grade, search
from workers.engines.cryptarithm.generate import MOST_ADDENDS
from workers.engines.cryptarithm.techniques import LEVELS
from workers.kinds.cryptarithm_words import LANGUAGES, LONGEST_WORD

Language = Literal["de", "en", "es", "fr", "it", "pt"]
Letters = Annotated[int, Meta(ge=2, le=16)]
Budget = Annotated[int, Meta(ge=1, le=10**12)]
Level = Annotated[int, Meta(ge=0, le=len(LEVELS) - 1)]
Base = Annotated[int, Meta(ge=2, le=16)]
Length = Annotated[int, Meta(ge=1, le=LONGEST_WORD)]
Zipf = Annotated[float, Meta(ge=0, le=10)]
Count = Annotated[int, Meta(ge=2, le=MOST_ADDENDS)]


class CryptarithmParams(Struct, frozen=True, forbid_unknown_fields=True):
    """How puzzles are generated, and how much search and rater may look at.

    `method` is the form: `sum`, `difference` (A-B=C), `product` (A*B=C), or `doubly-true`: number
    words whose numbers add up too. Every puzzle has one proven solution.
    """

    method: Literal["sum", "difference", "product", "doubly-true"] = "sum"
    language: Language = "en"
    words: tuple[Annotated[str, Meta(max_length=40)], ...] = ()
    """A list of words of one's own, such as a theme, in place of the language's."""
    frequency: tuple[Zipf, Zipf] = (3.8, 9.0)
    """Least and greatest Zipf frequency (log10 of uses in 10**9 words); own words have none."""
    word_length: tuple[Length, Length] = (3, 7)
    """Fewest and most letters of a word."""
    addends: tuple[Count, Count] = (2, 3)
    """Sums: fewest and most words that are added."""
    letters: tuple[Letters, Letters] = (5, 10)
    """Fewest and most different letters."""
    letter_turns: Annotated[tuple[tuple[Letters, Letters], ...], Meta(max_length=20)] = ()
    """Such pairs that rows take in turn, in place of `letters`."""
    base: Base = 10
    level: Level | None = None
    """The level wanted, 0 to 5 on the scale of the rater `logic`."""
    levels: tuple[Level, Level] | None = None
    """Or the easiest and the hardest that are wanted."""
    offensive: bool = False
    """Take words that some may find offensive."""
    attempts: Annotated[int, Meta(ge=1, le=10**12)] = 50_000_000
    """Words drawn for one job's puzzles of one pair of letters before the job is given up."""
    search_budget: Budget = search.DEFAULT_BUDGET
    """Digits tried to count the solutions of one puzzle."""
    logic_budget: Budget = grade.DEFAULT_BUDGET
    """Suppositions of the rater `logic` for one puzzle; one that needs more is marked."""

    def __post_init__(self) -> None:
        pairs = {"frequency": self.frequency, "word_length": self.word_length,
                 "addends": self.addends, "levels": self.levels}  # fmt: skip
        for name, bounds in [*pairs.items(), *(("letters", pair) for pair in self.letter_ranges)]:
            if bounds is not None and bounds[0] > bounds[1]:
                raise ValueError(f"{name}: {bounds[0]} is more than {bounds[1]}")
        if any(pair[0] > self.base for pair in self.letter_ranges):
            raise ValueError(f"letters: more than the {self.base} digits of the base")
        if self.method != "doubly-true" and not self.words and self.language not in LANGUAGES:
            raise ValueError(f"language: {self.language} has number words only")
        if self.method == "doubly-true" and self.words:
            raise ValueError("words: doubly true puzzles take the number words of a language")
        if self.level is not None and self.levels is not None:
            raise ValueError("level: not together with levels")
        if self.method == "product" and self.level_bounds is not None:
            raise ValueError("level: products have none")

    @property
    def letter_ranges(self) -> tuple[tuple[int, int], ...]:
        """The pairs of letters that rows take in turn, one or more."""
        return self.letter_turns or (self.letters,)

    @property
    def level_bounds(self) -> tuple[int, int] | None:
        """The easiest and the hardest level wanted, None for any."""
        return self.levels if self.level is None else (self.level, self.level)
