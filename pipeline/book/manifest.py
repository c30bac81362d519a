"""What was made: manifest.json with every grid and its place, and puzzles.csv."""

import csv
import io
from collections.abc import Sequence
from importlib import metadata
from typing import Any

from msgspec import Struct

from pipeline.book.compose import Composed
from pipeline.book.entries import BookPuzzle
from pipeline.book.items import Page, grid_box
from pipeline.book.order import Order
from pipeline.book.profiles import load_profiles
from pipeline.book.selection import Sources
from pipeline.formats.entry import Entry
from pipeline.formats.links import sudoku_pad_link

MANIFEST_SCHEMA = 1


class GridFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """One puzzle of the book; pages count from 1, boxes are points from the upper left."""

    n: int
    page: int
    bbox_pt: tuple[float, float, float, float]
    id: str  # key of the corpus, 32 hex digits
    puzzle: str
    solution: str
    level: str
    score: int
    clues: int
    symmetry: str
    minimal: bool
    hardest: str
    solution_page: int
    solution_bbox_pt: tuple[float, float, float, float]
    hint_page: int | None = None
    walkthrough_page: int | None = None


class BookManifest(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole manifest."""

    schema: int
    title: str
    series: str | None
    volume: int | None
    seed: int
    language: str
    profile: str
    profile_date: str
    trim: str
    large_print: bool
    pages: int
    page_pt: tuple[float, float]
    levels: str
    rater_versions: dict[str, int]
    corpora: list[str]  # content hashes
    generated: int  # puzzles that no corpus had
    interior: str  # SHA-256 of interior.pdf
    order: dict[str, Any]
    grids: list[GridFacts]


def program_version() -> str:
    """The version of the program, as the imprint names it."""
    try:
        return metadata.version("puzzlemill")
    except metadata.PackageNotFoundError:
        return "0"


def grid_facts(puzzles: Sequence[BookPuzzle], composed: Composed) -> list[GridFacts]:
    """The places of all puzzles and solutions."""
    boxes = _boxes(composed.pages, "puzzles")
    solved = _boxes(composed.pages, "solutions")
    refs = composed.references
    return [
        GridFacts(
            one.number,
            composed.puzzle_page[one.number],
            boxes[place],
            one.chosen.key.hex(),
            one.chosen.puzzle,
            one.chosen.solution,
            one.chosen.level,
            one.chosen.score,
            one.chosen.clues,
            one.chosen.symmetry,
            one.chosen.minimal,
            one.chosen.hardest,
            refs.solution[one.number],
            solved[place],
            refs.hint.get(one.number),
            refs.walkthrough.get(one.number),
        )
        for place, one in enumerate(puzzles)
    ]


def _boxes(pages: Sequence[Page], sort: str) -> list[tuple[float, float, float, float]]:
    return [
        grid_box(item)
        for page in pages
        if page.sort == sort
        for item in page.items
        if item["t"] == "grid"
    ]


def puzzles_csv(grids: Sequence[GridFacts]) -> str:
    """The puzzles as a table with the names of corpus columns, and a link to play each."""
    out = io.StringIO()
    names = ["number", "page", "puzzle", "solution", "level", "hodoku_score", "clues", "symmetry",
             "hardest_technique", "solution_page", "hint_page", "walkthrough_page", "key",
             "sudokupad"]  # fmt: skip
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    for one in grids:
        writer.writerow([one.n, one.page, one.puzzle, one.solution, one.level, one.score, one.clues,
                         one.symmetry, one.hardest, one.solution_page, one.hint_page,
                         one.walkthrough_page, one.id, _link(one)])  # fmt: skip
    return out.getvalue()


def _link(one: GridFacts) -> str:
    facts = {"title": f"{one.n}", "solution": one.solution}
    return sudoku_pad_link(Entry(one.n, 1, one.puzzle, facts))


def record_line(order: Order, sources: Sources) -> str:
    """What the imprint says for a program: enough to check the book without anything else."""
    wanted, select = order.print, order.select
    symmetry = select.symmetry if select.symmetry == "any" else ",".join(select.symmetry)
    raters = " ".join(f"{name}={version}" for name, version in sources.rater_versions.items())
    sections = ",".join(f"{one.level}:{one.count}" for one in order.section)
    corpora = ",".join(content[:12] for content in sources.contents) or "none"
    return (
        f"puzzlemill={program_version()} levels={sources.levels.name} {raters} "
        f"profile={wanted.profile}/{load_profiles().date} trim={wanted.trim} "
        f"print={'large' if wanted.large_print else 'standard'} "
        f"grids={wanted.puzzles_per_page}/{wanted.solutions_per_page} "
        f"language={order.book.language} puzzles={order.count} sections={sections} "
        f"symmetry={symmetry} "
        f"clues={select.clues.min}-{select.clues.max} "
        f"minimal={'yes' if select.minimal else 'any'} "
        f"order={select.order} within={order.dedupe.within} "
        f"seed={order.book.seed} corpora={corpora}"
    )
