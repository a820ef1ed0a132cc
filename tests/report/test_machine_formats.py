"""Decisions, dry runs and problems in every format for machines, read back: the same verdicts, and text as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.expressions.fuzzing import examples
from tests.report import readers

from gatewright.errors import Fix, Place, Problem, Severity
from gatewright.model import Finding, FindingStatus, GateDecision, Level, Outcome, PolicyRef, RuleRow, Stage
from gatewright.model.decisions import Verdict
from gatewright.model.refusals import refusal
from gatewright.report import decision_formats, lint_formats, trial_formats
from gatewright.report.trials import Owing, Result, Run
from gatewright.text import printable

HOSTILE = "a|b,\n\x1b[31m<x> `y` \u202e ]]>\x00 # TODO \\ = ::error::%0A &amp; \"'\ud800"
ODD = [HOSTILE, "=1+1", "-1", "@x", "# SKIP", "\\#", "]]>", "", "ok 1", "  ---", "::notice::", "\r\n", "\x85\u2028"]
texts = st.sampled_from(ODD) | st.text(max_size=30)
POLICY = PolicyRef("fan", "policies/fan.yaml", "ab" * 32, "cd" * 32)
HERE = Place("policies/fan.yaml", 8, 11)
CASE = Place("fixtures/few.yaml", 3, 5)


def finding(code, level, rule, *, message="4 agents", **more):
    return Finding(code=code, level=level, message=message, rule=rule, where=HERE, **more)


def decision(*findings, rows=()):
    denials = tuple(each.code for each in findings if each.denies)
    warnings = tuple(each.code for each in findings if each.level is Level.WARN)
    return GateDecision(Verdict(Stage.CHECK, POLICY, tuple(findings), tuple(rows), denials, warnings), {})


def mixed(text):
    """A decision with a finding of each kind, and hostile text where text is."""
    return decision(
        finding("TOO_MANY", Level.DENY, "few", message=text, hint=text),
        finding("HIGH_COST_RUNTIME", Level.WARN, "costly"),
        finding("ROUTING_VIOLATION", Level.DENY, "routing", status=FindingStatus.EXCEPTED, by="pilot"),
        finding("TIER_FANOUT_CAP", Level.DENY, "cap", status=FindingStatus.OVERRIDDEN, by=text),
        finding("TOLD", Level.NOTE, "note"),
        rows=[
            RuleRow("few", Outcome.DENIED, ("TOO_MANY",), HERE),
            RuleRow("costly", Outcome.WARNED, ("HIGH_COST_RUNTIME",), HERE),
            RuleRow("routing", Outcome.EXCEPTED, ("ROUTING_VIOLATION",), HERE, "pilot"),
            RuleRow("cap", Outcome.OVERRIDDEN, ("TIER_FANOUT_CAP",), HERE, text),
            RuleRow("note", Outcome.NOTED, ("TOLD",), HERE),
            RuleRow("shape", Outcome.PASSED, (), HERE),
            RuleRow("later", Outcome.NOT_APPLICABLE, (), HERE, "needs contract"),
        ],
    )


REFUSED = refusal(Stage.CHECK, "POLICY_UNAVAILABLE", HOSTILE, policy=PolicyRef("", "p.yaml", "", ""))


# -- a decision --------------------------------------------------------------------------------------------------------


def test_a_decision_in_sarif_has_each_finding_at_its_place_and_what_was_let_through_as_accepted():
    found = readers.sarif(decision_formats.rendered("sarif", mixed("4 agents")))["results"]
    assert [(each["ruleId"], each["level"], "suppressions" in each) for each in found] == [
        ("TOO_MANY", "error", False),
        ("HIGH_COST_RUNTIME", "warning", False),
        ("ROUTING_VIOLATION", "error", True),
        ("TIER_FANOUT_CAP", "error", True),
        ("TOLD", "note", False),
    ]
    place = {"artifactLocation": {"uri": "policies/fan.yaml"}, "region": {"startLine": 8, "startColumn": 11}}
    assert all(each["locations"] == [{"physicalLocation": place}] for each in found)
    assert found[2]["suppressions"] == [
        {"kind": "external", "status": "accepted", "justification": "excepted by: pilot"}
    ]


def test_a_decision_as_a_test_report_has_a_case_for_each_rule():
    text = decision_formats.rendered("junit", mixed("4 agents"))
    assert readers.outcomes(text) == [
        ("policies/fan.yaml", "few", "check", ["failure"]),
        ("policies/fan.yaml", "costly", "check", []),
        ("policies/fan.yaml", "routing", "check", ["skipped"]),
        ("policies/fan.yaml", "cap", "check", ["skipped"]),
        ("policies/fan.yaml", "note", "check", []),
        ("policies/fan.yaml", "shape", "check", []),
        ("policies/fan.yaml", "later", "check", []),
    ]
    (suite,) = readers.junit(text)
    assert {each.name: each.value for each in suite.properties()} == {
        "policy": "fan",
        "policy_digest": "cd" * 32,
        "decision": "DENY TOO_MANY",
    }
    failed, warned, excepted, *_ = suite
    assert (failed.result[0].type, excepted.result[0].message) == ("TOO_MANY", "ROUTING_VIOLATION excepted by: pilot")
    assert warned.system_out == "warn HIGH_COST_RUNTIME: costly: 4 agents"


def test_a_decision_in_tap_has_a_point_for_each_rule():
    points = readers.tap(decision_formats.rendered("tap", mixed("4 agents")))
    assert [(ok, name, directive) for ok, name, directive, _ in points] == [
        (False, "few", ""),
        (True, "costly", ""),
        (True, "routing", ""),
        (True, "cap", ""),
        (True, "note", ""),
        (True, "shape", ""),
        (True, "later", "SKIP needs contract"),
    ]
    assert points[0][3] == {"codes": "TOO_MANY", "message": "few: 4 agents (4 agents)"}


def test_a_decision_in_annotations_has_what_counts_and_not_what_was_let_through():
    found = readers.github(decision_formats.rendered("github", mixed("4 agents")))
    assert [(level, properties["title"], properties["file"], properties["line"]) for level, properties, _ in found] == [
        ("error", "TOO_MANY", "policies/fan.yaml", "8"),
        ("warning", "HIGH_COST_RUNTIME", "policies/fan.yaml", "8"),
        ("notice", "TOLD", "policies/fan.yaml", "8"),
    ]


def test_a_decision_as_a_table_has_the_verdict_and_each_rule():
    verdict, *rules = readers.csv(decision_formats.rendered("csv", mixed("4 agents")))
    assert (verdict["rule"], verdict["outcome"], verdict["codes"]) == ("(decision)", "denied", "TOO_MANY")
    assert [each["outcome"] for each in rules] == [row.outcome.value for row in mixed("x").rows]
    page = decision_formats.rendered("markdown", mixed("4 agents"))
    assert page.startswith("# DENY TOO\\_MANY\n".replace("\\_", "_"))
    assert [row[0] for row in readers.markdown(page)[2:]] == [row.rule for row in mixed("x").rows]


@pytest.mark.parametrize("name", decision_formats.NAMES)
def test_a_decision_that_no_rule_took_part_in_is_no_pass_in_any_format(name):
    text = decision_formats.rendered(name, REFUSED)
    told = {
        "sarif": lambda: readers.sarif(text)["results"][0]["level"] == "error",
        "junit": lambda: readers.outcomes(text) == [("p.yaml", "engine", "check", ["failure"])],
        "tap": lambda: [point[:2] for point in readers.tap(text)] == [(False, "engine")],
        "github": lambda: readers.github(text)[0][0] == "error",
        "csv": lambda: readers.csv(text)[0]["outcome"] == "denied",
        "markdown": lambda: text.startswith("# DENY POLICY_UNAVAILABLE\n"),
    }
    assert told[name]()


@examples(100)
@given(texts)
def test_no_text_of_a_decision_is_more_than_text(text):
    found = {name: decision_formats.rendered(name, mixed(text)) for name in decision_formats.NAMES}
    plain = printable(text)
    assert plain in readers.sarif(found["sarif"])["results"][0]["message"]["text"]
    assert [kinds for *_, kinds in readers.outcomes(found["junit"])].count(["failure"]) == 1
    assert len(readers.tap(found["tap"])) == 7
    assert len(readers.github(found["github"])) == 3
    assert len(readers.csv(found["csv"])) == 8
    assert len(readers.markdown(found["markdown"])) == 9


# -- dry runs ----------------------------------------------------------------------------------------------------------


def run(result, name="one", differences=(), error="", why="", found=None):
    return Run(
        id=f"fixtures/few.yaml::{name}",
        name=name,
        file=CASE.file,
        where=str(CASE),
        line=CASE.line,
        column=CASE.column,
        result=result,
        expected="ALLOW",
        differences=tuple(differences),
        error=error,
        why=why,
        decision=found,
        explanation=None,
        policy="policies/fan.yaml",
    )


DENIED = decision(finding("TOO_MANY", Level.DENY, "few"))
UNEXPECTED = ["unexpected denial TOO_MANY", "expected warning HIGH_COST_RUNTIME was not given"]


def five(text):
    """A dry run of each kind."""
    return [
        run(Result.PASS, "passes", found=decision()),
        run(Result.FAIL, text or "x", UNEXPECTED, found=DENIED),
        run(Result.ERROR, "cannot be run", error=text or "x"),
        run(Result.SKIP, "skipped", why=text or "x"),
        run(Result.XFAIL, "known", UNEXPECTED[:1], why=text or "x", found=DENIED),
    ]


def test_dry_runs_in_sarif_have_what_is_wrong_at_the_rule_with_the_case_beside_it():
    found = readers.sarif(trial_formats.rendered("sarif", five("fails")))["results"]
    assert [(each["ruleId"], each["message"]["text"], "suppressions" in each) for each in found] == [
        ("TOO_MANY", "fails: unexpected denial TOO_MANY", False),
        ("HIGH_COST_RUNTIME", "fails: expected warning HIGH_COST_RUNTIME was not given", False),
        ("case-error", "cannot be run: fails", False),
        ("TOO_MANY", "known: unexpected denial TOO_MANY", True),
    ]
    uris = [
        [
            place["physicalLocation"]["artifactLocation"]["uri"]
            for place in each["locations"] + each.get("relatedLocations", [])
        ]
        for each in found
    ]
    case, rule = "fixtures/few.yaml", "policies/fan.yaml"
    assert uris == [[rule, case], [case], [case], [rule, case]]


def test_dry_runs_as_a_test_report_are_a_suite_of_their_policy_grouped_by_rule():
    text = trial_formats.rendered("junit", five("fails"))
    policy = "policies/fan.yaml"
    assert readers.outcomes(text) == [
        (policy, "fan", "fixtures/few.yaml::passes", []),
        (policy, "few", "fixtures/few.yaml::fails", ["failure"]),
        (policy, policy, "fixtures/few.yaml::cannot be run", ["error"]),
        (policy, policy, "fixtures/few.yaml::skipped", ["skipped"]),
        (policy, "few", "fixtures/few.yaml::known", ["skipped"]),
    ]
    (suite,) = readers.junit(text)
    assert {each.name: each.value for each in suite.properties()} == {"policy_digest": "cd" * 32}
    assert [each.result[0].type for each in suite if each.result and each.classname == "few"] == ["TOO_MANY", None]


def test_what_was_not_given_is_told_at_the_rule_that_owes_it():
    owing = Owing("costly", Place("policies/fan.yaml", 9, 3))
    lacking = replace(run(Result.FAIL, "x", UNEXPECTED[1:], found=decision()), owed={"HIGH_COST_RUNTIME": owing})
    (found,) = readers.sarif(trial_formats.rendered("sarif", [lacking]))["results"]
    (place, case) = (found[key][0]["physicalLocation"] for key in ("locations", "relatedLocations"))
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("policies/fan.yaml", 9)
    assert case["artifactLocation"]["uri"] == "fixtures/few.yaml"
    (told,) = readers.outcomes(trial_formats.rendered("junit", [lacking]))
    assert told == ("policies/fan.yaml", "costly", "fixtures/few.yaml::x", ["failure"])


def test_dry_runs_in_tap_have_a_point_each():
    points = readers.tap(trial_formats.rendered("tap", five("fails")))
    assert [(ok, name.partition("::")[2], directive) for ok, name, directive, _ in points] == [
        (True, "passes", ""),
        (False, "fails", ""),
        (False, "cannot be run", ""),
        (True, "skipped", "SKIP fails"),
        (False, "known", "TODO fails"),
    ]
    assert points[1][3] == {"message": "\n".join([*UNEXPECTED, "expected ALLOW", "got DENY TOO_MANY"]), "at": str(CASE)}


def test_dry_runs_as_a_table_have_a_line_each():
    lines = readers.csv(trial_formats.rendered("csv", five("fails")))
    assert [(each["case"], each["result"], each["decision"]) for each in lines] == [
        ("passes", "pass", "ALLOW"),
        ("fails", "fail", "DENY TOO_MANY"),
        ("cannot be run", "error", ""),
        ("skipped", "skip", ""),
        ("known", "xfail", "DENY TOO_MANY"),
    ]
    page = trial_formats.rendered("markdown", five("fails"))
    assert "1 failed, 1 passed, 1 error, 1 skipped, 1 xfailed" in page
    assert [row[3] for row in readers.markdown(page)[2:]] == ["pass", "fail", "error", "skip", "xfail"]


@pytest.mark.parametrize(
    ("difference", "code"),
    [
        ("unexpected denial TOO_MANY", "TOO_MANY"),
        ("expected denial NO_MODEL was not given", "NO_MODEL"),
        ("step 2 at 23h: unexpected warning W", "W"),
        ("it comes out as expected, and is marked `xfail`: not yet", "unexpected-outcome"),
        ("step 3 at 1h: agents is 4, and 3 was expected", "unexpected-outcome"),
    ],
)
def test_a_difference_is_about_a_code(difference, code):
    assert trial_formats.code_of(difference) == code


@examples(100)
@given(texts)
def test_no_text_of_a_dry_run_is_more_than_text(text):
    found = {name: trial_formats.rendered(name, five(text)) for name in trial_formats.NAMES}
    assert len(readers.sarif(found["sarif"])["results"]) == 4
    kinds = [kinds for *_, kinds in readers.outcomes(found["junit"])]
    assert kinds == [[], ["failure"], ["error"], ["skipped"], ["skipped"]]
    assert [ok for ok, *_ in readers.tap(found["tap"])] == [True, False, False, True, False]
    assert [level for level, *_ in readers.github(found["github"])] == ["error", "error"]
    assert [each["result"] for each in readers.csv(found["csv"])] == ["pass", "fail", "error", "skip", "xfail"]
    assert len(readers.markdown(found["markdown"])) == 7


# -- problems of files -------------------------------------------------------------------------------------------------


def problems(text):
    where = Place("a b.yaml", 6, 18)
    fix = Fix(10, 11, "==")
    return [
        Problem(place=where, message=text, hint="write `==`", path="rules[0].deny", check="EXPR_SYNTAX", fix=fix),
        Problem(place=Place("b.yaml", 2, 1), message="unused", severity=Severity.WARNING, check="unused-exception"),
    ]


FILES = ("a b.yaml", "b.yaml", "c.yaml")
FAILING = frozenset({Severity.ERROR})


@examples(100)
@given(texts)
def test_problems_are_told_alike_in_every_format(text):
    found = {name: lint_formats.rendered(name, problems(text), FILES, FAILING) for name in lint_formats.NAMES}
    logged = readers.sarif(found["sarif"])["results"]
    assert [(each["ruleId"], each["level"]) for each in logged] == [
        ("EXPR_SYNTAX", "error"),
        ("unused-exception", "warning"),
    ]
    assert readers.outcomes(found["junit"]) == [
        ("a b.yaml", "a b.yaml", "EXPR_SYNTAX 6:18", ["failure"]),
        ("b.yaml", "b.yaml", "unused-exception 2:1", []),
        ("c.yaml", "c.yaml", "lint", []),
    ]
    assert [(ok, name) for ok, name, *_ in readers.tap(found["tap"])] == [
        (False, "a b.yaml: EXPR_SYNTAX 6:18"),
        (True, "b.yaml: unused-exception 2:1"),
        (True, "c.yaml: lint"),
    ]
    assert [(level, told["file"]) for level, told, _ in readers.github(found["github"])] == [
        ("error", "a b.yaml"),
        ("warning", "b.yaml"),
    ]
    lines = readers.csv(found["csv"])
    assert [(each["file"], each["severity"], each["check"]) for each in lines] == [
        ("a b.yaml", "error", "EXPR_SYNTAX"),
        ("b.yaml", "warning", "unused-exception"),
    ]
    assert len(readers.markdown(found["markdown"])) == 4


def test_files_without_a_problem_are_named_on_a_page():
    assert lint_formats.rendered("markdown", [], ["a_b.yaml"], FAILING) == "# Lint\n\nNo problem in a_b.yaml.\n"
