"""book: plan, build, check; reserve, register, void, find, volumes, errata."""

from pathlib import Path
from typing import Any

import click

LEDGER = click.option("--ledger", metavar="FILE", help="The ledger; by default that of the order, "
                      "or puzzlemill-ledger.sqlite.")  # fmt: skip
CORPUS = click.option("--corpus", "corpora", metavar="DIR", multiple=True,
                      help="Take puzzles from this corpus or run; may be repeated.")  # fmt: skip
FILL = click.option("--fill", is_flag=True, help="Generate what the corpora lack.")
DEFAULT_LEDGER = "puzzlemill-ledger.sqlite"


@click.group()
def book() -> None:
    """Make a print-ready puzzle book from corpora, and check one.

    ORDER is a TOML file or the name of a shipped one (book-large-print). These commands need the
    extra `books`.
    """


def _order(name: str, ledger: str | None, out: str | None = None) -> Any:
    from pipeline.book.order import load_order

    overrides: dict[str, dict[str, Any]] = {}
    if ledger is not None:
        overrides["dedupe"] = {"ledger": ledger}
    if out is not None:
        overrides["output"] = {"dir": out}
    return load_order(name, overrides)


@book.command()
@click.argument("order")
@CORPUS
@FILL
@LEDGER
def plan(order: str, corpora: tuple[str, ...], fill: bool, ledger: str | None) -> int:
    """Tell what the book would be, and whether the corpora have enough; nothing is written."""
    from pipeline.book.build import check_rules, choose, lay_out
    from pipeline.book.selection import shortage

    wanted = _order(order, ledger)
    check_rules(wanted)
    chosen = choose(wanted, corpora, fill)
    found = chosen.selection
    click.echo(f"{wanted.book.title}: {wanted.count} puzzles, {wanted.print.trim}, "
               f"{wanted.print.puzzles_per_page} a page")  # fmt: skip
    for section, rows in zip(wanted.section, found.sections, strict=True):
        scores = [row.score for row in rows] or [0]
        click.echo(f"  {section.level:<8} {len(rows):>4} of {section.count:<4} from "
                   f"{found.candidates.get(section.level, 0):,}; scores {min(scores)} to "
                   f"{max(scores)}")  # fmt: skip
    if found.deficit:
        click.echo(f"puzzlemill: {shortage(wanted.section, found.deficit)}", err=True)
        return 3
    _tell_sheet(lay_out(wanted, chosen))
    return 0


def _tell_sheet(draft: Any) -> None:
    from pipeline.book.cover import cover_of
    from pipeline.book.profiles import INCH

    sheet, pages = draft.composed.sheet, len(draft.composed.pages)
    cover = cover_of(draft.order, pages)
    click.echo(f"  {pages} pages, gutter {sheet.gutter / INCH:.3f} in, spine "
               f"{cover.spine_width:.3f} in, cover {cover.width:.3f} x {cover.height:.3f} in"
               )  # fmt: skip


@book.command()
@click.argument("order")
@CORPUS
@FILL
@LEDGER
@click.option("-o", "--output", "out", metavar="DIR", help="Folder of the book's files.")
def build(
    order: str, corpora: tuple[str, ...], fill: bool, ledger: str | None, out: str | None
) -> int:
    """Make the book: interior and screen PDF, manifest, puzzles, cover guide, check report.

    The same order and corpora give the same bytes. Exit code 3 when a quota cannot be filled. The
    last line printed is the print file.
    """
    from pipeline.book.build import build as build_book

    made = build_book(_order(order, ledger, out), corpora, fill)
    cover = made.cover
    click.echo(f"{made.manifest.pages} pages; spine {cover.spine_width:.3f} in; cover "
               f"{cover.width:.3f} x {cover.height:.3f} in; sha256 {made.manifest.interior}",
               err=True)  # fmt: skip
    for name in sorted(made.files, key=lambda name: name == "interior.pdf"):
        click.echo(str(made.files[name]))
    return _faults_of(made.files.get("check.json"))


def _faults_of(report: Path | None) -> int:
    import msgspec

    if report is None:
        return 0
    faults = msgspec.json.decode(report.read_bytes())["faults"]
    for fault in faults:
        click.echo(f"puzzlemill: {fault['test']}: {fault['what']}", err=True)
    return 5 if faults else 0


@book.command()
@click.argument("pdf", type=click.Path(path_type=Path))
@click.option("--manifest", metavar="FILE", type=click.Path(path_type=Path),
              help="Compare with this manifest: a clue that was lost may leave one solution.",
              )  # fmt: skip
@click.option("--against", metavar="SOURCE", multiple=True, help="Also look for twins in these: "
              "ledger:SERIES, vol1.pdf, any file of puzzles.")  # fmt: skip
@click.option("--levels", metavar="FILE", help="Levels file, where the imprint names none that "
              "ships with the program.")  # fmt: skip
@LEDGER
@click.option("--json", "as_json", is_flag=True, help="The whole report as JSON.")
def check(
    pdf: Path,
    manifest: Path | None,
    against: tuple[str, ...],
    levels: str | None,
    ledger: str | None,
    as_json: bool,
) -> int:
    """Prove a finished PDF right, from the PDF alone.

    Grids are found from ruled lines, digits put into cells, every puzzle is solved and graded
    again, every solution compared; page sizes, margins, fonts and colours are measured. Exit code
    5 when something is wrong.
    """
    import msgspec

    from pipeline.book.check.report import check_file, report_lines

    report = check_file(pdf, manifest, against, Path(ledger or DEFAULT_LEDGER), levels)
    if as_json:
        click.echo(msgspec.json.encode(report).decode())
    else:
        for line in report_lines(report):
            click.echo(line)
    return 5 if report.faults else 0


@book.command()
@click.argument("manifest", type=click.Path(path_type=Path))
@LEDGER
def reserve(manifest: Path, ledger: str | None) -> None:
    """Take the puzzles of a book that is not printed yet; MANIFEST is its manifest.json."""
    _record(manifest, ledger, "reserved", None, None)


@book.command()
@click.argument("manifest", metavar="MANIFEST|PDF", type=click.Path(path_type=Path))
@click.option("--series", help="Series of a PDF that is read back.")
@click.option("--volume", type=click.IntRange(1, 9999), help="Its volume.")
@LEDGER
def register(manifest: Path, series: str | None, volume: int | None, ledger: str | None) -> None:
    """Put a printed volume into the ledger, from its manifest.json or from the PDF alone."""
    _record(manifest, ledger, "registered", series, volume)


def _record(
    path: Path, ledger: str | None, state: str, series: str | None, volume: int | None
) -> None:
    from pipeline.book.register import read_volume, record_volume

    found = read_volume(path, series, volume)
    record_volume(ledger or DEFAULT_LEDGER, found, state)
    click.echo(f"{found.series} {found.volume}: {len(found.puzzles)} puzzles {state}")


@book.command()
@click.argument("series")
@click.argument("volume", type=click.IntRange(1, 9999))
@LEDGER
def void(series: str, volume: int, ledger: str | None) -> None:
    """Free the puzzles of a volume that will not be sold."""
    from pipeline.book.ledger import open_ledger

    with open_ledger(ledger or DEFAULT_LEDGER) as opened:
        found = opened.void(series, volume)
    click.echo(f"{series} {volume}: {found.puzzles} puzzles free")


@book.command()
@LEDGER
def volumes(ledger: str | None) -> None:
    """List the volumes in the ledger."""
    from pipeline.book.ledger import open_ledger

    with open_ledger(ledger or DEFAULT_LEDGER) as opened:
        for one in opened.volumes():
            click.echo(
                f"{one.series} {one.number}: {one.title}, {one.puzzles} puzzles, {one.state}"
            )


@book.command()
@click.argument("text")
@LEDGER
def find(text: str, ledger: str | None) -> int:
    """Tell the volume, page and number of a puzzle, also when symmetry has turned it."""
    from pipeline.book.exclusions import identities
    from pipeline.book.ledger import open_ledger
    from pipeline.commands.source import open_source

    puzzle = next(iter(open_source(text, "sudoku")))
    (identity,) = identities([puzzle])
    with open_ledger(ledger or DEFAULT_LEDGER) as opened:
        places = opened.find(identity.key, puzzle)
    for one in places:
        same = "" if one.same else ", turned or relabelled"
        click.echo(f"{one.volume.series} {one.volume.number}, page {one.printed.page}, number "
                   f"{one.printed.number} ({one.volume.state}){same}")  # fmt: skip
    if not places:
        click.echo("in no volume")
    return 0 if places else 1


@book.command()
@click.argument("manifest", type=click.Path(path_type=Path))
@click.argument("numbers", nargs=-1, required=True, type=click.IntRange(1))
def errata(manifest: Path, numbers: tuple[int, ...]) -> None:
    """Tell where puzzles stand, by number: pages, boxes, solution, for a list of errata."""
    import msgspec

    from pipeline.book.register import read_manifest

    found = {one.n: one for one in read_manifest(manifest).grids}
    for number in numbers:
        if number not in found:
            from workers.errors import UsageError

            raise UsageError(number, f"no such puzzle (1 to {len(found)})")
        click.echo(msgspec.json.encode(found[number]).decode())
