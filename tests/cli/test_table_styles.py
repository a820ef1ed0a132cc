"""A style of tables is followed by each command that prints tables, and refused by each other one."""

import click
import pytest
from tests.house.parts import PROGRAMS, help_of

WAIVED = """\
exceptions:
  - {id: e1, code: BUDGET_EXCEEDED, until: 2999-01-01, reason: on purpose, owner: ann}
"""
POLICY = """\
gatewright: 1
policy: own
stage: check
params: {most: 3}
rules:
  - {id: most, deny: agents > params.most, code: BUDGET_EXCEEDED}
"""
FIXTURE = """\
policy: own.yaml
cases:
  - name: many
    request: {agents: 9}
    expect: {deny: [BUDGET_EXCEEDED]}
"""
SCREEN = "❯ \n"

#: Each command that prints tables, called so that it has something to put into one.
STYLED = {
    "gatewright backtest": ["backtest", "--policy", "stricter.yaml", "--ledger", "ledger.db"],
    "gatewright check": ["check", "--no-record", "--runtime", "codex", "--contract", "no.md", "--agents", "1"],
    "gatewright coverage": ["coverage", "cases.yaml"],
    "gatewright diff": ["diff", "own.yaml", "stricter.yaml"],
    "gatewright exceptions": ["exceptions", "--policy", "waived.yaml"],
    "gatewright facts": ["facts"],
    "gatewright ledger doctor": ["ledger", "doctor", "--ledger", "ledger.db"],
    "gatewright ledger show": ["ledger", "show", "--ledger", "ledger.db"],
    "gatewright mutate": ["mutate", "cases.yaml"],
    "gatewright policies": ["policies"],
    "gatewright pretrust": ["pretrust", "codex", "worktree", "--home", "home", "--dry-run"],
    "gatewright probe screen": ["probe", "screen", "--file", "screen.txt"],
    "gatewright promote": ["promote", "most", "--to", "warn", "--policy", "stricter.yaml", "--ledger", "ledger.db"],
    "gatewright register": ["register", "--job-id", "j", "--probe-cmd", "echo j", "--ledger", "ledger.db"],
    "gatewright report": ["report", "--ledger", "ledger.db"],
    "gatewright rules": ["rules"],
    "gatewright tasks list": ["tasks", "list", "--ledger", "ledger.db", "--orchestrator", "local"],
    "gatewright test": ["test", "cases.yaml"],
}
#: Those that print lines, with what they cannot be called without.
PLAIN = {
    "gatewright accept": ["accept", "--job", "j", "--contract", "contract.md"],
    "gatewright contract lint": ["contract", "lint"],
    "gatewright dispatch": ["dispatch", "--contract", "contract.md"],
    "gatewright eval": ["eval", "1 == 1"],
    "gatewright explain": ["explain", "NO_MODEL"],
    "gatewright ledger import": ["ledger", "import", "ledger.jsonl"],
    "gatewright ledger verify": ["ledger", "verify"],
    "gatewright lint": ["lint"],
    "gatewright probe model": ["probe", "model"],
}


def formatted():
    """Every command with formats."""
    for program, group in PROGRAMS.items():
        context = click.Context(group)
        for name in group.list_commands(context):
            if any(param.name == "formats" for param in group.get_command(context, name).params):
                yield f"{program} {name}"


@pytest.fixture
def filled(place):
    """A place with something to tell for each command."""
    place.write("own.yaml", POLICY)
    place.write("waived.yaml", POLICY + WAIVED)
    place.write("stricter.yaml", POLICY.replace("most: 3", "most: 0"))
    place.write("cases.yaml", FIXTURE)
    place.write("screen.txt", SCREEN)
    (place.cwd / "worktree").mkdir()
    place.write("home/.codex/config.toml", "")
    words = [word for word in place.request() if word != "--no-record"]
    assert place.run(*words, "--ledger", "ledger.db").code == 0
    return place


def test_each_command_with_formats_is_told_of_here():
    assert sorted(formatted()) == sorted([*STYLED, *PLAIN])


@pytest.mark.parametrize("name", STYLED)
def test_a_command_that_prints_tables_follows_the_style(name, filled):
    words = [str(filled.cwd / word) if word == "worktree" else word for word in STYLED[name]]
    styled = filled.run(*words, "-f", "table:github")
    assert any(line.startswith("|--") for line in styled.stdout.splitlines()), styled


@pytest.mark.parametrize("name", PLAIN)
def test_a_command_that_prints_lines_refuses_a_style_and_offers_none(name, filled):
    before = filled.tree()
    result = filled.run(*PLAIN[name], "-f", "table:github")
    assert (result.stdout, "write `-f table`" in result.stderr) == ("", True)
    assert result.code == (1 if name == "gatewright dispatch" else 64)
    assert filled.tree() == before
    program, _, command = name.rpartition(" ")
    assert "style" not in help_of(PROGRAMS[program], program, command)
