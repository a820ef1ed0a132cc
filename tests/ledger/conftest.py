"""A post for each kind of ledger."""

from pathlib import Path

import pytest
from tests.ledger.desks import FILES, KINDS, FakeClock, Post

from gatewright.app import App, Gate, Options
from gatewright.model import Stage


@pytest.fixture(scope="session")
def check_gate() -> Gate:
    """The gate of the shipped policy."""
    return App(Options(), environ={}).gate(Stage.CHECK)


@pytest.fixture(params=KINDS)
def post(request: pytest.FixtureRequest, tmp_path: Path, check_gate: Gate) -> Post:
    """A post on an empty ledger of each kind."""
    clock = FakeClock()
    return Post(KINDS[request.param](tmp_path, clock), clock, tmp_path, check_gate)


@pytest.fixture(params=FILES)
def file_post(request: pytest.FixtureRequest, tmp_path: Path, check_gate: Gate) -> Post:
    """A post on an empty ledger of each kind that is kept in files, with this machine's clocks."""
    clock = FakeClock()
    return Post(FILES[request.param](tmp_path, clock), clock, tmp_path, check_gate)
