"""The doors by which plugins come in: entry points, a named module, a project's own folder; nothing by chance."""

import sys

import pytest
from tests.plugins.offers import HOOKS, RULE, distribution, forget, written

from gatewright.errors import PluginError
from gatewright.plugins import folder, installed, module

FAILING = {
    "a syntax error": ("def broken(:\n", "SyntaxError"),
    "an import error": ("import no_such_module_at_all\n", "ModuleNotFoundError"),
    "an error": ("1 / 0\n", "ZeroDivisionError"),
    "leaving the process": ("import sys\nsys.exit(0)\n", "SystemExit"),
    "a strange error": ("class Odd(BaseException): ...\nraise Odd\n", "Odd"),
    "a rule that none can be": (RULE.replace("agents: int,", "agents,"), "rule `few`"),
}
failing = pytest.mark.parametrize(("text", "told"), FAILING.values(), ids=FAILING)


@pytest.fixture
def path(tmp_path, monkeypatch):
    """A folder on the path whose modules are forgotten afterwards."""
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    forget(*(name for name in list(sys.modules) if name.startswith(("own_", "gatewright_project_"))))


# -- a module that was named ---------------------------------------------------------------------------------------


def test_a_module_that_is_named_is_a_plugin(path):
    written(path, "own_rules", RULE + HOOKS)
    found = module("own_rules")
    assert [rule.id for rule in found.rules] == ["few"]
    assert found.reasons == {"TOO_MANY": "more agents than the limit"}
    assert (found.name, found.origin) == ("own_rules", f"module {path / 'own_rules.py'}")


@pytest.mark.parametrize("name", ["no_such_module_at_all", "no.such.module", "", ".", "..x", "own rules", "a/b"])
def test_a_module_that_does_not_exist_is_refused(path, name):
    with pytest.raises(PluginError, match=r"there is none of that name|cannot be imported"):
        module(name)


@failing
def test_a_module_that_fails_is_refused(path, text, told):
    written(path, "own_rules", text)
    with pytest.raises(PluginError) as caught:
        module("own_rules")
    assert "plugin `own_rules`" in str(caught.value)
    assert told in str(caught.value)


def test_a_module_that_offers_nothing_is_refused(path):
    written(path, "own_rules", RULE)
    with pytest.raises(PluginError, match="no rule, no fact and no orchestrator"):
        module("own_rules")


# -- a project's own folder ----------------------------------------------------------------------------------------


def test_each_rule_and_fact_in_a_folder_is_taken_by_being_written_down(path):
    written(path, "own_b", RULE)
    written(path, "own_a", RULE.replace("few", "fewer").replace("TOO_MANY", "FAR_TOO_MANY"))
    written(
        path, "own_c", "from gatewright.spec import given\nsize = given('size', int, 'A size.', stages=('check',))\n"
    )
    found = folder(str(path))
    assert [rule.id for rule in found.rules] == ["fewer", "few"]
    assert [fact.name for fact in found.facts] == ["size"]
    assert (found.name, found.origin) == (path.name, f"folder {path}")


def test_a_rule_that_two_modules_name_is_taken_once(path):
    written(path, "own_a", RULE)
    written(path, "own_b", "from own_a import few\nfrom own_a import few as same\n")
    assert {rule.id for rule in folder(str(path)).rules} == {"few"}


def test_what_is_no_module_is_left_alone(path):
    written(path, "own_a", RULE)
    (path / "notes.txt").write_text("1 / 0\n")
    (path / "own_a.pyc").write_text("x")
    (path / "inner").mkdir()
    written(path / "inner", "own_b", "1 / 0\n")
    assert [rule.id for rule in folder(str(path)).rules] == ["few"]


def test_a_folder_that_is_not_there_is_refused(path):
    with pytest.raises(PluginError, match="there is none"):
        folder(str(path / "missing"))


@pytest.mark.parametrize("text", ["", "x = 5\n"])
def test_a_folder_without_a_rule_is_refused(path, text):
    written(path, "own_a", text)
    with pytest.raises(PluginError, match="no rule and no fact"):
        folder(str(path))


@failing
def test_a_folder_with_a_module_that_fails_is_refused(path, text, told):
    written(path, "own_a", RULE.replace("few", "other"))
    written(path, "own_b", text)
    with pytest.raises(PluginError) as caught:
        folder(str(path))
    assert told in str(caught.value)
    assert "own_b" in str(caught.value) or "own_b" in caught.value.plugin


# -- installed distributions ---------------------------------------------------------------------------------------


def test_an_installed_distribution_is_a_plugin(path):
    written(path, "own_rules", RULE + HOOKS)
    distribution(path, "own-rules", "limits = own_rules", version="2.5")
    (found,) = installed()
    assert [rule.id for rule in found.rules] == ["few"]
    assert (found.name, found.origin, found.version) == ("limits", "distribution own-rules 2.5", "2.5")


def test_a_distribution_may_name_an_object_in_a_module(path):
    text = RULE + HOOKS.replace("@hookimpl", "    @staticmethod\n    @hookimpl").replace("\ndef ", "\n    def ")
    head, _, tail = text.partition("    @staticmethod")
    body = tail.replace('\n    """', '\n        """').replace("\n    return", "\n        return")
    written(path, "own_rules", f"{head}class Offers:\n    @staticmethod{body}")
    distribution(path, "own-rules", "limits = own_rules:Offers")
    (found,) = installed()
    assert [rule.id for rule in found.rules] == ["few"]


def test_distributions_come_in_the_order_of_their_names(path):
    for name in ("b", "a", "c"):
        written(path, f"own_{name}", (RULE + HOOKS).replace("few", f"few_{name}"))
        distribution(path, f"own-{'cab'['bac'.index(name)]}", f"{name} = own_{name}")
    assert [plugin.name for plugin in installed()] == ["a", "b", "c"]


def test_a_distribution_of_another_group_is_no_plugin(path):
    written(path, "own_rules", "1 / 0\n")
    distribution(path, "own-rules", "limits = own_rules", group="gatewright_other")
    assert list(installed()) == []


def test_where_nothing_is_installed_nothing_comes_in(path):
    assert list(installed()) == []


@pytest.mark.parametrize("entry", ["limits = own_missing", "limits = own_rules:missing", "limits = own_rules:"])
def test_an_entry_point_that_leads_nowhere_is_refused(path, entry):
    written(path, "own_rules", "x = 5\n")
    distribution(path, "own-rules", entry)
    with pytest.raises(PluginError) as caught:
        list(installed())
    assert "plugin `limits`" in str(caught.value)


@failing
def test_an_installed_plugin_that_fails_is_refused(path, text, told):
    written(path, "own_rules", text)
    distribution(path, "own-rules", "limits = own_rules")
    with pytest.raises(PluginError) as caught:
        list(installed())
    assert "plugin `limits`" in str(caught.value)
    assert told in str(caught.value)


def test_a_gate_of_a_policy_file_uses_installed_plugins(path):
    from gatewright import Gate

    written(path, "own_rules", RULE + HOOKS)
    distribution(path, "own-rules", "limits = own_rules")
    policy = path / "p.yaml"
    policy.write_text("gatewright: 1\npolicy: p\nstage: check\nrules:\n  - {use: few, with: {limit: 3}}\n")
    gate = Gate.from_policy(policy)
    assert gate.decide({"agents": 3}).allow
    assert gate.decide({"agents": 4}).reasons == ("TOO_MANY",)


def test_another_version_of_a_plugin_is_another_policy(path):
    from gatewright import Gate

    policy = path / "p.yaml"
    policy.write_text("gatewright: 1\npolicy: p\nstage: check\nrules:\n  - {id: a, deny: agents > 3}\n")
    before = Gate.from_policy(policy).policy.digest
    written(path, "own_rules", RULE + HOOKS)
    distribution(path, "own-rules", "limits = own_rules")
    assert Gate.from_policy(policy).policy.digest != before
