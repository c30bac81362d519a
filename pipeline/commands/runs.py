"""run, resume, status, verify, retry-quarantined, gc, worker: from a plan to its corpus."""

import functools
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from workers import settings
from workers.broker_url import checked_url

if TYPE_CHECKING:
    from pipeline.session import Options, Outcome

RUN_DIR = click.argument("run_dir", metavar="RUN_DIR", type=click.Path(path_type=Path))
INSECURE = click.option("--insecure-broker", is_flag=True, default=settings.insecure_broker,
                        help="Use a broker on another machine even without TLS and a password "
                        "[PUZZLEMILL_INSECURE_BROKER=1].")  # fmt: skip


def execution_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say how a run is carried out, none of which changes a row.

    The command gets them as one `options`.
    """

    @functools.wraps(command)
    def wrapped(**given: Any) -> Any:
        from pipeline.session import Options

        how = {name: given.pop(name) for name in Options.__struct_fields__ if name in given}
        return command(**given, options=Options(**how))

    options = (
        click.option("--workers", metavar="N", type=click.IntRange(0, 1024),
                     help="Worker processes on this machine, at most 1024. Default: one a core; "
                     "none with an outside broker."),
        click.option("--broker", metavar="URL", default=settings.broker_url,
                     help="An outside Redis or Valkey server, redis:// or rediss:// "
                     "[PUZZLEMILL_BROKER]. Default: a private one."),
        INSECURE,
        click.option("--executor", type=click.Choice(["celery", "local", "serial"]),
                     default="celery", show_default=True,
                     help="Where jobs run: Celery workers, child processes, or this process."),
        click.option("--accept-quarantined", is_flag=True,
                     help="A corpus without the jobs that were given up is complete (exit 0)."),
    )  # fmt: skip
    for option in reversed(options):
        wrapped = option(wrapped)
    return wrapped


@click.command()
@click.argument("plan")
@click.option("--input", "source", metavar="FILE",
              help="The list to grade, for a plan that grades; - is stdin.")  # fmt: skip
@click.option("--set", "overrides", metavar="KEY=VALUE", multiple=True,
              help="Replace a value of the plan, as --set rows=100 or --set params.x=1; may be "
              "repeated.")  # fmt: skip
@click.option("--store", metavar="DIR", default=settings.store_path,
              help="Folder that holds the runs [PUZZLEMILL_STORE]. Default: ./runs.")  # fmt: skip
@click.option("--new-run", is_flag=True, help="Start anew even where this plan has a run.")
@execution_options
def run(
    plan: str,
    source: str | None,
    overrides: tuple[str, ...],
    store: str,
    new_run: bool,
    options: "Options",
) -> int:
    """Carry out PLAN: a TOML file, or the name of a shipped plan (quickstart, quota, grade-list).

    The run lives in STORE/<name>-<digest>/, its corpus in corpus/ there; the last line printed is
    the run's path. The same plan again goes on where it was. Ctrl-C stops it so that it can go on
    (exit 3); so does a full disk. A quota that max_jobs does not fill ends with 3 too, jobs that
    were given up with 6.
    """
    from pipeline import session

    outcome = session.run(
        plan, store, overrides=overrides, source=source, new_run=new_run, options=options
    )
    return _told(outcome)


@click.command()
@RUN_DIR
@click.option("--as-recorded", is_flag=True,
              help="Go on with the plan as it was when the run was made, though its file has "
              "changed since (else exit 4).")  # fmt: skip
@execution_options
def resume(
    run_dir: Path,
    as_recorded: bool,
    options: "Options",
) -> int:
    """Go on with a run; shards that are damaged are made anew."""
    from pipeline import session

    return _told(session.resume(run_dir, as_recorded=as_recorded, options=options))


@click.command("retry-quarantined")
@RUN_DIR
@execution_options
def retry_quarantined(
    run_dir: Path,
    options: "Options",
) -> int:
    """Try the jobs once more that were given up, and finish the run."""
    from pipeline import session

    return _told(session.retry_quarantined(run_dir, options=options))


@click.command()
@RUN_DIR
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def status(run_dir: Path, as_json: bool) -> None:
    """Tell how far a run is, from its folder alone: no broker is needed, nothing is changed."""
    import msgspec

    from pipeline.status import status as status_of

    found = status_of(run_dir.absolute())
    if as_json:
        click.echo(msgspec.json.encode(found).decode())
        return
    from pipeline.screen import print_status

    print_status(found, sys.stdout)


@click.command()
@RUN_DIR
@click.option("--deep", is_flag=True, help="Also recompute the hashes of all values.")
def verify(run_dir: Path, deep: bool) -> int:
    """Check every shard and corpus file against its record; faults are listed, one a line.

    Exit code 5 when there are any; `resume` makes damaged shards anew.
    """
    from pipeline.corpus.released import are_released
    from pipeline.corpus.verify import run_findings

    faults = 0
    for finding in run_findings(run_dir.absolute(), deep):
        faults += 1
        click.echo(str(finding))
    released = " (the shards were removed by gc)" if are_released(run_dir) else ""
    click.echo(f"{run_dir}: {faults or 'no'} fault{'' if faults == 1 else 's'}{released}", err=True)
    return 5 if faults else 0


@click.command()
@RUN_DIR
@click.option("--shards", is_flag=True,
              help="Also remove the shards of a complete run, to free their disk: its corpus has "
              "the rows.")  # fmt: skip
def gc(run_dir: Path, shards: bool) -> None:
    """Remove what killed processes left in a run: drafts, an orphaned broker."""
    from pipeline import session

    removed = session.gc(run_dir, shards=shards)
    click.echo(f"{run_dir}: removed {', '.join(removed) or 'nothing'}", err=True)


@click.command()
@click.option("--broker", metavar="URL", default=settings.broker_url,
              help="The Redis or Valkey server of the driver [PUZZLEMILL_BROKER].")  # fmt: skip
@INSECURE
@click.option("--store", metavar="DIR", default=settings.store_path,
              help="The folder that holds the runs, as this machine sees it [PUZZLEMILL_STORE]. "
              "Default: ./runs.")  # fmt: skip
@click.option("--concurrency", metavar="N", type=click.IntRange(1, 1024),
              help="Worker processes, at most 1024. Default: one a core.")  # fmt: skip
def worker(broker: str | None, insecure_broker: bool, store: str, concurrency: int | None) -> None:
    """Work for any run of the store until stopped; the same as `celery -A workers worker`."""
    if broker is None:
        raise click.UsageError("missing --broker URL (or PUZZLEMILL_BROKER)")
    runs = store if "://" in store else str(Path(store).absolute())
    checked_url(broker, insecure_broker)  # told here, before the worker's own imports
    environment = {**os.environ, "PUZZLEMILL_BROKER": broker, "PUZZLEMILL_STORE": runs}
    if insecure_broker:
        environment["PUZZLEMILL_INSECURE_BROKER"] = "1"
    command = [sys.executable, "-m", "celery", "-A", "workers", "worker"]
    if concurrency is not None:
        command += ["--concurrency", str(concurrency)]
    sys.stdout.flush()
    os.execve(sys.executable, command, environment)


def _told(outcome: "Outcome") -> int:
    """Print what a run lacks, then its path, the last line of all."""
    rejects = outcome.run_dir / "input" / "rejects.jsonl"
    if rejects.is_file() and rejects.stat().st_size:
        count = rejects.read_bytes().count(b"\n")
        click.echo(f"{rejects}: {count} lines of the input are no puzzles", err=True)
    if outcome.exit_code:
        said = ": ".join(part for part in (outcome.state, outcome.message) if part)
        click.echo(f"puzzlemill: {outcome.run_dir}: {said}", err=True)
    click.echo(str(outcome.run_dir))
    return outcome.exit_code
