"""One policy over recorded checks, one after the other, with windows as they would have been under its own verdicts."""

from collections.abc import Mapping

from msgspec import Struct

from gatewright.flows.check import NO_WINDOW, window_of
from gatewright.model import Finding, GateDecision, Level, TierPolicy, Window
from gatewright.runner import Gate
from gatewright.runner.plan import Collectors
from gatewright.trials.reads import Reads
from gatewright.trials.recorded import Recorded
from gatewright.trials.windows import Windows, booked_to


class Judged(Struct, frozen=True, kw_only=True):
    """What came of a recorded check, then or now."""

    allow: bool
    reasons: tuple[str, ...] = ()
    all_reasons: bool = True  #: whether those are all, and not the first one only
    warnings: frozenset[str] = frozenset()
    rules: Mapping[str, str] = {}  #: which rule gave a code
    findings: tuple[Finding, ...] = ()  #: what was found, where that is known
    lacking: tuple[str, ...] = ()  #: facts for the lack of which it is not known
    untold: frozenset[str] = frozenset()  #: codes of warnings that may be there or not
    tier: str | None = None

    def message(self, code: str, *, denies: bool) -> str:
        """What was said with the code of a denial or of a warning; empty where that is not known."""
        told = (each.message for each in self.findings if each.code == code and _counts(each, denies=denies))
        return next(told, "")


def _counts(finding: Finding, *, denies: bool) -> bool:
    return finding.denies if denies else finding.level is Level.WARN


def as_recorded(check: Recorded) -> Judged:
    """What came of it when it was made."""
    return Judged(
        allow=check.allow,
        reasons=check.reasons,
        all_reasons=check.all_reasons,
        warnings=check.warnings,
        rules={check.first: check.rule} if check.rule else {},
        tier=check.tier or None,
    )


class Side:
    """A policy with its tier table, going through the checks of a ledger."""

    def __init__(self, gate: Gate, tiers: TierPolicy) -> None:
        self.gate, self.tiers = gate, tiers
        self.reads = Reads(gate)
        self._windows = Windows()

    @property
    def window_seconds(self) -> int:
        """How far back the window of its table reaches."""
        return self.tiers.table.window_seconds if self.tiers.table is not None else 0

    def judge(self, check: Recorded, window: Window | None = None) -> Judged:
        """What the policy says of a check, as its own verdicts before have left the window.

        window: what is left of it, if that is known.
        """
        lack = self.reads.lack(check.blanks)
        if lack.facts:
            return Judged(allow=check.allow, lacking=lack.facts)
        decision = self.gate.decide({**check.facts, "tier_policy": self.tiers}, self.collectors(check, window))
        doubtful = self.reads.doubtful(lack, decision, frozenset(check.reasons))
        if doubtful:
            return Judged(allow=check.allow, lacking=(doubtful,))
        return judged(decision, lack.untold)

    def count(self, check: Recorded, verdict: Judged) -> None:
        """Count a check if it was let through, so that later ones see it."""
        if verdict.allow and check.agents is not None:
            tier = verdict.tier if not verdict.lacking else check.tier
            name = booked_to(tier, check.facts.get("model"), self.tiers.table)
            self._windows.count(name, check.at, check.agents, check.wall)

    def collectors(self, check: Recorded, known: Window | None = None) -> Collectors:
        """What counts the window of a check, unless it is known."""

        def window(tier: str | None, agents: int) -> Window:
            if known is not None:
                return known
            table = self.tiers.table
            if tier is None or table is None or table.version == 1:
                return NO_WINDOW
            used = self._windows.usage(tier, table, agents, at=check.at, wall=check.wall)
            return window_of(tier, table, used)

        return {"window": window}


def judged(decision: GateDecision, untold: frozenset[str] = frozenset()) -> Judged:
    """A decision, as far as it is compared."""
    tier = decision.facts.get("tier")
    rules = {each.code: each.rule for each in reversed(decision.findings) if each.denies or each.level is Level.WARN}
    return Judged(
        allow=decision.allow,
        reasons=decision.reasons,
        warnings=frozenset(decision.warnings),
        rules=rules,
        findings=decision.findings,
        untold=untold,
        tier=tier if isinstance(tier, str) else None,
    )
