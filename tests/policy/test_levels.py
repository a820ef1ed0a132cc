"""Another level for one rule: the smallest change of the text, and a policy that differs in nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples

from gatewright.app import catalog_of
from gatewright.errors import UsageError
from gatewright.model import Level
from gatewright.policy.levels import STEPS, promoted, rule_of
from gatewright.policy.loader import load

CATALOG = catalog_of()
HEAD = "gatewright: 1\npolicy: p\nstage: check\nrules:\n"


def step(rules, name, to, head=HEAD):
    """The text behind the head once a rule has taken a step."""
    data = (head + rules).encode()
    policy = load(data, "p.yaml", CATALOG)
    after = promoted(data, "p.yaml", rule_of(policy, name), to)
    return after.decode().removeprefix(head)


@pytest.mark.parametrize(
    ("rules", "to", "after"),
    [
        ("  - use: ledger-clock\n", "deny", "  - use: ledger-clock\n    level: deny\n"),
        ("  - use: ledger-clock", "warn", "  - use: ledger-clock\n    level: warn"),
        ("  - use: ledger-clock  # why\n", "deny", "  - use: ledger-clock  # why\n    level: deny\n"),
        ("- use: ledger-clock\n", "observe", "- use: ledger-clock\n  level: note\n"),
        (
            "  - level: off # for now\n    use: ledger-clock\n",
            "deny",
            "  - level: deny # for now\n    use: ledger-clock\n",
        ),
        ('  - {use: ledger-clock, level: "warn"}\n', "deny", "  - {use: ledger-clock, level: deny}\n"),
        ("  - { use: ledger-clock }\n", "deny", "  - { use: ledger-clock, level: deny }\n"),
        ("  - use: ledger-clock\n", "locked", "  - use: ledger-clock\n    level: deny\n    locked: true\n"),
        (
            "  - use: unknown-model\n    levels: {TIER_UNKNOWN_MODEL: off}\n    id: ledger-clock\n",
            "deny",
            "  - use: unknown-model\n    level: deny\n    levels: {TIER_UNKNOWN_MODEL: deny}\n    id: ledger-clock\n",
        ),
        (
            "  - deny: |\n      agents\n      > 3\n    id: ledger-clock\n",
            "warn",
            "  - deny: |\n      agents\n      > 3\n    id: ledger-clock\n    level: warn\n",
        ),
    ],
)
def test_a_step_changes_as_little_as_it_can(rules, to, after):
    assert step(rules, "ledger-clock", to) == after


def test_line_ends_and_byte_order_marks_stay():
    head = "\ufeffgatewright: 1\r\npolicy: p\r\nstage: check\r\nrules:\r\n"
    found = step("  - use: ledger-clock\r\n  - use: unknown-model\r\n", "ledger-clock", "deny", head)
    assert found == "  - use: ledger-clock\r\n    level: deny\r\n  - use: unknown-model\r\n"


RULES = st.lists(
    st.sampled_from(
        [
            "  - use: ledger-clock\n",
            "  - {use: unknown-model, level: off}\n",
            "  - use: fan-out-cap\n    when: agents > 1\n",
            "  - id: a\n    deny: agents > 3 # all\n",
            "  - id: b\n    warn: agents > 3\n    level: note\n",
            "  - id: c\n    require: agents < 3\n    levels:\n      C: warn\n",
        ]
    ),
    min_size=1,
    max_size=6,
    unique=True,
)


@examples(60)
@given(rules=RULES, pick=st.integers(0, 5), to=st.sampled_from(list(STEPS)))
def test_a_step_leaves_every_other_rule_as_it_is_and_is_taken_once(rules, pick, to):
    data = (HEAD + "".join(rules)).encode()
    before = load(data, "p.yaml", CATALOG)
    rule = before.rules[pick % len(rules)]
    after_data = promoted(data, "p.yaml", rule, to)
    after = load(after_data, "p.yaml", CATALOG)
    found = rule_of(after, rule.id)
    usual = Level.WARN if rule.effect == "warn" else Level.DENY
    assert {found.levels.get(code, usual) for code in found.codes} == {Level(STEPS[to])}
    assert found.locked is (to == "locked")
    assert [each.id for each in after.rules] == [each.id for each in before.rules]
    for one, other in zip(before.rules, after.rules, strict=True):
        if one.id != rule.id:
            assert (one.levels, one.locked, one.options) == (other.levels, other.locked, other.options)
    assert promoted(after_data, "p.yaml", found, to) == after_data


def test_a_rule_that_is_not_there_is_told_with_the_nearest():
    policy = load((HEAD + "  - use: ledger-clock\n").encode(), "p.yaml", CATALOG)
    with pytest.raises(UsageError, match="did you mean `ledger-clock`"):
        rule_of(policy, "ledger-clok")
