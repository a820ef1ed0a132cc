"""Tier tables of version 1 and 2, from YAML and JSON alike: what makes one, and every mistake with its place."""

import hashlib
import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples
from tests.runner.gates import CHECK

from gatewright.errors import PolicyError
from gatewright.policy.tier_tables import load

V2 = {"version": 2, "tiers": {"top": ["a-1", "a-2"], "low": ["b-1"]}, "fanout_caps": {"top": 4, "unknown": 8}}
V1 = {"version": 1, "worker_allowed": ["a-1"], "worker_denied_tiers": ["b-1"], "unknown_model": "deny"}
LEAVE_OUT = object()
both_forms = pytest.mark.parametrize("name", ["table.json", "table.yaml", "TABLE.JSON", "table"])


def changed(base, **parts):
    return {key: value for key, value in {**base, **parts}.items() if value is not LEAVE_OUT}


def loaded(document, name="table.json"):
    return load(json.dumps(document).encode(), name).table


def paths(document, name="table.json"):
    """The paths of all mistakes of a table."""
    try:
        load(json.dumps(document, indent=1).encode(), name)
    except PolicyError as error:
        return [each.path for each in error.problems]
    return []


# -- version 2 -----------------------------------------------------------------------------------------------------


@both_forms
def test_a_table_of_version_2_loads(name):
    table = loaded(changed(V2, tier_order=["low", "top"], window_seconds=60), name)
    assert (table.version, table.order, table.window_seconds) == (2, ("low", "top"), 60)
    assert table.index == {"a-1": "top", "a-2": "top", "b-1": "low"}
    assert table.caps == {"top": 4, "unknown": 8}


@pytest.mark.acceptance("P09", "P26")
def test_what_a_table_of_version_2_may_leave_out_has_a_default():
    table = loaded(V2)
    assert (table.window_seconds, table.order, table.unknown_measured) == (86_400, ("top", "low"), "warn")


@both_forms
@pytest.mark.parametrize("key", ["version", "tiers", "fanout_caps"])
def test_each_necessary_key_of_version_2_is_missed(key, name):
    assert paths(changed(V2, **{key: LEAVE_OUT}), name) != []


@pytest.mark.acceptance("P23", "TM-09")
@pytest.mark.parametrize(
    ("parts", "path"),
    [
        ({"tiers": {}, "fanout_caps": {}}, "tiers"),
        ({"tiers": [], "fanout_caps": {}}, "tiers"),
        ({"tiers": None, "fanout_caps": {}}, "tiers"),
        ({"tiers": "top", "fanout_caps": {}}, "tiers"),
        ({"tiers": {"unknown": ["a-1"]}, "fanout_caps": {}}, "tiers.unknown"),
        ({"tiers": {"": ["a-1"]}, "fanout_caps": {}}, "tiers"),
        ({"tiers": {" ": ["a-1"]}, "fanout_caps": {}}, "tiers"),
        ({"tiers": {" top": ["a-1"]}, "fanout_caps": {}}, "tiers"),
        ({"tiers": {"top ": ["a-1"]}, "fanout_caps": {}}, "tiers"),
        ({"tiers": {"top": None}, "fanout_caps": {}}, "tiers.top"),
        ({"tiers": {"top": "a-1"}, "fanout_caps": {}}, "tiers.top"),
        ({"tiers": {"top": {"a-1": 1}}, "fanout_caps": {}}, "tiers.top"),
        ({"tiers": {"top": [5]}, "fanout_caps": {}}, "tiers.top[0]"),
        ({"tiers": {"top": [None]}, "fanout_caps": {}}, "tiers.top[0]"),
        ({"tiers": {"top": [True]}, "fanout_caps": {}}, "tiers.top[0]"),
        ({"tiers": {"top": ["a-1", ""]}, "fanout_caps": {}}, "tiers.top[1]"),
        ({"tiers": {"top": [" "]}, "fanout_caps": {}}, "tiers.top[0]"),
        ({"tiers": {"top": [" a-1"]}, "fanout_caps": {}}, "tiers.top[0]"),
        ({"tiers": {"top": ["a-1 "]}, "fanout_caps": {}}, "tiers.top[0]"),
        ({"tiers": {"top": ["a-1\n"]}, "fanout_caps": {}}, "tiers.top[0]"),
        ({"tiers": {"top": ["a-1"], "low": ["a-1"]}}, "tiers.low"),
        ({"tiers": {"top": ["a-1"], "low": ["A-1"]}}, "tiers.low"),
        ({"tiers": {"top": ["straße"], "low": ["STRASSE"]}}, "tiers.low"),
        ({"fanout_caps": []}, "fanout_caps"),
        ({"fanout_caps": None}, "fanout_caps"),
        ({"fanout_caps": 5}, "fanout_caps"),
        ({"fanout_caps": {"tpo": 4}}, "fanout_caps.tpo"),
        ({"fanout_caps": {"Top": 4}}, "fanout_caps.Top"),
        ({"fanout_caps": {"top": -1}}, "fanout_caps.top"),
        ({"fanout_caps": {"top": True}}, "fanout_caps.top"),
        ({"fanout_caps": {"top": 4.0}}, "fanout_caps.top"),
        ({"fanout_caps": {"top": "4"}}, "fanout_caps.top"),
        ({"fanout_caps": {"top": None}}, "fanout_caps.top"),
        ({"fanout_caps": {"unknown": [8]}}, "fanout_caps.unknown"),
        ({"window_seconds": 0}, "window_seconds"),
        ({"window_seconds": -1}, "window_seconds"),
        ({"window_seconds": True}, "window_seconds"),
        ({"window_seconds": 60.0}, "window_seconds"),
        ({"window_seconds": "60"}, "window_seconds"),
        ({"window_seconds": "24h"}, "window_seconds"),
        ({"window_seconds": None}, "window_seconds"),
        ({"tier_order": []}, "tier_order"),
        ({"tier_order": ["top"]}, "tier_order"),
        ({"tier_order": "top"}, "tier_order"),
        ({"tier_order": ["top", "low", "top"]}, "tier_order[2]"),
        ({"tier_order": ["top", "low", "unknown"]}, "tier_order[2]"),
        ({"tier_order": ["top", "low", 5]}, "tier_order[2]"),
        ({"unknown_measured": "allow"}, "unknown_measured"),
        ({"unknown_measured": True}, "unknown_measured"),
    ],
    ids=str,
)
@both_forms
def test_each_rule_of_version_2_is_held(parts, path, name):
    assert set(paths(changed(V2, **parts), name)) == {path}


@pytest.mark.acceptance("P10", "P22")
@pytest.mark.parametrize("caps", [{}, {"top": 0}, {"unknown": 0}, {"top": 2**63 - 1}])
def test_caps_may_be_none_or_0(caps):
    assert loaded(changed(V2, fanout_caps=caps)).caps == caps


def test_a_tier_may_hold_no_model():
    assert loaded(changed(V2, tiers={"top": [], "low": ["b-1"]})).index == {"b-1": "low"}


def test_ids_are_kept_in_one_letter_case():
    assert loaded(changed(V2, tiers={"top": ["GPT-5.5"], "low": ["Straße"]})).index == {
        "gpt-5.5": "top",
        "strasse": "low",
    }


def test_two_tiers_without_an_order_are_told_of_and_load():
    found = load(json.dumps(V2).encode(), "table.json")
    assert [each.check for each in found.warnings] == ["tier-order"]
    assert load(json.dumps(changed(V2, tier_order=["top", "low"])).encode(), "table.json").warnings == ()
    one = changed(V2, tiers={"top": ["a-1"]})
    assert load(json.dumps(one).encode(), "table.json").warnings == ()


# -- version 1 -----------------------------------------------------------------------------------------------------


@both_forms
def test_a_table_of_version_1_loads(name):
    table = loaded(V1, name)
    assert (table.version, table.unknown_model) == (1, "deny")
    assert table.index == {"a-1": "allowed", "b-1": "denied"}


@both_forms
@pytest.mark.parametrize("key", ["worker_allowed", "worker_denied_tiers", "unknown_model"])
def test_each_necessary_key_of_version_1_is_missed(key, name):
    assert paths(changed(V1, **{key: LEAVE_OUT}), name) == [""]


@pytest.mark.acceptance("P23")
@pytest.mark.parametrize(
    ("parts", "path"),
    [
        ({"worker_allowed": None}, "worker_allowed"),
        ({"worker_allowed": "a-1"}, "worker_allowed"),
        ({"worker_allowed": {}}, "worker_allowed"),
        ({"worker_allowed": [5]}, "worker_allowed[0]"),
        ({"worker_allowed": [""]}, "worker_allowed[0]"),
        ({"worker_denied_tiers": [" b-1"]}, "worker_denied_tiers[0]"),
        ({"worker_denied_tiers": ["A-1"]}, "worker_denied_tiers"),
        ({"unknown_model": "allow"}, "unknown_model"),
        ({"unknown_model": "Warn"}, "unknown_model"),
        ({"unknown_model": True}, "unknown_model"),
        ({"unknown_model": None}, "unknown_model"),
        ({"tiers": {"top": ["a-1"]}}, ""),
        ({"fanout_caps": {}}, ""),
    ],
    ids=str,
)
@both_forms
def test_each_rule_of_version_1_is_held(parts, path, name):
    assert paths(changed(V1, **parts), name) == [path]


@pytest.mark.acceptance("P19")
@pytest.mark.parametrize("unknown", ["deny", "warn"])
def test_what_an_unlisted_model_gets_is_deny_or_warn(unknown):
    assert loaded(changed(V1, unknown_model=unknown)).unknown_model == unknown


@pytest.mark.parametrize("allowed", [[], ["a-1"]])
def test_a_list_may_be_empty(allowed):
    assert loaded(changed(V1, worker_allowed=allowed)).version == 1


# -- version, keys, whole files ------------------------------------------------------------------------------------


@both_forms
@pytest.mark.parametrize("version", [0, 3, "2", True, 2.0, 1.0, None, [2], {"is": 2}, -1])
def test_the_version_is_the_number_1_or_2(version, name):
    assert paths(changed(V2, version=version), name) == ["version"]
    assert paths(changed(V1, version=version), name) == ["version"]


@both_forms
@pytest.mark.parametrize("base", [V1, V2], ids=["1", "2"])
def test_keys_for_people_and_other_tools_are_not_read(base, name):
    more = {"_about": {"any": ["thing"]}, "_": None, "agents": {"codex": [1]}, "consent": False}
    assert loaded(changed(base, **more), name) == loaded(base, name)


@pytest.mark.acceptance("PA-01")
@both_forms
@pytest.mark.parametrize(
    ("base", "key", "right"),
    [
        (V2, "teirs", "`tiers`"),
        (V2, "fanout_cap", "`fanout_caps`"),
        (V2, "window_second", "`window_seconds`"),
        (V2, "worker_allowed", "version 1"),
        (V1, "tiers", "version 2"),
        (V1, "worker_allow", "`worker_allowed`"),
        (V2, "Agents", ""),
        (V2, "comment", ""),
    ],
)
def test_any_other_key_is_refused_and_what_was_meant_is_named(base, key, right, name):
    with pytest.raises(PolicyError) as caught:
        load(json.dumps(changed(base, **{key: {}})).encode(), name)
    assert [right in each.hint for each in caught.value.problems] == [True]


@pytest.mark.parametrize("name", ["table.json", "table.yaml"])
@pytest.mark.parametrize(
    "data", [b"", b"[]", b"null", b"5", b'"x"', b"{", b"{}", b"\xff\xfe", b"\x00", b'{"version": NaN}']
)
def test_what_is_no_table_at_all_is_refused(data, name):
    with pytest.raises(PolicyError):
        load(data, name)


@pytest.mark.acceptance("PA-03")
def test_a_key_that_stands_twice_is_refused_in_json_and_yaml():
    text = '{"version": 2, "tiers": {"top": ["a"]}, "fanout_caps": {}, "tiers": {"low": ["b"]}}'
    for name in ("table.json", "table.yaml"):
        with pytest.raises(PolicyError) as caught:
            load(text.encode(), name)
        assert [str(each.place) for each in caught.value.problems] == [f"{name}:1:60"]


@pytest.mark.parametrize("number", ["1e999", "NaN", "Infinity", "-Infinity", "9223372036854775808", "1" * 5000])
def test_a_number_that_is_not_finite_or_too_large_is_refused_in_json(number):
    text = f'{{"version": 2, "tiers": {{"top": ["a"]}}, "fanout_caps": {{"top": {number}}}}}'
    with pytest.raises(PolicyError):
        load(text.encode(), "table.json")


def test_every_mistake_of_a_table_is_told_with_its_place_in_the_order_of_the_file():
    text = """{
  "version": 2,
  "teirs": {},
  "tiers": {"top": ["a", " b"], "low": ["A"], "unknown": []},
  "fanout_caps": {"tpo": 4, "low": true},
  "window_seconds": 0
}"""
    for name in ("table.json", "table.yaml"):
        with pytest.raises(PolicyError) as caught:
            load(text.encode(), name)
        assert [f"{each.place.line}:{each.place.column}" for each in caught.value.problems] == [
            *("3:3", "4:26", "4:41", "4:47", "5:19", "5:36", "6:21")
        ]


@pytest.mark.acceptance("PA-05", "PA-09")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("tiers:\n  top:\n  high: [a-1]\nfanout_caps: {}\n", ["3:3 tiers.top"]),
        ('tiers: {top: [a-1]}\nfanout_caps:\n  unknown: "8"\n', ["4:12 fanout_caps.unknown"]),
        ("tiers: {top: [a-1]}\nfanout_caps:\n  top: 1_000\n", ["4:8"]),
        ("tiers: {top: [a-1]}\nfanout_caps:\n  top: 010\n", ["4:8"]),
        ("tiers: {top: [a-1]}\nfanout_caps:\n  top: -1\n", ["4:8 fanout_caps.top"]),
        ("tiers: {top: [a-1]}\nfanout_caps:\n  top: 2.5\n", ["4:8 fanout_caps.top"]),
        ("tiers: {top: [a-1]}\nfanout_caps:\n  top: yes\n", ["4:8 fanout_caps.top"]),
    ],
)
def test_what_yaml_writes_like_a_list_or_a_number_and_is_none_is_refused(text, told):
    with pytest.raises(PolicyError) as caught:
        load(f"version: 2\n{text}".encode(), "table.yaml")
    found = [f"{each.place.line}:{each.place.column} {each.path}".rstrip() for each in caught.value.problems]
    assert found == told


@pytest.mark.acceptance("P11")
def test_the_shipped_table_caps_only_models_that_it_does_not_list():
    path = os.path.join(os.path.dirname(CHECK), "tiers.yaml")
    with open(path, "rb") as file:
        found = load(file.read(), path)
    assert (found.table.caps, found.table.window_seconds) == ({"unknown": 8}, 86_400)
    assert found.table.order == ("top", "efficient")
    assert found.warnings == ()


def test_the_hash_is_that_of_the_bytes():
    data = json.dumps(V2).encode()
    assert load(data, "table.json").sha256 == hashlib.sha256(data).hexdigest()
    assert load(data + b"\n", "table.json").sha256 != load(data, "table.json").sha256


@pytest.mark.parametrize("name", ["table.json", "table.yaml"])
@given(data=st.binary(max_size=120) | st.text('{}[]":,0123.eE-+ \n\ttrufalsn', max_size=120).map(str.encode))
@examples(100)
def test_whatever_the_bytes_are_nothing_but_a_policy_error_leaves_the_loader(name, data):
    with pytest.raises(PolicyError):
        load(data, name)


@pytest.mark.parametrize(
    ("span", "seconds"),
    [("24h", 86_400), ("90 minutes", 5400), ("2D", 172_800), ("1w", 604_800), ("45s", 45), (" 10 min ", 600)],
)
def test_a_window_that_is_spelt_as_a_span_is_told_in_seconds(span, seconds):
    with pytest.raises(PolicyError) as caught:
        loaded(changed(V2, window_seconds=span), "table.yaml")
    (problem,) = caught.value.problems
    assert problem.hint == f"write {seconds}"
    assert problem.fix.text == str(seconds)
