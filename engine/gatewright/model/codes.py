"""Reason codes. A code is a promise: it is never renamed and never reused; `reasons.py` says what each one means."""

OK = "OK"

# Given by rules of the stage `check`.
CONTRACT_UNREADABLE = "CONTRACT_UNREADABLE"
NO_COMPLETION_CHANNEL = "NO_COMPLETION_CHANNEL"
NO_MODEL = "NO_MODEL"
INVALID_REQUEST = "INVALID_REQUEST"
TIER_POLICY_UNAVAILABLE = "TIER_POLICY_UNAVAILABLE"
TIER_FANOUT_CAP = "TIER_FANOUT_CAP"
TIER_POLICY = "TIER_POLICY"
TIER_UNKNOWN_MODEL = "TIER_UNKNOWN_MODEL"
TIER_AMBIGUOUS_MODEL = "TIER_AMBIGUOUS_MODEL"
BUDGET_EXCEEDED = "BUDGET_EXCEEDED"
ROUTING_VIOLATION = "ROUTING_VIOLATION"
HIGH_COST_RUNTIME = "HIGH_COST_RUNTIME"
MCP_TRUST_UNHANDLED = "MCP_TRUST_UNHANDLED"
PATH_OUTSIDE_KNOWN_ROOTS = "PATH_OUTSIDE_KNOWN_ROOTS"
WORKTREE_AS_REPO_ROOT = "WORKTREE_AS_REPO_ROOT"
LEDGER_CLOCK = "LEDGER_CLOCK"

# Given by rules of the stage `register`, which give INVALID_REQUEST and TIER_UNKNOWN_MODEL too.
ORCHESTRATION_UNVERIFIED = "ORCHESTRATION_UNVERIFIED"
UNVERIFIED_JOB = "UNVERIFIED_JOB"
PROBE_NOT_CONTENT = "PROBE_NOT_CONTENT"
MODEL_TIER_ESCALATION = "MODEL_TIER_ESCALATION"
MODEL_UNVERIFIED = "MODEL_UNVERIFIED"
MODEL_PROBE_FAILED = "MODEL_PROBE_FAILED"
MODEL_MISMATCH = "MODEL_MISMATCH"
AMBIGUOUS_TICKET = "AMBIGUOUS_TICKET"
NO_MATCHING_TICKET = "NO_MATCHING_TICKET"
TICKET_EXPIRED = "TICKET_EXPIRED"
TICKET_MISSING = "TICKET_MISSING"
JOB_ALREADY_REGISTERED = "JOB_ALREADY_REGISTERED"

# Given by rules of the stage `deliver`.
DELIVERY_BLOCKED = "DELIVERY_BLOCKED"
DELIVERY_LIMITED = "DELIVERY_LIMITED"
DELIVERY_UNVERIFIED = "DELIVERY_UNVERIFIED"
WORKER_GONE = "WORKER_GONE"

# Said of an answer that was given before.
REQUEST_REPLAYED = "REQUEST_REPLAYED"

# Given by the engine at any stage. None of these can be excepted, overridden or lowered.
EVAL_UNDEFINED = "EVAL_UNDEFINED"
EVAL_TYPE = "EVAL_TYPE"
EVAL_RANGE = "EVAL_RANGE"
RULE_ERROR = "RULE_ERROR"
FACT_UNAVAILABLE = "FACT_UNAVAILABLE"
REQUEST_REFUSED = "REQUEST_REFUSED"
POLICY_UNAVAILABLE = "POLICY_UNAVAILABLE"
POLICY_FROZEN = "POLICY_FROZEN"
LEDGER_UNAVAILABLE = "LEDGER_UNAVAILABLE"

ENGINE_CODES = frozenset(
    [
        EVAL_UNDEFINED,
        EVAL_TYPE,
        EVAL_RANGE,
        RULE_ERROR,
        FACT_UNAVAILABLE,
        REQUEST_REFUSED,
        POLICY_UNAVAILABLE,
        POLICY_FROZEN,
        LEDGER_UNAVAILABLE,
    ]
)


def wrong_code(code: object) -> str:
    """Why a rule may not give a code; empty where it may: CAPITALS_WITH_LINES, and none of gatewright's own."""
    words = code.split("_") if isinstance(code, str) else []
    if not (
        words
        and isinstance(code, str)
        and code.isascii()
        and all(word.isalnum() and word == word.upper() for word in words)
        and code[0].isalpha()
    ):
        return f"the reason code `{code}` is not in capitals with `_` between words"
    if code == OK:
        return "`OK` stands for an allowed request"
    return f"`{code}` is given by gatewright itself, and by no rule" if code in ENGINE_CODES else ""
