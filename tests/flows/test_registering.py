"""Registering: a job is proven, one check is settled, one ticket taken, and one row written."""

import json

import pytest
from tests.flows.jobs import JOB, TASK
from tests.ledger.desks import CONTRACT, START
from tests.ledger.test_rows import SHA, rows, tickets

from gatewright.flows import registering

LINE = {
    *("attempt", "completion_channel", "contract_sha", "decision", "est_chars", "job_id", "model_declared"),
    *("model_measured", "model_verified", "n_agents", "orchestration_task", "reason", "runtime", "ts"),
}


def outcome(decision):
    return decision.reason, list(decision.warnings)


@pytest.mark.acceptance("R36", "T07", "T09", "T10", "T14", "C04", "R40")
def test_a_registration_leaves_its_row_and_takes_the_ticket(office):
    office.check(agents=3)
    office.clock.pass_(60)
    decision = office.register()
    assert outcome(decision) == ("OK", [])
    assert (decision.contract_sha, decision.cost_proxy) == (SHA, 3 * len(CONTRACT))
    assert tickets(office) == []
    row = rows(office)[1]
    assert {name: row[name] for name in LINE} == {
        "attempt": 1,
        "completion_channel": "orchestration",
        "contract_sha": SHA,
        "decision": "ALLOW",
        "est_chars": len(CONTRACT),
        "job_id": JOB,
        "model_declared": "gpt-5.5",
        "model_measured": "gpt-5.5",
        "model_verified": True,
        "n_agents": 3,
        "orchestration_task": TASK,
        "reason": "OK",
        "runtime": "codex",
        "ts": START + 60,
    }
    assert (row["model_grade"], row["ticket"]) == ("configured", "one")


@pytest.mark.acceptance("P20", "C13", "P06", "P07")
def test_the_row_says_under_which_table_and_policy_it_was_judged(office):
    office.logged(model="brand-new")
    office.register(declared_model="brand-new", model_probe_cmd="echo another-new")
    check, row = rows(office)
    assert (row["tier_policy_path"], row["tier_policy_sha256"]) == (
        check["tier_policy_path"],
        check["tier_policy_sha256"],
    )
    assert (row["policy"], row["measured_tier"]) == ("register", "unknown")
    assert row["warnings"] == ["MODEL_MISMATCH", "TIER_UNKNOWN_MODEL"]


@pytest.mark.acceptance("R01", "R14")
def test_nothing_is_registered_that_was_not_allowed(office):
    for given in ({}, {"orchestration_task": None}, {"contract_sha": SHA}):
        decision = office.register(**given)
        assert (decision.reason, decision.denial.message) == ("NO_MATCHING_TICKET", "candidate_contract_shas=<none>")
    office.check(agents=9)
    assert office.register().reason == "NO_MATCHING_TICKET"
    found = rows(office)
    assert [row["decision"] for row in found] == ["DENY"] * 5
    assert [row for row in found if "job_id" in row] == []
    assert [row["job"] for row in found if row.get("kind") == "registration"] == [JOB] * 4


@pytest.mark.acceptance("R03", "R04", "R05", "R07", "R08", "T08")
@pytest.mark.parametrize(
    ("probe", "reason"),
    [
        (f"printf '%s' '{JOB}' | cat", "OK"),
        (f"cat /dev/null; printf 'a b\\n{JOB}: running\\n'", "OK"),
        (f"printf '%s' '{JOB}'; exit 1", "UNVERIFIED_JOB"),
        ("printf another", "UNVERIFIED_JOB"),
        ("printf another; exit 1", "UNVERIFIED_JOB"),
        ("true", "UNVERIFIED_JOB"),
        (f"echo {JOB} >&2", "UNVERIFIED_JOB"),
        (f"echo {JOB}2", "UNVERIFIED_JOB"),
        (f"echo {JOB}-2", "UNVERIFIED_JOB"),
        ("no-such-program", "UNVERIFIED_JOB"),
        ("(", "UNVERIFIED_JOB"),
        ("", "UNVERIFIED_JOB"),
    ],
)
def test_a_job_is_proven_by_status_and_output_of_its_probe(office, probe, reason):
    office.logged()
    assert office.register(probe_cmd=probe).reason == reason
    assert len(tickets(office)) == (0 if reason == "OK" else 1)


@pytest.mark.parametrize("job", ["", " ", "\n"])
def test_a_job_without_an_id_is_not_proven(office, job):
    office.logged()
    assert office.register(job_id=job, probe_cmd="echo a job").reason == "UNVERIFIED_JOB"


@pytest.mark.acceptance("R06")
@pytest.mark.parametrize("probe", [f"echo {JOB}", f"printf {JOB}", f"cd . && ls {JOB}"])
def test_a_probe_that_reads_nothing_is_told(office, probe):
    (office.folder / JOB).write_text("")
    office.logged()
    decision = office.register(probe_cmd=probe.replace("cd .", f"cd '{office.folder}'"))
    assert outcome(decision) == ("OK", ["PROBE_NOT_CONTENT"])


@pytest.mark.acceptance("R10", "CL-07")
def test_a_job_probe_over_its_time_proves_nothing(office):
    office.logged()
    office.seconds = 0.3
    decision = office.register(probe_cmd=f"echo {JOB}; sleep 300 & wait", model_probe_cmd=None)
    assert decision.reason == "UNVERIFIED_JOB"
    assert "was over its 0.3 s" in decision.denial.message


@pytest.mark.acceptance("R25")
@pytest.mark.parametrize(("first", "then"), [("orchestration", "sentinel-log"), ("sentinel-log", "orchestration")])
def test_a_check_with_another_channel_that_comes_in_between_is_not_settled(office, monkeypatch, first, then):
    office.check(completion_channel=first)
    prove = registering.prove

    def slow(*given, **more):
        office.check(completion_channel=then)
        return prove(*given, **more)

    monkeypatch.setattr(registering, "prove", slow)
    decision = office.register()
    assert decision.reason == "INVALID_REQUEST"
    assert decision.denial.message == f"expected_completion_channel={first} actual_completion_channel={then}"
    assert len(tickets(office)) == 1
    assert [row for row in rows(office) if "job_id" in row] == []
    monkeypatch.undo()
    assert office.register().allow


@pytest.mark.acceptance("R35")
def test_a_job_settles_one_check(office):
    office.logged()
    assert office.register().allow
    office.logged()
    assert office.register().reasons == ("JOB_ALREADY_REGISTERED",)
    assert office.register(job_id="another").allow


@pytest.mark.acceptance("T11", "T12")
def test_an_attempt_is_one_start_of_a_contract(office):
    for job in ("one", "two"):
        office.logged()
        office.register(job_id=job)
    assert [row["attempt"] for row in rows(office)] == [1, 1, 2, 2]


@pytest.mark.acceptance("P25", "V11")
def test_registrations_use_nothing_up(office):
    for number in range(8):
        office.logged(model="brand-new")
        assert office.register(job_id=f"j{number}", declared_model=None).allow
        office.register(job_id=f"j{number}")
    office.clock.pass_(86_401)
    for number in range(8):
        office.register(job_id=f"k{number}", contract_sha=SHA)
    assert office.check(agents=8, model="brand-new").allow


@pytest.mark.acceptance("T26")
def test_no_row_holds_what_a_probe_was_or_said(office):
    office.logged()
    office.environ["SECRET_WORD"] = "hush-hush-1"
    for job in ("unproven", JOB):
        office.register(
            job_id=job,
            probe_cmd=f"echo token-in-command >/dev/null; echo {JOB} hush-hush-2 | cat",
            model_probe_cmd="echo hush-hush-3; echo gpt-5.5",
        )
    text = json.dumps(rows(office))
    assert [word for word in ("hush-hush", "token-in-command", "Do it, and say so") if word in text] == []


@pytest.mark.acceptance("CO-05")
def test_a_contract_that_a_worker_has_ticked_off_is_registered_by_the_hash_that_was_checked(office):
    sha = office.logged().contract_sha
    office.contract.write_text(CONTRACT.replace("Do it", "[x] Do it"))
    assert office.register(contract_sha=sha).allow
    again = office.logged()
    assert again.allow
    assert again.contract_sha != sha
    assert [ticket.contract_sha for ticket in tickets(office)] == [again.contract_sha]


def test_a_policy_that_lets_everything_through_registers_nothing_that_was_not_allowed(office, monkeypatch):
    from tests.runner.gates import BUILT_IN

    from gatewright.policy.loader import load
    from gatewright.runner import Gate

    text = "gatewright: 1\npolicy: p\nstage: register\nrules: [{use: ticket-choice, level: warn}]\n"
    office.registers = Gate(load(text.encode(), "p.yaml", BUILT_IN), BUILT_IN)
    assert office.register().reason == "NO_MATCHING_TICKET"
    office.waits("a" * 64)
    office.waits("b" * 64)
    assert office.register().reason == "NO_MATCHING_TICKET"
    assert len(tickets(office)) == 2
    assert office.register(contract_sha="a" * 64).allow
