"""The flow `check` without a process, for long tables of inputs."""

from tests.cli.processes import CONTRACT, Place

from gatewright.app import App, Options
from gatewright.cli import checking
from gatewright.flows.check import CheckRequest
from gatewright.ledger.stores import NoLedger
from gatewright.model import GateDecision

PLACES = {"policy", "tier_policy", "known_roots"}


def decide(place: Place, **more: object) -> GateDecision:
    """The decision on a request that is allowed, but for what is given."""
    options = Options(**{name: more.pop(name) for name in PLACES & more.keys()})
    given = {
        "runtime": "codex",
        "contract": str(place.cwd / place.write("contract.md", CONTRACT)),
        "agents": 1,
        "model": "gpt-5.5",
        "completion_channel": "orchestration",
        **more,
    }
    app = App(options, {"HOME": str(place.home)}, str(place.cwd))
    return checking.check(app, CheckRequest(**given), lambda **_: NoLedger(), record=False).decision
