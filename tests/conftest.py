"""Fixtures that several test folders share."""

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import numpy as np
import pytest

REPOSITORY = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of large reference lists that lies beside a developer's checkout."""
    folder = REPOSITORY.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the reference lists (../shared/data) are not on this machine")
    return folder


@pytest.fixture(scope="module")
def bank() -> Iterator[ModuleType]:
    """Made-up runs for tests of the corpus: see synthetic_runs.py."""
    from workers.kinds import registry

    spec = importlib.util.spec_from_file_location(
        "synthetic_runs", Path(__file__).with_name("synthetic_runs.py")
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    known = registry.get
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "get", lambda name: module.KIND if name == "bank" else known(name))
        yield module


@pytest.fixture(scope="session")
def twins() -> ModuleType:
    """Slow twins of the Sudoku kernels: see sudoku_twins.py."""
    spec = importlib.util.spec_from_file_location(
        "sudoku_twins", Path(__file__).with_name("sudoku_twins.py")
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def random_isomorph() -> Callable[[np.ndarray, np.random.Generator], np.ndarray]:
    """Makes a random isomorph of an (81,) puzzle: lines permuted, transposed, digits renamed."""

    def isomorph(puzzle: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        rows, columns = (
            np.concatenate([3 * band + rng.permutation(3) for band in rng.permutation(3)])
            for _ in range(2)
        )
        names = np.concatenate([[0], rng.permutation(9) + 1]).astype(np.uint8)
        square = names[puzzle.reshape(9, 9)[rows][:, columns]]
        return (square.T if rng.integers(2) else square).reshape(81)

    return isomorph


@pytest.fixture(scope="session")
def random_grid() -> Callable[[np.random.Generator], np.ndarray]:
    """Makes a random complete grid (81,) by backtracking on the cell with the fewest candidates."""

    def place(grid: list[int], free: list[int], rng: np.random.Generator) -> bool:
        empty = [cell for cell in range(81) if not grid[cell]]
        if not empty:
            return True
        cell = min(empty, key=lambda cell: (mask_of(free, cell).bit_count(), rng.random()))
        mask = mask_of(free, cell)
        for digit in rng.permutation(9):
            if mask >> digit & 1:
                grid[cell] = int(digit) + 1
                toggle(free, cell, digit)
                if place(grid, free, rng):
                    return True
                toggle(free, cell, digit)
                grid[cell] = 0
        return False

    def units(cell: int) -> tuple[int, int, int]:
        return cell // 9, 9 + cell % 9, 18 + cell // 27 * 3 + cell % 9 // 3

    def mask_of(free: list[int], cell: int) -> int:
        row, column, box = units(cell)
        return free[row] & free[column] & free[box]

    def toggle(free: list[int], cell: int, digit: int) -> None:
        for unit in units(cell):
            free[unit] ^= 1 << int(digit)

    def grid(rng: np.random.Generator) -> np.ndarray:
        cells = [0] * 81
        assert place(cells, [511] * 27, rng)
        return np.array(cells, np.uint8)

    return grid


@pytest.fixture
def make_run(tmp_path: Path) -> Callable[..., Any]:
    """Makes and opens a run folder, STORE/run_id with STORE = tmp_path, without any producer.

    Arguments are fields of JobSpec (kind null, 3 jobs of 10 rows unless given); `lines` become
    the parsed input of a grading run.
    """
    from workers import jobs
    from workers.contracts import JobSpec, RunFacts, RunRecord
    from workers.inputs import input_facts

    def make(run_id: str = "run-1", lines: list[str] | None = None, **fields: Any) -> Any:
        folder = tmp_path / run_id
        folder.mkdir(parents=True)
        given = {"kind": "null", "action": "generate", "raters": ("basic",), "seed": 7}
        given |= {"params": {}, "jobs": 3, "job_rows": 10, "rows": 30}
        if lines is not None:
            width = max(map(len, lines))
            (folder / "input").mkdir()
            text = "".join(line.ljust(width) + "\n" for line in lines)
            (folder / "input" / "lines.txt").write_text(text)
            numbers = np.arange(1, len(lines) + 1, dtype="<i8") * 2
            numbers.tofile(folder / "input" / "source_line.i64")
            given |= {"action": "grade", "rows": len(lines)}
            (folder / "input" / "rejects.jsonl").touch()
            given["input"] = input_facts(folder / "input", len(lines), width)
        spec = JobSpec(**{**given, **fields})
        ours = jobs.current_versions(spec.kind, spec.raters)
        facts = RunFacts("run", spec, *ours, "none", {}, None)
        record = RunRecord(1, run_id, facts.digest(), facts, {})
        (folder / "run.json").write_bytes(msgspec.json.encode(record))
        return jobs.open_folder(folder)

    return make
