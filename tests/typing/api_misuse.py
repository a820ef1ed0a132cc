"""Wrong uses of the Python API. Each line that ends in a comment `# wrong: CODE` is one that a type checker refuses."""

from gatewright import Findings, Gate, deny, rule

gate = Gate.from_policy(7)  # wrong: arg-type
gate.decide(["codex"])  # wrong: arg-type
misspelt = gate.decide({"agents": 1}).alow  # wrong: attr-defined
deny("LATE")  # wrong: call-arg
deny("LATE", "it is late", hint=3)  # wrong: arg-type


@rule(codes="LATE", stage=3)  # wrong: arg-type
def late() -> Findings:
    """Deny what comes late."""
    yield deny("LATE", "it is late")
