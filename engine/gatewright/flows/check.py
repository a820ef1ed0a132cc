"""The flow `check`, which asks whether a worker may be started."""

from collections.abc import Mapping

from msgspec import Struct

from gatewright.ledger.protocol import Look, Usage
from gatewright.model import Contract, Moment, TicketPath, TierPolicy, Window
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


class Surroundings(Struct, frozen=True, kw_only=True):
    """Where the facts of a check are looked up, apart from the ledger."""

    tier_policy: str  #: path of the tier table
    known_roots: str  #: path of the known-roots file


class Outside(Struct, frozen=True, kw_only=True):
    """What was read for one check before the ledger was asked, so that nobody waits for a file while it is locked."""

    contract: Contract
    tier_policy: TierPolicy
    known_roots: list[str] | None = None


def read_outside(gate: Gate, request: CheckRequest, surroundings: Surroundings) -> Outside:
    """Read the contract, the tier table and, where a rule needs them, the known roots; each of them once."""
    roots = read_known_roots(surroundings.known_roots) if "known_roots" in gate.needed else None
    return Outside(
        contract=read_contract(request.contract),
        tier_policy=read_tier_policy(surroundings.tier_policy),
        known_roots=roots,
    )


def facts_of(
    gate: Gate, request: CheckRequest, outside: Outside, look: Look, besides: Mapping[str, object] = {}
) -> Facts:
    """The facts of a request, admitted by the gate, as the ledger stands.

    besides: facts that are given as they are, in the place of these or beside them.
    """
    given: dict[str, object] = {
        "runtime": request.runtime,
        "model": request.model,
        "agents": request.agents,
        "est_chars": estimated_chars(request, outside.contract),
        "completion_channel": request.completion_channel,
        "tier_override": request.tier_override,
        "top_approved": request.top_approved,
        "request_id": request.request_id,
        "actor": request.actor,
        "labels": dict(request.labels),
        "contract": outside.contract,
        "tier_policy": outside.tier_policy,
        "now": Moment.at(look.wall),
    }
    if outside.known_roots is not None:
        given["known_roots"] = outside.known_roots
    return gate.admit({**given, **besides}, _collectors(request, outside, look))


def estimated_chars(request: CheckRequest, contract: Contract) -> int | None:
    """The size that was given, else that of the contract; None where it cannot be known."""
    if request.est_chars is not None:
        return request.est_chars
    if request.completion_channel is None:
        return 0
    return contract.chars


def _collectors(request: CheckRequest, outside: Outside, look: Look) -> Collectors:
    def window(tier: str | None, agents: int) -> Window:
        table = outside.tier_policy.table
        if tier is None or table is None or table.version == 1:
            return NO_WINDOW
        return window_of(tier, table, look.usage(tier, table, agents))

    def ticket_path() -> TicketPath:
        sha = outside.contract.sha256
        return TicketPath(inside=True) if sha is None else look.ticket_place(request.runtime, sha)

    return {"window": window, "ticket_path": ticket_path}


#: Without a version 2 table or a model there is no window, and nothing is looked up.
NO_WINDOW = Window(used=None, cap=None)


def window_of(tier: str, table: TierTable, used: Usage) -> Window:
    """The window of a tier."""
    return Window(
        used=used.agents,
        cap=table.caps.get(tier),
        seconds=table.window_seconds,
        frees_at=used.frees_at,
        odd_times=used.odd_times,
    )
