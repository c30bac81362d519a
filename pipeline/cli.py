"""The command line `puzzlemill`: which commands there are, and how a command ends.

Commands live in `pipeline.commands` and are imported when they are called, so that help is
quick. Data goes to stdout, everything else to stderr. Exit codes: 0 ok, 1 failed, 2 usage or bad
input, 3 interrupted but resumable or quota not filled, 4 plan differs from the run, 5 integrity
failure, 6 complete but with quarantined jobs.
"""

import io
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from workers.errors import PuzzleError

INTERRUPTED = 3

COMMANDS = {
    "run": ("runs", "Carry out a plan: from jobs to a corpus."),
    "resume": ("runs", "Go on with a run."),
    "status": ("runs", "Tell how far a run is."),
    "verify": ("runs", "Check every file of a run against its record."),
    "retry-quarantined": ("runs", "Try the jobs once more that were given up."),
    "gc": ("runs", "Remove what killed processes left in a run."),
    "worker": ("runs", "Work for any run of a store until stopped."),
    "corpus": ("corpus", "Look into a corpus: stats, query, export, merge, audit, codebook."),
    "generate": ("generate", "Make new puzzles."),
    "solve": ("puzzles", "Solve one puzzle or a list."),
    "grade": ("puzzles", "Grade one puzzle or a list."),
    "explain": ("puzzles", "Tell the steps by which a person can solve one puzzle."),
    "canonical": ("puzzles", "Give the canonical form of one puzzle or a list."),
    "convert": ("convert", "Convert puzzles from one format to another."),
    "render": ("render", "Draw puzzles as SVG or PNG."),
    "book": ("book", "Make a puzzle book, check one, keep a ledger of volumes."),
    "trace": ("trace", "Trace the brute-force search of one puzzle, as a plot or a table."),
    "task": ("task", "Do one task with the options of the thesis: solve or generate."),
    "calibrate": ("calibrate", "Hold columns against people: solving times, levels, drift."),
    "bench": ("bench", "Measure puzzles per CPU-second."),
}
"""Command -> (module of `pipeline.commands`, what it does in a few words), in order of use."""

EXIT_CODES = """\b
Exit codes: 0 ok; 1 failed; 2 usage or bad input; 3 interrupted but resumable,
or quota not filled; 4 the plan differs from the run; 5 integrity failure;
6 complete but with quarantined jobs."""


class LazyGroup(click.Group):
    """A group whose commands are imported when called; help needs none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"pipeline.commands.{COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


def _show_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        from importlib import metadata

        try:
            version = metadata.version("puzzlemill")
        except metadata.PackageNotFoundError:
            version = "(not installed)"
        click.echo(f"puzzlemill {version}")
        ctx.exit()


@click.group(cls=LazyGroup, epilog=EXIT_CODES, context_settings={"max_content_width": 100})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version,
              help="Show the version and exit.")  # fmt: skip
@click.option("--debug", is_flag=True, expose_value=False,
              help="Show a traceback when something fails; may stand anywhere.")  # fmt: skip
def app() -> None:
    """Make difficulty-rated puzzle corpora in bulk.

    Puzzles are texts, one a line; `-` is stdin. Results go to stdout, everything else to stderr.
    `puzzlemill COMMAND --help` explains a command.
    """


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit the process with one of the codes above."""
    if "_PUZZLEMILL_COMPLETE" in os.environ:  # the shell asks for completions
        app.main(prog_name="puzzlemill")
    _fill_closed_streams()
    for stream in (sys.stdout, sys.stderr):  # a terminal that cannot show a sign is no error
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    words = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in words
    if arguments is None:  # a process of our own
        from pipeline.lean import spare_imports

        spare_imports(words)
    code = run([word for word in words if word != "--debug"], debug)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is said: one more Ctrl-C changes no code
    sys.exit(code)


def _fill_closed_streams() -> None:
    """Put nothing in the place of a closed stream, where a file opened later would land."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
            if number:
                stream = open(number, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
                setattr(sys, name, stream)


def run(words: list[str], debug: bool = False) -> int:
    """The exit code of a command line; an error is printed to stderr, in one line."""
    try:
        # Not app.main: it has its own ideas of closed pipes and exit codes.
        with app.make_context("puzzlemill", words) as context:
            code: Any = app.invoke(context)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except BrokenPipeError:  # `| head` has read enough
        _forget_stdout()
        return 0
    except (KeyboardInterrupt, click.Abort):
        return _fail("interrupted", INTERRUPTED)
    except Exception as error:
        if debug:
            raise
        return _explain(error)


def _explain(error: Exception) -> int:
    """Print one line on what went wrong, and the exit code it stands for."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        click.echo(error.format_message(), err=True)
        return 2
    if isinstance(error, click.UsageError):
        path = error.ctx.command_path if error.ctx else "puzzlemill"
        return _fail(f"{_sentence(error.format_message())} (see {path} --help)", 2)
    if isinstance(error, click.ClickException):
        return _fail(_sentence(error.format_message()), 2)
    if isinstance(error, PuzzleError):
        for line in str(error).splitlines():  # an integrity error may list many faults
            _fail(line, error.exit_code)
        return error.exit_code
    if isinstance(error, OSError) and error.strerror is not None:
        return _fail(f"{error.filename or 'output'}: {error.strerror}", 1)
    kind = type(error).__name__
    return _fail(f"internal error: {kind}: {error} (--debug shows where; please report it)", 1)


def _sentence(message: str) -> str:
    return message[:1].lower() + message[1:].rstrip(".")


def _fail(message: str, code: int) -> int:
    click.echo(f"puzzlemill: {' '.join(message.split())}", err=True)
    return code


def _forget_stdout() -> None:
    """Keep the interpreter from flushing into a closed pipe when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
