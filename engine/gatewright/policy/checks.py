"""The checks that lint makes by name, and how much each of their findings weighs."""

from collections.abc import Iterable, Mapping

import msgspec

from gatewright.errors import Problem, Severity
from gatewright.text import did_you_mean

OFF = "off"
LEVELS = (*(severity.value for severity in Severity), OFF)

#: What does not stop a file from loading, and so may weigh what its readers say; what each finds, and by default.
CHECKS: Mapping[str, tuple[Severity, str]] = {
    "code-without-meaning": (Severity.NOTE, "a reason code that nothing gives a meaning"),
    "comment-after-condition": (Severity.WARNING, "a comment that reads like the rest of a condition or message"),
    "constant-rule": (Severity.WARNING, "a rule that fires always or never"),
    "contradicting-rules": (Severity.WARNING, "two rules that deny every request between them"),
    "exception-ending": (Severity.NOTE, "an exception that ends within two weeks"),
    "exception-expired": (Severity.WARNING, "an exception past its last day, so that its denials are back"),
    "exception-unused": (
        Severity.WARNING,
        "an exception that can let nothing through, or that no case of a fixture uses",
    ),
    "fixture-value": (Severity.WARNING, "a value in a fixture that is not of its fact's kind, or of an unknown param"),
    "shadowed-rule": (Severity.WARNING, "a rule that finds nothing which an earlier one does not find"),
    "tier-order": (Severity.WARNING, "a tier table that does not say which tier is the most expensive"),
    "EXPR_NULL": (Severity.WARNING, "a value that may be null where null denies"),
    "EXPR_TEXT": (Severity.WARNING, "a text that can hardly be what was meant"),
}
#: What stops a file from loading is an error, whatever anybody says: the gate would be closed all the same.
STOPPING = (
    *("yaml", "json", "policy", "tiers", "runtimes", "fixture", "contract", "markers", "file"),
    *("EXPR_SYNTAX", "EXPR_CHARACTER", "EXPR_LIMIT", "EXPR_NAME", "EXPR_KIND", "EXPR_CALL", "EXPR_PATTERN"),
    "EXPR_CONSTANT",
)

Levels = Mapping[str, str]


def wrong_level(check: str, level: object) -> tuple[str, str] | None:
    """Message and hint for a level that no check can have; None for one that it can."""
    if check in STOPPING:
        return f"what `{check}` finds stops a file from loading, and is an error at every level", "leave it out"
    if check not in CHECKS:
        return f"unknown check `{check}`", did_you_mean(check, CHECKS)
    if level not in LEVELS:
        return f"unknown level `{level}` of `{check}`", did_you_mean(str(level), LEVELS)
    return None


def weighed(problems: Iterable[Problem], levels: Levels) -> list[Problem]:
    """The problems at these levels, without those of checks that are off."""
    found: list[Problem] = []
    for problem in problems:
        level = levels.get(problem.check) if problem.check in CHECKS else None
        if level != OFF:
            severity = Severity(level) if level is not None else problem.severity
            found.append(msgspec.structs.replace(problem, severity=severity))
    return found
