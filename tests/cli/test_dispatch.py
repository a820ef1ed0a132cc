"""`dispatch` as a program, with real workers in real terminals, and with Orca's words."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from orca_sdk.schema import get_command
from tests.cli.processes import CONTRACT, GATEWRIGHT
from tests.flows.ramps import BUSY, LIMIT, PROMPT, TRUST
from tests.orchestrators.stand_in import StandIn, refusal, result

WORKER = Path(__file__).parents[2] / "docs" / "examples" / "worker" / "agent.py"
SPEC = "Read the contract, then write `docs/hello.txt` with the line `hello from a worker`."
HELLO = """---
repository: widgets
checkout: ../worktree
allow: [docs/**]
forbid: []
acceptance: [there is a greeting]
evidence:
  - file: docs/hello.txt
  - run: grep -q hello docs/hello.txt
exclusions: []
model: verified
---
# Say hello
"""
ROW = {"id": "ctx_0123456789ab", "task_id": "task_1", "assignee_handle": "term_1", "status": "dispatched"}


def git(folder, *words):
    named = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
    subprocess.run(["git", *named, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def worktree(place):
    """A worktree of a repository, and a project that knows the example worker."""
    repository = place.cwd / "widgets"
    repository.mkdir()
    git(repository, "init", "-q", "-b", "main")
    git(repository, "commit", "-q", "--allow-empty", "-m", "one")
    git(repository, "worktree", "add", "-q", "-b", "job", str(place.cwd / "worktree"))
    launch = json.dumps([sys.executable, str(WORKER), "--model", "{model}"])
    place.write("runtimes.yaml", f"runtimes:\n  example: {{launch: {launch}, transcripts: claude}}\n")
    place.write("gatewright.toml", 'runtimes = "runtimes.yaml"\nledger = "ledger.db"\n')
    place.write("contract.md", HELLO)
    return place.cwd / "worktree"


def words(place_of_worker, *more, **flags):
    given = {"contract": "contract.md", "worktree": str(place_of_worker), "spec": SPEC, "runtime": "example"}
    given |= {"model": "gpt-5.3-codex"} | flags
    named = [word for name, value in given.items() if value is not None for word in (f"--{name}", value)]
    return ["dispatch", "--project", ".", *named, *more]


def outcomes(found):
    return {step["step"]: step["outcome"] for step in found["steps"]}


ORCHESTRATORS = ["local", pytest.param("tmux", marks=pytest.mark.skipif(not shutil.which("tmux"), reason="no tmux"))]


@pytest.mark.acceptance("G02", "G03", "W22", "W23")
@pytest.mark.parametrize("orchestrator", ORCHESTRATORS)
def test_a_real_worker_is_started_registered_delivered_to_and_its_work_accepted(place, worktree, orchestrator):
    socket = {"GATEWRIGHT_TMUX_SOCKET": str(place.cwd / "tmux.sock"), "GATEWRIGHT_ORCHESTRATOR": orchestrator}
    try:
        found = place.run(*words(worktree), "--json", **socket)
        told = json.loads(found.stdout)
        assert (found.code, told["registered"], told["model_verified"]) == (0, True, True), found.stdout
        assert told["delivery"] == "agent-started"
        accept = ["accept", "--project", ".", "--contract", "contract.md", "--worktree", "worktree", "--json"]
        ended = place.run("tasks", "wait", "--project", ".", "--timeout", "30", **socket)
        (event,) = json.loads(ended.stdout)["events"]
        assert (event["task"], event["outcome"]) == (told["task"], "succeeded")
        after = place.run(*accept, "--job", told["job_id"])
        assert after.json["verdict"] == "ACCEPTED"
        assert (worktree / "docs" / "hello.txt").read_text() == "hello from a worker\n"
    finally:
        subprocess.run(["tmux", "-S", place.cwd / "tmux.sock", "kill-server"], check=False, capture_output=True)


@pytest.mark.acceptance("G03")
def test_a_worker_that_says_it_is_done_before_it_began_is_not_registered_by_that(place, worktree):
    (worktree / "done.txt").write_text("ctx_1 done; model gpt-5.3-codex; registered\n")
    launch = json.dumps(["sh", "-c", "echo done {model}"])
    place.write("runtimes.yaml", f"runtimes:\n  example: {{launch: {launch}, transcripts: claude}}\n")
    found = place.run(*words(worktree), "--json", GATEWRIGHT_ORCHESTRATOR="local")
    told = json.loads(found.stdout)
    assert (found.code, told["registered"], outcomes(told)["terminal"]) == (3, False, "failed")
    assert [row for row in rows(place) if row.get("job_id")] == []


def rows(place):
    out = place.run("ledger", "export", "--project", ".").stdout
    return [json.loads(line) for line in out.splitlines()]


def test_the_steps_are_lines_on_standard_output_and_the_last_says_how_it_ended(place, worktree):
    found = place.run(*words(worktree), GATEWRIGHT_ORCHESTRATOR="local")
    lines = found.stdout.splitlines()
    assert (found.code, found.stderr) == (0, "")
    assert lines[0].startswith("ok    request    contract contract.md, sha256 ")
    assert lines[-1].startswith("DISPATCHED ctx_")
    assert lines[-1].endswith(": registered, model verified, delivery agent-started")


# -- Orca --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def stand_in(tmp_path):
    return StandIn(tmp_path / "bin")


def shown(text):
    return result(terminal={"tail": text.splitlines(), "status": "running", "source": "screen"})


def scenario(**other):
    return {
        "orchestration task-create": result(task={"id": "task_1", "status": "ready"}),
        "terminal create": result(terminal={"handle": "term_1"}),
        "terminal wait": result(wait={"satisfied": True, "status": "running"}),
        "terminal read": [shown(PROMPT), shown(BUSY)],
        "orchestration dispatch": result(dispatch=ROW, injected=True),
        "orchestration dispatch-show": result(dispatch=ROW),
        **{name.replace("__", " ").replace("_", "-"): answer for name, answer in other.items()},
    }


def by_orca(place, stand_in, *more, **flags):
    place.write("contract.md", CONTRACT)
    (place.cwd / "worktree").mkdir(exist_ok=True)
    given = {"runtime": "grok", "model": "grok-4", **flags}
    place.write("gatewright.toml", "")
    called = [*words(place.cwd / "worktree", *more, **given), "--ledger", "ledger.db", "--orchestrator", "orca"]
    return place.run(*called, "--json", ORCA_CLI_COMMAND=str(stand_in.path))


def checked(call):
    command = get_command(" ".join(call[:2]))
    assert {word.removeprefix("--") for word in call if word.startswith("--")} <= set(command["flags"])
    return call


@pytest.mark.acceptance("G08", "W08", "W09", "W10", "W11", "W12", "W22", "W25", "K01", "K02")
def test_orca_is_asked_for_everything_in_one_order_and_the_agent_stands_in_the_command_alone(place, stand_in):
    stand_in.answers(scenario())
    found = by_orca(place, stand_in)
    assert (found.code, json.loads(found.stdout)["delivery"]) == (0, "agent-started"), found.stdout
    read = ["terminal", "read", "--terminal", "term_1", "--limit", "40", "--screen", "--json"]
    launch = "grok --model grok-4 --always-approve"
    assert [checked(call) for call in stand_in.calls] == [
        ["orchestration", "task-create", "--spec", SPEC, "--json"],
        ["terminal", "create", "--worktree", f"path:{place.cwd}/worktree", "--command", launch, "--json"],
        ["terminal", "wait", "--terminal", "term_1", "--for", "tui-idle", "--timeout-ms", "60000", "--json"],
        read,
        ["orchestration", "dispatch", "--task", "task_1", "--to", "term_1", "--inject", "--json"],
        ["orchestration", "dispatch-show", "--task", "task_1", "--json"],
        read,
        ["orchestration", "worker-show", "--dispatch", ROW["id"], "--json"],
    ]


@pytest.mark.acceptance("W09", "W24")
def test_a_terminal_of_orcas_is_taken(place, stand_in):
    stand_in.answers(scenario())
    found = by_orca(place, stand_in, terminal="term_7", worktree=None)
    assert found.code == 0
    assert [call[:2] for call in stand_in.calls if call[1] in ("create", "wait")] == []


@pytest.mark.acceptance("W05", "W22")
def test_a_check_alone_calls_nobody(place, stand_in):
    stand_in.answers(scenario())
    assert by_orca(place, stand_in, "--check-only").code == 0
    assert stand_in.calls == []


@pytest.mark.acceptance("W16", "W26", "W28", "W29")
@pytest.mark.parametrize(
    ("broken", "says", "left"),
    [
        ({"orchestration__task_create": refusal("run_required", "no run is bound")}, "run-create", 0),
        ({"orchestration__task_create": refusal("runtime_error", "no", status=0)}, "runtime_error", 0),
        ({"orchestration__task_create": {"say": "garbage", "exit": 0}}, "JSON", 0),
        ({"orchestration__task_create": result(task={})}, "result.task.id", 0),
        ({"terminal__create": refusal("selector_not_found", "no such worktree")}, "selector_not_found", 1),
        ({"terminal__wait": refusal("terminal_gone")}, "terminal_gone", 2),
        ({"terminal__read": refusal("terminal_gone")}, "terminal_gone", 2),
        (
            {
                "orchestration__dispatch": refusal("task_not_startable"),
                "orchestration__dispatch_show": result(dispatch=None),
            },
            "task_not_startable",
            2,
        ),
    ],
)
def test_what_orca_refuses_ends_with_3_its_code_and_the_commands_that_clean_up(place, stand_in, broken, says, left):
    stand_in.answers(scenario(**broken))
    found = by_orca(place, stand_in)
    told = json.loads(found.stdout)
    assert (found.code, told["result"]) == (3, "not_started")
    assert says in found.stderr
    assert len(told["clean_up"]) == left
    assert all("task_1" in line or "term_1" in line for line in told["clean_up"])
    assert sum(row.get("kind") == "not_started" for row in exported(place)) == 1


def exported(place):
    out = place.run("ledger", "export", "--ledger", "ledger.db").stdout
    return [json.loads(line) for line in out.splitlines()]


@pytest.mark.acceptance("W27")
def test_another_program_of_the_same_name_starts_nothing(place, stand_in):
    stand_in.path.write_text("#!/bin/sh\necho 'orca: option not recognised'\n")
    found = by_orca(place, stand_in)
    assert (found.code, "another program than Orca" in found.stderr) == (3, True)


@pytest.mark.acceptance("W16", "W27", "W29")
@pytest.mark.parametrize(
    ("name", "script", "says"),
    [
        ("tmux", None, "tmux cannot be started"),
        ("tmux", "#!/bin/sh\necho 'usage: tmux FILE'\n", "another program: to -V it says `usage: tmux FILE`"),
        ("tmux", "#!/bin/sh\nexit 1\n", "tmux -V: status 1"),
        ("orca", None, "`orca-ide` cannot be started"),
        ("orca", "#!/bin/sh\necho 'orca: option not recognised'\n", "another program than Orca"),
    ],
)
def test_a_program_that_is_missing_or_another_one_ends_with_3_and_nothing_recorded(place, worktree, name, script, says):
    at = place.cwd / "bin"
    at.mkdir()
    (at / "git").symlink_to(shutil.which("git"))
    if script is not None:
        (at / name).write_text(script)
        (at / name).chmod(0o755)
    before = place.tree()
    found = place.run(*words(worktree), "--json", "--orchestrator", name, PATH=str(at))
    told = json.loads(found.stdout)
    assert (found.code, told["result"], told["clean_up"]) == (3, "not_started", []), found.stdout
    assert says in found.stderr
    assert (told["steps"][-1]["step"], outcomes(told)["preflight"]) == ("preflight", "failed")
    assert place.tree() == before


@pytest.mark.acceptance("W17")
@pytest.mark.parametrize(
    "answer", [result(dispatch=None), result(dispatch=ROW | {"id": "ctx_2"}), refusal("task_not_found")]
)
def test_a_dispatch_that_orca_does_not_bear_out_ends_with_4(place, stand_in, answer):
    stand_in.answers(scenario(orchestration__dispatch_show=answer))
    found = by_orca(place, stand_in)
    assert (found.code, "a worker may be running" in found.stderr) == (4, True)
    told = json.loads(found.stdout)
    assert ["task_1" in line or "term_1" in line for line in told["clean_up"]] == [True, True]


@pytest.mark.acceptance("W18", "W21")
@pytest.mark.parametrize(("screen", "kind"), [(TRUST, "hook-trust"), (LIMIT, "limit")])
def test_a_gate_on_orcas_screen_ends_with_5(place, stand_in, screen, kind):
    stand_in.answers(scenario(terminal__read=[shown(PROMPT), shown(screen)]))
    found = by_orca(place, stand_in)
    assert (found.code, json.loads(found.stdout)["delivery"]) == (5, kind)
    assert sum(call[:2] == ["orchestration", "dispatch"] for call in stand_in.calls) == 1


@pytest.mark.acceptance("D20")
def test_a_question_that_orca_itself_found_ends_with_5(place, stand_in):
    stand_in.answers(scenario(orchestration__dispatch=refusal("agent_prompt_blocked", "it asks for trust")))
    found = by_orca(place, stand_in)
    assert (found.code, json.loads(found.stdout)["delivery"]) == (5, "hook-trust")


# -- called wrongly ----------------------------------------------------------------------------------------------------


@pytest.mark.acceptance("W14")
@pytest.mark.parametrize(
    ("called", "says"),
    [
        (["dispatch"], "--contract"),
        (["dispatch", "--contract", "contract.md", "--flag"], "--flag"),
        (["dispatch", "--contract", "nowhere.md", "--check-only"], "nowhere.md"),
        (["dispatch", "--contract", "contract.md"], "no task"),
        (["dispatch", "--contract", "contract.md", "--spec", "x"], "no place"),
        (["dispatch", "--contract", "contract.md", "--check-only", "-f", "pdf"], "pdf"),
        (["dispatch", "--contract", "contract.md", "--check-only", "--est-chars", "few"], "est-chars"),
        (["dispatch", "--contract", "contract.md", "--check-only", "--label", "x"], "label"),
        (["dispatch", "--contract", "contract.md", "--spec", "x", "--worktree", "/", "--orchestrator", "orcq"], "orca"),
    ],
)
def test_a_wrong_call_exits_1_with_what_is_wrong(place, called, says):
    place.write("contract.md", CONTRACT)
    found = place.run(*called)
    assert (found.code, says in found.stderr + found.stdout) == (1, True)


@pytest.mark.acceptance("W15")
@pytest.mark.parametrize(
    ("flags", "code"),
    [
        ({"model": "claude-opus-5", "runtime": "claude"}, "TOP_NOT_APPROVED"),
        ({"model": "claude-opus-5", "runtime": "codex", "top-approved": "yes"}, "MODEL_RUNTIME_MISMATCH"),
        ({"est-chars": "99999999"}, "BUDGET_EXCEEDED"),
        ({"tier-policy": "nowhere.yaml"}, "TIER_POLICY_UNAVAILABLE"),
        ({"ledger": "contract.md"}, "LEDGER_UNAVAILABLE"),
    ],
)
def test_a_denial_exits_2_and_leaves_nothing(place, flags, code):
    place.write("contract.md", CONTRACT)
    before = place.tree()
    given = {"contract": "contract.md", "runtime": "codex", "model": "gpt-5.5", **flags}
    named = [word for name, value in given.items() for word in (f"--{name}", value)]
    found = place.run("dispatch", "--check-only", *named)
    assert (found.code, code in found.stdout) == (2, True), found.stdout
    assert place.tree() == before


def test_a_policy_of_its_own_stage_that_does_not_load_denies(place):
    place.write("contract.md", CONTRACT)
    place.write("own.yaml", "gatewright: 1\npolicy: own\nstage: dispatch\nrules:\n  - use: nothing-like-it\n")
    place.write("gatewright.toml", '[policies]\ndispatch = "own.yaml"\n')
    found = place.run("dispatch", "--check-only", "--project", ".", "--contract", "contract.md", "--model", "gpt-5.5")
    assert (found.code, "POLICY_UNAVAILABLE" in found.stdout) == (2, True)


def test_an_author_can_loosen_and_tighten_what_a_dispatch_is_refused_for(place):
    place.write("contract.md", CONTRACT)
    place.write("gatewright.toml", '[policies]\ndispatch = "own.yaml"\n')
    called = ["dispatch", "--check-only", "--project", ".", "--contract", "contract.md", "--runtime", "claude"]
    top = [*called, "--model", "claude-opus-5"]
    start = "gatewright: 1\npolicy: own\nstage: dispatch\nrules:\n"
    place.write("own.yaml", f"{start}  - use: top-approval\n    level: warn\n  - use: tiers-known\n")
    assert place.run(*top).code == 0
    place.write("own.yaml", f"{start}  - use: host-diversity\n    level: deny\n")
    found = place.run(*top, MOGUI_MASTER_HOST_RUNTIME="claude")
    assert (found.code, "SAME_HOST_RUNTIME" in found.stdout) == (2, True)


def test_a_reader_who_goes_stops_no_dispatch(place, worktree):
    called = [*place.command(GATEWRIGHT, words(worktree))]
    env = place.environment({"GATEWRIGHT_ORCHESTRATOR": "local"})
    with subprocess.Popen(called, cwd=place.cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.readline()
        process.stdout.close()
        assert (process.wait(60), b"DISPATCHED ctx_" in process.stderr.read()) == (0, True)
    assert [row["kind"] for row in rows(place)[2:]] == ["host_diversity_audit", "delivery"]


def test_who_is_told_to_end_says_what_was_made(place, worktree):
    launch = json.dumps(["sh", "-c", "yes {model}"])
    place.write("runtimes.yaml", f"runtimes:\n  example: {{launch: {launch}}}\n")
    env = place.environment({"GATEWRIGHT_ORCHESTRATOR": "local"})
    called = place.command(GATEWRIGHT, words(worktree))
    with subprocess.Popen(called, cwd=place.cwd, env=env, stdout=subprocess.PIPE, text=True) as process:
        seen = ""
        while "task_" not in seen:
            seen = process.stdout.readline()
        process.terminate()
        left = process.stdout.read()
        assert process.wait(60) == 3
    assert "stopped by hand" in left
    commands = [line.strip() for line in left.splitlines() if "kill" in line]
    for command in commands:
        subprocess.run(command, shell=True, check=False)
    assert rows(place)[1]["kind"] == "not_started"


@pytest.mark.parametrize("key", ["markers", "runtimes"])
def test_a_mistake_in_a_list_of_the_project_is_met_before_anything_is_spent(place, worktree, key):
    place.write("wrong.yaml", "no: list\n")
    place.write("gatewright.toml", f'ledger = "ledger.db"\n{key} = "wrong.yaml"\n')
    found = place.run(*words(worktree), GATEWRIGHT_ORCHESTRATOR="local")
    assert (found.code, "wrong.yaml" in found.stderr) == (1, True)
    assert not (place.cwd / "ledger.db").exists()
