"""The live display of a run on a terminal."""

from typing import TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from pipeline.progress import Status

LABEL_WIDTH = 12


class Screen:
    """Draws a status over the one before; the last stays on the screen."""

    def __init__(self, stream: TextIO) -> None:
        self._live = Live(console=Console(file=stream), auto_refresh=False)
        self._live.start()

    def show(self, status: Status) -> None:
        self._live.update(_drawn(status), refresh=True)

    def close(self) -> None:
        self._live.stop()


def print_status(status: Status, stream: TextIO) -> None:
    """Write a status once, as the live display draws it."""
    Console(file=stream).print(_drawn(status))


def _drawn(status: Status) -> Group:
    bar = ProgressBar(total=max(1, status.jobs), completed=status.committed, width=50)
    table = Table.grid(padding=(0, 1))
    table.add_column(width=LABEL_WIDTH, style="dim")
    table.add_column()
    table.add_row("", bar)
    for label, value in _facts(status):
        table.add_row(label, value)
    return Group(Text(f"{status.run}  {status.state}", style="bold"), table)


def _facts(status: Status) -> list[tuple[str, str]]:
    oldest = f", oldest {status.oldest[0].age_s:.0f} s" if status.oldest else ""
    facts = [
        ("jobs", f"{status.committed:,} of {status.jobs:,} committed"),
        ("rows", f"{status.rows_committed:,} of {status.rows:,}"),
        ("in flight", f"{status.in_flight}{oldest}"),
        ("rate", f"{status.rows_per_s:,.0f} rows/s" if status.rows_per_s else "-"),
        ("left", duration(status.eta_s) if status.eta_s is not None else "-"),
    ]
    if status.levels:
        facts.append(("levels", ", ".join(f"{k} {v:,}" for k, v in status.levels.items())))
    if status.quotas:
        facts.append(("quotas", ", ".join(f"{k} {v}" for k, v in status.quotas.items())))
    if status.quarantined:
        facts.append(("quarantined", ", ".join(str(job) for job in status.quarantined)))
    if status.resent or status.healed:
        facts.append(("healed", f"{status.resent} sent again, {status.healed} restarts"))
    if status.message:
        facts.append(("", status.message))
    return facts


def duration(seconds: float) -> str:
    """`1 h 02 min`, `3 min 20 s` or `12 s`."""
    minutes, rest = divmod(round(seconds), 60)
    if minutes >= 60:
        return f"{minutes // 60} h {minutes % 60:02d} min"
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
