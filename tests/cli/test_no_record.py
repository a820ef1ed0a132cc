"""A dry run leaves every byte outside as it was."""

import pytest
from tests.cli import tables
from tests.cli.processes import DISPATCH_GATE, GATEWRIGHT

PROGRAMS = pytest.mark.parametrize("program", [GATEWRIGHT, DISPATCH_GATE])
PLUGIN = '''\
from gatewright import deny, rule


@rule(codes=["NO_MODEL"])
def fewer(agents: int):
    """Deny five or more agents."""
    if agents > 4:
        yield deny("NO_MODEL", "too many")
'''


def _furnish(place):
    """What a gate finds at work: a project, tickets, roots, tables."""
    place.write("gatewright.toml", 'tiers = "tiers.yaml"\n')
    place.write("contract.md", "# Contract about mcp\n")
    place.write("config/model-tier-policy.json", "{}")
    tables.small(place, "{efficient: 3}")
    for name, text in {
        "known-roots.json": '["/home/somebody"]',
        "dispatch-tickets/codex-0123456789ab.json": "{}",
    }.items():
        path = place.home / ".mogui" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.mark.acceptance("C16")
@PROGRAMS
@pytest.mark.parametrize(
    ("flags", "code"),
    [
        ({}, 0),
        ({"model": "brand-new-model"}, 0),
        ({"agents": "4"}, 2),
        ({"agents": "4", "tier_override": "the owner agreed"}, 0),
        ({"contract": "missing.md"}, 2),
        ({"tier_policy": "missing.yaml"}, 2),
        ({"runtime": "../x"}, 2),
        ({"agents": "two"}, 64),
    ],
)
def test_no_byte_changes_whatever_is_decided(place, program, flags, code):
    _furnish(place)
    words = place.request(**{"contract": "contract.md", **flags})
    before = place.tree()
    result = place.run(*words, program=program)
    assert result.code == code
    assert place.tree() == before


@pytest.mark.acceptance("C16")
@pytest.mark.parametrize("named", ["flag", "variable"])
def test_a_ledger_that_is_named_and_absent_is_not_made(place, named):
    words = place.request()
    before = place.tree()
    if named == "flag":
        place.run(*words, "--ledger", "rows/ledger.db")
    else:
        place.run(*words, GATEWRIGHT_LEDGER="rows/ledger.db")
    assert place.tree() == before


@pytest.mark.acceptance("C16")
@pytest.mark.parametrize("by", ["folder", "plugin"])
def test_rules_of_ones_own_are_not_compiled_into_their_folder(place, by):
    place.write("gates/own.py" if by == "folder" else "own.py", PLUGIN)
    place.write("gatewright.toml", 'rules = "gates"\n' if by == "folder" else "")
    words = [*place.request(), *([] if by == "folder" else ["-p", "tests_own"])]
    if by == "plugin":
        place.write(
            "tests_own.py",
            PLUGIN
            + "\n\nfrom gatewright import hookimpl\n\n\n@hookimpl\ndef gatewright_rules():\n    return [fewer]\n",
        )
    before = place.tree()
    result = place.run(*words, PYTHONPATH=".")
    assert result.code == 0
    assert place.tree() == before


AUDIT = """
import atexit, sys
STARTS = {"os." + name for name in ("exec", "fork", "forkpty", "posix_spawn", "spawn", "system")}
STARTS |= {"subprocess.Popen", "socket.connect"}
seen = []
sys.addaudithook(lambda event, found: seen.append(event) if event in STARTS else None)
atexit.register(lambda: open("started", "w").write(" ".join(seen)))
"""


@pytest.mark.acceptance("G04")
@PROGRAMS
@pytest.mark.parametrize("agents", ["0", "1"])
def test_a_check_starts_no_program_and_connects_to_nothing(place, program, agents):
    place.write("audit/sitecustomize.py", AUDIT)
    place.run(*place.request(agents=agents), program=program, PYTHONPATH="audit")
    assert (place.cwd / "started").read_text() == ""


@pytest.mark.parametrize(
    "arguments",
    [["lint"], ["test"], ["rules"], ["facts"], ["policies"], ["explain", "NO_MODEL"], ["eval", "true == false"]],
)
def test_commands_that_only_look_change_nothing(place, arguments):
    _furnish(place)
    before = place.tree()
    place.run(*arguments)
    assert place.tree() == before
