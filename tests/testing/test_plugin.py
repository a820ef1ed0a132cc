"""The plugin where nobody uses it: it is there for pytest, brings nothing along, and changes nothing."""

import importlib
import json
import re
import subprocess
import sys
import tomllib

import pytest
from tests.house.pages import ROOT

LISTING = "import json, sys\nprint(json.dumps(sorted(sys.modules)))\n"


def imported(words):
    """The modules that a Python has after these statements."""
    run = subprocess.run([sys.executable, "-c", f"{words}\n{LISTING}"], capture_output=True, text=True, check=True)
    return set(json.loads(run.stdout))


def test_pytest_finds_the_plugin_by_its_entry_point():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (module,) = project["entry-points"]["pytest11"].values()
    assert callable(importlib.import_module(module).pytest_configure)


def test_the_plugin_imports_nothing_but_itself_and_pytest():
    more = imported("import pytest, gatewright.testing.plugin") - imported("import pytest")
    assert more == {"gatewright", "gatewright.testing", "gatewright.testing.plugin"}


def test_a_project_without_fixtures_has_none_of_it_imported(project):
    project.write(
        "test_one.py",
        "import sys\n\n\ndef test_one():\n"
        "    found = {name for name in sys.modules if name.startswith(('gatewright', 'msgspec', 'ruamel', 'click'))}\n"
        "    assert found == {'gatewright', 'gatewright.testing', 'gatewright.testing.plugin'}\n",
    )
    project.run(ini="").assert_outcomes(passed=1)


def test_a_project_without_fixtures_sees_no_word_of_it(project):
    project.cases()
    project.write("test_one.py", "def test_one(): pass\n")
    assert "gatewright" not in project.run(ini="").stdout.str().partition("collected")[2]


@pytest.mark.parametrize("name", ["check_rule_contract", "codes_of", "findings_of"])
def test_a_name_of_the_room_can_be_had_and_is_listed(name):
    import gatewright.testing

    assert callable(getattr(gatewright.testing, name))
    assert name in dir(gatewright.testing)


def test_an_unknown_name_of_the_room_is_an_attribute_error():
    import gatewright.testing

    with pytest.raises(AttributeError, match="finding_of"):
        _ = gatewright.testing.finding_of


def test_the_docs_name_every_option_and_every_function():
    import inspect

    import gatewright.testing
    from gatewright.testing import plugin

    text = (ROOT / "docs" / "testing-rules.md").read_text(encoding="utf-8")
    options = re.findall(r'addoption\(\s*"(--[\w-]+)"', inspect.getsource(plugin))
    assert len(options) == 5
    assert [name for name in options if f"| `{name}` |" not in text] == []
    assert [name for name in gatewright.testing._NAMES if f"| `{name}(" not in text] == []
