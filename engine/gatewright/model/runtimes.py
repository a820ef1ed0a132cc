"""Runtimes: the programs that workers run in."""

import shlex
from collections.abc import Mapping

from msgspec import Struct

MODEL = "{model}"
#: In the order in which one is taken when none is named.
PREFERRED = ("claude", "codex", "cursor", "grok", "gemini", "opencode")


class Runtime(Struct, frozen=True, kw_only=True):
    """How an agent is started, and what it needs."""

    name: str
    launch: tuple[str, ...]  #: words; `{model}` within one stands for the model's id
    vendors: tuple[str, ...] | None = None  #: whose models it runs; None when nothing is known
    pretrust: str | None = None  #: whose trust files have to name the worktree
    transcripts: str | None = None  #: whose transcripts it writes

    def command(self, model: str) -> str:
        """The shell command that starts it with a model."""
        return shlex.join(word.replace(MODEL, model) for word in self.launch)

    @property
    def program(self) -> str:
        """The program that has to be installed."""
        return self.launch[0]

    def runs(self, vendor: str) -> bool:
        """Whether it can run a vendor's models; what nobody knows is not held against it."""
        return vendor == "unknown" or self.vendors is None or vendor in self.vendors


class Runtimes(Struct, frozen=True):
    """All runtimes that are known, by name."""

    by_name: Mapping[str, Runtime]

    def get(self, name: str) -> Runtime:
        """A runtime; one that is not listed is started by its own name."""
        return self.by_name.get(name) or Runtime(name=name, launch=(name,))

    def merged(self, other: "Runtimes") -> "Runtimes":
        """These, with another list's in the place of those of the same name."""
        return Runtimes({**self.by_name, **other.by_name})
