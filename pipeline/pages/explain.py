"""A solution as a page: the grid with pencilmarks before each step, and what the step does to it.

Without scripts, and on paper, the page shows all steps below each other; with scripts one at a
time. Colours are never alone: placements stand in a box, eliminations are struck through.
"""

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib import resources
from typing import Any, NamedTuple

Step = Mapping[str, Any]
"""A step as the kind explains it, with `values` and `candidates` as they were before it."""
SIDE = 9
CELLS = SIDE * SIDE
PART_COLOURS = 6
DRAWN_STEPS = 400
"""Steps that get a grid; a path of trial and error may have thousands."""
CELL = re.compile(r"r([1-9])c([1-9])")
SAMPLE = '<svg class="links" viewBox="0 0 1 1"><path class="'
SAMPLE_END = '" d="M.1 .5H.9"/></svg>'
LEGEND = (
    ("clue", "5", "given", ""),
    ("filled", "5", "filled in before", ""),
    ("unit", "", "unit that is looked at", "units"),
    ("pattern", "", "cells the step reasons from", "cells"),
    ("", '<b class="seen">5</b>', "candidates it reasons from", "digits"),
    ("part part0", "", "the sets it reasons from, each with a letter", "parts"),
    ("fin", "", "fins", "fins"),
    ("", '<b class="on">5</b>', "true along a chain", "chain"),
    ("", '<b class="off">5</b>', "false along it", "chain"),
    ("", f"{SAMPLE}strong{SAMPLE_END}", "strong link: if not the one, then the other", "chain"),
    ("", f"{SAMPLE}weak{SAMPLE_END}", "weak link: if the one, then not the other", "chain"),
    ("noted", "5", "candidates written down now", "noted"),
    ("target", '<b class="place">5</b>', "placed now", "placements"),
    ("out", '<b class="gone">5</b>', "removed now", "eliminations"),
)
"""CSS classes, content, what it means, and the key of the steps that show it."""
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


Place = tuple[float, float]
"""Right and down from the corner of the grid, in cells."""


class Board(NamedTuple):
    """A grid as a page shows it: cell -> CSS classes, and (cell, digit) -> class of a mark."""

    digits: Sequence[str]  # 81, "" for an empty cell
    marks: Sequence[str]  # 81, the candidates of a cell
    classes: Mapping[int, str]
    accents: Mapping[tuple[int, str], str]
    links: Sequence[tuple[str, Place, Place]] = ()  # strong or weak, from and to


def explain_page(
    puzzle: str, title: str, steps: Sequence[Step], facts: Mapping[str, Any], result: Step
) -> Iterator[str]:
    """The page in pieces, of a puzzle of 81 characters, its steps in order and what came out.

    `facts` are shown at the top, name and value; `result` has the last `values` and `candidates`.
    Every text is escaped.
    """
    yield _head(title)
    yield f"<header><h1>{escape(title)}</h1><p><code>{escape(puzzle)}</code></p>"
    yield from _facts(facts)
    yield from _used(steps)
    yield "</header>"
    yield from _legend(steps)
    yield from _tips()
    yield '<nav hidden><button id="back">&#9664; Back</button>'
    yield '<input id="place" type="range" min="0" value="0" aria-label="Step">'
    yield '<button id="next">Next &#9654;</button><output id="where"></output></nav>'
    yield '<div class="work"><main>'
    after = [*steps[1:], result]
    for number, step in enumerate(steps[:DRAWN_STEPS], start=1):
        yield from _section(puzzle, number, step, after[number - 1])
    yield from _rest(steps)
    yield from _last(puzzle, result)
    yield '</main><ol id="list" hidden></ol></div>'
    yield f"<script>{_part('explain.js')}</script></body></html>\n"


def _head(title: str) -> str:
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_part('explain.css')}</style></head><body>"
    )


def _part(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _facts(facts: Mapping[str, Any]) -> Iterator[str]:
    yield "<dl>"
    for name, value in facts.items():
        yield f"<div><dt>{escape(name)}</dt><dd>{escape(str(value))}</dd></div>"
    yield "</dl>"


def _used(steps: Iterable[Step]) -> Iterator[str]:
    """What was used and how often, in the order of first use."""
    uses = Counter(_title(step) for step in steps)
    if uses:
        yield '<ul class="used">'
        yield from (f"<li>{escape(name)} <b>{count}</b></li>" for name, count in uses.items())
        yield "</ul>"


def _legend(steps: Sequence[Step]) -> Iterator[str]:
    """The signs that some step shows."""
    yield '<aside class="legend" aria-label="Legend">'
    for classes, content, says, key in LEGEND:
        if not key or any(step.get(key) for step in steps):
            yield f'<span><i class="cell {classes}">{content}</i> {says}</span>'
    yield "</aside>"


def _tips() -> Iterator[str]:
    """The tips of links, in a drawing that takes no room."""
    yield '<svg class="tips" width="0" height="0"><defs>'
    for name in ("strong", "weak"):
        yield f'<marker id="tip-{name}" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="5" '
        yield f'markerHeight="5" orient="auto"><path class="tip {name}" d="M0 0L6 3L0 6Z"/>'
        yield "</marker>"
    yield "</defs></svg>"


def _section(puzzle: str, number: int, step: Step, after: Step) -> Iterator[str]:
    yield f'<section class="step" id="s{number}"><h2><span>{number}</span> {_heading(step)}</h2>'
    yield f"<p>{_said(step.get('text'))}</p>"
    if step.get("because"):
        cases = "".join(f"<li>{_said(case)}</li>" for case in step["because"])
        yield f'<ul class="because">{cases}</ul>'
    yield from _table(_board(puzzle, step, after), f"Grid before step {number}")
    yield "</section>"


def _said(text: object) -> str:
    """A text with signs that do not break over the end of a line."""
    return escape(str(text or "")).replace("-&gt;", "&rarr;").replace("&lt;&gt;", "&ne;")


def _heading(step: Step) -> str:
    title, remark = _title(step), str(step.get("remark") or "")
    said = remark.lower() in title.lower()
    return escape(title) + ("" if said else f" <em>{escape(remark)}</em>")


def _title(step: Step) -> str:
    title = str(step.get("title") or str(step.get("technique", "step")).replace("_", " "))
    return title[:1].upper() + title[1:]


def _rest(steps: Sequence[Step]) -> Iterator[str]:
    """Steps beyond those that are drawn, as text."""
    if len(steps) <= DRAWN_STEPS:
        return
    yield f'<section class="rest"><h2>{len(steps) - DRAWN_STEPS:,} more steps, without a grid</h2>'
    yield f'<ol start="{DRAWN_STEPS + 1}">'
    for step in steps[DRAWN_STEPS:]:
        yield f"<li>{escape(str(step.get('text') or _title(step)))}</li>"
    yield "</ol></section>"


def _last(puzzle: str, result: Step) -> Iterator[str]:
    yield '<section class="step" id="end"><h2><span>&#9873;</span> '
    yield f"{escape(_title(result))}</h2><p>{_said(result.get('text'))}</p>"
    yield from _table(_board(puzzle, result, result), "Grid at the end")
    yield "</section>"


def _board(puzzle: str, step: Step, after: Step) -> Board:
    """The grid before a step, with the step's cells and candidates marked.

    Candidates that the step writes down are those that stand there after it.
    """
    digits = ["" if sign == "." else sign for sign in step["values"]]
    classes: dict[int, list[str]] = {cell: [] for cell in range(CELLS)}
    accents: dict[tuple[int, str], str] = {}
    for cell in range(CELLS):
        if digits[cell]:
            classes[cell].append("clue" if puzzle[cell] != "." else "filled")
    for cell in itertools.chain.from_iterable(map(_unit, step.get("units") or ())):
        classes[cell].append("unit")
    for cell in map(cell_number, step.get("cells") or ()):
        classes[cell].append("pattern")
        if not step.get("chain"):
            accents |= {(cell, str(digit)): "seen" for digit in step.get("digits") or ()}
    for cell, name in _parts(step):
        classes[cell].append(name)
    for cell in map(cell_number, step.get("fins") or ()):
        classes[cell].append("fin")
    for node in step.get("chain") or ():
        links = [(cell_number(name), str(node["digit"])) for name in node["cells"]]
        accents |= dict.fromkeys(links, "on" if node["on"] else "off")
    marks = [_marks(candidates) for candidates in step["candidates"]]
    for cell in map(cell_number, step.get("noted") or ()):
        classes[cell].append("noted")
        marks[cell] = _marks(after["candidates"][cell])
    for cell, digit in _pairs(step, "eliminations"):
        classes[cell].append("out")
        accents[cell, digit] = "gone"
    for cell, digit in _pairs(step, "placements"):
        classes[cell].append("target")
        accents[cell, digit] = "place"
    joined = {cell: " ".join(dict.fromkeys(names)) for cell, names in classes.items()}
    return Board(digits, marks, joined, accents, _links(step.get("chain") or ()))


def _parts(step: Step) -> Iterator[tuple[int, str]]:
    """The cells of the sets that a step reasons from, with the classes of each."""
    for number, part in enumerate(step.get("parts") or ()):
        yield from ((cell_number(name), f"part part{number % PART_COLOURS}") for name in part)


def _links(chain: Sequence[Step]) -> list[tuple[str, Place, Place]]:
    """A link from each node of a chain to the next: strong where it leads to what is true."""
    places = [_place(node) for node in chain]
    return [
        ("strong" if node["on"] else "weak", one, other)
        for node, (one, other) in zip(chain[1:], itertools.pairwise(places), strict=True)
        if one != other
    ]


def _place(node: Step) -> Place:
    """Where the digit of a node stands among the candidates, in the middle of its cells."""
    row, column = divmod(int(node["digit"]) - 1, 3)
    cells = [divmod(cell_number(name), SIDE) for name in node["cells"]]
    right = sum(place for _, place in cells) / len(cells) + 0.5 + 0.26 * (column - 1)
    return right, sum(place for place, _ in cells) / len(cells) + 0.5 + 0.3 * (row - 1)


def _marks(candidates: Any) -> str:
    return "".join(str(digit) for digit in candidates or ())


def _pairs(step: Step, key: str) -> list[tuple[int, str]]:
    return [(cell_number(name), str(digit)) for name, digit in step.get(key) or ()]


def cell_number(name: str) -> int:
    """The place of a cell in a grid's text: r1c1 is 0, r9c9 is 80."""
    found = CELL.fullmatch(name)
    if found is None:
        raise ValueError(f"{name!r} is not a cell")
    return (int(found[1]) - 1) * SIDE + int(found[2]) - 1


def _unit(name: str) -> range | list[int]:
    """The cells of a unit by its name: `row 3`, `column 5`, `box 7`."""
    sort, _, number = name.partition(" ")
    place = int(number) - 1
    if sort == "row":
        return range(place * SIDE, place * SIDE + SIDE)
    if sort == "column":
        return range(place, CELLS, SIDE)
    corner = place // 3 * 27 + place % 3 * 3
    return [corner + row * SIDE + column for row in range(3) for column in range(3)]


def _table(board: Board, label: str) -> Iterator[str]:
    heads = "".join(f"<th>c{column}</th>" for column in range(1, SIDE + 1))
    yield f'<table class="grid" aria-label="{escape(label)}"><tr><td></td>{heads}</tr>'
    for row in range(SIDE):
        cells = (_data(board, row * SIDE + column) for column in range(SIDE))
        yield f"<tr><th>r{row + 1}</th>{''.join(cells)}</tr>"
    yield "</table>"


def _data(board: Board, cell: int) -> str:
    classes = f"cell {board.classes.get(cell, '')}".strip()
    content = escape(board.digits[cell]) or _pencilled(board, cell)
    drawn = "".join(_drawn(board.links)) if cell == 0 and board.links else ""
    return f'<td class="{classes}">{content}{drawn}</td>'


def _drawn(links: Sequence[tuple[str, Place, Place]]) -> Iterator[str]:
    """Links as bows over the grid, hung up in its first cell; they end beside the digits."""
    yield f'<svg class="links" viewBox="0 0 {SIDE} {SIDE}" preserveAspectRatio="none">'
    for name, (x, y), (to_x, to_y) in links:
        length = math.hypot(to_x - x, to_y - y)
        short = min(0.13, 0.3 * length) / length
        right, down = to_x - x, to_y - y
        middle = ((x + to_x) / 2 - 0.12 * down, (y + to_y) / 2 + 0.12 * right)
        ends = (x + short * right, y + short * down), (to_x - short * right, to_y - short * down)
        start, bend, end = (f"{a:.2f} {b:.2f}" for a, b in (ends[0], middle, ends[1]))
        yield f'<path class="{name}" d="M{start}Q{bend} {end}" marker-end="url(#tip-{name})"/>'
    yield "</svg>"


def _pencilled(board: Board, cell: int) -> str:
    """The candidates of a cell, each at its own place of three lines.

    A digit that is placed without having been written as a candidate shows all the same.
    """
    shown = []
    for digit in "123456789":
        accent = board.accents.get((cell, digit))
        there = digit in board.marks[cell]
        if accent in ("place", "gone") or (there and accent):
            shown.append(f'<b class="{accent}">{digit}</b>')
        else:
            shown.append(digit if there else " ")
    lines = ("".join(shown[place : place + 3]) for place in (0, 3, 6))
    return f"<i>{chr(10).join(lines)}</i>"
