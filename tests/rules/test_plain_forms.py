"""A rule's plain form is true whenever the rule has something to say: nothing is passed over for speed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples
from tests.rules.calls import codes_of, fires

from gatewright.expressions.kinds import INT_MAX, INT_MIN, Kind
from gatewright.model import (
    CommitRules,
    Contract,
    ContractTerms,
    Host,
    Job,
    Launch,
    MeasuredModel,
    Mentions,
    Orchestration,
    PendingChecks,
    Placement,
    Registration,
    Surface,
    TicketChoice,
    TicketPath,
    TierPolicy,
    Window,
)
from gatewright.model.deliveries import ShownScreen, Worker
from gatewright.model.screens import GateKind, PaneClass
from gatewright_rules import RULES

TEXTS = st.one_of(
    st.sampled_from(
        [
            "",
            " ",
            "\t",
            "\xa0",
            "\u3000",
            "x",
            "!",
            "~",
            "~x",
            "\x7f",
            "codex",
            "fable",
            "orchestration",
            "unknown",
            "hook-trust",
            "limit",
            "gpt-5.5",
            " gpt-5.5",
            "gpt-5.5\xa0",
            "denied",
            "unlisted",
            "allowed",
            "/home/eve",
            "/home/ann",
            "모델",
            "a" * 32,
            "a" * 33,
            "\x1c",
            "\x85",
            "\u2028",
            "\ufeff",
            "\u200b",
        ]
    ),
    st.text(max_size=6),
)
COUNTS = st.one_of(
    st.sampled_from([INT_MIN, -1, 0, 1, 2, 8, 9, 499_999, 500_000, 500_001, 1_000_000, 1_000_001, INT_MAX]),
    st.integers(INT_MIN, INT_MAX),
)
MAYBE_COUNTS = st.none() | COUNTS
NOUNS = {
    Host: st.builds(Host, master=TEXTS, measured=st.booleans()),
    Launch: st.builds(Launch, runs=st.booleans()),
    ShownScreen: st.builds(ShownScreen.of, st.sampled_from(PaneClass), st.none() | st.sampled_from(GateKind)),
    Worker: st.builds(Worker, alive=st.none() | st.booleans()),
    Contract: st.builds(
        Contract,
        path=TEXTS,
        readable=st.booleans(),
        mentions=st.builds(
            Mentions,
            mcp=st.booleans(),
            trust=st.booleans(),
            worktree_as_root=st.booleans(),
            paths=st.lists(TEXTS, max_size=3),
        ),
    ),
    TierPolicy: st.builds(
        TierPolicy,
        path=TEXTS,
        loaded=st.booleans(),
        unknown_model=st.sampled_from([None, "deny", "warn"]),
    ),
    Window: st.builds(Window, used=MAYBE_COUNTS, cap=MAYBE_COUNTS),
    TicketPath: st.builds(TicketPath, inside=st.booleans(), path=st.none() | TEXTS),
    Job: st.builds(Job, proven=st.booleans(), content=st.booleans()),
    Orchestration: st.builds(Orchestration, required=st.booleans(), failure=st.none() | TEXTS),
    MeasuredModel: st.builds(
        MeasuredModel,
        measured=st.none() | TEXTS,
        judged=st.none() | TEXTS,
        models=st.lists(TEXTS, max_size=2).map(tuple),
        probe_given=st.booleans(),
        probe_failed=st.booleans(),
    ),
    TicketChoice: st.builds(
        TicketChoice,
        state=st.sampled_from(["one", "expired", "absent", "none", "several", ""]),
        age=st.none() | st.sampled_from([0.0, 600.0, 601.0]),
    ),
    PendingChecks: st.builds(PendingChecks, count=COUNTS, model=st.none() | TEXTS),
    ContractTerms: st.builds(
        ContractTerms,
        path=TEXTS,
        readable=st.booleans(),
        sha256=st.none() | st.sampled_from(["a", "b"]),
        model_required=st.booleans(),
    ),
    Registration: st.builds(
        Registration,
        found=st.booleans(),
        contract_sha=st.none() | st.sampled_from(["a", "b"]),
        verified=st.booleans(),
        escalated=st.booleans(),
    ),
    Surface: st.builds(Surface, known=st.booleans(), outside=st.lists(TEXTS, max_size=12).map(tuple)),
    CommitRules: st.builds(CommitRules, violations=st.lists(TEXTS, max_size=2).map(tuple)),
    Placement: st.builds(
        Placement,
        given=st.booleans(),
        problem=st.none() | TEXTS,
        in_expected_worktree=st.none() | st.booleans(),
        is_master_checkout=st.none() | st.booleans(),
    ),
}


def strategy_of(wanted):
    """Values of a fact's or an option's type."""
    if wanted.type.noun is not None:
        noun = NOUNS[wanted.type.noun]
        return st.none() | noun if wanted.type.optional else noun
    plain = {
        Kind.TEXT: TEXTS,
        Kind.INTEGER: COUNTS,
        Kind.BOOLEAN: st.booleans(),
        Kind.MAP: st.dictionaries(TEXTS, TEXTS, max_size=3),
        Kind.LIST: st.lists(TEXTS, max_size=3).map(tuple if wanted.annotation is not list[str] else list),
    }[wanted.type.kind]
    return st.none() | plain if wanted.type.optional else plain


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
@given(data=st.data())
@examples(100)
def test_whenever_a_rule_yields_something_its_plain_form_is_true(rule, data):
    inputs = {wanted.name: data.draw(strategy_of(wanted), wanted.name) for wanted in rule.wants}
    for option in rule.options:
        if data.draw(st.booleans(), f"set {option.name}"):
            inputs[option.name] = data.draw(strategy_of(option), option.name)
    asked = fires(rule, **inputs)
    try:
        found = codes_of(rule, **inputs)
    except Exception:  # noqa: BLE001  a rule that raises has something to say: RULE_ERROR
        found = ["RULE_ERROR"]
    assert asked or not found
