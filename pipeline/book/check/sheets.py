"""Pages as sheets: sizes, margins, blank pages, sizes of texts and lines, a look at the raster."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from pipeline.book.check.findings import Findings
from pipeline.book.check.reading import Reader
from pipeline.book.check.recover import BookPage, Recovered
from pipeline.book.profiles import (
    INCH,
    Profile,
    Sheet,
    find_profile,
    gutter_inches,
    load_profiles,
    page_faults,
    sheet_of,
    trim_size,
)
from workers.errors import UsageError

SLACK: Final = 1.0
"""Points by which ink may be over a margin: a frame reaches half its width further."""
ALIKE: Final = 1.0
RASTER_PAGES: Final = 6
RASTER_SCALE: Final = 150 / INCH
DARK, PALE = 96, 224
LEAST_DARK: Final = 0.4


class Rules(NamedTuple):
    """What the pages must keep to; known from the record, or the mildest there are."""

    profile: Profile
    trim: str | None
    sheet: Sheet | None
    text_pt: float
    clue_pt: float
    solution_pt: float
    line_pt: float
    tint: float
    large: bool


def rules_of(found: Recovered) -> Rules:
    """The rules of the book's profile and trim; a book without a record keeps to the service's."""
    profiles = load_profiles()
    house, large = profiles.house, profiles.large_print
    record = found.record
    name = record.get("profile", "kdp-paperback").partition("/")[0]
    trim = record.get("trim")
    try:
        profile = find_profile(name)
        sheet = sheet_of(profile, trim, len(found.pages)) if trim else None
    except UsageError:
        profile, sheet, trim = find_profile("kdp-paperback"), None, None
    if not record:
        return Rules(profile, None, None, profile.text_pt, 0, 0, profile.line_pt,
                     profile.tint_percent / 100, False)  # fmt: skip
    big = record.get("print") == "large"
    return Rules(profile, trim, sheet, large.text_pt if big else house.text_pt,
                 large.clue_pt if big else house.text_pt,
                 large.solution_pt if big else house.solution_digit_pt, house.line_pt,
                 house.tint_percent / 100, big)  # fmt: skip


def check_sheets(found: Recovered, rules: Rules, reader: Reader, findings: Findings) -> None:
    """All tests on sheets."""
    findings.test("page sizes", _sizes(found.pages, rules))
    findings.test("page count and blank pages", _count(found.pages, rules))
    findings.test("margins", _margins(found.pages, rules))
    findings.test("grids stand alike", _alike(found))
    findings.test("sizes of texts", _texts(found, rules))
    findings.test("widths of lines", _lines(found, rules))
    findings.test("ruled lines and digits", _grids(found, rules))
    findings.test("raster", _raster(found, rules, reader))


def _sizes(pages: Sequence[BookPage], rules: Rules) -> Iterator[tuple[int | None, str]]:
    width, height = trim_size(rules.trim) if rules.trim else (
        pages[0].read.width, pages[0].read.height)  # fmt: skip
    for page in pages:
        read = page.read
        if abs(read.width - width) > 0.5 or abs(read.height - height) > 0.5:
            yield read.number, (f"{read.width / INCH:.3f} x {read.height / INCH:.3f} inches, "
                                f"{width / INCH:.3f} x {height / INCH:.3f} wanted")  # fmt: skip
        if read.rotation:
            yield read.number, f"is rotated by {read.rotation} degrees"
        for name, box in read.boxes.items():
            if box and (box[2] - box[0] < width - 0.5 or box[3] - box[1] < height - 0.5):
                yield read.number, f"its {name} box is smaller than the page"


def _count(pages: Sequence[BookPage], rules: Rules) -> Iterator[tuple[int | None, str]]:
    for fault in page_faults(rules.profile, rules.trim or "", len(pages)):
        yield None, fault
    blank = [page.read.ink is None for page in pages]
    if rules.sheet is not None and not blank[-1]:
        yield len(pages), "the last page is not blank"
    run = 0
    for number, empty in enumerate(blank, start=1):
        run = run + 1 if empty else 0
        most = rules.profile.blank_end if number == len(blank) else rules.profile.blank_run
        if run > most:
            yield number, f"{run} blank pages in a row"


def _margins(pages: Sequence[BookPage], rules: Rules) -> Iterator[tuple[int | None, str]]:
    profile, sheet = rules.profile, rules.sheet
    gutter = sheet.gutter if sheet else gutter_inches(profile, len(pages)) * INCH
    outside = sheet.outside if sheet else profile.outside * INCH
    vertical = sheet.vertical if sheet else profile.vertical * INCH
    for page in pages:
        ink = page.read.ink
        if ink is None:
            continue
        odd = page.read.number % 2 == 1
        sides = (
            ("left", ink[0], gutter if odd else outside),
            ("right", page.read.width - ink[2], outside if odd else gutter),
            ("top", ink[1], vertical),
            ("bottom", page.read.height - ink[3], vertical),
        )
        for name, found, wanted in sides:
            if found < wanted - SLACK:
                yield page.read.number, (f"{name} margin of {found / INCH:.3f} inches, "
                                         f"{wanted / INCH:.3f} wanted")  # fmt: skip


def _alike(found: Recovered) -> Iterator[tuple[int | None, str]]:
    """Puzzles of one place on the pages of one side stand where the others stand."""
    places: dict[tuple[int, int], list[tuple[float, float, int]]] = {}
    for page in found.pages:
        own = [puzzle.grid for puzzle in found.puzzles if puzzle.page == page.read.number]
        for slot, grid in enumerate(own):
            key = (page.read.number % 2, slot)
            places.setdefault(key, []).append((grid.left, grid.top, page.read.number))
    for spots in places.values():
        x, y = (sorted(spot[axis] for spot in spots)[len(spots) // 2] for axis in (0, 1))
        for left, top, number in spots:
            if abs(left - x) > ALIKE or abs(top - y) > ALIKE:
                yield number, f"its grid is {left - x:+.1f}, {top - y:+.1f} points off its place"


def _texts(found: Recovered, rules: Rules) -> Iterator[tuple[int | None, str]]:
    for page in found.pages:
        small = [line for line in page.lines if line.size < rules.text_pt - 0.05]
        if small:
            least = min(small, key=lambda line: line.size)
            yield page.read.number, (f"{least.text[:30]!r} is set in {least.size:.1f} points, "
                                     f"{rules.text_pt:g} wanted")  # fmt: skip
    for puzzle in found.puzzles:
        if puzzle.grid.digit_size < rules.clue_pt - 0.05:
            yield puzzle.page, f"clues of {puzzle.grid.digit_size:.1f} points"
    for solution in found.solutions:
        if solution.grid.digit_size < rules.solution_pt - 0.05:
            yield solution.page, f"solution digits of {solution.grid.digit_size:.1f} points"


def _lines(found: Recovered, rules: Rules) -> Iterator[tuple[int | None, str]]:
    house = load_profiles().house
    for page in found.pages:
        widths = [stroke.width for stroke in page.read.strokes] + page.read.other_widths
        if widths and min(widths) < rules.line_pt - 0.01:
            yield page.read.number, f"a line of {min(widths):.2f} points, {rules.line_pt:g} wanted"
    ratios = [(one.grid, house.heavy_to_light) for one in found.puzzles]
    ratios += [(one.grid, house.heavy_to_light_solutions) for one in found.solutions]
    for grid, least in ratios:
        if rules.sheet is not None and grid.heavy < least * grid.thickest_light - 0.01:
            yield grid.page, f"lines of {grid.heavy:.2f} and {grid.thickest_light:.2f} points"


def _grids(found: Recovered, rules: Rules) -> Iterator[tuple[int | None, str]]:
    for page in found.pages:
        for fault in page.faults:
            yield page.read.number, fault
    per_page = found.record.get("grids", "").partition("/")[0]
    least = load_profiles().house.grid_inches.get(per_page, 0.0) * INCH
    for puzzle in found.puzzles:
        if puzzle.grid.side < least - 0.5:
            yield puzzle.page, f"a grid of {puzzle.grid.side / INCH:.2f} inches"


def _raster(found: Recovered, rules: Rules, reader: Reader) -> Iterator[tuple[int | None, str]]:
    """Some pages as pictures: ink inside the margins, black or white, empty cells white."""
    inked = [page for page in found.pages if page.read.ink is not None]
    step = max(1, len(inked) // RASTER_PAGES)
    for page in inked[::step][: RASTER_PAGES + 1]:
        picture = _picture(reader, page.read.number)
        dark = picture < DARK
        ink = picture < PALE
        if not ink.any():
            yield page.read.number, "has ink that does not show"
            continue
        if dark.sum() < LEAST_DARK * ink.sum():
            yield page.read.number, f"only {dark.sum() / ink.sum():.0%} of its ink is black"
        for grid in page.grids:
            yield from _blanks(page.read.number, picture, grid)


def _picture(reader: Reader, number: int) -> Any:
    page = reader.document[number - 1]
    made = page.render(scale=RASTER_SCALE, grayscale=True).to_numpy()
    page.close()
    return made.reshape(made.shape[0], made.shape[1])


def _blanks(number: int, picture: Any, grid: Any) -> Iterator[tuple[int | None, str]]:
    cell = grid.side / 9
    for at, sign in enumerate(grid.digits):
        if sign == "." and not grid.marks[at]:
            x = int((grid.left + (at % 9 + 0.5) * cell) * RASTER_SCALE)
            y = int((grid.top + (at // 9 + 0.5) * cell) * RASTER_SCALE)
            if picture[y - 2 : y + 3, x - 2 : x + 3].min() < PALE:
                yield number, f"r{at // 9 + 1}c{at % 9 + 1} is empty, but something shows there"
                return
