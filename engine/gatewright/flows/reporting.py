"""Reporting: the rows of a span added up, one after the other, so that memory holds the groups and nothing else."""

from collections.abc import Iterable
from datetime import UTC, datetime

from msgspec import structs

from gatewright.flows.registrations import SENTINEL_LOG
from gatewright.flows.unsettled import Unsettled
from gatewright.ledger.protocol import Entry, Ledger
from gatewright.ledger.rows import MAX_AGENTS, Row, RowKind
from gatewright.model.audits import (
    Audit,
    Denials,
    ExceptionUse,
    ModelUse,
    OverrideUse,
    PolicyUse,
    Registrations,
    Skipped,
    TableUse,
    TierUse,
)

_PLACES = 20  #: of skipped lines that are told
_MESSAGE = 200  #: characters of an example's message
_DAY = 86_400.0


def audit(ledger: Ledger, since: float | None = None, until: float | None = None) -> Audit:
    """What the rows from `since` on and before `until` add up to. Raises LedgerError for one that cannot be read."""
    tally = _Tally(bounded=since is not None or until is not None)
    for entry in ledger.rows(since, until):
        tally.add(entry)
    return tally.audit(ledger.name, since, until)


def day_of(now: float) -> tuple[float, float]:
    """The first moment of a moment's day in UTC, and that of the next one."""
    start = datetime.fromtimestamp(now, UTC).replace(hour=0, minute=0, second=0, microsecond=0).timestamp()
    return start, start + _DAY


class _Groups:
    """Sums by group."""

    def __init__(self, sums: int = 1) -> None:
        self.zero = (0,) * sums
        self.held: dict[tuple[str | None, ...], list[int]] = {}

    def add(self, key: tuple[str | None, ...], *amounts: int) -> None:
        sums = self.held.get(key)
        if sums is None:
            sums = self.held[key] = list(self.zero)
        for at, amount in enumerate(amounts):
            sums[at] += amount

    def sorted(self) -> Iterable[tuple[tuple[str | None, ...], list[int]]]:
        """The groups in the order of their names, those without one last."""
        return sorted(self.held.items(), key=lambda each: [(part is None, part or "") for part in each[0]])


class _Spellings:
    """Names that differ in letter case or blanks around them only are one; the first spelling stands for all."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}

    def of(self, name: str) -> str | None:
        """The name's first spelling; None for one of blanks."""
        folded = name.strip().casefold()
        return self._first.setdefault(folded, name.strip()) if folded else None


class _Tally:
    """What has been added up so far."""

    def __init__(self, *, bounded: bool) -> None:
        self.bounded = bounded
        self.first: float | None = None
        self.last: float | None = None
        self.rows = self.checks = self.dispatches = self.agents = self.cost = self.computed = 0
        self.other_rows = self.not_started = self.without_agents = self.without_time = self.skipped = 0
        self.attempts = self.refused = self.outside = 0
        self.pending: Unsettled[None] = Unsettled()
        self.places: list[str] = []
        self.jobs: set[str] = set()
        self.verified: set[str] = set()
        self.spellings, self.tier_names = _Spellings(), _Spellings()
        self.models, self.tiers = _Groups(4), _Groups(2)
        self.overrides, self.exceptions, self.tables, self.policies = _Groups(), _Groups(), _Groups(), _Groups()
        self.denials = _Groups()
        self.denied: dict[tuple[str | None, ...], tuple[float | None, str]] = {}  #: when last, and an example

    def add(self, entry: Entry) -> None:
        """Add a row."""
        row = entry.row
        if row.kind is RowKind.SKIPPED:
            self._skip(entry)
            return
        if row.ts is None:
            self.without_time += 1
            if self.bounded:
                return
        else:
            self.first = row.ts if self.first is None or row.ts < self.first else self.first
            self.last = row.ts if self.last is None or row.ts > self.last else self.last
        self.rows += 1
        if row.settles:
            self.pending.settle(row)
        if row.kind is RowKind.CHECK:
            self._check(row)
        elif row.kind is RowKind.REGISTRATION:
            self._registration(row)
        else:
            self.other_rows += 1
            self.not_started += row.kind is RowKind.CLOSING

    def _skip(self, entry: Entry) -> None:
        self.skipped += 1
        if len(self.places) < _PLACES:
            self.places.append(f"row {entry.id}" + ("" if entry.start is None else f" at byte {entry.start}"))

    def _check(self, row: Row) -> None:
        self.checks += 1
        self.tables.add((_name(row, "tier_policy_path"), _name(row, "tier_policy_sha256")), 1)
        self._judged(row, "check")
        if row.decision == "ALLOW":
            self._dispatch(row)
        else:
            self._deny(row, "check")

    def _dispatch(self, row: Row) -> None:
        model, agents = self.spellings.of(row.model), row.agents or 0
        cost, computed = _cost(row)
        self.dispatches += 1
        self.pending.add(row, None)
        self.agents += agents
        self.cost += cost
        self.computed += computed
        self.without_agents += row.agents is None
        self.models.add((model,), 1, agents, cost, computed)
        self.tiers.add((self.tier_names.of(row.tier),), 1, agents)
        reason = _name(row, "tier_override")
        if reason is not None:
            self.overrides.add((model, reason), 1)

    def _registration(self, row: Row) -> None:
        self._judged(row, "register")
        if row.decision == "DENY":
            self.refused += 1
            self._deny(row, "register")
            return
        self.attempts += 1
        task, channel = _name(row, "orchestration_task"), row.data.get("completion_channel")
        self.outside += task is None or channel == SENTINEL_LOG
        job = row.job_id or ""
        self.jobs.add(job)
        if row.data.get("model_verified") is True:
            self.verified.add(job)

    def _judged(self, row: Row, stage: str) -> None:
        self.policies.add((stage, _name(row, "policy"), _name(row, "policy_path"), _name(row, "policy_digest")), 1)
        waived = row.data.get("waived")
        for each in waived if isinstance(waived, list) else ():
            if isinstance(each, dict) and each.get("status") == "excepted":
                self.exceptions.add((str(each.get("by")), str(each.get("code"))), 1)

    def _deny(self, row: Row, stage: str) -> None:
        key = (stage, row.reason or None, _name(row, "rule"))
        self.denials.add(key, 1)
        before = self.denied.get(key, (None, ""))[0]
        newest = max((ts for ts in (before, row.ts) if ts is not None), default=None)
        self.denied[key] = (newest, _example(row))

    def audit(self, ledger: str, since: float | None, until: float | None) -> Audit:
        """The sums, and the groups that they are made of."""
        return structs.replace(
            self._sums(ledger, since, until),
            models=tuple(
                ModelUse(model=key[0], dispatches=n[0], agents=n[1], cost=n[2], computed=n[3])
                for key, n in self.models.sorted()
            ),
            tiers=tuple(TierUse(tier=key[0], dispatches=n[0], agents=n[1]) for key, n in self.tiers.sorted()),
            denials=tuple(self._denials()),
            overrides=tuple(
                OverrideUse(model=key[0], reason=key[1] or "", dispatches=n[0]) for key, n in self.overrides.sorted()
            ),
            exceptions=tuple(
                ExceptionUse(exception=key[0] or "", code=key[1] or "", decisions=n[0])
                for key, n in self.exceptions.sorted()
            ),
            tables=tuple(TableUse(path=key[0], sha256=key[1], decisions=n[0]) for key, n in self.tables.sorted()),
            policies=tuple(
                PolicyUse(stage=key[0] or "", policy=key[1], path=key[2], digest=key[3], decisions=n[0])
                for key, n in self.policies.sorted()
            ),
        )

    def _sums(self, ledger: str, since: float | None, until: float | None) -> Audit:
        return Audit(
            ledger=ledger,
            since=since,
            until=until,
            first=self.first,
            last=self.last,
            rows=self.rows,
            checks=self.checks,
            dispatches=self.dispatches,
            agents=self.agents,
            cost=self.cost,
            computed=self.computed,
            other_rows=self.other_rows,
            not_started=self.not_started,
            without_agents=self.without_agents,
            without_time=self.without_time,
            skipped=Skipped(lines=self.skipped, places=tuple(self.places)),
            registrations=Registrations(
                jobs=len(self.jobs),
                attempts=self.attempts,
                verified=len(self.verified),
                denied=self.refused,
                non_orchestrated=self.outside,
                pending=len(self.pending),
            ),
        )

    def _denials(self) -> Iterable[Denials]:
        for key, (count,) in self.denials.sorted():
            last_seen, example = self.denied[key]
            yield Denials(
                stage=key[0] or "", code=key[1], rule=key[2], count=count, last_seen=last_seen, example=example
            )


def _name(row: Row, key: str) -> str | None:
    value = row.data.get(key)
    return value if isinstance(value, str) and value else None


def _whole(value: object) -> int | None:
    return min(max(0, value), MAX_AGENTS) if type(value) is int else None


def _cost(row: Row) -> tuple[int, bool]:
    """The estimated cost of a row, and whether it had to be computed, as rows of old had none."""
    if "cost_proxy" in row.data:
        return _whole(row.data["cost_proxy"]) or 0, False
    return min((_whole(row.data.get("est_chars")) or 0) * (row.agents or 0), MAX_AGENTS), True


def _example(row: Row) -> str:
    """What the row is about, and what it says of itself."""
    about = f"contract {row.contract_sha[:12]}" if row.contract_sha else f"job {row.job_id}" if row.job_id else ""
    message = next((found for key in ("message", "detail") if (found := _name(row, key)) is not None), "")
    return ": ".join(part for part in (about, message[:_MESSAGE]) if part)
