"""Which allowed check a registration settles, by its ticket or, where the ticket is gone, by its row."""

import re

from msgspec import Struct

from gatewright.ledger.protocol import Look, Pending
from gatewright.ledger.rows import time_of
from gatewright.ledger.tickets import Ticket, matching
from gatewright.model import PendingChecks, TicketChoice

_SHA = re.compile(r"[0-9a-f]{12,64}")


class Choice(Struct, frozen=True, kw_only=True):
    """What a registration would take and settle."""

    told: TicketChoice
    ticket: Ticket | None = None
    check: Pending | None = None  #: the newest of the checks that fit
    count: int = 0  #: how many fit

    @property
    def channel(self) -> str | None:
        """The completion channel of the check."""
        channel = self.check.data.get("completion_channel") if self.check is not None else None
        return channel if isinstance(channel, str) else None

    @property
    def pending(self) -> PendingChecks:
        """The checks, as rules see them."""
        model = self.check.data.get("model") if self.check is not None else None
        return PendingChecks(count=self.count, model=model if isinstance(model, str) else None)


def choose(look: Look, contract_sha: str | None, runtime: str | None) -> Choice:
    """The ticket and the check for the beginning of a contract's hash and a runtime; None leaves either open."""
    wanted = runtime.strip().lower() if runtime is not None else None
    tickets = [each for each in look.tickets() if not each.forgotten(look.ticket_time)]
    tickets = matching(tickets, None, wanted)
    if contract_sha is None:
        return _taken(look, [each for each in tickets if not each.expired(look.ticket_time)], tickets)
    prefix = contract_sha.strip().lower()
    if not _SHA.fullmatch(prefix):
        return _none(tickets)
    fitting = matching(tickets, prefix, None)
    return _taken(look, fitting, tickets) if fitting else _without_ticket(look, prefix, wanted, tickets)


def _taken(look: Look, fitting: list[Ticket], tickets: list[Ticket]) -> Choice:
    if len(fitting) > 1:
        return Choice(told=TicketChoice(state="several", candidates=_hashes(fitting)))
    if not fitting:
        return _none(tickets)
    (ticket,) = fitting
    checks = look.pending(ticket.contract_sha.lower(), ticket.runtime)
    if not checks:
        return _none(tickets)
    told = TicketChoice(
        state="expired" if ticket.expired(look.ticket_time) else "one",
        candidates=_hashes([ticket]),
        contract_sha=checks[0].contract_sha,
        age=look.ticket_time - ticket.issued_ts,
    )
    return Choice(told=told, ticket=ticket, check=checks[0], count=len(checks))


def _without_ticket(look: Look, prefix: str, runtime: str | None, tickets: list[Ticket]) -> Choice:
    """The check itself: of two that are alike in everything that a registration is judged by, either will do."""
    checks = look.pending(prefix, runtime)
    if not checks:
        return _none(tickets)
    candidates = tuple(sorted({each.contract_sha for each in checks}))
    if len({_likeness(each) for each in checks}) > 1:
        return Choice(told=TicketChoice(state="several", candidates=candidates))
    then = time_of(checks[0].data.get("ts"))
    told = TicketChoice(
        state="absent",
        candidates=candidates,
        contract_sha=checks[0].contract_sha,
        age=None if then is None else look.wall - then,
    )
    return Choice(told=told, check=checks[0], count=len(checks))


def _likeness(check: Pending) -> tuple[str, ...]:
    held = (check.data.get(name) for name in ("completion_channel", "model"))
    return (check.contract_sha, check.runtime, *map(repr, held))


def _none(tickets: list[Ticket]) -> Choice:
    return Choice(told=TicketChoice(state="none", candidates=_hashes(tickets)))


def _hashes(tickets: list[Ticket]) -> tuple[str, ...]:
    return tuple(sorted({ticket.contract_sha.lower() for ticket in tickets}))
