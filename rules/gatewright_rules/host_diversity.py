"""Host diversity: a worker runs in another runtime than its master."""

from gatewright.model import HOST_UNMEASURED, SAME_HOST_RUNTIME, Findings, Host, warn
from gatewright.spec import rule


@rule(
    codes=[HOST_UNMEASURED, SAME_HOST_RUNTIME],
    stage="dispatch",
    fires="not host.measured or runtime == host.master",
)
def host_diversity(runtime: str, host: Host, same_host_reason: str | None) -> Findings:
    """Warn of a worker in the runtime of its master.

    What: compares the worker's runtime with the one that the master is said to run in.
    Why: a master that its own vendor's outage or limit stops should not have all its workers stopped by the same; and
    another vendor's model sees other mistakes.
    Warns: `SAME_HOST_RUNTIME` when both are the same and no reason is given; `HOST_UNMEASURED` when nobody has said
    what the master runs in.
    """
    if not host.measured:
        yield warn(
            HOST_UNMEASURED,
            f"the master's own runtime is not known, and `{host.master}` is taken for it",
            hint="set MOGUI_MASTER_HOST_RUNTIME",
        )
    if runtime == host.master and not (same_host_reason is not None and same_host_reason.strip()):
        others = ", ".join(host.alternatives)
        yield warn(
            SAME_HOST_RUNTIME,
            f"the worker would run in `{runtime}`, as its master does",
            hint=f"installed as well: {others}; or give --same-host-reason" if others else "give --same-host-reason",
            runtime=runtime,
        )
