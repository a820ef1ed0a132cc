"""A check in one call of the database: when it is taken, and that it comes to the same as step by step."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples
from tests.ledger.desks import TABLE, FakeClock, Post
from tests.ledger.postgres import Stepwise, Timed, dump, fresh_database, server
from tests.ledger.test_rows import rows

from gatewright.app import Gate, catalog_of
from gatewright.ledger.errors import LedgerError
from gatewright.policy.loader import load
from gatewright.runner import Gate as CompiledGate


@pytest.fixture
def post(tmp_path, check_gate):
    clock = FakeClock()
    return Post(Timed(server().url(fresh_database()), clock), clock, tmp_path, check_gate)


@pytest.fixture
def steps(post, monkeypatch):
    """How many steps were taken statement by statement."""
    taken = []
    plain = post.ledger.writing
    monkeypatch.setattr(post.ledger, "writing", lambda: taken.append(1) or plain())
    return taken


def gate_of(rules):
    """The gate of a policy with these rules."""
    text = f"gatewright: 1\npolicy: p\nstage: check\nrules:\n{rules}"
    catalog = catalog_of()
    return CompiledGate(load(text.encode(), "p.yaml", catalog), catalog)


CAP = "  - use: fan-out-cap\n"


@pytest.mark.parametrize(
    ("rules", "once"),
    [
        (CAP, True),
        (CAP + "  - use: ledger-clock\n", True),
        (CAP + "  - {id: big, deny: agents > 5, code: TOO_BIG}\n", True),
        (CAP + "  - {id: half, warn: window.used > 3, code: HALF_USED}\n", False),
        (CAP + "  - {id: late, warn: 'now.weekday == \"sun\"', code: ON_SUNDAY}\n", False),
        (CAP + "  - {id: told, warn: agents > 3, code: MANY, message: 'used {window.used}'}\n", False),
        ("  - {use: fan-out-cap, when: window.cap > 3}\n", False),
        (CAP + "freeze: {until: 2000-01-01T00:00:00Z, reason: over}\n", False),
    ],
)
def test_one_call_is_enough_where_all_that_counts_is_room(post, steps, rules, once):
    post.gate = gate_of(rules)
    assert post.reasons(3, 4) == ["OK", "OK"]
    assert len(steps) == (0 if once else 2)


def test_the_shipped_policy_takes_one_call(post, steps):
    assert post.reasons(5, 3, 1) == ["OK", "OK", "TIER_FANOUT_CAP"]
    assert post.check(agents=1, tier_override="agreed").allow
    assert steps == []


@pytest.mark.parametrize("asked", [{"contract": "/nowhere/job.md"}, {"agents": 0}, {"model": None}, {"agents": 2**41}])
def test_what_is_out_of_the_ordinary_is_taken_in_steps(post, steps, asked):
    post.check(**asked)
    assert len(steps) == 1


def test_rows_with_odd_times_are_told_of(post, steps):
    with post.ledger.writing() as session:
        ahead = {"decision": "ALLOW", "n_agents": 1, "tier": "low", "ts": post.clock.now + 3600}
        session.append(ahead, {})
    steps.clear()
    assert post.check().warnings == ("LEDGER_CLOCK",)
    assert len(steps) == 1


def test_accounts_of_models_are_sorted_once_and_counted(post, steps):
    post.table({"version": 1, "worker_allowed": ["gpt-5.5"], "worker_denied_tiers": [], "unknown_model": "warn"})
    post.reasons(5, model="GPT-5.5")
    post.reasons(5, model="claude-opus-5")
    post.table(TABLE)
    steps.clear()
    assert post.reasons(4, 3, 1) == ["TIER_FANOUT_CAP", "OK", "TIER_FANOUT_CAP"]
    assert steps == []


asked = st.tuples(
    st.sampled_from(["gpt-5.5", "claude-opus-5", "never-heard-of"]),
    st.integers(1, 9),
    st.sampled_from([None, "agreed"]),
    st.sampled_from([None, None, "r-1", "r-2"]),
    st.sampled_from([0, 0, 1, 30_000, 86_400]),
)


@examples(12)
@given(st.lists(asked, min_size=1, max_size=8))
def test_one_call_comes_to_the_same_as_many_statements(tmp_path_factory, check_gate, requests):
    found = []
    for kind in (Timed, Stepwise):
        clock, folder = FakeClock(), tmp_path_factory.getbasetemp()
        post = Post(kind(server().url(fresh_database()), clock), clock, folder, check_gate)
        said = []
        for model, agents, override, request_id, seconds in requests:
            clock.pass_(seconds + 0.125)
            decision = post.check(model=model, agents=agents, tier_override=override, request_id=request_id)
            said.append(decision.to_dict())
        tables = dump(post.ledger.url)
        found.append((said, rows(post), tables["accounts"], tables["tickets"], tables["contracts"]))
    assert found[0] == found[1]


def test_tiers_do_not_wait_for_each_other(post):
    import psycopg  # of an extra

    post.reasons(1, 1)
    post.reasons(1, model="claude-opus-5")
    with psycopg.connect(post.ledger.url) as other:
        other.execute("SELECT 1 FROM gatewright.accounts WHERE name = 'tier:low' FOR UPDATE")
        post.ledger.wait = 2.0
        assert post.reasons(1, model="claude-opus-5") == ["OK"]
        with pytest.raises(LedgerError, match="lock"):
            post.check()
    assert post.reasons(1) == ["OK"]


def test_one_call_and_many_statements_race_for_one_cap(post):
    in_steps = Post(Stepwise(post.ledger.url, post.clock), post.clock, post.folder, post.gate)
    said = together(lambda number: (post, in_steps)[number % 2].check().reason)
    assert sorted(said) == ["OK"] * 8 + ["TIER_FANOUT_CAP"] * 8
    assert sorted(row["attempt"] for row in rows(post) if "attempt" in row) == list(range(1, 9))


def together(ask, times=16):
    """What is answered when as many ask at one moment."""
    said = []
    threads = [threading.Thread(target=lambda number=number: said.append(ask(number))) for number in range(times)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return said


def test_a_request_that_is_sent_twice_at_once_is_one_request(post):
    """Of two tiers, so that no counter makes one wait for the other."""
    models = ("gpt-5.5", "claude-opus-5")
    said = together(lambda number: post.check(model=models[number], request_id="r-1").reason, times=2)
    assert sorted(said) == ["INVALID_REQUEST", "OK"]


def test_a_rule_that_answers_differently_to_the_same_facts_closes_the_gate(post, check_gate):
    class Fickle(Gate):
        """Allows twice, and never again."""

    answers = [post.gate.decide, post.gate.decide]
    denial = post.look(agents=0)
    gate = Fickle(check_gate.policy, check_gate.catalog)
    gate.decide = lambda facts: answers.pop()(facts) if answers else denial
    post.gate = gate
    with pytest.raises(
        LedgerError, match="OK was recorded, and by the figures that were counted it is INVALID_REQUEST"
    ):
        post.check()
