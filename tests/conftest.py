"""Fixtures that several test folders share."""

from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of large reference lists that lies beside a developer's checkout."""
    folder = REPOSITORY.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the reference lists (../shared/data) are not on this machine")
    return folder
