"""What a rule declares is what it may do: the codes that it gives, the facts that it reads, the row in the tables."""

import pytest
from tests.house.pages import DOCS
from tests.house.rule_pages import rules_index
from tests.runner.gates import BUILT_IN, FACTS, gate_of, own_rule

from gatewright.model import RULE_ERROR, Outcome, deny
from gatewright.testing import codes_of

few = own_rule(lambda agents: [deny("MINE" if agents < 9 else "OTHER", "too many")] if agents > 1 else [])


@pytest.mark.acceptance("IDEA-12")
def test_a_code_that_a_rule_does_not_declare_fails_its_test_and_closes_the_gate():
    assert codes_of(few, agents=2) == ["MINE"]
    with pytest.raises(AssertionError, match="`OTHER`, which it does not declare"):
        codes_of(few, agents=9)
    decision = gate_of("rules: [{use: mine}]\n", few).decide({"agents": 9})
    assert decision.reasons == (RULE_ERROR,)
    assert [row.outcome for row in decision.rows] == [Outcome.ERRORED]


@pytest.mark.acceptance("IDEA-12")
def test_a_gate_takes_in_the_facts_that_its_rules_declare_and_records_no_other():
    gate = gate_of("rules: [{use: mine}]\n", few)
    decision = gate.decide({**FACTS, "runtime": object(), "labels": {"secret": "x"}})
    assert gate.needed == ("agents",)
    assert "runtime" not in decision.facts
    assert "labels" not in decision.facts
    assert decision.facts["agents"] == FACTS["agents"]


@pytest.mark.acceptance("IDEA-12")
def test_the_table_of_rules_is_what_is_registered():
    table = (DOCS / "rules" / "README.md").read_text(encoding="utf-8")
    assert table == rules_index(BUILT_IN)
    rows = {line.split("](")[0].removeprefix("| ["): line for line in table.splitlines() if line.startswith("| [")}
    assert {name: rule.codes for name, rule in BUILT_IN.rules.items()} == {
        name: tuple(word for word in row.split("|")[2].replace("`", "").replace(",", "").split())
        for name, row in rows.items()
    }
