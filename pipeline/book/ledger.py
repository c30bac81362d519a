"""The ledger: which volume and page a puzzle is in, over all series, in one SQLite file.

A volume is reserved (its puzzles are taken, pages may change), registered (printed) or void (its
puzzles are free again). Puzzles are kept with their keys, so that a rearranged twin is found.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

from workers.errors import UsageError

State: TypeAlias = Literal["reserved", "registered", "void"]
SCHEMA: Final = """
create table if not exists volume (
    series text not null, number integer not null, title text not null, state text not null,
    interior text, primary key (series, number));
create table if not exists puzzle (
    series text not null, volume integer not null, number integer not null, page integer not null,
    puzzle text not null, key blob not null, solution_key blob not null, level text,
    primary key (series, volume, number));
create index if not exists puzzle_key on puzzle (key);
create index if not exists puzzle_solution on puzzle (solution_key);
"""


class Printed(NamedTuple):
    """One puzzle of a volume; number and page as printed."""

    number: int
    page: int
    puzzle: str
    key: bytes
    solution_key: bytes
    level: str | None


class Volume(NamedTuple):
    """One volume of a series; `interior` is the SHA-256 of its print file."""

    series: str
    number: int
    title: str
    state: State
    interior: str | None = None
    puzzles: int = 0


class Place(NamedTuple):
    """Where a puzzle is, and whether there as it is asked for or as a twin by symmetry."""

    volume: Volume
    printed: Printed
    same: bool


class Ledger:
    """An opened ledger; changes are whole or not at all."""

    def __init__(self, link: sqlite3.Connection, path: Path) -> None:
        self._link, self._path = link, path

    def volumes(self, series: str | None = None) -> list[Volume]:
        """All volumes, or those of a series, in order."""
        rows = self._link.execute(
            "select v.series, v.number, v.title, v.state, v.interior, count(p.number)"
            " from volume v left join puzzle p on p.series = v.series and p.volume = v.number"
            " where ?1 is null or v.series = ?1"
            " group by v.series, v.number order by v.series, v.number",
            (series,),
        )
        return [Volume(*row) for row in rows]

    def record(self, volume: Volume, puzzles: Iterable[Printed]) -> None:
        """Reserve or register a volume with its puzzles.

        UsageError when it is registered already, unless it is void or was only reserved.
        """
        known = {(one.series, one.number): one for one in self.volumes(volume.series)}
        old = known.get((volume.series, volume.number))
        if old is not None and old.state == "registered" and old.interior != volume.interior:
            what = f"volume {volume.number} is registered already (void it first)"
            raise UsageError(volume.series, what)
        with self._link:
            self._drop(volume)
            self._link.execute("insert into volume values (?, ?, ?, ?, ?)", volume[:5])
            rows = [(volume.series, volume.number, *one) for one in puzzles]
            self._link.executemany("insert into puzzle values (?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def void(self, series: str, number: int) -> Volume:
        """Free the puzzles of a volume; it stays on record. UsageError when there is none."""
        found = next((one for one in self.volumes(series) if one.number == number), None)
        if found is None:
            raise UsageError(series, f"no volume {number} in {self._path}")
        with self._link:
            change = "update volume set state = 'void' where series = ? and number = ?"
            self._link.execute(change, (series, number))
        return found._replace(state="void")

    def taken(self, series: str | None, but: tuple[str, int] | None = None) -> list[Printed]:
        """The puzzles of all volumes (of a series) that are not void, but for one volume."""
        rows = self._link.execute(
            "select p.number, p.page, p.puzzle, p.key, p.solution_key, p.level from puzzle p"
            " join volume v on v.series = p.series and v.number = p.volume"
            " where v.state <> 'void' and (?1 is null or p.series = ?1)"
            " and not (p.series = ?2 and p.volume = ?3) order by p.series, p.volume, p.number",
            (series, *(but or ("", 0))),
        )
        return [Printed(*row) for row in rows]

    def find(self, key: bytes, puzzle: str) -> list[Place]:
        """Where a puzzle, or one that a symmetry turns into it, was printed."""
        rows = self._link.execute(
            "select v.series, v.number, v.title, v.state, v.interior, p.number, p.page, p.puzzle,"
            " p.key, p.solution_key, p.level from puzzle p"
            " join volume v on v.series = p.series and v.number = p.volume"
            " where p.key = ? order by v.series, v.number, p.number",
            (key,),
        )
        found = [(Volume(*row[:5]), Printed(*row[5:])) for row in rows]
        return [Place(volume, printed, printed.puzzle == puzzle) for volume, printed in found]

    def _drop(self, volume: Volume) -> None:
        chosen = (volume.series, volume.number)
        self._link.execute("delete from puzzle where series = ? and volume = ?", chosen)
        self._link.execute("delete from volume where series = ? and number = ?", chosen)


@contextmanager
def open_ledger(path: str | Path, create: bool = False) -> Iterator[Ledger]:
    """The ledger in a file; UsageError when it does not exist (unless `create`) or is none."""
    path = Path(path)
    if not path.is_file() and not create:
        raise UsageError(path, "no such ledger")
    try:
        link = sqlite3.connect(path)
        try:
            link.executescript(SCHEMA)
            yield Ledger(link, path)
        finally:
            link.close()
    except sqlite3.DatabaseError as error:
        raise UsageError(path, f"is no ledger ({error})") from None
