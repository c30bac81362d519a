"""What a driver does not import: engines, pandas, a second client of its broker."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.without_pandas import without_pandas

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {"numba", "pandas", "valkey", "structlog", "matplotlib"}
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


def test_frames_can_be_made_after_arrow_had_to_do_without_pandas() -> None:
    code = (
        "import sys; from pipeline.without_pandas import without_pandas\n"
        "with without_pandas():\n"
        "    import pyarrow as pa; table = pa.table({'a': pa.array([1, None])})\n"
        "print('pandas' in sys.modules, table.to_pandas().shape, pa.array(table.to_pandas()['a']))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert ended.stdout.startswith("False (2, 1)")


def test_pandas_can_be_imported_again_afterwards() -> None:
    with without_pandas():
        pass
    assert not any(type(finder).__name__ == "_NoPandas" for finder in sys.meta_path)
