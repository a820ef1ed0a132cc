"""What the reason codes of the stage `dispatch` mean."""

from gatewright.model import codes
from gatewright.model.reason import Reason

DISPATCH = ("dispatch",)

DEPARTURE: tuple[Reason, ...] = (
    Reason(
        codes.MODEL_RUNTIME_MISMATCH,
        DISPATCH,
        "deny",
        "the runtime cannot run models of that vendor",
        "the model's id begins as those of another vendor do, and the list of runtimes does not give it to this one",
        "choose a runtime that can, or a model of its own vendor; new pairs are added to the list of runtimes",
    ),
    Reason(
        codes.TOP_NOT_APPROVED,
        DISPATCH,
        "deny",
        "a model of the top tier was asked for, and nobody has approved it",
        "no reason was given, or a blank one",
        "take a model of another tier, or have the owner say why, with `--top-approved`",
    ),
    Reason(
        codes.CONTRACT_WITHOUT_TERMS,
        DISPATCH,
        "warn",
        "nobody will be able to accept the work automatically",
        "the contract does not begin with a front matter; the gate itself asks for none",
        "let `gatewright contract lint` say what belongs there, or accept the work by eye",
    ),
    Reason(
        codes.SAME_HOST_RUNTIME,
        DISPATCH,
        "warn",
        "the worker would run in the runtime of its master",
        "one outage, one limit and one blind spot then stop both",
        "take one of the other installed runtimes, or say why not with `--same-host-reason`",
    ),
    Reason(
        codes.HOST_UNMEASURED,
        DISPATCH,
        "warn",
        "nobody has said which runtime the master runs in",
        "neither the variable nor the instance configuration names it, so that one was taken for granted",
        "set `MOGUI_MASTER_HOST_RUNTIME`, or `master_host_runtime` in the instance configuration",
    ),
)
