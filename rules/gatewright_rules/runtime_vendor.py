"""Runtime vendor: a runtime gets models that it can run."""

from gatewright.model import MODEL_RUNTIME_MISMATCH, Findings, Launch, deny
from gatewright.spec import rule


@rule(codes=[MODEL_RUNTIME_MISMATCH], stage="dispatch", fires="not launch.runs")
def runtime_vendor(runtime: str, model: str | None, vendor: str, launch: Launch) -> Findings:
    """Deny a model on a runtime that cannot run it.

    What: compares the model's vendor, known by how its id begins, with the vendors that the runtime is listed with.
    Why: the program would end with an error, or run another model than the one that was allowed.
    Denies: `MODEL_RUNTIME_MISMATCH` for a known vendor that is not among those of the runtime. An id of no known vendor
    and a runtime that is not listed are let pass.
    """
    if not launch.runs:
        ways = [f"the runtimes {', '.join(launch.runtimes)} can"] if launch.runtimes else []
        ways += [f"models that `{runtime}` can run: {', '.join(launch.models)}"] if launch.models else []
        yield deny(
            MODEL_RUNTIME_MISMATCH,
            f"runtime `{runtime}` cannot run model `{model}` of vendor {vendor}",
            hint="; ".join(ways) or "choose another model or runtime",
            runtime=runtime,
            model=model,
            vendor=vendor,
        )
