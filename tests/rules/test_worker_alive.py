import pytest
from tests.rules.calls import WARN, levels_of

from gatewright.model import WORKER_GONE
from gatewright.model.deliveries import ShownScreen, Worker
from gatewright.model.screens import GateKind, PaneClass
from gatewright_rules import worker_alive

GONE = [(WORKER_GONE, WARN)]


@pytest.mark.acceptance("D17")
@pytest.mark.parametrize(
    ("alive", "kind", "found"),
    [
        (False, None, GONE),
        (False, GateKind.DEAD, GONE),
        (None, GateKind.DEAD, GONE),
        (True, GateKind.DEAD, GONE),
        (True, None, []),
        (None, None, []),
        (True, GateKind.SERVICE, []),
    ],
)
def test_a_worker_that_is_gone_is_warned_of(alive, kind, found):
    after = ShownScreen.of(PaneClass.UNKNOWN, kind)
    assert levels_of(worker_alive, after=after, worker=Worker(alive=alive)) == found
