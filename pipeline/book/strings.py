"""What a book says, by language: one TOML file a language, all with the same keys."""

import re
import tomllib
from functools import cache
from importlib import resources
from typing import Final

import msgspec
from msgspec import Struct

LANGUAGES: Final = ("en", "de", "fr", "es", "ja")


class Strings(Struct, frozen=True, forbid_unknown_fields=True):
    """The texts of one language; braces name what is filled in."""

    language: str
    puzzle: str
    puzzles: str
    volume: str
    range: str
    puzzle_range: str
    solution_at: str
    hint_at: str
    walkthrough_at: str
    solutions: str
    solutions_range: str
    hints: str
    walkthroughs: str
    contents: str
    how_to_play: str
    levels: str
    blank_grids: str
    also_by: str
    page: str
    started: str
    finished: str
    rights: str
    made: str
    isbn: str
    rules: list[str]
    cells_named: str
    level_intro: str
    level_needs: str
    level_time: str
    level_count: str
    first_steps: str
    key_step: str
    then: str
    solved_by_singles: str
    level: dict[str, str]
    needs: dict[str, str]

    def level_word(self, name: str) -> str:
        """What a level is called; a level of another file than the shipped one keeps its name."""
        return self.level.get(name, name.capitalize())


@cache
def load_strings(language: str) -> Strings:
    """The texts of a language."""
    path = resources.files(__package__).joinpath("strings", f"{language}.toml")
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Strings)


def pattern(template: str) -> re.Pattern[str]:
    """What reads back what a template wrote: numbers where its braces are."""
    parts = re.split(r"\{(\w+)\}", template)
    made = [
        re.escape(part).replace(r"\ ", r"\s*") if place % 2 == 0 else rf"\s*(?P<{part}>\d+)\s*"
        for place, part in enumerate(parts)
    ]
    return re.compile("".join(made))
