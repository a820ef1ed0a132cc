"""Orca is driven by its own words, and every answer it may give is understood."""

import shlex
import subprocess

import pytest
from orca_sdk.schema import get_command
from tests.orchestrators.stand_in import StandIn, refusal, result

from gatewright.app import App, Options
from gatewright.orchestrators.errors import OrchestratorError, Trouble
from gatewright.orchestrators.orca import OrcaOrchestrator, program
from gatewright.orchestrators.protocol import Dispatch, DispatchStatus, EventType, Idle
from gatewright.probes.commands import run

ROW = {"id": "ctx_0123456789ab", "task_id": "task_1", "assignee_handle": "term_1", "status": "dispatched"}


@pytest.fixture
def stand_in(tmp_path):
    return StandIn(tmp_path / "bin")


def orca(stand_in, seconds=None):
    call = run if seconds is None else lambda words, **_: run(words, seconds=seconds)
    return OrcaOrchestrator(call, [str(stand_in.path)])


def checked(words):
    """The words of a call, once Orca's published schema knows the command and each flag."""
    command = get_command(" ".join(words[:2]))
    assert {word.removeprefix("--") for word in words if word.startswith("--")} <= set(command["flags"])
    return words


@pytest.mark.acceptance("W08")
def test_a_task_is_made_with_its_text_and_known_by_the_id_of_the_answer(stand_in):
    stand_in.answers({"orchestration task-create": result(task={"id": "task_9", "status": "ready"})})
    assert orca(stand_in).create_task('do "it"; $(rm)\nnow') == "task_9"
    assert [checked(words) for words in stand_in.calls] == [
        ["orchestration", "task-create", "--spec", 'do "it"; $(rm)\nnow', "--json"]
    ]


@pytest.mark.parametrize(
    ("worktree", "selector"), [("/w/a b", "path:/w/a b"), ("path:/w", "path:/w"), ("id:7", "id:7")]
)
def test_a_terminal_is_opened_in_the_worktree_with_the_command(stand_in, worktree, selector):
    stand_in.answers({"terminal create": result(terminal={"handle": "term_1"})})
    assert orca(stand_in).open_terminal(worktree, "codex --model m") == "term_1"
    assert [checked(words) for words in stand_in.calls] == [
        ["terminal", "create", "--worktree", selector, "--command", "codex --model m", "--json"]
    ]


@pytest.mark.acceptance("W10")
def test_a_dispatch_types_the_task_and_is_known_by_the_id_of_the_answer(stand_in):
    stand_in.answers({"orchestration dispatch": result(dispatch=ROW, injected=True)})
    assert orca(stand_in).inject("task_1", "term_1") == Dispatch(id=ROW["id"], task="task_1", terminal="term_1")
    assert [checked(words) for words in stand_in.calls] == [
        ["orchestration", "dispatch", "--task", "task_1", "--to", "term_1", "--inject", "--json"]
    ]


@pytest.mark.parametrize(
    ("answer", "idle"),
    [
        (result(wait={"satisfied": True, "status": "running"}), Idle(satisfied=True)),
        (
            {**result(wait={"satisfied": False, "blockedReason": "codex-trust-workspace"}), "exit": 1},
            Idle(satisfied=False, blocked="codex-trust-workspace"),
        ),
        (
            {**result(wait={"satisfied": True, "status": "exited", "exitCode": 1}), "exit": 1},
            Idle(satisfied=False, alive=False),
        ),
        (refusal("timeout"), Idle(satisfied=False)),
    ],
)
def test_waiting_for_rest_tells_how_it_ended(stand_in, answer, idle):
    stand_in.answers({"terminal wait": answer})
    assert orca(stand_in).wait_idle("term_1", 60) == idle
    assert [checked(words) for words in stand_in.calls] == [
        ["terminal", "wait", "--terminal", "term_1", "--for", "tui-idle", "--timeout-ms", "60000", "--json"]
    ]


@pytest.mark.acceptance("D14")
def test_the_screen_is_asked_for_and_what_was_written_only_where_there_is_none(stand_in):
    shown = result(terminal={"tail": ["a", "› b"], "status": "running", "source": "screen"})
    written = result(terminal={"tail": ["c"], "status": "exited", "source": "stream"})
    stand_in.answers({"terminal read": shown})
    screen = orca(stand_in).screen("term_1")
    assert (screen.text, screen.alive, screen.is_stream) == ("a\n› b", True, False)
    stand_in.answers({"terminal read": [refusal("incompatible_runtime"), written]})
    screen = orca(stand_in).screen("term_1")
    assert (screen.text, screen.alive, screen.is_stream) == ("c", False, True)
    words = ["terminal", "read", "--terminal", "term_1", "--limit", "40"]
    assert [checked(each) for each in stand_in.calls] == [
        [*words, "--screen", "--json"],
        [*words, "--screen", "--json"],
        [*words, "--json"],
    ]


@pytest.mark.acceptance("D14")
def test_what_orca_sees_a_worker_wait_at_is_told_with_its_screen(stand_in):
    shown = result(terminal={"tail": ["› "], "status": "running", "source": "screen"})
    waits = result(observation={"agentWait": {"source": "hook", "reason": "agent-approval-prompt", "since": "x"}})
    stand_in.answers(
        {
            "orchestration dispatch": result(dispatch=ROW, injected=True),
            "orchestration worker-show": [waits, result(observation={"agentWait": None}), refusal("invalid_argument")],
            "terminal read": shown,
        }
    )
    orchestrator = orca(stand_in)
    assert orchestrator.screen("term_1").blocked == ""
    orchestrator.inject("task_1", "term_1")
    assert [orchestrator.screen("term_1").blocked for _ in range(4)] == ["agent-approval-prompt", "", "", ""]
    asked = [checked(words) for words in stand_in.calls if words[1] == "worker-show"]
    assert asked == [["orchestration", "worker-show", "--dispatch", ROW["id"], "--json"]] * 3


@pytest.mark.parametrize("status", list(DispatchStatus))
def test_a_dispatch_is_shown_with_its_status(stand_in, status):
    stand_in.answers({"orchestration dispatch-show": result(dispatch=ROW | {"status": status.value})})
    assert orca(stand_in).dispatch_of("task_1").status is status


@pytest.mark.parametrize(
    "answer",
    [result(dispatch=None), result(), refusal("task_not_found"), refusal("runtime_error", "Task not found: task_1")],
)
def test_no_dispatch_is_told_apart_from_failure(stand_in, answer):
    stand_in.answers({"orchestration dispatch-show": answer})
    assert orca(stand_in).dispatch_of("task_1") is None


@pytest.mark.acceptance("W26")
@pytest.mark.parametrize(
    ("answer", "trouble", "code"),
    [
        (refusal("runtime_unavailable"), Trouble.MISSING, "runtime_unavailable"),
        (refusal("task_not_startable", status=0), Trouble.REFUSED, "task_not_startable"),
        (refusal("agent_prompt_blocked"), Trouble.REFUSED, "agent_prompt_blocked"),
        (refusal("agent_prompt_stalled"), Trouble.REFUSED, "agent_prompt_stalled"),
        (refusal("timeout"), Trouble.TIMEOUT, "timeout"),
        (refusal("a_new_code", "words"), Trouble.REFUSED, "a_new_code"),
        ({"say": "not json", "exit": 0}, Trouble.UNPARSEABLE, ""),
        ({"say": "", "exit": 75}, Trouble.UNPARSEABLE, ""),
        ({"say": [1], "exit": 0}, Trouble.UNPARSEABLE, ""),
        ({"say": {"result": {}}, "exit": 0}, Trouble.UNPARSEABLE, ""),
        ({"say": {"ok": "true", "result": {}}, "exit": 0}, Trouble.UNPARSEABLE, ""),
        ({"say": {"ok": False, "error": "words"}, "exit": 1}, Trouble.REFUSED, ""),
        ({"say": "[" * 100_000, "exit": 0}, Trouble.UNPARSEABLE, ""),
        (result(dispatch={}), Trouble.UNPARSEABLE, ""),
        (result(dispatch=ROW | {"task_id": 7}), Trouble.UNPARSEABLE, ""),
        ({"say": {"ok": True}}, Trouble.UNPARSEABLE, ""),
    ],
)
def test_the_answer_counts_whatever_the_exit_status(stand_in, answer, trouble, code):
    stand_in.answers({"orchestration dispatch": answer})
    with pytest.raises(OrchestratorError) as caught:
        orca(stand_in).inject("task_1", "term_1")
    assert (caught.value.trouble, caught.value.code) == (trouble, code)
    assert len(stand_in.calls) == 1


@pytest.mark.acceptance("W28", "K02")
def test_a_run_that_is_not_bound_is_told_with_what_to_do(stand_in):
    stand_in.answers({"orchestration task-create": refusal("run_required", "no run", ["orca orchestration run-list"])})
    with pytest.raises(OrchestratorError) as caught:
        orca(stand_in).create_task("x")
    assert str(caught.value) == (
        f"run_required: {stand_in.path} orchestration task-create: no run (bind a run first: "
        "`orca orchestration run-create --objective …`, or `run-use --id …`; orca orchestration run-list)"
    )


def test_what_is_said_on_standard_error_is_no_part_of_the_answer(stand_in):
    keepalive = '{"_keepalive": true, "elapsedMs": 15000}\n'
    stand_in.answers({"orchestration task-create": {**result(task={"id": "task_9"}), "stderr": keepalive}})
    assert orca(stand_in).create_task("x") == "task_9"


def test_an_answer_that_does_not_come_is_a_failure_of_its_own(stand_in):
    stand_in.answers({"orchestration task-create": {**result(task={"id": "task_9"}), "sleep": 30}})
    with pytest.raises(OrchestratorError) as caught:
        orca(stand_in, seconds=1.0).create_task("x")
    assert caught.value.trouble is Trouble.TIMEOUT


@pytest.mark.parametrize("said", ["Orca screen reader 46.1\n", "{}", '{"version": 3}', ""])
@pytest.mark.acceptance("W27")
def test_another_program_of_the_name_is_told_and_asked_nothing(stand_in, said):
    stand_in.answers({"agent-context": {"say": said}, "orchestration task-create": result(task={"id": "task_9"})})
    with pytest.raises(OrchestratorError) as caught:
        orca(stand_in).create_task("x")
    assert (caught.value.trouble, "another program" in str(caught.value)) == (Trouble.MISSING, True)
    assert stand_in.calls == []


def test_a_program_that_is_not_there_is_missing(tmp_path):
    with pytest.raises(OrchestratorError) as caught:
        OrcaOrchestrator(run, [str(tmp_path / "none")]).create_task("x")
    assert caught.value.trouble is Trouble.MISSING


@pytest.mark.acceptance("W27")
@pytest.mark.parametrize(
    ("environ", "platform", "words"),
    [
        ({}, "linux", ["orca-ide"]),
        ({}, "darwin", ["orca"]),
        ({"ORCA_TERMINAL_HANDLE": "term_1"}, "linux", ["orca"]),
        ({"ORCA_DEV_REPO_ROOT": "/r"}, "linux", ["orca-dev"]),
        ({"ORCA_DEV_REPO_ROOT": "/r", "ORCA_CLI_COMMAND": "node '/a b/orca.js'"}, "linux", ["node", "/a b/orca.js"]),
        ({"ORCA_CLI_COMMAND": " "}, "darwin", ["orca"]),
        ({"ORCA_CLI_COMMAND": "it's here"}, "linux", ["it's here"]),
    ],
)
def test_the_program_is_found_as_its_vendor_finds_it(environ, platform, words):
    assert program(environ, platform) == words


@pytest.mark.acceptance("W27")
@pytest.mark.parametrize(
    ("installed", "environ", "name"),
    [
        ([], {}, "orca-ide"),
        (["orca"], {}, "orca"),
        (["orca", "orca-ide"], {}, "orca-ide"),
        (["orca", "orca-ide"], {"ORCA_TERMINAL_HANDLE": "term_1"}, "orca"),
        (["my orca"], {"ORCA_CLI_COMMAND": "my orca"}, "my orca"),
    ],
)
def test_on_linux_the_plain_name_is_taken_where_nothing_else_is_there(tmp_path, installed, environ, name):
    for each in installed:
        (tmp_path / each).write_text("#!/bin/sh\n")
        (tmp_path / each).chmod(0o755)
    assert program({"PATH": str(tmp_path), **environ}, "linux") == [name]


MESSAGES = [
    {
        "id": "msg_1",
        "type": "worker_done",
        "subject": "done",
        "payload": '{"taskId": "task_1", "dispatchId": "ctx_1", "outcome": "failed"}',
    },
    {"id": "msg_2", "type": "escalation", "body": "help", "payload": None},
    {"id": "msg_3", "type": "heartbeat", "payload": "{"},
]


@pytest.mark.acceptance("K03", "K04", "K11")
def test_events_are_waited_for_and_acknowledged_with_the_next_wait(stand_in):
    first = result(deliveryId="delivery_1", messages=MESSAGES, count=3, replayed=False)
    stand_in.answers({"orchestration check": [first, result(deliveryId=None, messages=[], count=0, timedOut=True)]})
    orchestrator = orca(stand_in)
    batch = orchestrator.wait(60)
    assert [(event.id, event.type, event.dispatch, event.outcome, event.text) for event in batch.events] == [
        ("msg_1", EventType.WORKER_DONE, "ctx_1", "failed", "done"),
        ("msg_2", EventType.ESCALATION, "", "", "help"),
        ("msg_3", EventType.OTHER, "", "", ""),
    ]
    assert orchestrator.wait(1.5, acknowledge=batch.delivery).events == ()
    kinds = ["--types", "worker_done,escalation,question"]
    assert [checked(words) for words in stand_in.calls] == [
        ["orchestration", "check", "--wait", *kinds, "--timeout-ms", "60000", "--json"],
        ["orchestration", "check", "--wait", *kinds, "--timeout-ms", "1500", "--ack", "delivery_1", "--json"],
    ]


def test_a_task_that_was_typed_is_dispatched_whatever_word_its_status_is(stand_in):
    stand_in.answers({"orchestration dispatch": result(dispatch=ROW | {"status": "a new word"})})
    found = orca(stand_in).inject("task_1", "term_1")
    assert (found.id, found.status, found.status.is_active) == (ROW["id"], DispatchStatus.OTHER, True)


@pytest.mark.acceptance("R21")
def test_a_registration_looks_at_the_dispatch_by_orcas_own_words(stand_in):
    stand_in.answers({"orchestration dispatch-show": result(dispatch=ROW)})
    command = orca(stand_in).probe_command("task '1")
    assert ROW["id"] in subprocess.run(command, shell=True, check=True, capture_output=True, text=True).stdout
    assert [checked(words) for words in stand_in.calls] == [
        ["orchestration", "dispatch-show", "--task", "task '1", "--json"]
    ]


@pytest.mark.parametrize("task", ["a\0b", "a\ud800"])
def test_a_word_that_no_program_can_be_called_with_is_refused(stand_in, task):
    for ask in (orca(stand_in).dispatch_of, orca(stand_in).create_task):
        with pytest.raises(OrchestratorError) as caught:
            ask(task)
        assert (caught.value.trouble, "no program can be called with" in str(caught.value)) == (Trouble.REFUSED, True)
    assert stand_in.calls == []


def test_half_a_character_in_an_answer_spoils_nothing(stand_in):
    stand_in.answers({"orchestration dispatch-show": result(dispatch={**ROW, "assignee_handle": "t\ud800"})})
    assert orca(stand_in).dispatch_of("task_1").terminal == "t\ufffd"


def test_an_answer_of_many_long_messages_is_heard_to_its_end(stand_in, tmp_path):
    messages = [{"id": f"msg_{n}", "type": "question", "body": "x" * 100_000} for n in range(30)]
    stand_in.answers({"orchestration check": result(deliveryId="delivery_1", messages=messages)})
    environ = {"ORCA_CLI_COMMAND": str(stand_in.path), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    batch = App(Options(), environ=environ, folder=str(tmp_path)).orchestrator("orca").wait(0)
    assert [event.id for event in batch.events] == [message["id"] for message in messages]


def test_cleaning_up_names_what_there_is(stand_in):
    commands = orca(stand_in).clean_up(task="task_1", terminal="term_1")
    words = [checked(shlex.split(command)[1:]) for command in commands]
    assert words == [
        ["orchestration", "dispatch-show", "--task", "task_1"],
        ["terminal", "close", "--terminal", "term_1"],
    ]
    assert orca(stand_in).clean_up() == []
