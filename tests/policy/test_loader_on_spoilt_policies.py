"""Policies spoilt at random: refused at places of the file, or loaded, and then every request is one decision."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples
from tests.policy.test_reader_corpus import CASES, FOLDER
from tests.runner.gates import BUILT_IN, request

from gatewright.errors import PolicyError
from gatewright.policy.loader import load
from gatewright.runner import Gate
from gatewright.runner.explain import explain

ROOT = Path(__file__).parents[2]
SMALL = b"""gatewright: 1
policy: small
stage: check
params: {most: 8, names: [codex, fable]}
codes: {MINE: a code of this policy}
rules:
  - {id: a, deny: agents > params.most, override: tier_override, message: "{agents} are too many"}
  - id: b
    when: >
      has(labels.team)
      and runtime in params.names
    require: labels.team == "core"
    code: MINE
  - {use: dispatch-budget, with: {max_chars: 1000}, levels: {BUDGET_EXCEEDED: warn}}
exceptions:
  - {id: c, code: MINE, until: 2026-12-31, when: agents < 2, reason: r, owner: o}
"""
WHOLE = [SMALL, (ROOT / "policies" / "check.yaml").read_bytes()]
WHOLE += [(FOLDER / case["file"]).read_bytes() for case in CASES if case["level"] == "schema"]
SIGNS = "- : # ' \" [ ] { } , | &a *a !t <<: % ? ~ null true 0x1 010 1e400 .inf \\ \\u0000 é \u202e {agents} {{ == ="
WORDS = "deny require warn when use with level off note locked id code freeze agents labels.team has( default( in"
BLANKS = [
    "",
    "\n",
    " ",
    "  ",
    "\t",
    ": ",
    " #",
    "|\n",
    ">-\n",
    "---\n",
    "...\n",
    " and ",
    " or ",
    "not ",
    "\r",
    "\u00a0",
    "\x00",
]
PIECES = [piece.encode() for piece in [*SIGNS.split(), *WORDS.split(), *BLANKS, "9" * 30, "[" * 30]] + [b"\xff"]


@st.composite
def spoilt(draw):
    """A policy with a few pieces put in, taken out or doubled."""
    data = draw(st.sampled_from(WHOLE))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + 12)))
        data = data[:start] + draw(st.sampled_from([*PIECES, data[start:end] * 2])) + data[end:]
    return data


def loaded(data):
    """The policy in some bytes, or the problems for which they are none; anything but our own error gets out."""
    try:
        return load(data, "spoilt.yaml", BUILT_IN), ()
    except PolicyError as error:
        return None, error.problems


@examples(500)
@given(spoilt())
def test_a_spoilt_policy_is_refused_at_its_places_or_decides_whatever_it_is_asked(data):
    policy, problems = loaded(data)
    lines = data.count(b"\n") + 1
    for problem in [*problems, *(policy.warnings if policy is not None else ())]:
        assert 1 <= problem.place.line <= lines
        assert problem.place.column >= 1
        assert problem.message
        assert problem.message.isprintable()
        assert problem.hint.isprintable()
    if policy is not None:
        gate = Gate(policy, BUILT_IN)
        for facts in (request(), request(agents=9), {}):
            assert gate.decide(facts).allow is explain(gate, gate.admit(facts)).decision.allow


HEAD = b"gatewright: 1\npolicy: small\nstage: check\nrules:\n"


@pytest.mark.parametrize(
    "rule",
    [
        b"  - id: >\n      two\n      words\n    deny: agents > 8\n",
        b"  - id: a\n    deny: agents > 8\n    code: |\n      ONE\n      TWO\n",
        b"  - use: |\n      no-such\n      rule\n",
        b"  - id: a\n    deny: agents > 8\n    level: |\n      de\n      ny\n",
        b'  - {id: a, deny: agents > 8, "ke\\ny": 1}\n',
    ],
)
def test_a_problem_stays_on_one_line_whatever_it_quotes(rule):
    _, problems = loaded(HEAD + rule)
    assert problems
    assert all(f"{problem.message}{problem.hint}".isprintable() for problem in problems)
