"""Rules and facts of others, asked for by name: what they do well counts, and what they do badly closes the gate."""

import json

import pytest

HEAD = "from gatewright import deny, derived, hookimpl, rule, warn\n\n\n"
RULE = '''\
@rule(codes=["OWN_LIMIT", "OWN_WARNING"])
def own_limit(agents: int, *, most: int = 3):
    """Deny more agents than the team may start."""
    BODY
    if agents > most:
        yield deny("OWN_LIMIT", f"{agents} agents, {most} allowed", agents=agents, most=most)
    elif agents == most:
        yield warn("OWN_WARNING", "the last one")


'''
OFFER = "@hookimpl\ndef gatewright_rules():\n    return [own_limit]\n"
POLICY = "gatewright: 1\npolicy: own\nstage: check\nrules: [{use: own-limit}]\n"


def _check(place, source, *more, strays=(), **flags):
    place.write("own.py", source)
    policy = place.write("policy.yaml", POLICY)
    words = [*place.request(**flags), "-p", "own", "--policy", policy, *more]
    return place.run(*words, strays=strays, PYTHONPATH=".")


def _rule(body="pass"):
    return HEAD + RULE.replace("BODY", body)


@pytest.mark.parametrize(
    ("agents", "codes"), [("2", ([], [])), ("3", ([], ["OWN_WARNING"])), ("4", (["OWN_LIMIT"], []))]
)
def test_a_rule_of_a_named_module_decides(place, agents, codes):
    assert _check(place, _rule() + OFFER, agents=agents).codes == codes


def test_a_finding_carries_its_figures(place):
    (finding,) = _check(place, _rule() + OFFER, agents="4").json["findings"]
    assert (finding["message"], finding["data"]) == ("4 agents, 3 allowed", {"agents": 4, "most": 3})


@pytest.mark.parametrize("long", ["-p", "--plugin"])
def test_a_rule_of_a_named_module_is_listed_with_its_origin(place, long):
    place.write("own.py", _rule() + OFFER)
    (found,) = [
        each for each in place.run("rules", long, "own", "--json", PYTHONPATH=".").json if each["id"] == "own-limit"
    ]
    assert (found["codes"], found["from"]) == (["OWN_LIMIT", "OWN_WARNING"], f"module {place.cwd}/own.py")


def test_without_being_named_no_module_is_loaded(place):
    place.write("own.py", _rule() + OFFER)
    result = place.run(*place.request(), "--policy", place.write("policy.yaml", POLICY), PYTHONPATH=".")
    assert result.json["reason"] == "POLICY_UNAVAILABLE"
    assert "own-limit" in result.json["message"]


RAISES = {
    "an error": "raise ValueError('boom')",
    "an exit": "raise SystemExit(0)",
    "endless recursion": "f = lambda: f()\n    f()",
    "another code": "yield deny('NO_MODEL', 'undeclared')",
    "no finding": "yield 5",
}


@pytest.mark.parametrize("kind", RAISES)
def test_a_rule_that_fails_closes_the_gate(place, kind):
    result = _check(place, _rule(RAISES[kind]) + OFFER)
    assert (result.code, result.json["reasons"]) == (2, ["RULE_ERROR"])
    assert "own-limit" in result.json["message"]


@pytest.mark.parametrize("kind", ["an error", "an exit"])
def test_a_fact_that_fails_closes_the_gate(place, kind):
    fact = (
        '@derived(stages=["check"])\ndef own_fact(agents: int) -> int:\n    """A figure of ours."""\n'
        f"    {RAISES[kind]}\n\n\n"
    )
    offer = OFFER + "\n\n@hookimpl\ndef gatewright_facts():\n    return [own_fact]\n"
    result = _check(
        place, HEAD + fact + RULE.replace("BODY", "pass").replace("agents: int,", "agents: int, own_fact: int,") + offer
    )
    assert (result.code, result.json["allow"]) == (2, False)
    assert "own_fact" in result.json["message"]


@pytest.mark.parametrize("kind", ["an error", "an exit"])
@pytest.mark.parametrize("where", ["module", "rules", "facts", "reasons"])
def test_a_module_that_fails_while_it_is_loaded_closes_the_gate(place, kind, where):
    source = _rule() + OFFER
    if where == "module":
        source += RAISES[kind] + "\n"
    else:
        source = source.replace("gatewright_rules", "gatewright_rules" if where != "rules" else "gatewright_unused")
        source += f"\n\n@hookimpl\ndef gatewright_{where}():\n    {RAISES[kind]}\n"
        source = source.replace("@hookimpl\ndef gatewright_unused", "def gatewright_unused")
    result = _check(place, source)
    assert (result.code, result.json["reason"]) == (2, "POLICY_UNAVAILABLE")
    assert "`own`" in result.json["message"]


@pytest.mark.parametrize(
    "source",
    [
        "",
        "syntax error",
        "import no_such_module\n",
        "from gatewright import hookimpl\n\n\n@hookimpl\ndef gatewright_rules():\n    return []\n",
        "from gatewright import hookimpl\n\n\n@hookimpl\ndef gatewright_rules():\n    return 5\n",
        "from gatewright import hookimpl\n\n\n@hookimpl\ndef gatewright_rules():\n    return [print]\n",
        "from gatewright import hookimpl\n\n\n@hookimpl\ndef gatewright_rulez():\n    return []\n",
        "from gatewright import hookimpl\n\n\n@hookimpl\ndef gatewright_rules(more):\n    return []\n",
    ],
)
def test_a_module_that_offers_nothing_sound_closes_the_gate(place, source):
    result = _check(place, source)
    assert (result.code, result.json["reason"]) == (2, "POLICY_UNAVAILABLE")
    assert "`own`" in result.json["message"]


@pytest.mark.parametrize("value", ["float('nan')", "object()", "{1: 2}", "b'x'", "'\\ud800'", "10 ** 30", "{'a', 'b'}"])
def test_figures_that_are_no_plain_data_do_not_hide_the_denial(place, value):
    source = _rule(f"yield deny('OWN_LIMIT', 'closed', odd={value})") + OFFER
    result = _check(place, source)
    assert (result.code, result.json["allow"]) == (2, False)
    assert "own-limit" in json.dumps(result.json["findings"])


@pytest.mark.acceptance("CL-01")
@pytest.mark.parametrize("where", ["module", "rule"])
def test_what_a_plugin_prints_does_not_get_between_the_decision_and_its_reader(place, where):
    source = (
        _rule("print('debug')" if where == "rule" else "pass")
        + OFFER
        + ("print('loaded')\n" if where == "module" else "")
    )
    result = _check(place, source, strays=("debug", "loaded"))
    assert (result.code, result.json["reason"]) == (0, "OK")


@pytest.mark.parametrize("command", ["test", "rules", "facts", "policies"])
def test_other_commands_say_in_a_line_that_a_plugin_cannot_be_used(place, command):
    place.write("own.py", HEAD + "raise ValueError('boom')\n")
    result = place.run(command, "-p", "own", PYTHONPATH=".")
    assert (result.stdout, result.code) == ("", 64)
    assert "`own`" in result.stderr
