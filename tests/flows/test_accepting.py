"""Work is held to its contract: what was changed, what was committed, what can be shown again."""

import pytest
from tests.policy.test_contracts import contract
from tests.probes.worktrees import ENVIRON, commit, git, put, repository

from gatewright.app import App, Options
from gatewright.digests import sha256_hex
from gatewright.flows import accepting
from gatewright.flows.accepting import AcceptRequest
from gatewright.flows.accounts import account
from gatewright.ledger.stores import open_ledger
from gatewright.model import Stage, TierTable

JOB = "ctx_1a2b"
WHOLE = {
    "allow": "[src/**, out/**]",
    "forbid": "['**/.env']",
    "evidence": "[{run: test -f src/a.py}, {file: src/b.py, name: b}]",
    "branch": "job/*",
}
V2 = TierTable(version=2, index={"gpt-5.5": "low"}, order=("low",), caps={"low": 1})


class Bench:
    """A ledger, a worktree, and a contract that a job is registered for."""

    def __init__(self, folder):
        self.folder, self.work = folder, repository(folder)
        self.ledger = open_ledger(str(folder / "run.db"), str(folder / "tickets"), older=False)
        self.gate = App(Options(), {}, str(folder)).gate(Stage.ACCEPT)
        self.contract = folder / "job.md"

    def registered(self, *, row=None, **more):
        """Write the contract, and the registration of the job for it."""
        self.contract.write_bytes(contract(**{**WHOLE, **more}))
        found = {
            "ts": 1_000_000.0,
            "contract_sha": sha256_hex(self.contract.read_bytes()),
            "runtime": "codex",
            "decision": "ALLOW",
            "reason": "OK",
            "job_id": JOB,
            "orchestration_task": "task_7",
            "model_declared": "gpt-5.5",
            "model_verified": True,
            "attempt": 2,
            **(row or {}),
        }
        with self.ledger.writing() as session:
            session.append(found, {})
        return self

    def accept(self, **given):
        found = {"job_id": JOB, "contract": str(self.contract), "worktree": str(self.work), "base": "main"}
        return accepting.accept(self.gate, AcceptRequest(**{**found, **given}), self.ledger, ENVIRON)

    def reasons(self, **given):
        return list(self.accept(**given).decision.reasons)

    def place(self, text):
        put(self.folder, "placement.txt", text)
        return str(self.folder / "placement.txt")


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


@pytest.mark.acceptance("A11")
def test_accepted_work_is_fixed_to_contract_job_task_and_attempt_by_the_ledger(bench):
    judged = bench.registered().accept()
    told = account(judged)
    assert (judged.verdict, judged.decision.reason) == ("ACCEPTED", "OK")
    assert (told.contract_sha, told.job_id, told.task, told.attempt) == (
        sha256_hex(bench.contract.read_bytes()),
        JOB,
        "task_7",
        2,
    )


def test_a_job_that_is_not_registered_and_another_contract_are_not_accepted(bench):
    bench.registered()
    assert bench.accept(job_id="ctx_1a2").decision.reason == "NO_REGISTRATION"
    bench.contract.write_bytes(bench.contract.read_bytes() + b"[x] done\n")
    assert bench.accept().decision.reason == "NO_REGISTRATION"


@pytest.mark.parametrize("data", [b"# Job\n", b"---\nallow: []\n---\n", b"---\nallow: [a]\n", b""])
def test_a_contract_without_sound_front_matter_cannot_be_accepted_by(bench, data):
    bench.registered()
    bench.contract.write_bytes(data)
    assert bench.reasons()[0] == "CONTRACT_UNREADABLE"


def test_a_contract_that_is_not_there_cannot_be_accepted_by(bench):
    assert bench.reasons(contract=str(bench.folder / "gone.md"))[0] == "CONTRACT_UNREADABLE"


@pytest.mark.acceptance("A12")
@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("src/new.py", ""),
        ("src/deep/new.py", ""),
        ("docs/new.md", "`docs/new.md` is not allowed"),
        ("src/.env", "`src/.env` is forbidden by `**/.env`"),
        ("src/.ENV", "`src/.ENV` is forbidden by `**/.env`"),
        ("srcs/new.py", "`srcs/new.py` is not allowed"),
    ],
)
def test_a_path_outside_the_contract_is_a_violation(bench, name, found):
    bench.registered()
    put(bench.work, name)
    surface = bench.accept().decision.facts["surface"]
    assert surface.outside == ((found,) if found else ())
    assert ("SURFACE_VIOLATION" in bench.reasons()) is bool(found)


@pytest.mark.acceptance("A12")
def test_a_link_out_of_the_worktree_is_a_violation_even_where_its_path_is_allowed(bench):
    bench.registered()
    (bench.work / "src" / "out").symlink_to(bench.folder)
    assert bench.accept().decision.facts["surface"].outside == ("`src/out` leads out of the worktree",)


def test_a_worktree_that_is_none_is_a_violation_and_no_traceback(bench):
    assert "SURFACE_VIOLATION" in bench.registered().reasons(worktree=str(bench.folder))


@pytest.mark.acceptance("A05", "A12")
@pytest.mark.parametrize(
    ("terms", "found"),
    [
        ({"commit": "true"}, []),
        ({"commit": "false"}, ["COMMIT_RULE_VIOLATION"]),
        ({"commit": None}, ["COMMIT_RULE_VIOLATION"]),
        ({"commit": "true", "branch": "main"}, ["COMMIT_RULE_VIOLATION"]),
        ({"commit": "true", "branch": None}, []),
    ],
)
def test_commits_and_branches_are_what_the_contract_says_and_without_a_word_there_are_none(bench, terms, found):
    bench.registered(**terms)
    put(bench.work, "src/a.py", "changed\n")
    commit(bench.work)
    assert [code for code in bench.reasons() if code != "EVIDENCE_MISSING"] == found


def test_a_push_without_leave_is_a_violation(bench):
    bench.registered()
    git(bench.folder, "init", "-q", "--bare", "remote.git")
    git(bench.work, "remote", "add", "origin", str(bench.folder / "remote.git"))
    put(bench.work, "src/a.py", "changed\n")
    commit(bench.work)
    assert bench.reasons() == []
    git(bench.work, "push", "-q", "origin", "job/17")
    assert bench.accept().decision.facts["commits"].violations == ("1 commit pushed, and the contract allows none",)


@pytest.mark.acceptance("A13")
@pytest.mark.parametrize(
    ("evidence", "states", "reasons"),
    [
        ("[{run: test -f src/a.py}]", {"test -f src/a.py": "passed"}, []),
        ("[{run: exit 3}]", {"exit 3": "failed"}, ["EVIDENCE_FAILED"]),
        ("[{run: sleep 30, seconds: 1}]", {"sleep 30": "failed"}, ["EVIDENCE_FAILED"]),
        ("[{run: 'test -z \"$GIT_DIR\"', name: env}]", {"env": "passed"}, []),
        ("[{file: src/a.py}]", {"src/a.py": "passed"}, []),
        ("[{file: src}]", {"src": "missing"}, ["EVIDENCE_MISSING"]),
        ("[{file: gone}]", {"gone": "missing"}, ["EVIDENCE_MISSING"]),
        (
            "[{run: exit 1}, {file: gone}]",
            {"exit 1": "failed", "gone": "missing"},
            ["EVIDENCE_FAILED", "EVIDENCE_MISSING"],
        ),
    ],
)
def test_evidence_is_made_again_in_the_worktree(bench, evidence, states, reasons):
    judged = bench.registered(evidence=evidence).accept()
    assert (judged.decision.facts["evidence"], list(judged.decision.reasons)) == (states, reasons)


def test_evidence_behind_a_link_out_of_the_worktree_is_missing(bench):
    put(bench.folder, "report.xml")
    put(bench.work, "build/keep")
    (bench.work / "build" / "report.xml").symlink_to(bench.folder / "report.xml")
    assert bench.registered(evidence="[{file: build/report.xml}]").reasons() == ["EVIDENCE_MISSING"]


def test_what_a_worker_has_left_is_not_run_where_the_work_is_refused_anyway(bench):
    bench.registered(evidence="[{run: touch out.txt}]")
    put(bench.work, "docs/new.md")
    judged = bench.accept()
    assert list(judged.decision.reasons) == ["SURFACE_VIOLATION", "EVIDENCE_MISSING"]
    assert account(judged).not_run == ("evidence touch out.txt",)
    assert not (bench.work / "out.txt").exists()


@pytest.mark.acceptance("A14", "M09")
def test_an_unverified_model_is_marked_and_where_the_contract_asks_for_one_refused(bench):
    judged = bench.registered(row={"model_verified": False}).accept()
    assert (judged.verdict, judged.decision.warnings) == ("ACCEPTED", ("MODEL_UNVERIFIED",))
    assert "the model is unverified: `gpt-5.5` was declared only" in account(judged).remaining_risk
    bench.registered(row={"model_verified": False, "job_id": "j2"}, model="verified")
    assert bench.reasons(job_id="j2") == ["MODEL_UNVERIFIED"]


@pytest.mark.acceptance("A16")
def test_the_work_of_a_job_whose_model_was_dearer_than_declared_is_not_accepted(bench):
    bench.registered()
    with bench.ledger.writing() as session:
        row = {"ts": 1_000_001.0, "decision": "DENY", "reason": "MODEL_TIER_ESCALATION", "job_id": JOB}
        session.append(row, {})
    assert bench.reasons()[0] == "MODEL_TIER_ESCALATION"


@pytest.mark.acceptance("A09")
def test_a_worker_in_its_master_s_checkout_is_refused_and_told_to_stop(bench):
    text = "in_expected_worktree: no\nis_master_checkout: yes\nbranch: main\n"
    decision = bench.registered().accept(placement=bench.place(text)).decision
    assert list(decision.reasons) == ["MASTER_CHECKOUT", "EVIDENCE_FAILED", "EVIDENCE_MISSING"]
    assert decision.findings[0].hint == "stop it at once"


def test_a_worker_in_its_worktree_passes(bench):
    text = "in_expected_worktree: yes\nis_master_checkout: no\nbranch: job/17\n"
    assert bench.registered().reasons(placement=bench.place(text)) == []


@pytest.mark.acceptance("A08")
def test_a_branch_that_the_worker_named_and_the_work_is_not_on_is_told(bench):
    text = "in_expected_worktree: yes\nis_master_checkout: no\nbranch: job/18\n"
    told = account(bench.registered().accept(placement=bench.place(text)))
    assert told.remaining_risk[0] == (
        "the worker said that it stood on branch `job/18`, and the work is on branch `job/17`"
    )


@pytest.mark.acceptance("A15")
def test_what_passed_what_was_not_run_and_what_remains_are_three_lists(bench):
    bench.registered(exclusions="[the writer]")
    put(bench.work, "build/x")
    told = account(bench.accept(), ["/srv/x"])
    assert "evidence b" in told.passed
    assert told.not_run == ()
    assert told.remaining_risk == (
        "where the worker stood was not said",
        "the report names 1 absolute path (/srv/x)",
        "the base was found by the name `main`, which a worker can move: give its commit's id",
        "1 ignored path (build/) not looked at",
        "left out on purpose: the writer",
        "for a reader to judge: it works",
        "a push to a place that this repository does not know leaves no trace in it",
    )


def test_a_verdict_is_a_row_that_no_window_counts_and_no_registration_is(bench):
    bench.registered().accept()
    bench.accept(job_id="j9")
    rows = [entry.row.data for entry in bench.ledger.rows()][-2:]
    assert [(row["kind"], row["verdict"], row["reason"], row["job"]) for row in rows] == [
        ("acceptance", "ACCEPTED", "OK", JOB),
        ("acceptance", "REFUSED", "NO_REGISTRATION", "j9"),
    ]
    assert (rows[0]["orchestration_task"], rows[0]["attempt"], rows[0]["policy"]) == ("task_7", 2, "accept")
    with bench.ledger.reading() as look:
        assert look.usage("low", V2, 1).agents == 0
        assert look.of_job("j9") is None
        assert look.attempts(rows[0]["contract"]) == 0
