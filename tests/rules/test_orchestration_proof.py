import pytest
from tests.rules.calls import DENY, findings_of, levels_of

from gatewright.model import ORCHESTRATION_UNVERIFIED, Orchestration
from gatewright_rules import orchestration_proof

FAILURES = [
    *("task_omitted", "orca_missing", "probe_timeout", "probe_unparseable", "task_not_found"),
    *("dispatch_mismatch", "dispatch_not_active"),
]


@pytest.mark.parametrize("failure", FAILURES)
def test_a_job_that_the_orchestrator_does_not_bear_out_is_denied_with_what_failed(failure):
    asked = Orchestration(required=True, failure=failure, detail="so it is")
    assert levels_of(orchestration_proof, orchestration=asked) == [(ORCHESTRATION_UNVERIFIED, DENY)]
    (finding,) = findings_of(orchestration_proof, orchestration=asked)
    assert finding.message == f"probe_failure={failure}: so it is"
    assert finding.data == {"probe_failure": failure}
    assert finding.hint


@pytest.mark.acceptance("R23")
def test_of_a_dispatch_that_was_given_up_it_is_said_that_its_worker_may_still_run():
    (finding,) = findings_of(
        orchestration_proof, orchestration=Orchestration(required=True, failure="dispatch_not_active")
    )
    assert "the worker may still be running" in finding.hint


@pytest.mark.parametrize(
    "asked", [Orchestration(required=True), Orchestration(required=False), Orchestration(required=False, failure="x")]
)
def test_a_job_that_is_borne_out_or_needs_no_orchestrator_passes(asked):
    assert levels_of(orchestration_proof, orchestration=asked) == []
