"""The file itself: fonts, colours, and what a print service refuses to have in it."""

import io
import re
from collections.abc import Iterator
from typing import Any, Final

from pipeline.book.check.findings import Findings
from pipeline.render.extra import require
from workers.errors import UsageError

BASE_14: Final = re.compile(r"Helvetica|Times|Courier|Symbol|ZapfDingbats")
SUBSET: Final = re.compile(r"^/?[A-Z]{6}\+")
IN_CATALOG: Final = {"/Outlines": "bookmarks", "/Metadata": "metadata", "/AcroForm": "a form",
                     "/OCProperties": "layers", "/OpenAction": "an action",
                     "/AA": "actions"}  # fmt: skip
GREY_OPERATORS: Final = ("g", "G")
CMYK_OPERATORS: Final = ("k", "K")
OTHER_OPERATORS: Final = ("rg", "RG", "cs", "CS", "sc", "SC", "scn", "SCN", "sh")
WHITE: Final = 0.999


def check_file(pdf: bytes, megabytes: int, tint: float, findings: Findings) -> None:
    """Fonts, refused objects and colours; `tint` is the least share of black, 0 to 1."""
    pikepdf: Any = require("pikepdf")
    try:
        opened = pikepdf.open(io.BytesIO(pdf))
    except pikepdf.PdfError as error:
        raise UsageError("PDF", f"is broken or locked ({error})") from None
    with opened as book:
        findings.test("refused objects", _objects(book, len(pdf), megabytes))
        findings.test("fonts", _fonts(book))
        findings.test("colours", _colours(pikepdf, book, tint))


def _objects(book: Any, size: int, megabytes: int) -> Iterator[tuple[int | None, str]]:
    if size > megabytes << 20:
        yield None, f"{size >> 20} MB, more than {megabytes}"
    if book.is_encrypted:
        yield None, "is encrypted"
    for key, what in IN_CATALOG.items():
        if key in book.Root:
            yield None, f"has {what} ({key})"
    names = book.Root.get("/Names", {})
    for key, what in (("/EmbeddedFiles", "embedded files"), ("/JavaScript", "scripts")):
        if key in names:
            yield None, f"has {what}"
    if "/Info" in book.trailer and len(book.trailer["/Info"]):
        yield None, "has an information dictionary"
    for number, page in enumerate(book.pages, start=1):
        if "/Annots" in page.obj and len(page.obj["/Annots"]):
            yield number, "has annotations or links"
        states = page.obj.get("/Resources", {}).get("/ExtGState", {})
        if any(_transparent(state) for state in (states.values() if states else ())):
            yield number, "has transparency"


def _transparent(state: Any) -> bool:
    clear = any(float(state.get(key, 1)) < 1 for key in ("/ca", "/CA"))
    blend = str(state.get("/BM", "/Normal")) not in ("/Normal", "/Compatible")
    return clear or blend or str(state.get("/SMask", "/None")) != "/None"


def _fonts(book: Any) -> Iterator[tuple[int | None, str]]:
    seen: set[Any] = set()
    for number, page in enumerate(book.pages, start=1):
        fonts = page.obj.get("/Resources", {}).get("/Font", {})
        for font in fonts.values() if fonts else ():
            if font.objgen in seen and font.objgen != (0, 0):
                continue
            seen.add(font.objgen)
            what = _font_fault(font)
            if what:
                yield number, what


def _font_fault(font: Any) -> str:
    name = str(font.get("/BaseFont", "/unnamed"))[1:]
    if str(font.get("/Subtype")) == "/Type3":
        return f"font {name} is of type 3"
    inner = font["/DescendantFonts"][0] if "/DescendantFonts" in font else font
    descriptor = inner.get("/FontDescriptor", {})
    if not any(key in descriptor for key in ("/FontFile", "/FontFile2", "/FontFile3")):
        return f"font {name} is not embedded"
    if BASE_14.match(SUBSET.sub("", name)):
        return f"font {name} is one of the base 14"
    return "" if SUBSET.match(name) else f"font {name} is embedded whole"


def _colours(pikepdf: Any, book: Any, tint: float) -> Iterator[tuple[int | None, str]]:
    wanted = " ".join((*GREY_OPERATORS, *CMYK_OPERATORS, *OTHER_OPERATORS, "Do"))
    for number, page in enumerate(book.pages, start=1):
        told: set[str] = set()
        for operands, operator in pikepdf.parse_content_stream(page, wanted):
            what = _colour_fault(str(operator), operands, tint)
            if what and what not in told:
                told.add(what)
                yield number, what
        images = page.obj.get("/Resources", {}).get("/XObject", {})
        for image in images.values() if images else ():
            if str(image.get("/Subtype")) == "/Image":
                yield number, "has an image"


def _colour_fault(operator: str, operands: Any, tint: float) -> str:
    if operator in CMYK_OPERATORS:
        values = [float(one) for one in operands]
        if any(values[:3]):
            return f"colour {' '.join(f'{one:g}' for one in values)} is not black alone"
        share = values[3]
    elif operator in GREY_OPERATORS:
        share = 1 - float(operands[0])
    elif (
        operator in ("cs", "CS") and str(operands[0]) in ("/DeviceGray", "/DeviceCMYK")
    ) or operator == "Do":
        return ""
    else:
        return f"a colour that is neither grey nor black ink alone ({operator})"
    if 1 - WHITE < share < tint:
        return f"a tint of {share:.0%}, {tint:.0%} wanted"
    return ""
