"""The catalogue: what stands in it, and that kernels and catalogue agree."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from workers.engines.sudoku.board import MOST_TECHNIQUES, new_marks
from workers.engines.sudoku.grade import open_board, solve_path
from workers.engines.sudoku.techniques import catalogue
from workers.engines.sudoku.techniques.catalogue import (
    CATALOGUE,
    LAST_TIER,
    TIER1,
    tables,
    technique_named,
    tier_module,
)
from workers.engines.sudoku.techniques.technique import LEVEL_NAMES
from workers.engines.sudoku.text import parse_text
from workers.errors import ParamsError


def test_techniques_stand_in_the_order_they_are_tried():
    orders = [technique.order for technique in CATALOGUE]
    assert orders == sorted(set(orders))


def test_names_and_codes_are_unique():
    assert len({technique.name for technique in CATALOGUE}) == len(CATALOGUE)
    assert len({technique.code for technique in CATALOGUE}) == len(CATALOGUE)


def test_no_two_techniques_share_a_kernel_branch_and_a_size():
    assert max(Counter((t.finder, t.size) for t in CATALOGUE).values()) == 1


def test_a_board_can_count_every_technique():
    assert len(CATALOGUE) <= MOST_TECHNIQUES


def test_every_tier_has_a_module_and_techniques():
    assert {technique.tier for technique in CATALOGUE} == set(range(1, LAST_TIER + 1))
    for tier in range(1, LAST_TIER + 1):
        assert tier_module(tier).ROWS_PER_CALL > 0


def test_kernel_tables_say_what_the_records_say():
    table = tables(LAST_TIER, disabled=["x_wing"])
    for entry, technique in zip(table, CATALOGUE, strict=True):
        assert (entry.finder, entry.extent) == (technique.finder, technique.size)
        assert (entry.score, entry.level) == (technique.score, technique.level)
        assert entry.enabled == (technique.enabled and technique.name != "x_wing")


def test_a_finder_no_tier_knows_finds_nothing():
    board = open_board(parse_text("." * 81))
    for tier in range(1, LAST_TIER + 1):
        assert not tier_module(tier).find(board, new_marks(), 99, 2, 0)


def test_unknown_names_and_tiers_are_refused():
    with pytest.raises(ParamsError, match="no technique 'guess'"):
        technique_named("guess")
    with pytest.raises(ParamsError, match="max_tier"):
        solve_path(parse_text("." * 81), max_tier=LAST_TIER + 1)


def test_tier_1_is_singles_intersections_subsets_and_basic_fish():
    assert [technique.name for technique in TIER1] == [
        "full_house",
        "naked_single",
        "hidden_single",
        "locked_pair",
        "locked_triple",
        "pointing",
        "claiming",
        "naked_pair",
        "naked_triple",
        "hidden_pair",
        "hidden_triple",
        "naked_quad",
        "hidden_quad",
        "x_wing",
        "swordfish",
        "jellyfish",
    ]


def test_records_equal_hodokus_table(shared_data):
    with (shared_data / "hodoku_techniques.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    table = {row["libcode"]: row for row in rows} | {row["name"]: row for row in rows}
    for technique in CATALOGUE:
        row = table[technique.code or technique.title]
        for form in technique.forms:
            assert form.title == table[form.code]["name"]
        assert technique.forms or technique.title == row["name"]
        if not row["order_index"]:
            # what HoDoKu finds only as a variant of another search
            assert not technique.enabled
            continue
        assert technique.order == int(row["order_index"])
        assert LEVEL_NAMES[technique.level] == row["level"].lower()
        assert technique.score == int(row["base_score"])
        assert technique.enabled == (row["enabled_default"] == "True")


def test_the_page_shows_the_catalogue():
    page = Path(catalogue.__file__).with_name("README.md").read_text(encoding="utf-8")
    table = [line for line in page.splitlines() if line.startswith("| ") and line[2].isdigit()]
    assert table == [
        f"| {t.order} | {t.title} | `{t.name}` | {t.code} | {LEVEL_NAMES[t.level]} | {t.score} |"
        for t in CATALOGUE
    ]
