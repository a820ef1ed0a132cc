"""`probe screen` as other programs meet it: one object, and a status that says whether something stands in the way."""

import pytest

LIMIT = "■ You've hit your usage limit. Try again in 2 hours.\n\n› Explain it\n"
READY = "› Ask Codex to do anything\n"
BUSY = "• Working (7s • esc to interrupt)\n\n› Explain it\n"
TRUST = "Trust this folder?\n\n› 1. Trust and continue\n"


@pytest.mark.parametrize(
    ("text", "code", "shows", "kind"),
    [
        (LIMIT, 2, "limit", "quota"),
        (TRUST, 2, "hook-trust", "trust"),
        (READY, 0, "prepared-prompt", None),
        (BUSY, 0, "busy", None),
        ("something else\n", 0, "unknown", None),
    ],
)
def test_one_screen_has_a_class_and_a_status(place, text, code, shows, kind):
    result = place.run("probe", "screen", "--file", place.write("now.txt", text), "--json")
    assert (result.code, result.json["class"], result.json["gate_kind"]) == (code, shows, kind)


def test_standard_input_is_a_screen_too(place):
    result = place.run("probe", "screen", "--file", "-", "--json", "--at", "2026-05-04T10:00:00Z", stdin=LIMIT.encode())
    assert result.json == {
        "class": "limit",
        "gate_kind": "quota",
        "marker": "You've hit your usage limit",
        "product": "codex",
        "reset_at": "2026-05-04T12:00:00Z",
        "reset_text": "Try again in 2 hours",
        "screen": "codex-usage-limit",
    }


@pytest.mark.parametrize(
    ("before", "after", "code", "delivery"),
    [(READY, BUSY, 0, "agent-started"), (READY, TRUST, 2, "hook-trust"), (READY, READY, 0, "unknown")],
)
def test_two_screens_are_a_delivery(place, before, after, code, delivery):
    files = "--before", place.write("a.txt", before), "--file", place.write("b.txt", after)
    result = place.run("probe", "screen", *files, "--json")
    assert (result.code, result.json["delivery"]) == (code, delivery)


@pytest.mark.acceptance("D05", "D16")
def test_no_evidence_tells_where_to_look_and_not_to_send_again(place):
    files = "--before", place.write("a.txt", READY), "--file", place.write("b.txt", READY)
    shown = place.run("probe", "screen", *files, "-f", "table").stdout
    assert "delivery: unknown\nDELIVERY_UNVERIFIED: read the terminal itself" in shown
    assert "do not send the task again" in shown


@pytest.mark.acceptance("D18")
def test_a_transcript_with_the_task_in_it_is_evidence(place):
    task = "Read the contract and carry it out."
    files = "--before", place.write("a.txt", READY), "--file", place.write("b.txt", READY)
    wrote = place.write("session.jsonl", f'{{"role": "user", "content": "{task}"}}\n')
    told = place.run("probe", "screen", *files, "--task", task, "--transcript", wrote, "--json").json
    assert (told["delivery"], told["evidence"]) == ("agent-started", "transcript")


def test_screens_of_ones_own_are_known_by_flag_and_by_project(place):
    own = "screens:\n  mine: {product: mine, class: hook-trust, gate_kind: approval, markers: [May I?]}\n"
    place.write("own.yaml", own)
    words = "probe", "screen", "--file", place.write("now.txt", "May I? (y/n)\n"), "--json"
    assert place.run(*words).json["class"] == "unknown"
    assert place.run(*words, "--markers", "own.yaml").json["screen"] == "mine"
    place.write("gatewright.toml", 'markers = "own.yaml"\n')
    assert place.run(*words).json["screen"] == "mine"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--file", "none.txt"), 64, "none.txt: there is no such file"),
        (("--file", "-", "--before", "-"), 64, "`-` is given twice"),
        (("--file", "-", "--at", "noon"), 64, "`--at noon` is no time with a zone"),
        (("--file", "-", "--transcript", "-"), 64, "`--transcript` without `--task` confirms nothing"),
        (("--file", "-", "--markers", "bad.yaml"), 1, "bad.yaml:1:1: required key `screens` is missing"),
    ],
)
def test_what_cannot_be_used_is_told(place, words, code, said):
    place.write("bad.yaml", "{}\n")
    result = place.run("probe", "screen", *words)
    assert (result.code, result.stdout) == (code, "")
    assert said in result.stderr


@pytest.mark.parametrize("data", [b"", b"\x00\xff\xfe", b"\x1b[" * 100_000, b"\x1b]8;;" + b"x" * 100_000])
def test_bytes_of_any_kind_are_a_screen(place, data):
    (place.cwd / "now.txt").write_bytes(data)
    result = place.run("probe", "screen", "--file", "now.txt", "--json")
    assert (result.code, result.json["class"]) == (0, "unknown")


def test_lint_fmt_and_schema_know_lists_of_screens(place):
    place.write("all/m.yaml", "screens:\n  a: {product: x, clas: limit, markers: [b]}\n")
    (problem,) = place.run("lint", "all", "--json").json
    assert (problem["check"], problem["column"], problem["hint"]) == ("markers", 19, "did you mean `class`?")
    place.write("all/m.yaml", "screens:\n  a: {product: x,   class: limit, markers: [b]}\n")
    assert place.run("fmt", "all").code == 0
    assert "{ product: x, class: limit, markers: [b] }" in (place.cwd / "all/m.yaml").read_text()
    assert place.run("schema", "markers").code == 0
