"""Reporting: the rows of a span added up, one after the other, so that memory holds the groups and nothing else."""

from collections.abc import Iterable
from datetime import UTC, datetime

from msgspec import structs

from gatewright.flows.registrations import SENTINEL_LOG
from gatewright.flows.tallying import Groups, Kind, Spellings, Times, cost_of, example_of, name_in
from gatewright.flows.unsettled import Unsettled
from gatewright.ledger.protocol import Entry, Ledger
from gatewright.ledger.rows import Row, RowKind
from gatewright.model.audits import (
    Audit,
    Denials,
    ExceptionUse,
    ModelUse,
    OverrideUse,
    PolicyUse,
    Registrations,
    RuntimeUse,
    Skipped,
    TableUse,
    TierUse,
)

_PLACES = 20  #: of skipped lines that are told
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


#: What decides to which groups a check belongs, beside what the ledger has read itself.
_OF_CHECKS = ("tier_policy_path", "tier_policy_sha256", "tier_override", "policy", "policy_path", "policy_digest")
_AT_ONCE = 4_000  #: kinds of checks that are held before they are added up
_LARGE = 65_536  #: bytes of a row


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
        self.spellings, self.tier_names, self.runtime_names = Spellings(), Spellings(), Spellings()
        self.models, self.tiers, self.runtimes = Groups(4), Groups(3), Groups(3)
        self.overrides, self.exceptions, self.tables, self.policies = Groups(), Groups(), Groups(), Groups()
        self.denials, self.times = Groups(), Times()
        self.denied: dict[tuple[str | None, ...], tuple[float | None, int, str]] = {}  #: when last, and an example
        self.kinds: dict[tuple[object, ...], Kind] = {}

    def add(self, entry: Entry) -> None:
        """Add a row."""
        row = entry.row
        if row.kind is RowKind.SKIPPED:
            self._skip(entry)
            return
        ts = row.ts
        if ts is None:
            self.without_time += 1
            if self.bounded:
                return
        elif self.first is None or self.last is None:
            self.first = self.last = ts
        elif ts > self.last:
            self.last = ts
        elif ts < self.first:
            self.first = ts
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
        """Add a check to those of its kind: there are few kinds, and each is taken to its groups as a whole."""
        get = row.data.get
        key = (row.decision, row.model, row.tier, row.runtime, row.reason, get("rule"), *map(get, _OF_CHECKS))
        try:
            kind = self.kinds.get(key)
        except TypeError:  # a list or a map where a name is due
            key = tuple(part if isinstance(part, str) else None for part in key)
            kind = self.kinds.get(key)
        if kind is None:
            if len(self.kinds) >= _AT_ONCE:
                self._settle()
            kind = self.kinds[key] = Kind(row)
        kind.number += 1
        if row.decision == "ALLOW":
            kind.agents += row.agents or 0
            kind.without_agents += row.agents is None
            cost, computed = cost_of(row)
            kind.cost += cost
            kind.computed += computed
            self.times.add(row.ts, None)
            self.pending.add(row, None)
        else:
            kind.last = (self.rows, row)
            if row.ts is not None and (kind.newest is None or row.ts > kind.newest):
                kind.newest = row.ts
            self.times.add(row.ts, row.reason)
        if "waived" in row.data:
            self._waived(row)
        if len(row.line) > _LARGE:
            self._settle()  # rather than hold many of these

    def _settle(self) -> None:
        """Take the kinds of checks to the groups that they belong to."""
        kinds, self.kinds = self.kinds, {}
        for kind in kinds.values():
            row, number = kind.last[1], kind.number
            self.checks += number
            self.tables.add((name_in(row, "tier_policy_path"), name_in(row, "tier_policy_sha256")), number)
            self._judged(row, "check", number)
            tier, runtime = self.tier_names.of(row.tier), self.runtime_names.of(row.runtime)
            if row.decision == "ALLOW":
                self._dispatches(row, kind)
                self.tiers.add((tier,), number, kind.agents)
                self.runtimes.add((runtime,), number, kind.agents)
            else:
                self.tiers.add((tier,), 0, 0, number)
                self.runtimes.add((runtime,), 0, 0, number)
                self._deny(row, "check", number, newest=kind.newest, at=kind.last[0])

    def _dispatches(self, row: Row, kind: Kind) -> None:
        model = self.spellings.of(row.model)
        self.dispatches += kind.number
        self.agents += kind.agents
        self.cost += kind.cost
        self.computed += kind.computed
        self.without_agents += kind.without_agents
        self.models.add((model,), kind.number, kind.agents, kind.cost, kind.computed)
        reason = name_in(row, "tier_override")
        if reason is not None:
            self.overrides.add((model, reason), kind.number)

    def _registration(self, row: Row) -> None:
        self._judged(row, "register", 1)
        self._waived(row)
        if row.decision == "DENY":
            self.refused += 1
            self._deny(row, "register", 1, newest=row.ts, at=self.rows)
            self.times.add(row.ts, row.reason)
            return
        self.attempts += 1
        task, channel = name_in(row, "orchestration_task"), row.data.get("completion_channel")
        self.outside += task is None or channel == SENTINEL_LOG
        job = row.job_id or ""
        self.jobs.add(job)
        if row.data.get("model_verified") is True:
            self.verified.add(job)

    def _judged(self, row: Row, stage: str, number: int) -> None:
        names = (name_in(row, "policy"), name_in(row, "policy_path"), name_in(row, "policy_digest"))
        self.policies.add((stage, *names), number)

    def _waived(self, row: Row) -> None:
        waived = row.data.get("waived")
        for each in waived if isinstance(waived, list) else ():
            if isinstance(each, dict) and each.get("status") == "excepted":
                self.exceptions.add((str(each.get("by")), str(each.get("code"))), 1)

    def _deny(self, row: Row, stage: str, number: int, *, newest: float | None, at: int) -> None:
        key = (stage, row.reason or None, name_in(row, "rule"))
        self.denials.add(key, number)
        before, place, example = self.denied.get(key, (None, -1, ""))
        latest = max((ts for ts in (before, newest) if ts is not None), default=None)
        self.denied[key] = (latest, at, example_of(row)) if at > place else (latest, place, example)

    def audit(self, ledger: str, since: float | None, until: float | None) -> Audit:
        """The sums, and the groups that they are made of."""
        self._settle()
        period, periods = self.times.periods()
        return structs.replace(
            self._sums(ledger, since, until),
            models=tuple(
                ModelUse(model=key[0], dispatches=n[0], agents=n[1], cost=n[2], computed=n[3])
                for key, n in self.models.sorted()
            ),
            tiers=tuple(
                TierUse(tier=key[0], dispatches=n[0], agents=n[1], denied=n[2]) for key, n in self.tiers.sorted()
            ),
            runtimes=tuple(
                RuntimeUse(runtime=key[0], dispatches=n[0], agents=n[1], denied=n[2])
                for key, n in self.runtimes.sorted()
            ),
            periods=periods,
            period=period,
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
            last_seen, _, example = self.denied[key]
            yield Denials(
                stage=key[0] or "", code=key[1], rule=key[2], count=count, last_seen=last_seen, example=example
            )
