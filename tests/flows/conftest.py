"""A post for each kind of ledger, as the tests of the ledger have it, and an office."""

from pathlib import Path

import pytest
from tests.flows.jobs import Office
from tests.ledger.conftest import check_gate as check_gate
from tests.ledger.conftest import post as post
from tests.ledger.desks import KINDS, FakeClock

from gatewright.app import App, Gate, Options
from gatewright.model import Stage


@pytest.fixture(scope="session")
def register_gate() -> Gate:
    """The gate of the shipped policy of registrations."""
    return App(Options(), environ={}).gate(Stage.REGISTER)


@pytest.fixture(params=KINDS)
def office(request: pytest.FixtureRequest, tmp_path: Path, check_gate: Gate, register_gate: Gate) -> Office:
    """An office on an empty ledger of each kind."""
    clock = FakeClock()
    return Office(KINDS[request.param](tmp_path, clock), clock, tmp_path, check_gate, register_gate)
