"""The facts of the stage `accept`: the contract, the registration, the worktree, and the evidence made again."""

from collections.abc import Mapping

from gatewright.model import (
    CONTRACT_UNREADABLE,
    NO_REGISTRATION,
    SURFACE_VIOLATION,
    CommitRules,
    ContractTerms,
    Placement,
    Registration,
    Surface,
)
from gatewright.spec import collected, given

ACCEPT = ("accept",)

FACTS = (
    given("job_id", str, "The id of the job whose work is judged.", stages=ACCEPT, code=NO_REGISTRATION),
    collected(
        "terms", ContractTerms, "The contract that the work is held to.", stages=ACCEPT, code=CONTRACT_UNREADABLE
    ),
    collected("registration", Registration, "What the ledger knows of the job.", stages=ACCEPT, code=NO_REGISTRATION),
    collected("surface", Surface, "Which paths the work has changed.", stages=ACCEPT, code=SURFACE_VIOLATION),
    collected("commits", CommitRules, "How the rules on commits and pushes were kept.", stages=ACCEPT),
    collected(
        "evidence",
        Mapping[str, str],
        "Each piece of evidence by name: `passed`, `failed`, `missing` or `not run`.",
        stages=ACCEPT,
    ),
    collected("placement", Placement, "Where the worker says that it stood.", stages=ACCEPT),
)
