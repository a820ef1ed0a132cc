"""`gatewright accept`: a job, a contract and a worktree in; a verdict and three lists out."""

import re
import subprocess
import sys

import pytest
from tests.policy.test_contracts import contract
from tests.probes.worktrees import put, repository


@pytest.fixture
def job(place):
    """A worktree, and a job that was checked and registered for a contract."""
    work = repository(place.cwd)
    place.write("job.md", contract(evidence="[{run: test -f src/a.py}]"))
    words = ["--runtime", "codex", "--model", "gpt-5.5", "--agents", "1", "--completion-channel", "sentinel-log"]
    assert place.run("check", *words, "--contract", "job.md", "--ledger", "run.db").code == 0
    place.write("job.json", '{"job": "j1"}')
    probes = ["--probe-cmd", "cat job.json", "--declared-model", "gpt-5.5", "--model-probe-cmd", "echo gpt-5.5"]
    assert place.run("register", "--job-id", "j1", *probes, "--ledger", "run.db").code == 0
    return work


def accept(place, *words):
    rest = ["--contract", "job.md", "--worktree", "work", "--base", "main", "--ledger", "run.db"]
    return place.run("accept", "--job", "j1", *rest, *words)


@pytest.mark.acceptance("A11", "A15")
def test_a_verdict_is_told_with_what_it_is_fixed_to_and_three_lists(place, job):
    result = accept(place, "-f", "table")
    assert result.code == 0
    for line in (
        "job_id       j1",
        "attempt      1",
        "passed",
        "not run",
        "remaining risk",
        "  evidence test -f src/a.py",
    ):
        assert line in result.stdout.splitlines()
    assert result.stdout.endswith("\nACCEPTED\n")


def test_refused_work_exits_with_1_and_says_why(place, job):
    put(job, "docs/x.md")
    result = accept(place)
    found = result.json
    assert (result.code, found["verdict"], found["reasons"]) == (
        1,
        "REFUSED",
        ["SURFACE_VIOLATION", "EVIDENCE_MISSING"],
    )
    assert found["not_run"] == ["evidence test -f src/a.py"]
    assert "docs/x.md" in accept(place, "-f", "table").stdout


@pytest.mark.acceptance("A10")
def test_absolute_paths_in_a_report_are_told(place, job):
    place.write("report.md", "I changed src/a.py and wrote /Users/eve/notes.md.")
    told = accept(place, "--report", "report.md").json["remaining_risk"]
    assert "the report names 1 absolute path (/Users/eve/notes.md)" in told


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--policy", "gone.yaml"], "POLICY_UNAVAILABLE"),
        (["--ledger", "gone/run.db"], "LEDGER_UNAVAILABLE"),
        (["--contract", "gone.md"], "CONTRACT_UNREADABLE"),
        (["--contract", "."], "CONTRACT_UNREADABLE"),
        (["--worktree", "gone"], "SURFACE_VIOLATION"),
        (["--placement", "gone"], "EVIDENCE_MISSING"),
    ],
)
def test_what_goes_wrong_refuses_with_a_code_and_no_traceback(place, job, words, reason):
    put(place.cwd, "gone", "a file\n") if reason == "LEDGER_UNAVAILABLE" else None
    result = accept(place, *words)
    assert (result.code, result.json["reason"], "Traceback" in result.stderr) == (1, reason, False)


SIGNS = (
    "CONTRACT_UNREADABLE",
    "NO_COMPLETION_CHANNEL",
    "NO_MODEL",
    "UNVERIFIED_JOB",
    "ORCHESTRATION_UNVERIFIED",
    "MODEL_TIER_ESCALATION",
    "MODEL_PROBE_FAILED",
    "DELIVERY_UNVERIFIED",
    "NO_REGISTRATION",
    "MASTER_CHECKOUT",
    "SURFACE_VIOLATION",
    "COMMIT_RULE_VIOLATION",
    "EVIDENCE_MISSING",
    "EVIDENCE_FAILED",
)


@pytest.mark.acceptance("A17")
@pytest.mark.parametrize("code", SIGNS)
def test_every_sign_of_failure_is_explained_by_its_cause_and_what_to_do(place, code):
    told = place.run("explain", code)
    assert told.code == 0
    assert re.search(r"^cause +\S", told.stdout, re.MULTILINE)
    assert re.search(r"^to do +\S", told.stdout, re.MULTILINE)


@pytest.mark.acceptance("A18")
def test_the_flows_of_the_gate_know_nothing_of_acceptance():
    program = (
        "import sys, gatewright.flows.registering, gatewright.flows.recording\n"
        "print({'gatewright.flows.accepting', 'gatewright.probes.git'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "set()\n"
