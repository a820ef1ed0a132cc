"""What a fixture says that its cases would come to grief on, or that says something else than was meant.

A case may be about a fact that does not fit, which closes the gate: so these are warnings, and the cases run all the
same.
"""

from collections.abc import Iterator, Mapping

from gatewright.catalog import Catalog
from gatewright.errors import Problem, Severity
from gatewright.expressions.kinds import Kind, Type, fits, kind_of
from gatewright.expressions.operators import a
from gatewright.model import Moment
from gatewright.policy.policies import Policy
from gatewright.spec import Fact
from gatewright.text import did_you_mean
from gatewright.trials.fixtures import Case

CHECK = "fixture-value"


def warnings(cases: tuple[Case, ...], policy: Policy, catalog: Catalog) -> list[Problem]:
    """What is odd about the facts and params of cases of a policy; each told once."""
    facts = catalog.facts_of(policy.stage)
    found = [problem for case in cases for problem in (*_facts(case, facts), *_params(case, policy))]
    return list({(each.place, each.path, each.message): each for each in found}.values())


def _facts(case: Case, facts: Mapping[str, Fact]) -> Iterator[Problem]:
    for name, value in case.facts.items():
        fact = facts.get(name)
        # A case that expects the code of a fact that cannot be had is about just that.
        if fact is not None and fact.code not in case.expect.deny:
            yield from _odd(case, f"facts.{name}", value, fact.type)


def _odd(case: Case, path: str, value: object, wanted: Type) -> Iterator[Problem]:
    """What does not fit its type. Null is left alone, since that a fact is missing is what a case may be about."""
    if value is None or wanted.kind is Kind.ANY or wanted.noun is Moment:
        return
    if wanted.fields is not None and isinstance(value, Mapping):
        for name, inner in value.items():
            if name not in wanted.fields:
                yield _problem(case, path, f"there is no field `{name}`", did_you_mean(str(name), wanted.fields))
            else:
                yield from _odd(case, f"{path}.{name}", inner, wanted.fields[name])
    elif not fits(value, wanted):
        yield _problem(case, path, f"this is {a(kind_of(value))}, and {wanted.worded()} is due")


def _params(case: Case, policy: Policy) -> Iterator[Problem]:
    for name in case.params:
        if name not in policy.params:
            hint = did_you_mean(name, policy.params)
            yield _problem(case, f"params.{name}", f"the policy has no param `{name}`", hint)


def _problem(case: Case, path: str, message: str, hint: str = "") -> Problem:
    severity = Severity.WARNING
    return Problem(place=case.place, path=path, message=message, hint=hint, severity=severity, check=CHECK)
