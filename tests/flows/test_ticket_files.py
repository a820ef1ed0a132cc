"""Tickets that are files: damaged ones register nothing, and a good one among them does."""

import os

import pytest
from tests.flows.jobs import Office
from tests.ledger.desks import START, FakeClock, json_lines
from tests.ledger.test_rows import SHA

SHA_12 = SHA[:12]


@pytest.fixture
def office(tmp_path, check_gate, register_gate):
    clock = FakeClock()
    return Office(json_lines(tmp_path, clock), clock, tmp_path, check_gate, register_gate)


def damaged(office, good):
    """Files as crashes and other programs leave them, from the text of a good one."""
    return {
        f"codex-{SHA_12}.json": "",
        "codex-dddddddddddd.json": good[:20],
        "codex-eeeeeeeeeeee.json": "[]",
        f"claude-{SHA_12}.json": good,
        f".codex-{SHA_12}.json.tmp": good,
        "codex-ffffffffffff.json": good.replace('"count":1', '"count":0'),
    }


@pytest.mark.acceptance("T18", "TI-05")
def test_damaged_tickets_register_nothing_and_stop_no_good_one(office):
    office.logged()
    folder = office.folder / "tickets"
    good = (folder / f"codex-{SHA_12}.json").read_text()
    for name, text in damaged(office, good).items():
        (folder / name).write_text(text)
    assert office.register().reason == "NO_MATCHING_TICKET"
    (folder / f"codex-{SHA_12}.json").write_text(good)
    assert office.register(contract_sha=SHA, runtime="codex").allow
    assert sorted(os.listdir(folder)) == sorted(
        {*damaged(office, good), ".dispatch-gate.lock"} - {f"codex-{SHA_12}.json"}
    )


@pytest.mark.acceptance("TI-03", "T04")
def test_a_ticket_is_as_old_as_it_says(office):
    office.logged()
    path = office.folder / "tickets" / f"codex-{SHA_12}.json"
    office.clock.pass_(1200)
    os.utime(path, (START + 1140, START + 1140))
    assert office.register().reason == "NO_MATCHING_TICKET"
    path.write_text(path.read_text().replace(str(START), '"2026-11-29T12:15:00Z"'))
    os.utime(path, (0, 0))
    assert office.register().allow


@pytest.mark.acceptance("T21")
@pytest.mark.parametrize("odd", [b'{"ts": 17', b"\x00" * 40, b"\xff\xfe\n", b"[1]\nnull\n", b"{" * 5_000 + b"\n"])
def test_lines_that_are_no_rows_stop_no_registration_and_stay(office, odd):
    office.logged()
    path = office.folder / "ledger.jsonl"
    before = path.read_bytes() + odd
    path.write_bytes(before)
    assert office.register().allow
    after = path.read_bytes()
    assert after.startswith(before)
    assert after.removeprefix(before).lstrip(b"\n").count(b"\n") == 1
