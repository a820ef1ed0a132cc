"""Orchestrators of this machine's terminals carry real programs."""

import os
import shutil
import signal
import subprocess

import pytest
from tests.orchestrators.desks import agent_command, local, tmux, until

from gatewright.ledger.sqlite import SqliteLedger
from gatewright.ledger.tasks import TaskBook
from gatewright.orchestrators.errors import OrchestratorError, Trouble
from gatewright.orchestrators.protocol import DispatchStatus, EventType

HAS_TMUX = shutil.which("tmux") is not None
KINDS = [
    pytest.param(local, id="local"),
    pytest.param(tmux, id="tmux", marks=pytest.mark.skipif(not HAS_TMUX, reason="tmux is not installed")),
]


@pytest.fixture(params=KINDS)
def place(request, tmp_path):
    """An orchestrator with a worktree; what it has started is ended behind the test."""
    worktree = tmp_path / "worktree"
    worktree.mkdir()
    orchestrator = request.param(tmp_path)
    opened = []
    plain = orchestrator.open_terminal
    orchestrator.open_terminal = lambda *arguments: opened.append(plain(*arguments)) or opened[-1]
    yield orchestrator, worktree
    for terminal in opened:
        subprocess.run(orchestrator.clean_up(terminal=terminal)[0], shell=True, check=False, capture_output=True)
    if orchestrator.name == "tmux":
        subprocess.run(["tmux", "-S", tmp_path / "tmux.sock", "kill-server"], check=False, capture_output=True)


def started(place, tmp_path):
    orchestrator, worktree = place
    terminal = orchestrator.open_terminal(str(worktree), agent_command(tmp_path))
    assert orchestrator.wait_idle(terminal, 20).satisfied
    return terminal


def test_a_task_is_typed_whole_into_a_program_in_the_worktree(place, tmp_path):
    orchestrator, worktree = place
    terminal = started(place, tmp_path)
    spec = "first line\n\tsecond: $HOME `x` \"y\" 'z' \\n\nthird — ü"
    task = orchestrator.create_task(spec)
    dispatch = orchestrator.inject(task, terminal)
    assert until(lambda: (worktree / "told").exists() and (worktree / "told").read_text()) == spec
    assert "working" in until(lambda: (text := orchestrator.screen(terminal).text) and "working" in text and text)
    found = orchestrator.dispatch_of(task)
    assert (found.id, found.task, found.terminal, found.status) == (
        dispatch.id,
        task,
        terminal,
        DispatchStatus.DISPATCHED,
    )


@pytest.mark.acceptance("K11")
@pytest.mark.parametrize(("status", "outcome"), [(0, "succeeded"), (3, "failed")])
def test_the_end_of_a_program_is_an_event_and_ends_the_dispatch(place, tmp_path, status, outcome):
    orchestrator, _ = place
    terminal = started(place, tmp_path)
    task = orchestrator.create_task(f"exit {status}")
    dispatch = orchestrator.inject(task, terminal)
    batch = orchestrator.wait(20)
    assert [(event.type, event.task, event.dispatch, event.outcome) for event in batch.events] == [
        (EventType.WORKER_DONE, task, dispatch.id, outcome)
    ]
    ended = {0: DispatchStatus.COMPLETED, 3: DispatchStatus.FAILED}[status]
    assert orchestrator.dispatch_of(task).status is ended
    screen = orchestrator.screen(terminal)
    assert (screen.alive, screen.exit_code) == (False, status)


def test_events_come_again_until_they_are_acknowledged(place, tmp_path):
    orchestrator, _ = place
    terminal = started(place, tmp_path)
    orchestrator.inject(orchestrator.create_task("exit 0"), terminal)
    first = orchestrator.wait(20)
    again = orchestrator.wait(0)
    assert (again.delivery, again.events, again.replayed) == (first.delivery, first.events, True)
    assert orchestrator.wait(0, acknowledge="delivery_of_somebody").events == first.events
    assert orchestrator.wait(0, acknowledge=first.delivery).events == ()
    assert orchestrator.wait(0).events == ()


def test_a_wait_without_events_is_empty_fails_nothing_and_writes_nothing(place, tmp_path):
    batch = place[0].wait(1)
    assert (batch.delivery, batch.events) == ("", ())
    assert not (tmp_path / "ledger.db").exists()


def test_a_program_that_ends_at_once_is_told_while_waiting_for_rest(place):
    orchestrator, worktree = place
    terminal = orchestrator.open_terminal(str(worktree), "echo no such agent; exit 127")
    idle = orchestrator.wait_idle(terminal, 20)
    assert (idle.satisfied, idle.alive) == (False, False)
    screen = orchestrator.screen(terminal)
    assert (screen.exit_code, "no such agent" in screen.text) == (127, True)


def test_a_program_that_never_rests_ends_the_wait_unsatisfied(place):
    orchestrator, worktree = place
    terminal = orchestrator.open_terminal(str(worktree), "while :; do date +%N; sleep 0.05; done")
    idle = orchestrator.wait_idle(terminal, 2)
    assert (idle.satisfied, idle.alive) == (False, True)


def test_nothing_is_typed_where_nobody_reads(place):
    orchestrator, worktree = place
    task = orchestrator.create_task("do it")
    with pytest.raises(OrchestratorError) as caught:
        orchestrator.inject(task, {"local": "local_000000000000", "tmux": "1:%0"}[orchestrator.name])
    assert caught.value.code == "terminal_gone"
    assert orchestrator.dispatch_of(task).status is DispatchStatus.FAILED
    assert not (worktree / "told").exists()


@pytest.mark.parametrize("terminal", ["", "x", "../..", "local_xyz", "%1", "1:2"])
def test_a_handle_of_another_kind_is_refused(place, terminal):
    with pytest.raises(OrchestratorError) as caught:
        place[0].screen(terminal)
    assert caught.value.trouble is Trouble.REFUSED


def test_a_task_that_was_never_dispatched_has_no_dispatch(place):
    orchestrator, _ = place
    task = orchestrator.create_task("do it")
    assert orchestrator.dispatch_of(task) is None
    assert orchestrator.dispatch_of("task_000000000000") is None


def test_a_task_of_another_process_cannot_be_typed(place):
    with pytest.raises(OrchestratorError) as caught:
        place[0].inject("task_000000000000", "x")
    assert caught.value.trouble is Trouble.NOT_FOUND


def test_a_worktree_that_is_not_there_opens_no_terminal(tmp_path):
    with pytest.raises(OrchestratorError) as caught:
        local(tmp_path).open_terminal(str(tmp_path / "none"), "true")
    assert "no such file" in str(caught.value)


def test_a_killed_host_is_a_terminal_that_is_gone(tmp_path):
    orchestrator = local(tmp_path)
    terminal = orchestrator.open_terminal(str(tmp_path), "sleep 60")
    task = orchestrator.create_task("x")
    orchestrator.inject(task, terminal)
    pid = int((tmp_path / "terminals" / terminal / "pid").read_text())
    os.kill(pid, signal.SIGKILL)
    assert [event.outcome for event in orchestrator.wait(30).events] == ["failed"]
    assert orchestrator.screen(terminal).alive is False


def test_closing_a_local_terminal_ends_all_that_the_worker_started(tmp_path):
    orchestrator = local(tmp_path)
    script = "sh -c 'echo $$ > child; trap \"\" TERM HUP; sleep 60; sleep 60' & echo started; wait"
    terminal = orchestrator.open_terminal(str(tmp_path), script)
    child = int(until(lambda: (tmp_path / "child").exists() and (tmp_path / "child").read_text()))
    subprocess.run(orchestrator.clean_up(terminal=terminal)[0], shell=True, check=True)
    until(lambda: not is_running(child))


@pytest.mark.parametrize("command", ["exit 7", "exec <&- >&- 2>&-; sleep 0.5; exit 7"])
def test_the_command_that_ends_a_worker_meets_no_other_program_when_it_has_ended(command, tmp_path):
    orchestrator = local(tmp_path)
    terminal = orchestrator.open_terminal(str(tmp_path), command)
    until(lambda: orchestrator.screen(terminal).exit_code == 7)
    until(lambda: not (tmp_path / "terminals" / terminal / "pid").exists())
    ended = subprocess.run(orchestrator.clean_up(terminal=terminal)[0], shell=True, check=False, capture_output=True)
    assert ended.returncode != 0


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        return file.read().rpartition(")")[2].split()[0] != "Z"


def test_the_book_of_tasks_shares_a_file_with_the_ledger_and_holds_no_task_text(tmp_path):
    path = str(tmp_path / "ledger.db")
    with SqliteLedger(path).writing() as session:
        session.append({"kind": "x"}, {})
    book = TaskBook(path)
    task = book.add_task("local", "a secret instruction", 1.0)
    book.add_dispatch(task, "t", 2.0)
    with SqliteLedger(path).reading() as look:
        assert look.time > 0
    found = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert task.encode() in found
    assert b"secret instruction" not in found
