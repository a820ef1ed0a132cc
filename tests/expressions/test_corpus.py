"""Every case of the expression corpus, on the compiled and on the tracing evaluator."""

import pytest
from tests.expressions import corpus

from gatewright.app import catalog_of
from gatewright.errors import PolicyError
from gatewright.expressions import tracer
from gatewright.expressions.admission import admitted_map
from gatewright.policy.loader import load

ALL = corpus.cases()
POLICY = """\
gatewright: 1
policy: corpus
stage: check
codes: {CASE_FOUND: the case's rule fires}
rules:
  - id: case
    deny: agents > 0
    code: CASE_FOUND
"""


def params(kind, *, in_yaml=False):
    chosen = [case for case in ALL if case["kind"] == kind and ("yaml" in case) is in_yaml]
    return [pytest.param(case, id=case["id"]) for case in chosen]


def holds_one_of(words, said):
    return any(word.lower() in said.lower() for word in words)


@pytest.mark.parametrize("case", params("safe"))
def test_a_plain_condition_has_its_answer(case):
    assert corpus.outcome(corpus.text_of(case), corpus.context_of(case)) == corpus.Outcome("answer", case["expect"])


@pytest.mark.parametrize("case", params("must_reject"))
def test_what_could_escape_is_refused(case):
    assert corpus.outcome(corpus.text_of(case), corpus.context_of(case)).where != "answer"


@pytest.mark.parametrize("case", params("must_error_clearly"))
def test_a_mistake_is_told_with_what_was_meant(case):
    found = corpus.outcome(corpus.text_of(case), corpus.context_of(case))
    assert found.where != "answer"
    assert holds_one_of(case["mention"], found.said), found.said
    assert not [word for word in case.get("must_not_contain", ()) if word in found.said]


@pytest.mark.parametrize("case", params("must_be_bounded"))
def test_what_could_run_away_ends_as_it_may(case):
    names = {"load": "load error", "evaluation": "EVAL_* error", "admission": "admission error"}
    found = corpus.outcome(corpus.text_of(case), corpus.context_of(case))
    assert names.get(found.where, str(found.value).lower()) in case["accept"]


# -- cases that are YAML first -----------------------------------------------------------------------------------


def load_rule(case):
    """The policy whose one rule has the keys of a case besides its own."""
    lines = "".join(f"    {line}\n" for line in case["yaml"].splitlines())
    return load((POLICY + lines).encode(), "corpus.yaml", catalog_of())


def said_by(problems):
    """Messages and hints, with lines counted as if the case's YAML stood alone."""
    before = POLICY.count("\n")
    return " ".join(f"line {each.place.line - before}: {each.message} ({each.hint})" for each in problems)


@pytest.mark.parametrize("case", params("safe", in_yaml=True))
def test_a_condition_means_the_same_in_every_style_of_scalar(case):
    condition = load_rule(case).rules[0].when
    facts = admitted_map(corpus.context_of(case))
    assert condition.text == case["expr"]
    assert corpus.compiled_answer(condition.tree, facts) is case["expect"]
    assert tracer.evaluate(condition.tree, condition.text, facts) is case["expect"]


@pytest.mark.parametrize("case", [case for case in params("must_error_clearly", in_yaml=True) if case.id != "X326"])
def test_yaml_that_holds_no_condition_is_refused_with_what_was_meant(case):
    with pytest.raises(PolicyError) as caught:
        load_rule(case)
    said = said_by(caught.value.problems)
    assert holds_one_of(case["mention"], said), said


@pytest.mark.parametrize("case", [case for case in params("must_error_clearly", in_yaml=True) if case.id == "X326"])
def test_a_yaml_comment_behind_a_condition_is_warned_of(case):
    (warning,) = [each for each in load_rule(case).warnings if each.check == "comment-after-condition"]
    assert holds_one_of(case["mention"], warning.message)
    assert corpus.outcome(case["expr"], corpus.context_of(case)).where == "answer"
