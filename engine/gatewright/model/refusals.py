"""Decisions that no rule took part in: what the engine itself denies."""

from gatewright.errors import Place
from gatewright.model.decisions import Finding, GateDecision, Level, PolicyRef, Stage, Verdict

NO_POLICY = PolicyRef("", "", "", "")


def refusal(
    stage: Stage, code: str, message: str, *, where: Place | None = None, policy: PolicyRef = NO_POLICY, hint: str = ""
) -> GateDecision:
    """A denial by the engine: the policy, the ledger or the request cannot be used."""
    finding = Finding(code=code, level=Level.DENY, message=message, rule="engine", where=where, hint=hint)
    verdict = Verdict(stage=stage, policy=policy, findings=(finding,), rows=(), reasons=(code,), warnings=())
    return GateDecision(verdict, {})
