"""What a print service takes, and the sheet that follows: trim, margins, least sizes.

All figures are those of profiles.toml, which says of what date they are. Lengths here are points.
"""

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct

from pipeline.toml import near
from workers.errors import UsageError

INCH: Final = 72.0


class Profile(Struct, frozen=True, forbid_unknown_fields=True):
    """One print service; lengths in inches as in its guide."""

    title: str
    pages: tuple[int, int]
    most_pages: dict[str, int]
    gutter: list[tuple[int, float]]
    outside: float
    vertical: float
    blank_run: int
    blank_end: int
    megabytes: int
    text_pt: float
    line_pt: float
    tint_percent: float
    spine_per_page: dict[str, float]
    spine_text_pages: int
    cover_bleed: float


class House(Struct, frozen=True, forbid_unknown_fields=True):
    """What books of ours keep to beyond a profile."""

    gutter_extra: float
    gutter_least: float
    gutter_wide: dict[str, float]
    outside_least: float
    vertical_least: float
    text_pt: float
    line_pt: float
    tint_percent: float
    grid_inches: dict[str, float]
    heavy_to_light: float
    heavy_to_light_solutions: float
    solution_digit_pt: float


class LargePrint(Struct, frozen=True, forbid_unknown_fields=True):
    """Least sizes of a large print book, in points."""

    text_pt: float
    clue_pt: float
    solution_pt: float


class Profiles(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    date: str
    trim: dict[str, tuple[float, float]]
    profile: dict[str, Profile]
    house: House
    large_print: LargePrint = msgspec.field(name="large-print")


class Sheet(NamedTuple):
    """One page of a book of a known number of pages, in points."""

    width: float
    height: float
    gutter: float
    outside: float
    vertical: float

    def left(self, page: int) -> float:
        """Where the text of a page (from 1) starts; odd pages are on the right hand."""
        return self.gutter if page % 2 else self.outside

    @property
    def text_width(self) -> float:
        """Width of what may be printed on."""
        return self.width - self.gutter - self.outside

    @property
    def text_height(self) -> float:
        """Height of what may be printed on."""
        return self.height - 2 * self.vertical


@cache
def load_profiles() -> Profiles:
    """The profiles that ship with the program."""
    import tomllib

    text = resources.files(__package__).joinpath("profiles.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Profiles)


def find_profile(name: str) -> Profile:
    """The profile of a name; UsageError lists the known ones."""
    found: Profile = _find(load_profiles().profile, name, "print profile")
    return found


def trim_size(name: str) -> tuple[float, float]:
    """Width and height of a trim, in points; UsageError lists the known ones."""
    width, height = _find(load_profiles().trim, name.lower(), "trim")
    return width * INCH, height * INCH


def sheet_of(profile: Profile, trim: str, pages: int) -> Sheet:
    """The sheet of a book of so many pages; UsageError when the service takes no such book."""
    house = load_profiles().house
    width, height = trim_size(trim)
    gutter = gutter_inches(profile, pages) + house.gutter_extra
    least = house.gutter_wide.get(trim.lower(), house.gutter_least)
    return Sheet(
        width,
        height,
        max(gutter, least) * INCH,
        max(profile.outside, house.outside_least) * INCH,
        max(profile.vertical, house.vertical_least) * INCH,
    )


def gutter_inches(profile: Profile, pages: int) -> float:
    """The least inside margin for so many pages."""
    return next((width for most, width in profile.gutter if pages <= most), profile.gutter[-1][1])


def page_faults(profile: Profile, trim: str, pages: int) -> list[str]:
    """Why the service takes no book of so many pages; empty when it does."""
    least, most = profile.pages[0], min(profile.pages[1], profile.most_pages.get(trim, 10**6))
    if not least <= pages <= most:
        return [f"{pages} pages; {profile.title} takes {least} to {most} of {trim}"]
    return ["an odd number of pages"] if pages % 2 else []


def _find(known: Mapping[str, Any], name: str, what: str) -> Any:
    if name not in known:
        hint = near(name, known) or f"known are {', '.join(known)}"
        raise UsageError(name, f"no such {what} ({hint})")
    return known[name]
