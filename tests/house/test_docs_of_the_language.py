"""The pages for policy authors and auditors: tables of conditions hold, recipes show both sides, no key is left out."""

import json
import re

import pytest
from tests.house import pages
from tests.house.pages import DOCS, ROOT, Block

from gatewright.app import catalog_of
from gatewright.errors import Place, PolicyError
from gatewright.expressions.evaluating import evaluate
from gatewright.model import Finding, FindingStatus, GateDecision, Level, Outcome, Stage, TierPolicy
from gatewright.model.decisions import PolicyRef, RuleRow, Verdict
from gatewright.policy.loader import load
from gatewright.trials import fixtures

PAGES = pages.pages()
COOKBOOK = DOCS / "cookbook.md"


def recipes() -> dict[str, list[Block]]:
    """The YAML blocks below each `###` heading of the cookbook."""
    lines = COOKBOOK.read_text(encoding="utf-8").splitlines()
    found: dict[str, list[Block]] = {line[4:]: [] for line in lines if line.startswith("### ")}
    for block in pages.blocks(COOKBOOK):
        heading = next((line for line in reversed(lines[: block.line]) if line.startswith("##")), "")
        if block.language == "yaml" and heading.startswith("### "):
            found[heading[4:]].append(block)
    return found


@pytest.mark.parametrize("recipe", recipes())
def test_a_recipe_is_a_rule_with_a_case_that_it_stops_or_tells_and_one_that_it_lets_pass(recipe):
    policy, cases = recipes()[recipe]
    assert policy.remarks == {"file": "recipe.yaml"}
    codes_of_cases = frozenset(re.findall(r"\b[A-Z_]+\b", cases.text))
    read = fixtures.load(cases.text.encode(), "cases.yaml", codes_of_cases, frozenset(catalog_of().facts))
    speaks = {bool(each.expect.deny or each.expect.warn or each.expect.note) for each in read.cases}
    assert speaks == {True, False}


def expression_rows() -> list[tuple[str, str, str]]:
    shapes = (("Expression", "Facts", "Answer"), ("Expression", "Facts", "Answer", "Elsewhere"))
    return [(row[0], row[1], row[2]) for page in PAGES for shape in shapes for row in pages.tables(page, *shape)]


@pytest.mark.parametrize(("expression", "facts", "answer"), expression_rows())
def test_an_expression_in_the_docs_answers_what_they_say(expression, facts, answer):
    known = {name: fact.type for name, fact in catalog_of().facts.items()}
    context = json.loads(f"{{{pages.bare(facts)}}}")
    found = evaluate(pages.bare(expression), context, known, condition=False)
    got = found.faults[0].code if found.faults else json.dumps(found.answer)
    assert got == pages.bare(answer)


def slip_rows() -> list[tuple[str, str, str]]:
    return [(row[0], row[1], row[2]) for page in PAGES for row in pages.tables(page, "Written", "Told", "Hint")]


@pytest.mark.parametrize(("condition", "message", "hint"), slip_rows())
def test_a_slip_in_the_docs_is_told_as_they_say(condition, message, hint):
    assert told_of_condition(pages.bare(condition))[0][1:] == (message, hint)


def refused_rows() -> list[list[str]]:
    return [row for page in PAGES for row in pages.tables(page, "Refused", "Code", "Told", "Hint")]


def told_of_condition(condition: str) -> list[tuple[str, str, str]]:
    """What a policy with one rule of this condition is told: code, message and hint."""
    quoted = condition.replace("'", "''")
    text = pages.completed(f"- id: example\n  deny: '{quoted}'\n")
    try:
        found = load(text.encode(), "example.yaml", catalog_of()).warnings
    except PolicyError as error:
        found = error.problems
    return [(each.check, each.message, each.hint) for each in found]


@pytest.mark.parametrize(("condition", "code", "message", "hint"), refused_rows())
def test_a_refused_condition_in_the_docs_is_told_as_they_say(condition, code, message, hint):
    assert told_of_condition(pages.bare(condition))[0] == (pages.bare(code), message, hint)


def codes_in_source(start: str) -> set[str]:
    sources = (path.read_text(encoding="utf-8") for path in (ROOT / "engine").rglob("*.py"))
    return {code for text in sources for code in re.findall(rf'"({start}_[A-Z]+)"', text)}


def test_every_code_of_an_expression_is_shown_by_one_that_has_it():
    shown = {pages.bare(row[1]) for row in refused_rows()} | {pages.bare(row[2]) for row in expression_rows()}
    assert codes_in_source("EXPR") | codes_in_source("EVAL") <= shown


REF = PolicyRef("team", "team.yaml", "0" * 64, "1" * 64)
PLACE = Place("team.yaml", 1, 1)
WHOLE = {"hint": "h", "rule": "r", "where": PLACE, "data": {"agents": 9}}
DENIAL = Finding(code="TOO_MANY", level=Level.DENY, message="9", **WHOLE)
LET_THROUGH = Finding(code="X", level=Level.DENY, message="m", status=FindingStatus.OVERRIDDEN, by="why", **WHOLE)
ROW = RuleRow("r", Outcome.DENIED, ("TOO_MANY",), PLACE, "why")
DECISION = GateDecision(
    Verdict(Stage.CHECK, REF, (DENIAL, LET_THROUGH), (ROW,), ("TOO_MANY",), ()),
    {"tier_policy": TierPolicy(path="tiers.yaml", loaded=True)},
)


@pytest.mark.parametrize(
    ("header", "part"),
    [
        ("Key", DECISION.to_dict()),
        ("Key of a finding", LET_THROUGH.to_dict()),
        ("Key of a row", ROW.to_dict()),
    ],
    ids=["decision", "finding", "row"],
)
def test_auditors_are_told_every_key_of_a_decision_and_no_other(header, part):
    rows = pages.tables(DOCS / "auditing.md", header, "What it says")
    assert sorted(pages.bare(row[0]) for row in rows) == sorted(part)


def test_auditors_are_told_every_outcome_and_no_other():
    rows = pages.tables(DOCS / "auditing.md", "Outcome", "Meaning")
    told = {word for row in rows for word in re.findall(r"`([a-z ]+)`", row[0])}
    assert told == {outcome.value for outcome in Outcome}
