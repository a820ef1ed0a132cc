"""What a case has unless it says otherwise, at the stages whose facts no request gives."""

from collections.abc import Mapping

from msgspec import Struct, to_builtins

from gatewright.model import (
    CommitRules,
    ContractTerms,
    Host,
    Job,
    Launch,
    MeasuredModel,
    Orchestration,
    PendingChecks,
    Placement,
    Registration,
    Surface,
    TicketChoice,
)
from gatewright.model.deliveries import ShownScreen, Worker, WorkerTranscript
from gatewright.model.screens import PaneClass

#: Of a dispatch: a worker in another runtime than its master's, which can run its model.
BEGINNING: Mapping[str, object] = {
    "agents": 1,
    "front_matter": True,
    "host": Host(master="claude", source="MOGUI_MASTER_HOST_RUNTIME", installed=("claude", "codex")),
    "launch": Launch(runs=True),
}
#: Of a registration: everything is proven, and one check waits for it. Its model is not measured.
PROVEN: Mapping[str, object] = {
    "job": Job(proven=True),
    "orchestration": Orchestration(required=True),
    "model": MeasuredModel(),
    "ticket": TicketChoice(state="one", contract_sha="a1" * 32, age=60.0),
    "pending": PendingChecks(count=1),
    "channel": "orchestration",
    "expected_channel": "orchestration",
    "job_registered": False,
}
#: Of a delivery: a prompt that was there has taken its task.
TAKEN: Mapping[str, object] = {
    "before": ShownScreen.of(PaneClass.PREPARED_PROMPT),
    "after": ShownScreen.of(PaneClass.BUSY),
    "transcript": WorkerTranscript(),
    "worker": Worker(alive=True),
}
#: Of finished work: everything is as the contract has it.
FINISHED: Mapping[str, object] = {
    "terms": ContractTerms(path="contract.md", readable=True, sha256="a1" * 32),
    "registration": Registration(found=True, contract_sha="a1" * 32, attempt=1, model="gpt-5.5", verified=True),
    "surface": Surface(known=True, changed=("src/app.py",)),
    "commits": CommitRules(),
    "evidence": {"make test": "passed"},
    "placement": Placement(given=True, in_expected_worktree=True, is_master_checkout=False, branch="work"),
}


def completed(given: Mapping[str, object], facts: Mapping[str, object]) -> dict[str, object]:
    """What is given, with the facts of a case in its place; of a structured one, fields that it leaves out stay."""
    return {**given, **{name: _completed(value, given.get(name)) for name, value in facts.items()}}


def _completed(value: object, before: object) -> object:
    if isinstance(value, dict) and isinstance(before, Struct | Mapping):
        return {**to_builtins(before), **value}
    return value
