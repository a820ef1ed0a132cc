"""Where the ledger is, by flag, variable, project and place, for both programs; and where the home is."""

import os
import pwd

import pytest
from tests.cli.processes import DISPATCH_GATE, GATEWRIGHT

OLDER = ".dispatch-gate-ledger.jsonl"


def recorded(place):
    """The words of a check that is recorded."""
    return [word for word in place.request() if word != "--no-record"]


def ledgers(place):
    """The ledgers that there are, by their path below the working directory or the home."""
    found = [*place.cwd.rglob("*ledger*.jsonl"), *place.home.rglob("*ledger*.jsonl"), *place.cwd.rglob("ledger.db")]
    return sorted(os.path.relpath(path, place.cwd) for path in found)


@pytest.mark.acceptance("G14")
def test_the_older_program_takes_its_ledger_in_front_of_the_command(place):
    result = place.run("--ledger", "x-ledger.jsonl", *recorded(place), program=DISPATCH_GATE)
    assert result.code == 0
    assert ledgers(place) == ["x-ledger.jsonl"]
    behind = place.run(*recorded(place), "--ledger", "y-ledger.jsonl", program=DISPATCH_GATE)
    assert behind.code == 64
    assert ledgers(place) == ["x-ledger.jsonl"]


@pytest.mark.acceptance("G15")
@pytest.mark.parametrize(
    ("flags", "variables", "found"),
    [
        ((), {}, OLDER),
        ((), {"DISPATCH_GATE_LEDGER": "named-ledger.jsonl"}, "named-ledger.jsonl"),
        (("--ledger", "x-ledger.jsonl"), {"DISPATCH_GATE_LEDGER": "named-ledger.jsonl"}, "x-ledger.jsonl"),
        ((), {"DISPATCH_GATE_LEDGER": ""}, OLDER),
        ((), {"GATEWRIGHT_LEDGER": "other-ledger.jsonl"}, OLDER),
    ],
)
def test_the_older_programs_ledger_is_named_by_flag_variable_or_its_place(place, flags, variables, found):
    assert place.run(*flags, *recorded(place), program=DISPATCH_GATE, **variables).code == 0
    assert ledgers(place) == [found]
    assert (place.cwd / found).read_text().count("\n") == 1


@pytest.mark.acceptance("G16")
@pytest.mark.parametrize("how", ["project", "variable", "flag", "older variable"])
def test_a_ledger_below_the_home_is_a_matter_of_configuration(place, how):
    path = place.home / ".mogui" / "dispatch-ledger.jsonl"
    program = DISPATCH_GATE if how.startswith("older") else GATEWRIGHT
    flags, variables = [], {}
    if how == "project":
        place.write("gatewright.toml", f'ledger = "~/{path.relative_to(place.home)}"\n')
    elif how == "flag":
        flags = ["--ledger", str(path)]
    else:
        variables = {"DISPATCH_GATE_LEDGER" if program == DISPATCH_GATE else "GATEWRIGHT_LEDGER": str(path)}
    assert place.run(*recorded(place), *flags, program=program, **variables).code == 0
    assert path.read_text().count("\n") == 1
    assert ledgers(place) == [os.path.relpath(path, place.cwd)]


@pytest.mark.parametrize("home", ["", ".", "x", "../y", "~"])
def test_a_home_that_is_no_place_is_never_the_folder_one_stands_in(place, home, tmp_path):
    """A worker may have the working directory to itself: tickets and trust files there would be its own."""
    from gatewright.probes.homes import home_of
    from gatewright.runtimes.pretrust.homes import find

    known = pwd.getpwuid(os.geteuid()).pw_dir
    assert home_of({"HOME": home}) == home_of({}) == find({"HOME": home}).home == known
    assert home_of({"HOME": str(tmp_path)}) == str(tmp_path)
    result = place.run(*place.request(), "--no-record", HOME=home)
    assert result.code == 0
    assert sorted(path.name for path in place.cwd.iterdir()) == ["contract.md"]
