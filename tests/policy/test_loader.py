"""A policy file is read as a whole: every mistake is told with its place, nothing wrong is ignored."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples
from tests.runner.gates import BUILT_IN, HEAD
from tests.runner.mistakes import mistakes_of, only_mistake, problems_of

from gatewright.errors import PolicyError
from gatewright.model import Stage
from gatewright.policy import keys
from gatewright.policy.loader import load

RULES = "rules:\n  - {id: many, deny: agents > 8}\n"
GOOD = HEAD + RULES


def loaded(text):
    return load(text.encode(), "p.yaml", BUILT_IN)


def test_a_small_policy_loads():
    policy = loaded(GOOD + "description: what it is for\n")
    assert (policy.id, policy.stage, policy.description) == ("small", Stage.CHECK, "what it is for")
    assert [rule.id for rule in policy.rules] == ["many"]
    assert policy.sha256 == hashlib.sha256((GOOD + "description: what it is for\n").encode()).hexdigest()


def test_json_is_yaml():
    text = '{"gatewright": 1, "policy": "small", "stage": "check", "rules": [{"id": "a", "deny": "agents > 8"}]}'
    assert loaded(text).rules[0].code == "A"


# -- missing, unknown, misspelt and duplicate keys -----------------------------------------------------------------


@pytest.mark.parametrize("key", [name for name, key in keys.POLICY.items() if key.required])
def test_each_required_key_is_missed(key):
    lines = [line for line in GOOD.splitlines() if not line.startswith(f"{key}:")]
    if key == "rules":
        lines = lines[:-1]
    found = only_mistake("\n".join(lines) + "\n")
    assert (str(found.place), f"`{key}`" in found.message) == ("p.yaml:1:1", True)


@pytest.mark.parametrize("key", keys.POLICY)
def test_each_key_that_is_misspelt_is_refused_and_the_right_one_is_named(key):
    wrong = key[:-1] + key[-1] * 2
    text = GOOD if key in ("gatewright", "policy", "stage", "rules") else f"{GOOD}{key}: 1\n"
    problems = problems_of(text.replace(f"{key}:", f"{wrong}:"))
    assert [f"`{wrong}`" in each.message and f"`{key}`" in each.hint for each in problems] == [True]


@pytest.mark.parametrize("key", ["rule", "name", "version", "default", "extends", "Rules", "when", "deny", "1x"])
def test_an_unknown_key_is_refused(key):
    found = only_mistake(f"{GOOD}{key}: 1\n")
    assert (str(found.place), f"`{key}`" in found.message) == ("p.yaml:6:1", True)


@pytest.mark.parametrize("key", ["rules", "gatewright", "policy", "stage"])
def test_a_key_that_stands_twice_is_refused_and_both_lines_are_named(key):
    first = GOOD.splitlines().index(next(line for line in GOOD.splitlines() if line.startswith(key))) + 1
    found = only_mistake(f"{GOOD}{key}: {'[]' if key == 'rules' else 1}\n")
    assert str(found.place) == "p.yaml:6:1"
    assert f"line {first}" in found.message


def test_a_key_that_stands_twice_in_a_rule_is_refused():
    assert mistakes_of(HEAD + "rules:\n  - id: a\n    deny: agents > 8\n    deny: agents > 9\n") == ["7:5"]


# -- single values -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", ["2", "0", "true", "'1'", "1.5", "1.0", "null", "[1]", "{a: 1}", "one", ""])
def test_the_version_of_the_language_is_the_number_1(version):
    (found,) = mistakes_of(GOOD.replace("gatewright: 1", f"gatewright: {version}"))
    assert found.split()[1] == "gatewright"


@pytest.mark.parametrize("name", ["Small", "a b", "-a", "a-", "a--b", "1a", "a.b", "é", "a/b", "'a\\nb'"])
def test_the_id_is_a_name_in_lower_case(name):
    assert mistakes_of(GOOD.replace("policy: small", f"policy: {name}")) == ["2:9 policy"]


@pytest.mark.parametrize("name", ["a", "a1", "small-policy", "small_policy", "a-1"])
def test_a_name_may_have_digits_and_lines(name):
    assert loaded(GOOD.replace("policy: small", f"policy: {name}")).id == name


@pytest.mark.parametrize("stage", ["chek", "Check", "checks", "any", "5", "null", "[check]", "''"])
def test_the_stage_is_one_of_the_known_ones(stage):
    assert mistakes_of(GOOD.replace("stage: check", f"stage: {stage}")) == ["3:8 stage"]


def test_a_stage_that_is_nearly_one_is_named():
    assert "`check`" in only_mistake(GOOD.replace("stage: check", "stage: chek")).hint


@pytest.mark.parametrize("value", ["5", "[a]", "{a: b}", "true", "''", "' '"])
def test_a_description_is_text(value):
    assert mistakes_of(f"{GOOD}description: {value}\n") == ["6:14 description"]


@pytest.mark.parametrize("value", ["", " []", " {}", " null", " 5", " model-named", " {use: model-named}"])
def test_rules_are_a_list_with_at_least_one_rule(value):
    (found,) = mistakes_of(f"{HEAD}rules:{value}\n")
    assert found.split() == [f"4:{1 if not value else 8}", "rules"]


@pytest.mark.parametrize("item", ["5", "null", "text", "[a]", "true"])
def test_a_rule_is_a_map(item):
    assert mistakes_of(f"{HEAD}rules:\n  - {item}\n") == ["5:5 rules[0]"]


@pytest.mark.parametrize("key", ["params", "codes"])
@pytest.mark.parametrize("value", ["", " []", " 5", " text", " null"])
def test_params_and_codes_are_maps(key, value):
    assert [each.split()[1] for each in mistakes_of(f"{GOOD}{key}:{value}\n")] == [key]


@pytest.mark.parametrize("text", ["", "\n", "# only words\n", "null\n", "text\n", "5\n", "- a\n", "[]\n", "true\n"])
def test_a_file_that_is_no_map_is_refused(text):
    assert [each.path for each in problems_of(text)] == [""]


# -- codes of the policy's own -------------------------------------------------------------------------------------


def test_a_policy_may_have_codes_of_its_own_with_their_meaning():
    text = f"{GOOD}codes:\n  TOO_LATE: the day is over\n".replace(
        "deny: agents > 8", "deny: agents > 8, code: TOO_LATE"
    )
    policy = loaded(text)
    assert policy.rules[0].code == "TOO_LATE"
    assert policy.reasons == {"TOO_LATE": "the day is over"}


@pytest.mark.parametrize("code", ["late", "Late", "TOO-LATE", "1LATE", "_LATE", "TOO__LATE", "É", "LATE_"])
def test_a_code_is_in_capitals(code):
    assert mistakes_of(f"{GOOD}codes:\n  {code}: m\n") == [f"7:3 codes.{code}"]


@pytest.mark.parametrize("code", ["NO_MODEL", "RULE_ERROR", "FACT_UNAVAILABLE", "OK"])
def test_a_code_that_has_a_meaning_is_given_no_other(code):
    assert mistakes_of(f"{GOOD}codes:\n  {code}: m\n") == [f"7:3 codes.{code}"]


@pytest.mark.parametrize("meaning", ["", " ''", " 5", " [a]"])
def test_a_code_has_a_meaning_in_words(meaning):
    assert [each.split()[1] for each in mistakes_of(f"{GOOD}codes:\n  LATE:{meaning}\n")] == ["codes.LATE"]


# -- many mistakes at once -----------------------------------------------------------------------------------------

TWELVE = """\
gatewright: 2
policy: Small
stage: chek
titel: x
params:
  max-chars: 5
codes:
  late: x
rules:
  - {id: a, deny: agnts > 8}
  - {id: a, deny: agents = 8}
  - {id: b, deny: agents > 8}
  - use: dispatch-budgte
exceptions:
  - {id: e, code: B, until: 2026-02-30, reason: r}
freeze: {until: tomorrow, reason: r}
"""


def test_twelve_mistakes_and_more_are_told_at_once_and_in_the_order_of_the_file():
    assert mistakes_of(TWELVE) == [
        "1:13 gatewright",
        "2:9 policy",
        "3:8 stage",
        "4:1",
        "6:3 params.max-chars",
        "8:3 codes.late",
        "10:19 rules[0].deny",
        "11:10 rules[1].id",
        "11:26 rules[1].deny",
        "13:10 rules[3].use",
        "15:5 exceptions[0]",
        "15:29 exceptions[0].until",
        "16:17 freeze.until",
    ]


def test_a_mistake_shows_its_line_with_a_caret_below():
    found = only_mistake(GOOD.replace("agents > 8", "agnts > 8"))
    assert found.excerpt == "      - {id: many, deny: agnts > 8}\n" + " " * 25 + "^"
    assert str(found) == "p.yaml:5:22: rules[0].deny: unknown name `agnts` (did you mean `agents`?)"


@given(st.binary(max_size=200))
@examples(100)
def test_whatever_the_bytes_are_nothing_but_a_policy_error_leaves_the_loader(data):
    with pytest.raises(PolicyError):
        load(data, "p.yaml", BUILT_IN)


@given(st.data())
@examples(100)
def test_whatever_is_changed_in_a_policy_it_loads_or_is_refused_with_places(data):
    text = TWELVE.replace("chek", "check")
    at = data.draw(st.integers(0, len(text)))
    to = data.draw(st.integers(at, min(len(text), at + 20)))
    changed = text[:at] + data.draw(st.text(max_size=5)) + text[to:]
    for found in problems_of(changed.encode("utf-8", "surrogatepass")):
        assert found.place.line >= 1
        assert found.place.column >= 1


# -- the digest ----------------------------------------------------------------------------------------------------


def test_the_digest_covers_text_params_and_rule_packages():
    text = f"{GOOD}params: {{limit: 5}}\n"
    first = loaded(text)
    assert loaded(text).digest == first.digest
    assert loaded(text + "# words\n").digest != first.digest
    changed = load(text.encode(), "p.yaml", BUILT_IN, {"limit": 6})
    assert changed.digest != first.digest
    assert changed.sha256 == first.sha256
    assert load(text.encode(), "other/place.yaml", BUILT_IN).digest == first.digest
