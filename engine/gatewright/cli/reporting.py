"""What the commands `gatewright report` and `dispatch-gate report` have in common."""

import re
from datetime import UTC, datetime

from gatewright.cli.streams import say
from gatewright.errors import UsageError
from gatewright.flows import reporting
from gatewright.ledger.protocol import Ledger
from gatewright.ledger.stores import NoLedger
from gatewright.model.audits import Audit
from gatewright.probes import clock

Span = tuple[float | None, float | None]
_AGE = re.compile(r"(\d{1,9})([smhdw])", re.ASCII)
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}


def audit(program: str, ledger: Ledger, span: Span) -> Audit:
    """What a ledger adds up to within a span. Raises LedgerError."""
    if isinstance(ledger, NoLedger):
        say(program, f"there is no ledger at {ledger.name}, so the report is empty")
    return reporting.audit(ledger, *span)


def span(*, today: bool, since: str | None, until: str | None) -> Span:
    """The span that was asked for. Raises UsageError for a time that is none, for two spans, and for an empty one."""
    if today and (since or until):
        raise UsageError("--today is a span already", "give it alone, or --since and --until")
    now = clock.now().epoch
    if today:
        return reporting.day_of(now)
    found = (moment("--since", since, now), moment("--until", until, now))
    if found[0] is not None and found[1] is not None and found[0] >= found[1]:
        raise UsageError(f"nothing is between --since {since} and --until {until}", "name the earlier one first")
    return found


def moment(option: str, given: str | None, now: float) -> float | None:
    """Seconds since the epoch of a day, a time with a zone, or an age. Raises UsageError for anything else."""
    if given is None:
        return None
    age = _AGE.fullmatch(given)
    if age is not None:
        return now - int(age[1]) * _SECONDS[age[2]]
    try:
        when = datetime.fromisoformat(given)
    except ValueError:
        hint = "write 2026-11-29, 2026-11-29T18:02:11Z, or an age such as 24h"
        raise UsageError(f"{option} {given} is no time", hint) from None
    if when.tzinfo is None and len(given) > len("2026-11-29"):
        raise UsageError(f"{option} {given} has no time zone", f"end it with `Z`: {given}Z")
    return (when if when.tzinfo is not None else when.replace(tzinfo=UTC)).timestamp()
