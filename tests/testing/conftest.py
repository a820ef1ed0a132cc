"""A project of a user, in which pytest is run with the plugin and with no other one that happens to be installed."""

import pytest
from tests.trials.texts import POLICY

pytest_plugins = ["pytester"]

CASES = """\
policy: ../policy.yaml
defaults: {runtime: codex, agents: 1}
tags: [fleet]
cases:
  - name: three are allowed
    request: {agents: 3}
    expect: allow
  - name: four are denied
    request: {agents: 4}
    tags: [edge]
    expect: {deny: [TOO_MANY]}
  - name: fable is told
    request: {runtime: fable}
    expect: {allow: true, warn: [HIGH_COST_RUNTIME]}
"""
FAILING = "  - {name: five pass, request: {agents: 5}, expect: allow}\n"


class Project:
    """A folder with a policy and fixtures, and pytest in it."""

    def __init__(self, pytester):
        self.pytester, self.path = pytester, pytester.path
        self.write("policy.yaml", POLICY)

    def write(self, name, text):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def cases(self, *more, name="fixtures/few.yaml"):
        return self.write(name, CASES + "".join(more))

    def run(self, *words, ini="gatewright_fixtures = fixtures"):
        """A run of pytest in a process of its own."""
        self.write("pytest.ini", f"[pytest]\n{ini}\n")
        plugins = ["-p", "gatewright.testing.plugin", "-p", "no:cacheprovider"]
        return self.pytester.runpytest_subprocess(*plugins, *words)


@pytest.fixture
def project(pytester, monkeypatch):
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    for name in ("GATEWRIGHT_POLICY", "DISPATCH_TIER_POLICY"):
        monkeypatch.delenv(name, raising=False)
    return Project(pytester)
