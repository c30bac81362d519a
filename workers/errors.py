"""The exception tree. Facts go into `args`, so that they survive JSON and pickling.

PuzzleError
    UsageError          the caller's input is wrong          exit 2
        ConfigError     a plan, levels or settings file
        ParamsError     a generation or grading parameter
        ParseError      a puzzle text (knows the position)
    PuzzleStateError    the puzzle itself does not allow it  exit 1
        NoSolution, ManySolutions
    BudgetError         a node budget ran out                exit 1
    TransientError      may work next time; the only one that is retried
    RunError            a run cannot go on                   exit by subclass
        RunLocked, RunDiffers (4), IntegrityError (5), VersionRefused
"""


class PuzzleError(Exception):
    """Root of all errors this project raises on purpose; `str` is one line for a person."""

    exit_code = 1

    def __str__(self) -> str:
        return ": ".join(str(fact) for fact in self.args)


class UsageError(PuzzleError):
    """The caller's input is wrong: says what, where and what to do."""

    exit_code = 2


class ConfigError(UsageError):
    """A plan, levels or settings file is wrong; args = (file, what)."""


class ParamsError(UsageError):
    """A generation or grading parameter is out of range; args = (name, what)."""


class ParseError(UsageError):
    """A puzzle text is malformed; args = (what, position), position 0-based or None."""

    def __init__(self, what: str, position: int | None = None) -> None:
        super().__init__(what, position)

    @property
    def what(self) -> str:
        return str(self.args[0])

    @property
    def position(self) -> int | None:
        position = self.args[1]
        return position if position is None else int(position)

    def __str__(self) -> str:
        where = "" if self.position is None else f" (column {self.position + 1})"
        return f"{self.what}{where}"


class PuzzleStateError(PuzzleError):
    """The puzzle does not allow what was asked."""


class NoSolution(PuzzleStateError):
    """The puzzle has no solution."""


class ManySolutions(PuzzleStateError):
    """The puzzle has more than one solution."""


class BudgetError(PuzzleError):
    """A node budget ran out before the answer was known."""


class TransientError(PuzzleError):
    """The world was in the way (disk, network); the same call may work later."""


class RunError(PuzzleError):
    """A run cannot be started or go on."""


class RunLocked(RunError):
    """Another driver holds the run folder."""


class RunDiffers(RunError):
    """The plan differs from the one the run folder was made with."""

    exit_code = 4


class IntegrityError(RunError):
    """Files on disk are not what their records say."""

    exit_code = 5


class VersionRefused(RunError):
    """This worker's kinds, raters or libraries are not those of the run."""
