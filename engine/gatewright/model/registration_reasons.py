"""What the reason codes of the stage `register` mean, beside those that it shares with `check`."""

from gatewright.model import codes
from gatewright.model.reason import Reason

REGISTER = ("register",)

REGISTRATION: tuple[Reason, ...] = (
    Reason(
        codes.ORCHESTRATION_UNVERIFIED,
        REGISTER,
        "deny",
        "the orchestrator does not bear the job out",
        "no task is given; the orchestrator is not there, late, or not understood; it does not know the task, runs it "
        "as another dispatch, or has given it up",
        "look at the task in the orchestrator; the message names what failed as `probe_failure`",
    ),
    Reason(
        codes.UNVERIFIED_JOB,
        REGISTER,
        "deny",
        "the job is not proven",
        "the probe failed, was over its time, or printed nothing in which the job's id stands as a whole word",
        "give a probe that reads an artifact of the job and exits with 0",
    ),
    Reason(
        codes.PROBE_NOT_CONTENT,
        REGISTER,
        "warn",
        "the job was proven by a command that reads nothing",
        "the probe is `echo`, `ls` or the like: it prints the id, or the name of a file, whether there is a job or not",
        "let the probe print content in which the id stands",
    ),
    Reason(
        codes.MODEL_TIER_ESCALATION,
        ("register", "accept"),
        "deny",
        "the worker runs a model of a more expensive tier than was declared",
        "the measured model, or one of its sub-agents', stands before the declared one in the order of tiers",
        "end the worker; start it on the declared model, or check again with the other",
    ),
    Reason(
        codes.MODEL_UNVERIFIED,
        ("register", "accept"),
        "warn",
        "what the worker runs is not known",
        "no model is declared, no probe is given, or the probe found no model",
        "declare the model and give a probe that prints it",
    ),
    Reason(
        codes.MODEL_PROBE_FAILED,
        REGISTER,
        "warn",
        "the probe of the model did not work",
        "it exited with another status than 0, was over its time, or printed nothing that is a model's id",
        "run the probe by hand and see what it says",
    ),
    Reason(
        codes.MODEL_MISMATCH,
        REGISTER,
        "warn",
        "the worker runs another model than was declared, and no dearer one",
        "it was started on another model, or changed it, or no table ranks the two",
        "see which of the two is meant",
    ),
    Reason(
        codes.AMBIGUOUS_TICKET,
        REGISTER,
        "deny",
        "several checks could be meant",
        "several contracts or runtimes were checked, and the registration does not say which",
        "give `--contract-sha` and `--runtime`",
    ),
    Reason(
        codes.NO_MATCHING_TICKET,
        REGISTER,
        "deny",
        "nothing that was allowed waits for this registration",
        "it was never checked, is registered already, or its ticket has expired and its hash is not given",
        "check the contract; name an older check by `--contract-sha`",
    ),
    Reason(
        codes.TICKET_EXPIRED,
        REGISTER,
        "warn",
        "the check is older than a ticket is good for",
        "more than ten minutes passed between the check and its registration",
        "check again if anything may have changed since",
    ),
    Reason(
        codes.TICKET_MISSING,
        REGISTER,
        "note",
        "the ticket is gone, and the check was found by its row",
        "another check of the contract took its place, or the file was removed",
        "nothing",
    ),
    Reason(
        codes.JOB_ALREADY_REGISTERED,
        REGISTER,
        "deny",
        "the job is registered already",
        "the job's id stands in an earlier registration",
        "give the job's own id; send a registration again with its `--request-id`",
    ),
)
