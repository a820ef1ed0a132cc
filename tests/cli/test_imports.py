"""What a dry run imports: a shell starts the program once a dispatch, so each module is paid for each time."""

import json
import sys

import pytest
from tests.cli.processes import DISPATCH_GATE, GATEWRIGHT

#: Top-level packages that are neither ours nor the standard library's.
OF_OTHERS = ["click", "msgspec", "pluggy", "ruamel"]
#: What msgspec takes where it is installed, and does without where it is not.
PERHAPS = {"typing_extensions"}
#: Modules that cost time, or that a dry run has no business with.
SPARED = [
    "simpleeval",
    "tabulate",
    "json",
    "tomllib",
    "pathlib",
    "importlib.metadata",
    "unicodedata",
    "asyncio",
    "urllib",
    "subprocess",
    "socket",
    "sqlite3",
    "logging",
]
_LISTING = """
import atexit, sys

def tell():
    names = sorted(sys.modules)
    import json
    with open("imported.json", "w") as file:
        json.dump(names, file)

atexit.register(tell)
"""


def _imported(place, program):
    """The modules that a dry run of an allowed request has imported when it ends."""
    place.write("listing/sitecustomize.py", _LISTING)
    words = place.request()
    assert place.run(*words, program=program, PYTHONPATH="listing").code == 0
    return json.loads((place.cwd / "imported.json").read_text())


@pytest.fixture(params=[GATEWRIGHT, DISPATCH_GATE])
def imported(place, request):
    return _imported(place, request.param)


def test_modules_that_cost_time_are_not_imported(imported):
    assert [name for name in SPARED if name in imported] == []


def test_the_packages_of_others_are_these(imported):
    ours = {"gatewright", "gatewright_rules", "sitecustomize"}
    top = {name.partition(".")[0] for name in imported} - set(sys.stdlib_module_names) - ours - PERHAPS
    assert sorted(name for name in top if not name.startswith("_")) == OF_OTHERS


def test_no_command_but_check_is_imported(imported):
    commands = {name for name in imported if name.startswith("gatewright.cli.") and name.endswith("_command")}
    assert commands in ({"gatewright.cli.check_command"}, {"gatewright.cli.older.check_command"})
