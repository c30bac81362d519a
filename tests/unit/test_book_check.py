"""The checker of printed books: a right book passes, and every kind of spoiled one is rejected."""

import io
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from pipeline.book.build import Draft, laid_out, manifest_of
from pipeline.book.check.report import Report, check_pdf
from pipeline.book.items import Item, Page
from pipeline.book.manifest import BookManifest
from pipeline.book.order import check_order
from pipeline.book.typeset import print_pdf

pikepdf: Any = pytest.importorskip("pikepdf")
pytest.importorskip("typst")
pytest.importorskip("pypdfium2")

ORDER = {
    "book": {
        "title": "Sudoku, a Test",
        "volume": 1,
        "series": "test",
        "seed": 7,
        "author": "P. Mill",
    },
    "print": {"large_print": True, "puzzles_per_page": 1, "solutions_per_page": 9},
    "section": [
        {"level": "easy", "count": 4},
        {"level": "medium", "count": 3, "hints": "first-steps"},
        {"level": "hard", "count": 2, "hints": "walkthrough"},
    ],
    "select": {"symmetry": ["rotate180"], "max_same_solution_class": 1},
    "back": {"pages": ["solutions", "blank-grids:4"]},
}
Pages = list[Page]


class Book(NamedTuple):
    draft: Draft
    pdf: bytes
    manifest: BookManifest

    def spoiled(self, change: Callable[[Pages], None]) -> bytes:
        """The print file after a change of its pages."""
        pages = [
            Page(one.sort, one.number, [dict(item) for item in one.items])
            for one in self.draft.composed.pages
        ]
        change(pages)
        return print_pdf(self.draft.order, pages, self.draft.composed.sheet)


@pytest.fixture(scope="module")
def book() -> Book:
    draft = laid_out(check_order("test", ORDER), fill=True)
    pdf = print_pdf(draft.order, draft.composed.pages, draft.composed.sheet)
    return Book(draft, pdf, manifest_of(draft, pdf))


def grids(pages: Pages, sort: str) -> list[Item]:
    return [
        item for page in pages if page.sort == sort for item in page.items if item["t"] == "grid"
    ]


def texts(pages: Pages, start: str) -> Iterator[Item]:
    for page in pages:
        for item in page.items:
            if item["t"] == "text" and item["text"].startswith(start):
                yield item


def faulty(report: Report) -> set[str]:
    return {fault.test for fault in report.faults}


def test_a_right_book_passes_every_test(book: Book) -> None:
    report = check_pdf(book.pdf, book.manifest)
    assert report.faults == []
    assert (report.puzzles, report.solutions, report.pages % 2) == (9, 9, 0)
    assert len(report.tests) >= 20


def test_a_right_book_passes_without_its_manifest(book: Book) -> None:
    report = check_pdf(book.pdf)
    assert report.faults == []
    assert "manifest" in report.left_out


def test_equal_pages_give_equal_bytes(book: Book) -> None:
    again = laid_out(check_order("test", ORDER), fill=True)
    assert print_pdf(again.order, again.composed.pages, again.composed.sheet) == book.pdf


def lose_a_clue(pages: Pages) -> None:
    clues = grids(pages, "puzzles")[0]["clues"]
    clues[next(at for at, sign in enumerate(clues) if sign)] = ""


def swap_solution_digits(pages: Pages) -> None:
    late = grids(pages, "solutions")[2]["late"]
    one, two = [at for at, sign in enumerate(late) if sign][:2]
    late[one], late[two] = late[two], late[one]


def shift_a_page(pages: Pages) -> None:
    page = next(page for page in pages if page.sort == "puzzles" and page.number % 2)
    for item in page.items:
        for key in ("x", "x1", "x2"):
            if key in item:
                item[key] -= 0.3 * 72


def thin_a_line(pages: Pages) -> None:
    grids(pages, "puzzles")[1]["light"] = 0.5


def swap_numbers(pages: Pages) -> None:
    one, two = next(texts(pages, "Puzzle 1")), next(texts(pages, "Puzzle 2"))
    one["text"], two["text"] = two["text"], one["text"]


def add_a_twin(pages: Pages) -> None:
    """Puzzle 2 becomes puzzle 1 with its digits renamed, on both pages."""
    for sort in ("puzzles", "solutions"):
        first, second = grids(pages, sort)[:2]
        for key in ("clues", "late"):
            second[key] = [str(int(sign) % 9 + 1) if sign else "" for sign in first[key]]


def wrong_reference(pages: Pages) -> None:
    item = next(texts(pages, "Solution: page"))
    item["text"] = "Solution: page 3"


def false_hint(pages: Pages) -> None:
    item = next(texts(pages, "First: "))
    digit = item["text"][-1]
    item["text"] = item["text"][:-1] + str(int(digit) % 9 + 1)


def wrong_level(pages: Pages) -> None:
    page = next(page for page in pages if page.sort == "puzzles")
    item = next(item for item in page.items if item.get("text") == "Easy")
    item["text"] = "Hard"


def lose_a_solution(pages: Pages) -> None:
    page = next(page for page in pages if page.sort == "solutions")
    page.items.remove(next(item for item in page.items if item["t"] == "grid"))


def grey_digits_too_small(pages: Pages) -> None:
    grids(pages, "puzzles")[0]["digit"] = 20.0


def stray_digit(pages: Pages) -> None:
    page = next(page for page in pages if page.sort == "puzzles")
    grid = next(item for item in page.items if item["t"] == "grid")
    at = next(at for at, sign in enumerate(grid["clues"]) if not sign)
    cell = grid["side"] / 9
    x, y = grid["x"] + at % 9 * cell + 1, grid["y"] + (at // 9 + 1) * cell - 2
    page.items.append({"t": "text", "x": x, "y": y, "size": 24.0, "text": "7", "weight": 700,
                       "align": "left"})  # fmt: skip


def swap_pages(pages: Pages) -> None:
    one, two = [at for at, page in enumerate(pages) if page.sort == "puzzles"][:2]
    pages[one], pages[two] = pages[two], pages[one]


def drop_last_page(pages: Pages) -> None:
    pages.pop()


SPOILED = {
    lose_a_clue: {"clues as ordered"},
    swap_solution_digits: {"solutions"},
    shift_a_page: {"margins"},
    thin_a_line: {"widths of lines"},
    swap_numbers: {"numbers", "solutions"},
    add_a_twin: {"no two alike"},
    wrong_reference: {"references"},
    false_hint: {"hints"},
    wrong_level: {"levels"},
    lose_a_solution: {"numbers"},
    grey_digits_too_small: {"sizes of texts"},
    stray_digit: {"ruled lines and digits"},
    swap_pages: {"numbers", "page numbers"},
    drop_last_page: {"page count and blank pages"},
}
"""Change of the pages -> tests that must find it without a manifest."""


@pytest.mark.parametrize("change", SPOILED, ids=lambda change: change.__name__)
def test_a_spoiled_book_is_rejected(book: Book, change: Callable[[Pages], None]) -> None:
    report = check_pdf(book.spoiled(change))
    assert faulty(report) >= SPOILED[change]


def test_a_lost_clue_is_found_by_the_manifest_too(book: Book) -> None:
    report = check_pdf(book.spoiled(lose_a_clue), book.manifest)
    assert any("clues lost" in fault.what for fault in report.faults if fault.test == "manifest")


def edited(pdf: bytes, change: Callable[[Any], None]) -> bytes:
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        change(opened)
        made = io.BytesIO()
        opened.save(made)
    return made.getvalue()


def fonts_of(pdf: Any) -> Iterator[Any]:
    for page in pdf.pages:
        yield from page.obj["/Resources"].get("/Font", {}).values()


def unembed(pdf: Any) -> None:
    descriptor = next(fonts_of(pdf))["/DescendantFonts"][0]["/FontDescriptor"]
    for key in ("/FontFile", "/FontFile2", "/FontFile3"):
        if key in descriptor:
            del descriptor[key]


def colour(pdf: Any) -> None:
    page = pdf.pages[7]
    page.contents_add(pdf.make_stream(b"1 0 0 rg 300 300 40 40 re f"))


def link(pdf: Any) -> None:
    note = pikepdf.Dictionary(Type=pikepdf.Name("/Annot"), Subtype=pikepdf.Name("/Link"),
                              Rect=[0, 0, 10, 10])  # fmt: skip
    pdf.pages[3].obj["/Annots"] = pdf.make_indirect(pikepdf.Array([note]))


def bookmark(pdf: Any) -> None:
    with pdf.open_outline() as outline:
        outline.root.append(pikepdf.OutlineItem("Puzzles", 3))


def turn(pdf: Any) -> None:
    pdf.pages[5].obj["/Rotate"] = 90


def trim(pdf: Any) -> None:
    pdf.pages[5].obj["/MediaBox"] = pikepdf.Array([0, 0, 595, 842])


EDITED = {
    unembed: "fonts",
    colour: "colours",
    link: "refused objects",
    bookmark: "refused objects",
    turn: "page sizes",
    trim: "page sizes",
}


@pytest.mark.parametrize("change", EDITED, ids=lambda change: change.__name__)
def test_a_spoiled_file_is_rejected(book: Book, change: Callable[[Any], None]) -> None:
    assert EDITED[change] in faulty(check_pdf(edited(book.pdf, change)))


OTHER_MAKER = """
#set page(width: 6in, height: 9in, margin: 0.6in)
#set text(font: "Atkinson Hyperlegible Next")
Puzzle NUMBER
#table(columns: (30pt,) * 9, rows: (30pt,) * 9, align: center + horizon, stroke: 0.8pt, CELLS)
#pagebreak()
"""


def test_a_book_of_another_maker_is_read_back(tmp_path: Any) -> None:
    """Grids drawn cell by cell, without a record: read for the ledger, checked by mild rules."""
    import typst

    from pipeline.book.check.recover import read_puzzles
    from pipeline.render.fonts import font_folder

    one = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    cells = ", ".join("[]" if sign == "." else f"[{sign}]" for sign in one)
    pages = [OTHER_MAKER.replace("NUMBER", n).replace("CELLS", cells) for n in ("1", "2")]
    path = tmp_path / "other.pdf"
    path.write_bytes(typst.compile("".join(pages).encode(), font_paths=[str(font_folder())]))
    found = read_puzzles(path)
    assert [(puzzle.number, puzzle.page, puzzle.clues) for puzzle in found] == [
        (1, 1, one),
        (2, 2, one),
    ]
    report = check_pdf(path.read_bytes())
    assert {"no two alike", "numbers", "references"} <= faulty(report)


def test_what_is_no_pdf_is_refused() -> None:
    from workers.errors import UsageError

    with pytest.raises(UsageError, match="is no PDF"):
        check_pdf(b"hello")
