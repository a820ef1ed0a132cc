"""Whether two forms of a rule's condition are the same: on the grid of the constants of both, they always agree."""

from collections.abc import Mapping

from gatewright.policy import conditions
from gatewright.policy.policies import PolicyRule


def same(rule: PolicyRule, params: Mapping[str, object], other: PolicyRule, other_params: Mapping[str, object]) -> bool:
    """Whether two expression rules fire, and err, on the very same requests; False where that is not known.

    What is not looked into is taken for the same where it is spelt the same, and as free otherwise.
    """
    if rule.condition is None or other.condition is None or rule.effect != other.effect:
        return False
    before, after = conditions.Reader(params).condition(rule), conditions.Reader(other_params).condition(other)
    shared = conditions.shared(before, after)
    if conditions.size(shared) > conditions.MAX_POINTS:
        return False
    return all(conditions.fires(before, point) is conditions.fires(after, point) for point in conditions.points(shared))
