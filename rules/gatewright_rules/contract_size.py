"""Contract size: the size of the work must be known before anything else is judged."""

from gatewright.model import CONTRACT_UNREADABLE, Findings, deny
from gatewright.spec import rule


@rule(codes=[CONTRACT_UNREADABLE], fires="est_chars is None", owns=["est_chars"])
def contract_size(est_chars: int | None) -> Findings:
    """Deny a request whose size could not be measured.

    What: looks at the estimated characters of one worker's input.
    Why: an unknown size would pass every budget as if it were nothing.
    Denies: `CONTRACT_UNREADABLE` when the size is unknown, since it is counted from the contract.
    """
    if est_chars is None:
        yield deny(
            CONTRACT_UNREADABLE,
            "the size of the contract is unknown",
            hint="check that the contract file exists and can be read, or give its size with --est-chars",
        )
