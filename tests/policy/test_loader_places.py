"""A mistake inside an expression is told at its very character, however the scalar is written."""

import pytest
from tests.runner.gates import HEAD
from tests.runner.mistakes import mistakes_of

RULE = "rules:\n  - id: a\n"


def places_in(condition: str) -> list[str]:
    return mistakes_of(f"{HEAD}{RULE}    deny: {condition}\n")


@pytest.mark.parametrize(
    ("condition", "place"),
    [
        ("agnts > 8", "6:11"),
        ("agents > 8 and runtim == 'x'", "6:26"),
        ("agents > eight", "6:20"),
        ('"agnts > 8"', "6:12"),
        ("\"agents > 8 and runtim == 'x'\"", "6:27"),
        ("\"agents\\t> 8 and runtim == 'x'\"", "6:28"),
        ("\"\\x61gents > 8 and runtim == 'x'\"", "6:30"),
        ("\"\\u0061gents > 8 and runtim == 'x'\"", "6:32"),
        ("'agnts > 8'", "6:12"),
        ("'agents > 8 and runtim == ''x'''", "6:27"),
        ("'runtime == ''x'' and agnts > 8'", "6:33"),
        ("|\n      agnts > 8", "7:7"),
        ("|\n      agents > 8\n      and runtim == 'x'", "8:11"),
        ("|-\n      agents > 8\n\n      and runtim == 'x'", "9:11"),
        (">\n      agents > 8\n      and runtim == 'x'", "8:11"),
        (">-\n      agents > 8\n      and runtime == 'x'\n      and labels.x == 5", "9:11"),
        (">\n\n      agents > 8\n        and runtim == 'x'", "9:13"),
        ("agents > 8\n      and runtim == 'x'", "7:11"),
        ("agents >\n      8 and\n\n      runtim == 'x'", "9:7"),
        ("\"agents > 8\n      and runtim == 'x'\"", "7:11"),
        ("\"agents > 8 \\\n      and runtim == 'x'\"", "7:11"),
        ("'agents > 8\n      and runtim == ''x'''", "7:11"),
        ("runtime == '모델' and runtim == 'x'", "6:31"),
        ("\"runtime == '모델' and runtim == 'x'\"", "6:32"),
        ("runtime == '😀' and runtim == 'x'", "6:30"),
    ],
)
def test_a_name_that_is_unknown_is_told_at_its_first_character(condition, place):
    assert [each.split()[0] for each in places_in(condition)] == [place]


@pytest.mark.parametrize(
    ("condition", "places"),
    [
        ("agnts > 8 and runtim == 'x'", ["6:11", "6:25"]),
        ("|\n      agnts > 8\n      and runtim == 'x'", ["7:7", "8:11"]),
        (">\n      agnts > 8\n      and runtim == 'x' and tiers == 'y'", ["7:7", "8:11", "8:29"]),
    ],
)
def test_every_mistake_of_an_expression_is_told_at_its_own_place(condition, places):
    assert [each.split()[0] for each in places_in(condition)] == places


@pytest.mark.parametrize(
    ("condition", "place"),
    [
        ("agents = 8", "6:18"),
        ("agents > 8 && runtime == 'x'", "6:22"),
        ("agents > 8 || runtime == 'x'", "6:22"),
        ("agents == '8'", "6:11"),
        ("window.usd > 8", "6:11"),
        ("matches(runtime, '(')", "6:28"),
        ("labels.team == 5", "6:11"),
        ("agents > 8 and", "6:25"),
        ("(agents > 8", "6:22"),
        ("agents", "6:11"),
    ],
)
def test_other_mistakes_are_told_where_they_stand(condition, place):
    assert [each.split()[0] for each in places_in(condition)] == [place]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_lines_are_counted_alike_with_either_line_end(line_end):
    text = f"{HEAD}{RULE}    deny: |\n      agents > 8\n      and runtim == 'x'\n".replace("\n", line_end)
    assert mistakes_of(text) == ["8:11 rules[0].deny"]


def test_a_byte_order_mark_moves_nothing():
    assert mistakes_of(f"\ufeff{HEAD}{RULE}    deny: agnts > 8\n") == ["6:11 rules[0].deny"]


def test_a_mistake_in_a_flow_map_is_told_at_its_character():
    assert mistakes_of(f"{HEAD}rules: [{{id: a, deny: agnts > 8}}]\n") == ["4:23 rules[0].deny"]


def test_a_mistake_in_when_is_told_under_its_own_path():
    text = f"{HEAD}{RULE}    when: agnts > 8\n    deny: runtim == 'x'\n"
    assert mistakes_of(text) == ["6:11 rules[0].when", "7:11 rules[0].deny"]


@pytest.mark.parametrize(
    ("message", "places"),
    [
        ("{agnts}", ["7:15"]),
        ('"{agnts}"', ["7:16"]),
        ("'{agents} of {runtim}'", ["7:28"]),
        ("|\n      {agents}\n      of {runtim}", ["9:11"]),
        ('"\\t{agnts}"', ["7:18"]),
        ("'it''s {agnts}'", ["7:22"]),
    ],
)
def test_a_mistake_in_a_message_is_told_at_its_character(message, places):
    quoted = f'"{message}"' if message.startswith("{") else message
    shift = 1 if quoted != message else 0
    found = mistakes_of(f"{HEAD}{RULE}    deny: agents > 8\n    message: {quoted}\n")
    expected = [f"{place.split(':')[0]}:{int(place.split(':')[1]) + shift}" for place in places]
    assert [each.split()[0] for each in found] == expected


def test_the_place_of_a_finding_is_that_of_its_condition():
    from tests.runner.gates import gate_of

    gate = gate_of("- id: a\n  deny: >-\n    agents > 8 and\n    runtime == 'x'\n")
    assert str(gate.decide({"agents": 9, "runtime": "x"}).findings[0].where) == "small.yaml:7:7"
