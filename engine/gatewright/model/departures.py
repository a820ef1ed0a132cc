"""What the rules of the stage `dispatch` know a machine and a start by, before anything else is asked."""

from typing import Annotated

from msgspec import Struct

from gatewright.model.nouns import said


class Host(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The runtime of the master, who starts workers, and what else is installed."""

    master: Annotated[str, said("the runtime that the master itself runs in")]
    measured: Annotated[bool, said("whether somebody has said so; else it is only what is taken for granted")] = True
    source: Annotated[str, said("who has said it: a variable or a file")] = ""
    installed: Annotated[tuple[str, ...], said("the runtimes whose program is on the PATH")] = ()
    alternatives: Annotated[tuple[str, ...], said("those of them that are not the master's")] = ()


class Launch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the runtime and the model go together."""

    runs: Annotated[bool, said("whether the runtime can run models of the model's vendor, as far as is known")]
    runtimes: Annotated[tuple[str, ...], said("the known runtimes that can")] = ()
    models: Annotated[tuple[str, ...], said("the listed models that the runtime can run")] = ()
