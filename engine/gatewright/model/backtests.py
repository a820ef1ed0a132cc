"""What a back-test finds: recorded checks that come out differently, by rule and reason, and those it cannot judge."""

from enum import Enum

from msgspec import Struct

from gatewright.model.decisions import Plain, PolicyRef


class Change(Enum):
    """In what a check comes out differently."""

    DENIED = "now denied"
    ALLOWED = "now allowed"
    REASONS = "other reasons"
    WARNINGS = "other warnings"


class Example(Struct, frozen=True, kw_only=True):
    """One of the checks that a change is about."""

    row: int  #: the number of its row
    ts: float | None
    runtime: str
    model: str
    agents: int | None
    before: (
        str  #: `ALLOW`, or `DENY` and its first reason; with the code that only one verdict gives, if that is another
    )
    after: str
    message: str = ""  #: what is said with the code now; where it fell away, with the first reason


class Flips(Struct, frozen=True, kw_only=True):
    """Checks that change in the same way, for the same reason."""

    change: Change
    rule: str  #: the rule behind it; empty where a row does not say which one it was
    code: str  #: what is given now or, for what falls away, was given before
    gone: bool = False  #: whether the code was given before, and is not now
    count: int
    agents: int
    examples: tuple[Example, ...]


class Unreplayable(Struct, frozen=True, kw_only=True):
    """Checks that cannot be judged again, for the lack of the same facts."""

    facts: tuple[str, ...]  #: none where no policy decided them
    count: int
    rows: tuple[int, ...]  #: the numbers of the first ones


class Tally(Struct, frozen=True, kw_only=True):
    """How many checks were allowed and denied, and how many agents that let start."""

    allowed: int = 0
    denied: int = 0
    agents: int = 0


class TableRef(Struct, frozen=True, kw_only=True):
    """The tier table that checks were judged under."""

    path: str
    sha256: str  #: of the file's bytes, lower-case hex

    def to_dict(self) -> dict[str, Plain]:
        """The reference as plain data."""
        return {"path": self.path, "sha256": self.sha256}


class Backtest(Struct, frozen=True, kw_only=True):
    """What was found."""

    source: str
    new: PolicyRef
    new_table: TableRef
    old: PolicyRef | None  #: None for what was recorded
    old_table: TableRef | None
    since: float | None = None
    until: float | None = None
    checks: int = 0  #: in the span
    replayed: int = 0
    before: Tally = Tally()  #: of those that were replayed
    after: Tally = Tally()
    flips: tuple[Flips, ...] = ()
    unreplayable: tuple[Unreplayable, ...] = ()
    untold: tuple[str, ...] = ()  #: codes of warnings that some rows cannot tell of, and that were not compared there
    policies: int = 0  #: under how many policies the checks were decided when they were made
    tables: int = 0  #: and under how many tier tables
    other_policy: int = 0  #: checks that another policy than the new one decided
    other_table: int = 0  #: checks that were decided under another tier table
    skipped: int = 0  #: lines that are no rows
    others: int = 0  #: rows that are no checks

    @property
    def differs(self) -> bool:
        """Whether any check comes out differently."""
        return bool(self.flips)

    def changed(self, change: Change) -> int:
        """How many checks change in that way."""
        return sum(each.count for each in self.flips if each.change is change)


class Promotion(Struct, frozen=True, kw_only=True):
    """What a step of a rule from one level to another would have done to recorded checks."""

    rule: str
    before: str  #: the level that it has
    after: str
    found: Backtest  #: the policy with the step against the one without
    limit: int | None  #: new denials that are put up with; None for any number
    edit: str  #: the change of the policy as a unified diff; empty where it is there already

    @property
    def denials(self) -> int:
        """How many checks the step would have denied."""
        return self.found.changed(Change.DENIED)

    @property
    def too_many(self) -> bool:
        """Whether that is more than is put up with."""
        return self.limit is not None and self.denials > self.limit
