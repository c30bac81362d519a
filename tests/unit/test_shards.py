"""A shard appears whole or not at all, once, whatever is killed in between."""

import errno
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from workers import disk, jobs, shards
from workers.commit import STEPS
from workers.errors import IntegrityError, TransientError

pytestmark = pytest.mark.nojit


def snapshot(folder):
    """All files below `folder` but drafts: name -> bytes."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.parent.name != "tmp"
    }


def drafts(run):
    return list((run.folder / "tmp").glob("*"))


def flip(path, at=-60):
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(bytes(content))


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("step", STEPS)
def test_a_process_killed_at_any_step_leaves_the_old_state_or_the_new(make_run, step):
    run = make_run()
    child = os.fork()
    if child == 0:
        try:
            jobs.perform(
                run, 1, after=lambda at: os.kill(os.getpid(), signal.SIGKILL) if at == step else 0
            )
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    committed = shards.is_committed(run.folder, 1)
    assert committed == (STEPS.index(step) >= STEPS.index("sidecar linked"))
    if committed:
        shards.read_shard(run.folder, 1, run.cfg8, run.schema)
    sidecar = jobs.perform(run, 1)
    assert shards.read_shard(run.folder, 1, run.cfg8, run.schema).num_rows == 10
    assert sidecar == shards.read_sidecar(run.folder, 1)
    left = len(drafts(run))
    assert disk.collect_garbage(run.folder) == left
    assert drafts(run) == []


@pytest.mark.parametrize("step", STEPS)
def test_an_error_at_any_step_is_transient_and_leaves_no_draft(make_run, step):
    run = make_run()

    def full(at):
        if at == step:
            raise OSError(errno.ENOSPC, "No space left on device", "somewhere")

    with pytest.raises(TransientError, match="No space left"):
        jobs.perform(run, 0, after=full)
    assert drafts(run) == []
    jobs.perform(run, 0)
    shards.read_shard(run.folder, 0, run.cfg8, run.schema)


def test_the_same_job_twice_gives_the_same_bytes(make_run):
    first, second = make_run("run-1"), make_run("run-2")
    for run in (first, second):
        jobs.perform(run, 2)
    path = shards.shard_path
    assert path(first.folder, 2).read_bytes() == path(second.folder, 2).read_bytes()


def test_a_committed_job_is_not_done_again(make_run):
    run = make_run()
    jobs.perform(run, 0)
    before = snapshot(run.folder)

    def never(step):
        raise AssertionError(step)

    jobs.perform(run, 0, after=never)
    assert snapshot(run.folder) == before


@pytest.mark.parametrize("step", STEPS)
def test_two_deliveries_at_once_leave_one_shard(make_run, step):
    run = make_run()
    inner = []

    def second(at):
        if at == step and not inner:
            inner.append(True)
            inner[0] = jobs.perform(run, 0)

    outer = jobs.perform(run, 0, after=second)
    assert outer.content == inner[0].content
    assert outer == shards.read_sidecar(run.folder, 0)
    shards.read_shard(run.folder, 0, run.cfg8, run.schema)


def test_a_file_system_without_links_is_served_by_renames(make_run, monkeypatch):
    def refuse(*_):
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    run = make_run()
    jobs.perform(run, 0)
    jobs.perform(run, 0)
    shards.read_shard(run.folder, 0, run.cfg8, run.schema)
    assert drafts(run) == []


def test_a_leftover_shard_is_taken_when_equal_and_replaced_when_broken(make_run):
    run = make_run()
    jobs.perform(run, 0)
    whole = shards.shard_path(run.folder, 0).read_bytes()
    for leftover in (whole, whole[:100], b"", b"PAR1 nonsense PAR1"):
        shards.discard_shard(run.folder, 0)
        shards.shard_path(run.folder, 0).write_bytes(leftover)
        assert not shards.is_committed(run.folder, 0)
        jobs.perform(run, 0)
        assert shards.shard_path(run.folder, 0).read_bytes() == whole


def test_a_leftover_shard_with_other_rows_of_the_same_job_is_an_alarm(make_run):
    run, other = make_run("run-1"), make_run("run-2", seed=8)
    jobs.perform(other, 0)
    foreign = shards.shard_path(other.folder, 0).read_bytes()
    path = shards.shard_path(run.folder, 0)
    path.parent.mkdir(parents=True)
    path.write_bytes(foreign)
    with pytest.raises(IntegrityError, match="other rows"):
        jobs.perform(run, 0)
    assert path.read_bytes() == foreign
    assert not shards.sidecar_path(run.folder, 0).exists()


def test_a_committed_shard_that_lost_bytes_is_made_whole_again(make_run):
    run = make_run()
    jobs.perform(run, 0)
    path = shards.shard_path(run.folder, 0)
    whole = path.read_bytes()
    path.write_bytes(whole[:-5])
    assert not shards.is_committed(run.folder, 0)
    jobs.perform(run, 0)
    assert path.read_bytes() == whole


def test_a_torn_sidecar_is_replaced(make_run):
    run = make_run()
    jobs.perform(run, 0)
    shards.sidecar_path(run.folder, 0).write_bytes(b'{"schema": 1, "jo')
    assert not shards.is_committed(run.folder, 0)
    jobs.perform(run, 0)
    shards.verify_shard(run.folder, 0, run.cfg8)


@pytest.mark.parametrize(
    ("damage", "what"),
    [
        (lambda path: flip(path), "hash"),
        (lambda path: flip(path, 40), "hash"),
        (lambda path: path.write_bytes(path.read_bytes()[:-1]), "bytes, not"),
        (lambda path: path.write_bytes(b""), "0 bytes, not"),
        (lambda path: path.unlink(), "missing"),
        (lambda path: path.with_suffix(".json").unlink(), "no sidecar"),
        (lambda path: path.with_suffix(".json").write_bytes(b"{}"), "malformed"),
    ],
)
def test_verify_names_the_file_and_the_job_of_every_damage(make_run, damage, what):
    run = make_run()
    jobs.perform(run, 1)
    damage(shards.shard_path(run.folder, 1))
    with pytest.raises(IntegrityError, match=what) as caught:
        shards.verify_shard(run.folder, 1, run.cfg8)
    assert str(shards.shard_path(run.folder, 1).with_suffix("")) in str(caught.value)


@pytest.mark.parametrize("name", ["abc.json", "1.json", "007.json", "-3.json", "²56.json",
                                  "0.1.json", "9" * 40 + ".json", ".json"])  # fmt: skip
def test_files_of_other_names_are_no_jobs(make_run, name):
    run = make_run()
    jobs.perform(run, 0)
    place = shards.sidecar_path(run.folder, 0)
    (place.parent / name).write_bytes(place.read_bytes())
    assert shards.committed_jobs(run.folder).tolist() == [0]


def test_a_file_where_shards_belong_is_told(make_run):
    run = make_run()
    (run.folder / "shards").mkdir()
    (run.folder / "shards" / "03").write_text("")
    with pytest.raises(IntegrityError, match=r"shards/03: is a file where .* remove it"):
        shards.committed_jobs(run.folder)


def test_two_swapped_jobs_are_found(make_run):
    run = make_run()
    one, two = (shards.shard_path(run.folder, job) for job in (0, 1))
    for job in (0, 1):
        jobs.perform(run, job)
    contents = one.read_bytes(), two.read_bytes()
    one.write_bytes(contents[1])
    two.write_bytes(contents[0])
    with pytest.raises(IntegrityError, match="bytes"):
        shards.verify_shard(run.folder, 0, run.cfg8)
    for path, content in zip((one, two), contents, strict=True):
        path.write_bytes(content)
    swapped = [path.with_suffix(".json").read_bytes() for path in (one, two)]
    for path, content in zip((two, one), swapped, strict=True):
        path.with_suffix(".json").write_bytes(content)
    with pytest.raises(IntegrityError, match="that of job"):
        shards.verify_shard(run.folder, 0, run.cfg8)


def test_a_shard_of_another_plan_or_with_other_columns_is_refused(make_run):
    run = make_run()
    jobs.perform(run, 0)
    with pytest.raises(IntegrityError, match="plan"):
        shards.verify_shard(run.folder, 0, "0" * 8)
    with pytest.raises(IntegrityError, match="columns"):
        shards.read_shard(run.folder, 0, run.cfg8, run.schema.remove(2))


def test_the_listing_finds_sidecars_and_nothing_else(make_run):
    run = make_run(jobs=600, rows=6000)
    for job in (0, 1, 256, 513):
        jobs.perform(run, job)
    shards.sidecar_path(run.folder, 1).unlink()
    assert shards.committed_jobs(run.folder).tolist() == [0, 256, 513]
    assert shards.committed_jobs(run.folder / "nowhere").dtype == np.int64


def test_garbage_is_what_dead_processes_left(make_run):
    run = make_run()
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    (run.folder / "tmp").mkdir()
    names = {
        f"5-shard.{os.getpid()}.1.{disk.HOST}": True,
        f"5-shard.{dead.pid}.1.{disk.HOST}": False,
        "5-shard.1.1.elsewhere": True,
        "6-shard.1.1.elsewhere": False,
    }
    for name in names:
        (run.folder / "tmp" / name).touch()
    old = time.time() - 2 * disk.DAY
    os.utime(run.folder / "tmp" / "6-shard.1.1.elsewhere", (old, old))
    assert disk.collect_garbage(run.folder) == 2
    assert {path.name for path in drafts(run)} == {name for name, kept in names.items() if kept}


def test_a_deleted_run_is_not_made_again(make_run, tmp_path):
    import shutil

    run = make_run()
    shutil.rmtree(run.folder)
    with pytest.raises(TransientError):
        jobs.perform(run, 0, attempt=0)
    assert list(tmp_path.iterdir()) == []
