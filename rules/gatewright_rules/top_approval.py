"""Top approval: the most expensive models are started when their owner has said so."""

from collections.abc import Sequence

from gatewright.model import TOP_NOT_APPROVED, Findings, Window, deny
from gatewright.spec import rule
from gatewright.text import counted

_HOUR = 3600


@rule(codes=[TOP_NOT_APPROVED], stage="dispatch", fires="tier is not None and tier in tiers")
def top_approval(
    model: str | None,
    tier: str | None,
    agents: int,
    est_chars: int | None,
    window: Window,
    top_approved: str | None,
    *,
    tiers: Sequence[str] = ("top",),
) -> Findings:
    """Deny a model of a top tier that nobody has approved.

    What: looks for the reason that came with the request. It is written down, and proves nothing of who gave it.
    Why: the most expensive models are the owner's to spend; a worker can be as good on another.
    Denies: `TOP_NOT_APPROVED` for a tier among `tiers` without a reason, a blank one being none.
    """
    if tier is None or tier not in tiers or (top_approved is not None and top_approved.strip()):
        return
    size = "an unknown size" if est_chars is None else f"{est_chars} characters each"
    yield deny(
        TOP_NOT_APPROVED,
        f"asked for: model `{model}` of tier `{tier}`, {counted(agents, 'agent')}, {size}; {_used(window)}",
        hint="have the owner approve it: --top-approved with the reason",
        model=model,
        tier=tier,
        agents=agents,
        est_chars=est_chars,
        used=window.used,
        cap=window.cap,
        window_seconds=window.seconds,
    )


def _used(window: Window) -> str:
    if window.used is None or window.seconds is None:
        return "what the tier has used is not known"
    of = "no cap" if window.cap is None else f"a cap of {window.cap}"
    return f"the tier has used {counted(window.used, 'agent')} within {window.seconds / _HOUR:g} h, with {of}"
