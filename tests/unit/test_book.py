"""Orders, selection, layout and the ledger of puzzle books."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline.book.build import QuotaNotFilled, choose, laid_out
from pipeline.book.exclusions import identities
from pipeline.book.ledger import Printed, Volume, open_ledger
from pipeline.book.measure import Style, text_width, wrapped
from pipeline.book.order import check_order, load_order
from pipeline.book.profiles import find_profile, gutter_inches, load_profiles, sheet_of
from pipeline.book.strings import LANGUAGES, Strings, load_strings, pattern
from pipeline.book.typeset import print_pdf, screen_pdf
from pipeline.render.fonts import FAMILIES, refuse_missing
from workers.engines.sudoku.text import format_text, parse_text
from workers.errors import ConfigError, UsageError

pytest.importorskip("typst")
pikepdf: Any = pytest.importorskip("pikepdf")

SMALL: dict[str, Any] = {
    "book": {"title": "Small", "seed": 3, "series": "small", "volume": 1},
    "print": {"profile": "home-a4", "trim": "a4", "puzzles_per_page": 4, "solutions_per_page": 12},
    "section": [{"level": "easy", "count": 5}, {"level": "medium", "count": 3}],
}


def order(changes: Mapping[str, Any] | None = None) -> Any:
    table = {name: dict(one) if isinstance(one, dict) else one for name, one in SMALL.items()}
    for name, values in (changes or {}).items():
        table[name] = {**table.get(name, {}), **values} if isinstance(values, dict) else values
    return check_order("order", table)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"book": {"language": "xx"}}, "language"),
        ({"book": {"colour": "red"}}, "colour"),
        ({"print": {"trim": "9x9"}}, "no such trim"),
        ({"print": {"profile": "kdp"}}, "known are kdp-paperback"),
        ({"print": {"paper": "gold"}}, "print.paper"),
        ({"print": {"puzzles_per_page": 3}}, "puzzles_per_page"),
        ({"section": []}, "section"),
        ({"select": {"clues": {"min": 30, "max": 20}}}, "min 30 is more than max 20"),
        ({"back": {"pages": ["blank-grids:4"]}}, "solutions"),
        ({"back": {"pages": ["solutions", "poems"]}}, "pages"),
        ({"book": {"series": None}, "output": {"register_in_ledger": True}}, "needs book.series"),
    ],
)
def test_a_wrong_order_is_refused_in_one_line(changes: dict[str, Any], says: str) -> None:
    with pytest.raises((ConfigError, UsageError)) as caught:
        order(changes)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_shipped_order_is_that_of_the_acceptance_test() -> None:
    shipped = load_order("book-large-print")
    counts = [(section.level, section.count) for section in shipped.section]
    assert counts == [("easy", 50), ("medium", 80), ("hard", 50), ("expert", 20)]
    assert (shipped.print.trim, shipped.print.puzzles_per_page) == ("8.5x11", 1)
    assert shipped.print.solutions_per_page == 9
    assert shipped.print.large_print


@pytest.mark.parametrize(
    ("prints", "says"),
    [
        ({"puzzles_per_page": 4}, "large print: 4 puzzles a page"),
        ({"trim": "6x9", "solutions_per_page": 12}, "set fewer a page"),
        ({"solutions_per_page": 20}, "large print: 20 solutions a page"),
    ],
)
def test_large_print_rules_are_enforced(prints: dict[str, Any], says: str) -> None:
    base = {"profile": "kdp-paperback", "trim": "8.5x11", "puzzles_per_page": 1,
            "solutions_per_page": 9, "large_print": True}  # fmt: skip
    with pytest.raises(ConfigError) as caught:
        laid_out(order({"print": {**base, **prints}}), fill=True)
    assert says in str(caught.value)


def test_the_gutter_follows_from_the_number_of_pages() -> None:
    kdp = find_profile("kdp-paperback")
    widths = [gutter_inches(kdp, pages) for pages in (24, 150, 151, 300, 301, 500, 700, 828)]
    assert widths == [0.375, 0.375, 0.5, 0.5, 0.625, 0.625, 0.75, 0.875]
    thin, thick = sheet_of(kdp, "6x9", 100), sheet_of(kdp, "6x9", 800)
    assert thin.gutter == 54
    assert thick.gutter > thin.gutter
    assert thin.left(1) == thin.gutter
    assert thin.left(2) == thin.outside


def test_the_profiles_have_a_date_and_no_trim_without_size() -> None:
    profiles = load_profiles()
    assert profiles.date == "2026-11"
    assert all(width < height or name == "8.5x8.5" for name, (width, height) in
               profiles.trim.items())  # fmt: skip


def test_too_few_puzzles_are_told_and_filled_on_demand() -> None:
    with pytest.raises(QuotaNotFilled) as caught:
        laid_out(order())
    assert "missing are 5 of 5 easy, 3 of 3 medium" in str(caught.value)
    assert caught.value.exit_code == 3
    found = choose(order(), [], fill=True).selection
    assert [len(rows) for rows in found.sections] == [5, 3]
    assert found.deficit == {}
    for rows in found.sections:
        assert [row.score for row in rows] == sorted(row.score for row in rows)
    assert len({row.key for rows in found.sections for row in rows}) == 8


def test_another_seed_or_an_exclusion_gives_other_puzzles(tmp_path: Path) -> None:
    first = choose(order(), [], fill=True).selection
    other = choose(order({"book": {"seed": 4}}), [], fill=True).selection
    puzzles = [row.puzzle for rows in first.sections for row in rows]
    keys = {row.key for rows in first.sections for row in rows}
    assert keys.isdisjoint(row.key for rows in other.sections for row in rows)
    listed = tmp_path / "vol1.sdm"
    listed.write_text("".join(turned(text) + "\n" for text in puzzles))
    again = choose(order({"dedupe": {"against": [str(listed)]}}), [], fill=True).selection
    assert keys.isdisjoint(row.key for rows in again.sections for row in rows)


def turned(text: str) -> str:
    """The puzzle turned by a quarter, its digits renamed: another text of the same class."""
    square = np.rot90(parse_text(text).reshape(9, 9)).ravel()
    names = np.array([0, 2, 3, 4, 5, 6, 7, 8, 9, 1], np.uint8)
    return format_text(names[square])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_all_texts_and_the_characters_to_print_them(language: str) -> None:
    strings = load_strings(language)
    texts: list[str] = []
    for name in Strings.__struct_fields__:
        value = getattr(strings, name)
        texts += value if isinstance(value, list) else value.values() if isinstance(
            value, dict) else [value]  # fmt: skip
    refuse_missing(texts, FAMILIES["atkinson-hyperlegible-next"])
    assert strings.level.keys() == load_strings("en").level.keys()
    for template in (strings.puzzle, strings.solution_at, strings.hint_at):
        name = "n" if template == strings.puzzle else "page"
        found = pattern(template).fullmatch(template.format(**{name: 123}))
        assert found is not None
        assert found[name] == "123"


@pytest.mark.parametrize("language", ["de", "ja"])
def test_a_book_of_another_language_is_made_and_right(language: str) -> None:
    from pipeline.book.check.report import check_pdf

    draft = laid_out(order({"book": {"language": language, "title": "Sudoku 数独"}}), fill=True)
    pdf = print_pdf(draft.order, draft.composed.pages, draft.composed.sheet)
    report = check_pdf(pdf)
    assert report.faults == []
    assert report.puzzles == 8


def test_the_screen_file_is_tagged_and_has_the_sections_as_bookmarks() -> None:
    draft = laid_out(order(), fill=True)
    pdf = screen_pdf(draft.order, draft.composed.pages, draft.composed.sheet)
    import io

    with pikepdf.open(io.BytesIO(pdf)) as opened, opened.open_outline() as outline:
        titles = [item.title for item in outline.root]
        assert "/StructTreeRoot" in opened.Root
    assert titles[-3:] == ["Easy", "Medium", "Solutions 1–8"]


def test_a_character_no_font_has_is_named() -> None:
    draft = laid_out(order({"book": {"title": "Sudoku \u0e01"}}), fill=True)
    with pytest.raises(UsageError) as caught:
        print_pdf(draft.order, draft.composed.pages, draft.composed.sheet)
    assert "U+0E01" in str(caught.value)


def test_lines_fit_their_width_and_lose_nothing() -> None:
    style = Style(FAMILIES["atkinson-hyperlegible-next"], 16.0)
    for words in (
        "Every puzzle you place tells you more about all the others. " * 5,
        "数独の本を" * 30,
    ):
        lines = wrapped(words, 200, style)
        assert len(lines) > 3
        assert all(text_width(line, style) <= 200 for line in lines)
        assert "".join(lines).replace(" ", "") == words.replace(" ", "")


def test_a_ledger_knows_where_a_puzzle_is(tmp_path: Path) -> None:
    puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    (identity,) = identities([puzzle])
    printed = Printed(1, 8, puzzle, identity.key, identity.solution_key, "easy")
    path = tmp_path / "ledger.sqlite"
    with pytest.raises(UsageError), open_ledger(path):
        pass
    with open_ledger(path, create=True) as ledger:
        ledger.record(Volume("calm", 1, "One", "registered", "aa"), [printed])
        assert [place.printed.page for place in ledger.find(identity.key, puzzle)] == [8]
        (twin,) = ledger.find(identities([turned(puzzle)])[0].key, turned(puzzle))
        assert not twin.same
        assert ledger.taken("calm") == [printed]
        assert ledger.taken("other") == []
        assert ledger.taken(None, but=("calm", 1)) == []
        with pytest.raises(UsageError, match="registered already"):
            ledger.record(Volume("calm", 1, "One", "registered", "bb"), [])
        ledger.void("calm", 1)
        assert ledger.taken("calm") == []
        with pytest.raises(UsageError, match="no volume 9"):
            ledger.void("calm", 9)
    path.write_text("no ledger" * 100)
    with pytest.raises(UsageError, match="is no ledger"), open_ledger(path):
        pass


def test_a_book_from_order_to_ledger(call: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    Path("one.toml").write_text(
        '[book]\ntitle = "Two"\nseed = 3\nseries = "two"\nvolume = 1\n'
        '[print]\nprofile = "home-a4"\ntrim = "a5"\nsolutions_per_page = 4\n'
        '[[section]]\nlevel = "easy"\ncount = 3\n[dedupe]\nagainst = ["ledger:two"]\n'
    )  # fmt: skip
    code, _, error = call("book", "build", "one.toml", "-o", "one")
    assert code == 3
    assert "missing are 3 of 3 easy" in error
    assert not Path("one").exists()
    assert call("book", "plan", "one.toml", "--fill")[0] == 0
    code, out, error = call("book", "build", "one.toml", "--fill", "-o", "one")
    assert code == 0, error
    assert out.splitlines()[-1] == "one/interior.pdf"
    assert json.loads(Path("one/check.json").read_text())["faults"] == []
    assert Path("one/puzzles.csv").read_text().startswith("number,page,puzzle,")
    assert json.loads(Path("one/cover.json").read_text())["spine_width"] > 0
    grids = json.loads(Path("one/manifest.json").read_text())["grids"]
    assert call("book", "check", "one/interior.pdf", "--manifest", "one/manifest.json")[0] == 0
    assert call("book", "reserve", "one/manifest.json")[0] == 0
    assert call("book", "register", "one/manifest.json")[0] == 0
    found = call("book", "find", turned(grids[1]["puzzle"]))[1]
    assert found.startswith(f"two 1, page {grids[1]['page']}, number 2 (registered), turned")
    assert json.loads(call("book", "errata", "one/manifest.json", "3")[1])["n"] == 3
    assert "two 1: Two, 3 puzzles, registered" in call("book", "volumes")[1]

    text = Path("one.toml").read_text().replace("volume = 1", "volume = 2")
    Path("two.toml").write_text(text)
    Path("pdf.toml").write_text(text.replace("ledger:two", "one/interior.pdf"))
    assert call("book", "build", "two.toml", "--fill", "-o", "two")[0] == 0
    assert call("book", "build", "pdf.toml", "--fill", "-o", "pdf")[0] == 0
    two, pdf = (json.loads(Path(f"{name}/manifest.json").read_text()) for name in ("two", "pdf"))
    assert [one["id"] for one in two["grids"]] == [one["id"] for one in pdf["grids"]]
    assert {one["id"] for one in two["grids"]}.isdisjoint(one["id"] for one in grids)
    first = "one/interior.pdf"
    assert call("book", "check", "two/interior.pdf", "--against", first)[0] == 0
    assert call("book", "check", first, "--against", "ledger:two")[0] == 5
    assert call("book", "void", "two", "1")[0] == 0
    assert call("book", "check", first, "--against", "ledger:two")[0] == 0


def test_a_book_with_levels_of_its_own_is_made_and_checked(tmp_path: Path) -> None:
    """Its level names are in no language file, its levels file ships with no program."""
    from pipeline.book.build import Chosen, lay_out
    from pipeline.book.check.report import check_pdf
    from pipeline.book.exclusions import Exclusions
    from pipeline.book.selection import Sources, select
    from pipeline.levels import load_levels

    levels = tmp_path / "mine.toml"
    levels.write_text(
        'name = "mine"\n[[level]]\nname = "calm"\nwhen = { hodoku_score = { below = 300 } }\n'
        '[[level]]\nname = "brisk"\nwhen = { hodoku_score = { from = 300 } }\n'
    )
    own = load_levels(levels)
    sections = [{"level": "calm", "count": 3}, {"level": "brisk", "count": 2}]
    wanted = order({"section": sections})
    sources = Sources([], own, [], {"basic": 1, "hodoku": 1})
    selection = select(wanted, sources, Exclusions("isomorph"), fill=True)
    draft = lay_out(wanted, Chosen(sources, selection))
    pdf = print_pdf(draft.order, draft.composed.pages, draft.composed.sheet)
    assert check_pdf(pdf, levels=own).faults == []
    with pytest.raises(ConfigError, match="mine"):
        check_pdf(pdf)
