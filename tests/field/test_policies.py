"""Field cases on tables and policies that authors got wrong."""

import pytest
from tests.field.cases import data, expected, values

from gatewright.errors import PolicyError
from gatewright.policy import reader, tier_tables
from gatewright.policy.tree import plain

REFUSED = {
    "PA-01": ["fanout_cap"],
    "PA-03": ["fanout_caps"],
    "PA-05": ["top"],
    "PA-09": ["unknown", "high", "mid", "low", "top"],
}


@pytest.mark.acceptance("PA-01", "PA-03", "PA-05", "PA-09")
@pytest.mark.parametrize("name", REFUSED)
def test_a_table_with_a_mistake_denies_and_the_message_names_the_key(place, name):
    table = place.write("policy.yaml", data(name, "policy.yaml"))
    result = place.check(tier_policy=table)
    assert (result.code, result.json["reason"]) == (expected(name)["exit"], expected(name)["reason"])
    with pytest.raises(PolicyError) as error:
        tier_tables.load(data(name, "policy.yaml"), "policy.yaml")
    told = [f"{problem.path} {problem.message}" for problem in error.value.problems]
    for key in REFUSED[name]:
        assert any(key in each for each in told), key


@pytest.mark.acceptance("PA-01")
def test_a_misspelt_section_is_told_its_right_name():
    with pytest.raises(PolicyError) as error:
        tier_tables.load(data("PA-01", "policy.yaml"), "policy.yaml")
    (problem,) = error.value.problems
    assert (problem.place.line, problem.place.column) == (4, 1)
    assert "`fanout_caps`" in problem.hint


@pytest.mark.acceptance("PA-03")
def test_a_key_that_stands_twice_is_told_at_the_second_with_the_line_of_the_first():
    with pytest.raises(PolicyError) as error:
        tier_tables.load(data("PA-03", "policy.yaml"), "policy.yaml")
    (problem,) = error.value.problems
    assert (problem.place.line, problem.place.column) == (7, 1)
    assert "line 4" in problem.message


@pytest.mark.acceptance("PA-09")
def test_every_cap_that_is_no_whole_number_is_told_at_its_place():
    with pytest.raises(PolicyError) as error:
        tier_tables.load(data("PA-09", "policy.yaml"), "policy.yaml")
    assert {(problem.place.line, problem.place.column) for problem in error.value.problems} >= {
        (5, 12),
        (6, 9),
        (7, 8),
        (8, 8),
        (9, 8),
    }


@pytest.mark.acceptance("PA-07")
def test_a_time_of_day_without_quotes_is_text():
    tree = plain(reader.read(data("PA-07", "policy.yaml"), "policy.yaml").tree)
    (rule,) = tree["routing"]
    assert rule["from"] in expected("PA-07")["loaded_from_in"]
    assert rule["to"] == expected("PA-07")["loaded_to"]
    assert rule["from"] != values("PA-07")["pyyaml_safe_load"]["from"]


@pytest.mark.acceptance("PA-11")
@pytest.mark.parametrize("program", ["gatewright", "dispatch-gate"])
def test_a_table_that_the_flag_names_is_not_replaced_by_that_of_the_variable(place, program):
    place.write("policy.yaml", data("PA-11", "policy.yaml") + b"fanout_caps: {}\n")
    words = [*place.request(), *values("PA-11")["argv"]]
    result = place.run(*words, program=program, **values("PA-11")["env"])
    assert (result.code, result.json["reason"]) == (expected("PA-11")["exit"], expected("PA-11")["reason"])
    assert expected("PA-11")["policy_path_in_verdict"] in result.json["message"]
    sound = place.run(*place.request(), program=program, **values("PA-11")["env"])
    assert sound.json["reason"] == "OK"
