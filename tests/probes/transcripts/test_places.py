"""Where transcripts are, and whose they are."""

import os

import pytest
from tests.probes.transcripts.sessions import CHEAP, DEAR, NEWEST, TABLE, answer, answers, meta, task, turn, write

from gatewright.model.measurements import Agreement, Grade
from gatewright.probes.transcripts.measuring import confirms, measure
from gatewright.probes.transcripts.places import Sought, claude_folder, patterns


def aged(path, seconds):
    os.utime(path, (1_800_000_000 - seconds,) * 2)
    return path


@pytest.mark.acceptance("M10", "MP-C20")
@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/yard/a", "-yard-a"),
        ("/yard/.trees/fix_it.v2", "-yard--trees-fix-it-v2"),
        ("/yard/two words", "-yard-two-words"),
        ("/yard/café", "-yard-caf-"),
        ("/yard/𝛼", "-yard---"),
        ("/yard//a", "-yard--a"),
        ("/" + "a" * 199, "-" + "a" * 199),
        ("/" + "a" * 200, "-" + "a" * 199 + "-b6ymvl"),
    ],
)
def test_the_folder_of_a_worktree_is_named_by_the_agents_own_rule(path, name):
    assert claude_folder(path) == name


@pytest.mark.acceptance("M10")
def test_a_worktree_is_looked_for_where_its_links_lead(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    found = patterns(Sought(worktree=str(tmp_path / "link"), runtime="claude", homes={"claude": "home"}))
    assert found == (f"home/projects/{claude_folder(str(tmp_path / 'real'))}/*.jsonl",)


def homes(tmp_path):
    return {"claude": str(tmp_path / "claude"), "codex": str(tmp_path / "codex")}


def tree(tmp_path, name="tree"):
    folder = tmp_path / name
    folder.mkdir(exist_ok=True)
    return str(folder)


def session(tmp_path, worktree, *rows, name="s", **more):
    folder = tmp_path / "claude" / "projects" / claude_folder(worktree)
    return write(folder / f"{name}.jsonl", task(cwd=worktree, **more), *rows)


@pytest.mark.acceptance("M01", "M10")
@pytest.mark.parametrize("through_link", [False, True])
def test_a_session_of_the_worktree_is_found(tmp_path, through_link):
    worktree = tree(tmp_path)
    file = session(tmp_path, worktree, *answers(NEWEST))
    (tmp_path / "link").symlink_to("tree")
    asked = str(tmp_path / "link") if through_link else worktree
    found = measure(Sought(worktree=asked, runtime="claude", homes=homes(tmp_path)), declared=NEWEST, table=TABLE)
    assert (found.transcript, found.agreement, found.grade) == (file, Agreement.OK, Grade.SERVED)


@pytest.mark.acceptance("M10")
def test_a_long_path_is_found_by_the_beginning_of_its_name(tmp_path):
    worktree = tree(tmp_path, "d" * 220)
    session(tmp_path, worktree, *answers(NEWEST))
    assert measure(Sought(worktree=worktree, homes=homes(tmp_path))).measured == NEWEST


@pytest.mark.acceptance("M07", "M10")
def test_two_worktrees_whose_folders_have_one_name_are_told_apart_by_what_stands_in_the_session(tmp_path):
    mine, others = tree(tmp_path, "a.b"), tree(tmp_path, "a-b")
    assert claude_folder(mine) == claude_folder(others)
    session(tmp_path, others, *answers(NEWEST))
    found = measure(Sought(worktree=mine, runtime="claude", homes=homes(tmp_path)), declared=NEWEST, table=TABLE)
    assert (found.agreement, found.transcript) == (Agreement.UNVERIFIED, None)
    assert found.problem == "no transcript of this worker was found"


@pytest.mark.acceptance("M13")
def test_a_rollout_belongs_to_the_folder_that_it_names(tmp_path):
    worktree, other = tree(tmp_path), tree(tmp_path, "other")
    day = tmp_path / "codex" / "sessions" / "2026" / "11" / "20"
    mine = write(day / "rollout-1.jsonl", meta(cwd=worktree), turn("gpt-5.5"))
    write(day / "rollout-2.jsonl", meta("s-2", cwd=other), turn("gpt-6-sol"))
    found = measure(Sought(worktree=worktree, runtime="codex", homes=homes(tmp_path)), declared="gpt-5.5", table=TABLE)
    assert (found.transcript, found.measured, found.grade) == (mine, "gpt-5.5", Grade.CONFIGURED)


@pytest.mark.acceptance("M15")
@pytest.mark.parametrize(
    ("since", "measured"),
    [
        (None, CHEAP),
        ("2026-11-20T07:00:00Z", CHEAP),
        ("2026-11-20T08:30:00Z", NEWEST),
        ("2026-11-20T09:00:00Z", NEWEST),
        ("2026-11-20T09:00:01Z", None),
    ],
)
def test_a_session_that_began_before_is_not_this_workers(tmp_path, since, measured):
    from gatewright.ledger.rows import time_of

    worktree = tree(tmp_path)
    newer = session(tmp_path, worktree, *answers(NEWEST), name="second", at="2026-11-20T09:00:00Z")
    older = session(tmp_path, worktree, *answers(CHEAP), name="first", at="2026-11-20T08:00:00Z")
    aged(newer, 60)
    aged(older, 0)  # taken up again, and so the newest file
    sought = Sought(worktree=worktree, runtime="claude", since=time_of(since), homes=homes(tmp_path))
    assert measure(sought).measured == measured


@pytest.mark.acceptance("M07", "M15")
@pytest.mark.parametrize(
    ("rows", "more", "problem"),
    [
        ([task()], {"worktree": "/yard/trees/red"}, "it was written in another folder, /yard/trees/blue"),
        ([], {"worktree": "/yard/trees/blue"}, "it does not say in which folder it was written"),
        ([task()], {"since": 1_800_000_000.0}, "it began before the time that was given, so it is another worker's"),
        ([], {"since": 1.0}, "it does not say when it began"),
        ([task()], {"runtime": "codex"}, "it is a transcript of claude, not of codex"),
        ([meta(), turn("gpt-5.5")], {"runtime": "claude"}, "it is a transcript of codex, not of claude"),
    ],
)
def test_a_named_transcript_that_is_another_workers_measures_nothing(tmp_path, rows, more, problem):
    message = {"type": "assistant", "message": {"role": "assistant", "model": NEWEST}}
    file = write(tmp_path / "t.jsonl", *rows, message)
    found = measure(Sought(transcript=file, **more), declared=NEWEST, table=TABLE)
    assert (found.agreement, found.measured, found.problem) == (Agreement.UNVERIFIED, None, problem)


@pytest.mark.acceptance("M01")
def test_the_newest_of_a_pattern_is_measured(tmp_path):
    aged(write(tmp_path / "a.jsonl", task(), *answers(DEAR)), 10)
    aged(write(tmp_path / "b.jsonl", task(), *answers(CHEAP)), 5)
    assert measure(Sought(glob=f"{tmp_path}/*.jsonl")).measured == CHEAP


@pytest.mark.acceptance("MP-C09")
def test_a_pattern_that_reaches_into_sub_agents_still_finds_the_session(tmp_path):
    main = aged(write(tmp_path / "s.jsonl", task(), *answers(NEWEST)), 60)
    for name, more in (("agent-a1", {"agentId": "a1"}), ("old", {})):
        rows = [task(isSidechain=True, **more), answer(CHEAP, name, isSidechain=True, **more)]
        aged(write(tmp_path / "s" / "subagents" / f"{name}.jsonl", *rows), 0)
    found = measure(Sought(glob=f"{tmp_path}/**/*.jsonl"), declared=NEWEST, table=TABLE)
    assert (found.transcript, found.measured, found.agreement) == (main, NEWEST, Agreement.OK)
    assert found.seen.subagents == {CHEAP: 2}


def test_links_that_lead_round_and_round_below_a_session_are_not_followed(tmp_path):
    aside = {"isSidechain": True, "agentId": "a1"}
    folder = tmp_path / "s" / "subagents"
    write(folder / "deep" / "agent-a1.jsonl", task(**aside), answer(CHEAP, "x", **aside))
    for name in "ab":
        (folder / name).symlink_to(folder)
    found = measure(Sought(transcript=write(tmp_path / "s.jsonl", task(), *answers(NEWEST))))
    assert found.seen.subagents == {CHEAP: 1}


def test_further_sessions_that_fit_the_worker_are_told(tmp_path):
    worktree = tree(tmp_path)
    for name in ("first", "second"):
        session(tmp_path, worktree, *answers(NEWEST), name=name)
    found = measure(Sought(worktree=worktree, runtime="claude", since=1.0, homes=homes(tmp_path)))
    assert found.notes == ("sessions of this folder that began after that time too, and were not measured: 1",)


def test_what_a_pattern_finds_beside_files_is_passed_by(tmp_path):
    (tmp_path / "a.jsonl").mkdir()
    os.mkfifo(tmp_path / "b.jsonl")
    (tmp_path / "c.jsonl").symlink_to("nowhere")
    write(tmp_path / "d.jsonl", task(), *answers(NEWEST))
    assert measure(Sought(glob=f"{tmp_path}/*.jsonl")).measured == NEWEST


@pytest.mark.acceptance("M07")
def test_without_any_place_nothing_is_measured_and_that_is_said(tmp_path):
    found = measure(Sought(runtime="grok", worktree=str(tmp_path), homes=homes(tmp_path)), declared="grok-4.5")
    assert (found.agreement, found.verified, found.grade) == (Agreement.UNVERIFIED, False, Grade.UNAVAILABLE)
    assert found.problem == "no transcript is named, and no folder or pattern by which one could be found"


@pytest.mark.parametrize(
    ("rows", "yes"),
    [
        ([task("Do this.\nMark  7f3a\tat the end")], True),
        ([task([{"type": "text", "text": "Mark 7f3a"}])], True),
        ([task("Do this."), answer(NEWEST, "Mark 7f3a", said="Mark 7f3a")], False),
        ([task([{"type": "tool_result", "text": "Mark 7f3a"}])], False),
        ([task("Mark 7f3a", isSidechain=True)], False),
        ([meta(), {"type": "event_msg", "payload": {"type": "user_message", "message": "Mark 7f3a"}}], True),
        (
            [
                meta(),
                {
                    "type": "response_item",
                    "payload": {"role": "user", "content": [{"type": "input_text", "text": "Mark 7f3a"}]},
                },
            ],
            True,
        ),
        ([{"role": "user", "message": {"content": [{"type": "text", "text": "Mark 7f3a"}]}}], True),
    ],
)
def test_a_text_is_confirmed_where_it_was_said_to_the_worker(tmp_path, rows, yes):
    file = write(tmp_path / "t.jsonl", *rows, "{torn")
    assert confirms(Sought(transcript=file), "Mark 7f3a") is yes


@pytest.mark.parametrize("marker", ["", "  \n", "Mark 7f3b"])
def test_another_text_or_none_is_not_confirmed(tmp_path, marker):
    assert confirms(Sought(transcript=write(tmp_path / "t.jsonl", task("Mark 7f3a"))), marker) is False


def test_nothing_is_confirmed_by_another_workers_transcript_or_by_none(tmp_path):
    file = write(tmp_path / "t.jsonl", task("Mark 7f3a"))
    assert confirms(Sought(transcript=file, worktree=str(tmp_path)), "Mark 7f3a") is False
    assert confirms(Sought(transcript=str(tmp_path / "none")), "Mark 7f3a") is False
