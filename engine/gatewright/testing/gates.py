"""Gates for tests, and what the plugin's options say of where things are."""

import os
from typing import Protocol

import pytest

from gatewright.app import App, Gate, Options
from gatewright.expressions import plain_json
from gatewright.policy.loader import load
from gatewright.probes.files import read_file


class GateOf(Protocol):
    """Makes the gate of a policy file."""

    def __call__(self, policy: str, **params: object) -> Gate:
        """The gate; `params` are values in the place of the policy's own. Raises PolicyError or FileError."""


def app_of(config: pytest.Config) -> App:
    """What the options and the root folder of a pytest run make of a project. Raises pytest.UsageError."""
    params: dict[str, object] = {}
    for given in config.getoption("gatewright_param"):
        name, sign, text = given.partition("=")
        if not name or not sign:
            raise pytest.UsageError(f"`--gatewright-param {given}` has no value: write NAME=VALUE")
        params[name] = plain_json.read_or_text(text)
    options = Options(
        policy=config.getoption("gatewright_policy"),
        project=config.getoption("gatewright_project"),
        plugins=tuple(config.getoption("gatewright_plugin")),
        params=params,
    )
    return App(options, folder=str(config.rootpath))


def gate_of(config: pytest.Config) -> GateOf:
    """What makes gates in a pytest run, from the root folder and with the rules of its project."""
    app = app_of(config)

    def gate(policy: str, **params: object) -> Gate:
        path = os.path.join(config.rootpath, policy)
        return Gate(load(read_file(path), path, app.catalog, params), app.catalog)

    return gate
