"""Filled ledgers to do things to."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.ledger.desks import Post
from tests.ledger.evidence.tampering import BOOKS, again, filled

from gatewright.app import Gate


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory, check_gate: Gate) -> dict[str, Post]:
    """A filled ledger of each kind; making one takes as long as forty tests."""
    return {kind: filled(kind, tmp_path_factory.mktemp(kind), check_gate) for kind in BOOKS}


@pytest.fixture
def ready(originals: dict[str, Post], tmp_path: Path) -> Callable[[str], Post]:
    """Makes a filled ledger of a kind, in the test's own folder."""

    def made(kind: str) -> Post:
        shutil.copytree(originals[kind].folder, tmp_path, dirs_exist_ok=True)
        return again(kind, tmp_path, originals[kind])

    return made


@pytest.fixture(params=[1, 2, 6, 13, 14])
def row(request: pytest.FixtureRequest) -> int:
    """The number of a row: the first, the last, and some between."""
    return request.param
