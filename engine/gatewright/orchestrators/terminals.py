"""Terminals of this machine, of which orchestrators without a program of their own are made."""

from collections.abc import Sequence
from typing import Protocol

from gatewright.orchestrators.protocol import Screen
from gatewright.probes.commands import Ran


class Caller(Protocol):
    """Runs a program without a shell, as `probes.commands.run` does."""

    def __call__(self, command: Sequence[str], *, seconds: float) -> Ran:
        """How it ended, and what it said."""


class Terminals(Protocol):
    """A kind of terminals. Every method raises OrchestratorError."""

    name: str

    def reach(self) -> None:
        """See that what opens them is there. Nothing is changed."""

    def open(self, worktree: str, command: str) -> str:
        """A new terminal in a folder that runs a shell command; its handle."""

    def type(self, terminal: str, text: str) -> None:
        """Type a text into a terminal as one entry, and submit it."""

    def screen(self, terminal: str) -> Screen:
        """What a terminal shows, and whether its program runs."""

    def close_command(self, terminal: str) -> str:
        """The command by which a person closes a terminal."""
