"""Puzzles and solutions: solved and graded again, compared with each other and with the order."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from pipeline import api
from pipeline.book.check.findings import Findings
from pipeline.book.check.recover import Puzzle, Recovered
from pipeline.book.exclusions import Exclusions, Identity
from pipeline.book.manifest import BookManifest, GridFacts
from pipeline.book.selection import RATERS, only_solution
from pipeline.levels import Levels
from workers.engines.sudoku.properties import conflicts
from workers.engines.sudoku.text import parse_text

SOLVED: Final = frozenset("123456789")


class Graded(NamedTuple):
    """A printed puzzle and its row, graded again."""

    puzzle: Puzzle
    row: dict[str, Any]


def graded_again(found: Recovered, levels: Levels) -> list[Graded]:
    """Every printed puzzle with its corpus columns and its level."""
    if not found.puzzles:
        return []
    kind = api.find_kind("sudoku", [])
    rows: list[dict[str, Any]] = []
    for table in api.graded(kind, [one.clues for one in found.puzzles], RATERS):
        plain = table.drop_columns(["level", "level_rank"])
        level, rank = levels.apply(plain)
        rows += plain.append_column("level", level).append_column("level_rank", rank).to_pylist()
    return [Graded(puzzle, row) for puzzle, row in zip(found.puzzles, rows, strict=True)]


def check_puzzles(
    found: Recovered, graded: Sequence[Graded], manifest: BookManifest | None, findings: Findings
) -> None:
    """Numbers, uniqueness, solutions, levels, order and what else the record promises."""
    findings.test("numbers", _numbers(found))
    findings.test("one solution each", _unique(graded))
    findings.test("solutions", _solutions(found, graded))
    findings.test("levels", _levels(found, graded))
    findings.test("clues as ordered", _ordered(found, graded))
    findings.test("examples", _examples(found))
    if manifest is None:
        findings.skip("manifest", "no manifest was given")
    else:
        findings.test("manifest", _manifest(found, manifest))


def check_twins(
    found: Recovered, graded: Sequence[Graded], excluded: Exclusions | None, findings: Findings
) -> None:
    """No puzzle is another one turned or relabelled, here or in what was printed before."""
    findings.test("no two alike", _twins(found, graded))
    if excluded is None:
        findings.skip("earlier volumes", "none were given")
        return
    findings.test("earlier volumes", _before(graded, excluded))


def _numbers(found: Recovered) -> Iterator[tuple[int | None, str]]:
    numbers = [one.number for one in found.puzzles]
    if not numbers:
        yield None, "no puzzle was found"
    if numbers != list(range(1, len(numbers) + 1)):
        wrong = next(
            (one for place, one in enumerate(found.puzzles, start=1) if one.number != place), None
        )
        if wrong is not None:
            yield wrong.page, f"puzzle {wrong.number} stands where another number belongs"
    promised = found.record.get("puzzles")
    if promised is not None and promised != str(len(numbers)):
        yield None, f"{len(numbers)} puzzles, but the imprint promises {promised}"
    solved = [one.number for one in found.solutions]
    missing = sorted(set(numbers) - set(solved))
    extra = [number for number, times in Counter(solved).items() if times > 1]
    extra += sorted(set(solved) - set(numbers))
    if missing:
        yield None, f"no solution of {', '.join(map(str, missing[:5]))}"
    if extra:
        yield None, f"a solution too many: {', '.join(map(str, extra[:5]))}"


def _unique(graded: Sequence[Graded]) -> Iterator[tuple[int | None, str]]:
    for one in graded:
        if one.row["n_solutions"] != 1:
            reason = one.row["reason"] or "not exactly one solution"
            yield one.puzzle.page, f"puzzle {one.puzzle.number}: {reason}"
        elif only_solution(one.puzzle.clues) != one.row["solution"]:
            yield one.puzzle.page, f"puzzle {one.puzzle.number}: two solvers disagree"


def _solutions(found: Recovered, graded: Sequence[Graded]) -> Iterator[tuple[int | None, str]]:
    rows = {one.puzzle.number: one for one in graded}
    for solution in found.solutions:
        one = rows.get(solution.number)
        if one is None:
            continue
        name = f"solution {solution.number}"
        if "." in solution.digits:
            yield solution.page, f"{name} has an empty cell"
        elif conflicts(parse_text(solution.digits)[None])[0][0] >= 0:
            yield solution.page, f"{name} has a digit twice in a row, column or box"
        elif solution.digits != one.row["solution"]:
            yield solution.page, f"{name} is not that of the printed puzzle"
        elif solution.bold != one.puzzle.clues:
            yield solution.page, f"{name}: its bold digits are not the clues of the puzzle"


def _levels(found: Recovered, graded: Sequence[Graded]) -> Iterator[tuple[int | None, str]]:
    strings = found.strings
    before: Graded | None = None
    counts = [count for _, count in _sections(found)]
    starts = {1 + sum(counts[:place]) for place in range(len(counts))}
    for one in graded:
        level = one.row["level"]
        word = strings.level_word(level) if level else "none"
        if word != one.puzzle.word:
            number = one.puzzle.number
            yield one.puzzle.page, f"puzzle {number} says {one.puzzle.word}, graded it is {word}"
        same = before is not None and before.puzzle.word == one.puzzle.word
        rising = found.record.get("order") == "score" and same
        falls = before is not None and rising and _score(one) < _score(before)
        if falls and one.puzzle.number not in starts:
            yield one.puzzle.page, f"puzzle {one.puzzle.number} is easier than the one before"
        before = one
    sections = _sections(found)
    if sections:
        wanted: Counter[str] = Counter()
        for level, count in sections:
            wanted[level] += count
        counted = Counter(one.row["level"] for one in graded)
        if counted != wanted:
            yield None, f"levels are {dict(counted)}, ordered were {dict(wanted)}"


def _sections(found: Recovered) -> list[tuple[str, int]]:
    """Level and number of puzzles of every section, as the record has them."""
    parts = [part.rpartition(":") for part in found.record.get("sections", "").split(",")]
    return [(level, int(count)) for level, _, count in parts if level and count.isdigit()]


def _score(one: Graded) -> int:
    return int(one.row["hodoku_score"] or 0)


def _ordered(found: Recovered, graded: Sequence[Graded]) -> Iterator[tuple[int | None, str]]:
    """Symmetry, number of clues, minimality: what the record promises of every puzzle."""
    record = found.record
    allowed = record.get("symmetry", "any")
    least, _, most = record.get("clues", "17-81").partition("-")
    for one in graded:
        number, row = one.puzzle.number, one.row
        if allowed != "any" and row["symmetry"] not in allowed.split(","):
            yield one.puzzle.page, f"puzzle {number} has the symmetry {row['symmetry']}"
        if not int(least) <= row["clues"] <= int(most or 81):
            yield one.puzzle.page, f"puzzle {number} has {row['clues']} clues"
        if record.get("minimal") == "yes" and not row["minimal"]:
            yield one.puzzle.page, f"puzzle {number} has a clue that is not needed"


def _examples(found: Recovered) -> Iterator[tuple[int | None, str]]:
    for grid in found.examples:
        if conflicts(parse_text(grid.digits)[None])[0][0] >= 0:
            yield grid.page, "an example has a digit twice in a row, column or box"


def _twins(found: Recovered, graded: Sequence[Graded]) -> Iterator[tuple[int | None, str]]:
    depths = {"string": "puzzle", "solution-class": "solution_key"}
    column = depths.get(found.record.get("within", ""), "key")
    seen: dict[bytes | str, int] = {}
    for one in graded:
        key = one.row[column]
        if key in seen:
            yield one.puzzle.page, f"puzzle {one.puzzle.number} is puzzle {seen[key]} in disguise"
        seen.setdefault(key, one.puzzle.number)


def _before(graded: Sequence[Graded], excluded: Exclusions) -> Iterator[tuple[int | None, str]]:
    for one in graded:
        identity = Identity(one.puzzle.clues, one.row["key"], one.row["solution_key"] or b"")
        if identity in excluded:
            yield one.puzzle.page, f"puzzle {one.puzzle.number} was printed before"


def _manifest(found: Recovered, manifest: BookManifest) -> Iterator[tuple[int | None, str]]:
    wanted: dict[int, GridFacts] = {one.n: one for one in manifest.grids}
    printed = {one.number: one for one in found.puzzles}
    solved = {one.number: one for one in found.solutions}
    for number, fact in wanted.items():
        one = printed.get(number)
        if one is None:
            yield fact.page, f"puzzle {number} is missing"
            continue
        if one.clues != fact.puzzle:
            lost = sum(sign != "." for sign in fact.puzzle) - sum(s != "." for s in one.clues)
            yield one.page, f"puzzle {number} is not that of the corpus ({lost:+d} clues lost)"
        if one.page != fact.page or np.abs(np.subtract(one.grid.box, fact.bbox_pt)).max() > 1:
            yield one.page, f"puzzle {number} is not where the manifest says"
        other = solved.get(number)
        if other is not None and other.digits != fact.solution:
            yield other.page, f"solution {number} is not that of the manifest"
    first = "".join(found.pages[0].text.split()) if found.pages else ""
    if "title" in manifest.order["front"]["pages"] and "".join(manifest.title.split()) not in first:
        yield 1, f"does not say the title, {manifest.title!r}"
    for number in printed.keys() - wanted.keys():
        yield printed[number].page, f"puzzle {number} is not in the manifest"
