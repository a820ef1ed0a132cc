"""The pytest plugin: fixtures of policies as tests, in projects that ask for it.

pytest imports this module at every start, wherever gatewright is installed. So it imports nothing of gatewright, and
what does the work is imported when the project has said which files are fixtures.
"""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from gatewright.testing.gates import GateOf

INI = "gatewright_fixtures"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options and the ini keys."""
    group = parser.getgroup("gatewright", "dry runs of policies")
    group.addoption(
        "--gatewright-fixtures",
        action="append",
        default=[],
        metavar="PATH",
        help="Folders or patterns of fixture files, in the place of those of the ini file.",
    )
    group.addoption("--gatewright-policy", metavar="FILE", help="A policy in the place of those that fixtures name.")
    group.addoption(
        "--gatewright-param", action="append", default=[], metavar="NAME=VALUE", help="A value for a policy's param."
    )
    group.addoption(
        "--gatewright-plugin", action="append", default=[], metavar="MODULE", help="A module with rules and facts."
    )
    group.addoption("--gatewright-project", metavar="DIR", help="The project whose gatewright.toml applies.")
    parser.addini(INI, "Folders or patterns of gatewright's fixture files, from the root folder.", type="args")


def pytest_configure(config: pytest.Config) -> None:
    """Take up the work where there is any."""
    wanted = config.getoption("gatewright_fixtures") or config.getini(INI)
    if wanted:
        from gatewright.testing.collecting import Collector

        config.pluginmanager.register(Collector(config, wanted), "gatewright-fixtures")


@pytest.fixture(scope="session")
def gatewright_gate(pytestconfig: pytest.Config) -> "GateOf":
    """Make the gate of a policy file, with the project's own rules: `gatewright_gate("policies/check.yaml", limit=4)`.

    The path is from the root folder; what else is given are values of the policy's params.
    """
    from gatewright.testing.gates import gate_of

    return gate_of(pytestconfig)
