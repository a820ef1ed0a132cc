"""Which tier table is in force: flag, variable, two places of a project, the shipped one; no falling through."""

import hashlib
import json

import pytest
from tests.cli.processes import DISPATCH_GATE, GATEWRIGHT

from gatewright.shipped import shipped

PROGRAMS = pytest.mark.parametrize("program", [GATEWRIGHT, DISPATCH_GATE])
#: From the strongest to the weakest; each table has a cap of its own, so that a denial tells which one was used.
FLAG, VARIABLE, INSTANCE, TEMPLATE = (
    "flag.yaml",
    "variable.yaml",
    "config/model-tier-policy.json",
    "master-ops/model-tier-policy.json",
)
CAPS = {FLAG: 11, VARIABLE: 12, INSTANCE: 13, TEMPLATE: 14}
SHIPPED_CAP = 8


def _furnish(place):
    for name, cap in CAPS.items():
        place.write(name, json.dumps({"version": 2, "tiers": {"all": ["gpt-5.5"]}, "fanout_caps": {"unknown": cap}}))


def _asked(place, program, *, flag=True, variable=True):
    """A request for more agents of an unknown model than any table allows."""
    words = place.request(model="brand-new-model", agents="100", **({"tier_policy": FLAG} if flag else {}))
    environment = {"DISPATCH_TIER_POLICY": VARIABLE} if variable else {}
    return place.run(*words, program=program, **environment)


def _cap(result):
    return next(each["data"]["cap"] for each in result.json["findings"] if each["code"] == "TIER_FANOUT_CAP")


@pytest.mark.acceptance("P01", "CL-05")
@PROGRAMS
def test_the_next_source_counts_only_when_the_stronger_ones_are_absent(place, program):
    _furnish(place)
    assert _cap(_asked(place, program)) == CAPS[FLAG]
    assert _cap(_asked(place, program, flag=False)) == CAPS[VARIABLE]
    assert _cap(_asked(place, program, flag=False, variable=False)) == CAPS[INSTANCE]
    (place.cwd / INSTANCE).unlink()
    assert _cap(_asked(place, program, flag=False, variable=False)) == CAPS[TEMPLATE]
    (place.cwd / TEMPLATE).unlink()
    assert _cap(_asked(place, program, flag=False, variable=False)) == SHIPPED_CAP


@pytest.mark.acceptance("P01", "C13", "P20", "CL-05")
@PROGRAMS
def test_the_decision_names_the_table_by_path_and_digest(place, program):
    _furnish(place)
    digests = []
    for used, flag, variable in (
        (FLAG, True, True),
        (VARIABLE, False, True),
        (INSTANCE, False, False),
        (TEMPLATE, False, False),
    ):
        table = _asked(place, program, flag=flag, variable=variable).json["tier_policy"]
        assert (place.cwd / table["path"]).samefile(place.cwd / used)
        assert table["sha256"] == hashlib.sha256((place.cwd / used).read_bytes()).hexdigest()
        digests.append(table["sha256"])
        (place.cwd / used).unlink()
    table = _asked(place, program, flag=False, variable=False).json["tier_policy"]
    with open(f"{shipped('policies')}/tiers.yaml", "rb") as file:
        assert table["sha256"] == hashlib.sha256(file.read()).hexdigest()
    assert len({*digests, table["sha256"]}) == 5


@pytest.mark.acceptance("P02", "P04", "PA-11", "CL-05")
@PROGRAMS
@pytest.mark.parametrize("named", ["flag", "variable"])
def test_a_named_table_that_is_missing_is_replaced_by_no_other(place, program, named):
    _furnish(place)
    (place.cwd / (FLAG if named == "flag" else VARIABLE)).unlink()
    decision = _asked(place, program, flag=named == "flag").json
    assert decision["reason"] == "TIER_POLICY_UNAVAILABLE"
    assert f"tier_policy={FLAG if named == 'flag' else VARIABLE}" in decision["message"]
    assert "TIER_FANOUT_CAP" not in decision["reasons"]


@pytest.mark.acceptance("P02")
@PROGRAMS
def test_a_table_that_is_named_by_an_empty_text_is_a_missing_one(place, program):
    _furnish(place)
    assert place.check(program=program, tier_policy="").json["reason"] == "TIER_POLICY_UNAVAILABLE"


@PROGRAMS
def test_an_empty_variable_names_no_table(place, program):
    result = place.run(*place.request(), program=program, DISPATCH_TIER_POLICY="")
    assert result.json["reason"] == "OK"


@pytest.mark.acceptance("P03", "P04")
@pytest.mark.parametrize("place_of", [INSTANCE, TEMPLATE])
def test_a_broken_table_in_a_place_of_the_project_is_replaced_by_no_other(place, place_of):
    place.write(place_of, "{")
    decision = place.check().json
    assert decision["reason"] == "TIER_POLICY_UNAVAILABLE"
    assert place_of in decision["message"]


def test_a_folder_in_the_place_of_a_table_is_no_table(place):
    (place.cwd / INSTANCE).mkdir(parents=True)
    assert place.check().json["reason"] == "OK"


def test_the_project_file_names_a_table_that_counts_before_the_two_places(place):
    _furnish(place)
    place.write("own.yaml", "version: 2\ntiers: {all: [gpt-5.5]}\nfanout_caps: {unknown: 7}\n")
    place.write("gatewright.toml", 'tiers = "own.yaml"\n')
    assert _cap(_asked(place, GATEWRIGHT, flag=False, variable=False)) == 7
    assert _cap(_asked(place, GATEWRIGHT, flag=False)) == CAPS[VARIABLE]
