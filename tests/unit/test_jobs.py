"""From a job's index to its rows, and what this code refuses to do."""

import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest

from workers import attempts, jobs, shards
from workers.errors import (
    ConfigError,
    IntegrityError,
    ParamsError,
    RunDiffers,
    TransientError,
    VersionRefused,
)
from workers.kinds.null import NullKind

pytestmark = pytest.mark.nojit
REPOSITORY = Path(__file__).parents[2]


def rows(run, job):
    return shards.read_shard(run.folder, job, run.cfg8, run.schema)


def rewrite(run, **changes):
    """Another run.json in place: facts replaced, digest right."""
    facts = msgspec.structs.replace(run.record.facts, **changes)
    record = msgspec.structs.replace(run.record, facts=facts, digest=facts.digest())
    (run.folder / "run.json").write_bytes(msgspec.json.encode(record))


def test_a_seed_is_63_bits_of_numpys_seed_sequence():
    for root, job in ((0, 0), (7, 1), (2**63 - 1, 999_999)):
        spawned = np.random.SeedSequence(root).spawn(1)[0].spawn(job + 1)[job] if job < 5 else None
        words = np.random.SeedSequence(root, spawn_key=(0, job)).generate_state(1, np.uint64)
        assert jobs.job_seed(root, job) == int(words[0]) // 2 < 2**63
        if spawned is not None:
            assert spawned.generate_state(1, np.uint64)[0] == words[0]


def test_jobs_of_a_run_have_different_seeds():
    assert len({jobs.job_seed(7, job) for job in range(2000)}) == 2000


def test_a_generated_job_has_its_rows_and_its_seed(make_run):
    run = make_run(rows=25)
    sidecar = jobs.perform(run, 2)
    table = rows(run, 2).to_pydict()
    assert sidecar.rows == 5
    assert table["row"] == [0, 1, 2, 3, 4]
    assert set(table["seed"]) == {jobs.job_seed(7, 2)}
    assert set(table["job"]) == {2}


def test_a_graded_job_reads_its_part_of_the_input(make_run):
    lines = [f"{number:09}" for number in range(25)]
    run = make_run(lines=lines)
    sidecars = [jobs.perform(run, job) for job in range(3)]
    tables = [rows(run, job).to_pydict() for job in range(3)]
    assert [sidecar.rows for sidecar in sidecars] == [10, 10, 5]
    assert [n for table in tables for n in table["number"]] == list(range(25))
    assert [n for table in tables for n in table["source_line"]] == [2 * n + 2 for n in range(25)]


@pytest.mark.parametrize("damage", [b"", b"000000001\n" * 2, b"000000001 " * 30])
def test_input_that_is_not_what_the_record_says_is_found(make_run, damage):
    run = make_run(lines=["000000001"] * 25)
    (run.folder / "input" / "lines.txt").write_bytes(damage)
    with pytest.raises(IntegrityError, match=r"lines\.txt"):
        jobs.perform(run, 0)


def test_input_that_cannot_be_read_may_be_there_later(make_run):
    run = make_run(lines=["000000001"] * 25)
    (run.folder / "input" / "lines.txt").unlink()
    with pytest.raises(TransientError):
        jobs.perform(run, 0)


@pytest.mark.parametrize("job", [-1, 3, 10**9])
def test_a_job_that_the_run_does_not_have_is_refused(make_run, job):
    with pytest.raises(ParamsError, match=r"0\.\.2"):
        jobs.perform(make_run(), job)


def test_the_sidecar_tells_time_and_versions(make_run):
    sidecar = jobs.perform(make_run(), 0)
    assert set(sidecar.stats) == {"cpu_s", "kernel_s", "wall_s"}
    assert {"host", "pid", "python", "numpy", "pyarrow", "numba"} <= set(sidecar.made_by)
    assert sidecar.levels == {}


class Broken(NullKind):
    def __init__(self, change):
        self.change = change

    def generate(self, seed, count, params, raters):
        columns = super().generate(seed, count, params, raters)
        self.change(columns)
        return columns


def shorten(columns):
    for name in list(columns):
        columns[name] = columns[name][:-1]


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (shorten, "gave 9 rows"),
        (lambda c: c["key"].__setitem__((0, 0), c["key"][0, 0] ^ 1), "key"),
        (lambda c: c.update(reason=np.array(["no solution"] * 10, object)), "not sound"),
    ],
)
def test_rows_that_fail_the_checks_are_never_committed(make_run, change, what):
    run = make_run()

    def change_copy(columns):
        columns["key"] = columns["key"].copy()
        change(columns)

    with pytest.raises(IntegrityError, match=what):
        jobs.perform(run._replace(kind=Broken(change_copy)), 0)
    assert shards.committed_jobs(run.folder).tolist() == []


def test_an_attempt_is_forgotten_when_it_succeeds(make_run):
    run = make_run()
    starts = []

    def look(step):
        starts.append(attempts.read_attempts(run.folder, 0).unfinished)

    jobs.perform(run, 0, attempt=0, after=look)
    assert set(starts) == {1}
    assert attempts.read_attempts(run.folder, 0).events == ()


def test_a_quarantine_record_says_how_to_see_the_job_fail(make_run):
    run = make_run()
    attempts.record_failure(run.folder, 1, 0, ValueError("bad luck"))
    record = jobs.quarantine_job(run, 1)
    assert record == attempts.read_quarantine(run.folder, 1)
    assert record.reason == "ValueError: bad luck"
    assert (record.seed, record.first_row, record.rows) == (jobs.job_seed(7, 1), 10, 10)
    command = [sys.executable, *record.repro.split()[1:]]
    ended = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True)
    sidecar = shards.read_sidecar(run.folder, 1)
    assert ended.stdout == f"job 1: 10 rows, content {sidecar.content}\n"


@pytest.mark.parametrize(
    ("arguments", "code"), [([], 2), (["x", "y"], 2), (["nowhere", "0"], 2), (["RUN", "7"], 2)]
)
def test_the_command_reports_errors_by_its_exit_code(make_run, capsys, arguments, code):
    run = make_run()
    assert jobs.main([str(run.folder) if a == "RUN" else a for a in arguments]) == code
    assert capsys.readouterr().err.count("\n") == 1


def test_a_run_opens_by_store_and_id(make_run, tmp_path):
    run = make_run()
    opened = jobs.open_run(tmp_path, "run-1", run.cfg8)
    assert opened.record == run.record
    assert opened.spec.jobs == 3
    assert opened.params == NullKind.params_type()


def test_what_is_no_run_is_refused(make_run, tmp_path):
    with pytest.raises(ConfigError, match="no such run"):
        jobs.open_run(tmp_path, "run-9")
    run = make_run()
    with pytest.raises(RunDiffers):
        jobs.open_run(tmp_path, "run-1", "00000000")
    (run.folder / "run.json").write_bytes(b"{")
    with pytest.raises(IntegrityError, match="malformed"):
        jobs.open_run(tmp_path, "run-1")


def test_a_record_edited_by_hand_is_refused(make_run):
    run = make_run()
    path = run.folder / "run.json"
    path.write_text(path.read_text().replace('"seed":7', '"seed":8'))
    with pytest.raises(IntegrityError, match="digest"):
        jobs.open_folder(run.folder)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"kind_version": 99}, "null 99 here"),
        ({"rater_versions": {"basic": 99}}, "rater basic 99 here"),
        ({"rater_versions": {}}, "rater basic None here"),
        ({"pyarrow": "1.0"}, "pyarrow 1.0 here"),
    ],
)
def test_a_run_of_other_versions_is_refused_and_says_which(make_run, changes, named):
    run = make_run()
    rewrite(run, **changes)
    with pytest.raises(VersionRefused, match=named):
        jobs.open_folder(run.folder)


@pytest.mark.parametrize("changes", [{"kind": "chess"}, {"raters": ("basic", "magic")}])
def test_a_kind_or_rater_that_is_unknown_here_is_a_version_refused(make_run, changes):
    run = make_run()
    rewrite(run, spec=msgspec.structs.replace(run.spec, **changes))
    with pytest.raises(VersionRefused, match="not one of"):
        jobs.open_folder(run.folder)


def test_a_record_of_another_schema_is_a_version_refused(make_run):
    run = make_run()
    record = msgspec.structs.replace(run.record, schema=2)
    (run.folder / "run.json").write_bytes(msgspec.json.encode(record))
    with pytest.raises(VersionRefused, match="schema 2"):
        jobs.open_folder(run.folder)
