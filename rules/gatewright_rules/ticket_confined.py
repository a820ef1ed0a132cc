"""Ticket confined: the ticket of an allowed check is written into the ticket folder and nowhere else."""

from gatewright.model import INVALID_REQUEST, Findings, TicketPath, deny
from gatewright.spec import rule


@rule(codes=[INVALID_REQUEST], fires="not ticket_path.inside")
def ticket_confined(ticket_path: TicketPath) -> Findings:
    """Deny a request whose ticket would be written outside the ticket folder.

    What: looks at the place of the ticket, links followed.
    Why: a link in the ticket folder could make the gate overwrite a file of somebody else.
    Denies: `INVALID_REQUEST` when that place lies outside.
    """
    if not ticket_path.inside:
        yield deny(
            INVALID_REQUEST,
            f"the ticket `{ticket_path.path}` would leave the ticket folder",
            hint="remove the link that stands in the ticket's place",
        )
