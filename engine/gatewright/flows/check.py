"""The flow `check`, which asks whether a worker may be started."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from gatewright.model import Contract, GateDecision, Moment, TicketPath, TierPolicy, Window
from gatewright.model.tiers import TierTable
from gatewright.probes.contract import read_contract
from gatewright.probes.roots import read_known_roots
from gatewright.probes.tiers import read_tier_policy
from gatewright.runner import Facts, Gate
from gatewright.runner.plan import Collectors


class CheckRequest(Struct, frozen=True, kw_only=True):
    """A request as it comes in; what is left out is looked up or has no value."""

    runtime: str
    contract: str  #: path of the contract file
    agents: int
    model: str | None = None
    est_chars: int | None = None  #: left out: counted from the contract where a completion channel is given, else 0
    completion_channel: str | None = None
    tier_override: str | None = None
    top_approved: str | None = None
    request_id: str | None = None
    actor: str | None = None
    labels: Mapping[str, str] = {}


class Usage(Struct, frozen=True):
    """What allowed checks of a tier have used up within a window, and when there is room again."""

    agents: int
    frees_at: float | None = (
        None  #: after which moment the room that was asked for is there; None where it is, or never
    )


class Asked(Struct, frozen=True, kw_only=True):
    """What is asked about a tier's usage."""

    tier: str
    table: TierTable
    now: Moment
    agents: int  #: how many more agents are to fit


UsageOf = Callable[[Asked], Usage]


def nothing_used(_asked: Asked) -> Usage:
    """The usage of a ledger that does not exist yet."""
    return Usage(0)


class Surroundings(Struct, frozen=True, kw_only=True):
    """Where the facts of a check are looked up."""

    tier_policy: str  #: path of the tier table
    known_roots: str  #: path of the known-roots file
    usage: UsageOf = nothing_used


def check(gate: Gate, request: CheckRequest, surroundings: Surroundings, now: Moment) -> GateDecision:
    """Decide on a request without recording anything: no row, no ticket, no folder, no lock file."""
    return gate.decide(facts_of(gate, request, surroundings, now))


def facts_of(gate: Gate, request: CheckRequest, surroundings: Surroundings, now: Moment) -> Facts:
    """The facts of a request, admitted by the gate; the contract is read once."""
    contract = read_contract(request.contract)
    given: dict[str, object] = {
        "runtime": request.runtime,
        "model": request.model,
        "agents": request.agents,
        "est_chars": estimated_chars(request, contract),
        "completion_channel": request.completion_channel,
        "tier_override": request.tier_override,
        "top_approved": request.top_approved,
        "request_id": request.request_id,
        "actor": request.actor,
        "labels": dict(request.labels),
        "contract": contract,
        "now": now,
    }
    return gate.admit(given, collectors_of(surroundings))


def estimated_chars(request: CheckRequest, contract: Contract) -> int | None:
    """The size that was given, else that of the contract; None where it cannot be known."""
    if request.est_chars is not None:
        return request.est_chars
    if request.completion_channel is None:
        return 0
    return contract.chars


def collectors_of(surroundings: Surroundings) -> Collectors:
    """How the facts that a request does not give are looked up."""

    def tier_policy() -> TierPolicy:
        return read_tier_policy(surroundings.tier_policy)

    def window(tier: str | None, tier_policy: TierPolicy, now: Moment, agents: int) -> Window:
        return window_of(tier, tier_policy.table, now, agents, surroundings.usage)

    def known_roots() -> list[str]:
        return read_known_roots(surroundings.known_roots)

    def ticket_path() -> TicketPath:
        return TicketPath(inside=True)

    return {"tier_policy": tier_policy, "window": window, "known_roots": known_roots, "ticket_path": ticket_path}


def window_of(tier: str | None, table: TierTable | None, now: Moment, agents: int, usage: UsageOf) -> Window:
    """The window of a tier; without a version 2 table or a model there is none, and nothing is looked up."""
    if tier is None or table is None or table.version == 1:
        return Window(used=None, cap=None)
    used = usage(Asked(tier=tier, table=table, now=now, agents=agents))
    return Window(used=used.agents, cap=table.caps.get(tier), seconds=table.window_seconds, frees_at=used.frees_at)
