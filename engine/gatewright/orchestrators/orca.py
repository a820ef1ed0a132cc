"""The Orca command: its tasks, terminals, dispatches and deliveries."""

import json
import os
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence

from gatewright.orchestrators.envelopes import part, result_of, text
from gatewright.orchestrators.errors import OrchestratorError, Trouble
from gatewright.orchestrators.protocol import (
    WAKING,
    Batch,
    Dispatch,
    DispatchStatus,
    Event,
    EventType,
    Idle,
    Screen,
)
from gatewright.orchestrators.terminals import Caller
from gatewright.probes.commands import End, Ran

_CALL_SECONDS = 30.0
_WORD_SECONDS = 10.0  #: for what is good to know and not needed
_SLACK_SECONDS = 10.0  #: that a call may take longer than the wait it asks for
_LINES = 40
_TASKS = 50  #: whose dispatches are ever looked up at once
_WHO = ("agent-context", "--json")  #: to which Orca, and no other program of its name, answers with its schema
_NO_SCREEN = frozenset(["incompatible_runtime", "invalid_argument", "capability_unsupported"])


def program(environ: Mapping[str, str], platform: str = sys.platform) -> Sequence[str]:
    """The words that start the Orca command, as its vendor finds it."""
    named, path = environ.get("ORCA_CLI_COMMAND", "").strip(), environ.get("PATH", "")
    if named:
        return [named] if shutil.which(named, path=path) else _words(named)
    if environ.get("ORCA_DEV_REPO_ROOT"):
        return ["orca-dev"]
    is_only = not shutil.which("orca-ide", path=path) and bool(shutil.which("orca", path=path))
    return ["orca"] if is_only or not _is_readers(environ, platform) else ["orca-ide"]


def is_installed(call: Caller, environ: Mapping[str, str]) -> bool:
    """Whether the Orca command is there. A name that may be the screen reader's is asked who it is."""
    words = program(environ)
    if not shutil.which(words[0], path=environ.get("PATH", "")):
        return False
    if words != ["orca"] or not _is_readers(environ, sys.platform):
        return True
    ran = call([*words, *_WHO], seconds=_CALL_SECONDS)
    return ran.end is End.EXITED and _is_orca(ran.output)


def _is_readers(environ: Mapping[str, str], platform: str) -> bool:
    """Whether the plain name is a screen reader's: on Linux, but for the terminals that Orca itself opens."""
    return platform.startswith("linux") and not environ.get("ORCA_TERMINAL_HANDLE")


def _words(line: str) -> Sequence[str]:
    """The words of a command line; one with a quotation mark that nothing ends is one word."""
    try:
        return shlex.split(line)
    except ValueError:
        return [line]


class OrcaOrchestrator:
    """Drives Orca by its command, without a shell, with JSON answers."""

    name = "orca"

    def __init__(self, call: Caller, command: Sequence[str]) -> None:
        self.call, self.command = call, tuple(command)
        self._is_known = False
        self._dispatches: dict[str, str] = {}  #: by terminal, those that this process has typed

    def reach(self) -> None:
        """See once that the program is Orca: on many machines the name is a screen reader's."""
        if self._is_known:
            return
        argv = [*self.command, *_WHO]
        ran = self.call(argv, seconds=_CALL_SECONDS)
        if ran.end is not End.EXITED:
            result_of(ran, argv)
        if not _is_orca(ran.output):
            hint = "name the right one by ORCA_CLI_COMMAND"
            raise OrchestratorError(Trouble.MISSING, f"`{self.command[0]}` is another program than Orca", hint)
        self._is_known = True

    def create_task(self, spec: str) -> str:
        """A task with a text; its id."""
        result = self._ask("orchestration", "task-create", "--spec", spec)
        return self._needed(text(part(result, "task"), "id"), "task-create", "result.task.id")

    def open_terminal(self, worktree: str, command: str) -> str:
        """A terminal in a worktree, by a selector of Orca's or an absolute path."""
        selector = f"path:{worktree}" if worktree.startswith("/") else worktree
        result = self._ask("terminal", "create", "--worktree", selector, "--command", command)
        return self._needed(text(part(result, "terminal"), "handle"), "terminal create", "result.terminal.handle")

    def wait_idle(self, terminal: str, seconds: float) -> Idle:
        """Wait until a terminal's program is idle, as Orca sees it."""
        limit = str(round(seconds * 1000))
        words = ("terminal", "wait", "--terminal", terminal, "--for", "tui-idle", "--timeout-ms", limit)
        try:
            found = part(self._ask(*words, seconds=seconds + _SLACK_SECONDS), "wait")
        except OrchestratorError as error:
            if error.trouble is not Trouble.TIMEOUT:
                raise
            return Idle(satisfied=False)
        alive = text(found, "status") != "exited"
        blocked = text(found, "blockedReason")
        return Idle(satisfied=found.get("satisfied") is True and alive, blocked=blocked, alive=alive)

    def inject(self, task: str, terminal: str) -> Dispatch:
        """Type a task into a terminal, once."""
        result = self._ask("orchestration", "dispatch", "--task", task, "--to", terminal, "--inject")
        found = _dispatch(part(result, "dispatch"), injected=result.get("injected") is not False)
        self._dispatches[terminal] = found.id
        return found

    def dispatch_of(self, task: str) -> Dispatch | None:
        """The dispatch of a task; an answer without one means that there is none.

        Who answers is not asked first: the answer itself shows it, and nothing comes of the question.
        """
        argv = [*self.command, "orchestration", "dispatch-show", "--task", task, "--json"]
        ran = self._called(argv, _CALL_SECONDS)
        try:
            found = result_of(ran, argv).get("dispatch")
        except OrchestratorError as error:
            if error.trouble is Trouble.NOT_FOUND:
                return None
            if error.trouble is Trouble.UNPARSEABLE and ran.status:
                raise _ended(ran.status) from None
            raise
        if ran.status:
            raise _ended(ran.status)
        return _dispatch(found) if isinstance(found, dict) else None

    def dispatches(self) -> Sequence[Dispatch]:
        """The dispatches of the run's tasks, as far as there is one of each."""
        rows = self._ask("orchestration", "task-list").get("tasks")
        tasks = [text(row, "id") for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
        found = (self.dispatch_of(task) for task in reversed(tasks[-_TASKS:]) if task)
        return [each for each in found if each is not None]

    def screen(self, terminal: str) -> Screen:
        """What stands on the screen; from a host that cannot tell, what was written last."""
        words = ("terminal", "read", "--terminal", terminal, "--limit", str(_LINES))
        try:
            found = part(self._ask(*words, "--screen"), "terminal")
        except OrchestratorError as error:
            if error.code not in _NO_SCREEN:
                raise
            found = part(self._ask(*words), "terminal")
        lines = found.get("tail")
        shown = "\n".join(line for line in lines if isinstance(line, str)) if isinstance(lines, list) else ""
        status = text(found, "status")
        return Screen(
            text=shown,
            alive={"running": True, "exited": False}.get(status),
            is_stream=text(found, "source") != "screen",
            blocked=self._waits_at(terminal),
        )

    def _waits_at(self, terminal: str) -> str:
        """Orca's word for what the worker of a terminal waits at; a host that cannot tell is asked no more."""
        dispatch = self._dispatches.get(terminal)
        if dispatch is None:
            return ""
        try:
            shown = self._ask("orchestration", "worker-show", "--dispatch", dispatch, seconds=_WORD_SECONDS)
        except OrchestratorError:
            del self._dispatches[terminal]
            return ""
        return text(part(part(shown, "observation"), "agentWait"), "reason")

    def wait(self, seconds: float, acknowledge: str = "") -> Batch:
        """The next batch of events; what was handled is acknowledged by the same call."""
        words = ["orchestration", "check", "--wait", "--types", ",".join(each.value for each in WAKING)]
        words += ["--timeout-ms", str(round(seconds * 1000))]
        words += ["--ack", acknowledge] if acknowledge else []
        try:
            result = self._ask(*words, seconds=seconds + _SLACK_SECONDS)
        except OrchestratorError as error:
            if error.trouble is Trouble.TIMEOUT and error.code:  # it has answered that nothing came in time
                return Batch()
            raise
        messages = result.get("messages")
        events = [_event(each) for each in messages if isinstance(each, dict)] if isinstance(messages, list) else []
        return Batch(delivery=text(result, "deliveryId"), events=tuple(events), replayed=result.get("replayed") is True)

    def probe_command(self, task: str) -> str:
        """The shell command that prints the dispatch of a task."""
        return shlex.join([*self.command, "orchestration", "dispatch-show", "--task", task, "--json"])

    def clean_up(self, task: str = "", terminal: str = "") -> Sequence[str]:
        """How a person looks at the task and closes the terminal."""
        words = [["orchestration", "dispatch-show", "--task", task]] if task else []
        words += [["terminal", "close", "--terminal", terminal]] if terminal else []
        return [shlex.join([*self.command, *each]) for each in words]

    def _ask(self, *words: str, seconds: float = _CALL_SECONDS) -> Mapping[str, object]:
        self.reach()
        argv = [*self.command, *words, "--json"]
        return result_of(self._called(argv, seconds), argv)

    def _called(self, argv: Sequence[str], seconds: float) -> Ran:
        """Call Orca, with words that a program can be called with."""
        for word in argv:
            if "\0" in word or not _is_sound(word):
                problem = "a word holds a character that no program can be called with"
                raise OrchestratorError(Trouble.REFUSED, f"{' '.join(argv[1:3])}: {problem}")
        return self.call(argv, seconds=seconds)

    def _needed(self, found: str, step: str, place: str) -> str:
        if not found:
            raise OrchestratorError(Trouble.UNPARSEABLE, f"{step}: the answer has no {place}")
        return found


def _is_sound(word: str) -> bool:
    try:
        os.fsencode(word)
    except UnicodeEncodeError:
        return False
    return True


def _is_orca(answer: str) -> bool:
    try:
        found = json.loads(answer)
    except (ValueError, RecursionError):
        return False
    if isinstance(found, dict) and isinstance(found.get("result"), dict):
        found = found["result"]
    return isinstance(found, dict) and "schemaVersion" in found


def _ended(status: int) -> OrchestratorError:
    return OrchestratorError(Trouble.REFUSED, f"orchestration dispatch-show: it exited with {status}")


def _dispatch(row: Mapping[str, object], *, injected: bool = True) -> Dispatch:
    task = row.get("task_id", "")
    if not text(row, "id") or not isinstance(task, str | None):
        raise OrchestratorError(Trouble.UNPARSEABLE, "the answer names no dispatch")
    return Dispatch(
        id=text(row, "id"),
        task=task or "",
        terminal=text(row, "assignee_handle"),
        status=DispatchStatus.of(text(row, "status")),
        injected=injected,
        last_failure=text(row, "last_failure"),
    )


def _event(message: Mapping[str, object]) -> Event:
    kind = text(message, "type")
    known = {each.value: each for each in WAKING}
    payload = _payload(message.get("payload"))
    return Event(
        id=text(message, "id"),
        type=known.get(kind, EventType.OTHER),
        task=text(payload, "taskId") or text(payload, "task_id"),
        dispatch=text(payload, "dispatchId") or text(payload, "dispatch_id"),
        outcome=text(payload, "outcome"),
        text=text(message, "subject") or text(message, "body"),
    )


def _payload(found: object) -> Mapping[str, object]:
    """The payload of a message: a JSON text, in some versions the object itself."""
    if isinstance(found, str):
        try:
            found = json.loads(found)
        except (ValueError, RecursionError):
            return {}
    return found if isinstance(found, dict) else {}
