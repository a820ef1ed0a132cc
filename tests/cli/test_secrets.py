"""What a contract, the environment and facts hold stays where it is: no program prints or records it."""

import json

import pytest

SECRET = "sk-MARKED-123"
NUMBER = 8675309123
POLICY = """\
gatewright: 1
policy: small
stage: check
rules:
  - {id: a, deny: agents > 8, message: "{agents} agents for {contract.path}, {contract.chars} characters"}
  - {id: b, deny: contract.mentions.worktree_as_root, message: "paths {contract.mentions.mcp}"}
  - {use: contract-readable}
"""
CONTRACT = f"""\
# Contract

Use the token {SECRET} with mcp__server, in `repo root: ~/x/.worktrees/{NUMBER}`.
"""


def told(place, result):
    """Everything that a program leaves: what it prints, and every file below its folders but the contract."""
    files = [path for top in (place.cwd, place.home) for path in top.rglob("*") if path.is_file()]
    held = [path.read_bytes().decode("utf-8", "replace") for path in files if path.name != "job.md"]
    return "\n".join([result.stdout, result.stderr, *map(str, files), *held])


@pytest.mark.parametrize("agents", ["1", "9"])
@pytest.mark.parametrize("flags", [["-f", "table"], ["-f", "json"], ["--no-record"]], ids=" ".join)
def test_a_check_tells_nothing_of_the_text_of_a_contract_or_of_the_environment(place, agents, flags):
    place.write("job.md", CONTRACT)
    words = [word for word in place.request(contract="job.md", agents=agents) if word != "--no-record"]
    result = place.run(*words, *flags, "--policy", place.write("policy.yaml", POLICY), TOKEN=SECRET)
    assert result.code == (2 if agents == "9" else 0)
    assert SECRET not in told(place, result)
    assert str(NUMBER) not in told(place, result)


def test_an_explanation_tells_nothing_of_the_text_of_a_contract(place):
    place.write("job.md", CONTRACT)
    policy = place.write("policy.yaml", POLICY)
    checked = place.run(*place.request(contract="job.md", agents="9"), "--policy", policy)
    result = place.run("explain", place.write("decision.json", checked.stdout), "--policy", policy)
    assert "9 agents for job.md" in result.stdout
    assert SECRET not in told(place, result)


FAULTS = [
    *("secret > 1", "secret.x == 1", "secret", "number + fraction * 1e308 * 1e308 > 1", "labels[secret] == 1"),
    *("labels.absent == secret", "numbers[number] == 1", "nested == numbers", "secret in numbers", "not secret"),
    *('matches(number, "^a")', "lower(number) == secret", "agnets == secret", "secret =", "nested.inner[secret] == 1"),
]


@pytest.mark.parametrize("text", FAULTS)
def test_an_expression_without_an_answer_tells_nothing_of_its_facts(place, text):
    facts = {
        "secret": SECRET,
        "number": NUMBER,
        "fraction": float(NUMBER),
        "numbers": [NUMBER, 1],
        "labels": {"a": SECRET},
        "nested": {"inner": {"a": SECRET}},
    }
    line = place.write("line.jsonl", json.dumps({"expr": text, "context": facts}) + "\n")
    for words in (["eval", "--batch", line], ["eval", text, "--facts", place.write("facts.json", json.dumps(facts))]):
        result = place.run(*words)
        assert result.code == 1
        assert SECRET not in result.stdout + result.stderr
        assert str(NUMBER) not in result.stdout + result.stderr


@pytest.mark.parametrize(
    "facts",
    [
        f'{{"secret": "{SECRET}", "secret": {NUMBER}}}',
        f'{{"secret": "{SECRET}", "b": NaN}}',
        f'{{"secret": "{SECRET}", }}',
        f'["{SECRET}", {NUMBER}]',
        f'"{SECRET}"',
        f'{{"secret": {NUMBER}{"0" * 30}}}',
        f'{{"a": {"[" * 40}"{SECRET}"{"]" * 40}}}',
    ],
    ids=lambda text: text[:12],
)
def test_facts_that_are_refused_are_not_told(place, facts):
    result = place.run("eval", "secret == 1", "--facts", place.write("facts.json", facts))
    assert result.code == 1
    assert SECRET not in result.stdout + result.stderr
    assert str(NUMBER) not in result.stdout + result.stderr
