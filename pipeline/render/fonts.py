"""The fonts that ship with the program: where they are, how wide text is, what they cannot show."""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final, NamedTuple

from pipeline.render.extra import require
from workers.errors import UsageError

SANS: Final = "Atkinson Hyperlegible Next"
JAPANESE: Final = "Noto Sans JP"
FAMILIES: Final[Mapping[str, tuple[str, ...]]] = {
    "atkinson-hyperlegible-next": (SANS, JAPANESE),
    "noto-sans-jp": (JAPANESE, SANS),
}
"""Name in an order -> families; a character is set in the first that has it."""
REGULAR, BOLD = 400, 700
_FILES: Final = {
    (SANS, REGULAR): "AtkinsonHyperlegibleNext-Regular.ttf",
    (SANS, BOLD): "AtkinsonHyperlegibleNext-Bold.ttf",
    (JAPANESE, REGULAR): "NotoSansJP-subset.ttf",
    (JAPANESE, BOLD): "NotoSansJP-subset.ttf",  # one weight: headings differ by size
}


class Face(NamedTuple):
    """Advance widths by character in ems, and the height of a capital."""

    widths: Mapping[str, float]
    cap_height: float


def font_folder() -> Path:
    """The folder of the font files."""
    return Path(str(resources.files("pipeline.render").joinpath("fonts")))


@cache
def face(family: str, weight: int) -> Face:
    """The measures of a font that ships with the program."""
    ttlib: Any = require("fontTools.ttLib")
    path = font_folder() / _FILES[family, weight]
    with ttlib.TTFont(path, lazy=True) as font:
        em = font["head"].unitsPerEm
        advances = font["hmtx"].metrics
        widths = {chr(code): advances[name][0] / em for code, name in font.getBestCmap().items()}
        return Face(widths, font["OS/2"].sCapHeight / em)


def width(text: str, size: float, weight: int, families: tuple[str, ...]) -> float:
    """The length of a text in the unit of `size`; kerning may make it a little shorter."""
    faces = [face(family, weight).widths for family in families]
    return size * sum(
        next((widths[sign] for widths in faces if sign in widths), 1.0) for sign in text
    )


def refuse_missing(texts: Iterable[str], families: tuple[str, ...]) -> None:
    """Raise UsageError that names the first character which no font can show, and its text."""
    known = set().union(*(face(family, REGULAR).widths for family in families))
    for text in texts:
        for sign in text:
            if sign not in known and sign not in "\n\u00a0\u2060":
                import unicodedata

                name = unicodedata.name(sign, "no name")
                what = f"no font of the book has {sign!r} (U+{ord(sign):04X}, {name.lower()})"
                raise UsageError(f"{text.strip()[:40]!r}", what)
