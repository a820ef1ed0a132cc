"""An orchestrator made of terminals of this machine and a book of tasks: what `local` and `tmux` have in common."""

import shlex
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from gatewright.ledger.errors import LedgerError
from gatewright.ledger.tasks import DispatchRow, EventRow, TaskBook
from gatewright.orchestrators.errors import OrchestratorError, Trouble
from gatewright.orchestrators.protocol import Batch, Dispatch, DispatchStatus, Event, EventType, Idle, Screen
from gatewright.orchestrators.terminals import Terminals

_LOOK_SECONDS = 0.2
_REST_SECONDS = 1.5
_WAIT_LOOK_SECONDS = 0.5
_END_SECONDS = 5.0


class OwnedOrchestrator:
    """Keeps tasks and dispatches itself, and sees from its terminals when a worker has ended."""

    def __init__(self, terminals: Terminals, book: TaskBook, now: Callable[[], float]) -> None:
        self.terminals, self.book, self.now = terminals, book, now
        self.name = terminals.name
        self._specs: dict[str, str] = {}
        self._ends: dict[str, float] = {}  #: when an end was first seen whose exit status was not known

    def reach(self) -> None:
        """See that its terminals can be had."""
        self.terminals.reach()

    def create_task(self, spec: str) -> str:
        """Keep a task; its text stays in this process."""
        with _told():
            task = self.book.add_task(self.name, spec, self.now())
        self._specs[task] = spec
        return task

    def open_terminal(self, worktree: str, command: str) -> str:
        """Start a command in a worktree."""
        return self.terminals.open(worktree, command)

    def wait_idle(self, terminal: str, seconds: float) -> Idle:
        """Wait until a terminal has shown something and then nothing new for a while."""
        until = time.monotonic() + seconds
        last, since = "", time.monotonic()
        while True:
            screen, at = self.terminals.screen(terminal), time.monotonic()
            if screen.alive is False:
                return Idle(satisfied=False, alive=False)
            if screen.text != last:
                last, since = screen.text, at
            if last.strip() and at - since >= _REST_SECONDS:
                return Idle(satisfied=True)
            if at > until:
                return Idle(satisfied=False)
            time.sleep(_LOOK_SECONDS)

    def inject(self, task: str, terminal: str) -> Dispatch:
        """Type a task that this process has made. The dispatch is kept before the first key is pressed."""
        spec = self._specs.get(task)
        if spec is None:
            raise OrchestratorError(Trouble.NOT_FOUND, f"there is no task `{task}` to type", code="task_not_found")
        with _told():
            dispatch = self.book.add_dispatch(task, terminal, self.now())
            try:
                self.terminals.type(terminal, spec)
            except OrchestratorError as error:
                self.book.mark(dispatch, DispatchStatus.FAILED.value, error.problem)
                raise
            self.book.mark(dispatch, DispatchStatus.DISPATCHED.value)
        return Dispatch(id=dispatch, task=task, terminal=terminal)

    def dispatch_of(self, task: str) -> Dispatch | None:
        """The newest dispatch of a task, after a look at whether its worker still runs."""
        self._look()
        with _told():
            row = self.book.dispatch_of(self.name, task)
        return None if row is None else _dispatch(row)

    def dispatches(self) -> Sequence[Dispatch]:
        """The newest dispatches, after a look at whether their workers still run."""
        self._look()
        with _told():
            return [_dispatch(row) for row in self.book.recent(self.name)]

    def screen(self, terminal: str) -> Screen:
        """What a terminal shows."""
        return self.terminals.screen(terminal)

    def wait(self, seconds: float, acknowledge: str = "") -> Batch:
        """The ends of workers. A worker that goes on without an end is seen in its log, not here."""
        until = time.monotonic() + seconds
        while True:
            self._look()
            with _told():
                delivery, rows, replayed = self.book.batch(self.name, acknowledge)
            acknowledge = ""
            if rows or time.monotonic() >= until:
                return Batch(delivery=delivery, events=tuple(map(_event, rows)), replayed=replayed)
            time.sleep(min(_WAIT_LOOK_SECONDS, max(0.0, until - time.monotonic())))

    def probe_command(self, task: str) -> str:
        """The shell command that prints the dispatch of a task."""
        return f"gatewright tasks show {shlex.quote(task)} --orchestrator {self.name}"

    def clean_up(self, task: str = "", terminal: str = "") -> Sequence[str]:
        """How a person ends the worker; a task without a dispatch needs nothing."""
        del task
        return [self.terminals.close_command(terminal)] if terminal else []

    def _look(self) -> None:
        """Keep the end of every worker that has ended since the last look."""
        with _told():
            for row in self.book.active(self.name):
                screen = self._screen_of(row)
                if screen.alive is False and self._is_certain(row, screen):
                    known = screen.exit_code is not None
                    text = f"the program ended with status {screen.exit_code}" if known else "the terminal is gone"
                    self.book.end(row.id, succeeded=screen.exit_code == 0, text=text)

    def _is_certain(self, row: DispatchRow, screen: Screen) -> bool:
        """Whether how a program ended is known, or has been unknown for so long that it will not be known."""
        # A terminal is closed before the system tells how its program ended, on a busy machine long before.
        since = self._ends.setdefault(row.id, time.monotonic())
        return screen.exit_code is not None or time.monotonic() - since >= _END_SECONDS

    def _screen_of(self, row: DispatchRow) -> Screen:
        try:
            return self.terminals.screen(row.terminal)
        except OrchestratorError as error:
            if error.trouble is not Trouble.REFUSED:  # a terminal that did not answer is not one that has gone
                raise
            return Screen(text="", alive=False)


@contextmanager
def _told() -> Iterator[None]:
    """Tell of a database that cannot be used as the orchestrator's failure."""
    try:
        yield
    except LedgerError as error:
        raise OrchestratorError(Trouble.MISSING, str(error)) from None


def _dispatch(row: DispatchRow) -> Dispatch:
    return Dispatch(
        id=row.id,
        task=row.task,
        terminal=row.terminal,
        status=DispatchStatus(row.status),
        last_failure=row.failure,
    )


def _event(row: EventRow) -> Event:
    return Event(
        id=row.id,
        type=EventType(row.type),
        task=row.task,
        dispatch=row.dispatch,
        outcome=row.outcome,
        text=row.text,
    )
