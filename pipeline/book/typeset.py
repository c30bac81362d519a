"""Pages become PDF: Typst draws them, and the print file loses all that a print service refuses.

Equal pages give equal bytes: no date is written, and identifiers follow from the content.
"""

import io
import json
import tempfile
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any, Final

from pipeline.book.items import Page
from pipeline.book.order import Order
from pipeline.book.profiles import Sheet
from pipeline.render.extra import require
from pipeline.render.fonts import FAMILIES, SANS, font_folder, refuse_missing
from workers.errors import PuzzleError

REFUSED_IN_CATALOG: Final = ("/Outlines", "/Metadata", "/StructTreeRoot", "/MarkInfo", "/AcroForm",
                             "/Names", "/Dests", "/OpenAction", "/ViewerPreferences", "/PageLabels",
                             "/OCProperties", "/OutputIntents", "/Lang")  # fmt: skip
REFUSED_IN_PAGE: Final = ("/Annots", "/Tabs", "/StructParents", "/Metadata", "/Group")
SCREEN_STANDARD: Final = "ua-1"
PRINT_STANDARD: Final = "1.4"


def print_pdf(order: Order, pages: Sequence[Page], sheet: Sheet) -> bytes:
    """The interior as a print service takes it: no bookmarks, links, metadata or tags."""
    return _stripped(_compiled(order, pages, sheet, tagged=False))


def screen_pdf(order: Order, pages: Sequence[Page], sheet: Sheet) -> bytes:
    """The same book for reading on a screen: tagged (PDF/UA-1), with bookmarks."""
    return _compiled(order, pages, sheet, tagged=True)


def _compiled(order: Order, pages: Sequence[Page], sheet: Sheet, tagged: bool) -> bytes:
    typst = require("typst")
    families = _families(order)
    texts = [item["text"] for page in pages for item in page.items if item["t"] == "text"]
    refuse_missing([order.book.title, *texts], families)
    book = {
        "tagged": tagged,
        "title": order.book.title,
        "author": order.book.author or "",
        "language": order.book.language,
        "families": families,
        "digits": SANS,  # it has a bold, which tells clues from the rest
        "width": sheet.width,
        "height": sheet.height,
        "pages": [page.items for page in pages],
    }
    template = resources.files(__package__).joinpath("book.typ").read_bytes()
    with tempfile.TemporaryDirectory(prefix="puzzlemill-book-") as name:
        folder = Path(name)
        (folder / "book.typ").write_bytes(template)
        (folder / "pages.json").write_text(json.dumps(book, ensure_ascii=False), encoding="utf-8")
        try:
            made: bytes = typst.compile(
                str(folder / "book.typ"),
                root=name,
                font_paths=[str(font_folder())],
                ignore_system_fonts=True,
                format="pdf",
                pdf_standards=[SCREEN_STANDARD if tagged else PRINT_STANDARD],
                pdf_tags=tagged,
            )
        except typst.TypstError as error:
            raise PuzzleError("Typst", " ".join(str(error).split())) from None
    return made


def _families(order: Order) -> tuple[str, ...]:
    return FAMILIES[order.print.font]


def _stripped(pdf: bytes) -> bytes:
    pikepdf: Any = require("pikepdf")
    with pikepdf.open(io.BytesIO(pdf)) as book:
        for key in REFUSED_IN_CATALOG:
            if key in book.Root:
                del book.Root[key]
        for page in book.pages:
            for key in REFUSED_IN_PAGE:
                if key in page.obj:
                    del page.obj[key]
        if "/Info" in book.trailer:
            del book.trailer["/Info"]
        book.remove_unreferenced_resources()
        made = io.BytesIO()
        book.save(
            made,
            deterministic_id=True,
            object_stream_mode=pikepdf.ObjectStreamMode.disable,
            compress_streams=True,
            force_version="1.4",
        )
    return made.getvalue()
