"""`gatewright probe model` as other programs meet it: what it prints, and how it exits."""

import json
import os

import pytest
from tests.probes.transcripts.sessions import CHEAP, DEAR, NEWEST, answer, answers, task, write

TIERS = json.dumps(
    {"version": 2, "tier_order": ["top", "low"], "tiers": {"top": [DEAR], "low": [CHEAP]}, "fanout_caps": {}}
)


def transcript(place, *rows, name="t.jsonl"):
    write(place.cwd / name, task(), *rows)
    return name


@pytest.mark.acceptance("M02", "M03")
@pytest.mark.parametrize("by_variable", [False, True])
@pytest.mark.parametrize(
    ("models", "expected", "code", "line"),
    [
        ([CHEAP] * 3, CHEAP, 0, f"MODEL-PROBE OK {CHEAP} 3/3"),
        (
            [CHEAP, DEAR, CHEAP],
            DEAR,
            2,
            f"MODEL-PROBE DRIFT: {CHEAP}=2, {DEAR}=1; expected {DEAR}, judged {DEAR}: MODEL_MISMATCH",
        ),
        ([DEAR], CHEAP, 2, f"MODEL-PROBE DRIFT: {DEAR}=1; expected {CHEAP}: MODEL_TIER_ESCALATION"),
        ([], CHEAP, 5, "MODEL-PROBE UNVERIFIED: there is no answer in it yet"),
    ],
)
def test_the_first_line_and_the_exit_say_how_it_stands(place, by_variable, models, expected, code, line):
    place.write("tiers.json", TIERS)
    words = ["probe", "model", "--transcript", transcript(place, *answers(*models)), "--tier-policy", "tiers.json"]
    given = {"MODEL_IDENTITY_EXPECT": expected} if by_variable else {}
    result = place.run(*words, *([] if by_variable else ["--expect", expected]), **given)
    assert (result.code, result.stdout.splitlines()[0], result.stderr) == (code, line, "")


@pytest.mark.acceptance("M02", "M04")
def test_without_an_expectation_the_last_ten_answers_are_told_and_nothing_is_judged(place):
    file = transcript(place, *answers(*[NEWEST] * 4, *[CHEAP] * 7, *[DEAR] * 3))
    result = place.run("probe", "model", "--transcript", file)
    assert result.code == 0
    line = f"MODEL-PROBE INFO {CHEAP}=7, {DEAR}=3: no model is expected, so nothing is judged"
    assert result.stdout.splitlines()[0] == line


@pytest.mark.acceptance("M04")
@pytest.mark.parametrize(
    "words", [("--limit", "0"), ("--limit", "-1"), ("--since", "soon"), ("--json", "--print-model")]
)
def test_a_wrong_call_is_neither_met_nor_missed(place, words):
    assert place.run("probe", "model", "--transcript", transcript(place), *words).code == 64


def test_a_drift_that_lies_further_back_than_the_last_answers_is_named(place):
    file = transcript(place, *answers(DEAR, CHEAP, CHEAP))
    result = place.run("probe", "model", "--transcript", file, "--expect", CHEAP, "--limit", "2")
    told = f"MODEL-PROBE DRIFT: {CHEAP}=2; earlier {DEAR}=1; expected {CHEAP}, judged {DEAR}: MODEL_TIER_ESCALATION"
    assert (result.code, result.stdout.splitlines()[0]) == (2, told)


def test_a_runtime_of_the_projects_own_may_write_another_ones_transcripts(place):
    place.write("gatewright.toml", 'runtimes = "runtimes.yaml"\n')
    place.write("runtimes.yaml", "runtimes:\n  mine:\n    launch: [mine]\n    transcripts: claude\n")
    tree = str(place.cwd.resolve())
    folder = place.home / ".claude" / "projects" / "".join(each if each.isalnum() else "-" for each in tree)
    write(folder / "s.jsonl", task(cwd=tree), *answers(CHEAP))
    found = place.run("probe", "model", "--worktree", tree, "--runtime", "mine", "--json").json
    assert (found["measured"], found["found_by"], found["grade"]) == (CHEAP, "worktree", "served")


def test_a_tier_table_that_cannot_be_used_is_told(place):
    file = transcript(place, *answers(CHEAP))
    result = place.run("probe", "model", "--transcript", file, "--expect", CHEAP, "--tier-policy", "none.json")
    assert result.stdout.startswith(f"MODEL-PROBE OK {CHEAP} 1/1\n")
    assert result.stderr.startswith("gatewright: none.json: there is no such file\n")


@pytest.mark.parametrize("words", [("probe",), ("probe", "modle")])
def test_the_group_needs_a_command_that_there_is(place, words):
    assert place.run(*words).code == 64


@pytest.mark.acceptance("M12")
def test_the_last_line_can_be_the_judged_model_by_itself(place):
    place.write("tiers.json", TIERS)
    file = transcript(place, *answers(CHEAP), answer(DEAR, "s", isSidechain=True))
    result = place.run("probe", "model", "--transcript", file, "--print-model", "--tier-policy", "tiers.json")
    assert (result.code, result.stdout.splitlines()[-1]) == (0, DEAR)


@pytest.mark.acceptance("M07")
def test_json_says_that_nothing_was_measured(place):
    result = place.run("probe", "model", "--transcript", "none.jsonl", "--expect", CHEAP, "--json")
    found = result.json
    assert result.code == 5
    assert (found["measured"], found["judged"], found["verified"]) == (None, None, False)
    assert (found["grade"], found["reason"]) == ("unavailable", "MODEL_UNVERIFIED")
    assert found["notes"] == ["none.jsonl: there is no such file"]


def test_json_tells_all_of_it(place):
    rows = [*answers(CHEAP), answer("<synthetic>", "e"), answer(CHEAP, "s", isSidechain=True), "no json"]
    file = transcript(place, *rows)
    found = place.run("probe", "model", "--transcript", file, "--expect", CHEAP, "--json").json
    assert found == {
        "agreement": "OK",
        "declared": CHEAP,
        "distribution": {CHEAP: 1, "<synthetic>": 1},
        "format": "claude",
        "found_by": "named",
        "grade": "served",
        "judged": CHEAP,
        "looked_in": [],
        "measured": CHEAP,
        "models_seen": {CHEAP: 1},
        "notes": [],
        "placeholders": {"<synthetic>": 1},
        "reason": None,
        "requested": {},
        "rows": 4,
        "session_id": "7c0f3f3e-0000-4000-8000-00000000beef",
        "skipped": 1,
        "subagents": {CHEAP: 1},
        "transcript": "t.jsonl",
        "verified": True,
    }


def two(place):
    for at, (name, model) in enumerate((("old", CHEAP), ("new", NEWEST))):
        transcript(place, *answers(model), name=f"{name}.jsonl")
        os.utime(place.cwd / f"{name}.jsonl", (1_800_000_000 + at,) * 2)


@pytest.mark.acceptance("M01", "M08")
@pytest.mark.parametrize(
    ("words", "variable", "measured", "found_by"),
    [
        (("--transcript", "old.jsonl", "--glob", "*.jsonl"), "*.jsonl", CHEAP, "named"),
        (("--glob", "ol*.jsonl"), "*.jsonl", CHEAP, "caller glob"),
        ((), "*.jsonl", NEWEST, "MOGUI_TRANSCRIPT_GLOB"),
        ((), "", CHEAP, "config/instance-runtime.json"),
        (("--runtime", "grok"), "", NEWEST, "config/instance-runtime.json"),
        (("--runtime", "cursor"), "", None, ""),
    ],
)
def test_a_transcript_is_named_or_found_by_a_pattern_in_this_order(place, words, variable, measured, found_by):
    two(place)
    globs = {"codex": "old.jsonl", "grok": "n*.jsonl"}
    instance = {"master_host_runtime": "codex", "transcript_globs": globs}
    place.write("config/instance-runtime.json", json.dumps(instance))
    given = {"MOGUI_TRANSCRIPT_GLOB": variable} if variable else {}
    found = place.run("probe", "model", *words, "--json", **given).json
    assert (found["measured"], found["found_by"]) == (measured, found_by)


@pytest.mark.parametrize(
    "content",
    ["{", "[]", '{"transcript_globs": ["x"]}', '{"transcript_globs": {"codex": 1}}', '{"master_host_runtime": 1}'],
)
def test_an_instance_configuration_that_says_something_else_is_refused(place, content):
    place.write("own.json", content)
    result = place.run("probe", "model", MOGUI_INSTANCE_RUNTIME_CONFIG="own.json")
    assert (result.code, result.stdout) == (64, "")
    assert result.stderr.startswith("gatewright: own.json: ")


@pytest.mark.acceptance("M10", "M15")
@pytest.mark.parametrize(
    ("since", "code"), [("2026-11-20T08:00:00Z", 0), ("1795161600", 0), ("2026-11-20T08:00:01Z", 5)]
)
def test_the_worktree_and_the_time_of_the_check_say_whose_session_it_is(place, since, code):
    tree = str(place.cwd.resolve())
    folder = place.home / ".claude" / "projects" / "".join(each if each.isalnum() else "-" for each in tree)
    write(folder / "s.jsonl", task(cwd=tree), *answers(CHEAP))
    words = ["--worktree", f"path:{tree}", "--runtime", "claude", "--since", since, "--expect", CHEAP]
    result = place.run("probe", "model", *words, "--json")
    assert (result.code, result.json["found_by"]) == (code, "worktree")


def test_what_a_transcript_says_cannot_draw_on_a_terminal(place):
    file = transcript(place, *answers("\x1b[2Jgpt\u202e"))
    result = place.run("probe", "model", "--transcript", file)
    assert "\x1b" not in result.stdout
    assert "\u202e" not in result.stdout
