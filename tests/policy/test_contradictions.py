"""What contradicts itself in a policy is told with both places, and nothing is told of what does not."""

import pytest
from tests.house.pages import ROOT
from tests.runner.gates import BUILT_IN, policy_of

from gatewright.policy import analysis
from gatewright.policy.loader import load

POLICIES = ROOT / "policies"


@pytest.mark.acceptance("IDEA-11")
def test_a_wider_bound_below_a_narrower_one_at_the_same_level_is_told_as_shadowed():
    told = analysis.findings(policy_of("- {id: four, deny: agents > 4}\n- {id: eight, deny: agents > 8}"))
    assert [each.check for each in told] == ["shadowed-rule"]
    assert "rule `eight` finds nothing that rule `four` on line 5" in told[0].message
    other_level = policy_of("- {id: four, warn: agents > 4}\n- {id: eight, deny: agents > 8}")
    assert analysis.findings(other_level) == []


@pytest.mark.acceptance("IDEA-11")
@pytest.mark.parametrize(
    ("rule", "places"),
    [
        ("deny: agents > 8 and agents < 4", "`agents > 8` at 7:9 and `agents < 4` at 7:24"),
        ("deny: agents < 4\n  when: agents > 8", "`agents > 8` at 8:9 and `agents < 4` at 7:9"),
        (
            'warn: runtime == "a" and agents > 1 and runtime in ["b"]',
            '`runtime == "a"` at 7:9 and `runtime in ["b"]` at 7:43',
        ),
        ("deny: agents > params.most and agents <= 4", "`agents > params.most` at 7:9 and `agents <= 4` at 7:34"),
        ("deny: (agents > 8) and not (agents >= 8)", "`agents > 8` at 7:10 and `not (agents >= 8)` at 7:26"),
    ],
)
def test_comparisons_of_which_no_request_meets_both_are_told_with_both_places(rule, places):
    text = f"params: {{most: 4}}\nrules:\n- id: odd\n  {rule}\n"
    (told,) = analysis.findings(policy_of(text))
    assert told.message == f"rule `odd` can never fire: {places} cannot both hold"


@pytest.mark.acceptance("IDEA-11")
@pytest.mark.parametrize(
    ("one", "other", "contradict"),
    [
        ("deny: agents > 4", "deny: agents <= 4", True),
        ("deny: agents > 4", "deny: agents < 8", True),
        ("deny: agents > 4", "deny: agents < 4", False),
        ("require: agents > 4", "require: agents < 4", True),
        ("require: agents >= 4", "require: agents <= 4", False),
        ('require: runtime == "a"', 'require: runtime == "b"', True),
        ('require: runtime != "a"', 'require: runtime != "b"', False),
        ("deny: agents > 4", "warn: agents <= 4", False),
        ("{deny: agents > 4, override: tier_override}", "deny: agents <= 4", False),
        ("deny: agents > 4", 'deny: runtime == "a"', False),
        ('{deny: agents > 4, when: runtime == "a"}', "deny: agents <= 4", False),
    ],
)
def test_rules_that_deny_every_request_between_them_are_told_with_both_places(one, other, contradict):
    first, second = (each.strip("{}") for each in (one, other))
    told = analysis.findings(policy_of(f"- {{id: one, {first}}}\n- {{id: other, {second}}}"))
    assert [each.check for each in told] == (["contradicting-rules"] if contradict else [])
    if contradict:
        assert told[0].place.line == 6
        assert "rule `one` on line 5" in told[0].message


@pytest.mark.acceptance("IDEA-11")
@pytest.mark.parametrize("name", sorted(path.name for path in POLICIES.glob("*.yaml")))
def test_nothing_is_told_of_the_shipped_policies(name):
    data = (POLICIES / name).read_bytes()
    if b"\nstage:" in data:
        assert analysis.findings(load(data, name, BUILT_IN)) == []
