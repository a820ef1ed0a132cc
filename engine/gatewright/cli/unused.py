"""Exceptions that no case uses, among the policies and fixtures that are linted together."""

import os
from collections.abc import Iterator, Sequence

from gatewright.app import App
from gatewright.errors import GatewrightError, Problem
from gatewright.policy import documents, standing
from gatewright.policy.keys import POLICY
from gatewright.policy.loader import load
from gatewright.policy.policies import Policy
from gatewright.probes import clock
from gatewright.probes.files import read_file
from gatewright.trials import coverage
from gatewright.trials.collecting import cases_of, is_fixture
from gatewright.trials.fixtures import KINDS, Case
from gatewright.trials.runs import Judged, Runner


def unused_exceptions(files: Sequence[str], app: App) -> Iterator[Problem]:
    """A problem for each exception that the cases of its policy do not use; a policy without cases has none."""
    policies = [policy for file in files if (policy := _policy(file, app)) is not None and policy.exceptions]
    cases = [case for file in files if policies and is_fixture(file) for case in _cases(file, app)]
    runner = Runner(app.catalog, app.tier_policy_path(), params=app.options.params)
    judged = [each for case in cases for each in runner.run(case).judged]
    for policy in policies:
        own = [each for each in judged if os.path.realpath(each.gate.policy.path) == os.path.realpath(policy.path)]
        yield from _of_policy(policy, own)


def _of_policy(policy: Policy, judged: Sequence[Judged]) -> Iterator[Problem]:
    today = clock.today()
    used = {shown.exception for shown in coverage.of_cases(judged).exceptions if shown.used}
    for exception in policy.exceptions if judged else ():
        told = not standing.is_live(exception, today) or not standing.can_be_used(policy, exception)
        if exception.id not in used and not told:
            yield standing.unused(policy, exception, len(judged))


def _policy(file: str, app: App) -> Policy | None:
    """The policy in a file; None for anything else, and for one with mistakes, which are told elsewhere."""
    try:
        data = read_file(file)
        if documents.kind_of(documents.read(data, file).tree, {**KINDS, "policy": POLICY}) != "policy":
            return None
        return load(data, file, app.catalog, app.options.params)
    except GatewrightError:
        return None


def _cases(file: str, app: App) -> Sequence[Case]:
    try:
        return cases_of(file, app.catalog)
    except GatewrightError:
        return ()
