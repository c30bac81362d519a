"""The cover: its sizes for so many pages, and a guide to draw it on, as SVG and PDF.

Back, spine and front lie side by side; the guide shows trim, bleed, spine and safe areas.
"""

from typing import Any, NamedTuple

from pipeline.book.order import Order
from pipeline.book.profiles import INCH, find_profile, trim_size
from pipeline.render.extra import require
from pipeline.render.fonts import font_folder

SAFE = 0.125 * INCH
SPINE_CLEAR = 0.0625 * INCH


class Cover(NamedTuple):
    """Lengths in inches; `spine_text` says whether the spine may have a text."""

    pages: int
    paper: str
    trim_width: float
    trim_height: float
    spine_width: float
    bleed: float
    width: float
    height: float
    spine_text: bool
    large_trim: bool


def cover_of(order: Order, pages: int) -> Cover:
    """The sizes of the cover of a book of so many pages."""
    profile = find_profile(order.print.profile)
    width, height = (length / INCH for length in trim_size(order.print.trim))
    spine = pages * profile.spine_per_page[order.print.paper]
    bleed = profile.cover_bleed
    return Cover(
        pages,
        order.print.paper,
        round(width, 3),
        round(height, 3),
        round(spine, 4),
        bleed,
        round(2 * width + spine + 2 * bleed, 4),
        round(height + 2 * bleed, 4),
        pages >= profile.spine_text_pages,
        width > 6.12 or height > 9,
    )


def cover_svg(cover: Cover, title: str) -> str:
    """The guide as SVG, in points."""
    from html import escape

    width, height = cover.width * INCH, cover.height * INCH
    bleed, spine, trim = (one * INCH for one in (cover.bleed, cover.spine_width, cover.trim_width))
    left, right = bleed + trim, bleed + trim + spine
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}pt" height="{height:g}pt" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="Atkinson Hyperlegible Next, sans-serif">'
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>',
        _box(bleed, bleed, width - 2 * bleed, height - 2 * bleed, "2"),
        _box(left, 0, spine, height, "1"),
        _box(bleed + SAFE, bleed + SAFE, trim - 2 * SAFE, height - 2 * bleed - 2 * SAFE, "0.75", 1),
        _box(right + SAFE, bleed + SAFE, trim - 2 * SAFE, height - 2 * bleed - 2 * SAFE, "0.75", 1),
    ]
    lines = [
        f"{cover.pages} pages, {cover.paper} paper",
        f"cover {cover.width:g} x {cover.height:g} in, spine {cover.spine_width:g} in",
        "spine text allowed" if cover.spine_text else "too thin for a spine text",
        "solid: trim and spine; outside of it: bleed; dashed: keep texts inside",
    ]
    for at, word in ((bleed + trim / 2, "back"), (right + trim / 2, "front")):
        parts.append(_text(at, height * 0.3, 28, word))
    parts.append(_text(right + trim / 2, height * 0.38, 18, escape(title)))
    for row, one in enumerate(lines):
        parts.append(_text(bleed + trim / 2, height * 0.42 + row * 20, 13, one))
    return "\n".join([*parts, "</svg>\n"])


def _box(x: float, y: float, width: float, height: float, stroke: str, dashed: int = 0) -> str:
    dash = ' stroke-dasharray="6 4"' if dashed else ""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="none" '
        f'stroke="#000" stroke-width="{stroke}"{dash}/>'
    )


def _text(x: float, y: float, size: int, words: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="middle">{words}</text>'


def cover_pdf(cover: Cover, svg: str) -> bytes:
    """The guide as a PDF of the cover's size."""
    typst: Any = require("typst")
    source = (
        f"#set document(date: none)\n"
        f"#set page(width: {cover.width}in, height: {cover.height}in, margin: 0pt)\n"
        '#image(bytes(sys.inputs.svg), format: "svg", width: 100%, height: 100%)'
    )
    made: bytes = typst.compile(
        source.encode(), font_paths=[str(font_folder())], ignore_system_fonts=True, format="pdf",
        pdf_tags=False, sys_inputs={"svg": svg}
    )  # fmt: skip
    return made
