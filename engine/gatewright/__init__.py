"""gatewright: decide, and prove, whether an AI agent worker may be started.

The front door. Everything else may change without notice.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gatewright.app import Gate as Gate
    from gatewright.errors import FileError as FileError
    from gatewright.errors import GatewrightError as GatewrightError
    from gatewright.errors import PluginError as PluginError
    from gatewright.errors import PolicyError as PolicyError
    from gatewright.model import Finding as Finding
    from gatewright.model import Findings as Findings
    from gatewright.model import GateDecision as GateDecision
    from gatewright.model import Level as Level
    from gatewright.model import Stage as Stage
    from gatewright.model import deny as deny
    from gatewright.model import note as note
    from gatewright.model import warn as warn
    from gatewright.probes.tiers import read_tier_policy as read_tier_policy
    from gatewright.spec import derived as derived
    from gatewright.spec import hookimpl as hookimpl
    from gatewright.spec import rule as rule

__version__ = "0.1.0"

#: Each name is imported when it is first asked for: importing the package costs nothing, as pytest does at every start.
_ROOMS = {
    "app": ("Gate",),
    "errors": ("FileError", "GatewrightError", "PluginError", "PolicyError"),
    "model": ("Finding", "Findings", "GateDecision", "Level", "Stage", "deny", "note", "warn"),
    "probes.tiers": ("read_tier_policy",),
    "spec": ("derived", "hookimpl", "rule"),
}


def __getattr__(name: str) -> object:
    for room, names in _ROOMS.items():
        if name in names:
            from importlib import import_module

            found: object = getattr(import_module(f"gatewright.{room}"), name)
            globals()[name] = found
            return found
    raise AttributeError(f"module `gatewright` has no attribute `{name}`")


def __dir__() -> list[str]:
    return sorted([*globals(), *(name for names in _ROOMS.values() for name in names)])
