"""A noun's field may be named by a word of Python, such as `class`: conditions ask for it in brackets."""

import pytest
from tests.runner.gates import BUILT_IN

from gatewright.app import Gate
from gatewright.policy.loader import load

POLICY = b"""gatewright: 1
policy: words
stage: deliver
rules:
  - { id: first, deny: 'after["class"] == "limit"', code: DELIVERY_LIMITED }
  - { id: second, deny: 'after["class"] == "limit" or after["class"] == "busy"', code: DELIVERY_BLOCKED }
  - { id: third, deny: 'has(before["class"]) and before["class"] == "busy"', code: DELIVERY_UNVERIFIED }
"""


@pytest.mark.parametrize(
    ("before", "after", "codes"),
    [
        (None, "limit", ("DELIVERY_LIMITED", "DELIVERY_BLOCKED")),
        ({"class": "busy"}, "busy", ("DELIVERY_BLOCKED", "DELIVERY_UNVERIFIED")),
        ({"class": "limit"}, "unknown", ()),
    ],
)
def test_such_a_field_is_read_and_explained_as_any_other(before, after, codes):
    gate = Gate(load(POLICY, "words.yaml", BUILT_IN), BUILT_IN)
    facts = {"before": before, "after": {"class": after}}
    assert gate.decide(facts).reasons == codes
    assert gate.explain(facts).decision.reasons == codes
