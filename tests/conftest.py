"""What several rooms of tests share."""

import sys

import pytest
from tests.cli.processes import Place


@pytest.fixture
def place(tmp_path):
    """An empty working directory and an empty home, in which programs are started."""
    folders = tmp_path / "cwd", tmp_path / "home"
    for folder in folders:
        folder.mkdir()
    return Place(*folders)


def pytest_sessionfinish():
    """End the servers of tests."""
    servers = sys.modules.get("tests.ledger.postgres")
    if servers is not None:
        servers.end_all()
