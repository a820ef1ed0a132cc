"""A dispatch goes step by step, and costs nothing before it may."""

import hashlib

import pytest
from tests.flows.ramps import JOB, SPEC, TASK, TERMINAL, Scripted
from tests.ledger.desks import CONTRACT

from gatewright.model import Stage
from gatewright.model.exits import DispatchCode
from gatewright.orchestrators.errors import OrchestratorError, Trouble
from gatewright.runtimes.pretrust import outcomes

SHA = hashlib.sha256(CONTRACT.encode()).hexdigest()
STEPS = (
    *("request", "runtime", "model", "approval", "preflight", "scope", "pretrust", "check"),
    *("task", "terminal", "inject", "register", "delivery"),
)


def tree(folder):
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.acceptance("G02", "G08", "W08", "W10", "W12")
def test_a_dispatch_goes_from_the_contract_to_the_delivery_in_one_order(ramp):
    found = ramp.dispatch()
    assert (found.code, tuple(ramp.outcomes)) == (DispatchCode.DONE, STEPS)
    calls = dict.fromkeys(call for call in ramp.orchestrator.calls if call[0] != "dispatch_of")
    assert list(calls) == [
        ("create_task", SPEC),
        ("open_terminal", str(ramp.worktree), "codex --model gpt-5.5"),
        ("wait_idle", TERMINAL, "60"),
        ("screen", TERMINAL),
        ("inject", TASK, TERMINAL),
    ]
    methods = [call[0] for call in ramp.orchestrator.calls]
    assert methods[methods.index("inject") + 1 :].count("screen") >= 1
    made = found.made
    assert (made.contract_sha, made.task, made.terminal, made.dispatch) == (SHA, TASK, TERMINAL, JOB)
    assert (made.registered, made.delivery) == (True, "agent-started")
    check, registration, *others = ramp.rows
    assert (check["decision"], check["contract_sha"], check["completion_channel"]) == ("ALLOW", SHA, "orchestration")
    assert (registration["job_id"], registration["orchestration_task"]) == (JOB, TASK)
    assert [row["kind"] for row in others] == ["host_diversity_audit", "delivery"]


def test_each_step_is_told_as_it_ends(ramp):
    seen = []
    ramp.orchestrator.on["create_task"] = lambda: seen.extend(ramp.outcomes)
    ramp.dispatch()
    assert tuple(seen) == STEPS[:8]


@pytest.mark.acceptance("W01", "W02", "W15", "P28")
@pytest.mark.parametrize("reason", [None, "", "  ", "\t\n"])
def test_a_top_model_without_a_reason_is_refused_before_the_gate_is_asked(ramp, reason, gates):
    asked = []
    del ramp.gates[Stage.CHECK]
    ramp.orchestrator.on = dict.fromkeys(("create_task", "open_terminal"), lambda: asked.append(1))
    found = ramp.dispatch(runtime="claude", model="claude-opus-5", top_approved=reason)
    assert (found.code, ramp.outcomes["approval"]) == (DispatchCode.DENIED, "denied")
    assert "TOP_NOT_APPROVED" in ramp.step("approval")
    assert (asked, ramp.rows, ramp.config) == ([], [], "")
    ramp.gates = dict(gates)
    assert ramp.look(runtime="claude", model="claude-opus-5").allow


@pytest.mark.acceptance("W32")
def test_a_refused_approval_says_what_was_asked_for(ramp):
    ramp.check(model="claude-opus-5", runtime="claude", agents=3)
    ramp.dispatch(runtime="claude", model="claude-opus-5", est_chars=1234)
    told = ramp.step("approval")
    for part in ("`claude-opus-5`", "tier `top`", "1 agent", "1234 characters", "3 agents within 24 h", "cap of 4"):
        assert part in told


@pytest.mark.acceptance("W03", "P28")
def test_an_approval_is_told_and_written_down_as_it_was_said(ramp):
    found = ramp.dispatch(runtime="claude", model="claude-opus-5", top_approved="the owner, on Monday")
    assert found.code is DispatchCode.DONE
    assert "the owner, on Monday" in ramp.step("approval")
    assert ramp.rows[0]["top_approved"] == "the owner, on Monday"


@pytest.mark.acceptance("W04", "W15")
def test_a_dry_check_that_denies_ends_it_and_writes_nothing(ramp):
    ramp.check(agents=8)
    before = tree(ramp.folder)
    found = ramp.dispatch()
    assert (found.code, ramp.outcomes["preflight"]) == (DispatchCode.DENIED, "denied")
    assert (tree(ramp.folder), ramp.orchestrator.calls) == (before, [])


class Looked(Scripted):
    """An orchestrator that can be looked for."""

    def reach(self):
        self._called("reach")


@pytest.mark.acceptance("W16", "W29")
def test_an_orchestrator_that_is_missing_is_known_before_anything_is_spent(ramp):
    ramp.orchestrator = Looked()
    ramp.orchestrator.fails["reach"] = OrchestratorError(Trouble.MISSING, "it is not there")
    before = tree(ramp.folder)
    found = ramp.dispatch()
    assert (found.code, ramp.outcomes["preflight"], found.clean_up) == (DispatchCode.NOT_STARTED, "failed", ())
    assert (tree(ramp.folder), ramp.orchestrator.methods) == (before, ["reach"])


@pytest.mark.parametrize(("used", "code", "calls"), [(8, DispatchCode.DENIED, 0), (7, DispatchCode.DONE, 1)])
def test_an_orchestrator_is_looked_for_once_the_gates_are_open(ramp, used, code, calls):
    ramp.orchestrator = Looked()
    ramp.check(agents=used)
    assert ramp.dispatch().code is code
    assert ramp.orchestrator.methods.count("reach") == calls


@pytest.mark.acceptance("W05")
def test_a_check_alone_leaves_nothing_behind(ramp):
    before = tree(ramp.folder)
    found = ramp.dispatch(check_only=True, spec=None, worktree=None)
    assert (found.code, tuple(ramp.outcomes)) == (DispatchCode.DONE, STEPS[:5])
    assert (tree(ramp.folder), ramp.orchestrator.calls) == (before, [])


@pytest.mark.acceptance("W07")
def test_the_recorded_check_asks_what_the_dry_one_asked(ramp):
    asked = []
    decide = ramp.gates[Stage.CHECK].decide

    class Noting:
        def __getattr__(self, name):
            return getattr(gate, name)

        def decide(self, facts):
            asked.append({name: value for name, value in facts.known.items() if name not in ("now", "ticket_path")})
            return decide(facts)

    gate = ramp.gates[Stage.CHECK]
    ramp.gates[Stage.CHECK] = Noting()
    ramp.dispatch(tier_override="agreed", est_chars=77, labels={"team": "a"})
    assert len(asked) == 2
    assert asked[0] == asked[1]
    assert (asked[1]["est_chars"], asked[1]["tier_override"]) == (77, "agreed")


@pytest.mark.acceptance("B08", "B09")
def test_trust_comes_after_the_dry_check_and_before_the_recorded_one(ramp):
    ramp.dispatch()
    assert list(ramp.outcomes)[4:8] == ["preflight", "scope", "pretrust", "check"]
    assert f'[projects."{ramp.worktree}"]' in ramp.config
    assert "added" in ramp.step("pretrust")


@pytest.mark.acceptance("B08")
def test_a_runtime_with_launch_flags_is_trusted_as_well(ramp):
    found = ramp.dispatch(runtime="cursor")
    assert found.code is DispatchCode.DONE
    assert "--trust" in ramp.orchestrator.calls[1][2]
    assert list((ramp.home / ".cursor" / "projects").rglob(".workspace-trusted"))


@pytest.mark.acceptance("B10", "W06", "W15")
def test_a_worktree_that_cannot_be_trusted_ends_it_before_it_costs_anything(ramp):
    (ramp.home / ".codex" / "config.toml").write_text("this is no = = toml")
    found = ramp.dispatch()
    assert (found.code, ramp.outcomes["pretrust"]) == (DispatchCode.DENIED, "denied")
    assert "skipped" in ramp.step("pretrust")
    assert (ramp.rows, ramp.orchestrator.calls, list((ramp.folder / "tickets").glob("*"))) == ([], [], [])
    assert ramp.config == "this is no = = toml"


@pytest.mark.acceptance("W30")
def test_a_budget_that_is_gone_after_the_dry_check_ends_it_and_tells_what_was_trusted(ramp, monkeypatch):
    plain = outcomes.Outcome.succeeded.fget
    taken = []

    def slow(outcome):
        if not taken:
            taken.append(ramp.check(agents=8).allow)
        return plain(outcome)

    monkeypatch.setattr(outcomes.Outcome, "succeeded", property(slow))
    found = ramp.dispatch()
    assert (found.code, ramp.outcomes["check"], taken) == (DispatchCode.DENIED, "denied", [True])
    assert "TIER_FANOUT_CAP" in ramp.step("check")
    assert found.clean_up == (f"gatewright pretrust codex {ramp.worktree} --revoke",)
    assert f"[{ramp.worktree}]" in ramp.step("pretrust")
    assert [row["decision"] for row in ramp.rows] == ["ALLOW", "DENY"]


def test_what_was_trusted_before_is_not_taken_back(ramp):
    ramp.dispatch()
    ramp.check(agents=7)
    ramp.told.clear()
    assert ramp.dispatch().clean_up == ()


@pytest.mark.acceptance("C28")
def test_a_contract_that_changes_under_the_dispatch_ends_it(ramp):
    decide = ramp.gates[Stage.CHECK]

    class Late:
        def __getattr__(self, name):
            return getattr(decide, name)

        def decide(self, facts):
            found = decide.decide(facts)
            ramp.contract.write_text("# Another job\n")
            return found

    ramp.gates[Stage.CHECK] = Late()
    found = ramp.dispatch()
    assert (found.code, ramp.outcomes["check"]) == (DispatchCode.DENIED, "denied")
    assert "changed" in ramp.step("check")
    assert ramp.orchestrator.calls == []
    assert ramp.rows[-2]["kind"] == "not_started"


@pytest.mark.acceptance("W19", "W15")
@pytest.mark.parametrize(
    ("runtime", "model"), [("codex", "claude-sonnet-5"), ("claude", "gpt-5.5"), ("grok", "gemini-3-pro")]
)
def test_a_model_of_another_vendor_is_refused_with_what_would_do(ramp, runtime, model):
    found = ramp.dispatch(runtime=runtime, model=model)
    assert (found.code, ramp.rows, ramp.orchestrator.calls) == (DispatchCode.DENIED, [], [])
    assert "MODEL_RUNTIME_MISMATCH" in ramp.step("approval")
    assert "cursor" in ramp.step("approval")


@pytest.mark.parametrize(
    ("runtime", "model"),
    [
        ("cursor", "claude-sonnet-5"),
        ("opencode", "gpt-5.5"),
        ("agy", "gemini-3-pro"),
        ("own", "gpt-5.5"),
        ("codex", "x"),
    ],
)
def test_a_runtime_of_several_vendors_and_one_that_nobody_knows_run_what_they_are_given(ramp, runtime, model):
    assert ramp.dispatch(runtime=runtime, model=model).code is DispatchCode.DONE


@pytest.mark.acceptance("W14")
@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"contract": "nowhere.md", "spec": None, "worktree": "./x"}, "contract nowhere.md"),
        ({"spec": None}, "no task"),
        ({"spec": "  "}, "no task"),
        ({"spec": "do it\x1b[201~\rrm -rf ."}, "control characters"),
        ({"spec": "do it\r"}, "control characters"),
        ({"spec": "do it\x03"}, "control characters"),
        ({"spec": "do it\x9b201~"}, "control characters"),
        ({"worktree": None}, "no place"),
        ({"worktree": "./here"}, "no absolute path"),
        ({"worktree": "path:here"}, "no absolute path"),
        ({"worktree": "/nowhere/at/all"}, "no such folder"),
    ],
)
def test_a_wrong_call_ends_with_1_and_the_contract_is_looked_at_first(ramp, given, says):
    found = ramp.dispatch(**given)
    assert (found.code, list(ramp.outcomes)) == (DispatchCode.ARGUMENTS, ["request"])
    assert says in ramp.step("request")
    assert (ramp.rows, ramp.orchestrator.calls) == ([], [])


def test_a_place_that_is_no_repository_is_told(ramp):
    (ramp.worktree / ".git").rmdir()
    assert ramp.dispatch().code is DispatchCode.DONE
    assert ramp.outcomes["request"] == "warned"


@pytest.mark.acceptance("W09")
def test_a_terminal_that_is_open_is_taken_and_neither_made_nor_ended(ramp):
    found = ramp.dispatch(terminal="term_9", worktree=None)
    assert found.code is DispatchCode.DONE
    assert "open_terminal" not in ramp.orchestrator.methods
    assert ("inject", TASK, "term_9") in ramp.orchestrator.calls
    assert ramp.outcomes["pretrust"] == "skipped"


@pytest.mark.acceptance("W23")
def test_a_worktree_may_be_named_as_orca_names_it(ramp):
    assert ramp.dispatch(worktree=f"path:{ramp.worktree}").code is DispatchCode.DONE
    assert ramp.orchestrator.calls[1][1] == str(ramp.worktree)


def test_a_model_that_is_left_out_is_the_first_that_fits_and_not_the_dearest(ramp):
    ramp.table(
        {
            "version": 2,
            "tier_order": ["top", "efficient"],
            "fanout_caps": {},
            "tiers": {"top": ["gpt-5.5-pro"], "efficient": ["claude-sonnet-5", "gpt-5.5"]},
        }
    )
    assert ramp.dispatch(model=None).made.model == "gpt-5.5"
    assert "gpt-5.5 (the first listed one" in ramp.step("model")


def test_without_a_model_that_fits_the_check_denies(ramp):
    found = ramp.dispatch(model=None, runtime="grok")
    assert (found.code, ramp.outcomes["model"]) == (DispatchCode.DENIED, "warned")
    assert "NO_MODEL" in ramp.step("preflight")
