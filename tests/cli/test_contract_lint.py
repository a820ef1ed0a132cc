"""What is said of a contract: warnings by its text, and everything from one and the same reading."""

import hashlib
import json
import os

import pytest
from tests.cli.decisions import decide

from gatewright.app import App, Options
from gatewright.flows.check import CheckRequest, Surroundings, facts_of, read_outside
from gatewright.ledger.stores import Nothing
from gatewright.model import Stage
from gatewright.probes import contract as probe

ROOTS = '["/Users/known", "/home/known/"]'


@pytest.mark.acceptance("C26")
@pytest.mark.parametrize(
    ("text", "warnings"),
    [
        ("Use the MCP server.", ["MCP_TRUST_UNHANDLED"]),
        ("Call mcp__files__read.", ["MCP_TRUST_UNHANDLED"]),
        ("Ask Code-Review-Graph first.", ["MCP_TRUST_UNHANDLED"]),
        ("The compmcpany store", []),
        ("mcp_server", []),
        ("Use the mcp server; its TRUST dialog is answered.", []),
        ("MCP 신뢰 설정", []),
        ("mcp 다이얼로그", []),
        ("Read /Users/stranger/notes.md", ["PATH_OUTSIDE_KNOWN_ROOTS"]),
        ("Read `/home/stranger/notes.md`.", ["PATH_OUTSIDE_KNOWN_ROOTS"]),
        ("Read /Users/known/notes.md and /home/known/x", []),
        ("Read /Users/knownot/notes.md", ["PATH_OUTSIDE_KNOWN_ROOTS"]),
        ("Read /etc/hosts and src/Users/stranger/x", []),
        ("repo_root: /Users/known/.orca/worktrees/x", ["WORKTREE_AS_REPO_ROOT"]),
        ("The GRAPH of /Users/known/.orca/worktrees/x/y", ["WORKTREE_AS_REPO_ROOT"]),
        ("Repo-Root is /Users/known/.orca/worktrees/x", ["WORKTREE_AS_REPO_ROOT"]),
        ("Work in /Users/known/.orca/worktrees/x\nThe repo root is elsewhere.", []),
        (
            "mcp\n/Users/stranger/x\nrepo root /Users/known/.orca/worktrees/x",
            ["MCP_TRUST_UNHANDLED", "PATH_OUTSIDE_KNOWN_ROOTS", "WORKTREE_AS_REPO_ROOT"],
        ),
    ],
)
def test_the_text_of_a_contract_warns_and_never_denies(place, text, warnings):
    roots, contract = (str(place.cwd / place.write(*each)) for each in (("roots.json", ROOTS), ("job.md", text)))
    decision = decide(place, known_roots=roots, contract=contract)
    assert (decision.allow, list(decision.warnings)) == (True, warnings)


@pytest.mark.acceptance("C26")
def test_three_warnings_leave_the_gate_of_the_process_open(place):
    contract = place.write("job.md", "mcp\n/Users/stranger/x\nrepo root /Users/known/.orca/worktrees/x")
    result = place.check("--known-roots", place.write("roots.json", ROOTS), contract=contract)
    assert (result.code, result.codes[0]) == (0, [])
    assert result.codes[1] == ["MCP_TRUST_UNHANDLED", "PATH_OUTSIDE_KNOWN_ROOTS", "WORKTREE_AS_REPO_ROOT"]


@pytest.mark.acceptance("C26")
def test_known_roots_are_looked_up_below_the_home(place):
    contract = place.write("job.md", "Read /Users/stranger/notes.md")
    assert place.check(contract=contract).json["warnings"] == []
    (place.home / ".mogui").mkdir()
    (place.home / ".mogui" / "known-roots.json").write_text(ROOTS)
    assert place.check(contract=contract).json["warnings"] == ["PATH_OUTSIDE_KNOWN_ROOTS"]


@pytest.mark.parametrize("roots", ["", "{", "[]", '{"a": 1}', "[1, null]", '["relative"]', "\udcff", "[" * 5000])
def test_a_list_of_roots_that_is_none_means_no_check(place, roots):
    file = str(place.cwd / place.write("roots.json", roots.encode(errors="surrogateescape")))
    contract = str(place.cwd / place.write("job.md", "Read /Users/stranger/notes.md"))
    decision = decide(place, known_roots=file, contract=contract)
    assert (decision.allow, decision.warnings) == (True, ())


def test_the_folders_of_homes_are_a_param_of_the_policy(place):
    roots = place.write("roots.json", '["/export/known"]')
    contract = place.write("job.md", "Read /export/stranger/x and /Users/stranger/x")
    words = ["--known-roots", roots, "--param", 'home_roots=["/export/"]']
    (finding,) = place.check(*words, contract=contract).json["findings"]
    assert "/export/stranger/x" in finding["message"]
    assert "/Users" not in finding["message"]


BEFORE, AFTER = b"Use the mcp server.\n", b"Read /Users/stranger/notes.md, which is a longer text.\n"


def _facts(path):
    """The facts of a check on that contract, with its size counted from it."""
    app = App(Options(), {"HOME": os.path.dirname(path)}, os.path.dirname(path))
    gate = app.gate(Stage.CHECK)
    request = CheckRequest(
        runtime="codex", contract=path, agents=2, model="gpt-5.5", completion_channel="orchestration"
    )
    places = Surroundings(tier_policy=app.tier_policy_path(), known_roots=app.known_roots_path())
    return gate.decide(facts_of(gate, request, read_outside(gate, request, places), Nothing())).facts


@pytest.mark.acceptance("C27")
@pytest.mark.parametrize("moment", ["after open", "after read", "in between"])
def test_a_contract_that_is_replaced_meanwhile_is_judged_by_one_reading(tmp_path, monkeypatch, moment):
    path = str(tmp_path / "contract.md")
    tmp_path.joinpath("contract.md").write_bytes(BEFORE)
    opened = []

    def replace():
        tmp_path.joinpath("other.md").write_bytes(AFTER)
        os.replace(tmp_path / "other.md", path)

    real_open, real_contract_of = os.open, probe.contract_of

    def open_then_replace(name, *rest, **more):
        if name == path and moment == "in between" and not opened:
            replace()
        handle = real_open(name, *rest, **more)
        if name == path:
            opened.append(name)
            if moment == "after open":
                replace()
        return handle

    def replace_then_judge(name, data):
        if moment == "after read":
            replace()
        return real_contract_of(name, data)

    monkeypatch.setattr(os, "open", open_then_replace)
    monkeypatch.setattr(probe, "contract_of", replace_then_judge)
    facts = _facts(path)
    data = AFTER if moment == "in between" else BEFORE
    contract = facts["contract"]
    assert contract.sha256 == hashlib.sha256(data).hexdigest()
    assert (contract.chars, facts["est_chars"], facts["cost_proxy"]) == (len(data), len(data), 2 * len(data))
    assert (contract.mentions.mcp, contract.mentions.paths) == (
        data is BEFORE,
        () if data is BEFORE else ("/Users/stranger/notes.md",),
    )
    assert opened == [path]


@pytest.mark.acceptance("C27")
def test_the_process_opens_the_contract_once(place):
    place.write("contract.md", "# Contract\n")
    # An audit hook of the interpreter sees every file that is opened, by whatever means.
    place.write(
        "sitecustomize.py",
        "import sys\nseen = []\n"
        "sys.addaudithook(lambda event, found: seen.append(str(found[0])) if event == 'open' else None)\n"
        "import atexit, json\n"
        "found = lambda: [path for path in seen if path.endswith('contract.md')]\n"
        "atexit.register(lambda: json.dump(found(), open('opened.json', 'w')))\n",
    )
    result = place.run(*place.request(contract="contract.md"), PYTHONPATH=".")
    assert result.code == 0
    assert json.loads((place.cwd / "opened.json").read_text()) == ["contract.md"]
