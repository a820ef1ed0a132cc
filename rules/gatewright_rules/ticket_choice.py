"""Ticket choice: a registration settles one check that was allowed, and it is clear which."""

from gatewright.model import (
    AMBIGUOUS_TICKET,
    NO_MATCHING_TICKET,
    TICKET_EXPIRED,
    TICKET_MISSING,
    Findings,
    PendingChecks,
    TicketChoice,
    deny,
    note,
    warn,
)
from gatewright.spec import rule


@rule(
    codes=[AMBIGUOUS_TICKET, NO_MATCHING_TICKET, TICKET_EXPIRED, TICKET_MISSING],
    stage="register",
    fires='ticket.state != "one" or pending.count < 1',
    owns=["ticket"],
)
def ticket_choice(ticket: TicketChoice, pending: PendingChecks, *, good_seconds: int = 600) -> Findings:
    """Deny a registration for which no ticket fits, or several do.

    What: looks at the tickets of allowed checks, and at the checks that nothing was registered for.
    Why: what was never allowed cannot be registered, and one allowance is used up once.
    Denies: `NO_MATCHING_TICKET` when nothing fits, `AMBIGUOUS_TICKET` when several do; both list the hashes that there
    are. Warns `TICKET_EXPIRED` when the check is older than a ticket's time to live and was named by its hash; notes
    `TICKET_MISSING` when the ticket is gone and the check's row alone was found.
    Options: `good_seconds`, the age above which a check without its ticket is warned of.
    """
    found = f"candidate_contract_shas={','.join(ticket.candidates) or '<none>'}"
    if ticket.state == "several":
        hint = "name the contract with --contract-sha, and the runtime with --runtime"
        yield deny(AMBIGUOUS_TICKET, found, hint=hint, candidates=list(ticket.candidates))
        return
    if ticket.state not in ("one", "expired", "absent") or pending.count < 1:
        hint = "check the contract first; an older check is named by --contract-sha"
        yield deny(NO_MATCHING_TICKET, found, hint=hint, candidates=list(ticket.candidates))
        return
    if ticket.state == "absent":
        yield note(
            TICKET_MISSING, "ticket_absent", hint="the ticket is gone; the row of the check was found by its hash"
        )
    age = ticket.age or 0.0
    if ticket.state == "expired" or (ticket.state == "absent" and age > good_seconds):
        message = f"the check is {round(age)} s old, and its ticket is no longer good by itself"
        yield warn(TICKET_EXPIRED, message, hint="check again if anything may have changed since")
