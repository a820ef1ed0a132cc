"""Which check a registration settles, and what becomes of its ticket."""

import pytest
from tests.flows.jobs import JOB
from tests.ledger.test_rows import SHA, rows, tickets

A, B = "a1b2c3d4e5f6" + "0" * 52, "a1b2c3d4e5f6" + "1" * 52  #: two contracts that start alike
OTHER = "f" * 64


@pytest.mark.acceptance("T04", "G09")
@pytest.mark.parametrize(("age", "reason"), [(600, "OK"), (600.5, "NO_MATCHING_TICKET"), (601, "NO_MATCHING_TICKET")])
def test_a_ticket_is_good_for_ten_minutes(office, age, reason):
    office.logged()
    office.clock.pass_(age)
    assert office.register().reason == reason


@pytest.mark.acceptance("R38", "R13")
def test_with_its_hash_a_ticket_is_good_for_another_day_and_told(office):
    office.logged()
    office.clock.pass_(601)
    decision = office.register(contract_sha=SHA[:12])
    assert (decision.reason, decision.warnings) == ("OK", ("TICKET_EXPIRED",))
    assert tickets(office) == []


@pytest.mark.acceptance("T05")
def test_a_ticket_past_its_grace_is_put_away(office):
    office.logged()
    office.clock.pass_(600 + 86_400)
    office.register(contract_sha=OTHER)
    assert len(tickets(office)) == 1
    office.clock.pass_(1)
    office.register(contract_sha=OTHER)
    assert tickets(office) == []


@pytest.mark.acceptance("T20")
def test_a_check_whose_ticket_is_gone_is_found_by_its_hash(office):
    office.logged()
    with office.ledger.writing() as session:
        (ticket,) = session.tickets()
        session.consume(ticket)
    assert office.register().reason == "NO_MATCHING_TICKET"
    decision = office.register(contract_sha=SHA)
    assert (decision.reason, decision.to_dict()["message"]) == ("OK", "ticket_absent")
    assert rows(office)[-1]["ticket"] == "absent"


@pytest.mark.acceptance("R11", "TI-07")
@pytest.mark.parametrize(
    ("prefix", "reason"),
    [
        (SHA[:12], "OK"),
        (SHA[:12].upper(), "OK"),
        (SHA, "OK"),
        (SHA[:11], "INVALID_REQUEST"),
        ("", "INVALID_REQUEST"),
        (SHA[:11] + "g", "INVALID_REQUEST"),
        ("../" + SHA[:10], "INVALID_REQUEST"),
        ("*", "INVALID_REQUEST"),
        (SHA + "0", "INVALID_REQUEST"),
        (SHA[:12][::-1], "NO_MATCHING_TICKET"),
    ],
)
def test_a_hash_may_be_shortened_to_twelve_digits(office, prefix, reason):
    office.logged()
    assert office.register(contract_sha=prefix).reason == reason
    assert len(tickets(office)) == (0 if reason == "OK" else 1)


@pytest.mark.acceptance("R12", "R14", "TI-01")
@pytest.mark.parametrize(
    ("checks", "given", "candidates"),
    [
        ([(A, "claude"), (B, "codex")], {"contract_sha": A[:12]}, [A, B]),
        ([(A, "codex"), (B, "claude")], {"contract_sha": A[:12], "runtime": None}, [A, B]),
        ([(A, "codex"), (OTHER, "codex")], {}, [A, OTHER]),
        ([(A, "codex"), (A, "claude")], {"contract_sha": A}, [A]),
    ],
)
def test_of_several_that_fit_none_is_taken(office, checks, given, candidates):
    for sha, runtime in checks:
        office.waits(sha, runtime)
    decision = office.register(**given)
    assert decision.reason == "AMBIGUOUS_TICKET"
    assert decision.denial.message == f"candidate_contract_shas={','.join(candidates)}"
    assert len(tickets(office)) == 2


@pytest.mark.acceptance("R15")
def test_a_runtime_takes_its_own(office):
    office.waits(A, "codex", n_agents=2)
    office.waits(A, "claude", n_agents=3)
    assert office.register(runtime=" CLAUDE ", contract_sha=A).allow
    assert (rows(office)[-1]["runtime"], rows(office)[-1]["n_agents"]) == ("claude", 3)
    assert office.register(runtime="claude", job_id="second").reason == "NO_MATCHING_TICKET"
    assert office.register(runtime="gemini", job_id="second").reason == "NO_MATCHING_TICKET"
    assert office.register(job_id="second").allow
    assert (rows(office)[-1]["runtime"], rows(office)[-1]["n_agents"]) == ("codex", 2)


@pytest.mark.acceptance("R37")
def test_without_a_hash_one_good_ticket_must_be_left(office):
    office.waits(A, ago=601)
    assert office.register().reason == "NO_MATCHING_TICKET"
    office.waits(OTHER)
    assert office.register().contract_sha == OTHER
    assert [ticket.contract_sha for ticket in tickets(office)] == [A]


@pytest.mark.acceptance("R13", "R14")
def test_a_hash_that_nothing_waits_for_lists_those_that_there_are(office):
    office.waits(A)
    office.waits(B, "claude")
    decision = office.register(contract_sha=OTHER)
    assert (decision.reason, decision.denial.message) == ("NO_MATCHING_TICKET", f"candidate_contract_shas={A},{B}")


@pytest.mark.acceptance("TI-03")
def test_a_ticket_without_a_check_that_waits_is_worth_nothing(office):
    office.waits(A)
    with office.ledger.writing() as session:
        (ticket,) = session.tickets()
    assert office.register(contract_sha=A).allow
    with office.ledger.writing() as session:
        session.issue(ticket)
    for given in ({}, {"contract_sha": A, "runtime": "codex"}):
        assert office.register(job_id="second", **given).reason == "NO_MATCHING_TICKET"


@pytest.mark.acceptance("TI-09")
@pytest.mark.parametrize("checks", [1, 2, 3])
def test_a_contract_that_was_checked_so_often_is_registered_so_often(office, checks):
    for _ in range(checks):
        office.logged()
    found = [office.register(job_id=f"d{number}", contract_sha=SHA).reason for number in range(checks + 1)]
    assert found == ["OK"] * checks + ["NO_MATCHING_TICKET"]


def test_two_checks_without_tickets_that_are_not_alike_are_not_chosen_from(office):
    office.waits(A, ticket=False, completion_channel="orchestration")
    office.waits(A, ticket=False)
    assert office.register(contract_sha=A).reason == "AMBIGUOUS_TICKET"
    office.waits(B, ticket=False, model="claude-opus-5")
    office.waits(B, ticket=False)
    assert office.register(contract_sha=B).reason == "AMBIGUOUS_TICKET"


def test_the_ticket_of_another_contract_does_not_hide_a_check_without_its_own(office):
    office.waits(OTHER)
    office.waits(A, ticket=False)
    assert office.register(contract_sha=A).allow
    assert [ticket.contract_sha for ticket in tickets(office)] == [OTHER]


def test_an_old_check_without_its_ticket_is_warned_of(office):
    office.waits(A, ticket=False, ago=601)
    assert office.register(contract_sha=A).warnings == ("TICKET_EXPIRED",)


@pytest.mark.acceptance("T08")
def test_a_registration_that_is_refused_takes_nothing(office):
    office.check()
    refusals = [
        {"probe_cmd": "false"},
        {"runtime": "-"},
        {"orchestration_task": None},
        {"declared_model": "gpt-5.6-sol"},
        {"model_probe_cmd": "echo claude-opus-5"},
    ]
    for given in refusals:
        assert not office.register(**given).allow
        assert len(tickets(office)) == 1
    assert office.register(job_id=JOB).allow
