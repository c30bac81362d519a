"""All tests on one PDF, and what they found."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from pipeline.book.check.file import check_file as check_objects
from pipeline.book.check.findings import Fault, Findings
from pipeline.book.check.puzzles import check_puzzles, check_twins, graded_again
from pipeline.book.check.reading import Reader, read_file
from pipeline.book.check.recover import recover
from pipeline.book.check.references import check_references
from pipeline.book.check.sheets import check_sheets, rules_of
from pipeline.book.exclusions import Exclusions, read_exclusions
from pipeline.book.manifest import BookManifest
from pipeline.levels import Levels, load_levels


class Report(Struct, frozen=True):
    """The whole report: no faults means that the book is right."""

    pdf: str
    sha256: str
    pages: int
    puzzles: int
    solutions: int
    record: dict[str, str]
    tests: list[str]
    left_out: dict[str, str]
    faults: list[Fault]


def check_file(
    path: Path,
    manifest: Path | None = None,
    against: Sequence[str] = (),
    ledger: Path = Path("puzzlemill-ledger.sqlite"),
    levels: str | None = None,
) -> Report:
    """Check a PDF; UsageError when it, its manifest or its levels file cannot be read.

    `against` are sources of earlier puzzles, as in an order.
    """
    from pipeline.book.register import read_manifest

    made = read_manifest(manifest) if manifest is not None else None
    pdf = read_file(path)
    excluded = None
    if against:
        own = (made.series, made.volume) if made else (None, None)
        but = (own[0], own[1]) if own[0] is not None and own[1] is not None else None
        excluded = read_exclusions(against, "isomorph", ledger, but)
    chosen = load_levels(levels) if levels is not None else None
    return check_pdf(pdf, made, str(path), excluded, chosen)


def check_pdf(
    pdf: bytes,
    manifest: BookManifest | None = None,
    name: str = "PDF",
    excluded: Exclusions | None = None,
    levels: Levels | None = None,
) -> Report:
    """The same for the bytes of a PDF."""
    found = recover(pdf, name)
    rules = rules_of(found)
    findings = Findings()
    check_objects(pdf, rules.profile.megabytes, rules.tint, findings)
    check_sheets(found, rules, Reader(pdf, name), findings)
    used = levels or load_levels(found.record.get("levels", "levels-1"))
    graded = graded_again(found, used)
    check_puzzles(found, graded, manifest, findings)
    check_twins(found, graded, excluded, findings)
    check_references(found, graded, findings)
    return Report(
        name,
        hashlib.sha256(pdf).hexdigest(),
        len(found.pages),
        len(found.puzzles),
        len(found.solutions),
        found.record,
        findings.made,
        findings.left_out,
        findings.faults,
    )


def report_lines(report: Report) -> Iterator[str]:
    """The report for a person."""
    bad = {fault.test for fault in report.faults}
    counts = f"{report.puzzles} puzzles, {report.solutions} solutions"
    yield f"{report.pdf}: {report.pages} pages, {counts}"
    for test in report.tests:
        yield f"  {'FAULT' if test in bad else 'ok   '} {test}"
        for fault in report.faults:
            if fault.test == test:
                where = f"page {fault.page}: " if fault.page is not None else ""
                yield f"        {where}{fault.what}"
    for test, why in report.left_out.items():
        yield f"  -     {test}: {why}"
    yield "the book is right" if not report.faults else f"{len(report.faults)} faults"
