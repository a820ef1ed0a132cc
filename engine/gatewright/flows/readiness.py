"""Waiting until a worker's terminal is ready for its task: at rest, and still so a while later.

An agent may draw its prompt and ask whether it trusts the folder some seconds afterwards, over that very prompt. What
was typed in between is lost, or answers the question. So a screen counts once it has been seen twice.
"""

from collections.abc import Callable
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from gatewright.model.screens import Pane, PaneClass
from gatewright.orchestrators.protocol import Idle, Orchestrator, Screen

PAUSE_SECONDS = 7.0  #: Codex shows its prompt for some five seconds before it asks
_ROUNDS = 4  #: looks at a screen that is another one each time
_EMPTY_LOOKS, _EMPTY_SECONDS = 4, 1.0
_GATES = (PaneClass.HOOK_TRUST, PaneClass.LIMIT)

Read = Callable[[Screen], Pane]
Sleep = Callable[[float], None]


class Readiness(Enum):
    """How waiting for a terminal has ended."""

    READY = "an agent's prompt waits for a task"
    GATED = "a question or a limit stands in the way"
    GONE = "its program has ended"
    RESTLESS = "it has not come to rest"
    UNKNOWN = "it has come to rest, and nothing that is known stands there"


class Look(Struct, frozen=True, kw_only=True):
    """A terminal at one moment."""

    pane: Pane
    alive: bool | None = None  #: None where the orchestrator does not know

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come of waiting."""
        return self.alive is False or self.pane.pane_class in _GATES


class Waited(Struct, frozen=True, kw_only=True):
    """How waiting for a terminal has ended, and what it shows."""

    readiness: Readiness
    look: Look


def look(orchestrator: Orchestrator, terminal: str, read: Read, sleep: Sleep, word: str = "") -> Look:
    """What a terminal shows; one that shows nothing at all is looked at again. Raises OrchestratorError.

    word: the orchestrator's for what the terminal waits at, where it has said one before.
    """
    screen = orchestrator.screen(terminal)
    for _ in range(_EMPTY_LOOKS - 1):
        if screen.text.strip() or screen.blocked or screen.alive is False:
            break
        sleep(_EMPTY_SECONDS)
        screen = orchestrator.screen(terminal)
    return Look(pane=read(replace(screen, blocked=screen.blocked or word)), alive=screen.alive)


def ready(
    orchestrator: Orchestrator,
    terminal: str,
    read: Read,
    seconds: float,
    pause: float = PAUSE_SECONDS,
    *,
    sleep: Sleep,
) -> Waited:
    """Wait until a terminal is ready for a task. Raises OrchestratorError.

    read: tells what a screen shows.
    seconds: how long it may take to come to rest.
    pause: how long it has to stay as it is then; nothing, where its agent is known to ask at once or never.
    """
    idle = orchestrator.wait_idle(terminal, seconds)
    seen = _with_word(look(orchestrator, terminal, read, sleep, idle.blocked), idle)
    for _ in range(_ROUNDS):
        if seen.is_over or not (idle.alive and pause):
            break
        sleep(pause)
        before, seen = seen, look(orchestrator, terminal, read, sleep)
        if seen.pane.pane_class is before.pane.pane_class:
            break
    return Waited(readiness=_readiness(idle, seen), look=seen)


def _with_word(seen: Look, idle: Idle) -> Look:
    """What was seen; where the orchestrator says that the terminal waits at something, that is a question."""
    if seen.is_over or not idle.blocked:
        return seen
    return Look(pane=Pane(pane_class=PaneClass.HOOK_TRUST, marker=idle.blocked), alive=seen.alive)


def _readiness(idle: Idle, seen: Look) -> Readiness:
    if seen.alive is False or not idle.alive:
        return Readiness.GONE
    if seen.pane.pane_class in _GATES:
        return Readiness.GATED
    if seen.pane.pane_class is PaneClass.PREPARED_PROMPT:
        return Readiness.READY
    return Readiness.UNKNOWN if idle.satisfied else Readiness.RESTLESS
