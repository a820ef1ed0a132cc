"""One ticket is taken by one registration, whoever else asks at that moment."""

import pytest
from tests.flows.racing import race
from tests.ledger.test_rows import rows, tickets

from gatewright.ledger.clock import SystemClock


@pytest.mark.acceptance("T07", "R35", "WI-07")
def test_of_eight_processes_with_one_ticket_one_registers(office):
    office.clock.now = SystemClock().wall()
    office.logged()
    answers = race(office.folder, office.ledger.name, 8)
    assert sorted(answer["reason"] for answer in answers) == ["NO_MATCHING_TICKET"] * 7 + ["OK"]
    found = rows(office)
    assert [row["decision"] for row in found].count("ALLOW") == 2
    assert len([row for row in found if "job_id" in row]) == 1
    assert tickets(office) == []
