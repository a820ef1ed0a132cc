"""Channel unchanged: what was proven is proven of the check that is settled."""

from gatewright.model import INVALID_REQUEST, Findings, TicketChoice, deny
from gatewright.spec import rule


@rule(
    codes=[INVALID_REQUEST],
    stage="register",
    fires="channel != expected_channel",
    owns=["channel", "expected_channel"],
)
def channel_unchanged(ticket: TicketChoice, channel: str | None, expected_channel: str | None) -> Findings:
    """Deny a registration whose check became another one while its job was being proved.

    What: compares the completion channel of the check that is settled with that of the one which the proofs were for.
    Why: probes run before the ledger is locked; a check that comes in between may ask for more proof than was had.
    Denies: `INVALID_REQUEST` when the two channels differ; nothing is used up.
    """
    if ticket.state in ("one", "expired", "absent") and channel != expected_channel:
        before, now = expected_channel or "<none>", channel or "<none>"
        yield deny(
            INVALID_REQUEST,
            f"expected_completion_channel={before} actual_completion_channel={now}",
            hint="register again",
        )
