"""No number of processes gets more through than the cap, and each of them gets an answer."""

import pytest
from tests.ledger.racing import race
from tests.ledger.test_rows import rows, tickets

CAP = 8  #: of models that no tier has


@pytest.mark.acceptance("P24", "T13", "WI-07")
def test_sixteen_processes_at_one_cap_start_no_more_than_it(post):
    answers = race(post.folder, post.ledger.name, 16)
    assert sorted(answer["reason"] for answer in answers) == ["OK"] * CAP + ["TIER_FANOUT_CAP"] * 8
    found = rows(post)
    assert sorted(row["decision"] for row in found) == ["ALLOW"] * CAP + ["DENY"] * 8
    assert sorted(row["attempt"] for row in found if row["decision"] == "ALLOW") == list(range(1, CAP + 1))
    assert len(tickets(post)) == 1
