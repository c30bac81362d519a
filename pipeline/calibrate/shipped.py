"""Files that ship with the program, beside its plans, in a checkout and in a wheel."""

from pathlib import Path

from pipeline.toml import CONFIG_FOLDERS
from workers.errors import ConfigError

HUMAN_TIMES = "cloud-sudoku.csv"
"""1,533 Sudokus with the mean time of 10 to 43 people, CC0; see README.md beside it."""
FLOORS = "cloud-sudoku-floors.toml"
PANEL = "panel.csv"
TEMPLATE = "own-times.csv"


def shipped(name: str) -> Path:
    """The path of a file in configs/calibration; ConfigError when it is not there."""
    for folder in CONFIG_FOLDERS:
        if (folder / "calibration" / name).is_file():
            return folder / "calibration" / name
    raise ConfigError(name, "is not among the files of this installation")
