"""The facts of the stage `check`, and of `register` where they mean the same: given, derived, looked up."""

from collections.abc import Mapping
from typing import Annotated

from gatewright.model import (
    CONTRACT_UNREADABLE,
    INVALID_REQUEST,
    NO_COMPLETION_CHANNEL,
    NO_MODEL,
    TIER_POLICY_UNAVAILABLE,
    Contract,
    Moment,
    TicketPath,
    TierPolicy,
    TierTable,
    Window,
)
from gatewright.model.nouns import said
from gatewright.model.tiers import VENDORS, vendor_of
from gatewright.spec import FactUnavailableError, collected, derived, given

CHECK = ("check",)
BOTH = ("check", "register")
EARLY = ("dispatch", "check")
_LEAST, _MOST = -(2**63), 2**63 - 1


def _table(tier_policy: TierPolicy) -> TierTable | None:
    if tier_policy.loaded and tier_policy.table is None:
        raise FactUnavailableError("the tier policy was given without its table")
    return tier_policy.table


@derived(stages=CHECK)
def cost_proxy(agents: int, est_chars: int | None) -> int | None:
    """Agents times estimated characters, within 64 bits: the cost of all; null while the size is unknown."""
    # A product beyond the range of integers is the last one within: above every limit, and so a denial of the budget.
    return None if est_chars is None else max(_LEAST, min(agents * est_chars, _MOST))


@derived(stages=EARLY)
def tier(model: str | None, tier_policy: TierPolicy) -> str | None:
    """The tier of the model under a version 2 table, `unknown` if it is in none; null without such a table or model."""
    table = _table(tier_policy)
    return None if model is None or table is None or table.version == 1 else table.match(model).tier


@derived(stages=CHECK)
def tier_ambiguous(model: str | None, tier_policy: TierPolicy) -> bool:
    """Whether the model's id leads to listed models of several tiers, the most expensive of which was taken."""
    table = _table(tier_policy)
    return model is not None and table is not None and table.match(model).ambiguous


@derived(stages=CHECK)
def model_listing(model: str | None, tier_policy: TierPolicy) -> str | None:
    """Under a version 1 table `allowed`, `denied` or `unlisted`; null without such a table or model."""
    table = _table(tier_policy)
    if model is None or table is None or table.version != 1:
        return None
    found = table.match(model).tier
    return "unlisted" if found == "unknown" else found


@derived(stages=EARLY)
def vendor(model: str | None) -> Annotated[str, said(among=VENDORS)]:
    """Who makes the model, by the start of its id: claude, codex, grok, gemini or unknown."""
    return "unknown" if model is None else vendor_of(model)


FACTS = (
    given("runtime", str, "The runtime that is to start the worker.", stages=EARLY, code=INVALID_REQUEST),
    given("model", str | None, "The id of the model that is asked for.", stages=EARLY, default=None, code=NO_MODEL),
    given("agents", int, "How many workers the request starts.", stages=EARLY, code=INVALID_REQUEST),
    given(
        "est_chars",
        int | None,
        "Characters that one worker is given to read; null when they cannot be counted.",
        stages=EARLY,
        default=None,
        code=INVALID_REQUEST,
    ),
    given(
        "completion_channel",
        str | None,
        "How the end of the work will be told: `orchestration` or `sentinel-log`.",
        stages=CHECK,
        default=None,
        code=NO_COMPLETION_CHANNEL,
    ),
    given(
        "tier_override",
        str | None,
        "The reason for which one request may pass a tier rule.",
        stages=CHECK,
        default=None,
        code=INVALID_REQUEST,
    ),
    given("top_approved", str | None, "Why a model of the top tier was approved.", stages=EARLY, default=None),
    given("request_id", str | None, "The id that makes a repeated request the same.", stages=BOTH, default=None),
    given("actor", str | None, "Who asks.", stages=("dispatch", *BOTH, "accept"), default=None),
    given("labels", Mapping[str, str], "Free labels of the request, text by text.", stages=CHECK, default={}),
    given("now", Moment, "The time of the decision, in UTC.", stages=("dispatch", *BOTH, "accept")),
    cost_proxy,
    tier,
    tier_ambiguous,
    model_listing,
    vendor,
    collected(
        "contract",
        Contract,
        "The file that tells the worker what to do: whether it could be read, its hash, what lint found in it.",
        stages=CHECK,
        code=CONTRACT_UNREADABLE,
    ),
    collected(
        "tier_policy",
        TierPolicy,
        "The tier table: whether it could be loaded, its version and hash.",
        stages=("dispatch", *BOTH),
        code=TIER_POLICY_UNAVAILABLE,
    ),
    collected("window", Window, "What the model's tier has used up of its cap.", stages=EARLY),
    collected("ticket_path", TicketPath, "Where the ticket of an allowed check would be written.", stages=CHECK),
    collected("known_roots", list[str], "Folders that contracts may name; an empty list means no check.", stages=CHECK),
)
