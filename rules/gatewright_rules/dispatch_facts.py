"""The facts of the stage `dispatch` that no other stage has: the machine, and how runtime and model go together."""

from gatewright.model import Host, Launch
from gatewright.spec import collected, given

DISPATCH = ("dispatch",)

FACTS = (
    given(
        "same_host_reason",
        str | None,
        "The reason for which the worker may run in its master's runtime.",
        stages=DISPATCH,
        default=None,
    ),
    collected("front_matter", bool, "Whether the contract begins with a front matter.", stages=DISPATCH),
    collected("host", Host, "The runtime of the master, and what else is installed.", stages=DISPATCH),
    collected("launch", Launch, "How the runtime and the model go together.", stages=DISPATCH),
)
