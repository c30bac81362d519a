"""An order, whole: from puzzles to the files of a book, which appear together when all are made."""

import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from pipeline.book.compose import Composed, Texts, compose
from pipeline.book.cover import Cover, cover_of, cover_pdf, cover_svg
from pipeline.book.entries import BookPuzzle, book_puzzles, hints_of
from pipeline.book.exclusions import read_exclusions
from pipeline.book.manifest import (
    MANIFEST_SCHEMA,
    BookManifest,
    grid_facts,
    program_version,
    puzzles_csv,
    record_line,
)
from pipeline.book.order import Order
from pipeline.book.profiles import load_profiles
from pipeline.book.selection import Selection, Sources, open_sources, select, shortage
from pipeline.book.setting import setting_of
from pipeline.book.strings import Strings, load_strings
from pipeline.book.typeset import print_pdf, screen_pdf
from workers.errors import PuzzleError


class QuotaNotFilled(PuzzleError):
    """The corpora have too few puzzles for the order; says which are missing."""

    exit_code = 3


class Built(NamedTuple):
    """What was made: files by name, the manifest, the sizes of the cover."""

    files: dict[str, Path]
    manifest: BookManifest
    cover: Cover


class Chosen(NamedTuple):
    """The puzzles of an order, before anything is drawn."""

    sources: Sources
    selection: Selection


class Draft(NamedTuple):
    """A book laid out: what is set next."""

    order: Order
    chosen: Chosen
    puzzles: list[BookPuzzle]
    texts: Texts
    composed: Composed


def choose(order: Order, corpora: Sequence[str], fill: bool) -> Chosen:
    """Select the puzzles of an order; what is missing is in the selection's deficit."""
    sources = open_sources(corpora or order.book.corpora)
    own = (order.book.series, order.book.volume)
    but = (own[0], own[1]) if own[0] is not None and own[1] is not None else None
    wanted = order.dedupe
    excluded = read_exclusions(wanted.against, wanted.within, Path(wanted.ledger), but)
    return Chosen(sources, select(order, sources, excluded, fill))


def build(order: Order, corpora: Sequence[str] = (), fill: bool = False) -> Built:
    """Make the book of an order in its folder.

    Raises QuotaNotFilled with the deficit, ConfigError when the order's rules cannot be kept;
    then no file is written. A book in which the check finds a fault is not put into the ledger.
    """
    from pipeline.book.check.report import check_pdf  # which reads manifests
    from pipeline.book.register import record_volume, volume_of

    draft = laid_out(order, corpora, fill)
    composed = draft.composed
    interior = print_pdf(order, composed.pages, composed.sheet)
    manifest = manifest_of(draft, interior)
    cover = cover_of(order, len(composed.pages))
    contents = _contents(order, manifest, cover)
    contents["interior.pdf"] = interior
    faults = 0
    if "screen.pdf" in order.output.artifacts:
        strings = load_strings(order.book.language)
        again = compose(order, strings, draft.puzzles, draft.texts, screen=True)
        contents["screen.pdf"] = screen_pdf(order, again.pages, again.sheet)
    if "check.json" in order.output.artifacts:
        report = check_pdf(interior, manifest, "interior.pdf", levels=draft.chosen.sources.levels)
        contents["check.json"] = _json(report)
        faults = len(report.faults)
    files = _published(order, contents)
    if order.output.register_in_ledger and not faults:
        record_volume(order.dedupe.ledger, volume_of(manifest), "registered")
    return Built(files, manifest, cover)


def laid_out(order: Order, corpora: Sequence[str] = (), fill: bool = False) -> Draft:
    """The pages of an order's book, before they are set; errors as of `build`."""
    check_rules(order)
    chosen = choose(order, corpora, fill)
    if chosen.selection.deficit:
        what = shortage(order.section, chosen.selection.deficit)
        raise QuotaNotFilled("order", f"{what} (--fill generates them)")
    return lay_out(order, chosen)


def lay_out(order: Order, chosen: Chosen) -> Draft:
    """The same for puzzles that are chosen already."""
    strings = load_strings(order.book.language)
    puzzles = book_puzzles(order, chosen.selection.sections, strings)
    texts = _texts(order, puzzles, chosen.sources, strings)
    composed = compose(order, strings, puzzles, texts, screen=False)
    return Draft(order, chosen, puzzles, texts, composed)


def check_rules(order: Order) -> None:
    """Refuse an order whose sizes cannot be kept, before puzzles are chosen."""
    from pipeline.book.profiles import find_profile, sheet_of

    sheet = sheet_of(find_profile(order.print.profile), order.print.trim, 24)
    setting_of(order, load_strings(order.book.language), sheet)


def _texts(
    order: Order, puzzles: Sequence[BookPuzzle], sources: Sources, strings: Strings
) -> Texts:
    book = order.book
    rights = " ".join(str(part) for part in ("©", book.year, book.author or book.publisher) if part)
    title = book.title if book.volume is None else f"{book.title}, " + strings.volume.format(
        n=book.volume)  # fmt: skip
    isbn = strings.isbn.format(isbn=book.isbn) if book.isbn else None
    imprint = [title, book.publisher, f"{rights}. {strings.rights}", isbn, book.note,
               strings.made.format(version=program_version()),
               record_line(order, sources)]  # fmt: skip
    steps = hints_of(puzzles, order.section, "first-steps", strings)
    paths = hints_of(puzzles, order.section, "walkthrough", strings)
    return Texts([one for one in imprint if one], steps, paths)


def manifest_of(draft: Draft, interior: bytes) -> BookManifest:
    """What was made, with the SHA-256 of the print file."""
    order, chosen, puzzles, _, composed = draft
    grids = grid_facts(puzzles, composed)
    plain = msgspec.to_builtins(order)
    del plain["output"]  # where files lie is no part of the book
    return BookManifest(
        MANIFEST_SCHEMA,
        order.book.title,
        order.book.series,
        order.book.volume,
        order.book.seed,
        order.book.language,
        order.print.profile,
        load_profiles().date,
        order.print.trim,
        order.print.large_print,
        len(composed.pages),
        (composed.sheet.width, composed.sheet.height),
        chosen.sources.levels.name,
        chosen.sources.rater_versions,
        chosen.sources.contents,
        chosen.selection.generated,
        hashlib.sha256(interior).hexdigest(),
        plain,
        grids,
    )


def _contents(order: Order, manifest: BookManifest, cover: Cover) -> dict[str, bytes]:
    svg = cover_svg(cover, order.book.title)
    makers: Mapping[str, Any] = {
        "manifest.json": lambda: _json(manifest),
        "puzzles.csv": lambda: puzzles_csv(manifest.grids).encode(),
        "cover.json": lambda: _json(cover._asdict()),
        "cover-guide.svg": svg.encode,
        "cover-guide.pdf": lambda: cover_pdf(cover, svg),
    }
    return {name: make() for name, make in makers.items() if name in order.output.artifacts}


def _json(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"


def _published(order: Order, contents: Mapping[str, bytes]) -> dict[str, Path]:
    folder = Path(order.output.dir)
    folder.mkdir(parents=True, exist_ok=True)
    drafts = {name: folder / f".{name}.{os.getpid()}.part" for name in contents}
    try:
        for name, content in contents.items():
            drafts[name].write_bytes(content)
        for name, draft in drafts.items():
            os.replace(draft, folder / name)
    finally:
        for draft in drafts.values():
            draft.unlink(missing_ok=True)
    return {name: folder / name for name in contents}
