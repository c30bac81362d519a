"""Files that appear whole or not at all: synced drafts, exclusive names, synced folders."""

import contextlib
import errno
import hashlib
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import psutil

NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EXDEV, errno.EMLINK}
DAY = 86_400.0
HOST = socket.gethostname()


def draft_path(folder: Path, name: str) -> Path:
    """A name in `folder`/tmp that no other process uses: `name`.pid.ns.host."""
    return folder / "tmp" / f"{name}.{os.getpid()}.{time.time_ns()}.{HOST}"


def job_of(stem: str) -> int | None:
    """The job that a file is called after; None for a name that this program never gives."""
    named = stem.isdecimal() and stem.isascii() and str(int(stem[:18])) == stem
    return int(stem) if named else None


@contextlib.contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """A new file to write, unbuffered; its folder is made when missing, its run's is not."""
    try:
        stream = open(path, "xb", buffering=0)  # noqa: SIM115
    except FileNotFoundError:
        path.parent.mkdir(exist_ok=True)
        stream = open(path, "xb", buffering=0)  # noqa: SIM115
    with stream:
        yield stream


def write_all(stream: BinaryIO, content: bytes) -> None:
    """Write every byte; OSError when the disk takes no more (a raw write may be short)."""
    view = memoryview(content)
    while view:
        view = view[stream.write(view) :]


def publish(draft: Path, final: Path) -> bool:
    """Give `draft` its final name unless that is taken; False when it is."""
    try:
        os.link(draft, final)
    except FileNotFoundError:
        make_folder(final.parent)
        os.link(draft, final)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        return _rename(draft, final)
    return True


def _rename(draft: Path, final: Path) -> bool:
    """Without hard links a rename may replace another worker's file, but only by equal bytes."""
    if final.exists():
        return False
    make_folder(final.parent)
    os.rename(draft, final)
    return True


def make_folder(folder: Path) -> None:
    """Make `folder` so that it survives a power loss."""
    if not folder.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Put the names in `folder` on disk (Windows does so by itself)."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_once(folder: Path, final: Path, content: bytes) -> bool:
    """Write a small record under the run `folder` create-exclusively; False when it is there."""
    draft = draft_path(folder, final.name)
    try:
        with new_file(draft) as stream:
            write_all(stream, content)
            os.fsync(stream.fileno())
        written = publish(draft, final)
        sync_folder(final.parent)
        return written
    finally:
        draft.unlink(missing_ok=True)


def file_hash(path: Path) -> str | None:
    """SHA-256 of a file as 64 hex digits, None when there is no file."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except FileNotFoundError:
        return None


def file_size(path: Path) -> int | None:
    """Bytes of a file, None when there is no file."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return None


def collect_garbage(folder: Path) -> int:
    """Remove drafts in `folder`/tmp whose process is gone; returns how many.

    A draft of another host counts as left behind after a day.
    """
    removed = 0
    for path in (folder / "tmp").glob("*"):
        with contextlib.suppress(FileNotFoundError):
            if _left_behind(path):
                path.unlink()
                removed += 1
    return removed


def _left_behind(path: Path) -> bool:
    written = path.stat().st_mtime
    pid = next((part for part in path.name.split(".")[1:] if part.isdigit()), "0")
    if not path.name.endswith(HOST):
        return time.time() - written > DAY
    try:
        # A process that started after the file was written only has the same number.
        return psutil.Process(int(pid)).create_time() > written + 1
    except (psutil.Error, ValueError):
        return True
