"""What an audit of the ledger finds: who asked for what in a span of time, what was allowed, and what denied, and why.

Every group table adds up to its total; rows that belong to no group are in one without a name.
"""

from collections.abc import Mapping

from msgspec import Struct


class ModelUse(Struct, frozen=True, kw_only=True):
    """What was allowed for a model. Letter case makes no difference; the first spelling stands for all."""

    model: str | None
    dispatches: int
    agents: int
    cost: int  #: estimated, in agents times characters
    computed: int  #: dispatches whose row had no cost, so that it was computed


class TierUse(Struct, frozen=True, kw_only=True):
    """What was allowed for a tier, and how many checks were denied."""

    tier: str | None
    dispatches: int
    agents: int
    denied: int = 0


class RuntimeUse(Struct, frozen=True, kw_only=True):
    """What was allowed for a runtime, and how many checks were denied."""

    runtime: str | None
    dispatches: int
    agents: int
    denied: int


class Period(Struct, frozen=True, kw_only=True):
    """What was decided in a part of the span; periods in which nothing was decided are left out."""

    start: float | None  #: None of rows without a time
    dispatches: int
    denials: int  #: of checks and registrations
    codes: Mapping[str, int]  #: the denials by reason; those without one have an empty code


class Denials(Struct, frozen=True, kw_only=True):
    """Denials for one reason."""

    stage: str
    code: str | None
    rule: str | None  #: the rule of the policy that gave it, where the row says so
    count: int
    last_seen: float | None
    example: str  #: of the last one: its contract or job, and its message where the row has one


class OverrideUse(Struct, frozen=True, kw_only=True):
    """Dispatches that passed a tier rule by an override."""

    model: str | None
    reason: str
    dispatches: int


class ExceptionUse(Struct, frozen=True, kw_only=True):
    """Decisions in which a policy's exception let a finding through."""

    exception: str
    code: str
    decisions: int
    standing: str = ""  #: of the exception in the policies in force, where it is in one


class TableUse(Struct, frozen=True, kw_only=True):
    """Checks that were judged under one tier table."""

    path: str | None
    sha256: str | None  #: None where it could not be loaded
    decisions: int

    @property
    def is_named(self) -> bool:
        """Whether rows say which one it was."""
        return self.path is not None or self.sha256 is not None


class PolicyUse(Struct, frozen=True, kw_only=True):
    """Decisions that were made under one policy."""

    stage: str
    policy: str | None
    path: str | None
    digest: str | None
    decisions: int

    @property
    def is_named(self) -> bool:
        """Whether rows say which one it was."""
        return (self.policy, self.path, self.digest) != (None, None, None)


class Registrations(Struct, frozen=True, kw_only=True):
    """What was registered; no dispatch, but a proof that one has started."""

    jobs: int = 0  #: different job ids
    attempts: int = 0
    verified: int = 0  #: jobs whose model was proven in one of their attempts
    denied: int = 0
    non_orchestrated: int = 0  #: attempts for which no orchestrator was asked, since a sentinel log tells the end
    pending: int = 0  #: allowed checks that no registration, and no failed start, has settled


class Skipped(Struct, frozen=True, kw_only=True):
    """Lines of the whole ledger that are no rows."""

    lines: int = 0
    places: tuple[str, ...] = ()  #: of the first ones


class Audit(Struct, frozen=True, kw_only=True):
    """What was found."""

    ledger: str
    since: float | None = None  #: the first moment that was asked for
    until: float | None = None  #: the first moment after it
    first: float | None = None  #: the time of the oldest row that was found
    last: float | None = None
    rows: int = 0  #: checks, registrations, attempts to register, and others
    checks: int = 0
    dispatches: int = 0  #: checks that were allowed
    agents: int = 0
    cost: int = 0
    computed: int = 0
    other_rows: int = 0  #: rows that record no decision
    not_started: int = 0  #: those of them that close a dispatch which was allowed and not started
    without_agents: int = 0  #: dispatches whose number of agents cannot be read; they count as none
    without_time: int = 0  #: rows whose time cannot be read; within bounds they are left out
    skipped: Skipped = Skipped()
    registrations: Registrations = Registrations()
    models: tuple[ModelUse, ...] = ()
    tiers: tuple[TierUse, ...] = ()
    runtimes: tuple[RuntimeUse, ...] = ()
    denials: tuple[Denials, ...] = ()
    overrides: tuple[OverrideUse, ...] = ()
    exceptions: tuple[ExceptionUse, ...] = ()
    tables: tuple[TableUse, ...] = ()
    policies: tuple[PolicyUse, ...] = ()
    periods: tuple[Period, ...] = ()
    period: int = 0  #: seconds of each

    @property
    def denied(self) -> int:
        """Checks that were denied."""
        return self.checks - self.dispatches

    @property
    def bounded(self) -> bool:
        """Whether only a span was asked for."""
        return self.since is not None or self.until is not None

    @property
    def unnamed(self) -> int:
        """Decisions whose rows do not say under which policy they were made, at stages where those of others do."""
        named = {use.stage for use in self.policies if use.is_named}
        return sum(use.decisions for use in self.policies if use.stage in named and not use.is_named)

    @property
    def mixed(self) -> tuple[str, ...]:
        """Why the figures are not those of one policy; nothing where they are."""
        found = []
        tables = sum(use.is_named for use in self.tables)
        if tables > 1:
            found.append(f"checks of this span were judged under more than one policy: {tables} tier tables")
        for stage in dict.fromkeys(use.stage for use in self.policies):
            number = sum(use.stage == stage and use.is_named for use in self.policies)
            if number > 1:
                found.append(f"decisions of stage {stage} were made under more than one policy: {number} of them")
        return tuple(found)
