"""Standard output is for programs, standard error for people, and the exit status for both."""

import json

import pytest
from tests.cli import tables
from tests.cli.processes import DISPATCH_GATE, GATEWRIGHT

PROGRAMS = pytest.mark.parametrize("program", [GATEWRIGHT, DISPATCH_GATE])

#: What brings each code about that `check` denies with, without a policy of one's own.
DENIALS = {
    "CONTRACT_UNREADABLE": {"contract": "missing.md"},
    "NO_COMPLETION_CHANNEL": {"completion_channel": "email"},
    "NO_MODEL": {"model": ""},
    "INVALID_REQUEST": {"agents": "0"},
    "TIER_POLICY_UNAVAILABLE": {"tier_policy": "missing.yaml"},
    "TIER_FANOUT_CAP": {"tier_policy": "tiers.yaml"},
    "TIER_POLICY": {"tier_policy": "models.yaml", "model": "claude-opus-5"},
    "BUDGET_EXCEEDED": {"est_chars": "500001"},
    "ROUTING_VIOLATION": {"runtime": "fable", "agents": "2"},
}


@pytest.mark.acceptance("G05", "G10", "G11", "G12", "G17", "CL-01")
@PROGRAMS
@pytest.mark.parametrize("code", DENIALS)
def test_a_denial_is_one_object_on_stdout_its_code_on_stderr_and_status_2(place, program, code):
    tables.small(place, "{efficient: 0}")
    tables.by_model(place)
    result = place.check(program=program, **DENIALS[code])
    assert (result.code, result.json["allow"], result.json["reason"]) == (2, False, code)
    assert any(code in line for line in result.stderr.splitlines())


@pytest.mark.acceptance("G10", "CL-01")
@PROGRAMS
def test_an_allowed_request_with_a_warning_is_one_object_and_status_0(place, program):
    result = place.check(program=program, model="brand-new-model")
    assert (result.code, result.json["allow"], result.json["warnings"]) == (0, True, ["TIER_UNKNOWN_MODEL"])


@pytest.mark.acceptance("G10")
@PROGRAMS
@pytest.mark.parametrize(
    "flags",
    [
        {"model": "a\nb", "agents": "9"},
        {"contract": "no\r\nsuch\nfile"},
        {"completion_channel": "x\x85y\u2028z"},
        {"runtime": "\x1b[31m\x07"},
        {"tier_policy": "no\nsuch\ntable"},
    ],
)
def test_line_breaks_in_a_request_make_no_line_without_the_programs_name(place, program, flags):
    result = place.check(program=program, **flags)
    assert (result.code, result.json["allow"]) == (2, False)
    assert all(line.isprintable() for line in result.stderr.splitlines())


@pytest.mark.acceptance("CL-03")
@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        (GATEWRIGHT, []),
        (GATEWRIGHT, ["frobnicate"]),
        (GATEWRIGHT, [""]),
        (GATEWRIGHT, ["--no-such-flag"]),
        (GATEWRIGHT, ["check"]),
        (GATEWRIGHT, ["check", "--no-such-flag"]),
        (GATEWRIGHT, ["check", "--agents", "two"]),
        (GATEWRIGHT, ["check", "--agents"]),
        (GATEWRIGHT, ["eval"]),
        (GATEWRIGHT, ["eval", "true", "--batch", "rows.jsonl"]),
        (GATEWRIGHT, ["explain"]),
        (GATEWRIGHT, ["explain", "NO_SUCH_CODE"]),
        (GATEWRIGHT, ["rules", "no-such-rule"]),
        (GATEWRIGHT, ["rules", "--stage", "lunch"]),
        (GATEWRIGHT, ["facts", "--stage", "lunch"]),
        (GATEWRIGHT, ["lint", "missing.yaml"]),
        (GATEWRIGHT, ["test", "missing.yaml"]),
        (GATEWRIGHT, ["test", "-k", "("]),
        (DISPATCH_GATE, []),
        (DISPATCH_GATE, ["frobnicate"]),
        (DISPATCH_GATE, ["check"]),
        (DISPATCH_GATE, ["check", "--no-such-flag"]),
        (DISPATCH_GATE, ["check", "--agents", "two"]),
        (DISPATCH_GATE, ["--ledger"]),
    ],
)
def test_a_wrong_call_is_told_from_a_denial(place, program, arguments):
    result = place.run(*arguments, program=program)
    assert (result.code, result.stdout) == (64, "")
    assert result.stderr


@pytest.mark.parametrize("chars", ["0x10", "1.0", "1e3"])
def test_a_size_that_is_no_whole_number_is_a_wrong_call(place, chars):
    result = place.check(est_chars=chars)
    assert (result.code, result.stdout) == (64, "")


@PROGRAMS
@pytest.mark.parametrize("lacking", ["runtime", "contract", "agents"])
def test_what_a_request_cannot_do_without_is_named(place, program, lacking):
    result = place.check(program=program, **{lacking: None})
    assert (result.code, result.stdout) == (64, "")
    assert f"--{lacking}" in result.stderr.splitlines()[0]


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["--version"], ["check", "--help"]])
def test_help_is_no_failure_and_goes_to_stdout(place, arguments):
    result = place.run(*arguments)
    assert (result.code, result.stderr) == (0, "")
    assert result.stdout


@pytest.mark.parametrize(("word", "meant"), [("chekc", "check"), ("Lint", "lint"), ("ruels", "rules")])
def test_a_misspelt_command_is_told_the_nearest_one(place, word, meant):
    assert f"did you mean `{meant}`?" in place.run(word).stderr


@PROGRAMS
@pytest.mark.parametrize(
    ("policy", "code"),
    [
        (None, "POLICY_UNAVAILABLE"),
        ("gatewright: 1\n", "POLICY_UNAVAILABLE"),
        ("- deny: agents > 0\n  freeze", "POLICY_UNAVAILABLE"),
        ('  - {id: a, deny: "labels.team != \\"x\\""}', "EVAL_UNDEFINED"),
        ('  - {id: a, deny: "agents * 9223372036854775807 + agents > 5"}', "EVAL_RANGE"),
        ("  - {id: a, deny: agents > 5}\nfreeze: {until: 9000-01-01T00:00:00Z, reason: closed}", "POLICY_FROZEN"),
    ],
)
@pytest.mark.acceptance("G12")
def test_what_the_engine_itself_denies_is_told_the_same_way(place, program, policy, code):
    if policy is not None:
        head = "" if policy.startswith("gatewright") else "gatewright: 1\npolicy: own\nstage: check\nrules:\n"
        place.write("own.yaml", head + policy)
    result = place.run(*place.request(agents="2"), program=program, GATEWRIGHT_POLICY="own.yaml")
    assert (result.code, result.json["allow"], result.json["reason"]) == (2, False, code)
    assert code in result.stderr


@pytest.mark.acceptance("G12")
@pytest.mark.parametrize("named", ["flag", "variable", "default"])
@pytest.mark.parametrize(
    ("program", "variable", "default"),
    [
        (GATEWRIGHT, "GATEWRIGHT_LEDGER", ".gatewright/ledger.db"),
        (DISPATCH_GATE, "DISPATCH_GATE_LEDGER", ".dispatch-gate-ledger.jsonl"),
    ],
)
def test_a_ledger_that_cannot_be_read_closes_the_gate(place, program, variable, default, named):
    words = place.request()
    environment = {}
    if named == "flag":
        words = [*words, "--ledger", "."] if program == GATEWRIGHT else ["--ledger", ".", *words]
    elif named == "variable":
        environment = {variable: "."}
    else:
        (place.cwd / default).mkdir(parents=True)
    result = place.run(*words, program=program, **environment)
    assert (result.code, result.json["reason"]) == (2, "LEDGER_UNAVAILABLE")


def test_the_ledger_that_the_project_file_names_is_the_one(place):
    place.write("gatewright.toml", 'ledger = "rows"\n')
    (place.cwd / "rows").mkdir()
    assert place.check().json["reason"] == "LEDGER_UNAVAILABLE"


def test_the_ledger_of_the_older_program_is_looked_for_in_the_working_directory(place):
    place.write("gatewright.toml", "")
    (place.cwd / "sub" / ".dispatch-gate-ledger.jsonl").mkdir(parents=True)
    words = place.request(contract="../contract.md")
    place.write("contract.md", "# Contract\n")
    result = place.run(*words, program=DISPATCH_GATE, folder="sub")
    assert result.json["reason"] == "LEDGER_UNAVAILABLE"


def test_stdout_parses_whatever_encoding_the_terminal_has(place):
    result = place.run(*place.request(completion_channel="신뢰"), PYTHONIOENCODING="ascii")
    assert (result.code, json.loads(result.stdout)["reason"]) == (2, "NO_COMPLETION_CHANNEL")
