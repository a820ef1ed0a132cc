"""Before anything is asked: which runtime, which model, and whether they may depart at all."""

import os
import shutil
from collections.abc import Callable, Mapping, Sequence

from gatewright.flows.check import NO_WINDOW, window_of
from gatewright.flows.dispatching.desk import Desk, DispatchRequest
from gatewright.flows.recording import Checked
from gatewright.ledger.protocol import Look
from gatewright.model import GateDecision, Host, Launch, Moment, Stage, TierPolicy, TierTable, Window
from gatewright.model.runtimes import PREFERRED, Runtimes
from gatewright.model.tiers import vendor_of
from gatewright.probes.contract import has_front_matter
from gatewright.probes.instance import instance_path, read_instance
from gatewright.probes.projects import Project
from gatewright.runner import Gate

HOST_VARIABLE = "MOGUI_MASTER_HOST_RUNTIME"
TAKEN_FOR_GRANTED = PREFERRED[0]


def host_of(environ: Mapping[str, str], project: Project, runtimes: Runtimes) -> Host:
    """The master's runtime and the machine that it starts workers on.

    Raises FileError for an instance configuration that cannot be used.
    """
    source, name = HOST_VARIABLE, environ.get(HOST_VARIABLE, "").strip()
    if not name:
        path = instance_path(environ, project)
        source = path or ""
        name = (read_instance(path).master_host_runtime or "").strip() if path is not None else ""
    measured, name = bool(name), name or TAKEN_FOR_GRANTED
    path = environ.get("PATH", os.defpath)
    names = dict.fromkeys([*PREFERRED, *runtimes.by_name])
    installed = tuple(each for each in names if shutil.which(runtimes.get(each).program, path=path))
    return Host(
        master=name,
        measured=measured,
        source=source if measured else "",
        installed=installed,
        alternatives=tuple(each for each in installed if each != name),
    )


def runtime_for(named: str | None, host: Host) -> tuple[str, str]:
    """The runtime of a dispatch, and how it was come by."""
    if named is not None:
        return named, "given"
    other = next((each for each in host.installed if each in PREFERRED and each != host.master), None)
    return (other, "the first installed one that is not the master's") if other else (host.master, "the master's own")


def model_for(named: str | None, runtime: str, runtimes: Runtimes, tiers: TierPolicy) -> tuple[str | None, str]:
    """The model of a dispatch, and how it was come by; one that is given is never replaced."""
    if named is not None:
        return named, "given"
    found = next((each for each in _listed(tiers.table) if runtimes.get(runtime).runs(vendor_of(each))), None)
    told = "no listed model fits the runtime" if tiers.table is not None else "the tier table cannot be used"
    return found, f"the first listed one that fits {runtime}, cheapest tier first" if found else told


def _listed(table: TierTable | None) -> Sequence[str]:
    """The models that workers may run, those of the cheapest tier first."""
    if table is None:
        return ()
    if table.version == 1:
        return [model for model, state in table.index.items() if state == "allowed"]
    return sorted(table.index, key=lambda model: -table.rank(table.index[model]))


def launch_of(runtime: str, model: str | None, runtimes: Runtimes, tiers: TierPolicy) -> Launch:
    """How runtime and model go together, and what would."""
    own = runtimes.get(runtime)
    if model is None or own.runs(vendor_of(model)):
        return Launch(runs=True)
    vendor = vendor_of(model)
    able = (each.name for each in runtimes.by_name.values() if each.vendors is not None and vendor in each.vendors)
    fitting = (each for each in _listed(tiers.table) if vendor_of(each) in (own.vendors or ()))
    return Launch(runs=False, runtimes=tuple(able), models=tuple(fitting))


def decide(desk: Desk, request: DispatchRequest, runtime: str, model: str | None, tiers: TierPolicy) -> GateDecision:
    """Whether the dispatch may be begun, by the policy of its own stage. Nothing is written."""

    def ask(gate: Gate) -> Checked:
        with desk.ledger(to_read=True).reading() as look:
            facts = gate.admit(_facts(desk, request, runtime, model, tiers, look), {"window": window_in(tiers, look)})
        return Checked(decision=gate.decide(facts), facts=facts)

    return desk.decide(Stage.DISPATCH, ask, lambda _: None)


def _facts(
    desk: Desk, request: DispatchRequest, runtime: str, model: str | None, tiers: TierPolicy, look: Look
) -> dict[str, object]:
    return {
        "runtime": runtime,
        "model": model,
        "agents": 1,
        "est_chars": request.est_chars,
        "top_approved": request.top_approved,
        "same_host_reason": request.same_host_reason,
        "actor": request.actor,
        "now": Moment.at(look.wall),
        "tier_policy": tiers,
        "front_matter": has_front_matter(request.contract),
        "host": desk.host,
        "launch": launch_of(runtime, model, desk.runtimes, tiers),
    }


def window_in(tiers: TierPolicy, look: Look) -> Callable[..., Window]:
    """Looks up what a tier has used up, as the ledger stands."""

    def window(tier: str | None, agents: int) -> Window:
        table = tiers.table
        if tier is None or table is None or table.version == 1:
            return NO_WINDOW
        return window_of(tier, table, look.usage(tier, table, agents))

    return window
