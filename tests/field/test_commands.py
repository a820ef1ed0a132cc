"""Field cases on contracts, budgets and the command line, each as a process."""

import hashlib
import json
import os

import pytest
from tests.cli import tables
from tests.cli.processes import DISPATCH_GATE, GATEWRIGHT
from tests.field.cases import data, expected, values

PROGRAMS = pytest.mark.parametrize("program", [GATEWRIGHT, DISPATCH_GATE])


@pytest.mark.acceptance("CO-01")
@PROGRAMS
def test_line_ends_are_part_of_the_hash(place, program):
    shas = {
        kind: place.check(program=program, contract=place.write("job.md", data("CO-01", f"job.{kind}.md"))).json[
            "contract_sha"
        ]
        for kind in ("lf", "crlf")
    }
    assert shas == {"lf": expected("CO-01")["sha_lf"], "crlf": expected("CO-01")["sha_crlf"]}


def _variant(place, kind):
    path = place.cwd / "job.md"
    if kind == "a directory":
        path.mkdir()
    elif kind == "dangling symlink":
        path.symlink_to("nowhere")
    elif kind == "file without read permission":
        path.write_text("secret")
        path.chmod(0)
    return "" if kind == "empty path string" else "job.md"


@pytest.mark.acceptance("CO-03")
@PROGRAMS
@pytest.mark.parametrize("kind", values("CO-03")["variants"])
def test_an_unreadable_contract_ends_in_one_decision(place, program, kind):
    words = place.request(contract=_variant(place, kind))
    result = place.run(*words, program=program, held_to_modes=True)
    assert (result.code, result.json["allow"], result.json["reason"]) == (
        expected("CO-03")["exit"],
        expected("CO-03")["allow"],
        expected("CO-03")["reason"],
    )


@pytest.mark.acceptance("BU-01")
def test_a_limit_of_zero_means_zero(place):
    limit, request = values("BU-01")["policy_limits"]["single_chars"], values("BU-01")["request"]
    result = place.check(
        "--param", f"max_chars={limit}", agents=str(request["agents"]), est_chars=str(request["est_chars"])
    )
    assert (result.code, result.json["reason"]) == (expected("BU-01")["exit"], expected("BU-01")["reason"])


@pytest.mark.acceptance("BU-03")
@PROGRAMS
@pytest.mark.parametrize("chars", values("BU-03")["est_chars_values"])
def test_a_size_that_is_no_number_of_characters_is_never_allowed(place, program, chars):
    result = place.check(program=program, est_chars=chars)
    assert result.code in (2, 64)
    assert not result.stdout or result.json["allow"] is False


@pytest.mark.acceptance("CL-01")
@PROGRAMS
@pytest.mark.parametrize(
    ("flags", "code"), [({"model": "brand-new-model"}, 0), ({"runtime": "fable", "agents": "2"}, 2)]
)
def test_the_verdict_alone_is_on_stdout(place, program, flags, code):
    result = place.check(program=program, **flags)
    assert result.code == code
    assert json.loads(result.stdout)["allow"] is (code == 0)
    assert result.stdout.count("\n") == 1
    assert result.stdout.endswith("\n")
    assert all(line.startswith(f"{program}: ") for line in result.stderr.splitlines())


@pytest.mark.acceptance("CL-03")
@PROGRAMS
@pytest.mark.parametrize("words", values("CL-03")["argv_variants"])
def test_a_wrong_call_is_no_denial(place, program, words):
    result = place.run(*words, program=program)
    assert result.code in expected("CL-03")["exit_in"]
    assert result.stdout == ""


@pytest.mark.acceptance("CL-05")
@PROGRAMS
def test_the_table_comes_from_the_flag_then_the_variable_then_the_project(place, program):
    given = values("CL-05")
    sources = ["a.yaml", "b.yaml", given["instance"], given["template"]]
    for cap, name in enumerate(sources, 1):
        place.write(name, json.dumps({"version": 2, "tiers": {"all": ["gpt-5.5"]}, "fanout_caps": {"all": cap}}))
    runs = [(given["argv"], given["env"], expected("CL-05")["source"])]
    runs += [(also["argv"], also.get("env", given["env"]), also["source"]) for also in given["also"]]
    for argv, env, source in runs:
        decision = place.run(*place.request(agents="50"), *argv, program=program, **env).json
        assert decision["findings"][0]["data"]["cap"] == sources.index(source) + 1


@pytest.mark.acceptance("CL-05")
def test_the_decision_keeps_path_and_hash_of_the_table(place):
    table = tables.small(place)
    decision = place.check(tier_policy=table).json
    assert os.path.basename(decision["tier_policy"]["path"]) == table
    assert decision["tier_policy"]["sha256"] == hashlib.sha256((place.cwd / table).read_bytes()).hexdigest()
