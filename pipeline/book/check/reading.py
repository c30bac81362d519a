"""What is on the pages of a PDF: texts in lines, strokes, boxes; points from the upper left."""

import ctypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from pipeline.render.extra import require
from workers.errors import UsageError

SAME_LINE: Final = 0.6
WORD_GAP: Final = 0.12
"""Of the size of a text: a wider gap is a blank."""
COLUMN_GAP: Final = 2.2
"""A wider gap parts two texts that happen to stand on one line."""


THICKEST, SHORTEST = 5.0, 15.0
"""Points: a filled box no thicker and no shorter than these is a line."""
Point: TypeAlias = tuple[float, float]


class Char(NamedTuple):
    """A character: where it starts and ends on its baseline, its box, size, whether it is bold."""

    sign: str
    x: float
    end: float
    y: float
    left: float
    top: float
    right: float
    bottom: float
    size: float
    bold: bool


class Stroke(NamedTuple):
    """A straight horizontal or vertical line."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float

    @property
    def flat(self) -> bool:
        """Whether it is horizontal."""
        return abs(self.y1 - self.y2) < abs(self.x1 - self.x2)


class TextLine(NamedTuple):
    """Characters on one baseline that belong together."""

    text: str
    x: float
    right: float
    y: float
    size: float
    bold: bool


class PageRead(NamedTuple):
    """One page as it was read; `ink` is the box of all that is on it, None when it is blank."""

    number: int
    width: float
    height: float
    rotation: int
    boxes: dict[str, tuple[float, float, float, float]]
    chars: list[Char]
    strokes: list[Stroke]
    other_widths: list[float]  # of strokes that are not straight
    ink: tuple[float, float, float, float] | None


class Reader:
    """An opened PDF."""

    def __init__(self, pdf: bytes, name: str) -> None:
        self._pdfium: Any = require("pypdfium2")
        self.raw: Any = require("pypdfium2.raw")
        try:
            self.document = self._pdfium.PdfDocument(pdf)
        except self._pdfium.PdfiumError as error:
            raise UsageError(name, f"is no PDF that can be read ({error})") from None
        self._fonts: dict[int, bool] = {}

    def pages(self) -> Iterator[PageRead]:
        """All pages in order."""
        for index in range(len(self.document)):
            page = self.document[index]
            try:
                yield self._page(page, index + 1)
            finally:
                page.close()

    def _page(self, page: Any, number: int) -> PageRead:
        width, height = page.get_size()
        boxes = {name: getattr(page, f"get_{name}box")() for name in ("media", "crop", "trim")}
        strokes: list[Stroke] = []
        widths: list[float] = []
        extents: list[tuple[float, float, float, float]] = []
        for item in page.get_objects(max_depth=4):
            if item.type == self.raw.FPDF_PAGEOBJ_PATH:
                self._path(item, height, strokes, widths, extents)
            elif item.type not in (self.raw.FPDF_PAGEOBJ_TEXT, self.raw.FPDF_PAGEOBJ_FORM):
                left, bottom, right, top = _bounds(item)
                extents.append((left, height - top, right, height - bottom))
        chars = self._chars(page, height)
        extents += [(one.left, one.top, one.right, one.bottom) for one in chars]
        return PageRead(number, width, height, page.get_rotation(), boxes, chars, strokes, widths,
                        _union(extents))  # fmt: skip

    def _path(self, item: Any, height: float, strokes: list[Stroke], widths: list[float],
              extents: list[tuple[float, float, float, float]]) -> None:  # fmt: skip
        raw, found = self.raw, ctypes.c_float()
        fill, stroked = ctypes.c_int(), ctypes.c_int()
        raw.FPDFPath_GetDrawMode(item.raw, fill, stroked)
        left, bottom, right, top = _bounds(item)
        box = (left, height - top, right, height - bottom)
        if not stroked.value:
            extents.append(box)
            strokes += _bar(box)
            return
        raw.FPDFPageObj_GetStrokeWidth(item.raw, found)
        a, b, c, d, _, _ = item.get_matrix().get()
        width = found.value * (abs(a * d - b * c) ** 0.5)
        ends = self._ends(item, height)
        if ends is None:
            widths.append(width)
            extents.append(box)
            return
        own = [Stroke(*min(pair), *max(pair), width) for pair in ends]
        strokes += own
        extents += [_extent(stroke) for stroke in own]  # pdfium's box has room for ends

    def _ends(self, item: Any, height: float) -> list[tuple[Point, Point]] | None:
        """The ends of the lines of a path; None when one of them is a curve."""
        raw = self.raw
        a, b, c, d, e, f = item.get_matrix().get()
        x, y = ctypes.c_float(), ctypes.c_float()
        start = at = (0.0, 0.0)
        ends: list[tuple[Point, Point]] = []
        for place in range(raw.FPDFPath_CountSegments(item.raw)):
            segment = raw.FPDFPath_GetPathSegment(item.raw, place)
            raw.FPDFPathSegment_GetPoint(segment, x, y)
            here = (a * x.value + c * y.value + e, height - (b * x.value + d * y.value + f))
            sort = raw.FPDFPathSegment_GetType(segment)
            if sort == raw.FPDF_SEGMENT_BEZIERTO:
                return None
            if sort == raw.FPDF_SEGMENT_MOVETO:
                start = here
            else:
                ends.append((at, here))
            if raw.FPDFPathSegment_GetClose(segment):
                ends.append((here, start))
            at = here
        return [pair for pair in ends if pair[0] != pair[1]]

    def _chars(self, page: Any, height: float) -> list[Char]:
        raw = self.raw
        text = page.get_textpage()
        left, right, bottom, top = (ctypes.c_double() for _ in range(4))
        x, y = ctypes.c_double(), ctypes.c_double()
        loose = raw.FS_RECTF()
        made: list[Char] = []
        for place in range(text.count_chars()):
            code = raw.FPDFText_GetUnicode(text.raw, place)
            if raw.FPDFText_IsGenerated(text.raw, place) == 1 or code in (0, 10, 13, 32, 160):
                continue
            raw.FPDFText_GetCharBox(text.raw, place, left, right, bottom, top)
            raw.FPDFText_GetCharOrigin(text.raw, place, x, y)
            raw.FPDFText_GetLooseCharBox(text.raw, place, loose)
            made.append(
                Char(
                    chr(code),
                    x.value,
                    loose.right,
                    height - y.value,
                    left.value,
                    height - top.value,
                    right.value,
                    height - bottom.value,
                    raw.FPDFText_GetFontSize(text.raw, place),
                    self._bold(text, place),
                )
            )
        text.close()
        return made

    def _bold(self, text: Any, place: int) -> bool:
        name = ctypes.create_string_buffer(96)
        flags = ctypes.c_int()
        self.raw.FPDFText_GetFontInfo(text.raw, place, name, 96, flags)
        return b"Bold" in name.value


def _bar(box: tuple[float, float, float, float]) -> list[Stroke]:
    """A filled box that is as thin as a line, as a line."""
    left, top, right, bottom = box
    wide, tall = right - left, bottom - top
    if min(wide, tall) > THICKEST or max(wide, tall) < SHORTEST:
        return []
    if wide > tall:
        middle = (top + bottom) / 2
        return [Stroke(left, middle, right, middle, tall)]
    middle = (left + right) / 2
    return [Stroke(middle, top, middle, bottom, wide)]


def _extent(stroke: Stroke) -> tuple[float, float, float, float]:
    """The box of a line with straight ends."""
    half = stroke.width / 2
    top, bottom = min(stroke.y1, stroke.y2), max(stroke.y1, stroke.y2)
    if stroke.flat:
        return stroke.x1, top - half, stroke.x2, bottom + half
    return stroke.x1 - half, top, stroke.x2 + half, bottom


def _bounds(item: Any) -> tuple[float, float, float, float]:
    left, bottom, right, top = item.get_bounds()
    return left, bottom, right, top


def _union(
    boxes: list[tuple[float, float, float, float]],
) -> tuple[float, float, float, float] | None:
    if not boxes:
        return None
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


def text_lines(chars: list[Char]) -> list[TextLine]:
    """Characters as lines of text, from top to bottom and left to right."""
    rows: list[list[Char]] = []
    for char in sorted(chars, key=lambda one: (one.y, one.x)):
        if rows and abs(rows[-1][0].y - char.y) < SAME_LINE:
            rows[-1].append(char)
        else:
            rows.append([char])
    return [line for row in rows for line in _split(sorted(row, key=lambda one: one.x))]


def _split(row: list[Char]) -> Iterator[TextLine]:
    """The texts of one baseline."""
    text = ""
    first, last = row[0], row[0]
    for char in row:
        gap = char.x - last.end
        if text and gap > COLUMN_GAP * char.size:
            yield TextLine(text, first.left, last.right, first.y, first.size, first.bold)
            text, first = "", char
        elif text and gap > WORD_GAP * char.size:
            text += " "
        text += char.sign
        last = char
    yield TextLine(text, first.left, last.right, first.y, first.size, first.bold)


def read_file(path: Path) -> bytes:
    """The bytes of a file; UsageError when it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(path, error.strerror or "cannot be read") from None
