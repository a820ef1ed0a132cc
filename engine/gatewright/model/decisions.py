"""What a gate says: findings, one row a rule, and the decision that they add up to."""

from collections.abc import Iterator, Mapping
from enum import Enum

from msgspec import Struct, field

from gatewright.errors import Place
from gatewright.model.codes import OK, TICKET_MISSING
from gatewright.model.nouns import Contract, TicketChoice, TierPolicy

Plain = str | int | float | bool | None | list["Plain"] | dict[str, "Plain"]


class Stage(Enum):
    """The points at which a gate decides. One policy a stage."""

    DISPATCH = "dispatch"
    CHECK = "check"
    REGISTER = "register"
    SELECT = "select"
    DELIVER = "deliver"
    SETTLE = "settle"
    ACCEPT = "accept"


class Level(Enum):
    """What a finding does: a denial closes the gate, a warning and a note are only told; `off` finds nothing."""

    DENY = "deny"
    WARN = "warn"
    NOTE = "note"
    OFF = "off"


class FindingStatus(Enum):
    """Whether a finding counts, or was let through on purpose."""

    ACTIVE = "active"
    OVERRIDDEN = "overridden"  #: by the request, with a reason
    EXCEPTED = "excepted"  #: by the policy, until a day


class Outcome(Enum):
    """How one rule fared in one decision."""

    PASSED = "passed"
    DENIED = "denied"
    WARNED = "warned"
    NOTED = "noted"
    NOT_APPLICABLE = "not applicable"
    OVERRIDDEN = "overridden"
    EXCEPTED = "excepted"
    ERRORED = "errored"
    OFF = "off"


class Finding(Struct, frozen=True, kw_only=True):
    """One thing that a rule has to say about a request."""

    code: str
    level: Level
    message: str
    hint: str = ""
    rule: str = ""  #: the id of the rule in the policy
    where: Place | None = None  #: the place in the policy
    status: FindingStatus = FindingStatus.ACTIVE
    by: str = ""  #: the override's text or the exception's id, when let through
    data: Mapping[str, Plain] = field(default_factory=dict)  #: figures for machines

    @property
    def denies(self) -> bool:
        """Whether this finding alone closes the gate."""
        return self.level is Level.DENY and self.status is FindingStatus.ACTIVE

    def to_dict(self) -> dict[str, Plain]:
        """The finding as plain data; empty parts are left out."""
        plain: dict[str, Plain] = {
            "code": self.code,
            "level": self.level.value,
            "message": self.message,
            "rule": self.rule,
            "where": str(self.where) if self.where is not None else None,
            "status": self.status.value,
        }
        if self.hint:
            plain["hint"] = self.hint
        if self.by:
            plain["by"] = self.by
        if self.data:
            plain["data"] = dict(self.data)
        return plain


Findings = Iterator[Finding]


def deny(code: str, message: str, *, hint: str = "", **data: Plain) -> Finding:
    """A finding that closes the gate, unless the policy gives its code another level."""
    return Finding(code=code, level=Level.DENY, message=message, hint=hint, data=data)


def warn(code: str, message: str, *, hint: str = "", **data: Plain) -> Finding:
    """A finding that is told and recorded, and closes nothing."""
    return Finding(code=code, level=Level.WARN, message=message, hint=hint, data=data)


def note(code: str, message: str, *, hint: str = "", **data: Plain) -> Finding:
    """A finding that is recorded only."""
    return Finding(code=code, level=Level.NOTE, message=message, hint=hint, data=data)


class RuleRow(Struct, frozen=True):
    """What became of one rule: every rule of the policy has exactly one row in every decision."""

    rule: str
    outcome: Outcome
    codes: tuple[str, ...] = ()
    where: Place | None = None
    why: str = ""  #: why it does not apply, or what let it through

    def to_dict(self) -> dict[str, Plain]:
        """The row as plain data; empty parts are left out."""
        plain: dict[str, Plain] = {"rule": self.rule, "outcome": self.outcome.value}
        if self.codes:
            plain["codes"] = list(self.codes)
        if self.where is not None:
            plain["where"] = str(self.where)
        if self.why:
            plain["why"] = self.why
        return plain


class PolicyRef(Struct, frozen=True):
    """The policy that a decision was made under."""

    id: str
    path: str
    sha256: str  #: of the file's bytes, lower-case hex
    digest: str  #: of the file, its params and the versions of the rule packages

    def to_dict(self) -> dict[str, Plain]:
        """The reference as plain data."""
        return {"id": self.id, "path": self.path, "sha256": self.sha256, "digest": self.digest}


class Verdict(Struct, frozen=True):
    """The part of a decision that depends on how the rules fared; decisions in which they fared alike share it."""

    stage: Stage
    policy: PolicyRef
    findings: tuple[Finding, ...]  #: in policy order, whatever their level and status
    rows: tuple[RuleRow, ...]  #: one a rule, in policy order
    reasons: tuple[str, ...]  #: the codes of the denials that count, each once
    warnings: tuple[str, ...]  #: the codes of the warnings, each once


class GateDecision(Struct, frozen=True, gc=False):
    """A decision: what the gate says about one request, and everything it rests on."""

    verdict: Verdict
    facts: Mapping[str, object]  #: what the rules saw, by name

    @property
    def allow(self) -> bool:
        """Whether the gate is open: no denial is left."""
        return not self.verdict.reasons

    @property
    def reason(self) -> str:
        """The first denial's code in policy order, or `OK`."""
        return self.verdict.reasons[0] if self.verdict.reasons else OK

    @property
    def reasons(self) -> tuple[str, ...]:
        """The codes of all denials, in policy order, each once."""
        return self.verdict.reasons

    @property
    def warnings(self) -> tuple[str, ...]:
        """The codes of all warnings, in policy order, each once."""
        return self.verdict.warnings

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, in policy order, those that were let through included."""
        return self.verdict.findings

    @property
    def rows(self) -> tuple[RuleRow, ...]:
        """One row a rule, in policy order."""
        return self.verdict.rows

    @property
    def stage(self) -> Stage:
        """The stage at which the gate decided."""
        return self.verdict.stage

    @property
    def policy(self) -> PolicyRef:
        """The policy: its id, path and SHA-256."""
        return self.verdict.policy

    @property
    def denial(self) -> Finding | None:
        """The finding behind `reason`."""
        return next((finding for finding in self.findings if finding.denies), None)

    @property
    def contract_sha(self) -> str | None:
        """The SHA-256 of the contract's bytes, lower-case hex; None if it was never hashed, or none was chosen."""
        contract = self.facts.get("contract")
        if isinstance(contract, Contract):
            return contract.sha256
        ticket = self.facts.get("ticket")
        return ticket.contract_sha if isinstance(ticket, TicketChoice) else None

    @property
    def cost_proxy(self) -> int | None:
        """Agents times estimated characters; None if either is unknown."""
        cost = self.facts.get("cost_proxy")
        return cost if isinstance(cost, int) else None

    @property
    def override(self) -> str | None:
        """The text that let a denial through, if one did."""
        used = (finding.by for finding in self.findings if finding.status is FindingStatus.OVERRIDDEN)
        return next(used, None)

    def to_dict(self) -> dict[str, Plain]:
        """The decision as plain data, the keys of the older gate among them, ready for JSON."""
        plain: dict[str, Plain] = {
            "allow": self.allow,
            "reason": self.reason,
            "reasons": list(self.reasons),
            "warnings": list(self.warnings),
            "contract_sha": self.contract_sha,
            "cost_proxy": self.cost_proxy or 0,
            "stage": self.stage.value,
            "policy": self.policy.to_dict(),
            "findings": [finding.to_dict() for finding in self.findings],
            "rules": [row.to_dict() for row in self.rows],
        }
        table = self.facts.get("tier_policy")
        if isinstance(table, TierPolicy):
            plain["tier_policy"] = {"path": table.path, "sha256": table.sha256, "version": table.version}
        # Scripts of the older gate look for a ticket that was gone in the message of the allowed registration.
        telling = self.denial or next((each for each in self.findings if each.code == TICKET_MISSING), None)
        if telling is not None:
            plain["message"] = telling.message
        if self.override is not None:
            plain["tier_override"] = self.override
        return plain
