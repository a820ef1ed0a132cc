"""What a loader has to say about a text: each problem as `line:column path`, in order."""

from collections.abc import Mapping

from tests.runner.gates import catalog_with

from gatewright.errors import PolicyError, Problem
from gatewright.policy.loader import load
from gatewright.spec import Fact, Rule


def problems_of(
    text: str | bytes, *offered: Rule | Fact, params: Mapping[str, object] | None = None
) -> tuple[Problem, ...]:
    """The mistakes of a policy; none if it loads."""
    data = text if isinstance(text, bytes) else text.encode()
    try:
        load(data, "p.yaml", catalog_with(*offered), params)
    except PolicyError as error:
        return error.problems
    return ()


def places(problems: tuple[Problem, ...]) -> list[str]:
    """Each problem as `line:column path`."""
    return [f"{each.place.line}:{each.place.column} {each.path}".rstrip() for each in problems]


def mistakes_of(text: str, *offered: Rule | Fact, params: Mapping[str, object] | None = None) -> list[str]:
    """The mistakes of a policy, each as `line:column path`."""
    return places(problems_of(text, *offered, params=params))


def only_mistake(text: str, *offered: Rule | Fact, params: Mapping[str, object] | None = None) -> Problem:
    """The one mistake of a policy."""
    (found,) = problems_of(text, *offered, params=params)
    return found
