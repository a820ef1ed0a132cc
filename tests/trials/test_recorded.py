"""A recorded check as a request again: every fact that its decision rested on comes back from its row."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples
from tests.ledger.desks import START, FakeClock, Post, sqlite
from tests.trials.replays import entries, older

from gatewright.model import Contract, Mentions, Moment, TicketPath
from gatewright.trials.recorded import Reader, facts_of

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(["", " ", "'\"|`", "\u202e"])
REQUEST = st.fixed_dictionaries(
    {
        "runtime": TEXT,
        "agents": st.integers(-(2**70), 2**70),
        "model": st.none() | TEXT,
        "est_chars": st.none() | st.integers(-(2**63), 2**63 - 1),
        "completion_channel": st.none() | TEXT,
        "tier_override": st.none() | TEXT,
        "top_approved": st.none() | TEXT,
        "actor": st.none() | TEXT,
        "labels": st.dictionaries(TEXT, TEXT, max_size=2),
    }
)
CONTRACTS = st.sampled_from(
    ["", "Work.\n", "Use mcp__x and /home/me/a\n", "repo_root: /x/.orca/worktrees/y\ntrust it\n", "é\x00\u2028"]
)


@pytest.fixture(scope="module")
def desk(tmp_path_factory, check_gate):
    clock = FakeClock()
    folder = tmp_path_factory.mktemp("desk")
    return Post(sqlite(folder, clock), clock, folder, check_gate)


@examples(60)
@given(request=REQUEST, contract=CONTRACTS)
def test_a_row_tells_every_fact_of_its_request(desk, request, contract):
    desk.contract.write_text(contract, encoding="utf-8", newline="")
    (desk.folder / "known-roots.json").write_text(json.dumps({"roots": ["/srv"]}))
    decision = desk.check(**request)
    (check,) = list(Reader().checks(desk.ledger.rows()))[-1:]
    assert check.blanks == frozenset()
    for name, value in decision.facts.items():
        if name in check.facts:
            assert check.facts[name] == value, name
    asked = {name: value for name, value in request.items() if name != "est_chars"}
    assert {name: check.facts[name] for name in asked} == asked
    assert check.facts["now"] == Moment.at(desk.clock.now)
    assert (check.allow, check.reasons, check.warnings) == (
        decision.allow,
        decision.reasons,
        frozenset(decision.warnings),
    )


def test_a_list_that_is_too_long_for_a_row_is_not_told(desk):
    desk.contract.write_text("".join(f"/srv/{'x' * 40}/{number}\n" for number in range(200)))
    desk.check()
    (check,) = list(Reader().checks(desk.ledger.rows()))[-1:]
    assert check.blanks == {"contract.mentions"}


@pytest.mark.parametrize(
    ("more", "blanks"),
    [
        ({}, {"actor", "contract.chars", "contract.mentions", "contract.path", "known_roots", "labels"}),
        ({"contract_sha": None}, {"actor", "contract.error", "contract.path", "known_roots", "labels"}),
    ],
)
def test_a_row_of_the_older_gate_does_not_tell_what_that_gate_did_not_know(more, blanks):
    (entry,) = entries(older(0, **more))
    facts, found = facts_of(entry.row)
    assert found == blanks | {"tier_override", "top_approved"}
    assert facts["ticket_path"] == TicketPath(inside=True)
    assert isinstance(facts["contract"], Contract)
    assert facts["contract"].readable is ("contract_sha" not in more)
    assert facts["now"] == Moment.at(START)


def test_an_override_that_the_older_gate_used_is_known():
    (entry,) = entries(older(0, tier_override="the owner said so"))
    facts, blanks = facts_of(entry.row)
    assert facts["tier_override"] == "the owner said so"
    assert "tier_override" not in blanks


@pytest.mark.parametrize(
    "facts",
    [
        "text",
        7,
        [],
        {"contract": 7, "known_roots": {"a": 1}},
        {"contract": {"mentions": {"mcp": "yes"}, "chars": "many", "path": 7}},
        {"contract": {"mentions": {"unheard": True}}},
    ],
)
def test_facts_that_are_none_are_not_told_and_never_an_error(facts):
    (entry,) = entries(older(0, facts=facts))
    found, blanks = facts_of(entry.row)
    assert "known_roots" in blanks
    assert found["contract"].mentions == Mentions()


@pytest.mark.parametrize("ts", [None, "yesterday", 1e300, True, float("1e18")])
def test_a_row_without_a_time_counts_when_the_one_before_it_did(ts):
    checks = list(Reader().checks(entries(older(3), older(0, ts=ts))))
    assert [check.at for check in checks] == [START + 3 * 3600] * 2
    assert "now" in checks[1].blanks
