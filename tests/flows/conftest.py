"""A post for each kind of ledger, as the tests of the ledger have it, and an office."""

from pathlib import Path

import pytest
from tests.flows.jobs import Office
from tests.flows.ramps import Ramp
from tests.ledger.conftest import check_gate as check_gate
from tests.ledger.conftest import post as post
from tests.ledger.desks import KINDS, FakeClock, sqlite

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


@pytest.fixture(scope="session")
def gates() -> dict[Stage, Gate]:
    """The gates of the shipped policies that a dispatch asks."""
    app = App(Options(), environ={})
    return {stage: app.gate(stage) for stage in (Stage.DISPATCH, Stage.CHECK, Stage.REGISTER, Stage.DELIVER)}


@pytest.fixture
def ramp(tmp_path: Path, gates: dict[Stage, Gate]) -> Ramp:
    """A ramp on an empty ledger."""
    clock = FakeClock()
    return Ramp(sqlite(tmp_path, clock), clock, tmp_path, gates)
