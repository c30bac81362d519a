"""Page references, the contents, hints, and what texts must and must not say."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pipeline import api
from pipeline.book.check.findings import Findings
from pipeline.book.check.puzzles import Graded
from pipeline.book.check.reading import TextLine
from pipeline.book.check.recover import BookPage, Recovered
from pipeline.book.entries import told_hint
from pipeline.pages.explain import cell_number

UNFINISHED: Final = re.compile(r"\b(lorem ipsum|todo|fixme|nan|none|null|undefined)\b|\{\w*\}",
                               re.IGNORECASE)  # fmt: skip


def check_references(found: Recovered, graded: Sequence[Graded], findings: Findings) -> None:
    """All tests on what refers to something else."""
    findings.test("page numbers", _page_numbers(found))
    findings.test("references", _references(found))
    findings.test("contents", _contents(found))
    findings.test("texts", _texts(found))
    if any(one.hint_page or one.walkthrough_page for one in found.puzzles):
        findings.test("hints", _hints(found, graded))
    else:
        findings.skip("hints", "the book has none")


def _page_numbers(found: Recovered) -> Iterator[tuple[int | None, str]]:
    """A bare number at the foot of a page is its number."""
    for page in found.pages:
        if page.lines:
            last = page.lines[-1]
            low = last.y > page.read.height * 0.9
            if low and last.text.isdigit() and int(last.text) != page.read.number:
                yield page.read.number, f"says that it is page {last.text}"


def _references(found: Recovered) -> Iterator[tuple[int | None, str]]:
    solved = {one.number: one.page for one in found.solutions}
    for one in found.puzzles:
        if one.solution_page is None:
            yield one.page, f"puzzle {one.number} does not say where its solution is"
        elif one.solution_page != solved.get(one.number):
            yield one.page, (f"puzzle {one.number}: solution said to be on page "
                             f"{one.solution_page}, it is on {solved.get(one.number)}")  # fmt: skip


def _contents(found: Recovered) -> Iterator[tuple[int | None, str]]:
    """A page that the contents name has the first word of the line on it."""
    first = min((one.page for one in found.puzzles), default=0)
    for page in found.pages[: first or None]:
        rows: dict[float, list[TextLine]] = {}
        for line in page.lines:
            rows.setdefault(round(line.y), []).append(line)
        for row in rows.values():
            text = " ".join(line.text for line in sorted(row, key=lambda one: one.x))
            entry = re.fullmatch(r"(?P<title>.*?)\s*(?:\.\s*){3,}(?P<page>\d+)", text)
            if entry is None:
                continue
            number, title = int(entry["page"]), entry["title"].strip()
            word = re.split(r"[\s\u3000]", title)[0]
            if not 0 < number <= len(found.pages) or word not in found.pages[number - 1].text:
                yield page.read.number, f"{title!r} is not on page {number}"


def _texts(found: Recovered) -> Iterator[tuple[int | None, str]]:
    for page in found.pages:
        wrong = UNFINISHED.search(page.text)
        if wrong and not any(wrong[0] in line.text and "=" in line.text for line in page.lines):
            yield page.read.number, f"has the text {wrong[0]!r}"
    if found.record and not any(line.size > 30 for line in found.pages[0].lines):
        yield 1, "has no title"


def _hints(found: Recovered, graded: Sequence[Graded]) -> Iterator[tuple[int | None, str]]:
    """Every hint is what the grader's path from the printed clues gives, and true."""
    texts = _hint_texts(found)
    solutions = {one.puzzle.number: one.row["solution"] for one in graded}
    for one in found.puzzles:
        for sort, page in (("first-steps", one.hint_page), ("walkthrough", one.walkthrough_page)):
            if page is None:
                continue
            told, at = texts.get((sort, one.number), ("", 0))
            solution = solutions.get(one.number)
            if at != page:
                yield one.page, f"puzzle {one.number}: no hint on page {page}"
            elif solution is None:
                yield one.page, f"puzzle {one.number}: a hint, but no single solution"
            else:
                steps: list[dict[str, Any]] = api.explain(one.clues, "sudoku")
                false = _false_placement(steps, solution)
                if _bare(told) != _bare(" ".join(told_hint(steps, sort, found.strings))):
                    yield at, f"hint {one.number} is not what the clues lead to"
                elif false:
                    yield at, f"hint {one.number}: {false} is not in the solution"


def _false_placement(steps: Sequence[Mapping[str, Any]], solution: str) -> str:
    """The first digit that the steps place, and the solution does not have there."""
    for step in steps:
        for name, digit in step["placements"]:
            if solution[cell_number(name)] != str(digit):
                return f"{name}={digit}"
    return ""


def _bare(text: str) -> str:
    return re.sub(r"\s", "", text)


def _hint_texts(found: Recovered) -> dict[tuple[str, int], tuple[str, int]]:
    """(sort, number) -> text and page, from the pages that puzzles refer to on."""
    texts: dict[tuple[str, int], tuple[str, int]] = {}
    for sort, pages in (
        ("first-steps", [one.hint_page for one in found.puzzles if one.hint_page]),
        ("walkthrough", [one.walkthrough_page for one in found.puzzles if one.walkthrough_page]),
    ):
        if not pages:
            continue
        first, last = min(pages), max(pages)
        heading = _heading(found.pages[first - 1]) if first <= len(found.pages) else ""
        current = 0
        for page in found.pages[first - 1 :]:
            same = _heading(page) == heading and not page.grids
            if page.read.number > last and not same:
                break
            for number, words in _blocks(page):
                current = number or current
                known, at = texts.get((sort, current), ("", page.read.number))
                texts[sort, current] = (f"{known} {words}".strip(), at)
    return texts


def _heading(page: BookPage) -> str:
    return page.lines[0].text if page.lines else ""


def _blocks(page: BookPage) -> Iterator[tuple[int, str]]:
    """(number or 0, words) for every line between the heading and the page number."""
    lines = page.lines[1:]
    if lines and lines[-1].text.isdigit() and lines[-1].y > page.read.height * 0.9:
        lines = lines[:-1]
    left = min((line.x for line in lines), default=0.0)
    number = 0
    for line in lines:
        starts = re.match(r"(\d+)\b\s*(.*)", line.text) if line.x < left + 3 and line.bold else None
        if starts:
            number = int(starts[1])
            if starts[2]:
                yield number, starts[2]
                number = 0
        else:
            yield number, line.text
            number = 0
