"""Puzzles as pictures."""

import struct
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from pipeline import api
from pipeline.render.fonts import FAMILIES, face, refuse_missing, width
from pipeline.render.svg import WIDTH, Grid, grid_svg
from workers.errors import UsageError

ONE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
SVG = "{http://www.w3.org/2000/svg}"


def digits(svg: str) -> list[tuple[str, float, float]]:
    root = ET.fromstring(svg)
    return [(str(one.text), float(one.attrib["x"]), float(one.attrib["y"]))
            for one in root.iter(f"{SVG}text")]  # fmt: skip


def test_a_clue_stands_in_the_middle_of_its_cell() -> None:
    found = digits(grid_svg(Grid(ONE)))
    assert "".join(sign for sign, _, _ in found) == ONE.replace(".", "")
    assert found[0][:2] == ("5", 56)
    assert found[-1][1] == pytest.approx(WIDTH - 56)
    assert all(0 < x < WIDTH and 0 < y < WIDTH for _, x, y in found)


def test_a_solution_has_every_digit_once_more_a_candidate_its_own_place() -> None:
    drawn = digits(grid_svg(Grid(ONE, SOLVED)))
    assert len(drawn) == 81
    marked = digits(api.render(ONE, candidates=True).svg)
    assert len(marked) > 81
    assert len(set(marked)) == len(marked)


def test_a_notebook_shows_a_drawing() -> None:
    drawing: Any = api.render(ONE, solution=True)
    assert drawing._repr_svg_().startswith("<svg ")
    assert len(digits(drawing._repr_svg_())) == 81


def test_a_picture_is_written(call: Any, tmp_path: Path) -> None:
    pytest.importorskip("typst")
    assert call("render", ONE, "-o", str(tmp_path / "a.svg"), "--solution")[0] == 0
    assert len(digits((tmp_path / "a.svg").read_text())) == 81
    assert call("render", ONE, "-o", str(tmp_path / "a.png"), "--size", "300")[0] == 0
    content = (tmp_path / "a.png").read_bytes()
    assert content[:4] == b"\x89PNG"
    assert struct.unpack(">II", content[16:24]) == (300, 300)
    list_of_two = f"{ONE}\n{ONE}\n"
    assert call("render", "-", "-o", str(tmp_path / "b.svg"), stdin=list_of_two)[0] == 0
    assert sorted(one.name for one in tmp_path.glob("b*")) == ["b-0001.svg", "b-0002.svg"]


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ([ONE, "-o", "a.gif"], 2, "a.gif"),
        ([ONE, "-o", "a.svg", "--candidates", "--solution"], 2, "exclude each other"),
        (["." * 81, "-o", "a.svg", "--solution"], 1, "many solutions"),
        (["--kind", "null", "000000012", "-o", "a.svg"], 2, "only grids of 81 cells"),
    ],
)
def test_what_cannot_be_drawn_is_told(
    call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int,
    says: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    found, _, error = call("render", *arguments)
    assert found == code
    assert says in error
    assert list(tmp_path.iterdir()) == []


def test_the_width_of_a_text_is_the_sum_of_its_characters() -> None:
    families = FAMILIES["atkinson-hyperlegible-next"]
    one = face(families[0], 700).widths
    assert width("88", 10, 700, families) == pytest.approx(20 * one["8"])
    assert face(families[0], 700).cap_height == pytest.approx(0.668)


def test_a_missing_character_is_named() -> None:
    families = FAMILIES["atkinson-hyperlegible-next"]
    refuse_missing(["Sudoku für Genießer", "数独の本", "r1c1≠5"], families)
    with pytest.raises(UsageError) as caught:
        refuse_missing(["fine", "a \u0e01 b"], families)
    assert "U+0E01" in str(caught.value)
    assert "thai character ko kai" in str(caught.value)
