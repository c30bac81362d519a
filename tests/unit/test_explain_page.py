"""Explanations: as text, and as a page that stands by itself and shows what a step does."""

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from pipeline import api, explanation
from pipeline.pages import explain as pages
from workers.errors import UsageError

LEO = "900104002080060070000000000400000001070000030300000007000000000030070080100209004"
NEAR = "000000000000003085001020000000507000004000100090000000500000073002010000000040009"
FRENCH = "080400000007010600500003040300002500001070000000500009005300007020008030000060900"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
ONE_OPEN = "." + SOLVED[1:]
VOID = {"meta", "input", "br"}
PLAIN: dict[str, Any] = {
    "technique": "pointing",
    "text": "a step",
    "cells": [],
    "units": [],
    "placements": [],
    "eliminations": [],
    "values": "." * 81,
    "candidates": ["123456789"] * 81,
}

Call = Callable[..., tuple[int, str, str]]


class Page(HTMLParser):
    """Checks that tags are closed in order; keeps their attributes and the text of cells."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def explained(text: str, scheme: str | None = None, **options: Any) -> explanation.Explanation:
    kind = api.find_kind("sudoku", [])
    return explanation.explain(kind, kind.parse(text), scheme, options)


def page(text: str, scheme: str | None = None, **options: Any) -> str:
    return "".join(explanation.page(explained(text, scheme, **options)))


def drawn(*steps: dict[str, Any], title: str = "Title") -> str:
    end = {**PLAIN, "title": "End", "candidates": [""] * 81}
    return "".join(pages.explain_page("." * 81, title, steps, {}, end))


def section(text: str, name: str) -> str:
    found = re.search(rf'<section class="step" id="{name}">.*?</section>', text, re.DOTALL)
    assert found is not None
    return found[0]


def cell(text: str, name: str) -> str:
    """The class and content of a cell of the grid in a section: r1c1 is the first."""
    cells = re.findall(r'<td class="cell ?(.*?)">(.*?)</td>', text, re.DOTALL)
    assert len(cells) == 81
    classes, content = cells[pages.cell_number(name)]
    return f"{classes}|{content}"


@pytest.mark.parametrize("scheme", ["models", "analytic", "human-path", "hodoku"])
@pytest.mark.parametrize("text", [FRENCH, LEO])
def test_a_page_is_well_formed_and_needs_no_network(text: str, scheme: str) -> None:
    found = page(text, scheme)
    assert "://" not in found
    tags = Page(found).tags
    assert not [tag for tag, _ in tags if tag in ("link", "img", "iframe", "object")]
    assert not [some for _, some in tags if {"src", "href", "action", "onclick"} & set(some)]
    assert "default-src 'none'" in found
    assert found.count("<section") == len(explained(text, scheme).steps) + 1


def test_every_text_on_a_page_is_escaped() -> None:
    evil = '<script>alert("1")</script>&'
    step = {**PLAIN, "text": evil, "technique": evil, "remark": evil}
    found = drawn(step, title=evil)
    assert "<script>alert" not in found
    assert found.count("&lt;script&gt;alert") >= 5
    assert found.count("<script>") == 1
    Page(found)


def test_a_step_marks_its_unit_its_cells_and_what_it_does() -> None:
    step = {**PLAIN, "units": ["box 1"], "cells": ["r1c1"], "digits": [4],
            "placements": [["r9c9", 7]], "eliminations": [["r1c5", 4], ["r1c1", 9]]}  # fmt: skip
    first = section(drawn(step), "s1")
    assert cell(first, "r3c3") == "unit|<i>123\n456\n789</i>"
    assert cell(first, "r1c1").startswith("unit pattern out|")
    assert '<b class="seen">4</b>' in cell(first, "r1c1")
    assert '<b class="gone">9</b>' in cell(first, "r1c1")
    assert cell(first, "r1c5") == 'out|<i>123\n<b class="gone">4</b>56\n789</i>'
    assert '<b class="place">7</b>' in cell(first, "r9c9")
    assert cell(first, "r5c5") == "|<i>123\n456\n789</i>"


def test_fins_and_the_links_of_a_chain_are_marked() -> None:
    links = [{"cells": ["r1c1"], "digit": 3, "on": True},
             {"cells": ["r1c2", "r1c3"], "digit": 3, "on": False}]  # fmt: skip
    step = {**PLAIN, "cells": ["r1c1"], "digits": [3, 5], "fins": ["r5c5"], "chain": links}
    first = section(drawn(step), "s1")
    assert '<b class="on">3</b>' in cell(first, "r1c1")
    assert "seen" not in first
    assert '<b class="off">3</b>' in cell(first, "r1c2")
    assert '<b class="off">3</b>' in cell(first, "r1c3")
    assert cell(first, "r5c5").startswith("fin|")


def test_the_legend_has_the_signs_that_are_shown() -> None:
    def legend(step: dict[str, Any]) -> str:
        return drawn(step).partition('class="legend"')[2].partition("</aside>")[0]

    assert legend(PLAIN).count("<span>") == 2
    assert "fins" in legend({**PLAIN, "fins": ["r1c1"]})
    assert "removed now" in legend({**PLAIN, "eliminations": [["r1c1", 1]]})


@pytest.mark.parametrize(
    ("unit", "cells"),
    [("row 2", ("r2c1", "r2c9")), ("column 9", ("r1c9", "r9c9")), ("box 6", ("r4c7", "r6c9"))],
)
def test_a_unit_is_found_by_its_name(unit: str, cells: tuple[str, str]) -> None:
    first = section(drawn({**PLAIN, "units": [unit]}), "s1")
    assert first.count('"cell unit"') == 9
    assert all(cell(first, name).startswith("unit|") for name in cells)


def test_clues_and_filled_cells_look_different() -> None:
    last = section(page(ONE_OPEN, "models"), "end")
    assert cell(last, "r1c1") == "filled|5"
    assert cell(last, "r1c2") == "clue|3"


def test_notes_are_shown_in_the_step_that_writes_them() -> None:
    steps = explained(FRENCH, "human-path").steps
    number = next(place for place, step in enumerate(steps) if step["noted"])
    name = steps[number]["noted"][0]
    assert steps[number]["candidates"][pages.cell_number(name)] == ""
    text = cell(section(page(FRENCH, "human-path"), f"s{number + 1}"), name)
    assert text.startswith(("pattern noted|", "noted|"))
    written = steps[number + 1]["candidates"][pages.cell_number(name)]
    assert "".join(re.findall(r"[1-9]", text)) == written != ""


def test_the_page_ends_with_the_solution_or_the_furthest_grid() -> None:
    solution = api.solve(LEO, method="analytic")["solution"]
    last = section(page(LEO, "analytic"), "end")
    assert re.findall(r">([1-9])</td>", last) == list(solution)
    stopped = page(LEO, "analytic", max_level=1)
    assert "Sudoku: analytic knows no further step" in stopped
    assert "30 of 81 cells are filled" in section(stopped, "end")
    grid = api.solve(LEO, method="analytic", max_level=1)["grid"]
    shown = re.findall(r">([1-9])</td>", section(stopped, "end"))
    assert shown == [sign for sign in grid if sign != "."]


def test_candidates_at_the_end_are_those_that_no_digit_excludes() -> None:
    end = section(page(LEO, "analytic", max_level=1), "end")
    grid = api.solve(LEO, method="analytic", max_level=1)["grid"]
    rows = [grid[row * 9 : row * 9 + 9] for row in range(9)]
    empty = grid.index(".")
    left = set(re.findall("[1-9]", cell(end, f"r{empty // 9 + 1}c{empty % 9 + 1}")))
    assert left
    assert not left & set(rows[empty // 9])
    assert not left & {row[empty % 9] for row in rows}


def test_a_long_path_is_drawn_in_part_and_told_whole() -> None:
    steps = [{**PLAIN, "text": f"step {number}"} for number in range(1, 451)]
    found = drawn(*steps)
    assert found.count('<section class="step"') == pages.DRAWN_STEPS + 1
    assert "50 more steps, without a grid" in found
    assert "<li>step 450</li>" in found
    Page(found)


def test_facts_and_uses_stand_at_the_top() -> None:
    found = page(FRENCH, "human-path")
    head = found.partition("<main>")[0]
    assert "<dt>hardest method</dt><dd>guess</dd>" in head
    assert re.search(r"<li>Guess <b>\d+</b></li>", head)


def test_the_text_ends_with_how_it_ended(call: Call) -> None:
    assert call("explain", LEO, "--method", "analytic")[1].splitlines()[-1] == "solved"
    out = call("explain", LEO, "--method", "analytic", "--max-level", "1")[1]
    assert out.splitlines()[0].split()[0] == "1."
    assert out.splitlines()[-1] == ("analytic knows no further step: 30 of 81 cells are filled")
    assert call("explain", NEAR, "--method", "models", "--by", "rows")[1] == (
        "models knows no further step: 17 of 81 cells are filled\n"
    )


def test_a_page_is_written_whole_and_nothing_is_printed(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("old")
    assert call("explain", LEO, "--method", "analytic", "--html", str(path))[:2] == (0, "")
    assert path.read_text().startswith("<!DOCTYPE html>")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--html", "page.txt"], "must end in .html"),
        (["--html", "nowhere/page.html"], "no such folder"),
        (["--method", "nonesuch"], "nonesuch"),
        (["--method", "models", "--scheme", "hodoku"], "exclude each other"),
        (["--max-level", "1"], "max_level: no option of scheme hodoku"),
        (["--method", "models", "--by", "diagonals"], "diagonals"),
        (["--method", "analytic", "--max-level", "9"], "max_level"),
    ],
)
def test_a_wrong_wish_is_one_line(
    call: Call, words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = call("explain", LEO, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert list(tmp_path.iterdir()) == []


def test_a_kind_without_a_grid_has_no_page(call: Call, tmp_path: Path) -> None:
    code, _, err = call("explain", "123", "--kind", "null", "--html", str(tmp_path / "page.html"))
    assert code == 2
    assert "null: only grids of 81 cells are drawn" in err
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(UsageError):
        explanation.page(explanation.explain(api.find_kind("null", []), "000000123", None, None))


def test_a_filled_grid_has_no_steps_and_is_solved() -> None:
    found = explained(SOLVED, "models")
    assert (found.steps, found.outcome, found.values) == ([], "solved", SOLVED)
    assert re.findall(r">([1-9])</td>", page(SOLVED, "models")) == list(SOLVED)
