"""Tickets: what an allowed, recorded check issues, and a registration consumes exactly once."""

import re
from collections.abc import Mapping

from msgspec import Struct

from gatewright.ledger.rows import line_of, time_of

TTL_SECONDS = 600.0
GRACE_SECONDS = 86_400.0

_SHA = re.compile(r"[0-9a-fA-F]{64}")
_RUNTIME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")


class Ticket(Struct, frozen=True, kw_only=True):
    """A ticket: for which contract and runtime, since when, for how many agents."""

    runtime: str
    contract_sha: str
    issued_ts: float
    count: int

    @property
    def name(self) -> str:
        """The name of its file: the runtime and the first twelve digits of the hash."""
        return f"{self.runtime}-{self.contract_sha[:12].lower()}.json"

    def expired(self, now: float) -> bool:
        """Whether it is older than its time to live; one exactly that old is not."""
        return self.issued_ts < now - TTL_SECONDS

    def forgotten(self, now: float) -> bool:
        """Whether it is past the grace too, and may be deleted."""
        return self.issued_ts < now - TTL_SECONDS - GRACE_SECONDS

    def text(self) -> str:
        """The content of its file."""
        data: Mapping[str, object] = {
            "runtime": self.runtime,
            "contract_sha": self.contract_sha,
            "issued_ts": self.issued_ts,
            "count": self.count,
        }
        return line_of(data) + "\n"


def read_ticket(data: bytes, name: str) -> Ticket | None:
    """The ticket in a file of that name; None for bytes that are no ticket, or a name that does not fit its content."""
    import json

    try:
        found = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    ticket = ticket_of(found)
    return ticket if ticket is not None and ticket.name == name else None


def ticket_of(found: Mapping[str, object]) -> Ticket | None:
    """The ticket that an object is, or None."""
    runtime, sha, count = found.get("runtime"), found.get("contract_sha"), found.get("count")
    issued = time_of(found.get("issued_ts"))
    if not (isinstance(runtime, str) and _RUNTIME.fullmatch(runtime)):
        return None
    if not (isinstance(sha, str) and _SHA.fullmatch(sha)) or issued is None:
        return None
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        return None
    return Ticket(runtime=runtime, contract_sha=sha, issued_ts=issued, count=count)


def matching(tickets: list[Ticket], prefix: str | None, runtime: str | None) -> list[Ticket]:
    """The tickets whose hash starts with a prefix and whose runtime is this one; None leaves either open."""
    return [
        ticket
        for ticket in tickets
        if (prefix is None or ticket.contract_sha.lower().startswith(prefix))
        and (runtime is None or ticket.runtime == runtime)
    ]
