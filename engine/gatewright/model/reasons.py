"""What each reason code means, what leads to it, and what to do about it."""

from gatewright.model import codes
from gatewright.model.acceptance_reasons import ACCEPTANCE
from gatewright.model.delivery_reasons import DELIVERY
from gatewright.model.departure_reasons import DEPARTURE
from gatewright.model.reason import Reason as Reason
from gatewright.model.registration_reasons import REGISTRATION

CHECK, BOTH = ("check",), ("check", "register")

ALLOWED = Reason(
    codes.OK,
    (),
    "allow",
    "the gate is open: no rule denies",
    "every rule that applies passed, warned only, or was let through on purpose",
    "go on; warnings are worth a look",
)

REASONS: tuple[Reason, ...] = (
    Reason(
        codes.CONTRACT_UNREADABLE,
        ("check", "accept"),
        "deny",
        "the contract cannot be read, so its size and hash are unknown",
        "the file is missing, is a folder, a pipe or a dangling link, is too large, or may not be read; work is "
        "accepted only by a contract whose front matter has no mistakes",
        "check the path and its permissions, and ask again",
    ),
    Reason(
        codes.NO_COMPLETION_CHANNEL,
        CHECK,
        "deny",
        "nobody would hear of the end of the work",
        "`--completion-channel` is left out, or is not spelt exactly as a listed channel",
        "give `orchestration` or `sentinel-log`",
    ),
    Reason(
        codes.NO_MODEL,
        CHECK,
        "deny",
        "the request names no model",
        "`--model` is left out, empty or blank; the worker would inherit whatever its host runs",
        "name the model that the worker is to run",
    ),
    Reason(
        codes.INVALID_REQUEST,
        BOTH,
        "deny",
        "a part of the request cannot be meant",
        "a padded model id, a blank override, a runtime that is no name, a negative size, fewer than one agent, "
        "a value of another kind, or a ticket that would leave its folder",
        "the message names the part; mend it and ask again",
    ),
    Reason(
        codes.TIER_POLICY_UNAVAILABLE,
        ("dispatch", "check"),
        "deny",
        "the tier table cannot be used, so no cap can be held",
        "the file that was named is missing, is not YAML or JSON, or breaks a rule of tier tables",
        "run `gatewright lint` on the file; a table that was named is never replaced by another one",
    ),
    Reason(
        codes.TIER_FANOUT_CAP,
        CHECK,
        "deny",
        "the tier of the model has no room left for this many agents",
        "the agents of allowed checks within the window, and those asked for, are more than the tier's cap",
        "ask for fewer agents, wait until the window frees, or give `--tier-override` with a reason",
    ),
    Reason(
        codes.TIER_POLICY,
        CHECK,
        "deny",
        "the version 1 tier table does not let workers run this model",
        "the model is listed as denied, or is not listed while the table says `unknown_model: deny`; with "
        "`unknown_model: warn` the same code is a warning",
        "choose a listed model, or give `--tier-override` with a reason",
    ),
    Reason(
        codes.TIER_UNKNOWN_MODEL,
        BOTH,
        "warn",
        "the model is in no tier of the table",
        "the model is new, or its id is spelt in a way that leads to no listed id",
        "add it to a tier; until then it runs under the cap of `unknown`",
    ),
    Reason(
        codes.TIER_AMBIGUOUS_MODEL,
        CHECK,
        "warn",
        "the model's id leads to listed models of several tiers",
        "taking prefixes and suffixes off in one order or another reaches different ids of the table",
        "list the id as it is; until then the most expensive of the tiers counts",
    ),
    Reason(
        codes.BUDGET_EXCEEDED,
        CHECK,
        "deny",
        "the input is larger than the character budget",
        "the characters of one worker, or of all agents together, are above the policy's limit",
        "split the contract, point to files instead of pasting them, or ask for fewer agents",
    ),
    Reason(
        codes.ROUTING_VIOLATION,
        CHECK,
        "deny",
        "two or more agents were asked for on a high-cost runtime",
        "the runtime is on the policy's list of high-cost runtimes",
        "ask for one agent, or for another runtime",
    ),
    Reason(
        codes.HIGH_COST_RUNTIME,
        CHECK,
        "warn",
        "the worker is to run on a high-cost runtime",
        "the runtime is on the policy's list of high-cost runtimes",
        "nothing, if it is meant",
    ),
    Reason(
        codes.MCP_TRUST_UNHANDLED,
        CHECK,
        "warn",
        "the contract uses MCP and does not say how its trust dialog is handled",
        "the text names MCP, an `mcp__` tool or `code-review-graph`, and nowhere speaks of trust",
        "say so in the contract, or trust the server beforehand; a worker at a dialog looks as if it worked",
    ),
    Reason(
        codes.PATH_OUTSIDE_KNOWN_ROOTS,
        CHECK,
        "warn",
        "the contract names a path under a home folder that is under no known root",
        "the path belongs to another user or machine, or its root is missing from the known-roots file",
        "mend the path, or add its root to the known roots",
    ),
    Reason(
        codes.WORKTREE_AS_REPO_ROOT,
        CHECK,
        "warn",
        "the contract gives a worktree as the root of the repository",
        "a line holds `/.orca/worktrees/` and names a repository root or a graph",
        "name the main checkout",
    ),
    Reason(
        codes.LEDGER_CLOCK,
        CHECK,
        "warn",
        "rows of the ledger have times that cannot be right, and are counted all the same",
        "a machine's clock was set or is ahead, or a row was written by hand",
        "check the clocks of the machines that write to the ledger",
    ),
    *DEPARTURE,
    *REGISTRATION,
    *DELIVERY,
    *ACCEPTANCE,
    Reason(
        codes.REQUEST_REPLAYED,
        BOTH,
        "note",
        "the request was recorded before, and this is the answer that it got then",
        "a request id was given again, by a retry for instance",
        "nothing; give a new request an id of its own",
    ),
    Reason(
        codes.EVAL_UNDEFINED,
        (),
        "deny",
        "a rule's expression read a field that does not exist",
        "the request lacks an optional field, and the expression does not guard it",
        "guard it with `has(path)` or `default(path, value)`; the finding names the path and its place",
    ),
    Reason(
        codes.EVAL_TYPE,
        (),
        "deny",
        "a rule's expression met a value of another kind",
        "null was ordered or counted with, or a text stood where a number was due",
        "guard against null, and give the value in its kind",
    ),
    Reason(
        codes.EVAL_RANGE,
        (),
        "deny",
        "a rule's expression left the range of numbers",
        "a sum or product does not fit in 64 bits, or a text was too long to search",
        "look at the values in the request",
    ),
    Reason(
        codes.RULE_ERROR,
        (),
        "deny",
        "a rule failed",
        "its code raised an error, yielded something that is no finding, or gave a code that it does not declare",
        "mend the rule; a broken rule closes the gate",
    ),
    Reason(
        codes.FACT_UNAVAILABLE,
        (),
        "deny",
        "a fact that an active rule needs cannot be had, and no rule answers for it",
        "it was not given, its probe failed, or it is null where a value is due",
        "the message names the fact, why it is missing, and the rules that need it",
    ),
    Reason(
        codes.REQUEST_REFUSED,
        (),
        "deny",
        "the request is no plain data of a sane size",
        "it holds NaN, infinity, an integer beyond 64 bits, a key twice, deep nesting or too much text",
        "send plain JSON",
    ),
    Reason(
        codes.POLICY_UNAVAILABLE,
        (),
        "deny",
        "the policy cannot be used, so nothing can be allowed",
        "the file is missing, or has a mistake in it",
        "run `gatewright lint` on the policy; every mistake is named with its place",
    ),
    Reason(
        codes.POLICY_FROZEN,
        (),
        "deny",
        "the policy denies everything for now",
        "its `freeze` names a time that has not come yet",
        "wait, or edit `freeze` in the policy",
    ),
    Reason(
        codes.LEDGER_UNAVAILABLE,
        (),
        "deny",
        "the ledger cannot be read or written, so nothing can be counted",
        "the file cannot be opened, its folder is read-only, the disk is full, or the server does not answer",
        "the message names the ledger and the fault; a check is never decided without its ledger",
    ),
)


def reason(code: str) -> Reason | None:
    """The reason of that code, `OK` included."""
    return next((each for each in (ALLOWED, *REASONS) if each.code == code), None)
