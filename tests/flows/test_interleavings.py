"""However checks and registrations come in between each other, nothing is settled twice or without leave."""

import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples
from tests.flows.jobs import Office
from tests.ledger.desks import KINDS, FakeClock
from tests.ledger.test_rows import rows

CONTRACTS = {name: f"# Job {name}\n" for name in "ab"}
steps = st.lists(
    st.one_of(
        st.tuples(
            st.just("check"), st.sampled_from("ab"), st.sampled_from(["codex", "claude"]), st.sampled_from([1, 9])
        ),
        st.tuples(
            st.just("register"),
            st.sampled_from(["a", "b", None]),
            st.sampled_from(["codex", "claude", None]),
            st.sampled_from(["j1", "j2", "j3", "j4"]),
        ),
        st.tuples(st.just("wait"), st.sampled_from([60, 601, 90_000])),
    ),
    max_size=14,
)


@pytest.mark.acceptance("R01", "R35", "T11", "TI-09")
@pytest.mark.parametrize("kind", KINDS)
@given(steps=steps)
@examples(25)
def test_a_check_is_settled_once_and_nothing_else_is(kind, check_gate, register_gate, steps):
    with tempfile.TemporaryDirectory() as folder:
        clock = FakeClock()
        office = Office(KINDS[kind](Path(folder), clock), clock, Path(folder), check_gate, register_gate)
        hashes = dict.fromkeys(CONTRACTS, "")
        for name, text in CONTRACTS.items():
            office.contract.write_text(text)
            hashes[name] = office.look().contract_sha
        for step in steps:
            taken(office, step, hashes)
        held(rows(office))


def taken(office, step, hashes):
    """One step; a registration uses no probes of its own, so that many fit into little time."""
    if step[0] == "wait":
        office.clock.pass_(step[1])
    elif step[0] == "check":
        office.contract.write_text(CONTRACTS[step[1]])
        office.logged(runtime=step[2], agents=step[3])
    else:
        sha = None if step[1] is None else hashes[step[1]]
        office.register(job_id=step[3], contract_sha=sha, runtime=step[2], model_probe_cmd=None)


def held(found):
    """Registrations by contract, runtime and attempt are allowed checks that came before them, each at most once."""
    waiting = Counter()
    jobs = Counter()
    for row in found:
        if row["decision"] != "ALLOW":
            assert row["reason"] != "OK"
            continue
        what = (row["contract_sha"], row["runtime"], row["attempt"], row["n_agents"])
        if "job_id" not in row:
            waiting[what] += 1
            continue
        waiting[what] -= 1
        assert waiting[what] == 0, what
        jobs[row["job_id"]] += 1
    assert all(count == 1 for count in jobs.values())
