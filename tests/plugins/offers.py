"""Plugins that a test writes down: modules on a path, folders of a project, distributions with entry points."""

import sys
from pathlib import Path
from textwrap import dedent
from types import SimpleNamespace

from gatewright.app import catalog_of
from gatewright.catalog import Catalog, Plugin
from gatewright.plugins import gathered
from gatewright.spec import Fact, Rule, hookimpl

RULE = '''
from gatewright import deny, rule


@rule(codes=["TOO_MANY"])
def few(agents: int, *, limit: int = 8):
    """Deny more agents than the limit."""
    if agents > limit:
        yield deny("TOO_MANY", f"{agents} agents, {limit} allowed")
'''
HOOKS = '''
from gatewright import hookimpl


@hookimpl
def gatewright_rules():
    """The rules."""
    return [few]


@hookimpl
def gatewright_reasons():
    """What the codes mean."""
    return {"TOO_MANY": "more agents than the limit"}
'''


def written(folder: Path, name: str, text: str) -> None:
    """A module in a folder."""
    (folder / f"{name}.py").write_text(dedent(text))


def distribution(folder: Path, name: str, entry: str, *, version: str = "1.0", group: str = "gatewright") -> None:
    """What an installed distribution leaves in a folder of the path: its name, version and entry point."""
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (info / "entry_points.txt").write_text(f"[{group}]\n{entry}\n")


def forget(*names: str) -> None:
    """Let modules be imported anew."""
    for name in names:
        sys.modules.pop(name, None)


def offering(*offered: Rule | Fact, name: str = "mine", reasons: object = None) -> Plugin:
    """What is gathered from a plugin that offers these through its hooks."""

    @hookimpl
    def gatewright_rules():
        return [each for each in offered if isinstance(each, Rule)]

    @hookimpl
    def gatewright_facts():
        return [each for each in offered if isinstance(each, Fact)]

    @hookimpl
    def gatewright_reasons():
        return {} if reasons is None else reasons

    hooks = SimpleNamespace(
        gatewright_rules=gatewright_rules, gatewright_facts=gatewright_facts, gatewright_reasons=gatewright_reasons
    )
    return gathered(hooks, name, "a test")


def catalog_of_offers(*offered: Rule | Fact, name: str = "mine") -> Catalog:
    """The catalog of the built-in rules and of a plugin that offers these."""
    return catalog_of([offering(*offered, name=name)])
