"""Fixtures that several unit tests share."""

import io
import sys
from collections.abc import Callable

import pytest

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    """Runs a command line in this process: exit code, stdout, stderr."""
    from pipeline import cli

    def call(*words: str, stdin: str | bytes | None = None) -> tuple[int, str, str]:
        content = stdin.encode() if isinstance(stdin, str) else stdin
        stream = io.TextIOWrapper(io.BytesIO(content or b""))
        monkeypatch.setattr(stream, "isatty", lambda: stdin is None, raising=False)
        monkeypatch.setattr(sys, "stdin", stream)
        code = cli.run(list(words))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call
