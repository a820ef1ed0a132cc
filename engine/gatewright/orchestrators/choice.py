"""Which orchestrator carries a dispatch out: by name, else by what is there."""

import os
from collections.abc import Callable, Mapping
from functools import partial

from msgspec import Struct

from gatewright.errors import PluginError, UsageError
from gatewright.ledger.tasks import TaskBook
from gatewright.orchestrators.orca import OrcaOrchestrator, is_installed, program
from gatewright.orchestrators.owned import OwnedOrchestrator
from gatewright.orchestrators.protocol import Orchestrator
from gatewright.probes.clock import now
from gatewright.probes.commands import run
from gatewright.text import did_you_mean

_ANSWER_BYTES = 64 << 20  #: that Orca may say at once; a batch holds up to fifty messages of any length
BUILT_IN = ("local", "tmux", "orca")
Offered = Mapping[str, Callable[[Mapping[str, str]], object]]


class Place(Struct, frozen=True, kw_only=True):
    """What orchestrators are made from."""

    environ: Mapping[str, str]
    folder: str  #: where terminals of this machine keep their logs
    tasks: str  #: path of the database with their tasks
    offered: Offered = {}  #: those of plugins


def default_name(environ: Mapping[str, str]) -> str:
    """The orchestrator of a machine: Orca where it is installed, tmux within tmux, else the embedded one."""
    if is_installed(partial(run, environ=environ), environ):
        return "orca"
    return "tmux" if environ.get("TMUX") else "local"


def orchestrator(name: str, place: Place) -> Orchestrator:
    """The orchestrator of a name. Raises UsageError when there is none, PluginError when a plugin's cannot be made."""
    environ = dict(place.environ)
    if name in place.offered:
        return _made(name, place.offered[name], environ)
    if name == "orca":
        return OrcaOrchestrator(partial(run, environ=environ, kept=_ANSWER_BYTES), program(environ))
    if name in BUILT_IN:
        from gatewright.orchestrators.local import LocalTerminals
        from gatewright.orchestrators.tmux import TmuxTerminals

        socket = environ.get("GATEWRIGHT_TMUX_SOCKET", "")
        terminals = (
            LocalTerminals(os.path.abspath(place.folder), environ)
            if name == "local"
            else TmuxTerminals(partial(run, environ=environ), environ, socket)
        )
        return OwnedOrchestrator(terminals, TaskBook(place.tasks), lambda: now().epoch)
    raise UsageError(f"there is no orchestrator `{name}`", did_you_mean(name, [*BUILT_IN, *place.offered]))


def _made(name: str, make: Callable[[Mapping[str, str]], object], environ: Mapping[str, str]) -> Orchestrator:
    try:
        found = make(environ)
    except Exception as error:
        raise PluginError("", f"orchestrator `{name}`", f"it cannot be made: {error}") from error
    missing = [each for each in _METHODS if not callable(getattr(found, each, None))]
    if missing:
        raise PluginError("", f"orchestrator `{name}`", "it lacks " + ", ".join(f"`{each}`" for each in missing))
    made: Orchestrator = found  # type: ignore[assignment]  # it has the methods
    return made


_METHODS = tuple(each for each in vars(Orchestrator) if not each.startswith("_"))
