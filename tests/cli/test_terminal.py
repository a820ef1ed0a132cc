"""A person at a terminal: a table instead of JSON, and no text of others that draws on the screen."""

import json
import os
import pty
import subprocess

import pytest
from tests.cli.processes import DISPATCH_GATE, GATEWRIGHT

RED, TITLE, HIDDEN = "\x1b[31m", "\x1b]0;owned\x07", "\u202e\x9b2J"
HOSTILE = RED + TITLE + HIDDEN
POLICY = """\
gatewright: 1
policy: own
stage: check
rules:
  - {id: many, deny: agents > 3, code: BUDGET_EXCEEDED}
"""


def _shown(place, *words, program=GATEWRIGHT, **env):
    """The lines that a terminal of 100 columns is sent, and the exit status."""
    ours, theirs = pty.openpty()
    environment = place.environment({"COLUMNS": "100", "TERM": "xterm", **env})
    with subprocess.Popen(
        place.command(program, words), cwd=place.cwd, env=environment, stdin=theirs, stdout=theirs, stderr=theirs
    ) as process:
        os.close(theirs)
        held = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:
                break  # the other end is closed
            if not piece:
                break
            held += piece
        os.close(ours)
    return held.decode().replace("\r\n", "\n").splitlines(), process.returncode


def _printable(lines):
    return all(line.isprintable() for line in lines)


def test_a_terminal_gets_a_table_and_a_pipe_gets_json(place):
    lines, code = _shown(place, *place.request(agents="0"))
    assert code == 2
    assert lines[0].split() == ["RULE", "OUTCOME", "CODES", "WHY", "WHERE"]
    assert lines[-1].startswith("DENY INVALID_REQUEST")
    assert place.check(agents="0").json["reason"] == "INVALID_REQUEST"


def test_json_may_be_asked_for_at_a_terminal(place):
    lines, code = _shown(place, *place.request(), "--json")
    assert (code, json.loads(lines[0])["allow"]) == (0, True)


def test_the_older_program_prints_json_at_a_terminal_too(place):
    lines, code = _shown(place, *place.request(), program=DISPATCH_GATE)
    assert (code, len(lines), json.loads(lines[0])["allow"]) == (0, 1, True)


@pytest.mark.parametrize(
    "flags",
    [
        {"model": HOSTILE, "agents": "9"},
        {"runtime": HOSTILE},
        {"completion_channel": HOSTILE},
        {"contract": HOSTILE},
        {"tier_policy": HOSTILE},
        {"model": "new-model", "agents": "9", "tier_override": HOSTILE},
    ],
    ids=["model", "runtime", "channel", "contract", "table", "override"],
)
@pytest.mark.parametrize("program", [GATEWRIGHT, DISPATCH_GATE])
def test_text_of_a_request_does_not_draw(place, flags, program):
    lines, _ = _shown(place, *place.request(**flags), program=program)
    assert _printable(lines)


def test_text_of_a_contract_does_not_draw(place):
    contract = place.write("job.md", f"Read /home/stranger/{RED}x and mcp\n")
    roots = place.write("roots.json", '["/home/known"]')
    lines, _ = _shown(place, *place.request(contract=contract), "--known-roots", roots)
    assert any("PATH_OUTSIDE_KNOWN_ROOTS" in line for line in lines)
    assert _printable(lines)


@pytest.mark.parametrize(
    "words",
    [
        ["lint", "{}/bad.yaml"],
        ["lint", "{}"],
        ["policies", "{}/policy.yaml"],
        ["policies", "--policy", "{}/policy.yaml"],
        ["test", "{}/cases.yaml"],
        ["test", "-v", "{}/cases.yaml"],
        ["test", "--collect-only", "{}/cases.yaml"],
        ["explain", "{}/decision.json"],
        ["check", "--policy", "{}/policy.yaml"],
        ["check", "--policy", "{}/bad.yaml"],
        ["check", "--tier-policy", "{}/bad.yaml"],
    ],
    ids=" ".join,
)
def test_the_name_of_a_file_does_not_draw(place, words):
    place.write(f"{HOSTILE}/policy.yaml", POLICY)
    place.write(f"{HOSTILE}/bad.yaml", POLICY.replace("agents", "agnets"))
    place.write(
        f"{HOSTILE}/cases.yaml",
        "policy: policy.yaml\ncases:\n  - {name: four, request: {agents: 4}, expect: allow}\n"
        "  - {name: five, request: {agents: 5}, expect: {deny: [BUDGET_EXCEEDED]}}\n",
    )
    place.write(f"{HOSTILE}/decision.json", place.check(agents="0").stdout)
    words = [word.format(HOSTILE) for word in words]
    if words[0] == "check":
        words = [*place.request(agents="4"), *words[1:]]
    lines, _ = _shown(place, *words)
    assert lines
    assert _printable(lines)


@pytest.mark.parametrize(
    "text",
    [
        f"# {RED}\n" + POLICY.replace("agents", "agnets"),
        POLICY.replace("agents > 3", f"agnets > 3 # {TITLE}"),
        POLICY.replace("many", f'"{HIDDEN}"'),
        POLICY.replace("policy: own", 'policy: "\\e[31m"'),
        POLICY.replace("BUDGET_EXCEEDED", '"\\e[31m"'),
    ],
)
def test_the_text_of_a_policy_does_not_draw(place, text):
    lines, code = _shown(place, "lint", place.write("own.yaml", text))
    assert code == 1
    assert _printable(lines)


def test_the_text_of_a_table_does_not_draw(place):
    tiers = json.dumps({"version": 2, "tiers": {HOSTILE: ["gpt-5.5"]}, "fanout_caps": {HOSTILE: 0, HOSTILE + "x": 1}})
    table = place.write("table.json", tiers)
    assert _printable(_shown(place, "lint", table)[0])
    assert _printable(_shown(place, *place.request(tier_policy=table))[0])


PLUGIN = """\
from gatewright import deny, hookimpl, rule


@rule(codes=["OWN_LIMIT"])
def own_limit(agents: int):
    '''Deny HOSTILE agents.'''
    yield deny("OWN_LIMIT", "HOSTILE", hint="HOSTILE")


@hookimpl
def gatewright_rules():
    return [own_limit]


@hookimpl
def gatewright_reasons():
    return {"OWN_LIMIT": "HOSTILE"}
"""


@pytest.mark.parametrize(
    "words", [["rules"], ["rules", "own-limit"], ["explain", "OWN_LIMIT"], ["check"]], ids=" ".join
)
def test_the_text_of_a_plugin_does_not_draw(place, words):
    place.write("own.py", PLUGIN.replace("HOSTILE", ascii(HOSTILE)[1:-1]))
    policy = place.write("policy.yaml", "gatewright: 1\npolicy: own\nstage: check\nrules: [{use: own-limit}]\n")
    if words == ["check"]:
        words = [*place.request(), "--policy", policy]
    lines, _ = _shown(place, *words, "-p", "own", PYTHONPATH=".")
    assert any("own-limit" in line for line in lines)
    assert _printable(lines)
