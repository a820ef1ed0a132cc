"""What cannot be decided denies, whatever the effect of the rule: conditions that err, and rules that fail."""

import pytest
from tests.runner.gates import finding_of, gate_of, outcomes, own_rule

from gatewright.expressions.patterns import MAX_MATCHED
from gatewright.model import Finding, FindingStatus, Level, deny

EFFECTS = ["deny", "warn", "require"]


@pytest.mark.acceptance("EX-01")
@pytest.mark.parametrize("effect", EFFECTS)
@pytest.mark.parametrize(
    ("condition", "facts", "code"),
    [
        ("labels.team == 'x'", {"labels": {}}, "EVAL_UNDEFINED"),
        ("labels.team != 'x'", {"labels": {}}, "EVAL_UNDEFINED"),
        ("labels['team'] == 'x'", {"labels": {"tea": "x"}}, "EVAL_UNDEFINED"),
        ("known_roots[0] == 'x'", {"known_roots": []}, "EVAL_UNDEFINED"),
        ("known_roots[-2] == 'x'", {"known_roots": ["x"]}, "EVAL_UNDEFINED"),
        ("window.used == 1 or window.used + 1 > 5", {"window": {"used": None, "cap": 1}}, "EVAL_TYPE"),
        ("agents * 9 > 5", {"agents": 2**62}, "EVAL_RANGE"),
        ("agents + agents > 5", {"agents": 2**62}, "EVAL_RANGE"),
        ("0 - agents > 5", {"agents": -(2**63)}, "EVAL_RANGE"),
    ],
)
def test_a_condition_that_errs_denies_whatever_the_effect(effect, condition, facts, code):
    decision = gate_of(f'- {{id: a, {effect}: "{condition}"}}').decide(facts)
    assert decision.reasons == (code,)
    assert outcomes(decision) == {"a": "errored"}


@pytest.mark.parametrize("effect", EFFECTS)
def test_a_when_that_errs_denies(effect):
    gate = gate_of(f"- {{id: a, when: labels.team == 'x', {effect}: agents > 0}}")
    assert gate.decide({"agents": 1, "labels": {}}).reasons == ("EVAL_UNDEFINED",)


def test_a_registered_rule_whose_when_errs_denies():
    gate = gate_of("- {use: dispatch-budget, when: labels.team == 'x'}")
    assert gate.decide({"agents": 1, "est_chars": 1, "labels": {}}).reasons == ("EVAL_UNDEFINED",)


def test_the_other_rules_are_heard_all_the_same():
    gate = gate_of("- {id: a, deny: labels.x == 'y'}\n- {id: b, deny: agents > 1}\n- {id: c, warn: agents > 1}")
    decision = gate.decide({"agents": 2, "labels": {}})
    assert (decision.reasons, decision.warnings) == (("EVAL_UNDEFINED", "B"), ("C",))


def test_what_errs_is_told_with_its_place_and_without_the_values():
    gate = gate_of("- id: a\n  deny: agents > 1 and labels.team == 'x'")
    finding = finding_of(gate.decide({"agents": 2, "labels": {"password": "hunter2"}}), "EVAL_UNDEFINED")
    assert str(finding.where) == "small.yaml:6:26"
    assert "labels.team" in finding.message
    assert "hunter2" not in finding.message + finding.hint


@pytest.mark.parametrize(
    ("condition", "decided"),
    [("has(labels.team) and labels.team == 'x'", True), ("default(labels.team, '') == 'x'", True)],
)
def test_a_condition_that_guards_itself_is_decided(condition, decided):
    assert gate_of(f'- {{id: a, deny: "{condition}"}}').decide({"labels": {}}).allow is decided


@pytest.mark.parametrize(("length", "reasons"), [(MAX_MATCHED, ()), (MAX_MATCHED + 1, ("EVAL_RANGE",))])
def test_a_text_that_is_too_long_to_search_denies(length, reasons):
    gate = gate_of("- {id: a, deny: \"matches(runtime, 'b$')\"}")
    assert gate.decide({"runtime": "a" * length}).reasons == reasons


# -- rules that fail -----------------------------------------------------------------------------------------------


class StrangeError(BaseException):
    """An error that is no `Exception`."""


def raising(error):
    def body(_):
        raise error

    return body


def yielding_then_raising(_):
    yield deny("MINE", "first")
    raise ValueError("second")


FAILURES = [
    *(ValueError("x"), KeyError("k"), AssertionError(), RecursionError(), MemoryError(), StopIteration()),
    *(SystemExit(0), SystemExit(2), GeneratorExit(), StrangeError(), UnicodeDecodeError("utf-8", b"", 0, 1, "x")),
]


@pytest.mark.parametrize("error", FAILURES, ids=repr)
def test_a_rule_that_raises_is_a_denial_of_its_own_code(error):
    decision = gate_of("- use: mine", own_rule(raising(error))).decide({"agents": 1})
    assert decision.reasons == ("RULE_ERROR",)
    assert outcomes(decision) == {"mine": "errored"}


def test_what_a_rule_said_before_it_raised_is_kept():
    decision = gate_of("- use: mine", own_rule(yielding_then_raising)).decide({"agents": 1})
    assert decision.reasons == ("MINE", "RULE_ERROR")


@pytest.mark.parametrize(
    "returned",
    [None, True, False, 0, 5, "MINE", ["MINE"], [None], [True], [("MINE", "m")], {"MINE": "m"}, object()],
    ids=[
        "none",
        "true",
        "false",
        "zero",
        "five",
        "text",
        "texts",
        "list-of-none",
        "list-of-true",
        "pairs",
        "map",
        "object",
    ],
)
def test_a_rule_that_returns_something_else_than_findings_is_a_denial(returned):
    decision = gate_of("- use: mine", own_rule(lambda _: returned)).decide({"agents": 1})
    assert decision.reasons == ("RULE_ERROR",)


@pytest.mark.parametrize("returned", [[], (), iter(())], ids=["list", "tuple", "iterator"])
def test_a_rule_that_returns_no_finding_at_all_passes(returned):
    decision = gate_of("- use: mine", own_rule(lambda _: returned)).decide({"agents": 1})
    assert outcomes(decision) == {"mine": "passed"}


@pytest.mark.parametrize(
    "finding",
    [
        Finding(code="OTHER", level=Level.DENY, message="m"),
        Finding(code="mine", level=Level.DENY, message="m"),
        Finding(code="", level=Level.WARN, message="m"),
        Finding(code="OK", level=Level.DENY, message="m"),
        Finding(code="RULE_ERROR", level=Level.WARN, message="m"),
        Finding(code=None, level=Level.DENY, message="m"),
        Finding(code=["MINE"], level=Level.DENY, message="m"),
    ],
    ids=lambda finding: repr(finding.code),
)
def test_a_code_that_a_rule_did_not_declare_is_a_denial(finding):
    decision = gate_of("- use: mine", own_rule(lambda _: [finding])).decide({"agents": 1})
    assert decision.reasons == ("RULE_ERROR",)


@pytest.mark.parametrize("level", ["deny", "warn", None, 1, True, Level])
def test_a_finding_whose_level_is_no_level_is_a_denial(level):
    odd = Finding(code="MINE", level=level, message="m")
    decision = gate_of("- use: mine", own_rule(lambda _: [odd])).decide({"agents": 1})
    assert decision.reasons == ("RULE_ERROR",)


@pytest.mark.parametrize("status", [FindingStatus.OVERRIDDEN, FindingStatus.EXCEPTED, "active", None])
def test_a_rule_does_not_let_its_own_denial_through(status):
    odd = Finding(code="MINE", level=Level.DENY, message="m", status=status)
    assert not gate_of("- use: mine", own_rule(lambda _: [odd])).decide({"agents": 1}).allow


@pytest.mark.parametrize("message", [None, 5, b"m", ["m"]])
@pytest.mark.parametrize("part", ["message", "hint"])
def test_a_finding_that_says_nothing_in_words_is_a_denial(part, message):
    odd = Finding(**{"code": "MINE", "level": Level.DENY, "message": "m", part: message})
    decision = gate_of("- use: mine", own_rule(lambda _: [odd])).decide({"agents": 1})
    assert decision.reasons == ("RULE_ERROR",)


def test_a_failure_is_told_by_its_kind_and_place_and_not_by_its_text():
    decision = gate_of("- use: mine", own_rule(raising(ValueError("hunter2")))).decide({"agents": 1})
    finding = finding_of(decision, "RULE_ERROR")
    assert "ValueError" in finding.message
    assert "`mine`" in finding.message
    assert "hunter2" not in finding.message + finding.hint


def test_a_rule_whose_plain_form_errs_is_asked():
    told = own_rule(lambda _: [deny("MINE", "m")], fires="agents * 9 > 1")
    gate = gate_of("- use: mine", told)
    assert gate.decide({"agents": 2**62}).reasons == ("MINE",)
    assert gate.decide({"agents": 0}).allow


def test_a_rule_whose_plain_form_is_false_is_not_asked():
    told = own_rule(raising(AssertionError("asked")), fires="agents > 8")
    assert gate_of("- use: mine", told).decide({"agents": 8}).allow
    assert gate_of("- use: mine", told).decide({"agents": 9}).reasons == ("RULE_ERROR",)
