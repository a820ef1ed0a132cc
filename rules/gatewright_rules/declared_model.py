"""Declared model: a registration speaks of the model that was allowed."""

from gatewright.model import INVALID_REQUEST, Findings, PendingChecks, deny
from gatewright.spec import rule


@rule(
    codes=[INVALID_REQUEST],
    stage="register",
    fires="declared_model is not None and pending.model is not None",
    owns=["declared_model"],
)
def declared_model(declared_model: str | None, pending: PendingChecks) -> Findings:
    """Deny a registration that declares another model than the check did.

    What: compares the declared model with that of the check which is settled, letter case and white space aside.
    Why: else a dear model could be declared, and so verified, where a cheap one was allowed.
    Denies: `INVALID_REQUEST` when they differ.
    """
    if declared_model is None or pending.model is None:
        return
    if declared_model.strip().casefold() != pending.model.strip().casefold():
        yield deny(
            INVALID_REQUEST,
            f"declared={declared_model}, and the check was for model {pending.model}",
            hint="declare the model that was checked, or check again with the other",
        )
