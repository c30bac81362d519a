"""The command `puzzlemill`, from the first moment: Ctrl-C while it is being imported is no bug."""

import sys
from typing import NoReturn

INTERRUPTED = 3


def main() -> NoReturn:
    """Import the command line and run it; see `pipeline.cli`."""
    try:
        from pipeline import cli

        cli.main()
    except KeyboardInterrupt:
        sys.stderr.write("puzzlemill: interrupted\n")
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
