"""The ledger as a file of JSON lines: other programs write it too, and nothing in it is ever taken away."""

import json
import os
import stat
from pathlib import Path

import pytest
from tests.ledger.desks import CONTRACT, KINDS, START, FakeClock, Post, json_lines
from tests.ledger.test_rows import SHA
from tests.ledger.test_unavailable import crash_after_commit

OLD = '{"decision":"ALLOW","model":"gpt-5.5","n_agents":3,"ts":%s,"contract_sha":"aa","runtime":"codex"}'


@pytest.fixture
def place(tmp_path, check_gate):
    clock = FakeClock()
    return Post(json_lines(tmp_path, clock), clock, tmp_path, check_gate)


def given(place, data):
    (place.folder / "ledger.jsonl").write_bytes(data if isinstance(data, bytes) else data.encode())


def lines(place):
    return (place.folder / "ledger.jsonl").read_bytes().split(b"\n")[:-1]


def row(seconds=0, **more):
    """An allowed check of 3 agents, so many seconds ago."""
    found = {"decision": "ALLOW", "model": "gpt-5.5", "n_agents": 3, "ts": START - seconds, **more}
    return json.dumps(found)


@pytest.mark.acceptance("T01", "T22")
def test_old_bytes_are_a_prefix_of_new_ones(place):
    before = b""
    for agents in (1, 9, 2, 0):
        place.check(agents=agents)
        after = (place.folder / "ledger.jsonl").read_bytes()
        assert after.startswith(before)
        assert after.count(b"\n") == before.count(b"\n") + 1
        before = after
    assert all(json.loads(line) for line in lines(place))


@pytest.mark.acceptance("T02", "T03")
def test_the_ticket_is_a_file_named_by_runtime_and_hash(place):
    place.check(agents=2)
    (name,) = [path.name for path in (place.folder / "tickets").iterdir() if path.name.endswith(".json")]
    assert name == f"codex-{SHA[:12]}.json"
    text = (place.folder / "tickets" / name).read_text()
    assert text == f'{{"contract_sha":"{SHA}","count":2,"issued_ts":{START},"runtime":"codex"}}\n'


def test_what_is_made_belongs_to_its_owner_alone(place):
    place.check()
    files = [path for path in place.folder.rglob("*") if "ledger" in path.name or "tickets" in path.as_posix()]
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in files}
    assert modes.pop("tickets") == 0o700
    assert set(modes.values()) == {0o600}
    assert len(modes) == 4


@pytest.mark.acceptance("T21", "T22", "LE-01")
def test_a_torn_line_is_left_and_takes_nothing_with_it(place):
    given(place, row(60) + "\n" + row(50)[:40])
    before = (place.folder / "ledger.jsonl").read_bytes()
    assert place.reasons(5, 1) == ["OK", "TIER_FANOUT_CAP"]
    after = (place.folder / "ledger.jsonl").read_bytes()
    assert after.startswith(before + b"\n{")
    assert [line.startswith(b"{") and line.endswith(b"}") for line in lines(place)] == [True, False, True, True]


def test_a_last_row_that_only_lacks_its_line_end_counts(place):
    given(place, row(60))
    assert not place.look(agents=6).allow
    assert place.reasons(6, 5) == ["TIER_FANOUT_CAP", "OK"]


@pytest.mark.acceptance("T21", "LE-03", "LE-07")
@pytest.mark.parametrize(
    "odd",
    [
        *(
            b"[1]",
            b"5",
            b'"text"',
            b"null",
            b"true",
            b"{}",
            b"{",
            b"}",
            b"x",
            b'{"a":1}{"b":2}',
            b"\x00" * 40,
            b"\xff\xfe",
        ),
        *(b"# a note", b'{"ts": NaN', b"[" * 100_000, b"{" * 5_000, b'{"a":' * 5_000),
    ],
    ids=lambda odd: ascii(odd[:12]),
)
def test_a_line_that_is_no_row_stops_nothing(place, odd):
    given(place, row(60).encode() + b"\n" + odd + b"\n" + row(50).encode() + b"\n")
    assert not place.look(agents=3).allow
    assert place.reasons(3, 2) == ["TIER_FANOUT_CAP", "OK"]
    with place.ledger.reading() as look:
        kinds = [kind for (kind,) in look.book.connection.execute("SELECT kind FROM rows ORDER BY id")]
    assert kinds == ["check", "skipped", "check", "check", "check"]


@pytest.mark.acceptance("LE-07")
@pytest.mark.parametrize(
    "line",
    [
        b"\xef\xbb\xbf" + row(60).encode(),
        row(60).encode() + b"\r",
        b"\x00\x00\x00" + row(60).encode(),
        row(60, note="x").encode().replace(b"x", b"\xff"),
        b"  " + row(60).encode() + b"\t",
        row(60, later="a newer version's key", kind_of="x").encode(),
    ],
)
def test_a_row_that_an_editor_or_a_crash_has_touched_still_counts(place, line):
    given(place, line + b"\n")
    assert place.reasons(6, 5) == ["TIER_FANOUT_CAP", "OK"]


@pytest.mark.acceptance("WI-05", "C22")
def test_one_moment_in_several_spellings_is_one_moment(place):
    spellings = [
        ("2026-11-29T11:00:00Z", 1),
        ("2026-11-29T11:00:00+00:00", 1),
        ("2026-11-29T20:00:00.250+09:00", 1),
        ("2026-11-28T12:00:00Z", 2),
        (START - 5, 2),
        ("2026-11-28T20:59:59+09:00", 3),
    ]
    rows = [json.dumps({"decision": "ALLOW", "model": "gpt-5.5", "n_agents": n, "ts": ts}) for ts, n in spellings]
    given(place, "\n".join(sorted(rows)) + "\n")
    assert place.look(agents=2).denial.data["used"] == 7
    assert place.check(agents=2).denial.data["used"] == 7


@pytest.mark.parametrize(
    "ts",
    [
        "2020-01-01t00:00:00z",
        "2020-01-01 00:00:00.123456789Z",
        "2020-01-01T00:00:00-00:00",
        "2016-12-31T23:59:60Z",
        "2017-01-01T08:59:60.5+09:00",
    ],
)
def test_an_old_time_is_read_in_every_spelling_of_rfc_3339(place, ts):
    given(place, row(60) + "\n" + row(n_agents=8, ts=ts) + "\n")
    assert place.check(agents=8).denial.data["used"] == 3


@pytest.mark.parametrize(
    "ts",
    ["2020-01-01T00:00Z", "20200101T000000Z", "2020-W01-3T00:00:00Z", "2020-01-01T24:00:00Z", "2020-01-01T00:00:60Z"],
)
def test_a_time_in_another_spelling_is_unreadable_and_counts_as_now(place, ts):
    given(place, row(n_agents=8, ts=ts) + "\n")
    denied = place.check(agents=8)
    assert (denied.reason, denied.denial.data["used"]) == ("TIER_FANOUT_CAP", 8)
    assert "LEDGER_CLOCK" in denied.warnings


@pytest.mark.acceptance("P25")
def test_registrations_audits_and_denials_never_count(place):
    rows = [row(60, job_id=f"j{number}") for number in range(8)]
    rows += [row(60, kind="audit"), row(60, decision="DENY"), row(60, n_agents=True), row(60, n_agents="3")]
    rows += [row(60, n_agents=0), row(60, n_agents=2.0), row(60, n_agents=None), row(60, decision="allow")]
    given(place, "\n".join(rows) + "\n")
    assert place.reasons(8) == ["OK"]


@pytest.mark.acceptance("WI-09", "P06")
def test_spellings_of_a_model_or_tier_are_one(place):
    rows = [row(60, model=" GPT-5.5 ", n_agents=1), row(60, tier="LOW", n_agents=1), row(60, model=None, n_agents=1)]
    rows += [row(60, model="openai/gpt-5.5", n_agents=1), row(60, tier="low", model="x", n_agents=1)]
    given(place, "\n".join(rows) + "\n")
    assert place.look(agents=5).denial.data["used"] == 4
    assert place.look(agents=8, model="never-heard-of").denial.data["used"] == 1


@pytest.mark.acceptance("P29", "WI-03")
@pytest.mark.parametrize("ts", [START + 3 * 3600, START + 10**9, None, "yesterday", "2026-11-29T12:00:00", True, 1e300])
def test_a_row_whose_time_cannot_be_right_counts_and_is_told(place, ts):
    given(place, json.dumps({"decision": "ALLOW", "model": "gpt-5.5", "n_agents": 3, "ts": ts}) + "\n")
    for decision in (place.look(agents=6), place.check(agents=6)):
        assert (decision.reason, decision.warnings) == ("TIER_FANOUT_CAP", ("LEDGER_CLOCK",))
        assert decision.denial.data["frees_at"] <= START + 86_400
    place.clock.pass_(86_401)
    assert place.check(agents=6).allow


def test_rows_that_another_program_appends_meanwhile_are_counted(place):
    assert place.reasons(2) == ["OK"]
    with open(place.folder / "ledger.jsonl", "a") as file:
        file.write(row(0) + "\n")
    assert not place.look(agents=4).allow
    assert place.reasons(4, 3) == ["TIER_FANOUT_CAP", "OK"]


def test_a_thousand_rows_are_read_once(place):
    given(place, "".join(row(60, n_agents=1, contract_sha=f"{at:064x}") + "\n" for at in range(1000)))
    place.table({"version": 2, "tiers": {"low": ["gpt-5.5"]}, "fanout_caps": {"low": 1001}})
    assert place.reasons(1, 1) == ["OK", "TIER_FANOUT_CAP"]


@pytest.mark.parametrize("how", ["cut", "edited", "emptied", "glued"])
def test_a_file_that_was_changed_behind_its_proof_is_not_counted_on(place, how):
    place.reasons(1, 2)
    path = place.folder / "ledger.jsonl"
    data = path.read_bytes()
    edited = data.replace(b'"n_agents":2', b'"n_agents":1')
    changed = {"cut": data[: len(data) // 2], "edited": edited, "emptied": b"", "glued": data[:-1] + b'{"a":1}\n'}
    path.write_bytes(changed[how])
    for run in (place.look, place.check):
        with pytest.raises(Exception, match="behind the back of its proof"):
            run()
    assert path.read_bytes() == changed[how]


def test_a_proof_that_is_lost_is_made_again(place):
    place.reasons(5)
    os.unlink(place.folder / "ledger.jsonl.proof")
    assert place.reasons(4, 3) == ["TIER_FANOUT_CAP", "OK"]


@pytest.mark.acceptance("T18", "TI-05")
def test_files_that_are_no_tickets_are_left_alone(place):
    place.check()
    folder = place.folder / "tickets"
    good = (folder / f"codex-{SHA[:12]}.json").read_text()
    odd = {
        "codex-000000000000.json": good,
        f"claude-{SHA[:12]}.json": good,
        "codex-111111111111.json": "",
        "codex-222222222222.json": good[:20],
        "codex-333333333333.json": "[]",
        f".codex-{SHA[:12]}.json.1.tmp": good,
        "codex-444444444444.json": good.replace('"count":1', '"count":0').replace(SHA, "4" * 64),
        "codex-555555555555.json": good.replace(SHA, "5" * 63),
        "CODEX-666666666666.json": good.replace(SHA, "6" * 64).replace("codex", "CODEX"),
    }
    for name, text in odd.items():
        (folder / name).write_text(text)
    os.mkfifo(folder / "codex-777777777777.json")
    os.symlink(folder / f"codex-{SHA[:12]}.json", folder / "codex-888888888888.json")
    with place.ledger.reading() as look:
        assert [ticket.name for ticket in look.tickets()] == [f"codex-{SHA[:12]}.json"]
    place.clock.pass_(10**6)
    place.check(agents=9)
    assert {path.name for path in folder.iterdir()} >= set(odd)
    assert not (folder / f"codex-{SHA[:12]}.json").exists()


@pytest.mark.acceptance("T19")
@pytest.mark.parametrize("target", ["../elsewhere.json", "/etc/hostname"])
def test_a_ticket_that_a_link_leads_out_of_its_folder_is_denied(place, target):
    folder = place.folder / "tickets"
    folder.mkdir(mode=0o700)
    (place.folder / "elsewhere.json").write_text("mine")
    os.symlink(target, folder / f"codex-{SHA[:12]}.json")
    decision = place.check()
    assert decision.reason == "INVALID_REQUEST"
    assert (place.folder / "elsewhere.json").read_text() == "mine"


@pytest.mark.acceptance("T06")
def test_the_lock_is_the_older_tools(place):
    import fcntl
    import threading

    place.check()
    with open(place.folder / "tickets" / ".dispatch-gate.lock", "a") as lock:
        fcntl.flock(lock.fileno(), fcntl.LOCK_EX)
        waiting = threading.Thread(target=place.check)
        waiting.start()
        waiting.join(0.3)
        assert waiting.is_alive()
        assert len(lines(place)) == 1
        fcntl.flock(lock.fileno(), fcntl.LOCK_UN)
    waiting.join(30)
    assert len(lines(place)) == 2


def test_the_contract_of_the_post_is_the_one_that_is_hashed():
    import hashlib

    assert hashlib.sha256(CONTRACT.encode()).hexdigest() == SHA


def test_a_line_that_another_program_tears_off_at_the_last_moment_is_not_glued_to_ours(place, monkeypatch):
    from gatewright.ledger.jsonl import _FileDesk

    torn, real = [b'{"decision":"AL'], _FileDesk._line_end

    def line_end(desk):
        found = real(desk)
        if torn and desk.book.size:  # right behind the look at the end of the file, and before the row
            with open(place.folder / "ledger.jsonl", "ab") as file:
                file.write(torn.pop())
        return found

    place.reasons(2)
    monkeypatch.setattr(_FileDesk, "_line_end", line_end)
    assert place.reasons(3, 3, 1) == ["OK", "OK", "TIER_FANOUT_CAP"]
    assert sum(line.startswith(b'{"attempt"') for line in lines(place)) == 3


@pytest.mark.parametrize("kind", ["sqlite", "jsonl"])
def test_a_look_through_a_link_sees_what_a_crash_has_left_beside_the_file(tmp_path, check_gate, kind):
    real = tmp_path / "real"
    real.mkdir()
    clock = FakeClock()
    post = Post(KINDS[kind](real, clock), clock, real, check_gate)
    post.reasons(3)
    crash_after_commit(post)
    path = Path(post.ledger.path)
    (tmp_path / path.name).symlink_to(path)
    post.ledger = KINDS[kind](tmp_path, clock)
    assert post.look(agents=3).allow
    assert post.look(agents=4).denial.data["used"] == 5
