"""What an orchestrator tells is handled once, and acknowledged when all of it is."""

import shutil
import subprocess

import pytest
from tests.orchestrators.desks import agent_command, local, tmux
from tests.orchestrators.stand_in import StandIn, refusal, result
from tests.orchestrators.test_orca import MESSAGES

from gatewright.flows.completion import Handling, Reader, handled
from gatewright.ledger.tasks import TaskBook
from gatewright.orchestrators.errors import OrchestratorError
from gatewright.orchestrators.orca import OrcaOrchestrator
from gatewright.orchestrators.protocol import DispatchStatus, Event, EventType
from gatewright.probes.commands import run

NONE = result(deliveryId=None, messages=[], count=0, timedOut=True)
FIRST = result(deliveryId="delivery_1", messages=MESSAGES, count=3, replayed=False)


class Hand:
    """A hand that handles events, but for those that it cannot."""

    def __init__(self, tmp_path, *, fails=()):
        self.book, self.fails, self.seen = TaskBook(str(tmp_path / "tasks.db")), set(fails), []

    def handle(self, event: Event) -> bool:
        self.seen.append(event.id)
        return event.id not in self.fails

    def reader(self):
        return Reader(book=self.book, handle=self.handle, now=lambda: 1.0, seconds=5.0)

    def handles(self, orchestrator):
        return [(each.event.id, each.handling) for each in handled(orchestrator, self.reader(), 1.0)]


@pytest.fixture
def stand_in(tmp_path):
    return StandIn(tmp_path / "bin")


def orca(stand_in):
    return OrcaOrchestrator(run, [str(stand_in.path)])


def acknowledged(stand_in):
    """What each wait has acknowledged."""
    return [words[words.index("--ack") + 1] if "--ack" in words else None for words in stand_in.calls]


ALL = [(each["id"], Handling.NOW) for each in MESSAGES]


@pytest.mark.acceptance("K13", "K03", "K04")
def test_a_batch_is_acknowledged_by_the_wait_after_all_of_it_was_handled(tmp_path, stand_in):
    stand_in.answers({"orchestration check": [FIRST, NONE]})
    hand, calls = Hand(tmp_path), []
    plain = hand.handle
    hand.handle = lambda event: calls.append(len(stand_in.calls)) or plain(event)
    assert hand.handles(orca(stand_in)) == ALL
    assert (calls, acknowledged(stand_in)) == ([1, 1, 1], [None, "delivery_1"])


@pytest.mark.acceptance("K13", "K05")
def test_a_batch_with_one_that_failed_comes_again_and_only_that_one_is_handled_again(tmp_path, stand_in):
    stand_in.answers({"orchestration check": [FIRST]})
    first = Hand(tmp_path, fails=["msg_2"])
    assert first.handles(orca(stand_in)) == [
        ("msg_1", Handling.NOW),
        ("msg_2", Handling.FAILED),
        ("msg_3", Handling.NOW),
    ]
    assert acknowledged(stand_in) == [None]
    stand_in.answers({"orchestration check": [FIRST, NONE]})
    second = Hand(tmp_path)
    assert second.handles(orca(stand_in)) == [
        ("msg_1", Handling.BEFORE),
        ("msg_2", Handling.NOW),
        ("msg_3", Handling.BEFORE),
    ]
    assert (second.seen, acknowledged(stand_in)[1:]) == (["msg_2"], [None, "delivery_1"])


@pytest.mark.acceptance("K13")
def test_a_reader_that_dies_in_between_loses_nothing_and_does_nothing_twice(tmp_path, stand_in):
    stand_in.answers({"orchestration check": [FIRST]})
    hand = Hand(tmp_path)
    events = handled(orca(stand_in), hand.reader(), 1.0)
    next(events)
    next(events)
    events.close()
    stand_in.answers({"orchestration check": [FIRST, NONE]})
    later = Hand(tmp_path)
    later.handles(orca(stand_in))
    assert (hand.seen, later.seen) == (["msg_1", "msg_2"], ["msg_3"])


@pytest.mark.acceptance("K05")
def test_an_event_that_comes_twice_in_a_batch_or_in_the_next_one_is_handled_once(tmp_path, stand_in):
    twice = result(deliveryId="delivery_1", messages=[MESSAGES[0], MESSAGES[0]], count=2)
    again = result(deliveryId="delivery_2", messages=[MESSAGES[0], MESSAGES[1]], count=2, replayed=True)
    stand_in.answers({"orchestration check": [twice, again, NONE]})
    hand = Hand(tmp_path)
    hand.handles(orca(stand_in))
    assert (hand.seen, acknowledged(stand_in)) == (["msg_1", "msg_2"], [None, "delivery_1", "delivery_2"])


def test_an_orchestrator_that_takes_no_note_of_what_is_acknowledged_ends_the_reading(tmp_path, stand_in):
    stand_in.answers({"orchestration check": [FIRST]})
    hand = Hand(tmp_path)
    with pytest.raises(OrchestratorError, match="told again"):
        hand.handles(orca(stand_in))
    assert (hand.seen, len(stand_in.calls)) == (["msg_1", "msg_2", "msg_3"], 2)


@pytest.mark.acceptance("K12")
@pytest.mark.parametrize("answer", [NONE, result(messages=[], count=0), refusal("timeout"), refusal("runtime_timeout")])
def test_a_wait_without_events_handles_nothing_and_fails_nothing(tmp_path, stand_in, answer):
    stand_in.answers({"orchestration check": answer})
    assert Hand(tmp_path).handles(orca(stand_in)) == []
    assert acknowledged(stand_in) == [None]


KINDS = [
    pytest.param(local, id="local"),
    pytest.param(tmux, id="tmux", marks=pytest.mark.skipif(shutil.which("tmux") is None, reason="no tmux")),
]


@pytest.mark.acceptance("K10", "K11", "K13", "G03")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("status", "outcome"), [(0, "succeeded"), (7, "failed")])
def test_the_end_of_a_real_worker_is_handled_once_whatever_it_has_written_itself(tmp_path, kind, status, outcome):
    orchestrator = kind(tmp_path)
    (tmp_path / "done.md").write_text("done: all tests pass\n")
    terminal = orchestrator.open_terminal(str(tmp_path), agent_command(tmp_path))
    try:
        assert orchestrator.wait_idle(terminal, 20).satisfied
        task = orchestrator.create_task(f"exit {status}")
        orchestrator.inject(task, terminal)
        events = []
        hand = Hand(tmp_path)
        hand.handle = lambda event: events.append((event.type, event.task, event.outcome)) or True
        list(handled(orchestrator, hand.reader(), 30.0))
        assert events == [(EventType.WORKER_DONE, task, outcome)]
        assert orchestrator.dispatch_of(task).status is DispatchStatus({"succeeded": "completed"}.get(outcome, outcome))
        assert hand.handles(orchestrator) == []
    finally:
        subprocess.run(orchestrator.clean_up(terminal=terminal)[0], shell=True, check=False, capture_output=True)
        if orchestrator.name == "tmux":
            subprocess.run(["tmux", "-S", tmp_path / "tmux.sock", "kill-server"], check=False, capture_output=True)
