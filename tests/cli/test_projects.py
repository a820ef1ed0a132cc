"""Which project file counts, and that no worker can write its own gate."""

import os
import sysconfig

import pytest
from tests.cli.processes import DISPATCH_GATE, GATEWRIGHT

HEAD = "gatewright: 1\npolicy: {name}\nstage: check\nrules:\n"
STRICT = HEAD.format(name="strict") + "  - {id: closed, deny: agents > 0, code: BUDGET_EXCEEDED}\n"
LAX = HEAD.format(name="lax") + "  - {id: open, deny: agents > 1000000, code: BUDGET_EXCEEDED}\n"
REGISTER = (
    "gatewright: 1\npolicy: later\nstage: register\n"
    'rules:\n  - {id: open, deny: now.date > "3000-01-01", code: NO_MODEL}\n'
)
SHIPPED = "check"


def _policy(place, folder=".", *more, program=GATEWRIGHT, **env):
    """The id of the policy that a check in that folder is decided by."""
    place.write("contract.md", "# Contract\n")
    words = place.request(contract=str(place.cwd / "contract.md"))
    return place.run(*words, *more, program=program, folder=folder, **env).json["policy"]["id"]


def _project(place, folder, policy, name="policy.yaml"):
    place.write(f"{folder}/{name}", policy)
    place.write(f"{folder}/gatewright.toml", f'[policies]\ncheck = "{name}"\n')


@pytest.mark.parametrize("program", [GATEWRIGHT, DISPATCH_GATE])
def test_the_flag_then_the_variable_then_the_project_file_then_the_shipped_policy(place, program):
    named = {
        name: place.write(f"{name}.yaml", HEAD.format(name=name) + LAX.split("rules:\n")[1])
        for name in ("flag", "variable")
    }
    assert _policy(place, program=program) == SHIPPED
    _project(place, ".", STRICT)
    assert _policy(place, program=program) == "strict"
    assert _policy(place, program=program, GATEWRIGHT_POLICY=named["variable"]) == "variable"
    if program == GATEWRIGHT:
        assert _policy(place, ".", "--policy", named["flag"], GATEWRIGHT_POLICY=named["variable"]) == "flag"


@pytest.mark.parametrize("named", ["flag", "variable", "project"])
def test_a_named_policy_that_is_missing_is_replaced_by_no_other(place, named):
    words, environment = [], {}
    _project(place, ".", LAX)
    if named == "flag":
        words = ["--policy", "missing.yaml"]
    elif named == "variable":
        environment = {"GATEWRIGHT_POLICY": "missing.yaml"}
    else:
        (place.cwd / "policy.yaml").unlink()
    result = place.run(*place.request(), *words, **environment)
    assert (result.code, result.json["reason"]) == (2, "POLICY_UNAVAILABLE")


def test_a_policy_that_is_named_by_an_empty_flag_is_a_missing_one(place):
    assert place.check("--policy", "").json["reason"] == "POLICY_UNAVAILABLE"


def test_a_policy_of_another_stage_decides_no_check(place):
    result = place.check("--policy", place.write("register.yaml", REGISTER))
    assert (result.code, result.json["reason"]) == (2, "POLICY_UNAVAILABLE")
    assert "of stage `register`, and one of stage `check` is due" in result.json["message"]


def test_the_nearest_parent_with_a_project_file_counts(place):
    _project(place, "outer", LAX)
    _project(place, "outer/inner", STRICT)
    (place.cwd / "outer/inner/deep/deeper").mkdir(parents=True)
    (place.cwd / "outer/beside").mkdir()
    assert _policy(place, "outer/inner/deep/deeper") == "strict"
    assert _policy(place, "outer/beside") == "lax"


@pytest.mark.parametrize("by", ["folder", "file"])
def test_a_project_that_is_named_counts_wherever_it_is(place, by):
    _project(place, "elsewhere", STRICT)
    _project(place, "here", LAX)
    place.write("elsewhere/.git", "gitdir: /somewhere\n")
    named = "../elsewhere" if by == "folder" else "../elsewhere/gatewright.toml"
    assert _policy(place, "here", "--project", named) == "strict"


def _mark(place, folder, how):
    """Make a folder a worker's worktree."""
    if how == "linked worktree":
        place.write(f"{folder}/.git", "gitdir: /repository/.git/worktrees/one\n")
    elif how == "dangling link":
        (place.cwd / folder).mkdir(parents=True, exist_ok=True)
        (place.cwd / folder / ".git").symlink_to("nowhere")


WORKTREES = pytest.mark.parametrize(
    ("how", "folder"), [("linked worktree", "wt"), ("dangling link", "wt"), ("orchestrator's", ".orca/worktrees/one")]
)


@WORKTREES
def test_a_project_file_in_a_workers_worktree_is_not_heeded(place, how, folder):
    _project(place, folder, LAX)
    _mark(place, folder, how)
    (place.cwd / folder / "deep").mkdir()
    assert _policy(place, folder) == SHIPPED
    assert _policy(place, f"{folder}/deep") == SHIPPED


@WORKTREES
def test_a_project_file_in_a_worktree_does_not_hide_that_of_the_project_around_it(place, how, folder):
    _project(place, "project", STRICT)
    _project(place, f"project/{folder}", LAX)
    _mark(place, f"project/{folder}", how)
    assert _policy(place, f"project/{folder}") == "strict"


@pytest.mark.parametrize("marker", ["wt/.gatewright", "wt/deep/.gatewright"])
def test_a_folder_of_state_does_not_hide_the_project_file_above_it(place, marker):
    _project(place, "project", STRICT)
    (place.cwd / "project" / marker).mkdir(parents=True)
    assert _policy(place, f"project/{marker.rsplit('/', 1)[0]}") == "strict"


def test_a_file_of_git_in_a_parent_makes_a_worktree_of_all_below(place):
    place.write(".git", "gitdir: /repository/.git/worktrees/one\n")
    _project(place, "deep", LAX)
    assert _policy(place, "deep") == SHIPPED


def test_an_ordinary_repository_is_trusted(place):
    _project(place, "repository", LAX)
    (place.cwd / "repository" / ".git").mkdir()
    assert _policy(place, "repository") == "lax"


@WORKTREES
def test_a_table_in_a_workers_worktree_is_not_heeded(place, how, folder):
    _mark(place, folder, how)
    table = '{"version": 2, "tiers": {"all": ["gpt-5.5"]}, "fanout_caps": {"all": 0, "unknown": 999}}'
    place.write(f"{folder}/config/model-tier-policy.json", table)
    place.write(f"{folder}/master-ops/model-tier-policy.json", table)
    words = place.request(contract=str(place.cwd / place.write("contract.md", "# Contract\n")))
    assert place.run(*words, folder=folder).json["reason"] == "OK"


@WORKTREES
def test_a_plugin_in_a_workers_worktree_is_not_loaded(place, how, folder):
    _project(place, folder, LAX)
    place.write(f"{folder}/gatewright.toml", 'plugins = ["own"]\nrules = "gates"\n')
    for name in ("own.py", "gates/gate.py"):
        place.write(f"{folder}/{name}", "import os\nos.mkdir(os.environ['HOME'] + '/loaded')\n")
    _mark(place, folder, how)
    assert _policy(place, folder, PYTHONPATH=".") == SHIPPED
    assert not (place.home / "loaded").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file away")
def test_a_project_file_of_another_user_is_not_heeded(place):
    _project(place, "project", LAX)
    os.chown(place.cwd / "project" / "gatewright.toml", 12345, 12345)
    assert _policy(place, "project") == SHIPPED
    os.chown(place.cwd / "project" / "gatewright.toml", 0, 0)
    os.chown(place.cwd / "project", 12345, 12345)
    assert _policy(place, "project") == SHIPPED


def test_the_installed_program_loads_no_module_from_the_working_directory(place):
    script = os.path.join(sysconfig.get_path("scripts"), "gatewright")
    if not os.path.exists(script):
        pytest.skip("gatewright is not installed in this environment")
    import subprocess

    for name in ("click", "msgspec", "json", "gatewright_rules", "ruamel", "pluggy", "sitecustomize"):
        place.write(f"{name}.py", "raise SystemExit(0)\n")
    done = subprocess.run(
        [script, *place.request(agents="0")], cwd=place.cwd, env=place.environment({}), capture_output=True, check=False
    )
    assert done.returncode == 2
    assert b"INVALID_REQUEST" in done.stdout


def test_a_project_file_names_policy_table_roots_plugins_and_rules(place):
    rule = (
        "from gatewright import deny, hookimpl, rule\n\n\n@rule(codes=['{code}'])\ndef {name}(agents: int):\n"
        '    """Deny {limit} or more agents."""\n    if agents >= {limit}:\n        yield deny("{code}", "too many")\n'
    )
    place.write("gates/ours.py", rule.format(name="ours", code="NO_MODEL", limit=2))
    place.write(
        "theirs.py",
        rule.format(name="theirs", code="ROUTING_VIOLATION", limit=3)
        + "\n\n@hookimpl\ndef gatewright_rules():\n    return [theirs]\n",
    )
    uses = "".join(f"  - use: {name}\n" for name in ("ours", "theirs", "fan-out-cap", "known-roots"))
    place.write("policy.yaml", HEAD.format(name="own") + uses)
    place.write("table.yaml", "version: 2\ntiers: {all: [gpt-5.5]}\nfanout_caps: {all: 3}\n")
    place.write("roots.json", '["/home/known"]')
    place.write(
        "gatewright.toml",
        'tiers = "table.yaml"\nknown_roots = "roots.json"\nplugins = ["theirs"]\nrules = "gates"\n'
        '[policies]\ncheck = "policy.yaml"\n',
    )
    contract = place.write("job.md", "Read /home/stranger/x\n")
    result = place.run(*place.request(contract=contract, agents="4"), PYTHONPATH=".")
    assert result.json["reasons"] == ["NO_MODEL", "ROUTING_VIOLATION", "TIER_FANOUT_CAP"]
    assert result.json["warnings"] == ["PATH_OUTSIDE_KNOWN_ROOTS"]


@pytest.mark.parametrize(
    "text",
    [
        'tires = "x"',
        "tiers = 5",
        'plugins = "own"',
        'plugins = ["no_such_module"]',
        'policies = "x"',
        '[policies]\nchekc = "x"',
        "[policies]\ncheck = 5",
        'rules = "missing"',
        "[",
        "tiers = \x1b",
    ],
)
def test_a_project_file_with_a_mistake_closes_the_gate(place, text):
    place.write("gatewright.toml", text)
    result = place.check()
    assert (result.code, result.json["allow"], result.json["reason"]) == (2, False, "POLICY_UNAVAILABLE")


def test_a_project_file_with_a_mistake_closes_the_older_gate_too(place):
    place.write("gatewright.toml", 'tires = "x"')
    result = place.check(program=DISPATCH_GATE)
    assert (result.code, result.json["reason"]) == (2, "POLICY_UNAVAILABLE")


@pytest.mark.parametrize("held", [b"\xff\xfe", b"\x00", b"a = " + b"[" * 20_000])
def test_a_project_file_that_is_no_text_closes_the_gate(place, held):
    place.write("gatewright.toml", held)
    result = place.check()
    assert (result.code, result.json["reason"]) == (2, "POLICY_UNAVAILABLE")


def test_a_misspelt_key_of_a_project_file_is_told_with_its_line_and_the_nearest(place):
    place.write("gatewright.toml", '# ours\n\ntires = "x"\n')
    result = place.run("policies")
    assert result.code == 1
    assert "gatewright.toml:3:1:" in result.stderr
    assert "did you mean `tiers`?" in result.stderr


def test_a_project_that_is_named_and_missing_closes_the_gate(place):
    result = place.check("--project", "missing")
    assert (result.code, result.json["reason"]) == (2, "POLICY_UNAVAILABLE")
    assert "missing" in result.json["message"]
