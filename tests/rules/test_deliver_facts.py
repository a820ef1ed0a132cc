"""What became of a task, as a fact."""

import pytest

from gatewright.expressions.kinds import Kind
from gatewright.model import Stage
from gatewright.model.deliveries import ShownScreen, Worker, WorkerTranscript
from gatewright.model.screens import GateKind, PaneClass
from gatewright_rules.deliver_facts import FACTS, delivery

PROMPT, BUSY = ShownScreen.of(PaneClass.PREPARED_PROMPT), ShownScreen.of(PaneClass.BUSY)
FACT = {fact.name: fact for fact in FACTS}


def found(before, after, *, confirms=False, alive=True):
    return delivery.function(before, after, WorkerTranscript(confirms=confirms), Worker(alive=alive))


@pytest.mark.acceptance("D02", "D17", "D18")
@pytest.mark.parametrize(
    ("before", "after", "more", "wanted"),
    [
        (PROMPT, BUSY, {}, "agent-started"),
        (PROMPT, ShownScreen.of(PaneClass.UNKNOWN), {}, "agent-started"),
        (PROMPT, ShownScreen.of(PaneClass.UNKNOWN, GateKind.DEAD), {}, "unknown"),
        (PROMPT, BUSY, {"alive": False}, "unknown"),
        (PROMPT, PROMPT, {}, "unknown"),
        (PROMPT, PROMPT, {"confirms": True}, "agent-started"),
        (BUSY, BUSY, {}, "unknown"),
        (None, BUSY, {}, "unknown"),
        (PROMPT, ShownScreen.of(PaneClass.HOOK_TRUST), {"confirms": True}, "hook-trust"),
        (PROMPT, ShownScreen.of(PaneClass.LIMIT), {"confirms": True}, "limit"),
    ],
)
def test_the_delivery_follows_from_screens_transcript_and_process(before, after, more, wanted):
    assert found(before, after, **more) == wanted


def test_the_facts_are_those_of_the_stage_and_the_fields_those_that_policies_name():
    assert {fact.stages for fact in FACTS} == {(Stage.DELIVER,)}
    assert {name: set(fact.type.fields or {}) for name, fact in FACT.items() if fact.type.kind is Kind.RECORD} == {
        "before": {"class", "gate_kind", "reset_at"},
        "after": {"class", "gate_kind", "reset_at"},
        "transcript": {"confirms"},
        "worker": {"alive"},
    }
