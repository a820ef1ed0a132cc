"""A registration with an id is one registration, however often it is sent."""

import os

import pytest
from tests.flows.jobs import JOB
from tests.ledger.test_rows import SHA, rows, tickets


def test_a_repeated_registration_gets_its_answer_again_and_asks_nobody(office):
    office.check()
    first = office.register(request_id="r-1", model_probe_cmd="echo gpt-5.4")
    office.answers("not json")
    again = office.register(request_id="r-1", probe_cmd=f"touch '{office.folder}/ran'")
    assert first.allow
    assert (again.allow, again.contract_sha, again.cost_proxy) == (True, SHA, first.cost_proxy)
    assert set(again.warnings) == set(first.warnings)
    assert again.findings[0].code == "REQUEST_REPLAYED"
    assert len(rows(office)) == 2
    assert not (office.folder / "ran").exists()


@pytest.mark.parametrize("given", [{"probe_cmd": "false"}, {"model_probe_cmd": "echo claude-opus-5"}, {"runtime": "-"}])
def test_a_denial_is_the_answer_again_too(office, given):
    office.check()
    first = office.register(request_id="r-1", **given)
    again = office.register(request_id="r-1", **given)
    assert (again.allow, again.reasons, again.warnings) == (False, first.reasons, first.warnings)
    assert (len(rows(office)), len(tickets(office))) == (2, 1)
    assert office.register().allow


@pytest.mark.parametrize("given", [{"job_id": "another"}, {"declared_model": None}, {"contract_sha": SHA}])
def test_the_id_of_another_registration_is_denied(office, given):
    office.check()
    assert office.register(request_id="r-1").allow
    decision = office.register(request_id="r-1", **given)
    assert (decision.reason, decision.denial.rule) == ("INVALID_REQUEST", "engine")
    assert len(rows(office)) == 3
    assert office.register(request_id="r-1").allow


def test_the_id_of_a_check_is_no_id_of_a_registration_and_the_other_way_round(office):
    office.check(request_id="r-1")
    assert office.register(request_id="r-1").reason == "INVALID_REQUEST"
    assert office.register(request_id="r-2").allow
    for model in ("gpt-5.5", None):
        assert office.check(request_id="r-2", model=model).reason == "INVALID_REQUEST"
    assert tickets(office) == []


def test_a_registration_that_lost_its_proof_is_known_by_its_job(office):
    proof = office.folder / "ledger.jsonl.proof"
    office.check()
    assert office.register(request_id="r-1").allow
    if proof.exists():
        os.unlink(proof)
        assert office.register(request_id="r-1").allow
        assert office.register(request_id="r-1", job_id=JOB + "x").reason == "INVALID_REQUEST"
