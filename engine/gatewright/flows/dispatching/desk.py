"""What a dispatch is asked for, and what it is carried out with."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from typing import Protocol

from msgspec import Struct

from gatewright.flows.check import Surroundings
from gatewright.flows.recording import Checked
from gatewright.ledger.protocol import Ledger
from gatewright.model import GateDecision, Moment, Stage
from gatewright.model.departures import Host
from gatewright.model.runtimes import Runtimes
from gatewright.model.screens import Pane
from gatewright.orchestrators.protocol import Orchestrator, Screen
from gatewright.probes.transcripts.places import Sought
from gatewright.runner import Gate
from gatewright.runtimes.pretrust.homes import Homes

EST_CHARS = 3000
IDLE_SECONDS = 60.0
MODEL_SECONDS = 30.0
LOOKS, LOOK_SECONDS = 6, 5.0


class DispatchRequest(Struct, frozen=True, kw_only=True):
    """A dispatch as it is asked for; what is left out is chosen, or does without."""

    contract: str  #: path of the contract file
    spec: str | None = None  #: the task, word for word as the worker is told it
    terminal: str | None = None  #: one that is open already
    worktree: str | None = None  #: an absolute path
    runtime: str | None = None
    model: str | None = None
    top_approved: str | None = None
    tier_override: str | None = None
    same_host_reason: str | None = None
    est_chars: int = EST_CHARS
    transcript_glob: str | None = None
    check_only: bool = False
    actor: str | None = None
    labels: Mapping[str, str] = {}

    @property
    def folder(self) -> str | None:
        """The worktree's path."""
        return None if self.worktree is None else self.worktree.removeprefix("path:")


class Decide(Protocol):
    """Puts a question to the gate of a stage. What goes wrong on the way is a denial with a code of its own."""

    def __call__(
        self, stage: Stage, ask: Callable[[Gate], Checked], note: Callable[[GateDecision], None]
    ) -> GateDecision:
        """The decision.

        ask: what the gate's facts are, and what is done with its decision.
        note: writes down the denial of a gate that could not be made.
        """


class OpenLedger(Protocol):
    """How the ledger in force is had."""

    def __call__(self, *, to_read: bool = False) -> Ledger:
        """The ledger, to write to or only to read. Raises LedgerError."""


class SeekTranscript(Protocol):
    """How the transcript of a worker is looked for."""

    def __call__(
        self,
        transcript: str | None,
        pattern: str | None,
        *,
        worktree: str | None,
        since: float | None,
        runtime: str | None,
    ) -> Sought:
        """Which one is meant."""


class ReadPane(Protocol):
    """How a screen is read."""

    def __call__(self, screen: Screen, *, product: str, task: str, now: datetime) -> Pane:
        """What the screen of a product shows, on which a task was typed."""


class Interruptions(Protocol):
    """How a dispatch is stopped by hand: by a KeyboardInterrupt, which comes at any moment but these."""

    def held(self) -> AbstractContextManager[None]:
        """One moment in which none comes. One that was held back comes at its end."""

    def over(self) -> None:
        """None comes from now on."""


class Uninterrupted:
    """Nobody stops the dispatch."""

    def held(self) -> AbstractContextManager[None]:
        """Nothing is held back."""
        return nullcontext()

    def over(self) -> None:
        """There was none before."""


class Desk(Struct, frozen=True, kw_only=True):
    """What dispatches are carried out with. Everything is had on use, since a denied one needs but a part of it."""

    decide: Decide
    surroundings: Surroundings
    ledger: OpenLedger
    orchestrator: Callable[[], Orchestrator]
    runtimes: Runtimes
    host: Host
    homes: Homes
    read: ReadPane
    seek: SeekTranscript
    now: Callable[[], Moment]
    sleep: Callable[[float], None]
    interruptions: Interruptions = Uninterrupted()
