"""gatewright: decide, and prove, whether an AI agent worker may be started.

The front door. Everything else may change without notice.
"""

from typing import TYPE_CHECKING

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
from gatewright.spec import derived as derived
from gatewright.spec import hookimpl as hookimpl
from gatewright.spec import rule as rule

if TYPE_CHECKING:
    from gatewright.app import Gate as Gate
    from gatewright.probes.tiers import read_tier_policy as read_tier_policy

__version__ = "0.1.0"


#: What is imported when it is asked for, so that importing rules stays light.
_LATER = {"Gate": "gatewright.app", "read_tier_policy": "gatewright.probes.tiers"}


def __getattr__(name: str) -> object:
    if name in _LATER:
        from importlib import import_module

        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module `gatewright` has no attribute `{name}`")
