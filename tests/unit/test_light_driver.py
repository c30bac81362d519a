"""What a driver does not import: engines, what workers need, a second client of its broker."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {"numba", "valkey", "structlog", "matplotlib"}
PLAN = "name = 'p'\nkind = 'null'\nseed = 1\nrows = 40\njob_rows = 10\nlevels = 'levels-1'\n"


@pytest.mark.parametrize("executor", ["celery", "local"])
def test_a_driver_is_light(tmp_path: Path, executor: str) -> None:
    (tmp_path / "p.toml").write_text(PLAN)
    words = ["run", str(tmp_path / "p.toml"), "--store", str(tmp_path), "--workers", "1"]
    words += ["--executor", executor]
    code = (
        "import json, sys; from pipeline import cli\n"
        f"code = cli.run({words})\n"
        f"print(json.dumps([code, sorted({HEAVY} & set(sys.modules))]))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert json.loads(ended.stdout.splitlines()[-1]) == [0, []]
