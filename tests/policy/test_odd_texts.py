"""Texts in conditions that load and can hardly be what was meant: a warning at the text, with what to write."""

import pytest
from tests.runner.gates import policy_of


def warned(condition):
    policy = policy_of(f"rules:\n  - id: r\n    deny: >-\n      {condition}\n")
    return [(found.place.column - 7, found.hint) for found in policy.warnings if found.check == "EXPR_TEXT"]


@pytest.mark.parametrize(
    ("condition", "at", "hint"),
    [
        ('starts_with("co", runtime)', '"co"', 'write `starts_with(runtime, "co")`'),
        ('ends_with("ex", lower(runtime))', '"ex"', 'write `ends_with(lower(runtime), "ex")`'),
        ('contains("codex", runtime)', '"codex"', 'write `contains(runtime, "codex")`'),
        ('starts_with(runtime, "^co")', '"^co"', 'write `starts_with(runtime, "co")`'),
        ('ends_with(runtime, "ex$")', '"ex$"', 'write `ends_with(runtime, "ex")`'),
        ('contains(runtime, "*ode*")', '"*ode*"', 'write `contains(runtime, "ode")`'),
        ('runtime == "co*"', '"co*"', 'write `starts_with(runtime, "co")`'),
        ('runtime != "*ex"', '"*ex"', 'write `ends_with(runtime, "ex")`'),
        ('runtime in ["claude", "*ode*"]', '"*ode*"', 'write `contains(runtime, "ode")`'),
        ('"co*" == runtime', '"co*"', 'write `starts_with(runtime, "co")`'),
        ('lower(runtime) == "Codex"', '"Codex"', 'write `"codex"`'),
        ('lower(runtime) in ["codex", "Claude"]', '"Claude"', 'write `"claude"`'),
        ('starts_with(lower(runtime), "Co")', '"Co"', 'write `"co"`'),
        ('model == "null"', '"null"', "write `null`, without quotes"),
        ('model not in ["None"]', '"None"', "write `null`, without quotes"),
        ('now.weekday == "saturday"', '"saturday"', "`sat`"),
        ('now.weekday in ["sat", "Sun"]', '"Sun"', "did you mean `sun`?"),
        ('vendor == "anthropic"', '"anthropic"', "one of `claude`, `codex`, `gemini`, `grok`, `unknown`"),
        ('now.time < "9:00"', '"9:00"', 'write `"09:00"`'),
        ('now.time > "18.00"', '"18.00"', ""),
        ('now.time == "18"', '"18"', ""),
        ('now.time < "9:00:30"', '"9:00:30"', ""),
        ('now.date >= "2026-1-5"', '"2026-1-5"', 'write `"2026-01-05"`'),
        ('now.date >= "05.01.2026"', '"05.01.2026"', ""),
        ('runtime == "c\u043edex"', '"c\u043edex"', "write the word anew"),
        ('runtime in ["claude", "c\u043edex"]', '"c\u043edex"', "write the word anew"),
        ('now.text < "2026-1-5"', '"2026-1-5"', 'write `"2026-01-05"`'),
    ],
)
def test_a_text_that_can_hardly_be_meant_is_told_at_its_place(condition, at, hint):
    ((column, told),) = warned(condition)
    assert condition[column:].startswith(at)
    assert hint in told


@pytest.mark.parametrize(
    "condition",
    [
        'starts_with(runtime, "co")',
        "starts_with(runtime, lower(runtime))",
        'contains(runtime, "*") or contains(runtime, "$")',
        'runtime == "*"',
        'runtime == "a*b"',
        'runtime == "null"',
        'lower(runtime) == "codex"',
        'runtime == "Codex"',
        'now.weekday in ["sat", "sun"] or vendor == "unknown"',
        'now.weekday > "m"',
        'now.time >= "22:00" or now.time < "06"',
        'now.date >= "2026-12" and now.date <= "2026-12-31"',
        'now.text < "2026-12-01T08:00:00Z" and now.text > "2026-12-01T08"',
        "now.time == now.date",
        'runtime == "\u043a\u043e\u0434 codex \u03b1"',
    ],
)
def test_a_text_that_may_be_meant_is_not(condition):
    assert warned(condition) == []
