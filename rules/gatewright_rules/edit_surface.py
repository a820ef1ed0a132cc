"""Edit surface: only what the contract allows was changed."""

from gatewright.model import SURFACE_VIOLATION, ContractTerms, Findings, Surface, deny
from gatewright.spec import rule

_SHOWN = 10


@rule(
    codes=[SURFACE_VIOLATION],
    stage="accept",
    fires="not surface.known or len(surface.outside) > 0",
    owns=["surface"],
)
def edit_surface(surface: Surface, terms: ContractTerms) -> Findings:  # noqa: ARG001  without terms there is no surface
    """Deny work that has changed what its contract does not let it change.

    What: compares each path that was changed, made, renamed or removed since the base with `allow` and `forbid`.
    Why: what nobody asked for is what nobody looks at.
    Denies: `SURFACE_VIOLATION` when a path is covered by no pattern of `allow` or by one of `forbid`, when a link leads
    out of the worktree, and when it cannot be told what was changed.
    """
    if not surface.known:
        message = f"it cannot be told what was changed: {surface.problem or 'unknown reason'}"
        yield deny(SURFACE_VIOLATION, message, hint="give the worktree with `--worktree`, and its base with `--base`")
    elif surface.outside:
        more = len(surface.outside) - _SHOWN
        told = ", ".join(surface.outside[:_SHOWN]) + (f", and {more} more" if more > 0 else "")
        yield deny(
            SURFACE_VIOLATION,
            f"outside the contract: {told}",
            hint="take the changes back, or widen the contract and check it again",
            paths=list(surface.outside),
        )
