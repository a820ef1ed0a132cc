"""Files and words that nobody should send: one decision or one wrong call, never a traceback and never an allow."""

import os
from random import Random

import pytest
from tests.cli.decisions import decide
from tests.cli.processes import CONTRACT

HEAD = "gatewright: 1\npolicy: hostile\nstage: check\nrules:\n"
#: What stands in the place of a file, by what it is.
HELD = {
    "empty": b"",
    "binary": bytes(range(256)) * 40,
    "random": Random(7).randbytes(4096),
    "UTF-16": "gatewright: 1\n".encode("utf-16"),
    "Latin-1": "policy: caf\xe9\n".encode("latin-1"),
    "NUL": b"gatewright: 1\x00\n",
    "ten megabytes": b"a: " + b"x" * 10_000_000,
    "brackets": b"[" * 100_000,
    "braces": b'{"a":' * 100_000,
    "anchors": b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n",
    "tag": b"!!python/object/apply:os.system [id]\n",
    "merge": b"a: {b: 1}\n<<: {c: 2}\n",
    "two documents": b"a: 1\n---\nb: 2\n",
    "a list": b"- a\n- b\n",
    "a word": b"deny\n",
    "a number": b"1" * 5000,
    "tabs": b"a:\n\t- b\n",
    "an unclosed quote": b'a: "b\n',
    "HTML": b"<!doctype html><title>404</title>\n",
    "keys": b"".join(b"k%d: 1\n" % number for number in range(5_000)),
}
KINDS = ["missing", "folder", "pipe", "dangling", "loop", "forbidden", "a device", *HELD]


def _file(place, name, kind):
    """A file of that kind in the place of a policy, a table or a contract."""
    path = place.cwd / name
    if kind in HELD:
        path.write_bytes(HELD[kind])
    elif kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind in ("dangling", "loop"):
        path.symlink_to("nowhere" if kind == "dangling" else name)
    elif kind == "a device":
        path.symlink_to("/dev/zero")
    elif kind == "forbidden":
        path.write_text(HEAD)
        path.chmod(0)
    return name


@pytest.mark.parametrize("kind", KINDS)
def test_a_policy_that_is_none_closes_the_gate(place, kind):
    policy = str(place.cwd / _file(place, "policy.yaml", kind))
    decision = decide(place, policy=policy)
    assert decision.reasons == ("POLICY_UNAVAILABLE",)
    assert policy in decision.denial.message


@pytest.mark.parametrize("kind", ["missing", "folder", "pipe", "forbidden", "random", "ten megabytes", "brackets"])
def test_a_policy_that_cannot_be_read_is_a_denial_of_the_process(place, kind):
    words = place.request()
    result = place.run(*words, "--policy", _file(place, "policy.yaml", kind), held_to_modes=True)
    assert (result.code, result.json["reasons"]) == (2, ["POLICY_UNAVAILABLE"])


@pytest.mark.acceptance("P03")
@pytest.mark.parametrize(
    ("name", "kind"), [*(("table.yaml", kind) for kind in KINDS), *(("table.json", kind) for kind in HELD)]
)
def test_a_tier_table_that_is_none_closes_the_gate(place, name, kind):
    table = str(place.cwd / _file(place, name, kind))
    decision = decide(place, tier_policy=table)
    assert decision.reasons == ("TIER_POLICY_UNAVAILABLE",)
    assert f"tier_policy={table}" in decision.denial.message


@pytest.mark.acceptance("P03")
@pytest.mark.parametrize("kind", ["missing", "folder", "pipe", "forbidden", "random"])
def test_a_tier_table_that_cannot_be_read_is_a_denial_of_the_process(place, kind):
    words = place.request()
    result = place.run(*words, "--tier-policy", _file(place, "table.yaml", kind), held_to_modes=True)
    assert (result.code, result.json["reasons"]) == (2, ["TIER_POLICY_UNAVAILABLE"])


@pytest.mark.parametrize("kind", [kind for kind in HELD if kind not in ("empty", "ten megabytes", "braces", "keys")])
def test_any_bytes_are_a_contract(place, kind):
    assert decide(place, contract=str(place.cwd / _file(place, "job.md", kind))).reason == "OK"


@pytest.mark.parametrize(("kind", "code"), [("empty", 0), ("ten megabytes", 2), ("braces", 0), ("keys", 0)])
def test_a_contract_is_judged_by_its_size(place, kind, code):
    result = place.check(contract=_file(place, "job.md", kind))
    assert (result.code, result.json["reason"]) == (code, "OK" if code == 0 else "BUDGET_EXCEEDED")


def test_a_contract_that_is_too_large_to_read_cannot_be_read(place):
    with open(place.cwd / "job.md", "wb") as file:
        file.truncate(65 * 1024 * 1024)
    result = place.check(contract="job.md")
    assert (result.code, result.json["reason"]) == (2, "CONTRACT_UNREADABLE")


@pytest.mark.parametrize(
    "rule",
    [
        "9 ** 9 ** 9 > agents",
        '"a" * 10000000000 == runtime',
        "(" * 3000 + "agents > 1" + ")" * 3000,
        "agents > 1 or " * 2000 + "agents > 1",
        r'matches(runtime, r"^(a+)\1$")',
        '__import__("os").system("id") == 0',
        "().__class__.__bases__ == agents",
        "[x for x in [1]] == agents",
        "(lambda: agents)() == 1",
        'f"{agents}" == runtime',
        "agents > 1e999",
        "agents > 99999999999999999999",
        "agents >\u00a01",
        "аgents > 1",
        "open(runtime) == 1",
        "agents.real > 1",
    ],
)
def test_an_expression_that_may_not_run_never_runs(place, rule):
    quoted = "'" + rule.replace("'", "''") + "'"
    policy = place.write("policy.yaml", f"{HEAD}  - {{id: a, deny: {quoted}, code: NO_MODEL}}\n")
    decision = decide(place, policy=str(place.cwd / policy))
    assert decision.reasons == ("POLICY_UNAVAILABLE",)
    assert "policy.yaml:5:" in decision.denial.message


BYTES = b"\xff\x80"
ESCAPES = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202e"


FLAGS = ["runtime", "model", "contract", "completion-channel", "tier-policy", "tier-override", "known-roots", "policy"]


@pytest.mark.parametrize(
    ("flag", "text"),
    [
        *((flag, text) for flag in FLAGS for text in (BYTES, ESCAPES)),
        *(("model", text) for text in ("\U000e0041\ufeff", "a" * 100_000, "💥" * 100)),
    ],
    ids=lambda value: ascii(value[:10]),
)
def test_any_text_in_a_flag_is_one_decision(place, flag, text):
    place.write("contract.md", CONTRACT)
    words = place.request(agents="9", model="brand-new-model")
    result = place.run(*words, f"--{flag}", text)
    readable_reason = flag == "tier-override" and text is not BYTES
    assert result.json["allow"] is readable_reason
    assert result.code == (0 if readable_reason else 2)
    assert all(line.isprintable() for line in result.stderr.splitlines())


CHECK = ["check", "--no-record", "--runtime", "a", "--contract", "b", "--agents"]
WRONG_CALLS = [
    [],
    CHECK,
    [*CHECK, "1", "-f"],
    [*CHECK, "1", "--param"],
    [*CHECK, "1", "--label"],
    ["explain"],
    ["rules"],
    ["lint"],
    ["test"],
    ["policies"],
    ["facts", "--stage"],
    ["eval", "true", "--facts"],
    ["eval", "--batch"],
]


@pytest.mark.parametrize(
    ("words", "text"), [*((words, ESCAPES) for words in WRONG_CALLS), *((words, BYTES) for words in WRONG_CALLS[:6])]
)
def test_any_text_in_a_wrong_call_is_told_in_printable_characters(place, words, text):
    result = place.run(*words, text)
    assert (result.code, result.stdout) == (64, "")
    assert all(line.isprintable() for line in result.stderr.splitlines())
